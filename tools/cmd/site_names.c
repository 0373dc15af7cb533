// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/site_names.h"
#include "image/memory.h"
#include "profile/nowhere.h"
#include "util/memory_file.h"

enum {
	PIPE_CALLERS	= 4,	/* where no width limits them */
	/* Two for each frame of the deepest stack that the module can have: all it takes. */
	ROUNDS_MOST	= 2 * 128,
};

/* How much is shown of a frame. */
enum detail {
	NAME,
	OFFSET,		/* and always */
	ADDRESS,	/* two functions can have one name */
};

/**
 * struct line - a stack on its way to a line
 * @site: the stack
 * @detail: enum detail of each frame
 * @text: the line
 */
struct line {
	const struct kmprof_site *site;
	unsigned char *detail;
	char *text;
};

struct namer {
	const struct kmprof_resolver *resolver;
	int room;
	struct line *line;
	size_t nr;
};

static void put_frame(const struct namer *n, FILE *file, __u64 ret_addr, enum detail detail)
{
	struct kmprof_frame frame;

	kmprof_resolver_find(n->resolver, ret_addr, &frame);
	if (!frame.named) {
		fprintf(file, "%#llx", ret_addr);
		return;
	}
	fputs(frame.symbol.name, file);
	if (detail >= OFFSET)
		fprintf(file, "+%#llx", ret_addr - frame.symbol.start);
	if (frame.symbol.module)
		fprintf(file, " [%s]", frame.symbol.module);
	if (detail >= ADDRESS)
		fprintf(file, " (%#llx)", ret_addr);
}

/* The first @callers callers, and of the others those with a detail. */
static void put_stack(const struct namer *n, FILE *file, const struct line *line, __u32 callers)
{
	const struct kmprof_site *site = line->site;
	bool left_out = false;
	__u32 i;

	for (i = 0; i < site->nr_frames; i++) {
		if (i > callers && !line->detail[i]) {
			left_out = true;
			continue;
		}
		if (left_out)
			fputs(" < ...", file);
		left_out = false;
		if (i)
			fputs(" < ", file);
		put_frame(n, file, site->frames[i], line->detail[i]);
	}
}

/* Hidden addresses are all 0: stacks differ in their length only. */
static void put_hidden(FILE *file, const struct line *line)
{
	__u32 i;

	fputs(KMPROF_HIDDEN_NAME, file);
	for (i = 0; i < line->site->nr_frames; i++)
		if (line->detail[i])
			break;
	if (i < line->site->nr_frames)
		fprintf(file, " (%u frames)", line->site->nr_frames);
}

/* Return: the line with that many callers, or NULL when out of memory. */
static char *make_text(const struct namer *n, const struct line *line, __u32 callers)
{
	char kind[KMPROF_MEMORY_NAME], *text;
	size_t size;
	FILE *file;

	file = open_memstream(&text, &size);
	if (!file)
		return NULL;
	if (line->site->kind != KMPROF_KIND_SLAB)
		fprintf(file, "%s: ", kmprof_memory_name(line->site->kind, kind));
	if (!line->site->nr_frames)
		fputs(kmprof_nowhere_names[KMPROF_NO_STACK], file);
	else if (!line->site->frames[0])
		put_hidden(file, line);
	else
		put_stack(n, file, line, callers);
	kmprof_memory_file_close(file, &text);
	return text;
}

/* Shows as many callers as there is room for, but the leaf in any case. */
static int set_text(const struct namer *n, struct line *line)
{
	__u32 callers = n->room ? 0 : PIPE_CALLERS;
	char *text, *more;

	text = make_text(n, line, callers);
	while (text && n->room && callers + 1 < line->site->nr_frames) {
		more = make_text(n, line, ++callers);
		if (!more || strlen(more) > (size_t)n->room) {
			free(more);
			break;
		}
		free(text);
		text = more;
	}
	if (!text)
		return -ENOMEM;
	if (n->room && strlen(text) > (size_t)n->room)
		text[n->room] = '\0';
	free(line->text);
	line->text = text;
	return 0;
}

static int by_text(const void *a, const void *b)
{
	const struct line *const *x = a, *const *y = b;

	return strcmp((*x)->text, (*y)->text);
}

static bool same_frame(const struct kmprof_site *a, const struct kmprof_site *b, __u32 i)
{
	if (i >= a->nr_frames || i >= b->nr_frames)
		return a->nr_frames == b->nr_frames;
	return a->frames[i] == b->frames[i];
}

static bool differ_at(struct line *const *group, size_t nr, __u32 i)
{
	size_t n;

	for (n = 1; n < nr; n++)
		if (!same_frame(group[n]->site, group[0]->site, i))
			return true;
	return false;
}

/*
 * Shows more of the first frame that is not the same in all lines of a group. Behind its
 * address there is nothing more to show.
 *
 * Return: 1 if something has changed, 0 if not, or -ENOMEM.
 */
static int tell_apart(const struct namer *n, struct line *const *group, size_t nr)
{
	__u32 deepest = 0, i;
	int changed = 0;
	size_t k;

	for (k = 0; k < nr; k++)
		if (deepest < group[k]->site->nr_frames)
			deepest = group[k]->site->nr_frames;
	for (i = 0; i < deepest && !differ_at(group, nr, i); i++)
		;
	for (k = 0; k < nr; k++) {
		if (i >= group[k]->site->nr_frames || group[k]->detail[i] == ADDRESS)
			continue;
		group[k]->detail[i]++;
		changed = 1;
		if (set_text(n, group[k]))
			return -ENOMEM;
	}
	return changed;
}

/* Return: as tell_apart(). */
static int tell_all_apart(const struct namer *n, struct line **sorted)
{
	size_t from, to;
	int changed = 0, ret;

	qsort(sorted, n->nr, sizeof(*sorted), by_text);
	for (from = 0; from < n->nr; from = to) {
		for (to = from + 1; to < n->nr && !by_text(&sorted[from], &sorted[to]); to++)
			;
		if (to - from < 2)
			continue;
		ret = tell_apart(n, sorted + from, to - from);
		if (ret < 0)
			return ret;
		changed |= ret;
	}
	return changed;
}

static int name_all(struct namer *n)
{
	struct line **sorted;
	int ret = 0, rounds = 0;
	size_t i;

	sorted = calloc(n->nr + 1, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < n->nr && !ret; i++) {
		sorted[i] = &n->line[i];
		ret = n->line[i].detail ? set_text(n, &n->line[i]) : -ENOMEM;
	}
	if (!ret) {
		do {
			ret = tell_all_apart(n, sorted);
		} while (ret > 0 && ++rounds < ROUNDS_MOST);
	}
	free(sorted);
	return ret < 0 ? ret : 0;
}

char **site_names(const struct kmprof_site *site, size_t nr,
		  const struct kmprof_resolver *resolver, int room)
{
	struct namer n = { .resolver = resolver, .room = room, .nr = nr };
	char **names;
	size_t i;
	int ret;

	n.line = calloc(nr + 1, sizeof(*n.line));
	names = calloc(nr + 1, sizeof(*names));
	if (!n.line || !names) {
		free(n.line);
		free(names);
		return NULL;
	}
	for (i = 0; i < nr; i++) {
		n.line[i].site = &site[i];
		n.line[i].detail = calloc(site[i].nr_frames + 1, 1);
	}
	ret = name_all(&n);
	for (i = 0; i < nr; i++) {
		names[i] = n.line[i].text;
		free(n.line[i].detail);
	}
	free(n.line);
	if (!ret)
		return names;
	site_names_free(names, nr);
	return NULL;
}

void site_names_free(char **names, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}
