#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Reads a profile back from one of the formats of kmprof dump.

	formats.py stacks FORMAT FILE	value and stack of the column that is shown, a line
					for each stack of names, the largest first
	formats.py totals FILE		the total of each column of a file in JSON, and that of
					its rows, if it is another one

Each reader knows what the format is, and nothing of how kmprof writes it.
"""
import json
import re
import sys
from collections import Counter


def of_json(text):
    profile = json.loads(text)
    shown = [c["name"] for c in profile["columns"]].index(profile["shown"])
    stacks = Counter()
    for row in profile["rows"]:
        names = [frame["function"] or frame["address"] or "[address hidden]"
                 for frame in reversed(row["stack"])]
        stacks[";".join(names or [row["no_stack"]])] += row["values"][shown]
    return stacks


def of_folded(text):
    """As flamegraph.pl does: what does not end in a number is skipped."""
    stacks = Counter()
    for line in text.splitlines():
        found = re.fullmatch(r"(.*)\s+(\d+(?:\.\d*)?)", line)
        if found:
            stacks[found[1]] += int(found[2])
    return stacks


def totals(text):
    profile = json.loads(text)
    named = [c["total"] for c in profile["columns"]]
    summed = [min(sum(values), 2 ** 63 - 1)
              for values in zip(*(row["values"] for row in profile["rows"]))]
    return " ".join(map(str, named)) + ("" if summed in (named, []) else f" but {summed}")


def main():
    readers = {"json": of_json, "folded": of_folded}
    with open(sys.argv[-1], encoding="utf-8") as file:
        text = file.read()
    if sys.argv[1] == "totals":
        print(totals(text))
        return
    stacks = readers[sys.argv[2]](text)
    for stack, value in sorted(stacks.items(), key=lambda item: (-item[1], item[0])):
        if value:
            print(value, stack)


main()
