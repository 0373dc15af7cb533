#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Adds up the rows of a profile in JSON, as kmprof report should.

	sums.py DUMP KEY [FOCUS IGNORE]	self, total and name of each group, of kmprof dump --json
	sums.py --report REPORT		the same of kmprof report --json, in its own order
"""
import json
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


def main():
    if sys.argv[1] == "--report":
        with open(sys.argv[2], encoding="ascii") as file:
            rows = json.load(file)["rows"]
        groups = [(row["self"], row.get("total", row["self"]), row["name"]) for row in rows]
    else:
        with open(sys.argv[1], encoding="ascii") as file:
            groups = sums(json.load(file), sys.argv[2], *(sys.argv[3:] or (None, None)))
        groups.sort(key=lambda group: (-group[0], -group[1], group[2]))
    for group in groups:
        print(*group)


main()
