// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "trace/syscall_names.h"
#include "trace/syscalls.h"
#include "util/util.h"

/* Return: NULL: it has none. */
static const char *name_of(__u64 number)
{
	bool is_of_i386 = number & KMPROF_TRACE_SYSCALL_I386;
	__u32 index = (__u32)number;

	if (is_of_i386)
		return index < ARRAY_SIZE(names_of_i386) ? names_of_i386[index] : NULL;
	return index < ARRAY_SIZE(names_of_x86_64) ? names_of_x86_64[index] : NULL;
}

const char *kmprof_syscall_name(char text[KMPROF_SYSCALL_NAME], __u64 number)
{
	const char *of = number & KMPROF_TRACE_SYSCALL_I386 ? " (i386)" : "";
	const char *name = name_of(number);

	if (name)
		snprintf(text, KMPROF_SYSCALL_NAME, "%s%s", name, of);
	else
		snprintf(text, KMPROF_SYSCALL_NAME, "#%u%s", (__u32)number, of);
	return text;
}

/* Of what the kernel keeps to itself, and libraries have no name for. */
static const char *restart_name(__s64 error)
{
	switch (error) {
	case 512:
		return "ERESTARTSYS";
	case 513:
		return "ERESTARTNOINTR";
	case 514:
		return "ERESTARTNOHAND";
	case 516:
		return "ERESTART_RESTARTBLOCK";
	}
	return NULL;
}

const char *kmprof_syscall_result_text(char text[KMPROF_SYSCALL_RESULT], __s64 result)
{
	const char *name = NULL;

	if (result < 0 && result >= -4095) {
		name = strerrorname_np((int)-result);
		if (!name)
			name = restart_name(-result);
	}
	if (name)
		snprintf(text, KMPROF_SYSCALL_RESULT, "-%s", name);
	else
		snprintf(text, KMPROF_SYSCALL_RESULT,
			 result >> 40 > 0 || result >> 40 < -1 ? "%#llx" : "%lld", result);
	return text;
}
