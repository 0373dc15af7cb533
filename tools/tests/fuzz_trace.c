// SPDX-License-Identifier: GPL-2.0
/*
 * The target of libFuzzer for traces: any bytes as one. Needs clang.
 *
 * A trace is a chain of sizes: next to nothing gets past the first checks, so the magic and the
 * version are made to fit in most of them, and most mutations keep the size.
 */
#include <string.h>
#include <unistd.h>

#include <linux/kmprof.h>

#include "tests/fuzz.h"
#include "tests/teller.h"
#include "trace/trace.h"

/* The table of tasks is hashed in another way each time: not here, so that a seed repeats a run. */
int getentropy(void *buffer, size_t length)
{
	memset(buffer, 0x5a, length);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return fuzz_init();
}

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t max_size,
			       unsigned int seed)
{
	static const __u32 start[] = { KMPROF_TRACE_MAGIC, KMPROF_ABI_VERSION };
	size_t at = KMPROF_TRACE_HEADER_LEAST, n = 1 + seed % sizeof(__u64);

	if (seed % 4 && size > at + n) {
		at += seed / sizeof(__u64) % (size - at - n);
		LLVMFuzzerMutate(data + at, n, n);
		return size;
	}
	size = LLVMFuzzerMutate(data, size, max_size);
	if (size >= sizeof(start) && seed % 16)
		memcpy(data, start, sizeof(start));
	return size;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	return fuzz_count(teller_try(data, size));
}
