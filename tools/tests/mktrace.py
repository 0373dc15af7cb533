#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes a trace out of a description on standard input, for tests:

	cpus NUMBER | hz NUMBER | events MASK
	start TICKS MONO BOOT REAL	in ns
	end TICKS MONO [EVENTS LOST [STACKLESS]]	else what is there; may come first
	oldend			as modules without stacks wrote it
	noend				there is no last batch
	suspended NS			the system was suspended for so long
	type NUMBER ARGS TEXT NAME [STACK]	one more type, or another one of that number; TEXT, STACK:
				1 or 0
	filter TEXT			the header has one; else it is that of a module without filters
	sizes HEADER TYPE TASK		so many bytes more than this version has
	task TID TGID COMM
	batch CPU TID TICKS [NUMBER [NR]]	NUMBER and NR are what follows from the records if not given, or -
	stacks [NR]		a batch of stacks; NR is what follows from them if not given
	stack NUMBER[/FLAGS] HEX...	a stack of that
	names HEX		a batch of names, behind the last batch
	lose NUMBER [CPU]		so many events of the CPU are lost; that of the last batch if not given
	@TICKS NAME[/CONTEXT] ARG... [TEXT]	a record of the batch; CONTEXT is soft, hard or 3
	bytes HEX			anything, in the batch, or behind it
	after HEX			anything, behind the last batch

NAME is that of the type. TEXT is the rest of the line, with \\xHH for any byte. An empty line or one
that starts with # is skipped.
"""
import struct
import sys

CONTEXTS = {"": 0, "soft": 1, "hard": 2, "3": 3}
FILTER = 200  # bytes
HEADER, TYPE, TASK, BATCH, END = "<8IQQ4Q", "<4B20s", "<II16s", "<4IQQII", "<4QQQQ"


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def text_of(words):
    return " ".join(words).encode("latin-1").decode("unicode_escape").encode("latin-1")


class Trace:
    def __init__(self):
        self.cpus, self.hz, self.events = 2, 1000000000, 0xfe
        self.start, self.end, self.has_end = [1000, 5000, 6000, 1600000000000000000], None, True
        self.types = {1: (2, 0, "switch", 0), 2: (1, 0, "waking", 0), 3: (2, 0, "migrate", 0),
                      4: (2, 1, "fork", 0), 5: (1, 1, "exec", 0), 6: (1, 1, "exit", 0),
                      7: (1, 1, "rename", 0), 8: (0, 1, "mark", 0)}
        self.old_end, self.names = False, None
        self.tasks, self.batches, self.more, self.after = [], [], [0, 0, 0], b""
        self.next, self.total, self.lost = {}, 0, 0
        self.suspended = 0
        self.filter = None
        self.last = self.latest = 0

    def add_batch(self, cpu, tid, ticks, number="-", nr="-"):
        expected = self.next.get(int(cpu), 0)
        number = expected if number == "-" else int(number)
        self.lost += max(number - expected, 0)
        self.next[int(cpu)] = number
        self.batches.append({"cpu": int(cpu), "tid": int(tid), "ticks": int(ticks), "nr": nr,
                             "number": number, "count": 0, "bytes": bytearray(), "flags": 0})
        self.last = int(ticks)
        self.latest = max(self.latest, self.last)

    def add_stacks(self, nr="-"):
        self.batches.append({"cpu": self.cpus, "tid": 0, "ticks": 0, "nr": nr, "number": 0,
                             "count": 0, "bytes": bytearray(), "flags": 2})

    def add_stack(self, number, *frames):
        number, _, flags = number.partition("/")
        batch = self.batches[-1]
        batch["bytes"] += struct.pack(f"<IHH{len(frames)}Q", int(number), len(frames),
                                      int(flags or 0), *(int(frame, 16) for frame in frames))
        batch["count"] += 1

    def add_record(self, ticks, name, words):
        name, _, context = name.partition("/")
        batch = self.batches[-1]
        for number, (args, text, known, _) in self.types.items():
            if known == name:
                break
        else:
            sys.exit(f"no type {name}")
        record = bytes([number | CONTEXTS[context] << 6]) + varint(int(ticks) - self.last)
        for word in words[:args]:
            record += varint(int(word, 0))
        if text:
            rest = text_of(words[args:])
            record += bytes([len(rest)]) + rest
        elif len(words) != args:
            sys.exit(f"{name}: {args} arguments")
        self.last = int(ticks)
        self.latest = max(self.latest, self.last)
        batch["bytes"] += record
        batch["count"] += 1
        self.next[batch["cpu"]] += 1
        self.total += 1

    def line(self, words):
        key, words = words[0], words[1:]
        if key[0] == "@":
            self.add_record(key[1:], words[0], words[1:])
        elif key in ("cpus", "hz", "events", "suspended"):
            setattr(self, key, int(words[0], 0))
        elif key == "start":
            self.start = [int(word) for word in words]
        elif key == "end":
            self.end = [int(word) for word in words]
        elif key == "noend":
            self.has_end = False
        elif key == "type":
            self.types[int(words[0])] = (int(words[1]), int(words[2]), words[3],
                                         int((words[4:] or [0])[0]))
        elif key == "filter":
            self.filter = text_of(words)
        elif key == "sizes":
            self.more = [int(word) for word in words]
        elif key == "task":
            self.tasks.append((int(words[0]), int(words[1]), text_of(words[2:])))
        elif key == "batch":
            self.add_batch(*words)
        elif key == "lose":
            cpu = int(words[1]) if len(words) > 1 else self.batches[-1]["cpu"]
            self.next[cpu] = self.next.get(cpu, 0) + int(words[0])
            self.lost += int(words[0])
        elif key == "bytes":
            self.batches[-1]["bytes"] += bytes.fromhex(words[0])
        elif key == "oldend":
            self.old_end = True
        elif key == "stacks":
            self.add_stacks(*words)
        elif key == "stack":
            self.add_stack(*words)
        elif key == "names":
            self.names = bytes.fromhex(words[0])
        elif key == "after":
            self.after += bytes.fromhex(words[0])
        else:
            sys.exit(f"no such keyword: {key}")

    def write(self, out):
        sizes = [struct.calcsize(form) + more for form, more in
                 zip((HEADER, TYPE, TASK), self.more)]
        if self.filter is not None:
            sizes[0] += FILTER
        header = struct.pack(HEADER, 0x54504d4b, 2, sizes[0], sizes[1], len(self.types), sizes[2],
                             len(self.tasks), self.cpus, self.events, self.hz, *self.start)
        if self.filter is not None:
            header += self.filter.ljust(FILTER, b"\0")
        # Grows in place: bytes would be copied for each task and batch.
        data = bytearray(header.ljust(sizes[0], b"\xee"))
        for number, (args, text, name, stack) in self.types.items():
            data += struct.pack(TYPE, number, args, text, stack, name.encode()).ljust(sizes[1], b"\xee")
        for tid, tgid, comm in self.tasks:
            data += struct.pack(TASK, tid, tgid, comm).ljust(sizes[2], b"\xee")
        for batch in self.batches:
            nr = batch["count"] if batch["nr"] == "-" else int(batch["nr"])
            data += struct.pack(BATCH, struct.calcsize(BATCH) + len(batch["bytes"]), batch["cpu"],
                                batch["flags"], batch["tid"], batch["number"], batch["ticks"], nr, 0)
            data += batch["bytes"]
        if self.has_end:
            last = self.latest if self.batches else self.start[0]
            end = self.end or [last, last - self.start[0] + self.start[1]]
            passed = end[1] - self.start[1] + self.suspended
            counts = (end[2:] or [self.total, self.lost]) + [0]
            last = struct.pack(END, end[0], end[1], self.start[2] + passed,
                               self.start[3] + passed, *counts[:3])
            if self.old_end:
                last = last[:-8]
            data += struct.pack(BATCH, struct.calcsize(BATCH) + len(last), 0, 1, 0, 0, end[0], 0, 0)
            data += last
        if self.names is not None:
            data += struct.pack(BATCH, struct.calcsize(BATCH) + len(self.names), 0, 4, 0, 0, 0, 0,
                                0) + self.names
        out.write(data + self.after)


def main():
    trace = Trace()
    for line in sys.stdin:
        words = line.split()
        if words and words[0][0] != "#":
            trace.line(words)
    trace.write(sys.stdout.buffer)


main()
