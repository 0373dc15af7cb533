/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The verdict on each stack and kind of memory of a history. Sizes are put together. What is
 * judged is by how many bytes in use a stack has grown from each snapshot to the next. Where every
 * allocation is a sample and sizes differ, the number of objects is judged as well: one object in
 * each round is regular in objects, but not in bytes.
 */
#ifndef KMPROF_LEAKS_FINDINGS_H
#define KMPROF_LEAKS_FINDINGS_H

#include "leaks/history.h"
#include "leaks/judge.h"

/**
 * struct kmprof_finding - a stack with a kind of memory, and the verdict on it
 * @entry: its sizes, in the history
 * @nr_sizes: how many
 * @objects: estimated growth in objects, by round
 * @allocated: estimate of the bytes allocated in all rounds
 * @left: by how much it has grown in all rounds, in bytes
 * @never_freed: share of @allocated that was not freed, 0 to 1
 * @oldest_ns: age of its oldest object in use; 0: not known
 * @first: snapshot by which it was seen first; 0: before the first round
 * @judged: its growth in bytes by round, and the verdict on that
 * @by_objects: the verdict, its reason, the probabilities and the numbers of rounds in @judged are
 *	those of the number of objects
 * @changed: it has changed in any round
 * @record: what of other memory it is a record of, or NULL
 */
struct kmprof_finding {
	const struct kmprof_history_entry *entry;
	size_t nr_sizes;
	double objects;
	double allocated;
	double left;
	double never_freed;
	__u64 oldest_ns;
	unsigned int first;
	struct kmprof_judged judged;
	bool by_objects;
	bool changed;
	const char *record;
};

/**
 * struct kmprof_findings - all stacks: leaks first, then those that grow, then records; the fastest
 *	first
 * @finding: array
 * @nr: how many
 * @leaks: how many of them are leaks
 * @growing: how many grow, not sure
 * @records: how many were one of the two, and are records
 * @changed: how many have changed in any round
 * @looked_at: how many series the correction is for: see leaks/judge.h
 * @rounds: how many
 * @growth: of all of them: for each round the bytes, then for each round the objects
 */
struct kmprof_findings {
	struct kmprof_finding *finding;
	size_t nr;
	size_t leaks;
	size_t growing;
	size_t records;
	size_t changed;
	size_t looked_at;
	unsigned int rounds;
	double *growth;
};

/**
 * kmprof_findings_build() - judge all stacks
 * @findings: filled in; refers to @history
 * @history: with KMPROF_JUDGE_ROUNDS_MIN + 1 snapshots or more
 * @confidence: probability with which no stack is called a leak if nothing leaks
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_findings_build(struct kmprof_findings *findings, const struct kmprof_history *history,
			  double confidence, struct kmprof_error *err);
void kmprof_findings_sort(struct kmprof_findings *findings);
void kmprof_findings_release(struct kmprof_findings *findings);

#endif
