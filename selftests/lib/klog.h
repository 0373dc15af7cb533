/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel log, from the moment on at which a test opens it. */
#ifndef KLOG_H
#define KLOG_H

/* Bytes of the longest line, with a NUL. */
enum { KLOG_LINE = 8192 };

int klog_open(void);
int klog_next(int log, char line[KLOG_LINE]);
unsigned int klog_lines_with(int log, const char *text, const char *also);
unsigned int klog_lines(int log, const char *text);

#endif /* KLOG_H */
