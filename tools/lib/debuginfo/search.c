// SPDX-License-Identifier: GPL-2.0
/*
 * First what the user has named, then what packages have installed, then what belongs to the
 * running kernel, and then servers, if the environment names any. Files are found by their names
 * and by their build ids; the build id decides.
 */
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "debuginfo/search.h"

#define PACKAGES	"/usr/lib/debug"
#define KERNEL_FILE	"vmlinux"
#define MODULE_SUFFIX	".ko"

/**
 * struct search - a search
 * @wanted: what for
 * @nr: how many
 * @is_named: the place that is searched is one that the user has named
 * @err: explanation
 */
struct search {
	struct kmprof_wanted *wanted;
	size_t nr;
	bool is_named;
	struct kmprof_error *err;
};

/* --- by name -------------------------------------------------------------------------- */

/* Files of modules have - or _ as their authors like it. */
static bool is_same_name(const char *file, const char *module, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (file[i] != module[i] && !(file[i] == '-' && module[i] == '_'))
			return false;
	return true;
}

/* Can a file of that name be it? */
static bool is_candidate(const struct kmprof_wanted *wanted, const char *file)
{
	size_t length;

	if (wanted->object)
		return false;
	if (!wanted->name)
		return !strncmp(file, KERNEL_FILE, strlen(KERNEL_FILE));
	length = strlen(wanted->name);
	return strlen(file) > length && is_same_name(file, wanted->name, length) &&
	       !strncmp(file + length, MODULE_SUFFIX, strlen(MODULE_SUFFIX));
}

/* What the user has named comes first, and is what the user wants to know about. */
static int keep_reason(struct kmprof_wanted *wanted, const char *text)
{
	if (!wanted->why)
		wanted->why = strdup(text);
	return wanted->why ? 0 : -ENOMEM;
}

/*
 * A file that is of no use is passed over; if there is no other one, it is told why. That packages
 * have other kernels, too, is no reason.
 */
static int try_file(struct search *s, struct kmprof_wanted *wanted, const char *path)
{
	struct kmprof_error why;
	size_t which;
	int ret;

	ret = kmprof_object_open(&wanted->object, path, &wanted->build_id, 1, &which, &why);
	if (!ret || (ret == -ESTALE && !s->is_named))
		return 0;
	if (ret == -ENOMEM) {
		*s->err = why;
		return ret;
	}
	return keep_reason(wanted, why.text);
}

static int try_entry(struct search *s, const FTSENT *entry)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < s->nr; i++)
		if (is_candidate(&s->wanted[i], entry->fts_name))
			ret = try_file(s, &s->wanted[i], entry->fts_path);
	return ret;
}

/* Symbolic links to files are followed, those to directories are not. */
static int walk(struct search *s, const char *dir)
{
	char *const dirs[] = { (char *)dir, NULL };
	FTSENT *entry;
	int ret = 0;
	FTS *fts;

	fts = fts_open(dirs, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	if (!fts) {
		ret = -errno;
		return kmprof_error_set(s->err, ret, NULL, "%s: %s", dir, strerror(-ret));
	}
	while (!ret && (entry = fts_read(fts))) {
		/* What is named by build ids is found by them. */
		if (entry->fts_info == FTS_D && !strcmp(entry->fts_name, ".build-id"))
			fts_set(fts, entry, FTS_SKIP);
		else if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL)
			ret = try_entry(s, entry);
	}
	fts_close(fts);
	return ret;
}

static bool is_done(const struct search *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (!s->wanted[i].object)
			return false;
	return true;
}

/* A kernel that was built on this machine, with its modules. */
static int walk_running(struct search *s)
{
	struct kmprof_wanted *wanted = s->wanted;
	struct utsname name;
	char path[sizeof(name.release) + 64];
	int ret = 0;
	size_t i;

	if (uname(&name))
		return 0;
	snprintf(path, sizeof(path), "/lib/modules/%s/build/" KERNEL_FILE, name.release);
	for (i = 0; !ret && i < s->nr; i++)
		if (is_candidate(&wanted[i], KERNEL_FILE) && !access(path, R_OK))
			ret = try_file(s, &wanted[i], path);
	snprintf(path, sizeof(path), "/lib/modules/%s", name.release);
	return ret ? ret : walk(s, path);
}

/* --- by build id ---------------------------------------------------------------------- */

static int find_by_id(struct search *s, const char *dirs)
{
	struct kmprof_wanted *wanted;
	struct kmprof_error why;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < s->nr; i++) {
		wanted = &s->wanted[i];
		if (wanted->object)
			continue;
		ret = kmprof_object_find(&wanted->object, dirs, wanted->build_id, &why);
		if (ret == -ENOMEM)
			*s->err = why;
		else if (ret == -ENOENT)
			ret = 0;
		else if (ret)
			ret = keep_reason(wanted, why.text);
	}
	return ret;
}

/* --- what the user has named ---------------------------------------------------------- */

/* Two modules can be of one build: one that was removed and came again. */
static int open_named(struct search *s, const char *path)
{
	const char **build_ids = calloc(s->nr + 1, sizeof(*build_ids));
	struct kmprof_object *object;
	size_t i, which;
	int ret;

	if (!build_ids)
		return -ENOMEM;
	for (i = 0; i < s->nr; i++)
		build_ids[i] = s->wanted[i].build_id;
	ret = kmprof_object_open(&object, path, build_ids, s->nr, &which, s->err);
	free(build_ids);
	if (ret)
		return ret;
	if (s->wanted[which].object)
		kmprof_object_close(object);
	else
		s->wanted[which].object = object;
	return 0;
}

static int look_in(struct search *s, const char *path)
{
	char *absolute;
	struct stat st;
	int ret;

	if (stat(path, &st))
		return kmprof_error_set(s->err, -errno, NULL, "%s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return open_named(s, path);
	/* libdwfl takes no others. */
	absolute = realpath(path, NULL);
	if (!absolute)
		return kmprof_error_set(s->err, -errno, NULL, "%s: %s", path, strerror(errno));
	ret = walk(s, absolute);
	free(absolute);
	return ret;
}

/* All directories, with ":" between them. */
static char *join_dirs(const struct kmprof_lines *paths)
{
	char *joined = NULL, *absolute;
	size_t i, size;
	FILE *file;

	file = open_memstream(&joined, &size);
	if (!file)
		return NULL;
	for (i = 0; i < paths->nr; i++) {
		absolute = realpath(paths->line[i], NULL);
		if (absolute)
			fprintf(file, "%s:", absolute);
		free(absolute);
	}
	fputs(PACKAGES, file);
	if (!fclose(file))
		return joined;
	free(joined);
	return NULL;
}

static int search(struct search *s, const struct kmprof_debuginfo_options *options)
{
	char *dirs;
	int ret = 0;
	size_t i;

	s->is_named = true;
	for (i = 0; !ret && i < options->paths.nr; i++)
		ret = look_in(s, options->paths.line[i]);
	s->is_named = false;
	if (!ret && !is_done(s))
		ret = walk(s, PACKAGES);
	if (!ret && !is_done(s))
		ret = walk_running(s);
	if (ret || is_done(s))
		return ret;
	dirs = join_dirs(&options->paths);
	ret = dirs ? find_by_id(s, dirs) : -ENOMEM;
	free(dirs);
	return ret;
}

int kmprof_search(struct kmprof_wanted *wanted, size_t nr,
		  const struct kmprof_debuginfo_options *options, struct kmprof_error *err)
{
	struct search s = { .wanted = wanted, .nr = nr, .err = err };

	kmprof_error_set(err, 0, NULL, "looking for debug information: out of memory");
	return search(&s, options);
}
