// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <libkdumpfile/kdumpfile.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dump/dump.h"

/* Return: @ret, with what the library says. */
static int explain(const struct kmprof_dump *dump, int ret, const char *what,
		   struct kmprof_error *err)
{
	const char *why = kdump_get_err(dump->kdump);

	kmprof_error_set(err, ret, NULL, "%s: %s: %s", dump->name, what,
			 why && *why ? why : strerror(-ret));
	kdump_clear_err(dump->kdump);
	return ret;
}

int kmprof_dump_open(struct kmprof_dump *dump, const char *path, struct kmprof_error *err)
{
	*dump = (struct kmprof_dump){ .name = path };
	dump->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (dump->fd < 0)
		return kmprof_error_set(err, -errno, NULL, "%s: %s", path, strerror(errno));
	dump->kdump = kdump_new();
	if (!dump->kdump)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", path);
	if (kdump_open_fd(dump->kdump, dump->fd) != KDUMP_OK)
		return kmprof_error_set(err, -EINVAL,
					"give what kdump or makedumpfile has saved, or /proc/vmcore",
					"%s: not a dump of a kernel's memory", path);
	if (kdump_set_string_attr(dump->kdump, KDUMP_ATTR_OSTYPE, "linux") != KDUMP_OK)
		return explain(dump, -EINVAL, "no addresses can be found in it", err);
	return 0;
}

void kmprof_dump_close(struct kmprof_dump *dump)
{
	if (dump->kdump)
		kdump_free(dump->kdump);
	if (dump->fd >= 0)
		close(dump->fd);
	memset(dump, 0, sizeof(*dump));
	dump->fd = -1;
}

int kmprof_dump_read(const struct kmprof_dump *dump, __u64 address, void *to, size_t size,
		     struct kmprof_error *err)
{
	char what[64];
	size_t n = size;

	if (kdump_read(dump->kdump, KDUMP_KVADDR, address, to, &n) == KDUMP_OK && n == size)
		return 0;
	snprintf(what, sizeof(what), "%zu bytes at 0x%llx", size, address);
	return explain(dump, -ENODATA, what, err);
}

int kmprof_dump_word(const struct kmprof_dump *dump, __u64 address, __u64 *word,
		     struct kmprof_error *err)
{
	return kmprof_dump_read(dump, address, word, sizeof(*word), err);
}

int kmprof_dump_noted(const struct kmprof_dump *dump, const char *name, __u64 *address,
		      struct kmprof_error *err)
{
	kdump_addr_t value;

	if (kdump_vmcoreinfo_symbol(dump->kdump, name, &value) != KDUMP_OK)
		return explain(dump, -ENODATA, name, err);
	*address = value;
	return 0;
}
