// SPDX-License-Identifier: GPL-2.0
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/rights.h"

enum { NOBODY = 65534, FAILED = 100 };

/* Gives up root, but for the capabilities in @keep. */
static void drop(uint64_t keep)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = keep, .permitted = keep },
		{ .effective = keep >> 32, .permitted = keep >> 32 },
	};

	if (prctl(PR_SET_KEEPCAPS, 1) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY) || syscall(SYS_capset, &header, data))
		_exit(FAILED);
}

/**
 * rights_run() - run a function in a process without root
 * @keep: bit mask of the capabilities that it has
 * @child: the function
 * @dev: handed to it
 *
 * Return: what @child has returned, the exit status; 100: root could not be given up; -1: there was
 * no process, or it was killed.
 */
int rights_run(uint64_t keep, int (*child)(int dev), int dev)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (!pid) {
		drop(keep);
		_exit(child(dev));
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}
