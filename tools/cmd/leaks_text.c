// SPDX-License-Identifier: GPL-2.0
/* The report of kmprof leaks for people. */
#include <math.h>
#include <string.h>

#include "cmd/leaks_report.h"
#include "cmd/term.h"
#include "device/config.h"
#include "device/lacks.h"
#include "image/ledger.h"
#include "image/memory.h"
#include "profile/nowhere.h"

enum {
	SIZES_MOST	= 4,	/* in a line */
	ROUNDS_MOST	= 12,
};

unsigned int leaks_effect(const struct leaks_session *session)
{
	return kmprof_leak_losses_effect(&session->losses) |
	       (session->lacks || session->settings.unseen || *session->settings.filter ?
		KMPROF_LOSS_HIDES : 0);
}

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

static const char *round_word(const struct leaks_report *r)
{
	return r->session->options->command ? "round" : "interval";
}

static void put_chain(FILE *file, const struct leaks_report *r,
		      const struct kmprof_finding *finding)
{
	const struct kmprof_history_entry *entry = finding->entry;
	struct kmprof_frame frame;
	__u32 i;

	if (!entry->nr_frames || !entry->frames)
		fprintf(file, "    %s\n", kmprof_nowhere_names[KMPROF_NO_STACK]);
	for (i = 0; entry->frames && i < entry->nr_frames; i++) {
		kmprof_resolver_find(r->resolver, entry->frames[i], &frame);
		fputs("    ", file);
		if (frame.named)
			kmprof_symbol_write(file, &frame.symbol, entry->frames[i]);
		else
			fprintf(file, "%#llx", entry->frames[i]);
		fputc('\n', file);
	}
}

/* Whose functions these are can no longer be seen in /proc/modules. */
static void put_gone(FILE *file, const struct leaks_report *r,
		     const struct kmprof_finding *finding)
{
	const struct kmprof_history_entry *entry = finding->entry;
	long told = -1;
	__u32 i;

	for (i = 0; entry->frames && i < entry->nr_frames; i++) {
		const struct kmprof_mapping *mapping;
		struct kmprof_frame frame;

		kmprof_resolver_find(r->resolver, entry->frames[i], &frame);
		if (frame.mapping < 0 || frame.mapping == told ||
		    !kmprof_resolver_is_gone(r->resolver, &frame))
			continue;
		told = frame.mapping;
		mapping = &r->resolver->mappings.mapping[told];
		fprintf(file, "  %s has been removed; its build id: %s\n", mapping->name,
			*mapping->build_id ? mapping->build_id : "not known");
	}
}

/* Sampled objects of a size that were added from the first snapshot to the last. */
static __s64 added(const struct leaks_report *r, const struct kmprof_history_entry *entry)
{
	unsigned int last = r->findings->rounds;

	return (__s64)(entry->allocs[last] - entry->frees[last]) -
	       (__s64)(entry->allocs[0] - entry->frees[0]);
}

/* Blocks of different length have the same size: that of a page. They are in order. */
static bool is_size_shown(const struct leaks_report *r, const struct kmprof_finding *finding,
			  size_t i)
{
	const struct kmprof_history_entry *entry = finding->entry;
	size_t k;

	for (k = i; k && entry[k - 1].size == entry[i].size; k--)
		if (added(r, &entry[k - 1]) > 0)
			return true;
	return false;
}

/* Has a size before this one, which has grown as well, the same cache? */
static bool is_cache_shown(const struct leaks_report *r, const struct kmprof_finding *finding,
			   size_t i)
{
	const struct kmprof_history_entry *entry = finding->entry;
	size_t k;

	for (k = 0; k < i; k++)
		if (added(r, &entry[k]) > 0 && !strcmp(entry[k].cache, entry[i].cache))
			return true;
	return false;
}

/* Of the first @nr sizes. The cache of a size is not always known. */
static void put_caches(FILE *file, const struct leaks_report *r,
		       const struct kmprof_finding *finding, size_t nr)
{
	const char *before = " from ";
	bool others = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct kmprof_history_entry *entry = &finding->entry[i];

		if (added(r, entry) <= 0 || is_cache_shown(r, finding, i))
			continue;
		others |= !*entry->cache;
		if (!*entry->cache)
			continue;
		fprintf(file, "%s%s", before, entry->cache);
		before = ", ";
	}
	if (others && *before == ',')
		fputs(" and others", file);
}

static void put_sizes(FILE *file, const struct leaks_report *r,
		      const struct kmprof_finding *finding)
{
	const char *before = "  objects of ";
	size_t i, shown = 0;

	for (i = 0; i < finding->nr_sizes; i++) {
		if (added(r, &finding->entry[i]) <= 0 || is_size_shown(r, finding, i))
			continue;
		if (shown++ == SIZES_MOST) {
			fputs(" and other sizes", file);
			break;
		}
		fprintf(file, "%s%llu", before, finding->entry[i].size);
		before = ", ";
	}
	if (!shown) {
		fputs("  ", file);
		return;
	}
	fputs(" bytes", file);
	put_caches(file, r, finding, i);
	fputs("; ", file);
}

/* "one object per round" where each round left exactly one. */
static void put_objects(FILE *file, const struct leaks_report *r,
			const struct kmprof_finding *finding)
{
	const struct kmprof_judged *judged = &finding->judged;
	bool exact = r->session->settings.rate == 1;

	if (exact && judged->grown == judged->rounds && finding->objects == 1)
		fprintf(file, "one object per %s", round_word(r));
	else
		fprintf(file, "%s%.*f objects per %s", exact ? "" : "about ",
			finding->objects < 10 && finding->objects != round(finding->objects),
			finding->objects, round_word(r));
}

static void put_growth(FILE *file, const struct leaks_report *r,
		       const struct kmprof_judged *judged)
{
	char text[HUMAN_TEXT];
	unsigned int i;

	fprintf(file, "by %s:", round_word(r));
	for (i = 0; i < judged->rounds && i < ROUNDS_MOST; i++)
		fprintf(file, " %s%s", judged->growth[i] < 0 ? "-" : "",
			human_bytes(text, fabs(judged->growth[i]), false));
	fputs(i < judged->rounds ? " ...\n" : "\n", file);
}

static void put_age(FILE *file, const struct leaks_report *r, const struct kmprof_finding *finding)
{
	unsigned int rounds = finding->judged.rounds;
	char age[HUMAN_TEXT];

	fprintf(file, "  grew in %u of %u %ss; ", finding->judged.grown, rounds, round_word(r));
	if (finding->first)
		fprintf(file, "first seen %u %s%s ago", rounds - finding->first + 1, round_word(r),
			plural(rounds - finding->first + 1));
	else
		fprintf(file, "known since before the first %s", round_word(r));
	fprintf(file, "; never freed: %.0f %%\n", 100 * finding->never_freed);
	if (finding->oldest_ns)
		fprintf(file, "  the oldest in use: %s\n",
			human_age(age, (double)finding->oldest_ns));
}

static void put_confidence(FILE *file, const struct kmprof_judged *judged)
{
	if (judged->adjusted < 0.0001)
		fputs("more than 99.99 %", file);
	else
		fprintf(file, "%.2f %%", 100 * (1 - judged->adjusted));
}

static void put_doubt(FILE *file, const struct leaks_report *r, const struct kmprof_judged *judged)
{
	switch (judged->reason) {
	case KMPROF_REASON_SLOWING:
		fprintf(file, "it slows down, as a cache that fills up");
		break;
	case KMPROF_REASON_FEW_ROUNDS:
		fprintf(file, "it did not grow in most %ss", round_word(r));
		break;
	default:
		fprintf(file, "it can be chance: %.2g %% for each of %zu series if they are steady",
			100 * judged->p, r->findings->looked_at);
	}
}

/* All was seen, and it was the same in each round: there is no error to show. */
static bool is_even(const struct leaks_report *r, const struct kmprof_judged *judged)
{
	unsigned int i;

	for (i = 1; i < judged->rounds; i++)
		if (judged->growth[i] != judged->growth[0])
			return false;
	return r->session->settings.rate == 1;
}

static void put_finding(FILE *file, const struct leaks_report *r,
			const struct kmprof_finding *finding)
{
	const struct kmprof_judged *judged = &finding->judged;
	bool leak = judged->verdict == KMPROF_VERDICT_LEAK;
	char bytes[HUMAN_TEXT], error[HUMAN_TEXT], kind[KMPROF_MEMORY_NAME];

	fprintf(file, "\n%s%s%s", leak ? term_alert() : term_bold(),
		leak ? "LEAK" : "GROWING (not sure)", term_plain());
	if (finding->entry->kind != KMPROF_KIND_SLAB)
		fprintf(file, " of %s memory", kmprof_memory_name(finding->entry->kind, kind));
	fprintf(file, ": %s per %s", human_bytes(bytes, judged->mean, false), round_word(r));
	if (!is_even(r, judged))
		fprintf(file, " %s %s", term_plus_minus(),
			human_bytes(error, judged->error, false));
	fputs(", ", file);
	put_objects(file, r, finding);
	fputc('\n', file);
	if (leak) {
		fputs("  confidence: ", file);
		put_confidence(file, judged);
	} else {
		fputs("  not sure: ", file);
		put_doubt(file, r, judged);
	}
	fputs(finding->by_objects ? ", by the number of objects\n" : "\n", file);
	put_age(file, r, finding);
	put_sizes(file, r, finding);
	put_growth(file, r, judged);
	put_chain(file, r, finding);
	put_gone(file, r, finding);
}

static void put_kinds(FILE *file, __u64 kinds)
{
	const struct kmprof_config_key *key = kmprof_config_key_of("heap");
	char text[KMPROF_CONFIG_NAME];
	const char *before = "";

	for (; kinds; before = ", ")
		fprintf(file, "%s%s", before, kmprof_config_take_name(key, &kinds, text));
}

/* What was lost, and what that means. */
static void put_losses(FILE *file, const struct leaks_report *r)
{
	const struct kmprof_leak_losses *losses = &r->session->losses;
	unsigned int effect = leaks_effect(r->session), i;
	size_t k;

	if (!effect)
		return;
	fprintf(file, "\n%sNot everything was seen%s\n", term_alert(), term_plain());
	if (losses->lost)
		fprintf(file, "  %llu of %llu samples are in no stack\n", losses->lost,
			losses->sampled);
	for (k = 0; k < losses->nr; k++)
		if (losses->loss[k].count && losses->loss[k].effect)
			fprintf(file, "  %-16s %10llu  %s\n", losses->loss[k].name,
				losses->loss[k].count,
				kmprof_ledger_meaning(losses->loss[k].name));
	if (r->session->settings.unseen) {
		fputs("  kinds of memory not seen: ", file);
		put_kinds(file, r->session->settings.unseen);
		fputc('\n', file);
	}
	if (*r->session->settings.filter)
		fprintf(file, "  left out by heap_filter=%s\n", r->session->settings.filter);
	for (i = 0; i < kmprof_nr_lacks; i++)
		if (r->session->lacks & kmprof_lacks[i].bit)
			fprintf(file, "  never seen: %s\n", kmprof_lacks[i].meaning);
	if (effect & KMPROF_LOSS_HIDES)
		fputs("What was not seen can leak: that there is no other leak is not sure.\n",
		      file);
	if (effect & KMPROF_LOSS_ACCUSES)
		fputs("Frees were not seen: a stack may only seem to grow.\n", file);
	if (effect & KMPROF_LOSS_MERGES)
		fputs("Stacks were cut: what is shown as one stack may be several.\n", file);
}

static void put_sampling(FILE *file, const struct leaks_report *r)
{
	const struct leaks_settings *settings = &r->session->settings;
	char rate[HUMAN_TEXT];

	if (settings->rate == 1)
		fprintf(file, "heap_rate=1: every allocation %swas a sample",
			*settings->filter ? "that heap_filter lets pass " : "");
	else
		fprintf(file, "heap_rate=%s: estimates", human_exact(rate, settings->rate));
	fputs("\nKinds of memory: ", file);
	put_kinds(file, settings->kinds);
}

static void put_summary(FILE *file, const struct leaks_report *r)
{
	const struct kmprof_findings *f = r->findings;
	char ns[HUMAN_TEXT];

	if (f->leaks)
		fprintf(file, "%s%zu leak%s%s", term_alert(), f->leaks, plural(f->leaks),
			term_plain());
	else
		fprintf(file, "%sNo leak%s", term_bold(), term_plain());
	fprintf(file, ", %zu stack%s growing (not sure), of %zu that changed and %zu in all\n",
		f->growing, plural(f->growing), f->changed, f->nr);
	fprintf(file, "%u %ss of %s, after one that is not judged; ", f->rounds, round_word(r),
		human_ns(ns, (double)r->session->round_ns));
	put_sampling(file, r);
	fprintf(file,
		"\nIf nothing leaks, rounds are independent and no cache fills, a leak is reported in\n"
		"%.0f of 100 cases at most\n", 100 * (1 - LEAKS_CONFIDENCE));
}

/* One line for each kind of them. */
static void put_records(FILE *file, const struct leaks_report *r)
{
	const struct kmprof_findings *f = r->findings;
	const struct kmprof_finding *record = f->finding + f->leaks + f->growing;
	char bytes[HUMAN_TEXT];
	size_t i, k;

	if (f->records)
		fputs("\nSet aside: records of the kernel, which grow with other memory\n", file);
	for (i = 0; i < f->records; i++) {
		double mean = 0;

		for (k = 0; k < i && strcmp(record[k].record, record[i].record); k++)
			;
		if (k < i)
			continue;
		for (; k < f->records; k++)
			if (!strcmp(record[k].record, record[i].record))
				mean += record[k].judged.mean;
		fprintf(file, "  %s: %s per %s\n", record[i].record,
			human_bytes(bytes, mean, false), round_word(r));
	}
}

/* More rounds help where a leak of one object in each of them is not told from chance. */
static void put_advice(FILE *file, const struct leaks_report *r)
{
	unsigned int enough = kmprof_judge_rounds(r->findings->looked_at, LEAKS_CONFIDENCE);

	if (r->findings->growing && enough > r->findings->rounds)
		fprintf(file,
			"\nWith --rounds %u, one object per %s is no chance among %zu series.\n",
			enough, round_word(r), r->findings->looked_at);
}

void leaks_report_text(FILE *file, const struct leaks_report *r)
{
	size_t i, nr = r->findings->leaks + r->findings->growing;
	unsigned long limit = r->session->options->limit;

	put_summary(file, r);
	for (i = 0; i < nr && (!limit || i < limit); i++)
		put_finding(file, r, &r->findings->finding[i]);
	if (i < nr)
		fprintf(file, "\n%zu more: --limit 0 shows all\n", nr - i);
	put_records(file, r);
	put_advice(file, r);
	put_losses(file, r);
}
