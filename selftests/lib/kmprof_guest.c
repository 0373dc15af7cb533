// SPDX-License-Identifier: GPL-2.0
/*
 * What every test needs of the guest: the device and its settings, files of /proc
 * and /sys, and programs that make load.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/kmprof.h>

#include "lib/kmprof_guest.h"

/**
 * guest_complain() - say on stderr why something has failed
 * @what: was tried
 * @name: with what
 * @error: errno
 *
 * Return: -@error.
 */
int guest_complain(const char *what, const char *name, int error)
{
	fprintf(stderr, "# %s %s: %s\n", what, name, strerror(error));
	return -error;
}

/**
 * guest_open() - open the profiler's device
 *
 * Return: a descriptor or a negative errno.
 */
int guest_open(void)
{
	int fd = open(KMPROF_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	return fd < 0 ? guest_complain("open", KMPROF_DEVICE_PATH, errno) : fd;
}

/**
 * guest_read_file() - read a whole file, also one without a size
 * @path: the file
 * @text: out: its contents and a NUL, to be freed
 * @bytes: out: length without the NUL; may be NULL
 */
int guest_read_file(const char *path, char **text, size_t *bytes)
{
	size_t size = 65536, used = 0;
	char *buffer = malloc(size);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;

	if (fd < 0) {
		free(buffer);
		return guest_complain("open", path, errno);
	}
	while (buffer) {
		got = read(fd, buffer + used, size - used - 1);
		if (got <= 0)
			break;
		used += got;
		if (size - used < size / 4) {
			char *bigger = realloc(buffer, size * 2);

			if (!bigger)
				free(buffer);
			buffer = bigger;
			size *= 2;
		}
	}
	close(fd);
	if (!buffer)
		return guest_complain("read", path, ENOMEM);
	if (got < 0) {
		free(buffer);
		return guest_complain("read", path, errno);
	}
	buffer[used] = '\0';
	*text = buffer;
	if (bytes)
		*bytes = used;
	return 0;
}

/**
 * guest_write_file() - write a string into a file of /proc or /sys
 * @path: the file
 * @text: the string
 *
 * Says nothing when the kernel refuses it: that may be what the test wants.
 */
int guest_write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t length = strlen(text);
	ssize_t put;
	int error;

	if (fd < 0)
		return guest_complain("open", path, errno);
	put = write(fd, text, length);
	error = put < 0 ? errno : 0;
	close(fd);
	return put == (ssize_t)length ? 0 : -(error ?: EIO);
}

/**
 * guest_read_number() - read a number from a file of texts and numbers, as /proc/stat
 * @path: the file
 * @name: the text before the number
 * @number: out: the number; 0 on error
 */
int guest_read_number(const char *path, const char *name, uint64_t *number)
{
	char *text, *at;
	int ret;

	*number = 0;
	ret = guest_read_file(path, &text, NULL);
	if (ret)
		return ret;
	at = strstr(text, name);
	if (at)
		*number = strtoull(at + strlen(name), NULL, 10);
	free(text);
	return at ? 0 : guest_complain(path, name, ENOENT);
}

/**
 * guest_debugfs_has() - look for a text in a file that kmprof.ko has in debugfs
 * @file: name of the file
 * @text: the text
 *
 * Return: 1 if it is there, else 0.
 */
int guest_debugfs_has(const char *file, const char *text)
{
	char path[PATH_MAX], *all;
	int has;

	snprintf(path, sizeof(path), "/sys/kernel/debug/kmprof/%s", file);
	if (guest_read_file(path, &all, NULL))
		return 0;
	has = !!strstr(all, text);
	free(all);
	return has;
}

/**
 * guest_param() - read a parameter of the loaded kmprof.ko
 * @name: the parameter
 * @value: out: its value without the newline
 * @size: bytes of @value
 */
int guest_param(const char *name, char *value, size_t size)
{
	char path[PATH_MAX], *text;
	int ret;

	snprintf(path, sizeof(path), "/sys/module/kmprof/parameters/%s", name);
	ret = guest_read_file(path, &text, NULL);
	if (ret)
		return ret;
	text[strcspn(text, "\n")] = '\0';
	snprintf(value, size, "%s", text);
	free(text);
	return 0;
}

/**
 * guest_get_settings() - read all settings
 * @dev: the open device
 * @settings: out: the settings
 *
 * Return: number of the settings or a negative errno.
 */
int guest_get_settings(int dev, struct kmprof_setting_value settings[GUEST_SETTINGS])
{
	struct kmprof_config config = {
		.size = sizeof(config), .count = GUEST_SETTINGS,
		.entry_size = sizeof(*settings), .settings = (uintptr_t)settings,
	};

	if (ioctl(dev, KMPROF_IOC_GET_CONFIG, &config))
		return -errno;
	return config.count <= GUEST_SETTINGS ? (int)config.count : -E2BIG;
}

/**
 * guest_get_setting() - read a setting
 * @dev: the open device
 * @id: enum kmprof_setting_id
 * @setting: out: the setting
 */
int guest_get_setting(int dev, uint32_t id, struct kmprof_setting_value *setting)
{
	struct kmprof_setting_value settings[GUEST_SETTINGS];
	int i, count = guest_get_settings(dev, settings);

	for (i = 0; i < count; i++) {
		if (settings[i].id != id)
			continue;
		*setting = settings[i];
		return 0;
	}
	return count < 0 ? count : -ENOENT;
}

/**
 * guest_set_settings() - change settings through the device, all or none
 * @dev: the open device
 * @settings: the settings
 * @count: number of @settings
 */
int guest_set_settings(int dev, const struct kmprof_setting_value *settings, unsigned int count)
{
	struct kmprof_config config = {
		.size = sizeof(config), .count = count,
		.entry_size = sizeof(*settings), .settings = (uintptr_t)settings,
	};

	return ioctl(dev, KMPROF_IOC_SET_CONFIG, &config) ? -errno : 0;
}

/**
 * guest_set() - change a setting through the device
 * @dev: the open device
 * @id: enum kmprof_setting_id
 * @value: the value
 */
int guest_set(int dev, uint32_t id, uint64_t value)
{
	const struct kmprof_setting_value setting = { .id = id, .value = value };

	return guest_set_settings(dev, &setting, 1);
}

/**
 * guest_set_text() - change a setting that is a text through the device
 * @dev: the open device
 * @id: enum kmprof_setting_id
 * @text: the text
 */
int guest_set_text(int dev, uint32_t id, const char *text)
{
	struct kmprof_setting_value setting = { .id = id, .value = 1 };

	snprintf(setting.text, sizeof(setting.text), "%s", text);
	return guest_set_settings(dev, &setting, 1);
}

/**
 * guest_set_rate() - change the sampling rate through the device
 * @dev: the open device
 * @rate: heap_rate
 */
int guest_set_rate(int dev, uint64_t rate)
{
	return guest_set(dev, KMPROF_SETTING_HEAP_RATE, rate);
}

/**
 * guest_set_block_rate() - change the sampling rate of waits through the device
 * @dev: the open device
 * @rate: block_rate, in ns
 */
int guest_set_block_rate(int dev, uint64_t rate)
{
	return guest_set(dev, KMPROF_SETTING_BLOCK_RATE, rate);
}

/**
 * guest_set_mutex_fraction() - change of how many releases one is sampled
 * @dev: the open device
 * @fraction: mutex_fraction
 */
int guest_set_mutex_fraction(int dev, uint64_t fraction)
{
	return guest_set(dev, KMPROF_SETTING_MUTEX_FRACTION, fraction);
}

/**
 * guest_profile() - read what the module tells about a profile
 * @dev: the open device
 * @name: name of the profile
 * @info: out: what it tells
 *
 * Return: 0 or a negative errno: -ENOENT when there is no such profile.
 */
int guest_profile(int dev, const char *name, struct kmprof_profile_info *info)
{
	uint32_t i;

	for (i = 0;; i++) {
		*info = (struct kmprof_profile_info){ .size = sizeof(*info), .index = i };
		if (ioctl(dev, KMPROF_IOC_PROFILE, info))
			return -errno;
		if (!strcmp(info->name, name))
			return 0;
	}
}

/**
 * guest_select() - choose the profile that the device's text shows
 * @dev: the open device
 * @profile: name of the profile
 */
int guest_select(int dev, const char *profile)
{
	struct kmprof_select select = { .size = sizeof(select) };

	snprintf(select.name, sizeof(select.name), "%s", profile);
	return ioctl(dev, KMPROF_IOC_SELECT, &select) ? -errno : 0;
}

/**
 * guest_reset() - forget all that was counted
 * @dev: the open device
 */
int guest_reset(int dev)
{
	struct kmprof_reset reset = { .size = sizeof(reset) };

	return ioctl(dev, KMPROF_IOC_RESET, &reset) ? -errno : 0;
}

/**
 * guest_settle() - wait for frees that are deferred
 * @dev: the open device
 */
int guest_settle(int dev)
{
	struct kmprof_settle settle = { .size = sizeof(settle) };

	return ioctl(dev, KMPROF_IOC_SETTLE, &settle) ? -errno : 0;
}

/**
 * guest_now_ns() - CLOCK_MONOTONIC, as the test module tells it
 */
uint64_t guest_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/**
 * guest_cpu_ns() - how long the calling thread has run
 */
uint64_t guest_cpu_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * 1000000000ULL + used.tv_nsec;
}

/**
 * guest_pin_cpu() - run the calling thread on one CPU only
 * @cpu: which
 */
int guest_pin_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return guest_complain("sched_setaffinity", "cpu", errno);
	return 0;
}

/**
 * guest_spawn() - start a program in a process group of its own, quietly
 * @argv: the program and its arguments
 *
 * It is nice, and killed when the caller ends.
 *
 * Return: its process id or a negative errno.
 */
int guest_spawn(const char *const argv[])
{
	int started[2], error = 0;
	pid_t pid;

	if (pipe2(started, O_CLOEXEC))
		return guest_complain("pipe", argv[0], errno);
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		setpgid(0, 0);
		/* It shall fill all idle time, not starve the test. */
		if (setpriority(PRIO_PROCESS, 0, 19))
			_exit(1);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(argv[0], (char *const *)argv);
		error = errno;
		/* The parent sees that nothing was written, or this. */
		if (write(started[1], &error, sizeof(error)) < 0)
			_exit(1);
		_exit(1);
	}
	close(started[1]);
	if (pid < 0) {
		close(started[0]);
		return guest_complain("fork", argv[0], errno);
	}
	if (read(started[0], &error, sizeof(error)) > 0) {
		close(started[0]);
		waitpid(pid, NULL, 0);
		return guest_complain("run (make deps)", argv[0], error);
	}
	close(started[0]);
	return pid;
}

/**
 * guest_stop() - end a program started by guest_spawn(), with its children
 * @pid: its process id
 *
 * Return: 0 when it was still running, and was killed; else its wait status, or
 * -ECHILD when that is 0; -ESRCH when guest_spawn() has failed.
 */
int guest_stop(int pid)
{
	int status, ended;

	if (pid <= 0)
		return -ESRCH;
	ended = waitpid(pid, &status, WNOHANG) == pid;
	kill(-pid, SIGKILL);
	if (ended)
		return status ? status : -ECHILD;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return 0;
}

/**
 * guest_effort() - how long a test shall go on, in this run
 * @usual: its usual time or number of rounds
 *
 * Return: the percentage of @usual that KMPROF_TEST_EFFORT says, at least 1.
 */
unsigned int guest_effort(unsigned int usual)
{
	const char *text = getenv("KMPROF_TEST_EFFORT");
	unsigned int effort = text ? usual * strtoul(text, NULL, 10) / 100 : usual;

	return effort ? effort : 1;
}

/**
 * guest_is_quick() - is this a run with so little effort that chance could decide it?
 * @left: what is left to a run with more, for the log
 *
 * What is a bound on chance needs more samples than such a run has, and a busy host
 * decides what is a bound on time.
 *
 * Return: whether it is; then it has said so on stderr.
 */
int guest_is_quick(const char *left)
{
	enum { ENOUGH = 20 };
	static const char *said;

	if (guest_effort(100) >= ENOUGH)
		return 0;
	if (said != left)
		fprintf(stderr, "# left to a run with more effort: %s\n", left);
	said = left;
	return 1;
}

/**
 * guest_slow() - how many times longer than usual something may take
 *
 * Return: what KMPROF_TEST_SLOW says, at least 1.
 */
unsigned int guest_slow(void)
{
	const char *text = getenv("KMPROF_TEST_SLOW");
	unsigned int slow = text ? strtoul(text, NULL, 10) : 1;

	return slow ? slow : 1;
}

/**
 * guest_is_rt() - whether the kernel is a PREEMPT_RT one
 */
int guest_is_rt(void)
{
	return !access("/sys/kernel/realtime", F_OK);
}

/**
 * guest_expedite() - say whether whoever waits for a grace period of RCU gets an expedited one
 * @expedited: 1 or 0
 *
 * Return: what it was, or a negative errno.
 */
int guest_expedite(int expedited)
{
	FILE *file = fopen("/sys/kernel/rcu_expedited", "r+");
	int was;

	if (!file)
		return -errno;
	if (fscanf(file, "%d", &was) != 1)
		was = -EIO;
	rewind(file);
	fprintf(file, "%d", expedited);
	return fclose(file) ? -EIO : was;
}
