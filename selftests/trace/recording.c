// SPDX-License-Identifier: GPL-2.0
/* A trace as a user makes it: with kmprof trace and kmprof trace report. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/kmprof_guest.h"
#include "trace/recording.h"

#define TRACE		"/tmp/recording.trace"
#define REPORT		"tools/kmprof trace report " TRACE " "

enum { START_S = 30, POLL_US = 10000 };

/* A mark is taken only while something is recorded. */
static int until_recorded(int dev)
{
	uint64_t limit = guest_now_ns() + START_S * guest_slow() * 1000000000ULL;

	while (write(dev, "begin", 5) != 5) {
		if (errno != ENODATA || guest_now_ns() > limit)
			return guest_complain("trace", "mark", errno);
		usleep(POLL_US);
	}
	return 0;
}

/**
 * recording_start_events() - record some kinds of events, with stacks
 * @recording: returns what recording_stop() needs
 * @dev: kmprof's device
 * @events: as for kmprof trace -e
 *
 * There is one recording at a time.
 *
 * Return: 0 once it records.
 */
int recording_start_events(struct recording *recording, int dev, const char *events)
{
	const char *const argv[] = {
		"tools/kmprof", "trace", "--stacks", "-e", events, "-o", TRACE, NULL,
	};

	return recording_spawn(recording, dev, argv);
}

/**
 * recording_start() - record switches, waits for locks and reclaim, with stacks
 * @recording: returns what recording_stop() needs
 * @dev: kmprof's device
 *
 * Return: 0 once it records.
 */
int recording_start(struct recording *recording, int dev)
{
	return recording_start_events(recording, dev, "sched,contention,reclaim");
}

/**
 * recording_spawn() - record as it is asked for
 * @recording: returns what recording_stop() needs
 * @dev: kmprof's device
 * @argv: tools/kmprof trace, and what it is to do
 *
 * Return: 0 once it records.
 */
int recording_spawn(struct recording *recording, int dev, const char *const argv[])
{
	int pid = guest_spawn(argv), ret;

	if (pid < 0)
		return pid;
	*recording = (struct recording) { .dev = dev, .pid = pid };
	ret = until_recorded(dev);
	if (ret) {
		guest_stop(pid);
		recording->pid = 0;
	}
	return ret;
}

/**
 * recording_stop() - end a recording, and save it
 * @recording: which; nothing is done if it has ended
 */
int recording_stop(struct recording *recording)
{
	int status;

	if (!recording->pid)
		return 0;
	kill(recording->pid, SIGINT);
	if (waitpid(recording->pid, &status, 0) != recording->pid)
		return guest_complain("wait", "kmprof trace", errno);
	recording->pid = 0;
	return status ? guest_complain("run", "kmprof trace", EIO) : 0;
}

/* Returns what the command says, to be released; NULL if there is nothing. */
static json_t *output_of(const char *command)
{
	char *text = command_output(command);
	json_error_t error;
	json_t *answer;

	if (!text)
		return NULL;
	answer = json_loads(text, 0, &error);
	if (!answer)
		fprintf(stderr, "# %s: %s\n", command, error.text);
	free(text);
	return answer;
}

/**
 * recording_why() - what kmprof trace report --why tells
 * @task: name of the task
 *
 * Return: its answer, to be released; NULL if there is none.
 */
json_t *recording_why(const char *task)
{
	char command[128];

	snprintf(command, sizeof(command), REPORT "--json --why %s", task);
	return output_of(command);
}

/**
 * recording_report() - what kmprof trace report tells of all tasks
 *
 * Return: its report, to be released; NULL if there is none.
 */
json_t *recording_report(void)
{
	return output_of(REPORT "--json --limit 0");
}

/**
 * recording_show() - what kmprof trace report --why tells, on stderr
 * @task: name of the task
 */
void recording_show(const char *task)
{
	char command[128];
	int status;

	snprintf(command, sizeof(command), REPORT "--why %s >&2", task);
	status = system(command);
	if (status)
		guest_complain("run", command, EIO);
}
