/* SPDX-License-Identifier: GPL-2.0 */
/* Access rights to kmprof. */
#ifndef KMPROF_ACCESS_H
#define KMPROF_ACCESS_H

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

/**
 * kmprof_access_read() - may the caller read profiles?
 *
 * Context: Process context.
 * Return: true with CAP_PERFMON or CAP_SYS_ADMIN.
 */
static inline bool kmprof_access_read(void)
{
	return perfmon_capable();
}

/**
 * kmprof_access_change() - may the caller change settings?
 *
 * Context: Process context.
 * Return: true with CAP_SYS_ADMIN.
 */
static inline bool kmprof_access_change(void)
{
	return capable(CAP_SYS_ADMIN);
}

/**
 * kmprof_access_addresses() - may a file show kernel addresses?
 * @file: open file
 *
 * As in /proc/kallsyms, the opener of the file needs CAP_SYSLOG, and kptr_restrict=2 hides
 * addresses from everybody. kptr_restrict is not exported: %pK prints zeros if it hides
 * addresses. With kptr_restrict=1, %pK demands CAP_SYSLOG of the caller, too.
 *
 * Context: Process context.
 * Return: true if so.
 */
static inline bool kmprof_access_addresses(const struct file *file)
{
	char text[2 * sizeof(long) + 1];

	snprintf(text, sizeof(text), "%pK", (void *)(1UL << (BITS_PER_LONG - 1)));
	return text[strspn(text, "0")] &&
	       file_ns_capable(file, &init_user_ns, CAP_SYSLOG);
}

/**
 * kmprof_access_memory() - may the caller see what is in the kernel's memory?
 * @file: open file
 *
 * In a kernel in which nobody may read /proc/kcore, because it is locked down, nobody may.
 *
 * Context: Process context.
 * Return: true if so.
 */
static inline bool kmprof_access_memory(const struct file *file)
{
	return capable(CAP_SYS_ADMIN) && kmprof_access_addresses(file) &&
	       !security_locked_down(LOCKDOWN_KCORE);
}

#endif
