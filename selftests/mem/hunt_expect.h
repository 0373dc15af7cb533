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

/* Every leak that is reported is one of this case: its functions are on the stack. */
static inline bool hunt_accuses_alone(const char *text, const char *name)
{
	const char *leak = strstr(text, "\nLEAK"), *next;
	char function[80];

	snprintf(function, sizeof(function), " cat_%s__", name);
	for (; leak; leak = next) {
		const char *found = strstr(leak, function);

		next = strstr(leak + 1, "\nLEAK");
		if (!found || (next && found > next))
			return false;
	}
	return true;
}

/* A session with @options, of @calls of the case in each round. */
static inline void hunt_expect(struct __test_metadata *_metadata,
			       const struct kmprof_catalogue_case *c, const char *options,
			       unsigned int calls)
{
	const bool is_leak = c->kind == KMPROF_CATALOGUE_LEAK;
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
	EXPECT_TRUE(hunt_accuses_alone(text, c->name))
		TH_LOG("%s: something else was accused:\n%s", c->name, text);
	if (is_leak)
		EXPECT_NE(NULL, strstr(text, "\nLEAK"));
	free(text);
}

#endif /* HUNT_EXPECT_H */
