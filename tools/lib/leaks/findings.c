// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/memory.h"
#include "leaks/findings.h"
#include "profile/scale.h"
#include "util/merge.h"

/**
 * struct sums - of a stack, over its sizes
 * @moved: sampled objects by which it has changed, up or down
 * @squares: of these, the sum of what each stands for, squared
 * @grain: bytes that the smallest of them stands for
 * @sampling: variance of the changes due to sampling
 */
struct sums {
	double moved;
	double squares;
	double grain;
	double sampling;
};

/* Sampled objects of an entry that are in use. */
static double in_use(const struct kmprof_history_entry *entry, unsigned int snapshot)
{
	return (double)(entry->allocs[snapshot] - entry->frees[snapshot]);
}

/* Less than before is possible: a bucket may be in another place since. */
static double allocated(const struct kmprof_history_entry *entry, unsigned int rounds)
{
	return entry->allocs[rounds] > entry->allocs[0] ?
	       (double)(entry->allocs[rounds] - entry->allocs[0]) : 0;
}

/* @growth: in bytes of each round, then in objects. */
static void add_entry(struct kmprof_finding *finding, struct sums *sums, double *growth,
		      const struct kmprof_history *history,
		      const struct kmprof_history_entry *entry)
{
	unsigned int rounds = history->nr_snapshots - 1, i;
	double together = entry->together, size = (double)entry->size, change;
	double scale = kmprof_scale(entry->size,
				    kmprof_memory_period(history->rate, entry->together));
	/* What a sample stands for. */
	double unit = size * scale * together;

	for (i = 0; i < rounds; i++) {
		change = in_use(entry, i + 1) - in_use(entry, i);
		growth[i] += change * size * scale;
		growth[rounds + i] += change * scale;
		sums->moved += fabs(change) / together;
		sums->squares += fabs(change) / together * unit * unit;
		sums->sampling += fabs(change) * size * size * scale * (scale - 1) * together;
		finding->objects += change * scale;
		finding->left += change * size * scale;
		if (change != 0 && (sums->grain <= 0 || size * scale < sums->grain))
			sums->grain = size * scale;
	}
	finding->allocated += allocated(entry, rounds) * size * scale;
	for (i = 0; i < finding->first; i++)
		if (entry->allocs[i])
			finding->first = i;
}

static bool same_stack(const struct kmprof_history_entry *a, const struct kmprof_history_entry *b)
{
	return a->kind == b->kind &&
	       !kmprof_compare_stack(a->names, a->nr_frames, b->names, b->nr_frames);
}

/* Return: the entry behind those of the stack. */
static size_t find(struct kmprof_finding *finding, double *growth,
		   const struct kmprof_history *history, size_t from)
{
	unsigned int rounds = history->nr_snapshots - 1;
	struct sums sums = { 0 };
	size_t i = from;

	*finding = (struct kmprof_finding){ .entry = &history->entry[from], .first = rounds };
	for (; i < history->nr && same_stack(finding->entry, &history->entry[i]); i++) {
		add_entry(finding, &sums, growth, history, &history->entry[i]);
		if (finding->oldest_ns < history->entry[i].oldest_ns)
			finding->oldest_ns = history->entry[i].oldest_ns;
		finding->nr_sizes++;
	}
	/* Divided once: so whole numbers stay whole. */
	finding->objects /= rounds;
	if (finding->allocated > 0)
		finding->never_freed = fmin(1, fmax(0, finding->left / finding->allocated));
	finding->judged.growth = growth;
	finding->judged.rounds = rounds;
	finding->judged.unit = sums.moved > 0 ? sqrt(sums.squares / sums.moved) : 0;
	finding->judged.grain = sums.grain;
	finding->judged.sampling = sums.sampling / rounds;
	return i;
}

static int by_verdict_and_mean(const void *a, const void *b)
{
	const struct kmprof_finding *x = a, *y = b;

	if (x->judged.verdict != y->judged.verdict)
		return x->judged.verdict > y->judged.verdict ? -1 : 1;
	if (x->judged.mean != y->judged.mean)
		return x->judged.mean > y->judged.mean ? -1 : 1;
	return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Of one size, or of samples, objects say no more than bytes. */
static bool judges_objects(const struct kmprof_finding *finding,
			   const struct kmprof_history *history)
{
	return history->rate == 1 && finding->nr_sizes > 1;
}

/* Takes over what is found of the number of objects, if that is more than what the bytes say. */
static void take_objects(struct kmprof_finding *finding, const struct kmprof_judged *objects)
{
	struct kmprof_judged *judged = &finding->judged;

	finding->changed |= objects->moved > 0;
	if (objects->verdict <= judged->verdict)
		return;
	finding->by_objects = true;
	judged->p = objects->p;
	judged->adjusted = objects->adjusted;
	judged->grown = objects->grown;
	judged->moved = objects->moved;
	judged->verdict = objects->verdict;
	judged->reason = objects->reason;
}

/* The series in bytes of all findings come first, then those in objects. */
static int judge(struct kmprof_findings *findings, const struct kmprof_history *history,
		 double confidence)
{
	struct kmprof_finding *finding = findings->finding;
	struct kmprof_judged *judged;
	size_t i, nr = findings->nr;
	int ret;

	judged = calloc(2 * nr + 1, sizeof(*judged));
	if (!judged)
		return -ENOMEM;
	for (i = 0; i < findings->nr; i++) {
		judged[i] = finding[i].judged;
		if (judges_objects(&finding[i], history))
			judged[nr++] = (struct kmprof_judged) {
				.growth	= finding[i].judged.growth + findings->rounds,
				.rounds	= findings->rounds,
				.unit	= 1,
			};
	}
	ret = kmprof_judge(judged, nr, confidence, &findings->looked_at);
	for (i = 0, nr = findings->nr; i < findings->nr; i++) {
		finding[i].judged = judged[i];
		finding[i].changed = judged[i].moved > 0;
		if (judges_objects(&finding[i], history))
			take_objects(&finding[i], &judged[nr++]);
		findings->changed += finding[i].changed;
		findings->leaks += finding[i].judged.verdict == KMPROF_VERDICT_LEAK;
		findings->growing += finding[i].judged.verdict == KMPROF_VERDICT_GROWING;
	}
	free(judged);
	return ret;
}

int kmprof_findings_build(struct kmprof_findings *findings, const struct kmprof_history *history,
			  double confidence, struct kmprof_error *err)
{
	unsigned int rounds = history->nr_snapshots - 1;
	int ret = -ENOMEM;
	size_t i = 0;

	*findings = (struct kmprof_findings){ .rounds = rounds };
	findings->finding = calloc(history->nr + 1, sizeof(*findings->finding));
	findings->growth = calloc((history->nr + 1) * 2 * rounds, sizeof(*findings->growth));
	if (findings->finding && findings->growth) {
		while (i < history->nr) {
			i = find(&findings->finding[findings->nr],
				 findings->growth + findings->nr * 2 * rounds, history, i);
			findings->nr++;
		}
		ret = judge(findings, history, confidence);
	}
	if (ret) {
		kmprof_findings_release(findings);
		return kmprof_error_set(err, ret, NULL, "judging the stacks: out of memory");
	}
	kmprof_findings_sort(findings);
	return 0;
}

void kmprof_findings_sort(struct kmprof_findings *findings)
{
	qsort(findings->finding, findings->nr, sizeof(*findings->finding), by_verdict_and_mean);
}

void kmprof_findings_release(struct kmprof_findings *findings)
{
	free(findings->finding);
	free(findings->growth);
	memset(findings, 0, sizeof(*findings));
}
