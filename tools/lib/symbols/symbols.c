// SPDX-License-Identifier: GPL-2.0
/*
 * Sorted tables of the kernel's functions and of its data. Aliases at one address
 * keep the order of the file and the first one wins, as in the kernel's own
 * look-up, so that names agree with what the module prints.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/symbols.h"

/*
 * The last symbol of a module has no next one that would end it. Behind its last function may be
 * its data. If not, a page is enough for most, and keeps addresses from far away from getting its
 * name.
 */
#define LAST_SIZE	4096

#define NO_MODULE	0

struct entry {
	__u64 start;
	__u32 name;	/* offset in text */
	__u32 module;	/* index + 1, or NO_MODULE */
};

struct module {
	__u32 name;	/* offset in text */
	__u64 start;
	__u64 end;
};

struct table {
	struct entry *entry;
	size_t nr, room;
};

struct kmprof_symbols {
	struct table functions;
	struct table data;
	char *text;
	size_t text_used, text_room;
	struct module *module;
	__u32 nr_modules, module_room;
	__u64 kernel_start, kernel_end;
};

static int add_text(struct kmprof_symbols *s, const char *str, __u32 *offset)
{
	size_t len = strlen(str) + 1;
	char *more;

	if (s->text_used + len > (1ULL << 32) - 1)
		return -E2BIG;
	while (s->text_used + len > s->text_room) {
		size_t room = s->text_room ? s->text_room * 2 : 1 << 16;

		more = realloc(s->text, room);
		if (!more)
			return -ENOMEM;
		s->text = more;
		s->text_room = room;
	}
	*offset = (__u32)s->text_used;
	memcpy(s->text + s->text_used, str, len);
	s->text_used += len;
	return 0;
}

/* A module's symbols follow one another in the file: look at the last first. */
static int find_module(struct kmprof_symbols *s, const char *name, __u32 *index)
{
	struct module *more;
	__u32 i;
	int ret;

	for (i = s->nr_modules; i; i--) {
		if (!strcmp(s->text + s->module[i - 1].name, name)) {
			*index = i;
			return 0;
		}
	}
	if (s->nr_modules == s->module_room) {
		__u32 room = s->module_room ? s->module_room * 2 : 64;

		more = realloc(s->module, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		s->module = more;
		s->module_room = room;
	}
	ret = add_text(s, name, &s->module[s->nr_modules].name);
	if (ret)
		return ret;
	s->module[s->nr_modules].start = ~0ULL;
	s->module[s->nr_modules].end = 0;
	*index = ++s->nr_modules;
	return 0;
}

static int add_entry(struct kmprof_symbols *s, struct table *t, __u64 start, const char *name,
		     const char *module)
{
	struct entry *more, *e;
	int ret;

	if (t->nr == t->room) {
		size_t room = t->room ? t->room * 2 : 1 << 14;

		more = realloc(t->entry, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		t->entry = more;
		t->room = room;
	}
	e = &t->entry[t->nr];
	e->start = start;
	e->module = NO_MODULE;
	if (module) {
		ret = find_module(s, module, &e->module);
		if (ret)
			return ret;
	}
	ret = add_text(s, name, &e->name);
	if (ret)
		return ret;
	t->nr++;
	return 0;
}

/* Where symbols of a type belong, by nm(1)'s letters; NULL: nowhere. */
static struct table *table_of(struct kmprof_symbols *s, char type)
{
	switch (type) {
	case 't':
	case 'T':
	case 'w':
	case 'W':
		return &s->functions;
	case 'd':
	case 'D':
	case 'b':
	case 'B':
	case 'v':
	case 'V':
		return &s->data;
	default:
		return NULL;
	}
}

/* Names go to terminals and into JSON; a copied file may hold anything. */
static bool plain(const char *str)
{
	if (!*str)
		return false;
	for (; *str; str++)
		if (*str <= ' ' || *str > '~')
			return false;
	return true;
}

/* "ADDRESS TYPE NAME", for modules followed by a tab and "[MODULE]". */
static bool split_line(char *line, __u64 *start, char *type, char **name, char **module)
{
	char *save = NULL, *field, *end;

	field = strtok_r(line, " \t\n", &save);
	if (!field)
		return false;
	errno = 0;
	*start = strtoull(field, &end, 16);
	if (errno || *end)
		return false;
	field = strtok_r(NULL, " \t\n", &save);
	if (!field || field[1])
		return false;
	*type = field[0];
	*name = strtok_r(NULL, " \t\n", &save);
	if (!*name || !plain(*name))
		return false;
	*module = strtok_r(NULL, " \t\n", &save);
	if (*module) {
		size_t len = strlen(*module);

		if (len < 3 || (*module)[0] != '[' || (*module)[len - 1] != ']')
			return false;
		(*module)[len - 1] = '\0';
		(*module)++;
		if (!plain(*module))
			return false;
	}
	return true;
}

static int read_lines(struct kmprof_symbols *s, FILE *file, bool *any_line)
{
	char *line = NULL, *name, *module;
	struct table *table;
	__u64 start;
	size_t room = 0;
	int ret = 0;
	char type;

	while (getline(&line, &room, file) >= 0) {
		if (!split_line(line, &start, &type, &name, &module))
			continue;
		*any_line = true;
		if (!start)
			continue;
		if (!module && !strcmp(name, "_text"))
			s->kernel_start = start;
		if (!module && !strcmp(name, "_etext"))
			s->kernel_end = start;
		/* _etext ends the last function; it is none itself. */
		table = table_of(s, type);
		if (!table || (!module && !strcmp(name, "_etext")))
			continue;
		ret = add_entry(s, table, start, name, module);
		if (ret)
			break;
	}
	if (!ret && !feof(file))
		ret = ferror(file) ? -EIO : -ENOMEM;
	free(line);
	return ret;
}

static int by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start > y->start ? 1 : -1;
	/* Names were appended in the order of the file. */
	return (x->name > y->name) - (x->name < y->name);
}

static void sort(struct table *t)
{
	if (t->nr)
		qsort(t->entry, t->nr, sizeof(*t->entry), by_start);
}

/* The first entry behind an address. */
static size_t first_behind(const struct table *t, __u64 address)
{
	size_t low = 0, high = t->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (t->entry[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Where the data of a module begins behind its last function, or @end. */
static __u64 data_behind(const struct kmprof_symbols *s, __u32 module, __u64 start, __u64 end)
{
	size_t i = first_behind(&s->data, start);

	return i < s->data.nr && s->data.entry[i].module == module ? s->data.entry[i].start : end;
}

/* Where entry i ends; aliases of it do not end it. */
static __u64 end_of(const struct kmprof_symbols *s, const struct table *t, size_t i)
{
	__u64 start = t->entry[i].start, end = start + LAST_SIZE;
	__u32 module = t->entry[i].module;
	size_t next = i + 1;

	while (next < t->nr && t->entry[next].start == start)
		next++;
	if (next < t->nr && t->entry[next].module == module)
		end = t->entry[next].start;
	else if (module != NO_MODULE && t == &s->functions)
		end = data_behind(s, module, start, end);
	if (next < t->nr && t->entry[next].start < end)
		end = t->entry[next].start;
	/* Read-only data lies between the kernel's text and its init text. */
	if (module == NO_MODULE && start < s->kernel_end && end > s->kernel_end)
		end = s->kernel_end;
	return end;
}

static void find_module_ranges(struct kmprof_symbols *s)
{
	const struct table *t = &s->functions;
	struct module *m;
	__u64 end;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		if (t->entry[i].module == NO_MODULE)
			continue;
		m = &s->module[t->entry[i].module - 1];
		if (m->start > t->entry[i].start)
			m->start = t->entry[i].start;
		end = end_of(s, t, i);
		if (m->end < end)
			m->end = end;
	}
}

#define HIDDEN_HINT \
	"the kernel hides addresses: run as root, or with CAP_SYSLOG and /proc/sys/kernel/kptr_restrict below 2"

int kmprof_symbols_load(struct kmprof_symbols **symbols, const char *path,
			struct kmprof_error *err)
{
	struct kmprof_symbols *s;
	bool any_line = false;
	FILE *file;
	int ret;

	file = fopen(path, "re");
	if (!file)
		return kmprof_error_set(err, -errno,
			"without symbols, addresses stay bare; is this kernel built with CONFIG_KALLSYMS?",
			"%s: %s", path, strerror(errno));
	s = calloc(1, sizeof(*s));
	ret = s ? read_lines(s, file, &any_line) : -ENOMEM;
	fclose(file);
	if (ret) {
		kmprof_error_set(err, ret, NULL, "%s: %s", path, strerror(-ret));
		goto err_free;
	}
	if (!any_line) {
		ret = kmprof_error_set(err, -EINVAL, "it should look like /proc/kallsyms",
				       "%s: no symbols in it", path);
		goto err_free;
	}
	if (!s->functions.nr) {
		ret = kmprof_error_set(err, -EACCES, HIDDEN_HINT,
				       "%s: all addresses are zero", path);
		goto err_free;
	}
	sort(&s->functions);
	sort(&s->data);
	find_module_ranges(s);
	*symbols = s;
	return 0;

err_free:
	kmprof_symbols_free(s);
	return ret;
}

void kmprof_symbols_free(struct kmprof_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->functions.entry);
	free(symbols->data.entry);
	free(symbols->text);
	free(symbols->module);
	free(symbols);
}

static bool find(const struct kmprof_symbols *symbols, const struct table *table, __u64 address,
		 struct kmprof_symbol *symbol)
{
	const struct entry *entry = table->entry;
	size_t low = first_behind(table, address);
	__u64 end;

	/* The first entry behind the address ... */
	if (!low)
		return false;
	/* ... the one before it, and of its aliases the first. */
	low--;
	while (low && entry[low - 1].start == entry[low].start)
		low--;
	end = end_of(symbols, table, low);
	if (address >= end)
		return false;
	symbol->start = entry[low].start;
	symbol->size = end - entry[low].start;
	symbol->name = symbols->text + entry[low].name;
	symbol->module = NULL;
	if (entry[low].module != NO_MODULE)
		symbol->module = symbols->text + symbols->module[entry[low].module - 1].name;
	return true;
}

bool kmprof_symbols_find(const struct kmprof_symbols *symbols, __u64 address,
			 struct kmprof_symbol *symbol)
{
	return find(symbols, &symbols->functions, address, symbol);
}

bool kmprof_symbols_find_data(const struct kmprof_symbols *symbols, __u64 address,
			      struct kmprof_symbol *symbol)
{
	return find(symbols, &symbols->data, address, symbol);
}

void kmprof_symbol_write(FILE *file, const struct kmprof_symbol *symbol, __u64 address)
{
	fprintf(file, "%s+0x%llx/0x%llx", symbol->name, address - symbol->start, symbol->size);
	if (symbol->module)
		fprintf(file, " [%s]", symbol->module);
}

void kmprof_symbols_kernel_text(const struct kmprof_symbols *symbols, __u64 *start, __u64 *end)
{
	*start = 0;
	*end = 0;
	if (symbols->kernel_start && symbols->kernel_end > symbols->kernel_start) {
		*start = symbols->kernel_start;
		*end = symbols->kernel_end;
	}
}

int kmprof_symbols_modules(const struct kmprof_symbols *symbols,
			   int (*fn)(const char *name, __u64 start, __u64 end, void *arg),
			   void *arg)
{
	const struct module *m;
	__u32 i;
	int ret;

	for (i = 0; i < symbols->nr_modules; i++) {
		m = &symbols->module[i];
		if (m->start >= m->end)
			continue;
		ret = fn(symbols->text + m->name, m->start, m->end, arg);
		if (ret)
			return ret;
	}
	return 0;
}
