/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session of kmprof leaks, the program itself, with a case of the catalogue: a leak is found, by
 * the case's own stack; a look-alike is not accused, and nobody else is.
 */
#ifndef HUNT_EXPECT_H
#define HUNT_EXPECT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "module/kmprof_catalogue.h"

enum { HUNT_LEAK = 3 /* exit status */ };

/* Has the report of a leak, up to @end, this function on the stack? NULL: up to the end. */
static inline bool hunt_has(const char *leak, const char *end, const char *function)
{
	const char *found = strstr(leak, function);

	return found && (!end || found < end);
}

/*
 * Counts the leaks that are reported with the case's own functions on the stack, and in @others
 * those that have nothing to do with it. Per-CPU memory that is lost needs new chunks: the kernel's
 * maps of these, which lie in vmalloc memory, are lost with it.
 */
static inline unsigned int hunt_count(const char *text, const struct kmprof_catalogue_case *c,
				      unsigned int *others)
{
	const char *leak = strstr(text, "\nLEAK"), *next;
	unsigned int own = 0;
	char function[80];

	snprintf(function, sizeof(function), " cat_%s__", c->name);
	*others = 0;
	for (; leak; leak = next) {
		next = strstr(leak + 1, "\nLEAK");
		if (hunt_has(leak, next, function))
			own++;
		else if (c->memory != KMPROF_CATALOGUE_PERCPU ||
			 !hunt_has(leak, next, " pcpu_create_chunk+"))
			++*others;
	}
	return own;
}

/* A session with @options, of @calls of the case in each round. */
static inline void hunt_expect(struct __test_metadata *_metadata,
			       const struct kmprof_catalogue_case *c, const char *options,
			       unsigned int calls)
{
	const bool is_leak = c->kind == KMPROF_CATALOGUE_LEAK;
	unsigned int own, others;
	char command[200], *text;
	int status;

	snprintf(command, sizeof(command),
		 "tools/kmprof leaks %s -- selftests/build/leak-case %s %u", options, c->name,
		 calls);
	text = command_run(command, &status);
	ASSERT_NE(NULL, text);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(is_leak ? HUNT_LEAK : 0, WEXITSTATUS(status))
		TH_LOG("%s %s:\n%s", c->name, is_leak ? "was missed" : "was accused", text);
	own = hunt_count(text, c, &others);
	EXPECT_EQ(0, others)
		TH_LOG("%s: something else was accused:\n%s", c->name, text);
	EXPECT_EQ(is_leak, own > 0)
		TH_LOG("%s:\n%s", c->name, text);
	free(text);
}

#endif /* HUNT_EXPECT_H */
