// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/search.h"
#include "util/memory_file.h"

#define KERNEL_NAME	"the kernel"

#define MISSING_HINT \
	"install the debug information of that kernel (Debian: linux-image-RELEASE-dbg), " \
	"name its files or their directory by --debuginfo, or set DEBUGINFOD_URLS"

/**
 * struct shift - how far the symbols of a section have been moved
 * @module: of which module
 * @section: the section
 * @distance: address in the image less address in the object
 */
struct shift {
	size_t module;
	__u32 section;
	__u64 distance;
};

/**
 * struct module - a module while its addresses are looked up
 * @wanted: 1 + index of its build; 0: it has no address, or its build is not known
 * @is_used: it has an address
 * @why: why it has no lines, or NULL
 * @path: what @why is about, or NULL
 */
struct module {
	size_t wanted;
	bool is_used;
	const char *why;
	const char *path;
};

/**
 * struct answer - an address that was looked up
 * @address: the address
 * @at: offset of its first line
 * @nr: how many lines
 */
struct answer {
	__u64 address;
	size_t at;
	size_t nr;
};

/**
 * struct kmprof_debuginfo - all that was found
 * @answer: by address
 * @nr: how many
 * @lines: struct kmprof_code_line
 * @strings: for their texts
 * @has: for each module, whether it was looked up
 */
struct kmprof_debuginfo {
	struct answer *answer;
	size_t nr;
	struct kmprof_growing lines;
	struct kmprof_intern strings;
	bool *has;
};

/**
 * struct lookup - what is needed until all is looked up
 * @debuginfo: the result
 * @modules: the modules
 * @nr_modules: how many
 * @calls: the addresses
 * @nr_calls: how many
 * @state: of each module
 * @wanted: different builds
 * @nr_wanted: how many
 * @shifts: struct shift
 * @ambiguous: addresses that can be in one of several functions of a name
 */
struct lookup {
	struct kmprof_debuginfo *debuginfo;
	const struct kmprof_debuginfo_module *modules;
	size_t nr_modules;
	const struct kmprof_debuginfo_call *calls;
	size_t nr_calls;
	struct module *state;
	struct kmprof_wanted *wanted;
	size_t nr_wanted;
	struct kmprof_growing shifts;
	size_t ambiguous;
};

/* --- files ---------------------------------------------------------------------------- */

/* A module that was loaded twice is there twice, with one build id. */
static size_t want(struct lookup *l, const struct kmprof_debuginfo_module *module,
		   bool is_sampled)
{
	size_t i;

	for (i = 0; i < l->nr_wanted; i++)
		if (!strcmp(l->wanted[i].build_id, module->build_id))
			break;
	if (i == l->nr_wanted)
		l->wanted[l->nr_wanted++] = (struct kmprof_wanted){
			.name = module->name, .build_id = module->build_id,
		};
	l->wanted[i].is_sampled |= is_sampled;
	return i + 1;
}

static void list_wanted(struct lookup *l)
{
	size_t i;

	for (i = 0; i < l->nr_calls; i++)
		l->state[l->calls[i].module].is_used = true;
	for (i = 0; i < l->nr_modules; i++) {
		bool is_used = l->state[i].is_used;
		size_t wanted = 0;

		if (*l->modules[i].build_id)
			wanted = want(l, &l->modules[i], is_used);
		if (is_used && wanted)
			l->state[i].wanted = wanted;
		else if (is_used)
			l->state[i].why = "its build id is not known";
	}
}

static struct kmprof_object *object_of(const struct lookup *l, size_t module)
{
	size_t wanted = l->state[module].wanted;

	return wanted && !l->state[module].why ? l->wanted[wanted - 1].object : NULL;
}

static void explain_missing(struct lookup *l)
{
	const struct kmprof_wanted *wanted;
	size_t i;

	for (i = 0; i < l->nr_modules; i++) {
		if (!l->state[i].wanted)
			continue;
		wanted = &l->wanted[l->state[i].wanted - 1];
		if (!wanted->object)
			l->state[i].why = wanted->why ? wanted->why :
							"no debug information was found";
	}
}

/* --- where sections are --------------------------------------------------------------- */

static const struct shift *find_shift(const struct lookup *l, size_t module, __u32 section)
{
	const struct shift *shift = (const void *)l->shifts.bytes;
	size_t i = l->shifts.used / sizeof(*shift);

	/* Those of the module that is looked at are the last ones. */
	while (i-- && shift[i].module == module)
		if (shift[i].section == section)
			return &shift[i];
	return NULL;
}

static int refuse(struct lookup *l, size_t module, const char *why)
{
	l->state[module].path = kmprof_object_path(object_of(l, module));
	l->state[module].why = why;
	return 0;
}

/* A function whose name is the only one tells where its section is. */
static int learn_shift(struct lookup *l, const struct kmprof_debuginfo_call *call)
{
	struct kmprof_object *object = object_of(l, call->module);
	const struct kmprof_object_symbol *symbol;
	struct shift shift;
	size_t nr;

	symbol = kmprof_object_symbols(object, call->function, &nr);
	if (!nr)
		return refuse(l, call->module, "it lacks a function that was sampled");
	if (nr > 1 || find_shift(l, call->module, symbol->section))
		return 0;
	shift = (struct shift){
		.module		= call->module,
		.section	= symbol->section,
		.distance	= call->start - symbol->address,
	};
	return kmprof_growing_add(&l->shifts, &shift, sizeof(shift));
}

/**
 * struct place - where a call is in its object
 * @start: its function
 * @address: the call
 */
struct place {
	__u64 start;
	__u64 address;
};

enum place_found { IS_THERE, IS_ELSEWHERE, IS_AMBIGUOUS };

/* Of functions that share a name, the one is meant that is where its section is. */
static enum place_found find_place(const struct lookup *l,
				   const struct kmprof_debuginfo_call *call, struct place *place)
{
	const struct kmprof_object *object = object_of(l, call->module);
	const struct kmprof_object_symbol *symbol;
	bool is_known = true;
	const struct shift *shift;
	size_t i, nr;

	symbol = kmprof_object_symbols(object, call->function, &nr);
	for (i = 0; i < nr; i++) {
		shift = find_shift(l, call->module, symbol[i].section);
		if (!shift) {
			is_known = false;
			continue;
		}
		place->start = symbol[i].address;
		place->address = call->address - shift->distance;
		if (symbol[i].address + shift->distance == call->start)
			return kmprof_object_is_in(object, place->start, place->address) ?
				IS_THERE : IS_ELSEWHERE;
	}
	return is_known ? IS_ELSEWHERE : IS_AMBIGUOUS;
}

/* Whether all calls of a module are in the functions where the image has them. */
static int check_module(struct lookup *l, size_t module)
{
	const struct kmprof_debuginfo_call *call = l->calls, *end = call + l->nr_calls;
	struct place place;
	int ret = 0;

	for (; !ret && call < end && object_of(l, module); call++)
		if (call->module == module)
			ret = learn_shift(l, call);
	for (call = l->calls; !ret && call < end && object_of(l, module); call++)
		if (call->module == module && find_place(l, call, &place) == IS_ELSEWHERE)
			refuse(l, module, "its functions are elsewhere");
	return ret;
}

/* --- lines ---------------------------------------------------------------------------- */

static int look_up(struct lookup *l, size_t i)
{
	const struct kmprof_debuginfo_call *call = &l->calls[i];
	struct kmprof_debuginfo *d = l->debuginfo;
	struct answer *answer = &d->answer[i];
	struct place place;
	int ret;

	if (find_place(l, call, &place) != IS_THERE) {
		l->ambiguous++;
		return 0;
	}
	answer->at = d->lines.used;
	ret = kmprof_object_lines(object_of(l, call->module), place.address, &d->lines,
				  &d->strings);
	answer->nr = (d->lines.used - answer->at) / sizeof(struct kmprof_code_line);
	return ret;
}

static int look_up_module(struct lookup *l, size_t module)
{
	size_t i;
	int ret;

	if (!object_of(l, module))
		return 0;
	ret = check_module(l, module);
	if (ret || !object_of(l, module))
		return ret;
	l->debuginfo->has[module] = true;
	for (i = 0; !ret && i < l->nr_calls; i++)
		if (l->calls[i].module == module)
			ret = look_up(l, i);
	return ret;
}

/* --- notes ---------------------------------------------------------------------------- */

static bool is_same_reason(const struct module *a, const struct module *b)
{
	return a->why && b->why && !strcmp(a->why, b->why) && a->path == b->path;
}

/* The modules from @first on that have no lines for the reason that it has. */
static int put_reason(const struct lookup *l, size_t first, struct kmprof_lines *notes)
{
	const struct module *of = &l->state[first];
	char *names = NULL;
	size_t i, size;
	FILE *file;
	int ret;

	file = open_memstream(&names, &size);
	if (!file)
		return -ENOMEM;
	for (i = first; i < l->nr_modules; i++)
		if (is_same_reason(of, &l->state[i]))
			fprintf(file, "%s%s", i > first ? ", " : "", l->modules[i].name ?
				l->modules[i].name : KERNEL_NAME);
	ret = kmprof_memory_file_close(file, &names);
	if (!ret)
		ret = kmprof_lines_add(notes, "no lines of %s: %s%s%s", names,
				       of->path ? of->path : "", of->path ? ": " : "", of->why);
	free(names);
	return ret;
}

static int put_notes(const struct lookup *l, struct kmprof_lines *notes)
{
	size_t i, before;
	int ret = 0;

	for (i = 0; !ret && i < l->nr_modules; i++) {
		for (before = 0; before < i; before++)
			if (is_same_reason(&l->state[before], &l->state[i]))
				break;
		if (before == i && l->state[i].why)
			ret = put_reason(l, i, notes);
	}
	if (!ret && l->ambiguous)
		ret = kmprof_lines_add(notes,
				       "no lines of %zu address%s: the name of the function does not tell which one it is",
				       l->ambiguous, l->ambiguous == 1 ? "" : "es");
	return ret;
}

/* -------------------------------------------------------------------------------------- */

static bool has_any(const struct lookup *l)
{
	size_t i;

	for (i = 0; i < l->nr_modules; i++)
		if (l->debuginfo->has[i])
			return true;
	return false;
}

static int allocate(struct lookup *l)
{
	struct kmprof_debuginfo *d = l->debuginfo;
	size_t i;

	l->state = calloc(l->nr_modules + 1, sizeof(*l->state));
	l->wanted = calloc(l->nr_modules + 1, sizeof(*l->wanted));
	d->has = calloc(l->nr_modules + 1, sizeof(*d->has));
	d->answer = calloc(l->nr_calls + 1, sizeof(*d->answer));
	if (!l->state || !l->wanted || !d->has || !d->answer)
		return -ENOMEM;
	d->nr = l->nr_calls;
	for (i = 0; i < l->nr_calls; i++)
		d->answer[i].address = l->calls[i].address;
	return 0;
}

static int run(struct lookup *l, struct kmprof_lines *notes)
{
	int ret = 0;
	size_t i;

	explain_missing(l);
	for (i = 0; !ret && i < l->nr_modules; i++)
		ret = look_up_module(l, i);
	return ret ? ret : put_notes(l, notes);
}

static void release(struct lookup *l)
{
	size_t i;

	for (i = 0; i < l->nr_wanted; i++) {
		kmprof_object_close(l->wanted[i].object);
		free(l->wanted[i].why);
	}
	free(l->wanted);
	free(l->state);
	free(l->shifts.bytes);
}

int kmprof_debuginfo_open(struct kmprof_debuginfo **debuginfo,
			  const struct kmprof_debuginfo_module *modules, size_t nr_modules,
			  const struct kmprof_debuginfo_call *calls, size_t nr_calls,
			  const struct kmprof_debuginfo_options *options,
			  struct kmprof_lines *notes, struct kmprof_error *err)
{
	struct lookup l = {
		.debuginfo = calloc(1, sizeof(*l.debuginfo)),
		.modules = modules,
		.nr_modules = nr_modules,
		.calls = calls,
		.nr_calls = nr_calls,
	};
	int ret = -ENOMEM;

	kmprof_error_set(err, 0, NULL, "looking up lines: out of memory");
	if (l.debuginfo)
		ret = allocate(&l);
	if (!ret) {
		list_wanted(&l);
		ret = kmprof_search(l.wanted, l.nr_wanted, options, err);
	}
	if (!ret) {
		kmprof_error_set(err, 0, NULL, "looking up lines: out of memory");
		ret = run(&l, notes);
	}
	if (!ret && nr_calls && !has_any(&l))
		ret = kmprof_error_set(err, -ENOENT, MISSING_HINT, "%s",
				       notes->nr ? notes->line[0] : "no lines");
	release(&l);
	if (ret)
		kmprof_debuginfo_close(l.debuginfo);
	else
		*debuginfo = l.debuginfo;
	return ret;
}

void kmprof_debuginfo_close(struct kmprof_debuginfo *debuginfo)
{
	if (!debuginfo)
		return;
	kmprof_intern_release(&debuginfo->strings);
	free(debuginfo->lines.bytes);
	free(debuginfo->answer);
	free(debuginfo->has);
	free(debuginfo);
}

const struct kmprof_code_line *kmprof_debuginfo_find(const struct kmprof_debuginfo *debuginfo,
						     __u64 address, size_t *nr)
{
	size_t low = 0, high = debuginfo->nr, middle;
	const struct answer *answer = debuginfo->answer;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (answer[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	*nr = 0;
	if (low == debuginfo->nr || answer[low].address != address)
		return NULL;
	*nr = answer[low].nr;
	return (const void *)(debuginfo->lines.bytes + answer[low].at);
}

bool kmprof_debuginfo_has(const struct kmprof_debuginfo *debuginfo, size_t module)
{
	return debuginfo->has[module];
}
