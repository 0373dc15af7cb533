// SPDX-License-Identifier: GPL-2.0
/*
 * Leaks of single objects of kmalloc() and what is built on it.
 */
#include <linux/hash.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "catalogue.h"

CATALOGUE_CALL(kmalloc)
{
	catalogue_forget(c, kmalloc(200, GFP_KERNEL));
}

CATALOGUE_CALL(kzalloc_sizes)
{
	static const size_t sizes[] = { 24, 100, 700, 3000 };

	catalogue_forget(c, kzalloc(sizes[n % ARRAY_SIZE(sizes)], GFP_KERNEL));
}

CATALOGUE_CALL(kstrdup)
{
	catalogue_forget(c, kstrdup("a name that its owner never gives back", GFP_KERNEL));
}

CATALOGUE_CALL(kmemdup)
{
	static const u8 settings[300];

	catalogue_forget(c, kmemdup(settings, sizeof(settings), GFP_KERNEL));
}

CATALOGUE_CALL(large)
{
	catalogue_forget(c, kmalloc(12288, GFP_KERNEL));
}

CATALOGUE_CALL(krealloc)
{
	void *array = NULL, *longer;
	size_t size;

	for (size = 64; size <= 1024; size *= 4) {
		longer = krealloc(array, size, GFP_KERNEL);
		if (!longer)
			break;
		array = longer;
	}
	catalogue_forget(c, array);
}

struct request {
	u32 number;
	void *buffer;
};

/* Every 100th request fails: it is freed, but not its buffer. */
CATALOGUE_CALL(error_path)
{
	struct request *request = catalogue_made(c, kmalloc(sizeof(*request), GFP_KERNEL));
	void *buffer;

	if (!request)
		return;
	request->number = n;
	request->buffer = kmalloc(512, GFP_KERNEL);
	buffer = catalogue_made(c, request->buffer);
	if (buffer && request->number % 100 == 99) {
		catalogue_kfree(c, request);
		catalogue_count(c, -1);
		catalogue_forget(c, buffer);
		return;
	}
	catalogue_kfree(c, buffer);
	catalogue_kfree(c, request);
}

enum { CHURN = 16, CHURN_PER_CALL = 4 };

static void *churning[CHURN];

/* One of 100 objects that come and go is not freed. */
CATALOGUE_CALL(churn_percent)
{
	unsigned int i, nr, slot;

	for (i = 0; i < CHURN_PER_CALL; i++) {
		nr = n * CHURN_PER_CALL + i;
		slot = hash_32(nr, 4);
		if (nr % 100 == 99 && churning[slot]) {
			catalogue_count(c, -1);
			catalogue_forget(c, churning[slot]);
		} else {
			catalogue_kfree(c, churning[slot]);
		}
		churning[slot] = catalogue_made(c, kmalloc(256, GFP_KERNEL));
	}
}

static void churn_percent_cleanup(struct catalogue_case *c)
{
	unsigned int i;

	for (i = 0; i < CHURN; i++) {
		catalogue_kfree(c, churning[i]);
		churning[i] = NULL;
	}
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(kmalloc, 100, "an object is forgotten"),
	CATALOGUE_LEAK(kzalloc_sizes, 100, "objects of several sizes are forgotten"),
	CATALOGUE_LEAK(kstrdup, 100, "a copy of a string is forgotten"),
	CATALOGUE_LEAK(kmemdup, 100, "a copy of a structure is forgotten"),
	CATALOGUE_LEAK(large, 100, "an object is forgotten that is larger than slabs have them"),
	CATALOGUE_LEAK(krealloc, 100, "an array that krealloc() has moved is forgotten"),
	CATALOGUE_LEAK(error_path, 1, "an error path, taken once in 100 calls, forgets a buffer"),
	CATALOGUE_LEAK(churn_percent, 4, "of 100 objects that come and go, one stays",
		       .cleanup = churn_percent_cleanup),
};

const struct catalogue_family catalogue_plain = {
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
