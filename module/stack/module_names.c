// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the symbol table and the build id of a module whose memory stays, because the caller
 * is a notifier of the module.
 *
 * kallsyms has the same symbols. But it goes through the whole table for each address, with
 * preemption off: 350 microseconds for a module of 25000 symbols. Here one walk with preemption
 * on serves all addresses.
 */
#include <linux/elf.h>
#include <linux/kallsyms.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat/module_memory.h"
#include "stack/module_names.h"

enum {
	NOTE_BUILD_ID = 3,	/* NT_GNU_BUILD_ID of <elf.h> */
};

/* Return: the number of elements of the sorted @addrs that are less than @addr. */
static unsigned int nr_below(const unsigned long *addrs, unsigned int nr, unsigned long addr)
{
	unsigned int low = 0, mid;

	while (low < nr) {
		mid = low + (nr - low) / 2;
		if (addrs[mid] < addr)
			low = mid + 1;
		else
			nr = mid;
	}
	return low;
}

/* The part of @mod that @addr lies in. */
static struct kmprof_extent part_of(const struct module *mod, unsigned long addr)
{
	struct kmprof_extent part;
	unsigned int i;

	for (i = 0; i < KMPROF_COMPAT_MODULE_PARTS; i++) {
		part = kmprof_compat_module_part(mod, i);
		if (addr >= part.begin && addr < part.end)
			return part;
	}
	return (struct kmprof_extent) {};
}

/*
 * Let a symbol at @start serve the addresses that it is next to: the first one that is not
 * before it, as the symbol below; the last one that is before it, as the end. @symbols[i].size
 * is where the symbol of address i ends.
 */
static void offer(const unsigned long *addrs, unsigned int nr, struct kmprof_symbol *symbols,
		  unsigned long start, const char *name)
{
	unsigned int i = nr_below(addrs, nr, start);

	if (i < nr && (!symbols[i].name || start > symbols[i].start)) {
		symbols[i].start = start;
		symbols[i].name = name;
	}
	if (i)
		symbols[i - 1].size = min(symbols[i - 1].size, start);
}

/* From the addresses that symbols were offered to, to those between. */
static void spread(const struct module *mod, const unsigned long *addrs, unsigned int nr,
		   struct kmprof_symbol *symbols)
{
	struct kmprof_extent part;
	unsigned int i;

	for (i = 1; i < nr; i++) {
		if (symbols[i - 1].name &&
		    (!symbols[i].name || symbols[i].start < symbols[i - 1].start)) {
			symbols[i].start = symbols[i - 1].start;
			symbols[i].name = symbols[i - 1].name;
		}
	}
	for (i = nr; i--; ) {
		if (i + 1 < nr)
			symbols[i].size = min(symbols[i].size, symbols[i + 1].size);
	}
	for (i = 0; i < nr; i++) {
		part = part_of(mod, addrs[i]);
		if (symbols[i].start < part.begin)
			symbols[i].name = NULL;
		symbols[i].size = min(symbols[i].size, part.end) - symbols[i].start;
	}
}

/**
 * kmprof_module_symbols() - find the symbols that addresses of a module lie in
 * @mod: the module
 * @addrs: addresses in the module's memory, in ascending order
 * @nr: number of addresses, at least 1
 * @symbols: returns the symbol of each address
 *
 * Source: find_kallsyms_symbol() of kernel/module/kallsyms.c.
 *
 * Context: Process context, in a notifier of the module. May sleep.
 */
void kmprof_module_symbols(const void *mod, const unsigned long *addrs, unsigned int nr,
			   struct kmprof_symbol *symbols)
{
#ifdef CONFIG_KALLSYMS
	const struct module *module = mod;
	const struct mod_kallsyms *table = rcu_dereference_protected(module->kallsyms, true);
#endif
	unsigned int i;

	for (i = 0; i < nr; i++)
		symbols[i] = (struct kmprof_symbol) { .size = ULONG_MAX };
#ifdef CONFIG_KALLSYMS
	/* The first symbol of an ELF table is none. */
	for (i = 1; table && i < table->num_symtab; i++) {
		const Elf_Sym *sym = &table->symtab[i];
		const char *name = table->strtab + sym->st_name;

		cond_resched();
		if (sym->st_shndx != SHN_UNDEF && *name)
			offer(addrs, nr, symbols, kallsyms_symbol_value(sym), name);
	}
#endif
	spread(mod, addrs, nr, symbols);
}

/**
 * kmprof_module_build_id() - find the build id of a module
 * @mod: the module
 * @id: returns the build id
 *
 * Without CONFIG_STACKTRACE_BUILD_ID, which Debian's kernels do not have, struct module does
 * not tell it. So its note is searched in the module's constants.
 *
 * Context: Process context, in a notifier of the module. May sleep.
 * Return: its length in bytes; 0 if the module has none.
 */
unsigned int kmprof_module_build_id(const void *mod, u8 id[KMPROF_BUILD_ID_LEN])
{
	struct {
		struct elf32_note note;
		char name[4];
		u8 id[KMPROF_BUILD_ID_LEN];
	} found;
	struct kmprof_extent rodata = kmprof_compat_module_rodata(mod);
	unsigned long at;

	for (at = rodata.begin; at + sizeof(found) <= rodata.end; at += sizeof(u32)) {
		if (!(at % PAGE_SIZE))
			cond_resched();
		/* Compilers put red zones between constants, which KASAN guards. */
		if (copy_from_kernel_nofault(&found, (void *)at, sizeof(found)))
			break;
		if (found.note.n_namesz != sizeof(found.name) ||
		    found.note.n_descsz > sizeof(found.id) ||
		    found.note.n_type != NOTE_BUILD_ID || memcmp(found.name, "GNU", 4))
			continue;
		memcpy(id, found.id, found.note.n_descsz);
		return found.note.n_descsz;
	}
	return 0;
}
