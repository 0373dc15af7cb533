// SPDX-License-Identifier: GPL-2.0
/* CPUs that there can be, and that come and go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/cpus.h"
#include "lib/kmprof_guest.h"

/**
 * cpus_possible() - on how many CPUs per-CPU memory has a place
 *
 * Return: how many there can be; 0: not known.
 */
unsigned int cpus_possible(void)
{
	unsigned int last = 0;
	const char *at;
	char *text;

	if (guest_read_file("/sys/devices/system/cpu/possible", &text, NULL))
		return 0;
	for (at = text; at; at = strpbrk(at, ",-"))
		last = strtoul(at += *at == ',' || *at == '-', NULL, 10);
	free(text);
	return last + 1;
}

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
