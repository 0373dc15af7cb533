/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls that make the kernel hold objects of many kinds, in one thread.
 * Functions return 0 or a negative errno, and explain failures on stderr.
 */
#ifndef BUSY_H
#define BUSY_H

#include <sys/types.h>

enum {
	BUSY_FDS = 8192,
	BUSY_IDS = 2048,
	BUSY_CHILDREN = 24,
};

/**
 * struct busy - what is held
 * @top: directory, on a tmpfs of its own
 * @fds: open files
 * @queues: System V message queues
 * @semaphores: sets of them
 * @children: processes that wait to be killed
 * @map: start of @map_bytes of mappings
 */
struct busy {
	char top[64];
	int fds[BUSY_FDS];
	unsigned int nr_fds;
	int queues[BUSY_IDS];
	unsigned int nr_queues;
	int semaphores[BUSY_IDS];
	unsigned int nr_semaphores;
	pid_t children[BUSY_CHILDREN];
	unsigned int nr_children;
	char *map;
	size_t map_bytes;
};

int busy_open(struct busy *busy);
void busy_close(struct busy *busy);
int busy_many(struct busy *busy);
int busy_big(struct busy *busy, size_t bytes);
int busy_release(struct busy *busy);

#endif /* BUSY_H */
