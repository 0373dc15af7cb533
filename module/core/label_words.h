/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of labels in a bucket's key. They are words behind the frames of the stack,
 * in the order comm, pid, cgroup, node; a label that was not asked for takes no word.
 */
#ifndef KMPROF_LABEL_WORDS_H
#define KMPROF_LABEL_WORDS_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

enum {
	KMPROF_LABEL_COMM_WORDS	= KMPROF_COMM_LEN / sizeof(long),
	KMPROF_LABEL_WORDS_MAX	= KMPROF_LABEL_COMM_WORDS + 3,
};

/**
 * kmprof_label_words() - compute the length of labels in a key
 * @labels: bit mask of KMPROF_LABEL_*
 *
 * Context: Any.
 * Return: the number of words.
 */
static inline unsigned int kmprof_label_words(u32 labels)
{
	if (likely(!labels))
		return 0;
	return !!(labels & KMPROF_LABEL_PID) + !!(labels & KMPROF_LABEL_CGROUP) +
	       !!(labels & KMPROF_LABEL_NODE) +
	       (labels & KMPROF_LABEL_COMM ? KMPROF_LABEL_COMM_WORDS : 0);
}

#endif
