/* SPDX-License-Identifier: GPL-2.0 */
/* Where the path of an output leads to, found out without trusting what others can plant. */
#ifndef KMPROF_UTIL_PLACE_H
#define KMPROF_UTIL_PLACE_H

#include "util/error.h"

/**
 * struct kmprof_place - where an output goes
 * @dir: the directory, open
 * @name: of the file in @dir: a regular file, or one that does not exist yet
 * @fd: open for writing if it is neither, but a pipe, a device or a descriptor of this
 *	process; else -1
 */
struct kmprof_place {
	int dir;
	char *name;
	int fd;
};

/**
 * kmprof_place_find() - find out where a path leads to
 * @place: filled in; released by kmprof_place_release()
 * @path: the path
 * @err: explanation
 *
 * Symbolic links as the last component are followed one by one, but not those in a
 * directory that everybody can write to, whatever fs.protected_symlinks says. There, a FIFO
 * has to belong to the caller or to root. A regular file is never opened: whoever replaces
 * @name by another file gets that one replaced.
 *
 * Return: 0 or a negative errno: EACCES for what is not to be trusted.
 */
int kmprof_place_find(struct kmprof_place *place, const char *path, struct kmprof_error *err);
void kmprof_place_release(struct kmprof_place *place);

#endif
