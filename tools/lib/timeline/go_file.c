// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kmprof.h>

#include "timeline/go_file.h"

/* Numbers of events that only this file writes. */
enum {
	BATCH		= 1,	/* P, tick: ticks of the P's events are differences from here on */
	FREQUENCY	= 2,	/* ticks per second */
	STACK		= 3,	/* number, number of frames, (pc, function, file, line) for each */
	STRING		= 37,	/* number, length, bytes */
	USER_REGION	= 47,	/* task, 0: begin or 1: end, name, stack */
	USER_LOG	= 48,	/* task, key, stack; a length and a text behind them */
};

enum {
	VARINT_MAX	= 10,
	ARGS_SHIFT	= 6,
	/* From so many arguments on, with the tick, their length in bytes stands before them. */
	MANY_ARGS	= 4,
	PROC_BYTES	= 8192,
	/* Of the largest event: number, length, tick, arguments, a text with its length. */
	EVENT_MAX	= 1 + (KMPROF_GO_ARGS + 3) * VARINT_MAX + KMPROF_TRACE_TEXT_MAX,
	FRAME_ARGS	= 4,
};

static size_t put_varint(unsigned char *to, __u64 v)
{
	size_t n = 0;

	while (v >= 0x80) {
		to[n++] = (unsigned char)v | 0x80;
		v >>= 7;
	}
	to[n++] = (unsigned char)v;
	return n;
}

/* An event without its tick: it has none, or it is the first argument. */
static size_t put_event(unsigned char *to, unsigned int event, unsigned int nr_args,
			const __u64 *args)
{
	unsigned char values[(2 + FRAME_ARGS * KMPROF_GO_FRAMES) * VARINT_MAX];
	size_t size = 0, n = 1;
	unsigned int i;

	for (i = 0; i < nr_args; i++)
		size += put_varint(values + size, args[i]);
	to[0] = (unsigned char)event;
	to[0] |= (unsigned char)((nr_args < MANY_ARGS ? nr_args - 1 : MANY_ARGS - 1) << ARGS_SHIFT);
	if (nr_args >= MANY_ARGS)
		n += put_varint(to + n, size);
	memcpy(to + n, values, size);
	return n + size;
}

static __u64 proc_number(const struct kmprof_go_file *go, size_t proc)
{
	return proc + 1 == go->nr_procs ? KMPROF_GO_TIMERS : proc;
}

static void flush(struct kmprof_go_file *go, size_t proc)
{
	struct kmprof_go_proc *p = &go->proc[proc];

	fwrite(p->bytes, 1, p->used, go->file);
	p->used = 0;
}

/* Room for an event of a P, whose tick becomes the difference from the one before. */
static unsigned char *find_room(struct kmprof_go_file *go, size_t proc, __u64 *tick)
{
	struct kmprof_go_proc *p = &go->proc[proc];
	__u64 difference, args[2];

	if (!p->bytes) {
		p->bytes = malloc(PROC_BYTES);
		if (!p->bytes)
			return NULL;
	}
	if (p->used + EVENT_MAX > PROC_BYTES)
		flush(go, proc);
	if (!p->used) {
		args[0] = proc_number(go, proc);
		args[1] = *tick;
		p->used = put_event(p->bytes, BATCH, 2, args);
		p->tick = *tick;
	}
	difference = *tick - p->tick;
	p->tick = *tick;
	*tick = difference;
	return p->bytes + p->used;
}

int kmprof_go_file_put(struct kmprof_go_file *go, size_t proc, __u64 tick,
		       enum kmprof_go_event event, unsigned int nr_args, const __u64 *args)
{
	unsigned char *to = find_room(go, proc, &tick);
	__u64 all[1 + KMPROF_GO_ARGS];
	unsigned int i;

	if (!to)
		return -ENOMEM;
	all[0] = tick;
	for (i = 0; i < nr_args; i++)
		all[1 + i] = args[i];
	go->proc[proc].used += put_event(to, event, 1 + nr_args, all);
	return 0;
}

/* The number of a string, which is written when it is new; negative: -ENOMEM. */
static __s64 string(struct kmprof_go_file *go, const char *text)
{
	unsigned char head[1 + 2 * VARINT_MAX] = { STRING };
	size_t length = strlen(text), n = 1;
	__s64 index;
	bool is_new;

	index = kmprof_intern_number(&go->names, text, &is_new);
	if (index < 0)
		return index;
	if (is_new) {
		n += put_varint(head + n, (__u64)index + 1);
		n += put_varint(head + n, length);
		fwrite(head, 1, n, go->file);
		fwrite(text, 1, length, go->file);
	}
	return index + 1;
}

int kmprof_go_file_log(struct kmprof_go_file *go, size_t proc, __u64 tick, const char *key,
		       const char *text, size_t length)
{
	__s64 number = string(go, key);
	unsigned char *to;
	size_t n;

	if (number < 0)
		return (int)number;
	to = find_room(go, proc, &tick);
	if (!to)
		return -ENOMEM;
	if (length > KMPROF_TRACE_TEXT_MAX)
		length = KMPROF_TRACE_TEXT_MAX;
	n = put_event(to, USER_LOG, 4, (__u64[]){ tick, 0, (__u64)number, 0 });
	n += put_varint(to + n, length);
	memcpy(to + n, text, length);
	go->proc[proc].used += n + length;
	return 0;
}

int kmprof_go_file_region(struct kmprof_go_file *go, size_t proc, __u64 tick, bool begins,
			  const char *name, __u64 stack)
{
	__s64 number = string(go, name);
	unsigned char *to;

	if (number < 0)
		return (int)number;
	to = find_room(go, proc, &tick);
	if (!to)
		return -ENOMEM;
	go->proc[proc].used += put_event(to, USER_REGION, 5,
					 (__u64[]){ tick, 0, !begins, (__u64)number, stack });
	return 0;
}

int kmprof_go_file_stack(struct kmprof_go_file *go, __u64 id, unsigned int nr,
			 const char *const *frames)
{
	unsigned char to[1 + (3 + FRAME_ARGS * KMPROF_GO_FRAMES) * VARINT_MAX];
	__u64 args[2 + FRAME_ARGS * KMPROF_GO_FRAMES] = { id, nr };
	unsigned int i;
	__s64 number;

	for (i = 0; i < nr; i++) {
		number = string(go, frames[i]);
		if (number < 0)
			return (int)number;
		/* To the viewer, functions are the same if their program counters are. */
		args[2 + FRAME_ARGS * i] = (__u64)number;
		args[3 + FRAME_ARGS * i] = (__u64)number;
	}
	fwrite(to, 1, put_event(to, STACK, 2 + FRAME_ARGS * nr, args), go->file);
	return 0;
}

int kmprof_go_file_init(struct kmprof_go_file *go, FILE *file, __u32 nr_cpus)
{
	static const char magic[16] = "go 1.11 trace";
	unsigned char frequency[1 + VARINT_MAX];

	memset(go, 0, sizeof(*go));
	go->file = file;
	go->nr_procs = (size_t)nr_cpus + 1;
	go->proc = calloc(go->nr_procs, sizeof(*go->proc));
	if (!go->proc)
		return -ENOMEM;
	fwrite(magic, 1, sizeof(magic), file);
	fwrite(frequency, 1, put_event(frequency, FREQUENCY, 1, (__u64[]){ 1000000000 }), file);
	return 0;
}

void kmprof_go_file_finish(struct kmprof_go_file *go)
{
	size_t i;

	for (i = 0; i < go->nr_procs; i++)
		if (go->proc[i].used)
			flush(go, i);
}

void kmprof_go_file_exit(struct kmprof_go_file *go)
{
	size_t i;

	for (i = 0; go->proc && i < go->nr_procs; i++)
		free(go->proc[i].bytes);
	free(go->proc);
	kmprof_intern_release(&go->names);
}
