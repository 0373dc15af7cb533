// SPDX-License-Identifier: GPL-2.0
/* The report of kmprof leaks for programs: JSON, and KTAP for the kernel's test harnesses. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/leaks_report.h"
#include "device/config.h"
#include "device/lacks.h"
#include "export/json.h"
#include "image/memory.h"
#include "util/memory_file.h"

const char *const leaks_verdict_names[] = {
	[KMPROF_VERDICT_STEADY]		= "steady",
	[KMPROF_VERDICT_RECORD]		= "record",
	[KMPROF_VERDICT_GROWING]	= "growing",
	[KMPROF_VERDICT_LEAK]		= "leak",
};

const char *const leaks_reason_names[] = {
	[KMPROF_REASON_NONE]		= "none",
	[KMPROF_REASON_CHANCE]		= "chance",
	[KMPROF_REASON_FEW_ROUNDS]	= "few_rounds",
	[KMPROF_REASON_SLOWING]		= "slowing",
	[KMPROF_REASON_STOPPED]		= "stopped",
};

static json_t *json_numbers(const double *number, unsigned int nr)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; i < nr; i++)
		array = kmprof_json_append(array, json_real(number[i]));
	return array;
}

/* Sampled objects, raw: with heap_rate=1 these are all objects. */
static json_t *json_size(const struct kmprof_history_entry *entry, unsigned int last)
{
	__u64 before = entry->allocs[0] - entry->frees[0];
	__u64 now = entry->allocs[last] - entry->frees[last];
	__u64 allocs = entry->allocs[last] > entry->allocs[0] ?
		       entry->allocs[last] - entry->allocs[0] : 0;

	return json_pack("{s:o, s:i, s:s?, s:o, s:o, s:o}",
			 "object_size", kmprof_json_u64(entry->size),
			 "sampled_together", (int)entry->together,
			 "cache", *entry->cache ? entry->cache : NULL,
			 "sampled_allocs", kmprof_json_u64(allocs),
			 "sampled_inuse_before", kmprof_json_u64(before),
			 "sampled_inuse", kmprof_json_u64(now));
}

static json_t *json_sizes(const struct kmprof_finding *finding, unsigned int last)
{
	json_t *array = json_array();
	const struct kmprof_history_entry *entry;
	size_t i;

	for (i = 0; i < finding->nr_sizes; i++) {
		entry = &finding->entry[i];
		array = kmprof_json_append(array, json_size(entry, last));
	}
	return array;
}

static json_t *json_growth(const struct kmprof_finding *finding)
{
	const struct kmprof_judged *j = &finding->judged;

	return json_pack("{s:f, s:f, s:f, s:i, s:i, s:o}",
			 "bytes_per_round", j->mean,
			 "bytes_per_round_standard_error", j->error,
			 "objects_per_round", finding->objects,
			 "rounds_grown", (int)j->grown,
			 "rounds_changed", (int)j->moved,
			 "bytes_by_round", json_numbers(j->growth, j->rounds));
}

/* Null if it is not known. */
static json_t *json_oldest(const struct kmprof_finding *finding)
{
	return finding->oldest_ns ? kmprof_json_u64(finding->oldest_ns) : json_null();
}

static json_t *json_finding(const struct leaks_report *r, const struct kmprof_finding *finding)
{
	const struct kmprof_history_entry *entry = finding->entry;
	const struct kmprof_judged *j = &finding->judged;
	__u32 nr_frames = entry->frames ? entry->nr_frames : 0;
	char kind[KMPROF_MEMORY_NAME];

	return json_pack("{s:s,s:s?,s:s,s:s,s:s,s:f,s:f,s:o,s:i,s:f,s:f,s:f,s:o,s:o,s:o}",
			 "verdict", leaks_verdict_names[j->verdict],
			 "record", finding->record,
			 "reason", leaks_reason_names[j->reason],
			 "judged_by", finding->by_objects ? "objects" : "bytes",
			 "kind", kmprof_memory_name(entry->kind, kind),
			 "p", j->p,
			 "confidence", 1 - j->adjusted,
			 "growth", json_growth(finding),
			 "age_rounds", (int)(j->rounds - finding->first + !!finding->first),
			 "bytes_allocated", finding->allocated,
			 "bytes_left", finding->left,
			 "never_freed", finding->never_freed,
			 "oldest_ns", json_oldest(finding),
			 "sizes", json_sizes(finding, r->findings->rounds),
			 "stack", kmprof_json_stack(entry->frames, nr_frames, r->resolver));
}

/* Those that have changed. */
static json_t *json_findings(const struct leaks_report *r)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->findings->nr; i++)
		if (r->findings->finding[i].changed)
			array = kmprof_json_append(array,
						   json_finding(r, &r->findings->finding[i]));
	return array;
}

static json_t *json_effects(unsigned int effect)
{
	return json_pack("{s:b, s:b, s:b}",
			 "hides_leaks", !!(effect & KMPROF_LOSS_HIDES),
			 "accuses_steady", !!(effect & KMPROF_LOSS_ACCUSES),
			 "merges_stacks", !!(effect & KMPROF_LOSS_MERGES));
}

static json_t *json_loss(const struct kmprof_leak_loss *loss)
{
	return json_pack("{s:s, s:o, s:o}", "name", loss->name,
			 "count", kmprof_json_u64(loss->count),
			 "effect", json_effects(loss->count ? loss->effect : 0));
}

static json_t *json_losses(const struct kmprof_leak_losses *losses)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < losses->nr; i++)
		array = kmprof_json_append(array, json_loss(&losses->loss[i]));
	return array;
}

static json_t *json_lacks(__u64 lacks)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; i < kmprof_nr_lacks; i++)
		if (lacks & kmprof_lacks[i].bit)
			array = kmprof_json_append(array, json_string(kmprof_lacks[i].name));
	return array;
}

static json_t *json_command(char *const *command)
{
	json_t *array = json_array();

	if (!command) {
		json_decref(array);
		return json_null();
	}
	for (; *command; command++) {
		json_t *word = json_string(*command);

		/* Arguments can be any bytes. */
		array = kmprof_json_append(array, word ? word : json_string("?"));
	}
	return array;
}

static json_t *json_stacks(const struct kmprof_findings *f)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
			 "leaks", kmprof_json_u64(f->leaks),
			 "growing", kmprof_json_u64(f->growing),
			 "records", kmprof_json_u64(f->records),
			 "changed", kmprof_json_u64(f->changed),
			 "series_judged", kmprof_json_u64(f->looked_at),
			 "all", kmprof_json_u64(f->nr));
}

static json_t *json_kinds(__u64 kinds)
{
	const struct kmprof_config_key *key = kmprof_config_key_of("heap");
	char text[KMPROF_CONFIG_NAME];
	json_t *array = json_array();

	while (kinds)
		array = kmprof_json_append(array, json_string(kmprof_config_take_name(key, &kinds,
										      text)));
	return array;
}

/* What was not seen: in this session, and ever in this kernel. */
static json_t *json_not_seen(const struct leaks_session *s)
{
	const char *filter = s->settings.filter;

	return json_pack("{s:o, s:s?, s:o, s:o, s:o, s:o, s:o}",
			 "kinds", json_kinds(s->settings.unseen),
			 "heap_filter", *filter ? filter : NULL,
			 "sampled", kmprof_json_u64(s->losses.sampled),
			 "lost", kmprof_json_u64(s->losses.lost),
			 "ledger", json_losses(&s->losses),
			 "lacks", json_lacks(s->lacks),
			 "effect", json_effects(leaks_effect(s)));
}

json_t *leaks_report_json(const struct leaks_report *r)
{
	const struct leaks_session *s = r->session;
	const struct kmprof_findings *f = r->findings;

	return json_pack("{s:s, s:s, s:o, s:i, s:o, s:o, s:o, s:f, s:b, s:o, s:o, s:o}",
			 "profile", "heap",
			 "verdict", f->leaks ? "leak" : f->growing ? "growing" : "no leak",
			 "command", json_command(s->options->command),
			 "rounds", (int)f->rounds,
			 "round_ns", kmprof_json_u64(s->round_ns),
			 "heap_rate", kmprof_json_u64(s->settings.rate),
			 "kinds", json_kinds(s->settings.kinds),
			 "confidence", LEAKS_CONFIDENCE,
			 "caches_dropped", s->options->settle,
			 "stacks", json_stacks(f),
			 "not_seen", json_not_seen(s),
			 "findings", json_findings(r));
}

/* The name of a KTAP test has no '#', which begins a directive, and is one line. */
static void put_name(FILE *file, char *const *command)
{
	const char *c;

	fputs("kmprof leaks", file);
	for (; command && *command; command++) {
		fputc(' ', file);
		for (c = *command; *c; c++)
			fputc(isprint((unsigned char)*c) && *c != '#' ? *c : '_', file);
	}
}

static void put_comments(FILE *file, char *text)
{
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			fprintf(file, "# %s\n", line);
}

int leaks_report_ktap(FILE *file, const struct leaks_report *r)
{
	char *text = NULL;
	FILE *memory;
	size_t size;

	memory = open_memstream(&text, &size);
	if (!memory)
		return -ENOMEM;
	leaks_report_text(memory, r);
	if (kmprof_memory_file_close(memory, &text))
		return -ENOMEM;
	fputs("KTAP version 1\n1..1\n", file);
	put_comments(file, text);
	fprintf(file, "%sok 1 ", r->findings->leaks ? "not " : "");
	put_name(file, r->session->options->command);
	fputc('\n', file);
	free(text);
	return 0;
}
