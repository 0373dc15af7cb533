/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The setting labels: which labels tell waits and releases apart, besides stack and lock. And
 * the text of a value that is a set of labels.
 */
#ifndef KMPROF_LABELS_SETTING_H
#define KMPROF_LABELS_SETTING_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_labels_setting;

#define KMPROF_LABELS_WANTED	"some of comm,pid,cgroup, or none"

int kmprof_labels_parse(const char *text, u64 *labels);
void kmprof_labels_format(char text[KMPROF_SETTING_TEXT_LEN], u64 labels);

#endif
