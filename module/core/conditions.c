// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a filter: conditions with commas between them, each KEY=VALUE. It is a word, for all
 * who show it: printable characters of ASCII.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "core/conditions.h"
#include "core/setting.h"

/**
 * kmprof_condition_number() - take a value for a number
 * @text: the value
 * @number: returns the number, which is decimal
 *
 * Context: Any.
 * Return: 0; or -EINVAL, -ERANGE: it is none.
 */
int kmprof_condition_number(const char *text, u64 *number)
{
	/* kstrtou64() takes a sign as well. */
	return isdigit(*text) ? kstrtou64(text, 10, number) : -EINVAL;
}

/**
 * kmprof_condition_claim() - find a key, which a filter has once
 * @keys: the keys
 * @nr: how many
 * @key: the key
 * @has: bits of the keys that the filter has; the bit of @key is added
 *
 * Context: Any.
 * Return: its index; -ENOENT: it is none of @keys; or -EINVAL: the filter has it already.
 */
int kmprof_condition_claim(const char *const *keys, unsigned int nr, const char *key, u32 *has)
{
	int i = match_string(keys, nr, key);

	if (i < 0)
		return -ENOENT;
	if (*has & BIT(i))
		return -EINVAL;
	*has |= BIT(i);
	return i;
}

static bool is_word(const char *text)
{
	while (*text && isascii(*text) && isgraph(*text))
		text++;
	return !*text;
}

/**
 * kmprof_conditions_parse() - take the text of a filter apart
 * @name: what the filter is called in the log
 * @trimmed: returns the text without blanks around it
 * @text: the text
 * @add: adds a condition
 * @filter: the filter, for @add
 *
 * Context: Process context.
 * Return: 0; or a negative errno, -EINVAL or what @add returns, with a message in the log.
 */
int kmprof_conditions_parse(const char *name, char trimmed[KMPROF_TEXT_LEN], const char *text,
			    kmprof_add_condition *add, void *filter)
{
	char copy[KMPROF_TEXT_LEN], *rest = copy, *value;
	unsigned int number = 0;
	const char *key;
	int err = 0;

	if (kmprof_setting_trim(trimmed, text) || !is_word(trimmed)) {
		pr_err("%s: too long, or not of printable characters without blanks\n", name);
		return -EINVAL;
	}
	strscpy(copy, trimmed, sizeof(copy));
	while (!err && (value = strsep(&rest, ","))) {
		number++;
		key = strsep(&value, "=");
		err = value ? add(filter, key, value) : -EINVAL;
	}
	if (err)
		pr_err("%s=%s: condition %u is not valid\n", name, trimmed, number);
	return err;
}
