/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The contract between kmprof_catalogue.ko and its users: planted leaks of memory, and what looks
 * like a leak and is none.
 *
 * All allocations of the case NAME are made in, or below, a function of the module that is named
 * cat_NAME__*(), whatever the context.
 */
#ifndef KMPROF_CATALOGUE_H
#define KMPROF_CATALOGUE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KMPROF_CATALOGUE_DEVICE_PATH	"/dev/kmprof_catalogue"
#define KMPROF_CATALOGUE_NAME_LEN	32
#define KMPROF_CATALOGUE_ABOUT_LEN	96
#define KMPROF_CATALOGUE_MAX_CALLS	1048576

/* Of one IOC_RUN. Rounds of a multiple of that many calls lose as much each, and as told. */
#define KMPROF_CATALOGUE_CYCLE		100

enum kmprof_catalogue_kind {
	KMPROF_CATALOGUE_LEAK = 0,
	KMPROF_CATALOGUE_LOOKALIKE,
};

/* What a case has, and what is counted of it. */
enum kmprof_catalogue_memory {
	KMPROF_CATALOGUE_SLAB = 0,	/* objects of slab caches and of kmalloc() */
	KMPROF_CATALOGUE_PERCPU,	/* objects of alloc_percpu() */
	KMPROF_CATALOGUE_VMALLOC,	/* areas, with the memory that vmalloc() has put there */
	KMPROF_CATALOGUE_PAGE,		/* pages */
};

/**
 * struct kmprof_catalogue_case - the argument of all commands but SETTLE
 * @index: in: which case, from 0
 * @calls: IOC_RUN: in: how many calls, 1 to KMPROF_CATALOGUE_MAX_CALLS
 * @kind: out: enum kmprof_catalogue_kind
 * @lost: out: a leak: objects that are lost per KMPROF_CATALOGUE_CYCLE calls, at least
 * @holds: out: a look-alike: objects that it has at most once it has settled
 * @memory: out: enum kmprof_catalogue_memory
 * @objects: out: what the case has of that memory in use now, lost objects included. Exact once
 *	the module has settled
 * @name: out: name of the case
 * @about: out: what it does, in a few words
 */
struct kmprof_catalogue_case {
	__u32 index;
	__u32 calls;
	__u32 kind;
	__u32 lost;
	__u32 holds;
	__u32 memory;
	__s64 objects;
	char name[KMPROF_CATALOGUE_NAME_LEN];
	char about[KMPROF_CATALOGUE_ABOUT_LEN];
};

/*
 * CASE		tells about a case. ENOENT: there are no more.
 * RUN		runs it. EINVAL: @calls is out of range; ENOSPC: the module cannot remember as many
 *		lost objects (parameter room); what kthread_run() says.
 * SETTLE	waits until all cases have done what they do later: timers, work, grace periods.
 *		ETIMEDOUT: they have not, for long.
 * CLEANUP	frees all that a case has, and what it has lost. Its calls count from 0 again.
 *
 * Errors of all: EINTR a signal came, EFAULT, ENOTTY.
 */
#define KMPROF_CATALOGUE_IOC_CASE	_IOWR(0xBE, 0, struct kmprof_catalogue_case)
#define KMPROF_CATALOGUE_IOC_RUN	_IOWR(0xBE, 1, struct kmprof_catalogue_case)
#define KMPROF_CATALOGUE_IOC_SETTLE	_IO(0xBE, 2)
#define KMPROF_CATALOGUE_IOC_CLEANUP	_IOWR(0xBE, 3, struct kmprof_catalogue_case)

#endif /* KMPROF_CATALOGUE_H */
