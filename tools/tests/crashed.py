#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes the dump of a kernel that has crashed while a flight recorder had recorded a trace, for
tests/dumped.c: the trace is what kmprof trace recover has to find.

Usage: crashed.py TRACE [OPTION...] > DUMP

	open		the last batch of each CPU is a block that is being filled
	before=NUMBER	so many blocks of each CPU were written over; before0, before1: of this CPU
	stopped=NUMBER	the recorder was stopped: block NUMBER of CPU 0 is the first one of interest
	functions	the kernel has no symbols of variables
	circle=TID	the list of processes goes from this one to itself
	lock=BYTES	size of the lock before the list of notifiers
	drop=PIECE	the dump does not have that piece of the memory
	set=PIECE@OFFSET=HEX	other bytes are there

Pieces: the keys of "memory". Layouts are made up: the module tells the program what they are.
"""
import struct
import sys

HEADER, TYPE, TASK, BATCH, END = "<8IQQ4Q200s", "<4B20s", "<II16s", "<4IQQII", "<4QQQQ"
BLOCK = 1 << 14
MODULE_OFFSETS = (8, 24, 80, 0, 8, 16, 24)
RING_OFFSETS = (0, 8, 16, 24, 32, 40, 48, 56)
TASK_OFFSETS = (16, 32, 8, 40, 56, 60, 64)
BASE = 0xffffffff81000000
LISTS = BASE + 0x100000
LONG = "f" * 200

memory = {}
place = {}
next_address = 0xffff888000010000


def put(name, data, address=None, align=64):
    """Gives a piece of memory its address."""
    global next_address
    if address is None:
        address = (next_address + align - 1) // align * align
        # Nothing is behind it.
        next_address = address + len(data) + 4096
    memory[name], place[name] = bytearray(data), address
    return address


def put_symbols(symbols):
    """The kernel's own, in its short form: each piece of text is one character."""
    names, offsets = b"", b""
    for address, text in symbols:
        text = text.encode()
        size = len(text)
        names += bytes([size] if size < 128 else [size & 127 | 128, size >> 7]) + text
        offsets += struct.pack("<i", address if address < 1 << 31 else BASE - 1 - address)
    # They are read in pieces of 64 KiB.
    put("names", names.ljust(1 << 16, b"\0"), align=1 << 16)
    put("offsets", offsets)
    put("nr", struct.pack("<I", len(symbols)))
    put("base", struct.pack("<Q", BASE))
    put("pieces", b"".join(bytes([i, 0]) for i in range(256)).ljust(1 << 14, b"\0"))
    put("index", struct.pack("<256H", *(2 * i for i in range(256))))


def put_tasks(tasks):
    """A list of processes; each has a list of threads."""
    tgids = list(dict.fromkeys(tgid for _, tgid, _ in tasks))
    for tid, _, _ in [(0, 0, b"")] + tasks:
        put(f"task{tid}", bytes(128))
    for tgid in tgids:
        put(f"signal{tgid}", bytes(32))
    processes = [0] + tgids
    for i, tid in enumerate(processes):
        following = processes[(i + 1) % len(processes)]
        struct.pack_into("<Q", memory[f"task{tid}"], 16, place[f"task{following}"] + 16)
    for tgid in tgids:
        threads = [task for task in tasks if task[1] == tgid]
        nodes = [place[f"task{tid}"] + 40 for tid, _, _ in threads] + [place[f"signal{tgid}"] + 8]
        struct.pack_into("<Q", memory[f"signal{tgid}"], 8, nodes[0])
        for i, (tid, _, comm) in enumerate(threads):
            struct.pack_into("<QQ", memory[f"task{tid}"], 32, place[f"signal{tgid}"], nodes[i + 1])
            struct.pack_into("<II16s", memory[f"task{tid}"], 56, tid, tgid, comm)


def put_modules():
    """One with symbols, and one that is being loaded and has none yet."""
    for name in ("one", "two"):
        put(name, bytes(96))
        struct.pack_into("<Q", memory[name], 24, 0)
        memory[name][24:27] = name.encode()
    names = b"\0own\0" + LONG.encode() + b"\0"
    put("module names", names.ljust(4096, b"\0"), align=4096)
    symbols = [(0, 0, 0), (1, 1, 0xffffffffc0000100), (5, 1, 0xffffffffc0000200),
               (1, 0, 0xffffffffc0000300)]
    put("symbols", b"".join(struct.pack("<IBBHQQ", name, 2, 0, section, value, 0)
                            for name, section, value in symbols))
    put("letters", b"?tT?")
    put("one's", struct.pack("<QIIQQ", place["symbols"], len(symbols), 0, place["module names"],
                             place["letters"]))
    struct.pack_into("<Q", memory["one"], 80, place["one's"])
    put("modules", struct.pack("<Q", place["one"] + 8), LISTS + 4096)
    struct.pack_into("<Q", memory["one"], 8, place["two"] + 8)
    struct.pack_into("<Q", memory["two"], 8, place["modules"])


def put_ring(cpu, batches, options):
    """The blocks of a CPU, and the numbers of its ring."""
    before = int(options.get(f"before{cpu}", options.get("before", 0)))
    # Numbers of events go on from those that were written over.
    lost = before * 1000
    full = before + len(batches)
    room = 1
    while room < len(batches):
        room *= 2
    blocks = bytearray(room * BLOCK)
    at, batch, number = 0, 0, lost
    address = (next_address + 4095) // 4096 * 4096
    for i, (header, contents) in enumerate(batches):
        slot = (before + i) % room * BLOCK
        number = header[4] + header[6] + lost
        header = [*header[:4], header[4] + lost, *header[5:]]
        if "open" in options and i + 1 == len(batches):
            batch, at, full = address + slot, address + slot + header[0], full - 1
            header[0], header[6] = 0, 0
        blocks[slot:slot + 40 + len(contents)] = struct.pack(BATCH, *header) + contents
    put(f"blocks{cpu}", blocks, align=4096)
    put(f"ring{cpu}", struct.pack("<8Q", address, room - 1, full,
                                  int(options.get("stopped", 0)) * (not cpu), batch, at, number, 0))


def read_trace(path):
    with open(path, "rb") as file:
        data = file.read()
    size = struct.calcsize(HEADER)
    header = struct.unpack_from(HEADER, data)
    if header[2] != size:
        sys.exit("crashed.py: the trace needs a filter")
    at = size + header[3] * header[4]
    tasks = [struct.unpack_from(TASK, data, at + i * 24) for i in range(header[6])]
    tables, at = data[:at], at + header[6] * 24
    batches, stacks = {cpu: [] for cpu in range(header[7])}, b""
    while at < len(data):
        batch = struct.unpack_from(BATCH, data, at)
        contents = data[at + 40:at + batch[0]]
        at += batch[0]
        if batch[2] == 2:
            stacks += contents
        elif batch[2] == 0:
            batches[batch[1]].append((batch, contents))
    return tables, tasks, batches, stacks


def count_stacks(stacks):
    at = nr = 0
    while at < len(stacks):
        at += 8 + 8 * struct.unpack_from("<H", stacks, at + 4)[0]
        nr += 1
    return nr


def main():
    options = dict(word.split("=", 1) if "=" in word else (word, "") for word in sys.argv[2:]
                   if not word.startswith(("drop=", "set=")))
    tables, tasks, batches, stacks = read_trace(sys.argv[1])
    put("header", tables + b"".join(struct.pack(TASK, *task) for task in tasks))
    put("head", struct.pack("<Q", place["header"]))
    put("stacks", stacks)
    put("used", struct.pack("<II", 1 + len(stacks) // 8, count_stacks(stacks)))
    put_tasks([(tid, tgid, comm.replace(b"\0", b"").ljust(16, b"\0")) for tid, tgid, comm in tasks])
    if "circle" in options:
        task = "task" + options["circle"]
        struct.pack_into("<Q", memory[task], 16, place[task] + 16)
    put_modules()
    for cpu, of_cpu in batches.items():
        put_ring(cpu, of_cpu, options)
    put("cpu_offsets", struct.pack(f"<{len(batches) + 1}Q",
                                   *(place[f"ring{cpu}"] for cpu in batches), 0x123))
    put("possible", struct.pack("<Q", (1 << len(batches)) - 1))
    crash = struct.pack("<QII7QI8I7I7II", 0x68736172632d6d6b, 2, 168, place["head"],
                        place["stacks"] if stacks else 0, place["used"], 0, place["cpu_offsets"],
                        place["possible"], place["task0"], len(batches), *RING_OFFSETS,
                        *TASK_OFFSETS, *MODULE_OFFSETS, 0)
    put("crash", struct.pack("<QQiI", BASE, 0, 7, 0) + crash)
    put("other", struct.pack("<QQiI", BASE, place["crash"], 8, 0) + b"\1" * 256)
    put("notifiers", bytes(int(options.get("lock", 8))) + struct.pack("<Q", place["other"]),
        LISTS)
    lists = [(LISTS, "Dpanic_notifier_list"), (LISTS + 4096, "dmodules")]
    put_symbols([(BASE, "T_text"), (BASE + 0x1000, "Tdo_one"), (BASE + 0x2000, "t" + LONG),
                 (BASE + 0x3000, "T_etext"), *([] if "functions" in options else lists),
                 (0x1000, "Aper_cpu")])
    write()


def write():
    for word in sys.argv[2:]:
        if word.startswith("drop="):
            del memory[word[5:]]
        elif word.startswith("set="):
            name, offset, data = word[4:].replace("@", "=").split("=")
            data = bytes.fromhex(data)
            memory[name][int(offset):int(offset) + len(data)] = data
    noted = {"kallsyms_names": "names", "kallsyms_offsets": "offsets", "kallsyms_num_syms": "nr",
             "kallsyms_relative_base": "base", "kallsyms_token_table": "pieces",
             "kallsyms_token_index": "index"}
    out = b"fakedump" + struct.pack("<Q", len(noted))
    for symbol, name in noted.items():
        out += struct.pack("<32sQ", symbol.encode(), place[name])
    for name, data in memory.items():
        out += struct.pack("<QQ", place[name], len(data)) + data
    sys.stdout.buffer.write(out)


main()
