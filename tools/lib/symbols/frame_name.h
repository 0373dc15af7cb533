/* SPDX-License-Identifier: GPL-2.0 */
/* The name of a frame where its offset does not matter: in sums, trees and flame graphs. */
#ifndef KMPROF_SYMBOLS_FRAME_NAME_H
#define KMPROF_SYMBOLS_FRAME_NAME_H

#include <stddef.h>

#include "symbols/resolver.h"

/* As /proc/kallsyms can have them, and longer ones cut. */
enum { KMPROF_FRAME_NAME = 1024 };

/* Where a name is empty. */
#define KMPROF_NO_NAME	"[unknown]"

/**
 * kmprof_frame_name() - name a frame
 * @text: filled in, with printable ASCII: "function" or "function [module]"; the address, if it
 *	has no name; KMPROF_HIDDEN_NAME
 * @resolver: names for the addresses
 * @ret_addr: return address, as it stands in the image; 0 when hidden
 *
 * Return: length of @text without the module.
 */
size_t kmprof_frame_name(char text[KMPROF_FRAME_NAME], const struct kmprof_resolver *resolver,
			 __u64 ret_addr);

/* Behind the name of a function that is inlined in another one. */
#define KMPROF_INLINED	" (inlined)"

/* How many functions are inlined where a frame is. */
static inline size_t kmprof_frame_inlined(const struct kmprof_frame *frame)
{
	return frame->nr_lines ? frame->nr_lines - 1 : 0;
}

/**
 * kmprof_frame_inlined_name() - name a function that is inlined where a frame is
 * @text: filled in, with printable ASCII: "function (inlined)" or "function (inlined) [module]"
 * @frame: the frame
 * @i: which one, less than kmprof_frame_inlined(); the innermost is 0
 *
 * Return: length of @text without the module.
 */
size_t kmprof_frame_inlined_name(char text[KMPROF_FRAME_NAME], const struct kmprof_frame *frame,
				 size_t i);

#endif
