// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof leaks, the program itself, against a leak that the test module makes in each round:
 * it is found, by its stack, and nothing else is.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/settings.h"

#define LEAK_MORE	"/sys/module/kmprof_test/parameters/leak_more"
#define LEAKS		"tools/kmprof leaks "
/* By the shell itself: the only process in each round. */
#define LEAK_ONE	"sh -c 'echo 1024 >" LEAK_MORE "'"

enum { EXIT_LEAK = 3, RATE = 524288 };

FIXTURE(leaks) {
	int dev;
};

GUEST_SOURCE_VARIANTS(leaks);

FIXTURE_SETUP(leaks)
{
	ASSERT_EQ(0, guest_load(variant->source, "heap_rate=524288 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
}

FIXTURE_TEARDOWN(leaks)
{
	EXPECT_EQ(0, guest_write_file(LEAK_MORE, "0"));
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static char *output_of(struct __test_metadata *_metadata, const char *command, int *status)
{
	char *text = command_run(command, status);

	ASSERT_NE(NULL, text)
		TH_LOG("%s: no output, status %#x", command, *status);
	return text;
}

static uint64_t heap_rate(struct __test_metadata *_metadata, int dev)
{
	return value_of_setting(_metadata, dev, KMPROF_SETTING_HEAP_RATE);
}

/* The settings are those that the fixture has loaded the module with. */
static void expect_restored(struct __test_metadata *_metadata, int dev)
{
	EXPECT_EQ(RATE, heap_rate(_metadata, dev));
	EXPECT_EQ(KMPROF_HEAP_SLAB, value_of_setting(_metadata, dev, KMPROF_SETTING_HEAP));
}

static void expect_words(struct __test_metadata *_metadata, const char *text,
			 const char *const words[], unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		EXPECT_NE(NULL, strstr(text, words[i]))
			TH_LOG("'%s' is not in:\n%s", words[i], text);
}

/* Does kmemleak keep a record of each object? Then that is left behind with the object. */
static int is_recorded(void)
{
	return !access("/sys/kernel/debug/kmemleak", F_OK) &&
	       system("grep -qw kmemleak=off /proc/cmdline");
}

TEST_F(leaks, one_object_in_each_round)
{
	const char *const words[] = {
		is_recorded() ? "2 leaks, " : "1 leak, ",
		is_recorded() ? " __create_object+" : " kmprof_test_leak+",
		"LEAK: 1.00K per round", "one object per round",
		"grew in 8 of 8 rounds", "never freed: 100 %", "objects of 1024 bytes",
		" kmprof_test_leak+", " kmprof_test_leak_middle+", " kmprof_test_leak_outer+",
		"[kmprof_test]", "Kinds of memory: slab",
	};
	char *text;
	int status;

	if (harness_leaves_source(variant->source))
		return;
	text = output_of(_metadata, LEAKS LEAK_ONE, &status);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(EXIT_LEAK, WEXITSTATUS(status));
	expect_words(_metadata, text, words, ARRAY_SIZE(words));
	free(text);
	expect_restored(_metadata, self->dev);
}

TEST_F(leaks, no_leak)
{
	static const char *const words[] = { "ok 1 kmprof leaks sh -c", "# No leak" };
	char *text;
	int status;

	if (harness_leaves_source(variant->source))
		return;
	/* The same file is opened, but nothing is leaked. */
	text = output_of(_metadata, LEAKS "--ktap sh -c 'echo 0 >" LEAK_MORE "'", &status);
	EXPECT_EQ(0, status);
	expect_words(_metadata, text, words, ARRAY_SIZE(words));
	if (status)
		TH_LOG("%s", text);
	free(text);
	expect_restored(_metadata, self->dev);
}

/* Leaks of other kinds of memory than slab, and what looks like one. */
TEST_F(leaks, of_each_kind)
{
	static const struct {
		const char *command;
		int status;
		const char *words[3];
	} runs[] = {
		{ "percpu 2", EXIT_LEAK,
		  { "LEAK of percpu memory", "in 8 of 8 rounds", " cat_percpu__" } },
		{ "vmalloc 2", EXIT_LEAK,
		  { "LEAK of vmalloc memory: 24.0K per round", "in 8 of 8 rounds",
		    " cat_vmalloc__" } },
		{ "vmalloc_ring 20", 0, { "No leak", "percpu, vmalloc", "8 rounds" } },
	};
	char command[200], *text;
	unsigned int i;
	int status;

	if (harness_leaves_source(variant->source))
		return;
	ASSERT_EQ(0, guest_insmod("kmprof_catalogue", ""));
	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		snprintf(command, sizeof(command), LEAKS "selftests/build/leak-case %s",
			 runs[i].command);
		text = output_of(_metadata, command, &status);
		EXPECT_TRUE(WIFEXITED(status));
		EXPECT_EQ(runs[i].status, WEXITSTATUS(status))
			TH_LOG("%s:\n%s", runs[i].command, text);
		expect_words(_metadata, text, runs[i].words, ARRAY_SIZE(runs[i].words));
		free(text);
	}
	EXPECT_EQ(0, guest_rmmod("kmprof_catalogue"));
	expect_restored(_metadata, self->dev);
}

TEST_F(leaks, a_signal_puts_the_settings_back)
{
	enum { TRIES = 600, TRY_US = 50000 };
	int status, try = 0;
	pid_t pid;

	if (harness_leaves_source(variant->source))
		return;
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		execl("tools/kmprof", "kmprof", "leaks", "sleep", "1000", NULL);
		_exit(127);
	}
	while (heap_rate(_metadata, self->dev) != 1 && try++ < TRIES)
		usleep(TRY_US);
	EXPECT_EQ(1, heap_rate(_metadata, self->dev));
	EXPECT_EQ(0, kill(pid, SIGINT));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(SIGINT, WTERMSIG(status));
	expect_restored(_metadata, self->dev);
}

TEST_HARNESS_MAIN
