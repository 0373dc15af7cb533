// SPDX-License-Identifier: GPL-2.0
/*
 * Brings symbols and mappings together for one image, and decides whether the
 * running kernel's symbols may be used for it at all.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/boot_id.h"
#include "symbols/resolver.h"
#include "util/slot.h"

#define NSEC_PER_SEC	1000000000ULL

#define HIDDEN_HINT \
	"take it as root, or with CAP_SYSLOG and /proc/sys/kernel/kptr_restrict below 2"
#define OLDER_HINT \
	"name the symbols of that boot: --kallsyms FILE (a copy of /proc/kallsyms) or --symfs DIR"

/* Stacks have most of their frames in common. */
#define FOUND_BITS	14

struct kmprof_found {
	__u64 ret_addr;	/* never 0 if there is one */
	struct kmprof_frame frame;
};

static bool is_older_than_boot(const struct kmprof_image *image)
{
	return image->header.time_ns + NSEC_PER_SEC < kmprof_boot_time_ns();
}

struct paths {
	char *kallsyms;
	char *modules;
	char *kernel_notes;
	char *module_dir;
};

static void paths_free(struct paths *p)
{
	free(p->kallsyms);
	free(p->modules);
	free(p->kernel_notes);
	free(p->module_dir);
}

static char *join(const char *root, const char *path)
{
	char *joined;

	return asprintf(&joined, "%s%s", root, path) < 0 ? NULL : joined;
}

static int paths_init(struct paths *p, const struct kmprof_resolver_options *options)
{
	const char *root = options->symfs ? options->symfs : "";

	memset(p, 0, sizeof(*p));
	if (options->kallsyms) {
		p->kallsyms = strdup(options->kallsyms);
		return p->kallsyms ? 0 : -ENOMEM;
	}
	p->kallsyms = join(root, "/proc/kallsyms");
	p->modules = join(root, "/proc/modules");
	p->kernel_notes = join(root, "/sys/kernel/notes");
	p->module_dir = join(root, "/sys/module");
	if (p->kallsyms && p->modules && p->kernel_notes && p->module_dir)
		return 0;
	paths_free(p);
	return -ENOMEM;
}

/* Return: 0, or 1 with a warning: go on without names. */
static int load_symbols(struct kmprof_resolver *resolver, const struct kmprof_image *image,
			const char *path, bool explicit, struct kmprof_error *warning,
			struct kmprof_error *err)
{
	int ret;

	if (!kmprof_image_has_addresses(image)) {
		kmprof_error_set(warning, 1, HIDDEN_HINT,
				 "the snapshot has no addresses: the kernel hid them from who took it");
		return 1;
	}
	if (!explicit && !resolver->is_local) {
		kmprof_error_set(warning, 1, OLDER_HINT,
				 "the image is older than the running kernel's boot: addresses stay without names");
		return 1;
	}
	ret = kmprof_symbols_load(&resolver->symbols, path, explicit ? err : warning);
	if (!ret)
		return 0;
	return explicit || ret == -ENOMEM ? ret : 1;
}

int kmprof_resolver_open(struct kmprof_resolver *resolver, const struct kmprof_image *image,
			 const struct kmprof_resolver_options *options,
			 struct kmprof_error *warning, struct kmprof_error *err)
{
	struct kmprof_mapping_files files = { 0 };
	bool explicit = options->kallsyms || options->symfs;
	struct paths paths;
	int ret, loaded;

	memset(resolver, 0, sizeof(*resolver));
	resolver->image = image;
	resolver->is_local = !explicit && !is_older_than_boot(image);
	resolver->found = calloc(1 << FOUND_BITS, sizeof(*resolver->found));
	ret = resolver->found ? paths_init(&paths, options) : -ENOMEM;
	if (ret) {
		kmprof_resolver_close(resolver);
		return kmprof_error_set(err, ret, NULL, "looking for symbols: out of memory");
	}
	/* A complete image needs no other names. */
	loaded = kmprof_image_is_complete(image) ? 1 :
		 load_symbols(resolver, image, paths.kallsyms, explicit, warning, err);
	if (loaded < 0) {
		ret = loaded;
		kmprof_resolver_close(resolver);
		goto out_paths;
	}
	/* Ranges of another boot would be as wrong as its names. */
	if (!loaded) {
		files.modules = paths.modules;
		files.kernel_notes = paths.kernel_notes;
		files.module_dir = paths.module_dir;
	}
	ret = kmprof_mappings_load(&resolver->mappings, image, resolver->symbols, &files, err);
	if (ret)
		kmprof_resolver_close(resolver);
	else
		ret = kmprof_image_is_complete(image) ? 0 : loaded;
out_paths:
	paths_free(&paths);
	return ret;
}

void kmprof_resolver_close(struct kmprof_resolver *resolver)
{
	kmprof_symbols_free(resolver->symbols);
	kmprof_mappings_release(&resolver->mappings);
	kmprof_debuginfo_close(resolver->debuginfo);
	free(resolver->found);
	memset(resolver, 0, sizeof(*resolver));
}

/* The image knows best what its addresses are. */
static bool find_in_image(const struct kmprof_resolver *resolver, __u64 address,
			  struct kmprof_symbol *symbol, long *mapping)
{
	const struct kmprof_image *image = resolver->image;
	const struct kmprof_image_symbol *found;
	const char *module;

	found = image ? kmprof_image_find_symbol(image, address) : NULL;
	if (!found)
		return false;
	module = kmprof_image_string(image, kmprof_image_module(image, found->module)->name);
	*symbol = (struct kmprof_symbol) {
		.start	= found->start,
		.size	= found->size,
		.name	= kmprof_image_string(image, found->name),
		.module	= *module ? module : NULL,
	};
	*mapping = resolver->mappings.of_module[found->module];
	return true;
}

static void find_function(const struct kmprof_resolver *resolver, struct kmprof_frame *frame)
{
	frame->named = find_in_image(resolver, frame->address, &frame->symbol, &frame->mapping);
	if (frame->named)
		return;
	if (resolver->symbols)
		frame->named = kmprof_symbols_find(resolver->symbols, frame->address,
						   &frame->symbol);
	frame->mapping = kmprof_mappings_find(&resolver->mappings, frame->address,
					      frame->named ? &frame->symbol : NULL);
}

static void find_again(const struct kmprof_resolver *resolver, __u64 ret_addr,
		       struct kmprof_frame *frame)
{
	struct kmprof_found *found = &resolver->found[kmprof_slot(ret_addr, FOUND_BITS)];

	if (found->ret_addr == ret_addr) {
		*frame = found->frame;
		return;
	}
	find_function(resolver, frame);
	found->ret_addr = ret_addr;
	found->frame = *frame;
}

void kmprof_resolver_find(const struct kmprof_resolver *resolver, __u64 ret_addr,
			  struct kmprof_frame *frame)
{
	memset(frame, 0, sizeof(*frame));
	frame->mapping = -1;
	if (!ret_addr)
		return;
	/*
	 * A return address is that of the instruction after the call, which may
	 * belong to another line or, after a call that does not return, even to
	 * another function. One byte less is inside the call.
	 */
	frame->address = ret_addr - 1;
	if (resolver->found)
		find_again(resolver, ret_addr, frame);
	else
		find_function(resolver, frame);
	if (resolver->debuginfo)
		frame->line = kmprof_debuginfo_find(resolver->debuginfo, frame->address,
						    &frame->nr_lines);
}

bool kmprof_resolver_has_lines(const struct kmprof_resolver *resolver, size_t mapping)
{
	return resolver->debuginfo && kmprof_debuginfo_has(resolver->debuginfo, mapping);
}

bool kmprof_resolver_is_gone(const struct kmprof_resolver *resolver,
			     const struct kmprof_frame *frame)
{
	const struct kmprof_image *image = resolver->image;
	const struct kmprof_image_symbol *found;

	found = image ? kmprof_image_find_symbol(image, frame->address) : NULL;
	return found && kmprof_image_module(image, found->module)->flags & KMPROF_MODULE_GONE;
}

bool kmprof_resolver_address(const struct kmprof_resolver *resolver, __u64 address,
			     struct kmprof_symbol *symbol)
{
	long mapping;

	if (find_in_image(resolver, address, symbol, &mapping))
		return true;
	return resolver->symbols &&
	       (kmprof_symbols_find_data(resolver->symbols, address, symbol) ||
		/* It takes return addresses. */
		(address + 1 && kmprof_symbols_find(resolver->symbols, address + 1, symbol)));
}

bool kmprof_resolver_lock(const struct kmprof_resolver *resolver, __u64 lock,
			  struct kmprof_symbol *symbol)
{
	long mapping;

	return find_in_image(resolver, lock, symbol, &mapping) ||
	       (resolver->symbols && kmprof_symbols_find_data(resolver->symbols, lock, symbol));
}
