// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "trace/meter.h"

static bool is_header(const struct kmprof_trace_header *header)
{
	return header->magic == KMPROF_TRACE_MAGIC && header->abi_version == KMPROF_ABI_VERSION &&
	       header->header_size >= KMPROF_TRACE_HEADER_LEAST && header->nr_cpus &&
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
	meter->start_ns = header->start.mono_ns;
	/* All factors have 32 bits. */
	meter->skip = header->header_size - KMPROF_TRACE_HEADER_LEAST +
		      (__u64)header->nr_types * header->type_size +
		      (__u64)header->nr_tasks * header->task_size;
	meter->more = header->header_size - KMPROF_TRACE_HEADER_LEAST;
	meter->nr_types = header->nr_types;
	meter->type_size = header->type_size;
	meter->has_locks = header->events & 1ULL << KMPROF_TRACE_CONTENTION_BEGIN &&
			   header->type_size >= sizeof(struct kmprof_trace_type);
	if (meter->has_locks)
		meter->gathers = KMPROF_METER_TABLES;
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
	meter->gathers = batch->flags == KMPROF_TRACE_END ? KMPROF_METER_END :
			 batch->flags == KMPROF_TRACE_STACKS ? KMPROF_METER_STACKS :
			 !batch->flags && meter->has_locks ? KMPROF_METER_RECORDS :
							     KMPROF_METER_OTHER;
	if (batch->flags)
		return;
	lost = batch->number - meter->next[batch->cpu];
	meter->next[batch->cpu] = batch->number + batch->nr;
	meter->lost_on[batch->cpu] += lost;
	meter->lost += lost;
	meter->events += batch->nr;
}

/* The tables begin behind what a header of a later version has more. */
static void take_tables(struct kmprof_meter *meter)
{
	size_t types = (size_t)meter->nr_types * meter->type_size;

	if (types <= meter->gathered.used - meter->more)
		kmprof_locks_begin(&meter->locks, meter->gathered.bytes + meter->more,
				   meter->nr_types, meter->type_size);
}

static void take_end(struct kmprof_meter *meter)
{
	struct kmprof_trace_end end;

	if (meter->gathered.used < sizeof(end))
		return;
	memcpy(&end, meter->gathered.bytes, sizeof(end));
	if (end.end.mono_ns > meter->start_ns)
		meter->ns = end.end.mono_ns - meter->start_ns;
}

/* Bytes of a part go by. */
static int gather(struct kmprof_meter *meter, const char *bytes, size_t size)
{
	if (meter->gathers == KMPROF_METER_OTHER)
		return 0;
	return kmprof_growing_add(meter->gathers == KMPROF_METER_STACKS ? &meter->stacks :
									   &meter->gathered,
				  bytes, size);
}

/* The whole part has gone by. */
static int take_part(struct kmprof_meter *meter)
{
	int ret = 0;

	if (meter->gathers == KMPROF_METER_TABLES)
		take_tables(meter);
	else if (meter->gathers == KMPROF_METER_END)
		take_end(meter);
	else if (meter->gathers == KMPROF_METER_RECORDS)
		ret = kmprof_locks_look(&meter->locks, meter->gathered.bytes,
					meter->gathered.used);
	meter->gathered.used = 0;
	return ret;
}

void kmprof_meter_feed(struct kmprof_meter *meter, const char *bytes, size_t size)
{
	size_t n, wanted;

	meter->bytes += size;
	for (; size && !meter->is_unknown; bytes += n, size -= n) {
		if (meter->skip) {
			n = size < meter->skip ? size : meter->skip;
			meter->skip -= n;
			if (gather(meter, bytes, n) || (!meter->skip && take_part(meter)))
				meter->is_unknown = true;
			continue;
		}
		wanted = meter->nr_cpus ? sizeof(meter->part.batch) : KMPROF_TRACE_HEADER_LEAST;
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
	free(meter->gathered.bytes);
	free(meter->locks.found.bytes);
	memset(&meter->stacks, 0, sizeof(meter->stacks));
	memset(&meter->gathered, 0, sizeof(meter->gathered));
	memset(&meter->locks, 0, sizeof(meter->locks));
	meter->next = NULL;
	meter->lost_on = NULL;
}
