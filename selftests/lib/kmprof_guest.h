/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guest and kmprof's device in it. Functions return 0 or a negative errno unless
 * they say otherwise, and explain failures on stderr.
 */
#ifndef KMPROF_GUEST_H
#define KMPROF_GUEST_H

#include <stddef.h>
#include <stdint.h>

#include <linux/kmprof.h>

/* Room for all settings, and for those to come. */
enum { GUEST_SETTINGS = 16 };

int guest_complain(const char *what, const char *name, int error);
int guest_open(void);
int guest_read_file(const char *path, char **text, size_t *bytes);
int guest_read_number(const char *path, const char *name, uint64_t *number);
int guest_debugfs_has(const char *file, const char *text);
int guest_write_file(const char *path, const char *text);
int guest_param(const char *name, char *value, size_t size);
int guest_get_settings(int dev, struct kmprof_setting_value settings[GUEST_SETTINGS]);
int guest_get_setting(int dev, uint32_t id, struct kmprof_setting_value *setting);
int guest_set_settings(int dev, const struct kmprof_setting_value *settings, unsigned int count);
int guest_set(int dev, uint32_t id, uint64_t value);
int guest_set_text(int dev, uint32_t id, const char *text);
int guest_set_rate(int dev, uint64_t rate);
int guest_set_block_rate(int dev, uint64_t rate);
int guest_set_mutex_fraction(int dev, uint64_t fraction);
int guest_profile(int dev, const char *name, struct kmprof_profile_info *info);
int guest_select(int dev, const char *profile);
int guest_reset(int dev);
int guest_settle(int dev);
uint64_t guest_now_ns(void);
uint64_t guest_cpu_ns(void);
int guest_pin_cpu(int cpu);
int guest_spawn(const char *const argv[]);
int guest_stop(int pid);
unsigned int guest_effort(unsigned int usual);
int guest_is_quick(const char *left);
unsigned int guest_slow(void);
int guest_is_rt(void);
int guest_expedite(int expedited);

#endif /* KMPROF_GUEST_H */
