// SPDX-License-Identifier: GPL-2.0
#include "util/printable.h"

static bool is_byte(char c)
{
	return c >= ' ' && c <= '~';
}

bool kmprof_is_printable(const char *text)
{
	while (is_byte(*text))
		text++;
	return !*text;
}

void kmprof_make_printable(char *text)
{
	for (; *text; text++)
		if (!is_byte(*text))
			*text = '?';
}
