#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Draws requests from the product of all values that plan, run, check and sweep accept: fabric, lanes, buffers, delays, flit
widths, failed links, rule, way of choosing, pattern, planner, map, load. Each is refused in one line or has a report as
docs/flitloom.schema.json describes it. The table agrees with the JSON, the CSV adds up to it, and its command repeats it. A run
takes what was predicted, and so does a run of the plan's file. A certificate is for the routes that messages take, and its
checker accepts it. The files that a request names are written, or it is refused and none of them exists.

LOOM_RUNS: number of requests (60). LOOM_SEED: seed of the first of them (1). Ends in "N passed, N failed".
"""
import csv
import json
import os
import random
import re
import shutil
import subprocess

import jsonschema

from command import HOME, check, main, run

RUNS, SEED = int(os.environ.get("LOOM_RUNS", "60")), int(os.environ.get("LOOM_SEED", "1"))
SCHEMA = json.load(open(HOME + "/docs/flitloom.schema.json", encoding="utf-8"))
FILES = {
    "own.txt": "a b\nb c x2\nc d delay=3\nd -> a\na -> d delay=5\nd e\ne f delay=1\nf a\nswitch: e\n",
    "north-last.txt": "+y -x\n-y -x\n",
    "lengths.csv": "source,destination,flits,count\n0,1,5,1\n1,2,9,2\n2,0,1,1\n0,2,33,1\n",
    "timed.csv": "source,destination,flits,count,release\n0,1,5,1,0\n1,2,9,1,40\n2,0,1,2,7\n",
    "two.goal": "num_ranks 2\nrank 0 {\na: send 100b to 1 tag 3\nb: recv 8b from 1\nc: calc 20\nc requires b\n}\n"
                "rank 1 {\na: recv 100b from 0 tag 3\nb: send 8b to 0\nb requires a\n}\n",
}
COORDINATES = "cube:2 cube:3 line:5 ring:5 ring:8 mesh:3x3 mesh:4x4 mesh:2x3x2 torus:4x4 torus:5x3".split()
TABLES = ("table-mesh:3x4 table-torus:3x3 table-cube:3 graph:own.txt: twisted-torus:4x4 hyperx:3x3 dragonfly:2,1 dragonfly:2,1,2 "
          "fat-tree:2,2 slim-fly:3 random:10,3,2").split()
OTHERS = "otis-mesh:4v2 omega:8 benes:8 ocs:6 ocs-benes:8".split()
PATTERNS = ("transpose complement tornado all-to-all random-perm uniform:20 uniform:60 gather:1 hotspot:1 shift:1 nbody stencil "
            "messages:lengths.csv messages:timed.csv fft").split()
PROGRAMS = "goal:two.goal allreduce:ring allreduce:rabenseifner broadcast:binomial alltoall:bruck stencil2d:2x2".split()


def drawn_fabric(rng):
    fabric = rng.choice(rng.choice([COORDINATES, COORDINATES, TABLES, TABLES, OTHERS]))
    if fabric in OTHERS:
        return fabric, "other"
    delays = "" if "own.txt" in fabric else f"d{rng.choice([1, 4])}"
    for chance, suffix in ((0.6, f"v{rng.choice([2, 2, 3, 4, 4, 8])}"), (0.1, f"b{rng.choice([3, 8])}"), (0.08, delays), (0.06, "r1"),
                           (0.08, f"f{rng.choice([24, 64])}")):
        fabric += suffix if rng.random() < chance else ""
    return fabric.rstrip(":"), "coordinates" if fabric.startswith(tuple(COORDINATES)) else "tables"


def drawn_rule(rng, kind, command, fabric):
    rules = ["ascending", "descending", "turns:best", "duato", "romm", "valiant"] if kind == "coordinates" else ["turns:best"]
    if fabric.startswith(("cube", "line", "mesh")):
        rules += ["p-cube" if fabric[0] == "c" else "negative-first", "west-first", "north-last"]
    if re.match(r"mesh:\dx\d(?!x)", fabric):
        rules += ["odd-even", "o1turn", "turns:north-last.txt"]
    if fabric.startswith(("ring", "torus")):
        rules += ["one-way", "one-way-descending"]
    return rng.choice(rules + (["mixed"] if command == "check" else []))


def drawn(rng):
    """Draws the words of a request."""
    words, (fabric, kind) = [], drawn_fabric(rng)
    command, rule = rng.choice(["plan", "run", "check", "sweep"]), None
    pattern, is_program = rng.choice(PATTERNS), False
    if rng.random() < 0.3:
        pattern, is_program = rng.choice(PROGRAMS), True

    def maybe(chance, *more):
        return rng.random() < chance and not words.extend(more)

    failed = kind != "other" and maybe(0.25, "--fail", rng.choice(["random:10%:1", "random:20%:3", "none"]))
    if failed:
        maybe(0.3, "--lanes", str(rng.randrange(1, 9)))
        kind = "tables"
    if command == "check" and kind != "other" and maybe(0.3, "--all-pairs"):
        maybe(0.3, "--by-destination")
    elif kind != "other" and rng.random() < 0.6:
        rule = drawn_rule(rng, kind, command, fabric)
        words += ["--rule", rule]
        if command != "check" and not rule.startswith(("asc", "desc", "one", "romm", "valiant", "o1")):
            maybe(0.6, "--select", rng.choice(["fixed", "random", "lru", "credits"]))
    if command == "check":
        return ["check", fabric, *words]
    maybe(0.3, "--seed", str(rng.randrange(9)))
    maybe(0.15, "--machine", "paper")
    maybe(0.2, "--map", rng.choice(["best", "identity", "greedy"]))
    if command == "sweep":
        if not rule:
            maybe(0.4, "--planner", rng.choice("direct xy reroute all-pairs direct,block".split()))
        maybe(0.3, "--flits", rng.choice(["1", "5", "2-8", "1:0.6,5:0.4"]))
        maybe(0.2, "--requests", rng.choice(["2", "3,reply=4"]))
        maybe(0.15, "--seeds", "2")
        return ["sweep", fabric, rng.choice(["uniform", "transpose", "hotspot:1:0.2"]), *words, "--load", rng.choice(["0.05", "0.1:0.3:0.1"]),
                "--warmup", "200", "--measure", "600"]
    planners = {"coordinates": "direct greedy order xy yx block reroute routes+passes exact lcc", "other": "direct greedy",
                "tables": "direct greedy block reroute all-pairs by-destination routes+passes"}[kind]
    maybe(0.4, "--planner", rng.choice(planners.split()) if not rule else "direct")
    if is_program:
        maybe(0.4, "--flit-bytes", str(rng.choice([2, 8])))
        if not pattern.startswith("goal"):
            words += ["--bytes", str(rng.choice([7, 64]))]
        maybe(0.3, "--loggops", "L=10,o=3")
    elif not pattern.startswith("messages"):
        maybe(0.3, "--flits", str(rng.choice([1, 2, 5, 64])))
    return [command, fabric, pattern, *words, *(["--link", "model"] if command == "run" else [])]


# --- Checks of each request --------------------------------------------------------------------------------------------------


def complaints(document, kind):
    schema = {"$schema": SCHEMA["$schema"], "$ref": "#/$defs/" + kind, "$defs": SCHEMA["$defs"]}
    return [f"{list(e.absolute_path)}: {e.message}"[:200] for e in jsonschema.Draft202012Validator(schema).iter_errors(document)]


def answer(words):
    """Returns the command's standard output; None: it is refused, in one line."""
    done = run(words)
    if done.returncode in (0, 1) and words[0] == "check" or done.returncode == 0:
        return done.stdout
    good = done.returncode == 2 and re.fullmatch(r"flitloom: [^\n]{10,600}\n", done.stderr) and not done.stdout
    check(good, f"{' '.join(words)}: status {done.returncode}: {done.stderr[:400]}{done.stdout[:200]}")
    return None


def of_run(report):
    """Returns the part of a report about the messages and the network, without the planner."""
    left_out = ("request", "planner", "pattern", "fabric", "map", "measured", "verdict", "mismatches", "mismatch_count", "placement", "best_of")
    return {name: value for name, value in report.items() if name not in left_out}


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def loads_of(channels):
    """Returns messages from node to node, with all passes and all channels side by side summed."""
    loads = {}
    for row in channels:
        ends = re.fullmatch(r"(.*?)->(.*?)( \(.*\)| #\d+)*", row["channel"])
        if ends and row["predicted_messages"]:
            loads[ends[1], ends[2]] = loads.get((ends[1], ends[2]), 0) + int(row["predicted_messages"])
    return {ends: load for ends, load in loads.items() if load}


def check_table(words, report):
    text, predicted = answer(words) or "", report["predicted"]
    for name, key in (("cycles", "cycles"), ("contention", "contention"), ("nodes' own", "own_channels")):
        said = re.search(rf"^{name}\s+(\d+)", text, re.M)
        check(not said or int(said[1]) == predicted[key], f"{' '.join(words)}: {name}: {said and said[1]} and {predicted[key]}")
    check("by the rule" not in text or "up*/down*" not in text and "graph" not in report, f"{words}: chosen ways are not those of a graph")


def check_files(words, report):
    """Compares CSV with JSON, a certificate with the loads, and the plan's file."""
    name, plan = " ".join(words), ["plan", *(words[1:-2] if words[0] == "run" else words[1:])]
    if answer([*plan, "--messages", "m.csv", "--channels", "c.csv", "-q"]) is None:
        return
    messages, channels, predicted = rows("m.csv"), rows("c.csv"), report["predicted"]
    if not report["free_running"]:
        check(len(messages) == report["messages"] and sum(int(m["flits"]) for m in messages) == report["flits"], f"{name}: messages in CSV")
    for group in predicted["groups"]:
        carried = [int(c["predicted_messages"] or 0) for c in channels if c["group"] == group["name"]]
        check((max(carried), sum(carried)) == (group["max"], group["sum"]), f"{name}: {group}, in CSV {max(carried)}, {sum(carried)}")
    if predicted["blocked_cycles"] is not None:
        check(sum(int(c["predicted_blocked"] or 0) for c in channels) == predicted["blocked_cycles"], f"{name}: blocked cycles in CSV")
    done = run([*plan, "--certificate", "certificate.json", "-q"])
    chosen = "contention_by_rule" in report
    check(done.returncode == 2 if chosen else done.returncode in (0, 2) and done.stderr.count("\n") <= 1, f"{name}: certificate: {done.stderr[:300]}")
    if done.returncode == 0 and not name.split()[1].startswith("ocs"):
        certificate, loads = json.load(open("certificate.json")), {}
        for part in certificate["passes"]:
            for (tail, head), load in zip(certificate["links"], part["loads"]):
                ends = certificate["nodes"][tail], certificate["nodes"][head]
                loads[ends] = loads.get(ends, 0) + sum(load)
        check({ends: n for ends, n in loads.items() if n} == loads_of(channels), f"{name}: a certificate of other loads")
        taken = subprocess.run([HOME + "/tools/check_certificate.py", "certificate.json"], capture_output=True, text=True)
        check(taken.returncode == 0, f"{name}: certificate: {taken.stdout}{taken.stderr[-300:]}")
    if answer([*plan, "-o", "plan.json", "-q"]) is None:
        return
    wrong = complaints(json.load(open("plan.json")), "plan")
    check(not wrong, f"{name}: its file: {wrong[:2]}")
    options = [w for k, w in enumerate(plan) if w in ("--machine", "--seed") or plan[k - 1] in ("--machine", "--seed")]
    text = answer(["run", "plan.json", "--link", "model", "--json", *options])
    if text:
        again = json.loads(text)
        check(again["verdict"] == "pass", f"{name}: a run of its file")
        ours, theirs = of_run(report), of_run(again)
        differ = [k for k in ours if k in theirs and ours[k] != theirs[k]]
        check(not differ, f"{name}: its file has others: {differ}: {[(ours[k], theirs[k]) for k in differ][:1]}"[:600])


def check_request(words, n_taken):
    name, text = " ".join(words), answer([*words, "--json"])
    if text is None:
        return
    report = json.loads(text)
    n_taken[words[0]] = n_taken.get(words[0], 0) + 1
    kinds = {"plan": ["report"], "run": ["report"], "sweep": ["load"], "check": ["check", "check_rule", "check_pairs"]}[words[0]]
    wrong = [complaints(report, kind) for kind in kinds]
    check(any(not w for w in wrong), f"{name}: {min(wrong, key=len)[:2]}")
    again = answer(report["request"]["command"][1:])
    check(again == text, f"{name}: not repeated by {report['request']['command']}")
    if words[0] == "run":
        check(report["verdict"] == "pass", f"{name}: {report['mismatches'][:1]}")
        planned = json.loads(answer(["plan", *words[1:-2], "--json"]) or "{}")
        check(of_run(planned) == of_run(report), f"{name}: the plan predicts something else")
    if words[0] in ("plan", "run"):
        check_table(words, report)
        check_files(words, report)


def outputs_of(command):
    """Returns the options of a command that name a file to write: all with FILE except those that read one."""
    names = re.findall(r"--([a-z-]+)=FILE", run(["help", command]).stdout)
    check(len(names) >= 3, f"help {command}: files that it writes: {names}")
    return [name for name in names if name != "tables"]


def check_outputs(words, outputs, rng):
    """Requests two files: both are written, or the request is refused and neither exists."""
    asked = [*words, "-q"]
    for name in rng.sample(outputs[words[0]], 2):
        asked += [f"--{name}", f"out/{name}" + {"svg": ".svg", "html": ".html", "by-svg": ".svg"}.get(name, ".csv")]
    os.mkdir("out")
    taken, name = answer(asked) is not None, " ".join(asked)
    sizes = {file: os.path.getsize(f"out/{file}") for file in os.listdir("out")}
    check(len(sizes) == 2 and all(sizes.values()) if taken else not sizes, f"{name}: {'taken' if taken else 'refused'}, files: {sizes}")
    shutil.rmtree("out")
    return taken


def test_outputs():
    outputs = {command: outputs_of(command) for command in ("plan", "run", "check", "sweep")}
    n_taken = sum(check_outputs(drawn(random.Random(seed)), outputs, random.Random(-seed)) for seed in range(SEED, SEED + RUNS))
    check(n_taken >= RUNS // 20, f"requests with files that were taken: {n_taken}")


def test_ways_that_differ():
    """Runs each message alone if routers choose among links with different delays, because no formula knows which they take: each run
    passes."""
    for fabric, rule, nodes in (("graph:own.txt:v2", "turns:best", 5), ("torus:4x4v2d1.1.4", "duato", 16), ("mesh:3x3d0.6", "north-last", 9)):
        for source in range(nodes):
            for to in range(1, nodes, 3):
                with open("alone.csv", "w", encoding="utf-8") as file:
                    file.write(f"{source},{(source + to) % nodes},17\n")
                done = run(["run", fabric, "messages:alone.csv", "--rule", rule, "--select", "random", "--seed", str(to), "--link", "model"])
                check(done.returncode == 0, f"{fabric} {rule} {source} to {(source + to) % nodes}: {done.stderr}{done.stdout[-300:]}")


def test_product():
    n_taken = {}
    for name, text in FILES.items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    for seed in range(SEED, SEED + RUNS):
        check_request(drawn(random.Random(seed)), n_taken)
    check(min(n_taken.get(command, 0) for command in ("plan", "run", "check", "sweep")) >= RUNS // 20, f"requests that were taken: {n_taken}")


main(test_product, test_outputs, test_ways_that_differ)
