// SPDX-License-Identifier: GPL-2.0
/*
 * The view has a head, a table, and a line of keys; or one stack of the table, with a line for
 * each frame. Nothing of what is seen is kept but what the keys have chosen: all else is made anew
 * from the last two snapshots.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/live.h"
#include "cmd/live_table.h"
#include "cmd/screen.h"
#include "cmd/term.h"
#include "image/ledger.h"
#include "symbols/frame_name.h"

#define MSEC_PER_SEC	1000LL
#define NSEC_PER_MSEC	1000000ULL

enum {
	HEAD_LINES	= 3,
	LEAST_COLUMN	= 9,
	NAME_COLUMNS	= 30,	/* that are worth more than a column of numbers */
	FILTER_TEXT	= 64,
};

/**
 * struct live - the view
 * @screen: the terminal
 * @dev: the device
 * @table: what is shown
 * @names: where names come from
 * @profile: of which profile; NAME of @profiles
 * @profiles: all of them
 * @interval_ms: between snapshots
 * @sort: number of the column to sort by
 * @filter: only stacks that have this
 * @is_typing: the keys are for @filter
 * @is_paused: no snapshot is taken
 * @is_stack: one stack is shown
 * @is_help: the keys are explained
 * @at: the row that is chosen
 * @top: the first row that is shown
 * @frame: the first frame that is shown
 * @next_ms: when the next snapshot is taken
 * @trouble: why there was no snapshot the last time; "": there was one
 * @chosen: name of the row that is chosen; it keeps its place if rows change
 */
struct live {
	struct screen screen;
	struct kmprof_device *dev;
	struct live_table table;
	const struct kmprof_resolver_options *names;
	size_t profile;
	struct kmprof_lines profiles;
	__u64 interval_ms;
	unsigned int sort;
	char filter[FILTER_TEXT];
	bool is_typing;
	bool is_paused;
	bool is_stack;
	bool is_help;
	size_t at;
	size_t top;
	size_t frame;
	long long next_ms;
	char trouble[sizeof(((struct kmprof_error *)0)->text)];
	char *chosen;
};

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * MSEC_PER_SEC + t.tv_nsec / (long long)NSEC_PER_MSEC;
}

/* --- what is shown -------------------------------------------------------------------- */

static const char *human(char text[HUMAN_TEXT + 1], const struct live *l,
			 const struct live_column *column, double number)
{
	const char *unit = l->table.diff.b->types[column->value].unit;
	char *to = text;

	if (number < 0)
		*to++ = '-';
	number = fabs(number);
	if (!strcmp(unit, "bytes"))
		human_bytes(to, number, false);
	else if (!strcmp(unit, "nanoseconds"))
		human_ns(to, number);
	else
		snprintf(to, HUMAN_TEXT, number < 1e7 ? "%.*f" : "%.*e",
			 number < 1e7 ? column->is_rate && number && number < 10 : 2, number);
	return text;
}

/* With room for the mark of the column that the rows are sorted by. */
static int width_of(const struct live_column *column)
{
	int width = (int)strlen(column->title) + 1;

	return width < LEAST_COLUMN ? LEAST_COLUMN : width;
}

/* Columns that there is room for beside the names; the first one always. */
static unsigned int columns_shown(const struct live *l)
{
	int used = 0;
	unsigned int i;

	for (i = 0; i < l->table.nr_columns; i++) {
		used += width_of(&l->table.column[i]) + 1;
		if (i && used + NAME_COLUMNS > l->screen.columns)
			break;
	}
	return i;
}

static size_t rows_shown(const struct live *l)
{
	int lines = l->screen.lines - HEAD_LINES - 1;

	return lines > 0 ? (size_t)lines : 0;
}

/* The numbers of a line: of a stack, or of all of them together. */
static void put_numbers(const struct live *l, char *line, size_t size,
			const struct kmprof_diff_row *row)
{
	unsigned int i, nr = columns_shown(l);
	char text[HUMAN_TEXT + 1];
	size_t used = 0;

	for (i = 0; i < nr && used < size; i++) {
		const struct live_column *column = &l->table.column[i];

		used += (size_t)snprintf(line + used, size - used, "%*s ", width_of(column),
					 human(text, l, column,
					       live_table_number(&l->table, column, row)));
	}
}

static void put_head(struct live *l)
{
	const struct kmprof_image *image = &l->table.now->opened.image;
	char span[HUMAN_TEXT], every[HUMAN_TEXT], numbers[SCREEN_COLUMNS] = "", lost[64] = "";
	__u64 nr_lost = l->table.diff.b->samples_lost;
	__u64 nr_filtered = l->table.diff.b->samples_filtered;
	bool is_over = l->table.seconds > 0;

	if (nr_lost)
		snprintf(lost, sizeof(lost), "; %llu samples are not in it", nr_lost);
	else if (nr_filtered)
		snprintf(lost, sizeof(lost), "; heap_filter has left out %llu samples",
			 nr_filtered);
	human_ns(span, l->table.seconds * 1e9);
	screen_put(&l->screen, 0, nr_lost ? SCREEN_ALERT : SCREEN_BOLD,
		   "kmprof top: %s, %zu stack%s, %s%s, %s%s%s", l->profiles.line[l->profile],
		   l->table.nr_rows, l->table.nr_rows == 1 ? "" : "s", is_over ? "over " : "",
		   is_over ? span : "no change yet",
		   l->is_paused ? "paused" : "every ",
		   l->is_paused ? "" : human_exact_ns(every, l->interval_ms * NSEC_PER_MSEC), lost);
	put_numbers(l, numbers, sizeof(numbers), &l->table.diff.total);
	if (l->trouble[0])
		screen_put(&l->screen, 1, SCREEN_ALERT, "%s", l->trouble);
	else if (l->is_typing || l->filter[0])
		screen_put(&l->screen, 1, SCREEN_NORMAL, "Stacks with: %s%s", l->filter,
			   l->is_typing ? "_" : "");
	else if (!kmprof_image_has_addresses(image))
		screen_put(&l->screen, 1, SCREEN_ALERT,
			   "The kernel hides addresses: run as root, with kptr_restrict below 2");
	else
		screen_put(&l->screen, 1, SCREEN_NORMAL, "%s(all)", numbers);
}

static void put_titles(struct live *l)
{
	unsigned int i, nr = columns_shown(l);
	char line[SCREEN_COLUMNS + 1] = "";
	size_t used = 0;

	for (i = 0; i < nr && used < sizeof(line); i++) {
		const struct live_column *column = &l->table.column[i];
		char title[LIVE_TITLE + 1];

		snprintf(title, sizeof(title), "%s%s", i == l->sort ? ">" : "", column->title);
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%*s ",
					 width_of(column), title);
	}
	if (used < sizeof(line))
		snprintf(line + used, sizeof(line) - used, "STACK, LEAF < CALLERS");
	screen_put(&l->screen, 2, SCREEN_REVERSE, "%-*s", l->screen.columns, line);
}

static void put_table(struct live *l)
{
	size_t i, nr = rows_shown(l);
	char numbers[SCREEN_COLUMNS];

	for (i = 0; i < nr; i++) {
		const struct live_row *row = &l->table.row[l->top + i];

		if (l->top + i >= l->table.nr_rows)
			break;
		numbers[0] = '\0';
		put_numbers(l, numbers, sizeof(numbers), row->row);
		screen_put(&l->screen, HEAD_LINES + (int)i,
			   l->top + i == l->at ? SCREEN_BOLD : SCREEN_NORMAL, "%s%s", numbers,
			   row->name);
	}
	screen_clear_from(&l->screen, HEAD_LINES + (int)i);
}

/* All columns, a line each, and all frames. */
static void put_stack(struct live *l)
{
	const struct kmprof_diff_row *row = l->table.row[l->at].row;
	char number[HUMAN_TEXT + 1], text[KMPROF_FRAME_NAME];
	int line = 0, last = l->screen.lines - 1;
	size_t frame, room, most;
	unsigned int i;

	screen_put(&l->screen, line++, SCREEN_BOLD, "kmprof top: a stack of %s",
		   l->profiles.line[l->profile]);
	for (i = 0; i < l->table.nr_columns && line < last; i++) {
		const struct live_column *column = &l->table.column[i];

		screen_put(&l->screen, line++, SCREEN_NORMAL, "%*s %s", LIVE_TITLE - 20,
			   column->title,
			   human(number, l, column,
				 live_table_number(&l->table, column, row)));
	}
	screen_put(&l->screen, line++, SCREEN_REVERSE, "%-*s", l->screen.columns,
		   "LEAF, THEN ITS CALLERS");
	if (!row->nr)
		screen_put(&l->screen, line++, SCREEN_NORMAL, "%s", row->nowhere);
	/* The last page is full, if there are so many. */
	room = last > line ? (size_t)(last - line) : 1;
	most = row->nr > room ? row->nr - room : 0;
	l->frame = l->frame < most ? l->frame : most;
	for (frame = l->frame; frame < row->nr && line < last; frame++) {
		kmprof_frame_name(text, &l->table.u.resolver, row->frames[frame]);
		screen_put(&l->screen, line++, SCREEN_NORMAL, "%s", text);
	}
	screen_clear_from(&l->screen, line);
}

static void put_help(struct live *l)
{
	static const char *const lines[] = {
		"Each snapshot shows what there is now, and by how much it has changed since the",
		"one before, per second (/S). Estimates have no errors here: 'kmprof report' and",
		"'kmprof diff' tell them.",
		"",
		"  p, P           next profile, previous profile",
		"  <, >           sort by the column to the left, to the right",
		"  up, down, page up, page down, home, end",
		"                 choose a stack; in one, show its other frames",
		"  enter          show it, with all frames; enter or escape: back",
		"  /              type a part of a name: only stacks that have it; escape: all",
		"  space          no more snapshots, until it is pressed again",
		"  +, -           snapshots less often, more often",
		"  q              end",
	};
	size_t i;

	screen_put(&l->screen, 0, SCREEN_BOLD, "kmprof top: keys");
	screen_clear_from(&l->screen, 1);
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		screen_put(&l->screen, 2 + (int)i, SCREEN_NORMAL, "%s", lines[i]);
}

static void draw(struct live *l)
{
	if (l->is_help) {
		put_help(l);
	} else if (l->is_stack) {
		put_stack(l);
	} else {
		put_head(l);
		put_titles(l);
		put_table(l);
	}
	screen_put(&l->screen, l->screen.lines - 1, SCREEN_REVERSE, "%-*s", l->screen.columns,
		   l->is_help || l->is_stack ? "escape back  q end" :
		   l->is_typing ? "enter done  escape all stacks" :
		   "p profile  < > sort  enter stack  / filter  space pause  ? keys  q end");
	screen_show(&l->screen);
}

/* --- what is chosen ------------------------------------------------------------------- */

static void choose(struct live *l, size_t at)
{
	size_t nr = l->table.nr_rows, shown = rows_shown(l);

	l->at = !nr ? 0 : at < nr ? at : nr - 1;
	if (l->at < l->top)
		l->top = l->at;
	if (shown && l->at >= l->top + shown)
		l->top = l->at - shown + 1;
	if (l->top && l->top + shown > nr)
		l->top = nr > shown ? nr - shown : 0;
	free(l->chosen);
	l->chosen = nr ? strdup(l->table.row[l->at].name) : NULL;
	if (!nr)
		l->is_stack = false;
}

/* After rows have changed: a stack that has been chosen stays so; the first place, too. */
static void choose_again(struct live *l)
{
	size_t i;

	if (!l->is_stack && !l->at) {
		choose(l, 0);
		return;
	}
	for (i = 0; l->chosen && i < l->table.nr_rows; i++)
		if (!strcmp(l->table.row[i].name, l->chosen))
			break;
	if (l->is_stack && i == l->table.nr_rows)
		l->is_stack = false;
	choose(l, l->chosen && i < l->table.nr_rows ? i : l->at);
}

static int make(struct live *l, struct kmprof_error *err)
{
	int ret = live_table_make(&l->table, l->profiles.line[l->profile], l->filter, l->sort,
				  err);

	if (!ret)
		choose_again(l);
	return ret;
}

/* Finds a profile, of which there can be more or fewer with each snapshot. */
static int find_profile(struct live *l, const char *name, struct kmprof_error *err)
{
	const struct kmprof_image *image = &l->table.now->opened.image;

	kmprof_lines_release(&l->profiles);
	if (kmprof_profile_list(&l->profiles, image))
		return kmprof_error_set(err, -ENOMEM, NULL, "listing profiles: out of memory");
	for (l->profile = 0; l->profile < l->profiles.nr; l->profile++)
		if (!strcmp(l->profiles.line[l->profile], name))
			return 0;
	return kmprof_profile_lacking(image, name, err);
}

/* May the next try succeed? */
static bool is_passing(int error)
{
	return error == -ENOMEM || error == -ENOSPC || error == -EINTR || error == -EMFILE ||
	       error == -ENFILE;
}

static int look(struct live *l, struct kmprof_error *err)
{
	char *name = strdup(l->profiles.line[l->profile]);
	int ret;

	if (!name)
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory");
	ret = live_table_take(&l->table, l->dev, l->names, err);
	l->trouble[0] = '\0';
	if (ret && is_passing(ret)) {
		/* What was shown is shown on. */
		snprintf(l->trouble, sizeof(l->trouble), "%s", err->text);
		ret = 0;
	} else if (!ret) {
		ret = find_profile(l, name, err);
		if (!ret)
			ret = make(l, err);
	}
	free(name);
	return ret;
}

static int change_profile(struct live *l, size_t profile, struct kmprof_error *err)
{
	l->profile = profile % l->profiles.nr;
	l->sort = 0;
	l->at = 0;
	l->top = 0;
	return make(l, err);
}

static int sort_by(struct live *l, unsigned int sort, struct kmprof_error *err)
{
	unsigned int nr = columns_shown(l);

	l->sort = sort < nr ? sort : nr - 1;
	return make(l, err);
}

static void change_interval(struct live *l, bool is_longer)
{
	enum { LEAST_MS = 250, MOST_MS = 64000 };

	if (is_longer && l->interval_ms < MOST_MS)
		l->interval_ms *= 2;
	else if (!is_longer && l->interval_ms > LEAST_MS)
		l->interval_ms /= 2;
	l->next_ms = now_ms() + (long long)l->interval_ms;
}

/* --- keys ----------------------------------------------------------------------------- */

static int type(struct live *l, int key, struct kmprof_error *err)
{
	size_t used = strlen(l->filter);

	switch (key) {
	case SCREEN_ENTER:
		l->is_typing = false;
		return 0;
	case SCREEN_ESCAPE:
		l->is_typing = false;
		l->filter[0] = '\0';
		return make(l, err);
	case SCREEN_ERASE:
		if (used)
			l->filter[used - 1] = '\0';
		return make(l, err);
	}
	if (key < ' ' || key > '~' || used + 1 >= sizeof(l->filter))
		return 0;
	l->filter[used] = (char)key;
	l->filter[used + 1] = '\0';
	return make(l, err);
}

static void move(struct live *l, int key)
{
	size_t page = rows_shown(l);

	switch (key) {
	case SCREEN_UP:
		choose(l, l->at ? l->at - 1 : 0);
		break;
	case SCREEN_DOWN:
		choose(l, l->at + 1);
		break;
	case SCREEN_PAGE_UP:
		choose(l, l->at > page ? l->at - page : 0);
		break;
	case SCREEN_PAGE_DOWN:
		choose(l, l->at + page);
		break;
	case SCREEN_HOME:
		choose(l, 0);
		break;
	case SCREEN_END:
		choose(l, l->table.nr_rows ? l->table.nr_rows - 1 : 0);
		break;
	}
}

/* Of a stack, frames. put_stack() knows how many there are. */
static void scroll(struct live *l, int key)
{
	size_t page = rows_shown(l) / 2;

	switch (key) {
	case SCREEN_UP:
		l->frame -= l->frame ? 1 : 0;
		break;
	case SCREEN_DOWN:
		l->frame++;
		break;
	case SCREEN_PAGE_UP:
		l->frame -= l->frame > page ? page : l->frame;
		break;
	case SCREEN_PAGE_DOWN:
		l->frame += page;
		break;
	case SCREEN_HOME:
		l->frame = 0;
		break;
	case SCREEN_END:
		l->frame = SIZE_MAX;
		break;
	}
}

/* Keys of the table. */
static int press(struct live *l, int key, struct kmprof_error *err)
{
	switch (key) {
	case 'p':
		return change_profile(l, l->profile + 1, err);
	case 'P':
		return change_profile(l, l->profile + l->profiles.nr - 1, err);
	case '<':
	case SCREEN_LEFT:
		return l->sort ? sort_by(l, l->sort - 1, err) : 0;
	case '>':
	case SCREEN_RIGHT:
		return sort_by(l, l->sort + 1, err);
	case SCREEN_ENTER:
		l->is_stack = l->table.nr_rows > 0;
		l->frame = 0;
		return 0;
	case '/':
		l->is_typing = true;
		return 0;
	case SCREEN_ESCAPE:
		l->filter[0] = '\0';
		return make(l, err);
	case '+':
	case '-':
		change_interval(l, key == '+');
		return 0;
	}
	move(l, key);
	return 0;
}

/* Return: 0; 1 to end; or a negative errno. */
static int handle(struct live *l, int key, struct kmprof_error *err)
{
	if (key == SCREEN_ENDED)
		return 1;
	if (key == SCREEN_RESIZED) {
		/* The column that the rows are sorted by may not be there any more. */
		return sort_by(l, l->sort, err);
	}
	if (l->is_typing)
		return type(l, key, err);
	if (key == 'q')
		return 1;
	if (key == ' ') {
		l->is_paused = !l->is_paused;
		return 0;
	}
	if (key == '?' || key == 'h' || l->is_help) {
		l->is_help = !l->is_help;
		return 0;
	}
	if (l->is_stack) {
		if (key == SCREEN_ENTER || key == SCREEN_ESCAPE)
			l->is_stack = false;
		else
			scroll(l, key);
		return 0;
	}
	return press(l, key, err);
}

static int loop(struct live *l, struct kmprof_error *err)
{
	long long left;
	int key, ret = 0;

	l->next_ms = now_ms() + (long long)l->interval_ms;
	while (!ret) {
		draw(l);
		left = l->next_ms - now_ms();
		left = left < 0 ? 0 : left;
		key = screen_key(&l->screen, left < MSEC_PER_SEC ? (int)left : (int)MSEC_PER_SEC);
		if (key != SCREEN_TIME)
			ret = handle(l, key, err);
		if (ret || now_ms() < l->next_ms)
			continue;
		if (!l->is_paused)
			ret = look(l, err);
		l->next_ms = now_ms() + (long long)l->interval_ms;
	}
	return ret < 0 ? ret : 0;
}

/* --- from beginning to end ------------------------------------------------------------ */

static int show(struct live *l, struct kmprof_error *err)
{
	int ret;

	ret = screen_begin(&l->screen, err);
	if (ret)
		return ret;
	ret = loop(l, err);
	screen_end(&l->screen);
	return ret;
}

int live_run(const char *profile, __u64 interval_ms, const struct kmprof_resolver_options *names)
{
	struct live *l = calloc(1, sizeof(*l));
	struct kmprof_device dev;
	struct kmprof_error err;
	int ret;

	if (!l) {
		kmprof_error_set(&err, -ENOMEM, NULL, "out of memory");
		return fail(&err);
	}
	l->names = names;
	l->interval_ms = interval_ms;
	ret = kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err);
	if (ret) {
		free(l);
		return fail(&err);
	}
	l->dev = &dev;
	ret = live_table_take(&l->table, &dev, names, &err);
	if (!ret)
		ret = find_profile(l, profile, &err);
	if (!ret)
		ret = make(l, &err);
	if (!ret)
		ret = show(l, &err);
	live_table_release(&l->table);
	kmprof_lines_release(&l->profiles);
	kmprof_device_close(&dev);
	free(l->chosen);
	free(l);
	return ret ? fail(&err) : EXIT_OK;
}
