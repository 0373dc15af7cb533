#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Has "go tool trace" show traces: go_pages.py TRACE...

Each page is fetched, with the pages of goroutines that it has links to, and the timeline of one of
them. The profiles are asked for as such: as pictures they need Graphviz. Prints a line for each page
that is not there, and for each complaint; then how many traces were all right.
"""
import os
import re
import subprocess
import sys
import urllib.request

PAGES = ["/", "/trace", "/jsontrace", "/userregions", "/usertasks", "/mmu", "/block?raw=1",
         "/sched?raw=1", "/io?raw=1", "/syscall?raw=1"]
LISTENS = "listening on "


class Viewer:
    """Pages of one trace, and what is wrong with them."""
    def __init__(self, address):
        self.address, self.wrong = address, []

    def fetch(self, page):
        """Return: the page."""
        problem, body = None, b""
        try:
            with urllib.request.urlopen(self.address + page, timeout=300) as answer:
                body = answer.read()
                if answer.status != 200 or not body:
                    problem = f"status {answer.status}, {len(body)} bytes"
        except OSError as error:
            problem = error
        if problem:
            self.wrong.append(f"{page}: {problem}")
        return body.decode(errors="replace")

    def fetch_all(self):
        for page in PAGES:
            self.fetch(page)
        kinds = re.findall(r"/goroutine\?id=\d+", self.fetch("/goroutines"))
        if not kinds:
            self.wrong.append("/goroutines: there are none")
        for kind in kinds:
            goid = re.search(r"goid=\d+", self.fetch(kind))
            if goid:
                self.fetch("/jsontrace?" + goid.group())


def show(tool, trace):
    """Return: a list of what is wrong."""
    wrong, said, address = [], [], None
    viewer = subprocess.Popen([tool, "-http=127.0.0.1:0", trace], stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, text=True, errors="replace",
                              env={**os.environ, "BROWSER": "true"})
    for line in viewer.stderr:
        said.append(line)
        if LISTENS in line:
            address = line.split(LISTENS)[1].strip()
            break
    if address:
        pages = Viewer(address)
        pages.fetch_all()
        wrong += pages.wrong
        viewer.kill()
    said += viewer.stderr.readlines()
    viewer.wait()
    if not address or [line for line in said if "panic" in line or "fail" in line]:
        wrong += [line.rstrip() for line in said]
    return wrong


def main():
    where = subprocess.run(["go", "env", "GOTOOLDIR"], stdout=subprocess.PIPE, text=True, check=True)
    tool = os.path.join(where.stdout.strip(), "trace")
    fine = 0
    for trace in sys.argv[1:]:
        wrong = show(tool, trace)
        fine += not wrong
        for line in wrong:
            print(f"{trace}: {line}")
    print(f"{fine} of {len(sys.argv) - 1} traces")


main()
