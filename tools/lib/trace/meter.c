// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "trace/meter.h"

static bool is_header(const struct kmprof_trace_header *header)
{
	return header->magic == KMPROF_TRACE_MAGIC && header->abi_version == KMPROF_ABI_VERSION &&
	       header->header_size >= sizeof(*header) && header->nr_cpus &&
	       header->nr_cpus <= KMPROF_TRACE_CPUS_MOST;
}

static void take_header(struct kmprof_meter *meter)
{
	const struct kmprof_trace_header *header = &meter->part.header;

	meter->is_unknown = true;
	if (!is_header(header))
		return;
	meter->next = calloc(header->nr_cpus, sizeof(*meter->next));
	meter->lost_on = calloc(header->nr_cpus, sizeof(*meter->lost_on));
	if (!meter->next || !meter->lost_on)
		return;
	meter->nr_cpus = header->nr_cpus;
	/* All factors have 32 bits. */
	meter->skip = header->header_size - sizeof(*header) +
		      (__u64)header->nr_types * header->type_size +
		      (__u64)header->nr_tasks * header->task_size;
	meter->is_unknown = false;
}

static void take_batch(struct kmprof_meter *meter)
{
	const struct kmprof_trace_batch *batch = &meter->part.batch;
	__u64 lost;

	meter->is_unknown = batch->bytes < sizeof(*batch) ||
			    (!batch->flags && batch->cpu >= meter->nr_cpus);
	if (meter->is_unknown)
		return;
	meter->skip = batch->bytes - sizeof(*batch);
	meter->has_stacks = batch->flags == KMPROF_TRACE_STACKS;
	if (batch->flags)
		return;
	lost = batch->number - meter->next[batch->cpu];
	meter->next[batch->cpu] = batch->number + batch->nr;
	meter->lost_on[batch->cpu] += lost;
	meter->lost += lost;
	meter->events += batch->nr;
}

void kmprof_meter_feed(struct kmprof_meter *meter, const char *bytes, size_t size)
{
	size_t n, wanted;

	meter->bytes += size;
	for (; size && !meter->is_unknown; bytes += n, size -= n) {
		if (meter->skip) {
			n = size < meter->skip ? size : meter->skip;
			meter->skip -= n;
			if (meter->has_stacks && kmprof_growing_add(&meter->stacks, bytes, n))
				meter->is_unknown = true;
			continue;
		}
		wanted = meter->nr_cpus ? sizeof(meter->part.batch) : sizeof(meter->part.header);
		n = wanted - meter->have;
		if (n > size)
			n = size;
		memcpy(meter->part.bytes + meter->have, bytes, n);
		meter->have += n;
		if (meter->have < wanted)
			continue;
		meter->have = 0;
		if (meter->nr_cpus)
			take_batch(meter);
		else
			take_header(meter);
	}
}

void kmprof_meter_release(struct kmprof_meter *meter)
{
	free(meter->next);
	free(meter->lost_on);
	free(meter->stacks.bytes);
	memset(&meter->stacks, 0, sizeof(meter->stacks));
	meter->next = NULL;
	meter->lost_on = NULL;
}
