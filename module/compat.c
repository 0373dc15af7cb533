// SPDX-License-Identifier: GPL-2.0
/* What has to be found out about the running kernel when the module is loaded. */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "compat.h"

struct kmprof_extent kmprof_compat_softirq __read_mostly;
struct kmprof_extent kmprof_compat_sched_text __read_mostly;
struct kmprof_extent kmprof_compat_wait_end __read_mostly;
struct kmprof_extent kmprof_compat_do_raw[KMPROF_COMPAT_NR_DO_RAW] __read_mostly;
#ifdef KMPROF_DOORS_NOPROF
struct kmprof_extent kmprof_compat_kmalloc[KMPROF_COMPAT_NR_KMALLOC] __read_mostly;
#endif

/*
 * Symbols are not looked up for modules; a kprobe, never armed, is told its own, even
 * if it is refused for what is there.
 */
static unsigned long symbol_address(const char *name)
{
	struct kprobe p = {
		.symbol_name	= name,
		.flags		= KPROBE_FLAG_DISABLED,
	};
	int err = register_kprobe(&p);
	unsigned long addr = (unsigned long)p.addr;

	if (!err)
		unregister_kprobe(&p);
	return addr;
}

/* Bytes from @addr to the end of its symbol. */
static unsigned long symbol_size(unsigned long addr)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long offset, size;
	const char *plus;

	snprintf(text, sizeof(text), "%pS", (void *)addr);
	plus = strrchr(text, '+');
	if (!plus || sscanf(plus, "+%lx/%lx", &offset, &size) != 2)
		return 0;
	return size - offset;
}

/* The compiler may have changed the function's arguments, and then its name. */
static void look_up(struct kmprof_extent *extent, const char *function)
{
	static const char * const suffixes[] = {
		"", ".constprop.0", ".isra.0", ".part.0",
	};
	char name[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(suffixes) && !extent->begin; i++) {
		snprintf(name, sizeof(name), "%s%s", function, suffixes[i]);
		extent->begin = symbol_address(name);
	}
	if (extent->begin)
		extent->end = extent->begin + symbol_size(extent->begin);
}

/**
 * kmprof_compat_init() - look at the running kernel
 *
 * Context: Process context, before any probe is armed.
 */
void kmprof_compat_init(void)
{
	look_up(&kmprof_compat_softirq, "handle_softirqs");
	look_up(&kmprof_compat_wait_end, "__traceiter_contention_end");
	look_up(&kmprof_compat_do_raw[0], "do_raw_spin_lock");
	look_up(&kmprof_compat_do_raw[1], "do_raw_read_lock");
	look_up(&kmprof_compat_do_raw[2], "do_raw_write_lock");
	kmprof_compat_sched_text.begin = symbol_address("__sched_text_start");
	kmprof_compat_sched_text.end = symbol_address("__sched_text_end");
#ifdef KMPROF_DOORS_NOPROF
	look_up(&kmprof_compat_kmalloc[0], "__kmalloc_noprof");
	look_up(&kmprof_compat_kmalloc[1], "__kmalloc_node_noprof");
	look_up(&kmprof_compat_kmalloc[2], "__kmalloc_node_track_caller_noprof");
#endif
}
