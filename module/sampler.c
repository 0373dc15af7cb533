// SPDX-License-Identifier: GPL-2.0
/* Refilling the countdown, and changing the rate while probes run. */
#include <linux/cpu.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "explog.h"
#include "hot.h"
#include "sampler.h"

DEFINE_PER_CPU_ALIGNED(struct kmprof_hot, kmprof_hot);

/**
 * struct sampler_cpu - one CPU's draws
 * @period: the rate under which the countdown was drawn; 0 before the first draw
 * @rnd: where the next draw comes from; interrupts off
 */
struct sampler_cpu {
	u64 period;
	struct rnd_state rnd;
};

static DEFINE_PER_CPU(struct sampler_cpu, samplers);

/* Bytes per sample; 0 stops sampling. Written under the control lock. */
static u64 sampler_rate;

static u64 draw(struct sampler_cpu *s)
{
	u64 u = (u64)prandom_u32_state(&s->rnd) << 32;

	return u | prandom_u32_state(&s->rnd);
}

/* Interrupts are off: a draw is not torn by another one on this CPU. */
static void refill(struct sampler_cpu *s)
{
	u64 rate = READ_ONCE(sampler_rate);

	s->period = rate;
	this_cpu_write(kmprof_hot.bytes_left, rate ? kmprof_exp_gap(rate, draw(s)) : S64_MAX);
}

/**
 * kmprof_sampler_refill() - the countdown ran out: sample, and draw anew
 * @size: bytes that were subtracted
 * @period: returns the period under which this allocation was sampled, in bytes
 *
 * Context: Any but NMI. Preemption off since kmprof_hot_countdown().
 * Return: true when the allocation is sampled; false when this CPU had not
 * drawn yet, or was made to draw anew in between, and that draw leaves the
 * allocation out.
 */
bool kmprof_sampler_refill(size_t size, u64 *period)
{
	struct sampler_cpu *s = this_cpu_ptr(&samplers);
	unsigned long flags;
	bool sampled = true;

	local_irq_save(flags);
	if (unlikely(!s->period))
		refill(s);
	/*
	 * A new rate, or an interrupt's sample, came after the hit: what it was
	 * taken off is gone, so it counts against the new gap.
	 */
	if (unlikely(this_cpu_read(kmprof_hot.bytes_left) >= 0 && !kmprof_hot_countdown(size))) {
		sampled = false;
		goto out;
	}
	*period = s->period;
	refill(s);
out:
	local_irq_restore(flags);
	return sampled;
}

/**
 * kmprof_sampler_take() - take this CPU's countdown away and draw a new one
 * @period: returns the period of what was taken, in bytes; 0: take nothing as
 *	a sample
 *
 * For a call that decides about several objects, later and elsewhere.
 *
 * Context: Any but NMI. Preemption off.
 * Return: bytes that were left until the next sample.
 */
u64 kmprof_sampler_take(u64 *period)
{
	struct sampler_cpu *s = this_cpu_ptr(&samplers);
	unsigned long flags;
	u64 gap;

	local_irq_save(flags);
	if (unlikely(!s->period))
		refill(s);
	/* Negative when an interrupt's bulk call comes just before a refill. */
	gap = max_t(s64, this_cpu_read(kmprof_hot.bytes_left), 0);
	*period = s->period;
	refill(s);
	local_irq_restore(flags);
	return gap;
}

/**
 * kmprof_sampler_gap() - draw a gap that belongs to no CPU
 * @period: its mean, in bytes
 *
 * Context: Any but NMI.
 * Return: bytes until the next sample.
 */
u64 kmprof_sampler_gap(u64 period)
{
	unsigned long flags;
	u64 u;

	local_irq_save(flags);
	u = draw(this_cpu_ptr(&samplers));
	local_irq_restore(flags);
	return kmprof_exp_gap(period, u);
}

static void redraw_this_cpu(void *unused)
{
	refill(this_cpu_ptr(&samplers));
}

/**
 * kmprof_sampler_set_rate() - change the rate, effective on return
 * @rate: bytes per sample, 1 samples everything, 0 nothing
 *
 * The exponential distribution has no memory, so a countdown may be thrown
 * away and drawn anew at any time without bias.
 *
 * Context: Process context, under the control lock. Sleeps.
 */
void kmprof_sampler_set_rate(u64 rate)
{
	int cpu;

	WRITE_ONCE(sampler_rate, rate);

	cpus_read_lock();
	on_each_cpu(redraw_this_cpu, NULL, 1);
	/* No CPU comes or goes here; one that is off draws when it comes. */
	for_each_possible_cpu(cpu) {
		if (cpu_online(cpu))
			continue;
		per_cpu(kmprof_hot.bytes_left, cpu) = 0;
		per_cpu(samplers.period, cpu) = 0;
	}
	cpus_read_unlock();
	/* An event that was decided by an old gap has been counted, too. */
	synchronize_rcu();
}

/**
 * kmprof_sampler_rate() - the rate in force, in bytes per sample
 *
 * Context: Any.
 */
u64 kmprof_sampler_rate(void)
{
	return READ_ONCE(sampler_rate);
}

/**
 * kmprof_sampler_init() - seed every CPU's random numbers
 *
 * Context: Process context, before any probe is armed.
 */
void kmprof_sampler_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		prandom_seed_state(&per_cpu_ptr(&samplers, cpu)->rnd,
				   get_random_u64());
}
