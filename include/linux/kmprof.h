/* SPDX-License-Identifier: GPL-2.0 */
/*
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

struct kmprof_custom *kmprof_custom_create(const char *name, const char *unit);
int kmprof_custom_add(struct kmprof_custom *profile, const void *key, u64 weight,
		      unsigned int skip);
int kmprof_custom_remove(struct kmprof_custom *profile, const void *key);
u64 kmprof_custom_count(const struct kmprof_custom *profile);
void kmprof_custom_destroy(struct kmprof_custom *profile);

#endif /* _LINUX_KMPROF_H */
