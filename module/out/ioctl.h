/* SPDX-License-Identifier: GPL-2.0 */
/* The ioctls of /dev/kmprof; the UAPI header documents them. */
#ifndef KMPROF_IOCTL_H
#define KMPROF_IOCTL_H

struct file;

long kmprof_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#endif
