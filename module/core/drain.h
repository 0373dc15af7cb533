/* SPDX-License-Identifier: GPL-2.0 */
/* Moves records from the rings into buckets, in process context. */
#ifndef KMPROF_DRAIN_H
#define KMPROF_DRAIN_H

#include "core/drain_lock.h"

struct kmprof_bucket_key;
struct kmprof_record;

struct kmprof_record *kmprof_drain_reserve(const struct kmprof_bucket_key *key,
					   unsigned int slot);
void kmprof_drain(void);
void kmprof_drain_discard(unsigned int slot);
void kmprof_drain_kick(void);
void kmprof_drain_stop(void);

#endif
