// SPDX-License-Identifier: GPL-2.0
/*
 * The only place that distrusts an image. A file can be cut short, altered or
 * something else altogether; what passes here can be followed without a check.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "image/image.h"
#include "util/printable.h"

#define DAMAGED_HINT	"the file is damaged or was cut short: take the snapshot again"

/* What each scalar of the ledger begins with. */
#define LEDGER_PREFIX	"ledger."

/*
 * What can be shown again and again, or sets the width of a column, is short, so that what
 * is shown of an image is in proportion to its size. The module's names are shorter than
 * KMPROF_NAME_LEN, with a word or two before or behind.
 */
enum {
	WORD_MOST	= 2 * KMPROF_NAME_LEN - 1,
	TEXT_MOST	= 255,
	/* The kernel's KSYM_NAME_LEN, with its NUL. */
	SYMBOL_MOST	= 511,
};

/* The header of the first images of this version; what came later is behind it. */
#define LEAST_LABEL	offsetof(struct kmprof_image_label, node)
#define HEADER_LEAST	offsetof(struct kmprof_image_header, modules)

__printf(3, 4)
static int damaged(struct kmprof_error *err, const char *name, const char *fmt, ...)
{
	char what[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return kmprof_error_set(err, -EINVAL, DAMAGED_HINT, "%s: not a sound kmprof image: %s",
				name, what);
}

/* Entries may grow within a version, but never lose a field. */
static int check_table(const struct kmprof_image_header *header, const struct kmprof_table *table,
		       size_t min_entry, bool may_grow)
{
	__u64 bytes;

	if (table->entry_size < min_entry || (!may_grow && table->entry_size != min_entry))
		return -EINVAL;
	if (may_grow && table->entry_size % 8)
		return -EINVAL;
	/* Both factors have 32 bits. */
	bytes = (__u64)table->count * table->entry_size;
	if (table->offset % 8 || table->offset < header->header_size ||
	    table->offset > header->image_size)
		return -EINVAL;
	return bytes > header->image_size - table->offset ? -EINVAL : 0;
}

static int check_version(const struct kmprof_image_header *header, size_t size, const char *name,
			 struct kmprof_error *err)
{
	static const unsigned char gzip[2] = { 0x1f, 0x8b };

	if (size >= sizeof(gzip) && !memcmp(header, gzip, sizeof(gzip)))
		return kmprof_error_set(err, -EINVAL,
			"this is compressed, perhaps a profile: read it with 'go tool pprof'",
			"%s: not a kmprof image", name);
	if (size < sizeof(header->magic))
		return damaged(err, name, "too short for a header");
	if (header->magic == __builtin_bswap32(KMPROF_IMAGE_MAGIC))
		return kmprof_error_set(err, -EINVAL,
			"read it on a machine like the one that wrote it",
			"%s: the image has the other byte order", name);
	if (header->magic != KMPROF_IMAGE_MAGIC)
		return kmprof_error_set(err, -EINVAL,
			"write one with 'kmprof dump --format image -o FILE'",
			"%s: not a kmprof image", name);
	if (size < offsetof(struct kmprof_image_header, header_size))
		return damaged(err, name, "too short for a header");
	if (header->abi_version != KMPROF_ABI_VERSION)
		return kmprof_error_set(err, -EINVAL,
			"read it with the kmprof that belongs to the module that wrote it",
			"%s: image version %u, this program reads %u", name,
			header->abi_version, KMPROF_ABI_VERSION);
	return 0;
}

static int check_header(const struct kmprof_image_header *header, size_t size, const char *name,
			struct kmprof_error *err)
{
	int ret = check_version(header, size, name, err);

	if (ret)
		return ret;
	if (size < HEADER_LEAST)
		return damaged(err, name, "too short for a header");
	if (header->image_size > size)
		return damaged(err, name, "the end is missing");
	if (header->image_size < size)
		return damaged(err, name, "something follows its end");
	if (header->header_size < HEADER_LEAST || header->header_size % 8 ||
	    header->header_size > size)
		return damaged(err, name, "header size");
	return 0;
}

/* A table that came later is all 0 in the image of an older module. */
static int check_later_table(const struct kmprof_image_header *header,
			     const struct kmprof_table *table, size_t min_entry)
{
	if (!table->count && !table->entry_size)
		return 0;
	return check_table(header, table, min_entry, true);
}

static int check_tables(const struct kmprof_image_header *header, const char *name,
			struct kmprof_error *err)
{
	if (check_table(header, &header->profiles, sizeof(struct kmprof_image_profile), true))
		return damaged(err, name, "directory of profiles");
	if (check_table(header, &header->scalars, sizeof(struct kmprof_image_scalar), true))
		return damaged(err, name, "table of scalars");
	if (check_table(header, &header->labels, LEAST_LABEL, true))
		return damaged(err, name, "label table");
	if (check_table(header, &header->frames, sizeof(__u64), false))
		return damaged(err, name, "frame table");
	if (check_table(header, &header->strings, 1, false))
		return damaged(err, name, "string table");
	if (check_later_table(header, &header->modules, sizeof(struct kmprof_image_module)))
		return damaged(err, name, "table of modules");
	if (check_later_table(header, &header->symbols, sizeof(struct kmprof_image_symbol)))
		return damaged(err, name, "table of symbols");
	if (check_later_table(header, &header->objects,
			      offsetof(struct kmprof_image_object, nr_bytes)))
		return damaged(err, name, "table of objects");
	return 0;
}

/* With a NUL at the very end, every offset inside starts a string. */
static int check_strings(const struct kmprof_image *image, const char *name,
			 struct kmprof_error *err)
{
	__u32 size = image->header.strings.count;

	if (!size || image->strings[0])
		return damaged(err, name, "string table does not begin with the empty string");
	if (image->strings[size - 1])
		return damaged(err, name, "string table is not terminated");
	return 0;
}

/* Can the string be shown, and is it not longer than @most? */
static bool is_short(const struct kmprof_image *image, __u32 offset, size_t most)
{
	const char *text = kmprof_image_string(image, offset);

	return offset < image->header.strings.count && strnlen(text, most + 1) <= most &&
	       kmprof_is_printable(text);
}

static bool is_text(const struct kmprof_image *image, __u32 offset)
{
	return is_short(image, offset, TEXT_MOST);
}

/* A name, or a unit, is a word in every output. */
static bool is_word(const struct kmprof_image *image, __u32 offset)
{
	const char *text = kmprof_image_string(image, offset);

	return is_short(image, offset, WORD_MOST) && *text && !strchr(text, ' ');
}

/* Flags that are not known are left to a later version. */
static int check_scalar(const struct kmprof_image *image, const struct kmprof_image_scalar *scalar)
{
	const char *text;

	if (!is_word(image, scalar->name) || !is_short(image, scalar->unit, WORD_MOST) ||
	    !is_text(image, scalar->text))
		return -EINVAL;
	if (scalar->profile > image->header.profiles.count)
		return -EINVAL;
	text = kmprof_image_string(image, scalar->name);
	if (!(scalar->flags & KMPROF_SCALAR_LEDGER))
		return 0;
	return !strncmp(text, LEDGER_PREFIX, strlen(LEDGER_PREFIX)) &&
	       text[strlen(LEDGER_PREFIX)] ? 0 : -EINVAL;
}

/* Bits that are not known are left to a later version, as flags are. */
static int check_label(const struct kmprof_image_label *label)
{
	return memchr(label->comm, '\0', sizeof(label->comm)) ? 0 : -EINVAL;
}

/* Labels of an older module are shorter. */
static int check_node(const struct kmprof_image_label *label, size_t size)
{
	return label->labels & KMPROF_LABEL_NODE && size < sizeof(*label) ? -EINVAL : 0;
}

/* Names of modules and symbols are words, or empty where they are not known. */
static bool is_symbol_name(const struct kmprof_image *image, __u32 offset)
{
	return is_short(image, offset, SYMBOL_MOST) &&
	       !strchr(kmprof_image_string(image, offset), ' ');
}

static int check_names(const struct kmprof_image *image, const char *name,
		       struct kmprof_error *err)
{
	const struct kmprof_image_symbol *symbol;
	const struct kmprof_image_module *module;
	__u64 end = 0;
	__u32 i;

	for (i = 0; i < image->header.modules.count; i++) {
		module = kmprof_image_module(image, i);
		if (!is_symbol_name(image, module->name) ||
		    module->build_id_size > sizeof(module->build_id) ||
		    module->size > UINT64_MAX - module->start)
			return damaged(err, name, "a module");
	}
	/* They are searched by address. */
	for (i = 0; i < image->header.symbols.count; i++) {
		symbol = kmprof_image_symbol(image, i);
		if (!is_symbol_name(image, symbol->name) ||
		    symbol->module >= image->header.modules.count ||
		    symbol->start < end || symbol->size > UINT64_MAX - symbol->start)
			return damaged(err, name, "a symbol");
		end = symbol->start + symbol->size;
	}
	return 0;
}

/* A column is a __u64 behind the start that all rows have. */
static int check_column(const struct kmprof_image *image, const struct kmprof_table *rows,
			const struct kmprof_image_column *column)
{
	if (!is_word(image, column->name) || !is_word(image, column->unit) || column->shift > 63)
		return -EINVAL;
	if (column->offset % 8 || column->offset < sizeof(struct kmprof_image_row))
		return -EINVAL;
	return column->offset > rows->entry_size - sizeof(__u64) ? -EINVAL : 0;
}

static bool has_cache(const struct kmprof_table *rows)
{
	return kmprof_rows_have(rows, offsetof(struct kmprof_image_sample, cache),
				KMPROF_CACHE_NAME_LEN);
}

static int check_sample(const struct kmprof_table *rows, const struct kmprof_image_sample *sample)
{
	/* What was in use once: see image/marks.h. */
	static const size_t once[] = {
		offsetof(struct kmprof_image_sample, peak),
		offsetof(struct kmprof_image_sample, at),
		offsetof(struct kmprof_image_sample, oom),
	};
	unsigned int i;

	if (sample->frees > sample->allocs || sample->rcu_pending > sample->frees)
		return -EINVAL;
	if (has_cache(rows) && !memchr(sample->cache, '\0', sizeof(sample->cache)))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(once); i++)
		if (kmprof_rows_have(rows, once[i], sizeof(__u64)) &&
		    *(const __u64 *)((const char *)sample + once[i]) > sample->allocs)
			return -EINVAL;
	/* Nothing is sampled at rate 0, nor an object of size 0 but at rate 1. */
	if (!sample->period || (!sample->object_size && sample->period > 1))
		return -EINVAL;
	return 0;
}

/* Only the mutex profile has delays that are not attributable; they have no stack. */
static bool contradicts_blame(const struct kmprof_image_contention *contention, __u32 format)
{
	return kmprof_contention_is_unblamed(contention) &&
	       (format != KMPROF_ROWS_MUTEX || contention->row.nr_frames);
}

/*
 * Each sampled wait counts one or more, and adds the period or more. Each sampled release
 * counts the period, and adds that or more. Flags that are not known are left to a later
 * version: they say more about a delay, and change nothing of what is read here.
 */
static int check_contention(const struct kmprof_image_contention *contention, __u32 format)
{
	const __u32 both = KMPROF_WAIT_READ | KMPROF_WAIT_WRITE;
	__u64 least, whole;

	if (contention->kind < KMPROF_LOCK_MUTEX || contention->kind > KMPROF_LOCK_RWLOCK)
		return -EINVAL;
	if ((contention->flags & both) == both || contradicts_blame(contention, format))
		return -EINVAL;
	if (!memchr(contention->cache, '\0', sizeof(contention->cache)))
		return -EINVAL;
	/* Nothing is sampled at rate 0. */
	if (!contention->period || contention->longest_ns > contention->delay_ns)
		return -EINVAL;
	if (!contention->count)
		return contention->delay_ns ? -EINVAL : 0;
	if (contention->delay_ns < contention->period)
		return -EINVAL;
	/* None lasts less than 1 ns. */
	least = format == KMPROF_ROWS_MUTEX ? contention->period : 1;
	whole = contention->count >> KMPROF_WAIT_COUNT_SHIFT;
	return whole < least || whole > contention->delay_ns ? -EINVAL : 0;
}

/* Of a format that is not known, only the start of a row is. */
static size_t row_size(__u32 format)
{
	switch (format) {
	case KMPROF_ROWS_HEAP:
		/* Rows of older modules end there: see kmprof_memory_kind(). */
		return offsetof(struct kmprof_image_sample, kind);
	case KMPROF_ROWS_BLOCK:
	case KMPROF_ROWS_MUTEX:
		return sizeof(struct kmprof_image_contention);
	default:
		return sizeof(struct kmprof_image_row);
	}
}

static int check_row(const struct kmprof_image *image, const struct kmprof_table *rows,
		     const struct kmprof_image_row *row, __u32 format)
{
	__u64 all = image->header.frames.count;

	if (row->first_frame > all || row->nr_frames > all - row->first_frame)
		return -EINVAL;
	if (row->label > image->header.labels.count)
		return -EINVAL;
	switch (format) {
	case KMPROF_ROWS_HEAP:
		return check_sample(rows, (const void *)row);
	case KMPROF_ROWS_BLOCK:
	case KMPROF_ROWS_MUTEX:
		return check_contention((const void *)row, format);
	default:
		return 0;
	}
}

static __u64 bytes_of(const struct kmprof_table *table)
{
	return (__u64)table->count * table->entry_size;
}

/**
 * struct spent - what the profiles have taken so far of what the image holds
 * @bytes: of rows and columns
 * @frames: of stacks
 *
 * Tables and stacks do not overlap. Otherwise a small image could take any time and memory.
 */
struct spent {
	__u64 bytes;
	__u64 frames;
};

static int check_rows(const struct kmprof_image *image, const struct kmprof_image_profile *profile,
		      struct spent *spent, const char *name, struct kmprof_error *err)
{
	const char *called = kmprof_image_string(image, profile->name);
	const struct kmprof_image_row *row;
	__u32 i;

	for (i = 0; i < profile->rows.count; i++) {
		row = kmprof_image_entry(image, &profile->rows, i);
		if (check_row(image, &profile->rows, row, profile->format))
			return damaged(err, name, "a row of %s contradicts itself", called);
		spent->frames += row->nr_frames;
		if (spent->frames > image->header.frames.count)
			return damaged(err, name, "stacks of %s overlap", called);
	}
	return 0;
}

static int check_profile(const struct kmprof_image *image,
			 const struct kmprof_image_profile *profile, struct spent *spent,
			 const char *name, struct kmprof_error *err)
{
	const char *called;
	__u32 i;

	if (!is_word(image, profile->name))
		return damaged(err, name, "name of a profile");
	called = kmprof_image_string(image, profile->name);
	if (check_table(&image->header, &profile->rows, row_size(profile->format), true))
		return damaged(err, name, "rows of %s", called);
	if (check_table(&image->header, &profile->columns, sizeof(struct kmprof_image_column),
			true))
		return damaged(err, name, "columns of %s", called);
	spent->bytes += bytes_of(&profile->rows) + bytes_of(&profile->columns);
	if (spent->bytes > image->size)
		return damaged(err, name, "tables overlap");
	for (i = 0; i < profile->columns.count; i++)
		if (check_column(image, &profile->rows, kmprof_image_column(image, profile, i)))
			return damaged(err, name, "a column of %s", called);
	return check_rows(image, profile, spent, name, err);
}

/* Of a profile that there is, and a row of it. */
static int check_objects(const struct kmprof_image *image, const char *name,
			 struct kmprof_error *err)
{
	const struct kmprof_image_object *object;
	__u32 i;

	for (i = 0; i < image->header.objects.count; i++) {
		object = kmprof_image_object(image, i);
		if (object->profile >= image->header.profiles.count || !object->parts ||
		    !memchr(object->comm, '\0', sizeof(object->comm)) ||
		    (kmprof_image_has_bytes(image) && object->nr_bytes > sizeof(object->bytes)) ||
		    object->row >= kmprof_image_profile(image, object->profile + 1)->rows.count)
			return damaged(err, name, "an object");
	}
	return 0;
}

static int check_entries(const struct kmprof_image *image, const char *name,
			 struct kmprof_error *err)
{
	const struct kmprof_image_header *header = &image->header;
	struct spent spent = { 0 };
	const struct kmprof_image_label *label;
	__u32 i;
	int ret;

	ret = check_strings(image, name, err);
	if (ret)
		return ret;
	for (i = 0; i < header->scalars.count; i++)
		if (check_scalar(image, kmprof_image_scalar(image, i)))
			return damaged(err, name, "a scalar");
	for (i = 0; i < header->labels.count; i++) {
		label = kmprof_image_entry(image, &header->labels, i);
		if (check_label(label))
			return damaged(err, name, "a label's name is not terminated");
		if (check_node(label, header->labels.entry_size))
			return damaged(err, name, "a label is too short for a node");
	}
	ret = check_names(image, name, err);
	for (i = 1; i <= header->profiles.count && !ret; i++)
		ret = check_profile(image, kmprof_image_profile(image, i), &spent, name, err);
	return ret ? ret : check_objects(image, name, err);
}

/* As much of the header as both the image and this program have. */
static size_t header_bytes(const struct kmprof_image_header *header)
{
	return header->header_size < sizeof(*header) ? header->header_size : sizeof(*header);
}

int kmprof_image_init(struct kmprof_image *image, const void *base, size_t size,
		      const char *name, struct kmprof_error *err)
{
	int ret;

	ret = check_header(base, size, name, err);
	if (ret)
		return ret;
	memset(image, 0, sizeof(*image));
	memcpy(&image->header, base, header_bytes(base));
	ret = check_tables(&image->header, name, err);
	if (ret)
		return ret;

	image->base = base;
	image->size = size;
	image->frames = (const void *)(image->base + image->header.frames.offset);
	image->strings = image->base + image->header.strings.offset;
	return check_entries(image, name, err);
}

__u32 kmprof_image_find(const struct kmprof_image *image, const char *name)
{
	__u32 i;

	for (i = 1; i <= image->header.profiles.count; i++)
		if (!strcmp(kmprof_image_profile_name(image, i), name))
			return i;
	return 0;
}

struct kmprof_table kmprof_image_rows(const struct kmprof_image *image, const char *name,
				      __u32 format)
{
	const struct kmprof_table none = { 0 };
	__u32 number = kmprof_image_find(image, name);

	if (!number || kmprof_image_profile(image, number)->format != format)
		return none;
	return kmprof_image_profile(image, number)->rows;
}

const struct kmprof_image_scalar *kmprof_image_find_scalar(const struct kmprof_image *image,
							   const char *name)
{
	const struct kmprof_image_scalar *scalar;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (!strcmp(kmprof_scalar_name(image, scalar), name))
			return scalar;
	}
	return NULL;
}

__u64 kmprof_image_value(const struct kmprof_image *image, const char *name)
{
	const struct kmprof_image_scalar *scalar = kmprof_image_find_scalar(image, name);

	return scalar ? scalar->value : 0;
}

const char *kmprof_image_word(const struct kmprof_image *image, const char *name)
{
	const struct kmprof_image_scalar *scalar = kmprof_image_find_scalar(image, name);
	const char *text = scalar ? kmprof_scalar_text(image, scalar) : "";

	return *text ? text : "unknown";
}

bool kmprof_image_is_complete(const struct kmprof_image *image)
{
	__u32 i;

	for (i = 0; i < image->header.modules.count; i++)
		if (kmprof_image_module(image, i)->flags & KMPROF_MODULE_KERNEL)
			return true;
	return false;
}

const struct kmprof_image_symbol *
kmprof_image_find_symbol(const struct kmprof_image *image, __u64 address)
{
	__u32 low = 0, high = image->header.symbols.count, mid;
	const struct kmprof_image_symbol *symbol;

	while (low < high) {
		mid = low + (high - low) / 2;
		symbol = kmprof_image_symbol(image, mid);
		if (address - symbol->start < symbol->size)
			return symbol;
		if (address < symbol->start)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

/*
 * Any module can name a cache as it likes: that is no fault of the image. Return: the name, or
 * NULL when there is none to show.
 */
static const char *shown_cache(const char *name)
{
	return *name && kmprof_is_printable(name) ? name : NULL;
}

const char *kmprof_sample_cache(const struct kmprof_table *rows,
				const struct kmprof_image_sample *sample)
{
	return has_cache(rows) ? shown_cache(sample->cache) : NULL;
}

const char *kmprof_contention_cache(const struct kmprof_image_contention *contention)
{
	return shown_cache(contention->cache);
}
