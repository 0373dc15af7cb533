// SPDX-License-Identifier: GPL-2.0
/*
 * Loading live patches, and waiting until all tasks have changed over.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/livepatch.h"
#include "lib/modules.h"

#define PATCHES "/sys/kernel/livepatch"

enum { POLL_US = 20000, PATIENCE = 6000 };

static int is_in_transition(const char *name)
{
	char path[128], *text;
	int is;

	snprintf(path, sizeof(path), PATCHES "/%s/transition", name);
	/* A patch that is disabled loses its directory. */
	if (access(path, F_OK) || guest_read_file(path, &text, NULL))
		return 0;
	is = text[0] == '1';
	free(text);
	return is;
}

static int settle(const char *name)
{
	unsigned int tries;

	for (tries = 0; tries < PATIENCE; tries++) {
		if (!is_in_transition(name))
			return 0;
		usleep(POLL_US);
	}
	return guest_complain("transition", name, ETIMEDOUT);
}

/**
 * livepatch_is_there() - has this kernel live patches?
 */
int livepatch_is_there(void)
{
	return !access(PATCHES, F_OK);
}

/**
 * livepatch_load() - load a live patch, and wait until it is in force for all tasks
 * @name: LIVEPATCH_*
 *
 * Return: 0; -EBUSY when the kernel refuses the patch, or another negative errno.
 */
int livepatch_load(const char *name)
{
	return guest_insmod(name, "") ?: settle(name);
}

/**
 * livepatch_unload() - disable a live patch, and unload its module
 * @name: LIVEPATCH_*
 */
int livepatch_unload(const char *name)
{
	unsigned int tries;
	char path[128];
	int ret;

	snprintf(path, sizeof(path), PATCHES "/%s/enabled", name);
	ret = guest_write_file(path, "0");
	if (ret)
		return guest_complain("disable", name, -ret);
	ret = settle(name);
	if (ret)
		return ret;
	/* The kernel lets go of the module when the directory is gone. */
	for (tries = 0; tries < PATIENCE; tries++) {
		ret = guest_rmmod(name);
		if (ret != -EWOULDBLOCK)
			break;
		usleep(POLL_US);
	}
	return ret ? guest_complain("rmmod", name, -ret) : 0;
}

/**
 * livepatch_calls() - how many calls has LIVEPATCH_ALLOC seen since it was loaded?
 *
 * Return: their number, or a negative errno.
 */
long livepatch_calls(void)
{
	char *text;
	long calls;
	int ret;

	ret = guest_read_file("/sys/module/" LIVEPATCH_ALLOC "/parameters/calls", &text, NULL);
	if (ret)
		return ret;
	calls = strtol(text, NULL, 10);
	free(text);
	return calls;
}
