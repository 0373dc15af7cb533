// SPDX-License-Identifier: GPL-2.0
/*
 * Has a flight recorder's trace found in a dump of the memory, when the kernel has crashed.
 *
 * All that a reader needs is written down while the recorder is started: kdump's kernel may be
 * started before any notifier is called. A notifier has the reader find it. If it is called, it
 * sees to it that a CPU which goes on does not write over what has led to the panic.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/hardirq.h>
#include <linux/init_task.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/stddef.h>
#include <uapi/linux/kmprof.h>

#include "trace/buffer.h"
#include "trace/crash.h"
#include "trace/stacks.h"

/* A reader finds the second by the first. */
struct remains {
	struct notifier_block notifier;
	struct kmprof_trace_crash crash;
};

static_assert(offsetof(struct remains, crash) == sizeof(struct notifier_block));

/* Up to 255 bytes of it, as of any mark. */
static void record_panic(const char *why)
{
	char text[KMPROF_TRACE_TEXT_MAX + 1];
	struct kmprof_trace_record r;
	int len = scnprintf(text, sizeof(text), "panic: %s", why);

	/* An NMI may have interrupted the begin of a block. */
	if (in_nmi() ||
	    !kmprof_trace_begin(&r, kmprof_trace_here(KMPROF_TRACE_MARK),
				KMPROF_TRACE_RECORD_MAX + len))
		return;
	r.to = kmprof_trace_put_text(r.to, text, len);
	kmprof_trace_end(&r);
}

/*
 * Preemption and interrupts are off, perhaps in an NMI. Other CPUs have been told to stop. This one
 * takes interrupts again when all notifiers were called.
 */
static int on_panic(struct notifier_block *unused, unsigned long zero, void *why)
{
	record_panic(why);
	kmprof_trace_buffer_freeze();
	pr_emerg("a dump of the memory has the flight recorder's trace: kmprof trace recover\n");
	return NOTIFY_DONE;
}

/* Early: some notifiers do not return. */
static struct remains remains = {
	.notifier = {
		.notifier_call	= on_panic,
		.priority	= INT_MAX - 1,
	},
};

static unsigned long cpu_offsets(void)
{
#ifdef CONFIG_SMP
	return (unsigned long)&per_cpu_offset(0);
#else
	static const unsigned long no_offset;

	return (unsigned long)&no_offset;
#endif
}

/**
 * kmprof_trace_crash_begin() - from now on, the trace can be found
 * @head: where the address of its header is, also if it gets another one. Rings and stacks are
 *	there
 *
 * Context: Process context.
 */
void kmprof_trace_crash_begin(struct kmprof_trace_header *const *head)
{
	struct kmprof_trace_crash *crash = &remains.crash;

	static_assert(sizeof_field(struct kmprof_trace_cpu, memory) == sizeof(u64) &&
		      sizeof_field(struct kmprof_trace_cpu, mask) == sizeof(u64));

	*crash = (struct kmprof_trace_crash) {
		.magic		= KMPROF_TRACE_CRASH_MAGIC,
		.abi_version	= KMPROF_ABI_VERSION,
		.size		= sizeof(*crash),
		.head		= (unsigned long)head,
		.rings		= (unsigned long)kmprof_trace_cpus,
		.cpu_offsets	= cpu_offsets(),
		.possible	= (unsigned long)cpumask_bits(cpu_possible_mask),
		.nr_cpus	= nr_cpu_ids,
		.blocks		= offsetof(struct kmprof_trace_cpu, memory),
		.mask		= offsetof(struct kmprof_trace_cpu, mask),
		.head_block	= offsetof(struct kmprof_trace_cpu, head),
		.tail_block	= offsetof(struct kmprof_trace_cpu, tail),
		.batch		= offsetof(struct kmprof_trace_cpu, batch),
		.at		= offsetof(struct kmprof_trace_cpu, at),
		.number		= offsetof(struct kmprof_trace_cpu, number),
		.stackless	= offsetof(struct kmprof_trace_cpu, stackless),
		.init_task	= (unsigned long)&init_task,
		.task_next	= offsetof(struct task_struct, tasks),
		.task_signal	= offsetof(struct task_struct, signal),
		.signal_threads	= offsetof(struct signal_struct, thread_head),
		.task_thread	= offsetof(struct task_struct, thread_node),
		.task_tid	= offsetof(struct task_struct, pid),
		.task_tgid	= offsetof(struct task_struct, tgid),
		.task_comm	= offsetof(struct task_struct, comm),
		.module_next	= offsetof(struct module, list),
		.module_name	= offsetof(struct module, name),
		.module_symbols	= offsetof(struct module, kallsyms),
		.symbols_table	= offsetof(struct mod_kallsyms, symtab),
		.symbols_nr	= offsetof(struct mod_kallsyms, num_symtab),
		.symbols_names	= offsetof(struct mod_kallsyms, strtab),
		.symbols_types	= offsetof(struct mod_kallsyms, typetab),
	};
	kmprof_trace_stacks_tell(&crash->stacks, &crash->stacks_used);
	atomic_notifier_chain_register(&panic_notifier_list, &remains.notifier);
}

/**
 * kmprof_trace_crash_stopped() - the recorder has been stopped, and has the tasks of now
 *
 * Context: Process context.
 */
void kmprof_trace_crash_stopped(void)
{
	remains.crash.flags |= KMPROF_TRACE_CRASH_STOPPED;
}

/**
 * kmprof_trace_crash_end() - before what the trace consists of is freed
 *
 * Context: Process context. Sleeps.
 */
void kmprof_trace_crash_end(void)
{
	if (!remains.crash.magic)
		return;
	atomic_notifier_chain_unregister(&panic_notifier_list, &remains.notifier);
	remains.crash.magic = 0;
}
