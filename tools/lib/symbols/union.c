// SPDX-License-Identifier: GPL-2.0
/*
 * A united address has the module in its upper bits, then the function, then the offset:
 *
 *	0 1 MODULE FUNCTION OFFSET
 *
 * In bits: 1, 1, 18, 20, 24. The image that the resolver looks them up in has nothing but a table
 * of modules, one of symbols, and strings.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/union.h"
#include "util/merge.h"

#define OFFSET_BITS	24
#define FUNCTION_BITS	20
#define UNITED		(1ULL << (KMPROF_UNION_MODULE_BITS + FUNCTION_BITS + OFFSET_BITS))

/* No function has this size: it marks a symbol that stands for a bare address. */
#define BARE_SIZE	1ULL

static int add_string(struct kmprof_union *u, const char *text, __u32 *at)
{
	return kmprof_growing_add_string(&u->strings, text, strlen(text), at);
}

static const struct kmprof_mapping *kernel_of(const struct kmprof_union *u, unsigned int side)
{
	return &u->names[side]->mappings.mapping[0];
}

static __u64 size_of(const struct kmprof_mapping *mapping)
{
	return mapping->end - mapping->start;
}

int kmprof_union_init(struct kmprof_union *u, const struct kmprof_resolver *a,
		      const struct kmprof_resolver *b, bool one_boot, bool by_function)
{
	const struct kmprof_mappings *mappings[KMPROF_UNION_SIDES] = { &a->mappings, &b->mappings };
	__u32 **module_of = u->module_of;
	unsigned int side;
	__u32 empty;
	int ret;

	memset(u, 0, sizeof(*u));
	u->one_boot = one_boot;
	u->by_function = by_function;
	u->names[KMPROF_UNION_A] = a;
	u->names[KMPROF_UNION_B] = b;
	for (side = 0; side < KMPROF_UNION_SIDES; side++) {
		module_of[side] = calloc(mappings[side]->nr + 1, sizeof(__u32));
		if (!module_of[side])
			return -ENOMEM;
	}
	ret = add_string(u, "", &empty);
	if (!ret)
		ret = kmprof_union_modules_init(&u->modules, mappings, module_of, by_function);
	/* The kernel of one boot is the same, whatever its build. */
	if (!ret && one_boot && module_of[KMPROF_UNION_A][0] == module_of[KMPROF_UNION_B][0])
		memset(kmprof_union_module(&u->modules, module_of[KMPROF_UNION_A][0])->is_blind, 0,
		       sizeof(bool[KMPROF_UNION_SIDES]));
	/* What stands for frames that are in no mapping. */
	if (!ret)
		ret = kmprof_union_modules_find(&u->modules, KMPROF_UNKNOWN_MAPPING, "",
						&u->nowhere);
	u->same_kernel = !by_function && size_of(kernel_of(u, KMPROF_UNION_A)) &&
			 size_of(kernel_of(u, KMPROF_UNION_A)) ==
				size_of(kernel_of(u, KMPROF_UNION_B)) &&
			 module_of[KMPROF_UNION_A][0] == module_of[KMPROF_UNION_B][0];
	return ret;
}

/*
 * Two functions of one kernel can have one name. Those of a module are told apart by their names
 * alone: what is gone is at another place, and its pieces are.
 */
static __u64 place_of(const struct kmprof_union *u, unsigned int side,
		      const struct kmprof_frame *frame)
{
	const struct kmprof_mapping *kernel = kernel_of(u, side);

	if (!u->same_kernel || frame->mapping || frame->symbol.start < kernel->start ||
	    frame->symbol.start >= kernel->end)
		return 0;
	return frame->symbol.start - kernel->start;
}

/* Adds a function to its module; its number is that of its symbol. */
static int add_function(struct kmprof_union *u, __u32 module, const char *name, bool is_bare)
{
	struct kmprof_image_symbol symbol = { .module = module };
	struct kmprof_union_module *to = kmprof_union_module(&u->modules, module);
	int ret;

	if (to->functions >= 1U << FUNCTION_BITS)
		return -E2BIG;
	symbol.start = UNITED | ((__u64)module << FUNCTION_BITS | to->functions++) << OFFSET_BITS;
	symbol.size = is_bare ? BARE_SIZE : 1ULL << OFFSET_BITS;
	ret = add_string(u, name, &symbol.name);
	return ret ? ret : kmprof_growing_add(&u->symbols, &symbol, sizeof(symbol));
}

/* *@start: the united address of a function that is known by @key and called @name. */
static int find_function(struct kmprof_union *u, __u32 module, const char *key, const char *name,
			 bool is_bare, __u64 *start)
{
	bool is_new;
	__s64 number = kmprof_intern_number(&u->functions, key, &is_new);
	int ret = 0;

	if (number < 0)
		return (int)number;
	if (is_new)
		ret = add_function(u, module, name, is_bare);
	if (!ret)
		*start = ((struct kmprof_image_symbol *)u->symbols.bytes)[number].start;
	return ret;
}

static int find_named(struct kmprof_union *u, unsigned int side, const struct kmprof_frame *frame,
		      __u32 module, __u64 *start)
{
	char *key;
	int ret;

	if (asprintf(&key, "%u %llx %s", module, place_of(u, side, frame), frame->symbol.name) < 0)
		return -ENOMEM;
	ret = find_function(u, module, key, frame->symbol.name, false, start);
	free(key);
	return ret;
}

/* An address without a name is the same in one boot only. */
static int find_bare(struct kmprof_union *u, unsigned int side, __u64 ret_addr, __u32 module,
		     __u64 *start)
{
	char key[64], name[32];

	u->unnamed++;
	snprintf(name, sizeof(name), "%#llx", ret_addr);
	snprintf(key, sizeof(key), "%u bare %s %u", module, name, u->one_boot ? 0 : side);
	return find_function(u, module, key, name, true, start);
}

int kmprof_union_address(struct kmprof_union *u, unsigned int side, __u64 ret_addr, __u64 *united)
{
	struct kmprof_frame frame;
	__u32 module = u->nowhere;
	__u64 start = 0, offset = 1;
	int ret;

	*united = 0;
	if (!ret_addr)
		return 0;
	kmprof_resolver_find(u->names[side], ret_addr, &frame);
	if (frame.mapping >= 0)
		module = u->module_of[side][frame.mapping];
	kmprof_union_module(&u->modules, module)->is_used[side] = true;
	if (frame.named && ret_addr - frame.symbol.start <= 1ULL << OFFSET_BITS) {
		ret = find_named(u, side, &frame, module, &start);
		if (!u->by_function)
			offset = ret_addr - frame.symbol.start;
	} else {
		ret = find_bare(u, side, ret_addr, module, &start);
	}
	if (!ret)
		*united = start + offset;
	return ret;
}

static int by_start(const void *a, const void *b)
{
	const struct kmprof_image_symbol *x = a, *y = b;

	return kmprof_compare_u64(x->start, y->start);
}

/* As an image has it: the kernel has a flag for its name, and what is not known has none. */
static int put_module(struct kmprof_union *u, struct kmprof_growing *to, size_t i)
{
	const struct kmprof_union_module *from = kmprof_union_module(&u->modules, i);
	struct kmprof_mapping mapping = {
		.start	= UNITED | (__u64)i << (FUNCTION_BITS + OFFSET_BITS),
		.end	= UNITED | (__u64)(i + 1) << (FUNCTION_BITS + OFFSET_BITS),
	};
	struct kmprof_image_module module;
	char *name;
	int ret = 0;

	snprintf(mapping.build_id, sizeof(mapping.build_id), "%s",
		 kmprof_union_string(&u->modules, from->build));
	kmprof_mapping_module(&mapping, &module);
	name = strdup(kmprof_union_string(&u->modules, from->name));
	if (!name)
		return -ENOMEM;
	if (!strcmp(name, KMPROF_KERNEL_MAPPING))
		module.flags = KMPROF_MODULE_KERNEL;
	else if (strcmp(name, KMPROF_UNKNOWN_MAPPING))
		ret = kmprof_growing_add_string(&u->strings, name + 1, strlen(name) - 2,
						&module.name);
	free(name);
	return ret ? ret : kmprof_growing_add(to, &module, sizeof(module));
}

static int make_image(struct kmprof_union *u, struct kmprof_growing *to)
{
	struct kmprof_image_header *h = &u->image.header;
	size_t i;
	int ret = 0;

	for (i = 0; i < kmprof_union_nr_modules(&u->modules) && !ret; i++)
		ret = put_module(u, to, i);
	if (ret)
		return ret;
	h->modules = (struct kmprof_table) {
		.count		= (__u32)kmprof_union_nr_modules(&u->modules),
		.entry_size	= sizeof(struct kmprof_image_module),
	};
	h->symbols = (struct kmprof_table) {
		.offset		= to->used,
		.count		= (__u32)(u->symbols.used / sizeof(struct kmprof_image_symbol)),
		.entry_size	= sizeof(struct kmprof_image_symbol),
	};
	if (h->symbols.count)
		qsort(u->symbols.bytes, h->symbols.count, h->symbols.entry_size, by_start);
	ret = kmprof_growing_add(to, u->symbols.bytes, u->symbols.used);
	u->image.base = to->bytes;
	u->image.size = to->used;
	u->image.strings = u->strings.bytes;
	return ret;
}

int kmprof_union_finish(struct kmprof_union *u, struct kmprof_error *err)
{
	const struct kmprof_resolver_options none = { 0 };
	struct kmprof_error unused;
	int ret;

	ret = make_image(u, &u->tables);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "bringing the names together: %s",
					strerror(-ret));
	/* It has all names of its own, so nothing is looked up elsewhere. */
	return kmprof_resolver_open(&u->resolver, &u->image, &none, &unused, err);
}

void kmprof_union_release(struct kmprof_union *u)
{
	unsigned int side;

	kmprof_resolver_close(&u->resolver);
	for (side = 0; side < KMPROF_UNION_SIDES; side++)
		free(u->module_of[side]);
	kmprof_union_modules_release(&u->modules);
	kmprof_intern_release(&u->functions);
	free(u->symbols.bytes);
	free(u->strings.bytes);
	free(u->tables.bytes);
	memset(u, 0, sizeof(*u));
}

bool kmprof_union_is_bare(const struct kmprof_frame *frame)
{
	return frame->named && frame->symbol.size == BARE_SIZE;
}

int kmprof_union_notes(const struct kmprof_union *u, struct kmprof_lines *notes)
{
	int ret;

	if (u->by_function)
		return kmprof_lines_add(notes,
			"stacks are compared by the names of functions and modules only");
	ret = kmprof_union_modules_notes(&u->modules, notes);
	if (ret || !u->unnamed)
		return ret;
	return kmprof_lines_add(notes,
		"%zu addresses have no name: they are compared as they are%s", u->unnamed,
		u->one_boot ? "" : ", and differ in two boots");
}
