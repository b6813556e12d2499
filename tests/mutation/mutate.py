#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: mutate.py FILE... [--seed N] [--count N] [--killers NAME,NAME...] [--label TEXT] [--show] [--quick] [--limit S]

Puts one small change at a time (mutants.py) into a copy of each FILE, a C or C++ file below host/ or sw/ or a module below rtl/,
and looks whether the tests notice: of C the unit tests into which the linker takes the file, without sanitizers, and the quick ones
of them under ASan and UBSan; of RTL the module's testbench and its proof, or those of the modules next above it; of both the suites
that suites.txt names. Of C those that are near to the file, have a text that stands near to the change, take little time, or have noticed
most are asked first, unit tests and suites alike; one that fails is asked of the file as it is. The changes are drawn by --seed; one that does not compile, or gives the
same object code, is drawn again. What cannot be noticed is listed by hand, with the reason, in equivalent.txt, and counted apart.
With --quick unit tests of less than a second are asked alone, without sanitizers (of a file that has none the suites), and of RTL
the short forms of benches and proofs: what they let pass others may notice. With --limit a change that nobody has noticed after S
seconds is not judged, and it is said who was not asked any more. S is processor time; what tests take of the tree as it is is not
counted. Everything is built and run in a copy of the tree below OUT (build/mutation), by JOBS (2) jobs of make. There a line per
change goes to NAME.SEED.txt, the sums to results.txt."""

import argparse
import os
import random
import sys
import time

import judges
import mutants
import noticers
from running import ROOT, Tree

OUT = os.path.abspath(os.environ.get("OUT") or os.path.join(ROOT, "build", "mutation"))


def read_equivalents():
    """file -> {(line as it is, line changed): reason}"""
    found, block = {}, []
    with open(os.path.join(ROOT, "tests/mutation/equivalent.txt")) as f:
        for line in list(f) + ["\n"]:
            if line.startswith("#"):
                continue
            if line.strip():
                block.append(" ".join(line.split()))
                continue
            if block and len(block) != 4:
                sys.exit(f"mutate: equivalent.txt: four lines make an entry, not {len(block)}: {block[0]}")
            if block:
                found.setdefault(block[0], {})[block[1], block[2]] = block[3]
            block = []
    return found


def stale(path, text, entries):
    """Returns the entries of equivalent.txt that are no change of this file."""
    return sorted(set(entries) - {mutants.lines_of(text, m)[:2] for m in mutants.all_mutants(path, text)})


def find(name):
    """Returns the path below the root of a file, or of the module of that name."""
    if os.path.isfile(os.path.join(ROOT, name)):
        return os.path.relpath(os.path.join(ROOT, name), ROOT)
    found = noticers.rtl_file(ROOT, name)
    if found:
        return os.path.relpath(found, ROOT)
    sys.exit(f"mutate: no file or module {name}; for example host/check/verdict.c or node_receiver")


def campaign(path, tree, options, kept):
    name = os.path.splitext(os.path.basename(path))[0]
    text = tree.read(path)
    pool = mutants.all_mutants(path, text)
    random.Random(options.seed).shuffle(pool)
    equivalents = read_equivalents().get(path, {})
    for before, after in stale(path, text, equivalents):
        sys.exit(f"mutate: equivalent.txt has what is no change of {path}: {before}  =>  {after}")
    judge = judges.judge(path, tree, options, kept)
    sums = {"killed": 0, "timed out": 0, "survived": 0, "equivalent": 0, "not judged": 0}
    by_killer = {}  # of RTL: the numbers of changes that the testbench and the proof noticed
    redrawn, begin = 0, time.monotonic()
    label = f"{name}.{options.seed}" + (f".{options.label}" if options.label else "")
    with open(os.path.join(OUT, f"{label}.txt"), "w") as log:
        try:
            for mutant in pool:
                if sum(sums.values()) == options.count:
                    break
                before, after, line = mutants.lines_of(text, mutant)
                by, left = None, ""
                if (before, after) in equivalents:
                    fate = "equivalent"
                elif not judge.put(mutants.apply(text, mutant)):
                    redrawn += 1
                    continue
                else:
                    try:
                        judge.quoting = noticers.quoting(tree.path, noticers.said_near(text, mutant.start, mutant.end))
                        by = judge.verdict(judges.Deadline(tree, options.limit))
                        fate = "survived" if not by else "timed out" if by.endswith("time-out") else "killed"
                    except judges.TooLong as why:
                        fate, left = "not judged", f"  [{why}]"
                sums[fate] += 1
                if by and path.endswith(".sv"):
                    killer = {"tb": "testbench", "fo": "proof"}.get(by[:2], "suites")
                    by_killer[killer] = by_killer.get(killer, 0) + 1
                said = f"{fate:10} {path}:{line} {mutant.kind}: {before}  =>  {after}" + (f"  [{by}]" if by else left)
                print(said, file=log, flush=True)
                if fate in ("survived", "not judged") or options.show:
                    print(said, flush=True)
        finally:
            judge.restore()
    n = sum(sums.values()) - sums["equivalent"] - sums["not judged"]
    dead = sums["killed"] + sums["timed out"]
    with open(os.path.join(OUT, "results.txt"), "a") as f:
        row = (f"{path:32} seed {options.seed:<4} {n:4} mutants {dead:4} killed {100 * dead / max(n, 1):5.1f}% "
               + "".join(f"{k:3} of them by {name} " for name, k in sorted(by_killer.items(), reverse=True)) +
               f"{sums['timed out']:3} of them by time-out {sums['survived']:3} survived {sums['equivalent']:3} equivalent {sums['not judged']:3} not judged "
               f"{redrawn:3} drawn again {time.monotonic() - begin:5.0f} s {options.label}").rstrip()
        print(row, file=f)
    print(row, flush=True)
    if judge.left_out:
        print(f"too slow to be asked: {', '.join(judge.left_out)}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--killers", type=lambda s: s.split(","))
    parser.add_argument("--label", default="")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    paths = [find(name) for name in options.file]
    tree, kept = Tree(OUT), {}
    status = 0
    for path in paths:
        try:
            campaign(path, tree, options, kept)
        except SystemExit as why:  # an error with this file: the others are still judged
            print(why, file=sys.stderr, flush=True)
            status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
