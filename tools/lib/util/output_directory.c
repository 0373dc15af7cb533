// SPDX-License-Identifier: GPL-2.0
/* As a file of util/output.h: made beside its place, and renamed when complete and on disk. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/output.h"
#include "util/output_directory.h"
#include "util/temporary.h"
#include "util/write_all.h"

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

/*
 * Calls @each for what is in a directory, whose descriptor is closed. Return: 0, or the first
 * negative errno that it has returned.
 */
static int visit(int fd, int (*each)(int dir, const char *name))
{
	const struct dirent *entry;
	DIR *dir = fdopendir(fd);
	int ret = 0;

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

static int refuse(int dir, const char *name)
{
	(void)dir;
	(void)name;
	return -EEXIST;
}

/* A directory that does not appear until it is complete would fail only then. */
static int check_free(const struct kmprof_output_directory *output)
{
	int fd = openat(output->parent, output->name, OPEN_DIRECTORY);

	if (fd < 0)
		return errno == ENOENT ? 0 : -EEXIST;
	return visit(fd, refuse);
}

static int create(int dir, const char *name)
{
	int fd, ret;

	if (mkdirat(dir, name, 0700))
		return -errno;
	fd = openat(dir, name, OPEN_DIRECTORY);
	if (fd >= 0)
		return fd;
	ret = -errno;
	unlinkat(dir, name, AT_REMOVEDIR);
	return ret;
}

int kmprof_output_directory_open(struct kmprof_output_directory *output, const char *path,
				 struct kmprof_error *err)
{
	int ret;

	*output = (struct kmprof_output_directory){ .path = path, .parent = -1, .fd = -1 };
	ret = split(output);
	if (!ret)
		ret = check_free(output);
	if (!ret) {
		output->fd = kmprof_temporary_make(&output->temporary, output->parent, create);
		ret = output->fd < 0 ? output->fd : 0;
	}
	if (!ret)
		return 0;
	if (ret == -EEXIST)
		is_there(path, err);
	else
		explain(output, ret, err);
	kmprof_output_directory_abort(output);
	return ret;
}

int kmprof_output_directory_append(const struct kmprof_output_directory *output, const char *name,
				   const void *bytes, size_t size, struct kmprof_error *err)
{
	int fd, ret;

	fd = openat(output->fd, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	ret = fd < 0 ? -errno : kmprof_write_all(fd, bytes, size);
	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	return ret ? explain(output, ret, err) : 0;
}

static int visit_files(const struct kmprof_output_directory *output,
		       int (*each)(int dir, const char *name))
{
	int fd = openat(output->fd, ".", OPEN_DIRECTORY);

	return fd < 0 ? -errno : visit(fd, each);
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

	ret = visit_files(output, sync_file);
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
		visit_files(output, remove_file);
	if (output->temporary)
		unlinkat(output->parent, output->temporary, AT_REMOVEDIR);
	release(output);
}
