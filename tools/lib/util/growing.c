// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/growing.h"

int kmprof_growing_reserve(struct kmprof_growing *g, size_t size)
{
	size_t room = g->room;
	char *more;

	while (!room || g->used + size > room)
		room = room ? 2 * room : 64;
	if (room > g->room) {
		more = realloc(g->bytes, room);
		if (!more)
			return -ENOMEM;
		g->bytes = more;
		g->room = room;
	}
	return 0;
}

int kmprof_growing_add(struct kmprof_growing *g, const void *bytes, size_t size)
{
	int ret = kmprof_growing_reserve(g, size);

	if (ret)
		return ret;
	if (size)
		memcpy(g->bytes + g->used, bytes, size);
	g->used += size;
	return 0;
}

int kmprof_growing_add_string(struct kmprof_growing *g, const char *text, size_t length, __u32 *at)
{
	const char end = '\0';
	int ret;

	if (g->used + length >= UINT32_MAX)
		return -E2BIG;
	*at = (__u32)g->used;
	ret = kmprof_growing_add(g, text, length);
	return ret ? ret : kmprof_growing_add(g, &end, 1);
}
