// SPDX-License-Identifier: GPL-2.0
/*
 * The sampled path: from an allocation that was picked to a count in its bucket, or, for most
 * new stacks, to a record for the drain. Every sample ticks exactly one counter for its
 * fate. A lost sample leaves no trace of its object: neither its allocation nor its free
 * is counted.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <uapi/linux/kmprof.h>

#include "compat/allocators.h"
#include "compat/page_taker.h"
#include "core/bucket.h"
#include "core/cache_name.h"
#include "core/drain.h"
#include "core/guard.h"
#include "core/ring.h"
#include "core/sampler.h"
#include "core/slot.h"
#include "core/stats.h"
#include "mem/alloc.h"
#include "mem/block.h"
#include "mem/filter.h"
#include "mem/gfp_class.h"
#include "mem/heap.h"
#include "mem/tell.h"
#include "mem/tell_samples.h"
#include "stack/labels.h"
#include "stack/stack.h"

/* Instead of a fate: what the sampler has chosen is no object of the profile. */
#define NO_OBJECT	KMPROF_NR_COUNTERS
/* ... or its parts have been counted, each by its own fate. */
#define BY_PARTS	(KMPROF_NR_COUNTERS + 1)

/* The labels of allocations in force, KMPROF_LABEL_*. Written under the control lock. */
static u32 labels_in_force __read_mostly;

/* The bucket exists: count the allocation in it. */
static __always_inline enum kmprof_counter sample_known(const void *live_key,
							unsigned long pages,
							const struct kmprof_bucket_key *key,
							const struct kmprof_stack *stack,
							struct kmprof_bucket *b, unsigned int slot)
{
	if (!kmprof_live_insert(live_key, pages, b, slot))
		return KMPROF_LOSS_LIVE_FULL;
	atomic_long_add(pages ? hweight_long(pages) : 1, &b->future[slot].allocs);
	if (kmprof_tells_sampled())
		kmprof_tell_sampled(live_key, pages, key, stack);
	return KMPROF_COUNTED;
}

/*
 * The stack is new: send a record to the drain, and insert the object as pending.
 * Returns the counter of the sample's fate; or KMPROF_SAMPLED, which is no fate: the drain will
 * count it.
 */
static enum kmprof_counter sample_new(const void *live_key, unsigned long pages,
				      const struct kmprof_bucket_key *key,
				      const struct kmprof_stack *stack, unsigned int slot)
{
	enum kmprof_counter result = KMPROF_SAMPLED;
	struct kmprof_record *rec;
	unsigned long flags;
	bool kick = false;

	/* Makes this CPU the ring's only producer, in any context. */
	local_irq_save(flags);
	rec = kmprof_drain_reserve(key, slot);
	if (!rec) {
		result = KMPROF_LOSS_RING_FULL;
		kick = true;
		goto out;
	}
	rec->cache = kmprof_bucket_kind(key) == KMPROF_KIND_SLAB ? kmprof_cache_slot(live_key) : 0;
	if (!kmprof_live_insert_pending(live_key, pages, rec)) {
		result = KMPROF_LOSS_LIVE_FULL;
		goto out;
	}
	/* Before the drain can drop it. */
	if (kmprof_tells_sampled())
		kmprof_tell_sampled(live_key, pages, key, stack);
	kick = kmprof_ring_commit(rec);
out:
	local_irq_restore(flags);
	if (kick)
		kmprof_drain_kick();
	return result;
}

/**
 * struct object - an object, or a block of them, that was sampled
 * @ptr: the object; NULL when the allocation failed
 * @size: bytes of an object
 * @kind: its kind
 * @order: log2 of the number of objects
 * @class: of pages: how movable they were asked to be
 */
struct object {
	const void *ptr;
	size_t size;
	enum kmprof_kind_id kind;
	unsigned int order;
	enum kmprof_gfp_class class;
};

/* Whose bytes the sampler and the filter decide about. */
static __always_inline size_t bytes_of(const struct object *o)
{
	return o->size << o->order;
}

/*
 * The period with which one object would have been sampled as often as its block was: of n
 * objects of s bytes the probability is 1 - exp(-n s / period).
 */
static __always_inline u64 period_of_one(const struct object *o, u64 period)
{
	return o->order ? max_t(u64, period >> o->order, 1) : period;
}

/* How many of these objects are in an entry of the live table. */
static __always_inline unsigned int objects_of(const struct object *o)
{
	return 1U << min_t(unsigned int, o->order, KMPROF_BLOCK_ORDER);
}

/* Remove what is in the place of an object: its free was missed, and the memory is in use again. */
static __always_inline void heal(const struct object *o, const void *live_key, unsigned int slot)
{
	unsigned int i;

	if (likely(!kmprof_live_may_hold(live_key)))
		return;
	if (o->kind != KMPROF_KIND_PAGE) {
		if (kmprof_live_free(live_key, slot))
			kmprof_stats_count(slot, KMPROF_LOSS_MISSED_FREE);
		return;
	}
	for (i = 0; i < objects_of(o); i++)
		if (kmprof_live_free_pages(live_key, kmprof_live_pages(i, 0), slot))
			kmprof_stats_count(slot, KMPROF_LOSS_MISSED_FREE);
}

/* The NUMA node of an object. Per-CPU memory and an area of vmalloc can be on several. */
static u32 node_of(const void *ptr, enum kmprof_kind_id kind)
{
	if (kind != KMPROF_KIND_SLAB && kind != KMPROF_KIND_PAGE)
		return KMPROF_NO_NODE;
	return page_to_nid(virt_to_page(ptr));
}

/* Describe the bucket of an object, or of a block of objects. */
static __always_inline void describe(struct kmprof_bucket_key *key, const struct object *o,
				     u64 period, struct kmprof_stack *stack,
				     struct kmprof_scratch *scratch)
{
	const u32 flags = o->order | o->class << KMPROF_GFP_CLASS_SHIFT;
	u32 labels = READ_ONCE(labels_in_force);

	*key = (struct kmprof_bucket_key) {
		.period		= period_of_one(o, period),
		.size		= o->size,
		.profile	= &kmprof_heap_profile,
		.detail		= kmprof_bucket_detail(o->kind, flags, 0),
		.nr_words	= stack->nr,
		.frames		= stack->frames,
	};
	if (unlikely(labels)) {
		kmprof_labels_put(scratch, stack, labels);
		if (labels & KMPROF_LABEL_NODE)
			kmprof_labels_put_node(scratch, stack, node_of(o->ptr, o->kind));
		key->detail = kmprof_bucket_detail(o->kind, flags, labels);
		key->nr_words += kmprof_label_words(labels);
	}
	key->hash = kmprof_bucket_hash_known(key, stack->hash, stack->nr);
}

/* Count what is an entry of the live table in its bucket, which is NULL if the stack is new. */
static __always_inline enum kmprof_counter book_entry(const struct object *o,
						      const struct kmprof_bucket_key *key,
						      const struct kmprof_stack *stack,
						      struct kmprof_bucket *b, unsigned int slot)
{
	const void *live_key = kmprof_live_key(o->ptr, o->kind);
	const unsigned long pages = o->kind == KMPROF_KIND_PAGE ?
		kmprof_live_pages(0, ilog2(objects_of(o))) : 0;

	heal(o, live_key, slot);
	if (likely(b))
		return sample_known(live_key, pages, key, stack, b, slot);
	if (kmprof_bucket_is_full(&kmprof_heap_profile))
		return KMPROF_LOSS_BUCKET_FULL;
	return sample_new(live_key, pages, key, stack, slot);
}

/* Count the allocation in the bucket of its stack. */
static __always_inline enum kmprof_counter book(const struct object *o, u64 period,
						struct kmprof_stack *stack, unsigned int slot,
						struct kmprof_scratch *scratch)
{
	struct kmprof_bucket_key key;

	describe(&key, o, period, stack, scratch);
	return book_entry(o, &key, stack, kmprof_bucket_find(&key), slot);
}

static __always_inline void count_fate(enum kmprof_counter fate, unsigned long objects,
				       unsigned int slot)
{
	kmprof_stats_add(slot, KMPROF_SAMPLED, objects);
	if (fate != KMPROF_SAMPLED)
		kmprof_stats_add(slot, fate, objects);
}

/* The first object behind an entry of the live table. */
static __always_inline const void *behind(const struct object *part)
{
	return part->ptr + (part->size << KMPROF_BLOCK_ORDER);
}

/* Count a large block in its bucket: what the entries have in common, once. */
static __always_inline void book_entries(struct object part, const struct kmprof_bucket_key *key,
					 const struct kmprof_stack *stack, struct kmprof_bucket *b,
					 unsigned int slot)
{
	const unsigned long pages = kmprof_live_pages(0, KMPROF_BLOCK_ORDER);
	const void *end = part.ptr + (part.size << part.order);
	unsigned long counted = 0, full = 0;
	const void *live_key;

	for (; part.ptr != end; part.ptr = behind(&part)) {
		live_key = kmprof_live_key(part.ptr, part.kind);
		heal(&part, live_key, slot);
		if (unlikely(!kmprof_live_insert(live_key, pages, b, slot))) {
			full += KMPROF_BLOCK_MAX;
			continue;
		}
		counted += KMPROF_BLOCK_MAX;
		if (kmprof_tells_sampled())
			kmprof_tell_sampled(live_key, pages, key, stack);
	}
	/* Nobody can free them yet. */
	atomic_long_add(counted, &b->future[slot].allocs);
	count_fate(KMPROF_COUNTED, counted, slot);
	count_fate(KMPROF_LOSS_LIVE_FULL, full, slot);
}

/* The same of one that could get no bucket: a record for each entry, until somebody adds it. */
static __always_inline void book_records(struct object part, const struct kmprof_bucket_key *key,
					 const struct kmprof_stack *stack, unsigned int slot)
{
	const void *end = part.ptr + (part.size << part.order);

	for (; part.ptr != end; part.ptr = behind(&part))
		count_fate(book_entry(&part, key, stack, kmprof_bucket_find(key), slot),
			   KMPROF_BLOCK_MAX, slot);
}

/*
 * A block that takes several entries. By value: with its address gone, nothing would be known of an
 * object at compile time.
 *
 * If its stack is new, the bucket does not wait for the drain: the largest block has 128
 * entries, and a record for each takes twice the time of the entries. A live table that is full may
 * leave a bucket that has counted nothing.
 */
static noinline enum kmprof_counter book_block(struct object block, u64 period,
					       struct kmprof_stack *stack, unsigned int slot,
					       struct kmprof_scratch *scratch)
{
	struct kmprof_bucket_key key;
	struct kmprof_bucket *b;

	describe(&key, &block, period, stack, scratch);
	b = kmprof_bucket_find(&key);
	if (unlikely(!b && !kmprof_bucket_is_full(&kmprof_heap_profile))) {
		b = kmprof_bucket_get_early(&key);
		if (kmprof_bucket_wants_refill())
			kmprof_drain_kick();
	}
	if (likely(b))
		book_entries(block, &key, stack, b, slot);
	else
		book_records(block, &key, stack, slot);
	return BY_PARTS;
}

/* Is it known who has called the allocator, or does the stack have to tell? */
static __always_inline bool has_site(const struct object *o)
{
	return o->kind == KMPROF_KIND_SLAB || o->kind == KMPROF_KIND_PERCPU;
}

/* What the filter says of an object before its stack is known. */
enum verdict {
	UNWANTED,
	WANTED,
	STACK_DECIDES,
};

/*
 * Not inlined, and without the address of the object: it takes no register of the path without such
 * a filter. A tracer may have put its own return address in the place of the caller's.
 */
static noinline enum verdict ask_filter(const void *ptr, size_t size, enum kmprof_kind_id kind,
					unsigned int order, enum kmprof_gfp_class class,
					const struct kmprof_stack_start *start)
{
	const struct object o = {
		.ptr = ptr, .size = size, .kind = kind, .order = order, .class = class,
	};
	const unsigned int objects = 1U << order;

	if (!kmprof_filter_wants_object(ptr, kind, class, bytes_of(&o), objects))
		return UNWANTED;
	if (!has_site(&o) || kmprof_allocators_is_replaced(start->site))
		return STACK_DECIDES;
	return kmprof_filter_wants_site(start->site, bytes_of(&o), objects) ? WANTED : UNWANTED;
}

static __always_inline enum kmprof_counter sample(const struct object *o, u64 period,
						  const struct kmprof_stack_start *start,
						  unsigned int slot, bool stack_decides,
						  struct kmprof_scratch *scratch)
{
	struct kmprof_stack stack;

	kmprof_stack_capture(scratch, start, &stack);
	if (unlikely(stack.is_odd) && stack.own)
		return KMPROF_LOSS_OWN;
	if (o->kind == KMPROF_KIND_PAGE && kmprof_page_taker_has(stack.frames[0]))
		return NO_OBJECT;
	if (stack_decides &&
	    !kmprof_filter_wants_site(stack.nr ? stack.frames[0] : 0, bytes_of(o), 1U << o->order))
		return NO_OBJECT;
	if (unlikely(stack.is_odd) && stack.truncated)
		kmprof_stats_count(slot, KMPROF_LOSS_STACK_TRUNCATED);

	if (o->order > KMPROF_BLOCK_ORDER)
		return book_block(*o, period, &stack, slot, scratch);
	return book(o, period, &stack, slot, scratch);
}

/* sampled(), when the filter has been asked as far as it can be without the stack. */
static __always_inline bool book_sampled(const struct object *o, u64 period,
					 const struct kmprof_stack_start *start, unsigned int slot,
					 bool stack_decides)
{
	struct kmprof_scratch *scratch;
	enum kmprof_counter result;

	scratch = kmprof_guard_enter();
	if (!scratch) {
		result = KMPROF_LOSS_NESTED;
	} else {
		if (ZERO_OR_NULL_PTR(o->ptr))
			result = KMPROF_LOSS_ALLOC_FAILED;
		else
			result = sample(o, period, start, slot, stack_decides, scratch);
		kmprof_guard_leave(scratch);
	}
	if (result == NO_OBJECT)
		return false;
	if (result != BY_PARTS)
		count_fate(result, 1UL << o->order, slot);
	return true;
}

/* book_sampled(), where a tracer has replaced the return address that tells the caller. */
static noinline bool book_replaced(const void *ptr, size_t size, enum kmprof_kind_id kind,
				   u64 period, const struct kmprof_stack_start *start,
				   unsigned int slot)
{
	const struct object o = { .ptr = ptr, .size = size, .kind = kind };

	return book_sampled(&o, period, start, slot, true);
}

/*
 * Book a sampled allocation, which is in the totals already. Preemption is off. Returns false if it
 * is no object of the profile.
 */
static __always_inline bool sampled(const struct object *o, u64 period,
				    const struct kmprof_stack_start *start, unsigned int slot)
{
	enum verdict verdict;

	if (kmprof_filter_asks(KMPROF_FILTER_OBJECT | KMPROF_FILTER_SITE)) {
		verdict = ask_filter(o->ptr, o->size, o->kind, o->order, o->class, start);
		if (verdict == UNWANTED)
			return false;
		if (has_site(o) && verdict == STACK_DECIDES)
			return book_replaced(o->ptr, o->size, o->kind, period, start, slot);
	}
	return book_sampled(o, period, start, slot, !has_site(o));
}

/* Count a sampled allocation of a slab allocator. Preemption is off. */
static __always_inline void sampled_slab(const void *ptr, size_t size, u64 period,
					 unsigned long site, const unsigned long *frame)
{
	const struct object o = { .ptr = ptr, .size = size, .kind = KMPROF_KIND_SLAB };
	const struct kmprof_stack_start start = {
		.at	= KMPROF_STACK_AT_SITE,
		.site	= site,
		.frame	= frame,
	};
	unsigned int slot = kmprof_slot();

	kmprof_stats_alloc(slot, size);
	sampled(&o, period, &start, slot);
}

/* The sampling period of an allocation, or 0 if the filter does not want it. */
static __always_inline u64 unless_filtered(u64 period, size_t bytes, unsigned int objects)
{
	return period && kmprof_filter_wants_call(bytes, objects) ? period : 0;
}

/* The sampling period of an allocation with which the countdown ran out; 0: it is no sample. */
static __always_inline u64 chosen(size_t bytes, unsigned int objects)
{
	return unless_filtered(kmprof_sampler_refill(bytes), bytes, objects);
}

/* kmprof_alloc_pick() */
static __always_inline u64 pick(size_t size)
{
	u64 period = chosen(size, 1);

	if (!period)
		kmprof_hot_alloc(size);
	return period;
}

/**
 * kmprof_alloc_pick() - decide whether an allocation that hit is sampled
 * @size: bytes requested
 *
 * An allocation that is not sampled is counted here. A sampled allocation is counted by
 * kmprof_alloc_sampled(), in the same cycle as in its bucket.
 *
 * Context: Any but NMI. Preemption off since kmprof_alloc_hit().
 * Return: the sampling period in bytes: pass the allocation to kmprof_alloc_sampled(); 0: it is not
 *	sampled.
 */
u64 kmprof_alloc_pick(size_t size)
{
	return pick(size);
}

/**
 * kmprof_alloc_sampled() - count a sampled allocation
 * @ptr: the object; NULL when the allocation failed
 * @size: bytes requested
 * @period: sampling period in bytes, from kmprof_alloc_pick()
 * @site: return address of the allocation, as the allocator reports it
 * @frame: __builtin_frame_address(0) of a caller: see struct kmprof_stack_start
 *
 * Must be called before @ptr is returned to the allocation's caller.
 * Source: mProf_Malloc() and setprofilebucket() of mprof.go.
 *
 * Context: Any but NMI. Preemption on or off. Takes no locks.
 */
void kmprof_alloc_sampled(const void *ptr, size_t size, u64 period,
			  unsigned long site, const unsigned long *frame)
{
	preempt_disable_notrace();
	sampled_slab(ptr, size, period, site, frame);
	preempt_enable_notrace();
}

/**
 * kmprof_alloc_undecided() - decide about an allocation while every one hits, and count it
 * @ptr: the object; NULL when the allocation failed
 * @size: bytes requested
 * @site: return address of the allocation, as the allocator reports it
 * @frame: __builtin_frame_address(0) of a caller: see struct kmprof_stack_start
 *
 * Context: Any but NMI. Preemption on or off. Takes no locks.
 */
void kmprof_alloc_undecided(const void *ptr, size_t size, unsigned long site,
			    const unsigned long *frame)
{
	u64 period;

	preempt_disable_notrace();
	kmprof_tell_alloc(site, ptr, size, KMPROF_KIND_SLAB);
	period = unless_filtered(kmprof_sampler_decide(size), size, 1);
	if (period)
		sampled_slab(ptr, size, period, site, frame);
	else
		kmprof_hot_alloc(size);
	preempt_enable_notrace();
}

/**
 * kmprof_alloc_in_bulk() - count an allocation in bulk of which the sampler has chosen this object
 * @ptr: the object; NULL when the allocation failed
 * @size: bytes requested
 * @period: sampling period in bytes
 * @site: return address of the allocation
 * @frame: __builtin_frame_address(0) of a caller: see struct kmprof_stack_start
 *
 * Context: Any but NMI. Preemption on or off. Takes no locks.
 */
void kmprof_alloc_in_bulk(const void *ptr, size_t size, u64 period, unsigned long site,
			  const unsigned long *frame)
{
	preempt_disable_notrace();
	if (kmprof_filter_wants_call(size, 1))
		sampled_slab(ptr, size, period, site, frame);
	else
		kmprof_hot_alloc(size);
	preempt_enable_notrace();
}

/**
 * kmprof_alloc_decide() - decide about an allocation that hit, and count it
 * @site: return address of the allocation, as the allocator reports it
 * @ptr: the object; NULL when the allocation failed
 * @size: bytes requested
 *
 * kmprof_alloc_pick() and kmprof_alloc_sampled() in one, for a source that sees the object
 * when it sees the allocation. A sample takes 50 instructions less.
 *
 * Context: Any but NMI. Preemption off since kmprof_alloc_hit().
 */
noinline void kmprof_alloc_decide(unsigned long site, const void *ptr, size_t size)
{
	u64 period;

	kmprof_tell_alloc(site, ptr, size, KMPROF_KIND_SLAB);
	period = pick(size);
	if (likely(period))
		sampled_slab(ptr, size, period, site, __builtin_frame_address(0));
}

/**
 * kmprof_alloc_decide_kind() - decide about an allocation with which the countdown ran out
 * @kind: the kind
 * @site: return address of the allocation, as the allocator reports it
 * @ptr: the object, not NULL
 * @size: bytes requested
 * @slot: the current slot
 *
 * Context: Any but NMI. Preemption off since @slot was read. Takes no locks.
 */
noinline void kmprof_alloc_decide_kind(enum kmprof_kind_id kind, unsigned long site,
				       const void *ptr, size_t size, unsigned int slot)
{
	const struct object o = { .ptr = ptr, .size = size, .kind = kind };
	const struct kmprof_stack_start start = {
		.at	= KMPROF_STACK_AT_SITE,
		.site	= site,
		.frame	= __builtin_frame_address(0),
	};
	u64 period;

	kmprof_tell_alloc(site, ptr, size, kind);
	period = chosen(size, 1);
	if (period)
		sampled(&o, period, &start, slot);
}

/**
 * kmprof_alloc_decide_within() - kmprof_alloc_decide_kind() for kmprof_alloc_kind_within()
 * @kind: the kind
 * @allocator: the allocator: the stack begins at the caller of its outermost function
 * @regs: registers at the entry of the hooked function
 * @ptr: the object, not NULL
 * @size: bytes requested
 * @slot: the current slot
 *
 * Context: Any but NMI. Preemption off since @slot was read. Takes no locks.
 */
noinline void kmprof_alloc_decide_within(enum kmprof_kind_id kind, enum kmprof_allocator allocator,
					 const struct pt_regs *regs, const void *ptr, size_t size,
					 unsigned int slot)
{
	const struct object o = { .ptr = ptr, .size = size, .kind = kind };
	const struct kmprof_stack_start start = {
		.at		= KMPROF_STACK_WITHIN,
		.allocator	= allocator,
		.regs		= regs,
	};
	u64 period;

	kmprof_tell_alloc(0, ptr, size, kind);
	period = chosen(size, 1);
	if (period)
		sampled(&o, period, &start, slot);
}

/**
 * kmprof_alloc_decide_pages() - decide about pages with which the countdown ran out
 * @ptr: address of the first page
 * @order: log2 of the number of pages
 * @gfp: flags of the allocation
 * @slot: the current slot
 *
 * The pages are sampled together, and each is an object. Pages that another allocator takes for its
 * objects are in the total only.
 *
 * Must be called before the pages are returned to the allocation's caller.
 *
 * Context: Any but NMI. Preemption off since @slot was read. Waits for no lock.
 * Return: true when the pages were sampled.
 */
noinline bool kmprof_alloc_decide_pages(const void *ptr, unsigned int order, gfp_t gfp,
					unsigned int slot)
{
	const struct object o = {
		.ptr	= ptr,
		.size	= PAGE_SIZE,
		.kind	= KMPROF_KIND_PAGE,
		.order	= order,
		.class	= kmprof_gfp_class(gfp),
	};
	const struct kmprof_stack_start start = {
		.at		= KMPROF_STACK_BELOW,
		.allocator	= KMPROF_ALLOCATOR_PAGE,
		.frame		= __builtin_frame_address(0),
	};
	u64 period;

	kmprof_tell_alloc(0, ptr, PAGE_SIZE << order, KMPROF_KIND_PAGE);
	period = chosen(PAGE_SIZE << order, 1U << order);
	return period && sampled(&o, period, &start, slot);
}

static noinline void decide_about_returned(const void *ptr, unsigned long site, gfp_t gfp,
					   unsigned int slot)
{
	const struct object o = {
		.ptr	= ptr,
		.size	= PAGE_SIZE,
		.kind	= KMPROF_KIND_PAGE,
		.class	= kmprof_gfp_class(gfp),
	};
	const struct kmprof_stack_start start = {
		.at		= KMPROF_STACK_RETURNED,
		.allocator	= KMPROF_ALLOCATOR_PAGE,
		.site		= site,
		.frame		= __builtin_frame_address(0),
	};
	u64 period;

	kmprof_tell_alloc(0, ptr, PAGE_SIZE, KMPROF_KIND_PAGE);
	period = chosen(PAGE_SIZE, 1);
	if (period)
		sampled(&o, period, &start, slot);
}

/**
 * kmprof_alloc_page_returned() - count a page, and decide about it, for a thunk of a function of
 *	the page allocator
 * @ptr: address of the page
 * @site: where the thunk returns to
 * @gfp: flags of the allocation
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
noinline void kmprof_alloc_page_returned(const void *ptr, unsigned long site, gfp_t gfp)
{
	unsigned int slot = kmprof_slot();

	if (kmprof_alloc_pages_hit(0, slot))
		decide_about_returned(ptr, site, gfp, slot);
}

/**
 * kmprof_alloc_set_labels() - choose the labels of objects allocated from now on
 * @labels: bit mask of KMPROF_LABEL_*; 0: none
 *
 * Context: Process context, control lock held.
 */
void kmprof_alloc_set_labels(u64 labels)
{
	WRITE_ONCE(labels_in_force, labels);
}
