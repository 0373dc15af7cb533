// SPDX-License-Identifier: GPL-2.0
/*
 * Checks an image against all that uapi/linux/kmprof.h promises of every image: tables
 * inside the image, names, the rows of each format, and the account of each profile.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/snapshot.h"

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static char wrong[256];

__attribute__((format(printf, 1, 2)))
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

	what = table_wrong(snapshot, "profiles", &header->profiles,
			   sizeof(struct kmprof_image_profile));
	what = what ?: table_wrong(snapshot, "scalars", &header->scalars,
				   sizeof(struct kmprof_image_scalar));
	what = what ?: table_wrong(snapshot, "labels", &header->labels,
				   sizeof(struct kmprof_image_label));
	what = what ?: table_wrong(snapshot, "frames", &header->frames, sizeof(uint64_t));
	what = what ?: table_wrong(snapshot, "strings", &header->strings, 1);
	what = what ?: table_wrong(snapshot, "modules", &header->modules,
				   sizeof(struct kmprof_image_module));
	what = what ?: table_wrong(snapshot, "symbols", &header->symbols,
				   sizeof(struct kmprof_image_symbol));
	what = what ?: table_wrong(snapshot, "objects", &header->objects,
				   offsetof(struct kmprof_image_object, nr_bytes));
	if (what)
		return what;
	if (!header->strings.count || *snapshot_string(snapshot, 0))
		return is_wrong("strings: the first one is not empty");
	return NULL;
}

/* The bytes of two tables. */
static int overlap(const struct kmprof_table *a, const struct kmprof_table *b)
{
	uint64_t a_end = a->offset + (uint64_t)a->count * a->entry_size;
	uint64_t b_end = b->offset + (uint64_t)b->count * b->entry_size;

	return a->count && b->count && a->offset < b_end && b->offset < a_end;
}

static const char *overlap_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_image_header *header = snapshot->header;
	const struct kmprof_table *tables[256] = {
		&header->profiles, &header->scalars, &header->labels, &header->frames,
		&header->strings, &header->modules, &header->symbols, &header->objects,
	};
	unsigned int count = 8, i, k;

	for (i = 0; i < header->profiles.count; i++) {
		const struct kmprof_image_profile *profile =
			snapshot_entry(snapshot, &header->profiles, i);

		if (count + 2 > ARRAY_LENGTH(tables))
			return is_wrong("%u profiles, too many for this test",
					header->profiles.count);
		tables[count++] = &profile->rows;
		tables[count++] = &profile->columns;
	}
	for (i = 0; i < count; i++)
		for (k = 0; k < i; k++)
			if (overlap(tables[i], tables[k]))
				return is_wrong("tables %u and %u overlap", k, i);
	return NULL;
}

static const char *string_wrong(const struct snapshot *snapshot, const char *of, uint32_t i,
				uint32_t offset)
{
	const struct kmprof_table *strings = &snapshot->header->strings;

	if (offset >= strings->count)
		return is_wrong("%s %u: a string behind the strings", of, i);
	if (!memchr(snapshot_string(snapshot, offset), '\0', strings->count - offset))
		return is_wrong("%s %u: a string without end", of, i);
	return NULL;
}

/* A name has neither blanks nor line ends: it is a word of the text. */
static const char *name_wrong(const struct snapshot *snapshot, const char *of, uint32_t i,
			      uint32_t offset)
{
	const char *what = string_wrong(snapshot, of, i, offset);
	const char *name = snapshot_string(snapshot, offset);

	if (what)
		return what;
	if (!*name || strpbrk(name, " \t\n"))
		return is_wrong("%s %u: the name \"%s\" is not a word", of, i, name);
	return NULL;
}

struct column {
	const char *name;
	const char *unit;
	uint32_t offset;
	uint32_t shift;
};

/**
 * struct format - a profile that this test knows of
 * @name: of the profile
 * @format: enum kmprof_row_format
 * @row: bytes of a row
 * @columns: all columns
 * @totals: names of the scalars that have all events together; none: releases and waits
 */
struct format {
	const char *name;
	uint32_t format;
	size_t row;
	struct column columns[6];
	const char *totals[4];
};

static const struct format formats[] = {
	{ "heap", KMPROF_ROWS_HEAP, sizeof(struct kmprof_image_sample), {
		{ "allocs", "count", offsetof(struct kmprof_image_sample, allocs), 0 },
		{ "frees", "count", offsetof(struct kmprof_image_sample, frees), 0 },
		{ "rcu_pending", "count", offsetof(struct kmprof_image_sample, rcu_pending), 0 },
		{ "peak", "count", offsetof(struct kmprof_image_sample, peak), 0 },
		{ "at", "count", offsetof(struct kmprof_image_sample, at), 0 },
		{ "oom", "count", offsetof(struct kmprof_image_sample, oom), 0 },
	}, { "total.alloc_calls", "total.percpu_calls", "total.vmalloc_calls",
	     "total.pages_allocated" } },
	{ "block", KMPROF_ROWS_BLOCK, sizeof(struct kmprof_image_contention), {
		{ "delay", "nanoseconds", offsetof(struct kmprof_image_contention, delay_ns), 0 },
		{ "waits", "count", offsetof(struct kmprof_image_contention, count),
		  KMPROF_WAIT_COUNT_SHIFT },
	}, { "total.waits" } },
	{ "mutex", KMPROF_ROWS_MUTEX, sizeof(struct kmprof_image_contention), {
		{ "delay", "nanoseconds", offsetof(struct kmprof_image_contention, delay_ns), 0 },
		{ "releases", "count", offsetof(struct kmprof_image_contention, count),
		  KMPROF_WAIT_COUNT_SHIFT },
	}, { "total.releases", "total.waits" } },
};

static const char *column_wrong(const struct snapshot *snapshot,
				const struct kmprof_image_profile *profile, uint32_t i)
{
	const char *of = snapshot_string(snapshot, profile->name), *what;
	const struct kmprof_image_column *column = snapshot_entry(snapshot, &profile->columns, i);

	what = name_wrong(snapshot, of, i, column->name);
	what = what ?: name_wrong(snapshot, of, i, column->unit);
	if (what)
		return what;
	if (column->offset % 8 || column->offset < sizeof(struct kmprof_image_row) ||
	    column->offset + sizeof(uint64_t) > profile->rows.entry_size)
		return is_wrong("%s: column %u at %u of %u bytes", of, i, column->offset,
				profile->rows.entry_size);
	if (column->shift >= 64)
		return is_wrong("%s: column %u: shift %u", of, i, column->shift);
	return NULL;
}

static const char *known_columns_wrong(const struct snapshot *snapshot,
				       const struct kmprof_image_profile *profile,
				       const struct format *known)
{
	uint32_t i, count;

	for (count = 0; count < ARRAY_LENGTH(known->columns) && known->columns[count].name;)
		count++;
	if (profile->columns.count != count)
		return is_wrong("%s: %u columns", known->name, profile->columns.count);
	for (i = 0; i < count; i++) {
		const struct column *expected = &known->columns[i];
		const struct kmprof_image_column *column =
			snapshot_entry(snapshot, &profile->columns, i);

		if (strcmp(snapshot_string(snapshot, column->name), expected->name) ||
		    strcmp(snapshot_string(snapshot, column->unit), expected->unit) ||
		    column->offset != expected->offset || column->shift != expected->shift)
			return is_wrong("%s: column %u is not %s", known->name, i, expected->name);
	}
	return NULL;
}

static const struct format *format_of(const struct snapshot *snapshot,
				      const struct kmprof_image_profile *profile)
{
	unsigned int i;

	for (i = 0; i < ARRAY_LENGTH(formats); i++)
		if (!strcmp(formats[i].name, snapshot_string(snapshot, profile->name)))
			return &formats[i];
	return NULL;
}

static const char *profile_wrong(const struct snapshot *snapshot, uint32_t i)
{
	const struct kmprof_table *directory = &snapshot->header->profiles;
	const struct kmprof_image_profile *profile = snapshot_entry(snapshot, directory, i);
	const char *what = name_wrong(snapshot, "profile", i, profile->name), *name;
	const struct format *known;
	uint32_t k;

	if (what)
		return what;
	name = snapshot_string(snapshot, profile->name);
	for (k = 0; k < i; k++) {
		const struct kmprof_image_profile *other = snapshot_entry(snapshot, directory, k);

		if (!strcmp(name, snapshot_string(snapshot, other->name)))
			return is_wrong("profile %s: twice", name);
	}
	known = format_of(snapshot, profile);
	if (profile->format != (known ? known->format : KMPROF_ROWS_OBJECTS))
		return is_wrong("profile %s: format %u", name, profile->format);
	what = table_wrong(snapshot, name, &profile->rows,
			   known ? known->row : sizeof(struct kmprof_image_row));
	what = what ?: table_wrong(snapshot, name, &profile->columns,
				   sizeof(struct kmprof_image_column));
	if (!what && !profile->columns.count)
		what = is_wrong("profile %s: no columns", name);
	for (k = 0; !what && k < profile->columns.count; k++)
		what = column_wrong(snapshot, profile, k);
	return what ?: known ? known_columns_wrong(snapshot, profile, known) : NULL;
}

static const char *profiles_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_table *directory = &snapshot->header->profiles;
	const char *what = NULL;
	uint32_t i, k;

	for (i = 0; !what && i < directory->count; i++)
		what = profile_wrong(snapshot, i);
	for (k = 0; !what && k < ARRAY_LENGTH(formats); k++) {
		for (i = 0; i < directory->count; i++)
			if (format_of(snapshot, snapshot_entry(snapshot, directory, i)) ==
			    &formats[k])
				break;
		if (i == directory->count)
			what = is_wrong("no profile %s", formats[k].name);
	}
	return what;
}

enum {
	SETTING = KMPROF_SCALAR_SETTING,
	TOTAL = KMPROF_SCALAR_TOTAL,
	SAMPLED = KMPROF_SCALAR_SAMPLED,
	COUNTED = KMPROF_SCALAR_COUNTED,
	LEDGER = KMPROF_SCALAR_LEDGER,
	LOST = KMPROF_SCALAR_LEDGER | KMPROF_SCALAR_LOST,
	FILTERED = KMPROF_SCALAR_FILTERED,
	MARK = KMPROF_SCALAR_MARK,
	ALL_FLAGS = SETTING | TOTAL | SAMPLED | COUNTED | LOST | FILTERED | MARK,
};

/*
 * The scalars of this module, in their order; others may be between them. A setting is no
 * profile's own.
 */
static const struct {
	const char *name;
	const char *unit;
	const char *profile;
	uint32_t flags;
} known_scalars[] = {
	{ "source", "", "heap", 0 },
	{ "wait_source", "", "block", 0 },
	{ "heap_rate", "bytes", NULL, SETTING },
	{ "block_rate", "nanoseconds", NULL, SETTING },
	{ "mutex_fraction", "", NULL, SETTING },
	{ "labels", "", NULL, SETTING },
	{ "heap", "", NULL, SETTING },
	{ "heap_labels", "", NULL, SETTING },
	{ "owners", "", NULL, SETTING },
	{ "heap_filter", "", NULL, SETTING },
	{ "heap_peak", "", NULL, SETTING },
	{ "heap_at", "bytes", NULL, SETTING },
	{ "heap_call_rcu", "", NULL, SETTING },

	{ "total.alloc_calls", "count", "heap", TOTAL },
	{ "total.alloc_bytes", "bytes", "heap", TOTAL },
	{ "total.free_calls", "count", "heap", TOTAL },
	{ "total.percpu_calls", "count", "heap", TOTAL },
	{ "total.percpu_bytes", "bytes", "heap", TOTAL },
	{ "total.percpu_frees", "count", "heap", TOTAL },
	{ "total.vmalloc_calls", "count", "heap", TOTAL },
	{ "total.vmalloc_bytes", "bytes", "heap", TOTAL },
	{ "total.vmalloc_frees", "count", "heap", TOTAL },
	{ "total.pages_allocated", "count", "heap", TOTAL },
	{ "total.pages_freed", "count", "heap", TOTAL },
	{ "filtered", "count", "heap", FILTERED },
	{ "filtered_bytes", "bytes", "heap", 0 },
	{ "mark.peak_bytes", "bytes", "heap", MARK },
	{ "mark.peak_time_ns", "", "heap", MARK },
	{ "mark.at_bytes", "bytes", "heap", MARK },
	{ "mark.at_time_ns", "", "heap", MARK },
	{ "mark.oom_bytes", "bytes", "heap", MARK },
	{ "mark.oom_time_ns", "", "heap", MARK },
	{ "sampled", "count", "heap", SAMPLED },
	{ "counted", "count", "heap", COUNTED },
	{ "ledger.nested", "count", "heap", LOST },
	{ "ledger.ring_full", "count", "heap", LOST },
	{ "ledger.live_full", "count", "heap", LOST },
	{ "ledger.bucket_full", "count", "heap", LOST },
	{ "ledger.alloc_failed", "count", "heap", LOST },
	{ "ledger.own", "count", "heap", LOST },
	{ "ledger.missed_probe", "count", "heap", LEDGER },
	{ "ledger.missed_free", "count", "heap", LEDGER },
	{ "ledger.stack_truncated", "count", "heap", LEDGER },
	{ "ledger.untracked", "count", "heap", LEDGER },
	{ "ledger.owner_full", "count", "heap", LEDGER },

	{ "total.waits", "count", "block", TOTAL },
	{ "total.wait_ns", "nanoseconds", "block", TOTAL },
	{ "waits_sampled", "count", "block", SAMPLED },
	{ "waits_counted", "count", "block", COUNTED },
	{ "ledger.wait_nested", "count", "block", LOST },
	{ "ledger.wait_ring_full", "count", "block", LOST },
	{ "ledger.wait_bucket_full", "count", "block", LOST },
	{ "ledger.wait_own", "count", "block", LOST },
	{ "ledger.wait_table_full", "count", "block", LOST },
	{ "ledger.wait_unpaired", "count", "block", LEDGER },
	{ "ledger.missed_wait", "count", "block", LEDGER },
	{ "ledger.wait_died", "count", "block", LOST },
	{ "ledger.wait_saturated", "count", "block", LEDGER },

	{ "total.releases", "count", "mutex", TOTAL },
	{ "total.blamed_ns", "nanoseconds", "mutex", TOTAL },
	{ "total.unblamed_ns", "nanoseconds", "mutex", TOTAL },
	{ "total.unblamed.spinning_ns", "nanoseconds", "mutex", TOTAL },
	{ "total.unblamed.spun_ns", "nanoseconds", "mutex", TOTAL },
	{ "total.unblamed.hand_over_ns", "nanoseconds", "mutex", TOTAL },
	{ "total.unblamed.unseen_ns", "nanoseconds", "mutex", TOTAL },
	{ "total.unblamed.failed_ns", "nanoseconds", "mutex", TOTAL },
	{ "total.unblamed.grace_period_ns", "nanoseconds", "mutex", TOTAL },
	{ "total.unblamed.not_followed_ns", "nanoseconds", "mutex", TOTAL },
	{ "delays_sampled", "count", "mutex", SAMPLED },
	{ "delays_counted", "count", "mutex", COUNTED },
	{ "ledger.delay_nested", "count", "mutex", LOST },
	{ "ledger.delay_ring_full", "count", "mutex", LOST },
	{ "ledger.delay_bucket_full", "count", "mutex", LOST },
	{ "ledger.delay_own", "count", "mutex", LOST },
	{ "ledger.delay_table_full", "count", "mutex", LEDGER },
	{ "ledger.missed_release", "count", "mutex", LEDGER },
	{ "ledger.delay_saturated", "count", "mutex", LEDGER },
};

static const char *scalar_wrong(const struct snapshot *snapshot, uint32_t i)
{
	const struct kmprof_image_header *header = snapshot->header;
	const struct kmprof_image_scalar *scalar = snapshot_entry(snapshot, &header->scalars, i);
	const char *what, *name;

	what = name_wrong(snapshot, "scalar", i, scalar->name);
	what = what ?: string_wrong(snapshot, "scalar", i, scalar->unit);
	what = what ?: string_wrong(snapshot, "scalar", i, scalar->text);
	if (what)
		return what;
	name = snapshot_string(snapshot, scalar->name);
	if (snapshot_find_scalar(snapshot, name) != scalar)
		return is_wrong("scalar %s: twice", name);
	if (strpbrk(snapshot_string(snapshot, scalar->text), " \t\n"))
		return is_wrong("scalar %s: its text is not a word", name);
	if (scalar->profile > header->profiles.count)
		return is_wrong("scalar %s: profile %u", name, scalar->profile);
	if (scalar->flags & ~ALL_FLAGS || scalar->__reserved)
		return is_wrong("scalar %s: flags %#x, reserved %u", name, scalar->flags,
				scalar->__reserved);
	if (!(scalar->flags & LEDGER) != !!strncmp(name, "ledger.", 7) ||
	    (scalar->flags & KMPROF_SCALAR_LOST && !(scalar->flags & LEDGER)))
		return is_wrong("scalar %s: flags %#x", name, scalar->flags);
	return NULL;
}

static const char *known_scalar_wrong(const struct snapshot *snapshot, unsigned int k)
{
	const char *name = known_scalars[k].name, *of = known_scalars[k].profile;
	const struct kmprof_image_scalar *scalar = snapshot_find_scalar(snapshot, name);
	const struct kmprof_image_profile *profile;

	if (!scalar)
		return is_wrong("no scalar %s", name);
	if (k && scalar < snapshot_find_scalar(snapshot, known_scalars[k - 1].name))
		return is_wrong("scalar %s before %s", name, known_scalars[k - 1].name);
	if (scalar->flags != known_scalars[k].flags)
		return is_wrong("scalar %s: flags %#x", name, scalar->flags);
	if (strcmp(snapshot_string(snapshot, scalar->unit), known_scalars[k].unit))
		return is_wrong("scalar %s: unit \"%s\"", name,
				snapshot_string(snapshot, scalar->unit));
	if (scalar->text && scalar->flags & ~SETTING)
		return is_wrong("scalar %s: \"%s\" instead of a number", name,
				snapshot_string(snapshot, scalar->text));
	if (!of != !scalar->profile)
		return is_wrong("scalar %s: of profile %u", name, scalar->profile);
	if (!of)
		return NULL;
	profile = snapshot_entry(snapshot, &snapshot->header->profiles, scalar->profile - 1);
	if (strcmp(of, snapshot_string(snapshot, profile->name)))
		return is_wrong("scalar %s: of profile %s", name,
				snapshot_string(snapshot, profile->name));
	return NULL;
}

static const char *source_wrong(const struct snapshot *snapshot, const char *name)
{
	const struct kmprof_image_scalar *scalar = snapshot_find_scalar(snapshot, name);
	const char *text = scalar->value == KMPROF_SOURCE_KPROBE ? "kprobe" :
			   scalar->value == KMPROF_SOURCE_TRACEPOINT ? "tracepoint" : "?";

	if (strcmp(text, snapshot_string(snapshot, scalar->text)))
		return is_wrong("%s %llu: \"%s\"", name, (unsigned long long)scalar->value,
				snapshot_string(snapshot, scalar->text));
	return NULL;
}

/* Rates are shown as numbers. */
static const char *rate_text_wrong(const struct snapshot *snapshot)
{
	static const char *const names[] = { "heap_rate", "block_rate", "mutex_fraction" };
	unsigned int i;

	for (i = 0; i < ARRAY_LENGTH(names); i++)
		if (snapshot_find_scalar(snapshot, names[i])->text)
			return is_wrong("scalar %s: a text instead of a number", names[i]);
	return NULL;
}

/* What the text has for the mask of a setting; the bit of a name is its index. */
static const char *mask_text_wrong(const struct snapshot *snapshot, const char *setting,
				   const char *const *names, unsigned int nr)
{
	const struct kmprof_image_scalar *scalar = snapshot_find_scalar(snapshot, setting);
	char text[32] = "";
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!(scalar->value & (1U << i)))
			continue;
		if (*text)
			strcat(text, ",");
		strcat(text, names[i]);
	}
	if (scalar->value >> nr ||
	    strcmp(*text ? text : "none", snapshot_string(snapshot, scalar->text)))
		return is_wrong("%s %#llx: \"%s\"", setting, (unsigned long long)scalar->value,
				snapshot_string(snapshot, scalar->text));
	return NULL;
}

static const char *mask_texts_wrong(const struct snapshot *snapshot)
{
	static const char *const labels[] = { "comm", "pid", "cgroup" };
	static const char *const heap_labels[] = { "comm", "pid", "cgroup", "node" };
	static const char *const kinds[] = { "slab", "percpu", "vmalloc", "page", "movable" };

	return mask_text_wrong(snapshot, "labels", labels, ARRAY_LENGTH(labels)) ?:
	       mask_text_wrong(snapshot, "heap_labels", heap_labels, ARRAY_LENGTH(heap_labels)) ?:
	       mask_text_wrong(snapshot, "heap", kinds, ARRAY_LENGTH(kinds));
}

/* The reasons for which no release is blamed are all that is unblamed. */
static const char *reasons_wrong(const struct snapshot *snapshot)
{
	uint64_t total = snapshot_scalar(snapshot, "total.unblamed_ns"), sum = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_LENGTH(known_scalars); i++)
		if (!strncmp(known_scalars[i].name, "total.unblamed.", 15))
			sum += snapshot_scalar(snapshot, known_scalars[i].name);
	if (sum != total)
		return is_wrong("unblamed %" PRIu64 " ns, the reasons are %" PRIu64, total, sum);
	return NULL;
}

static const char *scalars_wrong(const struct snapshot *snapshot)
{
	const char *what = NULL;
	uint32_t i;

	for (i = 0; !what && i < snapshot->header->scalars.count; i++)
		what = scalar_wrong(snapshot, i);
	for (i = 0; !what && i < ARRAY_LENGTH(known_scalars); i++)
		what = known_scalar_wrong(snapshot, i);
	what = what ?: source_wrong(snapshot, "source");
	what = what ?: source_wrong(snapshot, "wait_source");
	what = what ?: rate_text_wrong(snapshot);
	what = what ?: reasons_wrong(snapshot);
	return what ?: mask_texts_wrong(snapshot);
}

/* @is_nobodys: it must not have a stack. @may_lack: it need not have one. */
static const char *stack_wrong(const struct snapshot *snapshot, const char *profile, uint32_t i,
			       const struct kmprof_image_row *row, int is_nobodys, int may_lack)
{
	uint32_t count = snapshot->header->frames.count, nr = row->nr_frames;

	if ((!!nr != is_nobodys || (!nr && may_lack)) && row->first_frame <= count &&
	    nr <= count - row->first_frame)
		return NULL;
	return is_wrong("%s %u: frames %llu + %u of %u", profile, i,
			(unsigned long long)row->first_frame, nr, count);
}

/* @used: for each label, whether a row before has it. Each label is of one row. */
static const char *label_wrong(const struct snapshot *snapshot, const char *profile, uint32_t i,
			       const struct kmprof_image_row *row, char *used)
{
	const struct kmprof_image_label *label;

	if (!row->label)
		return NULL;
	if (row->label > snapshot->header->labels.count || used[row->label - 1]++)
		return is_wrong("%s %u: label %u", profile, i, row->label);
	label = snapshot_label(snapshot, row);
	if (!label->labels || label->labels & ~KMPROF_HEAP_LABELS)
		return is_wrong("label %u: mask %#x", row->label, label->labels);
	if (label->comm[KMPROF_COMM_LEN - 1])
		return is_wrong("label %u: a name without an end", row->label);
	if ((label->pid && !(label->labels & KMPROF_LABEL_PID)) ||
	    (label->cgroup && !(label->labels & KMPROF_LABEL_CGROUP)) ||
	    (label->node && !(label->labels & KMPROF_LABEL_NODE)) ||
	    (label->comm[0] && !(label->labels & KMPROF_LABEL_COMM)))
		return is_wrong("label %u: says more than its mask %#x", row->label,
				label->labels);
	return NULL;
}

/**
 * struct counts - what the rows of a profile add up to
 * @exact: events that are counted one by one
 * @estimated: about so many more
 */
struct counts {
	uint64_t exact;
	uint64_t estimated;
};

/* The class of an age in ages[]. */
static unsigned int age_class(uint64_t age_ns)
{
	unsigned int class = 0;

	for (age_ns >>= KMPROF_AGE_SHIFT; age_ns && class < KMPROF_AGES - 1; age_ns >>= 1)
		class++;
	return class;
}

/* No more objects have an age than are in use, and the oldest one is in the last class. */
static const char *ages_wrong(const struct kmprof_image_sample *sample, uint32_t i)
{
	unsigned int class, oldest = 0;
	uint64_t aged = 0;

	for (class = 0; class < KMPROF_AGES; class++) {
		aged += sample->ages[class];
		if (sample->ages[class])
			oldest = class;
	}
	if (aged > sample->allocs - sample->frees)
		return is_wrong("heap %u: %" PRIu64 " ages of %llu objects", i, aged,
				(unsigned long long)(sample->allocs - sample->frees));
	if (oldest != age_class(sample->oldest_ns))
		return is_wrong("heap %u: the oldest is of class %u, its age %llu ns", i, oldest,
				(unsigned long long)sample->oldest_ns);
	return NULL;
}

/* Only what is in a slab has a cache; there is nothing behind its name. */
static const char *cache_wrong(const struct kmprof_image_sample *sample, uint32_t i)
{
	size_t end = strnlen(sample->cache, sizeof(sample->cache)), k;

	if (end == sizeof(sample->cache))
		return is_wrong("heap %u: the name of the cache has no end", i);
	for (k = end; k < sizeof(sample->cache); k++)
		if (sample->cache[k])
			return is_wrong("heap %u: cache %s: something behind it", i, sample->cache);
	if (end && sample->kind != KMPROF_KIND_SLAB)
		return is_wrong("heap %u: kind %u of cache %s", i, sample->kind, sample->cache);
	return NULL;
}

/* Only pages can be movable, and slabs and pages reclaimable. */
static const char *class_wrong(const struct kmprof_image_sample *sample, uint32_t i)
{
	static const uint32_t classes[] = {
		[KMPROF_KIND_SLAB]	= 1 << KMPROF_GFP_UNMOVABLE | 1 << KMPROF_GFP_RECLAIMABLE,
		[KMPROF_KIND_PERCPU]	= 1 << KMPROF_GFP_UNMOVABLE,
		[KMPROF_KIND_VMALLOC]	= 1 << KMPROF_GFP_UNMOVABLE,
		[KMPROF_KIND_PAGE]	= 1 << KMPROF_GFP_UNMOVABLE | 1 << KMPROF_GFP_RECLAIMABLE |
					  1 << KMPROF_GFP_MOVABLE,
	};

	return sample->gfp_class <= KMPROF_GFP_RECLAIMABLE &&
	       classes[sample->kind] >> sample->gfp_class & 1 ?
	       NULL : is_wrong("heap %u: kind %u of class %u", i, sample->kind, sample->gfp_class);
}

static const char *sample_wrong(const struct snapshot *snapshot, uint32_t i,
				struct counts *counts)
{
	const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);

	if (sample->kind > KMPROF_KIND_PAGE ||
	    !sample->together || sample->together & (sample->together - 1) ||
	    (sample->kind != KMPROF_KIND_PAGE && sample->together != 1) ||
	    sample->allocs % sample->together)
		return is_wrong("heap %u: kind %u, %llu objects, %u together", i, sample->kind,
				(unsigned long long)sample->allocs, sample->together);
	/* Per-CPU memory has no kfree_rcu(). Its allocator goes by four bytes, vmalloc by pages. */
	if (sample->kind == KMPROF_KIND_PERCPU &&
	    (sample->rcu_pending || !sample->object_size || sample->object_size % 4))
		return is_wrong("heap %u: per-CPU memory of %llu bytes, %llu pending", i,
				(unsigned long long)sample->object_size,
				(unsigned long long)sample->rcu_pending);
	if (sample->kind == KMPROF_KIND_VMALLOC &&
	    (!sample->object_size || sample->object_size % 4096))
		return is_wrong("heap %u: vmalloc memory of %llu bytes", i,
				(unsigned long long)sample->object_size);
	if (sample->kind == KMPROF_KIND_PAGE &&
	    (sample->object_size != 4096 || sample->rcu_pending))
		return is_wrong("heap %u: pages of %llu bytes, %llu pending", i,
				(unsigned long long)sample->object_size,
				(unsigned long long)sample->rcu_pending);
	if (!sample->period || sample->period > KMPROF_HEAP_RATE_MAX)
		return is_wrong("heap %u: period %llu", i, (unsigned long long)sample->period);
	if (sample->frees > sample->allocs)
		return is_wrong("heap %u: %llu frees of %llu allocs", i,
				(unsigned long long)sample->frees,
				(unsigned long long)sample->allocs);
	if (sample->rcu_pending > sample->frees)
		return is_wrong("heap %u: %llu pending of %llu frees", i,
				(unsigned long long)sample->rcu_pending,
				(unsigned long long)sample->frees);
	counts->exact += sample->allocs;
	return ages_wrong(sample, i) ?: cache_wrong(sample, i) ?: class_wrong(sample, i);
}

static const char *lock_wrong(const struct snapshot *snapshot, const char *profile, uint32_t i,
			      uint32_t flags, uint64_t longest_period)
{
	const struct kmprof_image_contention *row = snapshot_contention(snapshot, profile, i);

	if (!row->period || row->period > longest_period)
		return is_wrong("%s %u: period %llu", profile, i, (unsigned long long)row->period);
	if (!row->kind || row->kind > KMPROF_LOCK_RWLOCK)
		return is_wrong("%s %u: kind %u", profile, i, row->kind);
	if (row->flags & ~flags)
		return is_wrong("%s %u: flags %#x", profile, i, row->flags);
	if (row->lock && !(snapshot->header->flags & KMPROF_IMAGE_ADDRESSES))
		return is_wrong("%s %u: an address that nobody may see", profile, i);
	if (!memchr(row->cache, '\0', sizeof(row->cache)))
		return is_wrong("%s %u: a cache's name without an end", profile, i);
	return NULL;
}

static const char *delay_wrong(const struct snapshot *snapshot, const char *profile, uint32_t i)
{
	const struct kmprof_image_contention *row = snapshot_contention(snapshot, profile, i);
	const uint64_t one = 1ULL << KMPROF_WAIT_COUNT_SHIFT;

	/* Each sampled wait counts at least once, and takes at least a period. */
	if (row->count && row->count < one)
		return is_wrong("%s %u: less than one wait", profile, i);
	if (row->period == 1 && row->count % one)
		return is_wrong("%s %u: part of a wait, with period 1", profile, i);
	if (row->count && row->delay_ns < row->period)
		return is_wrong("%s %u: %llu ns in all, period %llu", profile, i,
				(unsigned long long)row->delay_ns,
				(unsigned long long)row->period);
	if (row->longest_ns > row->delay_ns)
		return is_wrong("%s %u: one of %llu ns, %llu in all", profile, i,
				(unsigned long long)row->longest_ns,
				(unsigned long long)row->delay_ns);
	return NULL;
}

/* Waits are counted one by one where the period is 1, and are estimates at others. */
static const char *wait_wrong(const struct snapshot *snapshot, uint32_t i, struct counts *counts)
{
	const uint32_t flags = KMPROF_WAIT_READ | KMPROF_WAIT_WRITE | KMPROF_WAIT_SPUN |
			       KMPROF_WAIT_FAILED;
	const struct kmprof_image_contention *row = snapshot_contention(snapshot, "block", i);
	const char *what;

	what = lock_wrong(snapshot, "block", i, flags, KMPROF_BLOCK_RATE_MAX);
	what = what ?: delay_wrong(snapshot, "block", i);
	*(row->period == 1 ? &counts->exact : &counts->estimated) +=
		row->count >> KMPROF_WAIT_COUNT_SHIFT;
	return what;
}

/* Of releases it is known how many were sampled. */
static const char *release_wrong(const struct snapshot *snapshot, uint32_t i,
				 struct counts *counts)
{
	const uint32_t flags = KMPROF_WAIT_READ | KMPROF_WAIT_WRITE | KMPROF_WAIT_SPUN |
			       KMPROF_WAIT_FAILED | KMPROF_WAIT_UNBLAMED;
	const struct kmprof_image_contention *row = snapshot_contention(snapshot, "mutex", i);
	const uint64_t one = 1ULL << KMPROF_WAIT_COUNT_SHIFT;
	const char *what;

	what = lock_wrong(snapshot, "mutex", i, flags, KMPROF_MUTEX_FRACTION_MAX);
	what = what ?: delay_wrong(snapshot, "mutex", i);
	if (what)
		return what;
	/* A release neither spins nor fails. */
	if (!(row->flags & KMPROF_WAIT_UNBLAMED) &&
	    row->flags & (KMPROF_WAIT_SPUN | KMPROF_WAIT_FAILED))
		return is_wrong("mutex %u: a release with flags %#x", i, row->flags);
	/* Each sampled release counts for as many as one is sampled of. */
	if (row->count % (row->period * one))
		return is_wrong("mutex %u: part of a release", i);
	counts->exact += (row->count >> KMPROF_WAIT_COUNT_SHIFT) / row->period;
	return NULL;
}

static int is_nobodys(const struct snapshot *snapshot, const struct format *known, uint32_t i)
{
	return known && known->format == KMPROF_ROWS_MUTEX &&
	       !!(snapshot_contention(snapshot, "mutex", i)->flags & KMPROF_WAIT_UNBLAMED);
}

static const char *row_wrong(const struct snapshot *snapshot, const struct format *known,
			     uint32_t i, struct counts *counts)
{
	switch (known ? known->format : KMPROF_ROWS_OBJECTS) {
	case KMPROF_ROWS_HEAP:
		return sample_wrong(snapshot, i, counts);
	case KMPROF_ROWS_BLOCK:
		return wait_wrong(snapshot, i, counts);
	case KMPROF_ROWS_MUTEX:
		return release_wrong(snapshot, i, counts);
	default:
		return NULL;
	}
}

static const char *account_wrong(const struct snapshot *snapshot, const char *name)
{
	struct snapshot_account account = snapshot_account(snapshot, name);

	if (account.sampled != account.counted + account.lost)
		return is_wrong("%s: sampled %" PRIu64 ", counted %" PRIu64 " + lost %" PRIu64,
				name, account.sampled, account.counted, account.lost);
	return NULL;
}

/* What the sampler can have chosen, and what the rows of a known profile hold. */
static const char *counted_wrong(const struct snapshot *snapshot, const struct format *known,
				 const struct counts *counts)
{
	struct snapshot_account account = snapshot_account(snapshot, known->name);
	uint64_t total = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_LENGTH(known->totals) && known->totals[i]; i++)
		total += snapshot_scalar(snapshot, known->totals[i]);

	if (account.counted < counts->exact ||
	    account.counted > counts->exact + counts->estimated)
		return is_wrong("%s: rows hold %" PRIu64 ", and about %" PRIu64
				", counted is %" PRIu64, known->name, counts->exact,
				counts->estimated, account.counted);
	if (account.sampled > total)
		return is_wrong("%s: sampled %" PRIu64 " of %" PRIu64, known->name,
				account.sampled, total);
	return NULL;
}

static const char *rows_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_table *directory = &snapshot->header->profiles;
	const uint32_t labels = snapshot->header->labels.count;
	char *used = calloc(labels + 1, 1);
	const char *what = NULL;
	uint32_t i, k;

	if (!used)
		return is_wrong("no memory for %u labels", labels);

	for (i = 0; !what && i < directory->count; i++) {
		const struct kmprof_image_profile *profile = snapshot_entry(snapshot, directory, i);
		const char *name = snapshot_string(snapshot, profile->name);
		const struct format *known = format_of(snapshot, profile);
		struct counts counts = { 0 };

		for (k = 0; !what && k < profile->rows.count; k++) {
			const struct kmprof_image_row *row =
				snapshot_entry(snapshot, &profile->rows, k);

			what = stack_wrong(snapshot, name, k, row, is_nobodys(snapshot, known, k),
					   !known);
			what = what ?: label_wrong(snapshot, name, k, row, used);
			what = what ?: row_wrong(snapshot, known, k, &counts);
		}
		what = what ?: account_wrong(snapshot, name);
		if (!what && known)
			what = counted_wrong(snapshot, known, &counts);
	}
	for (i = 0; !what && i < labels; i++)
		if (!used[i])
			what = is_wrong("label %u is of no row", i + 1);
	free(used);
	return what;
}

/* A mark: the scalars that have its sum and its time, and where a row has its objects. */
struct mark {
	const char *bytes;
	const char *time;
	size_t offset;
};

static const struct mark marks[] = {
	{ "mark.peak_bytes", "mark.peak_time_ns", offsetof(struct kmprof_image_sample, peak) },
	{ "mark.at_bytes", "mark.at_time_ns", offsetof(struct kmprof_image_sample, at) },
	{ "mark.oom_bytes", "mark.oom_time_ns", offsetof(struct kmprof_image_sample, oom) },
};

/* All rows are of the moment of the mark: they come to what was in use then. */
static const char *mark_wrong(const struct snapshot *snapshot, const struct mark *mark)
{
	const struct kmprof_image_header *header = snapshot->header;
	double bytes = snapshot_scalar(snapshot, mark->bytes), sum = 0, rounded = 1;
	uint64_t time_ns = snapshot_scalar(snapshot, mark->time);
	uint32_t i;

	if (time_ns ? time_ns < header->start_ns || time_ns > header->time_ns : bytes > 0)
		return is_wrong("%s: %.0f bytes at %" PRIu64 ", from %llu to %llu", mark->bytes,
				bytes, time_ns, (unsigned long long)header->start_ns,
				(unsigned long long)header->time_ns);
	for (i = 0; i < snapshot_rows(snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		uint64_t objects = *(const uint64_t *)((const char *)sample + mark->offset);
		double size = sample->object_size;

		if (objects > sample->allocs || (objects && !time_ns))
			return is_wrong("heap %u: %s of %" PRIu64 " objects, %llu allocs", i,
					mark->bytes, objects, (unsigned long long)sample->allocs);
		if (!objects)
			continue;
		sum += sample->period > 1 ? objects * size / -expm1(-size / sample->period) :
					    objects * size;
		rounded += sample->period > 1;
	}
	if (fabs(sum - bytes) > rounded + sum / 1e9)
		return is_wrong("%s: %.0f, the rows come to %.0f", mark->bytes, bytes, sum);
	return NULL;
}

static const char *marks_wrong(const struct snapshot *snapshot)
{
	const char *what = NULL;
	unsigned int i;

	for (i = 0; !what && i < ARRAY_LENGTH(marks); i++)
		what = mark_wrong(snapshot, &marks[i]);
	return what;
}

/**
 * struct listed - what the table of objects has of a row
 * @objects: how many
 * @oldest_ns: the age of the oldest one
 */
struct listed {
	uint64_t objects;
	uint64_t oldest_ns;
};

/* As many as the object has; none of per-CPU memory. */
static const char *bytes_wrong(const struct snapshot *snapshot, uint32_t i,
			       const struct kmprof_image_object *object,
			       const struct kmprof_image_sample *sample)
{
	uint32_t nr = sample->object_size < sizeof(object->bytes) ? sample->object_size :
								     sizeof(object->bytes);

	if (snapshot->header->objects.entry_size < sizeof(*object))
		return NULL;
	if (object->nr_bytes && (object->nr_bytes != nr || sample->kind == KMPROF_KIND_PERCPU))
		return is_wrong("object %u: %u of %u bytes", i, object->nr_bytes, nr);
	for (nr = object->nr_bytes; nr < sizeof(object->bytes); nr++)
		if (object->bytes[nr])
			return is_wrong("object %u: more than %u bytes", i, object->nr_bytes);
	return object->__reserved ? is_wrong("object %u: reserved", i) : NULL;
}

/* Adds an object to its row in @listed, which are the rows of the heap profile. */
static const char *object_wrong(const struct snapshot *snapshot, uint32_t i,
				struct listed *listed)
{
	const struct kmprof_image_header *header = snapshot->header;
	const struct kmprof_image_object *object = snapshot_entry(snapshot, &header->objects, i);
	const struct kmprof_image_profile *heap = snapshot_profile(snapshot, "heap");
	const struct kmprof_image_sample *sample;
	const char *what;
	uint32_t all;

	if (object->profile >= header->profiles.count ||
	    snapshot_entry(snapshot, &header->profiles, object->profile) != heap ||
	    object->row >= heap->rows.count)
		return is_wrong("object %u: row %u of profile %u", i, object->row,
				object->profile);
	sample = snapshot_sample(snapshot, object->row);
	all = (1U << (sample->together < 8 ? sample->together : 8)) - 1;
	if (!object->parts || object->parts & ~all)
		return is_wrong("object %u: parts %#x of %u", i, object->parts, sample->together);
	if (!object->cycle || object->cycle > header->cycle)
		return is_wrong("object %u: of cycle %llu", i, (unsigned long long)object->cycle);
	if (!object->address != !(header->flags & KMPROF_IMAGE_ADDRESSES))
		return is_wrong("object %u: address %#llx", i,
				(unsigned long long)object->address);
	if (object->comm[KMPROF_COMM_LEN - 1])
		return is_wrong("object %u: a name without an end", i);
	what = bytes_wrong(snapshot, i, object, sample);
	if (what)
		return what;

	listed += object->row;
	listed->objects += __builtin_popcount(object->parts);
	if (listed->oldest_ns < object->age_ns)
		listed->oldest_ns = object->age_ns;
	return NULL;
}

/* The ages of a row are those of its objects in the table. */
static const char *row_objects_wrong(const struct snapshot *snapshot, uint32_t i,
				     const struct listed *listed)
{
	const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
	uint64_t aged = 0;
	unsigned int class;

	for (class = 0; class < KMPROF_AGES; class++)
		aged += sample->ages[class];
	if (listed->objects != aged || listed->oldest_ns != sample->oldest_ns)
		return is_wrong("heap %u: ages of %" PRIu64 " objects, the oldest %llu ns; "
				"the table has %" PRIu64 " and %" PRIu64, i, aged,
				(unsigned long long)sample->oldest_ns, listed->objects,
				listed->oldest_ns);
	return NULL;
}

static const char *objects_wrong(const struct snapshot *snapshot)
{
	const uint32_t rows = snapshot_rows(snapshot, "heap");
	struct listed *listed;
	const char *what = NULL;
	uint32_t i;

	if (!snapshot->objects)
		return snapshot->header->objects.count ?
		       is_wrong("objects that nobody has asked for") : NULL;
	listed = calloc(rows + 1, sizeof(*listed));
	if (!listed)
		return is_wrong("no memory for %u rows", rows);
	for (i = 0; !what && i < snapshot->header->objects.count; i++)
		what = object_wrong(snapshot, i, listed);
	for (i = 0; !what && i < rows; i++)
		what = row_objects_wrong(snapshot, i, &listed[i]);
	free(listed);
	return what;
}

static const char *twins_wrong(const struct snapshot *snapshot)
{
	uint32_t twin;
	int found = snapshot_twin(snapshot, &twin);

	if (found < 0)
		return is_wrong("no memory for the rows of heap");
	return found ? is_wrong("heap %u: another row has this key", twin) : NULL;
}

static const char *header_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_image_header *header = snapshot->header;

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
	if (header->flags & ~KMPROF_IMAGE_ADDRESSES)
		return is_wrong("flags %#x", header->flags);
	return NULL;
}

static const char *modules_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_table *table = &snapshot->header->modules;
	const struct kmprof_image_module *module;
	const char *what = NULL;
	uint64_t end = 0;
	uint32_t i;

	if (table->count && !(snapshot->header->flags & KMPROF_IMAGE_ADDRESSES))
		return is_wrong("%u modules in an image without addresses", table->count);
	for (i = 0; !what && i < table->count; i++) {
		module = snapshot_entry(snapshot, table, i);
		what = string_wrong(snapshot, "module", i, module->name);
		if (!what && (module->flags != KMPROF_MODULE_GONE || !module->size ||
			      module->build_id_size > sizeof(module->build_id)))
			what = is_wrong("module %u: flags %#x, %llu bytes, build id of %u", i,
					module->flags, (unsigned long long)module->size,
					module->build_id_size);
		if (!what && (module->start < end || module->start + module->size < module->start))
			what = is_wrong("module %u: not behind the one before", i);
		end = module->start + module->size;
	}
	return what;
}

static const char *symbols_wrong(const struct snapshot *snapshot)
{
	const struct kmprof_table *table = &snapshot->header->symbols;
	const struct kmprof_image_module *module;
	const struct kmprof_image_symbol *symbol;
	const char *what = NULL;
	uint64_t end = 0;
	uint32_t i;

	for (i = 0; !what && i < table->count; i++) {
		symbol = snapshot_entry(snapshot, table, i);
		what = name_wrong(snapshot, "symbol", i, symbol->name);
		if (what)
			break;
		if (symbol->module >= snapshot->header->modules.count)
			return is_wrong("symbol %u: of module %u", i, symbol->module);
		module = snapshot_entry(snapshot, &snapshot->header->modules, symbol->module);
		if (symbol->start < end || !symbol->size || symbol->start < module->start ||
		    symbol->start + symbol->size > module->start + module->size)
			what = is_wrong("symbol %s: not behind the last, or outside of its module",
					snapshot_string(snapshot, symbol->name));
		end = symbol->start + symbol->size;
	}
	return what;
}

/**
 * snapshot_wrong() - check an image against all that holds for every image
 * @snapshot: the image
 *
 * Return: NULL, or what is wrong with it (valid until the next call).
 */
const char *snapshot_wrong(const struct snapshot *snapshot)
{
	const char *what = header_wrong(snapshot);

	what = what ?: tables_wrong(snapshot);
	what = what ?: profiles_wrong(snapshot);
	what = what ?: overlap_wrong(snapshot);
	what = what ?: scalars_wrong(snapshot);
	what = what ?: modules_wrong(snapshot);
	what = what ?: symbols_wrong(snapshot);
	what = what ?: rows_wrong(snapshot);
	what = what ?: marks_wrong(snapshot);
	what = what ?: objects_wrong(snapshot);
	return what ?: twins_wrong(snapshot);
}
