// SPDX-License-Identifier: GPL-2.0
/*
 * Files are written beside their place and renamed when complete and on disk,
 * so that a full disk or a crash never leaves half a profile, nor costs the
 * one that was there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/output.h"
#include "util/temporary.h"

/* The default, of a page, takes a fifth of the time of a long output. */
enum { BUFFER = 1 << 17 };

/* Not that of a terminal, which shall show each line; nor if stdbuf(1) has chosen one. */
static void buffer_stdout(void)
{
	static char buffer[BUFFER];

	if (!isatty(STDOUT_FILENO) && !__flbf(stdout) && __fbufsize(stdout) != 1)
		setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}

int kmprof_output_explain(struct kmprof_error *err, const char *name, bool kept, int e)
{
	const char *hint = NULL;

	if (e == ENOSPC || e == EDQUOT)
		hint = kept ? "make room, or write elsewhere; an old file is as it was" :
			      "make room, or write elsewhere";
	else if (e == EFBIG)
		hint = kept ? "raise the limit (ulimit -f); an old file is as it was" :
			      "raise the limit (ulimit -f)";
	else if (e == EBADF)
		hint = "it is closed: send it to a file or to /dev/null";
	return kmprof_error_set(err, -e, hint, "%s: %s", name, strerror(e));
}

static int explain(struct kmprof_error *err, const struct kmprof_output *output, int e)
{
	return kmprof_output_explain(err, output->name, output->temporary, e);
}

static int create(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd;
}

static int open_file(struct kmprof_output *output)
{
	int fd = output->place.fd;

	if (fd < 0)
		fd = kmprof_temporary_make(&output->temporary, output->place.dir, create);
	if (fd < 0)
		return fd;
	output->place.fd = -1;
	output->file = fdopen(fd, "w");
	if (!output->file) {
		close(fd);
		return -ENOMEM;
	}
	output->buffer = malloc(BUFFER);
	if (!output->buffer)
		return -ENOMEM;
	setvbuf(output->file, output->buffer, _IOFBF, BUFFER);
	return 0;
}

int kmprof_output_open(struct kmprof_output *output, const char *path, struct kmprof_error *err)
{
	int ret;

	memset(output, 0, sizeof(*output));
	output->place.dir = -1;
	output->place.fd = -1;
	if (!path) {
		output->name = "standard output";
		output->file = stdout;
		buffer_stdout();
		return 0;
	}
	output->name = path;
	ret = kmprof_place_find(&output->place, path, err);
	if (ret)
		return ret;
	ret = open_file(output);
	if (!ret)
		return 0;
	explain(err, output, -ret);
	kmprof_output_abort(output);
	return ret;
}

static int close_file(struct kmprof_output *output)
{
	FILE *file = output->file;
	int ret = 0;

	output->file = NULL;
	/* A failed earlier write may leave nothing for fflush() to fail on. */
	errno = 0;
	if (fflush(file) || ferror(file))
		ret = errno ? -errno : -EIO;
	if (!ret && output->temporary && fsync(fileno(file)))
		ret = -errno;
	if (file != stdout && fclose(file) && !ret)
		ret = -errno;
	return ret;
}

static void release(struct kmprof_output *output)
{
	free(output->temporary);
	free(output->buffer);
	kmprof_place_release(&output->place);
	output->temporary = NULL;
	output->buffer = NULL;
	output->file = NULL;
}

static int put_in_place(const struct kmprof_output *output)
{
	const struct kmprof_place *place = &output->place;

	return renameat(place->dir, output->temporary, place->dir, place->name) ? -errno : 0;
}

int kmprof_output_commit(struct kmprof_output *output, struct kmprof_error *err)
{
	int ret;

	ret = close_file(output);
	if (!ret && output->temporary)
		ret = put_in_place(output);
	if (ret) {
		explain(err, output, -ret);
		kmprof_output_abort(output);
		return ret;
	}
	release(output);
	return 0;
}

void kmprof_output_fail(struct kmprof_output *output, int ret, struct kmprof_error *err)
{
	if (ferror(output->file))
		explain(err, output, -ret);
	kmprof_output_abort(output);
}

void kmprof_output_abort(struct kmprof_output *output)
{
	if (output->file && output->file != stdout)
		fclose(output->file);
	if (output->temporary)
		unlinkat(output->place.dir, output->temporary, 0);
	release(output);
}
