// SPDX-License-Identifier: GPL-2.0
/*
 * Objects that one context makes and another one has to free: work, timers, other CPUs.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/llist.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timer.h>

#include "catalogue.h"

enum { DELAYS = 8 };	/* in jiffies: 1 to so many */

/**
 * struct parcel - an object on its way
 * @node: in the list of a consumer
 * @owner: the case
 * @payload: what is in it
 */
struct parcel {
	struct llist_node node;
	struct catalogue_case *owner;
	void *payload;
};

/* Of each consumer, a list of parcels and the work that empties it. */
struct consumer {
	struct llist_head parcels;
	struct work_struct work;
};

static void release_payload(void *object)
{
	kfree(object);
}

/* Frees the parcels, and drops what is in them. */
static void drop_payloads(struct work_struct *work)
{
	struct consumer *consumer = container_of(work, struct consumer, work);
	struct parcel *parcel, *next;

	llist_for_each_entry_safe(parcel, next, llist_del_all(&consumer->parcels), node) {
		catalogue_lose(parcel->owner, parcel->payload, 1, release_payload);
		catalogue_kfree(parcel->owner, parcel);
	}
}

static void free_parcels(struct work_struct *work)
{
	struct consumer *consumer = container_of(work, struct consumer, work);
	struct parcel *parcel, *next;

	llist_for_each_entry_safe(parcel, next, llist_del_all(&consumer->parcels), node) {
		catalogue_kfree(parcel->owner, parcel->payload);
		catalogue_kfree(parcel->owner, parcel);
	}
}

static struct consumer dropper, other_cpu, other_task;

static void consumer_init(struct consumer *consumer, work_func_t function)
{
	init_llist_head(&consumer->parcels);
	INIT_WORK(&consumer->work, function);
}

static int handover_init(void)
{
	consumer_init(&dropper, drop_payloads);
	consumer_init(&other_cpu, free_parcels);
	consumer_init(&other_task, free_parcels);
	return 0;
}

/* Inlined: the case's function is the one that allocates. */
static __always_inline struct parcel *parcel_create(struct catalogue_case *c)
{
	struct parcel *parcel = kmalloc(sizeof(*parcel), GFP_KERNEL);

	if (!parcel)
		return NULL;
	parcel->payload = kmalloc(216, GFP_KERNEL);
	if (!parcel->payload) {
		kfree(parcel);
		return NULL;
	}
	parcel->owner = c;
	catalogue_count(c, 2);
	return parcel;
}

CATALOGUE_CALL(receiver_drops)
{
	struct parcel *parcel = parcel_create(c);

	if (!parcel)
		return;
	llist_add(&parcel->node, &dropper.parcels);
	queue_work(catalogue_works, &dropper.work);
}

CATALOGUE_CALL(freed_by_other_task)
{
	struct parcel *parcel = parcel_create(c);

	if (!parcel)
		return;
	llist_add(&parcel->node, &other_task.parcels);
	queue_work(catalogue_works, &other_task.work);
}

CATALOGUE_CALL(freed_on_other_cpu)
{
	struct parcel *parcel = parcel_create(c);
	unsigned int cpu;

	if (!parcel)
		return;
	llist_add(&parcel->node, &other_cpu.parcels);
	cpus_read_lock();
	cpu = cpumask_next(raw_smp_processor_id(), cpu_online_mask);
	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	queue_work_on(cpu, catalogue_works, &other_cpu.work);
	cpus_read_unlock();
}

static int settle_work(struct catalogue_case *c)
{
	flush_workqueue(catalogue_works);
	return 0;
}

/**
 * struct job - something to be done later
 * @work: in a workqueue
 * @later: in a workqueue, after a delay
 * @timer: in a timer
 * @owner: the case
 * @text: the job
 */
struct job {
	union {
		struct work_struct work;
		struct delayed_work later;
		struct timer_list timer;
	};
	struct catalogue_case *owner;
	u8 text[50];
};

static __always_inline struct job *job_create(struct catalogue_case *c)
{
	struct job *job = catalogue_made(c, kmalloc(sizeof(*job), GFP_KERNEL));

	if (job)
		job->owner = c;
	return job;
}

static void release_job(void *object)
{
	kfree(object);
}

/* Does its job and goes, without freeing itself. */
static void work_ends(struct work_struct *work)
{
	struct job *job = container_of(work, struct job, work);

	catalogue_lose(job->owner, job, 1, release_job);
}

CATALOGUE_CALL(work_forgets_itself)
{
	struct job *job = job_create(c);

	if (!job)
		return;
	INIT_WORK(&job->work, work_ends);
	queue_work(catalogue_works, &job->work);
}

static atomic_t timers_armed;

static void timer_ends(struct timer_list *timer)
{
	struct job *job = container_of(timer, struct job, timer);

	catalogue_lose(job->owner, job, 1, release_job);
	atomic_dec(&timers_armed);
}

CATALOGUE_CALL(timer_forgets_itself)
{
	struct job *job = job_create(c);

	if (!job)
		return;
	timer_setup(&job->timer, timer_ends, 0);
	atomic_inc(&timers_armed);
	mod_timer(&job->timer, jiffies + 1);
}

static int timer_forgets_itself_settle(struct catalogue_case *c)
{
	unsigned int tries;

	for (tries = 0; atomic_read(&timers_armed); tries++) {
		if (tries == 30 * HZ)
			return -ETIMEDOUT;
		schedule_timeout_uninterruptible(1);
	}
	return 0;
}

static void free_later(struct work_struct *work)
{
	struct job *job = container_of(work, struct job, later.work);

	catalogue_kfree(job->owner, job);
}

CATALOGUE_CALL(delayed_work)
{
	struct job *job = job_create(c);

	if (!job)
		return;
	INIT_DELAYED_WORK(&job->later, free_later);
	queue_delayed_work(catalogue_works, &job->later, 1 + n % DELAYS);
}

static void timer_frees(struct timer_list *timer)
{
	struct job *job = container_of(timer, struct job, timer);

	catalogue_kfree(job->owner, job);
}

CATALOGUE_CALL(freed_by_timer)
{
	struct job *job = job_create(c);

	if (!job)
		return;
	timer_setup(&job->timer, timer_frees, 0);
	mod_timer(&job->timer, jiffies + 1 + n % DELAYS);
}

static int settle_all(struct catalogue_case *c)
{
	return catalogue_wait(c, 0);
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(receiver_drops, 100, "the receiver of an object drops it",
		       .settle = settle_work),
	CATALOGUE_LEAK(work_forgets_itself, 100, "a work item does not free itself at its end",
		       .settle = settle_work),
	CATALOGUE_LEAK(timer_forgets_itself, 100, "a timer does not free itself at its end",
		       .settle = timer_forgets_itself_settle),
	CATALOGUE_LOOKALIKE(freed_by_other_task, 0, "the receiver of an object frees it",
			    .settle = settle_work),
	CATALOGUE_LOOKALIKE(freed_on_other_cpu, 0, "the receiver frees it on another CPU",
			    .settle = settle_work),
	CATALOGUE_LOOKALIKE(delayed_work, 0, "delayed work frees an object",
			    .settle = settle_all),
	CATALOGUE_LOOKALIKE(freed_by_timer, 0, "a timer frees an object",
			    .settle = settle_all),
};

const struct catalogue_family catalogue_handover = {
	.init	= handover_init,
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
