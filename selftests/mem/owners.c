// SPDX-License-Identifier: GPL-2.0
/*
 * On request, allocations are told apart by the name, the process and the cgroup of the task
 * that allocates. Whoever frees an object later, the free counts where the allocation does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/owner.h"

#define PARAMETER "/sys/module/kmprof/parameters/heap_labels"

enum { CHAIN = 3, SIZE = 200, COUNT = 50 };

/* Objects that each process allocates. */
static const unsigned int allocs[OWNERS] = { COUNT, 2 * COUNT };

STORE_FIXTURE(owners, "heap_rate=1 " GUEST_ROOMY);

static unsigned int first_of(unsigned int owner)
{
	return owner * 2 * COUNT;
}

/* In the child. The slots belong to the open file, which the parent has, too. */
static int allocate_as(const struct owner *owner, int store, unsigned int i)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .cpu = KMPROF_TEST_CPU_ANY,
		.method = KMPROF_TEST_KMALLOC_VARIABLE, .size = SIZE,
		.first = first_of(i), .count = allocs[i],
	};

	return owner_become(owner) || order_run(store, &op);
}

static void allocate(struct __test_metadata *_metadata, FIXTURE_DATA(owners) *self,
		     struct owner owners[OWNERS])
{
	unsigned int i;
	int status;

	for (i = 0; i < OWNERS; i++) {
		owners[i].pid = fork();
		ASSERT_LE(0, owners[i].pid);
		if (!owners[i].pid)
			_exit(allocate_as(&owners[i], self->store, i));
		ASSERT_EQ(owners[i].pid, waitpid(owners[i].pid, &status, 0));
		ASSERT_EQ(0, status);
	}
}

static void free_all(struct __test_metadata *_metadata, FIXTURE_DATA(owners) *self)
{
	unsigned int i;

	for (i = 0; i < OWNERS; i++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_FREE, .cpu = KMPROF_TEST_CPU_ANY,
			.first = first_of(i), .count = allocs[i],
		};

		ASSERT_EQ(0, order_run(self->store, &op));
	}
}

/**
 * struct found - rows of the chain
 * @rows: how many
 * @allocs: objects allocated
 * @frees: objects freed
 */
struct found {
	unsigned int rows;
	uint64_t allocs;
	uint64_t frees;
};

/* Those of an owner, or all if @owner is NULL. */
static struct found find(FIXTURE_DATA(owners) *self, const struct snapshot *snapshot,
			 uint32_t labels, const struct owner *owner)
{
	struct found found = { 0 };
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);

		if (symbols_chain(&self->symbols, snapshot, sample) != CHAIN)
			continue;
		if (owner && !owner_has(owner, snapshot_label(snapshot, &sample->row), labels))
			continue;
		found.rows++;
		found.allocs += sample->allocs;
		found.frees += sample->frees;
	}
	return found;
}

/* Expects of each owner exactly its objects in one row, and nothing in another row. */
static void expect_owners(struct __test_metadata *_metadata, FIXTURE_DATA(owners) *self,
			  uint32_t labels, const struct owner owners[OWNERS], int are_freed)
{
	struct snapshot snapshot;
	struct found found;
	unsigned int i;

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < OWNERS; i++) {
		found = find(self, &snapshot, labels, &owners[i]);
		EXPECT_EQ(1, found.rows);
		EXPECT_EQ(allocs[i], found.allocs);
		EXPECT_EQ(are_freed ? allocs[i] : 0, found.frees);
	}
	EXPECT_EQ(OWNERS, find(self, &snapshot, 0, NULL).rows);
	if (!_metadata->passed)
		snapshot_print_losses(&snapshot);
	snapshot_free(&snapshot);
}

/* The parent frees what the children have allocated; its own name is in no row. */
static void expect_labels(struct __test_metadata *_metadata, FIXTURE_DATA(owners) *self,
			  uint32_t labels, struct owner owners[OWNERS])
{
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_LABELS, labels));
	ASSERT_EQ(0, guest_reset(self->dev));
	allocate(_metadata, self, owners);
	expect_owners(_metadata, self, labels, owners, 0);
	free_all(_metadata, self);
	expect_owners(_metadata, self, labels, owners, 1);
}

/* The labels of waits are not those of allocations. */
TEST_F(owners, off_by_default)
{
	struct owner owners[OWNERS];
	struct snapshot snapshot;
	struct found found;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_LABELS, KMPROF_LABELS));
	memcpy(owners, owners_unborn, sizeof(owners));
	allocate(_metadata, self, owners);
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_EQ(0, snapshot.header->labels.count);
	/* The stacks of the two children are the same. */
	found = find(self, &snapshot, 0, NULL);
	EXPECT_EQ(1, found.rows);
	EXPECT_EQ(3 * COUNT, found.allocs);
	EXPECT_TRUE(guest_debugfs_has("heap", "\n# heap_labels none\n"));
	EXPECT_FALSE(guest_debugfs_has("heap", ", comm "));
	snapshot_free(&snapshot);
}

TEST_F(owners, comm_and_pid)
{
	static const uint32_t all[] = {
		KMPROF_LABEL_COMM, KMPROF_LABEL_PID, KMPROF_LABEL_COMM | KMPROF_LABEL_PID,
	};
	struct owner owners[OWNERS];
	char text[128];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		memcpy(owners, owners_unborn, sizeof(owners));
		expect_labels(_metadata, self, all[i], owners);
	}
	EXPECT_TRUE(guest_debugfs_has("heap", "\n# heap_labels comm,pid\n"));
	/* Behind the cache of the object. A name cannot control a terminal. */
	snprintf(text, sizeof(text), ", comm " OWNER_SHOWN_AS ", pid %d\n", owners[1].pid);
	EXPECT_TRUE(guest_debugfs_has("heap", text));
}

TEST_F(owners, cgroup)
{
	struct owner owners[OWNERS];

	memcpy(owners, owners_unborn, sizeof(owners));
	EXPECT_EQ(0, owners_make_cgroups(owners));
	if (_metadata->passed)
		expect_labels(_metadata, self, KMPROF_LABELS, owners);
	EXPECT_EQ(0, owners_remove_cgroups(owners));
}

/* In an interrupt the name of the task that it has interrupted says nothing. */
TEST_F(owners, interrupts)
{
	static const char *const names[] = {
		[KMPROF_TEST_SOFTIRQ] = "[softirq]", [KMPROF_TEST_HARDIRQ] = "[hardirq]",
	};
	struct owner nobody = { 0 };
	struct snapshot snapshot;
	struct found found;
	unsigned int context;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_LABELS, KMPROF_LABELS));
	for (context = KMPROF_TEST_SOFTIRQ;
	     context < order_contexts() && context <= KMPROF_TEST_HARDIRQ; context++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .context = context,
			.method = KMPROF_TEST_KMALLOC_VARIABLE, .size = SIZE, .count = COUNT,
		};

		ASSERT_EQ(0, guest_reset(self->dev));
		ASSERT_EQ(0, order_run(self->store, &op));
		op.op = KMPROF_TEST_FREE;
		ASSERT_EQ(0, order_run(self->store, &op));
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		nobody.comm = names[context];
		found = find(self, &snapshot, KMPROF_LABELS, &nobody);
		EXPECT_EQ(find(self, &snapshot, 0, NULL).rows, found.rows);
		EXPECT_EQ(COUNT, found.allocs);
		EXPECT_EQ(COUNT, found.frees);
		snapshot_free(&snapshot);
	}
}

TEST_F(owners, by_parameter)
{
	struct kmprof_setting_value setting;
	char text[32];

	ASSERT_EQ(0, guest_param("heap_labels", text, sizeof(text)));
	EXPECT_STREQ("none", text);
	ASSERT_EQ(0, guest_write_file(PARAMETER, "cgroup,comm"));
	ASSERT_EQ(0, guest_param("heap_labels", text, sizeof(text)));
	EXPECT_STREQ("comm,cgroup", text);
	EXPECT_EQ(-EINVAL, guest_write_file(PARAMETER, "comm,uid"));
	EXPECT_EQ(-EINVAL,
		  guest_set(self->dev, KMPROF_SETTING_HEAP_LABELS, KMPROF_HEAP_LABELS + 1));
	ASSERT_EQ(0, guest_get_setting(self->dev, KMPROF_SETTING_HEAP_LABELS, &setting));
	EXPECT_EQ(KMPROF_LABEL_COMM | KMPROF_LABEL_CGROUP, setting.value);
	ASSERT_EQ(0, guest_param("labels", text, sizeof(text)));
	EXPECT_STREQ("none", text);
	ASSERT_EQ(0, guest_write_file(PARAMETER, "none"));
}

TEST_HARNESS_MAIN
