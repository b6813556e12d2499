#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Computes the tables of docs/adaptive-runs.md. For patterns on a few fabrics they have the cycles of the best plan (planner
best: a map or passes, barriers included, by dimension order), those of the best rule by which routers choose, for the pattern as
it is, and the length of messages from which on the plan takes fewer.

usage: adaptive_pays.py [FLITLOOM]
"""
import json
import os
import subprocess
import sys

FLITLOOM = sys.argv[1] if len(sys.argv) > 1 else "build/flitloom"
TURNS = ("negative-first", "west-first", "north-last", "odd-even")
SELECTS = ("fixed", "random", "lru")
FLITS = (2, 5, 20, 60, 200)
SHOWN = 20
# The fabric as it is, and the same with lanes enough for duato.
FABRICS = (("cube:6", "cube:6v2"), ("mesh:8x8", "mesh:8x8v2"), ("torus:8x8v2", "torus:8x8v3"))
PATTERNS = ("transpose", "bit-reverse", "complement", "shuffle", "tornado", "random-perm", "uniform:640")


def plan(fabric, pattern, flits, *words):
    done = subprocess.run([FLITLOOM, "plan", fabric, pattern, "--flits", str(flits), *words, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def cycles(report):
    """With the barriers between passes."""
    predicted = report["predicted"]
    return predicted["back_to_back_cycles"] or predicted["cycles"]


def best_plan(fabric, pattern, flits):
    report = plan(fabric, pattern, flits, "--planner", "best")
    if not report:
        return None
    how = f"{report['planner']}, {report['passes']} pass{'es' if report['passes'] > 1 else ''}"
    return cycles(report), how


def best_rule(fabric, rules, pattern, flits):
    found = []
    for rule in rules:
        for select in SELECTS:
            report = plan(fabric, pattern, flits, "--planner", "direct", "--rule", rule, "--select", select)
            if report and report["predicted"]["cycles"] is not None:
                found.append((cycles(report), f"{rule}, {select}"))
    return min(found) if found else None


def tell(at):
    return f"{at[0]} ({at[1]})" if at else "-"


def row(fabric, with_lanes, pattern):
    """Returns the least flits from which on the plan beats (turn rules, duato), up to the longest looked at."""
    since = [None, None]
    for flits in FLITS:
        it = best_plan(fabric, pattern, flits)
        others = best_rule(fabric, TURNS, pattern, flits), best_rule(with_lanes, ("duato",), pattern, flits)
        if flits == SHOWN:
            shown = [plan(fabric, pattern, flits, "--planner", "direct"), *others, it]
        for k, other in enumerate(others):
            since[k] = None if not (it and other and it[0] < other[0]) else since[k] or flits
    order = str(cycles(shown[0])) if shown[0] else "can lock"
    beats = [f"{n} flits" if n else "-" for n in since]
    return [f"`{fabric}`", f"`{pattern}`", order, *(tell(at) for at in shown[1:]), *beats]


def main():
    if not os.access(FLITLOOM, os.X_OK):
        sys.exit(f"{FLITLOOM} is no program")
    print("| fabric | pattern | dimension order | best turn rule | duato, one lane more | best plan | it beats turn rules from | and duato from |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for fabric, with_lanes in FABRICS:
        for pattern in PATTERNS:
            print("| " + " | ".join(row(fabric, with_lanes, pattern)) + " |", flush=True)

main()
