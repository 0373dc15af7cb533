// SPDX-License-Identifier: GPL-2.0
/*
 * Lets an allocation of jansson fail, by LD_PRELOAD:
 *
 *	NOMEM_NTH=NUMBER	of that number, from 1 on; the others succeed
 *	NOMEM_DONE=FILE		is made when it has failed
 *
 * jansson allocates to make values, and again to write them.
 */
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long left;

static void *allocate(size_t size)
{
	const char *done = getenv("NOMEM_DONE");
	int fd;

	if (!left || --left)
		return malloc(size);
	fd = done ? open(done, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
	if (fd >= 0)
		close(fd);
	return NULL;
}

__attribute__((constructor))
static void begin(void)
{
	const char *nth = getenv("NOMEM_NTH");

	left = nth ? strtoul(nth, NULL, 10) : 0;
	json_set_alloc_funcs(allocate, free);
}
