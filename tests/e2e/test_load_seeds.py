#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests sweep --load --seeds and --precision against a slow version: it runs one seed at a time by the same command, and computes
means, intervals by a published table of Student's t, and the rule that ends --precision. Also columns of the CSV, the table, the
bands of the plot, --jobs, the RTL, the highest load, Ctrl-C.
"""
import csv
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import time

from command import FLITLOOM, check, document, main, output, run

# Student's t, both sides, by degrees of freedom: of 95% and of 98%.
T95 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
T98 = {4: 3.747, 6: 3.143, 8: 2.896, 11: 2.718, 14: 2.624, 18: 2.552, 23: 2.500, 29: 2.462, 37: 2.431}
LOOKS = [5, 7, 9, 12, 15, 19, 24, 30, 38]
SHORT = "--flits 4 --measure 900"
PERCENTILES = ("p50", "p95", "p99")


def points(words):
    report = document("sweep " + words)
    return [p for c in report["curves"] for p in c["points"]] if report else []


def alone(words, seed, n, warmup):
    """Runs one seed at a time."""
    return [points(f"{words} --warmup {warmup} --seed {seed + k}")[0] for k in range(n)]


def near(one, other, part=1e-9):
    return abs(one - other) <= part * max(abs(one), abs(other), 1e-9)


def half(values, table):
    return table[len(values) - 1] * statistics.stdev(values) / math.sqrt(len(values))


def compare(what, point, runs, table):
    """Compares a point over several seeds with the runs of each."""
    figures = {"offered": lambda p: p["offered"], "accepted": lambda p: p["accepted"]}
    check(point["seeds"] == len(runs), f"{what}: {point['seeds']} seeds")
    for name, of in figures.items():
        check(near(point[name], statistics.fmean(map(of, runs))), f"{what}: {name} {point[name]}")
    check(near(point["accepted_half_width"], half([p["accepted"] for p in runs], table), 5e-4), f"{what}: {point['accepted_half_width']}")
    for name in ("measured_messages", "messages", "cycles"):
        check(point[name] == sum(p[name] for p in runs), f"{what}: {name} {point[name]}")
    check(point["saturated_seeds"] == sum(p["saturated"] for p in runs), f"{what}: {point['saturated_seeds']} saturated")
    check(point["saturated"] == any(p["saturated"] for p in runs), f"{what}: saturated {point['saturated']}")
    if point["saturated"]:
        check(point["latency"] is None and point["settled"] is None, f"{what}: {point}")
        return
    latency = point["latency"]
    for name in ("worst_share", "jain"):
        check(near(point[name], statistics.fmean(p[name] for p in runs)), f"{what}: {name} {point[name]}")
        check(near(point[name + "_half_width"], half([p[name] for p in runs], table), 5e-4), f"{what}: {name}")
    check(near(latency["at_source"] + latency["in_network"], latency["mean"], 1e-9), f"{what}: parts of {latency}")
    for name in ("mean", "at_source", "in_network", "without_wait", *PERCENTILES):
        values = [p["latency"][name] for p in runs]
        check(near(latency[name], statistics.fmean(values)), f"{what}: {name} {latency[name]}, of {values}")
        if name != "without_wait":
            check(near(latency[name + "_half_width"], half(values, table), 5e-4), f"{what}: {name} +- {latency[name + '_half_width']}, of {values}")
    check(latency["min"] == min(p["latency"]["min"] for p in runs) and latency["max"] == max(p["latency"]["max"] for p in runs), f"{what}: {latency}")


def test_seeds():
    for words, n, seed in ((f"cube:3 uniform --load 0.3 {SHORT}", 2, 1), (f"omega:8 uniform --load 0.25 {SHORT} --arrivals bernoulli", 5, 7),
                           (f"mesh:3x3 transpose --load 0.2 {SHORT} --machine paper", 10, 100), (f"cube:3 uniform --load 1 {SHORT}", 3, 1)):
        for more in ("", " --warmup 300"):
            point = points(f"{words} --seeds {n} --seed {seed}{more}")[0]
            check(not more or (point["warmup_cycles"] == 300 and point["warmup_steady"] is None), f"{words}{more}: {point}")
            compare(words + more, point, alone(words, seed, n, point["warmup_cycles"]), T95)
    # The warm-up that the sweep found gives the same point when it is an option.
    found = points(f"cube:4 uniform --load 0.5 {SHORT} --measure 4000 --seeds 3")[0]
    check(found["warmup_cycles"] > 0 and found["warmup_steady"] and found["settled"], f"a warm-up is found: {found}")
    given = points(f"cube:4 uniform --load 0.5 {SHORT} --measure 4000 --seeds 3 --warmup {found['warmup_cycles']}")[0]
    check({**given, "warmup_steady": True} == found, f"the warm-up that was found, given: {given}, not {found}")


def test_one_seed():
    """Checks that one seed gives the same as without the option, in every output except the repeated command."""
    words = f"sweep cube:3,omega:8 uniform --load 0.2:1:0.4 {SHORT}"
    for more in ("", " --load max"):
        outputs = []
        for option in ("", " --seeds 1"):
            text = output(words + more + option + " --csv rows.csv")
            report = document(words + more + option)
            command = report["request"].pop("command")
            check(command[-2:] == ["--seeds", "1"] or "--seeds" in command or not option, f"{words}{option}: {command}")
            outputs.append((text, report, open("rows.csv", encoding="utf-8").read()))
        check(outputs[0] == outputs[1], f"{words}{more} --seeds 1: something else than without")
        check("+-" not in outputs[0][0] and "seeds" not in outputs[0][0], f"{words}{more}: {outputs[0][0]}")


def test_precision():
    """Applies the rule again to runs of one seed each."""
    seen = set()
    for words, part, most in ((f"cube:3 uniform --load 0.3 {SHORT}", 3, 200), (f"cube:3 uniform --load 0.5 {SHORT}", 7, 200),
                              (f"mesh:4x4 uniform --load 0.25 {SHORT}", 50, 200), (f"cube:3 uniform --load 0.6 {SHORT}", 1, 10),
                              (f"cube:3 uniform --load 0.6 {SHORT} --measure 2000", 5, 38), (f"cube:3 uniform --load 1 {SHORT}", 5, 200)):
        bound = f" --seeds {most}" if most != 200 else ""
        what = f"{words} --precision {part}%{bound}"
        for more in (" --warmup 200", ""):
            point = points(what + more)[0]
            n, warmup = point["seeds"], point["warmup_cycles"]
            if not check(n in LOOKS + [most] and n <= most, f"{what}: {n} seeds"):
                continue
            runs = alone(words, 1, n, warmup)
            table = {**T98, **T95} if n - 1 not in T98 else T98
            if n - 1 in T98:
                compare(what, point, runs, table)
            if point["saturated"]:
                check(n == 5, f"{what}: {n} seeds, though saturated")
                seen.add("saturated")
                continue
            met = {k: half([p["latency"]["mean"] for p in runs[:k]], T98) <= part / 100 * statistics.fmean(p["latency"]["mean"] for p in runs[:k])
                   for k in LOOKS if k <= n}
            check(not any(met[k] for k in met if k < n), f"{what}: {n} seeds, and before: {met}")
            check(n not in met or met[n] or n == most or n + (n + 3) // 4 > 38, f"{what}: {n} seeds are too few: {met}")
            settled = point["latency"]["mean_half_width"] <= part / 100 * point["latency"]["mean"]
            check(point["settled"] == (settled and point["warmup_steady"] is not False), f"{what}: {point}")
            check(settled or n == most, f"{what}: {n} seeds, and not settled")
            seen.add("settled" if settled else "bound")
            if n > 5 and settled:
                seen.add("several looks")
            if not settled:
                check("pass, not settled" in output(f"sweep {what}{more}"), f"{what}: the table does not say that it is not settled")
    check(seen == {"saturated", "settled", "bound", "several looks"}, f"what was seen: {seen}")


def test_some_saturated():
    """Checks that a point at which some seeds saturate counts as saturated, and that the output says so."""
    words = f"cube:3 uniform --flits 4 --measure 300 --warmup 100 --seeds 10"
    for load in ("0.76", "0.78", "0.8", "0.82", "0.84", "0.86", "0.88"):
        point = points(f"{words} --load {load}")[0]
        if 0 < point["saturated_seeds"] < 10:
            break
    check(0 < point["saturated_seeds"] < 10 and point["saturated"], f"no load at which some saturate: {point}")
    text = output(f"sweep {words} --load {load}")
    check(f"pass, saturated with {point['saturated_seeds']} of 10 seeds\n" in text, f"load {load}: {text}")
    check("pass, saturated\n" in output(f"sweep {words} --load 1"), "all are saturated")


def test_same():
    """Checks that neither --jobs nor the link changes anything."""
    words = f"cube:3,omega:8 uniform --load 0.2:1:0.4 {SHORT}"
    for more in ("--seeds 4", "--precision 4% --seeds 12"):
        one = document(f"sweep {words} {more} --jobs 1")
        for other in ("--jobs 2", "--jobs 7"):
            check(document(f"sweep {words} {more} {other}") == one, f"{words} {more} {other}: something else")
        on_sim = document(f"sweep {words} {more} --link sim")
        check(on_sim["curves"] == one["curves"], f"{words} {more}: {on_sim['curves']} on the RTL, {one['curves']} computed")
    checked = points(f"cube:3 uniform --load 0.3 {SHORT} --seeds 3 --check-on sim:1")[0]
    plain = points(f"cube:3 uniform --load 0.3 {SHORT} --seeds 3")[0]
    check(checked == {**plain, "checked_on": "sim"} and checked["verdict"] == "pass", f"--check-on: {checked}")


def test_highest():
    words = f"cube:3 uniform --load max {SHORT} --seeds 3"
    point = points(words)[0]
    runs = alone(f"cube:3 uniform --load max {SHORT}", 1, 3, 10000)
    loads = [p["load"] for p in runs]
    check(len(set(loads)) > 1 and near(point["load"], statistics.fmean(loads)), f"{words}: {point}, of {loads}")
    check(near(point["load_half_width"], half(loads, T95), 5e-4) and point["warmup_cycles"] == 10000, f"{words}: {point}")
    line = output("sweep " + words).splitlines()[-1]
    check(f"{point['load']:.4f} +- {point['load_half_width']:.4f}" in line, f"{words}: {line}")


def test_outputs():
    words = f"cube:3,omega:8 uniform --load 0.2:1:0.4 {SHORT} --seeds 3"
    text = output(f"sweep {words} --csv rows.csv")
    rows = list(csv.DictReader(open("rows.csv", newline="", encoding="utf-8")))
    found = points(words)
    check(len(rows) == len(found) == 6, f"{len(rows)} rows, {len(found)} points")
    for row, p in zip(rows, found):
        latency = p["latency"] or {}
        want = {k: p[k] for k in ("seeds", "saturated_seeds", "warmup_cycles", "accepted_half_width")}
        want.update({k: None if p[k] is None else int(p[k]) for k in ("settled", "warmup_steady")})
        want.update({k + "_half_width": latency.get(k + "_half_width") for k in PERCENTILES})
        want.update(latency_half_width=latency.get("mean_half_width"), load_half_width=None, latency=latency.get("mean"), p99=latency.get("p99"))
        for name, value in want.items():
            same = row[name] == "" if value is None else near(float(row[name] or "nan"), value, 1e-8)
            check(same, f"CSV: {name} of {p['load']} is \"{row[name]}\", and the JSON has {value}")
        if latency:
            told = f"{latency['mean']:.2f} +- {latency['mean_half_width']:.2f}"
            check(told in text and f"{p['accepted']:.4f} +- {p['accepted_half_width']:.4f}" in text, f"{told} is not in {text}")
    check("mean of 3 seeds, +- half of the 95% interval" in text and "MSER-5" in text, f"heading: {text}")
    if shutil.which("gnuplot"):
        for more, n_bands in (("", 4), (" --compare omega:4", 6)):
            output(f"sweep cube:3,omega:8 uniform --load 0.1:0.4:0.1 {SHORT} --seeds 3{more} -q --svg plot.svg")
            svg = open("plot.svg", encoding="utf-8").read()
            bands = re.findall(r"fill-opacity = '0.2", svg)
            check(len(bands) == n_bands and "95% interval of the mean" in svg, f"the plot{more} has {len(bands)} bands")
        output(f"sweep cube:3 uniform --load 0.2 {SHORT} --seeds 2 -q --svg bar.svg")
        check("95% interval" in open("bar.svg", encoding="utf-8").read(), "a plot of one load")
        output(f"sweep {words} --seeds 1 -q --svg plain.svg")
        plain = open("plain.svg", encoding="utf-8").read()
        check("interval" not in plain and "fill-opacity = '0.2" not in plain, "a plot of one seed has a band")


def test_interrupted():
    """Checks that Ctrl-C keeps the results of finished runs. The higher load takes longer, so it is started first."""
    words = [FLITLOOM, "sweep", "cube:6", "uniform", "--load", "0.2:0.4:0.2", "--seeds", "10000", "--jobs", "2", "--warmup", "100", "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    reaped = 0
    while reaped < 50 and process.poll() is None:  # processor time, in ticks, of runs that have ended: it shows that some have
        reaped = int(open(f"/proc/{process.pid}/stat", encoding="utf-8").read().rpartition(")")[2].split()[13])
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 3 and "interrupted after 0 of 2 points" in err, f"Ctrl-C: status {process.returncode}, {err}")
    report = json.loads(out or '{"curves": [{"points": []}], "error": ""}')
    kept = report["curves"][0]["points"]
    check("interrupted" in report["error"] and len(kept) == 1, f"Ctrl-C: {kept}")
    for point in kept:
        check(2 <= point["seeds"] < 10000 and not point["settled"] and point["latency"]["mean_half_width"] > 0, f"Ctrl-C: {point}")
        alike = points(f"cube:6 uniform --load 0.2:0.4:0.2 --warmup 100 --seeds {point['seeds']}")[1]
        check({**alike, "settled": False} == point, f"Ctrl-C: {point}, not {alike}")


if __name__ == "__main__":
    main(test_seeds, test_one_seed, test_precision, test_some_saturated, test_same, test_highest, test_outputs, test_interrupted)
