// SPDX-License-Identifier: GPL-2.0
/*
 * Reads vmlinux and the test module by libdwfl, at addresses of its own: what
 * runs is found there by the names of functions, and by where _text is.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem/code.h"

enum {
	CALL_BYTES = 5,		/* of a direct call: opcode and displacement */
	CALL_OPCODE = 0xe8,
	CALL_FAR = 160,		/* bytes from the use of a tag to the call */
	TAG_BYTES = 40,		/* struct alloc_tag of v6.12 */
	TAG_LINE = 4,		/* offsets in it */
	TAG_FUNCTION = 16,
	TAG_FILE = 24,
};

/**
 * struct function - a function symbol
 * @start: its address in the file
 * @end: behind its last byte
 * @name: its name
 */
struct function {
	uint64_t start;
	uint64_t end;
	const char *name;
};

/**
 * struct object - vmlinux or a module
 * @dwfl: its debug information
 * @module: the only one in @dwfl
 * @functions: sorted by address
 * @count: how many
 */
struct object {
	Dwfl *dwfl;
	Dwfl_Module *module;
	struct function *functions;
	size_t count;
};

struct code {
	const struct symbols *symbols;
	struct object kernel;
	struct object test;
	uint64_t shift;		/* of the running kernel against its file */
	struct code_use *uses;
	unsigned int count;
	unsigned int room;
};

static void complain(const char *what, const char *path)
{
	const char *why = dwfl_errmsg(-1);

	fprintf(stderr, "# %s %s: %s\n", what, path, why ? why : "not found");
}

static int by_start(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	return left->start < right->start ? -1 : left->start > right->start;
}

static int object_open(struct object *object, const char *path)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	int i, symbols;

	object->dwfl = dwfl_begin(&callbacks);
	if (!object->dwfl)
		goto fail;
	dwfl_report_begin(object->dwfl);
	object->module = dwfl_report_offline(object->dwfl, path, path, -1);
	dwfl_report_end(object->dwfl, NULL, NULL);
	if (!object->module)
		goto fail;
	symbols = dwfl_module_getsymtab(object->module);
	if (symbols <= 0)
		goto fail;
	object->functions = calloc(symbols, sizeof(*object->functions));
	if (!object->functions)
		return -1;
	for (i = 0; i < symbols; i++) {
		struct function *function = &object->functions[object->count];
		GElf_Addr address;
		GElf_Sym symbol;

		function->name = dwfl_module_getsym_info(object->module, i, &symbol, &address,
							 NULL, NULL, NULL);
		if (!function->name || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
		    symbol.st_shndx == SHN_UNDEF)
			continue;
		function->start = address;
		function->end = address + symbol.st_size;
		object->count++;
	}
	qsort(object->functions, object->count, sizeof(*object->functions), by_start);
	return 0;
fail:
	complain("symbols of", path);
	return -1;
}

static void object_close(struct object *object)
{
	free(object->functions);
	dwfl_end(object->dwfl);
}

/* The function that an address of the file lies in. */
static const struct function *function_at(const struct object *object, uint64_t address)
{
	size_t low = 0, high = object->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (object->functions[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low && object->functions[low - 1].start <= address) {
		if (address < object->functions[low - 1].end)
			return &object->functions[low - 1];
		/* An alias without a size. */
		if (low > 1 && object->functions[low - 2].start < object->functions[low - 1].start)
			break;
		low--;
	}
	return NULL;
}

static const struct function *function_named(const struct object *object, const char *name)
{
	size_t i;

	for (i = 0; i < object->count; i++)
		if (!strcmp(object->functions[i].name, name))
			return &object->functions[i];
	return NULL;
}

/* The address of a symbol that is no function, 0 when there is none. */
static uint64_t symbol_address(const struct object *object, const char *name)
{
	int i, symbols = dwfl_module_getsymtab(object->module);

	for (i = 0; i < symbols; i++) {
		GElf_Addr address;
		GElf_Sym symbol;
		const char *found = dwfl_module_getsym_info(object->module, i, &symbol, &address,
							    NULL, NULL, NULL);

		if (found && !strcmp(found, name))
			return address;
	}
	return 0;
}

/* The bytes of a file from an address on; NULL where there are less than @size. */
static const uint8_t *bytes_at(const struct object *object, uint64_t address, size_t size)
{
	GElf_Addr offset = address, bias;
	Elf_Scn *section = dwfl_module_address_section(object->module, &offset, &bias);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;

	if (!data || !data->d_buf || offset + size > data->d_size)
		return NULL;
	return (const uint8_t *)data->d_buf + offset;
}

static const char *string_at(const struct object *object, const uint8_t *pointer)
{
	uint64_t address;

	memcpy(&address, pointer, sizeof(address));
	return (const char *)bytes_at(object, address, 1);
}

/* What a direct call of vmlinux calls. */
static const struct function *call_target(const struct object *object, const uint8_t *call,
					  uint64_t address)
{
	const struct function *target;
	int32_t distance;

	if (call[0] != CALL_OPCODE)
		return NULL;
	memcpy(&distance, call + 1, sizeof(distance));
	address += CALL_BYTES + (int64_t)distance;
	target = function_at(object, address);
	return target && target->start == address ? target : NULL;
}

static int is_allocator(const char *name)
{
	size_t length = strlen(name), tail = strlen("_noprof");

	return length > tail && !strcmp(name + length - tail, "_noprof");
}

/* The first allocator that is called behind the use of a tag. */
static const char *allocator_behind(const struct object *object, const uint8_t *code,
				    size_t size, uint64_t address)
{
	size_t i;

	for (i = 0; i < CALL_FAR && i + CALL_BYTES <= size; i++) {
		const struct function *target = call_target(object, code + i, address + i);

		if (target && is_allocator(target->name))
			return target->name;
	}
	return NULL;
}

static int add_use(struct code *code, const uint8_t *tag, uint64_t user, const char *allocator)
{
	const struct function *function = function_at(&code->kernel, user);
	struct code_use *use;
	uint32_t line;

	if (code->count == code->room) {
		code->room = code->room ? code->room * 2 : 2048;
		use = realloc(code->uses, code->room * sizeof(*use));
		if (!use)
			return -1;
		code->uses = use;
	}
	use = &code->uses[code->count++];
	memcpy(&line, tag + TAG_LINE, sizeof(line));
	*use = (struct code_use){
		.place = {
			.function = string_at(&code->kernel, tag + TAG_FUNCTION),
			.file = string_at(&code->kernel, tag + TAG_FILE),
			.line = line,
		},
		.user = function ? function->name : "",
		.allocator = allocator,
	};
	return use->place.function && use->place.file ? 0 : -1;
}

/**
 * struct table - all struct alloc_tag of vmlinux
 * @first: address
 * @bytes: size
 * @tags: contents
 */
struct table {
	uint64_t first;
	uint64_t bytes;
	const uint8_t *tags;
};

/* The code stores a tag's address in current->alloc_tag before it calls an allocator. */
static int find_uses(struct code *code, const struct table *table, const uint8_t *text,
		     size_t size, uint64_t address)
{
	const size_t step = sizeof(int32_t);
	size_t i;

	for (i = 0; i + step <= size; i++) {
		uint64_t offset;
		int32_t value;

		memcpy(&value, text + i, step);
		offset = (uint64_t)(int64_t)value - table->first;
		if (offset >= table->bytes || offset % TAG_BYTES)
			continue;
		if (add_use(code, table->tags + offset, address + i,
			    allocator_behind(&code->kernel, text + i + step, size - i - step,
					     address + i + step)))
			return -1;
	}
	return 0;
}

static int read_uses(struct code *code)
{
	struct table table = { .first = symbol_address(&code->kernel, "__start_alloc_tags") };
	uint64_t end = symbol_address(&code->kernel, "__stop_alloc_tags");
	Elf_Scn *section = NULL;
	GElf_Addr bias;
	Elf *elf;

	table.bytes = end - table.first;
	if (table.first && table.first < end)
		table.tags = bytes_at(&code->kernel, table.first, table.bytes);
	if (!table.tags || table.bytes % TAG_BYTES) {
		fprintf(stderr, "# vmlinux: no table of struct alloc_tag as in v6.12\n");
		return -1;
	}

	elf = dwfl_module_getelf(code->kernel.module, &bias);
	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR))
			continue;
		data = elf_rawdata(section, NULL);
		if (data && data->d_buf &&
		    find_uses(code, &table, data->d_buf, data->d_size, header.sh_addr)) {
			fprintf(stderr, "# vmlinux: cannot read its struct alloc_tag\n");
			return -1;
		}
	}
	return 0;
}

/**
 * code_open() - read what runs
 * @vmlinux: the running kernel's file, with debug information
 * @module: that of kmprof_test.ko
 * @symbols: of the running kernel, with the test module loaded; must outlive
 *	the result
 *
 * Return: for code_close(), or NULL with an explanation on stderr.
 */
struct code *code_open(const char *vmlinux, const char *module, const struct symbols *symbols)
{
	const struct symbol *running = symbols_by_name(symbols, "_text");
	struct code *code = calloc(1, sizeof(*code));
	uint64_t text;

	if (!code)
		return NULL;
	code->symbols = symbols;
	if (object_open(&code->kernel, vmlinux) || object_open(&code->test, module))
		goto fail;
	text = symbol_address(&code->kernel, "_text");
	if (!running || !text) {
		fprintf(stderr, "# %s: no _text there, or in /proc/kallsyms\n", vmlinux);
		goto fail;
	}
	code->shift = running->address - text;
	if (read_uses(code))
		goto fail;
	return code;
fail:
	code_close(code);
	return NULL;
}

/**
 * code_close() - forget what was read
 * @code: may be NULL
 */
void code_close(struct code *code)
{
	if (!code)
		return;
	object_close(&code->kernel);
	object_close(&code->test);
	free(code->uses);
	free(code);
}

/* From a running address to an object and an address in its file. */
static struct object *locate(struct code *code, uint64_t *address)
{
	const struct symbol *symbol = symbols_caller(code->symbols, *address);
	const struct function *function;

	if (!symbol)
		return NULL;
	if (!symbol->module[0]) {
		*address -= code->shift;
		return &code->kernel;
	}
	if (strcmp(symbol->module, "kmprof_test"))
		return NULL;
	function = function_named(&code->test, symbol->name);
	if (!function)
		return NULL;
	*address = function->start + (*address - symbol->address);
	return &code->test;
}

static unsigned int call_line(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &value) ? 0 : value;
}

static const char *call_file(Dwarf_Die *die, Dwarf_Files *files)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &value))
		return NULL;
	return dwarf_filesrc(files, value, NULL, NULL);
}

/**
 * code_places() - where in the source a call was made
 * @code: the code
 * @return_address: where the call returns to
 * @places: out: the place of the call and, while that is in an inlined function,
 *	the places where that was called
 * @room: how many @places there are
 *
 * Return: number of places, 0 when it is not known.
 */
unsigned int code_places(struct code *code, uint64_t return_address,
			 struct code_place *places, unsigned int room)
{
	struct object *object = locate(code, &return_address);
	Dwarf_Die *unit, *scopes = NULL, *physical = NULL;
	struct code_place place = { NULL };
	Dwarf_Addr call = return_address - 1, bias;
	unsigned int found = 0;
	Dwarf_Files *files;
	Dwfl_Line *line;
	size_t count;
	int i, nr, at;

	if (!object)
		return 0;
	unit = dwfl_module_addrdie(object->module, call, &bias);
	line = dwfl_module_getsrc(object->module, call);
	if (!unit || !line || dwarf_getsrcfiles(unit, &files, &count))
		return 0;
	place.file = dwfl_lineinfo(line, NULL, &at, NULL, NULL, NULL);
	place.line = at;
	if (dwarf_getscopes(unit, call - bias, &scopes) <= 0)
		return 0;
	nr = dwarf_getscopes_die(&scopes[0], &physical);
	for (i = 0; i < nr && found < room && place.file; i++) {
		int tag = dwarf_tag(&physical[i]);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		place.function = dwarf_diename(&physical[i]);
		if (!place.function)
			break;
		places[found++] = place;
		if (tag == DW_TAG_subprogram)
			break;
		place.file = call_file(&physical[i], files);
		place.line = call_line(&physical[i]);
	}
	free(physical);
	free(scopes);
	return found;
}

/* What the relocation of a module's call names. */
static const char *relocated_callee(const struct object *object, uint64_t return_address)
{
	GElf_Addr offset = return_address - 1, bias;
	Elf_Scn *text = dwfl_module_address_section(object->module, &offset, &bias);
	Elf *elf = dwfl_module_getelf(object->module, &bias);
	Elf_Scn *section = NULL;
	GElf_Shdr header, table;
	GElf_Rela rela;
	GElf_Sym symbol;
	int i;

	offset -= sizeof(int32_t) - 1;
	while (text && (section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL), *symbols;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA ||
		    header.sh_info != elf_ndxscn(text) || !data)
			continue;
		symbols = elf_getdata(elf_getscn(elf, header.sh_link), NULL);
		if (!symbols || !gelf_getshdr(elf_getscn(elf, header.sh_link), &table))
			continue;
		for (i = 0; gelf_getrela(data, i, &rela); i++)
			if (rela.r_offset == offset &&
			    gelf_getsym(symbols, GELF_R_SYM(rela.r_info), &symbol))
				return elf_strptr(elf, table.sh_link, symbol.st_name);
	}
	return NULL;
}

/**
 * code_callee() - which function a call has called
 * @code: the code
 * @return_address: where it returns to
 *
 * Return: its name, NULL when the call was not direct.
 */
const char *code_callee(struct code *code, uint64_t return_address)
{
	struct object *object = locate(code, &return_address);
	const struct function *target;
	const uint8_t *call;

	if (!object)
		return NULL;
	if (object == &code->test)
		return relocated_callee(object, return_address);
	call = bytes_at(object, return_address - CALL_BYTES, CALL_BYTES);
	target = call ? call_target(object, call, return_address - CALL_BYTES) : NULL;
	return target ? target->name : NULL;
}

/**
 * code_uses() - where the kernel itself uses its accounted call sites
 * @code: the code
 * @count: out: how many
 */
const struct code_use *code_uses(const struct code *code, unsigned int *count)
{
	*count = code->count;
	return code->uses;
}
