// SPDX-License-Identifier: GPL-2.0
/*
 * The kprobes on the slab allocators: their handlers, and which of them are armed. See
 * mem/redirect/entry_point.h.
 *
 * The kprobe core skips a hit while another kprobe's handler runs on this CPU. Such an
 * allocation is neither counted nor sampled; the ledger shows it as missed_probe.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <uapi/linux/kmprof.h>

#include "compat/allocators.h"
#include "compat/compat.h"
#include "core/sampler.h"
#include "core/slot.h"
#include "mem/slab/source.h"
#include "core/stats.h"
#include "mem/alloc.h"
#include "mem/redirect/entry_point.h"
#include "mem/redirect/thunks.h"
#include "mem/slab/redirect.h"
#include "mem/tell.h"
#include "probe/probe.h"

DEFINE_PER_CPU(struct kmprof_thunk_calls, kmprof_slab_calls);

/* Of redirected bulk calls: the objects that each asks for besides one, for what is missed. */
static DEFINE_PER_CPU(long, redirected_more);
DEFINE_PER_CPU(long, kmprof_thunk_more);

/* Where the return address is; most allocators report it as their call site. */
static const unsigned long *return_address(struct pt_regs *regs)
{
	return (unsigned long *)kernel_stack_pointer(regs);
}

/*
 * The period travels in a register from the handler to the thunk; so does the gap of a bulk
 * allocation. A BPF trampoline on the same function runs in between, and destroys registers
 * that carry no argument. The seal shows whether they are intact. A period is less than 2^31,
 * so the seal fits into the upper half of its register.
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

/*
 * The period of a sample whose registers were destroyed: the rate of now. It is another one
 * only if the rate was changed during the call. 0: nothing is sampled any more, and the call
 * is missed.
 */
static noinline u64 period_anew(void)
{
	u64 period = kmprof_sampler_rate();

	if (!period) {
		preempt_disable_notrace();
		kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_MISSED_PROBE);
		preempt_enable_notrace();
	}
	return period;
}

/* Make a call go through the thunk of its entry point. */
static noinline int redirect(struct kprobe *p, struct pt_regs *regs, u64 gap, u64 period,
			     unsigned long site)
{
	regs->ax = gap;
	regs->r9 = seal_of(gap, site) | period;
	return kmprof_entry_point_redirect(p, regs, &kmprof_slab_calls);
}

/*
 * While every event hits, each call is redirected, and the sampler decides when the call has
 * returned. A decision before the call could get lost with the registers. The upper half of the
 * register is never a valid seal, so that the thunk finds out without a test of its own.
 */
#define UNDECIDED	BIT(31)

static noinline int redirect_undecided(struct kprobe *p, struct pt_regs *regs, unsigned long site)
{
	regs->ax = 0;
	regs->r9 = ~seal_of(0, site) >> 32 << 32 | UNDECIDED;
	return kmprof_entry_point_redirect(p, regs, &kmprof_slab_calls);
}

/* Of a call whose seal is broken: is that so because the sampler has yet to decide? */
static bool is_undecided(u64 period)
{
	return READ_ONCE(kmprof_sampler_hits_all) || (u32)period == UNDECIDED;
}

static noinline int redirect_if_picked(struct kprobe *p, struct pt_regs *regs,
				       size_t size, unsigned long site)
{
	u64 period;

	if (READ_ONCE(kmprof_sampler_hits_all))
		return redirect_undecided(p, regs, site);
	period = kmprof_alloc_pick(size);
	return period ? redirect(p, regs, 0, period, site) : 0;
}

/* @site points to the call site, so that only a sampled call reads it. */
static __always_inline int allocation(struct kprobe *p, struct pt_regs *regs,
				      size_t size, const unsigned long *site)
{
	if (likely(!kmprof_alloc_hit(size)))
		return 0;
	return redirect_if_picked(p, regs, size, *site);
}

/*
 * The handlers, named for the arguments that hold size and call site. They run in the
 * allocation's context, any but NMI, with preemption off.
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

/* Ignores calls from another entry point. */
static int size_arg0_outermost(struct kprobe *p, struct pt_regs *regs)
{
	const unsigned long *site = return_address(regs);

	if (kmprof_allocators_is_inner(*site))
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
 * A bulk allocation in which the countdown runs out takes the countdown along, as a gap:
 * which of its objects are sampled is decided when their pointers are known.
 */
static int bulk(struct kprobe *p, struct pt_regs *regs)
{
	size_t size = kmprof_compat_cache_size((struct kmem_cache *)regs->di);
	unsigned long count = regs->dx;
	u64 gap, period;
	s64 left;

	if (unlikely(!size || size > KMALLOC_MAX_SIZE || count > INT_MAX))
		return 0;
	left = this_cpu_sub_return(kmprof_hot.bytes_left, size * count);
	if (unlikely(left < 0)) {
		this_cpu_add(redirected_more, count - 1);
		if (READ_ONCE(kmprof_sampler_hits_all))
			return redirect_undecided(p, regs, *return_address(regs));
		gap = kmprof_sampler_take(left, size * count, &period);
		return redirect(p, regs, gap, period, *return_address(regs));
	}
	kmprof_hot_allocs(count, size * count);
	return 0;
}

/* A kprobe in a handler would never be hit; this way arming it fails. */
NOKPROBE_SYMBOL(redirect);
NOKPROBE_SYMBOL(redirect_undecided);
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
static struct kmprof_entry_point entry_points[] = {
#include "compat/entry_points.h"
	{ .symbol = __stringify(KMPROF_ALLOC_BULK), .handler = bulk },
};

enum {
	NR_ENTRY_POINTS = ARRAY_SIZE(entry_points),
	BULK = NR_ENTRY_POINTS - 1,
};

static_assert(ARRAY_SIZE(entry_points) <= KMPROF_ENTRY_POINTS_MAX);

static struct kmprof_entry_points redirected = {
	.points		= entry_points,
	.nr		= NR_ENTRY_POINTS,
	.calls		= &kmprof_slab_calls,
	.is_thunk	= kmprof_thunks_of_slabs_have,
};

static noinline void unsealed(const void *ptr, size_t size, u64 period, unsigned long site,
			      const unsigned long *frame)
{
	if (is_undecided(period)) {
		kmprof_alloc_undecided(ptr, size, site, frame);
		return;
	}
	period = period_anew();
	if (period)
		kmprof_alloc_sampled(ptr, size, period, site, frame);
}

/**
 * kmprof_redirect_done() - called by a thunk when the allocator has returned
 * @ptr: the allocator's result
 * @size: bytes requested
 * @period: sampling period in bytes, sealed
 * @site: return address of the allocation
 *
 * Context: The allocation's: any but NMI.
 */
asmlinkage void kmprof_redirect_done(const void *ptr, size_t size, u64 period,
				     unsigned long site)
{
	if (likely(unseal(&period, 0, site)))
		kmprof_alloc_sampled(ptr, size, period, site, __builtin_frame_address(0));
	else
		unsealed(ptr, size, period, site, __builtin_frame_address(0));
	this_cpu_inc(kmprof_slab_calls.left);
}

/**
 * kmprof_redirect_cache_done() - the same, for the allocators of caches
 * @ptr: the allocator's result
 * @cache: the cache
 * @period: sampling period in bytes, sealed
 * @site: return address of the allocation
 *
 * Context: The allocation's: any but NMI.
 */
asmlinkage void kmprof_redirect_cache_done(const void *ptr, struct kmem_cache *cache,
					   u64 period, unsigned long site)
{
	kmprof_redirect_done(ptr, kmprof_compat_cache_size(cache), period, site);
}

/*
 * Sample or count each object of a bulk allocation. If it failed, each counts as an
 * allocation that failed. @gap: bytes until the next sample.
 */
static void bulk_objects(const struct kmprof_bulk_call *call, bool failed, u64 gap, u64 period)
{
	size_t i, size = kmprof_compat_cache_size(call->cache);

	for (i = 0; i < call->count; i++) {
		if (period && gap < size) {
			kmprof_alloc_in_bulk(failed ? NULL : call->objects[i], size, period,
					     call->site, __builtin_frame_address(0));
			gap = kmprof_sampler_gap(period);
			continue;
		}
		gap -= size;
		preempt_disable_notrace();
		kmprof_hot_alloc(size);
		preempt_enable_notrace();
	}
}

static void tell_objects(const struct kmprof_bulk_call *call, bool failed)
{
	size_t i, size = kmprof_compat_cache_size(call->cache);

	for (i = 0; i < call->count; i++)
		kmprof_tell_alloc(call->site, failed ? NULL : call->objects[i], size,
				  KMPROF_KIND_SLAB);
}

/* The gap of a call whose seal is broken, and its period; 0: it is missed. */
static noinline u64 gap_anew(const struct kmprof_bulk_call *call, bool failed, u64 *period)
{
	size_t bytes = call->count * kmprof_compat_cache_size(call->cache);

	if (is_undecided(*period)) {
		tell_objects(call, failed);
		return kmprof_sampler_decide_several(bytes, period);
	}
	*period = period_anew();
	return *period ? kmprof_sampler_gap_below(*period, bytes) : 0;
}

/**
 * kmprof_redirect_bulk_done() - called by the bulk thunk when the allocator has returned
 * @count: number of objects allocated, 0 on failure
 * @call: the call
 *
 * Context: The allocation's: any but NMI.
 */
asmlinkage void kmprof_redirect_bulk_done(int count, const struct kmprof_bulk_call *call)
{
	u64 period = call->period, gap = call->gap;

	if (unlikely(!unseal(&period, gap, call->site)))
		gap = gap_anew(call, !count, &period);
	bulk_objects(call, !count, gap, period);
	this_cpu_inc(kmprof_slab_calls.left);
}

/* Bit mask of the entry points that the last attach could not arm. */
static unsigned long lacking;

/* Log the names of the lacking entry points, one line for each reason. */
static void tell_what_lacks(const int reasons[])
{
	unsigned long untold = lacking;
	char names[256];
	int length, err;
	unsigned int i;

	while (untold) {
		err = reasons[__ffs(untold)];
		length = 0;
		for (i = 0; i < NR_ENTRY_POINTS; i++) {
			if (!(untold & BIT(i)) || reasons[i] != err)
				continue;
			untold &= ~BIT(i);
			length += scnprintf(names + length, sizeof(names) - length, "%s%s",
					    length ? ", " : "", entry_points[i].symbol);
		}
		pr_warn("cannot probe %s: %s (%pe); what is allocated there is not seen\n", names,
			kmprof_probe_reason(err), ERR_PTR(err));
	}
}

/*
 * Arm the entry points from @first on, leaving out those that the kernel does not allow to
 * be probed. Any other error disarms all.
 */
static int arm_from(unsigned int first)
{
	int reasons[NR_ENTRY_POINTS];
	unsigned long failed = 0;
	unsigned int i;
	int err;

	if (!seal_key)
		seal_key = get_random_u32();

	for (i = first; i < NR_ENTRY_POINTS; i++) {
		err = kmprof_entry_point_arm(&entry_points[i], &kmprof_slab_thunks[i]);
		if (!err)
			continue;
		if (!kmprof_probe_refused(err)) {
			pr_err("no kprobe on %s: %pe\n", entry_points[i].symbol, ERR_PTR(err));
			kmprof_redirect_detach();
			return err;
		}
		failed |= BIT(i);
		reasons[i] = err;
	}
	WRITE_ONCE(lacking, failed);
	if (failed)
		tell_what_lacks(reasons);
	return 0;
}

/*
 * Arm all entry points that can be probed. -ENOENT when that is none; on any error nothing
 * is armed.
 */
static int attach_all(void)
{
	int err;

	err = arm_from(0);
	if (err)
		return err;
	if (lacking != GENMASK(NR_ENTRY_POINTS - 1, 0))
		return 0;
	kmprof_redirect_detach();
	pr_err("no kprobes on allocators in this kernel (see kprobes/enabled in debugfs); try source=tracepoint\n");
	return -ENOENT;
}

/**
 * kmprof_redirect_attach_bulk() - arm the bulk allocator, which has no tracepoint
 *
 * If the kernel does not allow it to be probed, that is no error: see
 * kmprof_redirect_lacks().
 *
 * Context: Process context, control lock held.
 * Return: 0 or a negative errno.
 */
int kmprof_redirect_attach_bulk(void)
{
	return arm_from(BULK);
}

/**
 * kmprof_redirect_detach() - disarm all kprobes, and wait until no task is in a thunk
 *
 * Context: Process context, control lock held. Waits for tasks that sleep inside an
 * allocation.
 */
void kmprof_redirect_detach(void)
{
	kmprof_entry_points_disarm(&redirected);
}

/* Objects of bulk calls that have not arrived at their thunk, besides one each. */
static u64 more_missed(void)
{
	/* Read before the arrivals: a call that arrives in between is not missed. */
	long more = kmprof_thunk_calls_sum(&redirected_more);

	return max(more - kmprof_thunk_calls_sum(&kmprof_thunk_more), 0L);
}

/**
 * kmprof_redirect_missed() - count the allocations that the kprobes missed
 *
 * Context: Process context.
 * Return: their number since the module was loaded. A bulk allocation whose hit was skipped
 *	counts as one.
 */
u64 kmprof_redirect_missed(void)
{
	return kmprof_entry_points_missed(&redirected) + more_missed();
}

/**
 * kmprof_redirect_lacks() - get what the last attach could not arm
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
