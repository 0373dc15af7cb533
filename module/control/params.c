// SPDX-License-Identifier: GPL-2.0
/* Module parameters for settings, and for choices of a source. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "control/access.h"
#include "control/control.h"
#include "core/setting.h"
#include "core/source.h"

static int setting_set(const char *arg, const struct kernel_param *kp)
{
	const struct kmprof_setting *s = kp->arg;
	struct kmprof_changes changes = { .fields = BIT(s->id) };
	int err;

	/* sysfs checks for uid 0 only. While loading, insmod has been checked already. */
	if (kmprof_control_is_ready() && !kmprof_access_change())
		return -EPERM;
	err = kmprof_setting_parse(s, arg, &changes.values[s->id]);
	changes.texts[s->id] = arg;
	if (!err)
		err = kmprof_control_set(&changes);
	if (err == -EINVAL || err == -ERANGE) {
		pr_err("%s=%.*s is not valid: give %s\n", s->name, (int)strcspn(arg, "\n"), arg,
		       s->wanted);
		return -EINVAL;
	}
	return err;
}

static int setting_get(char *buffer, const struct kernel_param *kp)
{
	const struct kmprof_setting *s = kp->arg;
	char text[KMPROF_TEXT_LEN];
	u64 value = kmprof_control_get(s->id, text);

	if (s->names)
		kmprof_setting_format(s, text, value);
	else if (!s->ops->get_text)
		return sysfs_emit(buffer, "%llu\n", value);
	return sysfs_emit(buffer, "%s\n", text);
}

const struct kernel_param_ops kmprof_setting_param_ops = {
	.set = setting_set,
	.get = setting_get,
};

static int source_set(const char *arg, const struct kernel_param *kp)
{
	struct kmprof_source_choice *choice = kp->arg;
	unsigned int i;

	for (i = 0; i < KMPROF_NR_SOURCES; i++) {
		if (sysfs_streq(arg, choice->all[i]->name)) {
			choice->chosen = choice->all[i];
			return 0;
		}
	}
	pr_err("%s=%s is not known: give kprobe or tracepoint\n", choice->name, arg);
	return -EINVAL;
}

static int source_get(char *buffer, const struct kernel_param *kp)
{
	const struct kmprof_source_choice *choice = kp->arg;

	return sysfs_emit(buffer, "%s\n", choice->chosen->name);
}

const struct kernel_param_ops kmprof_source_param_ops = {
	.set = source_set,
	.get = source_get,
};
