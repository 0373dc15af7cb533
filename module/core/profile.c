// SPDX-License-Identifier: GPL-2.0
/*
 * The list of profiles. Profiles are added under the cycle lock, and never removed while
 * probes are armed. Readers need no lock.
 */
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "core/cycle_lock.h"
#include "core/profile.h"

/* An image has the numbers of struct kmprof_stats, each as a u64. */
static_assert(sizeof(struct kmprof_stats) ==
	      sizeof(struct kmprof_totals) + KMPROF_NR_MARKS * sizeof(struct kmprof_marked) +
	      KMPROF_NR_COUNTERS * sizeof(u64));
static_assert(sizeof(struct kmprof_image_row) % sizeof(u64) == 0);

void (*kmprof_profile_registered)(const struct kmprof_profile *p);

static struct kmprof_profile *profiles[KMPROF_PROFILES_MAX];
static unsigned int nr_profiles;

/**
 * kmprof_profile_get() - get a profile by its index
 * @index: index, from 0 on
 *
 * Context: Any.
 * Return: the profile; NULL after the last one.
 */
struct kmprof_profile *kmprof_profile_get(unsigned int index)
{
	/* Pairs with the release in kmprof_profile_register(). */
	return index < smp_load_acquire(&nr_profiles) ? profiles[index] : NULL;
}

/**
 * kmprof_is_name() - whether a text may be the name of a profile or a unit
 * @text: the text, or NULL
 *
 * Names are files in debugfs, and words in texts and on command lines.
 *
 * Context: Any.
 * Return: whether it is a letter, then letters, digits, '_' and '-', at most
 * KMPROF_NAME_LEN - 1 characters.
 */
bool kmprof_is_name(const char *text)
{
	size_t i, length = text ? strnlen(text, KMPROF_NAME_LEN) : 0;

	if (!length || length == KMPROF_NAME_LEN || !isascii(*text) || !isalpha(*text))
		return false;
	for (i = 0; i < length; i++)
		if (!isascii(text[i]) || (!isalnum(text[i]) && !strchr("_-", text[i])))
			return false;
	return true;
}

static bool is_taken(const char *name)
{
	unsigned int i;

	kmprof_for_each_profile(p) {
		if (!strcmp(p->name, name))
			return true;
		for (i = 0; i < p->nr_views; i++)
			if (!strcmp(p->views[i].name, name))
				return true;
	}
	return false;
}

/* A row has its columns, and a scalar is a number of struct kmprof_stats. */
static bool fits(const struct kmprof_profile *p)
{
	unsigned int i;

	if (p->row_size < sizeof(struct kmprof_image_row) || p->row_size % sizeof(u64))
		return false;
	for (i = 0; i < p->nr_columns; i++)
		if (p->columns[i].offset < sizeof(struct kmprof_image_row) ||
		    p->columns[i].offset % sizeof(u64) || p->columns[i].shift > 63 ||
		    p->columns[i].offset > p->row_size - sizeof(u64))
			return false;
	for (i = 0; i < p->nr_scalars; i++)
		if (p->scalars[i].offset % sizeof(u64) ||
		    p->scalars[i].offset >= sizeof(struct kmprof_stats))
			return false;
	for (i = 0; i < p->nr_views; i++)
		if (p->views[i].profile != p || !p->views[i].form)
			return false;
	return p->nr_columns && p->nr_views;
}

static int add(struct kmprof_profile *p)
{
	unsigned int i, index = nr_profiles;

	if (is_taken(p->name))
		return -EEXIST;
	for (i = 0; i < p->nr_views; i++) {
		if (!kmprof_is_name(p->views[i].name))
			return -EINVAL;
		if (is_taken(p->views[i].name))
			return -EEXIST;
	}
	if (index == KMPROF_PROFILES_MAX)
		return -ENOSPC;
	p->index = index;
	profiles[index] = p;
	/* Pairs with the acquire in kmprof_profile_get(): the profile is seen as it is now. */
	smp_store_release(&nr_profiles, index + 1);
	return 0;
}

/**
 * kmprof_profile_register() - add a profile to the list
 * @p: the profile; @index is set
 *
 * Context: Process context. Takes the cycle lock.
 * Return: 0; -EINVAL: a name is empty or does not fit into KMPROF_NAME_LEN, or, with a
 * warning in the log, the tables of the profile contradict each other; -EEXIST: a name is in
 * use; -ENOSPC: there are KMPROF_PROFILES_MAX profiles.
 */
int kmprof_profile_register(struct kmprof_profile *p)
{
	int err;

	if (!kmprof_is_name(p->name) || WARN_ON_ONCE(!fits(p)))
		return -EINVAL;
	mutex_lock(&kmprof_cycle_lock);
	err = add(p);
	mutex_unlock(&kmprof_cycle_lock);
	if (!err && kmprof_profile_registered)
		kmprof_profile_registered(p);
	return err;
}

/**
 * kmprof_profiles_init() - register kmprof_builtin_profiles
 *
 * Context: Process context, before any probe is armed. Takes the cycle lock.
 * Return: 0 or a negative errno.
 */
int kmprof_profiles_init(void)
{
	struct kmprof_profile * const *p;
	int err = 0;

	for (p = kmprof_builtin_profiles; *p && !err; p++)
		err = kmprof_profile_register(*p);
	if (err)
		kmprof_profiles_exit();
	return err;
}

/**
 * kmprof_profiles_exit() - empty the list
 *
 * Context: Process context, no reader and no probe left.
 */
void kmprof_profiles_exit(void)
{
	nr_profiles = 0;
}
