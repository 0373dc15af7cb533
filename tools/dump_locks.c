// SPDX-License-Identifier: GPL-2.0
/* Which locks are waited for, whoever waits: the largest delay first. */
#include <errno.h>
#include <stdio.h>

#include "dump_locks.h"
#include "lib/by_lock.h"
#include "lib/json.h"
#include "lib/ledger.h"
#include "lib/lock.h"
#include "lib/sums.h"
#include "lib/text.h"
#include "term.h"

enum {
	COLUMNS_BEFORE_LOCK	= 46,
	NAME_TEXT		= KMPROF_LOCK_TEXT + 32,
};

static void put_summary(FILE *file, const struct kmprof_image *image,
			const struct kmprof_waits_amount *sum, int width)
{
	const struct kmprof_image_header *h = &image->header;
	__u64 lost = kmprof_ledger_lost(image, KMPROF_LOSS_WAIT);
	char estimate[HUMAN_TEXT], exact[HUMAN_TEXT], rate[HUMAN_TEXT];

	fprintf(file, "Waited %s in %llu waits (estimates), block_rate=%s\n",
		human_ns(estimate, (double)sum->delay_ns), kmprof_waits_whole(sum->count),
		human_exact_ns(rate, h->block_rate));
	fprintf(file, "Exactly %s in %llu waits\n", human_ns(exact, (double)h->wait_ns), h->waits);
	if (lost)
		fprintf(file, "%sNot in it: %llu of %llu samples; 'kmprof status' tells why%s\n",
			width ? term_alert() : "", lost, h->waits_sampled,
			width ? term_plain() : "");
	fputc('\n', file);
}

static void name_lock(const struct kmprof_by_lock_entry *entry, const struct kmprof_image *image,
		      const struct kmprof_resolver *resolver, char text[NAME_TEXT])
{
	const char *kind = kmprof_lock_kind(entry->kind);
	char lock[KMPROF_LOCK_TEXT];

	if (entry->lock)
		snprintf(text, NAME_TEXT, "%s %s", kind,
			 kmprof_lock_name(resolver, entry->lock, lock));
	else if (entry->cache)
		snprintf(text, NAME_TEXT, "%s in %s", kind, entry->cache);
	else
		snprintf(text, NAME_TEXT, "%s %s", kind, kmprof_image_has_addresses(image) ?
			 KMPROF_OTHER_LOCKS_NAME : KMPROF_HIDDEN_NAME);
}

static void put_entry(FILE *file, const struct kmprof_by_lock_entry *entry, const char *name,
		      const struct kmprof_waits_amount *sum, int room)
{
	char waited[HUMAN_TEXT], mean[HUMAN_TEXT], longest[HUMAN_TEXT];
	const struct kmprof_waits_amount *amount = &entry->amount;

	fprintf(file, "%8s %5.1f%% %10llu %8s %8s  %.*s\n",
		human_ns(waited, (double)amount->delay_ns),
		100 * (double)amount->delay_ns / (double)sum->delay_ns,
		kmprof_waits_whole(amount->count), human_ns(mean, kmprof_waits_mean(amount)),
		human_ns(longest, (double)amount->longest_ns), room, name);
}

int dump_locks_table(FILE *file, const struct kmprof_image *image,
		     const struct kmprof_resolver *resolver, int width, struct kmprof_error *err)
{
	struct kmprof_waits_amount sum = kmprof_sums(image).waits;
	int room = width ? width - COLUMNS_BEFORE_LOCK : NAME_TEXT;
	struct kmprof_by_lock by_lock;
	char name[NAME_TEXT];
	size_t i;
	int ret;

	ret = kmprof_by_lock_build(&by_lock, image, err);
	if (ret)
		return ret;
	errno = 0;
	put_summary(file, image, &sum, width);
	fprintf(file, "%s%8s %6s %10s %8s %8s  LOCK%s\n", width ? term_bold() : "", "WAITED",
		"SHARE", "WAITS", "MEAN", "LONGEST", width ? term_plain() : "");
	for (i = 0; i < by_lock.nr && !ferror(file); i++) {
		name_lock(&by_lock.entry[i], image, resolver, name);
		put_entry(file, &by_lock.entry[i], name, &sum, room < 1 ? 1 : room);
	}
	kmprof_by_lock_release(&by_lock);
	return kmprof_text_finish(file, err);
}

static json_t *make_json(const struct kmprof_image *image, const struct kmprof_by_lock *by_lock,
			 const struct kmprof_resolver *resolver)
{
	json_t *value = kmprof_json_image(image), *locks = json_array();
	size_t i;

	for (i = 0; i < by_lock->nr; i++)
		if (json_array_append_new(locks, kmprof_json_lock(&by_lock->entry[i], resolver)))
			break;
	if (i < by_lock->nr || json_object_set(value, "locks", locks)) {
		json_decref(value);
		value = NULL;
	}
	json_decref(locks);
	return value;
}

int dump_locks_json(FILE *file, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct kmprof_by_lock by_lock;
	json_t *value;
	int ret;

	ret = kmprof_by_lock_build(&by_lock, image, err);
	if (ret)
		return ret;
	value = make_json(image, &by_lock, resolver);
	kmprof_by_lock_release(&by_lock);
	if (!value)
		return kmprof_error_set(err, -ENOMEM, NULL, "making JSON: out of memory");
	errno = 0;
	if (!json_dumpf(value, file, JSON_INDENT(2)))
		fputc('\n', file);
	json_decref(value);
	return kmprof_text_finish(file, err);
}
