#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""`flitloom check --all-pairs` on every kind of fabric that is listed: its routes have a certificate that tools/check_certificate.py
takes, or it is refused in one line; a certificate with one change is not taken; JSON, table and certificate say the same; where routers
have tables, planner all-pairs runs these routes.
"""
import copy
import json
import os
import random
import subprocess

import kinds
from command import HOME, check, document, main, output, refused, run

CHECKER = HOME + "/tools/check_certificate.py"
NO_CHOICE = "is no direct network"


def believed(path, graph=None):
    done = subprocess.run([CHECKER, path, *([graph] if graph else [])], capture_output=True, text=True)
    check(done.returncode in (0, 1) and not done.stderr, f"the checker ends with {done.returncode}: {done.stderr[:300]}")
    return done.returncode == 0, done.stdout


def at_home(fabric):
    kind, _, rest = fabric.partition(":")
    return f"{kind}:{HOME}/{rest}" if kind == "graph" else fabric


def all_kinds():
    direct = 0
    for fabric, _ in kinds.fabrics(True):
        fabric = at_home(fabric)
        done = run(["check", fabric, "--all-pairs", "--lanes", "2", "--json", "--certificate", "c.json"])
        if done.returncode:
            refused(["check", fabric, "--all-pairs"], NO_CHOICE)
            continue
        direct += 1
        it = json.loads(done.stdout)
        graph = fabric.removeprefix("graph:").removesuffix(":v2").removesuffix(":v4")
        good, text = believed("c.json", graph if fabric.startswith("graph:") and graph.endswith(".txt") else None)
        check(good and f"{it['lanes']} lanes, {it['largest_load']} pairs" in text, f"{fabric}: {text}")
        check(it["lower_bound"] <= it["largest_load"] and it["hops"]["mean"] >= it["hops"]["mean_shortest"], f"{fabric}: {it}")
        os.remove("c.json")
        plan = run(["run", fabric, "all-to-all", "--planner", "all-pairs", "--link", "model", "--json"])
        has_tables = fabric.startswith(("table-", "graph:"))
        check((plan.returncode == 0) == has_tables, f"{fabric}: planner all-pairs: {plan.stderr[:300]}")
        if has_tables:
            check(json.loads(plan.stdout)["verdict"] == "pass", f"{fabric}: {plan.stdout[:300]}")
    check(direct >= 30, f"{direct} direct networks")


def change(it, rng):
    """One figure of the certificate, another one."""
    route = rng.choice([r for r in it["routes"] if len(r[3]) > 1])
    what = rng.randrange(5)
    if what == 0:
        route[3][rng.randrange(len(route[3]))] = rng.randrange(len(it["links"]))
    elif what == 1:
        route[2] = rng.randrange(it["lanes"] + 1)
    elif what == 2:
        k = rng.randrange(1, len(route[3]))
        it["numbers"][route[3][k]][route[2]] = it["numbers"][route[3][k - 1]][route[2]] - rng.randrange(2)
    elif what == 3:
        it["routes"].remove(route)
    else:
        a = rng.randrange(len(it["links"]))
        it["loads"][a][rng.randrange(it["lanes"])] += rng.choice((-1, 1))


def forged():
    rng = random.Random(7)
    output(["check", at_home("graph:tests/e2e/graphs/chords.txt"), "--all-pairs", "--lanes", "2", "--certificate", "c.json"])
    with open("c.json", encoding="utf-8") as it:
        right = json.load(it)
    n = 0
    while n < 100:
        wrong = copy.deepcopy(right)
        change(wrong, rng)
        if wrong == right:
            continue
        n += 1
        with open("wrong.json", "w", encoding="utf-8") as it:
            json.dump(wrong, it)
        good, text = believed("wrong.json")
        check(not good and text.startswith("no: "), f"a forged certificate is taken: {text}")
    with open("other.txt", "w", encoding="utf-8") as it:
        it.write("a b\nb c\n")
    check(not believed("c.json", "other.txt")[0], "of another graph")


def figures():
    it = document("check torus:3x4 --all-pairs --seed 5 --budget 0.05")
    check([row["lanes"] for row in it["rows"]] == [1, 2, 3, 4], f"{it['rows']}")
    loads = [row["largest_load"] for row in it["rows"]]
    check(loads == sorted(loads, reverse=True), f"more lanes are never worse: {loads}")
    best = next(row for row in it["rows"] if row["lanes"] == it["lanes"])
    check(best["largest_load"] == it["largest_load"], f"{it}")
    check(it["largest_load"] <= 1.3 * it["lower_bound"] or it["largest_load"] == loads[-1], f"{it}")
    text = output("check torus:3x4 --all-pairs --lanes 2")
    one = document("check torus:3x4 --all-pairs --lanes 2")
    for figure in (one["largest_load"], one["lower_bound"], f"{one['hops']['mean']:.3f}", "no deadlock is possible"):
        check(str(figure) in text, f"no {figure} in {text}")
    check(output("check torus:3x4 --all-pairs --lanes 2 --quiet") == "", "--quiet")


def budget():
    """More time is never worse, and it is kept to: a network whose bound is out of reach on one lane ends when time is up."""
    short, long = (document(f"check ring:9 --all-pairs --lanes 1 --budget {seconds}")["largest_load"] for seconds in (0.01, 0.4))
    check(long <= short, f"{short} pairs in 0.01 s, {long} in 0.4 s")


def bad():
    for words, text in (
        ("check cube:3 --lanes 2", "--lanes goes with --all-pairs"), ("check cube:3 --certificate c.json", "--certificate goes with"),
        ("check cube:3 --seed 2", "--seed goes with"), ("check cube:3 --budget 2", "--budget goes with"),
        ("check cube:3 --all-pairs --rule ascending", "does not go with --rule"), ("check table-mesh:2x2 --all-pairs --tables t.csv", "does not go with --tables"),
        ("check cube:3 --all-pairs --lanes 0", "--lanes"), ("check cube:3 --all-pairs --lanes 17", "--lanes"), ("check cube:11 --all-pairs", "for 1024 at most"),
        ("check cube:3 --all-pairs --certificate nowhere/c.json", "nowhere/c.json"), ("run cube:3 complement --planner all-pairs", "all-pairs"),
    ):
        refused(words, text)


main(all_kinds, forged, figures, budget, bad)
