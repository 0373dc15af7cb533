// SPDX-License-Identifier: GPL-2.0
/*
 * Handlers that do nothing, of an allocation and a free of pages, per-CPU memory, and vmalloc: the
 * same probes as kmprof has.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <trace/events/kmem.h>
#include <trace/events/percpu.h>

#include "compat/vmalloc.h"
#include "floor_kinds.h"
#include "probe/tracepoint.h"

static void on_page_alloc(void *data, struct page *page, unsigned int order, gfp_t gfp,
			  int migratetype)
{
}

static void on_page_free(void *data, struct page *page, unsigned int order)
{
}

static struct kmprof_tracepoint pages[] = {
	{ "mm_page_alloc", on_page_alloc },
	{ "mm_page_free", on_page_free },
};

/**
 * bench_floor_page_on() - attach those of pages
 */
int bench_floor_page_on(void)
{
	check_trace_callback_type_mm_page_alloc(on_page_alloc);
	check_trace_callback_type_mm_page_free(on_page_free);
	return kmprof_tracepoints_arm(pages, ARRAY_SIZE(pages));
}

/**
 * bench_floor_page_off() - detach them
 */
void bench_floor_page_off(void)
{
	kmprof_tracepoints_disarm(pages, ARRAY_SIZE(pages));
}

static void on_percpu_alloc(void *data, unsigned long site, bool reserved, bool is_atomic,
			    size_t size, size_t align, void *base, int offset, void __percpu *ptr,
			    size_t bytes, gfp_t gfp)
{
}

static void on_percpu_free(void *data, void *base, int offset, void __percpu *ptr)
{
}

static struct kmprof_tracepoint percpu[] = {
	{ "percpu_alloc_percpu", on_percpu_alloc },
	{ "percpu_free_percpu", on_percpu_free },
};

/**
 * bench_floor_percpu_on() - attach those of per-CPU memory
 */
int bench_floor_percpu_on(void)
{
	check_trace_callback_type_percpu_alloc_percpu(on_percpu_alloc);
	check_trace_callback_type_percpu_free_percpu(on_percpu_free);
	return kmprof_tracepoints_arm(percpu, ARRAY_SIZE(percpu));
}

/**
 * bench_floor_percpu_off() - detach them
 */
void bench_floor_percpu_off(void)
{
	kmprof_tracepoints_disarm(percpu, ARRAY_SIZE(percpu));
}

static void on_hook(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		    struct ftrace_regs *fregs)
{
}

/* One for each function: with two in one, ftrace looks up at each call whether it is of them. */
static struct ftrace_ops map_ops = { .func = on_hook, .flags = FTRACE_OPS_FL_SAVE_REGS };
static struct ftrace_ops remove_ops = { .func = on_hook };

static int hook(struct ftrace_ops *ops, char *function)
{
	int err = ftrace_set_filter(ops, function, strlen(function), 1);

	return err ?: register_ftrace_function(ops);
}

/* The filters stay, for the next time: see bench_floor_kinds_exit(). */
static void unhook(struct ftrace_ops *ops)
{
	unregister_ftrace_function(ops);
}

/**
 * bench_floor_vmalloc_on() - attach those of vmalloc
 */
int bench_floor_vmalloc_on(void)
{
	static char map[] = KMPROF_COMPAT_VMALLOC_MAP, remove[] = KMPROF_COMPAT_VMALLOC_REMOVE;
	int err = hook(&map_ops, map);

	if (err)
		return err;
	err = hook(&remove_ops, remove);
	if (err)
		unhook(&map_ops);
	return err;
}

/**
 * bench_floor_kinds_exit() - free what hooks have left, when none is attached any more
 */
void bench_floor_kinds_exit(void)
{
	ftrace_free_filter(&remove_ops);
	ftrace_free_filter(&map_ops);
}

/**
 * bench_floor_vmalloc_off() - detach them
 */
void bench_floor_vmalloc_off(void)
{
	unhook(&remove_ops);
	unhook(&map_ops);
}
