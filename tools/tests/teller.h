/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that a walk of a trace calls, printed or only checked: the order of time, that states
 * follow each other, that a CPU runs one task. Aborts where a rule is broken.
 */
#ifndef KMPROF_TESTS_TELLER_H
#define KMPROF_TESTS_TELLER_H

#include <stdbool.h>
#include <stddef.h>

/**
 * teller_tell() - walk a trace
 * @path: the file
 * @is_quiet: print nothing, and write it in all formats, to nowhere
 *
 * What is reported is found out, too: see reporter.h.
 *
 * Prints, or why it is refused:
 *
 *	task NUMBER TID TGID COMM STATE CPU	at the beginning
 *	NS CPU NAME TASK [OTHER]		an event; tasks by their numbers
 *	  NUMBER STATE -> STATE NS CPU ...	a change, and since when it was in the state before
 *	NS CPU lost COUNT FROM
 *	task NUMBER TID TGID COMM STATE CPU	at the end
 *
 * Return: whether it was accepted.
 */
bool teller_tell(const char *path, bool is_quiet);

/* The same, quietly, of these bytes. */
bool teller_try(const void *data, size_t size);

#endif
