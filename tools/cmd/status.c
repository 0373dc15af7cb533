// SPDX-License-Identifier: GPL-2.0
/* kmprof status: is it on, how full is it, how good are its numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/json_device.h"
#include "cmd/term.h"
#include "device/lacks.h"
#include "export/json.h"
#include "image/ledger.h"
#include "image/source.h"
#include "profile/limit.h"

/* Labels and the space behind them. */
enum { LABEL_COLUMNS = 11 };

/**
 * struct status - what is reported
 * @live: whether @info came from the device; else only the image is known
 * @info: state and limits
 * @config: settings; none of its fields is valid if only the image is known
 * @opened: the image
 * @sums: its estimates
 */
struct status {
	bool live;
	struct kmprof_info info;
	struct kmprof_config config;
	struct opened_image opened;
	struct kmprof_sums sums;
};

/* State and image through one open file, so that they are of one moment. */
static int get_live(struct status *s)
{
	struct kmprof_device dev;
	struct kmprof_error err;
	int ret;

	ret = kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err);
	if (ret)
		return fail(&err);
	ret = take_image(&s->opened, &dev, &err);
	if (!ret) {
		ret = kmprof_device_info(&dev, &s->info, &err);
		if (!ret)
			ret = kmprof_config_get(&dev, &s->config, &err);
		if (ret)
			close_image(&s->opened);
	}
	kmprof_device_close(&dev);
	s->live = true;
	return ret ? fail(&err) : EXIT_OK;
}

static void print_line(const char *label, const char *text)
{
	printf("%s%s%s%*s%s\n", term_bold(), label, term_plain(),
	       LABEL_COLUMNS - (int)strlen(label), "", text);
}

/* That a module, or the one of an image, is too old to see something is said here only. */
static void print_seen(const struct status *s, const char *label, __u32 profile, bool in_image,
		       const char *state)
{
	if (s->live && s->info.profiles & 1ULL << profile)
		print_line(label, state);
	else if (s->live)
		print_line(label, "not seen by this module, which is older than this program");
	else if (!in_image)
		print_line(label, "saved image, of a module that does not see them");
}

static const char *waits_state(const struct kmprof_info *info)
{
	if (info->block_attached)
		return "attached";
	return info->mutex_attached ? "off, probed for the releases only" :
				      "off, no probes attached";
}

static void print_rate(const char *name, __u64 rate, const char *every, const char *fewer)
{
	printf("%sRate%s       %s=%llu: %s\n", term_bold(), term_plain(), name, rate,
	       !rate ? "no samples" : rate == 1 ? every : fewer);
}

static void print_rates(const struct kmprof_image *image)
{
	const struct kmprof_image_header *h = &image->header;
	char fewer[64], human[HUMAN_TEXT];

	snprintf(fewer, sizeof(fewer), "one sample per %s bytes allocated",
		 human_exact(human, h->heap_rate));
	print_rate("heap_rate", h->heap_rate, "every allocation", fewer);
	snprintf(fewer, sizeof(fewer), "all waits from %s on, fewer shorter ones",
		 human_ns(human, (double)h->block_rate));
	if (kmprof_image_has_waits(image))
		print_rate("block_rate", h->block_rate, "every wait", fewer);
	snprintf(fewer, sizeof(fewer), "one of %llu releases", h->mutex_fraction);
	if (kmprof_image_has_releases(image))
		print_rate("mutex_fraction", h->mutex_fraction, "every release", fewer);
}

static void print_labels(const struct kmprof_config *config)
{
	const struct kmprof_config_key *key = kmprof_config_key_of(KMPROF_CONFIG_LABELS);
	char text[KMPROF_CONFIG_TEXT];

	if (config->fields & key->field)
		print_line("Labels", kmprof_config_text(config, key, ", ", text));
}

static void print_sources(const struct kmprof_image *image)
{
	const struct kmprof_image_header *h = &image->header;
	char text[64];

	snprintf(text, sizeof(text), "%s; of waits: %s", kmprof_source_name(h->source),
		 kmprof_wait_source_name(h->wait_source));
	print_line("Source", kmprof_image_has_waits(image) ? text :
							     kmprof_source_name(h->source));
}

static void print_state(const struct status *s)
{
	const struct kmprof_image *image = &s->opened.image;
	const struct kmprof_image_header *h = &image->header;
	char start[HUMAN_TEXT], end[HUMAN_TEXT];

	if (s->live)
		print_line("Allocs", s->info.attached ? "attached" : "off, no probes attached");
	else
		print_line("State", "saved image");
	print_seen(s, "Waits", KMPROF_PROFILE_BLOCK, kmprof_image_has_waits(image),
		   waits_state(&s->info));
	print_seen(s, "Releases", KMPROF_PROFILE_MUTEX, kmprof_image_has_releases(image),
		   s->info.mutex_attached ? "attached" : "off, no probes attached");
	print_sources(image);
	print_rates(image);
	print_labels(&s->config);
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

static void print_contentions(const struct status *s)
{
	const struct kmprof_image_header *h = &s->opened.image.header;
	double waits = kmprof_delays_real(s->sums.waits.count);
	double wait_ns = (double)s->sums.waits.delay_ns;
	double releases = kmprof_delays_real(s->sums.releases.count);
	double blamed_ns = (double)s->sums.releases.delay_ns;
	double unblamed_ns = (double)s->sums.unblamed.delay_ns;

	if (kmprof_image_has_waits(&s->opened.image)) {
		print_row("waits for locks", &h->waits, &waits, NULL);
		print_row("waited, ns", &h->wait_ns, &wait_ns, NULL);
	}
	if (kmprof_image_has_releases(&s->opened.image)) {
		print_row("releases", &h->releases, &releases, NULL);
		print_row("blamed, ns", &h->blamed_ns, &blamed_ns, NULL);
		print_row("unblamed, ns", &h->unblamed_ns, &unblamed_ns, NULL);
	}
}

static void print_numbers(const struct status *s)
{
	const struct kmprof_image_header *h = &s->opened.image.header;
	const struct kmprof_amount *alloc = &s->sums.alloc, *inuse = &s->sums.inuse;
	double alloc_error = kmprof_amount_error(alloc), inuse_error = kmprof_amount_error(inuse);
	struct kmprof_limit limit;
	double off = alloc->bytes - (double)h->alloc_bytes;

	printf("%s  %-18s %18s %18s %18s%s\n", term_bold(), "Since then", "exact", "estimate",
	       "standard error", term_plain());
	print_row("allocated objects", &h->alloc_calls, &alloc->objects, NULL);
	print_row("allocated bytes", &h->alloc_bytes, &alloc->bytes, &alloc_error);
	print_row("freed objects", &h->free_calls, NULL, NULL);
	print_row("in use, objects", NULL, &inuse->objects, NULL);
	print_row("in use, bytes", NULL, &inuse->bytes, &inuse_error);
	print_contentions(s);
	if (kmprof_limit_inuse(&limit, &s->opened.image, &s->sums))
		printf("  In use: %s%.0f bytes%s.\n", limit.before, limit.bytes, limit.behind);
	if (alloc_error > 0)
		printf("  The estimate of allocated bytes is off by %+.1f standard errors.\n",
		       off / alloc_error);
	putchar('\n');
}

static void print_limit(const char *name, __u32 used, __u32 limit, const char *parameter)
{
	bool full = used >= limit;

	printf("  %-18s %s%18u%s %18u   %s\n", name, full ? term_alert() : "", used,
	       full ? term_plain() : "", limit, parameter);
}

static void print_limits(const struct kmprof_info *info)
{
	printf("%s  %-18s %18s %18s   %s%s\n", term_bold(), "Limits", "used", "at most",
	       "parameter", term_plain());
	print_limit("buckets", info->buckets, info->max_buckets, "max_buckets");
	print_limit("live objects", info->live, info->max_live, "max_live");
	print_limit("open snapshots", info->snapshots, info->max_snapshots, "max_snapshots");
	printf("  %-18s %18s %18u   stack_depth\n", "frames per stack", "", info->stack_depth);
	printf("  %-18s %18s %18u   ring_bytes\n", "ring bytes per CPU", "", info->ring_bytes);
	if (info->max_waits)
		printf("  %-18s %18s %18u   max_waits\n", "waits at a time", "",
		       info->max_waits);
	putchar('\n');
}

static void print_samples(const char *what, const struct kmprof_image *image, __u32 of)
{
	struct kmprof_ledger_account a = kmprof_ledger_account(image, of);
	char text[128];

	snprintf(text, sizeof(text), "%llu seen, %llu counted, %llu not (%.2f%%)", a.sampled,
		 a.counted, a.lost,
		 a.sampled ? 100.0 * (double)a.lost / (double)a.sampled : 0.0);
	print_line(what, text);
}

static void print_ledger(const struct kmprof_image *image)
{
	const struct kmprof_image_loss *loss;
	bool any = false;
	__u32 i;

	print_samples("Samples", image, KMPROF_LOSS_SAMPLE);
	if (kmprof_image_has_waits(image))
		print_samples("Of waits", image, KMPROF_LOSS_WAIT);
	if (kmprof_image_has_releases(image))
		print_samples("Of delays", image, KMPROF_LOSS_DELAY);
	if (!kmprof_ledger_consistent(image))
		printf("%s  These do not add up: a fault in the module; please report it.%s\n",
		       term_alert(), term_plain());
	for (i = 0; i < image->header.losses.count; i++) {
		loss = kmprof_image_loss(image, i);
		if (!loss->count)
			continue;
		if (!any)
			printf("%sLosses%s\n", term_bold(), term_plain());
		any = true;
		printf("  %-17s %10llu  %s\n", kmprof_ledger_name(image, loss), loss->count,
		       kmprof_ledger_meaning(kmprof_ledger_name(image, loss)));
	}
	if (!any)
		printf("%sLosses%s     none\n", term_bold(), term_plain());
}

static int print_text(const struct status *s)
{
	print_state(s);
	if (s->live)
		print_lacks(&s->info);
	print_numbers(s);
	if (s->live)
		print_limits(&s->info);
	print_ledger(&s->opened.image);
	return finish_stdout();
}

/* The image's own rates stay: the settings may have changed since. */
static int print_as_json(const struct status *s)
{
	json_t *value = kmprof_json_image(&s->opened.image);
	json_t *info = s->live ? json_info(&s->info) : json_object();
	json_t *config = json_config(&s->config);

	if (json_object_update(value, info) || json_object_update_missing(value, config)) {
		json_decref(value);
		value = NULL;
	}
	json_decref(info);
	json_decref(config);
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

	ret = input ? open_image(&s.opened, input) : get_live(&s);
	if (ret)
		return ret;
	s.sums = kmprof_sums(&s.opened.image);
	ret = json ? print_as_json(&s) : print_text(&s);
	close_image(&s.opened);
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
