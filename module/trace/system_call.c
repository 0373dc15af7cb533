// SPDX-License-Identifier: GPL-2.0
/*
 * The events of system calls, from the entry to the return to the program. The task can sleep
 * meanwhile.
 *
 * Source: traceGoSysCall() and traceGoSysExit() of Go's trace.go.
 */
#include <linux/preempt.h>
#include <linux/thread_info.h>
#include <trace/events/syscalls.h>

#include <asm/syscall.h>

#include "trace/buffer.h"
#include "trace/filter.h"
#include "trace/point.h"
#include "trace/system_call.h"

/* Both tracepoints: the numbers of i386 mean other calls. */
static u64 number_of(long id)
{
	return (u32)id | (in_ia32_syscall() ? KMPROF_TRACE_SYSCALL_I386 : 0);
}

/* As protobuf's sint64: a small number has few bytes, whatever its sign. */
static u64 zigzag(long value)
{
	return (u64)value << 1 ^ (u64)(value >> 63);
}

/* From v6.13 on, these tracepoints are called with preemption on. */
static void on_enter(void *data, struct pt_regs *regs, long id)
{
	struct kmprof_trace_record r;

	preempt_disable_notrace();
	if (kmprof_trace_wants_here(current) &&
	    kmprof_trace_begin_here(&r, KMPROF_TRACE_SYSCALL_ENTER)) {
		kmprof_trace_begun(&r, 0);
		r.to = kmprof_trace_put(r.to, number_of(id));
		kmprof_trace_end(&r);
	}
	preempt_enable_notrace();
}

static void on_exit(void *data, struct pt_regs *regs, long ret)
{
	const u64 number = number_of(syscall_get_nr(current, regs));
	struct kmprof_trace_record r;

	preempt_disable_notrace();
	if (kmprof_trace_wants_end(KMPROF_TRACE_SYSCALL_ENTER, 0) &&
	    kmprof_trace_begin_here(&r, KMPROF_TRACE_SYSCALL_EXIT)) {
		r.to = kmprof_trace_put(r.to, number);
		r.to = kmprof_trace_put(r.to, zigzag(ret));
		kmprof_trace_end(&r);
	}
	preempt_enable_notrace();
}

#define TYPE(id, name, args)	KMPROF_TRACE_TYPE(KMPROF_TRACE_##id, name, args, 0)

const struct kmprof_trace_point kmprof_trace_syscall_points[KMPROF_TRACE_NR_SYSCALL] = {
	{ TYPE(SYSCALL_ENTER, "syscall_enter", 1), "sys_enter", on_enter },
	{ TYPE(SYSCALL_EXIT, "syscall_exit", 2), "sys_exit", on_exit },
};

/* Has the compiler hold the handlers against the kernel's prototypes. */
static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_sys_enter(on_enter);
	check_trace_callback_type_sys_exit(on_exit);
}
