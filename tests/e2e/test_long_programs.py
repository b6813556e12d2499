#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests programs longer than a node's memory, and lists longer than a plan, streamed through the RTL of every kind of fabric that
`flitloom list fabrics` names: link sim gives what is computed, message by message, or both are refused. There are lists with and
without releases, a GOAL file with waits and delays, lists of more than 1,048,576 messages, and options that cannot be used with
them.

usage: test_long_programs.py [KIND...]
KIND: only these kinds. FLITLOOM: the command. Ends in "N passed, N failed".
"""
import csv
import json
import os
import random
import sys
import tempfile

from kinds import fabrics, flitloom, items

try:
    import jsonschema
except ImportError:
    jsonschema = None

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
counts = {True: 0, False: 0}
os.chdir(HOME)
os.environ.setdefault("FLITLOOM_CACHE", HOME + "/build/models")
ENTRIES = 1100  # entries of each node, at least: a node's program holds 1024


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what, flush=True)


def write_files(folder, n):
    rng = random.Random(n)
    with open(f"{folder}/plain.csv", "w", encoding="utf-8") as file:
        for _ in range(ENTRIES):
            file.writelines(f"{v},{rng.randrange(n)},{rng.randrange(1, 4)}\n" for v in range(n))
    with open(f"{folder}/timed.csv", "w", encoding="utf-8") as file:
        file.write("source,destination,flits,release\n")
        cycle = 0
        for k in range(ENTRIES):
            cycle += rng.choice([0, 0, 4, 9, 300 if k % 200 == 0 else 1])
            file.writelines(f"{v},{(v + rng.randrange(1, n)) % n},{rng.randrange(1, 4)},{cycle}\n" for v in range(n))
    with open(f"{folder}/rounds.goal", "w", encoding="utf-8") as file:
        file.write(f"num_ranks {n}\n")
        for r in range(n):
            file.write(f"rank {r} {{\n")
            for k in range(ENTRIES // 3):
                file.write(f"s{k}: send {rng.randrange(1, 12)}b to {(r + 1) % n}\nv{k}: recv 8b from {(r - 1) % n}\nc{k}: calc {1 + (k * 7 + r) % 5}\nc{k} requires v{k}\n")
                file.write(f"s{k} requires c{k - 1}\n" if k else "")
            file.write("}\n")


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def hold(folder, fabric, pattern, machine):
    words = [fabric, pattern, "--machine", machine, "--planner", "direct"]
    done = {link: flitloom("run", *words, "--link", link, "--json", "--messages", f"{folder}/{link}.csv", "--channels", f"{folder}/{link}-c.csv") for link in ("sim", "model")}
    what = f"{fabric} {os.path.basename(pattern)} {machine}"
    if done["model"].returncode == 2:
        check(done["sim"].returncode == 2, f"{what}: computed {done['model'].stderr}, on the RTL {done['sim'].stderr}")
        return False
    if fabric.startswith("benes"):  # all messages of a pass go one way, which is set before it begins
        check(done["sim"].returncode == 2 and "holds 1024" in done["sim"].stderr, f"{what}: {done['sim'].stderr}")
        return False
    good = all(d.returncode == 0 for d in done.values())
    check(good, f"{what}: {done['sim'].stdout[:300]}{done['sim'].stderr}{done['model'].stderr}")
    if not good:
        return False
    reports = {link: json.loads(d.stdout) for link, d in done.items()}
    for report in reports.values():
        report["request"] = report["link"] = None
    check(reports["sim"] == reports["model"], f"{what}: the reports differ")
    messages = {link: rows(f"{folder}/{link}.csv") for link in done}
    check(messages["sim"] == messages["model"], f"{what}: messages differ: {[m for m in zip(messages['sim'], messages['model']) if m[0] != m[1]][:2]}")
    check(rows(f"{folder}/sim-c.csv") == rows(f"{folder}/model-c.csv"), f"{what}: channels differ")
    most = max(sum(m["source"] == str(v) for m in messages["sim"]) for v in range(reports["sim"]["nodes"]))
    return most > (1024 if ".csv" in pattern else 400)


PLANNED = 1048576  # messages of a plan at most


def write_long(path, n, lines):
    rng = random.Random(n)
    with open(path, "w", encoding="utf-8") as file:
        file.write("source,destination,flits,release\n")
        file.writelines(f"{v % n},{rng.randrange(n)},1,{1 + v // n * 2}\n" for v in range(lines))


def hold_long(folder, fabric, n):
    """Runs a list that is too long for any plan."""
    path = folder + "/long.csv"
    write_long(path, n, PLANNED + 1)
    done = {link: flitloom("run", fabric, "messages:" + path, "--link", link, "--json") for link in ("sim", "model")}
    if done["model"].returncode == 2:
        check(done["sim"].returncode == 2 and done["sim"].stderr == done["model"].stderr, f"{fabric}, a long list: {done['sim'].stderr}{done['model'].stderr}")
        return
    check(all(d.returncode == 0 for d in done.values()), f"{fabric}, a long list: {[d.stderr + d.stdout for d in done.values()]}")
    reports = {link: json.loads(d.stdout or "{}") for link, d in done.items()}
    for report in reports.values():
        report["request"] = None
    good = reports["sim"] == reports["model"] and reports["sim"].get("delivered_messages") == PLANNED + 1 and reports["sim"]["verdict"] == "pass"
    check(good, f"{fabric}, a long list: {reports}")
    if jsonschema and done["sim"].returncode == 0:
        with open("docs/flitloom.schema.json", encoding="utf-8") as file:
            whole = json.load(file)
        schema = {"$schema": whole["$schema"], "$ref": "#/$defs/long", "$defs": whole["$defs"]}
        check(jsonschema.Draft202012Validator(schema).is_valid(json.loads(done["sim"].stdout)), f"{fabric}, a long list: not by the schema")


def hold_refused(folder):
    """Checks the options that cannot be used with a list that is too long for any plan. With one message fewer it is planned as usual."""
    path = folder + "/long.csv"
    write_long(path, 4, PLANNED + 1)
    for words, says in [
        (["--link", "uart:/dev/null"], "takes the link sim, or model"),
        (["--svg", folder + "/x.svg"], "--svg: "),
        (["--planner", "greedy"], "--planner: "),
        (["--messages", folder + "/m.csv"], "--messages: "),
        (["--compare"], "--compare: "),
        (["--map", "9,9,9,9"], "map"),
        (["--rule", "one-way"], "no rule"),
        (["--max-cycles", "5000"], "the limit is 5000"),
    ]:
        done = flitloom("run", "cube:2", "messages:" + path, "--link", "model", *words)
        check(done.returncode in (2, 3) and not done.stdout and says in done.stderr and done.stderr.count("\n") == 1, f"a long list, {words}: {done.returncode} {done.stderr}")
    done = flitloom("run", "ring:4", "messages:" + path, "--link", "model")
    check(done.returncode == 2 and "can lock" in done.stderr, f"ring:4: {done.stderr}")
    with open(path, "a", encoding="utf-8") as file:
        file.write("1,9\n")
    done = flitloom("run", "cube:2", "messages:" + path, "--link", "model")
    check(done.returncode == 2 and f"line {PLANNED + 3}" in done.stderr.replace(":", ", line ") or f"{PLANNED + 3}" in done.stderr, f"a bad line: {done.stderr}")
    write_long(path, 4, PLANNED)
    done = flitloom("run", "cube:2", "messages:" + path, "--link", "model", "--json")
    check(done.returncode == 0 and "contention" in done.stdout, f"as many as are planned: {done.stderr}{done.stdout[:200]}")


def main():
    only = sys.argv[1:]
    ran = set()
    with tempfile.TemporaryDirectory() as folder:
        for fabric, _ in fabrics(False, only):
            nodes = flitloom("plan", fabric, "identity", "--json")
            if nodes.returncode:
                check(False, f"{fabric}: {nodes.stderr}")
                continue
            write_files(folder, json.loads(nodes.stdout)["nodes"])
            for pattern, machine in (("messages:" + folder + "/plain.csv", "fast"), ("messages:" + folder + "/timed.csv", "paper"), ("goal:" + folder + "/rounds.goal", "fast")):
                if hold(folder, fabric, pattern, machine):
                    ran.add(fabric)
            hold_long(folder, fabric, json.loads(nodes.stdout)["nodes"])
        hold_refused(folder)
    names = [name for name, *_ in items("fabrics")]
    check(len(ran) >= (10 if not only else 1), f"ran on {sorted(ran)} of {names}")
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)


main()
