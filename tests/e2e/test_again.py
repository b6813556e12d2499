#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the command with which each JSON document says that it can be repeated, and compares the two documents. There is a row for
each subcommand that accepts --json, and for each kind of its documents; a subcommand or a kind without a row fails.
"""
import json
import re

import jsonschema

from command import HOME, check, document, main, output, run

SCHEMA = json.load(open(HOME + "/docs/flitloom.schema.json", encoding="utf-8"))
TABLES = "0,0,+x\n1,0,+y\n5,0,-x\n4,0,0\n"
LIST = "0,5,9\n3,5,2\n7,0\n"
LENGTHS = "0,5,9\n3,5,2\n"
FLOWS = "source,destination,rate,flits\n0,5,0.2,9\n3,5,0.1,2\n"
CALM = "--load {} --flits 4 --warmup 300 --measure 900"
ALL_OF_8 = ",".join(str(7 - i) for i in range(8))
LONG = ",".join(str(i ^ 1023) for i in range(1024))

# The kind of document, its command; what comes through standard input; its status.
ROWS = [
    ("report", "run cube:3 random-perm --seed 77 --flits 5 --map identity --machine paper"),
    ("report", "run cube:3 uniform:30 --seed 9000000000000000000"),
    ("report", "run cube:3 messages:list.csv --flits 4 --map 7,6,5,4,3,2,1,0"),
    ("report", "run cube:3 messages:lengths.csv"),
    ("report", "run cube:3 messages:-", LENGTHS),
    ("report", "run cube:3 bit-reverse --map -", ALL_OF_8),
    ("report", "run cube:3 allreduce:ring --bytes 64 --flit-bytes 2 --calc-cycles 1/7"),
    ("report", "run cube:3 gaussian:5/3"),
    ("report", "plan cube:3 demand:2*uniform:30+1*skew:2,2,40 --flits 7 --seed 3"),
    ("report", "plan ocs:8 demand:moe:16,2,4,50+1*allreduce:ring --bytes 64 --flit-bytes 2 --dark 7 --relay"),
    ("report", "run cube:3 fft --objective sumsum --max-cycles 500"),
    ("report", "run mesh:2x3 uniform:20 --buffers 6 --link-delay 2"),
    ("report", "run mesh:2x3 uniform:20 --link-delay 0 --link model"),
    ("report", "run mesh:2x3 uniform:20 --link-delay 0:2,1:5 --link model"),
    ("report", "run mesh:2x3v3 uniform:20 --buffers 5 --router-delay 2 --link model"),
    ("report", "run mesh:2x3 uniform:20 --flit-bits 96 --link model"),
    ("report", "plan cube:3 allreduce:ring --bytes 64 --loggops L=10,o=3 --flit-bits 64"),
    ("report", "run omega:8 all-to-all --flits 3 --schedule table"),
    ("report", "run omega:8 identity --preset --timeout 4000"),
    ("report", "run plan.json --seed 5 --machine paper"),
    ("report", "run -- -dash.json"),
    ("comparison", "run cube:3 bit-reverse --compare --flits 3"),
    ("comparison", "run cube:3 complement --compare"),
    ("stages", "run cube:3 fft --stages"),
    ("stages", "run cube:3 fft --stages --points 32 --costs software=100,half=3 --machine paper --map identity --seed 4"),
    ("comparison", "run cube:3 fft --stages --compare"),
    ("report", "plan cube:4 random-lcc:2 --seed 18446744073709551615 --planner direct"),
    ("report", "plan mesh:3x3 messages:list.csv --planner reroute --load messages --detours 2"),
    ("report", "plan otis-mesh:16 gypx-swap --cost otis=9"),
    ("report", "plan torus:3x5 random-perm --rule one-way-descending --planner greedy"),
    ("report", "plan cube:4 transpose --rule p-cube --select lru"),
    ("report", "run mesh:3x3 uniform:9 --rule odd-even --link model"),
    ("report", "plan line:7 perm:1,5,3,6,4,2,0 --half-duplex"),
    ("report", "plan mesh:3x3 nbody --place greedy --budget 5"),
    ("report", "plan table-mesh:4x4 messages:two.csv --tables tables.csv"),
    ("report", "plan table-mesh:4x4 messages:two.csv --tables -", TABLES),
    ("report", ["plan", "line:1024", "perm:" + LONG, "--planner", "direct"]),
    ("report", ["plan", "cube:10", "shuffle", "--map", LONG]),
    ("report", "plan cube:30 transpose --flits 9"),
    ("comparison", "plan cube:30 transpose --compare"),
    ("comparison", "plan cube:4 transpose --compare --seed 3"),
    ("report", "plan plan.json"),
    ("sweep", "sweep cube,omega all-to-all --nodes 2:4 --plan-only --flits 3 --machine paper"),
    ("sweep", "sweep cube:3 uniform:9 --flits 5:9:2 --seeds 3 --seed 4"),
    ("sweep", "sweep cube:3 complement --machine fast,paper --planner latin,exchange,lcc"),
    ("sweep", "sweep cube:3 messages:lengths.csv"),
    ("sweep", "sweep ocs:8,mesh:2x4 uniform:20 --dark 4:12:4 --relay"),
    ("sweep", "sweep ocs:8,mesh:2x4 uniform:20 --dark 4"),
    ("report", "plan ocs-benes:8 demand:skew:2,3,60 --dark 7"),
    ("report", "plan ocs-benes:8 shift:1 --flits 64"),
    ("report", "run ocs:8 uniform:9 --flits 5 --link model"),
    ("sweep", "sweep ocs:8,mesh:2x4 uniform:20 --dark 4:12:4 --flits 9"),
    ("sweep", "sweep cube:3 allreduce:ring --bytes 64"),
    ("sweep", "sweep omega:8 identity --preset --schedule best --budget 2"),
    ("load", "sweep cube:3 uniform " + CALM.format("0.1:0.3:0.1")),
    ("load", "sweep cube:3 uniform " + CALM.format("0.1,0.2:0.3:0.1,0.55")),
    ("load", "sweep cube:3 shuffle --map best --compare identity,omega:8 --seed 5 --arrivals bernoulli " + CALM.format("0.2")),
    ("load", "sweep cube:3 traffic:flows.csv --load 0.1:0.3:0.1 --warmup 300 --measure 900 --rule descending"),
    ("load", "sweep mesh:3x3 uniform --rule e-cube,west-first --select random --compare cube:3v2@duato " + CALM.format("0.2")),
    ("load", "sweep cube:3 traffic:- --load 0.2 --warmup 300 --measure 900", FLOWS),
    ("load", "sweep cube:3,mesh:2x4 0.5*traffic:flows.csv+0.5*uniform --load 0.2 --flits 1:0.6,5:0.4 --warmup 300 --measure 900 --arrivals burst:20:30"),
    ("load", "sweep table-mesh:4x4v2 traffic:flows.csv --load 0.2 --warmup 300 --measure 900 --planner reroute,block --detours 2 --compare ascending,xy"),
    ("load", "sweep table-mesh:4x4 messages:two.csv --tables tables.csv --compare xy --budget 3 " + CALM.format("0.1")),
    ("load", "sweep table-mesh:4x4 messages:two.csv --tables - --machine fast,paper " + CALM.format("0.1"), TABLES),
    ("load", "sweep cube:3 hotspot:5:0.2 --by flow --seeds 2 " + CALM.format("0.1:0.7:0.6")),
    ("load", "sweep cube:3 hotspot:5:0.2 --by channel --window 99 --show split " + CALM.format("0.1")),
    ("load", "sweep omega:8 uniform --by latency " + CALM.format("0.1")),
    ("load", "sweep cube:3 hotspot:5:0.2 --arrivals periodic " + CALM.format("0.2")),
    ("load", "sweep cube:3 uniform --load 0.2 --flits 2-5:0.5,20:0.5 --warmup 300 --measure 900"),
    ("load", "sweep cube:3 hotspot:5:0.2 --machine fast,paper --jobs 2 " + CALM.format("max")),
    ("load", "sweep cube:3 uniform --seeds 3 --seed 7 " + CALM.format("0.1:0.3:0.1")),
    ("load", "sweep cube:3 uniform --load 0.2:1:0.8 --flits 4 --measure 900 --precision 9.5%"),
    ("load", "sweep cube:3 shuffle --load 0.3 --flits 4 --measure 900 --precision 5% --seeds 9 --check-on sim:1"),
    ("load", "sweep cube:3 uniform --seeds 2 --seed 18446744073709551615 " + CALM.format("max")),
    ("load", "sweep cube:3 uniform --requests 2,reply=3,service=20,rule=ascending,queue=14 " + CALM.format("0.05:0.1:0.05")),
    ("load", "sweep table-mesh:2x3v2 uniform --requests any,reply=3 --seeds 2 " + CALM.format("max")),
    ("batch", "sweep cube:3,mesh:2x4 uniform --batch 30 --flits 1:0.6,5:0.4 --seed 3"),
    ("batch", "sweep cube:3 bit-reverse --batch 30 --flits 4 --requests 2,reply=3 --seeds 3 --compare identity,cube:4 --check-on sim:1 --machine paper"),
    ("long", "run cube:1 messages:long.csv --link model --machine paper --map 1,0 --rule descending"),
    ("check", "check cube:3"),
    ("check", "check cube:3 --rule mixed", "", 1),
    ("check_rule", "check torus:5x2v3 --rule duato"),
    ("check_rule", "check cube:3 --rule turns:-", "+0 -1\n+1 -0\n+0 -2\n+2 -0\n+1 -2\n", 1),
    ("report", "run mesh:2x3 uniform:9 --rule turns:best --select lru --link model"),
    ("check_pairs", "check ring:5 --all-pairs --lanes 2 --seed 3"),
    ("check_pairs", "check ring:5 --all-pairs --by-destination --lanes 2"),
    ("check_tables", "check table-mesh:4x4 --tables tables.csv"),
    ("check_tables", "check table-mesh:4x4 --tables -", "0,0,9\n3,1,+x", 1),
    ("probe", "probe sim --fabric cube:3"),
    ("probe", "probe sim-uart:cube:2 --timeout 60000"),
    ("peek", "peek sim MAGIC 3 --fabric cube:3"),
    ("peek", "poke sim SEED 5 0x0 --fabric cube:3"),
]
# The figures that a clock gives, and no command repeats.
TIMES = ("round_trip_us", "bytes_per_s", "clock_hz")


def complaints(text, kind):
    schema = {"$schema": SCHEMA["$schema"], "$ref": "#/$defs/" + kind, "$defs": SCHEMA["$defs"]}
    return [f"{list(e.absolute_path)}: {e.message[:200]}" for e in jsonschema.Draft202012Validator(schema).iter_errors(text)]


def steady(text):
    return {key: value for key, value in text.items() if key not in TIMES} if isinstance(text, dict) else text


def write_files():
    for name, text in (("list.csv", LIST), ("lengths.csv", LENGTHS), ("tables.csv", TABLES), ("two.csv", "0,4\n1,4\n"), ("flows.csv", FLOWS), ("long.csv", "0,1,2\n" * 1048577)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    output("plan cube:3 shuffle -o plan.json")
    output("plan cube:3 shuffle -o ./-dash.json")


def test_again():
    write_files()
    for kind, words, *more in ROWS:
        stdin, status = (more + ["", 0][len(more):])
        name = words if isinstance(words, str) else " ".join(words)[:80]
        words = words.split() if isinstance(words, str) else words
        words = ["run", "--json", "--", "-dash.json"] if "--" in words else words + ["--json"]
        done = run(words, stdin)
        if not check(done.returncode == status, f"{name}: status {done.returncode}: {done.stderr[:300]}"):
            continue
        try:
            first = json.loads(done.stdout)
        except ValueError as error:
            check(False, f"{name}: {error}")
            continue
        wrong = complaints(first, kind)
        check(not wrong, f"{name} is no {kind}: {wrong[:2]}")
        command = first["request"]["command"]
        again = run(command[1:], stdin)
        check(command[0] == "flitloom" and again.returncode == status, f"{name}: {command}: status {again.returncode}: {again.stderr[:300]}")
        second = json.loads(again.stdout) if again.stdout else None
        check(steady(second) == steady(first), f"{name}: another document from {command}")
        for report in first.get("reports", []):
            alone = json.loads(run(report["request"]["command"][1:], stdin).stdout or "null")
            check(alone == report, f"{name}: another report from {report['request']['command']}")


def test_all_are_there():
    """Checks that there is a row for each definition of a whole document, and for each command with --json."""
    rows = {kind for kind, *_ in ROWS} | {"plan", "trace"}  # these two are files
    parts = set(re.findall(r'"#/\$defs/([a-z_]+)"', json.dumps(SCHEMA))) - {"report", "stages"}
    check(set(SCHEMA["$defs"]) - parts == rows, f"kinds of documents: {set(SCHEMA['$defs']) - parts} and {rows}")
    commands = set(re.findall(r"^  ([a-z]+) ", output("help"), re.M))
    taking = {name for name in commands if "--json" in output(["help", name])}
    tried = {(words if isinstance(words, str) else words[0]).split()[0] for _, words, *_ in ROWS}
    check(len(taking) > 5 and taking == tried, f"commands with --json: {taking}, tried {tried}")


def test_request():
    """Checks the fields of `request` against the command."""
    for words, want in (
        ("sweep cube:3 uniform " + CALM.format("0.1:0.3:0.1"), {"load": "0.1:0.3:0.1", "flits": 4, "schedule": None}),
        ("sweep cube:3 uniform " + CALM.format("max"), {"load": "max"}),
        ("run cube:3 fft --stages --seed 9", {"fabric": "cube:3", "pattern": "fft", "seed": 9, "flits": None, "schedule": None, "link": "sim"}),
        ("plan cube:3 messages:lengths.csv", {"flits": None, "load": None}),
        ("plan cube:3 messages:list.csv", {"flits": 17}),
        ("sweep cube:2 complement --flits 5:9 --machine fast,paper --plan-only", {"flits": None, "machine": None, "link": None}),
    ):
        request = document(words)["request"]
        got = {key: request[key] for key in want}
        check(got == want, f"{words}: {got}")
    both = document("plan cube:4 transpose --compare")
    check([report["request"]["map"] for report in both["reports"]] == ["identity", "best"] and both["request"]["map"] is None and not both["same"], "the maps of a comparison")
    check(document("plan cube:4 complement --compare")["same"], "a comparison of a plan with itself")


if __name__ == "__main__":
    main(test_again, test_all_are_there, test_request)
