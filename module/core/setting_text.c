// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a setting's value: a number, or, of a bit mask, names with commas between them. Of a
 * setting that is a text itself, the value is only whether there is any.
 */
#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/string.h>

#include "core/setting.h"

/**
 * kmprof_setting_trim() - remove what is around the text of a setting
 * @trimmed: returns the text without blanks and newlines around it; empty also for "none"
 * @text: the text
 *
 * Context: Any.
 * Return: 0; -EINVAL: it is too long.
 */
int kmprof_setting_trim(char trimmed[KMPROF_TEXT_LEN], const char *text)
{
	const char *begin = skip_spaces(text);
	size_t length = strlen(begin);

	while (length && isspace(begin[length - 1]))
		length--;
	if (length >= KMPROF_TEXT_LEN)
		return -EINVAL;
	strscpy(trimmed, begin, length + 1);
	if (!strcmp(trimmed, "none"))
		*trimmed = '\0';
	return 0;
}

/* @text: names separated by commas, "none", or empty. */
static int parse_names(const struct kmprof_setting *s, const char *text, u64 *mask)
{
	char copy[KMPROF_TEXT_LEN], *rest = copy, *name;
	int i;

	*mask = 0;
	if (kmprof_setting_trim(copy, text))
		return -EINVAL;
	if (!*copy)
		return 0;
	while ((name = strsep(&rest, ","))) {
		i = match_string(s->names, s->nr_names, name);
		if (i < 0)
			return -EINVAL;
		*mask |= BIT(i);
	}
	return 0;
}

static int parse_text(const char *text, u64 *value)
{
	char copy[KMPROF_TEXT_LEN];
	int err = kmprof_setting_trim(copy, text);

	*value = !err && *copy;
	return err;
}

/**
 * kmprof_setting_parse() - convert a text to a value of a setting
 * @s: the setting
 * @text: the text
 * @value: returns the value, which may be above the setting's largest
 *
 * Context: Process context.
 * Return: 0, -EINVAL or -ERANGE.
 */
int kmprof_setting_parse(const struct kmprof_setting *s, const char *text, u64 *value)
{
	if (s->ops->set_text)
		return parse_text(text, value);
	return s->names ? parse_names(s, text, value) : kstrtou64(text, 0, value);
}

/**
 * kmprof_setting_format() - convert a value of a setting that has names to text
 * @s: the setting
 * @text: returns the names, separated by commas, or "none"; kmprof_setting_parse() reads it
 * @mask: the value
 *
 * Context: Any.
 */
void kmprof_setting_format(const struct kmprof_setting *s, char text[KMPROF_TEXT_LEN], u64 mask)
{
	unsigned int i;
	int length;

	length = scnprintf(text, KMPROF_TEXT_LEN, "%s", mask ? "" : "none");
	for (i = 0; i < s->nr_names; i++)
		if (mask & BIT(i))
			length += scnprintf(text + length, KMPROF_TEXT_LEN - length, "%s%s",
					    length ? "," : "", s->names[i]);
}
