// SPDX-License-Identifier: GPL-2.0
/* kmprof status: is it on, how full is it, how good are its numbers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/json_device.h"
#include "cmd/term.h"
#include "device/lacks.h"
#include "export/json.h"
#include "image/ledger.h"
#include "image/marks.h"
#include "image/memory.h"
#include "image/reasons.h"
#include "profile/limit.h"
#include "profile/tables.h"

/* Words at the start of a line, and the space behind them. */
enum { LABEL_COLUMNS = 11 };

/**
 * struct status - what is reported
 * @live: whether the following came from the device; else only the image is known
 * @info: state and limits
 * @settings: settings
 * @profiles: profiles
 * @opened: the image
 * @sums: its estimates
 */
struct status {
	bool live;
	struct kmprof_info info;
	struct kmprof_settings settings;
	struct device_profiles profiles;
	struct opened_image opened;
	struct kmprof_sums sums;
};

static void release(struct status *s)
{
	kmprof_settings_release(&s->settings);
	free(s->profiles.profile);
	close_image(&s->opened);
}

static int list_profiles(struct status *s, struct kmprof_device *dev, struct kmprof_error *err)
{
	struct kmprof_profile_info info, *more;
	struct device_profiles *list = &s->profiles;
	int ret;

	while (!(ret = kmprof_device_profile(dev, (__u32)list->nr, &info, err))) {
		more = reallocarray(list->profile, list->nr + 1, sizeof(*more));
		if (!more)
			return kmprof_error_set(err, -ENOMEM, NULL,
						"listing the profiles: out of memory");
		list->profile = more;
		more[list->nr++] = info;
	}
	return ret == -ENOENT ? 0 : ret;
}

/* State and image through one open file, so that they are of one moment. */
static int get_live(struct status *s)
{
	struct kmprof_device dev;
	struct kmprof_error err;
	int ret;

	ret = kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err);
	if (ret)
		return fail(&err);
	ret = take_image(&s->opened, &dev, 0, &err);
	if (!ret)
		ret = kmprof_device_info(&dev, &s->info, &err);
	if (!ret)
		ret = kmprof_config_get(&dev, &s->settings, &err);
	if (!ret)
		ret = list_profiles(s, &dev, &err);
	kmprof_device_close(&dev);
	s->live = true;
	return ret ? fail(&err) : EXIT_OK;
}

static void print_line(const char *label, const char *text)
{
	printf("%s%s%s%*s%s\n", term_bold(), label, term_plain(),
	       LABEL_COLUMNS - (int)strlen(label), "", text);
}

static bool has_flags(const struct status *s, const char *setting, __u32 flags)
{
	const struct kmprof_setting_value *found = kmprof_settings_find(&s->settings, setting);

	return found && (found->flags & flags) == flags;
}

/* Of which settings the probes have a name of their own. */
static const struct {
	const char *setting;
	const char *label;
} probed[] = {
	{ "heap_rate", "Allocs" },
	{ "block_rate", "Waits" },
	{ "mutex_fraction", "Releases" },
};

static const char *probes_state(const struct status *s, const char *setting)
{
	const struct kmprof_setting_value *found = kmprof_settings_find(&s->settings, setting);

	if (has_flags(s, setting, KMPROF_SETTING_ATTACHED))
		return found->value ? "attached" : "attached, for a trace event";
	if (!strcmp(setting, "block_rate") && has_flags(s, "mutex_fraction",
							KMPROF_SETTING_ATTACHED))
		return "off, probed for the releases only";
	return "off, no probes attached";
}

static void print_probes(const struct status *s)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(probed); i++)
		if (kmprof_settings_find(&s->settings, probed[i].setting))
			print_line(probed[i].label, probes_state(s, probed[i].setting));
}

static void print_rate(const char *name, __u64 rate, const char *every, const char *fewer)
{
	printf("%sRate%s       %s=%llu: %s\n", term_bold(), term_plain(), name, rate,
	       !rate ? "no samples" : rate == 1 ? every : fewer);
}

static void print_heap_rate(const char *name, __u64 rate)
{
	char fewer[64], human[HUMAN_TEXT];

	snprintf(fewer, sizeof(fewer), "one sample per %s bytes allocated",
		 human_exact(human, rate));
	print_rate(name, rate, "every allocation", fewer);
}

static void print_block_rate(const char *name, __u64 rate)
{
	char fewer[64], human[HUMAN_TEXT];

	snprintf(fewer, sizeof(fewer), "all waits from %s on, fewer shorter ones",
		 human_ns(human, (double)rate));
	print_rate(name, rate, "every wait", fewer);
}

static void print_mutex_fraction(const char *name, __u64 rate)
{
	char fewer[64];

	snprintf(fewer, sizeof(fewer), "one of %llu releases", rate);
	print_rate(name, rate, "every release", fewer);
}

/* Rates that mean more than their number. */
static const struct {
	const char *name;
	void (*print)(const char *name, __u64 rate);
} rates[] = {
	{ "heap_rate", print_heap_rate },
	{ "block_rate", print_block_rate },
	{ "mutex_fraction", print_mutex_fraction },
};

/* "comm,pid" with a blank behind each comma. */
static void print_words(const char *label, const char *text)
{
	printf("%s%s%s%*s", term_bold(), label, term_plain(),
	       strlen(label) < LABEL_COLUMNS ? LABEL_COLUMNS - (int)strlen(label) : 1, "");
	for (; *text; text++)
		fputs(*text == ',' ? ", " : (char[]){ *text, '\0' }, stdout);
	putchar('\n');
}

/* Settings that are a set of words. */
static const struct {
	const char *name;
	const char *label;
} words[] = {
	{ "heap", "Kinds" },
	{ "labels", "Labels" },
	{ "heap_labels", "Heap labels" },
};

/* As it can be typed, and what it has left out since counting started, or one before it has. */
static void print_filter(const struct status *s, const char *text)
{
	__u64 filtered = kmprof_image_value(&s->opened.image, "filtered");

	printf("%sHeap filter%s %s", term_bold(), term_plain(), text);
	if (filtered)
		printf("; left out: %llu sampled objects, %llu bytes", filtered,
		       kmprof_image_value(&s->opened.image, "filtered_bytes"));
	putchar('\n');
}

/* A setting that this program knows nothing about. */
static void print_unknown(const struct status *s, const struct kmprof_image_scalar *scalar)
{
	const struct kmprof_image *image = &s->opened.image;
	const char *name = kmprof_scalar_name(image, scalar);
	const char *text = kmprof_scalar_text(image, scalar);

	printf("%sSetting%s    %s=", term_bold(), term_plain(), name);
	if (*text)
		fputs(text, stdout);
	else
		printf("%llu", scalar->value);
	if (has_flags(s, name, KMPROF_SETTING_HAS_PROBES))
		printf(": %s", probes_state(s, name));
	putchar('\n');
}

static void print_setting(const struct status *s, const struct kmprof_image_scalar *scalar)
{
	const struct kmprof_image *image = &s->opened.image;
	const char *name = kmprof_scalar_name(image, scalar);
	const char *text = kmprof_scalar_text(image, scalar);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		if (!strcmp(rates[i].name, name)) {
			rates[i].print(name, scalar->value);
			return;
		}
	}
	for (i = 0; i < ARRAY_SIZE(words) && *text; i++) {
		if (!strcmp(words[i].name, name)) {
			print_words(words[i].label, text);
			return;
		}
	}
	if (!strcmp(name, "heap_filter"))
		print_filter(s, text);
	else
		print_unknown(s, scalar);
}

static void print_settings(const struct status *s)
{
	const struct kmprof_image *image = &s->opened.image;
	const struct kmprof_image_scalar *scalar;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (scalar->flags & KMPROF_SCALAR_SETTING)
			print_setting(s, scalar);
	}
}

/* What was in use at moments that have passed. */
static void print_marks(const struct kmprof_image *image)
{
	struct kmprof_table rows = kmprof_heap_rows(image);
	char when[HUMAN_TEXT], line[HUMAN_TEXT + 64];
	unsigned int i;

	for (i = 0; i < KMPROF_MARKS; i++) {
		const struct kmprof_mark *mark = &kmprof_marks[i];

		if (!kmprof_has_mark(image, &rows, mark))
			continue;
		snprintf(line, sizeof(line), "%llu bytes in use, at %s",
			 kmprof_image_value(image, mark->bytes),
			 human_time(when, kmprof_image_value(image, mark->time)));
		print_line(mark->title, line);
	}
}

static void print_sources(const struct kmprof_image *image)
{
	bool waits = kmprof_image_find_scalar(image, "wait_source");

	if (!waits && !kmprof_image_find_scalar(image, "source"))
		return;
	printf("%sSource%s     %s%s%s\n", term_bold(), term_plain(),
	       kmprof_image_word(image, "source"), waits ? "; of waits: " : "",
	       waits ? kmprof_image_word(image, "wait_source") : "");
}

static void print_state(const struct status *s)
{
	const struct kmprof_image *image = &s->opened.image;
	const struct kmprof_image_header *h = &image->header;
	char start[HUMAN_TEXT], end[HUMAN_TEXT];

	if (s->live)
		print_probes(s);
	else
		print_line("State", "saved image");
	print_sources(image);
	print_settings(s);
	print_marks(image);
	printf("%sCounting%s   since %s; cycle %llu closed at %s\n\n", term_bold(), term_plain(),
	       human_time(start, h->start_ns), h->cycle, human_time(end, h->time_ns));
}

static void print_lacks(const struct kmprof_info *info)
{
	unsigned int i;

	for (i = 0; i < kmprof_nr_lacks; i++)
		if (info->lacks & kmprof_lacks[i].bit)
			printf("%sNot seen%s   %s%s%s\n", term_bold(), term_plain(), term_alert(),
			       kmprof_lacks[i].meaning, term_plain());
	if (info->lacks)
		putchar('\n');
}

/* A row of the table of numbers; "" for what is not known. */
static void print_row(const char *name, const __u64 *exact, const double *estimate,
		      const double *error)
{
	printf("  %-18s", name);
	if (exact)
		printf(" %18llu", *exact);
	else
		printf(" %18s", "");
	if (estimate)
		printf(" %18.0f", *estimate);
	if (error)
		printf(" %18.0f", *error);
	putchar('\n');
}

/**
 * struct number - a row that has both an exact number and an estimate
 * @name: for people
 * @scalar: the exact number; no row without
 * @estimate: the estimate
 */
struct number {
	const char *name;
	const char *scalar;
	const double *estimate;
};

static bool is_listed(const char *name, const struct number *numbers, size_t nr)
{
	size_t i;

	for (i = 0; i < KMPROF_MEMORY_KINDS; i++)
		if (!strcmp(kmprof_memory_kinds[i].calls, name) ||
		    !strcmp(kmprof_memory_kinds[i].frees, name) ||
		    (!kmprof_memory_kinds[i].is_more &&
		     !strcmp(kmprof_memory_kinds[i].bytes, name)))
			return true;
	for (i = 0; i < nr; i++)
		if (!strcmp(numbers[i].scalar, name))
			return true;
	for (i = 0; i < kmprof_nr_reasons; i++)
		if (!strcmp(kmprof_reasons[i].scalar, name))
			return true;
	return false;
}

/* Parts of what is unblamed, which is the row before. */
static void print_reasons(const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	char label[32];
	unsigned int i;

	for (i = 0; i < kmprof_nr_reasons; i++) {
		scalar = kmprof_image_find_scalar(image, kmprof_reasons[i].scalar);
		if (!scalar || !scalar->value)
			continue;
		snprintf(label, sizeof(label), "- %s", kmprof_reasons[i].label);
		print_row(label, &scalar->value, NULL, NULL);
	}
}

/* A total that this program knows nothing about. */
static void print_totals(const struct kmprof_image *image, const struct number *numbers, size_t nr)
{
	const struct kmprof_image_scalar *scalar;
	const char *name;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		name = kmprof_scalar_name(image, scalar);
		if (scalar->flags & KMPROF_SCALAR_TOTAL && !is_listed(name, numbers, nr))
			print_row(name, &scalar->value, NULL, NULL);
	}
}

static void print_contentions(const struct status *s)
{
	const struct kmprof_image *image = &s->opened.image;
	double waits = kmprof_delays_real(s->sums.waits.count);
	double wait_ns = (double)s->sums.waits.delay_ns;
	double releases = kmprof_delays_real(s->sums.releases.count);
	double blamed_ns = (double)s->sums.releases.delay_ns;
	double unblamed_ns = (double)s->sums.unblamed.delay_ns;
	const struct number numbers[] = {
		{ "waits for locks", "total.waits", &waits },
		{ "waited, ns", "total.wait_ns", &wait_ns },
		{ "releases", "total.releases", &releases },
		{ "blamed, ns", "total.blamed_ns", &blamed_ns },
		{ "unblamed, ns", "total.unblamed_ns", &unblamed_ns },
	};
	const struct kmprof_image_scalar *scalar;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		scalar = kmprof_image_find_scalar(image, numbers[i].scalar);
		if (scalar)
			print_row(numbers[i].name, &scalar->value, numbers[i].estimate, NULL);
	}
	print_reasons(image);
	print_totals(image, numbers, ARRAY_SIZE(numbers));
}

/* A row of one kind of memory; those of slabs have no name before them. */
static void print_kind_row(size_t kind, const char *what, const __u64 *exact,
			   const double *estimate, const double *error)
{
	char label[32];

	snprintf(label, sizeof(label), "%s: %s", kmprof_memory_kinds[kind].name, what);
	print_row(kind == KMPROF_KIND_SLAB ? what : label, exact, estimate, error);
}

static void print_kind(const struct status *s, size_t kind)
{
	const struct kmprof_memory_kind *names = &kmprof_memory_kinds[kind];
	const struct kmprof_amount *alloc = &s->sums.kind[kind].alloc;
	const struct kmprof_amount *inuse = &s->sums.kind[kind].inuse;
	double alloc_error = kmprof_amount_error(alloc), inuse_error = kmprof_amount_error(inuse);
	const struct kmprof_image *image = &s->opened.image;
	__u64 calls = kmprof_image_value(image, names->calls);
	__u64 bytes = names->is_more ? 0 : kmprof_image_value(image, names->bytes);
	__u64 frees = kmprof_image_value(image, names->frees);

	/* What was never on needs no rows. */
	if (kind != KMPROF_KIND_SLAB && !calls && !frees && !(alloc->objects > 0))
		return;
	if (names->is_more) {
		print_kind_row(kind, "all allocated", &calls, NULL, NULL);
		print_kind_row(kind, "all freed", &frees, NULL, NULL);
	}
	print_kind_row(kind, "allocated objects", names->is_more ? NULL : &calls, &alloc->objects,
		       NULL);
	print_kind_row(kind, "allocated bytes", names->is_more ? NULL : &bytes, &alloc->bytes,
		       &alloc_error);
	if (!names->is_more)
		print_kind_row(kind, "freed objects", &frees, NULL, NULL);
	print_kind_row(kind, "in use, objects", NULL, &inuse->objects, NULL);
	print_kind_row(kind, "in use, bytes", NULL, &inuse->bytes, &inuse_error);
}

static void print_memory(const struct status *s)
{
	size_t i;

	for (i = 0; i < KMPROF_MEMORY_KINDS; i++)
		print_kind(s, i);
}

/* What is to be said about these numbers. */
static void print_remarks(const struct status *s)
{
	const struct kmprof_image *image = &s->opened.image;
	struct kmprof_amount alloc = { 0 };
	struct kmprof_limit limit;
	double error, off;
	size_t i;

	for (i = 0; i < KMPROF_MEMORY_KINDS; i++)
		if (!kmprof_memory_kinds[i].is_more)
			kmprof_amount_merge(&alloc, &s->sums.kind[i].alloc);
	error = kmprof_amount_error(&alloc);
	if (kmprof_limit_inuse(&limit, image, &s->sums))
		printf("  In use: %s%.0f bytes%s.\n", limit.before, limit.bytes, limit.behind);
	off = alloc.bytes - (double)kmprof_memory_bytes(image);
	/* A filter has left out samples, and not totals. */
	if (error > 0 && !kmprof_image_value(image, "filtered"))
		printf("  The estimate of allocated bytes is off by %+.1f standard errors.\n",
		       off / error);
}

static void print_numbers(const struct status *s)
{
	bool memory = kmprof_heap_rows(&s->opened.image).entry_size;

	printf("%s  %-18s %18s %18s %18s%s\n", term_bold(), "Since then", "exact", "estimate",
	       "standard error", term_plain());
	if (memory)
		print_memory(s);
	print_contentions(s);
	if (memory)
		print_remarks(s);
	putchar('\n');
}

/* The width of a column that @name is added to. */
static int wider(int width, const char *name)
{
	int length = (int)strlen(name);

	return width < length ? length : width;
}

enum { LIMIT_NAME = KMPROF_NAME_LEN + 16 };

static void print_limit(int width, const char *name, __u32 used, __u32 limit,
			const char *parameter)
{
	bool full = used >= limit;

	printf("  %-*s %s%10u%s %10u   %s\n", width, name, full ? term_alert() : "", used,
	       full ? term_plain() : "", limit, parameter);
}

/* A limit of what is not counted. */
static void print_bound(int width, const char *name, __u32 limit, const char *parameter)
{
	printf("  %-*s %10s %10u   %s\n", width, name, "", limit, parameter);
}

static const char *buckets_of(const struct kmprof_profile_info *profile, char name[LIMIT_NAME])
{
	snprintf(name, LIMIT_NAME, "buckets, %s", profile->name);
	return name;
}

static int limits_width(const struct status *s)
{
	int width = (int)strlen("ring bytes per CPU");
	char name[LIMIT_NAME];
	size_t i;

	for (i = 0; i < s->profiles.nr; i++)
		width = wider(width, buckets_of(&s->profiles.profile[i], name));
	return width;
}

static void print_limits(const struct status *s)
{
	const struct kmprof_info *info = &s->info;
	int width = limits_width(s);
	char name[LIMIT_NAME];
	size_t i;

	printf("%s  %-*s %10s %10s   %s%s\n", term_bold(), width, "Limits", "used", "room for",
	       "parameter", term_plain());
	for (i = 0; i < s->profiles.nr; i++)
		if (is_table(&s->profiles.profile[i]))
			print_limit(width, buckets_of(&s->profiles.profile[i], name),
				    s->profiles.profile[i].buckets, info->max_buckets,
				    "max_buckets");
	print_limit(width, "live objects", info->live, info->max_live, "max_live");
	print_limit(width, "open snapshots", info->snapshots, info->max_snapshots,
		    "max_snapshots");
	print_bound(width, "frames per stack", info->stack_depth, "stack_depth");
	print_bound(width, "ring bytes per CPU", info->ring_bytes, "ring_bytes");
	print_bound(width, "waits at a time", info->max_waits, "max_waits");
	print_bound(width, "objects at a time", info->max_objects, "max_objects");
	putchar('\n');
}

static void print_account(int width, const struct kmprof_image *image, __u32 number,
			  const struct kmprof_ledger_account *a)
{
	printf("  %-*s %8u", width, kmprof_image_profile_name(image, number),
	       kmprof_image_profile(image, number)->rows.count);
	if (a->is_kept)
		printf(" %16llu %16llu %12llu %6.2f%%", a->sampled, a->counted, a->lost,
		       a->sampled ? 100.0 * (double)a->lost / (double)a->sampled : 0.0);
	putchar('\n');
}

static int accounts_width(const struct kmprof_image *image)
{
	int width = (int)strlen("Profiles");
	__u32 i;

	for (i = 1; i <= image->header.profiles.count; i++)
		width = wider(width, kmprof_image_profile_name(image, i));
	return width;
}

static void print_accounts(const struct kmprof_image *image,
			   const struct kmprof_ledger_account *accounts)
{
	int width = accounts_width(image);
	__u32 i;

	printf("%s  %-*s %8s %16s %16s %12s%s\n", term_bold(), width, "Profiles", "rows",
	       "sampled", "counted", "lost", term_plain());
	for (i = 1; i <= image->header.profiles.count; i++)
		print_account(width, image, i, &accounts[i]);
	if (!kmprof_ledger_consistent(image, accounts))
		printf("%s  These do not add up: a fault in the module; please report it.%s\n",
		       term_alert(), term_plain());
	putchar('\n');
}

static bool is_loss(const struct kmprof_image_scalar *scalar)
{
	return scalar->flags & KMPROF_SCALAR_LEDGER && scalar->value;
}

/* 0: there are no losses. */
static int losses_width(const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	int width = 0;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (is_loss(scalar))
			width = wider(width, kmprof_ledger_name(image, scalar));
	}
	return width;
}

static void print_ledger(const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	int width = losses_width(image);
	const char *name;
	__u32 i;

	printf("%sLosses%s%s\n", term_bold(), term_plain(), width ? "" : "     none");
	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (!is_loss(scalar))
			continue;
		name = kmprof_ledger_name(image, scalar);
		printf("  %-*s %10llu  %s\n", width, name, scalar->value,
		       kmprof_ledger_meaning(name));
	}
}

static int print_text(const struct status *s)
{
	struct kmprof_ledger_account *accounts;
	struct kmprof_error err;

	accounts = kmprof_ledger_accounts(&s->opened.image);
	if (!accounts) {
		kmprof_error_set(&err, -ENOMEM, NULL, "adding up the losses: out of memory");
		return fail(&err);
	}
	print_state(s);
	if (s->live)
		print_lacks(&s->info);
	print_numbers(s);
	if (s->live)
		print_limits(s);
	print_accounts(&s->opened.image, accounts);
	free(accounts);
	print_ledger(&s->opened.image);
	return finish_stdout();
}

/* The image's own settings stay: those of the device may have changed since. */
static int print_as_json(const struct status *s)
{
	json_t *value = kmprof_json_image(&s->opened.image);
	json_t *info;

	info = s->live ? json_info(&s->info, &s->profiles, &s->settings) : json_object();
	if (json_object_update(value, info)) {
		json_decref(value);
		value = NULL;
	}
	json_decref(info);
	return print_json(value);
}

static int run(int argc, char **argv)
{
	const char *input = NULL;
	struct status s = { 0 };
	bool json = false;
	int ret;

	ret = parse_plain(&cmd_status, argc, argv, &json, &input);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (optind < argc)
		return usage_error(&cmd_status, "%s: takes no argument", argv[optind]);

	ret = input ? open_image(&s.opened, input, 0) : get_live(&s);
	if (!ret) {
		s.sums = kmprof_sums(&s.opened.image);
		ret = json ? print_as_json(&s) : print_text(&s);
	}
	release(&s);
	return ret;
}

const struct command cmd_status = {
	.name		= "status",
	.summary	= "show whether it is on, its limits, totals and losses",
	.usage		=
	"Usage: kmprof status [--json] [--input IMAGE]\n"
	"\n"
	"Shows what is probed, rates, limits and how far they are used, exact totals\n"
	"beside the estimates from samples, and every loss with what it means.\n"
	"\n"
	"Options:\n"
	USAGE_JSON
	USAGE_INPUT
	USAGE_HELP,
	.run		= run,
};
