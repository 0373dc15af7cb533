// SPDX-License-Identifier: GPL-2.0
/* Which locks are waited for, whoever waits or releases: the largest delay first. */
#include <errno.h>
#include <stdio.h>

#include "cmd/dump_locks.h"
#include "cmd/term.h"
#include "export/json.h"
#include "export/text.h"
#include "image/ledger.h"
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

static void say_waits(FILE *file, const struct kmprof_image_header *h,
		      const struct kmprof_by_lock_entry *all)
{
	char estimate[HUMAN_TEXT], exact[HUMAN_TEXT], rate[HUMAN_TEXT];

	fprintf(file, "Waited %s in %llu waits (estimates), block_rate=%s\n",
		human_ns(estimate, (double)all->amount.delay_ns),
		kmprof_delays_whole(all->amount.count), human_exact_ns(rate, h->block_rate));
	fprintf(file, "Exactly %s in %llu waits\n", human_ns(exact, (double)h->wait_ns), h->waits);
}

static void say_releases(FILE *file, const struct kmprof_image_header *h,
			 const struct kmprof_by_lock_entry *all)
{
	char blamed[HUMAN_TEXT], unblamed[HUMAN_TEXT];

	fprintf(file, "Blamed %s on %llu releases (estimates), mutex_fraction=%llu\n",
		human_ns(blamed, (double)all->amount.delay_ns),
		kmprof_delays_whole(all->amount.count), h->mutex_fraction);
	fprintf(file, "Unblamed %s: not attributable to a release\n",
		human_ns(unblamed, (double)all->unblamed.delay_ns));
	fprintf(file, "Exactly %s on %llu releases, %s not attributable\n",
		human_ns(blamed, (double)h->blamed_ns), h->releases,
		human_ns(unblamed, (double)h->unblamed_ns));
}

/* A column of numbers. */
struct column {
	const char *title;
	int width;
	show_number show;
};

/**
 * struct view - how a profile is shown
 * @profile: enum kmprof_profile_id
 * @loss: KMPROF_LOSS_* of its samples
 * @say: writes the totals
 * @column: from the left on
 * @nr: how many of them
 * @needed: how many stay when there is no room for the names of locks
 */
struct view {
	__u32 profile;
	__u32 loss;
	void (*say)(FILE *file, const struct kmprof_image_header *h,
		    const struct kmprof_by_lock_entry *all);
	struct column column[MAX_COLUMNS];
	unsigned int nr;
	unsigned int needed;
};

static const struct view views[] = {
	{
		.profile	= KMPROF_PROFILE_BLOCK,
		.loss		= KMPROF_LOSS_WAIT,
		.say		= say_waits,
		.column		= {
			{ "WAITED", 8, show_delay },
			{ "SHARE", 6, show_share },
			{ "WAITS", 10, show_count },
			{ "MEAN", 8, show_mean },
			{ "LONGEST", 8, show_longest },
		},
		.nr		= 5,
		.needed		= 3,
	},
	{
		.profile	= KMPROF_PROFILE_MUTEX,
		.loss		= KMPROF_LOSS_DELAY,
		.say		= say_releases,
		.column		= {
			{ "BLAMED", 8, show_delay },
			{ "UNBLAMED", 8, show_unblamed },
			{ "SHARE", 6, show_share },
			{ "RELEASES", 10, show_count },
			{ "MEAN", 8, show_mean },
			{ "LONGEST", 8, show_longest },
		},
		.nr		= 6,
		.needed		= 4,
	},
};

static const struct view *view_of(const struct kmprof_profile_kind *kind)
{
	unsigned int i;

	for (i = 0; i + 1 < ARRAY_SIZE(views); i++)
		if (views[i].profile == kind->id)
			break;
	return &views[i];
}

/**
 * struct layout - a table as it fits
 * @view: what it shows
 * @nr: columns of it that are shown
 * @room: characters that names can have
 */
struct layout {
	const struct view *view;
	unsigned int nr;
	int room;
};

static int room_behind(const struct view *view, unsigned int nr, int width)
{
	unsigned int i;

	/* Two blanks before the name, and one between two columns. */
	for (i = 0, width--; i < nr; i++)
		width -= view->column[i].width + 1;
	return width;
}

static struct layout make_layout(const struct view *view, int width)
{
	struct layout l = { .view = view, .nr = view->nr, .room = NAME_TEXT };

	if (!width)
		return l;
	while (l.nr > view->needed && room_behind(view, l.nr, width) < NAME_COLUMNS)
		l.nr--;
	l.room = room_behind(view, l.nr, width);
	if (l.room < 1)
		l.room = 1;
	return l;
}

static void put_summary(FILE *file, const struct kmprof_image *image, const struct view *view,
			const struct kmprof_by_lock_entry *all, int width)
{
	struct kmprof_ledger_account account = kmprof_ledger_account(image, view->loss);

	view->say(file, &image->header, all);
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

static void put_titles(FILE *file, const struct layout *l, int width)
{
	unsigned int i;

	fputs(width ? term_bold() : "", file);
	for (i = 0; i < l->nr; i++)
		fprintf(file, "%*s ", l->view->column[i].width, l->view->column[i].title);
	fprintf(file, " %.*s%s\n", l->room, "LOCK", width ? term_plain() : "");
}

static void put_row(FILE *file, const struct layout *l, const struct row *row,
		    const char *name)
{
	char text[HUMAN_TEXT];
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		fprintf(file, "%*s ", l->view->column[i].width,
			l->view->column[i].show(text, row));
	fprintf(file, " %.*s\n", l->room, name);
}

int dump_locks_table(FILE *file, const struct kmprof_image *image,
		     const struct kmprof_resolver *resolver,
		     const struct kmprof_profile_kind *kind, int width, struct kmprof_error *err)
{
	struct layout l = make_layout(view_of(kind), width);
	struct kmprof_by_lock by_lock;
	char name[NAME_TEXT];
	size_t i;
	int ret;

	ret = kmprof_by_lock_build(&by_lock, image, kind->id, err);
	if (ret)
		return ret;
	errno = 0;
	put_summary(file, image, l.view, &by_lock.all, width);
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
			 const struct kmprof_resolver *resolver, __u32 profile)
{
	json_t *value = kmprof_json_image(image), *locks = json_array();
	size_t i;

	for (i = 0; i < by_lock->nr; i++)
		locks = kmprof_json_append(locks, kmprof_json_lock(&by_lock->entry[i], profile,
								   resolver));
	if (!json_object_set_new(value, "locks", locks))
		return value;
	json_decref(value);
	return NULL;
}

int dump_locks_json(FILE *file, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver,
		    const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	struct kmprof_by_lock by_lock;
	json_t *value;
	int ret;

	ret = kmprof_by_lock_build(&by_lock, image, kind->id, err);
	if (ret)
		return ret;
	value = make_json(image, &by_lock, resolver, kind->id);
	kmprof_by_lock_release(&by_lock);
	if (!value)
		return kmprof_error_set(err, -ENOMEM, NULL, "making JSON: out of memory");
	errno = 0;
	if (!json_dumpf(value, file, JSON_INDENT(2)))
		fputc('\n', file);
	json_decref(value);
	return kmprof_text_finish(file, err);
}
