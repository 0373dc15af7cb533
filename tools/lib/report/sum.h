/* SPDX-License-Identifier: GPL-2.0 */
/* Sums of estimates, with what is known of their error. */
#ifndef KMPROF_REPORT_SUM_H
#define KMPROF_REPORT_SUM_H

#include "export/stacks.h"
#include "util/saturate.h"

/**
 * struct kmprof_sum - a sum of estimates
 * @value: at most LLONG_MAX
 * @variance: of it; 0: it is exact, or not known
 */
struct kmprof_sum {
	__s64 value;
	double variance;
};

static inline void kmprof_sum_add(struct kmprof_sum *sum, __s64 value, double variance)
{
	sum->value = kmprof_saturated_sum(sum->value, value);
	sum->variance += variance;
}

static inline void kmprof_sum_add_stack(struct kmprof_sum *sum, const struct kmprof_stack *stack)
{
	kmprof_sum_add(sum, stack->value, stack->variance);
}

#endif
