#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how often the interval of sweep --load --precision holds: 40 repetitions with other seeds at 0.9 of the highest load
that a fabric sustains. At least 36 of the intervals must contain the mean of all runs of all repetitions, otherwise the status is
1.

usage: precision_coverage.py [REPETITIONS [FABRIC...]]
FLITLOOM: the command.
"""
import json
import math
import os
import subprocess
import sys

FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", os.path.dirname(os.path.abspath(__file__)) + "/../../build/flitloom"))
REPETITIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 40
FABRICS = sys.argv[2:] or ["mesh:8x8", "cube:6", "torus:8x8v2"]
LEAST = math.ceil(0.9 * REPETITIONS)
APART = 1000  # the distance between the first seeds of two repetitions; none takes as many seeds


def sweep(*words):
    done = subprocess.run([FLITLOOM, "sweep", *words, "--json"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)["curves"][0]["points"][0]


def compare(fabric):
    highest = sweep(fabric, "uniform", "--load", "max", "--seeds", "5", "--measure", "60000")["load"]
    load = f"{0.9 * highest:.4f}"
    points = [sweep(fabric, "uniform", "--load", load, "--precision", "2%", "--seed", str(APART * k + 1)) for k in range(1, REPETITIONS + 1)]
    if any(p["saturated"] for p in points):
        print(f"{fabric} at {load}: saturated")
        return False
    runs = sum(p["seeds"] for p in points)
    mean = sum(p["latency"]["mean"] * p["seeds"] for p in points) / runs
    held = sum(abs(p["latency"]["mean"] - mean) <= p["latency"]["mean_half_width"] for p in points)
    settled = sum(p["settled"] for p in points)
    half = sum(p["latency"]["mean_half_width"] for p in points) / REPETITIONS
    print(f"{fabric} at {load}, 0.9 of {highest:.4f}: mean latency {mean:.2f} of {runs} runs, {runs / REPETITIONS:.1f} a repetition; "
          f"half of the interval {half:.2f}; {settled} settled; {held} of {REPETITIONS} hold the mean", flush=True)
    return held >= LEAST


good = [compare(fabric) for fabric in FABRICS]
sys.exit(not all(good))
