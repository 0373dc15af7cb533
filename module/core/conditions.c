// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a filter: conditions with commas between them, each KEY=VALUE. It is a word, for all
 * who show it: printable characters of ASCII.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "core/conditions.h"
#include "core/setting.h"

enum { LONGEST_S = 3600 };

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
 * kmprof_condition_duration() - take a value for a duration
 * @text: the value: a number and its unit, of ns, us, ms, s; is written to
 * @ns: returns the duration, not 0
 *
 * Context: Any.
 * Return: 0; or -EINVAL, -ERANGE: it is none, or longer than an hour.
 */
int kmprof_condition_duration(char *text, u64 *ns)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", NSEC_PER_USEC },
		{ "ms", NSEC_PER_MSEC },
		{ "s", NSEC_PER_SEC },
	};
	char *unit = text + strspn(text, "0123456789");
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(units) && strcmp(unit, units[i].name); i++)
		;
	if (i == ARRAY_SIZE(units))
		return -EINVAL;
	*unit = '\0';
	err = kmprof_condition_number(text, ns);
	if (err)
		return err;
	if (!*ns || *ns > LONGEST_S * NSEC_PER_SEC / units[i].ns)
		return -ERANGE;
	*ns *= units[i].ns;
	return 0;
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
