// SPDX-License-Identifier: GPL-2.0
/*
 * Takes snapshots, checks that an image keeps every promise of the contract,
 * and finds the way through its tables.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/snapshot.h"

/**
 * snapshot_ioctl() - take a snapshot
 * @dev: the open device
 * @flags: KMPROF_SNAPSHOT_*
 * @taken: out: what the kernel told
 *
 * Return: the snapshot's descriptor or a negative errno.
 */
int snapshot_ioctl(int dev, uint32_t flags, struct kmprof_snapshot *taken)
{
	*taken = (struct kmprof_snapshot){ .size = sizeof(*taken), .flags = flags };
	return ioctl(dev, KMPROF_IOC_SNAPSHOT, taken) ? -errno : taken->fd;
}

/**
 * snapshot_read() - read an image from a descriptor's position to its end
 * @fd: the snapshot's descriptor
 * @snapshot: out: the image, for snapshot_free()
 *
 * Return: 0 or a negative errno.
 */
int snapshot_read(int fd, struct snapshot *snapshot)
{
	size_t size = 1 << 20, used = 0;
	char *image = malloc(size), *bigger;
	ssize_t got;

	if (!image)
		return -ENOMEM;
	while ((got = read(fd, image + used, size - used)) > 0) {
		used += got;
		if (used < size)
			continue;
		bigger = realloc(image, size * 2);
		if (!bigger) {
			free(image);
			return -ENOMEM;
		}
		image = bigger;
		size *= 2;
	}
	if (got < 0) {
		free(image);
		return -errno;
	}
	snapshot->image = image;
	snapshot->bytes = used;
	snapshot->header = (const void *)image;
	snapshot->cycle = 0;
	return 0;
}

/**
 * snapshot_take() - close the cycle and get its image
 * @dev: the open device
 * @snapshot: out: the image, for snapshot_free()
 *
 * Return: 0 or a negative errno; -EPROTO when the ioctl and the image differ.
 */
int snapshot_take(int dev, struct snapshot *snapshot)
{
	struct kmprof_snapshot taken;
	int fd, ret;

	memset(snapshot, 0, sizeof(*snapshot));
	fd = snapshot_ioctl(dev, 0, &taken);
	if (fd < 0)
		return fd;
	ret = snapshot_read(fd, snapshot);
	close(fd);
	if (ret)
		return ret;
	snapshot->cycle = taken.cycle;
	if (taken.bytes != snapshot->bytes) {
		fprintf(stderr, "# snapshot: %llu bytes announced, %zu read\n",
			(unsigned long long)taken.bytes, snapshot->bytes);
		snapshot_free(snapshot);
		return -EPROTO;
	}
	return 0;
}

/**
 * snapshot_free() - free an image
 * @snapshot: may be all zero
 */
void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->image);
	memset(snapshot, 0, sizeof(*snapshot));
}

static const void *table_entry(const struct snapshot *snapshot,
			       const struct kmprof_table *table, uint64_t i)
{
	return (const char *)snapshot->image + table->offset +
	       i * table->entry_size;
}

static const struct kmprof_image_loss *loss_entry(const struct snapshot *snapshot, uint32_t i)
{
	return table_entry(snapshot, &snapshot->header->losses, i);
}

static const char *string_at(const struct snapshot *snapshot, uint32_t offset)
{
	return (const char *)snapshot->image +
	       snapshot->header->strings.offset + offset;
}

/**
 * snapshot_count() - number of buckets in an image
 * @snapshot: the image
 */
uint32_t snapshot_count(const struct snapshot *snapshot)
{
	return snapshot->header->samples.count;
}

/**
 * snapshot_sample() - a bucket
 * @snapshot: the image
 * @i: its number
 */
const struct kmprof_image_sample *snapshot_sample(const struct snapshot *snapshot, uint32_t i)
{
	return table_entry(snapshot, &snapshot->header->samples, i);
}

/**
 * snapshot_frames() - the stack of a bucket
 * @snapshot: the image
 * @sample: the bucket
 *
 * Return: its @nr_frames addresses, leaf first.
 */
const uint64_t *snapshot_frames(const struct snapshot *snapshot,
				const struct kmprof_image_sample *sample)
{
	return table_entry(snapshot, &snapshot->header->frames,
			   sample->first_frame);
}

/**
 * snapshot_contentions() - number of buckets of waits in an image
 * @snapshot: the image
 */
uint32_t snapshot_contentions(const struct snapshot *snapshot)
{
	return snapshot->header->contentions.count;
}

/**
 * snapshot_contention() - a bucket of waits
 * @snapshot: the image
 * @i: its number
 */
const struct kmprof_image_contention *snapshot_contention(const struct snapshot *snapshot,
							  uint32_t i)
{
	return table_entry(snapshot, &snapshot->header->contentions, i);
}

/**
 * snapshot_label() - whose waits or releases are in a bucket
 * @snapshot: the image
 * @contention: the bucket
 *
 * Return: the label, NULL when it has none.
 */
const struct kmprof_image_label *snapshot_label(const struct snapshot *snapshot,
						const struct kmprof_image_contention *contention)
{
	if (!contention->label)
		return NULL;
	return table_entry(snapshot, &snapshot->header->labels, contention->label - 1);
}

/**
 * snapshot_contention_frames() - the stack of a bucket of waits
 * @snapshot: the image
 * @contention: the bucket
 *
 * Return: its @nr_frames addresses, leaf first.
 */
const uint64_t *snapshot_contention_frames(const struct snapshot *snapshot,
					   const struct kmprof_image_contention *contention)
{
	return table_entry(snapshot, &snapshot->header->frames, contention->first_frame);
}

/**
 * snapshot_loss() - a counter of the ledger
 * @snapshot: the image
 * @name: its name
 *
 * Return: its value; UINT64_MAX when there is none of that name.
 */
uint64_t snapshot_loss(const struct snapshot *snapshot, const char *name)
{
	uint32_t i;

	for (i = 0; i < snapshot->header->losses.count; i++) {
		const struct kmprof_image_loss *loss = loss_entry(snapshot, i);

		if (!strcmp(string_at(snapshot, loss->name), name))
			return loss->count;
	}
	return UINT64_MAX;
}

static uint64_t losses_with(const struct snapshot *snapshot, uint32_t flag)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < snapshot->header->losses.count; i++) {
		const struct kmprof_image_loss *loss = loss_entry(snapshot, i);

		if (loss->flags & flag)
			sum += loss->count;
	}
	return sum;
}

/**
 * snapshot_lost_samples() - samples that are not in the sample table
 * @snapshot: the image
 *
 * Return: the sum of the losses with KMPROF_LOSS_SAMPLE.
 */
uint64_t snapshot_lost_samples(const struct snapshot *snapshot)
{
	return losses_with(snapshot, KMPROF_LOSS_SAMPLE);
}

/**
 * snapshot_lost_waits() - sampled waits that are not in the contention table
 * @snapshot: the image
 *
 * Return: the sum of the losses with KMPROF_LOSS_WAIT.
 */
uint64_t snapshot_lost_waits(const struct snapshot *snapshot)
{
	return losses_with(snapshot, KMPROF_LOSS_WAIT);
}

/**
 * snapshot_lost_delays() - the same of the mutex profile
 * @snapshot: the image
 *
 * Return: the sum of the losses with KMPROF_LOSS_DELAY.
 */
uint64_t snapshot_lost_delays(const struct snapshot *snapshot)
{
	return losses_with(snapshot, KMPROF_LOSS_DELAY);
}

/**
 * snapshot_print_losses() - print the ledger as a diagnostic
 * @snapshot: the image
 */
void snapshot_print_losses(const struct snapshot *snapshot)
{
	uint32_t i;

	fprintf(stderr, "# cycle %" PRIu64 " alloc_calls %llu sampled %llu counted %llu, ",
		snapshot->cycle,
		(unsigned long long)snapshot->header->alloc_calls,
		(unsigned long long)snapshot->header->sampled,
		(unsigned long long)snapshot->header->counted);
	fprintf(stderr, "waits %llu sampled %llu counted %llu, ",
		(unsigned long long)snapshot->header->waits,
		(unsigned long long)snapshot->header->waits_sampled,
		(unsigned long long)snapshot->header->waits_counted);
	fprintf(stderr, "releases %llu delays sampled %llu counted %llu, lost:",
		(unsigned long long)snapshot->header->releases,
		(unsigned long long)snapshot->header->delays_sampled,
		(unsigned long long)snapshot->header->delays_counted);
	for (i = 0; i < snapshot->header->losses.count; i++)
		fprintf(stderr, " %s %llu",
			string_at(snapshot, loss_entry(snapshot, i)->name),
			(unsigned long long)loss_entry(snapshot, i)->count);
	fprintf(stderr, "\n");
}

static char wrong[256];

static const char *is_wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(wrong, sizeof(wrong), format, args);
	va_end(args);
	return wrong;
}

static const char *table_wrong(const struct snapshot *snapshot, const char *name,
			       const struct kmprof_table *table, size_t entry)
{
	uint64_t room;

	if (table->offset % 8)
		return is_wrong("%s: offset %llu is not a multiple of 8", name,
				(unsigned long long)table->offset);
	if (table->entry_size < entry)
		return is_wrong("%s: entries of %u bytes", name, table->entry_size);
	if (table->offset < snapshot->header->header_size && table->count)
		return is_wrong("%s: overlaps the header", name);
	if (table->offset > snapshot->bytes)
		return is_wrong("%s: starts behind the end", name);
	room = (snapshot->bytes - table->offset) / table->entry_size;
	if (table->count > room)
		return is_wrong("%s: %u entries, room for %llu", name,
				table->count, (unsigned long long)room);
	return NULL;
}

static const char *tables_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_image_header *header = snapshot->header;
	const char *what;

	what = table_wrong(snapshot, "samples", &header->samples,
			   sizeof(struct kmprof_image_sample));
	what = what ?: table_wrong(snapshot, "contentions", &header->contentions,
				   sizeof(struct kmprof_image_contention));
	what = what ?: table_wrong(snapshot, "labels", &header->labels,
				   sizeof(struct kmprof_image_label));
	what = what ?: table_wrong(snapshot, "frames", &header->frames, sizeof(uint64_t));
	what = what ?: table_wrong(snapshot, "losses", &header->losses,
				   sizeof(struct kmprof_image_loss));
	return what ?: table_wrong(snapshot, "strings", &header->strings, 1);
}

static const char *losses_wrong(const struct snapshot *snapshot)
{
	enum {
		SAMPLE = KMPROF_LOSS_SAMPLE, WAIT = KMPROF_LOSS_WAIT, DELAY = KMPROF_LOSS_DELAY,
	};
	static const struct {
		const char *name;
		uint32_t flags;
	} ledger[] = {
		{ "nested", SAMPLE }, { "ring_full", SAMPLE }, { "live_full", SAMPLE },
		{ "bucket_full", SAMPLE }, { "alloc_failed", SAMPLE }, { "own", SAMPLE },
		{ "missed_probe", 0 }, { "missed_free", 0 },
		{ "stack_truncated", 0 }, { "untracked", 0 },
		{ "wait_nested", WAIT }, { "wait_ring_full", WAIT },
		{ "wait_bucket_full", WAIT }, { "wait_own", WAIT },
		{ "wait_table_full", 0 }, { "wait_unpaired", 0 },
		{ "delay_nested", DELAY }, { "delay_ring_full", DELAY },
		{ "delay_bucket_full", DELAY }, { "delay_own", DELAY },
		{ "delay_table_full", 0 }, { "missed_release", 0 }, { "missed_wait", 0 },
	};
	const struct kmprof_image_header *header = snapshot->header;
	uint32_t i, k;

	for (k = 0; k < sizeof(ledger) / sizeof(ledger[0]); k++) {
		for (i = 0; i < header->losses.count; i++) {
			const struct kmprof_image_loss *loss = loss_entry(snapshot, i);

			if (loss->name >= header->strings.count)
				return is_wrong("loss %u: name behind the strings", i);
			if (!memchr(string_at(snapshot, loss->name), '\0',
				    header->strings.count - loss->name))
				return is_wrong("loss %u: name without end", i);
			if (strcmp(string_at(snapshot, loss->name), ledger[k].name))
				continue;
			if (loss->flags != ledger[k].flags)
				return is_wrong("loss %s: flags %#x",
						ledger[k].name, loss->flags);
			break;
		}
		if (i == header->losses.count)
			return is_wrong("no loss %s in the ledger", ledger[k].name);
	}
	return NULL;
}

/* @is_nobodys: there is nobody whose stack it could be. */
static const char *stack_wrong(const struct snapshot *snapshot, const char *table, uint32_t i,
			       uint64_t first, uint32_t nr, int is_nobodys)
{
	uint32_t count = snapshot->header->frames.count;

	if (!!nr != is_nobodys && first <= count && nr <= count - first)
		return NULL;
	return is_wrong("%s %u: frames %llu + %u of %u", table, i, (unsigned long long)first, nr,
			count);
}

static const char *samples_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_image_header *header = snapshot->header;
	uint64_t counted = 0;
	uint32_t i;

	for (i = 0; i < header->samples.count; i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		const char *what = stack_wrong(snapshot, "bucket", i, sample->first_frame,
					       sample->nr_frames, 0);

		if (what)
			return what;
		if (sample->profile != KMPROF_PROFILE_HEAP)
			return is_wrong("bucket %u: profile %u", i, sample->profile);
		if (!sample->period || sample->period > KMPROF_HEAP_RATE_MAX)
			return is_wrong("bucket %u: period %llu", i,
					(unsigned long long)sample->period);
		if (sample->frees > sample->allocs)
			return is_wrong("bucket %u: %llu frees of %llu allocs", i,
					(unsigned long long)sample->frees,
					(unsigned long long)sample->allocs);
		if (sample->rcu_pending > sample->frees)
			return is_wrong("bucket %u: %llu pending of %llu frees", i,
					(unsigned long long)sample->rcu_pending,
					(unsigned long long)sample->frees);
		counted += sample->allocs;
	}
	if (counted != header->counted)
		return is_wrong("buckets hold %llu samples, counted is %llu",
				(unsigned long long)counted,
				(unsigned long long)header->counted);
	return NULL;
}

/* Each label is of one bucket. */
static const char *label_wrong(const struct snapshot *snapshot, uint32_t i, uint32_t *last)
{
	const struct kmprof_image_contention *contention = snapshot_contention(snapshot, i);
	const struct kmprof_image_label *label = snapshot_label(snapshot, contention);

	if (!label)
		return NULL;
	if (contention->label != ++*last || *last > snapshot->header->labels.count)
		return is_wrong("contention %u: label %u", i, contention->label);
	if (!label->labels || label->labels & ~KMPROF_LABELS)
		return is_wrong("label %u: mask %#x", *last, label->labels);
	if (label->comm[KMPROF_COMM_LEN - 1])
		return is_wrong("label %u: a name without an end", *last);
	if ((label->pid && !(label->labels & KMPROF_LABEL_PID)) ||
	    (label->cgroup && !(label->labels & KMPROF_LABEL_CGROUP)) ||
	    (label->comm[0] && !(label->labels & KMPROF_LABEL_COMM)))
		return is_wrong("label %u: says more than its mask %#x", *last, label->labels);
	return NULL;
}

static const char *contention_wrong(const struct snapshot *snapshot, uint32_t i)
{
	const struct kmprof_image_contention *contention = snapshot_contention(snapshot, i);
	const int is_block = contention->profile == KMPROF_PROFILE_BLOCK;
	const uint32_t flags = KMPROF_WAIT_READ | KMPROF_WAIT_WRITE | KMPROF_WAIT_SPUN |
			       KMPROF_WAIT_FAILED | (is_block ? 0 : KMPROF_WAIT_UNBLAMED);
	const uint64_t most = is_block ? KMPROF_BLOCK_RATE_MAX : KMPROF_MUTEX_FRACTION_MAX;
	const int is_nobodys = !!(contention->flags & KMPROF_WAIT_UNBLAMED);
	const uint64_t one = 1ULL << KMPROF_WAIT_COUNT_SHIFT;
	const char *what = stack_wrong(snapshot, "contention", i, contention->first_frame,
				       contention->nr_frames, is_nobodys);

	if (what)
		return what;
	if (!is_block && contention->profile != KMPROF_PROFILE_MUTEX)
		return is_wrong("contention %u: profile %u", i, contention->profile);
	if (!contention->period || contention->period > most)
		return is_wrong("contention %u: period %llu", i,
				(unsigned long long)contention->period);
	if (!contention->kind || contention->kind > KMPROF_LOCK_RWLOCK)
		return is_wrong("contention %u: kind %u", i, contention->kind);
	if (contention->flags & ~flags)
		return is_wrong("contention %u: flags %#x", i, contention->flags);
	/* A release neither spins nor fails. */
	if (!is_block && !is_nobodys &&
	    contention->flags & (KMPROF_WAIT_SPUN | KMPROF_WAIT_FAILED))
		return is_wrong("contention %u: a release with flags %#x", i, contention->flags);
	if (contention->lock && !(snapshot->header->flags & KMPROF_IMAGE_ADDRESSES))
		return is_wrong("contention %u: an address that nobody may see", i);
	/* Each sampled wait counts at least once, and takes at least a period. */
	if (contention->count && contention->count < one)
		return is_wrong("contention %u: less than one wait", i);
	if (contention->period == 1 && contention->count % one)
		return is_wrong("contention %u: part of a wait, with period 1", i);
	/* Each sampled release counts for as many as one is sampled of. */
	if (!is_block && contention->count % (contention->period * one))
		return is_wrong("contention %u: part of a release", i);
	if (contention->count && contention->delay_ns < contention->period)
		return is_wrong("contention %u: %llu ns in all, period %llu", i,
				(unsigned long long)contention->delay_ns,
				(unsigned long long)contention->period);
	if (contention->longest_ns > contention->delay_ns)
		return is_wrong("contention %u: one of %llu ns, %llu in all", i,
				(unsigned long long)contention->longest_ns,
				(unsigned long long)contention->delay_ns);
	return NULL;
}

static const char *waits_wrong(const struct kmprof_image_header *header, uint64_t exact,
			       uint64_t estimated, uint64_t lost)
{
	if (header->waits_counted < exact || header->waits_counted > exact + estimated)
		return is_wrong("contentions hold %llu waits, and about %llu, counted is %llu",
				(unsigned long long)exact, (unsigned long long)estimated,
				(unsigned long long)header->waits_counted);
	if (header->waits_sampled != header->waits_counted + lost)
		return is_wrong("waits: sampled %llu, counted %llu + lost %llu",
				(unsigned long long)header->waits_sampled,
				(unsigned long long)header->waits_counted,
				(unsigned long long)lost);
	if (header->waits_sampled > header->waits)
		return is_wrong("sampled %llu of %llu waits",
				(unsigned long long)header->waits_sampled,
				(unsigned long long)header->waits);
	return NULL;
}

static const char *delays_wrong(const struct kmprof_image_header *header, uint64_t counted,
				uint64_t lost)
{
	if (header->delays_counted != counted)
		return is_wrong("contentions hold %llu delays, counted is %llu",
				(unsigned long long)counted,
				(unsigned long long)header->delays_counted);
	if (header->delays_sampled != header->delays_counted + lost)
		return is_wrong("delays: sampled %llu, counted %llu + lost %llu",
				(unsigned long long)header->delays_sampled,
				(unsigned long long)header->delays_counted,
				(unsigned long long)lost);
	if (header->delays_sampled > header->releases + header->waits)
		return is_wrong("sampled %llu delays of %llu releases and %llu waits",
				(unsigned long long)header->delays_sampled,
				(unsigned long long)header->releases,
				(unsigned long long)header->waits);
	return NULL;
}

static const char *contentions_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_image_header *header = snapshot->header;
	/*
	 * Waits are counted one by one where the period is 1, and estimates at others;
	 * of releases and delays it is known how many were sampled.
	 */
	uint64_t exact = 0, estimated = 0, delays = 0;
	uint32_t i, labels = 0;
	const char *what;

	for (i = 0; i < header->contentions.count; i++) {
		const struct kmprof_image_contention *contention = snapshot_contention(snapshot, i);
		uint64_t count = contention->count >> KMPROF_WAIT_COUNT_SHIFT;

		what = contention_wrong(snapshot, i) ?: label_wrong(snapshot, i, &labels);
		if (what)
			return what;
		if (contention->profile == KMPROF_PROFILE_MUTEX)
			delays += count / contention->period;
		else
			*(contention->period == 1 ? &exact : &estimated) += count;
	}
	if (labels != header->labels.count)
		return is_wrong("%u labels, %u are used", header->labels.count, labels);
	what = waits_wrong(header, exact, estimated, snapshot_lost_waits(snapshot));
	return what ?: delays_wrong(header, delays, snapshot_lost_delays(snapshot));
}

/**
 * snapshot_wrong() - check an image against all that holds for every image
 * @snapshot: the image
 *
 * Return: NULL, or what is wrong with it (valid until the next call).
 */
const char *snapshot_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_image_header *header = snapshot->header;
	const char *what;

	if (snapshot->bytes < sizeof(*header))
		return is_wrong("%zu bytes are no image", snapshot->bytes);
	if (header->magic != KMPROF_IMAGE_MAGIC)
		return is_wrong("magic %#x", header->magic);
	if (header->abi_version != KMPROF_ABI_VERSION)
		return is_wrong("abi_version %u", header->abi_version);
	if (header->header_size < sizeof(*header))
		return is_wrong("header_size %u", header->header_size);
	if (header->image_size != snapshot->bytes)
		return is_wrong("image_size %llu, read %zu",
				(unsigned long long)header->image_size, snapshot->bytes);
	if (snapshot->cycle && header->cycle != snapshot->cycle)
		return is_wrong("cycle %llu, the ioctl said %" PRIu64,
				(unsigned long long)header->cycle, snapshot->cycle);
	if (header->time_ns < header->start_ns)
		return is_wrong("closed before it started");
	if (header->wait_source != KMPROF_SOURCE_KPROBE &&
	    header->wait_source != KMPROF_SOURCE_TRACEPOINT)
		return is_wrong("wait_source %u", header->wait_source);
	if (header->flags & ~KMPROF_IMAGE_ADDRESSES)
		return is_wrong("flags %#x", header->flags);

	what = tables_wrong(snapshot);
	what = what ?: losses_wrong(snapshot);
	what = what ?: samples_wrong(snapshot);
	what = what ?: contentions_wrong(snapshot);
	if (what)
		return what;

	if (header->sampled != header->counted + snapshot_lost_samples(snapshot))
		return is_wrong("sampled %llu, counted %llu + lost %llu",
				(unsigned long long)header->sampled,
				(unsigned long long)header->counted,
				(unsigned long long)snapshot_lost_samples(snapshot));
	if (header->sampled > header->alloc_calls)
		return is_wrong("sampled %llu of %llu allocations",
				(unsigned long long)header->sampled,
				(unsigned long long)header->alloc_calls);
	return NULL;
}
