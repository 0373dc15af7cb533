// SPDX-License-Identifier: GPL-2.0
/* A module keeps its symbols as they are in its file, with their addresses. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dump/symbols.h"

enum {
	MODULES_MAX	= 1 << 12,
	/* Of all modules. */
	SYMBOLS_MAX	= 1 << 22,
	NAME_ROOM	= 512,
	MODULE_NAME	= 56,
	/* A part of a page: no read goes over its end. */
	NAME_BYTES	= 1 << 8,
};

/**
 * struct module - the symbols of a module
 * @name: of the module
 * @nr: how many there are
 * @symbol: the symbols; to be freed
 * @type: a letter for each; to be freed
 * @names: address of the names
 */
struct module {
	char name[MODULE_NAME];
	__u32 nr;
	Elf64_Sym *symbol;
	char *type;
	__u64 names;
};

static int read_array(const struct kmprof_dump *dump, __u64 where, void **to, size_t size,
		      struct kmprof_error *err)
{
	__u64 address;
	int ret = kmprof_dump_word(dump, where, &address, err);

	if (ret)
		return ret;
	*to = malloc(size + 1);
	if (!*to)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", dump->name);
	return kmprof_dump_read(dump, address, *to, size, err);
}

/* A module that is being loaded may have none. @left: symbols that may still come. */
static int read_module(const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
		       __u64 at, struct module *module, __u32 *left, struct kmprof_error *err)
{
	__u64 symbols;
	int ret;

	ret = kmprof_dump_read(dump, at + crash->module_name, module->name, MODULE_NAME - 1, err);
	if (!ret)
		ret = kmprof_dump_word(dump, at + crash->module_symbols, &symbols, err);
	if (ret || !symbols)
		return ret;
	ret = kmprof_dump_read(dump, symbols + crash->symbols_nr, &module->nr,
			       sizeof(module->nr), err);
	if (!ret && module->nr > *left)
		ret = -ENODATA;
	if (ret)
		return ret;
	*left -= module->nr;
	ret = kmprof_dump_word(dump, symbols + crash->symbols_names, &module->names, err);
	if (!ret)
		ret = read_array(dump, symbols + crash->symbols_table, (void **)&module->symbol,
				 module->nr * sizeof(*module->symbol), err);
	if (!ret)
		ret = read_array(dump, symbols + crash->symbols_types, (void **)&module->type,
				 module->nr, err);
	return ret;
}

/* A name may be the last one of a page, behind which nothing is there. */
static int read_name(const struct kmprof_dump *dump, __u64 address, char name[NAME_ROOM],
		     struct kmprof_error *err)
{
	size_t used = 0, n;
	int ret;

	for (;;) {
		n = NAME_BYTES - address % NAME_BYTES;
		if (n > NAME_ROOM - 1 - used)
			n = NAME_ROOM - 1 - used;
		ret = kmprof_dump_read(dump, address, name + used, n, err);
		if (ret)
			return ret;
		used += n;
		address += n;
		name[used] = 0;
		if (strlen(name) < used || used == NAME_ROOM - 1)
			return 0;
	}
}

static int write_module(const struct kmprof_dump *dump, FILE *to, const struct module *module,
			struct kmprof_error *err)
{
	char name[NAME_ROOM];
	__u32 i;
	int ret;

	for (i = 0; i < module->nr; i++) {
		const Elf64_Sym *symbol = &module->symbol[i];

		if (symbol->st_shndx == SHN_UNDEF || !symbol->st_name)
			continue;
		ret = read_name(dump, module->names + symbol->st_name, name, err);
		if (ret)
			return ret;
		if (*name)
			fprintf(to, "%016llx %c %s\t[%s]\n", (__u64)symbol->st_value,
				module->type[i], name, module->name);
	}
	return 0;
}

static int handle_module(const struct kmprof_dump *dump, FILE *to,
			 const struct kmprof_trace_crash *crash, __u64 at, __u32 *left,
			 struct kmprof_error *err)
{
	struct module module = { 0 };
	int ret;

	ret = read_module(dump, crash, at, &module, left, err);
	if (!ret)
		ret = write_module(dump, to, &module, err);
	if (ret == -ENODATA)
		kmprof_error_set(err, ret, NULL, "%s: not all symbols of module %s can be read",
				 dump->name, *module.name ? module.name : "(unknown)");
	free(module.symbol);
	free(module.type);
	return ret;
}

/* Those of other modules may be there. The first thing that is missing is told. */
int kmprof_dump_module_symbols(const struct kmprof_dump *dump, FILE *to,
			       const struct kmprof_trace_crash *crash, __u64 modules,
			       struct kmprof_error *err)
{
	struct kmprof_error later;
	int nr, ret, missing = 0;
	__u32 left = SYMBOLS_MAX;
	__u64 next;

	ret = kmprof_dump_word(dump, modules, &next, err);
	for (nr = 0; !ret && next != modules && nr < MODULES_MAX; nr++) {
		ret = handle_module(dump, to, crash, next - crash->module_next, &left,
				    missing ? &later : err);
		if (ret == -ENODATA)
			missing = ret;
		if (ret != -ENOMEM)
			ret = kmprof_dump_word(dump, next, &next, missing ? &later : err);
	}
	if (ret == -ENOMEM && missing)
		*err = later;
	if (!ret && next != modules && !missing)
		ret = kmprof_error_set(err, -ENODATA, NULL, "%s: the list of modules is damaged",
				       dump->name);
	return ret ? ret : missing;
}
