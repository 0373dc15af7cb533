/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loading and unloading kmprof.ko and kmprof_test.ko. Functions return 0 or a negative
 * errno unless they say otherwise, and explain failures on stderr.
 *
 * To load both takes 1.4 s in an emulated guest. So a test that does not care calls
 * guest_load() and, at its end, guest_leave(): the next test with the same parameters
 * gets the same modules, with their settings put back and all counts at zero. The test
 * program unloads them at its end (see harness.h).
 *
 * Tests of loading and unloading itself call guest_load_anew() and guest_unload().
 */
#ifndef MODULES_H
#define MODULES_H

#include <stddef.h>
#include <sys/types.h>

/* Limits that the exact tests cannot reach. */
#define GUEST_ROOMY "max_live=1048576 max_buckets=65536 ring_bytes=4194304"

int guest_module_path(const char *name, char *path, size_t size);
int guest_read_module(const char *name, char **image, size_t *bytes);
int guest_insmod(const char *name, const char *params);
int guest_rmmod(const char *name);
ino_t guest_module_inode(const char *name);
int guest_unload(void);
int guest_load_anew(const char *source, const char *params);
int guest_load(const char *source, const char *params);
int guest_leave(int passed);

#endif /* MODULES_H */
