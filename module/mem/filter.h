/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filter of the heap profile: which of the allocations that the sampler has chosen are
 * sampled. It is asked before a stack is walked, so it knows the context and the size, and nothing
 * of the stack.
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

/* Is there a filter? */
extern bool kmprof_filter_in_force;

bool kmprof_filter_ask(size_t bytes, unsigned int objects);
int kmprof_filter_set(u64 value, const char *text);
void kmprof_filter_undo(void);
bool kmprof_filter_text(char text[KMPROF_TEXT_LEN]);

/**
 * kmprof_filter_wants() - whether an allocation that the sampler has chosen is sampled
 * @bytes: bytes requested, of all objects together
 * @objects: number of objects
 *
 * Counts the objects if not.
 *
 * Context: Any but NMI. Preemption off.
 * Return: whether it is.
 */
static __always_inline bool kmprof_filter_wants(size_t bytes, unsigned int objects)
{
	return likely(!READ_ONCE(kmprof_filter_in_force)) || kmprof_filter_ask(bytes, objects);
}

#endif
