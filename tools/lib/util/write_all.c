// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <unistd.h>

#include "util/write_all.h"

int kmprof_write_all(int fd, const char *bytes, size_t size)
{
	ssize_t n;

	for (; size; bytes += n, size -= (size_t)n) {
		n = write(fd, bytes, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return -errno;
	}
	return 0;
}
