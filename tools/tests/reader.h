/* SPDX-License-Identifier: GPL-2.0 */
/* All that the program does with an image, for tests that make up images. */
#ifndef KMPROF_TESTS_READER_H
#define KMPROF_TESTS_READER_H

#include <stdbool.h>
#include <stddef.h>

/* Gets ready: takes the symbols from the file that the environment's KALLSYMS names. */
void reader_init(void);
void reader_exit(void);

/**
 * reader_try() - give an image to everything that reads one
 * @data: what may be an image
 * @size: bytes
 *
 * Ends the program if it is neither refused with words nor shown in all ways. Whether it
 * was read in bounds is for ASan and UBSan to say.
 *
 * Return: whether it was accepted.
 */
bool reader_try(const void *data, size_t size);

#endif
