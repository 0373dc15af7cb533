/* SPDX-License-Identifier: GPL-2.0 */
/* A text that is written as to a file: by open_memstream(). */
#ifndef KMPROF_UTIL_MEMORY_FILE_H
#define KMPROF_UTIL_MEMORY_FILE_H

#include <stdio.h>

/**
 * kmprof_memory_file_close() - close a stream of open_memstream()
 * @file: the stream
 * @text: its text, where open_memstream() puts it; NULL after a failure
 *
 * There may have been no memory for all of it, or only, and fclose() does not tell it then, for
 * what the text is moved to at the end.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_memory_file_close(FILE *file, char **text);

#endif
