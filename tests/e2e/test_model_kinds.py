#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests run --link model on every kind of fabric that `flitloom list fabrics` names, with lanes and light, by every planner that
it names, in both timings, back to back and free. The verdict, plan against machine, passes, and all predictions come true; or the
request is refused in one line. Tables of messages and channels agree row by row, and a plan takes the cycles of its --objective
cycles, no more than without. New kinds and planners are covered as soon as they are listed.

usage: test_model_kinds.py [all] [KIND...]
all: several sizes of each kind. KIND: only these kinds. FLITLOOM: the command. Ends in "N passed, N failed".
"""
import collections
import csv
import io
import json
import os
import re
import sys
import tempfile

from kinds import fabrics, flitloom, items

ALL = "all" in sys.argv[1:]
ONLY = [word for word in sys.argv[1:] if word != "all"]
MACHINES = ("fast", "paper")
# Patterns for the default planner: one pass and several, with contention and without, with waiting messages and with silent nodes.
PATTERNS = ["uniform:20 --flits 6", "uniform:60 --flits 1", "random-perm --flits 9", "all-to-all --flits 4", "shift:1 --flits 5 --map identity",
            "hotspot:1 --flits 7", "allreduce:ring --bytes 16", "messages:{lengths}", "messages:{released}", "uniform:20 --flits 40 --seed 3"]
# Patterns for each planner; planners that search end soon.
PLANNED = ["random-perm --flits 5", "all-to-all --flits 3", "uniform:16 --flits 8", "set:bit-reverse+shuffle --flits 4"]
# Requests that run freely, and passes that could; each also runs with barriers.
FREE = ["all-to-all --flits 6 --schedule table", "all-to-all --flits 6 --schedule generated", "all-to-all --flits 6 --planner min_passes",
        "all-to-all --flits 6 --planner min_passes --preset", "random-perm --flits 6 --planner min_passes --preset"]
READY = 8  # cycles from START until the first pass begins
counts = {True: 0, False: 0}
passed = collections.Counter()  # counts by kind and machine, by planner, and by sort of run


def kind_of(fabric):
    return fabric.partition(":")[0]


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what, flush=True)
    return bool(good)


def differences(report):
    """Finds contradictions in a report that passes."""
    predicted, measured = report["predicted"], report["measured"]
    same = ("cycles", "blocked_cycles", "contention", "own_channels", "groups", "back_to_back_cycles")
    wrong = [name for name in same if predicted[name] != measured[name]]
    if measured["delivered_messages"] != report["messages"] or measured["delivered_flits"] != report["flits"] or measured["corrupt_flits"]:
        wrong.append("deliveries")
    return wrong


def hold(fabric, request, machine):
    words = [fabric, *request.split(), "--machine", machine]
    done = flitloom("run", *words, "--link", "model", "--json")
    if done.returncode == 2:
        check(re.fullmatch(r"flitloom: [^\n]{10,500}\n", done.stderr) and not done.stdout, f"{words}: {done.stderr}{done.stdout[:200]}")
        return
    if not check(done.returncode == 0, f"{words}: status {done.returncode}: {done.stderr}{done.stdout[-400:]}"):
        return
    report = json.loads(done.stdout)
    wrong = differences(report)
    check(report["verdict"] == "pass" and not wrong, f"{words}: {wrong}: predicted {report['predicted']}, measured {report['measured']}")
    if "--budget" not in words:  # with a budget a search may find another plan the next time
        alone = json.loads(flitloom("plan", *re.sub(r"--(schedule \w+|preset)", "", " ".join(words)).split(), "--json").stdout)
        check(alone["predicted"] == report["predicted"], f"{words}: the plan alone predicts {alone['predicted']}, the run {report['predicted']}")
    one_start = report["measured"]["back_to_back_cycles"] is not None
    check(one_start or report["passes"] == 1 or report["free_running"] or "benes" in fabric, f"{words}: not run back to back")
    sort = "free" if report["free_running"] else "back to back" if one_start else "one pass"
    for key in ((kind_of(fabric), machine), report["planner"], (sort, machine), ("waits", machine, report["measured"]["blocked_cycles"] > 0)):
        passed[key] += 1


def rows_of(text, keys):
    return [{key: row[key] for key in keys} for row in csv.DictReader(io.StringIO(text))]


def hold_tables(fabric, request, machine):
    """Checks that the predictions of each message and channel are what is measured, and what the plan alone says."""
    words = [fabric, *request.split(), "--machine", machine, "-q"]
    for option, pairs in (("--messages", [("predicted_" + x, x) for x in ("offered", "header", "tail", "waited")]),
                          ("--channels", [("predicted_" + x, x) for x in ("messages", "flits", "blocked")])):
        run, plan = flitloom("run", *words, "--link", "model", option, "-"), flitloom("plan", *words, option, "-")
        if run.returncode == 2:
            check(re.fullmatch(r"flitloom: [^\n]{10,500}\n", run.stderr), f"{words} {option}: {run.stderr}")
            continue
        measured = rows_of(run.stdout, [b for _, b in pairs])
        predicted = [{b: row[a] for a, b in pairs} for row in rows_of(run.stdout, [a for a, _ in pairs])]
        alone = [{b: row[a] for a, b in pairs} for row in rows_of(plan.stdout, [a for a, _ in pairs])]
        check(measured and measured == predicted == alone, f"{words} {option}: {measured}, predicted {predicted}, by the plan {alone}")
        passed[option] += any(row.get("waited") not in (None, "", "0") or row.get("blocked") not in (None, "", "0") for row in measured)


def whole(report):
    one_start = report["predicted"]["back_to_back_cycles"]
    return one_start if one_start is not None else report["predicted"]["cycles"] + READY


def hold_objective(fabric, request):
    plain = flitloom("plan", fabric, *request.split(), "--json")
    done = flitloom("plan", fabric, *request.split(), "--objective", "cycles", "--json")
    if done.returncode == 2:
        check(re.fullmatch(r"flitloom: [^\n]{10,500}\n", done.stderr) and not done.stdout, f"{fabric} {request}: {done.stderr}{done.stdout[:200]}")
        return
    if not check(plain.returncode == 0 and done.returncode == 0, f"{fabric} {request}, objective cycles: {plain.stderr}{done.stderr}"):
        return
    before, after = json.loads(plain.stdout), json.loads(done.stdout)
    told = after["predicted"]["objective"]
    good = told["name"] == "cycles" and told["least"] <= told["value"] == whole(after) <= whole(before)
    check(good, f"{fabric} {request}: objective {told}, {whole(after)} cycles; without it {whole(before)}")
    passed["objective", kind_of(fabric)] += 1
    passed["improved"] += told["value"] < whole(before)


def main():
    planners = [name for name, _, _ in items("planners")]
    with tempfile.TemporaryDirectory() as folder:
        files = {"lengths": "0,1,17\n1,3,9\n2,2,4\n3,0,33\n1,0,17,2\n", "released": "source,destination,flits,count,release\n0,3,4,2,10\n1,3,9,1,12\n2,2,5,1,3\n3,0,7,1,1\n"}
        for name, text in files.items():
            with open(f"{folder}/{name}.csv", "w", encoding="utf-8") as file:
                file.write(text)
        paths = {name: f"{folder}/{name}.csv" for name in files}
        found = [fabric for fabric, _ in fabrics(ALL, ONLY)]
        for fabric in found:
            requests = [p.format(**paths) for p in PATTERNS]
            requests += [f"{p} --planner {name} --budget 0.05" for name in planners for p in PLANNED]
            requests += FREE
            for request in requests:
                for machine in MACHINES:
                    hold(fabric, request, machine)
            for request in ("uniform:20 --flits 6", "all-to-all --flits 4", "hotspot:1 --flits 7"):
                for machine in MACHINES:
                    hold_tables(fabric, request, machine)
            hold_objective(fabric, "uniform:12 --flits 8")
            if ALL or kind_of(fabric) not in map(kind_of, found[: found.index(fabric)]):  # lines and rings search for seconds
                for name in planners:
                    hold_objective(fabric, f"random-perm --flits 5 --planner {name}")
    for fabric in set(map(kind_of, found)):
        for machine in MACHINES:
            done, told = passed[fabric, machine], passed["objective", fabric]
            light = fabric in ("ocs", "ocs-benes")  # has no buffers that a message could wait for, and planners that know no objective
            check(done == 0 if light and machine == "paper" else done > 8 and (told == 0) == light, f"{fabric}, {machine}: {done} runs, {told} with an objective")
    if not ONLY:
        for name in sorted(set(planners) - {"tables", "best"}):  # own tables are a file; the best is one of the others
            check(passed[name] > 0, f"planner {name}: nothing was run")
        for sort, machine in [(s, m) for s in ("one pass", "back to back", "free") for m in MACHINES]:
            allowed = (sort, machine) != ("free", "paper")
            check((passed[sort, machine] > 8) == allowed, f"{sort}, {machine}: {passed[sort, machine]} runs")
        check(passed["improved"] > 20 and passed["--messages"] > 10 and passed["--channels"] > 10, f"few of them say anything: {passed}")
        check(all(passed["waits", machine, wait] > 20 for machine in MACHINES for wait in (True, False)), f"with waiting and without: {passed}")
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] > 0


os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.exit(main())
