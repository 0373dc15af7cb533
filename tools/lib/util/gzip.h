/* SPDX-License-Identifier: GPL-2.0 */
/* Compressed output to a stdio stream. */
#ifndef KMPROF_UTIL_GZIP_H
#define KMPROF_UTIL_GZIP_H

#include <stdio.h>
#include <zlib.h>

struct kmprof_gzip {
	FILE *file;
	z_stream stream;
};

/* Each returns 0 or a negative errno; kmprof_gzip_exit() is always needed. */
int kmprof_gzip_init(struct kmprof_gzip *gzip, FILE *file);
int kmprof_gzip_write(struct kmprof_gzip *gzip, const void *data, size_t size);
int kmprof_gzip_finish(struct kmprof_gzip *gzip);
void kmprof_gzip_exit(struct kmprof_gzip *gzip);

#endif
