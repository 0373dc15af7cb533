// SPDX-License-Identifier: GPL-2.0
/* As a file of util/output.h: made beside its place, and renamed when complete and on disk. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/output.h"
#include "util/output_directory.h"

#define OPEN_DIRECTORY	(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static int explain(const struct kmprof_output_directory *output, int ret, struct kmprof_error *err)
{
	return kmprof_output_explain(err, output->path, false, -ret);
}

static int is_there(const char *path, struct kmprof_error *err)
{
	return kmprof_error_set(err, -EEXIST, "remove it, or choose another name",
				"%s: is there already, and a directory does not replace it", path);
}

/* The name of a directory may end in slashes. */
static int split(struct kmprof_output_directory *output)
{
	size_t length = strlen(output->path), start;
	char *before;
	int ret = 0;

	while (length > 1 && output->path[length - 1] == '/')
		length--;
	for (start = length; start && output->path[start - 1] != '/'; start--)
		;
	if (start == length)
		return length ? -EEXIST : -ENOENT;
	output->name = strndup(output->path + start, length - start);
	before = start ? strndup(output->path, start) : strdup(".");
	if (!output->name || !before)
		ret = -ENOMEM;
	if (!ret) {
		output->parent = open(before, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		ret = output->parent < 0 ? -errno : 0;
	}
	free(before);
	return ret;
}

/* A directory that does not appear until it is complete would fail only then. */
static int check_free(const struct kmprof_output_directory *output)
{
	const struct dirent *entry;
	int fd, ret = 0;
	DIR *dir;

	fd = openat(output->parent, output->name, OPEN_DIRECTORY);
	if (fd < 0)
		return errno == ENOENT ? 0 : -EEXIST;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while (!ret && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			ret = -EEXIST;
	closedir(dir);
	return ret;
}

static int make(struct kmprof_output_directory *output)
{
	unsigned long long random;
	int ret;

	if (getentropy(&random, sizeof(random)))
		return -errno;
	if (asprintf(&output->temporary, ".kmprof-%016llx", random) < 0) {
		output->temporary = NULL;
		return -ENOMEM;
	}
	if (mkdirat(output->parent, output->temporary, 0700)) {
		ret = -errno;
		free(output->temporary);
		output->temporary = NULL;
		return ret;
	}
	output->fd = openat(output->parent, output->temporary, OPEN_DIRECTORY);
	return output->fd < 0 ? -errno : 0;
}

int kmprof_output_directory_open(struct kmprof_output_directory *output, const char *path,
				 struct kmprof_error *err)
{
	int ret;

	*output = (struct kmprof_output_directory){ .path = path, .parent = -1, .fd = -1 };
	ret = split(output);
	if (!ret)
		ret = check_free(output);
	if (!ret)
		ret = make(output);
	if (!ret)
		return 0;
	if (ret == -EEXIST)
		is_there(path, err);
	else
		explain(output, ret, err);
	kmprof_output_directory_abort(output);
	return ret;
}

static int put(int fd, const char *bytes, size_t size)
{
	ssize_t n;

	for (; size; bytes += n, size -= (size_t)n) {
		n = write(fd, bytes, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return -errno;
	}
	return 0;
}

int kmprof_output_directory_append(const struct kmprof_output_directory *output, const char *name,
				   const void *bytes, size_t size, struct kmprof_error *err)
{
	int fd, ret;

	fd = openat(output->fd, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	ret = fd < 0 ? -errno : put(fd, bytes, size);
	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	return ret ? explain(output, ret, err) : 0;
}

/* Calls @each for the files. Return: 0, or the first negative errno that it has returned. */
static int for_each(const struct kmprof_output_directory *output,
		    int (*each)(int dir, const char *name))
{
	const struct dirent *entry;
	DIR *dir;
	int ret = 0, fd = openat(output->fd, ".", OPEN_DIRECTORY);

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while (!ret && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			ret = each(fd, entry->d_name);
	closedir(dir);
	return ret;
}

static int sync_file(int dir, const char *name)
{
	int ret, fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ret = fsync(fd) ? -errno : 0;
	close(fd);
	return ret;
}

static int remove_file(int dir, const char *name)
{
	return unlinkat(dir, name, 0) ? -errno : 0;
}

static void release(struct kmprof_output_directory *output)
{
	if (output->fd >= 0)
		close(output->fd);
	if (output->parent >= 0)
		close(output->parent);
	free(output->name);
	free(output->temporary);
	*output = (struct kmprof_output_directory){ .parent = -1, .fd = -1 };
}

/* What has come there meanwhile is not replaced, unless it is an empty directory. */
static int put_in_place(const struct kmprof_output_directory *output)
{
	if (!renameat(output->parent, output->temporary, output->parent, output->name))
		return 0;
	return errno == ENOTEMPTY || errno == ENOTDIR ? -EEXIST : -errno;
}

int kmprof_output_directory_commit(struct kmprof_output_directory *output, struct kmprof_error *err)
{
	int ret;

	ret = for_each(output, sync_file);
	if (!ret && fsync(output->fd))
		ret = -errno;
	if (!ret)
		ret = put_in_place(output);
	if (!ret) {
		release(output);
		return 0;
	}
	if (ret == -EEXIST)
		is_there(output->path, err);
	else
		explain(output, ret, err);
	kmprof_output_directory_abort(output);
	return ret;
}

void kmprof_output_directory_abort(struct kmprof_output_directory *output)
{
	if (output->fd >= 0)
		for_each(output, remove_file);
	if (output->temporary)
		unlinkat(output->parent, output->temporary, AT_REMOVEDIR);
	release(output);
}
