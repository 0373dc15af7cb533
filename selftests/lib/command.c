// SPDX-License-Identifier: GPL-2.0
/* Runs a command of the shell and collects its output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/command.h"
#include "lib/kmprof_guest.h"

/**
 * command_output() - run a command
 * @command: for the shell, in the top directory of the tree
 *
 * Return: what it has written on its standard output, to be freed; NULL when it has failed,
 * with the reason on stderr.
 */
char *command_output(const char *command)
{
	FILE *output = popen(command, "r");
	char *text = NULL;
	size_t size = 0;
	ssize_t length;

	if (!output) {
		guest_complain("run", command, errno);
		return NULL;
	}
	/* A text has no NUL: it is one field to its end. Without output, there is no field. */
	length = getdelim(&text, &size, '\0', output);
	if (!pclose(output) && text) {
		if (length < 0)
			*text = '\0';
		return text;
	}
	guest_complain("run", command, EIO);
	free(text);
	return NULL;
}

/**
 * command_run() - run a command that may fail
 * @command: for the shell, in the directory of kmprof
 * @status: returns its status, as of wait()
 *
 * Return: all that it has written, to be freed; NULL if that was nothing.
 */
char *command_run(const char *command, int *status)
{
	FILE *output = popen(command, "r");
	char *text = NULL;
	size_t size = 0;
	ssize_t length;

	*status = -1;
	if (!output)
		return NULL;
	length = getdelim(&text, &size, '\0', output);
	*status = pclose(output);
	if (length > 0)
		return text;
	free(text);
	return NULL;
}
