// SPDX-License-Identifier: GPL-2.0
/* What kmprof trace report --why tells, against what is expected. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/story.h"

static uint64_t number(const json_t *of, const char *key)
{
	return json_integer_value(json_object_get(of, key));
}

static const char *text(const json_t *of, const char *key)
{
	return json_string_value(json_object_get(of, key)) ?: "";
}

static const json_t *root(const json_t *answer)
{
	return json_object_get(json_object_get(answer, "why"), "cause");
}

static const json_t *stack_of(const json_t *answer, const json_t *place)
{
	char key[24];

	snprintf(key, sizeof(key), "%" PRIu64, number(place, "stack"));
	return json_object_get(json_object_get(answer, "stacks"), key);
}

static int has_function(const json_t *stack, const char *name)
{
	const json_t *function;
	size_t i;

	json_array_foreach(stack, i, function)
		if (!strcmp(json_string_value(function), name))
			return 1;
	return 0;
}

static int is_in(const json_t *answer, const json_t *cause, const char *function)
{
	const json_t *place;
	size_t i;

	json_array_foreach(json_object_get(cause, "places"), i, place)
		if (has_function(stack_of(answer, place), function))
			return 1;
	return 0;
}

static int is_step(const json_t *answer, const json_t *cause, const struct step *step)
{
	return !strcmp(text(cause, "why"), step->why) &&
	       (!step->task || !strcmp(text(cause, "task"), step->task)) &&
	       (!step->lock || !strncmp(text(cause, "lock"), step->lock, strlen(step->lock))) &&
	       (!step->state || !strcmp(text(cause, "state"), step->state)) &&
	       (!step->in || is_in(answer, cause, step->in));
}

/* Sum of a number of all causes to which the steps lead. */
static uint64_t sum(const json_t *answer, const json_t *cause, const struct step *steps, size_t nr,
		    const char *key)
{
	const json_t *below;
	uint64_t total = 0;
	size_t i;

	if (!nr)
		return number(cause, key);
	json_array_foreach(json_object_get(cause, "causes"), i, below)
		if (is_step(answer, below, steps))
			total += sum(answer, below, steps + 1, nr - 1, key);
	return total;
}

/**
 * story_time() - how long that was the cause
 * @answer: of recording_why()
 * @steps: from below the root
 * @nr: of them
 *
 * Return: in ns; 0 if there is no such cause.
 */
uint64_t story_time(const json_t *answer, const struct step *steps, size_t nr)
{
	return sum(answer, root(answer), steps, nr, "ns");
}

/**
 * story_count() - how often that was the cause
 * @answer: of recording_why()
 * @steps: from below the root
 * @nr: of them
 */
uint64_t story_count(const json_t *answer, const struct step *steps, size_t nr)
{
	return sum(answer, root(answer), steps, nr, "count");
}

/**
 * story_tasks() - how many tasks it is about
 * @answer: of recording_why()
 */
uint64_t story_tasks(const json_t *answer)
{
	return number(json_object_get(answer, "why"), "tasks");
}

/* The root is what is below it; other causes need not go on. */
static int adds_up(const json_t *cause, int is_root)
{
	const json_t *causes = json_object_get(cause, "causes"), *below;
	uint64_t total = 0;
	size_t i;

	json_array_foreach(causes, i, below) {
		if (!strcmp(text(below, "why"), "unknown") || !adds_up(below, 0))
			return 0;
		total += number(below, "ns");
	}
	return (!is_root && !i) || total == number(cause, "ns");
}

/**
 * story_adds_up() - is all of the time explained, on all levels?
 * @answer: of recording_why()
 *
 * Return: whether the causes below each cause add up to it, and none is unknown.
 */
int story_adds_up(const json_t *answer)
{
	return number(root(answer), "ns") && adds_up(root(answer), 1);
}
