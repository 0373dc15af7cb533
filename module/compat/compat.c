// SPDX-License-Identifier: GPL-2.0
/* What has to be looked up in the running kernel: where functions and members lie. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/compat.h"

struct kmprof_extent kmprof_compat_trampolines[KMPROF_COMPAT_NR_TRAMPOLINES] __read_mostly;
struct kmprof_extent kmprof_compat_softirq __read_mostly;
struct kmprof_extent kmprof_compat_page_fault __read_mostly;
struct kmprof_extent kmprof_compat_sched_text __read_mostly;
struct kmprof_extent kmprof_compat_wait_iters[KMPROF_COMPAT_NR_WAIT_ITERS] __read_mostly;
struct kmprof_extent kmprof_compat_sched_iters[KMPROF_COMPAT_NR_SCHED_ITERS] __read_mostly;
struct kmprof_extent kmprof_compat_percpu_try[KMPROF_COMPAT_NR_PERCPU_TRY] __read_mostly;
struct kmprof_extent kmprof_compat_unlock[KMPROF_COMPAT_NR_UNLOCK] __read_mostly;
struct kmprof_extent kmprof_compat_lock_text[KMPROF_COMPAT_NR_LOCK_TEXT] __read_mostly;
unsigned int kmprof_compat_object_size_at __read_mostly;

/* Bytes from the start of the symbol that @addr lies in. */
static unsigned long offset_of(unsigned long addr)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long offset;
	char *plus;

	snprintf(text, sizeof(text), "%pS", (void *)addr);
	plus = strrchr(text, '+');
	return plus && sscanf(plus, "+%lx/", &offset) == 1 ? offset : 0;
}

/**
 * kmprof_compat_symbol() - find the address of a symbol
 * @name: name in the kernel's symbol table
 *
 * Modules cannot look symbols up, but registering a kprobe does, and stores the address even
 * if the kernel then refuses the probe. The kprobe is never armed. In a kernel with indirect
 * branch tracking, a kprobe at the start of a function goes behind its ENDBR instruction.
 *
 * Context: Process context. May wait for a grace period.
 * Return: the address of the symbol's first byte; 0 if there is no such symbol.
 */
unsigned long kmprof_compat_symbol(const char *name)
{
	struct kprobe p = {
		.symbol_name	= name,
		.flags		= KPROBE_FLAG_DISABLED,
	};
	int err = register_kprobe(&p);
	unsigned long addr = (unsigned long)p.addr;

	if (!err)
		unregister_kprobe(&p);
	return addr ? addr - offset_of(addr) : 0;
}

/*
 * Get the name of the symbol at @addr. Returns the bytes from @addr to the symbol's end, or 0
 * if there is no symbol.
 */
static unsigned long symbol_at(unsigned long addr, char name[KSYM_SYMBOL_LEN])
{
	unsigned long offset, size;
	char *plus;

	snprintf(name, KSYM_SYMBOL_LEN, "%pS", (void *)addr);
	plus = strrchr(name, '+');
	if (!plus || sscanf(plus, "+%lx/%lx", &offset, &size) != 2)
		return 0;
	*plus = '\0';
	return size - offset;
}

/**
 * kmprof_compat_symbol_size() - get the size of a function
 * @addr: its address
 *
 * Context: Process context.
 * Return: bytes from @addr to the end of its symbol; 0 if there is no symbol.
 */
unsigned long kmprof_compat_symbol_size(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	return symbol_at(addr, name);
}

/**
 * kmprof_compat_look_up() - find a function
 * @extent: returns where it is
 * @function: its name in the source; the compiler may have changed its arguments, and then
 *	its name
 *
 * Context: Process context. May wait for a grace period.
 */
void kmprof_compat_look_up(struct kmprof_extent *extent, const char *function)
{
	static const char * const suffixes[] = {
		"", ".constprop.0", ".isra.0", ".part.0",
	};
	char name[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(suffixes) && !extent->begin; i++) {
		snprintf(name, sizeof(name), "%s%s", function, suffixes[i]);
		extent->begin = kmprof_compat_symbol(name);
	}
	if (extent->begin)
		extent->end = extent->begin + kmprof_compat_symbol_size(extent->begin);
}

/**
 * kmprof_compat_copies() - find all functions with the same name
 * @name: name in the kernel's symbol table
 * @addrs: returns the addresses of the functions
 * @max: length of @addrs
 *
 * With PREEMPT_RT rtmutex.c is compiled into several files, so some of its static functions
 * exist several times. Searches the scheduler's text section, symbol by symbol.
 *
 * Context: Process context. Takes some ms.
 * Return: the number of addresses; 0: the name is unique, or not there.
 */
unsigned int kmprof_compat_copies(const char *name, unsigned long *addrs, unsigned int max)
{
	unsigned int nr = 0;

#ifdef KMPROF_COMPAT_RT
	unsigned long addr = kmprof_compat_sched_text.begin, left;
	char symbol[KSYM_SYMBOL_LEN];

	for (; addr < kmprof_compat_sched_text.end && nr < max; addr += left) {
		left = symbol_at(addr, symbol);
		if (!left)
			break;
		if (!strcmp(symbol, name))
			addrs[nr++] = addr;
	}
#endif
	return nr;
}

/**
 * kmprof_compat_init() - look up what every setting needs
 *
 * Context: Process context, before any probe is armed. May sleep.
 */
void kmprof_compat_init(void)
{
	kmprof_compat_look_up(&kmprof_compat_trampolines[0], "return_to_handler");
	/* Kretprobes have one or the other, as CONFIG_KRETPROBE_ON_RETHOOK says. */
	kmprof_compat_look_up(&kmprof_compat_trampolines[1], "arch_rethook_trampoline");
	kmprof_compat_look_up(&kmprof_compat_trampolines[2], "__kretprobe_trampoline");
	kmprof_compat_look_up(&kmprof_compat_softirq, "handle_softirqs");
	kmprof_compat_look_up(&kmprof_compat_page_fault, "asm_exc_page_fault");
	kmprof_compat_look_up(&kmprof_compat_wait_iters[0], "__traceiter_contention_begin");
	kmprof_compat_look_up(&kmprof_compat_wait_iters[1], "__traceiter_contention_end");
	kmprof_compat_look_up(&kmprof_compat_sched_iters[0], "__traceiter_sched_switch");
	kmprof_compat_look_up(&kmprof_compat_sched_iters[1], "__traceiter_sched_waking");
	kmprof_compat_look_up(&kmprof_compat_lock_text[0], "do_raw_spin_lock");
	kmprof_compat_look_up(&kmprof_compat_lock_text[1], "do_raw_read_lock");
	kmprof_compat_look_up(&kmprof_compat_lock_text[2], "do_raw_write_lock");
	kmprof_compat_look_up(&kmprof_compat_lock_text[3], "__rt_mutex_slowlock_locked");
	kmprof_compat_sched_text.begin = kmprof_compat_symbol("__sched_text_start");
	kmprof_compat_sched_text.end = kmprof_compat_symbol("__sched_text_end");
}

/**
 * kmprof_compat_init_cache_size() - find out where a cache's object size is
 *
 * struct kmem_cache is private to mm/. kmem_cache_size() reads one member of it: of a made-up
 * cache, in which each word holds its own offset, it returns the offset of that member. The
 * second time all words are others.
 *
 * Context: Process context, before any probe is armed. May sleep.
 * Return: 0; -ENOMEM; -EOPNOTSUPP when kmem_cache_size() does something else.
 */
int kmprof_compat_init_cache_size(void)
{
	u32 *cache = kmalloc(PAGE_SIZE, GFP_KERNEL);
	unsigned int round, i, at[2];

	if (!cache)
		return -ENOMEM;
	for (round = 0; round < 2; round++) {
		for (i = 0; i < PAGE_SIZE / sizeof(*cache); i++)
			cache[i] = i * sizeof(*cache) + round;
		at[round] = kmem_cache_size((struct kmem_cache *)cache);
	}
	kfree(cache);
	if (at[0] >= PAGE_SIZE || at[0] % sizeof(*cache) || at[1] != at[0] + 1) {
		pr_err("kmem_cache_size() is not what it was: see compat/compat.c\n");
		return -EOPNOTSUPP;
	}
	kmprof_compat_object_size_at = at[0];
	return 0;
}

/**
 * kmprof_compat_init_releases() - look up the functions that release locks
 *
 * Not part of kmprof_compat_init(), because each function takes a grace period and only the
 * mutex profile needs them. Does nothing when called again.
 *
 * Context: Process context, control lock held, before a release is probed. May sleep.
 */
void kmprof_compat_init_releases(void)
{
	static const char * const unlock_names[KMPROF_COMPAT_NR_UNLOCK] = {
		[KMPROF_COMPAT_UP_READ]			= "up_read",
		[KMPROF_COMPAT_UP_READ_INNER]		= "__up_read",
		[KMPROF_COMPAT_UP_READ_NON_OWNER]	= "up_read_non_owner",
		[KMPROF_COMPAT_UP_WRITE]		= "up_write",
		[KMPROF_COMPAT_DOWNGRADE_WRITE]		= "downgrade_write",
		[KMPROF_COMPAT_WW_MUTEX_UNLOCK]		= "ww_mutex_unlock",
	};
	static const char * const percpu_names[KMPROF_COMPAT_NR_PERCPU_TRY] = {
		"__percpu_down_read", "percpu_rwsem_wait", "percpu_rwsem_wake_function",
		"__percpu_rwsem_trylock",
	};
	static bool done;
	unsigned int i;

	if (done)
		return;
	done = true;
	for (i = 0; i < KMPROF_COMPAT_NR_PERCPU_TRY; i++)
		kmprof_compat_look_up(&kmprof_compat_percpu_try[i], percpu_names[i]);
	for (i = 0; i < KMPROF_COMPAT_NR_UNLOCK; i++)
		kmprof_compat_look_up(&kmprof_compat_unlock[i], unlock_names[i]);
}
