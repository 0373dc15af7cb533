// SPDX-License-Identifier: GPL-2.0
/* Which locks are waited for, whoever waits or releases: the largest delay first. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/dump_locks.h"
#include "cmd/term.h"
#include "export/json.h"
#include "export/text.h"
#include "image/ledger.h"
#include "image/reasons.h"
#include "profile/by_lock.h"
#include "profile/lock.h"

enum {
	NAME_TEXT	= KMPROF_LOCK_TEXT + 32,
	NAME_COLUMNS	= 24,	/* that are worth more than a column of details */
	MAX_COLUMNS	= 6,
};

/* A line of the table: a lock, and the sum of all. */
struct row {
	const struct kmprof_by_lock_entry *entry;
	const struct kmprof_by_lock_entry *all;
};

typedef const char *(*show_number)(char text[HUMAN_TEXT], const struct row *row);

static const char *show_delay(char text[HUMAN_TEXT], const struct row *row)
{
	return human_ns(text, (double)row->entry->amount.delay_ns);
}

static const char *show_unblamed(char text[HUMAN_TEXT], const struct row *row)
{
	return human_ns(text, (double)row->entry->unblamed.delay_ns);
}

/* An image has no lock that counts without a delay. */
static const char *show_share(char text[HUMAN_TEXT], const struct row *row)
{
	snprintf(text, HUMAN_TEXT, "%.1f%%", 100 * (double)kmprof_by_lock_delay(row->entry) /
		 (double)kmprof_by_lock_delay(row->all));
	return text;
}

static const char *show_count(char text[HUMAN_TEXT], const struct row *row)
{
	snprintf(text, HUMAN_TEXT, "%llu", kmprof_delays_whole(row->entry->amount.count));
	return text;
}

static const char *show_mean(char text[HUMAN_TEXT], const struct row *row)
{
	return human_ns(text, kmprof_delays_mean(&row->entry->amount));
}

static const char *show_longest(char text[HUMAN_TEXT], const struct row *row)
{
	return human_ns(text, (double)row->entry->amount.longest_ns);
}

/* A scalar for people; the value if the image does not tell a unit. */
static const char *show_scalar(char text[HUMAN_TEXT], const struct kmprof_image *image,
			       const char *name)
{
	const struct kmprof_image_scalar *scalar = kmprof_image_find_scalar(image, name);

	if (scalar && !strcmp(kmprof_scalar_unit(image, scalar), "nanoseconds"))
		return human_exact_ns(text, scalar->value);
	snprintf(text, HUMAN_TEXT, "%llu", scalar ? scalar->value : 0);
	return text;
}

/* Why that much is not attributable. */
static void say_reasons(FILE *file, const struct kmprof_image *image)
{
	char text[HUMAN_TEXT];
	unsigned int i;
	__u64 ns;

	for (i = 0; i < kmprof_nr_reasons; i++) {
		ns = kmprof_image_value(image, kmprof_reasons[i].scalar);
		if (ns)
			fprintf(file, "%8s %s\n", human_ns(text, (double)ns),
				kmprof_reasons[i].meaning);
	}
}

static void say_totals(FILE *file, const struct kmprof_image *image,
		       const struct kmprof_profile_kind *kind,
		       const struct kmprof_by_lock_entry *all)
{
	const struct kmprof_contention_kind *words = kind->contention;
	char text[HUMAN_TEXT], rate[HUMAN_TEXT];

	fprintf(file, "%s %s %s %llu %s (estimates), %s=%s\n", words->verb,
		human_ns(text, (double)all->amount.delay_ns), words->in,
		kmprof_delays_whole(all->amount.count), words->what, kind->setting,
		show_scalar(rate, image, kind->setting));
	if (words->total_unblamed)
		fprintf(file, "Unblamed %s: not attributable to a release\n",
			human_ns(text, (double)all->unblamed.delay_ns));
	fprintf(file, "Exactly %s %s %llu %s",
		human_ns(text, (double)kmprof_image_value(image, words->total_ns)), words->in,
		kmprof_image_value(image, words->total_count), words->what);
	if (words->total_unblamed)
		fprintf(file, ", %s not attributable",
			human_ns(text, (double)kmprof_image_value(image, words->total_unblamed)));
	fputc('\n', file);
	if (words->total_unblamed)
		say_reasons(file, image);
}

/* A column of numbers; its title is in capitals. */
struct column {
	const char *title;
	int width;
	show_number show;
};

/**
 * struct layout - a table as it fits
 * @column: from the left on
 * @nr: columns that are shown
 * @room: characters that names can have
 */
struct layout {
	struct column column[MAX_COLUMNS];
	unsigned int nr;
	int room;
};

static void add_column(struct layout *l, const char *title, int width, show_number show)
{
	l->column[l->nr++] = (struct column){ title, width, show };
}

static int room_behind(const struct layout *l, int width)
{
	unsigned int i;

	/* Two blanks before the name, and one between two columns. */
	for (i = 0, width--; i < l->nr; i++)
		width -= l->column[i].width + 1;
	return width;
}

/* Where there is no room for the names of locks, the last columns are left out. */
static struct layout make_layout(const struct kmprof_contention_kind *kind, int width)
{
	struct layout l = { .room = NAME_TEXT };
	unsigned int needed;

	add_column(&l, kind->verb, 8, show_delay);
	if (kind->total_unblamed)
		add_column(&l, "unblamed", 8, show_unblamed);
	add_column(&l, "share", 6, show_share);
	add_column(&l, kind->what, 10, show_count);
	needed = l.nr;
	add_column(&l, "mean", 8, show_mean);
	add_column(&l, "longest", 8, show_longest);
	if (!width)
		return l;
	while (l.nr > needed && room_behind(&l, width) < NAME_COLUMNS)
		l.nr--;
	l.room = room_behind(&l, width);
	if (l.room < 1)
		l.room = 1;
	return l;
}

static void put_summary(FILE *file, const struct kmprof_image *image,
			const struct kmprof_profile *profile,
			const struct kmprof_by_lock_entry *all, int width)
{
	struct kmprof_ledger_account account = kmprof_ledger_account(image, profile->number);

	say_totals(file, image, profile->kind, all);
	if (account.lost)
		fprintf(file, "%sNot in it: %llu of %llu samples; 'kmprof status' tells why%s\n",
			width ? term_alert() : "", account.lost, account.sampled,
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

static const char *in_capitals(char text[HUMAN_TEXT], const char *word)
{
	size_t i;

	for (i = 0; word[i] && i + 1 < HUMAN_TEXT; i++)
		text[i] = (char)toupper((unsigned char)word[i]);
	text[i] = '\0';
	return text;
}

static void put_titles(FILE *file, const struct layout *l, int width)
{
	char text[HUMAN_TEXT];
	unsigned int i;

	fputs(width ? term_bold() : "", file);
	for (i = 0; i < l->nr; i++)
		fprintf(file, "%*s ", l->column[i].width, in_capitals(text, l->column[i].title));
	fprintf(file, " %.*s%s\n", l->room, "LOCK", width ? term_plain() : "");
}

static void put_row(FILE *file, const struct layout *l, const struct row *row,
		    const char *name)
{
	char text[HUMAN_TEXT];
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		fprintf(file, "%*s ", l->column[i].width, l->column[i].show(text, row));
	fprintf(file, " %.*s\n", l->room, name);
}

int dump_locks_table(FILE *file, const struct kmprof_image *image,
		     const struct kmprof_resolver *resolver,
		     const struct kmprof_profile *profile, int width, struct kmprof_error *err)
{
	struct layout l = make_layout(profile->kind->contention, width);
	struct kmprof_by_lock by_lock;
	char name[NAME_TEXT];
	size_t i;
	int ret;

	ret = kmprof_by_lock_build(&by_lock, image, &profile->rows, err);
	if (ret)
		return ret;
	errno = 0;
	put_summary(file, image, profile, &by_lock.all, width);
	put_titles(file, &l, width);
	for (i = 0; i < by_lock.nr && !ferror(file); i++) {
		const struct row row = { &by_lock.entry[i], &by_lock.all };

		name_lock(row.entry, image, resolver, name);
		put_row(file, &l, &row, name);
	}
	kmprof_by_lock_release(&by_lock);
	return kmprof_text_finish(file, err);
}

static json_t *make_json(const struct kmprof_image *image, const struct kmprof_by_lock *by_lock,
			 const struct kmprof_resolver *resolver,
			 const struct kmprof_contention_kind *kind)
{
	json_t *value = kmprof_json_image(image), *locks = json_array();
	size_t i;

	for (i = 0; i < by_lock->nr; i++)
		locks = kmprof_json_append(locks, kmprof_json_lock(&by_lock->entry[i], kind,
								   resolver));
	if (!json_object_set_new(value, "locks", locks))
		return value;
	json_decref(value);
	return NULL;
}

int dump_locks_json(FILE *file, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver,
		    const struct kmprof_profile *profile, struct kmprof_error *err)
{
	struct kmprof_by_lock by_lock;
	json_t *value;
	int ret;

	ret = kmprof_by_lock_build(&by_lock, image, &profile->rows, err);
	if (ret)
		return ret;
	value = make_json(image, &by_lock, resolver, profile->kind->contention);
	kmprof_by_lock_release(&by_lock);
	return kmprof_json_write(file, value, err);
}
