#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes an image of SIZE bytes to standard output that is made to cost its reader much.

	crafted.py KIND SIZE

frames     each row has all frames
texts      each scalar has the same text of half the image
losses     one loss has a name of half the image, and each is padded to that
columns    each row is shown with names of columns that are half the image
profiles   half of it profiles, half of it their scalars
rows       rows without frames, of 16 columns that are all the same number
stacks     few rows, all different frames
apart      stacks whose names differ further and further out only
"""
import struct
import sys

HEADER, PROFILE, COLUMN, SCALAR = 128, 40, 16, 32
LOST, LEDGER, SAMPLED, COUNTED, TOTAL = 32, 4, 8, 16, 2
HEAP, OBJECTS = 1, 0


class Image:
    """Tables, which come one after the other."""

    def __init__(self):
        self.strings = bytearray(b"\0")
        self.profiles, self.scalars, self.frames = [], [], b""

    def string(self, text):
        self.strings += text.encode() + b"\0"
        return len(self.strings) - len(text) - 1

    def scalar(self, name, text=0, profile=0, flags=0, value=0):
        self.scalars.append(struct.pack("=6IQ", name, 0, text, profile, flags, 0, value))

    # columns: (name, unit, offset); rows: packed, all of the same size
    def profile(self, name, form, rows, row_size, columns):
        self.profiles.append((name, form, rows, row_size, columns))

    def write(self):
        body, at = [], HEADER

        def place(data, count, entry_size):
            nonlocal at
            where = struct.pack("=QII", at, count, entry_size)
            body.append(data + b"\0" * (-len(data) % 8))
            at += len(body[-1])
            return where

        directory = len(self.profiles) * PROFILE
        at += directory
        entries = []
        for name, form, rows, row_size, columns in self.profiles:
            table = b"".join(struct.pack("=4I", *c, 0) for c in columns)
            columns = place(table, len(columns), COLUMN)
            rows = place(b"".join(rows), len(rows), row_size)
            entries.append(struct.pack("=II", name, form) + rows + columns)
        scalars = place(b"".join(self.scalars), len(self.scalars), SCALAR)
        frames = place(self.frames, len(self.frames) // 8, 8)
        strings = place(bytes(self.strings), len(self.strings), 1)
        header = struct.pack("=4I4Q", 0x46504d4b, 2, HEADER, 1, at, 1, 1, 2)
        header += struct.pack("=QII", HEADER, len(self.profiles), PROFILE)
        header += scalars + struct.pack("=QII", HEADER, 0, 32) + frames + strings
        sys.stdout.buffer.write(header + b"".join(entries + body))


def sample(first_frame, nr_frames):
    """A row of the heap profile: one object of one byte."""
    return struct.pack("=IIQ5Q", nr_frames, 0, first_frame, 1, 1, 1, 0, 0)


def addresses(numbers):
    return b"".join(struct.pack("=Q", 0xffffffff81001000 + n) for n in numbers)


def frames(image, size):
    nr = size // 2 // 8
    image.frames = addresses(range(nr))
    rows = [sample(0, nr) for _ in range(size // 2 // 56)]
    image.profile(image.string("heap"), HEAP, rows, 56, [])


def texts(image, size):
    name, text = image.string("a"), image.string("x" * (size // 2))
    for _ in range(size // 2 // 32):
        image.scalar(name, text)


def losses(image, size):
    name = image.string("ledger.a")
    image.scalar(image.string("ledger." + "x" * (size // 2)), flags=LEDGER, value=1)
    for _ in range(size // 2 // 32):
        image.scalar(name, flags=LEDGER, value=1)


def columns(image, size):
    name = [image.string("x" * (size // 32)) for _ in range(16)]
    rows = [struct.pack("=IIQQ", 0, 0, 0, i + 1) for i in range(size // 2 // 24)]
    image.profile(image.string("objects"), OBJECTS, rows, 24, [(n, n, 16) for n in name])


def profiles(image, size):
    nr = size // 2 // PROFILE
    name = image.string("p")
    for i in range(nr):
        image.profile(name, OBJECTS, [], 16, [])
    for i in range(size // 2 // 32):
        image.scalar(name, profile=1 + i % nr, flags=COUNTED | SAMPLED, value=i)


def rows(image, size):
    name = image.string("number")
    rows = [struct.pack("=IIQQ", 0, 0, 0, i + 1) for i in range(size // 24)]
    image.profile(image.string("objects"), OBJECTS, rows, 24, [(name, name, 16)] * 16)


def stacks(image, size):
    nr = size // 8
    image.frames = addresses(i % 65536 * 7919 for i in range(nr))
    rows = [sample(nr // 8 * i, nr // 8) for i in range(8)]
    image.profile(image.string("heap"), HEAP, rows, 56, [])


# Two addresses in one function: only what is behind its name tells them apart.
def apart(image, size):
    rows, at, depth = [], 0, 1
    stacks = []
    while at < size // 8:
        stacks.append(addresses([1] * (depth - 1) + [2]))
        rows.append(sample(at, depth))
        at += depth
        depth += 1
    image.frames = b"".join(stacks)
    image.profile(image.string("heap"), HEAP, rows, 56, [])


def main():
    image = Image()
    kinds = frames, texts, losses, columns, profiles, rows, stacks, apart
    {kind.__name__: kind for kind in kinds}[sys.argv[1]](image, int(sys.argv[2]))
    image.write()


if __name__ == "__main__":
    main()
