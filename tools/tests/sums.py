#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Adds up the rows of a profile in JSON, as kmprof report should, and compares.

	sums.py DUMP FOCUS IGNORE FILE...

DUMP is of kmprof dump --json. The name of each FILE is what it was grouped by, with .children if it
is sorted by the totals, and with .chosen if only stacks were left that fit FOCUS and IGNORE; it is of
kmprof report --json, or, as dump.chosen, of kmprof dump. Says how many agree, and what does not.
"""
import json
import os
import re
import sys
from collections import Counter


def name_of(frame):
    name = frame["function"] or frame["address"] or "[address hidden]"
    return name + (f" [{frame['module']}]" if frame["module"] else "")


def module_of(name):
    found = re.search(r" (\[[^\]]*\])$", name)
    if found:
        return found[1]
    if name.startswith("0x"):
        return "[unknown]"
    return name if name.startswith("[") else "[kernel]"


def is_chosen(names, focus, ignore):
    return any(re.search(focus, name) for name in names) and \
        not any(re.search(ignore, name) for name in names)


def sums(profile, key, focus, ignore):
    shown = [c["name"] for c in profile["columns"]].index(profile["shown"])
    own, total = Counter(), Counter()
    for row in profile["rows"]:
        names = [name_of(frame) for frame in row["stack"]] or [row["no_stack"]]
        if focus is not None and not is_chosen(names, focus, ignore):
            continue
        value = row["values"][shown]
        if key == "module":
            names = [module_of(name) for name in names]
        elif key != "function":
            labels = [str(label["value"]) for label in row["labels"] if label["name"] == key]
            names = labels or ["[none]"]
        own[names[0]] += value
        for name in set(names):
            total[name] += value
    return [(own[name], total[name], name) for name in total if total[name]]


def wanted(profile, name, focus, ignore):
    key, *how = name.split(".")
    groups = sums(profile, "function" if key == "dump" else key,
                  *((focus, ignore) if "chosen" in how else (None, None)))
    first = 1 if "children" in how else 0
    return sorted(groups, key=lambda group: (-group[first], -group[1 - first], group[2]))


def found(path):
    with open(path, encoding="ascii") as file:
        report = json.load(file)
    if "by" not in report:
        groups = sums(report, "function", None, None)
        return sorted(groups, key=lambda group: (-group[0], -group[1], group[2]))
    return [(row["self"], row.get("total", row["self"]), row["name"]) for row in report["rows"]]


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        profile = json.load(file)
    agree = 0
    for path in sys.argv[4:]:
        want = wanted(profile, os.path.basename(path), *sys.argv[2:4])
        got = found(path)
        if want == got:
            agree += 1
        else:
            print(f"{path}: not {want} but {got}")
    print(f"{agree} agree")


main()
