/* SPDX-License-Identifier: GPL-2.0 */
/* What power management does with a CPU, from when to when: its idle states, or its frequencies. */
#ifndef KMPROF_SCHEDULE_CPU_STATES_H
#define KMPROF_SCHEDULE_CPU_STATES_H

#include "schedule/spans.h"

/**
 * struct kmprof_cpu_state - a time for which a CPU is in an idle state, or has a frequency
 * @span: when
 * @value: number of the state, or kHz
 */
struct kmprof_cpu_state {
	struct kmprof_span span;
	__u32 value;
};

/**
 * kmprof_cpu_states_begin() - a CPU is in a state from now on, perhaps in the one in which it was
 * @states: table of struct kmprof_cpu_state: idle states or frequencies of the CPU
 * @value: the state
 * @ns: now
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_cpu_states_begin(struct kmprof_growing *states, __u32 value, __u64 ns);

/*
 * From @ns on, a CPU is in none, or in one that is not known, whatever was seen since. Those that
 * begin later take no time.
 */
void kmprof_cpu_states_end(struct kmprof_growing *states, __u64 ns);

#endif
