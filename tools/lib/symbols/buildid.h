/* SPDX-License-Identifier: GPL-2.0 */
/* Build ids out of ELF notes, as /sys shows them. */
#ifndef KMPROF_SYMBOLS_BUILDID_H
#define KMPROF_SYMBOLS_BUILDID_H

#include <stddef.h>

enum { KMPROF_BUILD_ID_HEX = 2 * 32 + 1 };

/**
 * kmprof_buildid_read() - the build id in a file of ELF notes
 * @path: e.g. /sys/kernel/notes
 * @hex: filled with lower-case hex digits, or with "" when there is none
 *
 * Return: 0 or a negative errno.
 */
int kmprof_buildid_read(const char *path, char hex[KMPROF_BUILD_ID_HEX]);

/* The same from memory; @notes may hold anything. */
int kmprof_buildid_parse(const void *notes, size_t size, char hex[KMPROF_BUILD_ID_HEX]);

#endif
