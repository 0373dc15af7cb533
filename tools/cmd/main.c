// SPDX-License-Identifier: GPL-2.0
/* Finds the subcommand and lets it run; knows nothing about any of them. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

static const struct command *const commands[] = {
	&cmd_status,
	&cmd_top,
	&cmd_record,
	&cmd_report,
	&cmd_dump,
	&cmd_diff,
	&cmd_leaks,
	&cmd_objects,
	&cmd_trace,
	&cmd_set,
	&cmd_reset,
};

enum { NR_COMMANDS = ARRAY_SIZE(commands) };

static int print_commands(void)
{
	unsigned int i;

	puts("Usage: kmprof COMMAND [ARGUMENTS]\n"
	     "       kmprof --help | --version\n"
	     "\n"
	     "Shows who holds the kernel's memory and who waits for its locks, as sampled by\n"
	     "the kmprof module.\n"
	     "\n"
	     "Commands:");
	for (i = 0; i < NR_COMMANDS; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "Options:\n"
	     "  -h, --help       show this\n"
	     "  -V, --version    show the version\n"
	     "\n"
	     "'kmprof COMMAND --help' tells about a command.");
	return finish_stdout();
}

static int print_version(void)
{
	printf("kmprof %s (module interface %u)\n", KMPROF_VERSION, KMPROF_ABI_VERSION);
	return finish_stdout();
}

int main(int argc, char **argv)
{
	unsigned int i;

	setlocale(LC_CTYPE, "");
	/* A limit on file sizes is then an error like a full disk, not the end. */
	signal(SIGXFSZ, SIG_IGN);

	if (argc < 2)
		return usage_error(NULL, "no command given");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_commands();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return print_version();
	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i]->name))
			return commands[i]->run(argc - 1, argv + 1);
	if (argv[1][0] == '-')
		return usage_error(NULL, "%s: no such option", argv[1]);
	return usage_error(NULL, "%s: no such command", argv[1]);
}
