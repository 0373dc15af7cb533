/* SPDX-License-Identifier: GPL-2.0 */
/* An open file of /dev/kmprof: shared by device.c and ioctl.c. */
#ifndef KMPROF_OPEN_FILE_H
#define KMPROF_OPEN_FILE_H

#include <linux/container_of.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "out/text.h"

/**
 * struct kmprof_file - kmprof's data of an open file
 * @text: the text that read() returns
 * @seen_cycle: newest cycle that an ioctl has returned; poll() waits for a newer one
 */
struct kmprof_file {
	struct kmprof_text text;
	u64 seen_cycle;
};

/**
 * kmprof_file_of() - get kmprof's data of an open file
 * @file: open file of /dev/kmprof
 *
 * Context: Any.
 * Return: the data.
 */
static inline struct kmprof_file *kmprof_file_of(const struct file *file)
{
	const struct seq_file *m = file->private_data;

	return container_of((struct kmprof_text *)m->private, struct kmprof_file, text);
}

#endif
