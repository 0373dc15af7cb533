/* SPDX-License-Identifier: GPL-2.0 */
/* What stands in the place of a stack that has no frame. */
#ifndef KMPROF_PROFILE_NOWHERE_H
#define KMPROF_PROFILE_NOWHERE_H

/**
 * enum kmprof_nowhere - why there is no frame
 * @KMPROF_NO_STACK: the stack could not be taken
 * @KMPROF_NOT_ATTRIBUTABLE: a delay that no release can be blamed for
 */
enum kmprof_nowhere {
	KMPROF_NO_STACK,
	KMPROF_NOT_ATTRIBUTABLE,
	KMPROF_NR_NOWHERE,
};

/* How they are shown. */
extern const char *const kmprof_nowhere_names[KMPROF_NR_NOWHERE];

#endif
