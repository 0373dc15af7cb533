// SPDX-License-Identifier: GPL-2.0
/*
 * Walks the directories below the mount point of cgroup2. They come and go meanwhile:
 * fts(3) goes on behind one that is gone, nftw(3) would end there.
 */
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/cgroups.h"
#include "util/merge.h"
#include "util/printable.h"

/* In mountinfo, blanks and the like are a backslash and three octal digits. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && strspn(text + 1, "01234567") >= 3) {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/*
 * "ID PARENT DEVICE ROOT MOUNTPOINT OPTIONS [TAG...] - TYPE SOURCE OPTIONS"
 *
 * Return: the mount point, or NULL if it is one of something else.
 */
static char *parse_mount(const char *line)
{
	const char *type = strstr(line, " - ");
	char *mount = NULL;

	if (!type || strncmp(type, " - cgroup2 ", strlen(" - cgroup2 ")))
		return NULL;
	if (sscanf(line, "%*s %*s %*s %*s %ms", &mount) == 1)
		unescape(mount);
	return mount;
}

static char *find_mount(const char *mountinfo)
{
	char *line = NULL, *mount = NULL;
	size_t room = 0;
	FILE *file;

	file = fopen(mountinfo, "re");
	if (!file)
		return NULL;
	while (!mount && getline(&line, &room, file) >= 0)
		mount = parse_mount(line);
	free(line);
	fclose(file);
	return mount;
}

static int add(struct kmprof_cgroups *cgroups, __u64 id, const char *path)
{
	size_t room = cgroups->room ? 2 * cgroups->room : 64;
	struct kmprof_cgroup *more;
	char *copy;

	if (cgroups->nr == cgroups->room) {
		more = reallocarray(cgroups->cgroup, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		cgroups->cgroup = more;
		cgroups->room = room;
	}
	copy = strdup(*path ? path : "/");
	if (!copy)
		return -ENOMEM;
	kmprof_make_printable(copy);
	cgroups->cgroup[cgroups->nr].id = id;
	cgroups->cgroup[cgroups->nr++].path = copy;
	return 0;
}

static int add_directories(struct kmprof_cgroups *cgroups, char *mount)
{
	char *const paths[] = { mount, NULL };
	FTSENT *entry;
	int ret = 0;
	FTS *walk;

	walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	if (!walk)
		return errno == ENOMEM ? -ENOMEM : 0;
	while (!ret && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_D)
			ret = add(cgroups, entry->fts_statp->st_ino,
				  entry->fts_path + strlen(mount));
	fts_close(walk);
	return ret;
}

static int by_id(const void *a, const void *b)
{
	const struct kmprof_cgroup *x = a, *y = b;

	return kmprof_compare_u64(x->id, y->id);
}

int kmprof_cgroups_load(struct kmprof_cgroups *cgroups, const char *mountinfo)
{
	char *mount;
	int ret;

	memset(cgroups, 0, sizeof(*cgroups));
	mount = find_mount(mountinfo);
	if (!mount)
		return 0;
	ret = add_directories(cgroups, mount);
	free(mount);
	if (ret) {
		kmprof_cgroups_release(cgroups);
		return ret;
	}
	if (cgroups->nr)
		qsort(cgroups->cgroup, cgroups->nr, sizeof(*cgroups->cgroup), by_id);
	return 0;
}

void kmprof_cgroups_release(struct kmprof_cgroups *cgroups)
{
	size_t i;

	for (i = 0; i < cgroups->nr; i++)
		free(cgroups->cgroup[i].path);
	free(cgroups->cgroup);
	memset(cgroups, 0, sizeof(*cgroups));
}

const char *kmprof_cgroups_find(const struct kmprof_cgroups *cgroups, __u64 id)
{
	const struct kmprof_cgroup key = { .id = id }, *found;

	if (!cgroups->nr)
		return NULL;
	found = bsearch(&key, cgroups->cgroup, cgroups->nr, sizeof(key), by_id);
	return found ? found->path : NULL;
}
