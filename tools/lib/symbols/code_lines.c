// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/code_lines.h"
#include "util/by_number.h"
#include "util/growing.h"

/**
 * struct gathering - what has to be looked up
 * @resolver: names
 * @addresses: __u64: return addresses, each once, in order
 * @calls: struct kmprof_debuginfo_call
 * @modules: a module for each mapping
 * @names: their names, without brackets
 */
struct gathering {
	const struct kmprof_resolver *resolver;
	struct kmprof_growing addresses;
	struct kmprof_growing calls;
	struct kmprof_debuginfo_module *modules;
	char **names;
};

static int gather_addresses(struct gathering *g)
{
	const struct kmprof_image *image = g->resolver->image;
	size_t i, to = 0, nr = image->header.frames.count;
	__u64 *address;
	int ret;

	if (!nr)
		return 0;
	ret = kmprof_growing_add(&g->addresses, image->frames, nr * sizeof(*address));
	if (ret)
		return ret;
	address = (void *)g->addresses.bytes;
	qsort(address, nr, sizeof(*address), kmprof_by_number);
	for (i = 0; i < nr; i++)
		if (address[i] && (!to || address[to - 1] != address[i]))
			address[to++] = address[i];
	g->addresses.used = to * sizeof(*address);
	return 0;
}

/* What has no name cannot be checked, and what is nowhere is of no build. */
static int gather_calls(struct gathering *g)
{
	const __u64 *address = (const void *)g->addresses.bytes;
	size_t i, nr = g->addresses.used / sizeof(*address);
	struct kmprof_debuginfo_call call;
	struct kmprof_frame frame;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		kmprof_resolver_find(g->resolver, address[i], &frame);
		if (!frame.named || frame.mapping < 0 || !*frame.symbol.name)
			continue;
		call = (struct kmprof_debuginfo_call){
			.address	= frame.address,
			.start		= frame.symbol.start,
			.function	= frame.symbol.name,
			.module		= (size_t)frame.mapping,
		};
		ret = kmprof_growing_add(&g->calls, &call, sizeof(call));
	}
	return ret;
}

static int gather_modules(struct gathering *g)
{
	const struct kmprof_mappings *mappings = &g->resolver->mappings;
	const char *name;
	size_t i;

	g->modules = calloc(mappings->nr + 1, sizeof(*g->modules));
	g->names = calloc(mappings->nr + 1, sizeof(*g->names));
	if (!g->modules || !g->names)
		return -ENOMEM;
	for (i = 0; i < mappings->nr; i++) {
		g->modules[i].build_id = mappings->mapping[i].build_id;
		name = mappings->mapping[i].name;
		if (!strcmp(name, KMPROF_KERNEL_MAPPING))
			continue;
		g->names[i] = strndup(name + 1, strlen(name) - 2);
		if (!g->names[i])
			return -ENOMEM;
		g->modules[i].name = g->names[i];
	}
	return 0;
}

static void release(struct gathering *g)
{
	size_t i;

	for (i = 0; g->names && i < g->resolver->mappings.nr; i++)
		free(g->names[i]);
	free(g->names);
	free(g->modules);
	free(g->addresses.bytes);
	free(g->calls.bytes);
}

int kmprof_code_lines_open(struct kmprof_resolver *resolver,
			   const struct kmprof_debuginfo_options *options,
			   struct kmprof_lines *notes, struct kmprof_error *err)
{
	struct gathering g = { .resolver = resolver };
	int ret;

	if (!options->is_wanted)
		return 0;
	ret = gather_addresses(&g);
	if (!ret)
		ret = gather_calls(&g);
	if (!ret)
		ret = gather_modules(&g);
	if (ret)
		kmprof_error_set(err, ret, NULL, "looking up lines: %s", strerror(-ret));
	else
		ret = kmprof_debuginfo_open(&resolver->debuginfo, g.modules,
					    resolver->mappings.nr, (const void *)g.calls.bytes,
					    g.calls.used / sizeof(struct kmprof_debuginfo_call),
					    options, notes, err);
	release(&g);
	return ret;
}
