#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests each routing rule that `flitloom list options` names, on every kind of fabric, with the lanes that it may need: computed
plans, runs, programs, loads, batches, requests and files of traffic pass, or are refused in one line. A new rule or kind is covered
as soon as it is listed.

usage: test_choices.py [all]. all: with each selection among free lanes, in both timings. Ends in "N passed, N failed".
"""
import json
import os
import re
import sys
import tempfile

from kinds import fabrics, flitloom

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
ALL = "all" in sys.argv[1:]
counts = {True: 0, False: 0}
os.chdir(HOME)
CALM = "--load 0.1 --flits 4 --warmup 200 --measure 600"
BUSY = "--load 0.9 --flits 4 --warmup 200 --measure 300"


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what, flush=True)


def names(option):
    for line in flitloom("list", "options", "run", "--names").stdout.splitlines():
        fields = line.split("\t")
        if fields[0] == option:
            return [word for word in fields[3].split() if word]
    sys.exit(f"no option {option} is listed")


def is_refused(done):
    return done.returncode == 2 and not done.stdout and re.fullmatch(r"flitloom: [^\n]{10,400}\n", done.stderr)


def verdicts(text):
    """Checks a run, or each point of a sweep."""
    found = json.loads(text)
    if "curves" in found:
        return [p["verdict"] for c in found["curves"] for p in c["points"]]
    return [found["verdict"]] if found.get("verdict") else []


def hold(words, is_there):
    """Checks that the request passes if the fabric has the rule, and is refused if not; the plan of a run may be refused because of its
    messages."""
    done = flitloom(*words, "--json")
    if not is_there:
        check(is_refused(done), f"{words}: not refused in one line: status {done.returncode} {done.stderr[:300]}{done.stdout[:100]}")
    elif done.returncode != 0:
        check(False, f"{words}: status {done.returncode} {done.stderr[:300]}")
    else:
        check(all(v == "pass" for v in verdicts(done.stdout)), f"{words}: {done.stdout[:300]}")


def requests(fabric, rule, more, folder):
    """Returns commands that use the rule."""
    rest = ["--rule", rule, *more]
    yield ["plan", fabric, "random-perm", "--planner", "direct", *rest]
    yield ["run", fabric, "uniform:30", "--link", "model", *rest]
    yield ["run", fabric, "allreduce:ring", "--bytes", "64", "--link", "model", *rest]
    for load in (CALM, BUSY):
        yield ["sweep", fabric, "uniform", *load.split(), *rest]
    yield ["sweep", fabric, "uniform", "--batch", "5", "--flits", "4", *rest]
    yield ["sweep", fabric, "uniform", *CALM.split(), "--requests", "2,reply=3", *rest]
    yield ["sweep", fabric, f"traffic:{folder}/flows.csv", *CALM.split(), "--by", "distance", *rest]


def main():
    rules, selects = names("--rule"), names("--select")
    usual = {"ascending", "descending", "one-way", "one-way-descending"}
    choosing = [rule for rule in rules if rule not in usual]
    check(len(choosing) >= 5 and len(selects) == 4, f"rules {rules}, ways of choosing {selects}")
    n_there = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, *_ in fabrics(ALL):
            with open(f"{folder}/flows.csv", "w") as file:
                file.write("source,destination,weight\n0,1,1\n1,0,1\n")
            for k, rule in enumerate(choosing):
                probe = flitloom("plan", name, "identity", "--planner", "direct", "--rule", rule)
                is_there = probe.returncode == 0
                check(is_there or is_refused(probe), f"{name} {rule}: {probe.stderr}")
                n_there += is_there
                is_slow = re.search(r"[dr]\d", name.partition(":")[2]) is not None
                draws = is_there and "lets routers choose" in flitloom("plan", name, "identity", "--planner", "direct", "--rule", rule, "--select", "lru").stderr
                if draws:  # routes through random nodes leave routers no choice
                    for words in requests(name, rule, ["--select", "lru"], folder):
                        hold(words, False)
                for i, select in enumerate([None] if draws else selects if ALL else [selects[(k + n_there) % 3]]):
                    if is_slow and select == "credits":
                        continue
                    more = [*(["--select", select] if select else []), "--machine", "paper" if (i + k) % 2 else "fast"]
                    for words in requests(name, rule, more, folder) if is_there else [["plan", name, "random-perm", "--rule", rule], ["sweep", name, "uniform", *CALM.split(), "--rule", rule]]:
                        hold(words, is_there)
    check(n_there >= 10, f"{n_there} fabrics and rules")
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)


main()
