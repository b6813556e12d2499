#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests sweep --load by the ways that planners choose: every planner that `flitloom list planners` names on every kind of fabric
that `flitloom list fabrics` names, so that new ones are covered as soon as they are listed. Either the request is refused in one
line, the same on every link, or the RTL does what is computed: message for message, channel for channel, figure for figure. Ways
that are rules by another name give the figures of the rules, and tables give those of the planner that wrote them. Traffic that
can lock is refused as `run` refuses it.

usage: test_load_ways.py [KIND...]
KIND: these kinds, in several sizes; without it a few fabrics. test_load_kinds.py calls it for every kind. FLITLOOM: the command.
Ends in "N passed, N failed". """
import json
import os
import re
import sys
import tempfile

from kinds import fabrics, flitloom, hosts, items

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
FEW = ["cube:3", "omega:8", "table-mesh:4x4v2", "ring:8v2"]
counts = {True: 0, False: 0}
os.chdir(HOME)
os.environ.setdefault("FLITLOOM_CACHE", HOME + "/build/models")

LOAD = ["--load", "0.08", "--flits", "4", "--warmup", "200", "--measure", "1200", "--map", "identity"]
TRAFFIC = [("uniform", []), ("shift:1", ["--arrivals", "bernoulli"]), ("0.4*uniform+0.6*shift:1", ["--machine", "paper"]), ("shift:-1", ["--seeds", "2"])]
HOTSPOT = ("hotspot:1:0.3", ["--seeds", "2"])  # on the FEW alone
SEARCH = {"reroute": ["--budget", "0.2"]}  # more options of a planner, which would search for seconds
GIVES = re.compile(r"planners on \S+ that give each message a way: (.*)\n")
PLANNERS = [name for name, _, _ in items("planners")]


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what, flush=True)
    return bool(good)


def is_refused(done):
    return done.returncode in (2, 4) and not done.stdout and re.fullmatch(r"flitloom: [^\n]{10,600}\n", done.stderr)


def curves(done):
    """Returns the results without the fields that name the link and the ways."""
    found = json.loads(done.stdout)["curves"]
    return [{**{k: v for k, v in c.items() if k not in ("planner", "rule", "name")},
             "points": [{k: v for k, v in p.items() if k != "checked_on"} for p in c["points"]]} for c in found]


def passes(done, what):
    if done.returncode != 0:
        check(False, f"{what}: status {done.returncode}: {done.stderr}{done.stdout[:300]}")
        return False
    points = [p for c in json.loads(done.stdout)["curves"] for p in c["points"]]
    return check(points and all(p["verdict"] == "pass" and p["messages"] > 0 for p in points), f"{what}: {points}")


def run_on_both(what, *words):
    """Runs a load on the model, with a point compared with the RTL, and on the RTL. Returns the computed results, or the words of
    refusal."""
    computed = flitloom("sweep", *words, "--check-on", "sim:1", "--json")
    on_sim = flitloom("sweep", *words, "--link", "sim", "--json")
    if is_refused(computed) or is_refused(on_sim):
        check(is_refused(computed) and computed.stderr == on_sim.stderr, f"{what}: computed: {computed.stderr}; on the RTL: {on_sim.stderr}")
        return computed.stderr
    if passes(computed, what) and passes(on_sim, what + ", sim"):
        check(curves(computed) == curves(on_sim), f"{what}: {computed.stdout} computed, {on_sim.stdout} on the RTL")
        check(json.loads(computed.stdout)["curves"][0]["points"][0]["checked_on"] == "sim", f"{what}: not compared")
    return computed


def hold_planner(fabric, planner, gives, traffics):
    """Runs a planner under every traffic. gives: planners that must give routes on this fabric. Returns true if it ran."""
    ran = False
    for traffic, more in traffics if planner in gives else traffics[:1]:
        words = [fabric, traffic, *LOAD, *more, "--planner", planner, *(SEARCH.get(planner, []) if planner in gives else [])]
        what = " ".join(words)
        computed = run_on_both(what, *words)
        if not isinstance(computed, str):
            check(planner in gives, f"{what}: runs, and was not said to")
            curve = json.loads(computed.stdout)["curves"][0]
            check(curve["planner"] == planner and curve["rule"] is None, f"{what}: {curve}")
            ran = True
            continue
        if planner not in gives:
            said = GIVES.search(computed)
            check(said and said[1].split(", ") == gives, f"{what}: {computed}")
        else:
            check(any(why in computed for why in ("can lock", "go dimension by dimension: ", "go by group and processor: ", "there are no tables")), f"{what}: {computed}")
    return ran


def hold_alike(fabric, ran):
    """Tests ways that are rules, and several planners in one sweep, whose rows are those of each alone."""
    for planner, rule in (("direct", "ascending"), ("xy", "ascending"), ("yx", "descending")):
        if planner not in ran or (planner != "direct" and fabric.startswith("table-")):
            continue
        for traffic in ("uniform", "shift:1"):
            one = flitloom("sweep", fabric, traffic, *LOAD, "--planner", planner, "--json")
            other = flitloom("sweep", fabric, traffic, *LOAD, "--rule", rule, "--json")
            if one.returncode == 0 and other.returncode == 0:
                check(curves(one) == curves(other), f"{fabric} {traffic}: planner {planner} is not rule {rule}")
    if len(ran) > 1:
        all_words = [fabric, "shift:1", *LOAD, "--planner", ",".join(ran), "--json"]
        together = flitloom("sweep", *all_words)
        compared = flitloom("sweep", fabric, "shift:1", *LOAD, "--planner", ran[0], "--compare", ",".join(ran[1:]), "--json")
        alone = [flitloom("sweep", fabric, "shift:1", *LOAD, "--planner", p, "--json") for p in ran]
        if all(a.returncode == 0 for a in alone):
            check([c for a in alone for c in curves(a)] == curves(together) == curves(compared), f"{' '.join(all_words)}: not as each alone")
            names = [c["planner"] for c in json.loads(together.stdout)["curves"]]
            check(names == ran, f"{' '.join(all_words)}: curves of {names}")


def hold_tables(fabric, n, planner, folder):
    """Gives the tables that a planner's ways of all pairs need as the user's own."""
    pairs, tables = folder + "/pairs.csv", folder + "/tables"
    with open(pairs, "w", encoding="utf-8") as file:
        file.write("".join(f"{v},{w}\n" for v in range(n) for w in range(n) if v != w))
    written = flitloom("plan", fabric, f"messages:{pairs}", "--map", "identity", "--planner", planner, "--tables-out", tables, "-q")
    if not check(written.returncode == 0, f"{fabric}: tables of {planner}: {written.stderr}"):
        return
    plan = json.loads(flitloom("plan", fabric, f"messages:{pairs}", "--map", "identity", "--tables", tables, "--json").stdout)
    computed = run_on_both(f"{fabric} by tables of {planner}", fabric, "uniform", *LOAD, "--tables", tables)
    if not isinstance(computed, str):
        capacity, wanted = json.loads(computed.stdout)["curves"][0]["capacity"], min(1, (n - 1) / plan["predicted"]["contention"])
        check(abs(capacity - wanted) < 1e-9, f"{fabric}: tables of {planner}: {capacity}, not {wanted}")
    both = flitloom("sweep", fabric, "uniform", *LOAD, "--tables", tables, "--compare", planner, "--json")
    found = json.loads(both.stdout or '{"curves": []}')["curves"]
    check([c["planner"] for c in found] == ["tables", planner], f"{fabric}: tables and {planner}: {both.stderr}{found}")


def hold(fabric, text, traffics=tuple(TRAFFIC)):
    if "passed backward" in text:
        done = flitloom("sweep", fabric, "uniform", *LOAD, "--planner", "direct")
        check(is_refused(done) and "one direction" in done.stderr, f"{fabric}: {done.stderr}")
        return
    said = GIVES.search(flitloom("sweep", fabric, "uniform", *LOAD, "--planner", "best").stderr)
    gives = said[1].split(", ") if said else []
    check(gives and set(gives) <= set(PLANNERS), f"{fabric}: planners {gives}")
    ran = [planner for planner in PLANNERS if hold_planner(fabric, planner, gives, traffics)]
    hold_alike(fabric, [planner for planner in ran if planner != "tables"])
    if "tables" in gives:
        n = hosts(fabric)
        with tempfile.TemporaryDirectory() as folder:
            for planner in [p for p in ran if flitloom("sweep", fabric, "uniform", *LOAD, "--planner", p).returncode == 0][-2:]:
                hold_tables(fabric, n, planner, folder)


def hold_locks():
    """Checks that ways that can lock are refused as run refuses a plan of them."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = folder + "/pairs.csv"
        with open(pairs, "w", encoding="utf-8") as file:
            file.write("".join(f"{v},{w}\n" for v in range(16) for w in range(16) if v != w))
        for planner in ("block", "reroute"):
            run = flitloom("run", "table-mesh:4x4", f"messages:{pairs}", "--planner", planner, "--map", "identity", "--flits", "4")
            load = flitloom("sweep", "table-mesh:4x4", "uniform", *LOAD, "--planner", planner)
            check(run.returncode == load.returncode and (run.stderr == load.stderr or run.returncode == 0), f"{planner}: run: {run.stderr}; load: {load.stderr}")
            check(planner != "block" or is_refused(run) and "can lock" in run.stderr, f"{planner}: {run.stderr}")


if __name__ == "__main__":
    hold_locks()
    for name, help_text in fabrics(True, sys.argv[1:]) if sys.argv[1:] else [(name, "") for name in FEW]:
        hold(name, help_text, [*TRAFFIC, HOTSPOT])
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)
