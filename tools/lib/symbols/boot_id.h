/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which boot of which machine an image is of: a random UUID that the kernel makes at boot; and of
 * this machine, when it was booted.
 */
#ifndef KMPROF_SYMBOLS_BOOT_ID_H
#define KMPROF_SYMBOLS_BOOT_ID_H

#include "image/image.h"

/* The scalar of a saved image that has it as its text. */
#define KMPROF_BOOT_ID		"boot_id"
#define KMPROF_BOOT_ID_FILE	"/proc/sys/kernel/random/boot_id"

enum { KMPROF_BOOT_ID_TEXT = 36 + 1 };

/* Fills in the id that @path holds; returns it, or NULL if there is none. */
const char *kmprof_boot_id_read(char text[KMPROF_BOOT_ID_TEXT], const char *path);

/* Return: the id in an image, or NULL: it was not saved, or by an older program. */
const char *kmprof_boot_id(const struct kmprof_image *image);

/*
 * CLOCK_REALTIME, in ns, when the running kernel was booted, as far as that clock is right now. It
 * cannot fail: who does not know it would take names of another boot.
 */
__u64 kmprof_boot_time_ns(void);

#endif
