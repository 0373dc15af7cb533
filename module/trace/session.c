// SPDX-License-Identifier: GPL-2.0
/*
 * Starts and stops the trace, and is the file that it is read from.
 *
 * There is one trace at a time, from the start to the last close of its file. What is read is in
 * this order: the header; full blocks as they come, before each of them the stacks that it may
 * name; and, once the trace is stopped, a batch for each CPU whose last events were lost, and the
 * end. Of a flight recorder, all of that is read once it is stopped: then the header is known, too.
 *
 * Source: StartTrace(), StopTrace() and ReadTrace() of Go's trace.go.
 */
#include <linux/anon_inodes.h>
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <uapi/linux/kmprof.h>

#include "core/kick.h"
#include "trace/buffer.h"
#include "trace/clock.h"
#include "trace/crash.h"
#include "trace/events.h"
#include "trace/filter.h"
#include "trace/flight.h"
#include "trace/head.h"
#include "trace/session.h"
#include "trace/stacks.h"

enum {
	LEAST_BLOCKS	= 4,
	/* Room of a CPU over room for stacks. */
	BUFFER_PER_STACKS = 4,
};

/* The last batch. */
struct last {
	struct kmprof_trace_batch batch;
	struct kmprof_trace_end end;
};

/**
 * struct session - the trace
 * @flags: KMPROF_TRACE_START_*
 * @head: header and tables. Of a flight recorder, it is another one once that is stopped
 * @head_read: bytes of these that were read
 * @is_stopped: nothing is recorded any more; @last is complete. Written under @lock; readers wait
 *	for it
 * @last: the last batch
 * @next_cpu: CPU whose block is read next
 * @rest_cpu: CPU whose lost events at the end are told next; then comes @last
 * @is_read: @last was read, too
 * @read_lock: one reader at a time
 */
struct session {
	u32 flags;
	struct kmprof_trace_header *head;
	size_t head_read;
	bool is_stopped;
	struct last last;
	unsigned int next_cpu;
	unsigned int rest_cpu;
	bool is_read;
	struct mutex read_lock;	/* protects @head_read, @next_cpu, @rest_cpu, @is_read */
};

/* Protects @session, and serialises starting and stopping. */
static DEFINE_MUTEX(lock);
static struct session *session;

/* Marks are recorded. Set under @lock; a mark that has seen it ends within a grace period. */
static bool recording;

static DECLARE_WAIT_QUEUE_HEAD(readers);

static void wake_readers(struct work_struct *unused)
{
	wake_up_interruptible(&readers);
}

static struct kmprof_kick wake = KMPROF_KICK_INIT(wake, wake_readers);

static void on_filled(void)
{
	kmprof_kick(&wake);
}

/* Nobody reads while a flight recorder records. */
static void on_overwritten(void)
{
}

static bool is_flight(const struct session *s)
{
	return s->flags & KMPROF_TRACE_START_FLIGHT;
}

static bool has_stacks(const struct session *s)
{
	return s->flags & KMPROF_TRACE_START_STACKS;
}

/* Record nothing more. Called with the lock. */
static void silence(void)
{
	WRITE_ONCE(recording, false);
	kmprof_trace_detach();
	kmprof_trace_filter_end();
}

/*
 * The tasks that are there now are those of a flight recorder's trace. Made while events are
 * recorded: those that exit later, or come, have an event. Without memory, those that were there
 * when the recorder was started have to do.
 */
static void renew_head(struct session *s)
{
	struct kmprof_trace_header *head = s->head;

	head = kmprof_trace_head_create(head->events, has_stacks(s), head->ticks_per_s,
					&head->start);
	if (!head)
		return;
	/* Who looks for it after a crash finds one of them. */
	swap(s->head, head);
	kmprof_trace_crash_stopped();
	kmprof_trace_head_destroy(head);
}

/* End the trace, and have it read to its end. Called with the lock. */
static void stop(struct session *s)
{
	struct kmprof_trace_clock *end = &s->last.end.end;

	if (s->is_stopped)
		return;
	if (is_flight(s))
		renew_head(s);
	/* As long as all events are recorded. */
	kmprof_trace_clock_read(end);
	if (is_flight(s))
		kmprof_trace_buffer_freeze();
	silence();
	kmprof_trace_buffer_close();
	if (is_flight(s))
		kmprof_trace_clock_between(&s->head->start, end,
					   kmprof_trace_flight_cut(s->head->start.ticks));
	s->last.batch.bytes = sizeof(s->last);
	s->last.batch.cpu = nr_cpu_ids;
	s->last.batch.flags = KMPROF_TRACE_END;
	s->last.batch.ticks = end->ticks;
	kmprof_trace_buffer_count(&s->last.end);
	/* Pairs with is_ready(). */
	smp_store_release(&s->is_stopped, true);
	wake_up_all(&readers);
}

/* Is there something to read, or the end? */
static bool is_ready(const struct session *s)
{
	/* Pairs with stop(): @last is complete, and so is @head of a flight recorder. */
	if (smp_load_acquire(&s->is_stopped))
		return true;
	if (is_flight(s))
		return false;
	return READ_ONCE(s->head_read) < kmprof_trace_head_bytes(s->head) ||
	       kmprof_trace_buffer_is_ready();
}

/* Copy @bytes to the end of what was read. */
static int give(char __user *buf, size_t *done, const void *from, size_t bytes)
{
	if (copy_to_user(buf + *done, from, bytes))
		return -EFAULT;
	*done += bytes;
	return 0;
}

static int give_head(struct session *s, char __user *buf, size_t len, size_t *done)
{
	size_t bytes = min(len, kmprof_trace_head_bytes(s->head) - s->head_read);
	int err = give(buf, done, (const u8 *)s->head + s->head_read, bytes);

	if (!err)
		WRITE_ONCE(s->head_read, s->head_read + bytes);
	return err;
}

/*
 * Give the stacks that are new. What a full block names was there before the block was full.
 * Returns -ENOBUFS if there is no room for all.
 */
static int give_stacks(char __user *buf, size_t len, size_t *done)
{
	const struct kmprof_trace_stack *stacks;
	struct kmprof_trace_batch batch;
	size_t before = *done;
	int err = 0;

	while (!err && kmprof_trace_stacks_are_new()) {
		stacks = kmprof_trace_stacks_peek(&batch, len - *done);
		if (!stacks)
			return -ENOBUFS;
		err = give(buf, done, &batch, sizeof(batch)) ?:
		      give(buf, done, stacks, batch.bytes - sizeof(batch));
		if (!err)
			kmprof_trace_stacks_taken(&batch);
		else
			*done = before;
		before = *done;
	}
	return err;
}

/* Give the full blocks of a CPU. Returns -ENOBUFS if there is no room for all. */
static int give_blocks(unsigned int cpu, char __user *buf, size_t len, size_t *done)
{
	const struct kmprof_trace_batch *batch;
	int err;

	while ((batch = kmprof_trace_buffer_peek(cpu))) {
		err = give_stacks(buf, len, done);
		if (!err && batch->bytes > len - *done)
			err = -ENOBUFS;
		if (!err)
			err = give(buf, done, batch, batch->bytes);
		if (err)
			return err;
		kmprof_trace_buffer_taken(cpu);
	}
	return 0;
}

/* A turn over all CPUs, which begins with another CPU each time. */
static int give_all_blocks(struct session *s, char __user *buf, size_t len, size_t *done)
{
	unsigned int i, cpu;
	int err = 0;

	for (i = 0; i < nr_cpu_ids && !err; i++) {
		cpu = (s->next_cpu + i) % nr_cpu_ids;
		if (cpu_possible(cpu))
			err = give_blocks(cpu, buf, len, done);
		/* A smaller block of another CPU may still fit. */
		if (err == -ENOBUFS)
			err = 0;
	}
	s->next_cpu = (s->next_cpu + 1) % nr_cpu_ids;
	return err;
}

/* After a stop, when all blocks were read: tell the losses at the end, and the end. */
static int give_rest(struct session *s, char __user *buf, size_t len, size_t *done)
{
	struct kmprof_trace_batch batch;
	int err = 0;

	for (; s->rest_cpu < nr_cpu_ids && !err; s->rest_cpu++) {
		if (len - *done < sizeof(batch))
			return 0;
		if (cpu_possible(s->rest_cpu) &&
		    kmprof_trace_buffer_has_rest(s->rest_cpu, s->last.end.end.ticks, &batch))
			err = give(buf, done, &batch, sizeof(batch));
		if (err)
			return err;
	}
	if (s->is_read || len - *done < sizeof(s->last))
		return 0;
	err = give(buf, done, &s->last, sizeof(s->last));
	s->is_read = !err;
	return err;
}

/* Source: ReadTrace() of Go's trace.go. */
static ssize_t read_some(struct session *s, char __user *buf, size_t len)
{
	/* Before the blocks are looked at: all are full then. */
	bool is_stopped = smp_load_acquire(&s->is_stopped);
	size_t done = 0;
	int err;

	err = give_head(s, buf, len, &done);
	if (!err)
		err = give_all_blocks(s, buf, len, &done);
	if (!err && is_stopped && !kmprof_trace_buffer_is_ready())
		err = give_rest(s, buf, len, &done);
	return done ?: err;
}

/* Get the lock of readers when there is something to read. */
static int take_turn(struct session *s, bool must_not_wait)
{
	if (must_not_wait)
		return is_ready(s) && mutex_trylock(&s->read_lock) ? 0 : -EAGAIN;
	return wait_event_interruptible(readers, is_ready(s)) ?:
	       mutex_lock_interruptible(&s->read_lock) ? -ERESTARTSYS : 0;
}

static ssize_t file_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct session *s = file->private_data;
	ssize_t got;
	bool is_end;
	int err;

	if (len < KMPROF_TRACE_BATCH_MAX)
		return -EINVAL;
	do {
		err = take_turn(s, file->f_flags & O_NONBLOCK);
		if (err)
			return err;
		got = read_some(s, buf, len);
		is_end = s->is_read;
		mutex_unlock(&s->read_lock);
		/* Another reader may have been faster. */
	} while (!got && !is_end);
	return got;
}

static __poll_t file_poll(struct file *file, struct poll_table_struct *wait)
{
	struct session *s = file->private_data;

	poll_wait(file, &readers, wait);
	return EPOLLOUT | EPOLLWRNORM | (is_ready(s) ? EPOLLIN | EPOLLRDNORM : 0);
}

static ssize_t file_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	return kmprof_trace_mark(buf, len);
}

/* Free a session that is stopped, or was never started. Called with the lock. */
static void destroy(struct session *s)
{
	kmprof_trace_crash_end();
	kmprof_trace_buffer_destroy();
	/* As long as there are rings, a CPU that goes offline asks for it. */
	kmprof_kick_cancel(&wake);
	kmprof_trace_stacks_destroy();
	kmprof_trace_head_destroy(s->head);
	kfree(s);
	session = NULL;
}

static int file_release(struct inode *inode, struct file *file)
{
	struct session *s = file->private_data;

	mutex_lock(&lock);
	if (!s->is_stopped)
		silence();
	destroy(s);
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations trace_fops = {
	.owner		= THIS_MODULE,
	.read		= file_read,
	.write		= file_write,
	.poll		= file_poll,
	.release	= file_release,
};

/* Called with the lock. */
static int record(struct session *s, u64 events, const char *filter)
{
	u64 ticks_per_s = kmprof_trace_clock_init();
	struct kmprof_trace_clock start;
	int err;

	err = kmprof_trace_filter_begin(filter, ticks_per_s);
	if (err)
		return err;
	err = kmprof_trace_attach(events, has_stacks(s));
	if (err) {
		kmprof_trace_filter_end();
		return err;
	}
	kmprof_trace_processes_choose();
	/* From now on, all events are recorded. */
	kmprof_trace_buffer_begin();
	kmprof_trace_clock_read(&start);
	s->head = kmprof_trace_head_create(events, has_stacks(s), ticks_per_s, &start);
	if (s->head)
		return 0;
	silence();
	return -ENOMEM;
}

/* Called with the lock. */
static struct file *create(u64 events, const char *filter, u32 flags, u32 buffer_bytes)
{
	struct session *s;
	struct file *file;
	int err;

	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return ERR_PTR(-ENOMEM);
	s->flags = flags;
	mutex_init(&s->read_lock);
	err = kmprof_trace_buffer_create(buffer_bytes, is_flight(s),
					 is_flight(s) ? on_overwritten : on_filled);
	if (err) {
		/* For a short time, there may have been rings. */
		kmprof_kick_cancel(&wake);
		kfree(s);
		return ERR_PTR(err);
	}
	if (has_stacks(s))
		err = kmprof_trace_stacks_create(min_t(u32, buffer_bytes / BUFFER_PER_STACKS,
						       KMPROF_TRACE_STACKS_MAX));
	/* Before there is a file: its release takes the lock, which is held. */
	if (!err)
		err = record(s, events, filter);
	if (err) {
		destroy(s);
		return ERR_PTR(err);
	}
	file = anon_inode_getfile("[kmprof-trace]", &trace_fops, s, O_RDWR);
	if (IS_ERR(file)) {
		silence();
		destroy(s);
		return file;
	}
	session = s;
	WRITE_ONCE(recording, true);
	if (is_flight(s))
		kmprof_trace_crash_begin(&s->head);
	return file;
}

/**
 * kmprof_trace_start() - start to trace
 * @events: bit mask of 1 << enum kmprof_trace_event
 * @filter: text of the filter; empty: none
 * @flags: KMPROF_TRACE_START_*. With stacks, the caller may see kernel addresses
 * @buffer_bytes: room of each CPU, or 0; returns how much it is
 *
 * Context: Process context. Sleeps.
 * Return: a file to read the trace from, whose release ends it; or an error pointer: see struct
 * kmprof_trace_start.
 */
struct file *kmprof_trace_start(u64 events, const char *filter, u32 flags, u32 *buffer_bytes)
{
	u32 bytes = *buffer_bytes ?: KMPROF_TRACE_BUFFER_DEFAULT;
	struct file *file;

	if (!events || events & ~kmprof_trace_events() || bytes > KMPROF_TRACE_BUFFER_MAX)
		return ERR_PTR(-EINVAL);
	/* It tells which task the other records are of. */
	events |= BIT_ULL(KMPROF_TRACE_SWITCH);
	/* They tell which process a filter wants. */
	if (*filter)
		events |= BIT_ULL(KMPROF_TRACE_FORK) | BIT_ULL(KMPROF_TRACE_RENAME);
	bytes = roundup_pow_of_two(max_t(u32, bytes, LEAST_BLOCKS * KMPROF_TRACE_BATCH_MAX));
	if (mutex_lock_interruptible(&lock))
		return ERR_PTR(-EINTR);
	file = session ? ERR_PTR(-EBUSY) : create(events, filter, flags, bytes);
	mutex_unlock(&lock);
	if (!IS_ERR(file))
		*buffer_bytes = bytes;
	return file;
}

/**
 * kmprof_trace_stop() - record nothing more
 * @arg: descriptor of the trace; returns the counts
 *
 * Context: Process context. Waits for grace periods.
 * Return: 0; -EBADF: it is none; or -EINTR.
 */
int kmprof_trace_stop(struct kmprof_trace_stop *arg)
{
	struct file *file = fget(arg->fd);
	struct session *s;
	int err = -EBADF;

	if (!file)
		return err;
	if (file->f_op != &trace_fops)
		goto out;
	err = -EINTR;
	if (mutex_lock_interruptible(&lock))
		goto out;
	s = file->private_data;
	stop(s);
	arg->events = s->last.end.events;
	arg->lost = s->last.end.lost;
	arg->stackless = s->last.end.stackless;
	mutex_unlock(&lock);
	err = 0;
out:
	fput(file);
	return err;
}

/**
 * kmprof_trace_snapshot() - stop the flight recorder, so that it can be read
 *
 * Context: Process context. Waits for grace periods.
 * Return: 0; -ENODATA: none records; or -EINTR.
 */
int kmprof_trace_snapshot(void)
{
	int err = -ENODATA;

	if (mutex_lock_interruptible(&lock))
		return -EINTR;
	if (session && is_flight(session) && !session->is_stopped) {
		stop(session);
		err = 0;
	}
	mutex_unlock(&lock);
	return err;
}

static int record_mark(const char *text, u8 len)
{
	struct kmprof_trace_record r;
	int err = 0;

	preempt_disable();
	if (!READ_ONCE(recording)) {
		err = -ENODATA;
	} else if (kmprof_trace_begin(&r, KMPROF_TRACE_MARK, KMPROF_TRACE_RECORD_MAX + len)) {
		r.to = kmprof_trace_put_text(r.to, text, len);
		kmprof_trace_end(&r);
	}
	preempt_enable();
	return err;
}

/**
 * kmprof_trace_mark() - record a text of a program
 * @text: the text; a newline at its end is left out
 * @bytes: its length
 *
 * Source: userLog() of Go's runtime/trace.
 *
 * Context: Process context. May sleep.
 * Return: @bytes; -ENODATA: nobody traces; -EINVAL: too short or too long; or -EFAULT.
 */
ssize_t kmprof_trace_mark(const char __user *text, size_t bytes)
{
	char copy[KMPROF_TRACE_TEXT_MAX + 1];
	size_t len = bytes;

	if (len > sizeof(copy))
		return -EINVAL;
	if (copy_from_user(copy, text, len))
		return -EFAULT;
	if (len && copy[len - 1] == '\n')
		len--;
	if (!len || len > KMPROF_TRACE_TEXT_MAX)
		return -EINVAL;
	return record_mark(copy, len) ?: bytes;
}
