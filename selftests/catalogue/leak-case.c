// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a case of the catalogue, as a command that leaks, or that does not: for what watches
 * commands. kmprof_catalogue.ko has to be loaded.
 *
 * Usage: leak-case NAME CALLS		run a case
 *	  leak-case --list [leak | lookalike]	the names
 *	  leak-case --about			names, kinds, and what the cases do
 *	  leak-case --settle			wait for what they do later
 *	  leak-case --cleanup [NAME]		free what a case has and has lost; default: all
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cases.h"

enum { EXIT_WRONG = 2 };

static int wrong(void)
{
	fprintf(stderr,
		"usage: leak-case NAME CALLS\n"
		"       leak-case --list [leak | lookalike] | --about | --settle | --cleanup [NAME]\n");
	return EXIT_WRONG;
}

static const char *kind_of(const struct kmprof_catalogue_case *c)
{
	return c->kind == KMPROF_CATALOGUE_LEAK ? "leak" : "lookalike";
}

static int list(int fd, const char *kind)
{
	struct kmprof_catalogue_case c;
	unsigned int i;
	int ret;

	for (i = 0; !(ret = cases_get(fd, i, &c)); i++)
		if (!kind || !strcmp(kind, kind_of(&c)))
			printf("%s\n", c.name);
	return ret == -ENOENT ? 0 : ret;
}

static int about(int fd)
{
	struct kmprof_catalogue_case c;
	unsigned int i;
	int ret;

	for (i = 0; !(ret = cases_get(fd, i, &c)); i++)
		printf("%-20s %-10s %s\n", c.name, kind_of(&c), c.about);
	return ret == -ENOENT ? 0 : ret;
}

static int find(int fd, const char *name, struct kmprof_catalogue_case *c)
{
	int ret = cases_find(fd, name, c);

	if (ret == -ENOENT)
		fprintf(stderr, "leak-case: %s: no such case; see leak-case --list\n", name);
	return ret;
}

static int cleanup(int fd, const char *name)
{
	struct kmprof_catalogue_case c;
	unsigned int i;
	int ret;

	if (name) {
		ret = find(fd, name, &c);
		return ret ?: cases_cleanup(fd, &c);
	}
	for (i = 0; !(ret = cases_get(fd, i, &c)); i++) {
		ret = cases_cleanup(fd, &c);
		if (ret)
			return ret;
	}
	return ret == -ENOENT ? 0 : ret;
}

static int run(int fd, const char *name, unsigned int calls)
{
	struct kmprof_catalogue_case c;
	int ret = find(fd, name, &c);

	return ret ?: cases_run(fd, &c, calls);
}

/* A number of calls; 0: it is none. */
static unsigned int calls_of(const char *text)
{
	char *end;
	unsigned long calls = strtoul(text, &end, 10);

	return *end || calls > KMPROF_CATALOGUE_MAX_CALLS ? 0 : calls;
}

static int is_kind(const char *text)
{
	return !strcmp(text, "leak") || !strcmp(text, "lookalike");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *which = argc > 2 ? argv[2] : NULL;
	int fd, ret;

	if (!strcmp(what, "--list") ? argc > 3 || (which && !is_kind(which)) :
	    !strcmp(what, "--cleanup") ? argc > 3 :
	    !strcmp(what, "--about") || !strcmp(what, "--settle") ? argc > 2 :
	    argc != 3 || *what == '-' || !calls_of(which))
		return wrong();

	fd = cases_open();
	if (fd < 0)
		return EXIT_FAILURE;
	if (!strcmp(what, "--list"))
		ret = list(fd, which);
	else if (!strcmp(what, "--about"))
		ret = about(fd);
	else if (!strcmp(what, "--settle"))
		ret = cases_settle(fd);
	else if (!strcmp(what, "--cleanup"))
		ret = cleanup(fd, which);
	else
		ret = run(fd, what, calls_of(which));
	return ret || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
