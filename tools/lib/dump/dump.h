/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A dump of a kernel's memory: what kdump or makedumpfile has saved, /proc/vmcore, /proc/kcore, or
 * what a hypervisor has written. dump.c alone knows libkdumpfile.
 */
#ifndef KMPROF_DUMP_DUMP_H
#define KMPROF_DUMP_DUMP_H

#include <stddef.h>

#include <linux/types.h>

#include "util/error.h"

struct _kdump_ctx;

/**
 * struct kmprof_dump - a dump
 * @name: of the file, for messages
 * @fd: the file
 * @kdump: what knows its format
 */
struct kmprof_dump {
	const char *name;
	int fd;
	struct _kdump_ctx *kdump;
};

/**
 * kmprof_dump_open() - open a dump
 * @dump: filled in; closed by kmprof_dump_close(), also after a failure
 * @path: the file
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_dump_open(struct kmprof_dump *dump, const char *path, struct kmprof_error *err);
void kmprof_dump_close(struct kmprof_dump *dump);

/**
 * kmprof_dump_read() - read the kernel's memory
 * @dump: the dump
 * @address: virtual address
 * @to: where to
 * @size: bytes
 * @err: explanation, or NULL
 *
 * Return: 0; -ENODATA: it is not there, or is no address.
 */
int kmprof_dump_read(const struct kmprof_dump *dump, __u64 address, void *to, size_t size,
		     struct kmprof_error *err);

/* Reads 64 bits. Return: as above. */
int kmprof_dump_word(const struct kmprof_dump *dump, __u64 address, __u64 *word,
		     struct kmprof_error *err);

/**
 * kmprof_dump_noted() - get the address of what the kernel has noted for readers of a dump
 * @dump: the dump
 * @name: of the symbol
 * @address: returns it
 * @err: explanation
 *
 * Return: 0; -ENODATA: it is not noted.
 */
int kmprof_dump_noted(const struct kmprof_dump *dump, const char *name, __u64 *address,
		      struct kmprof_error *err);

#endif
