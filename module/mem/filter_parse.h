/* SPDX-License-Identifier: GPL-2.0 */
/* A filter of the heap profile, made of its text. */
#ifndef KMPROF_FILTER_PARSE_H
#define KMPROF_FILTER_PARSE_H

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/task_filter.h"

/* The conditions of a filter beside those on tasks, in the order of their keys. */
enum {
	KMPROF_FILTER_SIZE,
	KMPROF_FILTER_KIND,
	KMPROF_FILTER_GFP,
	KMPROF_FILTER_CACHE,
	KMPROF_FILTER_MODULE,
};

/**
 * struct kmprof_filter - a filter
 * @task: conditions on the task
 * @has: the other conditions that it has: bits of KMPROF_FILTER_*
 * @kind: kind of memory
 * @gfp: class of its GFP flags
 * @size_min: least number of bytes; 0 without a condition
 * @size_max: largest number of bytes; U64_MAX without a condition
 * @cache: name of the slab cache
 * @module: name of the module
 * @text: all of it
 */
struct kmprof_filter {
	struct kmprof_task_filter task;
	u32 has;
	enum kmprof_kind_id kind;
	enum kmprof_gfp_class gfp;
	u64 size_min;
	u64 size_max;
	char cache[KMPROF_CACHE_NAME_LEN];
	char module[MODULE_NAME_LEN];
	char text[KMPROF_TEXT_LEN];
};

int kmprof_filter_parse(struct kmprof_filter *f, const char *text);

#endif
