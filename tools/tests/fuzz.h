/* SPDX-License-Identifier: GPL-2.0 */
/* What libFuzzer has, and what it calls by these names: it comes without a header in C. */
#ifndef KMPROF_TESTS_FUZZ_H
#define KMPROF_TESTS_FUZZ_H

#include <stddef.h>

size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t max_size,
			       unsigned int seed);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#endif
