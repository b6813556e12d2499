#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests `flitloom check --all-pairs` on every kind of fabric that is listed. Its routes, the usual routes and plans have a
certificate that tools/check_certificate.py accepts, or the request is refused in one line. A certificate with one change is not
accepted. JSON, table and certificate agree. If routers have tables, planner all-pairs runs these routes.
"""
import contextlib
import copy
import io
import json
import os
import random
import sys

import kinds
from command import HOME, check, document, main, output, refused, run

CHECKER = HOME + "/tools/check_certificate.py"
NO_CHOICE = "is no direct network"


with open(CHECKER, encoding="utf-8") as program:
    CODE = compile(program.read(), CHECKER, "exec")


def believed(path, graph=None):
    """Runs the checker in this process, because it is called more than a thousand times."""
    said, status = io.StringIO(), 0
    before, sys.argv = sys.argv, [CHECKER, path, *([graph] if graph else [])]
    with contextlib.redirect_stdout(said):
        try:
            exec(CODE, {"__name__": "__main__"})  # pylint: disable=exec-used
        except SystemExit as end:
            status = end.code
    sys.argv = before
    check(status in (0, 1), f"the checker ends with {status}")
    return status == 0, said.getvalue()


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
        check(good and f"{it['lanes']} lanes, {it['largest_load']} routes" in text, f"{fabric}: {text}")
        check(it["lower_bound"] <= it["largest_load"] and it["hops"]["mean"] >= it["hops"]["mean_shortest"], f"{fabric}: {it}")
        os.remove("c.json")
        plan = run(["run", fabric, "all-to-all", "--planner", "all-pairs", "--link", "model", "--json"])
        has_tables = fabric.startswith(("table-", "graph:", *kinds.MADE_KINDS))
        check((plan.returncode == 0) == has_tables, f"{fabric}: planner all-pairs: {plan.stderr[:300]}")
        if has_tables:
            check(json.loads(plan.stdout)["verdict"] == "pass", f"{fabric}: {plan.stdout[:300]}")
    check(direct >= 30, f"{direct} direct networks")


def of_routes_and_plans():
    """Checks usual routes and plans of each kind of fabric: the certificate is accepted, or one line says that the routes can lock
    or that it is no direct network."""
    taken = {"check": 0, "plan": 0}
    for fabric, _ in kinds.fabrics(True):
        if fabric.startswith(("ocs:", "ocs-benes:")):
            continue  # a certificate there is the proof of a bound: test_circuits.py
        fabric = at_home(fabric)
        for words in (f"check {fabric}", f"plan {fabric} uniform:40", f"plan {fabric} uniform:40 --planner greedy"):
            done = run([*words.split(), "--certificate", "c.json", "--quiet"])
            if done.returncode:
                check(done.returncode == 2 and done.stderr.count("\n") == 1 and not os.path.exists("c.json"), f"{words}: {done.stderr}")
                check("no certificate: " in done.stderr or "can lock" in done.stderr or "planner greedy" in done.stderr, f"{words}: {done.stderr}")
                continue
            good, text = believed("c.json")
            check(good and text.startswith("yes: "), f"{words}: {text}")
            taken[words.split()[0]] += 1
            os.remove("c.json")
    check(taken["check"] >= 20 and taken["plan"] >= 40, f"{taken}")
    output(["plan", "table-mesh:4x4v2", "uniform:9", "--seed", "2", "--planner", "reroute", "--certificate", "c.json", "--quiet", "--output", "p.json"])
    output("plan p.json --certificate again.json --quiet")
    with open("c.json", encoding="utf-8") as one, open("again.json", encoding="utf-8") as two:
        check(one.read() == two.read(), "the certificate of a plan and of its file")


def change(it, rng):
    """Changes one figure of the certificate."""
    at = rng.choice(it["passes"])
    route = rng.choice(at["routes"])
    what = rng.randrange(6)
    if what == 0:
        route[3][rng.randrange(len(route[3]))] = rng.randrange(len(it["links"]))
    elif what == 1 and isinstance(route[2], list):
        route[2][rng.randrange(len(route[2]))] = rng.randrange(it["lanes"] + 1)
    elif what == 1:
        route[2] = rng.randrange(it["lanes"] + 1)
    elif what == 2:
        at["numbers"][rng.randrange(len(it["links"]))][rng.randrange(it["lanes"])] += rng.choice((-1, 1, 7))
    elif what == 3:
        at["routes"].remove(route)
    elif what == 4:
        route[rng.randrange(2)] = rng.randrange(len(it["nodes"]))
    else:
        at["loads"][rng.randrange(len(it["links"]))][rng.randrange(it["lanes"])] += rng.choice((-1, 1))


def forged():
    """Changes one number, load, route, end or lane in each of 1,000 certificates, of searched routes, of usual ones and of plans."""
    rng = random.Random(7)
    for words in ("check CHORDS --all-pairs --lanes 2", "check torus:3x3v2", "plan CHORDS:v2 all-to-all", "plan mesh:3x3 uniform:4 --planner greedy"):
        output(words.replace("CHORDS", at_home("graph:tests/e2e/graphs/chords.txt")) + " --certificate c.json --quiet")
        with open("c.json", encoding="utf-8") as it:
            right = json.load(it)
        n = 0
        while n < 250:
            wrong = copy.deepcopy(right)
            change(wrong, rng)
            if wrong == right:
                continue
            n += 1
            with open("wrong.json", "w", encoding="utf-8") as it:
                json.dump(wrong, it)
            good, text = believed("wrong.json")
            check(not good and text.startswith("no: "), f"{words}: a forged certificate is taken: {text}")
    output(["check", at_home("graph:tests/e2e/graphs/chords.txt"), "--all-pairs", "--lanes", "2", "--certificate", "c.json", "--quiet"])
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


def by_destination():
    """Checks that routes by destination have certificates as well, and that a plan of them runs. test_pair_routes tests that next links
    follow from destinations."""
    for fabric in ("cube:4", "torus:4x4", "table-torus:4x4v2", "dragonfly:4,2", "random:20,3,1v2", "hyperx:3x3", at_home("graph:tests/e2e/graphs/chords.txt:v2"), "fat-tree:2,3v2"):
        it = document(["check", fabric, "--all-pairs", "--by-destination", "--lanes", "2", "--certificate", "c.json"])
        check(it["by_destination"] and it["lower_bound"] <= it["largest_load"], f"{fabric}: {it}")
        good, text = believed("c.json")
        check(good and f"2 lanes, {it['largest_load']} routes" in text, f"{fabric}: {text}")
        if not fabric.startswith(("cube:", "torus:")):
            plan = document(["run", fabric, "all-to-all", "--planner", "by-destination", "--link", "model"])
            check(plan["verdict"] == "pass", f"{fabric}: {plan['verdict']}")


def by_destination_on_trees():
    """Checks that routes by destination use all ways up a fat tree: no link carries a tenth more pairs than the bound, on one lane."""
    for fabric in ("fat-tree:2,3", "fat-tree:2,4", "fat-tree:3,2", "fat-tree:4,2", "fat-tree:3,3", "fat-tree:4,3"):
        it = document(["check", fabric, "--all-pairs", "--by-destination", "--lanes", "1"])
        check(it["lower_bound"] <= it["largest_load"] <= 1.1 * it["lower_bound"], f"{fabric}: {it}")


def budget():
    """Checks that more time is never worse, and that a search for a bound that cannot be met on one lane ends in time."""
    short, long = (document(f"check ring:9 --all-pairs --lanes 1 --budget {seconds}")["largest_load"] for seconds in (0.01, 0.4))
    check(long <= short, f"{short} pairs in 0.01 s, {long} in 0.4 s")


def bad():
    for words, text in (
        ("check cube:3 --lanes 2", "--lanes goes with --all-pairs"), ("check cube:3 --rule mixed --certificate c.json", "--certificate: of the routes of one rule"),
        ("check table-mesh:2x2 --tables t.csv --certificate c.json", "--certificate: of the routes of one rule"), ("check ring:8 --certificate c.json --quiet", "in a circle"),
        ("plan omega:8 shift:1 --certificate c.json --quiet", "no direct network"), ("plan cube:3 complement --compare --certificate c.json", "--certificate and --compare"),
        ("check cube:3 --seed 2", "--seed goes with"), ("check cube:3 --budget 2", "--budget goes with"),
        ("check cube:3 --by-destination", "--by-destination goes with"), ("check cube:3 --all-pairs --by-destination --budget 1", "take no budget"),
        ("check cube:3 --all-pairs --rule ascending", "does not go with --rule"), ("check table-mesh:2x2 --all-pairs --tables t.csv", "does not go with --tables"),
        ("check cube:3 --all-pairs --lanes 0", "--lanes"), ("check cube:3 --all-pairs --lanes 17", "--lanes"), ("check cube:11 --all-pairs", "for 1024 at most"),
        ("check cube:3 --all-pairs --certificate nowhere/c.json", "nowhere/c.json"), ("run cube:3 complement --planner all-pairs", "all-pairs"),
    ):
        refused(words, text)


main(all_kinds, of_routes_and_plans, forged, figures, by_destination, by_destination_on_trees, budget, bad)
