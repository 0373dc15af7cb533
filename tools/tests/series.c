// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a profile that no code of the program knows, through the exporters, as one would
 * come from a later module that describes its tables: three values, labels, notes.
 *
 *	series FORMAT KALLSYMS [note]	the formats of kmprof dump, but image
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/exporter.h"

static const struct kmprof_value_type types[] = {
	{ "buffers", "count" },
	{ "held", "bytes" },
	{ "age", "nanoseconds" },
};

static const __u64 frames[] = { 0xffffffffc0000010, 0xffffffffc0000090, 0xffffffff81001210 };

static const struct row {
	__s64 value[ARRAY_SIZE(types)];
	const __u64 *frames;
	__u32 nr_frames;
	const char *driver;
	__u64 queue;
} rows[] = {
	{ { 2, 3000, 50 }, frames, 3, "e1000", 0 },
	{ { 1, 500, 7 }, frames, 3, "e1000", 0 },
	{ { 1, 500, 8 }, frames, 3, "e1000", 1 },
	{ { 4, 9000, 60 }, frames + 1, 2, NULL, 0 },
	{ { 1, 500, 9 }, frames, 0, "e1000", 0 },
};

static const __u64 *stack(const struct kmprof_series *series, size_t i, __u32 *nr)
{
	(void)series;
	*nr = rows[i].nr_frames;
	return rows[i].frames;
}

static void numbers(const struct kmprof_series *series, size_t i, struct kmprof_series_row *row)
{
	(void)series;
	memcpy(row->value, rows[i].value, sizeof(rows[i].value));
	row->weight = rows[i].value[1];
	row->order = i;
	row->nowhere = "[on the wire]";
}

static void labels(const struct kmprof_series *series, size_t i, struct kmprof_series_row *row)
{
	(void)series;
	if (!rows[i].driver)
		return;
	kmprof_row_add_text(row, "driver", rows[i].driver);
	kmprof_row_add_number(row, "queue", rows[i].queue, "queue");
}

static void note(const struct kmprof_series *series, size_t i, FILE *file)
{
	(void)series;
	fprintf(file, "the note of row %zu", i);
}

int main(int argc, char **argv)
{
	struct kmprof_series_ops ops = { .stack = stack, .numbers = numbers, .labels = labels };
	struct kmprof_series series = {
		.name		= "buffers",
		.types		= types,
		.nr_types	= ARRAY_SIZE(types),
		.shown		= 1,
		.period_type	= { "packets", "count" },
		.period		= 16,
		.time_ns	= 1700000060000000000ULL,
		.duration_ns	= 60000000000ULL,
		.nr_rows	= ARRAY_SIZE(rows),
		.ops		= &ops,
	};
	struct kmprof_resolver resolver = { 0 };
	const struct kmprof_exporter *exporter;
	struct kmprof_error err = { 0 };
	int ret;

	if (argc < 3)
		return 2;
	exporter = kmprof_exporter_find(argv[1]);
	if (!exporter || !exporter->write)
		return 2;
	if (argc > 3)
		ops.note = note;
	if (kmprof_symbols_load(&resolver.symbols, argv[2], &err) ||
	    kmprof_lines_add(&series.facts, "profile buffers") ||
	    kmprof_lines_add(&series.facts, "ledger.ring_full %d", 3) ||
	    kmprof_lines_add(&series.summary, "not in it: ledger.ring_full 3"))
		return 1;
	ret = exporter->write(stdout, &series, &resolver, &err);
	if (ret)
		fprintf(stderr, "series: %s\n", err.text);
	kmprof_series_release(&series);
	kmprof_resolver_close(&resolver);
	return ret || fflush(stdout);
}
