/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Labels: whose wait or release it is, beside where. On request they are part of a
 * bucket's key: words behind the stack, so that nobody else pays for them.
 */
#ifndef KMPROF_LABELS_H
#define KMPROF_LABELS_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "stack/stack.h"

struct kmprof_scratch;

enum {
	KMPROF_LABEL_COMM_WORDS	= KMPROF_COMM_LEN / sizeof(long),
	KMPROF_LABEL_WORDS_MAX	= KMPROF_LABEL_COMM_WORDS + 2,
};

/**
 * kmprof_labels_words() - words that labels take
 * @labels: KMPROF_LABEL_*
 */
static inline unsigned int kmprof_labels_words(u32 labels)
{
	if (likely(!labels))
		return 0;
	return !!(labels & KMPROF_LABEL_PID) + !!(labels & KMPROF_LABEL_CGROUP) +
	       (labels & KMPROF_LABEL_COMM ? KMPROF_LABEL_COMM_WORDS : 0);
}

/* KMPROF_LABEL_*; written under the control lock. */
extern u32 kmprof_labels;

void kmprof_labels_put(struct kmprof_scratch *scratch, struct kmprof_stack *stack, u32 labels);

/**
 * kmprof_labels_append() - label a stack, as far as that is wanted
 * @scratch: that holds the stack
 * @stack: captured in this context
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
static inline void kmprof_labels_append(struct kmprof_scratch *scratch,
					struct kmprof_stack *stack)
{
	u32 labels = READ_ONCE(kmprof_labels);

	stack->labels = 0;
	if (unlikely(labels) && !stack->own)
		kmprof_labels_put(scratch, stack, labels);
}

void kmprof_labels_read(struct kmprof_image_label *label, u32 labels,
			const unsigned long *words);
void kmprof_labels_set(u64 labels);
int kmprof_labels_parse(const char *text, u64 *labels);
int kmprof_labels_print(char *buffer, u64 labels);

#endif
