// SPDX-License-Identifier: GPL-2.0
/* Refilling the countdown, and changing the rate while probes run. */
#include <linux/cpu.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "core/explog.h"
#include "core/hot.h"
#include "core/sampler.h"

DEFINE_PER_CPU_ALIGNED(struct kmprof_hot, kmprof_hot);

/**
 * struct sampler_cpu - one CPU's draws
 * @period: the rate under which the countdown was drawn; 0 before the first draw
 * @before: the same of the countdown before that
 * @rnd: where the next draw comes from; interrupts off
 */
struct sampler_cpu {
	u64 period;
	u64 before;
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

	s->before = s->period;
	s->period = rate;
	this_cpu_write(kmprof_hot.bytes_left, rate ? kmprof_exp_gap(rate, draw(s)) : S64_MAX);
}

/* Draw, and decide by that: there was no countdown to be decided by. */
static bool decide_anew(struct sampler_cpu *s, size_t size, u64 *period)
{
	refill(s);
	if (!kmprof_hot_countdown(size))
		return false;
	*period = s->period;
	refill(s);
	return true;
}

/**
 * kmprof_sampler_refill() - the countdown ran out: sample, and draw anew
 * @size: bytes that were subtracted
 * @period: returns the period under which this allocation was sampled, in bytes
 *
 * An interrupt that comes between the hit and this finds a countdown that has run
 * out for somebody else: it decides anew. Whom it has interrupted then finds one
 * that was drawn since, as after a new rate; the hit stands.
 *
 * Context: Any but NMI. Preemption off since kmprof_hot_countdown().
 * Return: true when the allocation is sampled.
 */
bool kmprof_sampler_refill(size_t size, u64 *period)
{
	struct sampler_cpu *s = this_cpu_ptr(&samplers);
	unsigned long flags;
	bool sampled = true;
	s64 left;

	local_irq_save(flags);
	left = this_cpu_read(kmprof_hot.bytes_left);
	if (unlikely(!s->period || left + (s64)size < 0)) {
		sampled = decide_anew(s, size, period);
	} else if (unlikely(left >= 0)) {
		*period = s->before;
		sampled = *period;
	} else {
		*period = s->period;
		refill(s);
	}
	local_irq_restore(flags);
	return sampled;
}

/**
 * kmprof_sampler_take() - the countdown ran out within a call for several objects
 * @left: what it was when their bytes were taken off, negative
 * @bytes: of all of them
 * @period: returns the period of what was taken, in bytes; 0: take nothing as
 *	a sample
 *
 * For a call that decides about its objects later and elsewhere. See
 * kmprof_sampler_refill() about interrupts.
 *
 * Context: Any but NMI. Preemption off since they were taken off.
 * Return: bytes that were left until the next sample.
 */
u64 kmprof_sampler_take(s64 left, size_t bytes, u64 *period)
{
	struct sampler_cpu *s = this_cpu_ptr(&samplers);
	u64 gap = left + (s64)bytes;
	unsigned long flags;

	local_irq_save(flags);
	if (unlikely(!s->period || (s64)gap < 0)) {
		refill(s);
		gap = this_cpu_read(kmprof_hot.bytes_left);
		*period = s->period;
		refill(s);
	} else if (unlikely(this_cpu_read(kmprof_hot.bytes_left) >= 0)) {
		*period = s->before;
	} else {
		*period = s->period;
		refill(s);
	}
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

/**
 * kmprof_sampler_wait() - is a wait sampled?
 * @ns: what it took
 * @period: of that length and longer, all are; 0: none is
 *
 * Source: blocksampled() of mprof.go.
 *
 * Context: Any but NMI.
 * Return: true with probability @ns / @period.
 */
bool kmprof_sampler_wait(u64 ns, u64 period)
{
	unsigned long flags;
	u64 u;

	if (!period || ns >= period)
		return period;
	local_irq_save(flags);
	u = draw(this_cpu_ptr(&samplers));
	local_irq_restore(flags);
	return mul_u64_u64_shr(u, period, 64) < ns;
}

/**
 * kmprof_sampler_one_of() - is a release sampled?
 * @number: of so many, one is; 0: none is
 *
 * Source: mutexevent() of mprof.go.
 *
 * Context: Any but NMI.
 * Return: true with probability 1 / @number.
 */
bool kmprof_sampler_one_of(u64 number)
{
	return number && kmprof_sampler_wait(1, number);
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
