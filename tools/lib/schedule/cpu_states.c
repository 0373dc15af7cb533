// SPDX-License-Identifier: GPL-2.0
#include "schedule/cpu_states.h"

int kmprof_cpu_states_begin(struct kmprof_growing *states, __u32 value, __u64 ns)
{
	const struct kmprof_cpu_state state = {
		.span = { .from_ns = ns, .to_ns = KMPROF_SPAN_OPEN }, .value = value,
	};

	struct kmprof_cpu_state *open = kmprof_spans_open(states, sizeof(*open));

	if (open && open->value == value)
		return 0;
	kmprof_cpu_states_end(states, ns);
	return kmprof_growing_add(states, &state, sizeof(state));
}

void kmprof_cpu_states_end(struct kmprof_growing *states, __u64 ns)
{
	struct kmprof_cpu_state *state = (struct kmprof_cpu_state *)states->bytes;
	size_t nr = states->used / sizeof(*state);

	while (nr-- && state[nr].span.to_ns > ns)
		state[nr].span.to_ns = ns > state[nr].span.from_ns ? ns : state[nr].span.from_ns;
}
