#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests sweep --load --by KEY for every key: its figures add up to the point, CSV and table agree with the JSON, several seeds
count all of their messages together, and neither --jobs nor the link changes anything. Pictures are drawn. FLITLOOM: the command.
Ends in "N passed, N failed".
"""
import csv
import os
import re
import shutil

from command import check, document, main, output, refused

KEYS = ("source", "destination", "flow", "distance", "length", "class", "latency", "channel")
SHORT = "--flits 1:0.5,7:0.5 --measure 1500 --warmup 300"
FABRICS = ("cube:3 uniform --load 0.3", "mesh:3x3 hotspot:2:0.2 --load 0.1", "omega:8 0.5*uniform+0.5*shift:1 --load 0.2 --machine paper",
           "ring:8v2 uniform --load 0.2 --arrivals burst:20:30", "table-mesh:4x4v2 uniform --load 0.2 --planner block",
           "mesh:3x3 uniform --load 0.05 --requests 2,reply=3")


def near(one, other, part=1e-9):
    return abs(one - other) <= part * max(abs(one), abs(other), 1e-9)


def points(words):
    report = document("sweep " + words)
    return [(c, p) for c in report["curves"] for p in c["points"]] if report else []


def one(words):
    found = points(words)
    return found[0][1] if found else {"by": []}


def test_sums():
    """Checks that the figures of all keys add up to the point."""
    for words in FABRICS:
        for key in KEYS:
            what = f"{words} {SHORT} --by {key}" + (" --window 128" if key == "channel" else "")
            (curve, point), = points(what)
            by = point["by"]
            check(by and len({(g["key"], g.get("window")) for g in by}) == len(by), f"{what}: keys {by[:3]}")
            plain = one(f"{words} {SHORT}")
            check({**point, "by": None} == {**plain, "by": None}, f"{what}: the point is another one")
            if key == "channel":
                senders = [g for g in by if g["key"].startswith("in") and "->" not in g["key"]]
                check(not senders or "reply=" in words or sum(g["messages"] for g in senders) == point["messages"], f"{what}: {senders[:2]}")
                check({(g["window"] - 1) % 128 for g in by} == {0}, f"{what}: windows")
                continue
            check(sum(g["messages"] for g in by) == point["measured_messages"], f"{what}: messages")
            if key == "latency":
                mean = sum(g["key"] * g["messages"] for g in by) / point["measured_messages"]
                check(near(mean, point["latency"]["mean"]) and by[0]["key"] == point["latency"]["min"] and by[-1]["key"] == point["latency"]["max"], f"{what}: {mean}")
                check(all(g["latency"] is None and g["flits_per_cycle"] is None for g in by), f"{what}: {by[0]}")
                continue
            check(near(sum(g["flits_per_cycle"] for g in by), point["accepted"] * curve["senders"]), f"{what}: accepted")
            for name in ("mean", "at_source", "in_network"):
                mean = sum(g["latency"][name] * g["messages"] for g in by if g["messages"]) / point["measured_messages"]
                check(near(mean, point["latency"][name]), f"{what}: {name} {mean}, not {point['latency'][name]}")
            if key == "length":
                check([g["key"] for g in by] == [1, 7], f"{what}: {by}")
    fair = [g["flits_per_cycle"] for g in one(f"cube:3 uniform --load 0.9 {SHORT} --by source")["by"]]
    point = one(f"cube:3 uniform --load 0.9 {SHORT}")
    check(point["saturated"] and near(point["worst_share"], min(fair) / (sum(fair) / 8)) and near(point["jain"], sum(fair) ** 2 / 8 / sum(x * x for x in fair)),
          f"fairness by source: {fair}, {point}")


def test_seeds():
    words = f"mesh:3x3 uniform --load 0.2 {SHORT}"
    for key in ("distance", "flow", "latency", "channel"):
        both = one(f"{words} --seeds 3 --seed 5 --by {key}")["by"]
        alone = [one(f"{words} --seed {5 + k} --by {key}")["by"] for k in range(3)]
        names = {(g["key"], g.get("window")) for run in alone for g in run}
        check({(g["key"], g.get("window")) for g in both} == names, f"{key}: other keys over three seeds")
        for g in both:
            parts = [p for run in alone for p in run if (p["key"], p.get("window")) == (g["key"], g.get("window"))]
            check(g["messages"] == sum(p["messages"] for p in parts), f"{key} {g}: {parts}")
            if g["flits_per_cycle"] is not None:
                check(near(g["flits_per_cycle"], sum(p["flits_per_cycle"] for p in parts) / 3), f"{key} {g}: {parts}")
            if g["latency"] and len(parts) == 3 and all(p["latency"] for p in parts):
                means = [p["latency"]["mean"] for p in parts]
                middle = sum(means) / 3
                half = 4.303 * (sum((x - middle) ** 2 for x in means) / 2 / 3) ** 0.5
                check(near(g["latency"]["mean"], sum(p["latency"]["mean"] * p["messages"] for p in parts) / g["messages"]), f"{key} {g}: {parts}")
                check(near(g["latency"]["mean_half_width"], half, 2e-3), f"{key} {g}: half width, not {half}")


def test_same():
    words = f"cube:3,omega:8 uniform --load 0.2:0.8:0.3 {SHORT} --seeds 2"
    for key in KEYS:
        first = points(f"{words} --by {key} --jobs 1")
        check(points(f"{words} --by {key} --jobs 3") == first, f"--by {key}: --jobs changes something")
        check(points(f"{words} --by {key} --link sim") == first, f"--by {key}: the RTL says something else")
    highest = points(f"cube:3 uniform --load max {SHORT} --by source")
    check(sum(g["messages"] for g in highest[0][1]["by"]) == highest[0][1]["measured_messages"], "--load max: the figures of another load")


def write_classes():
    """Makes flows of two lengths for each source, each with its own class; some pairs are there twice."""
    with open("classes.csv", "w", encoding="utf-8") as file:
        file.write("class,source,destination,flits,weight\n")
        for source in range(8):
            for k, (flits, of_class) in enumerate(((2, 9), (5, 0), (7, 255))):
                file.write(f"{of_class},{source},{(source + 1 + k * source % 3) % 8},{flits},{1 + k}\n")


def test_classes():
    """Checks that classes of a file are separated like the lengths that belong to them, on both links, open and closed."""
    write_classes()
    for more in ("", " --requests 2,reply=3", " --seeds 2"):
        words = f"cube:3 traffic:classes.csv --load 0.05 --measure 1500 --warmup 300{more}"
        figures = {g["key"]: {k: v for k, v in g.items() if k != "key"} for g in one(f"{words} --by length")["by"]}
        classes = one(f"{words} --by class")["by"]
        check([g["key"] for g in classes] == [0, 9, 255], f"{words}: {classes}")
        for g in classes:
            check({k: v for k, v in g.items() if k != "key"} == figures.get({9: 2, 0: 5, 255: 7}[g["key"]]), f"{words}: {g}, {figures}")
        check(one(f"{words} --by class --link sim")["by"] == classes, f"{words}: the RTL says something else")
    mixed = one("cube:3 0.5*uniform+0.5*traffic:classes.csv --load 0.05 --flits 3 --by class")["by"]
    check([g["key"] for g in mixed] == [0, 9, 255], f"what is of no file has class 0: {mixed}")
    for text, why in (("256", "line 2, column 7"), ("-1", "0..255"), ("red", "is no class")):
        with open("wrong.csv", "w", encoding="utf-8") as file:
            file.write(f"source,destination,weight,class\n0,1,1,{text}\n")
        refused("sweep cube:3 traffic:wrong.csv --load 0.1", why)


def test_batches():
    """Checks that in a batch each group has the cycle in which the last of its messages arrived; by source these are the nodes'
    finishing times."""
    for words in ("cube:3 uniform --batch 60 --flits 5", "mesh:3x3 hotspot:2:0.2 --batch 40 --flits 1:0.5,7:0.5 --requests 2,reply=3", "omega:8 shift:1 --batch 30 --machine paper"):
        for key in KEYS:
            (curve, point), = points(f"{words} --by {key}" + (" --window 64" if key == "channel" else ""))
            by, finish = point["by"], point["finish"]
            check({**point, "by": None} == {**one(words), "by": None}, f"{words} --by {key}: the point is another one")
            if key == "channel":
                check(by and all(g["finish"] is None for g in by), f"{words}: {by[:2]}")
                continue
            check(sum(g["messages"] for g in by) == point["measured_messages"], f"{words} --by {key}: messages")
            check(max(g["finish"] for g in by) == finish["cycles"], f"{words} --by {key}: {finish}, {by}")
            if key == "source":
                told = [g["finish"] for g in by]
                check(len(told) == curve["senders"] and min(told) == finish["first"] and near(sum(told) / len(told), finish["mean"]), f"{words}: {told} {finish}")
                check(told.index(max(told)) == [g["key"] for g in by].index(finish["last"]), f"{words}: the last is {finish['last']}: {told}")
                check(one(f"{words} --by {key} --link sim")["by"] == by, f"{words}: the RTL says something else")
                seeds = [one(f"{words} --by {key} --seed {k}")["by"] for k in (1, 2, 3)]
                means = [sum(run[i]["finish"] for run in seeds) / 3 for i in range(len(told))]
                both = [g["finish"] for g in one(f"{words} --by {key} --seeds 3")["by"]]
                check(all(near(a, b) for a, b in zip(means, both)), f"{words}: {both}, not {means}")
            if key == "latency":
                continue
            text = output(f"sweep {words} --by {key} --by-csv by.csv")
            rows = list(csv.DictReader(open("by.csv", newline="", encoding="utf-8")))
            check([float(r["finish"]) for r in rows] == [g["finish"] for g in by] and {r["batch"] for r in rows} == {words.split()[3]}, f"{words} --by {key}: {rows[:2]}")
            check(re.search(rf"batch +{key} .* finished\n", text), f"{words} --by {key}: a table")


def test_outputs():
    for key in KEYS:
        words = f"sweep cube:3,mesh:3x3 uniform --load 0.1:0.9:0.4 {SHORT} --by {key}"
        text = output(f"{words} --by-csv by.csv")
        rows = list(csv.DictReader(open("by.csv", newline="", encoding="utf-8")))
        told = [(c, p, g) for c, p in points(words[6:]) for g in p["by"]]
        check(len(rows) == len(told) > 0, f"{key}: {len(rows)} rows, {len(told)} in JSON")
        for row, (c, p, g) in zip(rows, told):
            latency = g["latency"] or {}
            want = {"load": p["load"], "messages": g["messages"], "flits_per_cycle": g["flits_per_cycle"], "window": g.get("window"), "blocked": g.get("blocked"),
                    "latency": latency.get("mean"), "latency_half_width": None, **{k: latency.get(k) for k in ("at_source", "in_network", "p50", "p95", "p99")}}
            same = all(row[k] == "" if v is None else near(float(row[k] or "nan"), v, 1e-8) for k, v in want.items())
            check(same and row["key"] == str(g["key"]) and row["fabric"] == c["fabric"] and row["by"] == key, f"{key}: {row} and {g}")
        has_table = re.search(rf"load +{key} +messages", text) is not None
        check(has_table == (key not in ("latency", "channel")), f"{key}: a table: {has_table}")
    flows = output(f"sweep cube:4 uniform --load 0.2 {SHORT} --by flow")
    check("more: --by-csv or --json has them" in flows and flows.count("\n") < 100, "a long table")
    if shutil.which("gnuplot"):
        for key in KEYS:
            output(f"sweep cube:3 uniform --load 0.3 {SHORT} --by {key} --by-svg by.svg -q")
            drawn = open("by.svg", encoding="utf-8").read()
            check("<svg" in drawn and len(drawn) > 5000, f"--by-svg of {key}")
            check(("source * nodes + destination" in drawn) == (key == "flow"), f"--by-svg of {key}: its axis")
        refused(f"sweep cube:3 uniform --load 0.1:0.3:0.1 {SHORT} --by channel --by-svg by.svg", "drawn of one point; here are 3")
    refused("sweep cube:3 uniform --load 0.1 --by latency", "--by-csv FILE")
    refused("sweep cube:3 uniform --load 0.1 --by source --window 9", "of --by channel")
    refused("sweep cube:3 uniform --load 0.1 --by-csv x.csv", "goes with --by")
    refused("sweep cube:3 uniform --load 0.1 --by colour", "source")


if __name__ == "__main__":
    main(test_sums, test_seeds, test_same, test_classes, test_batches, test_outputs)
