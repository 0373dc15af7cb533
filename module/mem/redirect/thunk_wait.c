// SPDX-License-Identifier: GPL-2.0
/*
 * Waits until the redirected calls have returned, for entry_point.c when it disarms. The surprising
 * part is that one may never return: a task that dies inside an allocator, by an oops in a
 * shrinker for example, takes its frames along. Its thunk never counts it out.
 *
 * From the number of calls alone, such a call looks like one that sleeps. So after some seconds
 * the stacks of all tasks are looked at. If there is no task inside a thunk, twice in a row, the
 * calls that are still out are given up.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

#include "mem/redirect/thunk_wait.h"

enum {
	POLL_MS		= 20,
	FIRST_MS	= 5000,		/* before the stacks are looked at for the first time */
	LONGEST_MS	= 60000,	/* from one look to the next */
};

/**
 * struct watch - what the last look at the stacks has shown
 * @out: calls that were out, if @is_empty
 * @is_empty: no task was inside a thunk
 */
struct watch {
	long out;
	bool is_empty;
};

/* Note a look at the stacks. Returns true if the @out calls will never return. */
static bool is_hopeless(struct watch *w, long out, unsigned int tasks)
{
	bool again = w->is_empty && w->out == out;

	*w = (struct watch) { .out = out, .is_empty = !tasks };
	return again && !tasks;
}

/**
 * kmprof_thunk_wait() - wait until no redirected call is out
 * @nr_out: returns the number of calls that have arrived at a thunk and have not left it; no
 *	more of them arrive
 * @data: its argument
 * @is_thunk: does an address lie in one of their thunks?
 *
 * Says in the log, after some seconds and then now and again, which tasks are waited for.
 *
 * Context: Process context. Waits for tasks that sleep inside an allocation, and for grace
 * periods.
 * Return: 0; or the number of calls that will never return, with a message in the log.
 */
long kmprof_thunk_wait(long (*nr_out)(const void *data), const void *data,
		       bool (*is_thunk)(unsigned long addr))
{
	unsigned int waited = 0, pause = FIRST_MS;
	struct kmprof_thunk_scan found;
	struct watch w = {};
	long out;

	while ((out = nr_out(data))) {
		if (waited < pause) {
			msleep(POLL_MS);
			waited += POLL_MS;
			continue;
		}
		kmprof_thunk_scan(&found, is_thunk);
		if (is_hopeless(&w, out, found.tasks)) {
			pr_warn("%ld allocations will never return: their tasks are gone\n", out);
			return out;
		}
		if (found.tasks) {
			pr_warn("waiting for %ld allocations to return, in %u tasks: %s\n", out,
				found.tasks, found.names);
			waited = 0;
			pause = min_t(unsigned int, 2 * pause, LONGEST_MS);
			continue;
		}
		/* A call that was returning, or ran in an interrupt, is through after this. */
		synchronize_rcu_tasks();
		synchronize_rcu();
	}
	return 0;
}
