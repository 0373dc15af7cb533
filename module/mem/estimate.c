// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates from the samples of the heap profile. An object of s bytes was sampled with
 * probability p = 1 - exp(-s / period), so a sampled object stands for 1/p objects.
 * Source: scaleHeapSample() of runtime/pprof.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "core/explog.h"
#include "mem/estimate.h"

/**
 * kmprof_heap_bytes_of() - estimate the bytes that sampled objects of a size stand for
 * @size: bytes of an object, not 0
 * @period: sampling period in bytes, not 0
 * @objects: number of sampled objects
 *
 * Context: Any.
 * Return: objects * size / p.
 */
u64 kmprof_heap_bytes_of(u64 size, u64 period, u64 objects)
{
	return mul_u64_u64_div_u64(objects * size, KMPROF_PROB_ONE,
				   kmprof_sample_prob(size, period));
}

/**
 * kmprof_heap_bytes() - estimate the bytes that sampled objects stand for
 * @s: the sample that the objects belong to
 * @objects: number of sampled objects
 *
 * Context: Any.
 * Return: objects * size / p.
 */
u64 kmprof_heap_bytes(const struct kmprof_image_sample *s, u64 objects)
{
	return kmprof_heap_bytes_of(s->object_size, s->period, objects);
}

/**
 * kmprof_heap_rescale() - convert a count of sampled objects to another period
 * @s: the sample that the objects belong to
 * @objects: number of sampled objects
 * @period: the other period, in bytes
 * @carry: sum of the fractions cut off so far, in units of 1 / KMPROF_PROB_ONE. Start with
 *	0 and pass it on from sample to sample: otherwise the sum of many small counts is
 *	too small
 *
 * Context: Any.
 * Return: the number of objects which, sampled with @period, give the same estimate.
 */
u64 kmprof_heap_rescale(const struct kmprof_image_sample *s, u64 objects,
			u64 period, u64 *carry)
{
	u64 from, to, rest, whole;

	if (s->period == period)
		return objects;
	from = kmprof_sample_prob(s->object_size, s->period);
	to = kmprof_sample_prob(s->object_size, period);
	whole = mul_u64_u64_div_u64(objects, to, from);
	/* The rest is less than @from, hence exact though the products may overflow. */
	rest = objects * to - whole * from;
	*carry += mul_u64_u64_div_u64(rest, KMPROF_PROB_ONE, from);
	if (*carry >= KMPROF_PROB_ONE) {
		*carry -= KMPROF_PROB_ONE;
		whole++;
	}
	return whole;
}

/*
 * An object adds (1 - p) / p^2 * s^2 to the variance of the sum of s / p. Of n objects that were
 * sampled together, each adds at most n times as much; exactly that if all n are among @objects.
 */
static unsigned __int128 variance(const struct kmprof_image_sample *s, u64 objects)
{
	u64 p = kmprof_sample_prob(s->object_size, s->period);
	u64 weight = kmprof_heap_bytes(s, 1);
	u64 unsure = mul_u64_u64_shr(weight, KMPROF_PROB_ONE - p, 62);

	return (unsigned __int128)weight * unsure * objects * s->together;
}

/**
 * kmprof_heap_estimate_add() - add a sample to an estimate
 * @e: the estimate
 * @s: the sample
 *
 * Context: Any.
 */
void kmprof_heap_estimate_add(struct kmprof_heap_estimate *e,
			      const struct kmprof_image_sample *s)
{
	u64 inuse = s->allocs - s->frees;

	e->inuse_bytes += kmprof_heap_bytes(s, inuse);
	e->inuse_variance += variance(s, inuse);
	e->alloc_bytes += kmprof_heap_bytes(s, s->allocs);
	e->alloc_variance += variance(s, s->allocs);
}

/**
 * kmprof_heap_error() - compute the standard error: the square root of a variance
 * @variance: the variance, in square bytes
 *
 * Context: Any.
 * Return: the error in bytes, exact to 32 significant bits.
 */
u64 kmprof_heap_error(unsigned __int128 variance)
{
	unsigned int halvings = 0;

	while (variance >> 64) {
		variance >>= 2;
		halvings++;
	}
	return (u64)int_sqrt(variance) << halvings;
}
