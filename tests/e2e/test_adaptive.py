#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests adaptive routers with random lists of messages by each rule, with each selection, in both timings. The RTL does what the
slow reference machine does (build/e2e, set `adaptive`), and what the model computes (the command, link sim and link model): the
same cycle for each message, and the same messages, flits and blocked cycles for each channel.

usage: test_adaptive.py [short|all] [FABRIC...]
short: two fabrics; all: eleven.
LOOM_RUNS: number of lists of each rule against the reference (20), a twentieth of them against the model. LOOM_SEED: from which seed on.
Ends in "N passed, N failed".
"""
import os
import random
import re
import subprocess
import sys

from command import HOME, check, figures_of_run, main

SHORT = "short" in sys.argv[1:]
NAMED = [word for word in sys.argv[1:] if word not in ("short", "all")]
RUNS = int(os.environ.get("LOOM_RUNS", "10" if SHORT else "20"))
SEED = int(os.environ.get("LOOM_SEED", "1"))
TURNS = ["negative-first", "west-first", "north-last"]
FABRICS = {"cube:3": TURNS, "mesh:4x4v2": TURNS + ["odd-even", "duato"]}
if not SHORT:
    FABRICS |= {"cube:3v2": TURNS + ["duato"], "mesh:3x5b4": TURNS + ["odd-even"], "torus:4x4v2": ["duato"], "ring:6v4": ["duato"]}
if "all" in sys.argv[1:]:
    FABRICS |= {"cube:4": TURNS, "mesh:4x4": TURNS + ["odd-even"], "mesh:3x2x3": TURNS, "torus:5x3v3": ["duato"], "line:6v2": TURNS + ["duato"]}
SELECTS = ["fixed", "random", "lru", "credits"]


def fabrics():
    return {name: FABRICS[name] for name in NAMED} if NAMED else FABRICS


def test_against_reference():
    for fabric in fabrics():
        done = subprocess.run([HOME + "/build/e2e", f"seed={SEED}", f"lists={RUNS}", fabric + ",adaptive"], capture_output=True, text=True)
        said = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.M)
        check(said and done.returncode == 0 and int(said[1]) > 0, f"{fabric}: {done.stdout[:500]}{done.stderr[-300:]}")


def messages(rng, nodes):
    """Makes enough messages that headers wait for each other; half of them are from or to one node."""
    focus, style = rng.randrange(nodes), rng.randrange(3)
    lines = []
    for _ in range(rng.randrange(1, 200)):
        ends = [rng.randrange(nodes), rng.randrange(nodes)]
        if style and rng.randrange(2):
            ends[style - 1] = focus
        lines.append(f"{ends[0]},{ends[1]},{rng.randrange(1, 25)}\n")
    return "".join(lines)


def test_against_model():
    rng = random.Random(SEED)
    for fabric, rules in fabrics().items():
        for rule in rules:
            for i in range(max(RUNS // 20, 4)):
                select, machine = SELECTS[i % 4], rng.choice(["fast", "paper"])
                with open("list.csv", "w") as file:
                    file.write(messages(rng, nodes_of(fabric)))
                words = ["messages:list.csv", "--rule", rule, "--select", select, "--machine", machine]
                of_sim, of_model = (figures_of_run([fabric, *words], link) for link in ("sim", "model"))
                for what, x, y in zip(("messages", "channels", "sums"), of_sim or (), of_model or ()):
                    check(x == y, f"{fabric} {words} seed {SEED}, list {i}: other {what} on sim than computed")


def nodes_of(fabric):
    size = re.match(r"\w+:(\d+(?:x\d+)*)", fabric)[1]
    nodes = 1
    for extent in size.split("x"):
        nodes *= 2 ** int(extent) if fabric.startswith("cube") else int(extent)
    return nodes


main(test_against_reference, test_against_model)
