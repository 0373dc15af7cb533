// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a case of the catalogue, as a command that leaks, or that does not: for what watches
 * commands. kmprof_catalogue.ko has to be loaded.
 *
 * Usage: leak-case NAME CALLS [MS]	run a case; with MS every so many milliseconds, until it is
 *						killed
 *	  leak-case NAME=CALLS...		run cases, one after the other
 *	  leak-case --list [WORD...]		the names of those that all words fit: leak or
 *						lookalike; slab, percpu, vmalloc or page; or,
 *						instead of slab, which is the default: all
 *	  leak-case --about			names, kinds, memory, and what the cases do
 *	  leak-case --settle			wait for what they do later
 *	  leak-case --cleanup [NAME]		free what a case has and has lost; default: all
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/cases.h"

enum { EXIT_WRONG = 2, MAX_MS = 60000 };

static int wrong(void)
{
	fprintf(stderr,
		"usage: leak-case NAME CALLS [MS]\n"
		"       leak-case NAME=CALLS...\n"
		"       leak-case --list [leak | lookalike] [slab | percpu | vmalloc | page | all]\n"
		"       leak-case --about | --settle | --cleanup [NAME]\n");
	return EXIT_WRONG;
}

static const char *const kinds[] = {
	[KMPROF_CATALOGUE_LEAK] = "leak",
	[KMPROF_CATALOGUE_LOOKALIKE] = "lookalike",
};

static const char *const memories[] = {
	[KMPROF_CATALOGUE_SLAB] = "slab",
	[KMPROF_CATALOGUE_PERCPU] = "percpu",
	[KMPROF_CATALOGUE_VMALLOC] = "vmalloc",
	[KMPROF_CATALOGUE_PAGE] = "page",
};

/* What --list shows: the values of kind and memory, or ANY. */
enum { ANY = -1 };

struct choice {
	int kind;
	int memory;
};

/* False: the word chooses nothing. */
static bool choose(struct choice *choice, const char *word)
{
	int i;

	for (i = KMPROF_CATALOGUE_LEAK; i <= KMPROF_CATALOGUE_LOOKALIKE; i++) {
		if (!strcmp(word, kinds[i])) {
			choice->kind = i;
			return true;
		}
	}
	for (i = KMPROF_CATALOGUE_SLAB; i <= KMPROF_CATALOGUE_PAGE; i++) {
		if (!strcmp(word, memories[i])) {
			choice->memory = i;
			return true;
		}
	}
	choice->memory = ANY;
	return !strcmp(word, "all");
}

static int list(int fd, const struct choice *choice)
{
	struct kmprof_catalogue_case c;
	unsigned int i;
	int ret;

	for (i = 0; !(ret = cases_get(fd, i, &c)); i++)
		if ((choice->kind == ANY || choice->kind == (int)c.kind) &&
		    (choice->memory == ANY || choice->memory == (int)c.memory))
			printf("%s\n", c.name);
	return ret == -ENOENT ? 0 : ret;
}

static int about(int fd)
{
	struct kmprof_catalogue_case c;
	unsigned int i;
	int ret;

	for (i = 0; !(ret = cases_get(fd, i, &c)); i++)
		printf("%-20s %-10s %-8s %s\n", c.name, kinds[c.kind], memories[c.memory],
		       c.about);
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

/* To the beginning of the next run, however long the last one has taken. */
static int sleep_until(struct timespec *next, unsigned int ms)
{
	next->tv_sec += ms / 1000;
	next->tv_nsec += ms % 1000 * 1000000;
	if (next->tv_nsec >= 1000000000) {
		next->tv_sec++;
		next->tv_nsec -= 1000000000;
	}
	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

static int run(int fd, const char *name, unsigned int calls, unsigned int ms)
{
	struct kmprof_catalogue_case c;
	struct timespec next;
	int ret = find(fd, name, &c);

	clock_gettime(CLOCK_MONOTONIC, &next);
	if (!ret)
		ret = cases_run(fd, &c, calls);
	while (!ret && ms) {
		ret = sleep_until(&next, ms);
		if (!ret)
			ret = cases_run(fd, &c, calls);
	}
	return ret;
}

/* A number from 1 to @most; 0: it is none. */
static unsigned int number_of(const char *text, unsigned int most)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	return *end || number > most ? 0 : (unsigned int)number;
}

/* Of a word NAME=CALLS, the number; 0: it is none. */
static unsigned int calls_of(const char *word)
{
	const char *sign = *word == '-' ? NULL : strchr(word, '=');

	return sign ? number_of(sign + 1, KMPROF_CATALOGUE_MAX_CALLS) : 0;
}

static bool are_several(char **words)
{
	bool are = *words;

	for (; *words && are; words++)
		are = calls_of(*words);
	return are;
}

static int run_several(int fd, char **words)
{
	unsigned int calls;
	int ret = 0;

	for (; *words && !ret; words++) {
		calls = calls_of(*words);
		*strchr(*words, '=') = '\0';
		ret = run(fd, *words, calls, 0);
	}
	return ret;
}

static bool is_run(int argc, char **argv)
{
	return (argc == 3 || argc == 4) && *argv[1] != '-' &&
	       number_of(argv[2], KMPROF_CATALOGUE_MAX_CALLS) &&
	       (argc == 3 || number_of(argv[3], MAX_MS));
}

/* The words behind --list. False: one of them is wrong. */
static bool choose_all(struct choice *choice, char **words)
{
	for (; *words; words++)
		if (!choose(choice, *words))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *which = argc > 2 ? argv[2] : NULL;
	struct choice choice = { .kind = ANY, .memory = KMPROF_CATALOGUE_SLAB };
	int fd, ret;

	if (!strcmp(what, "--list") ? !choose_all(&choice, argv + 2) :
	    !strcmp(what, "--cleanup") ? argc > 3 :
	    !strcmp(what, "--about") || !strcmp(what, "--settle") ? argc > 2 :
	    !is_run(argc, argv) && !are_several(argv + 1))
		return wrong();

	fd = cases_open();
	if (fd < 0)
		return EXIT_FAILURE;
	if (!strcmp(what, "--list"))
		ret = list(fd, &choice);
	else if (!strcmp(what, "--about"))
		ret = about(fd);
	else if (!strcmp(what, "--settle"))
		ret = cases_settle(fd);
	else if (!strcmp(what, "--cleanup"))
		ret = cleanup(fd, which);
	else if (are_several(argv + 1))
		ret = run_several(fd, argv + 1);
	else
		ret = run(fd, what, number_of(which, KMPROF_CATALOGUE_MAX_CALLS),
			  argc > 3 ? number_of(argv[3], MAX_MS) : 0);
	return ret || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
