// SPDX-License-Identifier: GPL-2.0
/*
 * The verdicts on simulated sessions. Steady stacks of all kinds may be accused in 1 of 100
 * sessions at most, whatever their number; leaks have to be found among them.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leaks/judge.h"
#include "leaks/student.h"
#include "tests/unit.h"

enum {
	STACKS		= 100,
	ROUNDS_MOST	= 40,
	SESSIONS	= 2000,
};

#define CONFIDENCE	0.99

/* Relative errors: of what is the same but for rounding, and of a series. */
#define TINY	(1000 * DBL_EPSILON)
#define SMALL	(1000000 * DBL_EPSILON)

static __u64 state;

static __u64 next_random(void)
{
	__u64 z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* From 0 to 1, without 0. */
static double uniform(void)
{
	return ((double)(next_random() >> 11) + 1) / 9007199254740993.0;
}

static double poisson(double mean)
{
	double limit = exp(-mean), product = uniform();
	int n = 0;

	for (; product > limit; n++)
		product *= uniform();
	return n;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/**
 * struct session - so many stacks over so many rounds
 * @growth: of each stack
 * @judged: likewise
 * @rounds: how many
 * @looked_at: stacks that the correction was for
 */
struct session {
	double growth[STACKS][ROUNDS_MOST];
	struct kmprof_judged judged[STACKS];
	unsigned int rounds;
	size_t looked_at;
};

static struct session session;

/* A way in which memory is used: fills in the growth of a stack, in units of @unit. */
struct use {
	const char *name;
	void (*fill)(double *growth, unsigned int rounds);
	double unit;
};

static const double lambdas[] = { 0.05, 0.2, 0.5, 0.75, 1, 1.5, 2, 5 };

/* Objects come and go, as many of the one as of the other; none is part of a cache. */
static void wander(double *growth, unsigned int rounds)
{
	double lambda = lambdas[next_random() % ARRAY_SIZE(lambdas)];
	unsigned int i;

	for (i = 0; i < rounds; i++)
		growth[i] = poisson(lambda) - poisson(lambda);
}

/* The worst of these for short sessions. */
static void wander_worst(double *growth, unsigned int rounds)
{
	unsigned int i;

	for (i = 0; i < rounds; i++)
		growth[i] = poisson(1) - poisson(1);
}

/* A level with noise around it: what happens to be in use when the snapshot is taken. */
static void hover(double *growth, unsigned int rounds)
{
	double before = poisson(10), now;
	unsigned int i;

	for (i = 0; i < rounds; i++) {
		now = poisson(10);
		growth[i] = now - before;
		before = now;
	}
}

/* Heavy churn: the level wanders in large steps. */
static void churn(double *growth, unsigned int rounds)
{
	unsigned int i;

	for (i = 0; i < rounds; i++)
		growth[i] = round(1000 * normal());
}

/* A cache that is full two rounds before the end or earlier: evenly, or slower and slower. */
static void fill_up(double *growth, unsigned int rounds)
{
	double left = 1000, share = 0.5 + uniform() / 2;
	double pace = left / (double)(1 + next_random() % (rounds - 2));
	bool even = next_random() & 1;
	unsigned int i;

	for (i = 0; i < rounds; i++) {
		growth[i] = round(even ? fmin(left, ceil(pace)) : share * left);
		left -= growth[i];
	}
}

static void grow_once(double *growth, unsigned int rounds)
{
	memset(growth, 0, rounds * sizeof(*growth));
	growth[next_random() % rounds] = 1 + (double)(next_random() % 1000);
}

static const struct use steady[] = {
	{ "wander", wander, 1 },
	{ "wander, the worst", wander_worst, 1 },
	{ "hover", hover, 1 },
	{ "churn", churn, 1 },
	{ "fill up", fill_up, 1 },
	{ "grow once", grow_once, 1 },
};

static void one_in_each_round(double *growth, unsigned int rounds)
{
	unsigned int i;

	for (i = 0; i < rounds; i++)
		growth[i] = 1;
}

/* 1000 calls in each round, of which one in 100 leaks. */
static void one_in_100_calls(double *growth, unsigned int rounds)
{
	unsigned int i, call;

	for (i = 0; i < rounds; i++)
		for (growth[i] = 0, call = 0; call < 1000; call++)
			growth[i] += uniform() < 0.01;
}

/* 1 % of 100000 allocations, beside a level that moves by some hundreds. */
static void inside_churn(double *growth, unsigned int rounds)
{
	double before = 0, now;
	unsigned int i;

	for (i = 0; i < rounds; i++, before = now) {
		now = round(100 * normal());
		growth[i] = 1000 + now - before;
	}
}

/* As seen by samples, 20 in a round. */
static void sampled(double *growth, unsigned int rounds)
{
	unsigned int i;

	for (i = 0; i < rounds; i++)
		growth[i] = poisson(20);
}

static void set(unsigned int stack, const struct use *use)
{
	unsigned int i;

	use->fill(session.growth[stack], session.rounds);
	for (i = 0; i < session.rounds; i++)
		session.growth[stack][i] *= use->unit;
	session.judged[stack] = (struct kmprof_judged) {
		.growth = session.growth[stack], .rounds = session.rounds, .unit = use->unit,
	};
}

/* Return: how many are called a leak. */
static unsigned int judge(void)
{
	unsigned int i, leaks = 0;

	EXPECT(!kmprof_judge(session.judged, STACKS, CONFIDENCE, &session.looked_at));
	for (i = 0; i < STACKS; i++)
		leaks += session.judged[i].verdict == KMPROF_VERDICT_LEAK;
	return leaks;
}

/* At most 1 in 100, and what chance adds to that in 1 of 1000 runs. */
static bool few(unsigned int sessions)
{
	double mean = (1 - CONFIDENCE) * SESSIONS;

	return sessions <= mean + 3.1 * sqrt(mean);
}

static const unsigned int all_rounds[] = { 3, 4, 5, 6, 8, 12 };

/* Whatever steady stacks do, and if all of them do the same. */
static void steady_is_not_accused(void)
{
	unsigned int u, r, i, stack, accused;

	for (r = 0; r < ARRAY_SIZE(all_rounds); r++) {
		session.rounds = all_rounds[r];
		for (u = 0; u < ARRAY_SIZE(steady); u++) {
			for (accused = 0, i = 0; i < SESSIONS; i++) {
				for (stack = 0; stack < STACKS; stack++)
					set(stack, &steady[u]);
				accused += judge() > 0;
			}
			printf("# %s, %u rounds: %u of %d sessions with an accusation\n",
			       steady[u].name, session.rounds, accused, SESSIONS);
			EXPECT(few(accused));
		}
	}
}

static void mix_is_not_accused(void)
{
	unsigned int r, i, stack, accused;

	for (r = 0; r < ARRAY_SIZE(all_rounds); r++) {
		session.rounds = all_rounds[r];
		for (accused = 0, i = 0; i < SESSIONS; i++) {
			for (stack = 0; stack < STACKS; stack++)
				set(stack, &steady[stack % ARRAY_SIZE(steady)]);
			accused += judge() > 0;
		}
		EXPECT(few(accused));
	}
}

/* Return: how many sessions in 1000 find the leak that is among steady stacks. */
static unsigned int found(const struct use *leak, unsigned int rounds)
{
	unsigned int i, stack, found = 0;

	session.rounds = rounds;
	for (i = 0; i < 1000; i++) {
		set(0, leak);
		for (stack = 1; stack < STACKS; stack++)
			set(stack, &steady[stack % ARRAY_SIZE(steady)]);
		judge();
		found += session.judged[0].verdict == KMPROF_VERDICT_LEAK;
	}
	printf("# %s: %u of 1000 sessions of %u rounds tell it\n", leak->name, found, rounds);
	return found;
}

static void leaks_are_found(void)
{
	static const struct use one = { "one in each round", one_in_each_round, 64 };
	static const struct use rare = { "one in 100 calls", one_in_100_calls, 1024 };
	static const struct use hidden = { "1 % of a churn", inside_churn, 192 };
	static const struct use samples = { "20 samples a round", sampled, 524288 };

	EXPECT(found(&one, 8) == 1000);
	EXPECT(found(&one, 4) == 0);
	EXPECT(found(&rare, 12) >= 900);
	EXPECT(found(&hidden, 8) >= 990);
	EXPECT(found(&samples, 12) >= 990);
}

/* What is too little evidence for a leak is still shown. */
static void little_evidence_is_growing(void)
{
	static const double ones[] = { 1, 1, 1, 1 };
	struct kmprof_judged judged = { .growth = ones, .rounds = 4, .unit = 1 };
	size_t looked_at;

	EXPECT(!kmprof_judge(&judged, 1, 0.999, &looked_at));
	EXPECT(judged.verdict == KMPROF_VERDICT_GROWING && judged.reason == KMPROF_REASON_CHANCE);
	EXPECT(looked_at == 1 && judged.grown == 4 && judged.mean == 1);
	/* Alone, and with less confidence, it is enough. */
	EXPECT(!kmprof_judge(&judged, 1, 0.99, &looked_at));
	EXPECT(judged.verdict == KMPROF_VERDICT_LEAK);
}

struct shape {
	double growth[8];
	enum kmprof_verdict verdict;
	enum kmprof_verdict_reason reason;
};

static void shapes(void)
{
	static const struct shape all[] = {
		{ { 9, 9, 9, 9, 9, 9, 9, 9 }, KMPROF_VERDICT_LEAK, KMPROF_REASON_NONE },
		{ { 9, 9, 9, 9, 9, 9, 0, 9 }, KMPROF_VERDICT_LEAK, KMPROF_REASON_NONE },
		{ { 9, 9, 9, 9, 0, 0, 0, 0 }, KMPROF_VERDICT_STEADY, KMPROF_REASON_STOPPED },
		{ { 9, 9, 9, 9, 9, 9, 0, 0 }, KMPROF_VERDICT_GROWING, KMPROF_REASON_SLOWING },
		/* Two rounds show no more than that. */
		{ { 9, 9, 9, 9, 9, 9, 9, 0 }, KMPROF_VERDICT_LEAK, KMPROF_REASON_NONE },
		{ { 50, 40, 30, 25, 20, 15, 10, 8 }, KMPROF_VERDICT_GROWING,
		  KMPROF_REASON_SLOWING },
		{ { 0, 0, 0, 1000, 0, 0, 0, 0 }, KMPROF_VERDICT_STEADY, KMPROF_REASON_STOPPED },
		{ { 0, 0, 0, 0, 0, 0, 1000, 0 }, KMPROF_VERDICT_STEADY,
		  KMPROF_REASON_FEW_ROUNDS },
		{ { 0, 0, 0, 0, 0, 0, 0, 0 }, KMPROF_VERDICT_STEADY, KMPROF_REASON_STOPPED },
		{ { -9, -9, -9, -9, -9, -9, -9, -9 }, KMPROF_VERDICT_STEADY,
		  KMPROF_REASON_STOPPED },
	};
	struct kmprof_judged judged;
	size_t i, looked_at;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		judged = (struct kmprof_judged) {
			.growth = all[i].growth, .rounds = 8, .unit = 1,
		};
		EXPECT(!kmprof_judge(&judged, 1, CONFIDENCE, &looked_at));
		EXPECT(judged.verdict == all[i].verdict && judged.reason == all[i].reason);
		if (!good)
			printf("# shape %zu: verdict %d, reason %d, p %g\n", i, judged.verdict,
			       judged.reason, judged.p);
	}
}

/* 3 samples in each round have an error of their own, however even they are. */
static void sampling_error_counts(void)
{
	static const double even[] = { 3, 3, 3, 3, 3, 3, 3, 3 };
	struct kmprof_judged judged = { .growth = even, .rounds = 8, .unit = 1, .sampling = 3 };
	size_t looked_at;

	EXPECT(!kmprof_judge(&judged, 1, CONFIDENCE, &looked_at));
	EXPECT(fabs(judged.error - sqrt(3.0 / 8)) < TINY);
	judged.sampling = 0;
	EXPECT(!kmprof_judge(&judged, 1, CONFIDENCE, &looked_at));
	EXPECT(fabs(judged.error - sqrt(1.0 / 12 / 8)) < TINY);
}

/* 10 tenths are not quite 1. */
static void whole_numbers_stay_whole(void)
{
	static const double even[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct kmprof_judged judged = { .growth = even, .rounds = 10, .unit = 1 };
	size_t looked_at;

	EXPECT(!kmprof_judge(&judged, 1, CONFIDENCE, &looked_at));
	EXPECT(judged.mean == 1);
}

static void rounds_are_enough(void)
{
	static const size_t numbers[] = { 1, 10, 100, 1000, 100000 };
	double ones[ROUNDS_MOST];
	struct kmprof_judged judged = { .growth = ones, .unit = 1 };
	size_t i, looked_at;

	for (i = 0; i < ROUNDS_MOST; i++)
		ones[i] = 1;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		judged.rounds = kmprof_judge_rounds(numbers[i], CONFIDENCE);
		EXPECT(judged.rounds < ROUNDS_MOST);
		EXPECT(!kmprof_judge(&judged, 1, CONFIDENCE, &looked_at));
		EXPECT(judged.p * (double)numbers[i] <= 1 - CONFIDENCE);
		if (judged.rounds-- == KMPROF_JUDGE_ROUNDS_MIN)
			continue;
		EXPECT(!kmprof_judge(&judged, 1, CONFIDENCE, &looked_at));
		EXPECT(judged.p * (double)numbers[i] > 1 - CONFIDENCE);
	}
}

/* Percentage points of tables, and the two distributions that have a closed form. */
static void student_is_right(void)
{
	static const struct {
		double t;
		unsigned int df;
		double tail;
	} table[] = {
		{ 6.3138, 1, 0.05 }, { 2.9200, 2, 0.05 }, { 2.0150, 5, 0.05 },
		{ 3.3649, 5, 0.01 }, { 2.7638, 10, 0.01 }, { 4.5869, 10, 0.0005 },
		{ 3.6460, 30, 0.0005 }, { 1.6602, 100, 0.05 },
	};
	double t;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		EXPECT(fabs(kmprof_student_tail(table[i].t, table[i].df) / table[i].tail - 1) <
		       0.0002);
	for (t = -1000; t <= 1000; t += 7.3) {
		double cauchy = t > 0 ? atan(1 / t) / M_PI : 1 - atan(-1 / t) / M_PI;
		double second = 1 / ((2 + t * t) * (1 + fabs(t) / sqrt(2 + t * t)));

		EXPECT(fabs(kmprof_student_tail(t, 1) / cauchy - 1) < SMALL);
		EXPECT(fabs(kmprof_student_tail(t, 2) / (t > 0 ? second : 1 - second) - 1) < SMALL);
		EXPECT(fabs(kmprof_student_tail(t, 9) + kmprof_student_tail(-t, 9) - 1) < TINY);
	}
	EXPECT(kmprof_student_tail(0, 4) == 0.5);
	EXPECT(kmprof_student_tail(INFINITY, 4) == 0 && kmprof_student_tail(-INFINITY, 4) == 1);
}

static const struct unit_test tests[] = {
	{ "leaks: Student's distribution is right", student_is_right },
	{ "leaks: verdicts by the shape of growth", shapes },
	{ "leaks: little evidence is told as growing", little_evidence_is_growing },
	{ "leaks: the sampling error counts", sampling_error_counts },
	{ "leaks: the mean of equal rounds is that of each", whole_numbers_stay_whole },
	{ "leaks: the rounds that are advised are enough", rounds_are_enough },
	{ "leaks: steady stacks are accused in 1 of 100 sessions at most", steady_is_not_accused },
	{ "leaks: so is a mix of them", mix_is_not_accused },
	{ "leaks: leaks among steady stacks are found", leaks_are_found },
};

int main(int argc, char **argv)
{
	state = 1;
	return run_tests(tests, ARRAY_SIZE(tests), argc, argv);
}
