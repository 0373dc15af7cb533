// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/leaks_settings.h"

#define HEAP_RATE	"heap_rate"
#define HEAP		"heap"
#define FILTER		"heap_filter"

/* Of a running system whose memory is not sampled: Go's default. */
#define DEFAULT_RATE	"512K"

/* The rate that the user wants, or the one that suits; NULL: what it is now. */
static const char *wanted_rate(const char *typed, bool is_repeated,
			       const struct kmprof_setting_value *now)
{
	if (typed)
		return typed;
	/* A command is repeated: each object that it leaves behind counts. */
	if (is_repeated)
		return "1";
	/* The objects that are sampled already are known for longer. */
	return now->value ? NULL : DEFAULT_RATE;
}

static int parse_rate(__u64 *rate, const char *wanted, const struct kmprof_settings *have,
		      const struct kmprof_setting_value *now, struct kmprof_error *err)
{
	struct kmprof_settings parsed = { 0 };
	char *text;
	int ret;

	if (asprintf(&text, HEAP_RATE "=%s", wanted) < 0)
		return kmprof_error_set(err, -ENOMEM, NULL, HEAP_RATE ": out of memory");
	ret = kmprof_config_parse(&parsed, have, text, err);
	free(text);
	*rate = ret ? 0 : parsed.setting[0].value;
	kmprof_settings_release(&parsed);
	if (ret == -ENOMEM || *rate)
		return ret;
	return kmprof_error_set(err, -ERANGE, NULL,
				"--rate: '%s' is not a number of bytes from 1 to %llu", wanted,
				now->max);
}

/* @heap: or NULL: leave it. Return: 0 or a negative errno; then nothing is to be put back. */
static int set(struct leaks_settings *settings, struct kmprof_device *dev,
	       const struct kmprof_setting_value *heap, const struct kmprof_setting_value *rate,
	       struct kmprof_error *err)
{
	struct changes *changes = &settings->changes;
	int ret = 0;

	if (heap)
		ret = changes_add_number(changes, heap, settings->kinds);
	if (!ret)
		ret = changes_add_number(changes, rate, settings->rate);
	if (ret)
		kmprof_error_set(err, ret, NULL, HEAP_RATE ": out of memory");
	else
		ret = changes_make(changes, dev, err);
	if (ret)
		changes_release(changes);
	return ret;
}

/*
 * All that the module has, but not memory of user space and the page cache, unless the user has
 * asked for it: it grows with what a command reads.
 */
static __u64 all_kinds(const struct kmprof_setting_value *heap)
{
	return (heap->max & ~KMPROF_HEAP_MOVABLE) | heap->value;
}

static void warn_of_kinds(const struct kmprof_setting_value *heap, __u64 kinds,
			  const struct kmprof_error *why)
{
	struct kmprof_setting_value all = *heap, some = *heap;
	char all_text[KMPROF_CONFIG_TEXT], some_text[KMPROF_CONFIG_TEXT];
	struct kmprof_error warning;

	all.value = all_kinds(heap);
	some.value = kinds;
	kmprof_error_set(&warning, 0, why->hint, "with " HEAP "=%s, not %s: %s",
			 kmprof_config_text(&some, some_text), kmprof_config_text(&all, all_text),
			 why->text);
	warn(&warning);
}

/* With all kinds of memory, or with those that are on now and slabs, or with slabs alone. */
static int set_all_kinds(struct leaks_settings *settings, struct kmprof_device *dev,
			 const struct kmprof_setting_value *heap,
			 const struct kmprof_setting_value *rate, struct kmprof_error *err)
{
	const __u64 all = all_kinds(heap);
	const __u64 kinds[] = { all, heap->value | KMPROF_HEAP_SLAB, KMPROF_HEAP_SLAB };
	struct kmprof_error why;
	int ret = -EINVAL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds) && ret && ret != -ENOMEM; i++) {
		settings->kinds = kinds[i];
		ret = set(settings, dev, heap, rate, err);
		if (ret && !i)
			why = *err;
	}
	if (!ret && settings->kinds != all)
		warn_of_kinds(heap, settings->kinds, &why);
	return ret;
}

static int set_rate(struct leaks_settings *settings, struct kmprof_device *dev,
		    const struct kmprof_setting_value *heap,
		    const struct kmprof_setting_value *rate, struct kmprof_error *err)
{
	char text[KMPROF_CONFIG_TEXT], hint[KMPROF_CONFIG_TEXT + sizeof("kmprof set heap=slab,")];
	struct kmprof_error warning;

	/* A module without the setting sees slabs only. */
	settings->kinds = heap ? heap->value : KMPROF_HEAP_SLAB;
	if (!settings->kinds)
		return kmprof_error_set(err, -ENODATA, "kmprof set heap=slab",
					HEAP "=none: no kind of memory is seen");
	if (!(settings->kinds & KMPROF_HEAP_SLAB)) {
		kmprof_config_text(heap, text);
		snprintf(hint, sizeof(hint), "kmprof set heap=slab,%s", text);
		kmprof_error_set(&warning, 0, hint, HEAP "=%s: slab memory is not seen", text);
		warn(&warning);
	}
	return set(settings, dev, NULL, rate, err);
}

/* The user has set it, and so may want it here: it stays. */
static void note_filter(struct leaks_settings *settings, const struct kmprof_settings *have)
{
	const struct kmprof_setting_value *filter = kmprof_settings_find(have, FILTER);
	struct kmprof_error warning;

	if (!filter || !filter->value)
		return;
	snprintf(settings->filter, sizeof(settings->filter), "%s", filter->text);
	kmprof_error_set(&warning, 0, "kmprof set " FILTER "=none",
			 FILTER "=%s: other memory is not seen", filter->text);
	warn(&warning);
}

static int change(struct leaks_settings *settings, struct kmprof_device *dev,
		  const struct kmprof_settings *have, const char *typed, bool is_repeated,
		  struct kmprof_error *err)
{
	const struct kmprof_setting_value *rate = kmprof_settings_find(have, HEAP_RATE);
	const struct kmprof_setting_value *heap = kmprof_settings_find(have, HEAP);
	const char *wanted;
	int ret = 0;

	if (!rate)
		return kmprof_error_set(err, -ENOENT, NULL,
					"the module does not profile memory");
	note_filter(settings, have);
	settings->rate = rate->value;
	wanted = wanted_rate(typed, is_repeated, rate);
	if (wanted)
		ret = parse_rate(&settings->rate, wanted, have, rate, err);
	if (ret)
		return ret;
	if (is_repeated && heap)
		ret = set_all_kinds(settings, dev, heap, rate, err);
	else
		ret = set_rate(settings, dev, heap, rate, err);
	settings->unseen = (KMPROF_HEAP_KINDS | (heap ? all_kinds(heap) : 0)) & ~settings->kinds;
	return ret;
}

int leaks_settings_change(struct leaks_settings *settings, struct kmprof_device *dev,
			  const char *rate, bool is_repeated, struct kmprof_error *err)
{
	struct kmprof_settings have;
	int ret;

	*settings = (struct leaks_settings){ 0 };
	ret = kmprof_config_get(dev, &have, err);
	if (ret)
		return ret;
	ret = change(settings, dev, &have, rate, is_repeated, err);
	kmprof_settings_release(&have);
	return ret;
}

int leaks_settings_restore(struct leaks_settings *settings, struct kmprof_device *dev,
			   struct kmprof_error *err)
{
	int ret = changes_undo(&settings->changes, dev, err);

	changes_release(&settings->changes);
	return ret;
}
