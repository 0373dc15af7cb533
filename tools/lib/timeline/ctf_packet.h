/* SPDX-License-Identifier: GPL-2.0 */
/* The events of each CPU in CTF: a file that packets are put behind. */
#ifndef KMPROF_TIMELINE_CTF_PACKET_H
#define KMPROF_TIMELINE_CTF_PACKET_H

#include <stddef.h>

#include <linux/types.h>

#include "util/error.h"
#include "util/growing.h"
#include "util/output_directory.h"

/* Its layout is in ctf_metadata.c. */
#define KMPROF_CTF_MAGIC	0xc1fc1fc1U

/**
 * struct kmprof_ctf_packet - the packet of a CPU that is being filled
 * @cpu: the CPU
 * @begin_ns: its first time: that of the end of the packet before, or the start of the trace
 * @end_ns: its last time so far
 * @lost: events that the CPU has lost since the start
 * @bytes: its events; to be freed
 */
struct kmprof_ctf_packet {
	__u32 cpu;
	__u64 begin_ns;
	__u64 end_ns;
	__u64 lost;
	struct kmprof_growing bytes;
};

/* Puts a number of @size bytes behind it, the least byte first. Return: 0 or -ENOMEM. */
int kmprof_ctf_put_number(struct kmprof_growing *bytes, __u64 number, size_t size);

/* Puts a text behind it, up to a NUL. Return: as above. */
int kmprof_ctf_put_text(struct kmprof_growing *bytes, const char *text);

/**
 * kmprof_ctf_packet_write() - write a packet, and begin the next one at its end
 * @packet: the packet
 * @output: where to
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_ctf_packet_write(struct kmprof_ctf_packet *packet,
			    const struct kmprof_output_directory *output,
			    struct kmprof_error *err);

#endif
