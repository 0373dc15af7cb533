/* SPDX-License-Identifier: GPL-2.0 */
/* What the texts of all profiles have in common. */
#ifndef KMPROF_EXPORT_TEXT_H
#define KMPROF_EXPORT_TEXT_H

#include <stdio.h>

#include "profile/nowhere.h"
#include "symbols/resolver.h"

/* Writes a fact as a comment; a kmprof_facts_line for a FILE. */
int kmprof_text_fact(const char *fact, void *file);

/* Ends a line of numbers with a stack: " @", its addresses, a newline. */
void kmprof_text_addresses(FILE *file, const __u64 *stack, __u32 nr);

/* Writes "name+0x10/0x80", with " [module]" if it has one, as the kernel does. */
void kmprof_text_symbol(FILE *file, const struct kmprof_symbol *symbol, __u64 address);

/**
 * kmprof_text_names() - a comment for each frame of a stack, and an empty line behind
 * @file: where to
 * @resolver: names
 * @stack: return addresses, leaf first
 * @nr: how many
 * @nowhere: what to say if there is none
 */
void kmprof_text_names(FILE *file, const struct kmprof_resolver *resolver, const __u64 *stack,
		       __u32 nr, enum kmprof_nowhere nowhere);

/**
 * kmprof_text_finish() - has everything been written?
 * @file: to which; errno was 0 before
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_text_finish(FILE *file, struct kmprof_error *err);

#endif
