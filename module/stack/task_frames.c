// SPDX-License-Identifier: GPL-2.0
/*
 * Walks the frames of another task, to say what is not among them. An address that only lies on
 * the stack, left there by an earlier call, is in no frame.
 *
 * The answer has to be certain. The walk is the one that live patching trusts
 * (arch_stack_walk_reliable(), which is not exported), and it counts only if the task did not run
 * meanwhile.
 */
#include <linux/compiler.h>
#include <linux/lockdep.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <asm/unwind.h>

#include "compat/compat.h"
#include "stack/task_frames.h"

#ifdef KMPROF_COMPAT_ORC

/* Does a task run? If not, how often it has been switched out can be read. */
static bool is_running(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	/*
	 * Pairs with the release in finish_task(): the count of the switch, and the stack pointer,
	 * are seen as they were left.
	 */
	return smp_load_acquire(&task->on_cpu);
#else
	return false;
#endif
}

static unsigned long nr_switches(const struct task_struct *task)
{
	return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

/* Walk all frames. Returns true if the walk got to the end without a doubt, and met none. */
static bool walk(struct task_struct *task, bool (*is_wanted)(unsigned long addr))
{
	struct unwind_state state;
	struct pt_regs *regs;
	unsigned long addr;

	for (unwind_start(&state, task, NULL, NULL); !unwind_done(&state) && !unwind_error(&state);
	     unwind_next_frame(&state)) {
		regs = unwind_get_entry_regs(&state, NULL);
		if (regs && user_mode(regs))
			return true;
		/* 0: generated code, of which nothing is known. */
		addr = unwind_get_return_address(&state);
		if (!addr || is_wanted(addr))
			return false;
	}
	return !unwind_error(&state);
}

/**
 * kmprof_task_frames_lack() - is it certain that some addresses are in no frame of a task?
 * @task: another task; it exists or has existed since the RCU read lock was taken
 * @is_wanted: which addresses. Context: that of the caller
 *
 * Context: Process context, under rcu_read_lock() and cpus_read_lock(): a stack that is freed
 * stays mapped, since only a CPU that goes offline unmaps those that it keeps at once.
 * Return: true if so; false if there is such a frame, or if it cannot be known: the task runs or
 * has run, or its stack cannot be walked without a doubt.
 */
bool kmprof_task_frames_lack(struct task_struct *task, bool (*is_wanted)(unsigned long addr))
{
	unsigned long before = nr_switches(task);
	bool lack;

	if (is_running(task))
		return false;
	lack = walk(task, is_wanted);
	/*
	 * A task that has run meanwhile is either running still, or has been switched out: it
	 * counts that before it ceases to run. Read after the stack.
	 */
	smp_rmb();
	return lack && !is_running(task) && nr_switches(task) == before;
}

#else /* the kernel has no unwinder that is certain */

bool kmprof_task_frames_lack(struct task_struct *task, bool (*is_wanted)(unsigned long addr))
{
	return false;
}

#endif
