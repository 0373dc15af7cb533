/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Orders to kmprof_client.ko. Functions return 0 or a negative errno, and say nothing on
 * stderr: that may be what a test wants.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdint.h>

#include "module/kmprof_client.h"

int client_open(void);
int client_run(int fd, struct kmprof_client_op *op);
int client_create(int fd, unsigned int profile, const char *name, const char *unit);
int client_destroy(int fd, unsigned int profile);
int client_count(int fd, unsigned int profile, uint64_t *objects);

#endif /* CLIENT_H */
