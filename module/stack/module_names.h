/* SPDX-License-Identifier: GPL-2.0 */
/* What a module says about itself: the symbols of its addresses, and its build id. */
#ifndef KMPROF_MODULE_NAMES_H
#define KMPROF_MODULE_NAMES_H

#include <linux/types.h>

#include "stack/gone.h"

void kmprof_module_symbols(const void *mod, const unsigned long *addrs, unsigned int nr,
			   struct kmprof_symbol *symbols);
unsigned int kmprof_module_build_id(const void *mod, u8 id[KMPROF_BUILD_ID_LEN]);

#endif
