// SPDX-License-Identifier: GPL-2.0
/*
 * The modules, and which test has loaded them.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "module/kmprof_test.h"

/* Where a module is in the tree. */
static const char *module_file(const char *name)
{
	if (!strcmp(name, "kmprof_test"))
		return "selftests/module/kmprof_test.ko";
	if (!strcmp(name, "kmprof_client"))
		return "selftests/module/kmprof_client.ko";
	if (!strcmp(name, "kmprof_brief"))
		return "selftests/module/kmprof_brief.ko";
	if (!strcmp(name, "kmprof_other"))
		return "selftests/module/kmprof_other.ko";
	if (!strcmp(name, "kmprof_catalogue"))
		return "selftests/module/kmprof_catalogue.ko";
	if (!strcmp(name, "kmprof_patch"))
		return "selftests/module/kmprof_patch.ko";
	if (!strcmp(name, "livepatch_sample"))
		return "build/livepatch/livepatch-sample.ko";
	if (!strcmp(name, "kmprof_lacks"))
		return "build/lacks/kmprof.ko";
	return "kmprof.ko";
}

/**
 * guest_module_path() - where a module's file is
 * @name: as for guest_insmod()
 * @path: out: its path
 * @size: bytes of @path
 *
 * The tree is found from where this program lies: TREE/selftests/build/.
 */
int guest_module_path(const char *name, char *path, size_t size)
{
	char exe[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	int i;

	if (length < 0)
		return guest_complain("readlink", "/proc/self/exe", errno);
	exe[length] = '\0';
	for (i = 0; i < 3; i++) {
		char *slash = strrchr(exe, '/');

		if (!slash)
			return guest_complain("tree of", exe, ENOENT);
		*slash = '\0';
	}
	if ((size_t)snprintf(path, size, "%s/%s", exe, module_file(name)) >= size)
		return guest_complain("path of", name, ENAMETOOLONG);
	return 0;
}

/**
 * guest_read_module() - read the file of a module
 * @name: as for guest_insmod()
 * @image: out: its contents, to be freed
 * @bytes: out: length
 */
int guest_read_module(const char *name, char **image, size_t *bytes)
{
	char path[PATH_MAX];
	int ret;

	ret = guest_module_path(name, path, sizeof(path));
	return ret ?: guest_read_file(path, image, bytes);
}

/**
 * guest_insmod() - load a module
 * @name: "kmprof", or "kmprof_lacks": kmprof as in lacks.c; one of selftests/module/, or a live
 *	patch of lib/livepatch.h
 * @params: as for insmod
 */
int guest_insmod(const char *name, const char *params)
{
	char path[PATH_MAX];
	int fd, ret;

	ret = guest_module_path(name, path, sizeof(path));
	if (ret)
		return ret;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return guest_complain("open (make first)", path, errno);
	ret = syscall(SYS_finit_module, fd, params, 0) ? -errno : 0;
	close(fd);
	return ret;
}

/**
 * guest_rmmod() - unload a module, as rmmod does
 * @name: the module
 *
 * Return: 0, -EWOULDBLOCK when somebody uses it, -ENOENT when it is not there.
 */
int guest_rmmod(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

/**
 * guest_module_inode() - a number that a module gets each time that it is loaded
 * @name: the module
 *
 * Return: the inode of its directory in sysfs; 0 when there is no such module.
 */
ino_t guest_module_inode(const char *name)
{
	char path[64];
	struct stat directory;

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return stat(path, &directory) ? 0 : directory.st_ino;
}

/**
 * guest_unload() - unload all modules of the tests, and kmprof
 */
int guest_unload(void)
{
	static const char *const names[] = {
		"kmprof_brief", "kmprof_other", "kmprof_client", "kmprof_catalogue",
		"kmprof_test", "kmprof",
	};
	unsigned int i;
	int ret = 0, error;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		error = guest_module_inode(names[i]) ? guest_rmmod(names[i]) : 0;
		if (error && error != -ENOENT)
			ret = guest_complain("rmmod", names[i], -error);
	}
	return ret;
}

/*
 * What a test leaves to the next one. Each test is a process of its own, so this is a
 * file while no test runs, and that exists only if the last test has passed.
 */
#define LEFT "/run/kmprof_selftest.left"

/* Parameters that can be changed after loading, in the order to put them back. */
static const char *const settings[] = {
	"heap", "heap_rate", "mutex_fraction", "block_rate", "labels", "heap_labels",
	"threadcreate", "owners", "heap_filter", "heap_peak", "heap_at", "heap_call_rcu",
};

enum {
	NR_SETTINGS = sizeof(settings) / sizeof(settings[0]),
	PARAMS_SIZE = 512,
	SETTING_SIZE = KMPROF_TEXT_LEN,
};

/**
 * struct loaded - both modules, as they were loaded
 * @params: of kmprof.ko
 * @values: of the settings, by then
 * @inode: see guest_module_inode(), of kmprof
 * @test_inode: of kmprof_test
 */
struct loaded {
	char params[PARAMS_SIZE];
	char values[NR_SETTINGS][SETTING_SIZE];
	ino_t inode;
	ino_t test_inode;
};

static struct loaded loaded;

static int compose(const char *source, const char *params, char all[PARAMS_SIZE])
{
	if (snprintf(all, PARAMS_SIZE, "source=%s %s", source, params) >= PARAMS_SIZE)
		return guest_complain("parameters", params, E2BIG);
	return 0;
}

static int load(const char *params)
{
	int ret;

	/* A test that was killed by its time limit leaves them behind. */
	ret = guest_unload();
	if (ret)
		return ret;
	ret = guest_insmod("kmprof", params);
	if (ret)
		return guest_complain("insmod kmprof", params, -ret);
	ret = guest_insmod("kmprof_test", "");
	if (ret) {
		guest_rmmod("kmprof");
		return guest_complain("insmod", "kmprof_test", -ret);
	}
	return 0;
}

/**
 * guest_load_anew() - load both modules afresh
 * @source: source of events
 * @params: more parameters of kmprof.ko
 */
int guest_load_anew(const char *source, const char *params)
{
	char all[PARAMS_SIZE];

	return compose(source, params, all) ?: load(all);
}

/* Reads what the last test has left, and takes it away: this one may not pass. */
static int take_left(struct loaded *left)
{
	int fd = open(LEFT, O_RDONLY | O_CLOEXEC);
	int whole;

	if (fd < 0)
		return 0;
	whole = read(fd, left, sizeof(*left)) == sizeof(*left);
	close(fd);
	return !unlink(LEFT) && whole && left->inode == guest_module_inode("kmprof") &&
	       left->test_inode == guest_module_inode("kmprof_test");
}

static int put_back(const struct loaded *was)
{
	char path[128], now[SETTING_SIZE];
	unsigned int i;
	int ret;

	for (i = 0; i < NR_SETTINGS; i++) {
		ret = guest_param(settings[i], now, sizeof(now));
		if (ret)
			return ret;
		if (!strcmp(now, was->values[i]))
			continue;
		snprintf(path, sizeof(path), "/sys/module/kmprof/parameters/%s", settings[i]);
		ret = guest_write_file(path, was->values[i]);
		if (ret)
			return guest_complain("put back", settings[i], -ret);
	}
	return 0;
}

static int forget(void)
{
	int dev = guest_open(), test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	int ret;

	if (dev < 0 || test < 0)
		return -EIO;
	ret = guest_reset(dev);
	if (ioctl(test, KMPROF_TEST_IOC_FORGET))
		ret = guest_complain("forget", KMPROF_TEST_DEVICE_PATH, errno);
	close(test);
	close(dev);
	return ret;
}

/**
 * guest_load() - have both modules loaded, as if afresh
 * @source: source of events
 * @params: more parameters of kmprof.ko
 *
 * Those that the test before has left, if they were loaded with the same parameters.
 */
int guest_load(const char *source, const char *params)
{
	char all[PARAMS_SIZE];
	struct loaded left;
	unsigned int i;
	int ret;

	ret = compose(source, params, all);
	if (ret)
		return ret;
	if (take_left(&left) && !strcmp(left.params, all)) {
		loaded = left;
		return put_back(&left) ?: forget();
	}
	ret = load(all);
	for (i = 0; !ret && i < NR_SETTINGS; i++)
		ret = guest_param(settings[i], loaded.values[i], SETTING_SIZE);
	if (ret)
		return ret;
	memcpy(loaded.params, all, sizeof(all));
	loaded.inode = guest_module_inode("kmprof");
	loaded.test_inode = guest_module_inode("kmprof_test");
	return 0;
}

/**
 * guest_leave() - the end of a test that called guest_load()
 * @passed: it has passed; else, the next test has to begin from nothing
 *
 * All files of both modules have to be closed.
 */
int guest_leave(int passed)
{
	ssize_t put;
	int fd, ret;

	if (!passed)
		return guest_unload();
	fd = open(LEFT, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return guest_complain("open", LEFT, errno);
	put = write(fd, &loaded, sizeof(loaded));
	ret = put == sizeof(loaded) ? 0 : guest_complain("write", LEFT, EIO);
	close(fd);
	return ret;
}
