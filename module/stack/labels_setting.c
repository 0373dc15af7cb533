// SPDX-License-Identifier: GPL-2.0
/* The setting labels. Its value is a bit mask, its text is a list of names; no probes. */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <uapi/linux/kmprof.h>

#include "core/mask_text.h"
#include "stack/labels.h"
#include "stack/labels_setting.h"

/* The bit of a label is its index here. */
static const char * const names[] = { "comm", "pid", "cgroup" };

static_assert(BIT(ARRAY_SIZE(names)) - 1 == KMPROF_LABELS);

/**
 * kmprof_labels_parse() - convert names of labels to a bit mask
 * @text: names separated by commas, "none", or empty
 * @labels: returns the bit mask of KMPROF_LABEL_*
 *
 * Context: Any.
 * Return: 0, or -EINVAL.
 */
int kmprof_labels_parse(const char *text, u64 *labels)
{
	return kmprof_mask_parse(names, ARRAY_SIZE(names), text, labels);
}

/**
 * kmprof_labels_format() - convert a bit mask to names of labels
 * @text: returns text that kmprof_labels_parse() understands
 * @labels: bit mask of KMPROF_LABEL_*
 *
 * Context: Any.
 */
void kmprof_labels_format(char text[KMPROF_SETTING_TEXT_LEN], u64 labels)
{
	kmprof_mask_format(names, ARRAY_SIZE(names), text, labels);
}

static const struct kmprof_setting_ops ops = {
	.parse	= kmprof_labels_parse,
	.format	= kmprof_labels_format,
	.change	= kmprof_labels_set,
};

struct kmprof_setting kmprof_labels_setting = {
	.name	= "labels",
	.id	= KMPROF_SETTING_LABELS,
	.max	= KMPROF_LABELS,
	.wanted	= KMPROF_LABELS_WANTED,
	.ops	= &ops,
};

module_param_cb(labels, &kmprof_setting_param_ops, &kmprof_labels_setting, 0600);
MODULE_PARM_DESC(labels, "what tells waits and releases apart beside stack and lock: some of comm,pid,cgroup (default none)");
