/* SPDX-License-Identifier: GPL-2.0 */
/* What every kind of memory has to show: whole stacks, whoever traces its allocator. */
#ifndef KIND_EXPECT_H
#define KIND_EXPECT_H

#include <unistd.h>

#include "lib/harness.h"
#include "lib/kind.h"
#include "lib/tracer.h"

/* An image that keeps its promises. To be freed. */
static inline struct snapshot take(struct __test_metadata *_metadata, int dev)
{
	struct snapshot snapshot = { 0 };

	EXPECT_EQ(0, snapshot_take(dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	return snapshot;
}

/**
 * struct kind_orders - how to have objects of a kind in the test module
 * @kind: the kind
 * @dev: kmprof's device
 * @store: the test module's
 * @symbols: with those of the test module
 * @alloc: fills a slot through chain 0; returns 0 or a negative errno
 * @free: empties slots from 0 on
 */
struct kind_orders {
	const struct kind *kind;
	int dev;
	int store;
	const struct symbols *symbols;
	int (*alloc)(int store, unsigned int slot);
	int (*free)(int store, unsigned int count);
};

/* From the caller of the allocator to where the task has entered the kernel. */
static inline void expect_whole_stacks(struct __test_metadata *_metadata,
				       const struct kind_orders *orders)
{
	/* Twice: the second one is captured by rules, if the kernel has been asked before. */
	enum { OBJECTS = 2 };
	struct snapshot snapshot;
	const char *wrong;
	unsigned int i;

	for (i = 0; i < OBJECTS; i++) {
		ASSERT_EQ(0, orders->alloc(orders->store, i));
		usleep(100000);
	}
	snapshot = take(_metadata, orders->dev);
	wrong = kind_stacks_wrong(orders->kind, &snapshot, orders->symbols, OBJECTS);
	EXPECT_EQ(NULL, wrong)
		TH_LOG("%s", wrong);
	snapshot_free(&snapshot);
	EXPECT_EQ(0, orders->free(orders->store, OBJECTS));
}

/* What traces the allocator has frames of its own, and puts other return addresses. */
static inline void expect_whole_stacks_beside_tracers(struct __test_metadata *_metadata,
						      const struct kind_orders *orders)
{
	unsigned int i, tried = 0;

	for (i = TRACER_NR; i--;) {
		if (!tracer_is_there(&tracers[i]))
			continue;
		/* The last ones change most. */
		if (tried++ && guest_is_quick("whole stacks beside all tracers"))
			break;
		ASSERT_EQ(0, tracer_start(&tracers[i]));
		ASSERT_EQ(0, guest_reset(orders->dev));
		expect_whole_stacks(_metadata, orders);
		if (!_metadata->passed)
			TH_LOG("beside %s", tracers[i].name);
		ASSERT_EQ(0, tracer_stop(&tracers[i]));
	}
	EXPECT_LT(0, tried);
}

#endif /* KIND_EXPECT_H */
