// SPDX-License-Identifier: GPL-2.0
/*
 * Labels of the current context. In interrupt context there is no task: comm is [hardirq]
 * or [softirq], pid and cgroup are 0. The node is not of the context, but of the memory.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "core/guard.h"
#include "stack/labels.h"
#include "stack/stack.h"

static_assert(KMPROF_COMM_LEN == TASK_COMM_LEN);
static_assert((int)KMPROF_LABEL_WORDS_MAX <= (int)KMPROF_STACK_EXTRA);

u32 kmprof_labels __read_mostly;

/**
 * kmprof_labels_comm() - get the name that the label comm has
 * @level: kmprof_guard_level() of this context
 *
 * Context: Any but NMI. Preemption off. Another task may change the name meanwhile.
 * Return: the name of the current task; "[hardirq]" or "[softirq]" in an interrupt.
 */
const char *kmprof_labels_comm(unsigned int level)
{
	switch (level) {
	case KMPROF_GUARD_HARDIRQ:
		return "[hardirq]";
	case KMPROF_GUARD_SOFTIRQ:
		return "[softirq]";
	default:
		return current->comm;
	}
}

/* Another task may change @comm meanwhile. Any mixture of old and new name will do. */
static void put_comm(unsigned long *words, const char *comm)
{
	char *to = (char *)words;
	unsigned int i;

	memset(to, 0, KMPROF_COMM_LEN);
	for (i = 0; i < KMPROF_COMM_LEN - 1; i++) {
		/* see above */
		to[i] = data_race(comm[i]);
		if (!to[i])
			break;
	}
}

/**
 * kmprof_labels_put() - append labels to a stack
 * @scratch: the scratch that holds the stack
 * @stack: the stack, captured in this context; its @labels is set
 * @labels: bit mask of KMPROF_LABEL_*
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_labels_put(struct kmprof_scratch *scratch, struct kmprof_stack *stack, u32 labels)
{
	unsigned long *words = &scratch->frames[stack->nr];
	unsigned int level = kmprof_guard_level();

	stack->labels = labels;
	if (labels & KMPROF_LABEL_COMM) {
		put_comm(words, kmprof_labels_comm(level));
		words += KMPROF_LABEL_COMM_WORDS;
	}
	if (labels & KMPROF_LABEL_PID)
		*words++ = level == KMPROF_GUARD_TASK ? task_tgid_nr(current) : 0;
	if (labels & KMPROF_LABEL_CGROUP)
		*words = level == KMPROF_GUARD_TASK ? kmprof_compat_cgroup() : 0;
}

/**
 * kmprof_labels_put_node() - append the label of the NUMA node, behind those of kmprof_labels_put()
 * @scratch: the scratch that holds the stack
 * @stack: the stack; its @labels has KMPROF_LABEL_NODE
 * @node: the node, or KMPROF_NO_NODE
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_labels_put_node(struct kmprof_scratch *scratch, const struct kmprof_stack *stack,
			    u32 node)
{
	/* The last one. */
	scratch->frames[stack->nr + kmprof_label_words(stack->labels) - 1] = node;
}

/**
 * kmprof_labels_read() - convert the labels of a key to their form in an image
 * @label: returns the labels
 * @labels: bit mask of KMPROF_LABEL_*: the labels in @words
 * @words: the words of the labels, from kmprof_labels_put()
 *
 * Context: Any.
 */
void kmprof_labels_read(struct kmprof_image_label *label, u32 labels,
			const unsigned long *words)
{
	*label = (struct kmprof_image_label) { .labels = labels };
	if (labels & KMPROF_LABEL_COMM) {
		memcpy(label->comm, words, sizeof(label->comm));
		words += KMPROF_LABEL_COMM_WORDS;
	}
	if (labels & KMPROF_LABEL_PID)
		label->pid = *words++;
	if (labels & KMPROF_LABEL_CGROUP)
		label->cgroup = *words++;
	if (labels & KMPROF_LABEL_NODE)
		label->node = *words;
}

/**
 * kmprof_labels_set() - choose the labels of stacks captured from now on
 * @labels: bit mask of KMPROF_LABEL_*; 0: none
 *
 * Context: Process context, control lock held.
 */
void kmprof_labels_set(u64 labels)
{
	WRITE_ONCE(kmprof_labels, labels);
}
