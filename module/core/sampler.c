// SPDX-License-Identifier: GPL-2.0
/* Draws the countdowns, and changes the rate while probes run. */
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
 * struct sampler_cpu - the random draws of one CPU
 * @period: rate under which the current countdown was drawn; 0: none was drawn, or the rate
 *	was 0
 * @before: @period of the previous countdown
 * @aside: the countdown while every event hits; valid while @aside_period is the rate
 * @aside_period: rate under which @aside was drawn
 * @rnd: random number generator; used with interrupts off
 */
struct sampler_cpu {
	u64 period;
	u64 before;
	s64 aside;
	u64 aside_period;
	struct rnd_state rnd;
};

static DEFINE_PER_CPU(struct sampler_cpu, samplers);

/* Bytes per sample; 0: no sampling. Written under the control lock. */
static u64 sampler_rate;

/*
 * While this is set, every event hits. The CPU's countdown is 0, so each event makes it negative;
 * and its @period is 0, so each event is decided by the countdown @aside. The unsampled path is the
 * same, set or not. Written under the control lock.
 */
bool kmprof_sampler_hits_all __read_mostly;

static u64 draw(struct sampler_cpu *s)
{
	u64 u = (u64)prandom_u32_state(&s->rnd) << 32;

	return u | prandom_u32_state(&s->rnd);
}

/* In any context but NMI. */
static u64 draw_here(void)
{
	unsigned long flags;
	u64 u;

	local_irq_save(flags);
	u = draw(this_cpu_ptr(&samplers));
	local_irq_restore(flags);
	return u;
}

static noinline s64 draw_gap(struct sampler_cpu *s, u64 rate)
{
	return rate ? kmprof_exp_gap(rate, draw(s)) : S64_MAX;
}

/* Draw a new countdown. Interrupts are off: an interrupt cannot draw in between. */
static __always_inline void refill(struct sampler_cpu *s)
{
	u64 rate = READ_ONCE(sampler_rate);
	/* At a rate of 1 every gap is 0: there is nothing to draw. */
	s64 gap = rate == 1 ? 0 : draw_gap(s, rate);

	s->before = s->period;
	s->period = rate;
	this_cpu_write(kmprof_hot.bytes_left, gap);
}

static void refill_aside(struct sampler_cpu *s)
{
	u64 rate = READ_ONCE(sampler_rate);

	s->aside = draw_gap(s, rate);
	s->aside_period = rate;
}

/* The distribution has no memory, so a countdown of another time is as good, at the same rate. */
static void renew_aside(struct sampler_cpu *s)
{
	if (s->aside_period != READ_ONCE(sampler_rate))
		refill_aside(s);
}

/* Decide by the countdown aside; interrupts are off. */
static noinline u64 decide_aside(struct sampler_cpu *s, size_t size)
{
	u64 period;

	renew_aside(s);
	s->aside -= size;
	if (s->aside >= 0)
		return 0;
	period = s->aside_period;
	refill_aside(s);
	return period;
}

/* Take the countdown aside along; see kmprof_sampler_take(). */
static noinline u64 take_aside(struct sampler_cpu *s, size_t bytes, u64 *period)
{
	u64 gap;

	renew_aside(s);
	gap = s->aside;
	*period = s->aside_period;
	if (gap < bytes)
		refill_aside(s);
	else
		s->aside -= bytes;
	return gap;
}

/* There was no valid countdown: draw one, and decide by it. */
static noinline u64 decide_anew(struct sampler_cpu *s, size_t size)
{
	u64 period;

	if (READ_ONCE(kmprof_sampler_hits_all)) {
		this_cpu_write(kmprof_hot.bytes_left, 0);
		return decide_aside(s, size);
	}
	refill(s);
	if (!kmprof_hot_countdown(size))
		return 0;
	period = s->period;
	refill(s);
	return period;
}

/**
 * kmprof_sampler_refill() - decide about an allocation that hit, and draw a new countdown
 * @size: bytes that kmprof_hot_countdown() has subtracted
 *
 * A hit is a subtraction that leaves the countdown negative. An interrupt can come between
 * a hit and this call, and allocate as well:
 *
 *	task			interrupt
 *	hit
 *				subtract: the countdown was negative already
 *				draw, decide by the new countdown, draw again if hit
 *	countdown is positive:
 *	the hit stands, with the period of the countdown that it ran down
 *
 * The task also finds a positive countdown when kmprof_sampler_set_rate() has redrawn it. If
 * every event has hit until then, its hit said nothing yet, and the countdown aside decides.
 *
 * Context: Any but NMI. Preemption off since kmprof_hot_countdown().
 * Return: the period under which the allocation is sampled, in bytes; 0: it is not.
 */
u64 kmprof_sampler_refill(size_t size)
{
	struct sampler_cpu *s = this_cpu_ptr(&samplers);
	unsigned long flags;
	u64 period;
	s64 left;

	local_irq_save(flags);
	left = this_cpu_read(kmprof_hot.bytes_left);
	period = s->period;
	if (unlikely(!period || left + (s64)size < 0)) {
		period = decide_anew(s, size);
	} else if (unlikely(left >= 0)) {
		period = s->before;
		/* Every event has hit until then: the countdown aside decides. */
		if (!period)
			period = decide_aside(s, size);
	} else {
		refill(s);
	}
	local_irq_restore(flags);
	return period;
}

/* The same of a call for several objects. */
static noinline u64 take_anew(struct sampler_cpu *s, size_t bytes, u64 *period)
{
	u64 gap;

	if (READ_ONCE(kmprof_sampler_hits_all)) {
		this_cpu_write(kmprof_hot.bytes_left, 0);
		return take_aside(s, bytes, period);
	}
	refill(s);
	gap = this_cpu_read(kmprof_hot.bytes_left);
	*period = s->period;
	refill(s);
	return gap;
}

/**
 * kmprof_sampler_take() - take the countdown that ran out in a call for several objects
 * @left: the countdown after @bytes were subtracted, negative
 * @bytes: bytes of all objects
 * @period: returns the sampling period of the countdown, in bytes; 0: sample none
 *
 * The caller decides later which of the objects are sampled. As for interrupts, see
 * kmprof_sampler_refill().
 *
 * Context: Any but NMI. Preemption off since @bytes were subtracted.
 * Return: the countdown before @bytes were subtracted: bytes until the next sample.
 */
u64 kmprof_sampler_take(s64 left, size_t bytes, u64 *period)
{
	struct sampler_cpu *s = this_cpu_ptr(&samplers);
	u64 gap = left + (s64)bytes;
	unsigned long flags;

	local_irq_save(flags);
	if (unlikely(!s->period || (s64)gap < 0)) {
		gap = take_anew(s, bytes, period);
	} else if (unlikely(this_cpu_read(kmprof_hot.bytes_left) >= 0)) {
		*period = s->before;
		if (!s->before)
			gap = take_aside(s, bytes, period);
	} else {
		*period = s->period;
		refill(s);
	}
	local_irq_restore(flags);
	return gap;
}

/**
 * kmprof_sampler_decide() - decide about an allocation that hit because every event did
 * @size: bytes requested
 *
 * Can be called later than the hit, and on another CPU.
 *
 * Context: Any but NMI. Preemption on or off.
 * Return: the period under which the allocation is sampled, in bytes; 0: it is not.
 */
u64 kmprof_sampler_decide(size_t size)
{
	unsigned long flags;
	u64 period;

	local_irq_save(flags);
	period = decide_aside(this_cpu_ptr(&samplers), size);
	local_irq_restore(flags);
	return period;
}

/**
 * kmprof_sampler_decide_several() - the same for a call for several objects
 * @bytes: bytes of all objects
 * @period: returns the sampling period, in bytes; 0: sample none
 *
 * Context: Any but NMI. Preemption on or off.
 * Return: bytes until the next sample.
 */
u64 kmprof_sampler_decide_several(size_t bytes, u64 *period)
{
	unsigned long flags;
	u64 gap;

	local_irq_save(flags);
	gap = take_aside(this_cpu_ptr(&samplers), bytes, period);
	local_irq_restore(flags);
	return gap;
}

/**
 * kmprof_sampler_gap() - draw a gap that is not a CPU's countdown
 * @period: mean of the distribution, in bytes
 *
 * Context: Any but NMI. Preemption on or off.
 * Return: bytes until the next sample.
 */
u64 kmprof_sampler_gap(u64 period)
{
	return kmprof_exp_gap(period, draw_here());
}

/**
 * kmprof_sampler_gap_below() - draw a gap of which only is known that a sample follows
 * @period: mean of the distribution, in bytes
 * @bytes: the gap is smaller, in bytes; not 0
 *
 * The distribution is the one of kmprof_sampler_gap(), given that the result is below @bytes.
 * If that is a small part of it, the gap is drawn evenly from these bytes, and accepted with
 * the probability that a sample does not come before. Each try succeeds with a probability of
 * at least 1/e.
 *
 * Context: Any but NMI. Preemption on or off.
 * Return: bytes until the next sample.
 */
u64 kmprof_sampler_gap_below(u64 period, u64 bytes)
{
	u64 gap, even;

	for (;;) {
		gap = kmprof_sampler_gap(period);
		if (bytes >= period) {
			if (gap < bytes)
				return gap;
			continue;
		}
		even = mul_u64_u64_shr(draw_here(), bytes, 64);
		if (gap >= even)
			return even;
	}
}

/**
 * kmprof_sampler_wait() - draw whether a wait is sampled
 * @ns: duration of the wait, in ns
 * @period: sampling period in ns: longer waits are always sampled; 0: none is
 *
 * Source: blocksampled() of mprof.go.
 *
 * Context: Any but NMI.
 * Return: true with probability min(@ns / @period, 1).
 */
bool kmprof_sampler_wait(u64 ns, u64 period)
{
	if (!period || ns >= period)
		return period;
	return mul_u64_u64_shr(draw_here(), period, 64) < ns;
}

/**
 * kmprof_sampler_one_of() - draw whether a release is sampled
 * @number: sample one of this many; 0: none
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
	struct sampler_cpu *s = this_cpu_ptr(&samplers);

	if (!READ_ONCE(kmprof_sampler_hits_all)) {
		refill(s);
		return;
	}
	s->before = s->period;
	s->period = 0;
	this_cpu_write(kmprof_hot.bytes_left, 0);
}

/*
 * The exponential distribution has no memory: discarding a countdown and drawing a new one
 * adds no bias. On return, all events that were decided by old countdowns are counted.
 */
static void redraw(void)
{
	int cpu;

	cpus_read_lock();
	on_each_cpu(redraw_this_cpu, NULL, 1);
	/* CPU hotplug is locked out. A CPU that is offline draws at its first event. */
	for_each_possible_cpu(cpu) {
		if (cpu_online(cpu))
			continue;
		per_cpu(kmprof_hot.bytes_left, cpu) = 0;
		per_cpu(samplers.period, cpu) = 0;
	}
	cpus_read_unlock();
	/* for events that were decided by an old countdown */
	synchronize_rcu();
}

/**
 * kmprof_sampler_set_rate() - change the rate of all CPUs
 * @rate: bytes per sample; 1: sample everything; 0: nothing
 *
 * Context: Process context, control lock held. Waits for a grace period.
 */
void kmprof_sampler_set_rate(u64 rate)
{
	WRITE_ONCE(sampler_rate, rate);
	redraw();
}

/**
 * kmprof_sampler_hit_all() - let every event hit, whether it is sampled or not
 * @all: from now on they all do; else only those that run down a countdown
 *
 * The probability of a sample is the same. An event that has hit, but not been decided, when this
 * function redraws its CPU's countdown, is decided once more; at a rate of 1 it is a sample again.
 *
 * Context: Process context, control lock held. Waits for a grace period.
 */
void kmprof_sampler_hit_all(bool all)
{
	if (all == kmprof_sampler_hits_all)
		return;
	WRITE_ONCE(kmprof_sampler_hits_all, all);
	redraw();
}

/**
 * kmprof_sampler_rate() - get the rate
 *
 * Context: Any.
 * Return: bytes per sample; 0: no sampling.
 */
u64 kmprof_sampler_rate(void)
{
	return READ_ONCE(sampler_rate);
}

/**
 * kmprof_sampler_init() - seed the random numbers of all CPUs
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
