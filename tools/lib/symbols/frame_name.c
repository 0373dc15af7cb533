// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "symbols/frame_name.h"
#include "util/printable.h"

/* Return: the length without the module. */
static size_t add_module(char text[KMPROF_FRAME_NAME], const struct kmprof_frame *frame)
{
	size_t length = strlen(text);

	if (frame->named && frame->symbol.module)
		snprintf(text + length, KMPROF_FRAME_NAME - length, " [%s]", frame->symbol.module);
	kmprof_make_printable(text);
	return length;
}

size_t kmprof_frame_name(char text[KMPROF_FRAME_NAME], const struct kmprof_resolver *resolver,
			 __u64 ret_addr)
{
	struct kmprof_frame frame;

	if (!ret_addr) {
		strcpy(text, KMPROF_HIDDEN_NAME);
		return strlen(text);
	}
	kmprof_resolver_find(resolver, ret_addr, &frame);
	if (frame.named)
		snprintf(text, KMPROF_FRAME_NAME, "%s",
			 *frame.symbol.name ? frame.symbol.name : KMPROF_NO_NAME);
	else
		snprintf(text, KMPROF_FRAME_NAME, "%#llx", ret_addr);
	return add_module(text, &frame);
}

size_t kmprof_frame_inlined_name(char text[KMPROF_FRAME_NAME], const struct kmprof_frame *frame,
				 size_t i)
{
	/* What is cut is the name, and not what follows it. */
	snprintf(text, KMPROF_FRAME_NAME, "%.*s" KMPROF_INLINED,
		 (int)(KMPROF_FRAME_NAME - sizeof(KMPROF_INLINED)), frame->line[i].function);
	return add_module(text, frame);
}
