// SPDX-License-Identifier: GPL-2.0
/*
 * Custom profiles, for other modules: include/linux/kmprof.h. Here is the API; object/ has the
 * table in which the objects are. Source: NewProfile(), Add() and Remove() of Go's runtime/pprof.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/export.h>
#include <linux/kmprof.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "object/object.h"
#include "show/objects.h"
#include "stack/stack.h"

enum {
	MAX_CUSTOM = 32,
};

/**
 * struct kmprof_custom - a custom profile
 * @objects: the profile, as core/ and the table of objects know it
 * @columns: columns of @objects
 * @view: view of @objects
 * @lost: scalar of @objects
 * @name: its name; empty: nobody has created it yet
 * @unit: unit of the weights
 * @lost_name: name of @lost
 * @count: number of objects
 * @in_use: it is created, and not destroyed
 */
struct kmprof_custom {
	struct kmprof_object_profile objects;
	struct kmprof_column columns[3];
	struct kmprof_view view;
	struct kmprof_scalar lost;
	char name[KMPROF_NAME_LEN];
	char unit[KMPROF_NAME_LEN];
	char lost_name[KMPROF_NAME_LEN + sizeof("ledger..lost")];
	atomic64_t count;
	bool in_use;
};

/* A profile stays when it is destroyed: users can still read which objects were left. */
static struct kmprof_custom customs[MAX_CUSTOM];

/* Protects the names and @in_use of all of them. */
static DEFINE_MUTEX(custom_lock);

static struct kmprof_custom *find(const char *name)
{
	unsigned int i;

	for (i = 0; i < MAX_CUSTOM; i++)
		if (!strcmp(customs[i].name, name))
			return &customs[i];
	return NULL;
}

static int set_up(struct kmprof_custom *c, const char *name, const char *unit)
{
	*c = (struct kmprof_custom) {
		.objects.profile = {
			.name		= c->name,
			.ops		= &kmprof_object_profile_ops,
			.scalars	= &c->lost,
			.nr_scalars	= 1,
			.format		= KMPROF_ROWS_OBJECTS,
			.row_size	= sizeof(struct kmprof_object_row),
			.columns	= c->columns,
			.nr_columns	= ARRAY_SIZE(c->columns),
			.views		= &c->view,
			.nr_views	= 1,
		},
		.columns = {
			KMPROF_OBJECT_COLUMN("objects", "count", objects),
			KMPROF_OBJECT_COLUMN("added", "count", added),
			KMPROF_OBJECT_COLUMN("weight", c->unit, weight),
		},
		.view = {
			.name		= c->name,
			.profile	= &c->objects.profile,
			.form		= &kmprof_objects_form,
		},
		.lost = {
			.name		= c->lost_name,
			.unit		= "count",
			.flags		= KMPROF_SCALAR_LEDGER,
			.read		= kmprof_object_lost,
		},
	};
	strscpy(c->name, name, sizeof(c->name));
	strscpy(c->unit, unit, sizeof(c->unit));
	snprintf(c->lost_name, sizeof(c->lost_name), "ledger.%s.lost", name);
	return kmprof_profile_register(&c->objects.profile);
}

static struct kmprof_custom *create(const char *name, const char *unit)
{
	struct kmprof_custom *c = find(name);
	int err;

	if (c) {
		if (c->in_use)
			return ERR_PTR(-EEXIST);
		if (strcmp(c->unit, unit))
			return ERR_PTR(-EINVAL);
		return c;
	}
	c = find("");
	if (!c)
		return ERR_PTR(-ENOSPC);
	err = set_up(c, name, unit);
	if (!err)
		return c;
	*c->name = '\0';
	return ERR_PTR(err);
}

/**
 * kmprof_custom_create() - create a custom profile
 * @name: its name: a letter, then letters, digits, '_' or '-', at most 31 characters; copied
 * @unit: unit of the weights of its objects, in the same characters: "bytes", "pages", ...;
 *	copied
 *
 * A profile of that name that was destroyed is used again: what was left in it is still
 * shown.
 *
 * Context: Process context. May sleep.
 * Return: the profile, for kmprof_custom_destroy(); or an error pointer: -EINVAL: @name or
 * @unit is not valid, or the profile had another unit before; -EEXIST: there is a profile of
 * that name; -ENOSPC: there are 32 custom profiles, destroyed ones included; -ENOMEM.
 */
struct kmprof_custom *kmprof_custom_create(const char *name, const char *unit)
{
	struct kmprof_custom *c;
	int err;

	if (!kmprof_is_name(name) || !kmprof_is_name(unit))
		return ERR_PTR(-EINVAL);
	/* The file beside those of the profiles. */
	if (!strcmp(name, "stats"))
		return ERR_PTR(-EEXIST);
	err = kmprof_object_prepare();
	if (err)
		return ERR_PTR(err);
	mutex_lock(&custom_lock);
	c = create(name, unit);
	if (!IS_ERR(c)) {
		c->in_use = true;
		atomic64_set(&c->count, 0);
	}
	mutex_unlock(&custom_lock);
	return c;
}
EXPORT_SYMBOL_GPL(kmprof_custom_create);

/**
 * kmprof_custom_add() - add an object to a custom profile
 * @profile: the profile
 * @key: what kmprof_custom_remove() will know the object by: its address, as a rule. Any
 *	value that the profile does not have now; kmprof does not read what it points to
 * @weight: size of the object, or what else is to be added up, at most S64_MAX
 * @skip: number of callers to leave out: 0: the stack begins at the caller of this function
 *
 * On error the profile does not have the object, and the loss ledger counts it (but not with
 * -EEXIST and -EINVAL).
 *
 * Context: Any but NMI, and not in a handler of a probe or tracepoint on lock functions. Takes
 * raw spinlocks.
 * Return: 0; -EEXIST: the profile has @key already; -EINVAL: @weight is too large; -ENOSPC:
 * max_objects objects, or max_buckets stacks of this profile, are in use (module parameters
 * of kmprof); -ENOMEM: no memory for a new stack, later there may be; -EBUSY: called in an
 * NMI, or from inside kmprof.
 */
int kmprof_custom_add(struct kmprof_custom *profile, const void *key, u64 weight,
		      unsigned int skip)
{
	static const struct kmprof_stack_start here = { .at = KMPROF_STACK_IN_CALL };
	int err;

	if (weight > S64_MAX)
		return -EINVAL;
	/* Before the object can be removed, lest the count go below 0. */
	atomic64_inc(&profile->count);
	err = kmprof_object_add(&profile->objects, key, weight, &here, skip);
	if (err)
		atomic64_dec(&profile->count);
	return err;
}
EXPORT_SYMBOL_GPL(kmprof_custom_add);

/**
 * kmprof_custom_remove() - remove an object from a custom profile
 * @profile: the profile
 * @key: as given to kmprof_custom_add()
 *
 * Context: Any but NMI, and not in a handler of a probe or tracepoint on lock functions. Takes
 * raw spinlocks.
 * Return: 0; -ENOENT: the profile does not have @key; -EBUSY: called in an NMI, or from
 * inside kmprof: the object stays, and the loss ledger counts that.
 */
int kmprof_custom_remove(struct kmprof_custom *profile, const void *key)
{
	int err;

	err = kmprof_object_remove(&profile->objects, key);
	if (!err)
		atomic64_dec(&profile->count);
	return err;
}
EXPORT_SYMBOL_GPL(kmprof_custom_remove);

/**
 * kmprof_custom_count() - count the objects of a custom profile
 * @profile: the profile
 *
 * Context: Any.
 * Return: number of objects that were added and not removed since the profile was created.
 */
u64 kmprof_custom_count(const struct kmprof_custom *profile)
{
	return atomic64_read(&profile->count);
}
EXPORT_SYMBOL_GPL(kmprof_custom_count);

/**
 * kmprof_custom_destroy() - give a custom profile up
 * @profile: the profile; an error pointer or NULL does nothing
 *
 * Objects that are left stay in the profile, with their stacks, until a reset. Their number is
 * in the kernel log. Stacks, and the names of the module's functions in them, can be read after
 * the module is gone.
 *
 * Context: Process context. May sleep. No other function is called for @profile meanwhile
 * and afterwards.
 */
void kmprof_custom_destroy(struct kmprof_custom *profile)
{
	u64 left;

	if (IS_ERR_OR_NULL(profile))
		return;
	left = kmprof_custom_count(profile);
	if (left) {
		pr_info("custom profile %s: %llu objects are left\n", profile->name, left);
		kmprof_object_leave_all(&profile->objects);
	}
	mutex_lock(&custom_lock);
	profile->in_use = false;
	mutex_unlock(&custom_lock);
}
EXPORT_SYMBOL_GPL(kmprof_custom_destroy);
