#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests rules that draw ways (o1turn, romm, valiant): plans and their files, runs on the RTL compared with computed ones, loads
and long lists on both, certificates, and certificates with one change.

usage: test_drawn.py
LOOM_SEED: from which seed on. Ends in "N passed, N failed".
"""
import csv
import json
import os
import random
import subprocess

from command import HOME, check, document, figures_of_run, main, output, run

SEED = int(os.environ.get("LOOM_SEED", "1"))
FABRICS = {"mesh:4x4v2": ("o1turn", "romm", "valiant"), "cube:3v2": ("romm", "valiant"), "torus:4x4v4": ("romm", "valiant"),
           "line:8v2": ("romm", "valiant"), "ring:8v4": ("romm", "valiant")}
CALM = ["--warmup", "200", "--measure", "1500"]


def each():
    return ((fabric, rule) for fabric, rules in FABRICS.items() for rule in rules)


def plan_file(fabric, rule, seed):
    done = run(["plan", fabric, "uniform:60", "--rule", rule, "--seed", str(seed), "-o", "plan.json", "--certificate", "proof.json"])
    check(done.returncode == 0 and certificate_is_true(), f"{fabric} {rule}: {done.stderr}")
    with open("plan.json") as file:
        return json.load(file)


def test_plans():
    for fabric, rule in each():
        first, again, other = (plan_file(fabric, rule, seed) for seed in (5, 5, 6))
        check(first == again and len(first["via"]) == len(first["messages"]), f"{fabric} {rule}: not the same by the same seed")
        check(first["via"] != other["via"], f"{fabric} {rule}: the same nodes by another seed")
        check(run(["run", "plan.json", "--link", "model"]).returncode == 0, f"{fabric} {rule}: its file does not run")
        for change, says in (([99] + other["via"][1:], "does not draw"), (other["via"][1:], "via")):
            with open("wrong.json", "w") as file:
                json.dump({**other, "via": change}, file)
            done = run(["run", "wrong.json", "--link", "model"])
            check(done.returncode == 2 and says in done.stderr, f"{fabric} {rule}: a wrong file: {done.stderr}")


def test_tables():
    """Checks that the nodes of a plan's file are those in the table of its messages, of a plan and of a run; other tables have no such
    column."""
    for fabric, rule in each():
        plan = plan_file(fabric, rule, 5)
        want = ["" if source == destination else str(via) for via, (_, source, destination, *_) in zip(plan["via"], plan["messages"])]
        for words in (["plan", fabric, "uniform:60", "--rule", rule, "--seed", "5"], ["run", "plan.json", "--link", "model"]):
            done = run([*words, "--messages", "m.csv"])
            with open("m.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            check(done.returncode == 0 and [row["via"] for row in rows] == want, f"{words}: {done.stderr} other nodes in the table")
    with open("own.csv", "w", encoding="utf-8") as file:
        file.write("0,3\n2,2\n1,3\n")
    for rule, cells in (("romm", (True, False, True)), ("west-first", None), ("ascending", None)):
        output(["run", "mesh:4x4v2", "messages:own.csv", "--rule", rule, "--link", "model", "--messages", "m.csv"])
        with open("m.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        check(("via" in rows[0]) == bool(cells) and (not cells or tuple(row["via"] != "" for row in rows) == cells), f"{rule}: {rows}")


def test_on_the_rtl():
    rng = random.Random(SEED)
    for fabric, rule in each():
        for pattern in ("complement", "uniform:80", "allreduce:ring"):
            words = [fabric, pattern, "--rule", rule, "--seed", str(rng.randrange(1000)), "--machine", rng.choice(["fast", "paper"])]
            check(figures_of_run(words, "sim") == figures_of_run(words, "model"), f"{words}: otherwise on sim than computed")


def test_loads():
    for fabric, rule in each():
        words = ["sweep", fabric, "uniform", "--load", "0.05:0.2:0.15", "--rule", rule, *CALM, "--seed", str(SEED)]
        on = {link: document([*words, "--link", link]) for link in ("sim", "model")}
        points = [[(p["messages"], p["accepted"], p["latency"]) for p in it["curves"][0]["points"]] for it in on.values() if it]  # no latency: it is saturated
        check(len(points) == 2 and points[0] == points[1], f"{fabric} {rule}: {points}")
    words = ["sweep", "mesh:4x4v2", "transpose", "--load", "0.1", "--rule", "valiant", *CALM]
    of = [document([*words, "--seed", str(seed)])["curves"][0]["points"][0]["latency"]["mean"] for seed in (1, 1, 2)]
    check(of[0] == of[1] != of[2], f"by seeds 1, 1, 2: {of}")


def certificate_is_true():
    with open("proof.json", encoding="utf-8") as it:
        checker = "check_rule_certificate.py" if "rule" in json.load(it) else "check_certificate.py"  # a certificate of all routes that can be drawn, or of one plan
    done = subprocess.run([f"{HOME}/tools/{checker}", "proof.json"], capture_output=True, text=True)
    return done.returncode == 0


def test_proofs():
    for fabric, rule in [*each(), ("mesh:3x5v4", "o1turn"), ("ring:7v4", "valiant"), ("cube:4v4", "romm"), ("mesh:2x3x4v2", "valiant")]:
        done = run(["check", fabric, "--rule", rule, "--certificate", "proof.json"])
        check(done.returncode == 0 and "no deadlock is possible" in done.stdout, f"{fabric} {rule}: {done.stdout}{done.stderr}")
        check(certificate_is_true(), f"{fabric} {rule}: its certificate is not true")
        with open("proof.json") as file:
            proof = json.load(file)
        wrong = []
        if proof["in_turn"]:
            wrong.append({**proof, "parts": proof["parts"][::-1]})
        wrong.append({**proof, "parts": [proof["parts"][0][1:], proof["parts"][1]]})
        longest = max(proof["parts"][1], key=lambda route: len(route[3]))
        numbers = [list(row) for row in proof["numbers"]]
        if len(longest[3]) > 1:
            (a, b), (x, y) = longest[3][:2], longest[2][:2]
            numbers[a][x], numbers[b][y] = numbers[b][y], numbers[a][x]
            wrong.append({**proof, "numbers": numbers})
        for it in wrong:
            with open("proof.json", "w") as file:
                json.dump(it, file)
            check(not certificate_is_true(), f"{fabric} {rule}: a wrong certificate is taken for true")


main(test_plans, test_tables, test_on_the_rtl, test_loads, test_proofs)
