// SPDX-License-Identifier: GPL-2.0
/* Converts bit masks of settings to names, and back. */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/mask_text.h"

/**
 * kmprof_mask_parse() - convert names to a bit mask
 * @names: the names; the bit of a name is its index
 * @nr: number of @names
 * @text: names separated by commas, "none", or empty
 * @mask: returns the mask
 *
 * Context: Process context.
 * Return: 0, or -EINVAL when a name is not known.
 */
int kmprof_mask_parse(const char * const names[], unsigned int nr, const char *text, u64 *mask)
{
	char copy[KMPROF_SETTING_TEXT_LEN], *rest, *name;
	int i;

	*mask = 0;
	if (strscpy(copy, text, sizeof(copy)) < 0)
		return -EINVAL;
	rest = strim(copy);
	if (!*rest || !strcmp(rest, "none"))
		return 0;
	while ((name = strsep(&rest, ","))) {
		i = match_string(names, nr, name);
		if (i < 0)
			return -EINVAL;
		*mask |= BIT(i);
	}
	return 0;
}

/**
 * kmprof_mask_format() - convert a bit mask to names
 * @names: the names; the bit of a name is its index
 * @nr: number of @names
 * @text: returns the names, separated by commas, or "none"
 * @mask: the mask
 *
 * Context: Any.
 */
void kmprof_mask_format(const char * const names[], unsigned int nr,
			char text[KMPROF_SETTING_TEXT_LEN], u64 mask)
{
	unsigned int i;
	int length;

	length = scnprintf(text, KMPROF_SETTING_TEXT_LEN, "%s", mask ? "" : "none");
	for (i = 0; i < nr; i++)
		if (mask & BIT(i))
			length += scnprintf(text + length, KMPROF_SETTING_TEXT_LEN - length,
					    "%s%s", length ? "," : "", names[i]);
}
