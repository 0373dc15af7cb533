/* SPDX-License-Identifier: GPL-2.0 */
/* Names for what is made beside its place until it is complete. */
#ifndef KMPROF_UTIL_TEMPORARY_H
#define KMPROF_UTIL_TEMPORARY_H

/**
 * kmprof_temporary_make() - make something by a name that nobody has guessed, or has by chance
 * @name: out: the name, to be freed; NULL after a failure
 * @dir: the directory, open
 * @make: makes it; returns a descriptor or a negative errno, -EEXIST to try another name
 *
 * Return: what @make has returned, or another negative errno.
 */
int kmprof_temporary_make(char **name, int dir, int (*make)(int dir, const char *name));

#endif
