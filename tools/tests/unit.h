/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the unit tests share. Each program prints one "ok - NAME" or "not ok - NAME"
 * per test, for run.sh, and takes a directory as scratch space.
 */
#ifndef KMPROF_TESTS_UNIT_H
#define KMPROF_TESTS_UNIT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/util.h"

static const char *dir;
static bool good;

#define EXPECT(condition) do {						\
	if (!(condition)) {						\
		printf("# line %d: %s\n", __LINE__, #condition);	\
		good = false;						\
	}								\
} while (0)

static inline char *path_of(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static inline const char *file_with(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	if (!file || fputs(text, file) == EOF || fclose(file)) {
		perror(path_of(name));
		exit(1);
	}
	return path_of(name);
}

struct unit_test {
	const char *name;
	void (*run)(void);
};

/* Return: the exit status. */
static inline int run_tests(const struct unit_test *tests, size_t nr, int argc, char **argv)
{
	bool all = true;
	size_t i;

	if (argc != 2)
		return 2;
	dir = argv[1];
	for (i = 0; i < nr; i++) {
		good = true;
		tests[i].run();
		printf("%s - %s\n", good ? "ok" : "not ok", tests[i].name);
		all = all && good;
	}
	return all ? 0 : 1;
}

#endif
