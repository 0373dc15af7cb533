// SPDX-License-Identifier: GPL-2.0
/*
 * Has rules of its own, from the source that kmprof is built of, and walks by
 * them at each allocation and free of the whole machine, in whatever context.
 */
#include "compat/compat.c"
#include "core/kick.c"
#include "stack/rules.c"
#include "stack/unwind.c"
#include "stack/learn.c"

#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/stacktrace.h>
#include <trace/events/kmem.h>

#include "walks.h"

enum { FRAMES = 96 };

/**
 * struct bench - where one CPU compares
 * @busy: a comparison is going on, and an interrupt does not get in
 * @walked: addresses of a walk
 * @saved: of the kernel's
 */
struct bench {
	bool busy;
	unsigned long walked[FRAMES];
	unsigned long saved[FRAMES];
};

static struct bench __percpu *benches;
static DEFINE_MUTEX(walks_lock);
static bool on;
static atomic64_t walks, whole, wrong;

static unsigned int flags_of(unsigned long ip)
{
	return ip & 0xf;
}

/* Ends with the caller's address as the first. Addresses without rule are left out. */
static noinline unsigned int walk(unsigned long *ips, bool *is_whole)
{
	struct kmprof_unwind u = kmprof_unwind_start(__builtin_frame_address(0));
	unsigned int nr = 0;

	if (!u.rule)
		kmprof_learn(&u.ip, 1);
	do {
		if (!u.rule)
			break;
		/* What was remembered beside the rule is there, too. */
		ips[nr++] = kmprof_unwind_flags(&u) == flags_of(u.ip) ? u.ip : 0;
	} while (nr < FRAMES && kmprof_unwind_next(&u));
	*is_whole = kmprof_unwind_is_top(&u);
	return nr;
}

static void tell(const struct bench *b, unsigned int walked, unsigned int saved)
{
	unsigned int i;

	for (i = 0; i < max(walked, saved); i++)
		pr_err("kmprof_test: %2u: %pS\t%pS\n", i,
		       i < walked ? (void *)b->walked[i] : NULL,
		       i < saved ? (void *)b->saved[i] : NULL);
}

/* The first address of either lies in here. */
static noinline void compare(struct bench *b)
{
	bool is_whole;
	unsigned int walked = walk(b->walked, &is_whole), i;
	unsigned int saved = stack_trace_save(b->saved, FRAMES, 0);

	atomic64_inc(&walks);
	for (i = 1; i < walked && i < saved && b->walked[i] == b->saved[i]; i++)
		;
	if (walked && (i < walked || (is_whole && i != saved))) {
		if (!atomic64_fetch_inc(&wrong))
			tell(b, walked, saved);
	}
	if (walked && is_whole)
		atomic64_inc(&whole);
	else
		kmprof_learn(b->saved, saved);
}

static void on_event(void)
{
	struct bench *b = this_cpu_ptr(benches);

	if (in_nmi() || READ_ONCE(b->busy))
		return;
	WRITE_ONCE(b->busy, true);
	barrier();
	compare(b);
	barrier();
	WRITE_ONCE(b->busy, false);
}

static void on_kmalloc(void *data, unsigned long site, const void *ptr,
		       size_t bytes_req, size_t bytes_alloc, gfp_t gfp, int node)
{
	on_event();
}

static void on_kfree(void *data, unsigned long site, const void *ptr)
{
	on_event();
}

static void on_kmem_cache_alloc(void *data, unsigned long site, const void *ptr,
				struct kmem_cache *s, gfp_t gfp, int node)
{
	on_event();
}

static int attach(void)
{
	int err;

	err = register_trace_kmalloc(on_kmalloc, NULL);
	if (err)
		return err;
	err = register_trace_kfree(on_kfree, NULL);
	if (err)
		goto undo_kmalloc;
	err = register_trace_kmem_cache_alloc(on_kmem_cache_alloc, NULL);
	if (err)
		goto undo_kfree;
	return 0;

undo_kfree:
	unregister_trace_kfree(on_kfree, NULL);
undo_kmalloc:
	unregister_trace_kmalloc(on_kmalloc, NULL);
	tracepoint_synchronize_unregister();
	return err;
}

static void detach(void)
{
	unregister_trace_kmem_cache_alloc(on_kmem_cache_alloc, NULL);
	unregister_trace_kfree(on_kfree, NULL);
	unregister_trace_kmalloc(on_kmalloc, NULL);
	tracepoint_synchronize_unregister();
}

static int begin(void)
{
	int err = -ENOMEM;

	if (on)
		return -EBUSY;
	atomic64_set(&walks, 0);
	atomic64_set(&whole, 0);
	atomic64_set(&wrong, 0);
	kmprof_compat_init();
	benches = alloc_percpu(struct bench);
	if (!benches)
		return err;
	err = kmprof_learn_init(flags_of);
	if (err)
		goto undo_benches;
	err = attach();
	if (err)
		goto undo_learn;
	on = true;
	return 0;

undo_learn:
	kmprof_learn_exit();
undo_benches:
	free_percpu(benches);
	return err;
}

static int end(void)
{
	if (!on)
		return -EINVAL;
	detach();
	kmprof_learn_exit();
	free_percpu(benches);
	on = false;
	return 0;
}

/* A walk by a wrong rule can read anything. Returns the number of words that are misread. */
static unsigned int misread(void)
{
	const unsigned long there = 0x5555;
	/* The page behind the only one. */
	unsigned long *unmapped = vmalloc(PAGE_SIZE);
	unsigned int wrong = kmprof_unwind_read(&there) != there;

	wrong += !unmapped || kmprof_unwind_read(unmapped + PAGE_SIZE / sizeof(*unmapped));
	wrong += !!kmprof_unwind_read((unsigned long *)(1UL << 62));
	vfree(unmapped);
	return wrong;
}

/**
 * walks_run() - KMPROF_TEST_IOC_WALKS
 * @request: see there
 *
 * Context: Task. Sleeps.
 */
int walks_run(struct kmprof_test_walks *request)
{
	int err;

	mutex_lock(&walks_lock);
	err = request->on ? begin() : end();
	request->walks = atomic64_read(&walks);
	request->whole = atomic64_read(&whole);
	request->wrong = atomic64_read(&wrong);
	request->misread = misread();
	mutex_unlock(&walks_lock);
	return err;
}

/**
 * walks_rule() - KMPROF_TEST_IOC_RULE
 * @request: see there
 *
 * Context: Task. Sleeps.
 */
int walks_rule(struct kmprof_test_rule *request)
{
	int err = -EINVAL;

	mutex_lock(&walks_lock);
	if (on) {
		learn_one(request->ip);
		request->kind = kmprof_rules_find(kmprof_rules, request->ip) &
				KMPROF_UNWIND_KIND_MASK;
		err = 0;
	}
	mutex_unlock(&walks_lock);
	return err;
}

/**
 * walks_exit() - end what is left on
 */
void walks_exit(void)
{
	mutex_lock(&walks_lock);
	end();
	mutex_unlock(&walks_lock);
}
