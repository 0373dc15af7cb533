/* SPDX-License-Identifier: GPL-2.0 */
/* What was not seen of memory during a session, and what that means for a verdict. */
#ifndef KMPROF_LEAKS_LOSSES_H
#define KMPROF_LEAKS_LOSSES_H

#include <stdbool.h>

#include "image/image.h"

/* What a loss can do to a verdict: bits. */
enum {
	KMPROF_LOSS_HIDES	= 1 << 0,	/* a leak can be in what was not seen */
	KMPROF_LOSS_ACCUSES	= 1 << 1,	/* what is steady can seem to grow */
	KMPROF_LOSS_MERGES	= 1 << 2,	/* stacks that differ can look the same */
};

/**
 * struct kmprof_leak_loss - an entry of the loss ledger
 * @name: without "ledger."
 * @before: its value at the first snapshot
 * @count: since then
 * @effect: KMPROF_LOSS_*
 */
struct kmprof_leak_loss {
	char *name;
	__u64 before;
	__u64 count;
	unsigned int effect;
};

/**
 * struct kmprof_leak_losses - the losses that matter
 * @loss: array
 * @nr: how many
 * @sampled_before: samples of memory at the first snapshot
 * @sampled: since then
 * @lost: of these, in no stack
 */
struct kmprof_leak_losses {
	struct kmprof_leak_loss *loss;
	size_t nr;
	__u64 sampled_before;
	__u64 sampled;
	__u64 lost;
};

/**
 * kmprof_leak_losses_begin() - remember the losses up to a snapshot
 * @losses: filled in; released by kmprof_leak_losses_release()
 * @image: the first snapshot
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_leak_losses_begin(struct kmprof_leak_losses *losses, const struct kmprof_image *image);
/* Sets the counts: what was lost from the first snapshot to this one. */
void kmprof_leak_losses_end(struct kmprof_leak_losses *losses, const struct kmprof_image *image);
void kmprof_leak_losses_release(struct kmprof_leak_losses *losses);

/* KMPROF_LOSS_* of all that was lost. */
unsigned int kmprof_leak_losses_effect(const struct kmprof_leak_losses *losses);

#endif
