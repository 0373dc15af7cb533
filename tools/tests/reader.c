// SPDX-License-Identifier: GPL-2.0
/*
 * Gives an image to the library and to the commands. What takes an image gets one in an
 * allocation of its own size, so that ASan sees each byte too far; commands that take a
 * file get a copy in memory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/diff_show.h"
#include "cmd/dump_locks.h"
#include "cmd/site_names.h"
#include "export/exporter.h"
#include "export/json.h"
#include "export/pprof.h"
#include "profile/profile.h"
#include "profile/tables.h"
#include "symbols/boot_id.h"
#include "symbols/complete.h"
#include "tests/reader.h"

/* A terminal's width; profiles that are shown one by one, of an image that has any number. */
enum { WIDTH = 80, PROFILES_SHOWN = 8, STACKS_SHOWN = 1000 };

#define BOOT_ID	"01234567-89ab-cdef-0123-456789abcdef"

static struct kmprof_resolver resolver;
static const char *kallsyms;
static FILE *nowhere;
static int file;
static char file_name[32];

static void die_if(int failed, const char *what)
{
	if (!failed)
		return;
	fprintf(stderr, "reader: %s\n", what);
	abort();
}

static void write_locks(const struct kmprof_image *image, const struct kmprof_profile *profile)
{
	struct kmprof_error err = { 0 };

	die_if(dump_locks_table(nowhere, image, &resolver, profile, 0, &err), err.text);
	die_if(dump_locks_table(nowhere, image, &resolver, profile, WIDTH, &err), err.text);
	die_if(dump_locks_json(nowhere, image, &resolver, profile, &err), err.text);
}

static void name_sites(const struct kmprof_sites *sites, int room)
{
	char **names = site_names(sites->site, sites->nr, &resolver, room);

	die_if(!names, "no names of sites");
	site_names_free(names, sites->nr);
}

/* As if it were two images of one boot. */
static void write_diff(const struct kmprof_image *image, struct kmprof_series *series)
{
	struct diff_shown shown = {
		.image	= { image, image },
		.file	= { "a", "b" },
		.most	= STACKS_SHOWN,
	};
	struct kmprof_error err = { 0 };
	struct kmprof_diff diff = { 0 };
	struct kmprof_series changes;
	struct kmprof_union u;
	int ret;

	die_if(kmprof_relation_find(&shown.kind, image, image, true, &err), err.text);
	die_if(kmprof_relation_notes(&shown.notes, shown.kind, image, image, series->name),
	       "no words for a relation");
	ret = kmprof_union_init(&u, &resolver, &resolver, true, false);
	if (!ret)
		ret = kmprof_diff_build(&diff, series, series, &u, true, &err);
	/* There can be more functions than the union has room for. */
	die_if(ret && ret != -E2BIG, "no difference");
	if (!ret) {
		die_if(diff.nr_changed || diff.nr_shrunk, "an image differs from itself");
		die_if(kmprof_union_notes(&u, &shown.notes), "no words for modules");
		die_if(kmprof_union_finish(&u, &err), err.text);
		shown.diff = &diff;
		shown.names = &u.resolver;
		/* What has not changed is not shown. */
		diff.nr_changed = diff.nr;
		die_if(diff_show_table(nowhere, &shown, WIDTH, &err), err.text);
		die_if(diff_show_json(nowhere, &shown, &err), err.text);
		die_if(kmprof_diff_series(&changes, &diff, "", &shown.notes, &err), err.text);
		die_if(kmprof_pprof_write(nowhere, &changes, &u.resolver, &err), err.text);
		kmprof_series_release(&changes);
	}
	kmprof_diff_release(&diff);
	kmprof_union_release(&u);
	kmprof_lines_release(&shown.notes);
}

static void write_profile(const struct kmprof_image *image, const char *name)
{
	const struct kmprof_exporter *exporter;
	struct kmprof_profile profile;
	struct kmprof_error err = { 0 };
	struct kmprof_series series;
	size_t i;
	int ret;

	die_if(kmprof_profile_find(&profile, image, name), "a profile that is listed is not found");
	(void)kmprof_profile_entries(&profile, image);
	ret = kmprof_profile_series(&series, image, &resolver, &profile, &err);
	/* A profile without a column has nothing to show, and says so. */
	if (ret == -EINVAL && !kmprof_image_profile(image, profile.number)->columns.count)
		return;
	die_if(ret, err.text);
	for (i = 0; (exporter = kmprof_exporter_at(i)); i++)
		if (exporter->write)
			die_if(exporter->write(nowhere, &series, &resolver, &err), err.text);
	write_diff(image, &series);
	kmprof_series_release(&series);
	if (profile.kind->contention)
		write_locks(image, &profile);
}

static void read_everything(const struct kmprof_image *image)
{
	struct kmprof_lines names = { 0 };
	struct kmprof_error err = { 0 };
	struct kmprof_sites sites;
	json_t *value;
	size_t i;

	die_if(kmprof_sites_build(&sites, image, KMPROF_BY_STACK, &err), err.text);
	kmprof_sites_sort(&sites, KMPROF_SORT_ALLOC);
	value = kmprof_json_image(image);
	die_if(!value, "no JSON of the image");
	json_decref(value);
	for (i = 0; i < sites.nr; i++) {
		value = kmprof_json_site(&sites.site[i], &resolver);
		die_if(!value, "no JSON of a site");
		json_decref(value);
	}
	name_sites(&sites, 0);
	name_sites(&sites, WIDTH);
	kmprof_sites_release(&sites);
	die_if(kmprof_profile_list(&names, image), "no list of profiles");
	for (i = 0; i < names.nr && i < PROFILES_SHOWN; i++)
		write_profile(image, names.line[i]);
	kmprof_lines_release(&names);
	die_if(kmprof_profile_lacking(image, "no", &err) != -ENOENT, "no words for no profile");
}

/* Return: the exit status of the command. */
static int command(const struct command *command, char *const *options)
{
	char *argv[16] = { (char *)command->name, "--input", file_name };
	FILE *out = stdout, *err = stderr;
	int argc = 3, status;

	while (*options)
		argv[argc++] = *options++;
	stdout = nowhere;
	stderr = nowhere;
	optind = 0;
	status = command->run(argc, argv);
	stdout = out;
	stderr = err;
	return status;
}

/* What has no function that takes an image. */
static void run_commands(const struct kmprof_image *image)
{
	char *const plain[] = { NULL };
	char *const all[] = { "-n", "0", "--kallsyms", (char *)kallsyms, NULL };
	/* Behind -n 0. */
	char *const reports[][5] = {
		{ "--by", "function" }, { "--by", "stack" }, { "--by", "module", "--children" },
		{ "--by", "kind" },
		{ "--tree" }, { "--tree", "--json" }, { "--focus", "a.*e", "--ignore", "^x|y$" },
	};
	char *const contentions[][5] = {
		{ "-p", "block", "--by", "lock" }, { "-p", "mutex", "--tree" },
	};
	char *options[ARRAY_SIZE(all) + ARRAY_SIZE(reports[0])] = { NULL };
	size_t i;

	die_if(ftruncate(file, 0) || pwrite(file, image->base, image->size, 0) !=
	       (ssize_t)image->size, "no room for the image");
	die_if(command(&cmd_status, plain), "no status");
	/* There may be no profile of memory. */
	die_if(command(&cmd_top, all) && kmprof_heap_rows(image).entry_size, "no top");
	/* There may be no objects in it. */
	die_if(command(&cmd_objects, all) && image->header.objects.count, "no objects");
	for (i = 0; i < ARRAY_SIZE(reports); i++) {
		memcpy(options, all, sizeof(all) - sizeof(all[0]));
		memcpy(options + ARRAY_SIZE(all) - 1, reports[i], sizeof(reports[i]));
		die_if(command(&cmd_report, options) && kmprof_heap_rows(image).entry_size,
		       "no report");
	}
	/* There may be no such profile, and no such label. */
	for (i = 0; i < ARRAY_SIZE(contentions); i++) {
		memcpy(options, all, sizeof(all) - sizeof(all[0]));
		memcpy(options + ARRAY_SIZE(all) - 1, contentions[i], sizeof(contentions[i]));
		command(&cmd_report, options);
	}
}

/* With its names in it, an image is sound, complete, and shows what it did before. */
static void complete(const struct kmprof_image *image)
{
	struct kmprof_error err = { 0 };
	struct kmprof_image completed;
	char *bytes;
	size_t size;

	if (!kmprof_can_complete(image))
		return;
	die_if(kmprof_complete(&bytes, &size, image, &resolver, NULL, BOOT_ID, &err), err.text);
	die_if(kmprof_image_init(&completed, bytes, size, "completed image", &err), err.text);
	die_if(kmprof_can_complete(&completed), "a completed image is not complete");
	die_if(!kmprof_boot_id(&completed), "a completed image is of no boot");
	free(bytes);
}

static void open_names_of(const struct kmprof_image *image)
{
	const struct kmprof_resolver_options options = { .kallsyms = kallsyms };
	struct kmprof_error warning = { 0 }, err = { 0 };

	die_if(kmprof_resolver_open(&resolver, image, &options, &warning, &err) < 0, err.text);
}

bool reader_try(const void *data, size_t size)
{
	struct kmprof_error err = { 0 };
	struct kmprof_image image;
	bool accepted;
	void *copy;

	die_if(posix_memalign(&copy, 8, size ? size : 1), "out of memory");
	memcpy(copy, data, size);
	accepted = !kmprof_image_init(&image, copy, size, "image", &err);
	if (accepted) {
		open_names_of(&image);
		read_everything(&image);
		complete(&image);
		kmprof_resolver_close(&resolver);
		run_commands(&image);
	} else {
		die_if(!err.text[0] || !err.hint[0], "refused without words");
	}
	free(copy);
	return accepted;
}

void reader_init(void)
{
	kallsyms = getenv("KALLSYMS");
	die_if(!kallsyms, "KALLSYMS is not in the environment");
	nowhere = fopen("/dev/null", "w");
	file = memfd_create("image", MFD_CLOEXEC);
	die_if(!nowhere || file < 0, "nowhere to write to");
	snprintf(file_name, sizeof(file_name), "/proc/self/fd/%d", file);
}

void reader_exit(void)
{
	fclose(nowhere);
	close(file);
}
