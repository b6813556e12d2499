#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the benchmarks in their short forms, and compares their results with tests/golden/benches.txt, which has all
# their output but times, speeds, and values that follow from these. After an intended change, run
# tests/e2e/test_benches.py --write, and give the reason in the commit. test_benches.py [NAME...]: only these. BUILD:
# their folder; default build. Ends in "N passed, N failed".
import difflib
import os
import re
import subprocess
import sys

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(HOME, "tests/golden/benches.txt")
BUILD = os.path.join(HOME, os.environ.get("BUILD", "build"))
RUNS = (
    "bench_planners quick",
    "bench_min quick",
    "bench_sim cube:3",
    "bench_sim --rule p-cube cube:3",
    "bench_machine cube:3/uniform/5",
    "bench_passes perms=2 ring:8 cube:3 omega:8",
    "bench_objective lists=2 cube:3 omega:8",
    "bench_objective lists=0 cube:3",
    "bench_circuits exact nodes=3",
    "bench_circuits random nodes=6 count=100",
    "bench_objective cube:99",
    "bench_passes perms=2 nonsense:8",
    "bench_machine cube:3",
    "bench_sim nonsense:8",
)
# A row ends with what was found; before it stand the time taken and the target. The target stays.
TIMES = (
    (r"^(latin.*target) .*", r"\1 T"),
    (r"(slowest of \d+ sets of \d+): .*", r"\1"),
    (r"\d+\.\d+ (?:us|ms|s) +target", "T target"),
    (r"\b(?:met   |MISSED)\b", "M"),
    (r"\bmet +", "M "),
    (r"\d+ cycles/s", "T cycles/s"),
    (r"cycles/s: .*", "cycles/s: T"),
    (r"; computed: .*", ""),  # left out where the clock was too coarse for it
    (r", \d+ times$", ", T times"),
    (r"\(FLITLOOM_CACHE=.*", ""),
    (r"^model of .*|^building the model .*", ""),
)


def found(run):
    name, *words = run.split()
    done = subprocess.run([os.path.join(BUILD, name), *words], cwd=HOME, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=600, check=False)
    text = done.stdout + done.stderr
    for pattern, instead in TIMES:
        text = re.sub(pattern, instead, text, flags=re.M)
    lines = (re.sub(r" +", " ", line).rstrip() for line in text.splitlines())
    return [f"# {run}: status {done.returncode}", *(line for line in lines if line)]


def read():
    """Returns the lines of each run, by its name."""
    runs, head = {}, []
    with open(GOLDEN, encoding="utf-8") as it:
        for line in it.read().splitlines():
            if re.match(r"# bench_", line):
                lines = runs[line[2:].split(": status")[0]] = []
            elif not runs:
                head.append(line)
                continue
            lines.append(line)
    return head, runs


def main(names):
    head, golden = read()
    write, passed, failed = "--write" in names, 0, 0
    names = [n for n in names if n != "--write"]
    for run in RUNS:
        if names and run.split()[0] not in names:
            continue
        now = found(run)
        if now == golden.get(run):
            passed += 1
        elif not write:
            failed += 1
            print(f"FAIL {run} finds something else than before:")
            print("\n".join(list(difflib.unified_diff(golden.get(run, []), now, "before", "now", lineterm="", n=0))[:20]))
        golden[run] = now
    if write:
        with open(GOLDEN, "w", encoding="utf-8") as it:
            it.write("\n".join(head + [line for run in RUNS for line in golden[run]]) + "\n")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
