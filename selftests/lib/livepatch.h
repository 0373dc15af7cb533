/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Live patches: the kernel's own sample, and that of the test module. Functions return 0 or a
 * negative errno, and explain failures on stderr, but not that of a patch that the kernel refuses.
 */
#ifndef LIVEPATCH_H
#define LIVEPATCH_H

/* Of /proc/cmdline. */
#define LIVEPATCH_SAMPLE	"livepatch_sample"
/* Of kmem_cache_alloc(). */
#define LIVEPATCH_ALLOC		"kmprof_patch"

int livepatch_is_there(void);
int livepatch_load(const char *name);
int livepatch_unload(const char *name);
long livepatch_calls(void);

#endif /* LIVEPATCH_H */
