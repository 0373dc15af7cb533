/* SPDX-License-Identifier: GPL-2.0 */
/* The ioctls of /dev/kmprof; what they mean is in the UAPI header. */
#ifndef KMPROF_IOCTL_H
#define KMPROF_IOCTL_H

struct file;

long kmprof_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#endif
