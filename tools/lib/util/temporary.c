// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/temporary.h"

enum { TEMPORARIES_MOST = 100 };

int kmprof_temporary_make(char **name, int dir, int (*make)(int dir, const char *name))
{
	unsigned long long random;
	int ret = -EEXIST, tries;

	*name = NULL;
	for (tries = 0; ret == -EEXIST && tries < TEMPORARIES_MOST; tries++) {
		if (getentropy(&random, sizeof(random)))
			return -errno;
		if (asprintf(name, ".kmprof-%016llx", random) < 0) {
			*name = NULL;
			return -ENOMEM;
		}
		ret = make(dir, *name);
		if (ret < 0) {
			free(*name);
			*name = NULL;
		}
	}
	return ret;
}
