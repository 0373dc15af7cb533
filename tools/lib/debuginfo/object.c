// SPDX-License-Identifier: GPL-2.0
/*
 * libdwfl lays a module that is not relocated out at addresses of its own, section by section, and
 * relocates its debug information to them. So all objects look alike here: symbols and lines are
 * somewhere, and what is in one section stays together.
 */
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debuginfo/units.h"
#include "debuginfo/object.h"
#include "util/by_number.h"

#define OTHER_HINT \
	"its lines would be those of other code: name the file of the build that was sampled"
#define STRIPPED_HINT \
	"it may have been stripped: name the file that the debug information was split off to"

#define DEBUGINFOD		"debuginfod"
#define DEBUGINFOD_VARIABLE	"DEBUGINFOD_URLS"

/* Bytes of the longest build id that is looked for. */
enum { BUILD_ID_BYTES = 64 };

/**
 * struct symbol - a symbol while they are put in order
 * @name: its name, which belongs to libdwfl
 * @at: where it is
 */
struct symbol {
	const char *name;
	struct kmprof_object_symbol at;
};

/**
 * struct kmprof_object - a file with debug information
 * @path: the file
 * @dwfl: libdwfl's
 * @module: the only one in there
 * @bias: addresses of @module less those of its DWARF
 * @units: the units of that
 * @nr: symbols
 * @name: of each symbol, in their order
 * @at: where it is
 * @starts: __u64: where the functions begin, by address
 */
struct kmprof_object {
	char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf_Addr bias;
	struct kmprof_units units;
	size_t nr;
	const char **name;
	struct kmprof_object_symbol *at;
	struct kmprof_growing starts;
};

/*
 * libdw ends the program if it has no memory, unless a handler leaves it. What it has allocated
 * stays its own, and is freed with the object. The jump skips functions of units.c only, which hold
 * no allocation across a call of libdw.
 */
static jmp_buf out_of_memory;

static void __noreturn leave_libdw(void)
{
	longjmp(out_of_memory, 1);
}

/* --- symbols -------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool is_relocatable(const struct kmprof_object *o)
{
	GElf_Addr bias;
	GElf_Ehdr header;

	return gelf_getehdr(dwfl_module_getelf(o->module, &bias), &header) &&
	       header.e_type == ET_REL;
}

/* Labels of assembler code have no type. */
static bool is_code(const GElf_Sym *symbol)
{
	return GELF_ST_TYPE(symbol->st_info) == STT_FUNC ||
	       GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE;
}

static int list_symbols(struct kmprof_object *o, struct kmprof_growing *symbols, int nr)
{
	bool has_sections = is_relocatable(o);
	struct symbol symbol;
	GElf_Word section;
	GElf_Addr address;
	int i, ret = 0;
	GElf_Sym sym;

	for (i = 0; !ret && i < nr; i++) {
		symbol.name = dwfl_module_getsym_info(o->module, i, &sym, &address, &section,
						      NULL, NULL);
		if (!symbol.name || !*symbol.name || !is_code(&sym) || section == SHN_UNDEF ||
		    section == SHN_ABS || section == SHN_COMMON)
			continue;
		symbol.at.address = address;
		symbol.at.section = has_sections ? section : 0;
		ret = kmprof_growing_add(symbols, &symbol, sizeof(symbol));
		if (!ret && GELF_ST_TYPE(sym.st_info) == STT_FUNC)
			ret = kmprof_growing_add(&o->starts, &symbol.at.address,
						 sizeof(symbol.at.address));
	}
	return ret;
}

static int sort_symbols(struct kmprof_object *o, struct symbol *symbol, size_t nr)
{
	size_t i;

	o->name = calloc(nr + 1, sizeof(*o->name));
	o->at = calloc(nr + 1, sizeof(*o->at));
	if (!o->name || !o->at)
		return -ENOMEM;
	if (nr)
		qsort(symbol, nr, sizeof(*symbol), by_name);
	for (i = 0; i < nr; i++) {
		o->name[i] = symbol[i].name;
		o->at[i] = symbol[i].at;
	}
	o->nr = nr;
	if (o->starts.used)
		qsort(o->starts.bytes, o->starts.used / sizeof(__u64), sizeof(__u64),
		      kmprof_by_number);
	return 0;
}

static int load_symbols(struct kmprof_object *o, struct kmprof_error *err)
{
	struct kmprof_growing symbols = { 0 };
	int ret, nr;

	nr = dwfl_module_getsymtab(o->module);
	if (nr < 0)
		return kmprof_error_set(err, -ENODATA, NULL, "%s: symbols: %s", o->path,
					dwfl_errmsg(-1));
	ret = list_symbols(o, &symbols, nr);
	if (!ret)
		ret = sort_symbols(o, (void *)symbols.bytes, symbols.used / sizeof(struct symbol));
	free(symbols.bytes);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "%s: symbols: %s", o->path, strerror(-ret));
	return 0;
}

/* The first of the symbols whose name is not before @name, or the number of all. */
static size_t first_symbol(const struct kmprof_object *o, const char *name)
{
	size_t low = 0, high = o->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(o->name[middle], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct kmprof_object_symbol *kmprof_object_symbols(const struct kmprof_object *object,
							 const char *name, size_t *nr)
{
	size_t first = first_symbol(object, name), end = first;

	while (end < object->nr && !strcmp(object->name[end], name))
		end++;
	*nr = end - first;
	return object->at + first;
}

bool kmprof_object_is_in(const struct kmprof_object *object, __u64 start, __u64 address)
{
	const __u64 *begin = (const void *)object->starts.bytes;
	size_t low = 0, high = object->starts.used / sizeof(*begin), nr = high, middle;

	if (address < start)
		return false;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (begin[middle] <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low == nr || address < begin[low];
}

/* --- opening -------------------------------------------------------------------------- */

static int check_build(const struct kmprof_object *o, const char *const *build_ids, size_t nr,
		       size_t *which, struct kmprof_error *err)
{
	char hex[2 * BUILD_ID_BYTES + 1] = "";
	const unsigned char *bits;
	GElf_Addr address;
	int i, size;

	size = dwfl_module_build_id(o->module, &bits, &address);
	if (size <= 0 || size > BUILD_ID_BYTES)
		return kmprof_error_set(err, -ESTALE, OTHER_HINT, "%s: it has no build id",
					o->path);
	for (i = 0; i < size; i++)
		sprintf(hex + 2 * i, "%02x", bits[i]);
	for (*which = 0; *which < nr; ++*which)
		if (!strcmp(build_ids[*which], hex))
			return 0;
	return kmprof_error_set(err, -ESTALE, OTHER_HINT,
				"%s: its build id %s is not that of %s", o->path, hex,
				nr == 1 ? build_ids[0] : "what was sampled");
}

static int list_units(struct kmprof_object *o, Dwarf *dwarf)
{
	dwarf_new_oom_handler(dwarf, leave_libdw);
	if (setjmp(out_of_memory))
		return -ENOMEM;
	return kmprof_units_init(&o->units, dwarf);
}

static int load_lines(struct kmprof_object *o, struct kmprof_error *err)
{
	Dwarf *dwarf;
	int ret;

	dwarf = dwfl_module_getdwarf(o->module, &o->bias);
	if (!dwarf)
		return kmprof_error_set(err, -ENODATA, STRIPPED_HINT,
					"%s: debug information: %s", o->path, dwfl_errmsg(-1));
	ret = list_units(o, dwarf);
	if (ret == -EINVAL)
		return kmprof_error_set(err, ret, NULL, "%s: debug information: %s", o->path,
					dwarf_errmsg(-1));
	if (ret)
		return kmprof_error_set(err, ret, NULL, "%s: out of memory", o->path);
	if (!o->units.ranges.used)
		return kmprof_error_set(err, -ENODATA, NULL,
					"%s: its debug information is of no code", o->path);
	return 0;
}

/*
 * libdwfl's way to find debug information that was split off, but without its servers: a directory
 * that is searched later may have the file. They are asked by kmprof_object_fetch().
 */
static int find_split_off(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word sum, char **found)
{
	const char *urls = getenv(DEBUGINFOD_VARIABLE);
	char *kept = urls ? strdup(urls) : NULL;
	int fd;

	if (urls && !kept)
		return -1;
	unsetenv(DEBUGINFOD_VARIABLE);
	fd = dwfl_standard_find_debuginfo(module, data, name, base, file, link, sum, found);
	if (kept)
		setenv(DEBUGINFOD_VARIABLE, kept, 1);
	free(kept);
	return fd;
}

/* Takes the descriptor. */
static int report(struct kmprof_object *o, int fd, struct kmprof_error *err)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = find_split_off,
		.section_address = dwfl_offline_section_address,
	};

	o->dwfl = dwfl_begin(&callbacks);
	if (!o->dwfl) {
		close(fd);
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: %s", o->path, dwfl_errmsg(-1));
	}
	dwfl_report_begin(o->dwfl);
	o->module = dwfl_report_offline(o->dwfl, o->path, o->path, fd);
	if (!o->module) {
		kmprof_error_set(err, -EINVAL, NULL, "%s: %s", o->path, dwfl_errmsg(-1));
		close(fd);
	}
	dwfl_report_end(o->dwfl, NULL, NULL);
	return o->module ? 0 : -EINVAL;
}

/* Takes the descriptor. */
static int open_fd(struct kmprof_object **object, const char *path, int fd,
		   const char *const *build_ids, size_t nr, size_t *which,
		   struct kmprof_error *err)
{
	struct kmprof_object *o = calloc(1, sizeof(*o));
	int ret;

	if (o)
		o->path = strdup(path);
	if (!o || !o->path) {
		close(fd);
		free(o);
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", path);
	}
	ret = report(o, fd, err);
	if (!ret)
		ret = check_build(o, build_ids, nr, which, err);
	if (!ret)
		ret = load_lines(o, err);
	if (!ret)
		ret = load_symbols(o, err);
	if (ret) {
		kmprof_object_close(o);
		return ret;
	}
	*object = o;
	return 0;
}

int kmprof_object_open(struct kmprof_object **object, const char *path,
		       const char *const *build_ids, size_t nr, size_t *which,
		       struct kmprof_error *err)
{
	/* A FIFO would wait for a writer. */
	int ret, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		ret = -errno;
		if (fd >= 0)
			close(fd);
		return kmprof_error_set(err, ret, NULL, "%s: %s", path, strerror(-ret));
	}
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		return kmprof_error_set(err, -EINVAL, NULL, "%s: not a regular file", path);
	}
	return open_fd(object, path, fd, build_ids, nr, which, err);
}

/* libdwfl asks for the address of the note with the build id. It does not matter. */
static int any_address(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		       const char *section, GElf_Word index, const GElf_Shdr *header,
		       Dwarf_Addr *address)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)section;
	(void)index;
	(void)header;
	*address = 0;
	return 0;
}

/* For libdwfl to look for: a module of which nothing is known but its build. */
static Dwfl_Module *report_build(Dwfl *dwfl, const char *build_id)
{
	unsigned char bytes[BUILD_ID_BYTES];
	unsigned int byte;
	Dwfl_Module *module;
	size_t size = 0;

	for (; size < sizeof(bytes) && sscanf(build_id, "%2x", &byte) == 1; build_id += 2)
		bytes[size++] = (unsigned char)byte;
	dwfl_report_begin(dwfl);
	module = dwfl_report_module(dwfl, "wanted", 0x1000, 0x2000);
	if (module && dwfl_module_report_build_id(module, bytes, size, 0))
		module = NULL;
	dwfl_report_end(dwfl, NULL, NULL);
	return module;
}

int kmprof_object_fetch(struct kmprof_object **object, const char *build_id,
			struct kmprof_error *err)
{
	char *path = "", *found = NULL;
	const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.section_address = any_address,
		.debuginfo_path = &path,
	};
	Dwfl_Module *module;
	int ret, fd = -1;
	size_t which;
	Dwfl *dwfl;

	if (!getenv(DEBUGINFOD_VARIABLE))
		return kmprof_error_set(err, -ENOENT, NULL, "no servers");
	dwfl = dwfl_begin(&callbacks);
	module = dwfl ? report_build(dwfl, build_id) : NULL;
	if (!module)
		ret = kmprof_error_set(err, -ENOMEM, NULL, "build id %s: %s", build_id,
				       dwfl_errmsg(-1));
	else
		fd = dwfl_standard_find_debuginfo(module, NULL, NULL, 0, NULL, NULL, 0, &found);
	if (module && fd < 0)
		ret = kmprof_error_set(err, -ENOENT, NULL, "build id %s: not found", build_id);
	else if (module)
		ret = open_fd(object, found ? found : DEBUGINFOD, fd, &build_id, 1, &which, err);
	free(found);
	dwfl_end(dwfl);
	return ret;
}

void kmprof_object_close(struct kmprof_object *object)
{
	if (!object)
		return;
	kmprof_units_release(&object->units);
	dwfl_end(object->dwfl);
	free(object->path);
	free(object->name);
	free(object->at);
	free(object->starts.bytes);
	free(object);
}

const char *kmprof_object_path(const struct kmprof_object *object)
{
	return object->path;
}

int kmprof_object_lines(struct kmprof_object *object, __u64 address, struct kmprof_growing *lines,
			struct kmprof_intern *strings)
{
	if (setjmp(out_of_memory))
		return -ENOMEM;
	return kmprof_units_lines(&object->units, address - object->bias, lines, strings);
}
