/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The per-CPU record rings: they carry events whose key has no bucket yet from the probe to
 * the drain.
 *
 * The kernel's ring_buffer does not fit: it refuses a nested write of the same context,
 * adds time stamps and page headers, and cannot discard a record once a later one was
 * written. Here the producer keeps interrupts off while it copies a record. Each ring has
 * one producer and one consumer and needs neither atomics nor commit counts: a record
 * costs about 25 instructions and the copy.
 */
#ifndef KMPROF_RING_H
#define KMPROF_RING_H

#include <linux/atomic.h>
#include <linux/types.h>

struct kmprof_profile;

/**
 * struct kmprof_record - an event whose key has no bucket yet
 * @bytes: size of the record with @frames, a multiple of KMPROF_RECORD_ALIGN
 * @nr_words: length of @frames; KMPROF_RECORD_PAD: no record, skip to the ring's start
 * @slot: slot of the cycle in which the event happened
 * @live: heap: index of the object's entry in the live table
 * @home: heap: the object's home line in the live table
 * @ns: block and mutex, in the place of @live and @home: the delay in ns
 * @note: heap: how the object was freed before the record was drained, or 0; see live.c
 * @hash: kmprof_bucket_hash() of the key
 * @profile: of the key: see struct kmprof_bucket_key
 * @detail: of the key
 * @cache: heap: slab cache of the object: kmprof_cache_slot()
 * @size: of the key: object size, or lock
 * @period: of the key
 * @frames: of the key: frames and labels
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
	u16 cache;
	u64 size;
	u64 period;
	unsigned long frames[];
};

#define KMPROF_RECORD_PAD	0xffff

/* The live table uses the low bits of a record's address. */
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
