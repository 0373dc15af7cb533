// SPDX-License-Identifier: GPL-2.0
#include "cmd/leaks_ktap.h"

void leaks_ktap_bail_out(FILE *file, const char *reason)
{
	fputs("KTAP version 1\n1..1\nBail out! ", file);
	for (; *reason; reason++)
		fputc(*reason == '\n' ? ' ' : *reason, file);
	fputc('\n', file);
	fflush(file);
}
