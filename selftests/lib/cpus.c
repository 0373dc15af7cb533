// SPDX-License-Identifier: GPL-2.0
/* CPUs that come and go. */
#include <stdio.h>
#include <unistd.h>

#include "lib/cpus.h"
#include "lib/kmprof_guest.h"

static int set_online(unsigned int cpu, int online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return guest_write_file(path, online ? "1" : "0");
}

/**
 * cpus_use() - leave the first CPUs online, and no others
 * @count: how many
 *
 * Return: 0 or negative.
 */
int cpus_use(unsigned int count)
{
	unsigned int cpus = sysconf(_SC_NPROCESSORS_CONF), cpu;
	int ret = 0;

	for (cpu = 1; !ret && cpu < cpus; cpu++)
		ret = set_online(cpu, cpu < count);
	return ret ?: (sysconf(_SC_NPROCESSORS_ONLN) == count ? 0 : -1);
}
