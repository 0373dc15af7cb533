/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/kmprof: what one open file of it is. */
#ifndef KMPROF_DEVICE_H
#define KMPROF_DEVICE_H

#include <linux/fs.h>
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

struct kmprof_file *kmprof_device_file(struct file *file);
int kmprof_device_init(void);
void kmprof_device_exit(void);

#endif
