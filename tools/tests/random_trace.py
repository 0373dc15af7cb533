#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A description for mktrace.py of what a machine might do: random_trace.py SEED STEPS

Tasks sleep, wake each other, also on their way to sleep, create tasks and exit; few ids, so they are
used again; CPUs that begin late, or go offline and come back; events that are lost; types of records
that nobody knows. A line "# offline" says that a CPU did.
"""
import random
import sys

START = 1000
COMMS = ["bash", "cc1", "kworker/0:1", "a b", "x\"y<z>&", "runtime.main", "d\u00fc\\", "0123456789abcde"]
MARKS = ["a mark", "<b>\"&", "", "x" * 255, "z\u00fcrich\n\0"]
GOING = ["runnable", "preempted", "sleeping", "blocked", "idle", "stopped", "parked", "dead", "frozen"]
DEAD = GOING.index("dead")
SLEEPS = [2, 2, 2, 3, 3, 4, 5, 6, 8]


def escaped(text):
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


class Machine:
    def __init__(self, seed):
        self.random = random.Random(seed)
        # The first event comes later than what is so from the start on.
        self.now = self.first = START + 1
        self.cpus = self.random.randint(1, 4)
        self.records = [[] for _ in range(self.cpus)]
        self.begins = [self.now + self.random.choice([0, 0, 300000]) for _ in range(self.cpus)]
        self.last_cpu = 0
        self.current = [0] * self.cpus
        self.losing = [0] * self.cpus
        self.offline, self.offline_until = self.random.choice([0, 0, 0.003]), [0] * self.cpus
        self.loss = self.random.choice([0, 0, 0.002, 0.02])
        self.state, self.comm, self.tgid = {}, {}, {}
        self.woken = set()
        self.free = list(range(100, 130))
        for tid in range(1, self.random.randint(3, 20)):
            self.add(tid, tid, self.random.choice(COMMS), self.random.choice(["ready", "asleep"]))
        for cpu in range(self.cpus):
            if self.begins[cpu] == self.first and self.pick("ready"):
                self.current[cpu] = self.pick("ready")
                self.state[self.current[cpu]] = "running"
        self.listed = [tid for tid in self.state if self.random.random() < 0.9]

    def add(self, tid, tgid, comm, state):
        self.tgid[tid], self.comm[tid], self.state[tid] = tgid, comm, state

    def pick(self, state):
        return self.random.choice([tid for tid in self.state if self.state[tid] == state] or [0])

    def record(self, cpu, name, *words):
        line = None
        if self.losing[cpu]:
            self.losing[cpu] -= 1
        else:
            line = " ".join(str(word) for word in (f"@{self.now}", name, *words))
        self.records[cpu].append((line, self.now, self.current[cpu]))

    def switch(self, cpu, reason):
        before, after = self.current[cpu], self.pick("ready")
        if self.random.random() < 0.2:
            after = 0
        if before == after or (not after and reason < 2):
            return
        self.record(cpu, "switch", after, reason if before else 0)
        self.current[cpu] = after
        if after:
            self.state[after] = "running"
        if reason == DEAD:
            self.bury(before)
        elif before:
            stays = reason < 2 or before in self.woken
            self.state[before] = "ready" if stays else "asleep"
        self.woken.discard(before)

    def bury(self, tid):
        """The id of a main thread is used as long as its process has threads."""
        tgid = self.tgid[tid]
        del self.state[tid]
        if tid != tgid:
            self.free.append(tid)
        if tgid not in [self.tgid[other] for other in self.state]:
            self.free.append(tgid)

    def wake(self, cpu):
        tid = self.pick("asleep") if self.random.random() < 0.8 else self.random.choice(list(self.state))
        self.record(cpu, "waking" + self.random.choice(["", "", "/soft", "/hard"]), tid)
        if self.state.get(tid) == "asleep":
            self.state[tid] = "ready"

    def wake_early(self, cpu):
        """A task is woken that is about to be switched out."""
        other = self.random.randrange(self.cpus)
        if other == cpu or self.state.get(self.current[other]) != "running":
            return
        self.record(cpu, "waking" + self.random.choice(["", "/hard"]), self.current[other])
        self.woken.add(self.current[other])
        self.now += self.random.randint(1, 300)
        self.switch(other, self.random.choice(SLEEPS))

    def fork(self, cpu):
        if not self.free:
            return
        parent = self.current[cpu]
        tid = self.free.pop(self.random.choice([0, -1]))
        self.add(tid, self.random.choice([tid, tid, self.tgid[parent]]), self.comm[parent], "ready")
        self.record(cpu, "fork", tid, self.tgid[tid], escaped(self.comm[parent]))

    def execute(self, cpu):
        """The last thread of a process becomes the main one."""
        tid = self.current[cpu]
        tgid = self.tgid[tid]
        if [other for other in self.state if self.tgid[other] == tgid and other != tid]:
            return
        if tid != tgid:
            self.state[tgid] = self.state.pop(tid)
            self.free.append(tid)
            self.current[cpu] = tgid
        self.comm[tgid] = self.random.choice(COMMS)
        self.record(cpu, "rename", tgid, escaped(self.comm[tgid]))
        self.record(cpu, "exec", tid, escaped(self.comm[tgid]))

    def run_task(self, cpu, tid):
        dice = self.random.random()
        if self.state[tid] == "exiting":
            self.switch(cpu, DEAD)
        elif dice < 0.4:
            self.switch(cpu, self.random.choice([0, 1] + SLEEPS))
        elif dice < 0.7:
            self.wake(cpu)
        elif dice < 0.75:
            self.wake_early(cpu)
        elif dice < 0.83:
            self.fork(cpu)
        elif dice < 0.86:
            self.comm[tid] = self.random.choice(COMMS)
            self.record(cpu, "rename", tid, escaped(self.comm[tid]))
        elif dice < 0.89:
            self.execute(cpu)
        elif dice < 0.93:
            self.record(cpu, "exit", self.tgid[tid], escaped(self.comm[tid]))
            self.state[tid] = "exiting"
        elif dice < 0.96:
            self.record(cpu, "migrate", self.pick("ready") or tid, cpu)
        elif dice < 0.97:
            self.record(cpu, "mark", escaped(self.random.choice(MARKS)))
        elif dice < 0.98:
            self.contend(cpu)
        elif dice < 0.99:
            self.random.choice([self.interrupt, self.stall, self.use_memory, self.call, self.save_power,
                                self.end_readers])(cpu)
        else:
            self.record(cpu, "later/soft", self.now, 2, 3, escaped("news"))

    def contend(self, cpu):
        """Begins and ends of waits, in any order, as after losses."""
        context = self.random.choice(["", "", "", "/soft", "/hard"])
        lock = self.random.randrange(1, 9)
        if self.random.random() < 0.5:
            owner = self.random.choice([0, 77, self.random.choice(list(self.state))])
            self.record(cpu, "contention_begin" + context, lock, self.random.randrange(9),
                        self.random.randrange(8), owner)
        else:
            self.record(cpu, "contention_end" + context, lock, self.random.choice([0, 8]))

    def interrupt(self, cpu):
        """Begins and ends of interrupts, the same."""
        number = self.random.randrange(4)
        kind = self.random.choice(["irq_entry/hard", "irq_exit/hard", "softirq_entry/soft",
                                   "softirq_exit/soft"])
        more = {"irq_entry/hard": [escaped(self.random.choice(COMMS))],
                "irq_exit/hard": [self.random.randrange(4)]}
        self.record(cpu, kind, number, *more.get(kind, []))

    def stall(self, cpu):
        """Begins and ends of reclaim and compaction, the same."""
        kind = self.random.choice(["reclaim", "memcg_reclaim", "compaction"])
        self.record(cpu, kind + self.random.choice(["_begin", "_end"]), self.random.randrange(10))

    def use_memory(self, cpu):
        """Allocations and frees, the same."""
        kind = self.random.choice(["alloc", "free"]) + self.random.choice(["", "", "/soft", "/hard"])
        self.record(cpu, kind, self.random.choice([7, 0xffff888000000000]), self.random.randrange(6),
                    self.random.randrange(1, 9999), self.random.choice([1, 1 << 20, (1 << 64) - 1]))

    def call(self, cpu):
        """Begins and ends of system calls, the same."""
        number = self.random.choice([0, 1, 9999, 0x100000005, 0xffffffff])
        if self.random.random() < 0.5:
            self.record(cpu, "syscall_enter", number)
        else:
            self.record(cpu, "syscall_exit", number, self.random.choice([0, 3, 1 << 40, (1 << 64) - 1]))

    def save_power(self, cpu):
        """Idle states and frequencies, the same."""
        if self.random.random() < 0.5:
            self.record(cpu, "cpu_idle", self.random.randrange(4))
        else:
            self.record(cpu, "cpu_frequency", self.random.randrange(self.cpus), self.random.choice([0, 2400000]))

    def end_readers(self, cpu):
        """Begins and ends of grace periods, the same."""
        self.record(cpu, self.random.choice(["grace_period_begin", "grace_period_end"]))

    def go_offline(self, cpu):
        """The last task is switched out unseen. What comes then is in another batch."""
        if self.current[cpu]:
            self.state[self.current[cpu]] = "asleep"
            self.woken.discard(self.current[cpu])
        self.current[cpu] = 0
        self.records[cpu].append(("", self.now, 0))
        self.offline_until[cpu] = self.now + self.random.randint(1, 100000)

    def step(self):
        self.now += self.random.choice([0, 0, 1, self.random.randint(1, 20000)])
        cpu = self.random.randrange(self.cpus)
        # What one CPU does takes time to reach another one.
        self.now += cpu != self.last_cpu
        self.last_cpu = cpu
        if self.now < max(self.begins[cpu], self.offline_until[cpu]):
            return
        if self.random.random() < self.offline and self.state.get(self.current[cpu]) != "exiting":
            self.go_offline(cpu)
            return
        if self.random.random() < self.loss:
            self.losing[cpu] = self.random.randint(1, 40)
        if self.current[cpu]:
            self.run_task(cpu, self.current[cpu])
        elif self.random.random() < 0.5 and self.state:
            self.wake(cpu)
        else:
            self.switch(cpu, 0)

    def batches(self, cpu):
        """The records of a CPU, as many lines for each batch."""
        lines, room = [], 0
        for line, now, tid in self.records[cpu]:
            if line is None:
                lines += [[]] if not lines else []
                lines[-1].append(f"lose 1 {cpu}")
                room = 0
                continue
            if not line:
                room = 0
                continue
            if not room:
                lines.append([f"batch {cpu} {tid} {now}"])
                room = self.random.choice([1, 3, 10, 100])
            lines[-1].append(line)
            room -= 1
        if lines and lines[-1][-1].startswith("lose"):
            lines.append([f"batch {cpu} {self.current[cpu]} {self.now}"])
        return lines

    def describe(self):
        lines = [f"cpus {self.cpus}", "type 60 3 1 later",
                 "type 9 4 0 contention_begin", "type 10 2 0 contention_end",
                 "type 11 1 1 irq_entry", "type 12 2 0 irq_exit",
                 "type 13 1 0 softirq_entry", "type 14 1 0 softirq_exit",
                 "type 15 1 0 reclaim_begin", "type 16 1 0 reclaim_end",
                 "type 17 1 0 memcg_reclaim_begin", "type 18 1 0 memcg_reclaim_end",
                 "type 19 1 0 compaction_begin", "type 20 1 0 compaction_end",
                 "type 21 4 0 alloc", "type 22 4 0 free",
                 "type 23 1 0 syscall_enter", "type 24 2 0 syscall_exit",
                 "type 25 1 0 cpu_idle", "type 26 2 0 cpu_frequency",
                 "type 27 0 0 grace_period_begin", "type 28 0 0 grace_period_end"]
        if any(self.offline_until):
            lines.append("# offline")
        lines += [f"task {tid} {self.tgid[tid]} {escaped(self.comm[tid])}" for tid in self.listed]
        queues = [queue for queue in map(self.batches, range(self.cpus)) if queue]
        while queues:
            queue = self.random.choice(queues)
            lines += queue.pop(0)
            queues = [queue for queue in queues if queue]
        return lines


def main():
    machine = Machine(int(sys.argv[1]))
    listed = {tid: (machine.tgid[tid], machine.comm[tid]) for tid in machine.listed}
    for _ in range(int(sys.argv[2])):
        machine.step()
    machine.tgid.update({tid: what[0] for tid, what in listed.items()})
    machine.comm.update({tid: what[1] for tid, what in listed.items()})
    print("\n".join(machine.describe()))


main()
