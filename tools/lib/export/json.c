// SPDX-License-Identifier: GPL-2.0
/*
 * JSON by jansson. Names are those of the text header and of the UAPI fields,
 * so that there is one vocabulary for everything.
 */
#include <stdio.h>

#include "export/json.h"
#include "image/ledger.h"
#include "image/source.h"
#include "profile/limit.h"
#include "profile/lock.h"
#include "profile/sums.h"

json_t *kmprof_json_u64(__u64 v)
{
	return json_integer(kmprof_signed(v));
}

json_t *kmprof_json_append(json_t *array, json_t *value)
{
	if (!json_array_append_new(array, value))
		return array;
	json_decref(array);
	return NULL;
}

json_t *kmprof_json_amount(const struct kmprof_amount *amount)
{
	return json_pack("{s:f, s:f, s:f}", "objects", amount->objects, "bytes", amount->bytes,
			 "bytes_standard_error", kmprof_amount_error(amount));
}

/* One letter per value below: o any, s a string, f a number, b a truth; {} an object. */
#define TOTALS_FORMAT	"{so, so, so, so, so, so, so, so}"
#define ESTIMATES_FORMAT "{so, so, so, sf, so, sf, so, so}"
#define IMAGE_FORMAT	"{so, so, so, ss, ss, so, so, so, " \
			"s" TOTALS_FORMAT ", s" ESTIMATES_FORMAT ", " \
			"so, so, so, so, so, so, sb, so}"

static json_t *losses(const struct kmprof_image *image)
{
	const struct kmprof_image_loss *loss;
	json_t *array = json_array(), *entry;
	const char *name;
	__u32 i;

	for (i = 0; i < image->header.losses.count; i++) {
		loss = kmprof_image_loss(image, i);
		name = kmprof_ledger_name(image, loss);
		entry = json_pack("{s:s, s:o, s:b, s:b, s:b, s:s}", "name", name,
				  "count", kmprof_json_u64(loss->count),
				  "lost_sample", !!(loss->flags & KMPROF_LOSS_SAMPLE),
				  "lost_wait", !!(loss->flags & KMPROF_LOSS_WAIT),
				  "lost_delay", !!(loss->flags & KMPROF_LOSS_DELAY),
				  "meaning", kmprof_ledger_meaning(name));
		array = kmprof_json_append(array, entry);
	}
	return array;
}

/* How much can be in use without a sample; null where there are samples. */
static json_t *json_limit(const struct kmprof_image *image, const struct kmprof_sums *sums)
{
	struct kmprof_limit limit;

	if (!kmprof_limit_inuse(&limit, image, sums))
		return json_null();
	return json_real(limit.bytes);
}

json_t *kmprof_json_image(const struct kmprof_image *image)
{
	const struct kmprof_image_header *h = &image->header;
	struct kmprof_sums sums = kmprof_sums(image);

	return json_pack(IMAGE_FORMAT,
			 "heap_rate", kmprof_json_u64(h->heap_rate),
			 "block_rate", kmprof_json_u64(h->block_rate),
			 "mutex_fraction", kmprof_json_u64(h->mutex_fraction),
			 "source", kmprof_source_name(h->source),
			 "wait_source", kmprof_wait_source_name(h->wait_source),
			 "cycle", kmprof_json_u64(h->cycle),
			 "start_ns", kmprof_json_u64(h->start_ns),
			 "time_ns", kmprof_json_u64(h->time_ns),
			 "totals",
				"alloc_calls", kmprof_json_u64(h->alloc_calls),
				"alloc_bytes", kmprof_json_u64(h->alloc_bytes),
				"free_calls", kmprof_json_u64(h->free_calls),
				"waits", kmprof_json_u64(h->waits),
				"wait_ns", kmprof_json_u64(h->wait_ns),
				"releases", kmprof_json_u64(h->releases),
				"blamed_ns", kmprof_json_u64(h->blamed_ns),
				"unblamed_ns", kmprof_json_u64(h->unblamed_ns),
			 "estimates",
				"alloc", kmprof_json_amount(&sums.alloc),
				"inuse", kmprof_json_amount(&sums.inuse),
				"inuse_limit_bytes", json_limit(image, &sums),
				"waits", kmprof_delays_real(sums.waits.count),
				"wait_ns", kmprof_json_u64(sums.waits.delay_ns),
				"releases", kmprof_delays_real(sums.releases.count),
				"blamed_ns", kmprof_json_u64(sums.releases.delay_ns),
				"unblamed_ns", kmprof_json_u64(sums.unblamed.delay_ns),
			 "sampled", kmprof_json_u64(h->sampled),
			 "counted", kmprof_json_u64(h->counted),
			 "waits_sampled", kmprof_json_u64(h->waits_sampled),
			 "waits_counted", kmprof_json_u64(h->waits_counted),
			 "delays_sampled", kmprof_json_u64(h->delays_sampled),
			 "delays_counted", kmprof_json_u64(h->delays_counted),
			 "ledger_consistent", kmprof_ledger_consistent(image),
			 "ledger", losses(image));
}

enum { ADDRESS_TEXT = 32 };

static json_t *json_frame(const struct kmprof_resolver *resolver, __u64 ret_addr)
{
	struct kmprof_frame frame;
	char address[ADDRESS_TEXT];

	if (!ret_addr)
		return json_pack("{s:n, s:n, s:n}", "address", "function", "module");
	kmprof_resolver_find(resolver, ret_addr, &frame);
	snprintf(address, sizeof(address), "%#llx", ret_addr);
	return json_pack("{s:s, s:s?, s:s?}", "address", address,
			 "function", frame.named ? frame.symbol.name : NULL,
			 "module", frame.named ? frame.symbol.module : NULL);
}

json_t *kmprof_json_site(const struct kmprof_site *site, const struct kmprof_resolver *resolver)
{
	json_t *stack = json_array();
	__u32 i;

	for (i = 0; i < site->nr_frames; i++)
		stack = kmprof_json_append(stack, json_frame(resolver, site->frames[i]));
	return json_pack("{s:o, s:o, s:o}",
			 "inuse", kmprof_json_amount(&site->inuse),
			 "alloc", kmprof_json_amount(&site->alloc),
			 "stack", stack);
}

/* Null for locks that are not variables, and for hidden ones. */
static json_t *json_lock(const struct kmprof_resolver *resolver, __u64 lock)
{
	char address[ADDRESS_TEXT];
	struct kmprof_symbol symbol;

	if (!lock)
		return json_null();
	snprintf(address, sizeof(address), "%#llx", lock);
	if (!kmprof_resolver_lock(resolver, lock, &symbol))
		return json_pack("{s:s, s:n, s:n, s:n}", "address", address, "variable",
				 "offset", "module");
	return json_pack("{s:s, s:s, s:o, s:s?}", "address", address, "variable", symbol.name,
			 "offset", kmprof_json_u64(lock - symbol.start),
			 "module", symbol.module);
}

/* The amounts of a lock, and what each number of them is called. */
static const struct {
	__u32 profile;
	size_t offset;
	const char *count, *sum, *mean, *longest;
} amounts[] = {
	{
		KMPROF_PROFILE_BLOCK, offsetof(struct kmprof_by_lock_entry, amount),
		"waits", "wait_ns", "mean_ns", "longest_ns",
	},
	{
		KMPROF_PROFILE_MUTEX, offsetof(struct kmprof_by_lock_entry, amount),
		"releases", "blamed_ns", "mean_ns", "longest_ns",
	},
	{
		KMPROF_PROFILE_MUTEX, offsetof(struct kmprof_by_lock_entry, unblamed),
		"unblamed_waits", "unblamed_ns", "unblamed_mean_ns", "unblamed_longest_ns",
	},
};

json_t *kmprof_json_lock(const struct kmprof_by_lock_entry *entry, __u32 profile,
			 const struct kmprof_resolver *resolver)
{
	const struct kmprof_delay_amount *amount;
	json_t *object, *numbers;
	size_t i;
	int ret;

	object = json_pack("{s:s, s:o, s:s?}", "kind", kmprof_lock_kind(entry->kind),
			   "lock", json_lock(resolver, entry->lock), "cache", entry->cache);
	for (i = 0; i < ARRAY_SIZE(amounts); i++) {
		if (amounts[i].profile != profile)
			continue;
		amount = (const void *)((const char *)entry + amounts[i].offset);
		numbers = json_pack("{s:f, s:o, s:f, s:o}",
				    amounts[i].count, kmprof_delays_real(amount->count),
				    amounts[i].sum, kmprof_json_u64(amount->delay_ns),
				    amounts[i].mean, kmprof_delays_mean(amount),
				    amounts[i].longest, kmprof_json_u64(amount->longest_ns));
		ret = json_object_update(object, numbers);
		json_decref(numbers);
		if (ret) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}
