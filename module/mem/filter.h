/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filter of the heap profile: which of the allocations that the sampler has chosen are
 * sampled.
 *
 * It does not bias an estimate: whether the sampler chooses an allocation does not depend on
 * it. What is left out is counted in the scalars "filtered" and "filtered_bytes", and, as any
 * allocation, in the totals.
 */
#ifndef KMPROF_FILTER_H
#define KMPROF_FILTER_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

/* What the filter in force has to be asked about: see filter.c. */
enum {
	KMPROF_FILTER_CALL	= 1 << 0,
	KMPROF_FILTER_OBJECT	= 1 << 1,
	KMPROF_FILTER_SITE	= 1 << 2,
	KMPROF_FILTER_ANY	= KMPROF_FILTER_CALL | KMPROF_FILTER_OBJECT | KMPROF_FILTER_SITE,
};

extern u32 kmprof_filter_stages;

bool kmprof_filter_ask_call(size_t bytes, unsigned int objects);
bool kmprof_filter_ask_object(const void *ptr, enum kmprof_kind_id kind,
			      enum kmprof_gfp_class class, size_t bytes, unsigned int objects);
bool kmprof_filter_ask_site(unsigned long site, size_t bytes, unsigned int objects);
int kmprof_filter_set(u64 value, const char *text);
void kmprof_filter_undo(void);
bool kmprof_filter_text(char text[KMPROF_TEXT_LEN]);

static __always_inline bool kmprof_filter_asks(u32 stages)
{
	return unlikely(READ_ONCE(kmprof_filter_stages) & stages);
}

/**
 * kmprof_filter_wants_call() - does the filter want what this context allocates?
 * @bytes: bytes requested, of all objects together
 * @objects: number of objects
 *
 * Counts the objects if not.
 *
 * Context: Any but NMI. Preemption off.
 * Return: whether the allocation is sampled, as far as is known.
 */
static __always_inline bool kmprof_filter_wants_call(size_t bytes, unsigned int objects)
{
	return !kmprof_filter_asks(KMPROF_FILTER_CALL) || kmprof_filter_ask_call(bytes, objects);
}

/* The same of an object that is there: see kmprof_filter_ask_object(). */
static __always_inline bool kmprof_filter_wants_object(const void *ptr, enum kmprof_kind_id kind,
						       enum kmprof_gfp_class class, size_t bytes,
						       unsigned int objects)
{
	return !kmprof_filter_asks(KMPROF_FILTER_OBJECT) ||
	       kmprof_filter_ask_object(ptr, kind, class, bytes, objects);
}

/* The same of who has called the allocator: see kmprof_filter_ask_site(). */
static __always_inline bool kmprof_filter_wants_site(unsigned long site, size_t bytes,
						     unsigned int objects)
{
	return !kmprof_filter_asks(KMPROF_FILTER_SITE) ||
	       kmprof_filter_ask_site(site, bytes, objects);
}

#endif
