// SPDX-License-Identifier: GPL-2.0
/*
 * Makes an image out of a description on standard input, for tests:
 *
 *	rate BYTES | source NUMBER | cycle NUMBER | start NS | time NS
 *	wait_source NUMBER
 *	labels WORD,...			of the setting; none if not given
 *	heap WORD,...			of the setting of that name; not there if not given
 *	filter TEXT OBJECTS BYTES	the setting heap_filter, and what it has left out; as well
 *	percpu CALLS BYTES FREES	totals of per-CPU memory; not there if not given
 *	old_samples			rows of an older module: without the kind of memory
 *	totals ALLOC_CALLS ALLOC_BYTES FREE_CALLS
 *	sampled NUMBER			else what the ledger makes of it
 *	block RATE WAITS WAIT_NS
 *	waits_counted NUMBER
 *	waits_sampled NUMBER		else what the ledger makes of it
 *	mutex FRACTION RELEASES BLAMED_NS UNBLAMED_NS
 *	reason SCALAR NS		a part of UNBLAMED_NS
 *	delays_counted NUMBER
 *	delays_sampled NUMBER		else what the ledger makes of it
 *	noaddresses
 *	without heap|block|mutex	the module does not have it, nor its settings
 *	sample PERIOD SIZE ALLOCS FREES PENDING [FRAME...]
 *	kind NUMBER			of memory, of the last sample
 *	ages NS COUNT...		of the last sample: oldest object, and how many by age
 *	object ADDRESS AGE CYCLE PARTS	of the last sample
 *	by TID COMM			who has allocated the last object
 *	bytes HEX			of the last object; then all entries have room for them
 *	slab NAME			slab cache of the last sample
 *	old_caches			of an older module: without caches
 *	gfp NUMBER			class of GFP flags of the last sample
 *	together NUMBER			objects that the last sample has together
 *	old_gfp				of an older module: without classes
 *	old_labels			of an older module: without a node
 *	marks PEAK AT OOM		of the last sample, objects; without the scalars mark.*
 *	old_marks			of an older module: without marks
 *	old_ages			of an older module: without ages and objects
 *	contention PERIOD KIND FLAGS LOCK COUNT DELAY LONGEST [FRAME...]
 *	release				the same, of who released
 *	cache NAME			of the last contention's lock
 *	comm NAME | pid NUMBER | cgroup NUMBER | node NUMBER	a label of the last row
 *	label NUMBER			other than its own, of the last row
 *	loss NAME sample|wait|delay|own|other COUNT
 *	profile NAME [FORMAT]		one more profile, which has the following:
 *	column NAME UNIT [SHIFT]
 *	row VALUE... @ [FRAME...]	a value for each column
 *	scalar NAME UNIT TEXT VALUE [FLAG...]
 *	module NAME START SIZE LOADED_AT [ID]	one that is gone; a name of - is none
 *	symbol NAME START SIZE MODULE	of the module of that number, from 0 on
 *
 * COUNT of a contention can have a fraction. A loss "own" is of samples of the last profile.
 * UNIT and TEXT of a scalar can be - for none. Flags are setting, total, ledger, sampled,
 * counted, lost, filtered, mark; and own: it is of the last profile.
 * An empty line or one that starts with # is skipped; any other is an error.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kmprof.h>

#include "util/util.h"

enum {
	MAX_ROWS	= 200000,
	MAX_FRAMES	= 4000000,
	MAX_LOSSES	= 128,
	MAX_REASONS	= 8,
	MAX_SCALARS	= 256,
	MAX_STRINGS	= 32768,
	MAX_COLUMNS	= 32,
	MAX_PROFILES	= 16,
	MAX_WORDS	= 1000000,
	MAX_MODULES	= 16,
	MAX_SYMBOLS	= 64,
	MAX_OBJECTS	= 256,
};

/* The first ones are there unless the description is "without". */
enum { HEAP, BLOCK, MUTEX, FIRST_MORE };

/**
 * struct profile - of the directory
 * @name: its name; NULL: it is not there
 * @format: enum kmprof_row_format
 * @rows: the rows
 * @nr_rows: how many
 * @row_size: bytes of one
 * @column: the columns
 * @nr_columns: how many
 */
struct profile {
	const char *name;
	__u32 format;
	const void *rows;
	__u32 nr_rows;
	__u32 row_size;
	struct kmprof_image_column column[MAX_COLUMNS];
	__u32 nr_columns;
};

/* The account of one of the first profiles; and which numbers were given. */
struct account {
	__u64 sampled, counted;
	int sampled_given;
};

struct loss {
	char *name;
	unsigned int profile;
	__u32 flags;
	__u64 count;
};

static struct kmprof_image_header header;
static struct kmprof_image_sample sample[MAX_ROWS];
static struct kmprof_image_contention wait[MAX_ROWS], release[MAX_ROWS];
static __u64 words[MAX_WORDS];
static size_t nr_words;
static struct kmprof_image_label label[MAX_ROWS];
static __u64 frame[MAX_FRAMES];
static struct kmprof_image_module module[MAX_MODULES];
static struct kmprof_image_symbol symbol[MAX_SYMBOLS];
static struct kmprof_image_object object[MAX_OBJECTS];
static __u32 nr_modules, nr_symbols, nr_objects;
static char string[MAX_STRINGS];
static __u32 nr_labels, nr_frames, nr_strings = 1;

static struct profile profile[MAX_PROFILES] = {
	[HEAP]	= { "heap", KMPROF_ROWS_HEAP, sample, 0, sizeof(sample[0]) },
	[BLOCK]	= { "block", KMPROF_ROWS_BLOCK, wait, 0, sizeof(wait[0]) },
	[MUTEX]	= { "mutex", KMPROF_ROWS_MUTEX, release, 0, sizeof(release[0]) },
};

static unsigned int nr_profiles = FIRST_MORE;
static struct account account[FIRST_MORE];
static struct loss loss[MAX_LOSSES];
static unsigned int nr_losses;
static struct kmprof_image_scalar scalar[MAX_SCALARS], more_scalar[MAX_SCALARS];
static unsigned int nr_scalars, nr_more_scalars;

static __u64 heap_rate, block_rate, mutex_fraction, source = KMPROF_SOURCE_KPROBE;
static __u64 wait_source = KMPROF_SOURCE_TRACEPOINT;
static char *labels, *heap, *heap_filter;
static __u64 filtered, filtered_bytes;
static __u64 percpu_calls, percpu_bytes, percpu_frees;
static int has_percpu, has_old_samples, has_old_ages, has_old_caches, has_old_marks,
	   has_old_gfp, has_bytes;
static size_t label_size = sizeof(struct kmprof_image_label);
static __u64 alloc_calls, alloc_bytes, free_calls, waits, wait_ns;
static __u64 releases, blamed_ns, unblamed_ns;
/* Of a module that has them: "reason NAME NS", in their order. */
static struct {
	char *name;
	__u64 ns;
} reasons[MAX_REASONS];
static unsigned int nr_reasons;

static struct kmprof_image_row *last_row;
static struct kmprof_image_contention *last_contention;

static void __noreturn bad(const char *line)
{
	fprintf(stderr, "mkimage: do not understand '%s'\n", line);
	exit(2);
}

static char *word(const char *line, char **save)
{
	char *next = strtok_r(NULL, " \t\n", save);

	if (!next)
		bad(line);
	return next;
}

static __u64 parsed(const char *line, const char *text)
{
	char *end;
	__u64 value = strtoull(text, &end, 0);

	if (*end)
		bad(line);
	return value;
}

static __u64 number(const char *line, char **save)
{
	return parsed(line, word(line, save));
}

static __u64 fixed_point(const char *line, char **save)
{
	char *end;
	double value = strtod(word(line, save), &end);

	if (*end || value < 0)
		bad(line);
	return (__u64)(value * (1 << KMPROF_WAIT_COUNT_SHIFT) + 0.5);
}

static __u32 add_string(const char *line, const char *text)
{
	__u32 at = nr_strings;

	if (!*text)
		return 0;
	if (nr_strings + strlen(text) >= sizeof(string))
		bad(line);
	strcpy(string + nr_strings, text);
	nr_strings += (__u32)strlen(text) + 1;
	return at;
}

static char *copy_of(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		bad("out of memory");
	return copy;
}

/* --- rows ---------------------------------------------------------------------- */

static void add_frames(struct kmprof_image_row *row, char **save)
{
	char *next;

	last_row = row;
	row->first_frame = nr_frames;
	while ((next = strtok_r(NULL, " \t\n", save))) {
		if (nr_frames == MAX_FRAMES)
			bad("too many frames");
		frame[nr_frames++] = strtoull(next, NULL, 0);
		row->nr_frames++;
	}
}

static __u32 new_row(unsigned int which)
{
	if (profile[which].nr_rows == MAX_ROWS)
		bad("too many rows");
	return profile[which].nr_rows++;
}

static void add_sample(const char *line, char **save)
{
	struct kmprof_image_sample *s = &sample[new_row(HEAP)];

	s->period = number(line, save);
	s->object_size = number(line, save);
	s->allocs = number(line, save);
	s->frees = number(line, save);
	s->rcu_pending = number(line, save);
	add_frames(&s->row, save);
	account[HEAP].counted += s->allocs;
}

static void set_kind(const char *line, char **save)
{
	if (!profile[HEAP].nr_rows)
		bad(line);
	sample[profile[HEAP].nr_rows - 1].kind = (__u32)number(line, save);
}

static struct kmprof_image_sample *last_sample(const char *line)
{
	if (!profile[HEAP].nr_rows)
		bad(line);
	return &sample[profile[HEAP].nr_rows - 1];
}

/* A name as long as its room has no end: an image that is damaged. */
static void set_slab(const char *line, char **save)
{
	struct kmprof_image_sample *s = last_sample(line);
	const char *name = word(line, save);

	memcpy(s->cache, name, strnlen(name, sizeof(s->cache)));
}

static void set_ages(const char *line, char **save)
{
	struct kmprof_image_sample *s = last_sample(line);
	const char *next;
	unsigned int i;

	s->oldest_ns = number(line, save);
	for (i = 0; (next = strtok_r(NULL, " \t\n", save)) && i < KMPROF_AGES; i++)
		s->ages[i] = (__u32)parsed(line, next);
}

static void add_object(const char *line, char **save)
{
	struct kmprof_image_object *o = &object[nr_objects++];

	if (nr_objects == MAX_OBJECTS)
		bad(line);
	o->address = number(line, save);
	o->age_ns = number(line, save);
	o->cycle = number(line, save);
	o->parts = (__u32)number(line, save);
	o->row = (__u32)(last_sample(line) - sample);
}

/* All of a line but its end: a name can have blanks. */
static void set_task(const char *line, char **save)
{
	struct kmprof_image_object *o = &object[nr_objects - 1];
	const char *name;

	if (!nr_objects)
		bad(line);
	o->tid = (__u32)number(line, save);
	name = strtok_r(NULL, "\n", save);
	if (!name || strlen(name) >= KMPROF_COMM_LEN)
		bad(line);
	strcpy(o->comm, name);
}

static void set_bytes(const char *line, char **save)
{
	struct kmprof_image_object *o = &object[nr_objects - 1];
	const char *hex = word(line, save);
	unsigned int byte;

	if (!nr_objects)
		bad(line);
	for (; o->nr_bytes < sizeof(o->bytes) && sscanf(hex, "%2x", &byte) == 1; hex += 2)
		o->bytes[o->nr_bytes++] = (__u8)byte;
	has_bytes = 1;
}

/* Moves the rows together. */
static void shorten_samples(size_t size)
{
	char *to = (char *)sample;
	__u32 i;

	for (i = 0; i < profile[HEAP].nr_rows; i++)
		memmove(to + i * size, &sample[i], size);
	profile[HEAP].row_size = (__u32)size;
}

static void add_contention(const char *line, char **save, unsigned int which)
{
	struct kmprof_image_contention *c = which == BLOCK ? wait : release;

	c += new_row(which);
	c->period = number(line, save);
	c->kind = (__u32)number(line, save);
	c->flags = (__u32)number(line, save);
	c->lock = number(line, save);
	c->count = fixed_point(line, save);
	c->delay_ns = number(line, save);
	c->longest_ns = number(line, save);
	add_frames(&c->row, save);
	last_contention = c;
}

static void add_cache(const char *line, char **save)
{
	const char *name = strtok_r(NULL, "\n", save);

	if (!name || strlen(name) >= KMPROF_CACHE_NAME_LEN || !last_contention)
		bad(line);
	strcpy(last_contention->cache, name);
}

/* That of the last row, from now on with @which. */
static struct kmprof_image_label *last_label(const char *line, __u32 which)
{
	if (!last_row || nr_labels == MAX_ROWS)
		bad(line);
	if (!last_row->label)
		last_row->label = ++nr_labels;
	label[last_row->label - 1].labels |= which;
	return &label[last_row->label - 1];
}

/* All of a line: a name can have blanks, and none of them is cut off. */
static void add_comm(const char *line, char **save)
{
	char *comm = last_label(line, KMPROF_LABEL_COMM)->comm;
	const char *name = *save;
	size_t len = strcspn(name, "\n");

	if (len >= KMPROF_COMM_LEN)
		bad(line);
	memcpy(comm, name, len);
}

static void set_label(const char *line, char **save)
{
	if (!last_row)
		bad(line);
	last_row->label = (__u32)number(line, save);
}

/* --- profiles ------------------------------------------------------------------ */

static void add_column(const char *line, struct profile *p, const char *name, const char *unit,
		       size_t offset, __u32 shift)
{
	struct kmprof_image_column *column = &p->column[p->nr_columns++];

	if (p->nr_columns > MAX_COLUMNS)
		bad(line);
	column->name = add_string(line, name);
	column->unit = add_string(line, unit);
	column->offset = (__u32)offset;
	column->shift = shift;
}

static void add_contention_columns(struct profile *p)
{
	const char *name = p == &profile[BLOCK] ? "waits" : "releases";

	add_column(name, p, "delay", "nanoseconds",
		   offsetof(struct kmprof_image_contention, delay_ns), 0);
	add_column(name, p, name, "count", offsetof(struct kmprof_image_contention, count),
		   KMPROF_WAIT_COUNT_SHIFT);
}

static void add_first_columns(void)
{
	struct profile *heap = &profile[HEAP];

	add_column("allocs", heap, "allocs", "count",
		   offsetof(struct kmprof_image_sample, allocs), 0);
	add_column("frees", heap, "frees", "count",
		   offsetof(struct kmprof_image_sample, frees), 0);
	add_column("rcu_pending", heap, "rcu_pending", "count",
		   offsetof(struct kmprof_image_sample, rcu_pending), 0);
	add_contention_columns(&profile[BLOCK]);
	add_contention_columns(&profile[MUTEX]);
}

static void remove_profile(const char *line, char **save)
{
	const char *name = word(line, save);
	unsigned int i;

	for (i = 0; i < FIRST_MORE; i++) {
		if (!profile[i].name || strcmp(profile[i].name, name))
			continue;
		profile[i].name = NULL;
		return;
	}
	bad(line);
}

static void add_profile(const char *line, char **save)
{
	struct profile *p = &profile[nr_profiles++];
	const char *format;

	if (nr_profiles > MAX_PROFILES)
		bad(line);
	p->name = copy_of(word(line, save));
	format = strtok_r(NULL, " \t\n", save);
	p->format = format ? (__u32)parsed(line, format) : KMPROF_ROWS_OBJECTS;
	p->rows = &words[nr_words];
	p->row_size = sizeof(struct kmprof_image_row);
}

static struct profile *last_profile(const char *line)
{
	if (nr_profiles == FIRST_MORE)
		bad(line);
	return &profile[nr_profiles - 1];
}

static void add_own_column(const char *line, char **save)
{
	struct profile *p = last_profile(line);
	const char *name = word(line, save), *unit = word(line, save), *shift;

	shift = strtok_r(NULL, " \t\n", save);
	if (p->nr_rows)
		bad(line);
	add_column(line, p, name, unit, p->row_size, shift ? (__u32)parsed(line, shift) : 0);
	p->row_size += sizeof(__u64);
}

static void add_own_row(const char *line, char **save)
{
	struct profile *p = last_profile(line);
	struct kmprof_image_row *row = (void *)&words[nr_words];
	__u64 *value = (__u64 *)(row + 1);
	__u32 i;

	nr_words += p->row_size / sizeof(__u64);
	if (nr_words > MAX_WORDS)
		bad(line);
	for (i = 0; i < p->nr_columns; i++)
		value[i] = number(line, save);
	if (strcmp(word(line, save), "@"))
		bad(line);
	p->nr_rows++;
	add_frames(row, save);
}

/* As scalars have it: those that are not there are not counted. */
static __u32 number_of(unsigned int which)
{
	__u32 n = 0;
	unsigned int i;

	for (i = 0; i <= which; i++)
		if (profile[i].name)
			n++;
	return n;
}

/* --- scalars ------------------------------------------------------------------- */

static void add_loss(const char *line, char **save)
{
	const char *name = word(line, save), *kind = word(line, save);
	struct loss *l = &loss[nr_losses++];

	if (nr_losses == MAX_LOSSES)
		bad(line);
	l->name = copy_of(name);
	l->count = number(line, save);
	l->flags = KMPROF_SCALAR_LEDGER | KMPROF_SCALAR_LOST;
	if (!strcmp(kind, "sample")) {
		l->profile = HEAP;
	} else if (!strcmp(kind, "wait")) {
		l->profile = BLOCK;
	} else if (!strcmp(kind, "delay")) {
		l->profile = MUTEX;
	} else if (!strcmp(kind, "own")) {
		l->profile = (unsigned int)(last_profile(line) - profile);
	} else if (!strcmp(kind, "other")) {
		l->flags = KMPROF_SCALAR_LEDGER;
		l->profile = strstr(name, "wait") ? BLOCK : HEAP;
		if (strstr(name, "delay") || strstr(name, "release"))
			l->profile = MUTEX;
	} else {
		bad(line);
	}
}

static void put_scalar(unsigned int which, const char *name, const char *unit, const char *text,
		       __u64 value, __u32 flags)
{
	struct kmprof_image_scalar *s = &scalar[nr_scalars++];

	if (nr_scalars > MAX_SCALARS)
		bad(name);
	s->name = add_string(name, name);
	s->unit = add_string(name, unit);
	s->text = add_string(name, text);
	s->profile = number_of(which);
	s->value = value;
	s->flags = flags;
}

static void put_source(unsigned int which, const char *name, __u64 value)
{
	const char *text = "";

	if (value == KMPROF_SOURCE_KPROBE)
		text = "kprobe";
	else if (value == KMPROF_SOURCE_TRACEPOINT)
		text = "tracepoint";
	put_scalar(which, name, "", text, value, 0);
}

/* The bit of a name is its index. */
static __u64 bits_of(const char *const names[], size_t nr, const char *text)
{
	char *copy = copy_of(text), *next, *rest = copy;
	__u64 value = 0;
	size_t i;

	while ((next = strsep(&rest, ","))) {
		for (i = 0; i < nr; i++)
			if (!strcmp(names[i], next))
				value |= 1ULL << i;
		if (*next == '0')
			value |= strtoull(next, NULL, 0);
	}
	free(copy);
	return value;
}

static void put_names(const char *name, const char *const names[], size_t nr, const char *text)
{
	put_scalar(0, name, "", text, bits_of(names, nr, text), KMPROF_SCALAR_SETTING);
	scalar[nr_scalars - 1].profile = 0;
}

static void put_settings(void)
{
	static const char *const label_names[] = { "comm", "pid", "cgroup" };
	static const char *const kind_names[] = { "slab", "percpu", "vmalloc", "page", "movable" };

	if (profile[HEAP].name)
		put_scalar(HEAP, "heap_rate", "bytes", "", heap_rate, KMPROF_SCALAR_SETTING);
	if (profile[BLOCK].name)
		put_scalar(BLOCK, "block_rate", "nanoseconds", "", block_rate,
			   KMPROF_SCALAR_SETTING);
	if (profile[MUTEX].name)
		put_scalar(MUTEX, "mutex_fraction", "", "", mutex_fraction,
			   KMPROF_SCALAR_SETTING);
	put_names("labels", label_names, ARRAY_SIZE(label_names), labels ? labels : "none");
	if (heap)
		put_names("heap", kind_names, ARRAY_SIZE(kind_names), heap);
	if (heap_filter)
		put_names("heap_filter", NULL, 0, heap_filter);
}

static void put_account(unsigned int which, const char *sampled, const char *counted)
{
	struct account *a = &account[which];
	unsigned int i;

	for (i = 0; i < nr_losses && !a->sampled_given; i++)
		if (loss[i].profile == which && loss[i].flags & KMPROF_SCALAR_LOST)
			a->sampled += loss[i].count;
	if (!a->sampled_given)
		a->sampled += a->counted;
	put_scalar(which, sampled, "count", "", a->sampled, KMPROF_SCALAR_SAMPLED);
	put_scalar(which, counted, "count", "", a->counted, KMPROF_SCALAR_COUNTED);
}

static void put_losses(unsigned int which)
{
	char name[256];
	unsigned int i;

	for (i = 0; i < nr_losses; i++) {
		if (loss[i].profile != which)
			continue;
		snprintf(name, sizeof(name), "ledger.%s", loss[i].name);
		put_scalar(which, name, "count", "", loss[i].count, loss[i].flags);
	}
}

static void put_total(unsigned int which, const char *name, const char *unit, __u64 value)
{
	put_scalar(which, name, unit, "", value, KMPROF_SCALAR_TOTAL);
}

static void put_heap_scalars(void)
{
	put_total(HEAP, "total.alloc_calls", "count", alloc_calls);
	put_total(HEAP, "total.alloc_bytes", "bytes", alloc_bytes);
	put_total(HEAP, "total.free_calls", "count", free_calls);
	if (has_percpu) {
		put_total(HEAP, "total.percpu_calls", "count", percpu_calls);
		put_total(HEAP, "total.percpu_bytes", "bytes", percpu_bytes);
		put_total(HEAP, "total.percpu_frees", "count", percpu_frees);
	}
	if (heap_filter) {
		put_scalar(HEAP, "filtered", "count", "", filtered, KMPROF_SCALAR_FILTERED);
		put_scalar(HEAP, "filtered_bytes", "bytes", "", filtered_bytes, 0);
	}
	put_account(HEAP, "sampled", "counted");
	put_losses(HEAP);
}

static void put_block_scalars(void)
{
	put_total(BLOCK, "total.waits", "count", waits);
	put_total(BLOCK, "total.wait_ns", "nanoseconds", wait_ns);
	put_account(BLOCK, "waits_sampled", "waits_counted");
	put_losses(BLOCK);
}

static void put_mutex_scalars(void)
{
	unsigned int i;

	put_total(MUTEX, "total.releases", "count", releases);
	put_total(MUTEX, "total.blamed_ns", "nanoseconds", blamed_ns);
	put_total(MUTEX, "total.unblamed_ns", "nanoseconds", unblamed_ns);
	for (i = 0; i < nr_reasons; i++)
		put_total(MUTEX, reasons[i].name, "nanoseconds", reasons[i].ns);
	put_account(MUTEX, "delays_sampled", "delays_counted");
	put_losses(MUTEX);
}

static void put_scalars(void)
{
	unsigned int i;

	if (profile[HEAP].name)
		put_source(HEAP, "source", source);
	if (profile[BLOCK].name)
		put_source(BLOCK, "wait_source", wait_source);
	put_settings();
	if (profile[HEAP].name)
		put_heap_scalars();
	if (profile[BLOCK].name)
		put_block_scalars();
	if (profile[MUTEX].name)
		put_mutex_scalars();
	for (i = FIRST_MORE; i < nr_profiles; i++)
		put_losses(i);
	for (i = 0; i < nr_more_scalars; i++) {
		if (nr_scalars == MAX_SCALARS)
			bad("too many scalars");
		scalar[nr_scalars] = more_scalar[i];
		if (scalar[nr_scalars].profile)
			scalar[nr_scalars].profile = number_of(scalar[nr_scalars].profile);
		nr_scalars++;
	}
}

static void add_flag(const char *line, struct kmprof_image_scalar *s, const char *name)
{
	static const char *const names[] = {
		"setting", "total", "ledger", "sampled", "counted", "lost",
		"filtered", "mark",
	};
	size_t i;

	if (!strcmp(name, "own")) {
		s->profile = (__u32)(last_profile(line) - profile);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i], name)) {
			s->flags |= 1U << i;
			return;
		}
	}
	bad(line);
}

static void add_scalar(const char *line, char **save)
{
	struct kmprof_image_scalar *s = &more_scalar[nr_more_scalars++];
	const char *name = word(line, save), *unit = word(line, save);
	const char *text = word(line, save), *flag;

	if (nr_more_scalars == MAX_SCALARS)
		bad(line);
	s->name = add_string(line, name);
	s->unit = strcmp(unit, "-") ? add_string(line, unit) : 0;
	s->text = strcmp(text, "-") ? add_string(line, text) : 0;
	s->value = number(line, save);
	while ((flag = strtok_r(NULL, " \t\n", save)))
		add_flag(line, s, flag);
}

/* --- modules that are gone -------------------------------------------------------- */

static void add_module(const char *line, char **save)
{
	struct kmprof_image_module *m = &module[nr_modules++];
	const char *name = word(line, save), *id;
	unsigned int byte;

	if (nr_modules == MAX_MODULES)
		bad(line);
	m->name = strcmp(name, "-") ? add_string(line, name) : 0;
	m->flags = KMPROF_MODULE_GONE;
	m->start = number(line, save);
	m->size = number(line, save);
	m->loaded_at = number(line, save);
	id = strtok_r(NULL, " \t\n", save);
	for (; id && sscanf(id, "%2x", &byte) == 1; id += 2)
		m->build_id[m->build_id_size++] = (__u8)byte;
}

static void add_symbol(const char *line, char **save)
{
	struct kmprof_image_symbol *s = &symbol[nr_symbols++];

	if (nr_symbols == MAX_SYMBOLS)
		bad(line);
	s->name = add_string(line, word(line, save));
	s->start = number(line, save);
	s->size = number(line, save);
	s->module = (__u32)number(line, save);
}

/* --- the description ------------------------------------------------------------ */

static void set_sampled(const char *line, char **save, unsigned int which)
{
	account[which].sampled = number(line, save);
	account[which].sampled_given = 1;
}

static void read_line(char *line)
{
	char copy[4096], *save = NULL, *first;

	if (snprintf(copy, sizeof(copy), "%s", line) >= (int)sizeof(copy))
		bad(line);
	first = strtok_r(line, " \t\n", &save);
	if (!first || first[0] == '#')
		return;
	if (!strcmp(first, "rate")) {
		heap_rate = number(copy, &save);
	} else if (!strcmp(first, "source")) {
		source = number(copy, &save);
	} else if (!strcmp(first, "wait_source")) {
		wait_source = number(copy, &save);
	} else if (!strcmp(first, "labels")) {
		labels = copy_of(word(copy, &save));
	} else if (!strcmp(first, "heap")) {
		heap = copy_of(word(copy, &save));
	} else if (!strcmp(first, "filter")) {
		heap_filter = copy_of(word(copy, &save));
		filtered = number(copy, &save);
		filtered_bytes = number(copy, &save);
	} else if (!strcmp(first, "percpu")) {
		percpu_calls = number(copy, &save);
		percpu_bytes = number(copy, &save);
		percpu_frees = number(copy, &save);
		has_percpu = 1;
	} else if (!strcmp(first, "old_samples")) {
		has_old_samples = 1;
	} else if (!strcmp(first, "old_ages")) {
		has_old_ages = 1;
	} else if (!strcmp(first, "old_caches")) {
		has_old_caches = 1;
	} else if (!strcmp(first, "gfp")) {
		last_sample(copy)->gfp_class = (__u32)number(copy, &save);
	} else if (!strcmp(first, "node")) {
		last_label(copy, KMPROF_LABEL_NODE)->node = (__u32)number(copy, &save);
	} else if (!strcmp(first, "together")) {
		last_sample(copy)->together = (__u32)number(copy, &save);
	} else if (!strcmp(first, "old_labels")) {
		label_size = offsetof(struct kmprof_image_label, node);
	} else if (!strcmp(first, "old_gfp")) {
		has_old_gfp = 1;
	} else if (!strcmp(first, "old_marks")) {
		has_old_marks = 1;
	} else if (!strcmp(first, "marks")) {
		last_sample(copy)->peak = number(copy, &save);
		last_sample(copy)->at = number(copy, &save);
		last_sample(copy)->oom = number(copy, &save);
	} else if (!strcmp(first, "ages")) {
		set_ages(copy, &save);
	} else if (!strcmp(first, "slab")) {
		set_slab(copy, &save);
	} else if (!strcmp(first, "object")) {
		add_object(copy, &save);
	} else if (!strcmp(first, "bytes")) {
		set_bytes(copy, &save);
	} else if (!strcmp(first, "by")) {
		set_task(copy, &save);
	} else if (!strcmp(first, "kind")) {
		set_kind(copy, &save);
	} else if (!strcmp(first, "cycle")) {
		header.cycle = number(copy, &save);
	} else if (!strcmp(first, "start")) {
		header.start_ns = number(copy, &save);
	} else if (!strcmp(first, "time")) {
		header.time_ns = number(copy, &save);
	} else if (!strcmp(first, "totals")) {
		alloc_calls = number(copy, &save);
		alloc_bytes = number(copy, &save);
		free_calls = number(copy, &save);
	} else if (!strcmp(first, "sampled")) {
		set_sampled(copy, &save, HEAP);
	} else if (!strcmp(first, "block")) {
		block_rate = number(copy, &save);
		waits = number(copy, &save);
		wait_ns = number(copy, &save);
	} else if (!strcmp(first, "waits_counted")) {
		account[BLOCK].counted = number(copy, &save);
	} else if (!strcmp(first, "waits_sampled")) {
		set_sampled(copy, &save, BLOCK);
	} else if (!strcmp(first, "mutex")) {
		mutex_fraction = number(copy, &save);
		releases = number(copy, &save);
		blamed_ns = number(copy, &save);
		unblamed_ns = number(copy, &save);
	} else if (!strcmp(first, "reason") && nr_reasons < MAX_REASONS) {
		reasons[nr_reasons].name = copy_of(word(copy, &save));
		reasons[nr_reasons++].ns = number(copy, &save);
	} else if (!strcmp(first, "delays_counted")) {
		account[MUTEX].counted = number(copy, &save);
	} else if (!strcmp(first, "delays_sampled")) {
		set_sampled(copy, &save, MUTEX);
	} else if (!strcmp(first, "noaddresses")) {
		header.flags &= ~KMPROF_IMAGE_ADDRESSES;
	} else if (!strcmp(first, "without")) {
		remove_profile(copy, &save);
	} else if (!strcmp(first, "sample")) {
		add_sample(copy, &save);
	} else if (!strcmp(first, "contention")) {
		add_contention(copy, &save, BLOCK);
	} else if (!strcmp(first, "release")) {
		add_contention(copy, &save, MUTEX);
	} else if (!strcmp(first, "cache")) {
		add_cache(copy, &save);
	} else if (!strcmp(first, "comm")) {
		add_comm(copy, &save);
	} else if (!strcmp(first, "pid")) {
		last_label(copy, KMPROF_LABEL_PID)->pid = (__u32)number(copy, &save);
	} else if (!strcmp(first, "cgroup")) {
		last_label(copy, KMPROF_LABEL_CGROUP)->cgroup = number(copy, &save);
	} else if (!strcmp(first, "label")) {
		set_label(copy, &save);
	} else if (!strcmp(first, "loss")) {
		add_loss(copy, &save);
	} else if (!strcmp(first, "profile")) {
		add_profile(copy, &save);
	} else if (!strcmp(first, "column")) {
		add_own_column(copy, &save);
	} else if (!strcmp(first, "row")) {
		add_own_row(copy, &save);
	} else if (!strcmp(first, "scalar")) {
		add_scalar(copy, &save);
	} else if (!strcmp(first, "module")) {
		add_module(copy, &save);
	} else if (!strcmp(first, "symbol")) {
		add_symbol(copy, &save);
	} else {
		bad(copy);
	}
}

/* --- the image ------------------------------------------------------------------ */

static __u64 place(struct kmprof_table *table, __u64 at, __u32 count, size_t entry_size)
{
	table->offset = at;
	table->count = count;
	table->entry_size = (__u32)entry_size;
	return (at + (__u64)count * entry_size + 7) & ~7ULL;
}

static void put(const void *data, size_t size)
{
	static const char zero[8];

	fwrite(data, 1, size, stdout);
	fwrite(zero, 1, -size & 7, stdout);
}

int main(void)
{
	static struct kmprof_image_profile entry[MAX_PROFILES];
	unsigned int i, n = 0;
	size_t object_size;
	char *line = NULL;
	size_t room = 0;
	__u64 at;

	header.magic = KMPROF_IMAGE_MAGIC;
	header.abi_version = KMPROF_ABI_VERSION;
	header.header_size = sizeof(header);
	header.flags = KMPROF_IMAGE_ADDRESSES;
	while (getline(&line, &room, stdin) >= 0)
		read_line(line);
	free(line);
	object_size = has_bytes ? sizeof(object[0]) :
				  offsetof(struct kmprof_image_object, nr_bytes);
	if (has_old_samples)
		shorten_samples(offsetof(struct kmprof_image_sample, kind));
	else if (has_old_ages)
		shorten_samples(offsetof(struct kmprof_image_sample, oldest_ns));
	else if (has_old_caches)
		shorten_samples(offsetof(struct kmprof_image_sample, cache));
	else if (has_old_marks)
		shorten_samples(offsetof(struct kmprof_image_sample, peak));
	else if (has_old_gfp)
		shorten_samples(offsetof(struct kmprof_image_sample, gfp_class));
	if (has_old_ages)
		header.header_size = offsetof(struct kmprof_image_header, objects);
	add_first_columns();
	put_scalars();

	at = place(&header.profiles, header.header_size, number_of(nr_profiles - 1),
		   sizeof(entry[0]));
	at = place(&header.scalars, at, nr_scalars, sizeof(scalar[0]));
	for (i = 0; i < nr_profiles; i++) {
		if (!profile[i].name)
			continue;
		entry[n].name = add_string(profile[i].name, profile[i].name);
		entry[n].format = profile[i].format;
		at = place(&entry[n].columns, at, profile[i].nr_columns,
			   sizeof(profile[i].column[0]));
		at = place(&entry[n++].rows, at, profile[i].nr_rows, profile[i].row_size);
	}
	at = place(&header.labels, at, nr_labels, label_size);
	at = place(&header.frames, at, nr_frames, sizeof(frame[0]));
	at = place(&header.modules, at, nr_modules, sizeof(module[0]));
	at = place(&header.symbols, at, nr_symbols, sizeof(symbol[0]));
	at = place(&header.strings, at, nr_strings, 1);
	header.image_size = place(&header.objects, at, nr_objects, object_size);

	put(&header, header.header_size);
	put(entry, n * sizeof(entry[0]));
	put(scalar, nr_scalars * sizeof(scalar[0]));
	for (i = 0; i < nr_profiles; i++) {
		if (!profile[i].name)
			continue;
		put(profile[i].column, profile[i].nr_columns * sizeof(profile[i].column[0]));
		put(profile[i].rows, (size_t)profile[i].nr_rows * profile[i].row_size);
	}
	for (i = 0; i < nr_labels; i++)
		put(&label[i], label_size);
	put(frame, nr_frames * sizeof(frame[0]));
	put(module, nr_modules * sizeof(module[0]));
	put(symbol, nr_symbols * sizeof(symbol[0]));
	put(string, nr_strings);
	for (i = 0; i < nr_objects; i++)
		put(&object[i], object_size);
	return fflush(stdout) || ferror(stdout);
}
