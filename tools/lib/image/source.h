/* SPDX-License-Identifier: GPL-2.0 */
/* Names of what events are seen by. */
#ifndef KMPROF_IMAGE_SOURCE_H
#define KMPROF_IMAGE_SOURCE_H

#include <linux/types.h>

/**
 * kmprof_source_name() - name of an enum kmprof_source
 * @source: value from the kernel or from an image
 *
 * Return: a static string, "unknown" for values of a later version.
 */
const char *kmprof_source_name(__u32 source);

/**
 * kmprof_wait_source_name() - the same of a source of waits
 * @source: 0 from a module that has only one
 *
 * Return: a static string.
 */
const char *kmprof_wait_source_name(__u32 source);

#endif
