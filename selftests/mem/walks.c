// SPDX-License-Identifier: GPL-2.0
/*
 * A walk by learned rules goes the way that the kernel's unwinder goes, frame by
 * frame, from everywhere on the machine where something is allocated or freed,
 * under hackbench and stress-ng, and while modules come and go.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/symbols.h"
#include "module/kmprof_test.h"

FIXTURE(walks) {
	int store;
	int load[2];
};

FIXTURE_SETUP(walks)
{
	ASSERT_EQ(0, guest_unload());
	ASSERT_EQ(0, guest_insmod("kmprof_test", ""));
	self->store = order_open();
	ASSERT_LE(0, self->store);
}

FIXTURE_TEARDOWN(walks)
{
	close(self->store);
	EXPECT_EQ(0, guest_unload());
}

static int walks_switch(const FIXTURE_DATA(walks) *self, int on,
			struct kmprof_test_walks *walks)
{
	*walks = (struct kmprof_test_walks){ .on = on };
	return ioctl(self->store, KMPROF_TEST_IOC_WALKS, walks) ? -errno : 0;
}

TEST_F_TIMEOUT(walks, go_where_the_kernels_go, 600)
{
	static const char *const hackbench[] = { "hackbench", "-g", "2", "-l", "100000000", NULL };
	static const char *const stress[] = {
		"stress-ng", "--dentry", "1", "--sock", "1", "--fork", "1", "--pipe", "1",
		"--timer", "1", "--mmap", "1", "--mmap-bytes", "4m",
		"--temp-path", "/tmp", "--timeout", "86400", NULL
	};
	unsigned int second, seconds = guest_effort(20);
	struct kmprof_test_walks walks;
	unsigned int i;

	ASSERT_EQ(0, walks_switch(self, 1, &walks));
	self->load[0] = guest_spawn(hackbench);
	self->load[1] = guest_spawn(stress);
	for (second = 0; second < seconds; second++) {
		sleep(1);
		/* Rules go with it, and are learned again. */
		if (second % 4 == 3 || second + 1 == seconds) {
			EXPECT_EQ(0, guest_insmod("kmprof", "heap_rate=0"));
			EXPECT_EQ(0, guest_rmmod("kmprof"));
		}
	}
	for (i = 0; i < 2; i++) {
		ASSERT_LT(0, self->load[i]);
		EXPECT_EQ(0, guest_stop(self->load[i]));
	}
	ASSERT_EQ(0, walks_switch(self, 0, &walks));
	TH_LOG("%llu walks, %llu of them not to the end of the stack, %llu wrong",
	       (unsigned long long)walks.walks,
	       (unsigned long long)(walks.walks - walks.whole),
	       (unsigned long long)walks.wrong);
	EXPECT_EQ(0, walks.wrong);
	EXPECT_LT(1000, walks.walks);
	EXPECT_LT(walks.walks / 2, walks.whole);
}

TEST_F(walks, are_begun_and_ended_once)
{
	struct kmprof_test_walks walks;

	EXPECT_EQ(-EINVAL, walks_switch(self, 0, &walks));
	ASSERT_EQ(0, walks_switch(self, 1, &walks));
	EXPECT_EQ(-EBUSY, walks_switch(self, 1, &walks));
	EXPECT_EQ(0, walks_switch(self, 0, &walks));
}

TEST_F(walks, read_what_is_not_there_as_nothing)
{
	struct kmprof_test_walks walks;

	ASSERT_EQ(0, walks_switch(self, 1, &walks));
	EXPECT_EQ(0, walks.misread);
	EXPECT_EQ(0, walks_switch(self, 0, &walks));
}

/*
 * A trampoline stands in for a return address: where the caller's frame is does not follow
 * from the trampoline's address. But the kernel's unwinder, asked for one step, may have an
 * answer: of the code before the trampoline, or of the frame that the trampoline makes up.
 */
TEST_F(walks, do_not_believe_trampolines)
{
	enum { UNWIND_OTHER = 5 };	/* enum kmprof_unwind_kind */
	enum { BYTES = 32 };	/* all of them are longer */
	/* A kernel has one of the last two. The first one is none: it has rules. */
	static const char *const functions[] = {
		"vfs_read", "return_to_handler", "arch_rethook_trampoline",
		"__kretprobe_trampoline",
	};
	struct kmprof_test_walks walks;
	unsigned int i, offset, seen = 0;
	struct symbols symbols;
	char *tracers;

	ASSERT_EQ(0, guest_read_file("/sys/kernel/tracing/available_tracers", &tracers, NULL));
	ASSERT_EQ(0, symbols_load(&symbols));
	ASSERT_EQ(0, walks_switch(self, 1, &walks));
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		const struct symbol *symbol = symbols_by_name(&symbols, functions[i]);
		unsigned int refused = 0;

		if (!symbol)
			continue;
		seen++;
		for (offset = 0; offset < BYTES; offset++) {
			struct kmprof_test_rule rule = { .ip = symbol->address + offset };

			ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_RULE, &rule));
			refused += rule.kind == UNWIND_OTHER;
		}
		if (!i) {
			EXPECT_GT(BYTES / 2, refused);
			continue;
		}
		EXPECT_EQ(BYTES, refused)
			TH_LOG("%s", functions[i]);
	}
	/* return_to_handler() belongs to a tracer that not every kernel has. */
	EXPECT_EQ(strstr(tracers, "function_graph") ? 3 : 2, seen);
	EXPECT_EQ(0, walks_switch(self, 0, &walks));
	symbols_free(&symbols);
	free(tracers);
}

TEST_HARNESS_MAIN
