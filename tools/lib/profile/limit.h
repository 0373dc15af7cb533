/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What it says about memory in use that no sample of it is there. An estimate of 0 with
 * a standard error of 0 would claim too much.
 */
#ifndef KMPROF_PROFILE_LIMIT_H
#define KMPROF_PROFILE_LIMIT_H

#include "profile/sums.h"

/**
 * struct kmprof_limit - how much can be in use without a sample
 * @bytes: the limit
 * @before: words before it
 * @behind: words behind it, with what it rests on
 */
struct kmprof_limit {
	double bytes;
	const char *before;
	const char *behind;
};

/**
 * kmprof_limit_of_period() - bytes of which a sample is there in 95 of 100 cases
 * @period: sampling period R, in bytes
 *
 * An object of s bytes is missed with probability exp(-s / R), whatever happens to the
 * others: the gaps between two sampled bytes are exponential with mean R, so the sampled
 * bytes are a Poisson process. Objects of S bytes together are all missed with
 * probability exp(-S / R), whatever their sizes are. That is less than 0.05 for S of more
 * than -ln(0.05) R = 2.996 R. For small objects this is the "rule of three": J. A. Hanley
 * and A. Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 249 (1983),
 * p. 1743.
 *
 * Return: -ln(0.05) R; 0 for a period of 1 or 0, as nothing is missed then.
 */
double kmprof_limit_of_period(__u64 period);

/**
 * kmprof_limit_inuse() - the limit of what is in use
 * @limit: filled in, if no sample is in use
 * @image: a valid image
 * @sums: its estimates
 *
 * It is about allocations that the probes have seen since the start, exactly
 * total.alloc_bytes of the scalars; more than that is never in use. The period is the
 * largest one in the image: of the rate now and of each sample. A lost sample may be of an
 * object in use, of any size. Then there is no limit but the exact total.
 *
 * Return: whether there is no sample of memory in use.
 */
bool kmprof_limit_inuse(struct kmprof_limit *limit, const struct kmprof_image *image,
			const struct kmprof_sums *sums);

#endif
