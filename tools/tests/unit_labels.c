// SPDX-License-Identifier: GPL-2.0
/* Tests of the library's parts that tell whose waits and releases are counted. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "device/config.h"
#include "image/image.h"
#include "profile/label.h"
#include "symbols/cgroups.h"
#include "tests/unit.h"
#include "util/printable.h"

static struct kmprof_setting_value labels = { .name = "labels", .max = KMPROF_LABELS };
static const struct kmprof_settings have = { &labels, 1 };

static bool parses(const char *arg, __u64 want)
{
	struct kmprof_settings changes = { 0 };
	bool ret;

	ret = !kmprof_config_parse(&changes, &have, arg, NULL) && changes.nr == 1 &&
	      changes.setting[0].value == want;
	kmprof_settings_release(&changes);
	return ret;
}

static bool refused(const char *arg, const char *text)
{
	struct kmprof_settings changes = { 0 };
	struct kmprof_error err = { 0 };

	return kmprof_config_parse(&changes, &have, arg, &err) == -EINVAL && !changes.nr &&
	       strstr(err.text, text) && strstr(err.hint, "none, or any of comm, pid, cgroup ");
}

static void names_are_parsed(void)
{
	EXPECT(parses("labels=none", 0));
	EXPECT(parses("labels=comm", KMPROF_LABEL_COMM));
	EXPECT(parses("labels=pid", KMPROF_LABEL_PID));
	EXPECT(parses("labels=cgroup", KMPROF_LABEL_CGROUP));
	EXPECT(parses("labels=cgroup,comm", KMPROF_LABEL_COMM | KMPROF_LABEL_CGROUP));
	EXPECT(parses("labels=pid,cgroup,comm", KMPROF_LABELS));
	EXPECT(parses("labels=pid,pid,pid", KMPROF_LABEL_PID));
	EXPECT(refused("labels=", "''"));
	EXPECT(refused("labels=,", "''"));
	EXPECT(refused("labels=comm,", "''"));
	EXPECT(refused("labels=comm,,pid", "''"));
	EXPECT(refused("labels=comm pid", "'comm pid'"));
	EXPECT(refused("labels=comm, pid", "' pid'"));
	EXPECT(refused("labels=pids", "'pids'"));
	EXPECT(refused("labels=Comm", "'Comm'"));
	EXPECT(refused("labels=pid,none", "'none'"));
	EXPECT(refused("labels=none,pid", "'none'"));
	EXPECT(refused("labels=1", "'1'"));
}

/* A module that knows one name less. */
static void names_are_those_of_the_module(void)
{
	struct kmprof_settings changes = { 0 };
	struct kmprof_error err = { 0 };

	labels.max = KMPROF_LABEL_COMM | KMPROF_LABEL_PID;
	EXPECT(parses("labels=pid,comm", KMPROF_LABEL_COMM | KMPROF_LABEL_PID));
	EXPECT(kmprof_config_parse(&changes, &have, "labels=cgroup", &err) == -EINVAL);
	EXPECT(strstr(err.text, "'cgroup'") && strstr(err.hint, "none, or any of comm, pid with"));
	labels.max = KMPROF_LABELS;
}

static bool is_text(__u64 value, const char *want)
{
	struct kmprof_setting_value setting = { .name = "labels", .value = value };
	char text[KMPROF_CONFIG_TEXT];

	return !strcmp(kmprof_config_text(&setting, text), want);
}

static void values_have_a_text(void)
{
	struct kmprof_setting_value setting = { .name = "labels", .value = ~0ULL };
	char text[KMPROF_CONFIG_TEXT];

	EXPECT(is_text(0, "none"));
	EXPECT(is_text(KMPROF_LABEL_PID, "pid"));
	EXPECT(is_text(KMPROF_LABELS, "comm,pid,cgroup"));
	EXPECT(is_text(KMPROF_LABEL_CGROUP | 8 | 1ULL << 63, "cgroup,0x8,0x8000000000000000"));
	/* Too many to be real: in bounds all the same. */
	kmprof_config_text(&setting, text);
	EXPECT(strlen(text) == sizeof(text) - 1);
	strcpy(setting.name, "mutex_fraction");
	EXPECT(!strcmp(kmprof_config_text(&setting, text), "18446744073709551615"));
	strcpy(setting.name, "later");
	EXPECT(!strcmp(kmprof_config_text(&setting, text), "18446744073709551615"));
}

static void odd_bytes_are_marked(void)
{
	struct kmprof_image_label label = { .labels = KMPROF_LABEL_COMM };
	char text[KMPROF_COMM_LEN], all[256];
	int i, kept = 0;

	EXPECT(kmprof_is_printable("") && kmprof_is_printable(" a~"));
	EXPECT(!kmprof_is_printable("a\x1f") && !kmprof_is_printable("a\x7f"));
	EXPECT(!kmprof_is_printable("a\x80") && !kmprof_is_printable("\xff"));
	for (i = 1; i < 256; i++)
		all[i - 1] = (char)i;
	all[255] = '\0';
	kmprof_make_printable(all);
	for (i = 1; i < 256; i++)
		if (i >= 0x20 && i <= 0x7e)
			kept += all[i - 1] == (char)i;
		else
			EXPECT(all[i - 1] == '?');
	EXPECT(kept == 95);

	memcpy(label.comm, "a\nb\x7f \xc3\xa4~]0123\t", KMPROF_COMM_LEN - 1);
	EXPECT(!strcmp(kmprof_label_comm(&label, text), "a?b? ??~]0123?"));
	label.comm[0] = '\0';
	EXPECT(!strcmp(kmprof_label_comm(&label, text), ""));
}

static void labels_are_those_of_the_mask(void)
{
	const struct kmprof_image_label label = { .labels = KMPROF_LABEL_PID | 1U << 31 };

	EXPECT(kmprof_label_has(&label, KMPROF_LABEL_PID));
	EXPECT(!kmprof_label_has(&label, KMPROF_LABEL_COMM));
	EXPECT(!kmprof_label_has(&label, KMPROF_LABEL_CGROUP));
	EXPECT(!kmprof_label_has(NULL, KMPROF_LABELS));
}

static __u64 make_directory(const char *name)
{
	struct stat st;

	if (mkdir(path_of(name), 0755) || stat(path_of(name), &st)) {
		perror(path_of(name));
		exit(1);
	}
	return st.st_ino;
}

/* As /proc/self/mountinfo writes them. */
static const char *mounts(const char *at)
{
	char text[3 * PATH_MAX];

	snprintf(text, sizeof(text),
		 "23 1 0:21 / /proc rw,relatime shared:5 - proc none rw\n"
		 "31 23 0:28 / /sys/fs/cgroup/cgroup2 rw - cgroup cgroup2 rw,memory\n"
		 "32 23 0:29 / %s/v2%s rw,nosuid shared:9 master:1 - cgroup2 cgroup2 rw\n"
		 "33 23 0:29 / /nowhere rw - cgroup2 cgroup2 rw\n"
		 "nonsense - cgroup2 cgroup2 rw\n", dir, at);
	return file_with("mountinfo", text);
}

static bool is_at(const struct kmprof_cgroups *cgroups, __u64 id, const char *path)
{
	const char *found = kmprof_cgroups_find(cgroups, id);

	return found ? path && !strcmp(found, path) : !path;
}

static void cgroups_are_found(void)
{
	__u64 root = make_directory("v2 \\"), slice = make_directory("v2 \\/system.slice");
	__u64 service = make_directory("v2 \\/system.slice/a b.service");
	__u64 odd = make_directory("v2 \\/\xc3\xa4\n");
	struct kmprof_cgroups cgroups;
	struct stat st;

	file_with("v2 \\/cgroup.procs", "1\n");
	EXPECT(!stat(path_of("v2 \\/cgroup.procs"), &st));
	EXPECT(!kmprof_cgroups_load(&cgroups, mounts("\\040\\134")));
	EXPECT(cgroups.nr == 4);
	EXPECT(is_at(&cgroups, root, "/"));
	EXPECT(is_at(&cgroups, slice, "/system.slice"));
	EXPECT(is_at(&cgroups, service, "/system.slice/a b.service"));
	EXPECT(is_at(&cgroups, odd, "/???"));
	EXPECT(is_at(&cgroups, st.st_ino, NULL));
	EXPECT(is_at(&cgroups, 0, NULL));
	kmprof_cgroups_release(&cgroups);
	EXPECT(is_at(&cgroups, root, NULL));
}

static void many_cgroups_are_found(void)
{
	struct kmprof_cgroups cgroups;
	char name[64];
	__u64 id[200];
	int i;

	make_directory("v2");
	for (i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "v2/%d", i * 7919 % 200);
		id[i * 7919 % 200] = make_directory(name);
	}
	EXPECT(!kmprof_cgroups_load(&cgroups, mounts("")));
	EXPECT(cgroups.nr == 201);
	for (i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "/%d", i);
		EXPECT(is_at(&cgroups, id[i], name));
	}
	kmprof_cgroups_release(&cgroups);
}

static void there_need_be_no_cgroups(void)
{
	struct kmprof_cgroups cgroups;

	EXPECT(!kmprof_cgroups_load(&cgroups, path_of("no-mountinfo")) && !cgroups.nr);
	EXPECT(!kmprof_cgroups_load(&cgroups, file_with("none", "")) && !cgroups.nr);
	EXPECT(!kmprof_cgroups_load(&cgroups, mounts("-gone")) && !cgroups.nr);
	EXPECT(!kmprof_cgroups_load(&cgroups, mounts("\\04")) && !cgroups.nr);
	EXPECT(is_at(&cgroups, 1, NULL));
	kmprof_cgroups_release(&cgroups);
}

static const struct unit_test tests[] = {
	{ "labels: names are parsed", names_are_parsed },
	{ "labels: names are those of the module", names_are_those_of_the_module },
	{ "labels: values have a text", values_have_a_text },
	{ "labels: odd bytes are marked", odd_bytes_are_marked },
	{ "labels: those of the mask", labels_are_those_of_the_mask },
	{ "cgroups: found by id, with odd names and mount points", cgroups_are_found },
	{ "cgroups: many", many_cgroups_are_found },
	{ "cgroups: none is no error", there_need_be_no_cgroups },
};

int main(int argc, char **argv)
{
	return run_tests(tests, ARRAY_SIZE(tests), argc, argv);
}
