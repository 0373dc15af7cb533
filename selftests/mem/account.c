// SPDX-License-Identifier: GPL-2.0
/*
 * Reads /proc/allocinfo, and finds call sites by their place in the source.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem/account.h"

#define ACCOUNT_PATH	"/proc/allocinfo"

/**
 * account_open() - open the account
 * @account: out: for account_close()
 *
 * Return: 0 or a negative errno; -ENOENT when this kernel keeps none.
 */
int account_open(struct account *account)
{
	int error;

	memset(account, 0, sizeof(*account));
	account->size = 4 << 20;
	account->text = malloc(account->size);
	if (!account->text)
		return -ENOMEM;
	account->fd = open(ACCOUNT_PATH, O_RDONLY | O_CLOEXEC);
	if (account->fd >= 0)
		return 0;
	error = errno;
	fprintf(stderr, "# %s: %s: the kernel needs CONFIG_MEM_ALLOC_PROFILING, enabled\n",
		ACCOUNT_PATH, strerror(error));
	free(account->text);
	memset(account, 0, sizeof(*account));
	account->fd = -1;
	return -error;
}

/**
 * account_close() - close it and forget the sites
 * @account: may be all zero but for a negative descriptor
 */
void account_close(struct account *account)
{
	unsigned int i;

	for (i = 0; i < account->count; i++) {
		free((char *)account->sites[i].file);
		free((char *)account->sites[i].function);
		free((char *)account->sites[i].module);
	}
	free(account->sites);
	free(account->text);
	if (account->fd >= 0)
		close(account->fd);
	memset(account, 0, sizeof(*account));
	account->fd = -1;
}

/* "BYTES CALLS FILE:LINE [MODULE] func:FUNCTION", without the module for the kernel's own. */
static int parse_line(char *line, struct account_site *site, struct account_entry *entry)
{
	char *function = strstr(line, " func:"), *end, *colon, *bracket;

	if (!function)
		return 0;
	*function = '\0';
	site->function = function + strlen(" func:");
	function[strlen(" func:") + strcspn(site->function, " ")] = '\0';

	entry->bytes = strtoll(line, &end, 10);
	entry->calls = strtoll(end, &end, 10);
	site->file = end + strspn(end, " ");
	site->module = "";
	bracket = strstr(site->file, " [");
	if (bracket) {
		*bracket = '\0';
		site->module = bracket + 2;
		bracket[2 + strcspn(site->module, "]")] = '\0';
	}
	colon = strrchr(site->file, ':');
	if (!colon)
		return 0;
	*colon = '\0';
	site->line = strtoul(colon + 1, NULL, 10);
	return 1;
}

static int same(const struct account_site *a, const struct account_site *b)
{
	return a->line == b->line && !strcmp(a->function, b->function) &&
	       !strcmp(a->file, b->file) && !strcmp(a->module, b->module);
}

/* Sites come in the same order every time: @hint is where to look first. */
static int site_number(struct account *account, const struct account_site *site,
		       unsigned int hint)
{
	struct account_site *bigger;
	unsigned int i;

	for (i = 0; i < account->count; i++) {
		unsigned int at = (hint + i) % account->count;

		if (same(&account->sites[at], site))
			return at;
	}
	if (account->count == account->room) {
		account->room = account->room ? account->room * 2 : 4096;
		bigger = realloc(account->sites, account->room * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		account->sites = bigger;
	}
	bigger = &account->sites[account->count];
	*bigger = *site;
	bigger->file = strdup(site->file);
	bigger->function = strdup(site->function);
	bigger->module = strdup(site->module);
	if (!bigger->file || !bigger->function || !bigger->module)
		return -ENOMEM;
	return account->count++;
}

static int read_text(struct account *account)
{
	size_t used = 0;
	ssize_t got;

	if (lseek(account->fd, 0, SEEK_SET))
		return -errno;
	while ((got = read(account->fd, account->text + used, account->size - used - 1)) > 0)
		used += got;
	if (got < 0)
		return -errno;
	account->text[used] = '\0';
	return used + 1 < account->size ? 0 : -E2BIG;
}

/**
 * account_read() - read the account as it is now
 * @account: the open account; gets sites that are new
 * @entries: out: what each of its sites holds, to be freed
 *
 * A site that the compiler has made several of is one here. Opens no file and
 * maps no memory once it was called before.
 */
int account_read(struct account *account, struct account_entry **entries)
{
	unsigned int room, hint = 0;
	struct account_site site;
	struct account_entry entry;
	char *line, *next;
	int ret, number;

	ret = read_text(account);
	if (ret) {
		fprintf(stderr, "# read %s: %s\n", ACCOUNT_PATH, strerror(-ret));
		return ret;
	}
	room = account->count;
	for (line = account->text; (line = strchr(line, '\n')); line++)
		room++;
	*entries = calloc(room + 1, sizeof(**entries));
	if (!*entries)
		return -ENOMEM;
	for (line = account->text; *line; line = next) {
		next = strchrnul(line, '\n');
		if (*next)
			*next++ = '\0';
		if (!parse_line(line, &site, &entry))
			continue;
		number = site_number(account, &site, hint);
		if (number < 0) {
			free(*entries);
			return number;
		}
		(*entries)[number].calls += entry.calls;
		(*entries)[number].bytes += entry.bytes;
		hint = number + 1;
	}
	return 0;
}

/* Debug information has whole paths, the account has them from the source's top on. */
static int same_file(const char *path, const char *file)
{
	size_t length = strlen(path), tail;

	if (!strncmp(file, "./", 2))
		file += 2;
	tail = strlen(file);
	if (length < tail || strcmp(path + length - tail, file))
		return 0;
	return length == tail || path[length - tail - 1] == '/' || file[0] == '/';
}

/**
 * account_find() - the site at a place in the source
 * @account: the account
 * @file: source file, with its directories
 * @function: function
 * @line: line where the call starts
 * @slack: lines that the call may go on for
 *
 * Return: the number of the nearest one, or -1.
 */
int account_find(const struct account *account, const char *file, const char *function,
		 unsigned int line, unsigned int slack)
{
	unsigned int i;
	int best = -1;

	for (i = 0; i < account->count; i++) {
		const struct account_site *site = &account->sites[i];

		if (site->line < line || site->line - line > slack ||
		    (best >= 0 && account->sites[best].line <= site->line))
			continue;
		if (!strcmp(site->function, function) && same_file(file, site->file))
			best = i;
	}
	return best;
}
