// SPDX-License-Identifier: GPL-2.0
/* What has to be found out about the running kernel when the module is loaded. */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "compat.h"

unsigned long kmprof_compat_softirq_begin __read_mostly;
unsigned long kmprof_compat_softirq_end __read_mostly;

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

/**
 * kmprof_compat_init() - look at the running kernel
 *
 * Context: Process context, before any probe is armed.
 */
void kmprof_compat_init(void)
{
	kmprof_compat_softirq_begin = symbol_address("handle_softirqs");
	if (kmprof_compat_softirq_begin)
		kmprof_compat_softirq_end = kmprof_compat_softirq_begin +
					    symbol_size(kmprof_compat_softirq_begin);
}
