/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes allocations of the calling thread fail, and tells which ones did: see
 * Documentation/fault-injection/fault-injection.rst of the kernel. Functions
 * return 0 or a negative errno unless they say otherwise, and explain failures
 * on stderr.
 */
#ifndef INJECT_H
#define INJECT_H

#include <limits.h>

/**
 * enum inject_mode - what fails
 * @INJECT_NTH: the nth allocation of slab or page memory, and no other
 * @INJECT_PAGES: every allocation of pages from the nth page on. Who asks once
 *	more after a failure, as vmalloc() does for less at a time, fails for good.
 */
enum inject_mode {
	INJECT_NTH,
	INJECT_PAGES,
};

enum { INJECT_FRAMES = 48, INJECT_NAME = 64, INJECT_FAILURES = 1024 };

/**
 * struct inject_failure - one allocation that was made to fail
 * @nr_frames: frames of its stack
 * @frames: names of functions, leaf first, without what the compiler appends;
 *	a module's function has " [module]" behind its name, and "0x..." instead
 *	when the module is not there any more
 */
struct inject_failure {
	unsigned int nr_frames;
	char frames[INJECT_FRAMES][INJECT_NAME];
};

int inject_open(void);
void inject_close(void);
int inject_begin(enum inject_mode mode, unsigned int n);
int inject_end(void);
const struct inject_failure *inject_failures(void);
int inject_workers(int on);

#endif /* INJECT_H */
