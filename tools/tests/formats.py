#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Reads a profile back from one of the formats of kmprof dump.

	formats.py stacks READER FILE	value and stack of the column that is shown, a line
					for each stack of names, the largest first. A reader is
					one of READERS or PROGRAMS
	formats.py column FILE		the same of a file in JSON, with the column's name; and
					what a page shows when the hottest stack's outermost
					function is zoomed to, and its innermost one searched
	formats.py functions READER FILE	functions, with what they have by themselves and
					with all that they call: of json or top
	formats.py frames FILE		of a file in JSON: value and name of each frame of its
					flame graph
	formats.py drawn FILE		the same of an SVG picture
	formats.py totals FILE		the total of each column of a file in JSON, and that of
					its rows, if it is another one
	formats.py sound FILE [SCRIPTS]	complains of an HTML page or an SVG picture that is not
					well-formed, or has what might load or run something

Each reader knows what the format is, and nothing of how kmprof writes it. A total that the
format itself has must be that of its stacks.
"""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from html.parser import HTMLParser

UNKNOWN = "<unknown>"
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


def of_unnamed(text):
    """JSON as pprof's texts have it: what has no name is not told apart."""
    stacks = Counter()
    for stack, value in of_json(text).items():
        stacks[re.sub(r"(^|(?<=;))0x[0-9a-f]+", UNKNOWN, stack)] += value
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


def sound(text, scripts=3):
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
    if page.text[""] or page.seen["html"] != 1 or page.seen["script"] != int(scripts):
        print(f"text outside: {page.text['']}, elements: {dict(page.seen)}")


def check_total(total, stacks):
    if total != sum(stacks.values()):
        print(f"a total of {total}, and stacks of {sum(stacks.values())}")


def of_report(text):
    """A report by stack."""
    report = json.loads(text)
    stacks = Counter({";".join(map(plain, reversed(row["stack"]))): row["self"]
                      for row in report["rows"]})
    check_total(report["total"], stacks)
    return stacks


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

    report = json.loads(text)
    descend(report["tree"]["branches"], [])
    check_total(report["total"], stacks)
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


def called(name):
    """The address of a call is one less than that to which it returns."""
    return hex(int(name, 16) + 1) if name.startswith("0x") else plain(name)


def of_perf_script(text):
    """What perf script makes of perf.data, of the first event."""
    stacks, names, first = Counter(), [], None
    for line in text.splitlines() + [""]:
        head = re.fullmatch(r"\s*(\d+)\s+(\S+):\s*", line)
        frame = re.fullmatch(r"\s+([0-9a-f]+) (.+)", line)
        if head:
            period, event, names = int(head[1]), head[2], []
            first = first or event
        elif frame:
            names.insert(0, called(frame[2] if frame[2] != "[unknown]" else "0x" + frame[1]))
        elif line.strip():
            print(f"not in perf's format: {line}")
        elif names:
            stacks[";".join(names)] += period if event == first else 0
            names = []
    return stacks


def of_perf_report(text):
    """What perf report makes of it, of the first event."""
    stacks = Counter()
    first = re.split(r"^# Samples: .*\n", text, flags=re.MULTILINE)[1]
    for line in first.splitlines():
        found = re.fullmatch(r"(\d+) (.+)", line)
        if found:
            stacks[";".join(called(name) for name in found[2].split(";"))] += int(found[1])
    check_total(int(re.search(r"# Event count \(approx\.\): (\d+)", first)[1]), stacks)
    return stacks


def of_raw(text):
    """go tool pprof -raw: samples, the innermost location first, then locations."""
    samples, locations = re.search(r"^Samples:\n(.*)^Locations\n(.*)^Mappings$", text,
                                   re.DOTALL | re.MULTILINE).groups()
    header, samples = samples.split("\n", 1)
    shown = [column.endswith("[dflt]") for column in header.split()].index(True)
    name = {}
    for line in locations.splitlines():
        found = re.fullmatch(r"\s*(\d+): (0x[0-9a-f]+) (?:M=\d+ )?(?:(.+) :0 s=0)?", line)
        name[found[1]] = found[3] or called(found[2])
    stacks = Counter()
    for values, ids in re.findall(r"^([ \d]+): ([ \d]+)$", samples, re.MULTILINE):
        stacks[";".join(name[i] for i in reversed(ids.split()))] += int(values.split()[shown])
    return stacks


def number(text):
    """Of pprof, without its unit."""
    return int(re.match(r"\d+", text)[0])


def of_traces(text):
    """go tool pprof -traces: labels, then value and stack, the innermost function first."""
    head, *samples = re.split(r"^-+\+-+\n", text, flags=re.MULTILINE)
    stacks = Counter()
    for sample in samples:
        lines = [line.strip() for line in sample.splitlines()
                 if not re.match(r" *[^ ]+:  ", line)]
        if lines:
            value, lines[0] = lines[0].split("   ", 1)
            stacks[";".join(reversed(lines))] += number(value)
    check_total(number(re.search(r"Total samples = (\S+)", head)[1]), stacks)
    return stacks


def functions_of(stacks):
    """What each has by itself, and with all that it calls; one that calls itself once."""
    alone, below = Counter(), Counter()
    for stack, value in stacks.items():
        names = stack.split(";")
        alone[names[-1]] += value
        for name in set(names):
            below[name] += value
    return {name: (alone[name], below[name]) for name in below if below[name]}


def of_top(text):
    """go tool pprof -top"""
    head, rows = re.split(r"^ +flat .*\n", text, flags=re.MULTILINE)
    functions = {}
    for row in rows.splitlines():
        flat, _, _, cum, _, name = row.split(None, 5)
        if number(cum):
            functions[name] = (number(flat), number(cum))
    check_total(number(re.search(r"of (\S+) total", head)[1]),
                {name: flat for name, (flat, _) in functions.items()})
    return functions

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


def column(text):
    stacks = of_json(text)
    print("#", json.loads(text)["shown"])
    show(stacks)
    if any(stacks.values()):
        names = min(stacks, key=lambda stack: (-stacks[stack], stack)).split(";")
        inside = [(stack.split(";"), value) for stack, value in stacks.items()
                  if stack.split(";")[0] == names[0]]
        print("zoom", names[0], sum(value for _, value in inside))
        print("search", names[-1], sum(value for stack, value in inside if names[-1] in stack))


# Those of the file itself.
READERS = {
    "json": of_json, "unnamed": of_unnamed, "folded": of_folded, "html": of_html,
    "script": of_script, "report": of_report, "tree": of_tree,
}
# Those of what a program says about the file.
PPROF = "go tool pprof -symbolize=none -nodecount=100000 -nodefraction=0 -edgefraction=0"
PROGRAMS = {
    "perf.data": (of_perf_script, "perf script --force -F event,period,ip,sym -i"),
    "perf.report": (of_perf_report, "perf report --force --stdio --no-children "
                                    "-g folded,0,caller,function,period -i"),
    "raw": (of_raw, PPROF + " -raw"),
    "traces": (of_traces, PPROF + " -traces -unit={unit}"),
    "top": (of_top, PPROF + " -top -unit={unit}"),
}


def run(command, path):
    done = subprocess.run(command.split() + [path], capture_output=True, text=True, check=False,
                          env={**os.environ, "HOME": os.path.dirname(path),
                               "PPROF_TMPDIR": os.path.dirname(path)})
    # perf takes each row for a sample, and tells how many more were lost, in percent.
    print(re.sub(r"Warning:\nProcessed \d+ samples and lost [\d.]+%!\n\n", "", done.stderr), end="")
    return done.stdout


def read(reader, path):
    if reader in PROGRAMS:
        parse, command = PROGRAMS[reader]
        if "{unit}" in command:
            unit = re.search(r"/(\S+)\[dflt\]", run(PPROF + " -raw", path))[1]
            command = command.format(unit=unit)
        return parse(run(command, path))
    with open(path, encoding="ascii") as file:
        return READERS[reader](file.read())


def main():
    command, *arguments = sys.argv[1:]
    if command == "stacks":
        show(read(*arguments))
        return
    if command == "functions":
        found = read(*arguments)
        for name, values in sorted((functions_of(found) if arguments[0] != "top" else found).items()):
            print(*values, name)
        return
    with open(arguments[0], encoding="ascii") as file:
        text = file.read()
    if command == "totals":
        print(totals(text))
    elif command == "column":
        column(text)
    elif command == "sound":
        sound(text, *arguments[1:])
    else:
        for value, name in {"frames": frames, "drawn": drawn}[command](text):
            print(value, name)


main()
