// SPDX-License-Identifier: GPL-2.0
/*
 * The units of vmlinux have thousands of types each. So the functions of a unit are listed once,
 * and what is inlined is looked for in the one function that has the address.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/units.h"
#include "util/printable.h"

enum {
	/* A damaged file could nest without end. */
	DEEPEST = 256,
};

/**
 * struct range - addresses of a unit, or of a function
 * @start: first one
 * @end: behind the last one
 * @highest: the largest @end up to here
 * @die: what they are of
 */
struct range {
	__u64 start;
	__u64 end;
	__u64 highest;
	Dwarf_Die die;
};

/* --- ranges --------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* Of two with the same code, the first in the file. */
	return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

static int add_ranges(struct kmprof_growing *ranges, Dwarf_Die *die)
{
	struct range range = { .die = *die };
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	int ret = 0;

	while (!ret && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		range.start = start;
		range.end = end;
		/* What the linker has discarded is at 0. */
		if (start && start < end)
			ret = kmprof_growing_add(ranges, &range, sizeof(range));
	}
	return ret;
}

static void sort_ranges(struct kmprof_growing *ranges)
{
	struct range *range = (void *)ranges->bytes;
	size_t i, nr = ranges->used / sizeof(*range);
	__u64 highest = 0;

	if (nr)
		qsort(range, nr, sizeof(*range), by_start);
	for (i = 0; i < nr; i++) {
		if (highest < range[i].end)
			highest = range[i].end;
		range[i].highest = highest;
	}
}

/* The range that an address is in, and that begins last; or NULL. */
static const struct range *find_range(const struct kmprof_growing *ranges, __u64 address)
{
	const struct range *range = (const void *)ranges->bytes;
	size_t low = 0, high = ranges->used / sizeof(*range), middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- && range[low].highest > address)
		if (range[low].end > address)
			return &range[low];
	return NULL;
}

/* --- units and functions -------------------------------------------------------------- */

int kmprof_units_init(struct kmprof_units *units, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	int ret, more;

	while (!(more = dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL))) {
		if (type != DW_UT_compile)
			continue;
		ret = add_ranges(&units->ranges, &die);
		if (ret)
			return ret;
	}
	sort_ranges(&units->ranges);
	return more < 0 ? -EINVAL : 0;
}

void kmprof_units_release(struct kmprof_units *units)
{
	free(units->ranges.bytes);
	free(units->functions.bytes);
	memset(units, 0, sizeof(*units));
}

/* In C, functions are nowhere but at the top. */
static bool has_functions(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_structure_type:
	case DW_TAG_enumeration_type:
		return true;
	default:
		return false;
	}
}

/*
 * A walk goes through a file from the front to the back. In a damaged file, a sibling can be an
 * entry that was seen before; then the walk would take exponential time.
 */
static bool goes_on(const Dwarf_Die *die, const void **seen)
{
	if ((const char *)die->addr <= (const char *)*seen)
		return false;
	*seen = die->addr;
	return true;
}

static int list_functions(struct kmprof_growing *functions, Dwarf_Die *of, bool is_c,
			  const void **seen, unsigned int depth)
{
	Dwarf_Die die;
	int ret = 0;

	if (depth == DEEPEST || dwarf_child(of, &die))
		return 0;
	do {
		if (!goes_on(&die, seen))
			break;
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			ret = add_ranges(functions, &die);
		else if (!is_c && has_functions(&die))
			ret = list_functions(functions, &die, is_c, seen, depth + 1);
	} while (!ret && !dwarf_siblingof(&die, &die));
	return ret;
}

static bool is_c(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* Lists the functions of a unit, unless it is the one that was looked at last. */
static int enter_unit(struct kmprof_units *units, Dwarf_Die *unit)
{
	const void *seen = unit->addr;
	int ret;

	if (units->unit == unit->addr)
		return 0;
	units->unit = NULL;
	units->functions.used = 0;
	ret = list_functions(&units->functions, unit, is_c(unit), &seen, 0);
	if (ret)
		return ret;
	sort_ranges(&units->functions);
	units->unit = unit->addr;
	return 0;
}

/* --- lines ---------------------------------------------------------------------------- */

/**
 * struct position - what a line is made of until it is known which function it is in
 * @dir: where the unit was compiled; NULL: @file is absolute, or that is not known
 * @file: the file, or NULL
 * @line: in there
 */
struct position {
	const char *dir;
	const char *file;
	unsigned int line;
};

/* A text in two parts. In a damaged file, it can be anything. */
static int add_text(struct kmprof_intern *strings, const char *first, const char *text,
		    const char **to)
{
	__s64 number;
	char *copy;

	if (asprintf(&copy, "%s%s%s", first ? first : "", first ? "/" : "", text) < 0)
		return -ENOMEM;
	kmprof_make_printable(copy);
	number = kmprof_intern_add(strings, copy);
	free(copy);
	if (number < 0)
		return (int)number;
	*to = strings->string[number];
	return 0;
}

static int add_line(struct kmprof_growing *lines, struct kmprof_intern *strings,
		    const char *function, const struct position *at)
{
	struct kmprof_code_line line = { .line = at->line };
	int ret = 0;

	if (function)
		ret = add_text(strings, NULL, function, &line.function);
	if (!ret && at->file)
		ret = add_text(strings, at->dir, at->file, &line.file);
	return ret ? ret : kmprof_growing_add(lines, &line, sizeof(line));
}

/*
 * The directory that a file of the unit is below. Of a kernel that was built reproducibly it can be
 * relative itself, to nowhere, while files are relative to the top of the sources.
 */
static const char *dir_of(Dwarf_Die *unit, const char *file)
{
	Dwarf_Attribute attribute;
	const char *dir;

	if (!file || *file == '/')
		return NULL;
	dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	return dir && *dir == '/' ? dir : NULL;
}

static struct position position_of(Dwarf_Die *unit, __u64 address)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	struct position at = { 0 };
	int number;

	if (!line)
		return at;
	at.file = dwarf_linesrc(line, NULL, NULL);
	at.dir = dir_of(unit, at.file);
	if (at.file && !dwarf_lineno(line, &number) && number > 0)
		at.line = (unsigned int)number;
	return at;
}

/* Where the function that is inlined is called. */
static struct position call_of(Dwarf_Die *unit, Dwarf_Die *inlined)
{
	struct position at = { 0 };
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word number;
	size_t nr;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) ||
	    dwarf_getsrcfiles(unit, &files, &nr) || number >= nr)
		return at;
	at.file = dwarf_filesrc(files, number, NULL, NULL);
	at.dir = dir_of(unit, at.file);
	if (at.file &&
	    !dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number))
		at.line = (unsigned int)number;
	return at;
}

/* The function inlined in @of, or in a block of it, that has the address. Return: is there one? */
static bool find_inlined(Dwarf_Die *of, __u64 address, Dwarf_Die *inlined, const void **seen,
			 unsigned int depth)
{
	Dwarf_Die die;
	int tag;

	if (depth == DEEPEST || dwarf_child(of, &die))
		return false;
	do {
		if (!goes_on(&die, seen))
			return false;
		tag = dwarf_tag(&die);
		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block)
			continue;
		if (dwarf_haspc(&die, address) <= 0)
			continue;
		if (tag == DW_TAG_inlined_subroutine) {
			*inlined = die;
			return true;
		}
		if (find_inlined(&die, address, inlined, seen, depth + 1))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

int kmprof_units_lines(struct kmprof_units *units, __u64 address, struct kmprof_growing *lines,
		       struct kmprof_intern *strings)
{
	Dwarf_Die unit, inlined[DEEPEST];
	const struct range *range;
	const void *seen;
	struct position at;
	const char *name;
	size_t nr = 0;
	int ret;

	range = find_range(&units->ranges, address);
	if (!range)
		return 0;
	unit = range->die;
	ret = enter_unit(units, &unit);
	if (ret)
		return ret;
	at = position_of(&unit, address);
	range = find_range(&units->functions, address);
	if (range) {
		inlined[0] = range->die;
		seen = range->die.addr;
		while (nr + 1 < DEEPEST &&
		       find_inlined(&inlined[nr], address, &inlined[nr + 1], &seen, 0))
			nr++;
	}
	for (; !ret && nr; nr--) {
		name = dwarf_diename(&inlined[nr]);
		ret = add_line(lines, strings, name ? name : "[no name]", &at);
		at = call_of(&unit, &inlined[nr]);
	}
	if (!ret && (at.file || range))
		ret = add_line(lines, strings, NULL, &at);
	return ret;
}
