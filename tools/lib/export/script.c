// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "export/script.h"
#include "export/text.h"
#include "symbols/frame_name.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_USEC	1000ULL

/*
 * Readers take the first number behind a blank for the pid, so there is none in a comm; and a
 * line that begins with # for a comment.
 */
static void put_comm(FILE *file, const char *comm)
{
	size_t i;

	for (i = 0; comm[i]; i++) {
		if (comm[i] == ' ' && (!i || isdigit((unsigned char)comm[i + 1])))
			fputc('_', file);
		else if (comm[i] == '#' && !i)
			fputc('_', file);
		else
			fputc(comm[i], file);
	}
}

static void put_head(FILE *file, const struct kmprof_series *series,
		     const struct kmprof_series_row *row)
{
	const struct kmprof_series_label *comm = kmprof_row_find_label(row, "comm");
	const struct kmprof_series_label *pid = kmprof_row_find_label(row, "pid");

	put_comm(file, comm && comm->text ? comm->text : "kmprof");
	fprintf(file, " %7llu %5llu.%06llu: %10lld kmprof:%s: ", pid ? pid->number : 0,
		series->time_ns / NSEC_PER_SEC, series->time_ns % NSEC_PER_SEC / NSEC_PER_USEC,
		row->value[series->shown], series->types[series->shown].name);
	fputc('\n', file);
}

/* In a line of its own, as perf script -F +srcline has it. */
static void put_line(FILE *file, const struct kmprof_code_line *line)
{
	if (line->file)
		fprintf(file, "  %s:%u\n", line->file, line->line);
}

/*
 * printf() would take most of the time: there are many frames, and little to be done for each
 * one. The digits of a number before @end, at least one; returns the first.
 */
static char *hex_before(char *end, __u64 number)
{
	do {
		*--end = "0123456789abcdef"[number & 15];
		number >>= 4;
	} while (number);
	return end;
}

/* "\t%16llx " */
static void put_address(FILE *file, __u64 address)
{
	char text[] = "\t                 ", *end = text + sizeof(text) - 1;

	hex_before(end - 1, address);
	fwrite_unlocked(text, 1, (size_t)(end - text), file);
}

/* "%s+0x%llx" */
static void put_place(FILE *file, const char *name, __u64 offset)
{
	char text[3 + 16], *end = text + sizeof(text), *begin = hex_before(end, offset) - 3;

	fputs_unlocked(name, file);
	memcpy(begin, "+0x", 3);
	fwrite_unlocked(begin, 1, (size_t)(end - begin), file);
}

static void put_frame(FILE *file, const struct kmprof_resolver *resolver, __u64 ret_addr)
{
	const char *mapping = KMPROF_UNKNOWN_MAPPING;
	struct kmprof_frame frame;
	size_t i;

	kmprof_resolver_find(resolver, ret_addr, &frame);
	for (i = 0; i < kmprof_frame_inlined(&frame); i++) {
		put_address(file, ret_addr);
		fprintf(file, "%s" KMPROF_INLINED "\n", frame.line[i].function);
		put_line(file, &frame.line[i]);
	}
	if (frame.mapping >= 0)
		mapping = resolver->mappings.mapping[frame.mapping].name;
	put_address(file, ret_addr);
	if (frame.named)
		put_place(file, frame.symbol.name, ret_addr - frame.symbol.start);
	else
		fputs(ret_addr ? "[unknown]" : KMPROF_HIDDEN_NAME, file);
	fwrite_unlocked(" (", 1, 2, file);
	fputs_unlocked(mapping, file);
	fwrite_unlocked(")\n", 1, 2, file);
	if (frame.nr_lines)
		put_line(file, &frame.line[i]);
}

static void put_row(FILE *file, const struct kmprof_series *series,
		    const struct kmprof_resolver *resolver, size_t row_index)
{
	struct kmprof_series_row row;
	const __u64 *frames;
	__u32 i, nr;

	kmprof_series_row(series, row_index, &row);
	if (!row.value[series->shown])
		return;
	put_head(file, series, &row);
	frames = kmprof_series_stack(series, row_index, &nr);
	for (i = 0; i < nr; i++)
		put_frame(file, resolver, frames[i]);
	if (!nr)
		fprintf(file, "\t%16x %s (%s)\n", 0, row.nowhere, KMPROF_UNKNOWN_MAPPING);
	fputc('\n', file);
}

int kmprof_script_write(FILE *file, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	const struct kmprof_value_type *type = &series->types[series->shown];
	size_t i;

	errno = 0;
	fprintf(file, "# periods: %s, in %s\n", type->name, type->unit);
	for (i = 0; i < series->summary.nr; i++)
		fprintf(file, "# %s\n", series->summary.line[i]);
	fputs("#\n", file);
	for (i = 0; i < series->nr_rows && !ferror(file); i++)
		put_row(file, series, resolver, i);
	return kmprof_text_finish(file, err);
}
