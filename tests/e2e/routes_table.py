#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the effect of less congestion on links with two lanes: tests/e2e/routes_table.py [PART...]. A part is
# transpose:N, gauss or sets:N; by default the transpose of 10x10 to 20x20 and of 30x30, Gaussian elimination on 4x8
# and 200 random sets on 15x15. Each runs under xy, block and reroute on the RTL, and the counts of every channel must
# be as predicted. Prints a table in Markdown. FLITLOOM: the program. Ends in "N passed, N failed".
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("FLITLOOM", "build/flitloom")
PLANNERS = ("xy", "block", "reroute")
FLITS = (17, 65)
TASKS = 31  # of Gaussian elimination, in rows of 8

passed = failed = 0


def run(fabric, pattern, planner, flits, seed=1):
    """Returns contention and cycles as measured; None if a count was not as predicted."""
    global passed, failed
    words = [PROGRAM, "run", fabric, pattern, "--planner", planner, "--flits", str(flits), "--seed", str(seed), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout) if done.returncode == 0 else {}
    measured = found.get("measured", {})
    if found.get("verdict") == "pass" and measured["contention"] == found["predicted"]["contention"]:
        passed += 1
        return measured["contention"], measured["cycles"]
    failed += 1
    print("FAIL", " ".join(words), done.stderr.strip()[-300:], file=sys.stderr)
    return None


def row(name, cells):
    print("|", name, "|", " | ".join(str(c) for c in cells), "|", flush=True)


def compare(name, fabric, pattern, flits, seeds=(1,)):
    """Returns the load of the busiest link and the cycles by each planner; over several seeds the mean."""
    most, cycles = [], []
    for planner in PLANNERS:
        results = [r for r in (run(fabric, pattern, planner, flits, seed) for seed in seeds) if r]
        digits = 0 if len(seeds) == 1 else 1
        for out, k in ((most, 0), (cycles, 1)):
            out.append(f"{sum(r[k] for r in results) / len(results):.{digits}f}" if results else "-")
    row(f"{name} | {flits}", most + cycles)


def gauss(folder):
    path = pathlib.Path(folder) / "gauss.csv"
    path.write_text("".join(f"{i},{j},{{flits}}\n" for i in range(TASKS) for j in range(i + 1, TASKS)))
    return path


def main():
    parts = sys.argv[1:] or [f"transpose:{n}" for n in [*range(10, 21), 30]] + ["gauss", "sets:200"]
    row("messages | flits", [f"most, {p}" for p in PLANNERS] + [f"cycles, {p}" for p in PLANNERS])
    row("---", ["---"] * (1 + 2 * len(PLANNERS)))
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            name, _, n = part.partition(":")
            for flits in FLITS:
                if name == "transpose":
                    compare(f"transpose {n}x{n}", f"table-mesh:{n}x{n}v2", "transpose", flits)
                elif name == "gauss":
                    path = gauss(folder)
                    path.write_text(path.read_text().replace("{flits}", str(flits)))
                    compare("Gaussian elimination 4x8", "table-mesh:4x8v2", f"messages:{path}", flits)
                elif name == "sets":
                    compare(f"{n} sets of 300, 15x15, mean", "table-mesh:15x15v2", "uniform:300", flits,
                            range(1, int(n) + 1))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
