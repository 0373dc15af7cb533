// SPDX-License-Identifier: GPL-2.0
#include "profile/nowhere.h"

const char *const kmprof_nowhere_names[KMPROF_NR_NOWHERE] = {
	[KMPROF_NO_STACK]		= "[no stack]",
	[KMPROF_NOT_ATTRIBUTABLE]	= "[not attributable]",
};
