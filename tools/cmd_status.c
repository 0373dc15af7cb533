// SPDX-License-Identifier: GPL-2.0
/* kmprof status: is it on, how full is it, how good are its numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "lib/json.h"
#include "lib/lacks.h"
#include "lib/ledger.h"
#include "lib/sums.h"
#include "term.h"

/* Labels and the space behind them. */
enum { LABEL_COLUMNS = 11 };

/**
 * struct status - what is reported
 * @live: whether @info came from the device; else only the image is known
 * @info: state and limits
 * @capture: the image
 * @sums: its estimates
 */
struct status {
	bool live;
	struct kmprof_info info;
	struct kmprof_capture capture;
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
	ret = kmprof_snapshot_take(&s->capture, &dev, &err);
	if (!ret) {
		ret = kmprof_device_info(&dev, &s->info, &err);
		if (ret)
			kmprof_snapshot_release(&s->capture);
	}
	kmprof_device_close(&dev);
	s->live = true;
	return ret ? fail(&err) : EXIT_OK;
}

static const char *waits_state(const struct status *s)
{
	if (!s->live)
		return "saved image, of a module that does not see them";
	if (!(s->info.profiles & 1ULL << KMPROF_PROFILE_BLOCK))
		return "not seen by this module, which is older than this program";
	return s->info.block_attached ? "attached" : "off, no probes attached";
}

static void print_block_rate(__u64 rate)
{
	char from[HUMAN_TEXT];

	printf("%sRate%s       block_rate=%llu: ", term_bold(), term_plain(), rate);
	if (!rate)
		puts("no samples");
	else if (rate == 1)
		puts("every wait");
	else
		printf("all waits from %s on, fewer shorter ones\n", human_ns(from, (double)rate));
}

static void print_state(const struct status *s)
{
	const struct kmprof_image_header *h = &s->capture.image.header;
	char rate[HUMAN_TEXT], start[HUMAN_TEXT], end[HUMAN_TEXT];
	bool has_waits = kmprof_image_has_waits(&s->capture.image);
	const char *state = "saved image";

	if (s->live)
		state = s->info.attached ? "attached" : "off, no probes attached";
	printf("%sState%s      %s\n", term_bold(), term_plain(), state);
	if (s->live || !has_waits)
		printf("%sWaits%s      %s\n", term_bold(), term_plain(), waits_state(s));
	printf("%sSource%s     %s\n", term_bold(), term_plain(), kmprof_source_name(h->source));
	printf("%sRate%s       heap_rate=%llu: ", term_bold(), term_plain(), h->heap_rate);
	if (!h->heap_rate)
		puts("no samples");
	else if (h->heap_rate == 1)
		puts("every allocation");
	else
		printf("one sample per %s bytes allocated\n", human_exact(rate, h->heap_rate));
	if (has_waits)
		print_block_rate(h->block_rate);
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

static void print_numbers(const struct status *s)
{
	const struct kmprof_image_header *h = &s->capture.image.header;
	const struct kmprof_amount *alloc = &s->sums.alloc, *inuse = &s->sums.inuse;
	double alloc_error = kmprof_amount_error(alloc), inuse_error = kmprof_amount_error(inuse);
	double waits = kmprof_waits_real(s->sums.waits.count);
	double wait_ns = (double)s->sums.waits.delay_ns;
	double off = alloc->bytes - (double)h->alloc_bytes;

	printf("%s  %-18s %18s %18s %18s%s\n", term_bold(), "Since then", "exact", "estimate",
	       "standard error", term_plain());
	print_row("allocated objects", &h->alloc_calls, &alloc->objects, NULL);
	print_row("allocated bytes", &h->alloc_bytes, &alloc->bytes, &alloc_error);
	print_row("freed objects", &h->free_calls, NULL, NULL);
	print_row("in use, objects", NULL, &inuse->objects, NULL);
	print_row("in use, bytes", NULL, &inuse->bytes, &inuse_error);
	if (kmprof_image_has_waits(&s->capture.image)) {
		print_row("waits for locks", &h->waits, &waits, NULL);
		print_row("waited, ns", &h->wait_ns, &wait_ns, NULL);
	}
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

static void print_samples(const char *what, __u64 sampled, __u64 counted, __u64 lost)
{
	printf("%s%s%s%*s%llu seen, %llu counted, %llu not (%.2f%%)\n", term_bold(), what,
	       term_plain(), LABEL_COLUMNS - (int)strlen(what), "", sampled, counted, lost,
	       sampled ? 100.0 * (double)lost / (double)sampled : 0.0);
}

static void print_ledger(const struct kmprof_image *image)
{
	const struct kmprof_image_header *h = &image->header;
	const struct kmprof_image_loss *loss;
	bool any = false;
	__u32 i;

	print_samples("Samples", h->sampled, h->counted,
		      kmprof_ledger_lost(image, KMPROF_LOSS_SAMPLE));
	if (kmprof_image_has_waits(image))
		print_samples("Of waits", h->waits_sampled, h->waits_counted,
			      kmprof_ledger_lost(image, KMPROF_LOSS_WAIT));
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
		printf("  %-16s %10llu  %s\n", kmprof_ledger_name(image, loss), loss->count,
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
	print_ledger(&s->capture.image);
	return finish_stdout();
}

static int print_as_json(const struct status *s)
{
	json_t *value = kmprof_json_image(&s->capture.image);
	json_t *info = s->live ? kmprof_json_info(&s->info) : json_object();

	if (value && (!info || json_object_update(value, info))) {
		json_decref(value);
		value = NULL;
	}
	json_decref(info);
	return print_json(value);
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_JSON, OPTION_INPUT, OPTION_END
	};
	const char *input = NULL;
	struct status s = { 0 };
	bool json = false;
	int opt, ret;

	while ((opt = getopt_long(argc, argv, ":h", options, NULL)) >= 0) {
		switch (opt) {
		case 'h':
			return show_help(&cmd_status);
		case OPT_JSON:
			json = true;
			break;
		case OPT_INPUT:
			input = optarg;
			break;
		default:
			return bad_option(&cmd_status, opt, argv);
		}
	}
	if (optind < argc)
		return usage_error(&cmd_status, "%s: takes no argument", argv[optind]);

	ret = input ? open_image(&s.capture, input) : get_live(&s);
	if (ret)
		return ret;
	s.sums = kmprof_sums(&s.capture.image);
	ret = json ? print_as_json(&s) : print_text(&s);
	kmprof_snapshot_release(&s.capture);
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
