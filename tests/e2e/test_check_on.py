#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests sweep --check-on: the points that are also run on the RTL, over sizes and loads, and the errors where that is not
possible. faults.sh, whose RTL is broken, tests that a difference fails the sweep by name.
"""
import csv
import os
import tempfile

from command import check, document, main, output, refused, run

SHORT = "--warmup 200 --measure 500"
# A sweep, K, and for each of its rows whether it is run on the RTL: evenly spread, the last one among them.
CHECKED = [
    ("cube:3 uniform:40 --flits 5:40", 1, "0001"),
    ("cube:3 uniform:40 --flits 5:40", 2, "0101"),
    ("cube:3 uniform:40 --flits 5:40", 3, "0111"),
    ("cube:3 uniform:40 --flits 5:40", 4, "1111"),
    ("cube:3,omega:8 uniform:30 --flits 3:6:3 --machine fast,paper", 3, "00100101"),
    ("omega:8,cube:3 all-to-all --flits 4", 2, "11"),  # a free run, and passes with barriers
    ("cube:3 uniform:20 --flits 6 --seeds 3", 1, "1"),
    ("omega:8 all-to-all --flits 4 --preset --planner min_passes", 1, "1"),
    ("cube:3 messages:released.csv", 1, "1"),
    ("cube:3,cube:11 complement --flits 4:8", 2, "1100"),  # there is no RTL for the second fabric
    ("cube,omega transpose --nodes 2:8 --flits 4", 1, "-0--1-"),  # left out: of 2 and 8 nodes
    ("cube:3 uniform --load 0.1:0.4:0.1 --flits 4 " + SHORT, 2, "0101"),
    ("cube:3 uniform --load max --flits 4 " + SHORT, 1, "1"),
]
# A sweep and its error.
REFUSED = [
    ("cube:3 uniform:40 --flits 5:40 --check-on sim:5", "--check-on: sim:5: the sweep has 4 points"),
    ("cube:3 uniform:40 --check-on sim:2", "--check-on: sim:2: the sweep has 1 point\n"),
    ("cube:3 uniform --load 0.1:0.4:0.1 --check-on sim:5 " + SHORT, "--check-on: sim:5: the sweep has 4 points"),
    ("cube:3,cube:11 complement --check-on sim:2", "the RTL can run 1 of the 2 points; cube:11: no RTL for cube:11"),
    ("cube,omega transpose --nodes 2:4 --check-on sim:3", "the RTL can run 2 of the 4 points; pattern transpose needs a number of address bits that is a multiple of 2; 2 "),
    ("cube:3 complement --check-on sim:1 --plan-only", "with --plan-only nothing is run"),
    ("cube:3 complement --check-on sim:1 --link sim", "these are run on link sim anyway"),
    ("cube:3 uniform --load 0.1 --check-on sim:1 --link sim", "these are run on link sim anyway"),
    ("cube:3 complement --check-on sim:0", "is not a whole number in 1.."),
    ("cube:3 complement --check-on model:1", "is not sim:K"),
    ("cube:3 complement --check-on sim", "is not sim:K"),
]


def rows_of(report):
    return report["runs"] if "runs" in report else [p for c in report["curves"] for p in c["points"]]


def test_checked():
    with open("released.csv", "w", encoding="utf-8") as file:
        file.write("source,destination,flits,count,release\n0,3,4,2,10\n1,3,9,1,12\n2,2,5,1,3\n5,0,7,1,1\n")
    for words, n, marks in CHECKED:
        what = f"sweep {words} --check-on sim:{n}"
        report = document(f"sweep {words} --check-on sim:{n} --csv rows.csv")
        plain = document(f"sweep {words}")
        if not report or not plain:
            continue
        rows, done = rows_of(report), marks.replace("-", "")
        check([r["checked_on"] for r in rows] == ["sim" if m == "1" else None for m in done], f"{what}: {rows}")
        check(all(r["verdict"] == "pass" and r["mismatch_count"] == 0 and r["mismatch"] is None for r in rows), f"{what}: {rows}")
        check([{**r, "checked_on": None} for r in rows] == rows_of(plain), f"{what}: other rows than without it")
        with open("rows.csv", newline="", encoding="utf-8") as file:
            told = [r["checked_on"] for r in csv.DictReader(file)]
        check(told == ["sim" if m == "1" else "" for m in marks], f"{what}: CSV: {told}")
        check(f"--check-on sim:{n}" in " ".join(report["request"]["command"]), f"{what}: the request does not say so")
    table = output("sweep cube:3 uniform:40 --flits 5:40 --check-on sim:2").splitlines()
    check([line.endswith("pass, as on sim") for line in table[-4:]] == [False, True] * 2, f"the table: {table}")
    check(any(line.startswith('rows marked "as on sim"') for line in table), f"the table: {table}")


def test_refused():
    for words, text in REFUSED:
        refused(f"sweep {words}", text)


def test_no_verilator():
    """Checks that no point is run if the RTL cannot run it, and that one line says why."""
    with tempfile.TemporaryDirectory() as tools, tempfile.TemporaryDirectory() as cache:
        for folder in os.environ["PATH"].split(":"):
            for name in os.listdir(folder) if os.path.isdir(folder) else []:
                if not name.startswith("verilator") and not os.path.lexists(f"{tools}/{name}"):
                    os.symlink(f"{folder}/{name}", f"{tools}/{name}")
        env = {**os.environ, "PATH": tools, "FLITLOOM_CACHE": cache}
        for words in "cube:2 complement --flits 5:9", "cube:2 uniform --load 0.1:0.3:0.1 " + SHORT:
            done = run(f"sweep {words} --check-on sim:1", env=env)
            good = done.returncode in (2, 3) and not done.stdout and done.stderr.count("\n") == 1
            check(good and "erilator" in done.stderr and "without --check-on no RTL is run" in done.stderr, f"{words}: status {done.returncode}: {done.stdout}{done.stderr}")
            check(run(f"sweep {words}", env=env).returncode == 0, f"{words}: without Verilator")


main(test_checked, test_refused, test_no_verilator)
