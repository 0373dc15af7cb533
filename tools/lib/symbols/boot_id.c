// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "symbols/boot_id.h"

#define NSEC_PER_SEC	1000000000ULL

const char *kmprof_boot_id_read(char text[KMPROF_BOOT_ID_TEXT], const char *path)
{
	FILE *file = fopen(path, "re");
	int n;

	if (!file)
		return NULL;
	n = fscanf(file, "%36[-0-9a-f]", text);
	fclose(file);
	return n == 1 && strlen(text) == KMPROF_BOOT_ID_TEXT - 1 ? text : NULL;
}

const char *kmprof_boot_id(const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar = kmprof_image_find_scalar(image, KMPROF_BOOT_ID);
	const char *text = scalar ? kmprof_scalar_text(image, scalar) : "";

	return *text ? text : NULL;
}

static __u64 now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (__u64)now.tv_sec * NSEC_PER_SEC + (__u64)now.tv_nsec;
}

__u64 kmprof_boot_time_ns(void)
{
	return now_ns(CLOCK_REALTIME) - now_ns(CLOCK_BOOTTIME);
}
