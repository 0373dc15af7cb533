/* SPDX-License-Identifier: GPL-2.0 */
/* Who may do what. */
#ifndef KMPROF_ACCESS_H
#define KMPROF_ACCESS_H

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

/**
 * kmprof_access_read() - may the caller see profiles at all?
 */
static inline bool kmprof_access_read(void)
{
	return perfmon_capable();
}

/**
 * kmprof_access_change() - may the caller change the profiler?
 */
static inline bool kmprof_access_change(void)
{
	return capable(CAP_SYS_ADMIN);
}

/**
 * kmprof_access_addresses() - may kernel addresses go to this file's reader?
 * @file: open file
 *
 * The rule of /proc/kallsyms: whoever opened the file needs CAP_SYSLOG, and
 * kptr_restrict=2 hides addresses from everybody. The sysctl itself is not
 * exported; what %pK prints tells.
 *
 * Context: Process context.
 */
static inline bool kmprof_access_addresses(const struct file *file)
{
	char text[2 * sizeof(long) + 1];

	snprintf(text, sizeof(text), "%pK", (void *)(1UL << (BITS_PER_LONG - 1)));
	return text[strspn(text, "0")] &&
	       file_ns_capable(file, &init_user_ns, CAP_SYSLOG);
}

#endif
