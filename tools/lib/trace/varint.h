/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers of records. */
#ifndef KMPROF_TRACE_VARINT_H
#define KMPROF_TRACE_VARINT_H

#include <stddef.h>

#include <linux/types.h>

/**
 * kmprof_varint_read() - read a number
 * @bytes: where it begins
 * @room: bytes that there are
 * @value: filled in
 *
 * Return: bytes of the number; 0 if it does not end before @room, or is too large.
 */
static inline size_t kmprof_varint_read(const unsigned char *bytes, size_t room, __u64 *value)
{
	unsigned int shift;
	size_t at = 0;
	__u64 bits;

	*value = 0;
	for (shift = 0; shift < 64 && at < room; shift += 7) {
		bits = bytes[at] & 0x7f;
		if (bits << shift >> shift != bits)
			return 0;
		*value |= bits << shift;
		if (!(bytes[at++] & 0x80))
			return at;
	}
	return 0;
}

#endif
