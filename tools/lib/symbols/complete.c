// SPDX-License-Identifier: GPL-2.0
/*
 * The new image is the old one, with new tables of strings, modules, symbols and scalars behind
 * it. Those begin with what the old ones have, so what refers to them stays right.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/boot_id.h"
#include "symbols/complete.h"
#include "util/by_number.h"
#include "util/growing.h"

/**
 * struct completion - the tables of the new image
 * @image: the old one
 * @resolver: names
 * @locks: __u64: locks that are not in the image, but are to be named; or NULL
 * @module_of: for each mapping, 1 + the index of its module, or 0
 * @strings: the strings
 * @modules: struct kmprof_image_module
 * @symbols: struct kmprof_image_symbol
 * @scalars: struct kmprof_image_scalar
 * @addresses: __u64: frames or locks that are to be named
 */
struct completion {
	const struct kmprof_image *image;
	const struct kmprof_resolver *resolver;
	const struct kmprof_growing *locks;
	__u32 *module_of;
	struct kmprof_growing strings;
	struct kmprof_growing modules;
	struct kmprof_growing symbols;
	struct kmprof_growing scalars;
	struct kmprof_growing addresses;
};

/* Entries of a later version are longer: what is known of them is kept. */
static int append_table(struct kmprof_growing *g, const struct kmprof_image *image,
			const struct kmprof_table *table, size_t entry_size)
{
	int ret = 0;
	__u32 i;

	for (i = 0; !ret && i < table->count; i++)
		ret = kmprof_growing_add(g, kmprof_image_entry(image, table, i), entry_size);
	return ret;
}

static int add_string(struct completion *c, const char *text, size_t length, __u32 *at)
{
	return kmprof_growing_add_string(&c->strings, text, length, at);
}

/* The name of a module's mapping is in brackets; the kernel's module has none. */
static int add_module(struct completion *c, size_t index)
{
	const struct kmprof_mapping *mapping = &c->resolver->mappings.mapping[index];
	struct kmprof_image_module module;
	int ret = 0;

	kmprof_mapping_module(mapping, &module);
	if (index)
		ret = add_string(c, mapping->name + 1, strlen(mapping->name) - 2, &module.name);
	else
		module.flags = KMPROF_MODULE_KERNEL;
	if (!ret)
		ret = kmprof_growing_add(&c->modules, &module, sizeof(module));
	c->module_of[index] = (__u32)(c->modules.used / sizeof(module));
	return ret;
}

static int add_symbol(struct completion *c, const struct kmprof_symbol *symbol, long mapping)
{
	struct kmprof_image_symbol added = { .start = symbol->start, .size = symbol->size };
	int ret = 0;

	/* What is in no mapping is the kernel's: generated code, or init text. */
	if (mapping < 0)
		mapping = 0;
	if (!c->module_of[mapping])
		ret = add_module(c, (size_t)mapping);
	if (!ret)
		ret = add_string(c, symbol->name, strlen(symbol->name), &added.name);
	added.module = c->module_of[mapping] - 1;
	return ret ? ret : kmprof_growing_add(&c->symbols, &added, sizeof(added));
}

static int add_address(struct completion *c, __u64 address)
{
	return kmprof_growing_add(&c->addresses, &address, sizeof(address));
}

/* Of a frame, the address of the call: one before its own. */
static int gather_frames(struct completion *c)
{
	int ret = 0;
	__u32 i;

	for (i = 0; !ret && i < c->image->header.frames.count; i++)
		if (c->image->frames[i])
			ret = add_address(c, c->image->frames[i] - 1);
	return ret;
}

static int gather_locks(struct completion *c)
{
	const struct kmprof_image_contention *row;
	const struct kmprof_image_profile *p;
	int ret = 0;
	__u32 i, k;

	if (c->locks)
		ret = kmprof_growing_add(&c->addresses, c->locks->bytes, c->locks->used);
	for (i = 1; i <= c->image->header.profiles.count; i++) {
		p = kmprof_image_profile(c->image, i);
		if (p->format != KMPROF_ROWS_BLOCK && p->format != KMPROF_ROWS_MUTEX)
			continue;
		for (k = 0; !ret && k < p->rows.count; k++) {
			row = kmprof_image_entry(c->image, &p->rows, k);
			if (row->lock)
				ret = add_address(c, row->lock);
		}
	}
	return ret;
}

static int name_call(struct completion *c, __u64 address)
{
	struct kmprof_frame frame;

	kmprof_resolver_find(c->resolver, address + 1, &frame);
	return frame.named ? add_symbol(c, &frame.symbol, frame.mapping) : 0;
}

static int name_lock(struct completion *c, __u64 address)
{
	const struct kmprof_mappings *mappings = &c->resolver->mappings;
	struct kmprof_symbol symbol;

	if (!kmprof_resolver_lock(c->resolver, address, &symbol))
		return 0;
	return add_symbol(c, &symbol, kmprof_mappings_find(mappings, address, &symbol));
}

/* Name the addresses that were gathered, but those that the image has names for. */
static int name_addresses(struct completion *c, int (*name)(struct completion *c, __u64 address))
{
	__u64 *address = (void *)c->addresses.bytes;
	size_t i, nr = c->addresses.used / sizeof(*address);
	const struct kmprof_image_symbol *last;
	size_t begin = c->symbols.used;
	int ret = 0;

	if (nr)
		qsort(address, nr, sizeof(*address), kmprof_by_number);
	for (i = 0; !ret && i < nr; i++) {
		if (c->symbols.used > begin) {
			/* They ascend now, so those of one symbol follow each other. */
			last = (const void *)(c->symbols.bytes + c->symbols.used - sizeof(*last));
			if (address[i] - last->start < last->size)
				continue;
		}
		if (!kmprof_image_find_symbol(c->image, address[i]))
			ret = name(c, address[i]);
	}
	c->addresses.used = 0;
	return ret;
}

/* By address, as they are searched. A size from kallsyms may reach into the next symbol. */
static void sort_symbols(struct completion *c)
{
	struct kmprof_image_symbol *symbol = (void *)c->symbols.bytes;
	size_t i, nr = c->symbols.used / sizeof(*symbol);

	if (!nr)
		return;
	/* A symbol begins with its address. */
	qsort(symbol, nr, sizeof(*symbol), kmprof_by_number);
	for (i = 0; i + 1 < nr; i++)
		if (symbol[i].size > symbol[i + 1].start - symbol[i].start)
			symbol[i].size = symbol[i + 1].start - symbol[i].start;
}

static int add_boot_id(struct completion *c, const char *boot_id)
{
	struct kmprof_image_scalar scalar = { 0 };
	int ret;

	if (!boot_id || kmprof_boot_id(c->image))
		return 0;
	ret = add_string(c, KMPROF_BOOT_ID, strlen(KMPROF_BOOT_ID), &scalar.name);
	if (!ret)
		ret = add_string(c, boot_id, strlen(boot_id), &scalar.text);
	return ret ? ret : kmprof_growing_add(&c->scalars, &scalar, sizeof(scalar));
}

static int make_tables(struct completion *c, const char *boot_id)
{
	const struct kmprof_image_header *h = &c->image->header;
	int ret;

	ret = kmprof_growing_add(&c->strings, c->image->strings, h->strings.count);
	if (!ret)
		ret = append_table(&c->modules, c->image, &h->modules,
				   sizeof(struct kmprof_image_module));
	/* The kernel is what tells that the image is complete. */
	if (!ret)
		ret = add_module(c, 0);
	if (!ret)
		ret = gather_frames(c);
	if (!ret)
		ret = name_addresses(c, name_call);
	if (!ret)
		ret = gather_locks(c);
	if (!ret)
		ret = name_addresses(c, name_lock);
	if (!ret)
		ret = append_table(&c->symbols, c->image, &h->symbols,
				   sizeof(struct kmprof_image_symbol));
	if (!ret)
		ret = append_table(&c->scalars, c->image, &h->scalars,
				   sizeof(struct kmprof_image_scalar));
	if (!ret)
		ret = add_boot_id(c, boot_id);
	sort_symbols(c);
	return ret;
}

/* Tables begin at multiples of 8. */
static int align(struct kmprof_growing *to)
{
	static const char zero[8];

	return kmprof_growing_add(to, zero, -to->used & 7);
}

static int place(struct kmprof_growing *to, struct kmprof_table *table,
		 const struct kmprof_growing *entries, size_t entry_size)
{
	int ret;

	table->offset = to->used;
	table->count = (__u32)(entries->used / entry_size);
	table->entry_size = (__u32)entry_size;
	ret = kmprof_growing_add(to, entries->bytes, entries->used);
	return ret ? ret : align(to);
}

static int put_together(const struct completion *c, struct kmprof_growing *to)
{
	struct kmprof_image_header *header;
	struct kmprof_table tables[4];
	int ret;

	ret = kmprof_growing_add(to, c->image->base, c->image->size);
	if (!ret)
		ret = align(to);
	if (!ret)
		ret = place(to, &tables[0], &c->modules, sizeof(struct kmprof_image_module));
	if (!ret)
		ret = place(to, &tables[1], &c->symbols, sizeof(struct kmprof_image_symbol));
	if (!ret)
		ret = place(to, &tables[2], &c->strings, 1);
	if (!ret)
		ret = place(to, &tables[3], &c->scalars, sizeof(struct kmprof_image_scalar));
	if (ret)
		return ret;
	header = (void *)to->bytes;
	header->image_size = to->used;
	header->modules = tables[0];
	header->symbols = tables[1];
	header->strings = tables[2];
	header->scalars = tables[3];
	return 0;
}

bool kmprof_can_complete(const struct kmprof_image *image)
{
	const struct kmprof_image_header *header = (const void *)image->base;

	return kmprof_image_has_addresses(image) && !kmprof_image_is_complete(image) &&
	       header->header_size >= offsetof(struct kmprof_image_header, objects);
}

int kmprof_complete(char **bytes, size_t *size, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver, const struct kmprof_growing *locks,
		    const char *boot_id, struct kmprof_error *err)
{
	struct completion c = { .image = image, .resolver = resolver, .locks = locks };
	struct kmprof_growing to = { 0 };
	int ret = -ENOMEM;

	c.module_of = calloc(resolver->mappings.nr + 1, sizeof(*c.module_of));
	if (c.module_of)
		ret = make_tables(&c, boot_id);
	if (!ret)
		ret = put_together(&c, &to);
	free(c.module_of);
	free(c.strings.bytes);
	free(c.modules.bytes);
	free(c.symbols.bytes);
	free(c.scalars.bytes);
	free(c.addresses.bytes);
	if (ret) {
		free(to.bytes);
		return kmprof_error_set(err, ret, NULL, "adding names to the image: %s",
					strerror(-ret));
	}
	*bytes = to.bytes;
	*size = to.used;
	return 0;
}
