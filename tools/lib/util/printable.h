/* SPDX-License-Identifier: GPL-2.0 */
/* What goes to terminals and into JSON has printable ASCII only: 0x20 to 0x7e. */
#ifndef KMPROF_UTIL_PRINTABLE_H
#define KMPROF_UTIL_PRINTABLE_H

#include <stdbool.h>

/* Does a string have nothing else? */
bool kmprof_is_printable(const char *text);

/* Puts '?' in the place of each other byte of a string. */
void kmprof_make_printable(char *text);

#endif
