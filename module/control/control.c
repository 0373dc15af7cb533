// SPDX-License-Identifier: GPL-2.0
/*
 * Owns the values of all settings, and attaches and detaches their probes, for module
 * parameters and ioctls. One lock serialises all changes; it is outside the cycle lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "control/access.h"
#include "control/control.h"
#include "core/cycle.h"
#include "core/setting.h"
#include "event/event.h"
#include "probe/canary.h"

/* Module parameters can be written before kmprof_init() and after kmprof_exit() has begun. */
enum control_state {
	CONTROL_LOADING,
	CONTROL_READY,
	CONTROL_GONE,
};

/* Protects the variables below, all settings, and what attaching and detaching change. */
static DEFINE_MUTEX(control_lock);
static enum control_state state;
static bool was_attached;
/* Settings whose probes are armed. */
static unsigned int nr_attached;
/* What kmprof_canary_dead_checks() had returned at the last reset. Protected by the cycle lock. */
static u64 probes_off_base;

static int setting_attach(struct kmprof_setting *s, u64 value)
{
	int err = 0;

	/* The first cycle starts when a setting is attached for the first time. */
	if (!was_attached)
		kmprof_cycle_start();
	was_attached = true;
	if (!nr_attached)
		err = kmprof_canary_attach();
	if (err)
		return err;
	err = s->ops->attach(value);
	if (!err) {
		WRITE_ONCE(s->attached, true);
		nr_attached++;
	} else if (!nr_attached) {
		kmprof_canary_detach();
	}
	return err;
}

static void setting_detach(struct kmprof_setting *s)
{
	s->ops->detach();
	WRITE_ONCE(s->attached, false);
	if (!--nr_attached)
		kmprof_canary_detach();
}

/* Are the probes of a setting that has some needed? */
static bool is_wanted(const struct kmprof_setting *s, u64 value)
{
	return value || kmprof_event_any_is_heard(s->ops->events);
}

static int number_set(struct kmprof_setting *s, u64 value)
{
	int err = 0;

	if (s->ops->set) {
		err = s->ops->set(value);
	} else if (!s->ops->attach) {
		s->ops->change(value);
	} else if (state == CONTROL_READY) {
		if (!is_wanted(s, value) && s->attached)
			setting_detach(s);
		else if (is_wanted(s, value) && !s->attached)
			err = setting_attach(s, value);
		else if (value != s->value)
			s->ops->change(value);
	}
	if (!err)
		WRITE_ONCE(s->value, value);
	return err;
}

/* On error, the setting has not changed. */
static int setting_set(struct kmprof_setting *s, u64 value, const char *text)
{
	lockdep_assert_held(&control_lock);
	return s->ops->set_text ? s->ops->set_text(value, text) : number_set(s, value);
}

/* A setting that cannot be attached again is turned off. */
static void setting_restore(struct kmprof_setting *s, u64 value)
{
	if (s->ops->undo_text)
		s->ops->undo_text();
	else if (number_set(s, value))
		number_set(s, 0);
}

/*
 * Restore old values, in the reverse order: settings that share probes do not disarm them
 * on the way.
 */
static void restore(u64 fields, const u64 was[KMPROF_SETTINGS_MAX])
{
	unsigned int i = kmprof_nr_settings();
	struct kmprof_setting *s;

	while (i--) {
		s = kmprof_settings[i];
		if (fields & BIT(s->id))
			setting_restore(s, was[s->id]);
	}
}

/* @fields: settings that were changed, even if they are as before now */
static void settle(u64 fields)
{
	kmprof_for_each_setting(s)
		if (fields & BIT(s->id) && s->ops->settled)
			s->ops->settled();
}

static int set_locked(const struct kmprof_changes *changes)
{
	u64 was[KMPROF_SETTINGS_MAX], changed = 0;
	int err = 0;

	kmprof_for_each_setting(s)
		if (changes->fields & BIT(s->id) && changes->values[s->id] > s->max)
			return -EINVAL;
	if (state == CONTROL_GONE)
		return -ENODEV;
	kmprof_for_each_setting(s) {
		if (!(changes->fields & BIT(s->id)))
			continue;
		was[s->id] = s->value;
		err = setting_set(s, changes->values[s->id], changes->texts[s->id]);
		if (err) {
			restore(changed, was);
			break;
		}
		changed |= BIT(s->id);
	}
	settle(changed);
	return err;
}

/**
 * kmprof_control_set() - change settings, all or none
 * @changes: the settings to change
 *
 * Context: Process context. Sleeps; detaching heap_rate waits for tasks that sleep in an
 * allocation.
 * Return: 0; -EINVAL if a value is above the setting's largest, or a text is none of the
 * setting; -EINTR; -ENODEV after kmprof_control_exit(); or why a probe could not be armed, with
 * a message in the log. On error all settings are as before, except that a setting whose probes
 * cannot be armed again is off.
 */
int kmprof_control_set(const struct kmprof_changes *changes)
{
	int err;

	err = mutex_lock_interruptible(&control_lock);
	if (err)
		return err;
	err = set_locked(changes);
	mutex_unlock(&control_lock);
	return err;
}

/**
 * kmprof_control_get() - the value of a setting
 * @id: id of the setting
 * @text: returns the text in force, of the same moment; not written if the setting is no text
 *
 * Context: Any.
 * Return: the value in force; 0 is off.
 */
u64 kmprof_control_get(enum kmprof_setting_id id, char text[KMPROF_TEXT_LEN])
{
	const struct kmprof_setting *s = kmprof_setting_find(id);

	return s->ops->get_text ? s->ops->get_text(text) : READ_ONCE(s->value);
}

static int setting_listen(struct kmprof_setting *s)
{
	if (state != CONTROL_READY)
		return 0;
	if (!s->attached || !is_wanted(s, s->value))
		return number_set(s, s->value);
	return s->ops->hear ? s->ops->hear() : 0;
}

/**
 * kmprof_control_listen() - arm the probes that an event needs, if it is listened to now
 * @event: the event
 *
 * Otherwise probes that are armed for that event alone are disarmed.
 *
 * Context: Process context. Sleeps; see kmprof_control_set().
 * Return: 0; or why the probes could not be armed, with a message in the log.
 */
int kmprof_control_listen(enum kmprof_event_id event)
{
	int err = 0;

	mutex_lock(&control_lock);
	kmprof_for_each_setting(s)
		if (s->ops->events & BIT(event))
			err = setting_listen(s);
	mutex_unlock(&control_lock);
	return err;
}

/**
 * kmprof_control_attached() - are the probes of a setting armed?
 * @id: id of the setting
 *
 * Context: Any.
 * Return: true if so; always false for a setting without probes.
 */
bool kmprof_control_attached(enum kmprof_setting_id id)
{
	return READ_ONCE(kmprof_setting_find(id)->attached);
}

/**
 * kmprof_control_lacks() - the events that this kernel does not let us see
 *
 * Context: Process context.
 * Return: KMPROF_LACKS_* of all settings, each as of the last time its probes were armed; and
 * whether kprobes are switched off now.
 */
u64 kmprof_control_lacks(void)
{
	u64 lacks = kmprof_canary_is_dead() ? KMPROF_LACKS_KPROBES : 0;

	kmprof_for_each_setting(s)
		if (s->ops->lacks)
			lacks |= s->ops->lacks();
	return lacks;
}

/**
 * kmprof_control_check() - look whether the probes are still armed, for the ledger
 *
 * Called once for each snapshot.
 *
 * Context: Process context. Sleeps.
 */
void kmprof_control_check(void)
{
	kmprof_canary_check();
}

/**
 * kmprof_control_missed() - number of events that were missed since the last reset
 * @missed: returns the numbers, by enum kmprof_counter; 0 for counters of other losses
 *
 * Does not take the control lock: detaching can hold it for as long as an allocation sleeps.
 *
 * Context: Process context, cycle lock held.
 */
void kmprof_control_missed(u64 missed[KMPROF_NR_COUNTERS])
{
	u64 now;

	lockdep_assert_held(&kmprof_cycle_lock);

	memset(missed, 0, sizeof(*missed) * KMPROF_NR_COUNTERS);
	kmprof_for_each_setting(s) {
		if (!s->ops->missed)
			continue;
		now = s->ops->missed();
		/* An event in flight at the reset counted as missed, and may be seen since. */
		if (now > s->missed_base)
			missed[s->missed_counter] += now - s->missed_base;
	}
	missed[KMPROF_LOSS_PROBES_OFF] = kmprof_canary_dead_checks() - probes_off_base;
}

/**
 * kmprof_control_reset() - forget everything that was counted
 *
 * Context: Process context. Takes the control lock and the cycle lock. Waits for grace
 * periods.
 * Return: 0, or -EINTR when waiting for one of the locks; then nothing was forgotten.
 */
int kmprof_control_reset(void)
{
	int err;

	err = mutex_lock_interruptible(&control_lock);
	if (err)
		return err;
	err = mutex_lock_interruptible(&kmprof_cycle_lock);
	if (err)
		goto unlock_control;
	kmprof_cycle_reset();
	kmprof_for_each_setting(s)
		if (s->ops->missed)
			s->missed_base = s->ops->missed();
	probes_off_base = kmprof_canary_dead_checks();
	mutex_unlock(&kmprof_cycle_lock);
unlock_control:
	mutex_unlock(&control_lock);
	return err;
}

/**
 * kmprof_control_start() - attach all settings that have a value
 *
 * Context: Process context, once, after kmprof_tables_init(). Sleeps.
 * Return: 0, or why a probe could not be armed, with a message in the log.
 * kmprof_control_exit() is due in both cases.
 */
int kmprof_control_start(void)
{
	unsigned int id, texts = 0;
	int err = 0;

	if (WARN_ON_ONCE(kmprof_nr_settings() > KMPROF_SETTINGS_MAX))
		return -EINVAL;
	kmprof_for_each_setting(s)
		texts += !!s->ops->get_text;
	if (WARN_ON_ONCE(texts > KMPROF_TEXTS_MAX))
		return -EINVAL;
	for (id = 0; id < kmprof_nr_settings(); id++)
		if (WARN_ON_ONCE(!kmprof_setting_find(id)))
			return -EINVAL;
	mutex_lock(&control_lock);
	kmprof_for_each_setting(s) {
		if (s->value && s->ops->attach)
			err = setting_attach(s, s->value);
		if (err)
			break;
	}
	if (!err)
		WRITE_ONCE(state, CONTROL_READY);
	mutex_unlock(&control_lock);
	return err;
}

/**
 * kmprof_control_exit() - detach all settings for good
 *
 * Context: Process context. Sleeps. On return no probe runs, and no setting can be changed.
 */
void kmprof_control_exit(void)
{
	unsigned int i = kmprof_nr_settings();
	struct kmprof_setting *s;

	mutex_lock(&control_lock);
	while (i--) {
		s = kmprof_settings[i];
		if (s->attached)
			setting_detach(s);
		if (s->ops->exit)
			s->ops->exit();
	}
	WRITE_ONCE(state, CONTROL_GONE);
	mutex_unlock(&control_lock);
}

/**
 * kmprof_control_is_ready() - is the module loaded, and not about to go?
 *
 * Context: Any.
 * Return: true if a change of a setting takes effect at once.
 */
bool kmprof_control_is_ready(void)
{
	return READ_ONCE(state) == CONTROL_READY;
}
