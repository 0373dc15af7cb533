/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Other tracers, on the functions that kmprof probes for the heap profile. Functions return
 * 0 or a negative errno, and explain failures on stderr.
 */
#ifndef TRACER_H
#define TRACER_H

/**
 * struct tracer - a way to trace functions
 * @name: its name
 * @is_bpf: it runs BPF programs
 * @needs: shell command that fails on a kernel without it
 * @start: shell command that starts it for all functions $functions and ends when it traces
 *	them
 * @stop: shell command that undoes that
 */
struct tracer {
	const char *name;
	int is_bpf;
	const char *needs;
	const char *start;
	const char *stop;
};

enum tracer_id {
	TRACER_FUNCTION,
	TRACER_FUNCTION_GRAPH,
	TRACER_KPROBE,
	TRACER_KRETPROBE,
	TRACER_FPROBE,
	TRACER_FPROBE_EXIT,
	TRACER_KFUNC,
	TRACER_KRETFUNC,
	TRACER_NR
};

extern const struct tracer tracers[TRACER_NR];

int tracer_is_there(const struct tracer *tracer);
int tracer_start(const struct tracer *tracer);
int tracer_stop(const struct tracer *tracer);

#endif /* TRACER_H */
