// SPDX-License-Identifier: GPL-2.0
/*
 * Other tracers: the kernel's own, through tracefs, and BPF programs at the entry and the
 * return of functions, through bpftrace.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/kmprof_guest.h"
#include "lib/tracer.h"

/* Those of all kernels; what this one does not have is left out. */
#define FUNCTIONS								\
	"__kmalloc __kmalloc_node __kmalloc_node_track_caller kmalloc_trace "	\
	"kmalloc_node_trace kmalloc_large kmalloc_large_node kmem_cache_alloc "	\
	"kmem_cache_alloc_lru kmem_cache_alloc_node kmem_cache_alloc_bulk "	\
	"__kmalloc_noprof __kmalloc_node_noprof __kmalloc_node_track_caller_noprof " \
	"__kmalloc_cache_noprof __kmalloc_cache_node_noprof "			\
	"__kmalloc_large_noprof __kmalloc_large_node_noprof "			\
	"kmem_cache_alloc_noprof kmem_cache_alloc_lru_noprof "			\
	"kmem_cache_alloc_node_noprof kmem_cache_alloc_bulk_noprof "		\
	"kfree kmem_cache_free kmem_cache_free_bulk kvfree_call_rcu call_rcu "	\
	"pcpu_alloc __alloc_percpu __alloc_percpu_gfp pcpu_alloc_noprof "	\
	"__alloc_pages_bulk alloc_pages_bulk_noprof "				\
	"__vmap_pages_range_noflush remove_vm_area "				\
	"__vmalloc_node vmalloc __vmalloc_node_noprof vmalloc_noprof"

/* Looked up once: the kernel's list is long. */
#define PRELUDE									\
	"set -e; cd /sys/kernel/tracing; list=/tmp/kmprof-beside-functions; "	\
	"[ -s $list ] || echo " FUNCTIONS " | tr ' ' '\\n' | "			\
		"grep -xFf - available_filter_functions | sort -u >$list; "	\
	"functions=$(echo $(cat $list)); "

/* Events of one kind on all functions. @file: where they are made; @event: one of them. */
#define EVENTS(file, event)							\
	"for f in $functions; do echo \"" event "\" >>" file "; done; "		\
	"echo 1 >events/beside/enable"
#define NO_EVENTS(file)								\
	"echo 0 >events/beside/enable; "					\
	"for f in $functions; do echo \"-:beside/$f\" >>" file "; done"

/* The kernel shows the BPF trampoline of each function that has one. */
#define BPFTRACE(probe)								\
	"program=; for f in $functions; do "					\
		"program=\"${program}" probe ":$f { @ = count(); } \"; done; "	\
	"bpftrace -e \"$program\" >/dev/null 2>/tmp/bpftrace.err & "		\
	"echo $! >/tmp/bpftrace.pid; want=$(echo $functions | wc -w); tries=0; "	\
	"until [ $(grep -c -e 'direct-->' enabled_functions) -ge $want ]; do "		\
		"kill -0 $! || { cat /tmp/bpftrace.err >&2; exit 1; }; sleep 0.1; " \
	"done"
/* Asked until it is gone: a signal that comes while it is still starting is forgotten. */
#define NO_BPFTRACE								\
	"pid=$(cat /tmp/bpftrace.pid); "					\
	"while kill -INT $pid 2>/dev/null; do sleep 0.1; done; "		\
	"while grep -q -e 'direct-->' enabled_functions; do sleep 0.1; done"

const struct tracer tracers[TRACER_NR] = {
	[TRACER_FUNCTION] = {
		.name	= "function",
		.needs	= "grep -qw function available_tracers",
		.start	= "echo $functions >set_ftrace_filter; echo function >current_tracer",
		.stop	= "echo nop >current_tracer; echo >set_ftrace_filter",
	},
	[TRACER_FUNCTION_GRAPH] = {
		.name	= "function_graph",
		.needs	= "grep -qw function_graph available_tracers",
		.start	= "echo $functions >set_ftrace_filter; echo function_graph >current_tracer",
		.stop	= "echo nop >current_tracer; echo >set_ftrace_filter",
	},
	[TRACER_KPROBE] = {
		.name	= "kprobe",
		.needs	= "test -e kprobe_events",
		.start	= EVENTS("kprobe_events", "p:beside/$f $f"),
		.stop	= NO_EVENTS("kprobe_events"),
	},
	[TRACER_KRETPROBE] = {
		.name	= "kretprobe",
		.needs	= "test -e kprobe_events",
		.start	= EVENTS("kprobe_events", "r:beside/$f $f"),
		.stop	= NO_EVENTS("kprobe_events"),
	},
	[TRACER_FPROBE] = {
		.name	= "fprobe",
		.needs	= "grep -q 'f\\[:' README",
		.start	= EVENTS("dynamic_events", "f:beside/$f $f"),
		.stop	= NO_EVENTS("dynamic_events"),
	},
	[TRACER_FPROBE_EXIT] = {
		.name	= "fprobe at the exit",
		.needs	= "grep -q 'f\\[:' README",
		.start	= EVENTS("dynamic_events", "f:beside/$f $f%return"),
		.stop	= NO_EVENTS("dynamic_events"),
	},
	[TRACER_KFUNC] = {
		.name	= "bpftrace kfunc",
		.is_bpf	= 1,
		.needs	= "test -r /sys/kernel/btf/vmlinux",
		.start	= BPFTRACE("kfunc"),
		.stop	= NO_BPFTRACE,
	},
	[TRACER_KRETFUNC] = {
		.name	= "bpftrace kretfunc",
		.is_bpf	= 1,
		.needs	= "test -r /sys/kernel/btf/vmlinux",
		.start	= BPFTRACE("kretfunc"),
		.stop	= NO_BPFTRACE,
	},
};

static int run(const char *command)
{
	char *line;
	int status;

	if (asprintf(&line, "%s%s", PRELUDE, command) < 0)
		return -ENOMEM;
	status = system(line);
	free(line);
	return status ? -EIO : 0;
}

static int run_and_tell(const struct tracer *tracer, const char *command)
{
	int ret = run(command);

	return ret ? guest_complain(tracer->name, command, -ret) : 0;
}

/**
 * tracer_is_there() - does this kernel have a tracer?
 * @tracer: the tracer
 */
int tracer_is_there(const struct tracer *tracer)
{
	return !run(tracer->needs);
}

/**
 * tracer_start() - trace the functions
 * @tracer: one that tracer_is_there()
 */
int tracer_start(const struct tracer *tracer)
{
	return run_and_tell(tracer, tracer->start);
}

/**
 * tracer_stop() - trace them no more
 * @tracer: the tracer, started
 */
int tracer_stop(const struct tracer *tracer)
{
	return run_and_tell(tracer, tracer->stop);
}
