/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of Go's execution trace: events in batches, one batch after the other for each P,
 * strings and stacks. Knows nothing of what the events mean; go.c does.
 *
 * Strings and stacks may stand anywhere in the file. Events of a P are in the order of the file;
 * those of different Ps are put in order by the reader, by their ticks and by the sequence numbers
 * that each goroutine has. So each P has a buffer of its own.
 */
#ifndef KMPROF_TIMELINE_GO_FILE_H
#define KMPROF_TIMELINE_GO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#include "util/intern.h"

/* Numbers of the events that are written, and their arguments. */
enum kmprof_go_event {
	KMPROF_GO_GOMAXPROCS	= 4,	/* number, stack */
	KMPROF_GO_PROC_START	= 5,	/* thread */
	KMPROF_GO_PROC_STOP	= 6,
	KMPROF_GO_GC_START	= 7,	/* sequence number, stack */
	KMPROF_GO_GC_DONE	= 8,
	KMPROF_GO_CREATE	= 13,	/* goroutine, its start stack, stack */
	KMPROF_GO_START		= 14,	/* goroutine, sequence number */
	KMPROF_GO_END		= 15,
	KMPROF_GO_SCHED		= 17,	/* stack */
	KMPROF_GO_PREEMPT	= 18,	/* stack */
	KMPROF_GO_BLOCK		= 20,	/* stack */
	KMPROF_GO_UNBLOCK	= 21,	/* goroutine, sequence number, stack */
	KMPROF_GO_BLOCK_SYNC	= 25,	/* stack */
	KMPROF_GO_WAITING	= 31,	/* goroutine */
	KMPROF_GO_HEAP_ALLOC	= 33,	/* bytes in use */
};

enum { KMPROF_GO_ARGS = 3, KMPROF_GO_FRAMES = 128 };

/* The P of wake-ups by interrupts: the viewer has a row for it, named Timers. */
#define KMPROF_GO_TIMERS	1000001

/**
 * struct kmprof_go_proc - what is buffered for a P
 * @bytes: events; NULL until the first one
 * @used: bytes of them; 0: the next event begins a batch
 * @tick: tick of the last event
 */
struct kmprof_go_proc {
	unsigned char *bytes;
	size_t used;
	__u64 tick;
};

/**
 * struct kmprof_go_file - a file that is being written
 * @file: open for writing
 * @proc: the Ps, by the number of their CPU; the last one is KMPROF_GO_TIMERS
 * @nr_procs: how many there are
 * @names: strings; the number of one in the file, and the program counter of the function of
 *	that name, are its index + 1
 */
struct kmprof_go_file {
	FILE *file;
	struct kmprof_go_proc *proc;
	size_t nr_procs;
	struct kmprof_intern names;
};

/**
 * kmprof_go_file_init() - begin a file
 * @go: filled in; ended by kmprof_go_file_exit()
 * @file: open for writing
 * @nr_cpus: CPUs; a P for each, and one more
 *
 * A tick is a nanosecond. The reader takes tick 0 for none.
 *
 * Return: 0 or -ENOMEM. A failed write leaves its mark on the stream.
 */
int kmprof_go_file_init(struct kmprof_go_file *go, FILE *file, __u32 nr_cpus);

/**
 * kmprof_go_file_put() - write an event
 * @go: the file
 * @proc: index of the P
 * @tick: when; not less than in the call before with the same P
 * @event: its number
 * @nr_args: number of arguments, at most KMPROF_GO_ARGS
 * @args: the arguments
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_go_file_put(struct kmprof_go_file *go, size_t proc, __u64 tick,
		       enum kmprof_go_event event, unsigned int nr_args, const __u64 *args);

/* The same for a line of the user's log: @length bytes of @text, in the category @key. */
int kmprof_go_file_log(struct kmprof_go_file *go, size_t proc, __u64 tick, const char *key,
		       const char *text, size_t length);

/*
 * The same for the begin or the end of a region of the goroutine that runs, called @name. The
 * reader tells regions of one name apart by the innermost function of @stack, which is not 0.
 */
int kmprof_go_file_region(struct kmprof_go_file *go, size_t proc, __u64 tick, bool begins,
			  const char *name, __u64 stack);

/**
 * kmprof_go_file_stack() - write a stack, once
 * @go: the file
 * @id: its number, not 0
 * @nr: number of frames, at most KMPROF_GO_FRAMES
 * @frames: names of functions, the innermost one first
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_go_file_stack(struct kmprof_go_file *go, __u64 id, unsigned int nr,
			 const char *const *frames);

/* Writes what is buffered. */
void kmprof_go_file_finish(struct kmprof_go_file *go);
void kmprof_go_file_exit(struct kmprof_go_file *go);

#endif
