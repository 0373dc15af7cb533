// SPDX-License-Identifier: GPL-2.0
/*
 * heap_labels=node: rows say on which NUMA node the memory is, with whatever other label there is,
 * whoever frees it. Its guest has two nodes.
 */
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kind.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

#define NODE_PARAMETER "/sys/module/kmprof_test/parameters/node"

enum { NODES = 2, CHAIN = 4, SIZE = 200, COUNT = 30, PAGES = 4, BIND = 2 /* MPOL_BIND */ };
enum { WITHOUT_NODE = 65536 };

STORE_FIXTURE(nodes, "heap_rate=1 heap=slab,percpu,vmalloc,page " GUEST_ROOMY);

static int run(FIXTURE_DATA(nodes) *self, unsigned int code, unsigned int node)
{
	struct kmprof_test_op op = {
		.op = code, .chain = CHAIN, .cpu = KMPROF_TEST_CPU_ANY, .size = SIZE,
		.method = KMPROF_TEST_KMALLOC_NODE_VARIABLE, .first = node * COUNT, .count = COUNT,
	};
	const char text[] = { '0' + node, 0 };

	return guest_write_file(NODE_PARAMETER, text) ?: order_run(self->store, &op);
}

/* Pages of the node that the memory policy of this task says. */
static int run_pages(FIXTURE_DATA(nodes) *self, unsigned int code, unsigned int node)
{
	struct kmprof_test_page op = {
		.op = code, .order = 1, .first = node * PAGES, .count = PAGES, .parts = 1,
	};
	unsigned long mask = 1UL << node;

	if (syscall(SYS_set_mempolicy, BIND, &mask, 8 * sizeof(mask)))
		return -1;
	return ioctl(self->store, KMPROF_TEST_IOC_PAGE, &op);
}

static int run_without_node(FIXTURE_DATA(nodes) *self, unsigned int code)
{
	struct kmprof_test_vmalloc op = { .op = code, .size = WITHOUT_NODE, .count = 1 };

	return ioctl(self->store, KMPROF_TEST_IOC_VMALLOC, &op);
}

/**
 * struct seen - what rows say of a node
 * @rows: of the chain's objects
 * @objects: allocated by the chain
 * @freed: of these
 * @pages: allocated by the test module
 */
struct seen {
	unsigned int rows;
	uint64_t objects;
	uint64_t freed;
	uint64_t pages;
};

static const char *const inner[] = { "__alloc_pages", "alloc_pages", "__get_free_pages", NULL };
static const struct kind page_kind = { KMPROF_KIND_PAGE, 'g', inner };

static void look(struct __test_metadata *_metadata, FIXTURE_DATA(nodes) *self, uint32_t labels,
		 struct seen seen[NODES])
{
	struct snapshot snapshot;
	uint32_t i;

	memset(seen, 0, NODES * sizeof(*seen));
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);
		const struct kmprof_image_label *label = snapshot_label(&snapshot, &sample->row);

		ASSERT_NE(NULL, label);
		EXPECT_EQ(labels, label->labels);
		if (sample->kind == KMPROF_KIND_PERCPU || sample->kind == KMPROF_KIND_VMALLOC) {
			EXPECT_EQ(KMPROF_NO_NODE, label->node);
			continue;
		}
		ASSERT_GT(NODES, label->node);
		if (sample->kind == KMPROF_KIND_PAGE) {
			if (kind_chain(&page_kind, &self->symbols, &snapshot, sample) == 0)
				seen[label->node].pages += sample->allocs;
		} else if (symbols_chain(&self->symbols, &snapshot, sample) == CHAIN) {
			seen[label->node].rows++;
			seen[label->node].objects += sample->allocs;
			seen[label->node].freed += sample->frees;
		}
	}
	snapshot_free(&snapshot);
}

static void expect_nodes(struct __test_metadata *_metadata, FIXTURE_DATA(nodes) *self,
			 uint32_t labels)
{
	struct seen seen[NODES];
	unsigned int node;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_LABELS, labels));
	ASSERT_EQ(0, guest_reset(self->dev));
	for (node = 0; node < NODES; node++) {
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, node));
		ASSERT_EQ(0, run_pages(self, KMPROF_TEST_ALLOC, node));
	}
	/* One node's objects are freed. */
	ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, 1));
	look(_metadata, self, labels, seen);
	for (node = 0; node < NODES; node++) {
		EXPECT_EQ(1, seen[node].rows);
		EXPECT_EQ(COUNT, seen[node].objects);
		EXPECT_EQ(node ? COUNT : 0, seen[node].freed);
		EXPECT_EQ(PAGES << 1, seen[node].pages);
		ASSERT_EQ(0, run_pages(self, KMPROF_TEST_FREE, node));
	}
	ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, 0));
}

/* Memory of each node, and such that has none, is in use while the report is made. */
static void expect_report(struct __test_metadata *_metadata, FIXTURE_DATA(nodes) *self)
{
	unsigned int node;
	char *text;

	ASSERT_EQ(0, run_without_node(self, KMPROF_TEST_ALLOC));
	for (node = 0; node < NODES; node++)
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, node));
	text = command_output("tools/kmprof report --by node");
	EXPECT_TRUE(text && strstr(text, " 0\n") && strstr(text, " 1\n") && strstr(text, "[none]"))
		TH_LOG("%s", text);
	free(text);
	for (node = 0; node < NODES; node++)
		ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, node));
	ASSERT_EQ(0, run_without_node(self, KMPROF_TEST_FREE));
}

TEST_F(nodes, are_told)
{
	ASSERT_EQ(0, access("/sys/devices/system/node/node1", F_OK))
		TH_LOG("the guest has one node: numa=fake=2 is missing on its command line");
	expect_nodes(_metadata, self, KMPROF_LABEL_NODE);
	EXPECT_TRUE(guest_debugfs_has("heap", "\n# heap_labels node\n"));
	EXPECT_TRUE(guest_debugfs_has("heap", "node 1\n"));
	expect_report(_metadata, self);
	expect_nodes(_metadata, self, KMPROF_HEAP_LABELS);
	expect_nodes(_metadata, self, KMPROF_LABEL_PID | KMPROF_LABEL_NODE);
	/* It is none of waits. */
	EXPECT_EQ(-EINVAL, guest_set(self->dev, KMPROF_SETTING_LABELS, KMPROF_LABEL_NODE));
}

TEST_HARNESS_MAIN
