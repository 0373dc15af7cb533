/* SPDX-License-Identifier: GPL-2.0 */
/* A session of kmprof leaks: rounds of a command, or of time, with a snapshot after each. */
#ifndef KMPROF_CMD_LEAKS_SESSION_H
#define KMPROF_CMD_LEAKS_SESSION_H

#include "cmd/cmd.h"
#include "cmd/leaks_settings.h"
#include "leaks/findings.h"
#include "leaks/losses.h"

/* The probability with which no stack is called a leak if nothing leaks. */
#define LEAKS_CONFIDENCE	0.99

/**
 * struct leaks_options - what kmprof leaks was asked for
 * @rounds: that are judged
 * @settle: drop caches, too
 * @rate: heap_rate, as typed; NULL: the default
 * @ns: for how long to watch the running system; 0: run @command
 * @limit: stacks to show; 0: all
 * @json: write JSON
 * @ktap: write KTAP
 * @command: what to run; NULL: nothing
 * @names: where names come from
 */
struct leaks_options {
	unsigned long rounds;
	bool settle;
	const char *rate;
	__u64 ns;
	unsigned long limit;
	bool json;
	bool ktap;
	char **command;
	struct kmprof_resolver_options names;
};

/**
 * struct leaks_session - what was seen
 * @options: what was asked for
 * @settings: of the module during the session
 * @round_ns: how long the rounds took on average
 * @lacks: KMPROF_LACKS_* of memory: what the module could not see
 * @history: all stacks
 * @losses: what was lost
 * @last: the last snapshot
 */
struct leaks_session {
	const struct leaks_options *options;
	struct leaks_settings settings;
	__u64 round_ns;
	__u64 lacks;
	struct kmprof_history history;
	struct kmprof_leak_losses losses;
	struct opened_image last;
};

/**
 * leaks_session_run() - run all rounds
 * @session: filled in; released by leaks_session_release()
 * @options: what was asked for
 *
 * The settings are what they were before in any case. If a signal comes, the program ends by it.
 *
 * Return: EXIT_OK, or another exit status after a message; then there is nothing to release.
 */
int leaks_session_run(struct leaks_session *session, const struct leaks_options *options);
void leaks_session_release(struct leaks_session *session);

#endif
