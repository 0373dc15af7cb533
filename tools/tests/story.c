// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a trace, for the tests of traces:
 *
 *	story FILE		prints what it tells: see teller.h
 *	story --cut FILE	reads it cut at each length; prints how many were read, and refused
 *	story --change FILE	reads it with each byte changed, one at a time; prints the same
 *
 * Status: 0; 1: FILE cannot be read, or is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/teller.h"
#include "util/util.h"

static unsigned long accepted, refused;

static void try(const void *bytes, size_t size)
{
	if (teller_try(bytes, size))
		accepted++;
	else
		refused++;
}

static void try_cut(const char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		try(bytes, i);
}

static void try_changed(char *bytes, size_t size)
{
	static const unsigned char changes[] = { 1, 2, 0x40, 0x80, 0xff, 0x7f };
	size_t i, j;

	for (i = 0; i < size; i++) {
		for (j = 0; j < ARRAY_SIZE(changes); j++) {
			bytes[i] = (char)(bytes[i] ^ changes[j]);
			try(bytes, size);
			bytes[i] = (char)(bytes[i] ^ changes[j]);
		}
	}
}

int main(int argc, char **argv)
{
	static char bytes[1 << 16];
	FILE *file;
	size_t size;

	if (argc == 2)
		return teller_tell(argv[1], false) ? 0 : 1;
	file = argc == 3 ? fopen(argv[2], "r") : NULL;
	if (!file)
		return 1;
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	if (!strcmp(argv[1], "--cut"))
		try_cut(bytes, size);
	else
		try_changed(bytes, size);
	printf("read %lu refused %lu\n", accepted, refused);
	return 0;
}
