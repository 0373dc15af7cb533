# SPDX-License-Identifier: GPL-2.0
"""What selftests/boots/verify has of the boots, and how it reports.

The load is that of selftests/boots/guest.
"""

import os
import re
import subprocess
import sys
import tempfile

# The functions that lose the same in each run of the load, and their modules. kmprof_brief has been
# removed before an image is saved.
LOST = {
    "cat_kmalloc__call": "kmprof_catalogue",
    "cat_kmemdup__call": "kmprof_catalogue",
    "cat_large__call": "kmprof_catalogue",
    "brief_leak": "kmprof_brief",
    "brief_init_leak": "kmprof_brief",
}

counts = {"ok": 0, "not ok": 0}


def report(good, name, details=""):
    counts["ok" if good else "not ok"] += 1
    print(f"{'ok' if good else 'not ok'} - {name}")
    if not good:
        for line in str(details).splitlines():
            print(f"#   {line}")


def output(*command):
    """What a command prints; raises when it fails. It has no configuration, and leaves no cache."""
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, HOME=home, PPROF_TMPDIR=home, LC_ALL="C.UTF-8")
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def kmprof(*arguments):
    return output(sys.argv[2], *arguments)


def pprof_raw(path):
    return output("go", "tool", "pprof", "-raw", path)


def saved(name):
    return f"{sys.argv[1]}/{name}"


def read(name):
    with open(saved(name), encoding="utf-8") as file:
        return file.read()


def frames(text):
    """Address, function, offset and module of each frame of a text, which has them as printk() does."""
    return [(int(address, 16), (name, int(offset, 16), module))
            for address, name, offset, module in
            re.findall(r"^#\t0x([0-9a-f]+)\t(\S+)\+0x([0-9a-f]+)/\S+(?: \[(\w+)\])?", text, re.M)]
