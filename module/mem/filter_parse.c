// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a filter: conditions with commas between them, each KEY=VALUE, at most one of each
 * key:
 *
 * pid=ID		the task or its process has this id, in the initial PID namespace
 * comm=NAME		the task has this name, in which "?" is any character. "[softirq]" and
 *			"[hardirq]" are interrupts
 * cgroup=PATH or ID	the task is in this cgroup (version 2), or in one below it
 * size=MIN-MAX		the object has so many bytes, as the profile shows it; of a block of pages,
 *			all pages have together. "MIN-", "-MAX" and "SIZE", too
 * kind=KIND		it is memory of this kind
 * gfp=CLASS		its pages were asked for as unmovable, movable or reclaimable
 * cache=NAME		it is of this slab cache
 * module=NAME		the code that has called the allocator is in this module
 *
 * The text is a word, for all who show it: printable characters of ASCII.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "core/setting.h"
#include "mem/filter_parse.h"
#include "mem/gfp_class.h"
#include "mem/kind.h"

/* kstrtou64() takes a sign as well. */
static int parse_number(const char *text, u64 *number)
{
	return isdigit(*text) ? kstrtou64(text, 10, number) : -EINVAL;
}

static int parse_pid(struct kmprof_filter *f, char *text)
{
	u64 pid;

	if (parse_number(text, &pid) || !pid || pid > INT_MAX)
		return -EINVAL;
	f->pid = pid;
	return 0;
}

/* @room: bytes of @name, with its NUL */
static int parse_name(char *name, size_t room, const char *text)
{
	return strscpy(name, text, room) > 0 ? 0 : -EINVAL;
}

static int parse_comm(struct kmprof_filter *f, char *text)
{
	return parse_name(f->comm, sizeof(f->comm), text);
}

static int parse_cgroup(struct kmprof_filter *f, char *text)
{
	int err;

	if (*text != '/')
		return parse_number(text, &f->cgroup);
	err = kmprof_compat_cgroup_id(text, &f->cgroup);
	if (err)
		pr_err("heap_filter: cgroup=%s: %pe\n", text, ERR_PTR(err));
	return err ? -EINVAL : 0;
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
	if (parse_number(text, bytes) || *bytes > U64_MAX >> shift)
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

static const struct {
	const char *name;
	int (*parse)(struct kmprof_filter *f, char *text);
} keys[] = {
	[KMPROF_FILTER_PID]	= { "pid", parse_pid },
	[KMPROF_FILTER_COMM]	= { "comm", parse_comm },
	[KMPROF_FILTER_CGROUP]	= { "cgroup", parse_cgroup },
	[KMPROF_FILTER_SIZE]	= { "size", parse_size },
	[KMPROF_FILTER_KIND]	= { "kind", parse_kind },
	[KMPROF_FILTER_GFP]	= { "gfp", parse_gfp },
	[KMPROF_FILTER_CACHE]	= { "cache", parse_cache },
	[KMPROF_FILTER_MODULE]	= { "module", parse_module },
};

static int parse_condition(struct kmprof_filter *f, char *text)
{
	const char *name = strsep(&text, "=");
	unsigned int i;

	for (i = 0; text && i < ARRAY_SIZE(keys); i++) {
		if (strcmp(name, keys[i].name))
			continue;
		if (f->has & BIT(i))
			return -EINVAL;
		f->has |= BIT(i);
		return keys[i].parse(f, text);
	}
	return -EINVAL;
}

static bool is_word(const char *text)
{
	while (*text && isascii(*text) && isgraph(*text))
		text++;
	return !*text;
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
	char copy[KMPROF_TEXT_LEN], *rest = copy, *condition;
	unsigned int number = 0;
	int err;

	*f = (struct kmprof_filter) { .size_max = U64_MAX };
	err = kmprof_setting_trim(f->text, text);
	if (err || !is_word(f->text))
		return -EINVAL;
	strscpy(copy, f->text, sizeof(copy));
	while (!err && (condition = strsep(&rest, ","))) {
		number++;
		err = parse_condition(f, condition);
	}
	if (err)
		pr_err("heap_filter=%s: condition %u is not valid\n", f->text, number);
	return err;
}
