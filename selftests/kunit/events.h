/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as a source reports them, with stacks that the call site says: the
 * suites' own kmprof_stack_capture() makes the stack from the site's number.
 */
#ifndef KMPROF_KUNIT_EVENTS_H
#define KMPROF_KUNIT_EVENTS_H

#include <linux/types.h>

enum {
	SITE_OWN	= 1 << 0,	/* kmprof is on the stack */
	SITE_TRUNCATED	= 1 << 1,	/* the stack is deeper than what is kept */
	SITE_SHIFT	= 12,
};

#define SITE_BASE	0xffffffff81000000UL

/* The @n-th call site; its stack has 1 + n % 20 frames, of which it is the leaf. */
static inline unsigned long event_site(unsigned int n)
{
	return SITE_BASE + ((unsigned long)n << SITE_SHIFT);
}

static inline unsigned int event_site_number(unsigned long site)
{
	return (site - SITE_BASE) >> SITE_SHIFT;
}

/* A sampled allocation, a free, and a kfree_rcu(), as the probes see them. */
void event_alloc(const void *ptr, size_t size, u64 period, unsigned long site);
void event_free(const void *ptr);
void event_defer(const void *ptr);

#endif
