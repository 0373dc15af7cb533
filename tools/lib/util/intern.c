// SPDX-License-Identifier: GPL-2.0
/*
 * A balanced tree: unlike a hash table, it stays fast whatever the strings are. They can come
 * from an image that somebody has made. There can be as many as an image has addresses, so a
 * string costs its text and 20 bytes: texts lie one behind the other in blocks, and links of the
 * tree are numbers.
 *
 * It is an AA tree (Andersson 1993). Each node has a level: a left child is one below its parent, a
 * right child is not above it, and a right child's right child is below it.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/intern.h"

enum {
	FIRST_ROOM	= 256,
	BLOCK_SIZE	= 16384,
};

/**
 * struct kmprof_intern_link - a string's place in the tree
 * @left: 1 + the number of a string that comes before it; 0: none
 * @right: the same, behind it
 * @level: at least 1; 0: it is none, that is the first link
 */
struct kmprof_intern_link {
	__u32 left, right;
	__u32 level;
};

/**
 * struct kmprof_intern_block - texts
 * @next: the block before it
 * @text: they, each with its NUL
 */
struct kmprof_intern_block {
	struct kmprof_intern_block *next;
	char text[];
};

static int grow(struct kmprof_intern *intern)
{
	size_t room = intern->room ? intern->room * 2 : FIRST_ROOM;
	struct kmprof_intern_link *link;
	char **string;

	if (room > UINT32_MAX)
		return -ENOMEM;
	string = reallocarray(intern->string, room, sizeof(*string));
	if (!string)
		return -ENOMEM;
	intern->string = string;
	link = reallocarray(intern->link, room + 1, sizeof(*link));
	if (!link)
		return -ENOMEM;
	memset(link, 0, sizeof(*link));
	intern->link = link;
	intern->room = room;
	return 0;
}

static char *copy(struct kmprof_intern *intern, const char *text)
{
	size_t size = strlen(text) + 1, room = size < BLOCK_SIZE ? BLOCK_SIZE : size;
	struct kmprof_intern_block *block;
	char *to;

	if (size > intern->left) {
		block = malloc(sizeof(*block) + room);
		if (!block)
			return NULL;
		block->next = intern->block;
		intern->block = block;
		intern->free = block->text;
		intern->left = room;
	}
	to = memcpy(intern->free, text, size);
	intern->free += size;
	intern->left -= size;
	return to;
}

/* Return: 1 + the number of a string; 0: it is not there. */
static __u32 find(const struct kmprof_intern *intern, const char *text)
{
	__u32 at = intern->root;
	int order;

	while (at) {
		order = strcmp(text, intern->string[at - 1]);
		if (!order)
			break;
		at = order < 0 ? intern->link[at].left : intern->link[at].right;
	}
	return at;
}

/* A left child of the same level becomes the parent. */
static __u32 skew(struct kmprof_intern_link *link, __u32 at)
{
	__u32 left = link[at].left;

	if (link[left].level != link[at].level)
		return at;
	link[at].left = link[left].right;
	link[left].right = at;
	return left;
}

/* The one in the middle of three of the same level rises. */
static __u32 split(struct kmprof_intern_link *link, __u32 at)
{
	__u32 right = link[at].right;

	if (link[link[right].right].level != link[at].level)
		return at;
	link[at].right = link[right].left;
	link[right].left = at;
	link[right].level++;
	return right;
}

/* The tree is less than 64 deep. Return: its new root. */
static __u32 insert(struct kmprof_intern *intern, __u32 at, __u32 new)
{
	struct kmprof_intern_link *link = intern->link;

	if (!at)
		return new;
	if (strcmp(intern->string[new - 1], intern->string[at - 1]) < 0)
		link[at].left = insert(intern, link[at].left, new);
	else
		link[at].right = insert(intern, link[at].right, new);
	return split(link, skew(link, at));
}

__s64 kmprof_intern_add(struct kmprof_intern *intern, const char *text)
{
	__u32 at = find(intern, text);
	char *string;

	if (at)
		return at - 1;
	if (intern->nr == intern->room && grow(intern))
		return -ENOMEM;
	string = copy(intern, text);
	if (!string)
		return -ENOMEM;
	intern->string[intern->nr++] = string;
	at = (__u32)intern->nr;
	intern->link[at] = (struct kmprof_intern_link){ .level = 1 };
	intern->root = insert(intern, intern->root, at);
	return at - 1;
}

static void order_below(const struct kmprof_intern *intern, __u32 at, __u32 *place, __u32 *next)
{
	if (!at)
		return;
	order_below(intern, intern->link[at].left, place, next);
	place[at - 1] = (*next)++;
	order_below(intern, intern->link[at].right, place, next);
}

void kmprof_intern_order(const struct kmprof_intern *intern, __u32 *place)
{
	__u32 next = 0;

	order_below(intern, intern->root, place, &next);
}

void kmprof_intern_release(struct kmprof_intern *intern)
{
	struct kmprof_intern_block *block = intern->block, *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
	free(intern->string);
	free(intern->link);
	memset(intern, 0, sizeof(*intern));
}

__s64 kmprof_intern_number(struct kmprof_intern *intern, const char *text, bool *is_new)
{
	size_t before = intern->nr;
	__s64 number = kmprof_intern_add(intern, text);

	*is_new = intern->nr > before;
	return number;
}
