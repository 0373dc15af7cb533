#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Reads a profile back from one of the formats of kmprof dump.

	formats.py stacks FORMAT FILE	value and stack of the column that is shown, a line
					for each stack of names, the largest first
	formats.py frames FILE		of a file in JSON: value and name of each frame of its
					flame graph
	formats.py drawn FILE		the same of an SVG picture
	formats.py totals FILE		the total of each column of a file in JSON, and that of
					its rows, if it is another one
	formats.py sound FILE		complains of an HTML page or an SVG picture that is not
					well-formed, or has what might load or run something

Each reader knows what the format is, and nothing of how kmprof writes it.
"""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from html.parser import HTMLParser

SVG = "{http://www.w3.org/2000/svg}"


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


def data_of(text):
    """The JSON of an HTML page."""
    return json.loads(re.search(r'<script type="application/json" id="profile">(.*?)</script>',
                                text, re.DOTALL)[1])


def plain(name):
    """A name without its module."""
    return re.sub(r" \[[^\]]*\]$", "", name)


def of_html(text):
    profile = data_of(text)
    stacks, frames = Counter(), []
    for common, others, values in profile["stacks"]:
        frames = frames[:common] + [plain(profile["names"][i]) for i in others]
        stacks[";".join(frames)] += values[profile["shown"]]
    return stacks


def frames(text):
    """Sums of all stacks that begin alike; as in a flame graph, modules tell names apart."""
    profile = json.loads(text)
    shown = [c["name"] for c in profile["columns"]].index(profile["shown"])
    sums = Counter()
    for row in profile["rows"]:
        path = ()
        sums["all",] += row["values"][shown]
        names = [(frame["function"] or frame["address"] or "[address hidden]") +
                 (f" [{frame['module']}]" if frame["module"] else "")
                 for frame in reversed(row["stack"])] or [row["no_stack"]]
        for name in names:
            path += name,
            sums[("all",) + path] += row["values"][shown]
    return sorted((value, path[-1]) for path, value in sums.items() if value)


def drawn(text):
    titles = [title.text for title in ElementTree.fromstring(text.encode()).iter(SVG + "title")]
    found = [re.fullmatch(r"(.*): (\d+), [\d.]+ %", title) for title in titles]
    return sorted((int(f[2]), f[1]) for f in found)


class Page(HTMLParser):
    """Elements that have an end, end in the order in which they began."""

    EMPTY = {"meta", "input", "br", "link", "img"}

    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = Counter()
        self.text = Counter()

    def handle_decl(self, decl):
        self.seen["!" + decl] += 1

    def handle_starttag(self, tag, attrs):
        self.seen[tag] += 1
        check(tag, attrs)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            print(f"line {self.getpos()[0]}: </{tag}> ends nothing")

    def handle_data(self, data):
        self.text[self.open[-1] if self.open else ""] += len(data.strip())


def check(tag, attrs):
    for name, value in attrs:
        if name.startswith("on") or name in ("src", "href", "style", "srcset", "action", "data"):
            print(f"<{tag} {name}={value!r}>")
    if tag in ("link", "img", "iframe", "object", "embed", "base", "foreignobject", "image", "use"):
        print(f"<{tag}>")


def check_loads(text):
    text = text.replace('xmlns="' + SVG[1:-1] + '"', "")
    for word in ("http:", "https:", "url(", "@import", "fetch(", "innerHTML", "eval("):
        if word in text:
            print(f"has {word}")


def sound(text):
    check_loads(text)
    if text.startswith("<?xml"):
        for element in ElementTree.fromstring(text.encode()).iter():
            if element.tag[len(SVG):] not in ("svg", "style", "rect", "text", "g", "title"):
                print(f"has {element.tag}")
            check(element.tag[len(SVG):], element.attrib.items())
        return
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        print(f"not ended: {page.open}")
    if page.text[""] or page.seen["html"] != 1 or page.seen["script"] != 3:
        print(f"text outside: {page.text['']}, elements: {dict(page.seen)}")


def of_report(text):
    """A report by stack."""
    return Counter({";".join(map(plain, reversed(row["stack"]))): row["self"]
                    for row in json.loads(text)["rows"]})


def of_tree(text):
    """A report as a tree: what ends in a function is not in its branches."""
    stacks = Counter()

    def descend(branches, path):
        for branch in branches:
            here = path + [plain(name) for name in branch["functions"]]
            stacks[";".join(here)] += branch["self"]
            below = sum(below["total"] for below in branch["branches"] +
                        [branch.get("others", {"total": 0})])
            if branch["total"] != branch["self"] + below:
                print(f"{here}: {branch['total']} is not {branch['self']} + {below}")
            descend(branch["branches"], here)

    descend(json.loads(text)["tree"]["branches"], [])
    return stacks


def of_script(text):
    """As stackcollapse-perf.pl does, but without the comm; the pid has to be a number."""
    stacks, names, period = Counter(), None, 0
    for line in text.splitlines() + [""]:
        if line.startswith("#"):
            continue
        head = re.match(r"(\S.+?)\s+(\d+)/*(\d+)*\s+(\d+\.\d{6}):\s+(\d+)\s+(\S+):\s*$", line)
        frame = re.match(r"\s+([0-9a-f]+) (.+) \((\S+)\)$", line)
        if not line and names is not None:
            stacks[";".join(names)] += period
            names = None
        elif head and names is None:
            names, period = [], int(head[5])
        elif frame and names is not None:
            name = re.sub(r"\+0x[0-9a-f]+$", "", frame[2])
            names.insert(0, name if name != "[unknown]" else f"0x{frame[1]}")
        elif line:
            print(f"not in perf's format: {line}")
    return stacks


def of_perf(path):
    """What perf script makes of it, of the first event."""
    command = "perf script --force -F event,period,ip,sym -i".split() + [path]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**os.environ, "HOME": os.path.dirname(path)})
    # It takes each row for a sample, and tells how many more were lost, in percent.
    print(re.sub(r"Warning:\nProcessed \d+ samples and lost [\d.]+%!\n\n", "", done.stderr), end="")
    stacks, names, first = Counter(), [], None
    for line in done.stdout.splitlines() + [""]:
        head = re.fullmatch(r"\s*(\d+)\s+(\S+):\s*", line)
        frame = re.fullmatch(r"\s+([0-9a-f]+) (.+)", line)
        if head:
            period, event, names = int(head[1]), head[2], []
            first = first or event
        elif frame:
            # The return address is one more than that of the call.
            names.insert(0, plain(frame[2]) if frame[2] != "[unknown]"
                         else hex(int(frame[1], 16) + 1))
        elif line.strip():
            print(f"not in perf's format: {line}")
        elif names:
            stacks[";".join(names)] += period if event == first else 0
            names = []
    return stacks


def totals(text):
    profile = json.loads(text)
    named = [c["total"] for c in profile["columns"]]
    summed = [min(sum(values), 2 ** 63 - 1)
              for values in zip(*(row["values"] for row in profile["rows"]))]
    return " ".join(map(str, named)) + ("" if summed in (named, []) else f" but {summed}")


def show(stacks):
    for stack, value in sorted(stacks.items(), key=lambda item: (-item[1], item[0])):
        if value:
            print(value, stack)


def main():
    if sys.argv[1:3] == ["stacks", "perf.data"]:
        show(of_perf(sys.argv[3]))
        return
    readers = {"json": of_json, "folded": of_folded, "html": of_html, "script": of_script,
               "report": of_report, "tree": of_tree}
    with open(sys.argv[-1], encoding="ascii") as file:
        text = file.read()
    if sys.argv[1] == "totals":
        print(totals(text))
    elif sys.argv[1] == "sound":
        sound(text)
    elif sys.argv[1] in ("frames", "drawn"):
        for value, name in {"frames": frames, "drawn": drawn}[sys.argv[1]](text):
            print(value, name)
    else:
        show(readers[sys.argv[2]](text))


main()
