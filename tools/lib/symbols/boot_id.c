// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "symbols/boot_id.h"

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
