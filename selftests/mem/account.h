/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's own account of what its call sites hold: /proc/allocinfo of
 * CONFIG_MEM_ALLOC_PROFILING. Functions return 0 or a negative errno, and
 * explain failures on stderr.
 */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct account_site - a call site
 * @file: source file, as the compiler was told
 * @line: where the call ends, when it takes several lines
 * @function: function that the source has the call in
 * @module: its module, "" for the kernel itself
 */
struct account_site {
	const char *file;
	unsigned int line;
	const char *function;
	const char *module;
};

/**
 * struct account_entry - what a call site holds
 * @calls: objects
 * @bytes: their memory: of an object the whole place that it has in its slab
 */
struct account_entry {
	int64_t calls;
	int64_t bytes;
};

/**
 * struct account - the open file, and all sites that were ever seen in it
 * @fd: the file
 * @sites: the sites; a site keeps its number
 * @count: how many
 */
struct account {
	int fd;
	struct account_site *sites;
	unsigned int count;
	unsigned int room;
	char *text;
	size_t size;
};

int account_open(struct account *account);
void account_close(struct account *account);
int account_read(struct account *account, struct account_entry **entries);
int account_find(const struct account *account, const char *file, const char *function,
		 unsigned int line, unsigned int slack);

#endif /* ACCOUNT_H */
