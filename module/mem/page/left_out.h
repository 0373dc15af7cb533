/* SPDX-License-Identifier: GPL-2.0 */
/* Which pages are not seen: those that are asked for as movable, unless the user wants them. */
#ifndef KMPROF_LEFT_OUT_H
#define KMPROF_LEFT_OUT_H

#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/types.h>

/* Pages with one of these flags are left out. */
extern gfp_t kmprof_page_left_out;

static __always_inline bool kmprof_page_is_left_out(gfp_t gfp)
{
	return gfp & READ_ONCE(kmprof_page_left_out);
}

#endif
