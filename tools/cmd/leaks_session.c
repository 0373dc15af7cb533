// SPDX-License-Identifier: GPL-2.0
/*
 * The first round is not judged: it fills caches, and what it allocates may be seen for the
 * first time. The snapshot after it is the one that the others are compared with.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/leaks_session.h"
#include "cmd/leaks_stop.h"
#include "device/config.h"

#define DROP_CACHES	"/proc/sys/vm/drop_caches"
#define NSEC_PER_SEC	1000000000ULL
#define HEAP_RATE	"heap_rate"

/* Of a running system whose memory is not sampled: Go's default. */
#define DEFAULT_RATE	"512K"

/**
 * struct rig - a session in progress
 * @session: what is filled in
 * @dev: the device
 * @stop: signals
 * @old: the settings as they were; empty: they were not changed
 * @modules: where modules are listed; or NULL
 */
struct rig {
	struct leaks_session *session;
	struct kmprof_device dev;
	struct leaks_stop stop;
	struct kmprof_settings old;
	char *modules;
};

static __u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (__u64)now.tv_sec * NSEC_PER_SEC + (__u64)now.tv_nsec;
}

/* A line that the next one replaces. */
static void progress(const struct rig *rig, const char *where, const char *what)
{
	if (!isatty(STDERR_FILENO))
		return;
	fputs("\r\033[K", stderr);
	if (where)
		fprintf(stderr, "%s (of %lu): %s", where, rig->session->options->rounds, what);
	fflush(stderr);
}

static int drop_caches(struct kmprof_error *err)
{
	int fd, ret = 0;

	/* Only what is clean is dropped. */
	sync();
	fd = open(DROP_CACHES, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "3\n", 2) != 2)
		ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret ? kmprof_error_set(err, ret, "--settle needs root", DROP_CACHES ": %s",
				      strerror(-ret)) : 0;
}

/* What is dropped is freed by RCU in part. */
static int settle(struct rig *rig, struct kmprof_error *err)
{
	int ret = kmprof_device_settle(&rig->dev, err);

	if (ret || !rig->session->options->settle)
		return ret;
	ret = drop_caches(err);
	return ret ? ret : kmprof_device_settle(&rig->dev, err);
}

/* Adds a snapshot, which becomes the last one. */
static int look(struct rig *rig, unsigned int round, struct kmprof_error *err)
{
	const struct kmprof_mapping_files files = { .modules = rig->modules };
	struct leaks_session *session = rig->session;
	int ret;

	close_image(&session->last);
	ret = take_image(&session->last, &rig->dev, err);
	if (!ret)
		ret = kmprof_history_add(&session->history, &session->last.image, &files, err);
	if (ret || round)
		return ret;
	if (kmprof_leak_losses_begin(&session->losses, &session->last.image))
		return kmprof_error_set(err, -ENOMEM, NULL, "remembering losses: out of memory");
	return 0;
}

static int run_round(struct rig *rig, unsigned int round, struct kmprof_error *err)
{
	const struct leaks_options *o = rig->session->options;
	char where[32] = "warm-up round";
	struct kmprof_error why;
	int ret = 0;

	if (round)
		snprintf(where, sizeof(where), "round %u", round);
	progress(rig, where, o->command ? "running" : "waiting");
	if (o->command)
		ret = leaks_stop_run(&rig->stop, o->command, &why);
	else
		leaks_stop_sleep(&rig->stop, o->ns / (o->rounds + 1));
	if (ret && ret != -EINTR)
		return kmprof_error_set(err, ret, why.hint, "%s: %s", where, why.text);
	if (leaks_stop_now(&rig->stop))
		return -EINTR;
	progress(rig, where, "settling");
	ret = settle(rig, err);
	if (!ret)
		ret = look(rig, round, err);
	return !ret && leaks_stop_now(&rig->stop) ? -EINTR : ret;
}

static int run_rounds(struct rig *rig, struct kmprof_error *err)
{
	struct leaks_session *session = rig->session;
	unsigned int round, nr = (unsigned int)session->options->rounds;
	__u64 begin = 0;
	int ret = 0;

	for (round = 0; round <= nr && !ret; round++) {
		if (round == 1)
			begin = now_ns();
		ret = run_round(rig, round, err);
	}
	progress(rig, NULL, NULL);
	if (ret)
		return ret;
	session->round_ns = (now_ns() - begin) / nr;
	kmprof_leak_losses_end(&session->losses, &session->last.image);
	return 0;
}

/* Of what the device cannot see, only memory matters. */
static int ask_lacks(struct rig *rig, struct kmprof_error *err)
{
	struct kmprof_info info;
	int ret = kmprof_device_info(&rig->dev, &info, err);

	rig->session->lacks = info.lacks & (KMPROF_LACKS_ALLOC | KMPROF_LACKS_BULK_ALLOC |
					    KMPROF_LACKS_KPROBES);
	return ret;
}

/* The rate that the user wants, or the one that suits. */
static const char *wanted_rate(const struct leaks_options *o,
			       const struct kmprof_setting_value *now)
{
	if (o->rate)
		return o->rate;
	/* A command is repeated: each object that it leaves behind counts. */
	if (o->command)
		return "1";
	/* The objects that are sampled already are known for longer. */
	return now->value ? NULL : DEFAULT_RATE;
}

/* Return: EXIT_OK, or another exit status after a message. */
static int set_rate(struct rig *rig)
{
	struct kmprof_settings have, changes = { 0 };
	const struct kmprof_setting_value *now;
	struct kmprof_error err;
	const char *wanted;
	char *text = NULL;
	int ret = EXIT_OK;

	if (kmprof_config_get(&rig->dev, &have, &err))
		return fail(&err);
	now = kmprof_settings_find(&have, HEAP_RATE);
	if (!now) {
		kmprof_settings_release(&have);
		kmprof_error_set(&err, -ENOENT, NULL, "the module does not profile memory");
		return fail(&err);
	}
	rig->session->rate = now->value;
	wanted = wanted_rate(rig->session->options, now);
	if (!wanted)
		goto out;
	if (asprintf(&text, HEAP_RATE "=%s", wanted) < 0) {
		text = NULL;
		kmprof_error_set(&err, -ENOMEM, NULL, HEAP_RATE ": out of memory");
		ret = fail(&err);
		goto out;
	}
	if (kmprof_config_parse(&changes, &have, text, &err) || !changes.setting[0].value) {
		ret = usage_error(&cmd_leaks,
				  "--rate: '%s' is not a number of bytes from 1 to %llu", wanted,
				  now->max);
		goto out;
	}
	rig->session->rate = changes.setting[0].value;
	if (changes.setting[0].value == now->value)
		goto out;
	if (kmprof_config_set(&rig->dev, &changes, &err)) {
		ret = fail(&err);
		goto out;
	}
	/* The same entry, with the old value, puts it back. */
	changes.setting[0].value = now->value;
	rig->old = changes;
	changes = (struct kmprof_settings){ 0 };
out:
	free(text);
	kmprof_settings_release(&changes);
	kmprof_settings_release(&have);
	return ret;
}

static int restore_rate(struct rig *rig)
{
	struct kmprof_error err;
	int ret = EXIT_OK;

	if (rig->old.nr && kmprof_config_set(&rig->dev, &rig->old, &err)) {
		ret = fail(&err);
		fprintf(stderr, "kmprof: hint: " HEAP_RATE " was %llu\n",
			rig->old.setting[0].value);
	}
	kmprof_settings_release(&rig->old);
	return ret;
}

/* With the names of another machine go its modules. */
static int find_modules(struct rig *rig, struct kmprof_error *err)
{
	const struct kmprof_resolver_options *names = &rig->session->options->names;
	const char *root = names->symfs ? names->symfs : "";

	if (names->kallsyms)
		return 0;
	if (asprintf(&rig->modules, "%s/proc/modules", root) >= 0)
		return 0;
	rig->modules = NULL;
	return kmprof_error_set(err, -ENOMEM, NULL, "listing modules: out of memory");
}

/* Runs everything between the change of the rate and its restoration. */
static int run_with_rate(struct rig *rig)
{
	struct leaks_session *session = rig->session;
	struct kmprof_error err = { 0 };
	int ret, status;

	kmprof_history_init(&session->history, session->rate,
			    (unsigned int)session->options->rounds + 1);
	ret = find_modules(rig, &err);
	if (!ret)
		ret = ask_lacks(rig, &err);
	if (!ret)
		ret = run_rounds(rig, &err);
	free(rig->modules);
	status = restore_rate(rig);
	if (!ret)
		return status;
	if (ret == -EINTR && rig->stop.caught)
		fputs("kmprof: interrupted: nothing was judged, " HEAP_RATE " is as it was\n",
		      stderr);
	else
		fail(&err);
	return EXIT_FAILED;
}

int leaks_session_run(struct leaks_session *session, const struct leaks_options *options)
{
	struct rig rig = { .session = session };
	struct kmprof_error err;
	int ret;

	*session = (struct leaks_session){ .options = options };
	if (kmprof_device_open(&rig.dev, KMPROF_DEVICE_PATH, &err))
		return fail(&err);
	leaks_stop_begin(&rig.stop);
	ret = set_rate(&rig);
	if (!ret)
		ret = run_with_rate(&rig);
	kmprof_device_close(&rig.dev);
	leaks_stop_end(&rig.stop);
	if (ret)
		leaks_session_release(session);
	return ret;
}

void leaks_session_release(struct leaks_session *session)
{
	close_image(&session->last);
	kmprof_history_release(&session->history);
	kmprof_leak_losses_release(&session->losses);
}
