// SPDX-License-Identifier: GPL-2.0
/*
 * Files are written beside their place and renamed when complete and on disk,
 * so that a full disk or a crash never leaves half a profile, nor costs the
 * one that was there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/output.h"

static int explain(struct kmprof_error *err, const struct kmprof_output *output, int e)
{
	bool kept = output->target;
	const char *hint = NULL;

	if (e == ENOSPC || e == EDQUOT)
		hint = kept ? "make room, or write elsewhere with -o; an old file is as it was" :
			      "make room, or write elsewhere with -o";
	else if (e == EFBIG)
		hint = kept ? "raise the limit (ulimit -f); an old file is as it was" :
			      "raise the limit (ulimit -f)";
	return kmprof_error_set(err, -e, hint, "%s: %s", output->name, strerror(e));
}

/* Where @path leads to, so that a symbolic link stays one. */
static int find_target(const char *path, char **target)
{
	*target = realpath(path, NULL);
	if (!*target && errno == ENOENT)
		*target = strdup(path);
	return *target ? 0 : -errno;
}

static int open_temporary(struct kmprof_output *output)
{
	const char *slash = strrchr(output->target, '/');
	int dir_len = slash ? (int)(slash - output->target) + 1 : 0;
	int fd, e;

	if (asprintf(&output->temporary, "%.*s.kmprof-XXXXXX", dir_len, output->target) < 0) {
		output->temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd < 0) {
		e = errno;
		goto err_free;
	}
	output->file = fdopen(fd, "w");
	if (output->file)
		return 0;
	e = errno;
	close(fd);
	unlink(output->temporary);
err_free:
	free(output->temporary);
	output->temporary = NULL;
	return -e;
}

int kmprof_output_open(struct kmprof_output *output, const char *path, struct kmprof_error *err)
{
	struct stat st;
	int ret;

	memset(output, 0, sizeof(*output));
	if (!path) {
		output->name = "standard output";
		output->file = stdout;
		return 0;
	}
	output->name = path;
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		output->file = fopen(path, "we");
		return output->file ? 0 : explain(err, output, errno);
	}
	ret = find_target(path, &output->target);
	if (!ret)
		ret = open_temporary(output);
	if (ret) {
		explain(err, output, -ret);
		free(output->target);
	}
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

int kmprof_output_commit(struct kmprof_output *output, struct kmprof_error *err)
{
	int ret;

	ret = close_file(output);
	if (!ret && output->temporary && rename(output->temporary, output->target))
		ret = -errno;
	if (ret) {
		explain(err, output, -ret);
		kmprof_output_abort(output);
		return ret;
	}
	free(output->temporary);
	free(output->target);
	memset(output, 0, sizeof(*output));
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
		unlink(output->temporary);
	free(output->temporary);
	free(output->target);
	memset(output, 0, sizeof(*output));
}
