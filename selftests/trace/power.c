// SPDX-License-Identifier: GPL-2.0
/*
 * Idle states and frequencies in the execution trace, against what perf counts of them; and a CPU
 * does nothing else while it is in an idle state.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/listener.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "trace/session.h"

enum {
	CPUS	= LISTENER_CPUS,
	NAPS	= 50,
	/* More than any machine has. */
	STATES	= 16,
};

FIXTURE(power) {
	int dev;
	int store;
	int cpus;
	struct listener listener;
	struct session s;
};

FIXTURE_SETUP(power)
{
	ASSERT_EQ(0, guest_load("tracepoint", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->store = order_open();
	ASSERT_LE(0, self->store);
	self->s.fd = -1;
	self->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	ASSERT_GE(CPUS, self->cpus);
	ASSERT_EQ(0, listener_open(&self->listener, "power", "cpu_idle", NULL));
}

FIXTURE_TEARDOWN(power)
{
	listener_close(&self->listener);
	session_free(&self->s);
	close(self->store);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(power) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
}

static void count(struct __test_metadata *_metadata, FIXTURE_DATA(power) *self,
		  uint64_t counts[CPUS])
{
	int cpu;

	for (cpu = 0; cpu < self->cpus; cpu++)
		ASSERT_EQ(0, listener_read_cpu(&self->listener, cpu, &counts[cpu]));
}

/* Each CPU sleeps while this task does; not always, if the host is busy. */
static void nap(struct __test_metadata *_metadata, FIXTURE_DATA(power) *self)
{
	uint64_t from[CPUS], now[CPUS];
	int cpu;

	count(_metadata, self, from);
	for (cpu = 0; cpu < self->cpus; cpu++) {
		ASSERT_EQ(0, guest_pin_cpu(cpu));
		do {
			usleep(1000);
			count(_metadata, self, now);
		} while (now[cpu] - from[cpu] < 2 * NAPS);
	}
}

/**
 * struct cpu - what a CPU does
 * @events: how many idle events it has
 * @enters: how many of them begin one
 * @is_in: it is in an idle state
 * @is_known: an event was seen: what ends now has begun in the trace
 */
struct cpu {
	uint64_t events;
	uint64_t enters;
	bool is_in;
	bool is_known;
};

/**
 * struct seen - what a trace has
 * @cpu: by number of the CPU
 * @wrong: what cannot be
 */
struct seen {
	struct cpu cpu[CPUS];
	unsigned int wrong;
};

static int see(const struct record *r, void *data)
{
	struct seen *seen = data;
	struct cpu *cpu = &seen->cpu[r->cpu];
	bool enters = r->args[0];

	if (r->type == KMPROF_TRACE_SWITCH) {
		seen->wrong += cpu->is_in;
		cpu->is_known = true;
	}
	if (r->type != KMPROF_TRACE_CPU_IDLE)
		return 0;
	/* It is what the idle task does, and what is entered is left before the next one. */
	seen->wrong += r->tid || r->context != KMPROF_TRACE_IN_TASK || r->args[0] > STATES ||
		       (cpu->is_known && cpu->is_in == enters);
	cpu->events++;
	cpu->enters += enters;
	cpu->is_in = enters;
	cpu->is_known = true;
	return 0;
}

/* perf counts no less than the trace between two moments in it, and no more around it. */
TEST_F(power, has_all_idle_states)
{
	uint64_t outer[2][CPUS], inner[2][CPUS];
	struct seen seen = { 0 };
	int cpu;

	count(_metadata, self, outer[0]);
	ASSERT_EQ(0, session_start(self->dev, &self->s,
				   1 << KMPROF_TRACE_SWITCH | 1 << KMPROF_TRACE_CPU_IDLE, 0));
	count(_metadata, self, inner[0]);
	nap(_metadata, self);
	count(_metadata, self, inner[1]);
	finish(_metadata, self);
	count(_metadata, self, outer[1]);

	ASSERT_EQ(0, session_walk(&self->s, see, &seen));
	EXPECT_EQ(0, seen.wrong);
	for (cpu = 0; cpu < self->cpus; cpu++) {
		EXPECT_LE(inner[1][cpu] - inner[0][cpu], seen.cpu[cpu].events);
		EXPECT_GE(outer[1][cpu] - outer[0][cpu], seen.cpu[cpu].events);
		EXPECT_LE(NAPS - 1, seen.cpu[cpu].enters);
	}
}

/**
 * struct told - frequencies that the CPUs tell of
 * @nr: by CPU: how many
 * @order: by CPU: which, in their order
 */
struct told {
	unsigned int nr[CPUS];
	struct kmprof_test_frequency order[CPUS][2];
};

static int take_frequency(const struct record *r, void *data)
{
	struct told *told = data;

	if (r->type != KMPROF_TRACE_CPU_FREQUENCY)
		return 0;
	if (told->nr[r->cpu] < 2)
		told->order[r->cpu][told->nr[r->cpu]] = (struct kmprof_test_frequency){
			.cpu = r->args[0], .khz = r->args[1],
		};
	told->nr[r->cpu]++;
	return 0;
}

/* Each CPU tells of another one. */
TEST_F(power, has_all_frequencies)
{
	const uint32_t khz[] = { 800000, 4700000 };
	struct told told = { 0 }, seen = { 0 };
	struct kmprof_test_frequency *order;
	int cpu;

	ASSERT_EQ(0, session_start(self->dev, &self->s,
				   1 << KMPROF_TRACE_SWITCH | 1 << KMPROF_TRACE_CPU_FREQUENCY, 0));
	for (cpu = 0; cpu < self->cpus; cpu++) {
		ASSERT_EQ(0, guest_pin_cpu(cpu));
		while (told.nr[cpu] < 2) {
			order = &told.order[cpu][told.nr[cpu]];
			order->cpu = (cpu + 1) % self->cpus;
			order->khz = khz[told.nr[cpu]++];
			ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_FREQUENCY, order));
		}
	}
	finish(_metadata, self);

	ASSERT_EQ(0, session_walk(&self->s, take_frequency, &seen));
	EXPECT_EQ(0, memcmp(&told, &seen, sizeof(told)));
}

TEST_HARNESS_MAIN
