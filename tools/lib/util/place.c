// SPDX-License-Identifier: GPL-2.0
/*
 * Follows a path to the directory and the name that an output gets. The last component is
 * looked at through descriptors only, so that it is what has been checked that is used.
 *
 * The rule for symbolic links and FIFOs is that of may_follow_link() and
 * may_create_in_sticky() of fs/namei.c, but is stricter and does not depend on the settings
 * of the machine: a directory that everybody can write to need not be sticky, and a link
 * there is not followed even if it belongs to the caller. That owner says little: with
 * fs.protected_hardlinks=0, anybody can give a link of root another name there.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "util/place.h"

enum {
	LINKS_MOST	= 40,	/* as many as the kernel follows */
	FIRST_FD	= 3,
};

/**
 * struct search - a path on the way to its place
 * @place: so far
 * @path: as the user has given it
 * @is_public: whether everybody can write to the directory
 * @target: of the last symbolic link
 * @err: explanation
 */
struct search {
	struct kmprof_place *place;
	const char *path;
	bool is_public;
	char target[PATH_MAX];
	struct kmprof_error *err;
};

static int failed(const struct search *s, int e)
{
	return kmprof_error_set(s->err, -e, NULL, "%s: %s", s->path, strerror(e));
}

/* Goes on to the directory and the name of @path, which is seen from the present directory. */
static int enter(struct search *s, const char *path)
{
	struct kmprof_place *place = s->place;
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char *before, *copy;
	struct stat st;
	int dir, e;

	if (!*name)
		return failed(s, slash ? EISDIR : ENOENT);
	copy = strdup(name);
	before = slash ? strndup(path, (size_t)(name - path)) : strdup(".");
	if (!copy || !before) {
		e = ENOMEM;
		goto err_free;
	}
	dir = openat(place->dir, before, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		e = errno;
		goto err_free;
	}
	if (fstat(dir, &st)) {
		e = errno;
		goto err_close;
	}
	free(before);
	kmprof_place_release(place);
	place->dir = dir;
	place->name = copy;
	s->is_public = st.st_mode & 0002;
	return 0;

err_close:
	close(dir);
err_free:
	free(before);
	free(copy);
	return failed(s, e);
}

static int check_link(const struct search *s)
{
	if (!s->is_public)
		return 0;
	return kmprof_error_set(s->err, -EACCES,
		"somebody else may have put it there: name the file that it leads to, or remove it",
		"%s: a symbolic link in a directory that everybody can write to", s->path);
}

static int check_fifo(const struct search *s, const struct stat *st)
{
	if (!s->is_public || st->st_uid == geteuid() || !st->st_uid)
		return 0;
	return kmprof_error_set(s->err, -EACCES,
		"its owner would get the profile: make one of your own, or write elsewhere",
		"%s: somebody else's FIFO in a directory that everybody can write to", s->path);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * /dev/stdout and /dev/fd/N lead to links of /proc that have no target as text. A
 * descriptor of this process is used as it is: its position, and that it appends, stay.
 */
static bool is_own_descriptor(const struct search *s)
{
	struct stat st, own;

	return isdigit((unsigned char)*s->place->name) && !fstat(s->place->dir, &st) &&
	       !stat("/proc/self/fd", &own) && is_same(&st, &own);
}

/* Nobody can plant a link in /proc, and only the kernel knows what it leads to. */
static int open_proc(const struct search *s)
{
	struct kmprof_place *place = s->place;
	struct stat st;

	if (is_own_descriptor(s))
		place->fd = fcntl(atoi(place->name), F_DUPFD_CLOEXEC, FIRST_FD);
	else
		place->fd = openat(place->dir, place->name, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (place->fd < 0 || fstat(place->fd, &st))
		return failed(s, errno);
	if (!S_ISREG(st.st_mode) || is_own_descriptor(s))
		return 0;
	return kmprof_error_set(s->err, -EINVAL, "name the file itself",
				"%s: a regular file that something else has open", s->path);
}

/* What is neither a regular file nor a link, and not by the time it is open. */
static int open_special(const struct search *s, const struct stat *st)
{
	struct kmprof_place *place = s->place;
	struct stat opened;
	int ret;

	if (S_ISFIFO(st->st_mode)) {
		ret = check_fifo(s, st);
		if (ret)
			return ret;
	}
	place->fd = openat(place->dir, place->name,
			   O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	if (place->fd < 0 || fstat(place->fd, &opened))
		return failed(s, errno);
	if (is_same(&opened, st))
		return 0;
	return kmprof_error_set(s->err, -EACCES, "try again",
				"%s: another file took its place meanwhile", s->path);
}

/* Return: 1: @target has been filled in; 0: it is open; or a negative errno. */
static int follow(struct search *s, int link)
{
	struct statfs fs;
	ssize_t n;
	int ret;

	if (fstatfs(link, &fs))
		return failed(s, errno);
	if (fs.f_type == PROC_SUPER_MAGIC)
		return open_proc(s);
	ret = check_link(s);
	if (ret)
		return ret;
	n = readlinkat(link, "", s->target, sizeof(s->target));
	if (n < 0 || n == sizeof(s->target))
		return failed(s, n < 0 ? errno : ENAMETOOLONG);
	s->target[n] = '\0';
	return 1;
}

/* Return: as follow(). */
static int look(struct search *s)
{
	struct stat st;
	int fd, ret = 0;

	fd = openat(s->place->dir, s->place->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : failed(s, errno);
	if (fstat(fd, &st))
		ret = failed(s, errno);
	else if (S_ISDIR(st.st_mode))
		ret = failed(s, EISDIR);
	else if (S_ISLNK(st.st_mode))
		ret = follow(s, fd);
	else if (!S_ISREG(st.st_mode))
		ret = open_special(s, &st);
	close(fd);
	return ret;
}

int kmprof_place_find(struct kmprof_place *place, const char *path, struct kmprof_error *err)
{
	struct search s = { .place = place, .path = path, .err = err };
	int ret, links = 0;

	*place = (struct kmprof_place){ .dir = AT_FDCWD, .fd = -1 };
	ret = enter(&s, path);
	while (!ret) {
		ret = look(&s);
		if (ret <= 0)
			break;
		ret = links++ < LINKS_MOST ? enter(&s, s.target) : failed(&s, ELOOP);
	}
	if (ret)
		kmprof_place_release(place);
	return ret;
}

void kmprof_place_release(struct kmprof_place *place)
{
	if (place->dir >= 0)
		close(place->dir);
	if (place->fd >= 0)
		close(place->fd);
	free(place->name);
	*place = (struct kmprof_place){ .dir = AT_FDCWD, .fd = -1 };
}
