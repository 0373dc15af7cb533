// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leaks/address.h"
#include "util/merge.h"

/* A name is MODULE_BIT, the number of the module, and the offset; no address is like that. */
#define MODULE_BIT	0x4000000000000000ULL
#define MODULE_SHIFT	40

/**
 * struct kmprof_address_range - where a module is
 * @start: first address
 * @end: behind the last one
 * @name: what @start is called
 */
struct kmprof_address_range {
	__u64 start;
	__u64 end;
	__u64 name;
};

static int by_start(const void *a, const void *b)
{
	const struct kmprof_address_range *x = a, *y = b;

	return kmprof_compare_u64(x->start, y->start);
}

/* A module that was built anew is another one. */
static int add_range(struct kmprof_address_names *addresses, const struct kmprof_mapping *mapping)
{
	__s64 number;
	char *text;

	if (asprintf(&text, "%s %s", mapping->name, mapping->build_id) < 0)
		return -ENOMEM;
	number = kmprof_intern_add(&addresses->modules, text);
	free(text);
	if (number < 0)
		return (int)number;
	addresses->range[addresses->nr++] = (struct kmprof_address_range) {
		.start	= mapping->start,
		.end	= mapping->end,
		.name	= MODULE_BIT | (__u64)number << MODULE_SHIFT,
	};
	return 0;
}

/* Generated code has no name that lasts. */
static bool has_name(const struct kmprof_mapping *mapping)
{
	return strcmp(mapping->name, KMPROF_KERNEL_MAPPING) &&
	       strcmp(mapping->name, KMPROF_UNKNOWN_MAPPING);
}

int kmprof_address_names_take(struct kmprof_address_names *addresses,
			      const struct kmprof_image *image,
			      const struct kmprof_mapping_files *files, struct kmprof_error *err)
{
	struct kmprof_mappings mappings;
	size_t i;
	int ret;

	free(addresses->range);
	addresses->range = NULL;
	addresses->nr = 0;
	ret = kmprof_mappings_load(&mappings, image, NULL, files, err);
	if (ret)
		return ret;
	addresses->range = calloc(mappings.nr + 1, sizeof(*addresses->range));
	if (!addresses->range)
		ret = -ENOMEM;
	for (i = 0; i < mappings.nr && !ret; i++)
		if (has_name(&mappings.mapping[i]))
			ret = add_range(addresses, &mappings.mapping[i]);
	kmprof_mappings_release(&mappings);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "listing modules: out of memory");
	qsort(addresses->range, addresses->nr, sizeof(*addresses->range), by_start);
	return 0;
}

void kmprof_address_names_release(struct kmprof_address_names *addresses)
{
	kmprof_intern_release(&addresses->modules);
	free(addresses->range);
	memset(addresses, 0, sizeof(*addresses));
}

__u64 kmprof_address_name(const struct kmprof_address_names *addresses, __u64 address)
{
	size_t low = 0, high = addresses->nr, middle;
	const struct kmprof_address_range *range;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (addresses->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return address;
	range = &addresses->range[low - 1];
	return address < range->end ? range->name | (address - range->start) : address;
}
