# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Reads what `flitloom list` names, and makes fabrics of every kind in small sizes from the sizes that it gives, so that a test
covers a new kind as soon as it is listed. Paths are those of the tree. LOOM_TIMEOUT: the seconds that a command may take,
including the models that it builds; set it higher if many models are built on a busy machine.
"""
import json
import os
import re
import subprocess
import sys

FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", os.path.dirname(os.path.abspath(__file__)) + "/../../build/flitloom"))
TIMEOUT = float(os.environ.get("LOOM_TIMEOUT", "600"))
GRAPHS = ["tests/e2e/graphs/chords.txt", "tests/e2e/graphs/petersen.dot", "tests/e2e/graphs/switches.txt", "tests/e2e/graphs/switches.graphml",
          "tests/e2e/graphs/slow.txt"]

MADE_KINDS = ("hyperx:", "twisted-torus:", "dragonfly:", "fat-tree:", "slim-fly:", "random:")
MADE = {"K,N": ["2,2", "3,1", "2,3"], "A,H": ["2,1", "3,2", "2,1,2"], "NODES,DEGREE,SEED": ["8,3,1", "12,4,7"]}


def flitloom(*words):
    return subprocess.run([FLITLOOM, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT)


def hosts(fabric):
    """Returns how many nodes send and receive: with pattern identity each of them has one message, and switches have none."""
    return json.loads(flitloom("plan", fabric, "identity", "--planner", "direct", "--json").stdout)["messages"]


def items(what):
    """Returns the name, the syntax of the size, and the text of each item of a list."""
    found = []
    for line in flitloom("list", what).stdout.splitlines():
        head = re.match(r"(\S+)\s*(.*)", line)
        if head:
            found.append([head[1], head[2]])
        else:
            found[-1][1] += " " + line.strip()
    return [(*name.partition(":")[::2], text) for name, text in found]


def sizes(kind, syntax, text):
    """Returns small sizes of a kind; the first is for the short run."""
    power = "power of two" in text
    several = re.fullmatch(r"(\d+)((\|\d+)+)", syntax)
    span = re.fullmatch(r"(\d+)\.\.(\d+)", syntax)
    if several:
        return [several[1]]
    if span and int(span[2]) <= 32:  # dimensions
        return [3, max(1, int(span[1])), 2]
    if span:
        return [4 if power else 5, int(span[1]), 8]
    if syntax == "N[xK]":
        return ["4" if power else "5", "4x2", "2"]
    if syntax == "AxB[xC..]":
        return ["2x3", "3x3", "2x2x2"]
    if syntax in MADE:
        return MADE[syntax]
    if syntax == "FILE":
        return GRAPHS
    sys.exit(f"no small size of {kind} is known from \"{syntax}\": teach `sizes` how to read it")


def fabrics(several, only=()):
    """Returns every kind in each size, or in the first one, with each of its options, and the text of the list. only: the kinds wanted."""
    for kind, syntax, text in items("fabrics"):
        if only and kind not in only:
            continue
        syntax = syntax.replace("[tNxN..]", "[t1]").replace("[,P]", "")
        options = re.findall(r"\[([^\]]*)\]", syntax.replace("[xC..]", "").replace("[xK]", "").replace("v2..v8", "v2|v3" if several else "v2"))
        plain = re.sub(r"\[(?!x[CK])[^\]]*\]", "", syntax)
        suffixes = [""] + [o.replace("N", "2") for group in options for o in group.split("|")]
        if len(options) > 1 and several:
            suffixes.append("".join(group.split("|")[0].replace("N", "2") for group in options))
        for size in sizes(kind, plain, text)[: None if several else 1]:
            for suffix in suffixes:
                yield f"{kind}:{size}{suffix}", text
