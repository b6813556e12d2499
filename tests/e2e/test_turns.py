#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests rule turns in everything that runs messages. For random lists by random turns the RTL does what the slow reference
machine does (build/e2e, set `turns`). By turns of a file and by turns:best link sim does what the model computes (each message to
the cycle, each channel's counts), in plans, plans from files, programs, long lists and at a load. Turns with a circle are
refused, and without the check the machine locks on the lanes that the refusal names. UNCHECKED: the command without the check.

usage: test_turns.py [short|all] [FABRIC...]
short: two fabrics; all: ten.
LOOM_RUNS: number of lists of each fabric against the reference (10), an eighth of them against the model. LOOM_SEED: from which seed on.
Ends in "N passed, N failed".
"""
import os
import random
import re
import subprocess
import sys

from command import HOME, check, document, figures_of_run, main, output, refused, run

SHORT = "short" in sys.argv[1:]
NAMED = [word for word in sys.argv[1:] if word not in ("short", "all")]
RUNS = int(os.environ.get("LOOM_RUNS", "6" if SHORT else "10"))
SEED = int(os.environ.get("LOOM_SEED", "1"))
UNCHECKED = os.path.abspath(os.environ.get("UNCHECKED", HOME + "/build/unchecked/flitloom"))
NEGATIVE_FIRST, P_CUBE = "+x -y\n+y -x\n", "+0 -1\n+0 -2\n+1 -0\n+1 -2\n+2 -0\n+2 -1\n"
WEST_FIRST = "+y -x\n-y -x\n"
# A file of turns for each fabric, and the number of its nodes.
FABRICS = {"mesh:3x3": (WEST_FIRST, 9), "random:8,3,1": (None, 8)}
if not SHORT:
    FABRICS |= {"cube:3v2": (P_CUBE, 8), "mesh:3x5b4": (WEST_FIRST, 15), "torus:4x4": (None, 16), "table-mesh:3x4v2": (None, 12)}
if "all" in sys.argv[1:]:
    FABRICS |= {"cube:4": (None, 16), "mesh:4x4v2": (NEGATIVE_FIRST, 16), "mesh:3x2x3d2": (None, 18), "random:16,4,1v2": (None, 16)}
SELECTS = ["fixed", "random", "lru", "credits"]


def fabrics():
    return {name: FABRICS[name] for name in NAMED} if NAMED else FABRICS


def test_against_reference():
    for fabric in fabrics():
        done = subprocess.run([HOME + "/build/e2e", f"seed={SEED}", f"lists={RUNS}", fabric + ",turns"], capture_output=True, text=True)
        said = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.M)
        check(said and done.returncode == 0 and int(said[1]) > 0, f"{fabric}: {done.stdout[:500]}{done.stderr[-300:]}")


def write_list(rng, nodes, most=150):
    focus, style = rng.randrange(nodes), rng.randrange(3)
    with open("list.csv", "w") as file:
        for _ in range(rng.randrange(1, most)):
            ends = [rng.randrange(nodes), rng.randrange(nodes)]
            if style and rng.randrange(2):
                ends[style - 1] = focus
            file.write(f"{ends[0]},{ends[1]},{rng.randrange(1, 25)}\n")


def rule_of(turns, i):
    if not turns or i % 2:
        return "turns:best"
    with open("turns.txt", "w") as file:
        file.write(turns)
    return "turns:turns.txt"


def test_against_model():
    rng = random.Random(SEED)
    for fabric, (turns, nodes) in fabrics().items():
        for i in range(max(RUNS // 8, 2)):
            write_list(rng, nodes)
            select = SELECTS[i % (3 if "d" in fabric.split(":")[1] else 4)]
            words = [fabric, "messages:list.csv", "--rule", rule_of(turns, i), "--select", select, "--machine", rng.choice(["fast", "paper"])]
            of_sim, of_model = (figures_of_run(words, link) for link in ("sim", "model"))
            for what, x, y in zip(("messages", "channels", "sums"), of_sim or (), of_model or ()):
                check(x == y, f"{words} seed {SEED}, list {i}: other {what} on sim than computed")


# Other requests that run messages; each on both links.
OTHERS = [
    "run mesh:3x3 allreduce:ring --rule turns:turns.txt",
    "run mesh:3x3 transpose --rule turns:turns.txt --planner direct --map best --budget 1",
    "run random:8,3,1 set:bit-reverse+shuffle --rule turns:best --select lru",
    "run random:8,3,1 uniform:20 --rule turns:best --seed 3",
    "run mesh:3x3 uniform:20 --rule turns:best --fail 0--1",
    f"run graph:{HOME}/tests/e2e/graphs/slow.txt:v2 uniform:40 --rule turns:best --select random",
]


def test_others():
    rule_of(WEST_FIRST, 0)
    for words in OTHERS:
        of_sim, of_model = (document(f"{words} --link {link}") for link in ("sim", "model"))
        check(of_sim and of_model and of_sim["verdict"] == of_model["verdict"] == "pass" and of_sim["measured"] == of_model["measured"], f"{words}: other on sim than computed")
    # A plan has its turns with it.
    output("plan mesh:3x3 transpose --rule turns:turns.txt -o plan.json")
    os.rename("turns.txt", "gone.txt")
    direct = document("run plan.json --link model")
    os.rename("gone.txt", "turns.txt")
    check(direct and direct["measured"] == document("run mesh:3x3 transpose --rule turns:turns.txt --link model")["measured"], "a plan's file has other turns")
    check(document("run plan.json --link sim")["measured"] == direct["measured"], "a plan's file on link sim")
    calm = "--load 0.1 --warmup 200 --measure 600 --map identity"
    for words in (f"sweep mesh:3x3 uniform {calm} --rule ascending,turns:turns.txt,turns:best --check-on sim:3",
                  f"sweep random:8,3,1 uniform {calm} --rule turns:best --check-on sim:1",
                  f"sweep graph:{HOME}/tests/e2e/graphs/slow.txt:v2 uniform {calm} --rule turns:best --select random --check-on sim:1"):
        check(document(words), words)
    check([c["rule"] for c in document(f"sweep mesh:3x3 uniform {calm} --rule ascending,turns:turns.txt,turns:best")["curves"]] ==
          ["ascending", "turns:turns.txt", "turns:best"], "curves have the names of their turns")


def test_circle():
    with open("circle.txt", "w") as file:
        file.write("+y -x\n")
    words = "run mesh:4x4 messages:corners.csv --rule turns:circle.txt --link model"
    with open("corners.csv", "w") as file:
        for source, destination in ((1, 6), (5, 2), (6, 0), (2, 5), (0, 6), (6, 1), (2, 4), (4, 2), (1, 10)):
            file.write(f"{source},{destination},60\n" * 4)
    line = refused(words, "can lock, each waiting for the next one's channel")
    check("->" in line and "forbid one of these turns" in line, line)
    refused("sweep mesh:4x4 uniform --load 0.1 --rule turns:circle.txt", "messages can lock")
    for seed in range(1, 40):  # some list locks; where one does the machine names a circle of channels
        done = subprocess.run([UNCHECKED, "run", "mesh:4x4", "uniform:60", "--flits", "40", "--seed", str(seed), "--rule", "turns:circle.txt", "--link", "model"], capture_output=True, text=True)
        if done.returncode != 0:
            break
    check(done.returncode == 3 and done.stderr.count("->") >= 3, f"without the check: status {done.returncode}: {done.stderr}")
    with open("gap.txt", "w") as file:
        file.write("0->1->2\n3->4->5\n6->7->8\n+y +x\n-y +x\n0->3->4\n6->3->4\n")
    done = run(["run", "mesh:3x3", "uniform:10", "--rule", "turns:gap.txt", "--link", "model"])
    check(done.returncode in (0, 2) and done.stderr.count("\n") <= 1, f"turns that leave no way: {done.stderr}")


main(test_against_reference, test_against_model, test_others, test_circle)
