#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests requests to sweep --load that researchers who moved over made and that were once refused, a row each: each is now a
command that runs on the model and, with the same figures, on the RTL. FLITLOOM: the command. Ends in "N passed, N failed".
"""
from command import check, document, main

FLOWS = "source,destination,rate,flits\n0,1,0.2,4\n0,5,0.1,9\n3,5,0.3,4\n3,0,0.1,4\n6,2,0.2,7\n"
MATRIX = "\n".join(",".join(str((3 * v + w) % 5 if v != w else 0) for w in range(8)) for v in range(8)) + "\n"
SHORT = "--measure 1500 --warmup 300"


def curves(report):
    return report["curves"] if report else []


def planners(report):
    return [c["planner"] for c in curves(report)]


def rules(report):
    return [c["rule"] for c in curves(report)]


# The request that was refused; the command; the values that its report must have.
ROWS = [
    ("own rates: several destinations", f"cube:3 traffic:flows.csv --load 0.1:0.3:0.1 {SHORT}", lambda r: len(curves(r)[0]["points"]) == 3),
    ("own rates: as they are", f"cube:3 traffic:flows.csv --load 0.3 {SHORT}", lambda r: abs(curves(r)[0]["own_load"] - 0.3) < 1e-9),
    ("own rates: a matrix", f"cube:3 matrix:matrix.csv --load 0.2 {SHORT}", lambda r: curves(r)[0]["senders"] == 8),
    ("seeds: an interval", f"cube:3 uniform --load 0.4 --seeds 3 {SHORT}", lambda r: curves(r)[0]["points"][0]["latency"]["mean_half_width"] > 0),
    ("seeds: until it is narrow", f"cube:3 uniform --load 0.2 --precision 8% {SHORT}", lambda r: curves(r)[0]["points"][0]["settled"]),
    ("a planner", f"table-mesh:4x4v2 uniform --load 0.1 --planner block {SHORT}", lambda r: planners(r) == ["block"]),
    ("several planners", f"table-mesh:4x4v2 transpose --load 0.1:0.3:0.2 --planner xy,yx,block,reroute {SHORT}", lambda r: planners(r) == ["xy", "yx", "block", "reroute"]),
    ("own tables", f"table-mesh:4x4v2 messages:pairs.csv --load 0.1 --tables tables.csv {SHORT}", lambda r: planners(r) == ["tables"]),
    ("a rule", f"mesh:3x5 uniform --load 0.1 --rule descending {SHORT}", lambda r: rules(r) == ["descending"]),
    ("rules and planners in one plot", f"mesh:3x5 uniform --load 0.1 --rule descending --compare ascending,yx {SHORT}", lambda r: (rules(r), planners(r)) == (["descending", "ascending", None], [None, None, "yx"])),
    ("the parts of the latency", f"cube:3 uniform --load 0.4 --show split {SHORT}", lambda r: curves(r)[0]["points"][0]["latency"]["at_source"] > 0),
    ("fairness", f"cube:3 hotspot:1:0.3 --load 0.2 --show fairness {SHORT}", lambda r: 0 < curves(r)[0]["points"][0]["worst_share"] < 1),
    ("a histogram", f"cube:3 uniform --load 0.3 --by latency {SHORT}", lambda r: len(curves(r)[0]["points"][0]["by"]) > 10),
    ("channels over time", f"cube:3 uniform --load 0.3 --by channel --window 300 {SHORT}", lambda r: {g["window"] for g in curves(r)[0]["points"][0]["by"]} > {1, 301, 601}),
]


def test_rows():
    for name, text in (("flows.csv", FLOWS), ("matrix.csv", MATRIX), ("pairs.csv", "0,4\n1,4\n"), ("tables.csv", "0,0,0,+x\n1,0,0,+y\n5,0,0,-x\n4,0,0,0\n")):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    for was, words, says in ROWS:
        computed = document("sweep " + words)
        on_sim = document(f"sweep {words} --link sim")
        if not check(computed and on_sim, f"{was}: {words}: no report"):
            continue
        check(says(computed), f"{was}: {words}: {computed['curves']}")
        check(computed["curves"] == on_sim["curves"], f"{was}: {words}: the RTL says something else")
        check(all(p["verdict"] == "pass" for c in on_sim["curves"] for p in c["points"]), f"{was}: {words}: a point fails")


if __name__ == "__main__":
    main(test_rows)
