/* SPDX-License-Identifier: GPL-2.0 */
/* write(), until all is written. */
#ifndef KMPROF_UTIL_WRITE_ALL_H
#define KMPROF_UTIL_WRITE_ALL_H

#include <stddef.h>

/* Return: 0 or a negative errno. */
int kmprof_write_all(int fd, const char *bytes, size_t size);

#endif
