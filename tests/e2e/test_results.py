#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests results that stand alone: every JSON document against docs/flitloom.schema.json, a run repeated from its report, the CSV
files against --trace-json, "-" in place of files. FLITLOOM: the command. Ends in "N passed, N failed".
"""
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import jsonschema

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", HOME + "/build/flitloom"))
SCHEMA = json.load(open(HOME + "/docs/flitloom.schema.json"))
counts = {True: 0, False: 0}


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what)


def flitloom(*words, stdin="", status=0):
    done = subprocess.run([FLITLOOM, *words], input=stdin, capture_output=True, text=True)
    if done.returncode != status:
        check(False, f"{words}: status {done.returncode}: {done.stderr.strip()[:300]}")
    return done.stdout


def refused(text, *words, stdin=""):
    done = subprocess.run([FLITLOOM, *words], input=stdin, capture_output=True, text=True)
    check(done.returncode == 2 and text in done.stderr and done.stderr.count("\n") == 1 and not done.stdout,
          f"{words}: status {done.returncode}, not \"{text}\": {done.stderr}{done.stdout[:200]}")


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


# --- JSON ---


def complaints(document, kind):
    schema = {"$schema": SCHEMA["$schema"], "$ref": "#/$defs/" + kind, "$defs": SCHEMA["$defs"]}
    return [f"{list(e.absolute_path)}: {e.message}" for e in jsonschema.Draft202012Validator(schema).iter_errors(document)]


def valid(text, kind, what):
    wrong = complaints(json.loads(text), kind)
    check(not wrong, f"{what}: {wrong[:2]}")


def strict(schema, where):
    """Checks that the schema is strict: no object may have a field that is not described."""
    if isinstance(schema, list):
        for item in schema:
            strict(item, where)
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object":
        check(schema.get("additionalProperties") is False, f"{where} is not strict")
        for name, value in schema["properties"].items():
            described = "description" in value or "$ref" in value or "const" in value or "enum" in value
            check(described or value == {"type": "integer", "minimum": 0} or "anyOf" in value or "properties" in value, f"{where}.{name} is not described")
    for name, value in schema.items():
        strict(value, f"{where}.{name}" if name not in ("properties", "$defs") else where)


def test_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    strict(SCHEMA, "")
    report = json.loads(flitloom("plan", "cube:3", "bit-reverse", "--json"))
    report["surprise"] = 1
    check(complaints(report, "report"), "a field that is not in the schema goes unnoticed")
    report = json.loads(flitloom("plan", "cube:3", "bit-reverse", "--json"))
    del report["request"]["seed"]
    check(complaints(report, "report"), "a field that is missing goes unnoticed")


def test_documents():
    lines = [
        "plan cube:4 transpose --compare", "plan cube:4 example5 --objective maxsum", "plan cube:3 uniform:9 --objective cycles", "plan cube:3 fft", "plan mesh:3x5 nbody --place greedy", "plan cube:3 random-perm --seed 18446744073709551615",
        "plan omega:8 bit-reverse --planner direct", "plan omega:8 identity --planner direct", "plan omega:8 all-to-all", "plan benes:8 random-perm", "plan omega:64 transpose", "plan otis-mesh:16 shuffle --cost electronic=1,otis=3",
        "run cube:3 bit-reverse --compare", "run cube:3 uniform:40 --seed 3", "run omega:8 all-to-all --flits 3", "run cube:3 random-perm --planner two_pass",
        "run cube:3 shuffle --machine paper --max-cycles 1000 --timeout 3000 --map identity",
        "plan otis-mesh:4 bpc:shuffle --planner otis", "plan otis-mesh:4v2 random-perm --planner direct",
        "plan ocs:8 all-to-all", "run ocs:8x2 uniform:20 --dark 3 --link model", "run ocs-benes:4x2 uniform:20 --dark 3 --link model", "run ocs:8 shift:1 --relay --planner rotor --link model",
    ]
    for line in lines:
        valid(flitloom(*line.split(), "--json"), "comparison" if "--compare" in line else "report", line)
    for line in ("cube:3 fft --objective sumsum", "cube:3 uniform:9", "omega:8 all-to-all", "cube:3 random-perm --planner two_pass",
                 "mesh:3x3 transpose --planner reroute --load flits", "mesh:3x3 uniform:40 --planner reroute --detours 2", "cube:3 random-perm --planner block",
                 "ocs:8 shift:1 --flits 9", "ocs-benes:8 uniform:20", "mesh:3x3v6 uniform:9 --fail 0--1", "random:8,3,1v8 uniform:9",
                 "mesh:3x3v3 uniform:9 --fail 0--1 --rule turns:best", "otis-mesh:4 random-perm", "otis-mesh:4 shift:1,0,no-wrap --planner otis --map group-row"):
        text = flitloom("plan", *line.split(), "-o", "-")
        valid(text, "plan", line)
        check(flitloom("plan", "-", "-o", "-", stdin=text) == text, f"the plan of {line} changes when it is read and written")
    for lanes in range(1, 9):
        for line in (f"graph:{HOME}/tests/e2e/graphs/chords.txt:v{lanes}", f"random:8,3,1v{lanes}", f"mesh:3x3v{lanes} --fail 0--1"):
            valid(flitloom("plan", *line.split(), "uniform:9", "--json"), "report", line)
    for line in ("cube,omega all-to-all --nodes 2:4 --plan-only", "cube transpose --nodes 4:4", "cube:2 complement --machine fast,paper --flits 5:9",
                 "ocs:4,ring:5,cube:2 shift:1 --dark 0:6:3", "ocs:4,cube:2 uniform:9 --dark 3:3:1 --seeds 2", "ocs,cube complement --nodes 4:8 --dark 5"):
        valid(flitloom("sweep", *line.split(), "--json"), "sweep", line)
    request = json.loads(flitloom("sweep", "cube:2", "complement", "--machine", "fast,paper", "--flits", "5:9", "--json"))["request"]
    check(request["machine"] is None and request["flits"] is None, f"what varies: {request}")
    check({"--machine fast,paper", "--flits 5:9"} <= {" ".join(pair) for pair in zip(request["command"], request["command"][1:])}, f"{request['command']}")
    request = json.loads(flitloom("sweep", "cube:2", "complement", "--machine", "paper", "--flits", "5:5", "--json"))["request"]
    check(request["machine"] == "paper" and request["flits"] == 5, f"what does not vary: {request}")
    valid(flitloom("run", "omega:8", "bit-reverse", "--trace-json", "-"), "trace", "trace")
    valid(flitloom("check", "cube:3", "--json"), "check", "check cube:3")
    valid(flitloom("check", "cube:3", "--rule", "mixed", "--json", status=1), "check", "check mixed")
    valid(flitloom("check", "ring:4", "--json", status=1), "check", "check ring:4")
    for words in (("torus:3x3v2d1.2.4",), ("mesh:3x3d2", "--rule", "odd-even"), ("fat-tree:2,2v2", "--link-delay", "1:3", "--all-pairs"), ("graph:" + HOME + "/tests/e2e/graphs/slow.txt:v2",)):
        name = "check_rule" if "--rule" in words else "check_pairs" if "--all-pairs" in words else "check"
        valid(flitloom("check", *words, "--json"), name, f"check {words}")
    for rule in ("negative-first", "west-first", "north-last", "odd-even", "duato", "turns:best", "o1turn", "romm", "valiant"):
        valid(flitloom("check", "mesh:3x3v2", "--rule", rule, "--json"), "check_rule", f"check --rule {rule}")
    valid(flitloom("check", "cube:2", "--rule", "turns:/dev/null", "--json", status=1), "check_rule", "check --rule turns")
    valid(flitloom("check", "cube:3", "--rule", "turns:best", "--json"), "check_rule", "check --rule turns:best")
    valid(flitloom("check", "torus:3x3", "--all-pairs", "--json"), "check_pairs", "check --all-pairs")
    valid(flitloom("check", "ring:5", "--all-pairs", "--by-destination", "--json"), "check_pairs", "check --by-destination")
    valid(flitloom("check", "cube:1", "--all-pairs", "--lanes", "1", "--json"), "check_pairs", "check --all-pairs of two nodes")
    valid(flitloom("check", "torus:3x3v2", "--rule", "mixed", "--json", status=1), "check", "check torus:3x3v2")
    tables = flitloom("plan", "table-mesh:4x4", "transpose", "--planner", "reroute", "--tables-out", "-")
    text = flitloom("plan", "table-mesh:4x4", "transpose", "--tables", "-", "-o", "-", stdin=tables)
    valid(text, "plan", "the plan of tables")
    check(flitloom("plan", "-", "-o", "-", stdin=text) == text, "the plan of tables changes when it is read and written")
    for text, status in ((tables, 0), ("0,0,9\n3,1,+x", 1), ("0,0,+x\n1,0,+y\n5,0,-x\n4,0,0\n5,1,-x\n4,1,-y\n0,1,+x\n1,1,0", 1)):
        valid(flitloom("check", "table-mesh:4x4", "--tables", "-", "--json", stdin=text, status=status), "check_tables", f"check tables, status {status}")
    valid(flitloom("check", "table-mesh:4x4", "--link-delay", "0:1,1:2", "--tables", "-", "--json", stdin=tables), "check_tables", "check tables, slow links")
    valid(flitloom("probe", "sim", "--fabric", "cube:3", "--json"), "probe", "probe sim")
    valid(flitloom("probe", "sim-uart:cube:2", "--json", "--timeout", "60000"), "probe", "probe sim-uart")
    slow = flitloom("probe", "sim-uart:cube:2,clock=1000000,baud=9600", "--json", "--timeout", "60000")
    valid(slow, "probe", "probe of a slow sim-uart")
    # On a slow line the command reads words for half a second, 120 here. In simulated time that gives the same figure on every
    # machine.
    check(json.loads(slow)["bytes_per_s"] == 902, "the speed of a slow line is not that of 120 words")
    valid(flitloom("peek", "sim", "MAGIC", "3", "--fabric", "cube:3", "--json"), "peek", "peek")


# --- Repetition ---


def command_of(request):
    """Makes the command from the fields, as another program would."""
    kind = "plan" if request["link"] is None else "run"
    words = [kind] + ([request["plan"]] if request["plan"] else [request["fabric"], request["pattern"]])
    for name in ("map", "planner", "objective", "rule", "load", "detours", "cost", "flits", "seed", "link", "machine", "schedule", "max_cycles"):
        if request[name] is not None:
            words += ["--" + name.replace("_", "-"), str(request[name])]
    if request["timeout_ms"] is not None:
        words += ["--timeout", str(request["timeout_ms"])]
    return words + (["--preset"] if request["preset"] else []) + ["--json"]


def test_repeat():
    with open("list.csv", "w") as file:
        file.write("0,5,9\n3,5,2\n7,0\n")
    flitloom("plan", "cube:3", "shuffle", "-o", "plan.json")
    lines = [
        "run cube:3 random-perm --seed 77 --flits 5 --map identity --machine paper",
        "run cube:3 uniform:30 --seed 9000000000000000000",
        "run cube:3 messages:list.csv --flits 4 --map 7,6,5,4,3,2,1,0",
        "run cube:3 fft --objective sumsum --max-cycles 500",
        "run omega:8 all-to-all --flits 3 --schedule table",
        "run omega:8 identity --preset --timeout 4000",
        "run plan.json --seed 5",
        "run cube:3 bit-reverse --compare",
        "plan cube:4 random-lcc:2 --seed 18446744073709551615 --planner direct",
        "plan mesh:3x3 messages:list.csv --planner reroute --load messages",
        "plan mesh:3x3 messages:list.csv --planner block",
        "plan mesh:3x3 messages:list.csv --planner reroute --detours 2",
        "plan otis-mesh:16 gypx-swap --cost otis=9",
        "plan torus:3x5 random-perm --rule one-way-descending --planner greedy",
    ]
    for line in lines:
        document = json.loads(flitloom(*line.split(), "--json"))
        for report in document.get("reports", [document]):
            request = report["request"]
            check(request["command"][0] == "flitloom", line)
            check(json.loads(flitloom(*request["command"][1:])) == report, f"{line}: another result from {request['command']}")
            again = json.loads(flitloom(*command_of(request)))
            check(again == report, f"{line}: another result from {command_of(request)}")
    other = json.loads(flitloom("run", "cube:3", "random-perm", "--seed", "78", "--json"))
    first = json.loads(flitloom("run", "cube:3", "random-perm", "--seed", "77", "--json"))
    check(other != first, "two seeds give one result")
    text = flitloom("sweep", "cube,omega", "all-to-all", "--nodes", "2:4", "--plan-only", "--flits", "3", "--json")
    check(flitloom(*json.loads(text)["request"]["command"][1:]) == text, "another result of a sweep")


# --- CSV ---


def test_back_to_back():
    """Checks runs from one start: the report's cycles are those of that run in the trace; without barriers there is no such run."""
    for line in ("cube:3 all-to-all --flits 9", "cube:3 fft --map identity", "cube:3 random-perm --planner two_pass --machine paper",
                 "omega:8 all-to-all --planner min_passes --flits 1", "omega:8 all-to-all", "benes:8 random-perm", "cube:3 complement"):
        report = json.loads(flitloom("run", *line.split(), "--json"))
        trace = json.loads(flitloom("run", *line.split(), "--trace-json", "-"))
        run, predicted, measured = trace["back_to_back"], report["predicted"]["back_to_back_cycles"], report["measured"]["back_to_back_cycles"]
        if trace["passes"] == 1 or report["free_running"]:
            check(run is None and predicted is None and measured is None, f"{line}: back to back")
            continue
        last = trace["passes"] - 1
        tail = max(a["last_cycle"] for a in run["arrivals"] if a["pass"] == last)
        check(measured == run["began"] + tail and measured > report["measured"]["cycles"] + 11 * last, f"{line}: {measured} cycles back to back")
        check(predicted == measured, f"{line}: {predicted} cycles back to back predicted")
        check(run["arrivals"] == trace["arrivals"] and run["counts"] == trace["counts"][-1:] and run["sent"] == trace["sent"], f"{line}: other arrivals back to back")
    sweep = json.loads(flitloom("sweep", "cube:3,omega:8", "all-to-all", "--link", "sim", "--flits", "4", "--json", "--csv", "s.csv"))
    report = json.loads(flitloom("run", "cube:3", "all-to-all", "--flits", "4", "--json"))
    rows = list(csv.DictReader(io.StringIO(read("s.csv"))))
    check([r["back_to_back_cycles"] for r in sweep["runs"]] == [report["measured"]["back_to_back_cycles"], 8 + sweep["runs"][1]["measured_cycles"]], "a sweep's cycles back to back")
    check([r["back_to_back_cycles"] for r in rows] == [str(r["back_to_back_cycles"]) for r in sweep["runs"]], "a sweep's cycles back to back in CSV")
    sweep = json.loads(flitloom("sweep", "cube:3", "all-to-all", "--flits", "4", "--plan-only", "--json"))
    check(sweep["runs"][0]["back_to_back_cycles"] == report["predicted"]["back_to_back_cycles"], "a sweep's predicted cycles back to back")


def test_tables():
    lines = ["cube:3 uniform:60 --seed 4", "cube:3 complement --flits 1", "omega:8 all-to-all --flits 3", "omega:8 uniform:40 --flits 30",
             "cube:3 random-perm --planner two_pass --seed 2", "cube:3 uniform:20 --machine paper", "benes:8 random-perm", "ocs:8 uniform:30 --dark 2"]
    for line in lines:
        flitloom("run", *line.split(), "-q", "--messages", "m.csv", "--channels", "c.csv", "--trace-json", "t.json", "--svg", "p.svg")
        report = json.loads(flitloom("run", *line.split(), "--json"))
        messages, channels = (list(csv.DictReader(io.StringIO(read(name)))) for name in ("m.csv", "c.csv"))
        trace = json.load(open("t.json"))
        check(len(messages) == report["messages"] and sum(int(m["flits"]) for m in messages) == report["flits"], f"{line}: not all messages")
        check(all(m["state"] in ("delivered", "local") for m in messages), f"{line}: not delivered")
        signed = {a["signature"] for a in trace["arrivals"] if a["flits"] > 2}
        check(trace["payload"]["signature_bits"] == 32 and (len(signed) > 1 or line.endswith("--flits 1")), f"{line}: signatures")
        last = trace["passes"] - 1
        check(all(a["logged_pass"] == (last if report["free_running"] else a["pass"]) for a in trace["arrivals"]), f"{line}: logged passes")
        seen = sorted((a["node"], a["pass"], a["flits"], a["first_cycle"], a["last_cycle"]) for a in trace["arrivals"])
        told = sorted((int(m["destination_node"]), int(m["pass"]), int(m["flits"]), int(m["header"]), int(m["tail"]))
                      for m in messages if m["state"] != "local")
        check(seen == told, f"{line}: other arrivals than in --trace-json")
        first = {}
        for m in messages:
            if m["state"] == "local":
                check(m["offered"] == m["header"] == m["tail"] == m["waited"] == "", f"{line}: a message to oneself has cycles")
                continue
            check(int(m["tail"]) == int(m["header"]) + int(m["flits"]) - 1, f"{line}: a gap in message {m['message']}")
            check((m["latency"] == "") == (m["offered"] == "") and m["latency"] in ("", str(int(m["tail"]) - int(m["offered"] or 0) + 1)), f"{line}: {m}")
            check(m["offered"] != "", f"{line}: on the link sim it is not known when a message was offered: {m}")
            check((m["offered"] == "") == (m["waited"] == "") == (m["offered_earliest"] != m["offered_latest"]), f"{line}: {m}")
            if m["waited"]:
                check(int(m["offered"]) + int(m["hops"]) + 1 + int(m["waited"]) == int(m["header"]), f"{line}: {m}")
            place = m["source_node"], m["pass"]
            if not report["free_running"] and "circuits" not in report and place not in first:  # on circuit switches messages leave at the plan's cycle
                check(m["offered"] == "1", f"{line}: the first message of a node in a pass is not offered in cycle 1: {m}")
            first[place] = m
            if report["free_running"]:
                check(int(m["offered"]) == int(m["pass"]) * int(m["flits"]) + 1, f"{line}: {m}")
            if report["predicted"]["blocked_cycles"] == 0:
                check(m["waited"] == "0", f"{line}: waited where nothing waits: {m}")
        check(report["measured"]["blocked_cycles"] == report["predicted"]["blocked_cycles"], f"{line}: blocked cycles are not as predicted")
        check(report["measured"]["cycles"] == report["predicted"]["cycles"], f"{line}: cycles are not as predicted")
        if report["measured"]["blocked_cycles"]:
            check(any(m["waited"] not in ("", "0") for m in messages), f"{line}: nobody waited")
        names = [c["channel"] for c in channels]
        check(len(set(names)) * trace["passes"] == len(names) == trace["passes"] * trace["channels"], f"{line}: channels")
        counted = [n for of_pass in trace["counts"] for n in of_pass]
        check(counted == [[int(c["messages"]), int(c["flits"]), int(c["blocked"])] for c in channels], f"{line}: other counts")
        for group in report["measured"]["groups"]:
            mine = [int(c["messages"]) for c in channels if c["group"] == group["name"]]
            check(sum(mine) == group["sum"] and max(mine) == group["max"], f"{line}: group {group['name']}")


PREDICTED = {"messages": ("offered", "header", "tail", "waited"), "channels": ("messages", "flits", "blocked")}


def test_predicted_columns():
    """Checks that the predictions of messages and channels are what RTL and machine do, and what a plan alone says."""
    lines = ["cube:3 uniform:60 --seed 4", "mesh:3x5 uniform:40 --machine paper", "ring:8v2 uniform:40 --planner direct",
             "omega:8 uniform:40 --flits 30", "omega:8 all-to-all --flits 3", "cube:3 random-perm --planner two_pass", "cube:3 messages:released.csv"]
    with open("released.csv", "w") as file:
        file.write("source,destination,flits,count,release\n0,3,4,2,10\n1,3,9,1,12\n2,2,5,1,3\n5,0,7,1,1\n")
    for line in lines:
        tables = []
        for command in (["plan"], ["run", "--link", "model"], ["run", "--link", "sim"]):
            flitloom(*command, *line.split(), "-q", "--messages", "m.csv", "--channels", "c.csv")
            tables.append({"messages": list(csv.DictReader(io.StringIO(read("m.csv")))), "channels": list(csv.DictReader(io.StringIO(read("c.csv"))))})
        alone, computed, simulated = tables
        check(computed == simulated, f"{line}: other tables by the machine than by the RTL")
        for name, columns in PREDICTED.items():
            for was, it in zip(alone[name], simulated[name]):
                local, predicted = it.get("state") == "local", {f"predicted_{c}": was[f"predicted_{c}"] for c in columns}
                check(all(it[key] == value and (value == "") == local for key, value in predicted.items()), f"{line}: the plan alone says {was}, a run {it}")
                check(local or all(was[c] == "" for c in columns), f"{line}: measured of a plan: {was}")
                check(local or all(it[c] == it[f"predicted_{c}"] or c == "blocked" and "all-to-all" in line for c in columns), f"{line}: not as predicted: {it}")
        check(sum(int(c["blocked"]) for c in simulated["channels"]) == sum(int(c["predicted_blocked"]) for c in simulated["channels"]), f"{line}: blocked")
    check(any(m["predicted_waited"] not in ("", "0") for m in alone["messages"]), "nobody waits")
    slow = flitloom("plan", "mesh:3x5", "uniform:40", "--machine", "paper")
    check("\nmachine         paper " in slow and slow != flitloom("plan", "mesh:3x5", "uniform:40"), "the table of plan --machine paper")


# --- "-" ---


def test_timed():
    """Checks messages with releases in every document, and values that are in several."""
    with open("rel.csv", "w") as file:
        file.write("source,destination,flits,count,release\n0,3,4,2,10\n1,3,9,1,12\n2,2,5,1,3\n5,0,7,1,1\n")
    for machine in "fast", "paper":
        words = ["run", "cube:3", "messages:rel.csv", "--machine", machine]
        text = flitloom(*words, "--json", "--messages", "m.csv", "--trace-json", "t.json")
        valid(text, "report", "a timed run")
        valid(read("t.json"), "trace", "a timed run's trace")
        report, trace, rows = json.loads(text), json.loads(read("t.json")), list(csv.DictReader(io.StringIO(read("m.csv"))))
        sent = [m for m in rows if m["state"] == "delivered"]
        latencies = [int(m["tail"]) - int(m["offered"]) + 1 for m in sent]
        check(report["verdict"] == "pass" and len(sent) == 4 and [m["state"] for m in rows].count("local") == 1, f"{machine}: {rows}")
        check([int(m["latency"]) for m in sent] == latencies, f"{machine}: latencies {rows}")
        check([m["offered"] for m in sent[:1] + sent[2:]] == ["10", "12", "1"], f"{machine}: releases {rows}")
        check(report["measured"]["latency"] == {"messages": 4, "mean": sum(latencies) / 4, "max": max(latencies)}, f"{machine}: {report['measured']}")
        check(sorted(a["release"] for a in trace["arrivals"]) == sorted(int(m["offered"]) for m in sent), f"{machine}: releases in the trace")
        check("latency" in flitloom(*words), f"{machine}: no latency in the table")
    flitloom("plan", "cube:3", "messages:rel.csv", "--out", "timed.json", "-q")
    valid(read("timed.json"), "plan", "a timed plan")
    again = json.loads(flitloom("run", "timed.json", "--machine", "paper", "--json"))
    check(again["measured"] == report["measured"], "a timed plan from its file runs otherwise")
    untimed = json.loads(flitloom("run", "cube:3", "bit-reverse", "--json", "--trace-json", "t.json"))
    check("latency" not in untimed["measured"] and "release" not in json.loads(read("t.json"))["arrivals"][0], "timing in a run without it")
    refused("does not leave messages as they are", "run", "cube:3", "messages:rel.csv", "--planner", "greedy")


def test_programs_page():
    """Runs the examples of docs/programs.md, and compares the row that it shows."""
    page = read(HOME + "/docs/programs.md")
    with open("requests.csv", "w") as file:
        file.write(re.search(r"```csv\n(.*?)```", page, re.S)[1])
    lines = re.findall(r"^build/flitloom (.*)$", page, re.M)
    outputs = [flitloom(*line.split()) for line in lines]
    check(len(lines) == 5 and re.search(r"^latency .*\n.*$", page, re.M)[0] in outputs[0], f"docs/programs.md: {outputs[0]}")
    check(outputs[1].startswith("message,pass,"), "docs/programs.md: --messages -")


def test_goal():
    """Checks runs of ranks: the documents, and their repetition from the command and from the fields."""
    with open("cpus.goal", "w") as file:
        file.write("num_ranks 2\nrank 0 {\na: recv 4b from 1\nb: calc 50 cpu 1\nb requires a\nc: calc 60\nd: calc 70\nd requires c\n}\n"
                   "rank 1 {\nsend 4b to 0\n}\n")
    text = flitloom("run", "cube:3", "goal:cpus.goal", "--calc-cycles", "1/7", "--flit-bytes", "2", "--json")
    valid(text, "report", "a goal")
    check(json.loads(text)["serialised"] == 2, "what is serialised")
    check("serialised" in flitloom("run", "cube:3", "goal:cpus.goal"), "no serialised in the table")
    request = json.loads(text)["request"]
    check((request["calc_cycles"], request["flit_bytes"]) == ("1/7", 2) and "bytes" not in request, f"{request}")
    check(flitloom(*request["command"][1:]) == text, "another result of a goal")
    text = flitloom("run", "cube:3", "alltoall:bruck", "--bytes", "100", "--json")
    valid(text, "report", "a collective")
    report = json.loads(text)
    check(report["request"]["bytes"] == 100 and "serialised" not in report and report["verdict"] == "pass", f"{report['request']}")
    check(flitloom(*report["request"]["command"][1:]) == text, "another result of a collective")
    with open("bruck.goal", "w") as file:
        file.write(flitloom("goal", "alltoall:bruck", "8", "--bytes", "100"))
    again = json.loads(flitloom("run", "cube:3", "goal:bruck.goal", "--json"))
    check(again["measured"] == report["measured"], "a collective as text runs otherwise")
    valid(flitloom("plan", "cube:3", "goal:bruck.goal", "-o", "-"), "plan", "a goal's plan")


def test_standard():
    identity = "".join(f"{i},{7 - i}\n" for i in range(8))
    table = flitloom("plan", "cube:3", "messages:-", stdin=identity)
    check("8 messages" in table and "messages:-" in table, "messages:-")
    check("24 flits" in flitloom("plan", "cube:3", "perm:-", "--flits", "3", stdin="7,6,5,4,3,2,1,0"), "perm:-")
    check("1 pass " in flitloom("plan", "cube:3", "lcc:-", stdin="001\n010\n100\n000\n"), "lcc:-")
    check("2 passes" in flitloom("plan", "cube:3", "set:-", stdin='[{"n":3,"kind":"permutation","A":[4,2,1]},{"n":3,"kind":"permutation","A":[2,1,4]}]'), "set:-")
    check("map 2,1,0" in flitloom("plan", "cube:3", "shuffle", "--map", "-", stdin="2, 1\n0\n"), "--map -")
    check(flitloom("plan", "cube:3", "messages:-", "--compare", "--json", stdin=identity).count('"placement":') == 2, "--compare of messages:-")
    sweep = json.loads(flitloom("sweep", "cube,omega", "perm:-", "--nodes", "8:8", "--plan-only", "--json", stdin="7,6,5,4,3,2,1,0"))
    check(len(sweep["runs"]) == 2, "a sweep of perm:-")
    check(flitloom("plan", "cube:3", "shuffle", "--svg", "-").startswith("<?xml"), "--svg -")
    check(flitloom("plan", "cube:3", "shuffle", "-o", "-").startswith("{\n"), "-o -")
    check(flitloom("run", "cube:3", "shuffle", "--messages", "-").count("\n") == 9, "--messages -")
    check(flitloom("run", "cube:3", "shuffle", "--channels=-").startswith("pass,channel,"), "--channels -")
    both = flitloom("run", "cube:3", "shuffle", "--trace-json", "-", "--svg", "kept.svg")
    check(json.loads(both)["passes"] == 1 and read("kept.svg").startswith("<?xml"), "--trace-json - beside another file")
    plan = flitloom("plan", "cube:3", "shuffle", "-o", "-")
    check("PASS" in flitloom("run", "-", stdin=plan), "run -")
    check(not os.path.exists("-"), "there is a file called -")
    refused("--svg and --trace-json both write standard output", "run", "cube:3", "shuffle", "--svg", "-", "--trace-json", "-")
    refused("--json and --svg both write standard output", "plan", "cube:3", "shuffle", "--svg", "-", "--json")
    refused("a waveform cannot go to standard output", "run", "cube:3", "shuffle", "--trace", "-")
    refused("both come from standard input", "plan", "cube:3", "perm:-", "--map", "-", stdin="0")
    refused("standard input is empty", "plan", "cube:3", "shuffle", "--map", "-")
    refused("standard input", "plan", "-", stdin="{")
    refused("standard input, line 2", "plan", "cube:3", "messages:-", stdin="0,1\n0,x\n")
    lcc = "001\n010\n100\n000\n"
    for spec in ("set:lcc:-+shuffle", "set:shuffle+lcc:-"):
        check(flitloom("plan", "cube:3", spec, "--compare", stdin=lcc).count("contention ") >= 1, spec)
    # Kinds of patterns without a file do not read standard input, here one that never ends.
    for spec in ("uniform:-", "set:shuffle+uniform:-", "nonsense:-"):
        waiting = subprocess.Popen([FLITLOOM, "plan", "cube:3", spec], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            check(waiting.wait(timeout=20) == 2, f"{spec}: status {waiting.returncode}")
        except subprocess.TimeoutExpired:
            check(False, f"{spec} reads standard input")
            waiting.kill()
        waiting.stdin.close()
        waiting.wait()
    # A file that the shell has opened is not replaced; the command appends to it.
    with open("all", "w") as file:
        file.write("before\n")
        file.flush()
        subprocess.run([FLITLOOM, "plan", "cube:3", "shuffle", "-o", "-"], stdout=file, check=True)
    check(read("all") == "before\n" + plan, "standard output that is a file")
    with open("/dev/full", "w") as full:
        done = subprocess.run([FLITLOOM, "plan", "cube:3", "shuffle", "-o", "-"], stdout=full, stderr=subprocess.PIPE, text=True)
    check(done.returncode == 2 and "No space left" in done.stderr, f"a full disk: {done.returncode} {done.stderr}")


# --- Tables for people ---


def test_interrupted_output():
    """After the run, Ctrl-C ends the command at once, as it ends any program: nothing of the run can be lost any more. The outputs are
    longer than a pipe holds, so the command still writes when the signal comes."""
    for option in ("--messages", "--channels", "--trace-json"):
        words = [FLITLOOM, "run", "cube:6", "all-to-all", "--link", "model", "-q", option, "/dev/stdout"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        first = os.read(process.stdout.fileno(), 1)
        process.send_signal(signal.SIGINT)
        rest, err = process.communicate(timeout=60)
        check(first and process.returncode == -signal.SIGINT and not err,
              f"Ctrl-C while {option} is written: status {process.returncode}, {len(rest)} bytes, {err}")


def test_sentences():
    text = flitloom("plan", "omega:64", "transpose")
    words = " ".join(text.split())
    bound = json.loads(flitloom("plan", "omega:64", "transpose", "--json"))["predicted"]
    told = f"in one pass {bound['one_pass_cycles']} cycles or more (--planner direct): this plan is the best by contention, maybe not by time"
    check(told in words, f"nothing of one pass: {text}")
    one = json.loads(flitloom("run", "omega:64", "transpose", "--planner", "direct", "--link", "model", "--json"))["measured"]["cycles"]
    check(bound["one_pass_cycles"] <= one < bound["cycles"], f"one pass takes {one} cycles, the plan says {bound}")
    check("maybe not by time" not in flitloom("plan", "omega:64", "all-to-all"), "one pass of a free run")
    text = flitloom("run", "cube:3", "complement", "--compare")
    check(text.count("verdict") == 1 and "the same plan as identity's" in text, f"two equal tables: {text}")
    check(flitloom("run", "cube:4", "transpose", "--compare").count("verdict") == 2, "a comparison of two")
    for words in (("run",), ("run", "--json"), ("plan",), ("plan", "--json")):
        for of, title in (("complement", "identity, which is best"), ("transpose", "best")):
            text = flitloom(words[0], "cube:4", of, "--compare", "--svg", "compared.svg", *words[1:])
            drawn = read("compared.svg")
            check(f">{title}<" in drawn and (">identity<" in drawn) == (of == "transpose"), f"panels of {words} {of} --compare")
            told = len(json.loads(text)["reports"]) if "--json" in words else text.count("\ncontention ")
            check("--json" not in words or json.loads(text)["same"] == (of == "complement"), f"{words} {of} --compare: same")
            check(told == (2 if "--json" in words or of == "transpose" else 1), f"{words} {of} --compare: {text[:300]}")
    text = flitloom("run", "cube:3", "hotspot:5")
    report = json.loads(flitloom("run", "cube:3", "hotspot:5", "--json"))
    check("inject or eject channel" in " ".join(text.split()) and report["measured"]["own_channels"] == 7 > report["measured"]["contention"],
          f"nodes' own channels: {text}")
    for words in ("--help", "--usage", "list", "list --help", "peek --help", "plan --help", "sweep --help", "list registers", "probe sim --fabric cube:3", "run --help", "serve --help",
                  "run cube:3 hotspot:5", "plan omega:8 bit-reverse --planner direct", "plan cube:3 fft", "plan mesh:3x5 nbody --place greedy", "check --help", "check cube:10"):
        wide = [line for line in flitloom(*words.split()).splitlines() if len(line) > 80 and "http" not in line]
        check(not wide, f"{words}: more than 80 columns: {wide[:2]}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for test in (test_schema, test_documents, test_repeat, test_back_to_back, test_tables, test_predicted_columns, test_timed, test_programs_page, test_goal, test_standard, test_interrupted_output, test_sentences):
        test()
    os.chdir("/")
print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] > 0)
