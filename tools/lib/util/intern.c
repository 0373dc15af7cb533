// SPDX-License-Identifier: GPL-2.0
/*
 * A balanced tree: unlike a hash table, it stays fast whatever the strings are. They can come
 * from an image that somebody has made.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "util/intern.h"

enum { FIRST_ROOM = 256 };

/**
 * struct node - a string in the tree
 * @text: the string
 * @index: its number
 */
struct node {
	char *text;
	size_t index;
};

static int by_text(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static int grow(struct kmprof_intern *intern)
{
	size_t room = intern->room ? intern->room * 2 : FIRST_ROOM;
	char **more = reallocarray(intern->string, room, sizeof(*more));

	if (!more)
		return -ENOMEM;
	intern->string = more;
	intern->room = room;
	return 0;
}

static struct node *new_node(const struct kmprof_intern *intern, const char *text)
{
	struct node *node = malloc(sizeof(*node));

	if (!node)
		return NULL;
	node->index = intern->nr;
	node->text = strdup(text);
	if (node->text)
		return node;
	free(node);
	return NULL;
}

static void free_node(void *node)
{
	free(((struct node *)node)->text);
	free(node);
}

__s64 kmprof_intern_add(struct kmprof_intern *intern, const char *text)
{
	struct node wanted = { .text = (char *)text }, *node, **found;

	found = tfind(&wanted, &intern->root, by_text);
	if (found)
		return (__s64)(*found)->index;
	if (intern->nr == intern->room && grow(intern))
		return -ENOMEM;
	node = new_node(intern, text);
	if (!node)
		return -ENOMEM;
	if (!tsearch(node, &intern->root, by_text)) {
		free_node(node);
		return -ENOMEM;
	}
	intern->string[intern->nr] = node->text;
	return (__s64)intern->nr++;
}

void kmprof_intern_release(struct kmprof_intern *intern)
{
	tdestroy(intern->root, free_node);
	free(intern->string);
	memset(intern, 0, sizeof(*intern));
}

__s64 kmprof_intern_number(struct kmprof_intern *intern, const char *text, bool *is_new)
{
	size_t before = intern->nr;
	__s64 number = kmprof_intern_add(intern, text);

	*is_new = intern->nr > before;
	return number;
}
