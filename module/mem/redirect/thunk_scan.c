// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the tasks that are inside a thunk, by the return addresses on their stacks. The stack of a
 * task can also hold a leftover of an earlier call: such a task is ruled out by its frames, if
 * they can be walked without a doubt. It errs on one side only: a task inside a thunk is always
 * found, while a leftover can make a task look like one that runs, or has generated code on its
 * stack.
 */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "mem/redirect/thunk_wait.h"
#include "stack/task_frames.h"

enum {
	PIECE	= 32,	/* words that are read at a time */
};

/*
 * Where the frames of a task begin. Of a task that runs, all of its stack is looked at: where it
 * is just now cannot be known.
 */
static unsigned long frames_of(const struct task_struct *task, unsigned long stack)
{
#ifdef CONFIG_SMP
	/* Pairs with the release in finish_task(): the stack pointer is seen as it was saved. */
	if (smp_load_acquire(&task->on_cpu))
		return stack;
#endif
	return clamp(READ_ONCE(task->thread.sp), stack, stack + THREAD_SIZE);
}

/*
 * Under RCU: the stack of a task that has died is not unmapped, except when a CPU goes offline. It
 * may have become another task's, which does no harm.
 */
static bool has_address(const struct task_struct *task, bool (*is_thunk)(unsigned long addr))
{
	unsigned long stack = (unsigned long)READ_ONCE(task->stack);
	unsigned long words[PIECE], at, end = stack + THREAD_SIZE;
	unsigned int i, nr;

	if (!stack)
		return false;
	for (at = ALIGN(frames_of(task, stack), sizeof(long)); at < end; at += nr * sizeof(long)) {
		nr = min_t(unsigned long, PIECE, (end - at) / sizeof(long));
		if (copy_from_kernel_nofault(words, (void *)at, nr * sizeof(long)))
			return false;
		for (i = 0; i < nr; i++)
			if (is_thunk(words[i]))
				return true;
	}
	return false;
}

static bool is_inside(struct task_struct *task, bool (*is_thunk)(unsigned long addr))
{
	return has_address(task, is_thunk) && !kmprof_task_frames_lack(task, is_thunk);
}

/**
 * kmprof_thunk_scan() - find the tasks that are inside a thunk
 * @found: returns them
 * @is_thunk: does an address lie in one of the thunks?
 *
 * Interrupts are not looked at; they do not sleep, and a grace period waits for them.
 *
 * Context: Process context, not inside a thunk. Keeps CPUs from going offline.
 */
void kmprof_thunk_scan(struct kmprof_thunk_scan *found, bool (*is_thunk)(unsigned long addr))
{
	struct task_struct *process, *task;
	int length = 0;

	*found = (struct kmprof_thunk_scan) {};
	cpus_read_lock();
	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (task == current || !is_inside(task, is_thunk))
			continue;
		length += scnprintf(found->names + length, sizeof(found->names) - length,
				    "%s%.16s[%d]", found->tasks++ ? ", " : "", task->comm,
				    task_pid_nr(task));
	}
	rcu_read_unlock();
	cpus_read_unlock();
}
