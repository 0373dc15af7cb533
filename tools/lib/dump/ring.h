/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a CPU has recorded, in a dump. Blocks are read one by one: kdump's kernel has little memory.
 */
#ifndef KMPROF_DUMP_RING_H
#define KMPROF_DUMP_RING_H

#include <stdbool.h>

#include "dump/dump.h"
#include "dump/records.h"
#include "trace/trace.h"

/**
 * struct kmprof_dump_block - a block
 * @number: number of events before it
 * @ticks: when it was begun
 * @nr: number of its records
 * @bytes: of it; 0: it is damaged, or not there
 */
struct kmprof_dump_block {
	__u64 number;
	__u64 ticks;
	__u32 nr;
	__u32 bytes;
};

/**
 * struct kmprof_dump_ring - the ring of a CPU
 * @cpu: the CPU
 * @address: of its blocks; 0: it has none
 * @mask: number of blocks - 1
 * @first: number of the first block that may be there
 * @nr: how many there are from that one on
 * @open_bytes: bytes of the last one, which was being filled; 0: none was
 * @number: number of events, with those that were lost
 * @stackless: number of those without a stack
 * @ticks: when the last record was made
 * @is_begun: the first block is no more there: another one was about to be filled
 * @block: array: the blocks; to be freed
 */
struct kmprof_dump_ring {
	__u32 cpu;
	__u64 address;
	__u64 mask;
	__u64 first;
	__u32 nr;
	__u32 open_bytes;
	__u64 number;
	__u64 stackless;
	__u64 ticks;
	bool is_begun;
	struct kmprof_dump_block *block;
};

/**
 * kmprof_dump_ring_look() - look at the ring of a CPU, and at all that is recorded there
 * @ring: filled in; @block is to be freed
 * @dump: the dump
 * @crash: how rings are laid out
 * @cpu: the CPU
 * @limits: what records can have
 * @err: explanation
 *
 * Return: 0; -ENODATA: it is not there; or -ENOMEM.
 */
int kmprof_dump_ring_look(struct kmprof_dump_ring *ring, const struct kmprof_dump *dump,
			  const struct kmprof_trace_crash *crash, __u32 cpu,
			  const struct kmprof_dump_limits *limits,
			  struct kmprof_error *err);

/**
 * kmprof_dump_ring_read() - read a block
 * @ring: the ring
 * @dump: the dump
 * @i: index of the block, whose @bytes are not 0
 * @batch: filled in; there is room for KMPROF_TRACE_BATCH_MAX bytes
 *
 * Return: 0, or -ENODATA: it is not there, or is another one by now.
 */
int kmprof_dump_ring_read(const struct kmprof_dump_ring *ring, const struct kmprof_dump *dump,
			  __u32 i, struct kmprof_trace_batch *batch);

#endif
