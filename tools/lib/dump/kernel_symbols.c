// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel has its symbols in a short form, see scripts/kallsyms.c of Linux. In the order of
 * their addresses, each has
 *
 *	a length of one byte, or of two: then the first one has its upper bit set, and is the lower
 *	half
 *	so many bytes, each of which stands for a piece of text
 *
 * The pieces together are a letter for the type, and the name. The address is 32 bits in another
 * table, from a base on. In kernels with per-CPU symbols among them, these are not from the base,
 * and the others are negative.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dump/symbols.h"

enum {
	PIECES		= 256,
	PIECES_BYTES	= 1 << 14,	/* more than all pieces have */
	NAME_ROOM	= 1024,
	CHUNK		= 1 << 16,
	SYMBOLS_MAX	= 1 << 21,
};

/**
 * struct table - the tables
 * @nr: number of symbols
 * @base: what offsets are from
 * @offsets: of the symbols; to be freed
 * @has_absolute: some offsets are addresses
 * @piece: the pieces
 * @starts: where in @piece each begins
 */
struct table {
	__u32 nr;
	__u64 base;
	__s32 *offsets;
	bool has_absolute;
	char piece[PIECES_BYTES + 1];
	__u16 starts[PIECES];
};

/* Bytes of the dump, one after the other. */
struct stream {
	const struct kmprof_dump *dump;
	__u64 next;
	unsigned char bytes[CHUNK];
	size_t at;
	size_t used;
};

/* What is noted as @name, and what is there. */
static int read_noted(const struct kmprof_dump *dump, const char *name, void *to, size_t size,
		      struct kmprof_error *err)
{
	__u64 address;
	int ret = kmprof_dump_noted(dump, name, &address, err);

	return ret ? ret : kmprof_dump_read(dump, address, to, size, err);
}

static int read_offsets(const struct kmprof_dump *dump, struct table *table,
			struct kmprof_error *err)
{
	__u32 i;
	int ret;

	if (table->nr > SYMBOLS_MAX)
		return kmprof_error_set(err, -ENODATA, NULL, "%s: too many symbols", dump->name);
	table->offsets = calloc((size_t)table->nr + 1, sizeof(*table->offsets));
	if (!table->offsets)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", dump->name);
	ret = read_noted(dump, "kallsyms_offsets", table->offsets,
			 table->nr * sizeof(*table->offsets), err);
	for (i = 0; !ret && i < table->nr; i++)
		if (table->offsets[i] < 0)
			table->has_absolute = true;
	return ret;
}

/* The table of pieces ends in the middle of a page, behind which there is more of the kernel. */
static int read_table(const struct kmprof_dump *dump, struct table *table,
		      struct kmprof_error *err)
{
	int ret = read_noted(dump, "kallsyms_num_syms", &table->nr, sizeof(table->nr), err);

	if (!ret)
		ret = read_noted(dump, "kallsyms_relative_base", &table->base,
				 sizeof(table->base), err);
	if (!ret)
		ret = read_noted(dump, "kallsyms_token_index", table->starts,
				 sizeof(table->starts), err);
	if (!ret)
		ret = read_noted(dump, "kallsyms_token_table", table->piece, PIECES_BYTES, err);
	return ret ? ret : read_offsets(dump, table, err);
}

static int next_byte(struct stream *stream, unsigned char *byte, struct kmprof_error *err)
{
	int ret;

	if (stream->at == stream->used) {
		/* In parts that are aligned. */
		stream->used = CHUNK - stream->next % CHUNK;
		ret = kmprof_dump_read(stream->dump, stream->next, stream->bytes, stream->used,
				       err);
		if (ret)
			return ret;
		stream->next += stream->used;
		stream->at = 0;
	}
	*byte = stream->bytes[stream->at++];
	return 0;
}

static int next_length(struct stream *stream, unsigned int *length, struct kmprof_error *err)
{
	unsigned char low, high;
	int ret = next_byte(stream, &low, err);

	*length = low;
	if (ret || low < 0x80)
		return ret;
	ret = next_byte(stream, &high, err);
	*length = (low & 0x7f) | high << 7;
	return ret;
}

/* The type, then the name. */
static int next_symbol(struct stream *stream, const struct table *table, char text[NAME_ROOM],
		       struct kmprof_error *err)
{
	unsigned int length, i;
	unsigned char number;
	size_t used = 0, n;
	int ret = next_length(stream, &length, err);

	for (i = 0; !ret && i < length; i++, used += n) {
		ret = next_byte(stream, &number, err);
		if (ret)
			return ret;
		n = table->starts[number] < PIECES_BYTES ?
		    strlen(table->piece + table->starts[number]) : NAME_ROOM;
		if (n >= NAME_ROOM - used)
			return kmprof_error_set(err, -ENODATA, NULL,
						"%s: the kernel's symbols are damaged",
						stream->dump->name);
		memcpy(text + used, table->piece + table->starts[number], n);
	}
	text[used] = 0;
	return ret;
}

static __u64 address_of(const struct table *table, __u32 i)
{
	__s32 offset = table->offsets[i];

	if (!table->has_absolute)
		return table->base + (__u32)offset;
	return offset >= 0 ? (__u64)offset : table->base - 1 - (__s64)offset;
}

static void look(struct kmprof_dump_wanted *wanted, const char *name, __u64 address)
{
	for (; wanted->name; wanted++)
		if (!strcmp(wanted->name, name))
			wanted->address = address;
}

static int write_symbols(const struct table *table, struct stream *stream, FILE *to,
			 struct kmprof_dump_wanted *wanted, struct kmprof_error *err)
{
	char text[NAME_ROOM];
	__u64 address;
	__u32 i;
	int ret;

	for (i = 0; i < table->nr; i++) {
		ret = next_symbol(stream, table, text, err);
		if (ret)
			return ret;
		if (!text[0] || !text[1])
			continue;
		address = address_of(table, i);
		fprintf(to, "%016llx %c %s\n", address, text[0], text + 1);
		look(wanted, text + 1, address);
	}
	return 0;
}

int kmprof_dump_kernel_symbols(const struct kmprof_dump *dump, FILE *to,
			       struct kmprof_dump_wanted *wanted, struct kmprof_error *err)
{
	struct table *table = calloc(1, sizeof(*table));
	struct stream *stream = calloc(1, sizeof(*stream));
	int ret = -ENOMEM;

	if (table && stream) {
		stream->dump = dump;
		ret = read_table(dump, table, err);
		if (!ret)
			ret = kmprof_dump_noted(dump, "kallsyms_names", &stream->next, err);
		if (!ret)
			ret = write_symbols(table, stream, to, wanted, err);
		free(table->offsets);
	} else {
		kmprof_error_set(err, ret, NULL, "%s: out of memory", dump->name);
	}
	free(table);
	free(stream);
	return ret;
}
