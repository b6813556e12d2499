#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the dictionary of docs/coming-from.md for Noxim and Garnet: each pattern's destinations are those of the other program's
formula, and a pattern that the page no longer names fails. test_from_booksim.py has BookSim2's patterns.
"""
import csv
import os
import re

from command import check, main, output

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "coming-from.md")
SIDES = (2, 4, 8, 16)


def at(x, y, side):
    return x + side * y


def bits_of(side):
    return 2 * (side.bit_length() - 1)


def reversed_bits(s, side):
    return int(f"{s:0{bits_of(side)}b}"[::-1], 2)


def ends_swapped(s, side):
    text = f"{s:0{bits_of(side)}b}"
    return int(text[-1] + text[1:-1] + text[0], 2)


# (section, its name there, flitloom's pattern, destination of node s at (x, y) of a square of `side`, a power of two). Noxim turns
# an address round in `nbits` bits; Garnet's patterns of coordinates move along x alone.
PATTERNS = [
    ("Noxim", "transpose2", "transpose", lambda s, x, y, side: at(y, x, side)),
    ("Noxim", "transpose1", "reflect-antidiagonal", lambda s, x, y, side: at(side - 1 - y, side - 1 - x, side)),
    ("Noxim", "bitreversal", "bit-reverse", lambda s, x, y, side: reversed_bits(s, side)),
    ("Noxim", "shuffle", "shuffle", lambda s, x, y, side: 2 * s % (side * side) | 2 * s // (side * side)),
    ("Noxim", "butterfly", "butterfly", lambda s, x, y, side: ends_swapped(s, side)),
    ("Garnet", "bit_complement", "complement", lambda s, x, y, side: at(side - x - 1, side - y - 1, side)),
    ("Garnet", "bit_reverse", "bit-reverse", lambda s, x, y, side: reversed_bits(s, side)),
    ("Garnet", "bit_rotation", "unshuffle", lambda s, x, y, side: s // 2 + s % 2 * side * side // 2),
    ("Garnet", "shuffle", "shuffle", lambda s, x, y, side: 2 * s if 2 * s < side * side else 2 * s - side * side + 1),
    ("Garnet", "transpose", "transpose", lambda s, x, y, side: at(y, x, side)),
    ("Garnet", "tornado", "shift:0,HALF-1", lambda s, x, y, side: at((x + side // 2 - 1) % side, y, side)),
    ("Garnet", "neighbor", "shift:0,1", lambda s, x, y, side: at((x + 1) % side, y, side)),
]


def patterns():
    for section, name, pattern, formula in PATTERNS:
        for side in SIDES:
            pattern_here = pattern.replace("HALF-1", str(side // 2 - 1))
            output(["plan", f"mesh:{side}x{side}", pattern_here, "--planner", "direct", "--messages", "m.csv"])
            with open("m.csv", encoding="utf-8") as it:
                got = {int(row["source"]): int(row["destination"]) for row in csv.DictReader(it)}
            want = {s: formula(s, s % side, s // side, side) for s in range(side * side)}
            wrong = [s for s, d in want.items() if got.get(s, s) != d]
            check(not wrong, f"{section}'s {name} on mesh:{side}x{side}: {pattern_here} sends {wrong[:4]} to {[got.get(s) for s in wrong[:4]]}")


def page():
    with open(PAGE, encoding="utf-8") as it:
        sections = re.split(r"^## ", it.read(), flags=re.M)
    for section, name, pattern, _ in PATTERNS:
        text = next(s for s in sections if s.startswith(section))
        row = next((line for line in text.splitlines() if f"`{name}`" in line or f" {name}`" in line), "")
        check(f"`{pattern.replace('HALF-1', '3')}`" in row, f"{section}: {name} beside {pattern}: \"{row}\"")


main(patterns, page)
