#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the lengths of messages: for every pattern that `flitloom list patterns` names, --flits changes the lengths or is
refused, in plan, run, sweep and at a load, and JSON, CSV and tables agree with the plan. Only two small runs are simulated.
"""
import csv
import json
import os

from command import check, document, main, output, refused, run

# An argument for patterns that need one, on 16 processors.
ARGUMENTS = {
    "shift": "1", "gather": "5", "scatter": "5", "hotspot": "5", "random-lcc": "4", "random-lcs": "2", "uniform": "20", "bpc": "shuffle", "perm": "perm.txt", "lcc": "lcc.txt",
    "messages": "none.csv", "goal": "two.goal", "allreduce": "ring", "broadcast": "binomial", "alltoall": "bruck", "stencil2d": "4x4", "neighbor": "1", "neighbour": "1", "set": "transpose+shuffle",
    "matrix": "matrix.csv", "demand": "skew:2,3,50",
}
# Other patterns, and the sum of all flits for messages of 5 and of 9 flits; None: --flits is refused, because the pattern sets all
# lengths.
MORE = {
    "messages:all.csv": None, "messages:same.csv": None, "messages:released.csv": None, "messages:some.csv": lambda n: 30 + n, "gaussian:4/3": None, "gaussian:4": lambda n: 6 * n,
    "perfect-broadcast:8/2": None, "perfect-broadcast:8": lambda n: 24 * n, "allreduce:rabenseifner": None, "allreduce:recursive-doubling": None, "alltoall:pairwise": None, "messages:-": None,
}
OWN = {"goal", "allreduce", "broadcast", "alltoall", "stencil2d", "matrix", "demand"}
LISTS = {"matrix.csv": "".join(",".join(str((row + 3 * column) % 7) for column in range(16)) + "\n" for row in range(16)), "all.csv": "0,1,5\n2,3,9\n", "same.csv": "0,1,5\n2,3,5\n", "none.csv": "0,1\n2,3\n", "some.csv": "0,1,30\n2,3\n", "released.csv": "source,destination,flits,release\n0,1,5,3\n",
         "perm.txt": ",".join(str(15 - i) for i in range(16)), "lcc.txt": "0001\n0010\n0100\n1000\n0000\n", "two.goal": "num_ranks 2\nrank 0 {\nsend 40b to 1\n}\nrank 1 {\nrecv 40b from 0\n}\n"}
STDIN = LISTS["all.csv"]
NO_LINK = "--link uart:/no/such/tty"


def patterns():
    """Maps a specification to the sum of all flits for lengths of 5 and 9, "each" if every message has that length; None: refused."""
    found = {}
    for name in output("list patterns --names").split():
        spec = f"{name}:{ARGUMENTS[name]}" if name in ARGUMENTS else name
        found[spec] = None if name in OWN else "each"
    return {**found, **MORE}


def fabric_for(spec):
    return "mesh:4x4" if "stencil" in spec else "cube:4"


def lengths_of_plan(spec, more=""):
    plan = json.loads(output(f"plan {fabric_for(spec)} {spec} -o - {more}", STDIN))
    return [message[3] for message in plan["messages"]]


def test_every_pattern():
    for spec, want in patterns().items():
        fabric = fabric_for(spec)
        if want is None:
            for words in (f"plan {fabric} {spec} --flits 17", f"run {fabric} {spec} --flits 5 {NO_LINK}", f"sweep {fabric} {spec} --flits 5", f"sweep {fabric} {spec} --flits 5:9", f"sweep {fabric} {spec} --flits 5:9:2 --plan-only"):
                refused(words, "says itself how long its messages are", stdin=STDIN)
            check(document(f"plan {fabric} {spec}", STDIN)["request"]["flits"] is None, f"{spec}: the request says a length")
            continue
        for flits in 5, 9:
            report = document(f"plan {fabric} {spec} --flits {flits}")
            total = report["messages"] * flits if want == "each" else want(flits)
            check(report["flits"] == total and report["request"]["flits"] == flits, f"{spec} --flits {flits}: {report['flits']} flits, not {total}")
        rows = document(f"sweep {fabric} {spec} --flits 5:9 --plan-only")["runs"]
        check(len({row["flits"] for row in rows}) == len(rows) == 2, f"{spec} --flits 5:9: rows that are the same run")


def test_sweep_says():
    """Checks that rows of JSON and CSV, and the table, have the lengths of the plan."""
    for spec in patterns():
        lengths = set(lengths_of_plan(spec))
        one = lengths.pop() if len(lengths) == 1 else None
        text = output(f"sweep {fabric_for(spec)} {spec} --plan-only --json --csv rows.csv", STDIN)
        sweep = json.loads(text)
        with open("rows.csv", encoding="utf-8", newline="") as file:
            row = next(csv.DictReader(file))
        check(sweep["flits_per_message"] == one and sweep["runs"][0]["flits_per_message"] == one, f"{spec}: a sweep says {sweep['flits_per_message']}, the plan has {one or 'several'}")
        check(row["flits_per_message"] == ("" if one is None else str(one)), f"{spec}: CSV says {row['flits_per_message']}")
        heading = output(f"sweep {fabric_for(spec)} {spec} --plan-only", STDIN).splitlines()[0]
        check((f", {one} flits a message" in heading) == (one is not None), f"{spec}: {heading}")
        asked = sweep["runs"][0]["flits_asked"]
        check(row["flits_asked"] == ("" if asked is None else str(asked)), f"{spec}: {asked} flits asked, in CSV {row['flits_asked']}")


def test_fields():
    """Compares each field of a sweep's CSV with its JSON."""
    for words in ("sweep cube:3 uniform:9 --flits 5:9 --machine fast,paper --seeds 3", "sweep cube,omega transpose --nodes 2:8 --plan-only", "sweep cube:2,omega:8 all-to-all --planner latin,exchange", "sweep cube:3 messages:all.csv"):
        sweep = json.loads(output(words + " --json --csv rows.csv"))
        with open("rows.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        said = sweep["runs"] + sweep["left_out"]
        check(len(rows) == len(said) > 0, f"{words}: {len(rows)} rows, {len(said)} in JSON")
        for row in rows:
            match = [r for r in said if all(str(r[key] if r[key] is not None else "") == row[key] for key in ("fabric", "machine", "flits_asked", "flits_per_message"))]
            if not check(len(match) == 1, f"{words}: {len(match)} rows in JSON like {row}"):
                continue
            of_json, left_out = dict(match[0]), "reason" in match[0]
            want = {"seeds": sweep["seeds"], "reason": of_json.pop("reason", ""), "verdict": "left out" if left_out else of_json.pop("verdict"), "link": sweep["request"]["link"]}
            of_json.pop("mismatch_count", None)
            for kind in "predicted", "measured":
                spread = of_json.pop(kind + "_spread", None)
                value = of_json.get(kind + "_cycles")
                spread = spread or (value is not None and {"sd": 0, "min": value, "max": value}) or {"sd": None, "min": None, "max": None}
                want.update({f"{kind}_{name}": spread[name] for name in ("sd", "min", "max")})
            want.update(of_json)
            for key, cell in row.items():
                value = want.pop(key, None)
                good = cell == "" if value is None or value == "" else cell == value if isinstance(value, str) else abs(float(cell or "nan") - value) <= 1e-8 * max(1, abs(value))
                check(good, f"{words}: {key} is {cell} in CSV and {value} in JSON")
            check(not {key for key, value in want.items() if value is not None}, f"{words}: in JSON alone: {want}")


def test_load():
    for spec, flits, good in (("messages:all.csv", "", False), ("messages:all.csv", "--flits 4", False), ("messages:same.csv", "--flits 4", False), ("messages:same.csv", "", False), ("messages:same.csv", "--flits 5", True),
                              ("messages:none.csv", "--flits 4", True), ("messages:some.csv", "--flits 4", False), ("messages:some.csv", "--flits 30", True), ("gaussian:2/3", "--flits 5", False), ("gaussian:2/3", "--flits 7", True)):
        words = f"sweep cube:3 {spec} --load 0.5 {flits} {NO_LINK}"
        line = refused(words, status=(2, 3))
        check(("at a load all messages have one length" in line) != good, f"{words}: {line}")
    for spec in ("allreduce:ring", "goal:two.goal", "messages:released.csv"):
        refused(f"sweep cube:3 {spec} --load 0.5 --flits 4", "has no load to choose")


def test_runs():
    """Checks by two runs that the reported lengths were run."""
    for words, total in (("run cube:3 messages:all.csv", 14), ("run cube:3 messages:some.csv --flits 4", 34)):
        report = document(words)
        check(report["flits"] == report["measured"]["delivered_flits"] == total and report["verdict"] == "pass", f"{words}: {report['flits']}")


def write_files():
    for name, text in LISTS.items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    os.mkfifo("once")
    check(run("plan cube:3 complement -q").returncode == 0, "a plan")


if __name__ == "__main__":
    main(write_files, test_every_pattern, test_sweep_says, test_fields, test_load, test_runs)
