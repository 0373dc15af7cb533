/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables that remember what was seen last: a number has one slot, and takes the place of the
 * one before. So they cost the same whatever the numbers are, and nothing may depend on a hit.
 */
#ifndef KMPROF_UTIL_SLOT_H
#define KMPROF_UTIL_SLOT_H

#include <stddef.h>

#include <linux/types.h>

/* The slot of a number in a table of 1 << @bits, 1 to 63: the same number has the same one. */
static inline size_t kmprof_slot(__u64 number, unsigned int bits)
{
	return (size_t)(number * 0x9e3779b97f4a7c15ULL >> (64 - bits));
}

#endif
