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
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/leaks_ktap.h"
#include "cmd/leaks_session.h"
#include "cmd/stop.h"

#define DROP_CACHES	"/proc/sys/vm/drop_caches"

/**
 * struct rig - a session in progress
 * @session: what is filled in
 * @dev: the device
 * @stop: signals
 * @modules: where modules are listed; or NULL
 * @module_dir: where their build ids are; or NULL
 */
struct rig {
	struct leaks_session *session;
	struct kmprof_device dev;
	struct stop stop;
	char *modules;
	char *module_dir;
};

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
	ssize_t written = -1;
	int fd, ret = 0;

	/* Only what is clean is dropped. */
	sync();
	fd = open(DROP_CACHES, O_WRONLY | O_CLOEXEC);
	if (fd >= 0)
		written = write(fd, "3\n", 2);
	if (written != 2)
		ret = written < 0 ? -errno : -EIO;
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
	const struct kmprof_mapping_files files = {
		.modules = rig->modules, .module_dir = rig->module_dir,
	};
	struct leaks_session *session = rig->session;
	int ret;

	close_image(&session->last);
	ret = take_image(&session->last, &rig->dev, 0, err);
	if (!ret)
		ret = kmprof_history_add(&session->history, &session->last.image, &files, err);
	if (ret || round)
		return ret;
	if (kmprof_leak_losses_begin(&session->losses, &session->last.image))
		return kmprof_error_set(err, -ENOMEM, NULL, "remembering losses: out of memory");
	return 0;
}

static int judge_status(char **argv, int status, struct kmprof_error *err)
{
	static const char hint[] =
		"nothing was judged; if it may fail, run: sh -c 'COMMAND || true'";

	if (WIFSIGNALED(status))
		return kmprof_error_set(err, -ECHILD, hint, "%s: killed by signal %d (%s)", argv[0],
					WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		return kmprof_error_set(err, -ECHILD, hint, "%s: exited with status %d", argv[0],
					WEXITSTATUS(status));
	return 0;
}

/* Its standard input is empty, its standard output is standard error. */
static int run_command(struct rig *rig, struct kmprof_error *err)
{
	char **argv = rig->session->options->command;
	int nothing, status, ret;

	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (nothing < 0)
		return kmprof_error_set(err, -errno, NULL, "/dev/null: %s", strerror(errno));
	ret = stop_run(&rig->stop, argv, nothing, STDERR_FILENO, &status, err);
	close(nothing);
	return ret ? ret : judge_status(argv, status, err);
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
		ret = run_command(rig, &why);
	else
		stop_sleep(&rig->stop, o->ns / (o->rounds + 1));
	if (ret && ret != -EINTR)
		return kmprof_error_set(err, ret, why.hint, "%s: %s", where, why.text);
	if (stop_now(&rig->stop))
		return -EINTR;
	progress(rig, where, "settling");
	ret = settle(rig, err);
	if (!ret)
		ret = look(rig, round, err);
	return !ret && stop_now(&rig->stop) ? -EINTR : ret;
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
					    KMPROF_LACKS_KPROBES | KMPROF_LACKS_BULK_PAGES);
	return ret;
}

/* With the names of another machine go its modules. */
static int find_modules(struct rig *rig, struct kmprof_error *err)
{
	const struct kmprof_resolver_options *names = &rig->session->options->names;
	const char *root = names->symfs ? names->symfs : "";

	if (names->kallsyms)
		return 0;
	if (asprintf(&rig->modules, "%s/proc/modules", root) < 0)
		rig->modules = NULL;
	/* A module that is gone has its build id in the image: one that is there needs it, too. */
	if (asprintf(&rig->module_dir, "%s/sys/module", root) < 0)
		rig->module_dir = NULL;
	if (rig->modules && rig->module_dir)
		return 0;
	return kmprof_error_set(err, -ENOMEM, NULL, "listing modules: out of memory");
}

/* A test harness that waits for a result has to learn that there is none. */
static int give_up(const struct leaks_options *options, const struct kmprof_error *err)
{
	if (options->ktap)
		leaks_ktap_bail_out(stdout, err->text);
	return fail(err);
}

/* Runs everything between the change of the settings and their restoration. */
static int run_with_settings(struct rig *rig)
{
	struct leaks_session *session = rig->session;
	struct kmprof_error err = { 0 }, restoring;
	int ret, restored;

	kmprof_history_init(&session->history, session->settings.rate,
			    (unsigned int)session->options->rounds + 1);
	ret = find_modules(rig, &err);
	if (!ret)
		ret = ask_lacks(rig, &err);
	if (!ret)
		ret = run_rounds(rig, &err);
	free(rig->modules);
	free(rig->module_dir);
	restored = leaks_settings_restore(&session->settings, &rig->dev, &restoring);
	if (ret == -EINTR && rig->stop.caught)
		kmprof_error_set(&err, ret, NULL, "interrupted: nothing was judged%s",
				 restored ? "" : ", the settings are as they were");
	if (ret)
		give_up(session->options, &err);
	if (restored && ret)
		fail(&restoring);
	else if (restored)
		give_up(session->options, &restoring);
	return ret || restored ? EXIT_FAILED : EXIT_OK;
}

int leaks_session_run(struct leaks_session *session, const struct leaks_options *options)
{
	struct rig rig = { .session = session };
	struct kmprof_error err;
	int ret;

	*session = (struct leaks_session){ .options = options };
	if (kmprof_device_open(&rig.dev, KMPROF_DEVICE_PATH, &err))
		return give_up(options, &err);
	stop_begin(&rig.stop);
	ret = leaks_settings_change(&session->settings, &rig.dev, options->rate, options->command,
				    &err);
	if (!ret)
		ret = run_with_settings(&rig);
	else
		ret = ret == -ERANGE ? usage_error(&cmd_leaks, "%s", err.text) :
		      give_up(options, &err);
	kmprof_device_close(&rig.dev);
	stop_end(&rig.stop);
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
