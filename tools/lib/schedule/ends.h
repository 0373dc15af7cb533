/* SPDX-License-Identifier: GPL-2.0 */
/* What a tree of causes comes down to: the ends of all its chains, added up. */
#ifndef KMPROF_SCHEDULE_ENDS_H
#define KMPROF_SCHEDULE_ENDS_H

#include "schedule/causes.h"
#include "util/error.h"

/**
 * kmprof_why_ends() - add up the causes that have none below them
 * @ends: all zero; returns the root of a tree of one level, whose causes have @of set. The longest
 *	is the first; released by kmprof_causes_release(), also after a failure
 * @root: a tree that has been explained
 * @err: explanation
 *
 * There are as many chains of tasks that wait for each other as orders in which they did so, and
 * they often have the same end. The sum of the ends is the whole.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_why_ends(struct kmprof_cause *ends, const struct kmprof_cause *root,
		    struct kmprof_error *err);

#endif
