// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "cmd/trace_copy.h"

enum {
	/* Many batches at a time. */
	PIECE_BYTES	= 1 << 20,
	/* How soon it is noticed that nobody waits any more. */
	LOOK_MS		= 200,
};

/* Return: whether to go on. */
static bool is_wanted(struct trace_copy *copy)
{
	bool is_wanted;

	pthread_mutex_lock(&copy->lock);
	is_wanted = !copy->is_given_up;
	pthread_mutex_unlock(&copy->lock);
	return is_wanted;
}

static int write_failed(struct trace_copy *copy)
{
	int ret = errno ? -errno : -EIO;

	return kmprof_error_set(&copy->err, ret, NULL, "writing the trace: %s", strerror(-ret));
}

/* Return: 0 or a negative errno. */
static int put(struct trace_copy *copy, const char *bytes, size_t size)
{
	errno = 0;
	if (fwrite(bytes, 1, size, copy->file) != size)
		return write_failed(copy);
	pthread_mutex_lock(&copy->lock);
	kmprof_meter_feed(&copy->meter, bytes, size);
	pthread_mutex_unlock(&copy->lock);
	return 0;
}

/* Return: bytes; 0: the end; or a negative errno. */
static ssize_t get(struct trace_copy *copy, char *bytes, size_t room)
{
	struct pollfd ready = { .fd = copy->fd, .events = POLLIN };
	ssize_t n;

	while (is_wanted(copy)) {
		n = read(copy->fd, bytes, room);
		if (n >= 0)
			return n;
		if (errno == EAGAIN)
			poll(&ready, 1, LOOK_MS);
		else if (errno != EINTR)
			return kmprof_error_set(&copy->err, -errno, NULL, "reading the trace: %s",
						strerror(errno));
	}
	return 0;
}

static void *copy_all(void *arg)
{
	static char piece[PIECE_BYTES];
	struct trace_copy *copy = arg;
	ssize_t n;
	int ret = 0;

	while (!ret && (n = get(copy, piece, sizeof(piece))))
		ret = n < 0 ? (int)n : put(copy, piece, (size_t)n);
	errno = 0;
	if (!ret && fflush(copy->file))
		ret = write_failed(copy);
	pthread_mutex_lock(&copy->lock);
	copy->ret = ret;
	copy->is_over = true;
	pthread_mutex_unlock(&copy->lock);
	return NULL;
}

int trace_copy_begin(struct trace_copy *copy, int fd, FILE *file, struct kmprof_error *err)
{
	int ret;

	memset(copy, 0, sizeof(*copy));
	copy->fd = fd;
	copy->file = file;
	pthread_mutex_init(&copy->lock, NULL);
	ret = -pthread_create(&copy->thread, NULL, copy_all, copy);
	return ret ? kmprof_error_set(err, ret, NULL, "starting to copy the trace: %s",
				      strerror(-ret)) : 0;
}

bool trace_copy_is_over(struct trace_copy *copy, __u64 *events, __u64 *bytes, __u64 *lost)
{
	bool is_over;

	pthread_mutex_lock(&copy->lock);
	is_over = copy->is_over;
	*events = copy->meter.events;
	*bytes = copy->meter.bytes;
	*lost = copy->meter.lost;
	pthread_mutex_unlock(&copy->lock);
	return is_over;
}

int trace_copy_end(struct trace_copy *copy, bool is_stopped, struct kmprof_error *err)
{
	pthread_mutex_lock(&copy->lock);
	copy->is_given_up = !is_stopped;
	pthread_mutex_unlock(&copy->lock);
	pthread_join(copy->thread, NULL);
	pthread_mutex_destroy(&copy->lock);
	if (copy->ret)
		*err = copy->err;
	return copy->ret;
}
