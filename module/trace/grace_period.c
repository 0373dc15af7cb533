// SPDX-License-Identifier: GPL-2.0
/*
 * The events of RCU's grace periods. The kernel has a tracepoint for them with CONFIG_RCU_TRACE
 * only, which distributions do without: so the functions that begin and end one are hooked. RCU's
 * thread calls both, once for each grace period.
 *
 * Source: traceGCStart() and traceGCDone() of Go's trace.go: what was freed can be used again.
 */
#include <linux/compiler.h>
#include <linux/preempt.h>

#include "probe/ftrace_hook.h"
#include "trace/buffer.h"
#include "trace/grace_period.h"
#include "trace/point.h"

/* Hooks are called with preemption on. */
static void record(u8 type)
{
	struct kmprof_trace_record r;

	preempt_disable_notrace();
	if (READ_ONCE(kmprof_trace_hooks_record) && kmprof_trace_begin_here(&r, type))
		kmprof_trace_end(&r);
	preempt_enable_notrace();
}

static void on_begin(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		     struct ftrace_regs *fregs)
{
	record(KMPROF_TRACE_GRACE_PERIOD_BEGIN);
}

static void on_end(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs)
{
	record(KMPROF_TRACE_GRACE_PERIOD_END);
}

static struct kmprof_ftrace_hook begin_hook = KMPROF_FTRACE_HOOK_ARGUMENTS(on_begin);
static struct kmprof_ftrace_hook end_hook = KMPROF_FTRACE_HOOK_ARGUMENTS(on_end);

#define TYPE(id, name)	KMPROF_TRACE_TYPE(KMPROF_TRACE_GRACE_PERIOD_##id, name, 0, 0)

const struct kmprof_trace_point kmprof_trace_grace_period_points[KMPROF_TRACE_NR_GRACE_PERIOD] = {
	{ TYPE(BEGIN, "grace_period_begin"), .function = "rcu_gp_init", .hook = &begin_hook },
	{ TYPE(END, "grace_period_end"), .function = "rcu_gp_cleanup", .hook = &end_hook },
};
