/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What went wrong, in the form the user reads it: "what: why", and a hint of
 * what to do about it. The library never prints; the program shows these.
 */
#ifndef KMPROF_UTIL_ERROR_H
#define KMPROF_UTIL_ERROR_H

#include "util/util.h"

struct kmprof_error {
	char text[512];
	char hint[512];
};

/**
 * kmprof_error_set() - note a failure
 * @err: where to; may be NULL
 * @ret: negative errno to return
 * @hint: what the user can do, or NULL
 * @fmt: "what: why"
 *
 * Return: @ret, so that callers can return the call.
 */
__printf(4, 5)
int kmprof_error_set(struct kmprof_error *err, int ret, const char *hint,
		     const char *fmt, ...);

#endif
