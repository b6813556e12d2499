#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tables 1 and 3 of [Sahni97] again: tests/e2e/otis_table.py [SIDE...], by default 2 4 8 16. For each permutation, as "electronic +
# OTIS": the formulas of Table 1, a 4-D mesh simulated here, the formulas of section 4, planner otis, the lower bound, and what the
# RTL was counted to do (sides 2 and 4). Prints Markdown. A row fails if the moves counted are not the planner's, if planner otis
# needs more than section 4, or if it is below the bound. OTIS_TABLE and FLITLOOM: the programs. Ends in "N passed, N failed".
import csv
import io
import json
import math
import os
import subprocess
import sys

PROGRAM = os.environ.get("FLITLOOM", "build/flitloom")
TABLE = os.environ.get("OTIS_TABLE", "build/otis_table")
MEASURED = (2, 4)  # sides
FLITS = 5


def formulas(n):
    """Returns (electronic, OTIS) by Table 1, and by section 4, for groups of n x n; the electronic count of bit shuffle in Table 1 is
    corrected."""
    log = 2 * math.log2(n)  # of the number of groups
    reversal, shuffle, mixed = 8 * (n - 1), 4 * n, (20 * n / 3 - 4, 16 * n / 3 - 4)
    bit_shuffle = (28 * n / 3 - 4, log + 2)
    return {
        "transpose": ((reversal, reversal), (0, 1)),
        "shuffle": ((shuffle, shuffle), (4 * n + 6, 2)),
        "unshuffle": ((shuffle, shuffle), (4 * n + 6, 2)),
        "bit-reverse": ((reversal, reversal), (8 * (n - 1), 1)),
        "vector-reverse": ((reversal, reversal), (8 * (n - 1), 2)),
        "bit-shuffle": (mixed, bit_shuffle),
        "shuffled-row-major": (mixed, bit_shuffle),
        "gypx-swap": ((4 * (n - 1), 4 * (n - 1)), (4 * (n - 1), log)),
    }


def measure(name, side):
    """Returns the report of a run; None if there is none, with the reason on standard error."""
    words = [PROGRAM, "run", f"otis-mesh:{side * side}", name, "--planner", "otis", "--flits", str(FLITS), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode in (0, 1) and done.stdout:
        return json.loads(done.stdout)
    print("FAIL", " ".join(words), done.stderr.strip()[-300:], file=sys.stderr)
    return None


def text(pair):
    return " + ".join(f"{v:.0f}" if v == int(v) else f"{v:.1f}" for v in pair)


def line(cells):
    print("|", " | ".join(str(c) for c in cells), "|", flush=True)


def main():
    sides = sys.argv[1:] or ["2", "4", "8", "16"]
    found = subprocess.run([TABLE, *sides], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        print(found.stderr.strip(), file=sys.stderr)
        return 1
    passed = failed = 0
    for side in ("1", "33", "two"):
        refused = subprocess.run([TABLE, side], capture_output=True, text=True, check=False)
        good = refused.returncode == 2 and refused.stderr == f'otis_table: "{side}" is no side of an OTIS-Mesh: 2, 4, 8, 16 or 32\n'
        if not good:
            print(f"FAIL side {side}: status {refused.returncode}: {refused.stderr}", file=sys.stderr)
        passed, failed = passed + good, failed + (not good)
    missing = {(name, side) for side in map(int, sides) for name in formulas(side)}
    line(["permutation", "n", "Table 1", "4-D mesh, simulated", "section 4", "planner otis", "at least", "measured"])
    line(["---"] * 8)
    for row in csv.DictReader(io.StringIO(found.stdout)):
        name, side = row["permutation"], int(row["side"])
        missing.discard((name, side))
        mesh, ours, bound = ([int(row[p + "electronic"]), int(row[p + "otis"])] for p in ("mesh_", "", "bound_"))
        table1, section4 = formulas(side)[name]
        good = sum(bound) <= sum(ours) <= sum(section4) + 0.5  # section 4 rounds bit shuffle
        counted = ""
        if side in MEASURED:
            report = measure(name, side)
            moves = report["measured"]["moves"] if report else None
            counted = text((moves["electronic"], moves["otis"])) if moves else "-"
            good = good and report is not None and report["verdict"] == "pass" and counted == text(ours)
        line([name, side, text(table1), text(mesh), text(section4), text(ours), text(bound), counted])
        passed, failed = passed + good, failed + (not good)
    for name, side in sorted(missing):
        print(f"FAIL no row of {name}, side {side}", file=sys.stderr)
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
