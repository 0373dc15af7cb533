// SPDX-License-Identifier: GPL-2.0
/*
 * JSON by jansson. Names are those of the scalars and of the UAPI fields, so that there is
 * one vocabulary for everything.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/json.h"
#include "export/text.h"
#include "image/ledger.h"
#include "image/memory.h"
#include "profile/limit.h"
#include "profile/lock.h"
#include "profile/sums.h"

/* What the names of totals begin with. */
#define TOTAL_PREFIX	"total."

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

/* Words with commas between them; "none" is the empty list. */
static json_t *json_words(const char *text)
{
	json_t *array = json_array();
	size_t len;

	if (!strcmp(text, "none"))
		return array;
	for (;; text += len + 1) {
		len = strcspn(text, ",");
		array = kmprof_json_append(array, json_stringn(text, len));
		if (!text[len])
			return array;
	}
}

/* The only setting that is a text. Null: there is none. */
static json_t *json_filter(const char *text)
{
	return strcmp(text, "none") ? json_string(text) : json_null();
}

/* Any other setting that has a text is a set of words. */
static json_t *json_scalar(const struct kmprof_image *image,
			   const struct kmprof_image_scalar *scalar)
{
	const char *text = kmprof_scalar_text(image, scalar);

	if (!*text)
		return kmprof_json_u64(scalar->value);
	if (!strcmp(kmprof_scalar_name(image, scalar), "heap_filter"))
		return json_filter(text);
	return scalar->flags & KMPROF_SCALAR_SETTING ? json_words(text) : json_string(text);
}

/* Takes both, as kmprof_json_append() does; a name that is there stays as it is. */
static json_t *set_missing(json_t *object, const char *name, json_t *value)
{
	if (json_object_get(object, name)) {
		json_decref(value);
		return object;
	}
	if (!json_object_set_new(object, name, value))
		return object;
	json_decref(object);
	return NULL;
}

/* The totals, without the prefix that their names have. */
static json_t *json_totals(const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	json_t *object = json_object();
	const char *name;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (!(scalar->flags & KMPROF_SCALAR_TOTAL))
			continue;
		name = kmprof_scalar_name(image, scalar);
		if (!strncmp(name, TOTAL_PREFIX, strlen(TOTAL_PREFIX)))
			name += strlen(TOTAL_PREFIX);
		object = set_missing(object, name, kmprof_json_u64(scalar->value));
	}
	return object;
}

/* All scalars that are neither totals nor of the ledger. */
static json_t *set_others(json_t *object, const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (!(scalar->flags & (KMPROF_SCALAR_TOTAL | KMPROF_SCALAR_LEDGER)))
			object = set_missing(object, kmprof_scalar_name(image, scalar),
					     json_scalar(image, scalar));
	}
	return object;
}

/* A number of an account; null of a profile that has none. */
static json_t *json_kept(const struct kmprof_ledger_account *account, __u64 v)
{
	return account->is_kept ? kmprof_json_u64(v) : json_null();
}

static json_t *json_profile(const struct kmprof_image *image, __u32 number,
			    const struct kmprof_ledger_account *account)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o}",
			 "name", kmprof_image_profile_name(image, number),
			 "rows", kmprof_json_u64(kmprof_image_profile(image, number)->rows.count),
			 "sampled", json_kept(account, account->sampled),
			 "counted", json_kept(account, account->counted),
			 "lost", json_kept(account, account->lost));
}

static json_t *json_profiles(const struct kmprof_image *image,
			     const struct kmprof_ledger_account *accounts)
{
	json_t *array = json_array();
	__u32 i;

	for (i = 1; i <= image->header.profiles.count; i++)
		array = kmprof_json_append(array, json_profile(image, i, &accounts[i]));
	return array;
}

static json_t *json_loss(const struct kmprof_loss *loss)
{
	return json_pack("{s:s, s:o, s:s?, s:b, s:s}", "name", loss->name,
			 "count", kmprof_json_u64(loss->count), "profile", loss->profile,
			 "lost", loss->is_lost, "meaning", loss->meaning);
}

json_t *kmprof_json_losses(const struct kmprof_losses *losses)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < losses->nr; i++)
		array = kmprof_json_append(array, json_loss(&losses->loss[i]));
	return array;
}

static json_t *json_ledger(const struct kmprof_image *image)
{
	struct kmprof_losses losses;
	json_t *array = NULL;

	if (!kmprof_losses_list(&losses, image))
		array = kmprof_json_losses(&losses);
	kmprof_losses_release(&losses);
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

/* By their names. */
static json_t *json_kinds(const struct kmprof_sums *sums)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < KMPROF_MEMORY_KINDS; i++)
		object = set_missing(object, kmprof_memory_kinds[i].name,
				     json_pack("{s:o, s:o}",
					       "alloc", kmprof_json_amount(&sums->kind[i].alloc),
					       "inuse", kmprof_json_amount(&sums->kind[i].inuse)));
	return object;
}

static json_t *json_estimates(const struct kmprof_image *image)
{
	struct kmprof_sums sums = kmprof_sums(image);

	return json_pack("{s:o, s:o, s:o, s:o, s:f, s:o, s:f, s:o, s:o}",
			 "alloc", kmprof_json_amount(&sums.alloc),
			 "inuse", kmprof_json_amount(&sums.inuse),
			 "kinds", json_kinds(&sums),
			 "inuse_limit_bytes", json_limit(image, &sums),
			 "waits", kmprof_delays_real(sums.waits.count),
			 "wait_ns", kmprof_json_u64(sums.waits.delay_ns),
			 "releases", kmprof_delays_real(sums.releases.count),
			 "blamed_ns", kmprof_json_u64(sums.releases.delay_ns),
			 "unblamed_ns", kmprof_json_u64(sums.unblamed.delay_ns));
}

json_t *kmprof_json_image(const struct kmprof_image *image)
{
	const struct kmprof_image_header *h = &image->header;
	struct kmprof_ledger_account *accounts;
	json_t *object;

	accounts = kmprof_ledger_accounts(image);
	if (!accounts)
		return NULL;
	object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o}",
			   "cycle", kmprof_json_u64(h->cycle),
			   "start_ns", kmprof_json_u64(h->start_ns),
			   "time_ns", kmprof_json_u64(h->time_ns),
			   "totals", json_totals(image),
			   "estimates", json_estimates(image),
			   "profiles", json_profiles(image, accounts),
			   "ledger_consistent", kmprof_ledger_consistent(image, accounts),
			   "ledger", json_ledger(image));
	free(accounts);
	return object ? set_others(object, image) : NULL;
}

enum { ADDRESS_TEXT = 32 };

static json_t *json_line(const struct kmprof_frame *frame, const struct kmprof_code_line *line)
{
	json_t *number = line->line ? json_integer(line->line) : json_null();

	return json_pack("{s:s, s:s?, s:o}",
			 "function", line->function ? line->function : frame->symbol.name,
			 "file", line->file, "line", number);
}

/* The innermost first. */
static json_t *json_lines(const struct kmprof_frame *frame)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < frame->nr_lines; i++)
		array = kmprof_json_append(array, json_line(frame, &frame->line[i]));
	return array;
}

json_t *kmprof_json_frame(const struct kmprof_resolver *resolver, __u64 ret_addr)
{
	const char *module, *build = "";
	struct kmprof_frame frame;
	char address[ADDRESS_TEXT];
	json_t *object;

	if (!ret_addr)
		return json_pack("{s:n, s:n, s:n, s:n}", "address", "function", "module",
				 "build_id");
	kmprof_resolver_find(resolver, ret_addr, &frame);
	snprintf(address, sizeof(address), "%#llx", ret_addr);
	module = frame.named ? frame.symbol.module : NULL;
	if (module && frame.mapping >= 0)
		build = resolver->mappings.mapping[frame.mapping].build_id;
	object = json_pack("{s:s, s:s?, s:s?, s:s?}", "address", address,
			   "function", frame.named ? frame.symbol.name : NULL, "module", module,
			   "build_id", *build ? build : NULL);
	if (!frame.nr_lines || !json_object_set_new(object, "lines", json_lines(&frame)))
		return object;
	json_decref(object);
	return NULL;
}

json_t *kmprof_json_stack(const __u64 *frames, __u32 nr, const struct kmprof_resolver *resolver)
{
	json_t *stack = json_array();
	__u32 i;

	for (i = 0; i < nr; i++)
		stack = kmprof_json_append(stack, kmprof_json_frame(resolver, frames[i]));
	return stack;
}

json_t *kmprof_json_site(const struct kmprof_site *site, const struct kmprof_resolver *resolver)
{
	char kind[KMPROF_MEMORY_NAME];

	return json_pack("{s:s, s:o, s:o, s:o}",
			 "kind", kmprof_memory_name(site->kind, kind),
			 "inuse", kmprof_json_amount(&site->inuse),
			 "alloc", kmprof_json_amount(&site->alloc),
			 "stack", kmprof_json_stack(site->frames, site->nr_frames, resolver));
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

static json_t *json_delays(const struct kmprof_delay_amount *amount,
			   const struct kmprof_delay_names *names)
{
	return json_pack("{s:f, s:o, s:f, s:o}",
			 names->count, kmprof_delays_real(amount->count),
			 names->sum, kmprof_json_u64(amount->delay_ns),
			 names->mean, kmprof_delays_mean(amount),
			 names->longest, kmprof_json_u64(amount->longest_ns));
}

/* Takes both; NULL if either is. */
static json_t *merged(json_t *object, json_t *more)
{
	int ret = json_object_update(object, more);

	json_decref(more);
	if (!ret)
		return object;
	json_decref(object);
	return NULL;
}

json_t *kmprof_json_lock(const struct kmprof_by_lock_entry *entry,
			 const struct kmprof_contention_kind *kind,
			 const struct kmprof_resolver *resolver)
{
	json_t *object;

	object = json_pack("{s:s, s:o, s:s?}", "kind", kmprof_lock_kind(entry->kind),
			   "lock", json_lock(resolver, entry->lock), "cache", entry->cache);
	object = merged(object, json_delays(&entry->amount, &kind->amount));
	if (kind->unblamed.count)
		object = merged(object, json_delays(&entry->unblamed, &kind->unblamed));
	return object;
}

int kmprof_json_put(FILE *file, json_t *value, size_t flags)
{
	int ret = 0;

	if (!value)
		return -ENOMEM;
	if (json_dumpf(value, file, flags) && !ferror(file))
		ret = -ENOMEM;
	json_decref(value);
	return ret;
}

int kmprof_json_write(FILE *file, json_t *value, struct kmprof_error *err)
{
	int ret;

	errno = 0;
	ret = kmprof_json_put(file, value, JSON_INDENT(2));
	if (ret)
		return kmprof_error_set(err, ret, NULL, "making JSON: out of memory");
	fputc('\n', file);
	return kmprof_text_finish(file, err);
}
