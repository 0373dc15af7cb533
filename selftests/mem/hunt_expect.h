/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session of kmprof leaks, the program itself, with cases of the catalogue: each leak is found,
 * by the case's own stack; no look-alike is accused, and nobody else is.
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

/**
 * struct hunt - a case of the catalogue in a session
 * @c: the case
 * @calls: of it, in each round
 * @found: out: leaks that are reported with the case's own functions on the stack
 */
struct hunt {
	struct kmprof_catalogue_case *c;
	unsigned int calls;
	unsigned int found;
};

/* The case whose function is on the stack; or NULL. */
static inline struct hunt *hunt_of(struct hunt *hunts, unsigned int nr, const char *leak,
				   const char *end)
{
	char function[80];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		snprintf(function, sizeof(function), " cat_%s__", hunts[i].c->name);
		if (hunt_has(leak, end, function))
			return &hunts[i];
	}
	return NULL;
}

/*
 * Is this leak due to one of the cases without being in its functions? Per-CPU memory that is lost
 * needs new chunks: the kernel's maps of these, which lie in vmalloc memory, are lost with it.
 */
static inline bool hunt_is_due(const struct hunt *hunts, unsigned int nr, const char *leak,
			       const char *end)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (hunts[i].c->kind == KMPROF_CATALOGUE_LEAK &&
		    hunts[i].c->memory == KMPROF_CATALOGUE_PERCPU)
			return hunt_has(leak, end, " pcpu_create_chunk+");
	return false;
}

/* The end of a report: a blank line, or NULL for the end of the text. */
static inline const char *hunt_end(const char *report)
{
	return strstr(report + 1, "\n\n");
}

/* Counts the leaks of each case. Returns the number of those that have nothing to do with any. */
static inline unsigned int hunt_count(const char *text, struct hunt *hunts, unsigned int nr)
{
	const char *leak = strstr(text, "\nLEAK"), *end;
	unsigned int others = 0, i;
	struct hunt *hunt;

	for (i = 0; i < nr; i++)
		hunts[i].found = 0;
	/* Behind leaks are stacks that grow: one of a case may follow the leak of another case. */
	for (; leak; leak = strstr(leak + 1, "\nLEAK")) {
		end = hunt_end(leak);
		hunt = hunt_of(hunts, nr, leak, end);
		if (hunt)
			hunt->found++;
		else if (!hunt_is_due(hunts, nr, leak, end))
			others++;
	}
	return others;
}

/* The command of a session with @options, to be freed. */
static inline char *hunt_command(const struct hunt *hunts, unsigned int nr, const char *options)
{
	char *command = NULL;
	unsigned int i;
	size_t size;
	FILE *text = open_memstream(&command, &size);

	if (!text)
		return NULL;
	fprintf(text, "tools/kmprof leaks -n 0 %s -- selftests/build/leak-case", options);
	for (i = 0; i < nr; i++)
		fprintf(text, " %s=%u", hunts[i].c->name, hunts[i].calls);
	fclose(text);
	return command;
}

/* A session with @options and these cases: each leak is found, and nothing else. */
static inline void hunt_expect(struct __test_metadata *_metadata, struct hunt *hunts,
			       unsigned int nr, const char *options)
{
	char *command = hunt_command(hunts, nr, options), *text;
	bool has_leak = false, is_leak;
	unsigned int i;
	int status;

	ASSERT_NE(NULL, command);
	text = command_run(command, &status);
	ASSERT_NE(NULL, text)
		TH_LOG("%s: said nothing", command);
	EXPECT_EQ(0, hunt_count(text, hunts, nr))
		TH_LOG("something else was accused:\n%s", text);
	for (i = 0; i < nr; i++) {
		is_leak = hunts[i].c->kind == KMPROF_CATALOGUE_LEAK;
		has_leak |= is_leak;
		EXPECT_EQ(is_leak, hunts[i].found > 0)
			TH_LOG("%s was %s:\n%s\n%s", hunts[i].c->name,
			       is_leak ? "missed" : "accused", command, text);
	}
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(has_leak ? HUNT_LEAK : 0, WEXITSTATUS(status))
		TH_LOG("%s:\n%s", command, text);
	free(text);
	free(command);
}

#endif /* HUNT_EXPECT_H */
