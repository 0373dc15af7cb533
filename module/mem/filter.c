// SPDX-License-Identifier: GPL-2.0
/*
 * The filter of the heap profile, and its text: conditions that all have to hold, with commas
 * between them. Each is KEY=VALUE, at most one of each key:
 *
 * pid=ID		the task or its process has this id, in the initial PID namespace
 * comm=NAME		the task has this name, in which "?" is any character. "[softirq]" and
 *			"[hardirq]" are interrupts
 * cgroup=PATH or ID	the task is in this cgroup (version 2), or in one below it
 * size=MIN-MAX		the object has so many bytes, as the profile shows it; of a block of pages,
 *			all pages have together. "MIN-", "-MAX" and "SIZE", too
 *
 * An interrupt has no task: of the keys of a task, only comm can hold. The text is a word, for
 * all who show it: printable characters of ASCII.
 *
 * A filter is published with RCU. There are three: the one in force, the one before it, to which
 * kmprof_filter_undo() returns, and one for the next.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "core/guard.h"
#include "core/setting.h"
#include "core/slot.h"
#include "core/stats.h"
#include "mem/filter.h"
#include "stack/labels.h"

/**
 * struct filter - a filter
 * @has: the conditions that it has: bits of the index in keys[]
 * @pid: id of the task or its process
 * @cgroup: id of the cgroup
 * @size_min: least number of bytes; 0 without a condition
 * @size_max: largest number of bytes; U64_MAX without a condition
 * @comm: name of the task
 * @text: all of it
 */
struct filter {
	u32 has;
	pid_t pid;
	u64 cgroup;
	u64 size_min;
	u64 size_max;
	char comm[KMPROF_COMM_LEN];
	char text[KMPROF_TEXT_LEN];
};

enum {
	HAS_PID,
	HAS_COMM,
	HAS_CGROUP,
	HAS_SIZE,
};

bool kmprof_filter_in_force __read_mostly;

/* All but @in_force is used under the control lock only. */
static struct filter filters[3];
static struct filter __rcu *in_force;
static struct filter *before;

/* kstrtou64() takes a sign as well. */
static int parse_number(const char *text, u64 *number)
{
	return isdigit(*text) ? kstrtou64(text, 10, number) : -EINVAL;
}

static int parse_pid(struct filter *f, char *text)
{
	u64 pid;

	if (parse_number(text, &pid) || !pid || pid > INT_MAX)
		return -EINVAL;
	f->pid = pid;
	return 0;
}

static int parse_comm(struct filter *f, char *text)
{
	return *text && strscpy(f->comm, text, sizeof(f->comm)) > 0 ? 0 : -EINVAL;
}

static int parse_cgroup(struct filter *f, char *text)
{
	int err;

	if (*text != '/')
		return parse_number(text, &f->cgroup);
	err = kmprof_compat_cgroup_id(text, &f->cgroup);
	if (err)
		pr_err("heap_filter: cgroup=%s: %pe\n", text, ERR_PTR(err));
	return err ? -EINVAL : 0;
}

/* A decimal number, with a suffix K, M or G or none. */
static int parse_bytes(char *text, u64 *bytes)
{
	static const char units[] = "KMG";
	size_t length = strlen(text);
	const char *unit = length ? strchr(units, toupper(text[length - 1])) : NULL;
	unsigned int shift = 0;

	if (unit) {
		shift = 10 * (1 + unit - units);
		text[length - 1] = '\0';
	}
	if (parse_number(text, bytes) || *bytes > U64_MAX >> shift)
		return -EINVAL;
	*bytes <<= shift;
	return 0;
}

static int parse_size(struct filter *f, char *text)
{
	char *min = strsep(&text, "-");

	if (*min && parse_bytes(min, &f->size_min))
		return -EINVAL;
	if (!text) {
		f->size_max = f->size_min;
		return *min ? 0 : -EINVAL;
	}
	if (*text ? parse_bytes(text, &f->size_max) : !*min)
		return -EINVAL;
	return f->size_min > f->size_max ? -EINVAL : 0;
}

static const struct {
	const char *name;
	int (*parse)(struct filter *f, char *text);
} keys[] = {
	[HAS_PID]	= { "pid", parse_pid },
	[HAS_COMM]	= { "comm", parse_comm },
	[HAS_CGROUP]	= { "cgroup", parse_cgroup },
	[HAS_SIZE]	= { "size", parse_size },
};

static int parse_condition(struct filter *f, char *text)
{
	const char *name = strsep(&text, "=");
	unsigned int i;

	for (i = 0; text && i < ARRAY_SIZE(keys); i++) {
		if (strcmp(name, keys[i].name))
			continue;
		if (f->has & BIT(i))
			return -EINVAL;
		f->has |= BIT(i);
		return keys[i].parse(f, text);
	}
	return -EINVAL;
}

static bool is_word(const char *text)
{
	while (*text && isascii(*text) && isgraph(*text))
		text++;
	return !*text;
}

static int parse(struct filter *f, const char *text)
{
	char copy[KMPROF_TEXT_LEN], *rest = copy, *condition;
	unsigned int number = 0;
	int err = kmprof_setting_trim(f->text, text);

	if (err || !is_word(f->text))
		return -EINVAL;
	strscpy(copy, f->text, sizeof(copy));
	while (!err && (condition = strsep(&rest, ","))) {
		number++;
		err = parse_condition(f, condition);
	}
	if (err)
		pr_err("heap_filter=%s: condition %u is not valid\n", f->text, number);
	return err;
}

/* Context: Process context, control lock held. On return, nobody uses another one. */
static void publish(struct filter *f)
{
	rcu_assign_pointer(in_force, f);
	WRITE_ONCE(kmprof_filter_in_force, f && f->has);
	synchronize_rcu();
}

static struct filter *current_filter(void)
{
	return rcu_dereference_protected(in_force, true);
}

static struct filter *unused_filter(void)
{
	struct filter *f = filters;

	while (f == current_filter() || f == before)
		f++;
	return f;
}

/**
 * kmprof_filter_set() - set the filter
 * @value: 1: by @text; 0: none
 * @text: its text
 *
 * On return, no allocation is decided by the filter before it. Calls that it has let pass, and that
 * are redirected, can still be in the allocator; and the objects that it has let pass stay in the
 * profile until they are freed.
 *
 * Context: Process context, control lock held. Waits for a grace period.
 * Return: 0; or -EINVAL, and nothing has changed: the text is none of a filter, or its cgroup is
 * not there.
 */
int kmprof_filter_set(u64 value, const char *text)
{
	struct filter *f = unused_filter();

	*f = (struct filter) { .size_max = U64_MAX };
	if (value && parse(f, text))
		return -EINVAL;
	before = current_filter();
	publish(f);
	return 0;
}

/**
 * kmprof_filter_undo() - return to the filter before the last kmprof_filter_set()
 *
 * Context: Process context, control lock held. Waits for a grace period.
 */
void kmprof_filter_undo(void)
{
	struct filter *f = before;

	before = current_filter();
	publish(f);
}

/**
 * kmprof_filter_text() - get the text of the filter
 * @text: returns it; "none": there is none
 *
 * Context: Any.
 * Return: whether there is one.
 */
bool kmprof_filter_text(char text[KMPROF_TEXT_LEN])
{
	const struct filter *f;
	bool is_on;

	rcu_read_lock();
	f = rcu_dereference(in_force);
	is_on = f && f->has;
	strscpy_pad(text, is_on ? f->text : "none", KMPROF_TEXT_LEN);
	rcu_read_unlock();
	return is_on;
}

static bool matches(char is, char wanted)
{
	return is == wanted || (is && wanted == '?');
}

/* Another task may change @comm meanwhile. Any mixture of old and new name will do. */
static bool is_called(const char *comm, const char *name)
{
	unsigned int i;

	for (i = 0; i < KMPROF_COMM_LEN - 1 && name[i]; i++)
		/* see above */
		if (!matches(data_race(comm[i]), name[i]))
			return false;
	/* see above */
	return i == KMPROF_COMM_LEN - 1 || !data_race(comm[i]);
}

static bool is_task_wanted(const struct filter *f)
{
	const unsigned int level = kmprof_guard_level();
	const bool is_task = level == KMPROF_GUARD_TASK;

	if (f->has & BIT(HAS_PID) &&
	    !(is_task && (task_pid_nr(current) == f->pid || task_tgid_nr(current) == f->pid)))
		return false;
	if (f->has & BIT(HAS_COMM) && !is_called(kmprof_labels_comm(level), f->comm))
		return false;
	return !(f->has & BIT(HAS_CGROUP)) || (is_task && kmprof_compat_in_cgroup(f->cgroup));
}

/**
 * kmprof_filter_ask() - kmprof_filter_wants(), while there is a filter
 * @bytes: bytes requested, of all objects together
 * @objects: number of objects
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: whether the allocation is sampled.
 */
noinline bool kmprof_filter_ask(size_t bytes, unsigned int objects)
{
	const struct filter *f = rcu_dereference_sched(in_force);
	unsigned int slot = kmprof_slot();

	if (!f || (bytes >= f->size_min && bytes <= f->size_max && is_task_wanted(f)))
		return true;
	kmprof_stats_add(slot, KMPROF_FILTERED, objects);
	kmprof_stats_add(slot, KMPROF_FILTERED_BYTES, bytes);
	return false;
}
