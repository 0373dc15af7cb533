#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A tracer with BPF: 16 bytes for each switch and each wake-up, in BPF's ring buffer.

    ringbuf.py [--stacks] COMMAND...

With --stacks, a stack of up to 12 frames of the kernel is behind them. Nobody reads while the command
runs: there is room for 64 MiB, and what finds none is dropped. Status: that of the command.
"""
import subprocess
import sys

from bcc import BPF

PROGRAM = """
#include <linux/sched.h>

struct event {
	u64 ns;
	u32 from;
	u32 to;
#ifdef STACKS
	u64 stack[12];
#endif
};

BPF_RINGBUF_OUTPUT(events, 16384);

static inline void put(void *ctx, u32 from, u32 to)
{
	struct event *event = events.ringbuf_reserve(sizeof(struct event));

	if (!event)
		return;
	event->ns = bpf_ktime_get_ns();
	event->from = from;
	event->to = to;
#ifdef STACKS
	bpf_get_stack(ctx, event->stack, sizeof(event->stack), 0);
#endif
	events.ringbuf_submit(event, BPF_RB_NO_WAKEUP);
}

RAW_TRACEPOINT_PROBE(sched_switch)
{
	struct task_struct *from = (void *)ctx->args[1], *to = (void *)ctx->args[2];

	put(ctx, from->pid, to->pid);
	return 0;
}

RAW_TRACEPOINT_PROBE(sched_waking)
{
	struct task_struct *to = (void *)ctx->args[0];

	put(ctx, bpf_get_current_pid_tgid(), to->pid);
	return 0;
}
"""


def main():
    command = sys.argv[1:]
    stacks = command[:1] == ["--stacks"]
    program = BPF(text=PROGRAM, cflags=["-DSTACKS"] if stacks else [])
    program["events"].open_ring_buffer(lambda ctx, data, size: None)
    return subprocess.call(command[stacks:])


sys.exit(main())
