/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Labels: the task to which an event belongs. On request they become part of a bucket's
 * key, behind the stack: see core/label_words.h.
 */
#ifndef KMPROF_LABELS_H
#define KMPROF_LABELS_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/label_words.h"
#include "stack/stack.h"

struct kmprof_scratch;

/* The labels of waits and releases in force, KMPROF_LABEL_*. Written under the control lock. */
extern u32 kmprof_labels;

const char *kmprof_labels_comm(unsigned int level);
void kmprof_labels_put(struct kmprof_scratch *scratch, struct kmprof_stack *stack, u32 labels);
void kmprof_labels_put_node(struct kmprof_scratch *scratch, const struct kmprof_stack *stack,
			    u32 node);

/**
 * kmprof_labels_append() - append the labels of waits and releases in force to a stack
 * @scratch: the scratch that holds the stack
 * @stack: the stack, captured in this context; its @labels is set
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

#endif
