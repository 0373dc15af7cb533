/* SPDX-License-Identifier: GPL-2.0 */
/* The text of a filter. */
#ifndef KMPROF_CONDITIONS_H
#define KMPROF_CONDITIONS_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

/* Adds a condition to @filter. Returns 0, or -EINVAL: it is none, or there is one of that key. */
typedef int kmprof_add_condition(void *filter, const char *key, char *value);

int kmprof_condition_number(const char *text, u64 *number);
int kmprof_condition_duration(char *text, u64 *ns);
int kmprof_condition_claim(const char *const *keys, unsigned int nr, const char *key, u32 *has);
int kmprof_conditions_parse(const char *name, char trimmed[KMPROF_TEXT_LEN], const char *text,
			    kmprof_add_condition *add, void *filter);

#endif
