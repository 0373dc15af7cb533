// SPDX-License-Identifier: GPL-2.0
/*
 * gzip by zlib's deflate rather than its gzFile: the output may be a pipe or a
 * temporary file that somebody else owns, and every failed write must come
 * back with its errno.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "util/gzip.h"

enum {
	WINDOW_GZIP	= 15 + 16,	/* largest window, gzip header */
	MEM_LEVEL	= 8,
	OUT_BYTES	= 1 << 15,
};

int kmprof_gzip_init(struct kmprof_gzip *gzip, FILE *file)
{
	memset(gzip, 0, sizeof(*gzip));
	gzip->file = file;
	return deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_GZIP,
			    MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK ? 0 : -ENOMEM;
}

static int run(struct kmprof_gzip *gzip, int flush)
{
	unsigned char out[OUT_BYTES];
	size_t n;

	do {
		gzip->stream.next_out = out;
		gzip->stream.avail_out = sizeof(out);
		if (deflate(&gzip->stream, flush) == Z_STREAM_ERROR)
			return -EINVAL;
		n = sizeof(out) - gzip->stream.avail_out;
		if (n && fwrite(out, 1, n, gzip->file) != n)
			return errno ? -errno : -EIO;
	} while (!gzip->stream.avail_out);
	return 0;
}

int kmprof_gzip_write(struct kmprof_gzip *gzip, const void *data, size_t size)
{
	if (size > UINT_MAX)
		return -E2BIG;
	gzip->stream.next_in = (z_const Bytef *)data;
	gzip->stream.avail_in = (uInt)size;
	return run(gzip, Z_NO_FLUSH);
}

int kmprof_gzip_finish(struct kmprof_gzip *gzip)
{
	gzip->stream.avail_in = 0;
	return run(gzip, Z_FINISH);
}

void kmprof_gzip_exit(struct kmprof_gzip *gzip)
{
	deflateEnd(&gzip->stream);
}
