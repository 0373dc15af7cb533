// SPDX-License-Identifier: GPL-2.0
/* Carries a failure and its hint from the library to whoever shows it. */
#include <stdarg.h>
#include <stdio.h>

#include "util/error.h"

int kmprof_error_set(struct kmprof_error *err, int ret, const char *hint,
		     const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return ret;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	snprintf(err->hint, sizeof(err->hint), "%s", hint ? hint : "");
	return ret;
}
