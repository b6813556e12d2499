#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that options of sweep --load change what they should: each row of a table appears in the JSON and in the points.
Percentiles are distinct and in order; each field of the CSV agrees with the JSON; the highest load is known to 1/256 of what the
channels could carry. FLITLOOM: the command. Ends in "N passed, N failed".
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", HOME + "/build/flitloom"))
counts = {True: 0, False: 0}
os.environ.setdefault("FLITLOOM_CACHE", os.path.abspath(HOME + "/build/models"))
os.chdir(tempfile.mkdtemp())


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what, flush=True)


def sweep(*words):
    words = words if "--link" in words else (*words, "--link", "sim")
    done = subprocess.run([FLITLOOM, "sweep", *words, "--json"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    check(done.returncode == 0, f"{words}: status {done.returncode}: {done.stderr[:300]}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def points(report):
    return [[p for p in c["points"]] for c in report["curves"]]


# --- What each option changes ---

# Fabric and pattern, and the options with their values here, unless the row below says otherwise.
PLACE = ["cube:3", "unshuffle"]
BASE = {"--load": "0.4", "--flits": "6", "--seed": "1", "--arrivals": "poisson", "--warmup": "600", "--measure": "6000",
        "--machine": "fast", "--map": "identity", "--jobs": "1", "--link": "sim"}
# Option, another value, True if the points change, and what the report then says (path in it, value).
ROWS = [
    ("--seed", "2", True, ["request", "seed"], 2),
    ("--arrivals", "bernoulli", True, ["arrivals"], "bernoulli"),
    ("--warmup", "900", True, ["warmup_cycles"], 900),
    ("--measure", "7000", True, ["measure_cycles"], 7000),
    ("--flits", "7", True, ["flits_per_message"], 7),
    ("--flits", "3:0.5,9:0.5", True, ["lengths"], "3:0.5,9:0.5"),
    ("--flits", "3:0.5,9:0.5", True, ["flits_per_message"], None),
    ("--flits", "6:1.0", False, ["lengths"], "6:1.0"),
    ("--arrivals", "periodic", True, ["arrivals"], "periodic"),
    ("--arrivals", "burst:20:30", True, ["arrivals"], "burst:20:30"),
    ("--rule", "descending", True, ["curves", 0, "rule"], "descending"),
    ("--rule", "ascending", False, ["curves", 0, "rule"], "ascending"),
    ("--planner", "direct", False, ["curves", 0, "planner"], "direct"),
    ("--planner", "yx", True, ["curves", 0, "planner"], "yx"),
    ("--planner", "xy,yx", True, ["curves", 1, "planner"], "yx"),
    ("--compare", "yx", True, ["curves", 0, "planner"], "yx"),
    ("--machine", "paper", True, ["curves", 0, "machine"], "paper"),
    ("--map", "1,0,2", True, ["curves", 0, "map"], "1,0,2"),
    ("--map", "best", True, ["curves", 0, "map"], "best"),
    ("--load", "0.3", True, ["curves", 0, "points", 0, "load"], 0.3),
    ("--load", "0.4:0.5:0.1", True, ["curves", 0, "points", 1, "load"], 0.5),
    ("--load", "max", True, ["highest"], True),
    ("--jobs", "3", False, ["highest"], False),
    ("--link", "model", False, ["request", "link"], "model"),
    ("--compare", "descending", True, ["curves", 0, "rule"], "descending"),
    ("--compare", "1,0,2", True, ["curves", 1, "map"], "1,0,2"),
]


def command(**changed):
    words = dict(BASE, **changed)
    return PLACE + [w for option, value in words.items() for w in (option, value)]


base = sweep(*command())
check(points(sweep(*command())) == points(base), "the same command gives other points")
for option, value, others, path, told in ROWS:
    report = sweep(*command(**{option: value}))
    if not report:
        continue
    what = f"{option} {value}"
    check((points(report) != points(base)) == others, f"{what}: the points are {'the same' if others else 'others'}")
    at = report
    for key in path:
        at = at[key]
    check(at == told, f"{what}: the report says {at} at {path}")
    if option == "--warmup":
        # The measured messages are from other cycles, so released at other times.
        old, new = (r["curves"][0]["points"][0] for r in (base, report))
        check(new["cycles"] > old["cycles"] and new["messages"] > old["messages"], f"{what}: no longer than before: {new}")

# --objective settles the map that best:SET finds.
words = command(**{"--map": "best:set:shuffle+unshuffle+butterfly"})
words[1] = "shuffle"
one, other = (sweep(*words, "--objective", o) for o in ("maxmax", "maxsum"))
check(one["request"]["objective"] == "maxmax" and other["request"]["objective"] == "maxsum", "the report does not say the objective")
check(points(one) != points(other), "--objective: the points are the same")

# Each rule has its own curve, which is the curve of a sweep with this rule alone.
report = sweep("mesh:3x3", "uniform", "--load", "0.3", "--flits", "5", "--warmup", "300", "--measure", "3000", "--rule", "descending", "--compare", "ascending,ring:5v2", "--machine", "fast,paper")
check([(c["fabric"], c["rule"], c["machine"]) for c in report["curves"]] == [(f, r, m) for f in ("mesh:3x3", "ring:5v2") for r in ("descending", "ascending") for m in ("fast", "paper")], f"curves of rules: {report}")
for c in report["curves"]:
    alone = sweep(c["fabric"], "uniform", "--load", "0.3", "--flits", "5", "--warmup", "300", "--measure", "3000", "--rule", c["rule"], "--machine", c["machine"])
    check(alone["curves"][0]["points"] == c["points"], f"{c['fabric']} {c['rule']} {c['machine']}: another curve alone")

# --- Percentiles ---

report = sweep("cube:3", "uniform", "--load", "0.5", "--flits", "6", "--warmup", "600", "--measure", "20000")
latency = report["curves"][0]["points"][0]["latency"]
in_order = [latency[k] for k in ("min", "p50", "p95", "p99", "max")]
check(in_order == sorted(set(in_order)), f"percentiles are not distinct and in order: {latency}")
check(latency["min"] < latency["without_wait"] < latency["mean"] < latency["max"], f"means: {latency}")

# --- CSV against JSON ---

report = sweep("cube:3,omega:4", "uniform", "--load", "0.3:0.9:0.3", "--flits", "6", "--warmup", "600", "--measure", "6000",
               "--arrivals", "bernoulli", "--machine", "fast,paper", "--csv", "rows.csv")
FIELDS = {
    "fabric": lambda r, c, p: c["fabric"],
    "nodes": lambda r, c, p: c["nodes"],
    "senders": lambda r, c, p: c["senders"],
    "map": lambda r, c, p: c["map"],
    "machine": lambda r, c, p: c["machine"],
    "flits_per_message": lambda r, c, p: r["flits_per_message"],
    "rule": lambda r, c, p: c["rule"],
    "planner": lambda r, c, p: c["planner"],
    "arrivals": lambda r, c, p: r["arrivals"],
    "load": lambda r, c, p: p["load"],
    "offered": lambda r, c, p: p["offered"],
    "accepted": lambda r, c, p: p["accepted"],
    "saturated": lambda r, c, p: int(p["saturated"]),
    "latency": lambda r, c, p: p["latency"] and p["latency"]["mean"],
    "messages": lambda r, c, p: p["messages"],
    "cycles": lambda r, c, p: p["cycles"],
    "capacity": lambda r, c, p: c["capacity"],
    "verdict": lambda r, c, p: p["verdict"],
    "reason": lambda r, c, p: p["mismatch"] or "",
    "link": lambda r, c, p: r["request"]["link"],
    "checked_on": lambda r, c, p: p["checked_on"],
}
for name in ("worst_share", "jain"):
    FIELDS[name] = lambda r, c, p, name=name: p[name]
for name in ("at_source", "in_network", "without_wait", "min", "p50", "p95", "p99", "max"):
    FIELDS[name] = lambda r, c, p, name=name: p["latency"] and p["latency"][name]
rows = list(csv.DictReader(open("rows.csv", newline="")))
told = [(c, p) for c in report["curves"] for p in c["points"]]
check(rows and set(rows[0]) == set(FIELDS), f"columns of the CSV: {list(rows[0])}")
check(len(rows) == len(told) == 12, f"{len(rows)} rows for {len(told)} points")
check({p["saturated"] for _, p in told} == {True, False}, "no point is saturated, or all are")
seen = {name: set() for name in FIELDS}
for row, (c, p) in zip(rows, told):
    for name, of in FIELDS.items():
        text, value = row[name], of(report, c, p)
        seen[name].add(text)
        same = text == "" if value is None else text == value if isinstance(value, str) else abs(float(text or "nan") - value) <= 1e-8 * abs(value)
        check(same, f"CSV: {name} of {c['fabric']} at {p['load']}: \"{text}\", and the JSON has {value}")
# A column with the same value everywhere shows nothing.
alike = {name for name, values in seen.items() if len(values) == 1}
check(alike <= {"map", "flits_per_message", "arrivals", "rule", "planner", "capacity", "verdict", "reason", "link", "checked_on"}, f"columns that are alike in all rows: {alike}")

# --- Lengths and rates of a file ---

open("own.csv", "w").write("source,destination,rate,flits\n0,1,0.3,2\n0,6,0.1,9\n5,3,0.2,4\n")
report = sweep("cube:3", "traffic:own.csv", "--load", "0.1:0.3:0.1", "--measure", "20000", "--csv", "own-rows.csv")
check(report["lengths"] == "own" and report["flits_per_message"] is None and report["request"]["flits"] is None, f"lengths of a file: {report}")
curve = report["curves"][0]
check(abs(curve["own_load"] - 0.3) < 1e-9 and curve["senders"] == 2 and "--flits" not in report["request"]["command"], f"rates of a file: {curve}")
for p in curve["points"]:
    check(abs(p["offered"] / p["load"] - 1) < 0.06 and abs(p["accepted"] / p["offered"] - 1) < 0.02, f"offered and accepted: {p}")
rows = list(csv.DictReader(open("own-rows.csv", newline="")))
check([row["flits_per_message"] for row in rows] == ["own"] * 3, f"CSV of lengths of a file: {rows}")
report = sweep("cube:3", "0.5*uniform+0.5*traffic:own.csv", "--load", "0.1", "--measure", "2000", "--csv", "own-rows.csv")
check(report["lengths"] == "17 or own" and report["flits_per_message"] is None, f"lengths of some terms: {report}")
check([row["flits_per_message"] for row in csv.DictReader(open("own-rows.csv", newline=""))] == ["17 or own"], "CSV of lengths of some terms")

# --- The highest load ---

where = ["cube:3", "bit-reverse", "--map", "identity", "--flits", "6", "--warmup", "500", "--measure", "6000"]
report = sweep(*where, "--load", "max")
curve = report["curves"][0]
highest, step = curve["points"][0], curve["capacity"] / 256
check(report["highest"] and len(curve["points"]) == 1 and not highest["saturated"], f"the highest load: {highest}")
parts = highest["load"] / step
check(abs(parts - round(parts)) < 1e-6 and 128 < parts < 256, f"the highest load is {parts} of 256 parts of what the channels carry")
for k, sustained in ((0, True), (1, False)):
    load = f"{highest['load'] + k * step:.9f}"
    point = sweep(*where, "--load", load)["curves"][0]["points"][0]
    check(point["saturated"] != sustained, f"at {load}, {k} steps above the highest load: {point}")

print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] > 0)
