/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traces: starting and stopping them, reading and decoding what they have recorded. Functions
 * return 0 or a negative errno unless they say otherwise.
 */
#ifndef TRACE_SESSION_H
#define TRACE_SESSION_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/kmprof.h>

enum { SESSION_CPUS = 256, SESSION_ARGS = 8 };

/**
 * struct session - a trace, as it was read
 * @fd: its descriptor
 * @bytes: what was read
 * @size: how many bytes that is
 * @stop: result of KMPROF_IOC_TRACE_STOP
 */
struct session {
	int fd;
	char *bytes;
	size_t size;
	struct kmprof_trace_stop stop;
};

/**
 * struct record - a record, decoded
 * @cpu: its CPU
 * @tid: the task that runs; for a switch, the one that ran
 * @ticks: when
 * @type: enum kmprof_trace_event
 * @context: enum kmprof_trace_context
 * @args: its arguments, without the stack
 * @stack: its stack, or NULL
 * @text: its text, which does not end with a NUL
 * @len: bytes of that
 * @is_first: it is the first one of its batch
 */
struct record {
	uint32_t cpu;
	uint32_t tid;
	uint64_t ticks;
	uint8_t type;
	uint8_t context;
	uint64_t args[SESSION_ARGS];
	const struct kmprof_trace_stack *stack;
	const char *text;
	uint8_t len;
	uint8_t is_first;
};

/* What a walk over a trace calls for each record; return value: 0, or an error to end with. */
typedef int (*session_visit)(const struct record *record, void *data);

#define SESSION_SCHED								\
	(1 << KMPROF_TRACE_SWITCH | 1 << KMPROF_TRACE_WAKING | 1 << KMPROF_TRACE_MIGRATE |	\
	 1 << KMPROF_TRACE_FORK | 1 << KMPROF_TRACE_EXEC | 1 << KMPROF_TRACE_EXIT |	\
	 1 << KMPROF_TRACE_RENAME)

/* All that can be chosen. */
#define SESSION_ALL								\
	(SESSION_SCHED |							\
	 1 << KMPROF_TRACE_CONTENTION_BEGIN | 1 << KMPROF_TRACE_CONTENTION_END |	\
	 1 << KMPROF_TRACE_IRQ_ENTRY | 1 << KMPROF_TRACE_IRQ_EXIT |		\
	 1 << KMPROF_TRACE_SOFTIRQ_ENTRY | 1 << KMPROF_TRACE_SOFTIRQ_EXIT |	\
	 1 << KMPROF_TRACE_RECLAIM_BEGIN | 1 << KMPROF_TRACE_RECLAIM_END |	\
	 1 << KMPROF_TRACE_MEMCG_RECLAIM_BEGIN | 1 << KMPROF_TRACE_MEMCG_RECLAIM_END |	\
	 1 << KMPROF_TRACE_COMPACTION_BEGIN | 1 << KMPROF_TRACE_COMPACTION_END |	\
	 1 << KMPROF_TRACE_ALLOC | 1 << KMPROF_TRACE_FREE |			\
	 1 << KMPROF_TRACE_SYSCALL_ENTER | 1 << KMPROF_TRACE_SYSCALL_EXIT |	\
	 1 << KMPROF_TRACE_CPU_IDLE | 1 << KMPROF_TRACE_CPU_FREQUENCY |		\
	 1 << KMPROF_TRACE_GRACE_PERIOD_BEGIN | 1 << KMPROF_TRACE_GRACE_PERIOD_END)

int session_ioctl_start(int dev, struct kmprof_trace_start *start);
int session_ioctl_stop(int dev, struct kmprof_trace_stop *stop);
int session_start(int dev, struct session *s, uint64_t events, uint32_t buffer_bytes);
int session_start_stacks(int dev, struct session *s, uint64_t events, uint32_t buffer_bytes);
int session_start_flight(int dev, struct session *s, uint64_t events, uint32_t flags,
			 uint32_t buffer_bytes);
int session_start_filtered(int dev, struct session *s, const char *filter, uint64_t events,
			   uint32_t flags, uint32_t buffer_bytes);
int session_stop(int dev, struct session *s);
int session_snapshot(int dev);
int session_read_rest(struct session *s);
void session_free(struct session *s);
pid_t session_copy(const struct session *s, int *file);
int session_take_copy(int dev, struct session *s, pid_t reader, int file);

const struct kmprof_trace_header *session_header(const struct session *s);
const struct kmprof_trace_task *session_task(const struct session *s, uint32_t tid);
const struct kmprof_trace_end *session_end(const struct session *s);
double session_ns(const struct session *s, uint64_t ticks);
int session_mark_number(const struct record *mark, uint64_t *number);
int session_walk(const struct session *s, session_visit visit, void *data);
uint64_t session_records(const struct session *s);
uint64_t session_lost(const struct session *s);
uint64_t session_stackless(const struct session *s);

#endif
