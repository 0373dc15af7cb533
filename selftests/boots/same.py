# SPDX-License-Identifier: GPL-2.0
"""kmprof diff of two boots at different addresses, a and b, under the same load."""

import json
import math
import re
from collections import Counter

from outputs import LOST, frames, kmprof, pprof_raw, read, report, saved

# Beside the stacks that lose objects, those with more than that are looked at: inodes and names of
# files.
LARGE = 1 << 20
# Two counts of samples with the same expectation are binomial, given their sum n: they differ by
# LIMIT * sqrt(n) or more with a probability of at most 2 * exp(-LIMIT ** 2 / 2), which is 3e-8 for a
# stack. A load that runs twice has 512 samples more, of 1536: 13 * sqrt(n).
LIMIT = 6


def leaf(stack):
    return stack["stack"][0]["function"]


def off(stack):
    """By how many standard errors the memory in use differs."""
    value = stack["values"]["inuse_space"]
    error = value["change_standard_error"]
    return abs(value["change"]) / error if error else math.inf


def told(stacks):
    return "\n".join(f"{leaf(s)}: {s['state']}, {s['values']['inuse_space']}, "
                     f"{off(s):.1f} standard errors" for s in stacks)


def changed(a, b):
    """The stacks of diff as JSON. Those with as many samples in both are left out."""
    stacks = json.loads(kmprof("diff", saved(a), saved(b), "--json", "-n", "0"))["stacks"]
    return [s for s in stacks if s["stack"]]


def that_lose(stacks):
    return [s for s in stacks if leaf(s) in LOST]


def chains(text):
    """The stacks of a text that lose objects, without addresses."""
    stacks = ([frame for _, frame in frames(lines)]
              for lines in re.findall(r"(?:^#\t0x.*\n)+", text, re.M))
    return sorted(stack for stack in stacks if stack and stack[0][0] in LOST)


def check_addresses():
    addresses = [read(f"{boot}/text_address").strip() for boot in "ab"]
    report(all(re.fullmatch("f{8}[0-9a-f]{8}", address) for address in addresses) and
           addresses[0] != addresses[1], "two boots have their kernels at different addresses",
           addresses)
    a, b = (chains(read(f"{boot}/once.txt")) for boot in "ab")
    report(len(a) == len(LOST) and a == b, "the module names the same stacks in both", f"{a}\n{b}")


def check_same():
    stacks = [s for s in changed("a/once.kmprof", "b/once.kmprof")
              if leaf(s) in LOST or max(s["values"]["inuse_space"][i] for i in "ab") >= LARGE]
    report(not any(s["state"] for s in stacks),
           "diff: neither the leaks nor large stacks are new or gone", told(stacks))
    report(stacks and all(off(s) <= LIMIT for s in stacks),
           f"diff: ... and they are the same within {LIMIT} standard errors", told(stacks))

    table = kmprof("diff", saved("a/once.kmprof"), saved("b/once.kmprof"), "-n", "0")
    lines = re.findall(rf".* (?:{'|'.join(LOST)}) \[.*", table)
    report(len(lines) == len(that_lose(stacks)) and
           not any(re.search(" (new|gone)  ", line) for line in lines),
           "diff: the table has the same of the leaks", "\n".join(lines))


def check_twice():
    for a, b in ("a/once", "b/twice"), ("b/once", "a/twice"):
        lost = that_lose(changed(f"{a}.kmprof", f"{b}.kmprof"))
        report(len(lost) == len(LOST) and all(off(s) > LIMIT for s in lost),
               f"diff: twice the load is not within {LIMIT} standard errors: {a}, {b}", told(lost))


def check_pprof():
    path = saved("diff.pb.gz")
    kmprof("diff", saved("a/once.kmprof"), saved("b/once.kmprof"), "--format", "pprof", "-o", path)
    raw = pprof_raw(path)
    names = dict(re.findall(r"^ *(\d+): 0x[0-9a-f]+ M=\d+ (\S+)", raw, re.M))
    # Values, the first location, and the label, if there is one. The first four values are changes,
    # the last one is the memory in use in b.
    samples = [(names[first], [int(value) for value in values.split()], state)
               for values, first, state in
               re.findall(r"^((?: +-?\d+)+): (\d+)[ \d]*\n(?: +diff:\[(\w+)\])?", raw, re.M)]
    told_samples = "\n".join(map(str, samples))
    report(sorted((name, state) for name, _, state in samples if name in LOST) ==
           sorted((name, "") for name in LOST),
           "diff: each leak of both boots is one stack", told_samples)
    report(any(values[-1] >= LARGE and name not in LOST for name, values, _ in samples),
           "diff: there are large stacks of files, too", told_samples)
    found = Counter((name, values[3], state) for name, values, state in samples if any(values[:4]))
    wanted = Counter((leaf(s), s["values"]["inuse_space"]["change"], s["state"] or "")
                     for s in changed("a/once.kmprof", "b/once.kmprof"))
    report(wanted and found == wanted, "diff: pprof reads the same differences",
           f"{found - wanted}\n{wanted - found}")


PARTS = check_addresses, check_same, check_twice, check_pprof
