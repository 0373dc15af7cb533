// SPDX-License-Identifier: GPL-2.0
/*
 * The ioctls, as one table of commands. The dispatcher copies the argument in, checks what
 * all commands have in common, and copies the result out; handlers see kernel memory only.
 * The UAPI header documents the errors.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <uapi/linux/kmprof.h>

#include "control/access.h"
#include "control/control.h"
#include "control/settle.h"
#include "core/cycle.h"
#include "core/limits.h"
#include "core/profile.h"
#include "core/setting.h"
#include "out/ioctl.h"
#include "out/open_file.h"
#include "out/snapshot.h"
#include "out/view.h"
#include "trace/session.h"

/* The argument of any command. */
union argument {
	struct {
		__u32 size;
		__u32 flags;
	};
	struct kmprof_info info;
	struct kmprof_profile_info profile;
	struct kmprof_config config;
	struct kmprof_select select;
	struct kmprof_snapshot snapshot;
	struct kmprof_advance advance;
	struct kmprof_reset reset;
	struct kmprof_settle settle;
	struct kmprof_trace_start trace_start;
	struct kmprof_trace_stop trace_stop;
	struct kmprof_trace_snapshot trace_snapshot;
};

/**
 * struct request - an ioctl in progress
 * @file: the open device
 * @f: kmprof's data of @file
 * @arg: kernel copy of the argument
 * @fd: descriptor to install @new_file as, once the result is copied out
 * @new_file: a file that the command has opened; or NULL
 */
struct request {
	struct file *file;
	struct kmprof_file *f;
	union argument arg;
	int fd;
	struct file *new_file;
};

/**
 * struct command - a command
 * @size: bytes of its argument in this version
 * @min_size: bytes of its argument in the first version
 * @flags: flags that the command knows
 * @changes: the command changes the profiler or the kernel, and needs CAP_SYS_ADMIN
 * @run: handler; 0 or a negative errno
 */
struct command {
	u32 size;
	u32 min_size;
	u32 flags;
	bool changes;
	int (*run)(struct request *rq);
};

static u32 live_objects(void)
{
	u32 sum = 0;

	kmprof_for_each_profile(p)
		if (p->ops->live)
			sum += p->ops->live();
	return sum;
}

static int run_info(struct request *rq)
{
	struct kmprof_info *info = &rq->arg.info;

	*info = (struct kmprof_info) {
		.size		= info->size,
		.abi_version	= KMPROF_ABI_VERSION,
		.stack_depth	= kmprof_limits.stack_depth,
		.lacks		= kmprof_control_lacks(),
		.max_buckets	= kmprof_limits.max_buckets,
		.max_live	= kmprof_limits.max_live,
		.max_waits	= kmprof_limits.max_waits,
		.max_objects	= kmprof_limits.max_objects,
		.ring_bytes	= kmprof_limits.ring_bytes,
		.max_snapshots	= kmprof_limits.max_snapshots,
		.snapshots	= kmprof_snapshot_count(),
		.live		= live_objects(),
	};
	return 0;
}

static int run_profile(struct request *rq)
{
	struct kmprof_profile_info *info = &rq->arg.profile;
	const struct kmprof_view *view = kmprof_view_get(info->index);

	if (!view)
		return -ENOENT;
	info->buckets = READ_ONCE(view->profile->nr_buckets);
	strscpy_pad(info->name, view->name, sizeof(info->name));
	strscpy_pad(info->table, view->profile->name, sizeof(info->table));
	return 0;
}

/* Check the size of the entries of an array of settings. */
static int check_entry_size(const struct kmprof_config *config)
{
	if (config->entry_size < offsetofend(struct kmprof_setting_value, value))
		return -EINVAL;
	return config->entry_size > PAGE_SIZE ? -E2BIG : 0;
}

static void __user *entry_of(const struct kmprof_config *config, u32 index)
{
	return u64_to_user_ptr(config->settings + (u64)index * config->entry_size);
}

static int put_setting(const struct kmprof_config *config, u32 id)
{
	const struct kmprof_setting *s = kmprof_setting_find(id);
	struct kmprof_setting_value entry = {
		.id	= id,
		.max	= s->max,
	};
	size_t size = min_t(size_t, config->entry_size, sizeof(entry));
	void __user *user = entry_of(config, id);

	if (s->ops->attach)
		entry.flags |= KMPROF_SETTING_HAS_PROBES;
	if (kmprof_control_attached(id))
		entry.flags |= KMPROF_SETTING_ATTACHED;
	if (s->ops->get_text)
		entry.flags |= KMPROF_SETTING_IS_TEXT;
	strscpy_pad(entry.name, s->name, sizeof(entry.name));
	entry.value = kmprof_control_get(id, entry.text);
	if (copy_to_user(user, &entry, size) ||
	    clear_user(user + size, config->entry_size - size))
		return -EFAULT;
	return 0;
}

static int run_get_config(struct request *rq)
{
	struct kmprof_config *config = &rq->arg.config;
	u32 room = config->count, id;
	int err;

	err = check_entry_size(config);
	for (id = 0; !err && id < min_t(u32, room, kmprof_nr_settings()); id++)
		err = put_setting(config, id);
	config->count = kmprof_nr_settings();
	return err;
}

/* Add an entry to the settings to change; forget_texts() is due, also after an error. */
static int get_setting(const struct kmprof_config *config, u32 index,
		       struct kmprof_changes *changes)
{
	struct kmprof_setting_value entry;
	int err;

	err = copy_struct_from_user(&entry, sizeof(entry), entry_of(config, index),
				    config->entry_size);
	if (err)
		return err;
	if (entry.id >= kmprof_nr_settings() || entry.flags)
		return -EOPNOTSUPP;
	if (changes->fields & BIT(entry.id))
		return -EINVAL;
	changes->fields |= BIT(entry.id);
	changes->values[entry.id] = entry.value;
	if (!kmprof_setting_find(entry.id)->ops->set_text)
		return 0;
	changes->texts[entry.id] = kmemdup_nul(entry.text, sizeof(entry.text), GFP_KERNEL);
	return changes->texts[entry.id] ? 0 : -ENOMEM;
}

static void forget_texts(struct kmprof_changes *changes)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(changes->texts); i++)
		kfree(changes->texts[i]);
}

static int run_set_config(struct request *rq)
{
	const struct kmprof_config *config = &rq->arg.config;
	struct kmprof_changes changes = {};
	u32 i;
	int err;

	err = check_entry_size(config);
	if (err)
		return err;
	if (config->count > kmprof_nr_settings())
		return -E2BIG;
	for (i = 0; i < config->count && !err; i++)
		err = get_setting(config, i, &changes);
	if (!err && changes.fields)
		err = kmprof_control_set(&changes);
	forget_texts(&changes);
	return err;
}

static int run_select(struct request *rq)
{
	const char *name = rq->arg.select.name;
	const struct kmprof_view *view;

	if (strnlen(name, KMPROF_NAME_LEN) == KMPROF_NAME_LEN)
		return -EINVAL;
	view = kmprof_view_find(name);
	if (!view)
		return -ENOENT;
	kmprof_text_restart(&rq->f->text, view);
	seq_lseek(rq->file, 0, SEEK_SET);
	return 0;
}

/* Before the file is opened: that there is no descriptor is known before anything has changed. */
static int reserve_fd(struct request *rq)
{
	rq->fd = get_unused_fd_flags(O_CLOEXEC);
	return rq->fd < 0 ? rq->fd : 0;
}

/* Have @file installed, unless it is an error. */
static int keep_file(struct request *rq, struct file *file)
{
	if (IS_ERR(file)) {
		put_unused_fd(rq->fd);
		return PTR_ERR(file);
	}
	rq->new_file = file;
	return 0;
}

static int run_snapshot(struct request *rq)
{
	struct kmprof_snapshot *arg = &rq->arg.snapshot;
	const struct kmprof_image_header *header;
	struct file *file;
	int err;

	if (arg->__reserved)
		return -EOPNOTSUPP;
	if (arg->flags & KMPROF_SNAPSHOT_BYTES) {
		if (!(arg->flags & KMPROF_SNAPSHOT_OBJECTS))
			return -EINVAL;
		if (!kmprof_access_memory(rq->file))
			return -EPERM;
	}
	err = reserve_fd(rq);
	if (err)
		return err;
	file = kmprof_snapshot_open(arg->flags, kmprof_access_addresses(rq->file));
	err = keep_file(rq, file);
	if (err)
		return err;
	header = kmprof_snapshot_header(file);
	arg->fd = rq->fd;
	arg->cycle = header->cycle;
	arg->bytes = header->image_size;
	WRITE_ONCE(rq->f->seen_cycle, arg->cycle);
	return 0;
}

static int run_advance(struct request *rq)
{
	if (mutex_lock_interruptible(&kmprof_cycle_lock))
		return -EINTR;
	kmprof_cycle_advance();
	rq->arg.advance.cycle = kmprof_cycle_number();
	mutex_unlock(&kmprof_cycle_lock);
	WRITE_ONCE(rq->f->seen_cycle, rq->arg.advance.cycle);
	return 0;
}

static int run_reset(struct request *rq)
{
	return kmprof_control_reset();
}

static int run_settle(struct request *rq)
{
	return kmprof_settle();
}

static int run_trace_start(struct request *rq)
{
	struct kmprof_trace_start *arg = &rq->arg.trace_start;
	int err;

	if (arg->flags & KMPROF_TRACE_START_STACKS && !kmprof_access_addresses(rq->file))
		return -EPERM;
	if (!memchr(arg->filter, '\0', sizeof(arg->filter)))
		return -EINVAL;
	err = reserve_fd(rq);
	if (err)
		return err;
	arg->fd = rq->fd;
	return keep_file(rq, kmprof_trace_start(arg->events, arg->filter, arg->flags,
						&arg->buffer_bytes));
}

static int run_trace_stop(struct request *rq)
{
	struct kmprof_trace_stop *arg = &rq->arg.trace_stop;

	if (arg->__reserved)
		return -EOPNOTSUPP;
	return kmprof_trace_stop(arg);
}

static int run_trace_snapshot(struct request *rq)
{
	return kmprof_trace_snapshot();
}

#define COMMAND(nr, type, last_of_first_version, known_flags, is_change, handler)	\
	[nr] = {									\
		.size		= sizeof(type),						\
		.min_size	= offsetofend(type, last_of_first_version),		\
		.flags		= (known_flags),					\
		.changes	= (is_change),						\
		.run		= (handler),						\
	}

static const struct command commands[] = {
	COMMAND(KMPROF_CMD_INFO, struct kmprof_info, max_objects, 0, false, run_info),
	COMMAND(KMPROF_CMD_PROFILE, struct kmprof_profile_info, table, 0, false, run_profile),
	COMMAND(KMPROF_CMD_GET_CONFIG, struct kmprof_config, settings, 0, false, run_get_config),
	COMMAND(KMPROF_CMD_SET_CONFIG, struct kmprof_config, settings, 0, true, run_set_config),
	COMMAND(KMPROF_CMD_SELECT, struct kmprof_select, name, 0, false, run_select),
	COMMAND(KMPROF_CMD_SNAPSHOT, struct kmprof_snapshot, bytes,
		KMPROF_SNAPSHOT_PUBLISHED | KMPROF_SNAPSHOT_OBJECTS | KMPROF_SNAPSHOT_BYTES,
		false, run_snapshot),
	COMMAND(KMPROF_CMD_ADVANCE, struct kmprof_advance, cycle, 0, false, run_advance),
	COMMAND(KMPROF_CMD_RESET, struct kmprof_reset, flags, 0, true, run_reset),
	COMMAND(KMPROF_CMD_SETTLE, struct kmprof_settle, flags, 0, true, run_settle),
	COMMAND(KMPROF_CMD_TRACE_START, struct kmprof_trace_start, buffer_bytes,
		KMPROF_TRACE_START_STACKS | KMPROF_TRACE_START_FLIGHT, false, run_trace_start),
	COMMAND(KMPROF_CMD_TRACE_STOP, struct kmprof_trace_stop, lost, 0, false, run_trace_stop),
	COMMAND(KMPROF_CMD_TRACE_SNAPSHOT, struct kmprof_trace_snapshot, flags, 0, false,
		run_trace_snapshot),
};

static const struct command *find_command(unsigned int cmd)
{
	unsigned int nr = _IOC_NR(cmd);

	if (nr >= ARRAY_SIZE(commands) || cmd != _IO(KMPROF_IOC_TYPE, nr))
		return NULL;
	return &commands[nr];
}

static int copy_in(struct request *rq, const struct command *c, void __user *user)
{
	u32 size;
	int err;

	if (get_user(size, (u32 __user *)user))
		return -EFAULT;
	if (size < c->min_size)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(&rq->arg, c->size, user, size);
	if (err)
		return err;
	/* The caller may have changed it meanwhile: use the checked size. */
	rq->arg.size = size;
	if (rq->arg.flags & ~c->flags)
		return -EOPNOTSUPP;
	/* Find out before anything is changed that the result can be written. */
	if (copy_to_user(user, &rq->arg, min(size, c->size)))
		return -EFAULT;
	return 0;
}

/**
 * kmprof_ioctl() - all ioctls of /dev/kmprof
 * @file: the open device
 * @cmd: KMPROF_IOC_*
 * @arg: user pointer to the command's structure
 *
 * Context: Process context. May sleep.
 * Return: 0 or an errno as documented in the UAPI header.
 */
long kmprof_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct command *c = find_command(cmd);
	struct request rq = { .file = file, .f = kmprof_file_of(file) };
	void __user *user = (void __user *)arg;
	int err;

	if (!c)
		return -ENOTTY;
	if (c->changes && !kmprof_access_change())
		return -EPERM;
	err = copy_in(&rq, c, user);
	if (err)
		return err;
	err = c->run(&rq);
	if (err)
		return err;
	if (copy_to_user(user, &rq.arg, min(rq.arg.size, c->size)))
		err = -EFAULT;
	if (!rq.new_file)
		return err;
	if (err) {
		put_unused_fd(rq.fd);
		fput(rq.new_file);
	} else {
		fd_install(rq.fd, rq.new_file);
	}
	return err;
}
