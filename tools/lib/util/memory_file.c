// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/memory_file.h"

int kmprof_memory_file_close(FILE *file, char **text)
{
	bool has_failed = ferror(file);

	if (fclose(file))
		has_failed = true;
	if (has_failed) {
		free(*text);
		*text = NULL;
	}
	return *text ? 0 : -ENOMEM;
}
