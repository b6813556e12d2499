#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Plans and runs every case of the vectors of [Youssef93] (tests/golden/001_*.json) on the simulated fabric: there are as many
passes as the vector says, with at most one message on a channel in each; no message waits, and the verdict passes.

usage: golden_passes.py [NAME...]     linear_array ring mesh hypercube_two_pass if none is given
FLITLOOM: the command. Builds about 25 models, which takes minutes. Ends in "N passed, N failed".
"""
import json
import os
import subprocess
import sys

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", HOME + "/build/flitloom"))
NAMES = "linear_array", "ring", "mesh", "hypercube_two_pass"
counts = {True: 0, False: 0}


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what)


def run(fabric, destinations, *options):
    """Returns the report of a run; {} if there is none. Checks what is true of every plan in passes without contention."""
    words = [FLITLOOM, "run", fabric, "perm:" + ",".join(map(str, destinations)), *options, "--json"]
    done = subprocess.run(words, capture_output=True, text=True)
    name = f"{fabric} {' '.join(options)} {destinations}"
    check(done.returncode == 0, f"{name}: status {done.returncode}: {done.stderr.strip()}")
    if done.returncode not in (0, 1):
        return {}
    report = json.loads(done.stdout)
    measured = report["measured"]
    check(report["verdict"] == "pass", f"{name}: {report['mismatches'][:1]}")
    check(measured["contention"] <= 1 and measured["own_channels"] <= 1, f"{name}: messages share a channel in a pass")
    check(measured["blocked_cycles"] == 0, f"{name}: headers waited {measured['blocked_cycles']} cycles")
    check(measured["delivered_messages"] == report["messages"] >= len(destinations),  # more if data is relayed
          f"{name}: {measured['delivered_messages']} of {report['messages']} messages arrived")
    return report


def passes(report, number):
    check(report.get("passes") == number, f"{report.get('fabric')} {report.get('pattern')}: "
          f"{report.get('passes')} passes instead of {number}")


def linear_array(case):
    fabric = f"line:{len(case['f'])}"
    passes(run(fabric, case["f"], "--planner", "line", "--half-duplex"), case.get("passes_half_duplex", case["m"]))
    if "full_duplex_right" in case:  # messages to oneself have a pass as well
        passes(run(fabric, case["f"], "--planner", "line"), max(case["full_duplex_right"], case["full_duplex_left"], 1))


def ring(case):
    report = run(f"ring:{len(case['f'])}", case["f"], "--planner", "ring", "--rule", "one-way")
    passes(report, case["min_passes"])
    check(report.get("passes_bound") == case["load"], f"ring {case['f']}: load {report.get('passes_bound')}")


def mesh(case):
    for kind, load in case["max_link_load_lower_bound"].items():
        kind = kind.split("_")[0]
        report = run(f"{kind}:{case['p']}x{case['q']}", case["dest_of_row_major_index"], "--planner", kind)
        passes(report, case["passes"])
        check(report.get("passes_bound") == load, f"{kind} {case}: load {report.get('passes_bound')}")


def hypercube_two_pass(case):
    report = run(f"cube:{case['k']}", case["f"], "--planner", "two_pass")
    passes(report, 2)
    rules = [rule for rule, key in (("ascending", "one_pass_ecube"), ("descending", "one_pass_einvcube")) if case[key]]
    check(report.get("one_pass_rules") == rules, f"{case['f']}: one pass by {report.get('one_pass_rules')}, not {rules}")


def main():
    for name in sys.argv[1:] or NAMES:
        with open(f"{HOME}/tests/golden/001_{name}.json", encoding="utf-8") as f:
            cases = json.load(f)["cases"]
        for case in cases:
            globals()[name](case)
        print(f"001_{name}: {len(cases)} cases", flush=True)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] != 0


if __name__ == "__main__":
    if any(name not in NAMES for name in sys.argv[1:]):
        sys.exit(f"golden_passes.py: there is: {' '.join(NAMES)}")
    sys.exit(main())
