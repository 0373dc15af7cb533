// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out where the kernel's and each module's text lies and which build it
 * is, so that a profile can be symbolised again elsewhere.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/mappings.h"

static int add(struct kmprof_mappings *m, const char *name, __u64 start, __u64 end)
{
	struct kmprof_mapping *more;

	more = realloc(m->mapping, (m->nr + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	m->mapping = more;
	memset(&more[m->nr], 0, sizeof(*more));
	more[m->nr].name = strdup(name);
	if (!more[m->nr].name)
		return -ENOMEM;
	more[m->nr].start = start;
	more[m->nr].end = end;
	m->nr++;
	return 0;
}

/* Is "[NAME]" the mapping of module NAME? */
static bool is_module(const struct kmprof_mapping *mapping, const char *name)
{
	size_t len = strlen(name);

	return mapping->name[0] == '[' && !strncmp(mapping->name + 1, name, len) &&
	       !strcmp(mapping->name + 1 + len, "]");
}

static long find_module(const struct kmprof_mappings *m, const char *name)
{
	size_t i;

	for (i = 1; i < m->nr; i++)
		if (is_module(&m->mapping[i], name))
			return (long)i;
	return -1;
}

/* Adds a module, or widens the range of one already known. */
static int add_module(const char *name, __u64 start, __u64 end, void *arg)
{
	struct kmprof_mappings *m = arg;
	long i = find_module(m, name);
	char *bracketed;
	int ret;

	if (i >= 0) {
		if (m->mapping[i].start > start)
			m->mapping[i].start = start;
		if (m->mapping[i].end < end)
			m->mapping[i].end = end;
		return 0;
	}
	if (asprintf(&bracketed, "[%s]", name) < 0)
		return -ENOMEM;
	ret = add(m, bracketed, start, end);
	free(bracketed);
	return ret;
}

/* "NAME SIZE USERS USED-BY STATE ADDRESS [TAINTS]"; address 0 when hidden. */
static int read_modules(struct kmprof_mappings *m, const char *path)
{
	unsigned long long size, start;
	char *line = NULL, name[64];
	size_t room = 0;
	FILE *file;
	int ret = 0;

	file = fopen(path, "re");
	/* A kernel without modules does not have it. */
	if (!file)
		return errno == ENOMEM ? -ENOMEM : 0;
	while (!ret && getline(&line, &room, file) >= 0) {
		if (sscanf(line, "%63s %llu %*s %*s %*s %llx", name, &size, &start) != 3)
			continue;
		if (!start || !size || start + size < start)
			continue;
		ret = add_module(name, start, start + size, m);
	}
	if (!ret && !feof(file))
		ret = ferror(file) ? -EIO : -ENOMEM;
	free(line);
	fclose(file);
	return ret;
}

static int read_module_ids(struct kmprof_mappings *m, const char *dir)
{
	char *path;
	size_t i;

	for (i = 1; i < m->nr; i++) {
		const char *name = m->mapping[i].name;
		int len = (int)strlen(name) - 2;

		/* Names like [bpf] have no such file, and so no id. */
		if (asprintf(&path, "%s/%.*s/notes/.note.gnu.build-id", dir, len, name + 1) < 0)
			return -ENOMEM;
		kmprof_buildid_read(path, m->mapping[i].build_id);
		free(path);
	}
	return 0;
}

static int add_image_module(struct kmprof_mappings *m, const struct kmprof_image *image, __u32 i)
{
	const struct kmprof_image_module *module = kmprof_image_module(image, i);
	const char *name = kmprof_image_string(image, module->name);
	char *bracketed;
	__u32 k;
	int ret;

	if (module->flags & KMPROF_MODULE_KERNEL)
		bracketed = strdup(KMPROF_KERNEL_MAPPING);
	else if (asprintf(&bracketed, *name ? "[%s]" : KMPROF_UNKNOWN_MAPPING, name) < 0)
		bracketed = NULL;
	if (!bracketed)
		return -ENOMEM;
	m->of_module[i] = (long)m->nr;
	ret = add(m, bracketed, module->start, module->start + module->size);
	free(bracketed);
	for (k = 0; !ret && k < module->build_id_size; k++)
		sprintf(m->mapping[m->nr - 1].build_id + 2 * k, "%02x", module->build_id[k]);
	return ret;
}

/* Those of an image have a mapping each: what is gone can have the name of what is there. */
static int add_image(struct kmprof_mappings *m, const struct kmprof_image *image)
{
	__u32 i, nr = image->header.modules.count;
	int ret = 0;

	m->of_module = calloc(nr + 1, sizeof(*m->of_module));
	if (!m->of_module)
		return -ENOMEM;
	for (i = 0; !ret && i < nr; i++)
		if (kmprof_image_module(image, i)->flags & KMPROF_MODULE_KERNEL)
			ret = add_image_module(m, image, i);
	for (i = 0; !ret && i < nr; i++)
		if (!(kmprof_image_module(image, i)->flags & KMPROF_MODULE_KERNEL))
			ret = add_image_module(m, image, i);
	return ret;
}

static int add_running(struct kmprof_mappings *m, const struct kmprof_symbols *symbols,
		       const struct kmprof_mapping_files *files)
{
	__u64 start = 0, end = 0;
	int ret;

	if (symbols)
		kmprof_symbols_kernel_text(symbols, &start, &end);
	ret = add(m, KMPROF_KERNEL_MAPPING, start, end);
	if (!ret && files->modules)
		ret = read_modules(m, files->modules);
	if (!ret && symbols)
		ret = kmprof_symbols_modules(symbols, add_module, m);
	if (!ret && files->kernel_notes)
		kmprof_buildid_read(files->kernel_notes, m->mapping[0].build_id);
	if (!ret && files->module_dir)
		ret = read_module_ids(m, files->module_dir);
	return ret;
}

int kmprof_mappings_load(struct kmprof_mappings *mappings, const struct kmprof_image *image,
			 const struct kmprof_symbols *symbols,
			 const struct kmprof_mapping_files *files, struct kmprof_error *err)
{
	int ret = 0;

	memset(mappings, 0, sizeof(*mappings));
	if (!kmprof_image_is_complete(image))
		ret = add_running(mappings, symbols, files);
	if (!ret)
		ret = add_image(mappings, image);
	if (ret) {
		kmprof_mappings_release(mappings);
		return kmprof_error_set(err, ret, NULL, "listing modules: %s", strerror(-ret));
	}
	return 0;
}

void kmprof_mappings_release(struct kmprof_mappings *mappings)
{
	size_t i;

	for (i = 0; i < mappings->nr; i++)
		free(mappings->mapping[i].name);
	free(mappings->mapping);
	free(mappings->of_module);
	memset(mappings, 0, sizeof(*mappings));
}

void kmprof_mapping_module(const struct kmprof_mapping *mapping,
			   struct kmprof_image_module *module)
{
	const char *hex = mapping->build_id;
	unsigned int byte;

	memset(module, 0, sizeof(*module));
	module->start = mapping->start;
	module->size = mapping->end - mapping->start;
	module->loaded_at = mapping->start;
	while (module->build_id_size < sizeof(module->build_id) && sscanf(hex, "%2x", &byte) == 1) {
		module->build_id[module->build_id_size++] = (__u8)byte;
		hex += 2;
	}
}

long kmprof_mappings_find(const struct kmprof_mappings *mappings, __u64 address,
			  const struct kmprof_symbol *symbol)
{
	size_t i;

	if (symbol)
		return symbol->module ? find_module(mappings, symbol->module) : 0;
	for (i = 0; i < mappings->nr; i++)
		if (address >= mappings->mapping[i].start && address < mappings->mapping[i].end)
			return (long)i;
	return -1;
}
