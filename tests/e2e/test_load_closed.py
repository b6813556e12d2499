#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests requests, replies, windows and batches on every kind of fabric that `flitloom list fabrics` names: the RTL agrees with what
is computed, message by message and figure by figure, or both are refused with the same words. Also tests the links and options with
which they cannot be used.

usage: test_load_closed.py [KIND...]
KIND: only these kinds. FLITLOOM: the command. Ends in "N passed, N failed".
"""
import json
import os
import re
import sys

from kinds import fabrics, flitloom, items

try:
    import jsonschema
except ImportError:
    jsonschema = None

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
counts = {True: 0, False: 0}
os.chdir(HOME)
os.environ.setdefault("FLITLOOM_CACHE", HOME + "/build/models")


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what, flush=True)


SHORT = ["--warmup", "300", "--measure", "1500"]

# How traffic is closed (windows, replies or batches), and its arrivals. In each row the messages are more than a node's program
# holds, or a window limits them.
ROWS = [
    ["--load", "0.05:0.85:0.4", *SHORT, "--flits", "4", "--requests", "3,reply=5"],
    ["--load", "0.04", *SHORT, "--flits", "1:0.5,6:0.5", "--requests", "any,reply=9,service=11", "--machine", "paper"],
    ["--load", "0.3", *SHORT, "--flits", "3", "--requests", "1,service=40"],
    ["--batch", "1100", "--flits", "2"],
    ["--batch", "60", "--flits", "1:0.5,6:0.5", "--requests", "4,reply=3,service=12", "--machine", "fast,paper"],
    ["--batch", "60", "--flits", "3", "--requests", "2"],
]


def follows_schema(text, definition):
    """Checks JSON against docs/flitloom.schema.json, if the checker of schemas is installed."""
    if not jsonschema:
        return True
    with open("docs/flitloom.schema.json", encoding="utf-8") as file:
        whole = json.load(file)
    schema = {"$schema": whole["$schema"], "$ref": "#/$defs/" + definition, "$defs": whole["$defs"]}
    return jsonschema.Draft202012Validator(schema).is_valid(json.loads(text))


def figures(text):
    """Returns the curves of a sweep without the fields that name the link."""
    return [{**c, "points": [{k: v for k, v in p.items() if k != "checked_on"} for p in c["points"]]} for c in json.loads(text)["curves"]]


def hold(fabric, pattern, words):
    what = f"{fabric} {pattern} {' '.join(words)}"
    points = 3 if "0.05:0.85:0.4" in words else 1 + words.count("fast,paper")
    computed = flitloom("sweep", fabric, pattern, *words, "--check-on", f"sim:{points}", "--json")
    on_rtl = flitloom("sweep", fabric, pattern, *words, "--link", "sim", "--json")
    if computed.returncode == 2:
        alike = computed.stderr == on_rtl.stderr and re.fullmatch(r"flitloom: [^\n]{10,600}\n", computed.stderr)
        check(alike and on_rtl.returncode == 2, f"{what}: {computed.stderr}{on_rtl.stderr}")
        return False
    check(computed.returncode == 0 and on_rtl.returncode == 0, f"{what}: {computed.stdout}{computed.stderr}{on_rtl.stdout}{on_rtl.stderr}")
    if computed.returncode or on_rtl.returncode:
        return False
    check(follows_schema(computed.stdout, "batch" if "--batch" in words else "load"), f"{what}: not by the schema: {computed.stdout}")
    found = [p for c in json.loads(computed.stdout)["curves"] for p in c["points"]]
    good = len(found) == points and all(p["checked_on"] == "sim" and p["verdict"] == "pass" and p["messages"] > 0 for p in found)
    check(good, f"{what}: {found}")
    check(figures(computed.stdout) == figures(on_rtl.stdout), f"{what}: {computed.stdout} computed, {on_rtl.stdout} on the RTL")
    for p in found:
        if "finish" in p:
            f = p["finish"]
            check(f["first"] <= f["mean"] <= f["cycles"], f"{what}: {p}")
        if not p.get("saturated") and p.get("request", {}) and "reply=" in " ".join(words):
            service = int(re.search(r"service=(\d+)", " ".join(words) + " service=16")[1])
            parts = p["request"]["mean"] + p["reply"]["mean"] + service - 1
            check(abs(p["latency"]["mean"] - parts) < 1e-6 * parts, f"{what}: a round trip is not what its parts are: {p}")
    return True


def main():
    only = sys.argv[1:]
    names = [name for name, *_ in items("fabrics")]
    ran = set()
    for fabric, _ in fabrics(False, only):
        for row in ROWS:
            if hold(fabric, "uniform", row):
                ran.add(fabric)
        hold(fabric, "hotspot:1", ROWS[0])
    check(len(ran) >= (12 if not only else 1), f"ran on {sorted(ran)} of {names}")

    # Classes on separate lanes, and on one.
    if not only or "table-mesh" in only:
        hold("table-mesh:3x3v2", "uniform", ["--load", "0.3", *SHORT, "--requests", "2,reply=7,rule=descending"])
        done = flitloom("sweep", "table-mesh:3x3", "uniform", "--load", "0.3", "--requests", "2,reply=7,rule=descending")
        check(done.returncode == 2 and "on fabric table-mesh:3x3v2 they cannot" in done.stderr and ", and back" in done.stderr, done.stderr)

    for words, says in [
        (["--requests", "2", "--load", "0.1", "--link", "uart:/dev/null"], "takes the link sim"),
        (["--batch", "2", "--link", "uart:/dev/null"], "takes the link sim"),
        (["--requests", "2"], "goes with --load"),
        (["--batch", "2", "--load", "0.1"], "does not go with --batch"),
        (["--batch", "2", "--svg", "x.svg"], "does not go with --batch"),
        (["--batch", "2", "--warmup", "5"], "does not go with --batch"),
        (["--batch", "2", "--precision", "2%"], "does not go with --batch"),
        (["--batch", "0"], "not a whole number"),
        (["--batch", "2", "--requests", "any,reply=2"], "may be under way"),
        (["--load", "0.1", "--requests", "any"], "is what a run without --requests does"),
        (["--load", "0.1", "--requests", "0"], "does not begin with a number"),
        (["--load", "0.1", "--requests", "2,service=10"], "11..1000000"),
        (["--load", "0.1", "--requests", "2,queue=10"], "is of replies"),
        (["--load", "0.1", "--requests", "2,rule=descending"], "is of replies"),
        (["--load", "0.1", "--requests", "2,reply=3,rule=up"], "unknown rule"),
        (["--load", "0.1", "--requests", "2,reply=3,rule=one-way"], "has no rule"),
        (["--load", "0.1", "--requests", "2,reply"], "none of reply="),
        (["--load", "0.1", "--requests", "2,"], "none of reply="),
        (["--load", "0.1", "--requests", "2,reply=3,queue=13"], "can lock"),
    ]:
        done = flitloom("sweep", "cube:3", "uniform", *words)
        check(done.returncode == 2 and not done.stdout and says in done.stderr and done.stderr.count("\n") == 1, f"{words}: {done.stderr}")

    # Several seeds give the mean of one run with each.
    for words, definition in [(["--batch", "50"], "batch"), (["--load", "0.1:0.9:0.8"], "load")]:
        text = flitloom("sweep", "cube:3", "uniform", *words, "--requests", "2,reply=3", "--seeds", "2", "--json").stdout
        check(follows_schema(text, definition), f"{words} over two seeds: not by the schema: {text}")
    both = json.loads(flitloom("sweep", "cube:3", "uniform", "--batch", "50", "--requests", "2,reply=3", "--seeds", "2", "--json").stdout)["curves"][0]["points"][0]
    alone = [json.loads(flitloom("sweep", "cube:3", "uniform", "--batch", "50", "--requests", "2,reply=3", "--seed", seed, "--json").stdout)["curves"][0]["points"][0]
             for seed in ("1", "2")]
    for path in (("finish", "cycles"), ("finish", "mean"), ("latency", "mean"), ("request", "mean"), ("reply", "mean")):
        mean = sum(p[path[0]][path[1]] for p in alone) / 2
        check(abs(both[path[0]][path[1]] - mean) < 1e-9 * mean, f"{path}: {both} {alone}")
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)


main()
