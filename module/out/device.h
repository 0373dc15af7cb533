/* SPDX-License-Identifier: GPL-2.0 */
/* The character device /dev/kmprof. */
#ifndef KMPROF_DEVICE_H
#define KMPROF_DEVICE_H

int kmprof_device_init(void);
void kmprof_device_exit(void);

#endif
