// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/script.h"
#include "export/text.h"
#include "symbols/frame_name.h"
#include "util/slot.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_USEC	1000ULL

/* Stacks have most of their frames in common. */
#define LINE_BITS	14

/* Most bytes of the names in a line that is kept, without "\t%16llx %s+0x%llx (%s)\n". */
enum { LINE_NAMES = 74 };

/**
 * struct line - the text of a frame that takes one line
 * @ret_addr: its address; 0: there is none
 * @begin: where the line begins in @text; at the end of it: it cannot be kept
 * @text: ends with the line
 */
struct line {
	__u64 ret_addr;
	__u32 begin;
	char text[LINE_NAMES + 42];
};

/**
 * struct writer - where frames go
 * @file: the file
 * @resolver: their names
 * @lines: 1 << LINE_BITS slots
 */
struct writer {
	FILE *file;
	const struct kmprof_resolver *resolver;
	struct line *lines;
};

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

/* "+0x%llx" before @end; returns where it begins. */
static char *offset_before(char *end, __u64 offset)
{
	return memcpy(hex_before(end, offset) - 3, "+0x", 3);
}

/* "%s+0x%llx" */
static void put_place(FILE *file, const char *name, __u64 offset)
{
	char text[3 + 16], *end = text + sizeof(text), *begin = offset_before(end, offset);

	fputs_unlocked(name, file);
	fwrite_unlocked(begin, 1, (size_t)(end - begin), file);
}

static const char *mapping_of(const struct writer *w, const struct kmprof_frame *frame)
{
	return frame->mapping < 0 ? KMPROF_UNKNOWN_MAPPING :
				    w->resolver->mappings.mapping[frame->mapping].name;
}

static void put_found(const struct writer *w, __u64 ret_addr, const struct kmprof_frame *frame)
{
	FILE *file = w->file;
	size_t i;

	for (i = 0; i < kmprof_frame_inlined(frame); i++) {
		put_address(file, ret_addr);
		fprintf(file, "%s" KMPROF_INLINED "\n", frame->line[i].function);
		put_line(file, &frame->line[i]);
	}
	put_address(file, ret_addr);
	if (frame->named)
		put_place(file, frame->symbol.name, ret_addr - frame->symbol.start);
	else
		fputs(ret_addr ? "[unknown]" : KMPROF_HIDDEN_NAME, file);
	fwrite_unlocked(" (", 1, 2, file);
	fputs_unlocked(mapping_of(w, frame), file);
	fwrite_unlocked(")\n", 1, 2, file);
	if (frame->nr_lines)
		put_line(file, &frame->line[i]);
}

/*
 * Keeps the text of a frame: what put_found() would write, if that is one line with a name.
 * Written from its end to its begin, as numbers are.
 */
static void keep(struct line *line, const struct writer *w, __u64 ret_addr,
		 const struct kmprof_frame *frame)
{
	const char *name = frame->symbol.name, *mapping = mapping_of(w, frame);
	char *end = line->text + sizeof(line->text), *begin = end;
	size_t named = frame->named ? strlen(name) : 0, mapped = strlen(mapping);

	line->ret_addr = ret_addr;
	line->begin = sizeof(line->text);
	if (!frame->named || frame->nr_lines || named + mapped > LINE_NAMES)
		return;
	begin = memcpy(begin - 2, ")\n", 2);
	begin = memcpy(begin - mapped, mapping, mapped);
	begin = memcpy(begin - 2, " (", 2);
	begin = offset_before(begin, ret_addr - frame->symbol.start);
	begin = memcpy(begin - named, name, named);
	*--begin = ' ';
	memset(begin - 16, ' ', 16);
	hex_before(begin, ret_addr);
	begin -= 16;
	*--begin = '\t';
	line->begin = (__u32)(begin - line->text);
}

static bool is_kept(const struct line *line, __u64 ret_addr)
{
	return ret_addr && line->ret_addr == ret_addr && line->begin < sizeof(line->text);
}

static void put_frame(const struct writer *w, __u64 ret_addr)
{
	struct line *line = &w->lines[kmprof_slot(ret_addr, LINE_BITS)];
	struct kmprof_frame frame;

	if (!is_kept(line, ret_addr)) {
		kmprof_resolver_find(w->resolver, ret_addr, &frame);
		keep(line, w, ret_addr, &frame);
	}
	if (!is_kept(line, ret_addr))
		put_found(w, ret_addr, &frame);
	else
		fwrite_unlocked(line->text + line->begin, 1, sizeof(line->text) - line->begin,
				w->file);
}

static void put_row(const struct writer *w, const struct kmprof_series *series, size_t row_index)
{
	struct kmprof_series_row row;
	FILE *file = w->file;
	const __u64 *frames;
	__u32 i, nr;

	kmprof_series_row(series, row_index, &row);
	if (!row.value[series->shown])
		return;
	put_head(file, series, &row);
	frames = kmprof_series_stack(series, row_index, &nr);
	for (i = 0; i < nr; i++)
		put_frame(w, frames[i]);
	if (!nr)
		fprintf(file, "\t%16x %s (%s)\n", 0, row.nowhere, KMPROF_UNKNOWN_MAPPING);
	fputc('\n', file);
}

int kmprof_script_write(FILE *file, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	const struct kmprof_value_type *type = &series->types[series->shown];
	struct writer w = {
		.file = file, .resolver = resolver,
		.lines = calloc(1 << LINE_BITS, sizeof(*w.lines)),
	};
	size_t i;

	if (!w.lines)
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory for lines");
	errno = 0;
	fprintf(file, "# periods: %s, in %s\n", type->name, type->unit);
	for (i = 0; i < series->summary.nr; i++)
		fprintf(file, "# %s\n", series->summary.line[i]);
	fputs("#\n", file);
	for (i = 0; i < series->nr_rows && !ferror(file); i++)
		put_row(&w, series, i);
	free(w.lines);
	return kmprof_text_finish(file, err);
}
