#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What a description for mkimage should come out as, computed anew.

expect.py sums SPEC    alloc_objects alloc_bytes inuse_objects inuse_bytes as
                       pprof has them: each bucket scaled, then cut
expect.py estimate SPEC  in-use bytes and standard error, alloc bytes and error
"""
import math
import sys


def samples(path):
    with open(path, encoding="ascii") as spec:
        for line in spec:
            word = line.split()
            if word and word[0] == "sample":
                yield [int(w) for w in word[1:5]]


def probability(period, size):
    return 1.0 if period <= 1 else 1 - math.exp(-size / period)


def sums(path):
    total = [0, 0, 0, 0]
    for period, size, allocs, frees in samples(path):
        scale = 1 / probability(period, size)
        for i, n in enumerate((allocs, allocs - frees)):
            total[2 * i] += int(n * scale)
            total[2 * i + 1] += int(n * size * scale)
    return "%d %d %d %d" % tuple(total)


def estimate(path):
    total = [0.0, 0.0, 0.0, 0.0]
    for period, size, allocs, frees in samples(path):
        p = probability(period, size)
        for i, n in enumerate((allocs - frees, allocs)):
            total[2 * i] += n * size / p
            total[2 * i + 1] += n * (1 - p) / p ** 2 * size ** 2
    return "%.0f %.0f %.0f %.0f" % (total[0], math.sqrt(total[1]),
                                    total[2], math.sqrt(total[3]))


print({"sums": sums, "estimate": estimate}[sys.argv[1]](sys.argv[2]))
