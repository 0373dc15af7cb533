// SPDX-License-Identifier: GPL-2.0
/*
 * Follows the listeners of the trace events, and has the probes armed that they need.
 *
 * The kernel reports the first listener of an event, and the end of the last one, with the lock of
 * all tracepoints held. Arming probes takes that lock, too. So arming is left to a work item. An
 * event that is turned on by perf or in tracefs waits for the work, so that no later event is
 * missed. A listener of the tracepoint itself (another module, BPF's raw_tracepoint) does not wait.
 *
 * A waiter holds event_mutex, the kernel's lock of all trace events. So event_mutex is outside the
 * control lock, and nothing that is done under the control lock may take it.
 *
 * An event can be turned on before kmprof_init() runs. kmprof_event_start() arms its probes.
 */
#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "event/event.h"

static int reg(struct trace_event_call *call, enum trace_reg type, void *data);

/* The kernel's macros call trace_event_reg() to turn an event on and off: call reg() instead. */
#define trace_event_reg reg
#define CREATE_TRACE_POINTS
#include <trace/events/kmprof.h>
#undef trace_event_reg

/* Written under the lock of all tracepoints. */
static bool heard[KMPROF_NR_EVENTS];

/* Protects what follows, up to @applied. */
static DEFINE_SPINLOCK(start_lock);
static bool is_started;
/* Changes of @heard, and how many of them the work had seen when it last began. */
static unsigned long nr_changes, nr_applied;

/* Arms or disarms the probes of an event. Its last results; written by the work alone. */
static int (*apply_event)(enum kmprof_event_id id);
static int applied[KMPROF_NR_EVENTS];

static DECLARE_WAIT_QUEUE_HEAD(waiters);

static void apply(struct work_struct *unused)
{
	enum kmprof_event_id id;
	unsigned long seen;

	spin_lock(&start_lock);
	seen = nr_changes;
	spin_unlock(&start_lock);
	for (id = 0; id < KMPROF_NR_EVENTS; id++)
		WRITE_ONCE(applied[id], apply_event(id));
	spin_lock(&start_lock);
	nr_applied = seen;
	spin_unlock(&start_lock);
	wake_up_all(&waiters);
}

static DECLARE_WORK(apply_work, apply);

static int hear(enum kmprof_event_id id, bool is_heard)
{
	spin_lock(&start_lock);
	WRITE_ONCE(heard[id], is_heard);
	nr_changes++;
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

static enum kmprof_event_id id_of(const struct trace_event_call *call)
{
	if (call->tp == &__tracepoint_alloc)
		return KMPROF_EVENT_ALLOC;
	if (call->tp == &__tracepoint_free)
		return KMPROF_EVENT_FREE;
	return call->tp == &__tracepoint_block ? KMPROF_EVENT_BLOCK : KMPROF_EVENT_RELEASE;
}

static bool is_applied(unsigned long change)
{
	bool done;

	spin_lock(&start_lock);
	done = !is_started || (long)(nr_applied - change) >= 0;
	spin_unlock(&start_lock);
	return done;
}

/*
 * Wait until the work has seen all changes so far. Disarming probes can take as long as an
 * allocation sleeps, so a fatal signal ends the wait.
 */
static int wait_for_probes(enum kmprof_event_id id)
{
	unsigned long change;

	spin_lock(&start_lock);
	change = nr_changes;
	spin_unlock(&start_lock);
	return wait_event_killable(waiters, is_applied(change)) ?: READ_ONCE(applied[id]);
}

/*
 * Called by the kernel instead of trace_event_reg(), with event_mutex held. A new listener waits
 * for the probes, and is refused if they cannot be armed. It keeps the module loaded. For perf the
 * kernel does that, too; but in tracefs, an event with a trigger would stay on without the module.
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
		err = wait_for_probes(id_of(call));
		if (err) {
			trace_event_reg(call, undo, data);
			/* After an error, perf frees what the event's probe uses. */
			tracepoint_synchronize_unregister();
		}
	}
	if (err)
		module_put(THIS_MODULE);
	return err;
}

#ifdef CONFIG_PERF_EVENTS
/*
 * Without this, perf lets every user count an event, which arms probes for the whole machine. The
 * events of a child inherit the permission.
 */
static int perf_perm(struct trace_event_call *call, struct perf_event *event)
{
	return event->parent || perfmon_capable() ? 0 : -EACCES;
}

static void restrict_perf(void)
{
	event_alloc.perf_perm = perf_perm;
	event_free.perf_perm = perf_perm;
	event_block.perf_perm = perf_perm;
	event_release.perf_perm = perf_perm;
}
#else
static void restrict_perf(void)
{
}
#endif

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
 * kmprof_event_any_is_heard() - does anybody listen to one of these events?
 * @events: bits of enum kmprof_event_id
 *
 * Context: Any.
 * Return: true if so.
 */
bool kmprof_event_any_is_heard(u32 events)
{
	enum kmprof_event_id id;

	for (id = 0; id < KMPROF_NR_EVENTS; id++)
		if (events & BIT(id) && kmprof_event_is_heard(id))
			return true;
	return false;
}

/**
 * kmprof_event_start() - arm the probes of events that are listened to, from now on
 * @apply: arms the probes of an event if it is listened to, else disarms them; 0 or a negative
 *	errno. Called in process context, without locks; but a waiter may hold event_mutex
 *
 * Context: Process context, when probes can be armed. Sleeps.
 */
void kmprof_event_start(int (*apply)(enum kmprof_event_id id))
{
	restrict_perf();
	apply_event = apply;
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
	wake_up_all(&waiters);
}
