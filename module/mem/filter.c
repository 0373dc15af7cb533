// SPDX-License-Identifier: GPL-2.0
/*
 * The filter of the heap profile: conditions that all have to hold (filter_parse.c has their text).
 * They are asked in three stages, each as soon as what it needs is known:
 *
 * call		the task and the size, before the allocator is called
 * object	kind, class and cache, when the object is there
 * site		the module, when it is known who has called the allocator
 *
 * Slab and per-CPU memory are asked about all of them before the stack is walked. Of vmalloc and
 * pages, the stack tells who has called.
 *
 * An interrupt has no task: of the keys of a task, only comm can hold.
 *
 * A filter is published with RCU. There are three: the one in force, the one before it, to which
 * kmprof_filter_undo() returns, and one for the next.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/cache_name.h"
#include "core/guard.h"
#include "core/slot.h"
#include "core/stats.h"
#include "core/task_filter.h"
#include "mem/filter.h"
#include "mem/filter_module.h"
#include "mem/filter_parse.h"
#include "stack/labels.h"

/* The conditions of each stage. Those on tasks are of the call, too. */
enum {
	OF_CALL		= BIT(KMPROF_FILTER_SIZE),
	OF_OBJECT	= BIT(KMPROF_FILTER_KIND) | BIT(KMPROF_FILTER_GFP) |
			  BIT(KMPROF_FILTER_CACHE),
	OF_SITE		= BIT(KMPROF_FILTER_MODULE),
};

u32 kmprof_filter_stages __read_mostly;

/* All but @in_force is used under the control lock only. */
static struct kmprof_filter filters[KMPROF_FILTER_MODULES];
static struct kmprof_filter __rcu *in_force;
static struct kmprof_filter *before;

static u32 stages_of(const struct kmprof_filter *f)
{
	return (f->task.has || f->has & OF_CALL ? KMPROF_FILTER_CALL : 0) |
	       (f->has & OF_OBJECT ? KMPROF_FILTER_OBJECT : 0) |
	       (f->has & OF_SITE ? KMPROF_FILTER_SITE : 0);
}

/*
 * Until nobody uses the old filter any more, both are asked in all stages that one of them has: a
 * filter wants whatever it has no condition of a stage for.
 *
 * Context: Process context, control lock held. On return, nobody uses another filter.
 */
static void publish(struct kmprof_filter *f)
{
	u32 stages = f ? stages_of(f) : 0;

	WRITE_ONCE(kmprof_filter_stages, kmprof_filter_stages | stages);
	rcu_assign_pointer(in_force, f);
	synchronize_rcu();
	WRITE_ONCE(kmprof_filter_stages, stages);
}

static struct kmprof_filter *current_filter(void)
{
	return rcu_dereference_protected(in_force, true);
}

static struct kmprof_filter *unused_filter(void)
{
	struct kmprof_filter *f = filters;

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
	struct kmprof_filter *f = unused_filter();

	if (!value)
		*f = (struct kmprof_filter) {};
	else if (kmprof_filter_parse(f, text))
		return -EINVAL;
	kmprof_filter_module_follow(f - filters, f->module);
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
	struct kmprof_filter *f = before;

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
	const struct kmprof_filter *f;
	bool is_on;

	rcu_read_lock();
	f = rcu_dereference(in_force);
	is_on = f && (f->task.has || f->has);
	strscpy_pad(text, is_on ? f->text : "none", KMPROF_TEXT_LEN);
	rcu_read_unlock();
	return is_on;
}

static bool is_task_wanted(const struct kmprof_filter *f)
{
	const unsigned int level = kmprof_guard_level();

	if (level == KMPROF_GUARD_TASK)
		return kmprof_task_filter_wants(&f->task, current, current->comm);
	return !(f->task.has & ~BIT(KMPROF_TASK_COMM)) &&
	       kmprof_task_filter_wants_name(&f->task, kmprof_labels_comm(level));
}

/* Count what was left out. Returns false. */
static bool leave_out(size_t bytes, unsigned int objects)
{
	unsigned int slot = kmprof_slot();

	kmprof_stats_add(slot, KMPROF_FILTERED, objects);
	kmprof_stats_add(slot, KMPROF_FILTERED_BYTES, bytes);
	return false;
}

/**
 * kmprof_filter_ask_call() - kmprof_filter_wants_call(), while there is such a condition
 * @bytes: bytes requested, of all objects together
 * @objects: number of objects
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: whether the allocation is sampled.
 */
noinline bool kmprof_filter_ask_call(size_t bytes, unsigned int objects)
{
	const struct kmprof_filter *f = rcu_dereference_sched(in_force);

	if (!f || ((!(f->has & BIT(KMPROF_FILTER_SIZE)) ||
		    (bytes >= f->size_min && bytes <= f->size_max)) && is_task_wanted(f)))
		return true;
	return leave_out(bytes, objects);
}

static enum kmprof_gfp_class class_of(const void *ptr, enum kmprof_kind_id kind,
				      enum kmprof_gfp_class class)
{
	return kind == KMPROF_KIND_SLAB && kmprof_cache_is_reclaimable(ptr) ?
	       KMPROF_GFP_RECLAIMABLE : class;
}

static bool is_object_wanted(const struct kmprof_filter *f, const void *ptr,
			     enum kmprof_kind_id kind, enum kmprof_gfp_class class)
{
	if (f->has & BIT(KMPROF_FILTER_KIND) && kind != f->kind)
		return false;
	/* An allocation that has failed has no cache. */
	if (ZERO_OR_NULL_PTR(ptr))
		return true;
	if (f->has & BIT(KMPROF_FILTER_GFP) && class_of(ptr, kind, class) != f->gfp)
		return false;
	return !(f->has & BIT(KMPROF_FILTER_CACHE)) ||
	       (kind == KMPROF_KIND_SLAB && kmprof_cache_is_called(ptr, f->cache));
}

/**
 * kmprof_filter_ask_object() - kmprof_filter_wants_object(), while there is such a condition
 * @ptr: the object, or the first of a block; NULL when the allocation failed
 * @kind: its kind
 * @class: of its GFP flags, if it is a page
 * @bytes: bytes requested, of all objects together
 * @objects: number of objects
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: whether the allocation is sampled.
 */
noinline bool kmprof_filter_ask_object(const void *ptr, enum kmprof_kind_id kind,
				       enum kmprof_gfp_class class, size_t bytes,
				       unsigned int objects)
{
	const struct kmprof_filter *f = rcu_dereference_sched(in_force);

	return !f || is_object_wanted(f, ptr, kind, class) || leave_out(bytes, objects);
}

/**
 * kmprof_filter_ask_site() - kmprof_filter_wants_site(), while there is such a condition
 * @site: return address of the allocation
 * @bytes: bytes requested, of all objects together
 * @objects: number of objects
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: whether the allocation is sampled.
 */
noinline bool kmprof_filter_ask_site(unsigned long site, size_t bytes, unsigned int objects)
{
	const struct kmprof_filter *f = rcu_dereference_sched(in_force);

	return !f || !(f->has & OF_SITE) || kmprof_filter_module_has(f - filters, site) ||
	       leave_out(bytes, objects);
}
