// SPDX-License-Identifier: GPL-2.0
/* Reads /dev/kmsg, line by line. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/klog.h"

/**
 * klog_open() - open the kernel log at its end
 *
 * Return: a descriptor, or a negative errno.
 */
int klog_open(void)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC), err;

	if (log < 0)
		return -errno;
	if (lseek(log, 0, SEEK_END) >= 0)
		return log;
	err = errno;
	close(log);
	return -err;
}

/**
 * klog_next() - read the next line
 * @log: from klog_open()
 * @line: out: the line
 *
 * Return: 1, or 0 when there is none now.
 */
int klog_next(int log, char line[KLOG_LINE])
{
	ssize_t length = read(log, line, KLOG_LINE - 1);

	if (length <= 0)
		return 0;
	line[length] = '\0';
	return 1;
}

/**
 * klog_lines_with() - read all lines that there are now, and count those with both texts
 * @log: from klog_open()
 * @text: one text
 * @also: the other one
 */
unsigned int klog_lines_with(int log, const char *text, const char *also)
{
	unsigned int count = 0;
	char line[KLOG_LINE];

	while (klog_next(log, line))
		count += strstr(line, text) && strstr(line, also);
	return count;
}

/**
 * klog_lines() - read all lines that there are now, and count those with a text
 * @log: from klog_open()
 * @text: the text
 */
unsigned int klog_lines(int log, const char *text)
{
	return klog_lines_with(log, text, "");
}
