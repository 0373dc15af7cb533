/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The per-CPU record ring: samples whose stack has no bucket yet, on their way
 * from the probe to the drain.
 *
 * Our own and not the kernel's ring_buffer: that one refuses a nested write of
 * the same context, stamps and pages every event, and cannot discard a record
 * once a later one was written. Here a producer has interrupts off for the
 * copy, so that each ring has one producer and one consumer and needs neither
 * atomics nor commit counts; about 25 instructions a record beside the copy.
 */
#ifndef KMPROF_RING_H
#define KMPROF_RING_H

#include <linux/atomic.h>
#include <linux/types.h>

struct kmprof_profile;

/**
 * struct kmprof_record - one sample with a new stack
 * @bytes: of this record with its frames, a multiple of KMPROF_RECORD_ALIGN
 * @nr_words: of the key; KMPROF_RECORD_PAD: skip to the ring's start
 * @slot: cycle slot of the allocation
 * @live: index in the live table
 * @home: line of the live table that the object's hash names
 * @ns: of a wait, in the place of these two: what it took
 * @note: what happened to the object since, or 0; see live.c
 * @hash: kmprof_bucket_hash() of the key
 * @profile: see struct kmprof_bucket_key, as for the three that follow
 * @detail: of the key
 * @size: bytes of the object, or the lock
 * @period: sampling period
 * @frames: words of the key
 */
struct kmprof_record {
	u32 bytes;
	u16 nr_words;
	u16 slot;
	union {
		struct {
			u32 live;
			u32 home;
		};
		u64 ns;
	};
	atomic_t note;
	u32 hash;
	struct kmprof_profile *profile;
	u32 detail;
	u64 size;
	u64 period;
	unsigned long frames[];
};

#define KMPROF_RECORD_PAD	0xffff

/* Leaves the low bits of a record's address to the live table. */
#define KMPROF_RECORD_ALIGN	64

struct kmprof_record *kmprof_ring_reserve(unsigned int nr_words, bool leave_half);
bool kmprof_ring_commit(const struct kmprof_record *rec);
const struct kmprof_record *kmprof_ring_peek(int cpu, unsigned long limit);
unsigned long kmprof_ring_limit(int cpu);
void kmprof_ring_consume(int cpu, const struct kmprof_record *rec);
bool kmprof_ring_all_empty(void);
int kmprof_ring_init(void);
void kmprof_ring_exit(void);

#endif
