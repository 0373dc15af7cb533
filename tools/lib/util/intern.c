// SPDX-License-Identifier: GPL-2.0
/* A hash table with open addressing, at most half full. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/intern.h"

enum { FIRST_ROOM = 256 };

/* FNV-1a. */
static size_t hash(const char *text)
{
	__u64 h = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3ULL;
	return (size_t)(h ^ h >> 32);
}

/* Where a string is, or would go. */
static size_t *slot_of(const struct kmprof_intern *intern, const char *text)
{
	size_t i = hash(text) & (intern->slots - 1);

	while (intern->slot[i] && strcmp(intern->string[intern->slot[i] - 1], text))
		i = (i + 1) & (intern->slots - 1);
	return &intern->slot[i];
}

static int grow(struct kmprof_intern *intern)
{
	size_t room = intern->room ? intern->room * 2 : FIRST_ROOM, i;
	size_t *slot;
	char **more;

	more = realloc(intern->string, room * sizeof(*more));
	if (!more)
		return -ENOMEM;
	intern->string = more;
	slot = calloc(room * 2, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	free(intern->slot);
	intern->room = room;
	intern->slot = slot;
	intern->slots = room * 2;
	for (i = 0; i < intern->nr; i++)
		*slot_of(intern, intern->string[i]) = i + 1;
	return 0;
}

__s64 kmprof_intern_add(struct kmprof_intern *intern, const char *text)
{
	size_t *slot;

	if (intern->nr == intern->room && grow(intern))
		return -ENOMEM;
	slot = slot_of(intern, text);
	if (*slot)
		return (__s64)*slot - 1;
	intern->string[intern->nr] = strdup(text);
	if (!intern->string[intern->nr])
		return -ENOMEM;
	*slot = ++intern->nr;
	return (__s64)*slot - 1;
}

void kmprof_intern_release(struct kmprof_intern *intern)
{
	size_t i;

	for (i = 0; i < intern->nr; i++)
		free(intern->string[i]);
	free(intern->string);
	free(intern->slot);
	memset(intern, 0, sizeof(*intern));
}
