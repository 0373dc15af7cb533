// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a filter (see core/conditions.c), with at most one condition of each key: those on
 * tasks (see core/task_filter.c), where comm="[softirq]" and "[hardirq]" are interrupts; and
 *
 * size=MIN-MAX		the object has so many bytes, as the profile shows it; of a block of pages,
 *			all pages have together. "MIN-", "-MAX" and "SIZE", too
 * kind=KIND		it is memory of this kind
 * gfp=CLASS		its pages were asked for as unmovable, movable or reclaimable
 * cache=NAME		it is of this slab cache
 * module=NAME		the code that has called the allocator is in this module
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/conditions.h"
#include "mem/filter_parse.h"
#include "mem/gfp_class.h"
#include "mem/kind.h"

/* @room: bytes of @name, with its NUL */
static int parse_name(char *name, size_t room, const char *text)
{
	return strscpy(name, text, room) > 0 ? 0 : -EINVAL;
}

/* A decimal number, with a suffix K, M or G or none. */
static int parse_bytes(char *text, u64 *bytes)
{
	static const char units[] = "KMG";
	size_t length = strlen(text);
	const char *unit = length ? strchr(units, toupper(text[length - 1])) : NULL;
	unsigned int shift = 0;

	if (unit) {
		shift = 10 * (1 + unit - units);
		text[length - 1] = '\0';
	}
	if (kmprof_condition_number(text, bytes) || *bytes > U64_MAX >> shift)
		return -EINVAL;
	*bytes <<= shift;
	return 0;
}

static int parse_size(struct kmprof_filter *f, char *text)
{
	char *min = strsep(&text, "-");

	if (*min && parse_bytes(min, &f->size_min))
		return -EINVAL;
	if (!text) {
		f->size_max = f->size_min;
		return *min ? 0 : -EINVAL;
	}
	if (*text ? parse_bytes(text, &f->size_max) : !*min)
		return -EINVAL;
	return f->size_min > f->size_max ? -EINVAL : 0;
}

static int parse_kind(struct kmprof_filter *f, char *text)
{
	int kind = match_string(kmprof_kind_names, KMPROF_NR_KINDS, text);

	f->kind = kind;
	return kind < 0 ? kind : 0;
}

static int parse_gfp(struct kmprof_filter *f, char *text)
{
	int class = match_string(kmprof_gfp_class_names, KMPROF_NR_GFP_CLASSES, text);

	f->gfp = class;
	return class < 0 ? class : 0;
}

static int parse_cache(struct kmprof_filter *f, char *text)
{
	return parse_name(f->cache, sizeof(f->cache), text);
}

/* As the kernel names modules: with "_", also where the file's name has "-". */
static int parse_module(struct kmprof_filter *f, char *text)
{
	strreplace(text, '-', '_');
	return parse_name(f->module, sizeof(f->module), text);
}

static const char *const keys[] = {
	[KMPROF_FILTER_SIZE]	= "size",
	[KMPROF_FILTER_KIND]	= "kind",
	[KMPROF_FILTER_GFP]	= "gfp",
	[KMPROF_FILTER_CACHE]	= "cache",
	[KMPROF_FILTER_MODULE]	= "module",
};

static int (*const parse[])(struct kmprof_filter *f, char *text) = {
	[KMPROF_FILTER_SIZE]	= parse_size,
	[KMPROF_FILTER_KIND]	= parse_kind,
	[KMPROF_FILTER_GFP]	= parse_gfp,
	[KMPROF_FILTER_CACHE]	= parse_cache,
	[KMPROF_FILTER_MODULE]	= parse_module,
};

static int add_condition(void *filter, const char *key, char *value)
{
	struct kmprof_filter *f = filter;
	int i = kmprof_task_filter_parse(&f->task, key, value);

	if (i != -ENOENT)
		return i;
	i = kmprof_condition_claim(keys, ARRAY_SIZE(keys), key, &f->has);
	return i < 0 ? i : parse[i](f, value);
}

/**
 * kmprof_filter_parse() - make a filter of its text
 * @f: returns the filter
 * @text: the text
 *
 * Context: Process context.
 * Return: 0; or -EINVAL, with a message in the log: the text is none of a filter, or its cgroup is
 * not there.
 */
int kmprof_filter_parse(struct kmprof_filter *f, const char *text)
{
	*f = (struct kmprof_filter) { .size_max = U64_MAX };
	return kmprof_conditions_parse("heap_filter", f->text, text, add_condition, f);
}
