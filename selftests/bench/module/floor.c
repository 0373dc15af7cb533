// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>
#include <trace/events/kmem.h>

#include "floor.h"
#include "floor_kinds.h"
#include "floor_sched.h"

static int on_hit(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe alloc_probe, free_probe;

static int kprobes_on(void)
{
	int err;

	alloc_probe = (struct kprobe) { .symbol_name = "kmalloc_trace", .pre_handler = on_hit };
	free_probe = (struct kprobe) { .symbol_name = "kfree", .pre_handler = on_hit };
	err = register_kprobe(&alloc_probe);
	if (err)
		return err;
	err = register_kprobe(&free_probe);
	if (err)
		unregister_kprobe(&alloc_probe);
	return err;
}

static void kprobes_off(void)
{
	unregister_kprobe(&free_probe);
	unregister_kprobe(&alloc_probe);
}

static void on_kmalloc(void *data, unsigned long site, const void *ptr,
		       size_t bytes_req, size_t bytes_alloc, gfp_t gfp, int node)
{
}

static void on_kfree(void *data, unsigned long site, const void *ptr)
{
}

static int tracepoints_on(void)
{
	int err = register_trace_kmalloc(on_kmalloc, NULL);

	if (err)
		return err;
	err = register_trace_kfree(on_kfree, NULL);
	if (err)
		unregister_trace_kmalloc(on_kmalloc, NULL);
	return err;
}

static void tracepoints_off(void)
{
	unregister_trace_kfree(on_kfree, NULL);
	unregister_trace_kmalloc(on_kmalloc, NULL);
	tracepoint_synchronize_unregister();
}

static const struct floor {
	const char *name;
	int (*on)(void);
	void (*off)(void);
} floors[] = {
	{ "kprobes", kprobes_on, kprobes_off },
	{ "tracepoints", tracepoints_on, tracepoints_off },
	{ "sched", bench_floor_sched_on, bench_floor_sched_off },
	{ "page", bench_floor_page_on, bench_floor_page_off },
	{ "percpu", bench_floor_percpu_on, bench_floor_percpu_off },
	{ "vmalloc", bench_floor_vmalloc_on, bench_floor_vmalloc_off },
};

static const struct floor *current_floor;

static void detach(void)
{
	if (current_floor)
		current_floor->off();
	current_floor = NULL;
}

/**
 * bench_floor_exit() - detach what is attached, for good
 */
void bench_floor_exit(void)
{
	detach();
	bench_floor_kinds_exit();
}

/**
 * bench_floor_set() - attach handlers
 * @name: "kprobes", "tracepoints", "sched", "page", "percpu", "vmalloc" or "none"
 *
 * Return: 0, -EINVAL for another name, or why they could not be attached.
 */
int bench_floor_set(const char *name)
{
	unsigned int i;
	int err;

	detach();
	if (!strcmp(name, "none"))
		return 0;
	for (i = 0; i < ARRAY_SIZE(floors); i++) {
		if (strcmp(name, floors[i].name))
			continue;
		err = floors[i].on();
		if (!err)
			current_floor = &floors[i];
		return err;
	}
	return -EINVAL;
}
