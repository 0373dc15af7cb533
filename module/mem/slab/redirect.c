// SPDX-License-Identifier: GPL-2.0
/*
 * The kprobes on the allocators' entries, what they decide, and how they are
 * taken off while tasks sleep inside a thunk.
 *
 * A hit while another kprobe's handler runs on this CPU is skipped by the
 * kprobe core: such an allocation is neither counted nor sampled, and shows in
 * the ledger as missed_probe.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"
#include "core/sampler.h"
#include "core/slot.h"
#include "mem/slab/source.h"
#include "core/stats.h"
#include "mem/alloc.h"
#include "mem/slab/redirect.h"
#include "mem/slab/thunks.h"
#include "probe/probe.h"

/**
 * struct entry_point - an entry point of an allocator
 * @symbol: its name
 * @handler: of its kprobe
 * @probe: armed on it while @probe.addr is set
 */
struct entry_point {
	const char *symbol;
	kprobe_pre_handler_t handler;
	struct kprobe probe;
};

static struct entry_point entry_points[];

/*
 * Calls sent to a thunk, calls that have arrived there (counted by the thunk
 * itself), and calls that have left it, on any CPU. Only the sums over all CPUs
 * mean something. They differ for good when somebody else, a BPF trampoline,
 * makes a call go past its thunk.
 */
static DEFINE_PER_CPU(long, redirected);
DEFINE_PER_CPU(long, kmprof_thunk_arrivals);
static DEFINE_PER_CPU(long, left);

static long sum(const long __percpu *counter)
{
	long total = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		total += READ_ONCE(*per_cpu_ptr(counter, cpu));
	return total;
}

/* Hits that the kprobe core skipped, of entry points that are not armed any more. */
static u64 missed_before;

/* The call site that most allocators report. */
static const unsigned long *return_address(struct pt_regs *regs)
{
	return (unsigned long *)kernel_stack_pointer(regs);
}

/*
 * Periods are less than 2^31: the upper half of their register carries a seal
 * over all three. A BPF trampoline on the same function runs between the handler
 * and the thunk, and need not keep registers that carry no argument.
 */
static u32 seal_key __read_mostly;

static u64 seal_of(u64 payload, unsigned long site)
{
	return (u64)(u32)(seal_key ^ hash_64(payload ^ rol64(site, 32), 32)) << 32;
}

static bool unseal(u64 *period, u64 payload, unsigned long site)
{
	if (unlikely((*period ^ seal_of(payload, site)) >> 32))
		return false;
	*period = (u32)*period;
	return true;
}

/* What came through a thunk cannot be told any more. */
static void count_missed(void)
{
	preempt_disable_notrace();
	kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_MISSED_PROBE);
	preempt_enable_notrace();
}

/* Send this call through the thunk of its entry point. */
static noinline int redirect(struct kprobe *p, struct pt_regs *regs, u64 payload,
			     u64 period, unsigned long site)
{
	struct entry_point *entry = container_of(p, struct entry_point, probe);

	this_cpu_inc(redirected);
	regs->ax = payload;
	regs->r9 = seal_of(payload, site) | period;
	regs->r10 = site;
	instruction_pointer_set(regs, kmprof_thunks[entry - entry_points].thunk);
	return 1;	/* the path was changed */
}

static noinline int redirect_if_picked(struct kprobe *p, struct pt_regs *regs,
				       size_t size, unsigned long site)
{
	u64 period;

	return kmprof_alloc_pick(size, &period) ? redirect(p, regs, size, period, site) : 0;
}

/* @site: where the call site is, read for a sampled call only. */
static __always_inline int allocation(struct kprobe *p, struct pt_regs *regs,
				      size_t size, const unsigned long *site)
{
	if (likely(!kmprof_alloc_hit(size)))
		return 0;
	return redirect_if_picked(p, regs, size, *site);
}

/*
 * The handlers, named for where an entry point has the size and the call site.
 * They run in the caller's context, any but NMI, with preemption off.
 */
static int size_arg0(struct kprobe *p, struct pt_regs *regs)
{
	return allocation(p, regs, regs->di, return_address(regs));
}

static int size_arg0_site_arg3(struct kprobe *p, struct pt_regs *regs)
{
	return allocation(p, regs, regs->di, &regs->cx);
}

static int size_arg0_site_arg4(struct kprobe *p, struct pt_regs *regs)
{
	return allocation(p, regs, regs->di, &regs->r8);
}

/* Not when another entry point calls this one. */
static int size_arg0_outermost(struct kprobe *p, struct pt_regs *regs)
{
	const unsigned long *site = return_address(regs);

	if (kmprof_compat_is_large_kmalloc(*site))
		return 0;
	return allocation(p, regs, regs->di, site);
}

static int size_arg2(struct kprobe *p, struct pt_regs *regs)
{
	return allocation(p, regs, regs->dx, return_address(regs));
}

static int size_arg3(struct kprobe *p, struct pt_regs *regs)
{
	return allocation(p, regs, regs->cx, return_address(regs));
}

static int cache_arg0(struct kprobe *p, struct pt_regs *regs)
{
	return allocation(p, regs, kmprof_compat_cache_size((struct kmem_cache *)regs->di),
			  return_address(regs));
}

/*
 * A bulk allocation that holds a sample takes the countdown along: which of its
 * objects are samples is found out when they are there. A gap is less than
 * 2^40, an object of a cache less than 2^24 bytes.
 */
enum {
	BULK_SIZE_BITS = 24,
};

static int bulk(struct kprobe *p, struct pt_regs *regs)
{
	size_t size = kmprof_compat_cache_size((struct kmem_cache *)regs->di);
	unsigned long count = regs->dx;
	u64 gap, period;
	s64 left;

	if (unlikely(!size || size >= BIT(BULK_SIZE_BITS) || count > INT_MAX))
		return 0;
	left = this_cpu_sub_return(kmprof_hot.bytes_left, size * count);
	if (unlikely(left < 0)) {
		gap = kmprof_sampler_take(left, size * count, &period);
		return redirect(p, regs, gap << BULK_SIZE_BITS | size, period,
				*return_address(regs));
	}
	kmprof_hot_allocs(count, size * count);
	return 0;
}

/* A kprobe in here would never be hit: it says so at once. */
NOKPROBE_SYMBOL(redirect);
NOKPROBE_SYMBOL(redirect_if_picked);
NOKPROBE_SYMBOL(size_arg0);
NOKPROBE_SYMBOL(size_arg0_site_arg3);
NOKPROBE_SYMBOL(size_arg0_site_arg4);
NOKPROBE_SYMBOL(size_arg0_outermost);
NOKPROBE_SYMBOL(size_arg2);
NOKPROBE_SYMBOL(size_arg3);
NOKPROBE_SYMBOL(cache_arg0);
NOKPROBE_SYMBOL(bulk);

#define ENTRY_POINT(function, rule) { .symbol = #function, .handler = (rule) },
static struct entry_point entry_points[] = {
#include "compat/entry_points.h"
	{ .symbol = __stringify(KMPROF_ALLOC_BULK), .handler = bulk },
};

enum {
	NR_ENTRY_POINTS = ARRAY_SIZE(entry_points),
	BULK = NR_ENTRY_POINTS - 1,
};

/**
 * kmprof_redirect_done() - a redirected call has its pointer
 * @ptr: what the allocator returned
 * @size: bytes requested
 * @period: sampling period in bytes, sealed
 * @site: call site
 *
 * Context: The caller's: any but NMI.
 */
asmlinkage void kmprof_redirect_done(const void *ptr, size_t size, u64 period,
				     unsigned long site)
{
	if (likely(unseal(&period, size, site)))
		kmprof_alloc_sampled(ptr, size, period, site);
	else
		count_missed();
	this_cpu_inc(left);
}

/* The objects of one bulk allocation, with the countdown that it took along. */
static void bulk_objects(void **objects, int count, size_t size, u64 gap, u64 period,
			 unsigned long site)
{
	int i;

	for (i = 0; i < count; i++) {
		if (period && gap < size) {
			kmprof_alloc_sampled(objects[i], size, period, site);
			gap = kmprof_sampler_gap(period);
			continue;
		}
		gap -= size;
		preempt_disable_notrace();
		kmprof_hot_alloc(size);
		preempt_enable_notrace();
	}
}

/**
 * kmprof_redirect_bulk_done() - a redirected bulk allocation has its pointers
 * @count: objects allocated, 0 on failure
 * @objects: pointers
 * @packed: bytes until the first sample, and size of an object
 * @period: sampling period in bytes, sealed
 * @site: call site
 *
 * Context: The caller's: any but NMI.
 */
asmlinkage void kmprof_redirect_bulk_done(int count, void **objects, u64 packed,
					  u64 period, unsigned long site)
{
	if (likely(unseal(&period, packed, site)))
		bulk_objects(objects, count, packed & GENMASK(BULK_SIZE_BITS - 1, 0),
			     packed >> BULK_SIZE_BITS, period, site);
	else
		count_missed();
	this_cpu_inc(left);
}

static void after(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

NOKPROBE_SYMBOL(after);

/*
 * A post handler makes the core tell ftrace that the probe changes the path of
 * execution, so that a BPF trampoline on the same function still runs the thunk.
 * But it may not join a probe that was armed without one: the core would forget
 * how to disarm that. So register first, look, and then arm. Where another
 * probe is already, the seal must do.
 */
static int arm(struct entry_point *entry)
{
	struct kprobe *p = &entry->probe;
	int err;

	/* The core leaves its state in a kprobe: start from a clean one. */
	*p = (struct kprobe) {
		.symbol_name	= entry->symbol,
		.pre_handler	= entry->handler,
		.flags		= KPROBE_FLAG_DISABLED,
	};
	err = register_kprobe(p);
	if (err)
		goto fail;
	/* The thunk calls what lies behind the entry's ftrace call. */
	if (!(p->flags & KPROBE_FLAG_FTRACE) ||
	    (unsigned long)p->addr + MCOUNT_INSN_SIZE !=
	    kmprof_thunks[entry - entry_points].entry + KMPROF_ENTRY_SKIP) {
		err = -EOPNOTSUPP;
		goto undo_register;
	}
	if (list_empty(&p->list))
		p->post_handler = after;
	err = kmprof_probe_enable(p);
	if (err)
		goto undo_register;
	return 0;

undo_register:
	unregister_kprobe(p);
fail:
	p->addr = NULL;
	return err;
}

/* Bit mask of the entry points that could not be armed when that was tried last. */
static unsigned long lacking;

/* One line with all names. */
static void tell_what_lacks(int err)
{
	char names[256];
	unsigned int i;
	int length = 0;

	for (i = 0; i < NR_ENTRY_POINTS; i++)
		if (lacking & BIT(i))
			length += scnprintf(names + length, sizeof(names) - length, "%s%s",
					    length ? ", " : "", entry_points[i].symbol);
	pr_warn("cannot probe %s: %pe; what is allocated there is not seen\n",
		names, ERR_PTR(err));
}

/* Arms what can be armed. Any other error than that of an entry point undoes it all. */
static int arm_from(unsigned int first)
{
	unsigned long failed = 0;
	int err, why = 0;
	unsigned int i;

	if (!seal_key)
		seal_key = get_random_u32();

	for (i = first; i < NR_ENTRY_POINTS; i++) {
		err = arm(&entry_points[i]);
		if (!err)
			continue;
		if (!kmprof_probe_refused(err)) {
			pr_err("no kprobe on %s: %pe\n", entry_points[i].symbol, ERR_PTR(err));
			kmprof_redirect_detach();
			return err;
		}
		failed |= BIT(i);
		why = err;
	}
	WRITE_ONCE(lacking, failed);
	if (failed)
		tell_what_lacks(why);
	return 0;
}

/*
 * Arm a kprobe on every allocator. Those that the kernel does not let us probe are left
 * out. -ENOENT when that is all of them; on any error no kprobe is armed.
 */
static int attach_all(void)
{
	int err;

	err = arm_from(0);
	if (err)
		return err;
	if (lacking != GENMASK(NR_ENTRY_POINTS - 1, 0))
		return 0;
	pr_err("no kprobes on allocators in this kernel (see kprobes/enabled in debugfs); try source=tracepoint\n");
	return -ENOENT;
}

/**
 * kmprof_redirect_attach_bulk() - arm the one allocator without a tracepoint
 *
 * If the kernel does not let us probe it: see kmprof_redirect_lacks().
 *
 * Context: Process context, under the control lock.
 * Return: 0 or a negative errno.
 */
int kmprof_redirect_attach_bulk(void)
{
	return arm_from(BULK);
}

/* Wait for whoever is preempted, or an interrupt, on a few instructions. */
static void wait_for_preempted(void)
{
	synchronize_rcu_tasks();
	synchronize_rcu();	/* interrupts, those of idle CPUs included */
}

/**
 * kmprof_redirect_detach() - take all armed kprobes off and leave the thunks
 *
 * Context: Process context, under the control lock. Waits for tasks that
 * sleep inside an allocation.
 */
void kmprof_redirect_detach(void)
{
	struct kprobe *armed[NR_ENTRY_POINTS];
	int i, n = 0;

	for (i = 0; i < NR_ENTRY_POINTS; i++)
		if (entry_points[i].probe.addr)
			armed[n++] = &entry_points[i].probe;
	kmprof_probes_unregister(armed, n);
	for (i = 0; i < n; i++) {
		missed_before += armed[i]->nmissed;
		armed[i]->nmissed = 0;
		armed[i]->addr = NULL;
	}
	/*
	 * No handler runs any more. Whom one has sent to a thunk must get there;
	 * then arrivals are final, and the thunks empty themselves.
	 */
	wait_for_preempted();
	while (sum(&kmprof_thunk_arrivals) != sum(&left))
		msleep(20);
	/* The last few instructions of a thunk come after it was counted out. */
	wait_for_preempted();
}

/**
 * kmprof_redirect_missed() - allocations not seen so far
 *
 * Hits that the kprobe core has skipped, and sampled calls that have not got to
 * their thunk.
 *
 * Context: Process context, under the control lock.
 */
u64 kmprof_redirect_missed(void)
{
	u64 missed = missed_before;
	/* In this order: a call that is just arriving is not missed. */
	long sent = sum(&redirected);
	unsigned int i;

	missed += max(sent - sum(&kmprof_thunk_arrivals), 0L);

	for (i = 0; i < NR_ENTRY_POINTS; i++)
		if (entry_points[i].probe.addr)
			/* The core adds to it meanwhile; a torn sum cannot be. */
			missed += READ_ONCE(entry_points[i].probe.nmissed);
	return missed;
}

/**
 * kmprof_redirect_lacks() - what could not be armed when that was tried last
 *
 * Context: Any.
 * Return: bit mask of KMPROF_LACKS_*.
 */
u64 kmprof_redirect_lacks(void)
{
	unsigned long failed = READ_ONCE(lacking);
	u64 lacks = 0;

	if (failed & BIT(BULK))
		lacks |= KMPROF_LACKS_BULK_ALLOC;
	if (failed & ~BIT(BULK))
		lacks |= KMPROF_LACKS_ALLOC;
	return lacks;
}

const struct kmprof_source kmprof_slab_kprobe = {
	.name	= "kprobe",
	.id	= KMPROF_SOURCE_KPROBE,
	.attach	= attach_all,
	.detach	= kmprof_redirect_detach,
	.lacks	= kmprof_redirect_lacks,
	.missed	= kmprof_redirect_missed,
};
