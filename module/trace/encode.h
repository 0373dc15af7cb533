/* SPDX-License-Identifier: GPL-2.0 */
/* Writing the parts of a record. Source: traceBuf of Go's trace.go. */
#ifndef KMPROF_TRACE_ENCODE_H
#define KMPROF_TRACE_ENCODE_H

#include <linux/string.h>
#include <linux/types.h>

enum {
	/* Bytes of the largest varint. */
	KMPROF_TRACE_VARINT_MAX	= 10,
};

/**
 * kmprof_trace_put() - write a varint
 * @to: where; there are KMPROF_TRACE_VARINT_MAX bytes
 * @value: the number
 *
 * Return: the end of what is written.
 */
static __always_inline u8 *kmprof_trace_put(u8 *to, u64 value)
{
	while (value >= 0x80) {
		*to++ = value | 0x80;
		value >>= 7;
	}
	*to++ = value;
	return to;
}

/**
 * kmprof_trace_put_text() - write a text
 * @to: where; there are 1 + @len bytes
 * @text: the text
 * @len: bytes of it, at most KMPROF_TRACE_TEXT_MAX
 *
 * Return: the end of what is written.
 */
static __always_inline u8 *kmprof_trace_put_text(u8 *to, const char *text, u8 len)
{
	*to++ = len;
	memcpy(to, text, len);
	return to + len;
}

#endif
