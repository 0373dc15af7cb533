/* SPDX-License-Identifier: GPL-2.0 */
/* What kmprof leaks has found: for people, for programs, and for test harnesses. */
#ifndef KMPROF_CMD_LEAKS_REPORT_H
#define KMPROF_CMD_LEAKS_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "cmd/leaks_session.h"

/**
 * struct leaks_report - what is reported
 * @session: what was seen
 * @findings: the verdicts
 * @resolver: names
 */
struct leaks_report {
	const struct leaks_session *session;
	const struct kmprof_findings *findings;
	const struct kmprof_resolver *resolver;
};

/* Words for a verdict, for programs. */
extern const char *const leaks_verdict_names[];
extern const char *const leaks_reason_names[];

/* The text for people. */
void leaks_report_text(FILE *file, const struct leaks_report *report);
/* Return: a new reference, or NULL when out of memory. */
json_t *leaks_report_json(const struct leaks_report *report);
/* The text in comments, and one test result. Return: 0 or -ENOMEM. */
int leaks_report_ktap(FILE *file, const struct leaks_report *report);

/* KMPROF_LOSS_* of all that was not seen, in this session or in this kernel. */
unsigned int leaks_effect(const struct leaks_session *session);

#endif
