// SPDX-License-Identifier: GPL-2.0
/*
 * The target of libFuzzer: any bytes as an image. Needs clang.
 *
 * Any change of an image's size moves its tables, and next to nothing gets past the first
 * checks. So most mutations are of a few bytes and keep the size, and of the others the
 * header is mended: magic, version and sizes are made to fit.
 */
#include <string.h>

#include "image/image.h"
#include "tests/fuzz.h"
#include "tests/reader.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	reader_init();
	return fuzz_init();
}

/* What is behind the header; the numbers that it may be changed to have at most 8 bytes. */
static void change_few(unsigned char *data, size_t size, unsigned int seed)
{
	size_t at = sizeof(struct kmprof_image_header), n = 1 + seed % sizeof(__u64);

	at += seed / sizeof(__u64) % (size - at);
	if (n > size - at)
		n = size - at;
	LLVMFuzzerMutate(data + at, n, n);
}

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t max_size,
			       unsigned int seed)
{
	struct kmprof_image_header header;

	if (seed % 4 && size > sizeof(header)) {
		change_few(data, size, seed / 4);
		return size;
	}
	size = LLVMFuzzerMutate(data, size, max_size);
	/* Some stay as they are. */
	if (size < sizeof(header) || !(seed % 16))
		return size;
	memcpy(&header, data, sizeof(header));
	header.magic = KMPROF_IMAGE_MAGIC;
	header.abi_version = KMPROF_ABI_VERSION;
	header.header_size = sizeof(header);
	header.image_size = size;
	memcpy(data, &header, sizeof(header));
	return size;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	return fuzz_count(reader_try(data, size));
}
