# SPDX-License-Identifier: GPL-2.0
"""The names that a machine with another kernel reads from an image, held against what the module
itself has shown in the guest."""

import json
import platform
import re

from outputs import LOST, frames, kmprof, output, pprof_raw, read, report, saved


def of_dump(image):
    return dict(frames(kmprof("dump", "--input", image)))


def of_report(image):
    """Has no addresses: functions and modules."""
    rows = json.loads(kmprof("report", "--input", image, "--json", "-n", "0"))["rows"]
    names = [re.fullmatch(r"(\S+)(?: \[(\w+)\])?", row["name"]).groups("") for row in rows]
    return {name: name for name in names}


def of_pprof(image):
    """Has the address of the call, which is one less, and no offsets."""
    kmprof("dump", "--input", image, "-o", saved("names.pb.gz"))
    raw = pprof_raw(saved("names.pb.gz"))
    modules = dict(re.findall(r"^(\d+): 0x\S+ \[(\S+)\]", raw[raw.index("\nMappings"):], re.M))
    return {int(address, 16) + 1: (name, modules[mapping].replace("kernel.kallsyms", ""))
            for address, mapping, name in
            re.findall(r"^ *\d+: 0x([0-9a-f]+) M=(\d+) (\S+)", raw, re.M)}


def of_perf(image):
    """Has the address of the call, which is one less."""
    kmprof("dump", "--input", image, "-o", saved("names.data"))
    script = output("perf", "script", "--force", "-F", "ip,sym,symoff", "-i", saved("names.data"))
    return {int(address, 16) + 1: (name, int(offset, 16) + 1, module)
            for address, name, module, offset in
            re.findall(r"^\s*([0-9a-f]+) (\S+)(?: \[(\w+)\])?\+0x([0-9a-f]+)", script, re.M)}


def check_boot(boot, kernel):
    image = saved(f"{boot}/once.kmprof")
    wanted = dict(frames(read(f"{boot}/once.txt")))
    functions = {at: (name, module) for at, (name, _, module) in wanted.items()}
    by_name = {name: name for name in functions.values()}
    rows = re.findall("^[0-9].* @ .*", kmprof("dump", "--input", image), re.M)
    frames_of_image = len({address for row in rows for address in row.split(" @ ")[1].split()})
    for reader, read_names, truth, least in (
            ("kmprof dump", of_dump, wanted, frames_of_image),
            ("kmprof report", of_report, by_name, len(LOST)),
            ("go tool pprof", of_pprof, functions, frames_of_image),
            ("perf script", of_perf, wanted, frames_of_image)):
        found = read_names(image)
        wrong = [f"{at}: {name}, not {truth.get(at)}" for at, name in found.items()
                 if truth.get(at) != name]
        missing = set(LOST.items()) - {(name[0], name[-1]) for name in found.values()}
        report(not wrong and not missing and len(found) >= least,
               f"{kernel} on {platform.release()}: {len(found)} names of {reader} are right",
               "\n".join(wrong + [f"not there: {name}" for name in missing]))


def check_6_1():
    check_boot("a", "6.1")


def check_6_12():
    check_boot("c", "6.12")


PARTS = check_6_1, check_6_12
