// SPDX-License-Identifier: GPL-2.0
/*
 * Follows who listens to the trace events.
 *
 * The first listener of an event comes, and the last one goes, under the lock of all tracepoints.
 * Arming probes takes that lock, too. So it is left to work that is queued then; who turns an event
 * on in tracefs or with perf waits for it, and misses none of the events that follow. A listener
 * that asks for the tracepoint itself (another module, BPF's raw_tracepoint) does not wait.
 *
 * Who turns it on before kmprof_init() has come so far is followed from kmprof_event_start() on.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

#include "event/event.h"

static int reg(struct trace_event_call *call, enum trace_reg type, void *data);

/* The kernel's macros name it as what turns an event on and off. */
#define trace_event_reg reg
#define CREATE_TRACE_POINTS
#include <trace/events/kmprof.h>
#undef trace_event_reg

/* Written under the lock of all tracepoints. */
static bool heard[KMPROF_NR_EVENTS];

/* Protects @is_started, and that no work is queued while it is not. */
static DEFINE_SPINLOCK(start_lock);
static bool is_started;
/* Arms the probes that are wanted now, and disarms the others: 0, or why that failed. */
static int (*apply_probes)(void);
/* What it has returned last; changed by the work alone. */
static int applied;

static void apply(struct work_struct *unused)
{
	WRITE_ONCE(applied, apply_probes());
}

static DECLARE_WORK(apply_work, apply);

static int hear(enum kmprof_event_id id, bool is_heard)
{
	WRITE_ONCE(heard[id], is_heard);
	spin_lock(&start_lock);
	if (is_started)
		queue_work(system_long_wq, &apply_work);
	spin_unlock(&start_lock);
	return 0;
}

int kmprof_event_alloc_heard(void)
{
	return hear(KMPROF_EVENT_ALLOC, true);
}

void kmprof_event_alloc_unheard(void)
{
	hear(KMPROF_EVENT_ALLOC, false);
}

int kmprof_event_free_heard(void)
{
	return hear(KMPROF_EVENT_FREE, true);
}

void kmprof_event_free_unheard(void)
{
	hear(KMPROF_EVENT_FREE, false);
}

int kmprof_event_block_heard(void)
{
	return hear(KMPROF_EVENT_BLOCK, true);
}

void kmprof_event_block_unheard(void)
{
	hear(KMPROF_EVENT_BLOCK, false);
}

int kmprof_event_release_heard(void)
{
	return hear(KMPROF_EVENT_RELEASE, true);
}

void kmprof_event_release_unheard(void)
{
	hear(KMPROF_EVENT_RELEASE, false);
}

static bool is_registration(enum trace_reg type, enum trace_reg *undo)
{
	if (type == TRACE_REG_REGISTER)
		*undo = TRACE_REG_UNREGISTER;
#ifdef CONFIG_PERF_EVENTS
	else if (type == TRACE_REG_PERF_REGISTER)
		*undo = TRACE_REG_PERF_UNREGISTER;
#endif
	else
		return false;
	return true;
}

static bool is_undo(enum trace_reg type)
{
#ifdef CONFIG_PERF_EVENTS
	if (type == TRACE_REG_PERF_UNREGISTER)
		return true;
#endif
	return type == TRACE_REG_UNREGISTER;
}

/*
 * Called by the kernel instead of trace_event_reg(), with the lock of all trace events held. A
 * listener that has come waits for the probes, and is refused if they cannot be armed. It keeps the
 * module loaded, which the kernel sees to for perf only: an event that has a trigger would stay on.
 */
static int reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	enum trace_reg undo;
	int err;

	if (!is_registration(type, &undo)) {
		err = trace_event_reg(call, type, data);
		if (is_undo(type))
			module_put(THIS_MODULE);
		return err;
	}
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	err = trace_event_reg(call, type, data);
	if (!err) {
		flush_work(&apply_work);
		err = READ_ONCE(applied);
		if (err)
			trace_event_reg(call, undo, data);
	}
	if (err)
		module_put(THIS_MODULE);
	return err;
}

/**
 * kmprof_event_is_heard() - does anybody listen to an event?
 * @id: the event
 *
 * Context: Any.
 * Return: true if so.
 */
bool kmprof_event_is_heard(enum kmprof_event_id id)
{
	return READ_ONCE(heard[id]);
}

/**
 * kmprof_event_start() - follow the listeners, also those that have come already
 * @apply: arms the probes that are wanted now, and disarms those that are not; 0 or a negative
 *	errno. It is called in process context, without locks; but somebody may wait for it with
 *	the lock of all trace events
 *
 * Context: Process context, when the probes can be armed. Sleeps.
 */
void kmprof_event_start(int (*apply)(void))
{
	apply_probes = apply;
	spin_lock(&start_lock);
	is_started = true;
	queue_work(system_long_wq, &apply_work);
	spin_unlock(&start_lock);
	flush_work(&apply_work);
}

/**
 * kmprof_event_stop() - follow the listeners no longer
 *
 * Context: Process context, before the probes are disarmed for good. Sleeps.
 */
void kmprof_event_stop(void)
{
	spin_lock(&start_lock);
	is_started = false;
	spin_unlock(&start_lock);
	cancel_work_sync(&apply_work);
}
