/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What libFuzzer has, and what it calls by these names: it comes without a header in C. And
 * how many inputs were refused and read, which is told at the end.
 */
#ifndef KMPROF_TESTS_FUZZ_H
#define KMPROF_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t max_size,
			       unsigned int seed);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static unsigned long fuzz_refused, fuzz_accepted;

static inline void fuzz_say_counts(void)
{
	fprintf(stderr, "refused %lu read %lu\n", fuzz_refused, fuzz_accepted);
}

static inline int fuzz_init(void)
{
	return atexit(fuzz_say_counts);
}

/* Return: what LLVMFuzzerTestOneInput() returns. */
static inline int fuzz_count(bool accepted)
{
	if (accepted)
		fuzz_accepted++;
	else
		fuzz_refused++;
	return 0;
}

#endif
