/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The API for other modules. The ioctls for programs are in uapi/linux/kmprof.h, which is
 * another file of the same name.
 *
 * Custom profiles: a module counts objects of its own by the stack that created them, and
 * kmprof shows them beside its own profiles. Source: Profile of Go's runtime/pprof.
 *
 * A driver that wants to know who holds its buffers open:
 *
 *	static struct kmprof_custom *open_buffers;
 *
 *	open_buffers = kmprof_custom_create("open_buffers", "bytes");	(in its init function)
 *	err = kmprof_custom_add(open_buffers, buffer, buffer->size, 0);	(when it opens one)
 *	kmprof_custom_remove(open_buffers, buffer);			(when it closes it)
 *	kmprof_custom_destroy(open_buffers);				(in its exit function)
 *
 * Then "kmprof dump open_buffers" lists the stacks that have opened the buffers that are open
 * now. Nothing is sampled; the counts are exact. While a module uses these functions, kmprof.ko
 * cannot be unloaded.
 */
#ifndef _LINUX_KMPROF_H
#define _LINUX_KMPROF_H

#include <linux/types.h>

struct kmprof_custom;

/* module/custom/custom.c describes each function, its arguments and its errors in full. */

/* May sleep. Returns the profile, or an error pointer, never NULL. @unit is that of weights. */
struct kmprof_custom *kmprof_custom_create(const char *name, const char *unit);
/*
 * In any context but NMI and handlers of probes on lock functions; the same for _remove().
 * Returns 0 or a negative errno; on error nothing was added. @profile must not be an error
 * pointer. @skip: number of callers to leave out; 0: the stack begins at the caller.
 */
int kmprof_custom_add(struct kmprof_custom *profile, const void *key, u64 weight,
		      unsigned int skip);
/* Returns 0 or a negative errno; -ENOENT: the profile does not have @key. */
int kmprof_custom_remove(struct kmprof_custom *profile, const void *key);
/* In any context. Returns the number of objects that were added and not removed. */
u64 kmprof_custom_count(const struct kmprof_custom *profile);
/* May sleep. Objects that are left stay in the profile. Takes NULL and error pointers. */
void kmprof_custom_destroy(struct kmprof_custom *profile);

#endif /* _LINUX_KMPROF_H */
