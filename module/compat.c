// SPDX-License-Identifier: GPL-2.0
/* What has to be found out about the running kernel when the module is loaded. */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "compat.h"

struct kmprof_extent kmprof_compat_softirq __read_mostly;
#ifdef KMPROF_DOORS_NOPROF
struct kmprof_extent kmprof_compat_kmalloc[KMPROF_COMPAT_NR_KMALLOC] __read_mostly;
#endif

/* Symbols are not looked up for modules; a kprobe, never armed, is told its own. */
static unsigned long symbol_address(const char *name)
{
	struct kprobe p = {
		.symbol_name	= name,
		.flags		= KPROBE_FLAG_DISABLED,
	};
	unsigned long addr;

	if (register_kprobe(&p))
		return 0;
	addr = (unsigned long)p.addr;
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
#ifdef KMPROF_DOORS_NOPROF
	look_up(&kmprof_compat_kmalloc[0], "__kmalloc_noprof");
	look_up(&kmprof_compat_kmalloc[1], "__kmalloc_node_noprof");
	look_up(&kmprof_compat_kmalloc[2], "__kmalloc_node_track_caller_noprof");
#endif
}
