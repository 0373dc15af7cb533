/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loading, unloading and looking at kmprof.ko and kmprof_test.ko. Functions
 * return 0 or a negative errno unless they say otherwise, and explain failures
 * on stderr.
 */
#ifndef KMPROF_GUEST_H
#define KMPROF_GUEST_H

#include <stddef.h>
#include <stdint.h>

/* Limits that the exact tests cannot reach. */
#define GUEST_ROOMY "max_live=1048576 max_buckets=65536 ring_bytes=4194304"

int guest_module_path(const char *name, char *path, size_t size);
int guest_read_module(const char *name, char **image, size_t *bytes);
int guest_insmod(const char *name, const char *params);
int guest_rmmod(const char *name);
int guest_load(const char *source, const char *params);
int guest_unload(void);

int guest_open(void);
int guest_read_file(const char *path, char **text, size_t *bytes);
int guest_write_file(const char *path, const char *text);
int guest_param(const char *name, char *value, size_t size);
int guest_set_rate(int dev, uint64_t rate);
int guest_set_block_rate(int dev, uint64_t rate);
int guest_set_mutex_fraction(int dev, uint64_t fraction);
int guest_reset(int dev);
uint64_t guest_now_ns(void);
int guest_pin_cpu(int cpu);
int guest_spawn(const char *const argv[]);
int guest_stop(int pid);
unsigned int guest_effort(unsigned int usual);
unsigned int guest_slow(void);
int guest_is_rt(void);

#endif /* KMPROF_GUEST_H */
