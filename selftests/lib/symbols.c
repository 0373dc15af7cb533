// SPDX-License-Identifier: GPL-2.0
/*
 * Reads /proc/kallsyms and looks addresses up in it.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "module/kmprof_test.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/symbols.h"

static int by_address(const void *a, const void *b)
{
	const struct symbol *left = a, *right = b;

	return left->address < right->address ? -1 :
	       left->address > right->address;
}

/* Cuts "address type name[\t[module]]" up. False: no text symbol. */
static int parse_line(char *line, struct symbol *symbol)
{
	char *end, *tab;

	symbol->address = strtoull(line, &end, 16);
	if (end[0] != ' ' || !end[1] || end[2] != ' ' || !strchr("tTwW", end[1]))
		return 0;
	symbol->name = end + 3;
	symbol->module = "";
	tab = strchr(symbol->name, '\t');
	if (tab) {
		*tab = '\0';
		symbol->module = tab + 2;
		tab[strcspn(tab + 1, "]") + 1] = '\0';
	}
	return 1;
}

/* Cuts /proc/kallsyms up, in place. */
static int parse(struct symbols *symbols, char *text)
{
	size_t room = 0;
	char *line, *next;

	for (line = text; *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		else
			next = line + strlen(line);
		if (symbols->count == room) {
			void *bigger;

			room = room ? room * 2 : 65536;
			bigger = realloc(symbols->all, room * sizeof(*symbols->all));
			if (!bigger)
				return -ENOMEM;
			symbols->all = bigger;
		}
		symbols->count += parse_line(line, &symbols->all[symbols->count]);
	}
	qsort(symbols->all, symbols->count, sizeof(*symbols->all), by_address);
	if (!symbols->count || !symbols->all[symbols->count - 1].address) {
		fprintf(stderr, "# /proc/kallsyms: hides the addresses: run as root\n");
		return -EPERM;
	}
	return 0;
}

/* Moves a string. Returns where it is now. */
static const char *move(const char *string, char **to)
{
	const char *moved = *to;

	*to = stpcpy(*to, string) + 1;
	return moved;
}

/* Copies the names to a place of their own, which is much less than all the text. */
static int gather(struct symbols *symbols)
{
	size_t i, bytes = 0;
	char *to;

	for (i = 0; i < symbols->count; i++)
		bytes += strlen(symbols->all[i].name) + strlen(symbols->all[i].module) + 2;
	symbols->text = malloc(bytes);
	if (!symbols->text)
		return -ENOMEM;
	symbols->text_bytes = bytes;
	for (i = 0, to = symbols->text; i < symbols->count; i++) {
		symbols->all[i].name = move(symbols->all[i].name, &to);
		symbols->all[i].module = move(symbols->all[i].module, &to);
	}
	return 0;
}

/*
 * All that takes half a second in an emulated guest. So it is kept in a file for the
 * next test with the same modules: this, the symbols, the text.
 */
#define KEPT "/run/kmprof_selftest.symbols"

/**
 * struct kept - beginning of the file
 * @inodes: see guest_module_inode(), of kmprof and the modules of the tests
 * @text: where the text was: the symbols point there
 * @count: of symbols
 * @text_bytes: of the text
 */
struct kept {
	ino_t inodes[4];
	char *text;
	size_t count;
	size_t text_bytes;
};

static struct kept kept_of(const struct symbols *symbols)
{
	return (struct kept){
		{ guest_module_inode("kmprof"), guest_module_inode("kmprof_test"),
		  guest_module_inode("kmprof_client"), guest_module_inode("kmprof_catalogue") },
		symbols->text, symbols->count, symbols->text_bytes,
	};
}

/* The next test can do without it. */
static void keep(const struct symbols *symbols)
{
	size_t bytes = symbols->count * sizeof(*symbols->all);
	struct kept kept = kept_of(symbols);
	int fd = open(KEPT ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int whole;

	if (fd < 0)
		return;
	whole = write(fd, &kept, sizeof(kept)) == sizeof(kept) &&
		write(fd, symbols->all, bytes) == (ssize_t)bytes &&
		write(fd, symbols->text, kept.text_bytes) == (ssize_t)kept.text_bytes;
	close(fd);
	if (!whole || rename(KEPT ".new", KEPT))
		unlink(KEPT ".new");
}

static int read_kept(int fd, struct symbols *symbols)
{
	const struct kept now = kept_of(symbols);
	struct kept kept;
	size_t bytes, i;

	if (read(fd, &kept, sizeof(kept)) != sizeof(kept) ||
	    memcmp(kept.inodes, now.inodes, sizeof(kept.inodes)))
		return 0;
	bytes = kept.count * sizeof(*symbols->all);
	symbols->all = malloc(bytes);
	symbols->text = malloc(kept.text_bytes);
	if (!symbols->all || !symbols->text || read(fd, symbols->all, bytes) != (ssize_t)bytes ||
	    read(fd, symbols->text, kept.text_bytes) != (ssize_t)kept.text_bytes)
		return 0;
	for (i = 0; i < kept.count; i++) {
		symbols->all[i].name = symbols->text + (symbols->all[i].name - kept.text);
		symbols->all[i].module = symbols->text + (symbols->all[i].module - kept.text);
	}
	symbols->count = kept.count;
	symbols->text_bytes = kept.text_bytes;
	return 1;
}

/**
 * symbols_load() - read the kernel's symbols
 * @symbols: out: for symbols_free()
 *
 * Return: 0 or a negative errno; -EPERM when the kernel hides the addresses.
 */
int symbols_load(struct symbols *symbols)
{
	int fd = open(KEPT, O_RDONLY | O_CLOEXEC);
	char *text;
	int ret;

	memset(symbols, 0, sizeof(*symbols));
	if (fd >= 0) {
		ret = read_kept(fd, symbols);
		close(fd);
		if (ret)
			return 0;
		symbols_free(symbols);
	}
	ret = guest_read_file("/proc/kallsyms", &text, NULL);
	if (ret)
		return ret;
	ret = parse(symbols, text) ?: gather(symbols);
	free(text);
	if (ret)
		symbols_free(symbols);
	else
		keep(symbols);
	return ret;
}

/**
 * symbols_free() - free the symbols
 * @symbols: may be all zero
 */
void symbols_free(struct symbols *symbols)
{
	free(symbols->all);
	free(symbols->text);
	memset(symbols, 0, sizeof(*symbols));
}

/**
 * symbols_find() - the function that an address lies in
 * @symbols: where to look
 * @address: the address
 *
 * Return: the last function that starts at or before it; NULL when none does.
 */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->all[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &symbols->all[low - 1] : NULL;
}

/**
 * symbols_caller() - the function that a return address leads back to
 * @symbols: where to look
 * @return_address: the address behind a call
 *
 * The call may be the last instruction of its function.
 */
const struct symbol *symbols_caller(const struct symbols *symbols, uint64_t return_address)
{
	return symbols_find(symbols, return_address - 1);
}

/**
 * symbols_by_name() - a function of the kernel
 * @symbols: where to look
 * @name: its name, without what the compiler may have appended (.constprop.0)
 *
 * Return: the function, NULL when there is none of that name.
 */
const struct symbol *symbols_by_name(const struct symbols *symbols, const char *name)
{
	size_t i, length = strlen(name);

	for (i = 0; i < symbols->count; i++) {
		const char *candidate = symbols->all[i].name;

		if (!strncmp(candidate, name, length) &&
		    (!candidate[length] || candidate[length] == '.'))
			return &symbols->all[i];
	}
	return NULL;
}

/**
 * symbols_chain() - the call chain of the test module that a bucket shows
 * @symbols: where to look
 * @snapshot: the image
 * @sample: the bucket
 *
 * Return: the number of the chain when the stack starts with its leaf, middle
 * and outer function, else -1.
 */
int symbols_chain(const struct symbols *symbols, const struct snapshot *snapshot,
		  const struct kmprof_image_sample *sample)
{
	static const char *const parts[] = { "leaf", "middle", "outer" };
	const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
	int chain = -1, i;

	if (sample->row.nr_frames < 3)
		return -1;
	for (i = 0; i < 3; i++) {
		const struct symbol *symbol = symbols_caller(symbols, frames[i]);
		char name[64];

		if (!symbol || strcmp(symbol->module, "kmprof_test"))
			return -1;
		if (!i && sscanf(symbol->name, "kmprof_test_c%2d_", &chain) != 1)
			return -1;
		snprintf(name, sizeof(name), "kmprof_test_c%02d_%s", chain, parts[i]);
		if (strcmp(symbol->name, name))
			return -1;
	}
	return chain < KMPROF_TEST_CHAINS ? chain : -1;
}
