/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses that stay the same while modules come and go. An address in a module is named by
 * the module and the offset in it: so a call in a module that each round loads and removes is
 * one call, wherever the module was loaded, and whether it is still there.
 */
#ifndef KMPROF_LEAKS_ADDRESS_H
#define KMPROF_LEAKS_ADDRESS_H

#include "image/image.h"
#include "symbols/mappings.h"
#include "util/intern.h"

struct kmprof_address_range;

/**
 * struct kmprof_address_names - what addresses of an image are called
 * @modules: all modules that were seen in any image
 * @range: the modules of the present image, by address
 * @nr: how many
 */
struct kmprof_address_names {
	struct kmprof_intern modules;
	struct kmprof_address_range *range;
	size_t nr;
};

/**
 * kmprof_address_names_take() - look at the modules that belong to an image
 * @addresses: all zero at first; released by kmprof_address_names_release()
 * @image: has the modules that are gone
 * @files: where those that are there are listed
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_address_names_take(struct kmprof_address_names *addresses,
			      const struct kmprof_image *image,
			      const struct kmprof_mapping_files *files, struct kmprof_error *err);
void kmprof_address_names_release(struct kmprof_address_names *addresses);

/* The lasting name of an address of the image; the address itself if it is in no module. */
__u64 kmprof_address_name(const struct kmprof_address_names *addresses, __u64 address);

#endif
