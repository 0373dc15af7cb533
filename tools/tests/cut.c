// SPDX-License-Identifier: GPL-2.0
/*
 * Cuts an image at every length: none but the whole one may be accepted.
 *
 *	cut IMAGE
 *
 * Prints "cut N", the number of bytes.
 */
#include <stdio.h>

#include "device/snapshot.h"
#include "tests/reader.h"

int main(int argc, char **argv)
{
	struct kmprof_error err = { 0 };
	struct kmprof_capture capture;
	size_t i;

	if (argc != 2)
		return 2;
	reader_init();
	if (kmprof_snapshot_load(&capture, argv[1], &err)) {
		fprintf(stderr, "cut: %s\n", err.text);
		return 1;
	}
	for (i = 0; i <= capture.size; i++) {
		bool is_whole = i == capture.size;

		if (reader_try(capture.base, i) == is_whole)
			continue;
		fprintf(stderr, "cut: %zu of %zu bytes\n", i, capture.size);
		return 1;
	}
	printf("cut %zu\n", capture.size);
	kmprof_snapshot_release(&capture);
	reader_exit();
	return 0;
}
