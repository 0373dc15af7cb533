/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols of the kernel whose memory was dumped, and of its modules, in the form of
 * /proc/kallsyms.
 */
#ifndef KMPROF_DUMP_SYMBOLS_H
#define KMPROF_DUMP_SYMBOLS_H

#include <stdio.h>

#include "dump/dump.h"
#include "trace/trace.h"

/**
 * struct kmprof_dump_wanted - a symbol whose address is asked for
 * @name: its name
 * @address: returns it; 0: there is none
 */
struct kmprof_dump_wanted {
	const char *name;
	__u64 address;
};

/**
 * kmprof_dump_kernel_symbols() - write the symbols of the kernel itself
 * @dump: the dump
 * @to: where to
 * @wanted: what is looked for meanwhile, up to one without a name
 * @err: explanation
 *
 * Return: 0; -ENODATA: the dump does not have them; or -ENOMEM. A failed write leaves its mark on
 * @to.
 */
int kmprof_dump_kernel_symbols(const struct kmprof_dump *dump, FILE *to,
			       struct kmprof_dump_wanted *wanted, struct kmprof_error *err);

/**
 * kmprof_dump_module_symbols() - write those of modules
 * @dump: the dump
 * @to: where to
 * @crash: how modules are laid out
 * @modules: address of the kernel's list of them
 * @err: explanation
 *
 * Return: 0; -ENODATA: those of some modules are missing; or -ENOMEM.
 */
int kmprof_dump_module_symbols(const struct kmprof_dump *dump, FILE *to,
			       const struct kmprof_trace_crash *crash, __u64 modules,
			       struct kmprof_error *err);

#endif
