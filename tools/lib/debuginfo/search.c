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

/* Has no file been found, of a build that is looked for? */
static bool is_missing(const struct kmprof_wanted *wanted)
{
	return wanted->is_sampled && !wanted->object;
}

/* Can a file of that name be it? */
static bool is_candidate(const struct kmprof_wanted *wanted, const char *file)
{
	size_t length;

	if (!is_missing(wanted))
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
 * A file that is of no use is passed over, and the reason kept in case that there is no other one.
 * A file of another build that was found in the directory of packages is normal, and no reason.
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

/* A directory that the user has named has to be readable as a whole. */
static FTSENT *read_entry(const struct search *s, FTS *fts, int *ret)
{
	FTSENT *entry;

	errno = 0;
	entry = fts_read(fts);
	if (!entry && errno)
		*ret = kmprof_error_set(s->err, -errno, NULL, "looking for debug information: %s",
					strerror(errno));
	else if (entry && s->is_named &&
		 (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR))
		*ret = kmprof_error_set(s->err, -entry->fts_errno, NULL, "%s: %s",
					entry->fts_path, strerror(entry->fts_errno));
	return entry;
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
	while (!ret && (entry = read_entry(s, fts, &ret))) {
		/* What is named by build ids is found by them. */
		if (ret)
			break;
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
		if (is_missing(&s->wanted[i]))
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

static int find_in(struct search *s, const char *dir)
{
	struct kmprof_wanted *wanted;
	int ret = 0;
	char *path;
	size_t i;

	for (i = 0; !ret && i < s->nr; i++) {
		wanted = &s->wanted[i];
		if (!is_missing(wanted))
			continue;
		if (asprintf(&path, "%s/.build-id/%.2s/%s.debug", dir, wanted->build_id,
			     wanted->build_id + strnlen(wanted->build_id, 2)) < 0)
			return -ENOMEM;
		if (!access(path, F_OK))
			ret = try_file(s, wanted, path);
		free(path);
	}
	return ret;
}

static int find_by_id(struct search *s, const struct kmprof_lines *paths)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < paths->nr; i++)
		ret = find_in(s, paths->line[i]);
	return ret ? ret : find_in(s, PACKAGES);
}

static int ask_servers(struct search *s)
{
	struct kmprof_wanted *wanted;
	struct kmprof_error why;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < s->nr; i++) {
		wanted = &s->wanted[i];
		if (!is_missing(wanted))
			continue;
		ret = kmprof_object_fetch(&wanted->object, wanted->build_id, &why);
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

/*
 * Without build ids there is nothing to compare the file with; there are no lines then. A file of a
 * module that was not sampled is right, and of no use.
 */
static int open_named(struct search *s, const char *path)
{
	const char **build_ids = calloc(s->nr + 1, sizeof(*build_ids));
	struct kmprof_object *object;
	size_t i, which;
	int ret;

	if (!build_ids)
		return -ENOMEM;
	if (!s->nr) {
		free(build_ids);
		return 0;
	}
	for (i = 0; i < s->nr; i++)
		build_ids[i] = s->wanted[i].build_id;
	ret = kmprof_object_open(&object, path, build_ids, s->nr, &which, s->err);
	free(build_ids);
	if (ret)
		return ret;
	if (!is_missing(&s->wanted[which]))
		kmprof_object_close(object);
	else
		s->wanted[which].object = object;
	return 0;
}

static int look_in(struct search *s, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return kmprof_error_set(s->err, -errno, NULL, "%s: %s", path, strerror(errno));
	return S_ISDIR(st.st_mode) ? walk(s, path) : open_named(s, path);
}

static int search(struct search *s, const struct kmprof_debuginfo_options *options)
{
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
	if (!ret && !is_done(s))
		ret = find_by_id(s, &options->paths);
	if (!ret && !is_done(s))
		ret = ask_servers(s);
	return ret;
}

int kmprof_search(struct kmprof_wanted *wanted, size_t nr,
		  const struct kmprof_debuginfo_options *options, struct kmprof_error *err)
{
	struct search s = { .wanted = wanted, .nr = nr, .err = err };

	kmprof_error_set(err, 0, NULL, "looking for debug information: out of memory");
	return search(&s, options);
}
