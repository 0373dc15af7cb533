// SPDX-License-Identifier: GPL-2.0
/*
 * Lets an allocation of a program, or of a library of it, fail, by LD_PRELOAD: as nomem.c does,
 * which asks jansson alone. Needs glibc.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nr, size_t size);
void *__libc_realloc(void *old, size_t size);

static unsigned long left;

static bool fails(void)
{
	const char *done = getenv("NOMEM_DONE");
	int fd;

	if (!left || --left)
		return false;
	fd = done ? open(done, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
	if (fd >= 0)
		close(fd);
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __libc_calloc(nr, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

/* What is allocated before, by the loader, is not counted. */
__attribute__((constructor))
static void begin(void)
{
	const char *nth = getenv("NOMEM_NTH");

	left = nth ? strtoul(nth, NULL, 10) : 0;
}
