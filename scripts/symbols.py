#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Addresses of a kernel with debug information, for scripts/check-symbols.

	symbols.py choose SEED DIRECTORY	chooses 1000 addresses of the kernel and of 25 modules. Writes
					into DIRECTORY: root/, what a machine shows that runs them;
					places.spec, an image of them for mkimage; and where they are
	symbols.py judge DIRECTORY TEXT	compares the text of kmprof dump --lines with what addr2line -i
					finds, and llvm-symbolizer. Each address must be as one of them
					has it
	symbols.py stacks DIRECTORY	writes stacks.spec, of 100000 different stacks, with root/
	symbols.py cost DIRECTORY KMPROF	compares what writing stacks.image takes with perf script,
					and the memory of each format with the image
"""
import glob
import json
import os
import posixpath
import random
import re
import subprocess
import sys
from collections import Counter

DEBUG = "/usr/lib/debug"
TEXT, KASLR = 0xffffffff81000000, 0x1e000000
MODULES, MODULE_ROOM = 0xffffffffc0000000, 0x1000000
LINKED = 0x10000
OF_KERNEL, NR_MODULES, OF_MODULE = 800, 25, 8
# A kernel calls from some thousand places, and the same ones are in many stacks.
NR_STACKS, NR_PLACES, DEPTHS = 100000, 5000, (8, 24)
FORMATS = "script", "perf.data", "pprof", "folded", "text", "json", "svg", "html"
# Of CPU time: other work on the machine adds to it, to the one or to the other.
ROUNDS = 10


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def functions_of(path):
    """(address, size, name) of each function in .text; in a module, the address is its offset."""
    number = re.search(r"\[ *(\d+)\] \.text ", output("readelf", "-SW", path))[1]
    found = []
    for line in output("readelf", "-sW", path).splitlines():
        word = line.split()
        if len(word) == 8 and word[3] == "FUNC" and word[6] == number and int(word[2], 0):
            found.append((int(word[1], 16), int(word[2], 0), word[7]))
    return sorted(found)


def choose_in(functions, number):
    """Bytes of code, each as likely as any other, but of functions with several names."""
    names = Counter(address for address, _, _ in functions)
    functions = [function for function in functions if names[function[0]] == 1]
    weights = [size for _, size, _ in functions]
    chosen = set()
    while len(chosen) < number:
        (address, size, _), = random.choices(functions, weights)
        chosen.add(address + random.randrange(size))
    return sorted(chosen)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def contents(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def copy_note(path, to):
    os.makedirs(os.path.dirname(to), exist_ok=True)
    section = ".notes" if os.path.basename(path).startswith("vmlinux") else ".note.gnu.build-id"
    output("objcopy", "-O", "binary", "--only-section=" + section, path, to)


def newest():
    found = glob.glob(f"{DEBUG}/boot/vmlinux-*")
    if not found:
        sys.exit(f"symbols.py: no kernel in {DEBUG}/boot: 'scripts/deps symbols' installs one")
    return max(found, key=lambda path: [int(n) for n in re.findall(r"\d+", path)])


def choose(seed, directory):
    random.seed(seed)
    root = directory + "/root"
    vmlinux = newest()
    release = os.path.basename(vmlinux).replace("vmlinux-", "")
    functions = functions_of(vmlinux)
    end = max(address + size for address, size, _ in functions)
    symbols = [(TEXT + KASLR, "T", "_text"), (end + KASLR, "T", "_etext")]
    symbols += [(address + KASLR, "t", name) for address, _, name in functions]
    places = [(address + KASLR, vmlinux, address) for address in choose_in(functions, OF_KERNEL)]
    copy_note(vmlinux, root + "/sys/kernel/notes")

    files = glob.glob(f"{DEBUG}/lib/modules/{release}/**/*.ko", recursive=True)
    loaded = []
    for path in random.sample(sorted(files), len(files)):
        functions = functions_of(path)
        if len(loaded) == NR_MODULES:
            break
        if sum(size for _, size, _ in functions) < 100 * OF_MODULE:
            continue
        at = MODULES + len(loaded) * MODULE_ROOM
        name = os.path.basename(path)[:-len(".ko")].replace("-", "_")
        loaded.append(f"{name} 65536 0 - Live {at:#x}\n")
        symbols += [(at + address, "t", f"{symbol}\t[{name}]") for address, _, symbol in functions]
        # Each has it, behind its code.
        symbols.append((at + MODULE_ROOM // 2, "d", f"__this_module\t[{name}]"))
        places += [(at + address, path, address) for address in choose_in(functions, OF_MODULE)]
        copy_note(path, f"{root}/sys/module/{name}/notes/.note.gnu.build-id")

    write(root + "/proc/modules", "".join(loaded))
    write(root + "/proc/kallsyms", "".join(f"{address:x} {kind} {name}\n"
                                           for address, kind, name in sorted(symbols)))
    # What is sampled is where the call returns to.
    write(directory + "/places.spec", "rate 1\n" + "".join(f"sample 1 8 1 0 0 {address + 1:#x}\n"
                                                     for address, _, _ in places))
    write(directory + "/places.json", json.dumps(places))
    print(f"# {len(places)} addresses of {release} and {len(loaded)} of its modules, seed {seed}")


def known(function, place):
    """One way to write what several programs write: kmprof leaves out where the kernel was built."""
    path, line = re.sub(r" \(discriminator \d+\)$", "", place).rsplit(":", 1)
    path = re.sub(r"^debian/build/[^/]*/", "", posixpath.normpath(path))
    return re.sub(r"\..*", "", function), path, line if line != "0" else "?"


def linked(path, directory):
    """A module with its .text at an address that no other section has: llvm-symbolizer takes none."""
    write(directory + "/script", f"SECTIONS {{ .text {LINKED:#x} : {{ *(.text) }} }}")
    output("ld", "--no-warn-rwx-segments", "-nostdlib", "--unresolved-symbols=ignore-all", "-z",
           "noexecstack", "-e", "0", "-T", directory + "/script", "-o", directory + "/module", path)
    return directory + "/module"


def asked(command, addresses, moved=0):
    """address -> functions and lines, the innermost first"""
    text = output(*command, input="".join(f"{address + moved:#x}\n" for address in addresses))
    found = {}
    for line in re.split(r"\n(?=0x)", text.strip()):
        address, *lines = line.strip().splitlines()
        found[int(address, 16) - moved] = [known(*pair) for pair in zip(lines[::2], lines[1::2])]
    return found


def of_kmprof(text):
    found = {}
    for address, name, place in re.findall(r"^#\t0x([0-9a-f]+)\t([^\t\n]+)(?:\t(.*))?$", text, re.M):
        name = re.sub(r"\+0x.*| \(inlined\).*", "", name)
        found.setdefault(int(address, 16) - 1, []).append(known(name, place or "??:?"))
    return found


def judge(directory, text):
    places = json.loads(contents(directory + "/places.json"))
    shown = of_kmprof(contents(text))
    equal, as_llvm, inlined, wrong = 0, 0, 0, []
    for path in sorted({path for _, path, _ in places}):
        here = {at: address for address, where, at in places if where == path}
        is_module = "vmlinux" not in path
        gnu = asked(["addr2line", "-a", "-i", "-f", "-e", path, *(["-j", ".text"] * is_module)],
                    here)
        llvm = asked(["llvm-symbolizer", "-a", "--inlines", "--functions=short", "--output-style=GNU",
                      "--obj=" + (linked(path, directory) if is_module else path)],
                     here, LINKED * is_module)
        for at, address in here.items():
            mine = shown.get(address)
            inlined += len(gnu[at]) > 1
            if mine == gnu[at]:
                equal += 1
            elif mine == llvm[at]:
                as_llvm += 1
            else:
                wrong.append(f"# {address:#x} {path} {at:#x}:\n#   {mine}\n#   addr2line: {gnu[at]}\n"
                             f"#   llvm-symbolizer: {llvm[at]}")
    print(f"# {equal} as addr2line -i has them, {as_llvm} as llvm-symbolizer only, "
          f"{len(wrong)} as neither; {inlined} with inlined callers", *wrong, sep="\n")
    sys.exit(1 if wrong or equal + as_llvm < 900 or inlined < 100 else 0)


def stacks(directory):
    random.seed(1)
    symbols = contents(directory + "/root/proc/kallsyms").splitlines()
    starts = [int(line.split()[0], 16) for line in symbols if line.split()[1] == "t"]
    places = [start + 1 for start in random.sample(starts, NR_PLACES)]
    chosen = {}
    while len(chosen) < NR_STACKS:
        chosen[tuple(random.choices(places, k=random.randint(*DEPTHS)))] = True
    write(directory + "/stacks.spec", "profile stacks\ncolumn calls count\n" + "".join(
        f"row {1 + i % 9} @ {' '.join(map(hex, stack))}\n" for i, stack in enumerate(chosen)))


def used(command, directory, to=os.devnull):
    """CPU seconds and bytes at the peak; fails with the command."""
    with open(to, "wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "HOME": directory})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"# {' '.join(command)}: status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def count_samples(path):
    with open(path, encoding="ascii") as file:
        return sum(line.startswith("kmprof ") for line in file)


def cost(directory, kmprof):
    image = directory + "/stacks.image"
    dump = [kmprof, "dump", "stacks", "--input", image, "--symfs", directory + "/root", "--format"]
    ours, perfs = dump + ["script"], "perf script --force -i".split() + [directory + "/perf.data"]
    used(dump + ["perf.data"], directory, directory + "/perf.data")
    for command in ours, perfs:
        used(command, directory, directory + "/script")
        if count_samples(directory + "/script") != NR_STACKS:
            sys.exit(f"# {' '.join(command)}: not {NR_STACKS} samples")
    mine, perf = [], []
    for _ in range(ROUNDS):
        mine.append(used(ours, directory)[0])
        perf.append(used(perfs, directory)[0])
        if min(mine) < min(perf) / 3:
            break
    size = os.path.getsize(image)
    memory = {name: used(dump + [name], directory)[1] / size for name in FORMATS}
    print(f"# {NR_STACKS} stacks: {min(mine):.2f} s, perf script {min(perf):.2f} s, "
          f"in {len(mine)} rounds")
    print(f"# memory at the peak, in images of {size} bytes:",
          ", ".join(f"{name} {times:.2f}" for name, times in memory.items()))
    sys.exit(0 if min(mine) < min(perf) / 3 and max(memory.values()) <= 3 else 1)


if __name__ == "__main__":
    {"choose": choose, "judge": judge, "stacks": stacks, "cost": cost}[sys.argv[1]](*sys.argv[2:])
