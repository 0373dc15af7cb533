// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/ctf_packet.h"

enum {
	/* Of what is before the events: see ctf_metadata.c. */
	HEAD_BYTES	= 2 * sizeof(__u32) + 5 * sizeof(__u64) + sizeof(__u32),
	NAME_ROOM	= 16,
};

int kmprof_ctf_put_number(struct kmprof_growing *bytes, __u64 number, size_t size)
{
	unsigned char byte[sizeof(number)];
	size_t i;

	for (i = 0; i < size; i++, number >>= 8)
		byte[i] = (unsigned char)number;
	return kmprof_growing_add(bytes, byte, size);
}

int kmprof_ctf_put_text(struct kmprof_growing *bytes, const char *text)
{
	return kmprof_growing_add(bytes, text, strlen(text) + 1);
}

static int put_head(struct kmprof_growing *head, const struct kmprof_ctf_packet *packet)
{
	__u64 bits = 8 * (HEAD_BYTES + (__u64)packet->bytes.used);

	if (kmprof_ctf_put_number(head, KMPROF_CTF_MAGIC, sizeof(__u32)) ||
	    kmprof_ctf_put_number(head, 0, sizeof(__u32)) ||
	    kmprof_ctf_put_number(head, packet->begin_ns, sizeof(__u64)) ||
	    kmprof_ctf_put_number(head, packet->end_ns, sizeof(__u64)) ||
	    kmprof_ctf_put_number(head, bits, sizeof(__u64)) ||
	    kmprof_ctf_put_number(head, bits, sizeof(__u64)) ||
	    kmprof_ctf_put_number(head, packet->lost, sizeof(__u64)) ||
	    kmprof_ctf_put_number(head, packet->cpu, sizeof(__u32)))
		return -ENOMEM;
	return 0;
}

int kmprof_ctf_packet_write(struct kmprof_ctf_packet *packet,
			    const struct kmprof_output_directory *output, struct kmprof_error *err)
{
	struct kmprof_growing all = { 0 };
	char name[NAME_ROOM];
	int ret;

	snprintf(name, sizeof(name), "cpu_%u", packet->cpu);
	if (put_head(&all, packet) ||
	    kmprof_growing_add(&all, packet->bytes.bytes, packet->bytes.used))
		ret = kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", output->path);
	else
		ret = kmprof_output_directory_append(output, name, all.bytes, all.used, err);
	free(all.bytes);
	packet->bytes.used = 0;
	packet->begin_ns = packet->end_ns;
	return ret;
}
