#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""For t_memory.sh.

	memory.py make NUMBER DIRECTORY	writes sites.spec, an image for mkimage of so many functions that
				allocate, each with a stack of its own; and kallsyms, of a kernel
	memory.py peak COMMAND...	prints the bytes that the command takes at the peak
"""
import os
import random
import sys

START = 0xffffffff81000000
FUNCTIONS, DATA, CALLERS = 60000, 60000, 5000
WORDS = ("alloc free get put init page slab inode dentry super skb sock task mm vma lock queue work "
         "timer net dev file read write open sync list tree node").split()


def name(number):
    return "_".join(random.choices(WORDS, k=random.randint(2, 4))) + f"_{number}"


def make(number, directory):
    random.seed(1)
    address, functions, lines = START, [], [f"{START:x} T _text\n"]
    for i in range(FUNCTIONS):
        functions.append(address)
        lines.append(f"{address:x} t {name(i)}\n")
        address += random.choice((64, 128, 256, 512))
    lines.append(f"{address:x} T _etext\n")
    lines += (f"{address + 64 * i:x} d {name(i)}\n" for i in range(DATA))
    with open(directory + "/kallsyms", "w", encoding="ascii") as file:
        file.writelines(lines)

    callers = [function + 5 for function in random.sample(functions, CALLERS)]
    with open(directory + "/sites.spec", "w", encoding="ascii") as file:
        file.write("rate 524288\n")
        # All columns that there can be.
        for mark in "peak", "at", "oom":
            file.write(f"scalar mark.{mark}_bytes bytes - 1 mark\n"
                       f"scalar mark.{mark}_time_ns - - 5000000000 mark\n")
        for site in random.sample(functions, number):
            stack = [site + 5] + random.choices(callers, k=random.randint(3, 11))
            file.write(f"sample 524288 {random.choice((64, 128, 256, 512))} 9 1 0 "
                       f"{' '.join(map(hex, stack))}\nmarks 8 4 2\n")


def peak(command):
    """What the program begins with is less: the pages of this one."""
    pid = os.posix_spawnp(command[0], command, os.environ,
                          file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    print(usage.ru_maxrss * 1024)
    sys.exit(os.waitstatus_to_exitcode(status))


if sys.argv[1] == "make":
    make(int(sys.argv[2]), sys.argv[3])
else:
    peak(sys.argv[2:])
