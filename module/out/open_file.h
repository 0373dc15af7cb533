/* SPDX-License-Identifier: GPL-2.0 */
/* What one open file of /dev/kmprof is. */
#ifndef KMPROF_OPEN_FILE_H
#define KMPROF_OPEN_FILE_H

#include <linux/container_of.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "out/text.h"

/**
 * struct kmprof_file - an open /dev/kmprof
 * @text: what read() returns
 * @seen_cycle: the newest cycle that an ioctl has shown; poll() waits for more
 */
struct kmprof_file {
	struct kmprof_text text;
	u64 seen_cycle;
};

/**
 * kmprof_file_of() - our part of an open /dev/kmprof
 * @file: the open file
 */
static inline struct kmprof_file *kmprof_file_of(const struct file *file)
{
	const struct seq_file *m = file->private_data;

	return container_of((struct kmprof_text *)m->private, struct kmprof_file, text);
}

#endif
