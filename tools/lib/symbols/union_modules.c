// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/union_modules.h"

static int add_string(struct kmprof_union_modules *m, const char *text, __u32 *at)
{
	return kmprof_growing_add_string(&m->strings, text, strlen(text), at);
}

static int add_module(struct kmprof_union_modules *m, const char *name, const char *build)
{
	struct kmprof_union_module module = { 0 };
	int ret;

	if (kmprof_union_nr_modules(m) >= 1U << KMPROF_UNION_MODULE_BITS)
		return -E2BIG;
	ret = add_string(m, name, &module.name);
	if (!ret)
		ret = add_string(m, build, &module.build);
	return ret ? ret : kmprof_growing_add(&m->modules, &module, sizeof(module));
}

/* The first module of a name stands for those whose build is not known. */
static int find_name(struct kmprof_union_modules *m, const char *name, __u32 module, __u32 *first)
{
	bool is_new;
	__s64 key = kmprof_intern_number(&m->names, name, &is_new);

	if (key < 0)
		return (int)key;
	if (is_new && kmprof_growing_add(&m->first, &module, sizeof(module)))
		return -ENOMEM;
	*first = ((__u32 *)m->first.bytes)[key];
	return 0;
}

int kmprof_union_modules_find(struct kmprof_union_modules *m, const char *name, const char *build,
			      __u32 *module)
{
	char *text;
	bool is_new;
	__s64 key;

	if (asprintf(&text, "%s %s", name, build) < 0)
		return -ENOMEM;
	key = kmprof_intern_number(&m->builds, text, &is_new);
	free(text);
	if (key < 0)
		return (int)key;
	*module = (__u32)key;
	return is_new ? add_module(m, name, build) : 0;
}

static int unite_module(struct kmprof_union_modules *m, const struct kmprof_mapping *mapping,
			unsigned int side, bool by_name, __u32 *module)
{
	const char *build = by_name ? "" : mapping->build_id;
	__u32 first;
	int ret;

	/* The number that the next one would have. */
	*module = (__u32)kmprof_union_nr_modules(m);
	if (!*build) {
		ret = find_name(m, mapping->name, *module, module);
		if (!ret && *module == kmprof_union_nr_modules(m))
			ret = kmprof_union_modules_find(m, mapping->name, build, module);
		if (!ret)
			kmprof_union_module(m, *module)->is_blind[side] = true;
		return ret;
	}
	ret = kmprof_union_modules_find(m, mapping->name, build, module);
	return ret ? ret : find_name(m, mapping->name, *module, &first);
}

static int unite(struct kmprof_union_modules *m,
		 const struct kmprof_mappings *const mappings[KMPROF_UNION_SIDES],
		 __u32 *const module_of[KMPROF_UNION_SIDES], bool by_name, bool is_known)
{
	const struct kmprof_mapping *mapping;
	unsigned int side;
	int ret = 0;
	size_t i;

	for (side = 0; side < KMPROF_UNION_SIDES; side++) {
		for (i = 0; i < mappings[side]->nr && !ret; i++) {
			mapping = &mappings[side]->mapping[i];
			if (is_known == (mapping->build_id[0] != '\0'))
				ret = unite_module(m, mapping, side, by_name, &module_of[side][i]);
		}
	}
	return ret;
}

int kmprof_union_modules_init(struct kmprof_union_modules *m,
			      const struct kmprof_mappings *const mappings[KMPROF_UNION_SIDES],
			      __u32 *const module_of[KMPROF_UNION_SIDES], bool by_name)
{
	int ret;

	/* Those whose build is known come first, so that the others find them. */
	ret = unite(m, mappings, module_of, by_name, true);
	return ret ? ret : unite(m, mappings, module_of, by_name, false);
}

void kmprof_union_modules_release(struct kmprof_union_modules *m)
{
	kmprof_intern_release(&m->builds);
	kmprof_intern_release(&m->names);
	free(m->modules.bytes);
	free(m->strings.bytes);
	free(m->first.bytes);
	memset(m, 0, sizeof(*m));
}

/* --- what to tell about modules -------------------------------------------------- */

enum { NAMES_MOST = 8 };

/* In the order of their names: the used modules of a name follow one another. */
static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Is it used by both images, one of which does not know its build? */
static bool is_assumed(const struct kmprof_union_module *module)
{
	return module->is_used[KMPROF_UNION_A] && module->is_used[KMPROF_UNION_B] &&
	       (module->is_blind[KMPROF_UNION_A] || module->is_blind[KMPROF_UNION_B]);
}

static bool is_used(const struct kmprof_union_module *module)
{
	return module->is_used[KMPROF_UNION_A] || module->is_used[KMPROF_UNION_B];
}

/* Names that are there twice, each once. */
static size_t keep_twins(const char **name, size_t nr)
{
	size_t i, to = 0;

	for (i = 1; i < nr; i++)
		if (!strcmp(name[i], name[i - 1]) && (!to || strcmp(name[i], name[to - 1])))
			name[to++] = name[i];
	return to;
}

static int put_names(struct kmprof_lines *notes, const char *before, const char **name, size_t nr,
		     const char *behind)
{
	char text[NAMES_MOST * 64] = "";
	size_t i, used = 0;

	if (!nr)
		return 0;
	for (i = 0; i < nr && i < NAMES_MOST && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "",
					 strcmp(name[i], KMPROF_KERNEL_MAPPING) ? name[i] :
										  "kernel");
	if (i < nr)
		return kmprof_lines_add(notes, "%s%s and %zu more: %s", before, text, nr - i,
					behind);
	return kmprof_lines_add(notes, "%s%s: %s", before, text, behind);
}

/* The names of all modules that @is_it holds for, sorted. */
static size_t names_of(const struct kmprof_union_modules *m, const char **name,
		       bool (*is_it)(const struct kmprof_union_module *module))
{
	size_t i, nr = 0;

	for (i = 0; i < kmprof_union_nr_modules(m); i++)
		if (is_it(kmprof_union_module(m, i)))
			name[nr++] = kmprof_union_string(m, kmprof_union_module(m, i)->name);
	if (nr)
		qsort(name, nr, sizeof(*name), by_name);
	return nr;
}

int kmprof_union_modules_notes(const struct kmprof_union_modules *m, struct kmprof_lines *notes)
{
	const char **name;
	size_t nr;
	int ret;

	name = calloc(kmprof_union_nr_modules(m) + 1, sizeof(*name));
	if (!name)
		return -ENOMEM;
	nr = keep_twins(name, names_of(m, name, is_used));
	ret = put_names(notes, "of more than one build: ", name, nr,
			"functions of each count as different ones; --by function compares names");
	nr = names_of(m, name, is_assumed);
	if (!ret)
		ret = put_names(notes, "no build id: ", name, nr, "taken for the same build");
	free(name);
	return ret;
}
