/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace as a user makes it: with kmprof trace and kmprof trace report. Functions return 0 or a
 * negative errno unless they say otherwise, and explain failures on stderr.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <sys/types.h>

#include <jansson.h>

/**
 * struct recording - a trace that is recorded
 * @dev: the device
 * @pid: of kmprof trace; 0: it has ended
 */
struct recording {
	int dev;
	pid_t pid;
};

int recording_start_events(struct recording *recording, int dev, const char *events);
int recording_start(struct recording *recording, int dev);
int recording_spawn(struct recording *recording, int dev, const char *const argv[]);
int recording_stop(struct recording *recording);
json_t *recording_why(const char *task);
json_t *recording_report(void);
void recording_show(const char *task);

#endif /* RECORDING_H */
