/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as a source reports them, at times that the suite says, with stacks that
 * the call site says: the suites' own kmprof_stack_capture() and its like make the
 * stack from the site's number, and a source file that is included after this reads
 * the suites' own clock.
 */
#ifndef KMPROF_KUNIT_EVENTS_H
#define KMPROF_KUNIT_EVENTS_H

#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

struct kmprof_stack;

enum {
	SITE_OWN	= 1 << 0,	/* kmprof is on the stack */
	SITE_TRUNCATED	= 1 << 1,	/* the stack is deeper than what is kept */
	SITE_TAKER	= 1 << 2,	/* another allocator takes the pages */
	SITE_SHIFT	= 12,
	SITE_FRAMES_MAX	= 20,
};

/* In a hole below the kernel's text: no address of a site has a symbol. */
#define SITE_BASE	0xffffffff41000000UL

/* The cache of the locks whose class has a name. */
#define EVENT_CACHE	"this_cache_name_has_31_letters_"

/* The @n-th call site; its stack has 1 + n % 20 frames, of which it is the leaf. */
static inline unsigned long event_site(unsigned int n)
{
	return SITE_BASE + ((unsigned long)n << SITE_SHIFT);
}

static inline unsigned int event_site_number(unsigned long site)
{
	return (site - SITE_BASE) >> SITE_SHIFT;
}

/* Every other site asks for pages that can be reclaimed. */
static inline gfp_t event_gfp(unsigned long site)
{
	return event_site_number(site) & 1 ? GFP_KERNEL | __GFP_RECLAIMABLE : GFP_KERNEL;
}

/* A site's stack, its frames in @frames, of which there are SITE_FRAMES_MAX. */
void event_stack(unsigned long *frames, unsigned long site, struct kmprof_stack *stack);

/* In ns. */
extern atomic64_t event_clock;

static inline u64 event_now(void)
{
	return atomic64_read(&event_clock);
}

static inline void event_pass(u64 ns)
{
	atomic64_add(ns, &event_clock);
}

#define ktime_get_mono_fast_ns event_now

/* What comes between these two runs as in an interrupt of the kind: NMI_OFFSET, ... */
static inline void event_interrupt_begin(unsigned int offset)
{
	local_irq_disable();
	__preempt_count_add(offset);
}

static inline void event_interrupt_end(unsigned int offset)
{
	__preempt_count_sub(offset);
	local_irq_enable();
}

/* A sampled allocation, a free, a kfree_rcu(), and a call_rcu(), as the probes see them. */
void event_alloc(const void *ptr, size_t size, u64 period, unsigned long site);
void event_free(const void *ptr);
/* An allocation of pages, and the decision about it: true if they are sampled. */
bool event_alloc_pages(const void *ptr, unsigned int order, unsigned long site);
/* The free of the @n-th page of a block @ptr. */
void event_free_page(const void *ptr, unsigned int n);
void event_defer(const void *ptr);
void event_queue(const void *ptr);

/*
 * The begin of a wait, and its end, inside of the lock's function or as that returns,
 * with the stack of @site; and a release.
 */
void event_wait_begin(const void *lock, u32 kind, u32 flags);
void event_wait_end(const void *lock, u32 flags, unsigned long site);
void event_wait_return(const void *lock, u32 flags, unsigned long site);
void event_release(const void *lock, u32 kind, u32 flags, unsigned long site);

#endif
