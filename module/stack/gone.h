/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory of code and data that is gone while buckets have addresses in it: in stacks, or as
 * locks. Its names are kept, and its addresses are moved to where no code can be, so that
 * what is loaded to the same place later is not taken for it.
 */
#ifndef KMPROF_GONE_H
#define KMPROF_GONE_H

#include <linux/list.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"
#include "core/cycle_lock.h"

enum {
	/* As many pieces as the memory of a module has. */
	KMPROF_GONE_PIECES = 7,
};

/**
 * struct kmprof_symbol - a function or variable
 * @start: first address
 * @size: bytes up to the next symbol, or to the end of the memory that it lies in
 * @name: its name; NULL: there is no symbol
 */
struct kmprof_symbol {
	unsigned long start;
	unsigned long size;
	const char *name;
};

/**
 * struct kmprof_going - memory that is about to go
 * @nr_pieces: number of @pieces
 * @pieces: where it is, by ascending addresses
 * @name: name of the module; NULL: not known
 * @build_id: callback: returns in @id the build id, and its length, or 0; NULL: not known
 * @symbols: callback: returns in @symbols the symbol of each of @nr addresses, which ascend;
 *	NULL: there are none. The names are copied, at most KSYM_NAME_LEN - 1 characters
 * @data: for the callbacks
 */
struct kmprof_going {
	unsigned int nr_pieces;
	struct kmprof_extent pieces[KMPROF_GONE_PIECES];
	const char *name;
	unsigned int (*build_id)(const void *data, u8 id[KMPROF_BUILD_ID_LEN]);
	void (*symbols)(const void *data, const unsigned long *addrs, unsigned int nr,
			struct kmprof_symbol *symbols);
	const void *data;
};

/**
 * struct kmprof_gone - memory that is gone
 * @list: link in kmprof_gone_list
 * @cycle: the last published cycle when it went; a later reset has discarded its buckets
 * @name: name of the module; empty: not known
 * @build_id: its build id
 * @build_id_size: length of @build_id in bytes; 0: not known
 * @nr_pieces: number of pieces
 * @pieces: where they were
 * @at: where each piece begins in the frames and locks of buckets
 * @nr_symbols: number of @symbols
 * @symbols: the symbols that buckets have addresses of, where they are in buckets, by
 *	ascending addresses
 */
struct kmprof_gone {
	struct list_head list;
	u64 cycle;
	char name[MAX_PARAM_PREFIX_LEN];
	u8 build_id[KMPROF_BUILD_ID_LEN];
	unsigned int build_id_size;
	unsigned int nr_pieces;
	struct kmprof_extent pieces[KMPROF_GONE_PIECES];
	unsigned long at[KMPROF_GONE_PIECES];
	unsigned int nr_symbols;
	struct kmprof_symbol *symbols;
};

/* All of them, by ascending addresses. The cycle lock protects it. */
extern struct list_head kmprof_gone_list;

/* Walk them under the cycle lock, after kmprof_gone_forget_reset(). */
#define kmprof_for_each_gone(gone)	list_for_each_entry(gone, &kmprof_gone_list, list)

/* Bytes of a piece. */
static inline unsigned long kmprof_gone_size(const struct kmprof_gone *gone, unsigned int piece)
{
	return gone->pieces[piece].end - gone->pieces[piece].begin;
}

/* Is an address of a bucket in this piece? */
static inline bool kmprof_gone_has(const struct kmprof_gone *gone, unsigned int piece,
				   unsigned long addr)
{
	return addr - gone->at[piece] < kmprof_gone_size(gone, piece);
}

void kmprof_gone_retire(const struct kmprof_going *going);
void kmprof_gone_forget_reset(void);
void kmprof_gone_exit(void);

#endif
