#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that every option of every command changes what it should: runs the command without it and with it, and compares parts of
the two. EFFECTS has a row for each option that `flitloom help COMMAND` lists; an option without a row fails. If a table shows how
the two differ, the last item of the row says how.
"""
import json
import os
import re
import subprocess
import time

from command import FLITLOOM, HOME, check, main, output, run

# Messages that have two routes each: the fewest messages go by y, the fewest flits by x.
ROUTES = "0,1,1\n0,1,1\n0,1,1\n0,2,60\n0,3,40\n"
SHORT_LOAD = "--load 0.2 --flits 4 --warmup 300 --measure 900"
RING = "ring:8 random-perm --planner greedy"


class Ran:
    """A command that has run: status, text, and the files that it left."""

    def __init__(self, words, stdin=""):
        began = time.monotonic()
        done = run(words, stdin)
        self.seconds = time.monotonic() - began
        self.words, self.status, self.text, self.error = words, done.returncode, done.stdout, done.stderr

    @property
    def json(self):
        return json.loads(self.text)


def report(get, want=None):
    """Checks in the JSON of both that `get` gives different values, and `want` with the option, if `want` is given."""

    def compare(before, after):
        a, b = get(before.json), get(after.json)
        return a != b and (b == want if want is not None else True), f"{a} and {b}"

    compare.json = True
    return compare


def field(path, want=None):
    def get(value):
        for name in path.split("."):
            value = value[int(name)] if name.isdigit() else value.get(name)
        return value

    return report(get, want)


def file(name, good=lambda text: len(text) > 0):
    def compare(_, after):
        try:
            with open(name, "rb") as it:
                data = it.read()
        except OSError as error:
            return False, str(error)
        os.remove(name)
        return good(data), f"{name} begins {data[:60]!r}"

    return compare


def other_file(name):
    """Checks that both write the file, and that it differs."""

    def compare(before, after):
        return before.files[name] != after.files[name] and after.files[name], f"{name} is the same"

    compare.kept = name
    return compare


def says(text, status=0):
    def compare(before, after):
        said = after.text + after.error
        return after.status == status and text in said and text not in before.text + before.error, f"status {after.status}: {said[:200]}"

    return compare


def silent(before, after):
    return before.text and not after.text and after.status == before.status, f"{after.text[:100]}"


def is_page(data):
    return data.startswith(b"<!doctype html>") and b"id=\"report\">{\"request\"" in data


def is_json(before, after):
    return not before.text.startswith("{") and "request" in after.json, after.text[:100]


def longer(ms):
    """Checks that it waits at least that long. A busy machine only makes it longer."""
    return lambda before, after: (after.status == 3 and after.seconds >= ms / 1000, f"status {after.status} after {after.seconds} s")


def span(path):
    """Reads the first and last time in a waveform, from the header block of FST."""
    with open(path, "rb") as it:
        head = it.read(25)
    return int.from_bytes(head[9:17], "big"), int.from_bytes(head[17:25], "big")


def waveform(good):
    def compare(_, after):
        whole, part = span("whole.fst"), span("part.fst")
        return good(whole, part), f"{whole} and {part}"

    return compare


def other_waveform(name):
    """Checks that both write the file, and that its signals differ. The first block has the date."""
    differs = other_file(name)

    def compare(before, after):
        for ran in (before, after):
            data = ran.files[name]
            ran.files[name] = data[1 + int.from_bytes(data[1:9], "big"):]
        return differs(before, after)

    compare.kept = name
    return compare


def planning(command, small):
    """Returns the rows that run and plan share. small: a fabric for chosen routes."""
    c, only_plan = command, command == "plan"
    contention, into = "predicted.contention", "-o o.json" if command == "plan" else "--channels c.csv"
    return {
        "map": (f"{c} cube:4 transpose", "--map identity", field("map", [0, 1, 2, 3])),
        "place": (f"{c} cube:3 nbody", "--place greedy", field("placement")),
        "planner": (f"{c} cube:3 bit-reverse", "--planner direct", field("planner", "direct")),
        "budget": (f"{c} cube:3 random-perm --planner best", "--budget 0.000001", report(lambda r: r["best_of"]["left"] > 0, True)),
        "load": (f"{c} {small} messages:routes.csv --planner reroute", "--load messages", report(lambda r: (r["predicted"]["contention"], r["predicted"]["contention_flits"]), (3, 100))),
        "detours": (f"{c} table-mesh:2x2 messages:detour.csv --planner reroute", "--detours 2", field(contention, 1)),
        "cost": ("plan otis-mesh:4 shuffle --planner otis", "--cost otis=100", field("predicted.moves", {"electronic": 10, "otis": 2})) if only_plan
        else ("run otis-mesh:4 shuffle --planner direct --link uart:/nonexistent/tty", "--cost otis=2", says("does not choose by the cost", 2)),
        "dark": (f"{c} ocs:8 all-to-all --flits 5" + ("" if only_plan else " --link model"), "--dark 3", field("predicted.cycles", 7 * 5 + 6 * 3 + 1)),
        "relay": (f"{c} ocs:8 shift:1 --flits 40 --planner rotor" + ("" if only_plan else " --link model"), "--relay", field("predicted.cycles")),
        "objective": (f"{c} cube:3 fft --map identity", "--objective cycles", field("predicted.objective", {"name": "cycles", "value": 118, "least": 117})),
        "buffers": (f"{c} cube:3 uniform:40", "--buffers 8", field("predicted.cycles")),
        "link-delay": (f"{c} cube:3 complement --flits 9", "--link-delay 2 --buffers 6", report(lambda r: r["predicted"]["cycles"], 9 + 3 + 1 + 3 * 2)),
        "router-delay": (f"{c} cube:3 complement --flits 9", "--router-delay 2 --buffers 4", report(lambda r: r["predicted"]["cycles"], 9 + 3 + 1 + 3 * 2)),
        "flit-bits": (f"{c} cube:3 allreduce:ring --bytes 64", "--flit-bits 64", report(lambda r: (r["flits"] // r["messages"], r.get("flit_bits")), (2, 64))),
        "loggops": (f"{c} cube:3 allreduce:ring --bytes 64", "--loggops L=10,o=3", report(lambda r: r.get("loggops", {}).get("time"))),
        "fail": (f"{c} cube:3 complement" + ("" if only_plan else " --link model"), "--fail 0->1,6--7", report(lambda r: r.get("failures", {}).get("dead_links"), 2)),
        "lanes": (f"{c} mesh:2x3 random-perm --fail 0->1" + ("" if only_plan else " --link model"), "--lanes 2", report(lambda r: r["graph"]["lanes"], 2)),
        "half-duplex": (f"{c} cube:3 complement --planner greedy", "--half-duplex", field("passes", 2)),
        "flits": (f"{c} cube:3 complement", "--flits 5", field("flits", 40)),
        "seed": (f"{c} cube:3 random-perm --planner direct", "--seed 2", report(lambda r: r["predicted"]["groups"])),
        "compare": (f"{c} cube:4 transpose", "--compare", report(lambda r: len(r.get("reports", [])), 2)),
        "json": (f"{c} cube:3 complement", "--json", is_json),
        "quiet": (f"{c} cube:3 complement", "--quiet", silent),
        "svg": (f"{c} cube:3 complement", "--svg x.svg", file("x.svg", lambda t: b"<svg" in t)),
        "html": (f"{c} cube:3 complement", "--html x.html", file("x.html", is_page)),
        "perfetto": (f"{c} cube:3 complement", "--perfetto x.perfetto", file("x.perfetto", lambda t: t.count(b"message 7") > 2)),
        "picture": (f"{c} cube:3 complement --svg x.svg", "--picture chart", other_file("x.svg")),
        "pass": (f"{c} cube:3 all-to-all --picture paths --svg x.svg", "--pass 5", other_file("x.svg")),
        "rule": (f"{c} cube:3 random-perm --planner direct --seed 5 {into}", "--rule descending", other_file("o.json") if only_plan else other_file("c.csv")),
        "select": (f"{c} cube:4 uniform:60 --rule negative-first" + ("" if only_plan else " --link model"), "--select random", report(lambda r: (r["select"], r["predicted"]["groups"]))),
        "tables": (f"{c} {small} messages:corner.csv {into}", "--tables tables.csv", other_file("o.json") if only_plan else other_file("c.csv")),
        "bytes": (f"{c} cube:3 allreduce:ring", "--bytes 32", report(lambda r: r["flits"] // r["messages"], 2)),
        "flit-bytes": (f"{c} cube:3 allreduce:ring --bytes 64", "--flit-bytes 8", report(lambda r: r["flits"] // r["messages"], 2)),
        "calc-cycles": (f"{c} cube:3 goal:calc.goal {into}", "--calc-cycles 7", other_file("o.json") if only_plan else field("measured.cycles")),
    }


EFFECTS = {
    "run": {
        **planning("run", "table-mesh:2x2"),
        "stages": ("run cube:3 fft", "--stages", report(lambda r: "cycle_us" in r, True)),
        "points": ("run cube:3 fft --stages", "--points 32", field("points", 32)),
        "costs": ("run cube:3 fft --stages", "--costs software=999", field("software_cycles")),
        "machine": ("run cube:3 uniform:40", "--machine paper", field("measured.cycles")),
        "schedule": ("run omega:8 bit-reverse", "--schedule generated", says("planner latin makes one", 2)),
        "preset": ("run omega:8 identity --trace w.fst", "--preset", other_waveform("w.fst")),
        "link": ("run cube:3 complement", "--link uart:/nonexistent/tty", says("/nonexistent/tty", 3)),
        "max-cycles": ("run cube:3 complement", "--max-cycles 5", says("the limit is 5", 3)),
        "timeout": ("run cube:3 complement --link {tty}", "--timeout 2600", longer(2600)),
        "trace": ("run cube:1 complement", "--trace w.fst", file("w.fst")),
        "trace-from": ("run cube:1 complement --trace whole.fst", "--trace part.fst --trace-from 10", waveform(lambda whole, part: part[0] > whole[0])),
        "trace-cycles": ("run cube:1 complement --trace whole.fst", "--trace part.fst --trace-cycles 4", waveform(lambda whole, part: part[1] < whole[1])),
        "trace-json": ("run cube:3 complement", "--trace-json t.json", file("t.json", lambda t: len(json.loads(t)["arrivals"]) == 8)),
        "messages": ("run cube:3 complement", "--messages m.csv", file("m.csv", lambda t: t.count(b"\n") == 9)),
        "channels": ("run cube:3 complement", "--channels c.csv", file("c.csv", lambda t: t.startswith(b"pass,channel,"))),
    },
    "plan": {
        **planning("plan", "table-mesh:2x2"),
        "output": ("plan cube:3 complement", "--output o.json", file("o.json", lambda t: json.loads(t)["fabric"] == "cube:3")),
        "before": ("plan table-mesh:4x4 transpose --planner reroute --svg x.svg", "--before xy", other_file("x.svg")),
        "machine": ("plan cube:3 uniform:40", "--machine paper", field("predicted.cycles")),
        "messages": ("plan cube:3 complement", "--messages m.csv", file("m.csv", lambda t: t.count(b"\n") == 9)),
        "channels": ("plan cube:3 complement", "--channels c.csv", file("c.csv", lambda t: t.startswith(b"pass,channel,"))),
        "tables-out": ("plan table-mesh:2x2 transpose --planner reroute", "--tables-out t.csv", file("t.csv")),
        "certificate": ("plan mesh:2x2 complement", "--certificate c.json", file("c.json", lambda t: b'"complete":false' in t)),
    },
    "check": {
        "rule": ("check cube:3", "--rule mixed", report(lambda r: [x["rule"] for x in r["rules"]], ["mixed"])),
        "tables": ("check table-mesh:2x2", "--tables tables.csv", report(lambda r: r.get("entries"), 3)),
        "all-pairs": ("check cube:3", "--all-pairs", report(lambda r: r.get("largest_load"), 4)),
        "by-destination": ("check ring:5 --all-pairs", "--by-destination", report(lambda r: r.get("by_destination"), True)),
        "lanes": ("check ring:5 --all-pairs", "--lanes 3", report(lambda r: [row["lanes"] for row in r["rows"]], [3])),
        "budget": None,  # BESIDE
        "seed": ("check torus:3x5 --all-pairs --lanes 1", "--seed 2", lambda before, after: (before.text != after.text, after.text[:200])),
        "certificate": ("check cube:2 --all-pairs", "--certificate c.json", file("c.json", lambda t: b'"numbers":[' in t)),
        "buffers": ("check cube:3", "--buffers 4", report(lambda r: r["fabric"], "cube:3b4")),
        "fail": ("check cube:3", "--fail random:20%:1", report(lambda r: r.get("dead_links"), 2)),
        "link-delay": ("check cube:3", "--link-delay 4", report(lambda r: r["fabric"], "cube:3d4")),
        "flit-bits": ("check cube:3", "--flit-bits 64", report(lambda r: r["fabric"], "cube:3f64")),
        "router-delay": ("check cube:3", "--router-delay 4", report(lambda r: r["fabric"], "cube:3r4")),
        "html": ("check cube:3", "--html x.html", file("x.html", is_page)),
        "json": ("check cube:3", "--json", is_json),
        "quiet": ("check cube:3", "--quiet", silent),
    },
    "sweep": {
        "map": (f"sweep cube:4 transpose {SHORT_LOAD}", "--map identity", field("curves.0.map", "identity")),
        "place": (f"sweep cube:4 transpose {SHORT_LOAD}", "--place identity", field("curves.0.capacity", 0.5)),
        "planner": ("sweep cube:3 bit-reverse --plan-only", "--planner direct", field("runs.0.planner", "direct")),
        "budget": ("sweep ring:8 random-perm --plan-only --planner best", "--budget 0.000001", field("runs.0.planner")),
        "load": ("sweep cube:3 shuffle --flits 4", "--load 0.1", report(lambda r: [p["load"] for c in r.get("curves", []) for p in c["points"]], [0.1])),
        "objective": (f"sweep cube:4 shuffle {SHORT_LOAD} --map best:set:transpose+bit-reverse", "--objective sumsum", field("curves.0.capacity", 0.5)),
        "flits": ("sweep cube:3 complement --plan-only", "--flits 5:9", report(lambda r: [x["flits_per_message"] for x in r["runs"]], [5, 9])),
        "seed": ("sweep cube:3 uniform:9", "--seed 2", field("runs.0.measured_cycles")),
        "seeds": ("sweep cube:3 uniform:9 --plan-only", "--seeds 4", field("seeds", 4)),
        "precision": (f"sweep cube:3 uniform {SHORT_LOAD}", "--precision 5%", field("precision", 0.05)),
        "machine": ("sweep cube:3 complement", "--machine fast,paper", report(lambda r: [x["machine"] for x in r["runs"]], ["fast", "paper"])),
        "schedule": ("sweep omega:8 bit-reverse --plan-only", "--schedule generated", says("planner latin makes one", 2)),
        "preset": ("sweep omega:8 all-to-all --plan-only", "--preset", says("which takes a barrier", 2)),
        "link": ("sweep cube:3 complement", "--link uart:/nonexistent/tty", says("/nonexistent/tty", 3)),
        "check-on": (f"sweep cube:3 shuffle {SHORT_LOAD}", "--check-on sim:1", field("curves.0.points.0.checked_on", "sim")),
        "compare": (f"sweep cube:3 shuffle {SHORT_LOAD} --map identity", "--compare best", report(lambda r: [c["map"] for c in r["curves"]], ["identity", "best"])),
        "json": ("sweep cube:3 complement --plan-only", "--json", is_json),
        "quiet": ("sweep cube:3 complement --plan-only", "--quiet", silent),
        "svg": ("sweep cube complement --nodes 2:8 --plan-only", "--svg x.svg", file("x.svg", lambda t: b"<svg" in t)),
        "html": ("sweep cube:3 complement --plan-only", "--html x.html", file("x.html", is_page)),
        "nodes": ("sweep cube complement --nodes 2:2 --plan-only", "--nodes 2:8", report(lambda r: [x["nodes"] for x in r["runs"]], [2, 4, 8])),
        "csv": ("sweep cube:3 complement --plan-only", "--csv r.csv", file("r.csv", lambda t: t.startswith(b"fabric,nodes,"))),
        "plan-only": ("sweep cube:3 complement", "--plan-only", report(lambda r: r["runs"][0]["measured_cycles"] is None, True)),
        "tables": (f"sweep table-mesh:2x2 messages:pair.csv {SHORT_LOAD}", "--tables tables.csv", field("curves.0.planner", "tables")),
        "detours": (f"sweep table-mesh:2x2 hotspot:3 {SHORT_LOAD} --planner reroute", "--detours 65", says("64", 2)),
        "buffers": ("sweep cube:3 uniform:40 --plan-only", "--buffers 8", field("runs.0.predicted_cycles")),
        "link-delay": (f"sweep cube:3 uniform {SHORT_LOAD}", "--link-delay 3", field("curves.0.points.0.latency.min")),
        "flit-bits": (f"sweep cube:3 uniform {SHORT_LOAD}", "--flit-bits 96", report(lambda r: r["curves"][0].get("flit_bits"), 96)),
        "router-delay": (f"sweep cube:3 uniform {SHORT_LOAD}", "--router-delay 3", field("curves.0.points.0.latency.min")),
        "fail": (f"sweep cube:3 uniform {SHORT_LOAD}", "--fail 0:20%:10%", report(lambda r: [c.get("fail_percent") for c in r["curves"]], [0, 10, 20])),
        "lanes": (f"sweep mesh:4x4 uniform {SHORT_LOAD} --fail 0->1", "--lanes 2", field("curves.0.capacity")),
        "rule": (f"sweep cube:3 uniform {SHORT_LOAD}", "--rule descending", field("curves.0.points.0.latency.mean")),
        "select": (f"sweep mesh:4x4 uniform {SHORT_LOAD} --rule west-first", "--select lru", field("curves.0.points.0.latency.mean")),
        "arrivals": (f"sweep cube:3 uniform {SHORT_LOAD}", "--arrivals bernoulli", field("curves.0.points.0.latency.mean")),
        "warmup": ("sweep cube:3 uniform --load 0.2 --flits 4 --warmup 300 --measure 900", "--warmup 700", field("curves.0.points.0.latency.mean")),
        "measure": ("sweep cube:3 uniform --load 0.2 --flits 4 --warmup 300 --measure 900", "--measure 500", field("curves.0.points.0.measured_messages")),
        "by": (f"sweep cube:3 uniform {SHORT_LOAD}", "--by source", report(lambda r: [len(p.get("by", [])) for p in r["curves"][0]["points"]], [8])),
        "window": (f"sweep cube:3 uniform {SHORT_LOAD} --by channel", "--window 100", field("window_cycles", 100)),
        "by-csv": (f"sweep cube:3 uniform {SHORT_LOAD} --by length", "--by-csv b.csv", file("b.csv", lambda t: t.startswith(b"fabric,map,"))),
        "by-svg": (f"sweep cube:3 uniform {SHORT_LOAD} --by distance", "--by-svg b.svg", file("b.svg", lambda t: b"<svg" in t)),
        "show": (f"sweep cube:3 uniform {SHORT_LOAD}", "--show split,fairness", says("at source", 0)),
        "jobs": None,  # BESIDE
        "journal": None,  # BESIDE
        "merge": None,  # BESIDE
        "take": None,  # BESIDE
        "shard": ("sweep cube:3 uniform --load 0.1:0.3:0.1 --flits 4 --warmup 100 --measure 300", "--shard 2/2", report(lambda r: len(r["curves"][0]["points"]), 1)),
        "dark": ("sweep ocs:8,cube:3 all-to-all --planner light,exchange --flits 5 --plan-only", "--dark 0:9:3",
                 report(lambda r: [(x.get("dark"), (x.get("circuits") or {}).get("makespan")) for x in r["runs"]], [(d, 7 * 5 + 6 * d) for d in (0, 3, 6, 9)] + [(None, None)])),
        "relay": ("sweep ocs:8 shift:1 --flits 40 --planner rotor --plan-only", "--relay", field("runs.0.predicted_cycles")),
        "requests": (f"sweep cube:3 uniform {SHORT_LOAD}", "--requests 2,reply=3", field("requests", "2,reply=3")),
        "batch": ("sweep cube:3 complement --flits 4", "--batch 9", field("batch", 9)),
        "bytes": ("sweep cube:3 allreduce:ring --plan-only", "--bytes 32", field("runs.0.flits_per_message", 2)),
        "flit-bytes": ("sweep cube:3 allreduce:ring --bytes 64 --plan-only", "--flit-bytes 8", field("runs.0.flits_per_message", 2)),
        "calc-cycles": ("sweep cube:3 goal:calc.goal", "--calc-cycles 7", field("runs.0.measured_cycles")),
    },
    "list": {"names": ("list planners", "--names", lambda before, after: (all(re.fullmatch(r"\S+", line) for line in after.text.splitlines()) and after.text != before.text, after.text[:100]))},
    "goal": {
        "bytes": ("goal allreduce:ring 4", "--bytes 8", lambda before, after: (before.text != after.text and " 2b " in after.text, after.text[:200])),
        "loggops": ("goal allreduce:ring 4", "--loggops L=9", lambda before, after: (after.text.startswith("rank,finish\n0,") and after.text != before.text, after.text[:200])),
        "output": ("goal allreduce:ring 4", "--output g.goal", file("g.goal", lambda t: b"num_ranks 4" in t)),
        "html": ("goal allreduce:ring 4", "--html x.html", file("x.html", is_page)),
    },
    "rtl": {
        "form": ("rtl cube:2", "--form chip", says("module cube_2_chip")),
        "flit-bits": ("rtl cube:2", "--flit-bits 64", says("[63:0] s3_axis_tdata")),
        "buffers": ("rtl cube:2 --form router", "--buffers 5", says(".BUFFERS(5)")),
        "link-delay": ("rtl cube:2", "--link-delay 5", says("node_config::LINK_DELAY, 5)")),
        "router-delay": ("rtl cube:2", "--router-delay 3", says("node_config::ROUTER_DELAY, 3)")),
        "small": ("rtl cube:2", "--small", says("node_config::SMALL, 1)")),
        "files": ("rtl cube:2", "--files n.f", file("n.f", lambda t: t.endswith(b"/rtl/chip/fabric_open.sv\n"))),
        "output": ("rtl cube:2", "--output n.sv", file("n.sv", lambda t: b"module cube_2_open (" in t)),
    },
    "probe": {
        "fabric": ("probe sim --fabric cube:2", "--fabric cube:3", field("nodes", 8)),
        "timeout": ("probe {tty}", "--timeout 2600", longer(2600)),
        "json": ("probe sim --fabric cube:3", "--json", is_json),
        "quiet": ("probe sim --fabric cube:3", "--quiet", silent),
    },
    "peek": {
        "fabric": ("peek sim NODES --fabric cube:2", "--fabric cube:3", field("words", [8])),
        "timeout": ("peek {tty} 0", "--timeout 2600", longer(2600)),
        "json": ("peek sim NODES --fabric cube:3", "--json", is_json),
        "quiet": ("peek sim NODES --fabric cube:3", "--quiet", silent),
    },
    "poke": {
        "fabric": None,  # BESIDE
        "timeout": ("poke {tty} SEED 3", "--timeout 2600", longer(2600)),
        "json": ("poke sim SEED 3 --fabric cube:3", "--json", is_json),
        "quiet": None,  # BESIDE
    },
    "serve": {"trace": None, "quiet": None},
    "view": {"html": ("view report.json", "--html x.html", file("x.html", is_page))},
    "program": {"quiet": None},
}


# Options that another test covers: its file, and a text that must be in it.
BESIDE = {
    ("check", "budget"): ("test_all_pairs.py", "def budget"),
    ("sweep", "jobs"): ("test_options.py", "def test_jobs"),
    ("sweep", "journal"): ("test_journal.py", "def every_kind"),
    ("sweep", "merge"): ("test_journal.py", "def every_kind"),
    ("sweep", "take"): ("test_journal.py", "def taken"),
    ("poke", "fabric"): ("test_options.py", "def test_building_fabric"),
    ("poke", "quiet"): ("test_options.py", "def test_building_quiet"),
    ("serve", "trace"): ("test_waveform.sh", "serve .*--trace"),
    ("serve", "quiet"): ("test_options.py", "def test_building_quiet"),
    ("program", "quiet"): ("test_options.py", "def test_program"),
}


def options_of(command):
    return re.findall(r"^ .{5}--([a-z-]+)", output(["help", command]), re.M)


def test_table():
    commands = re.findall(r"^  ([a-z]+) ", output("help"), re.M)
    check(len(commands) > 8 and set(commands) == set(EFFECTS), f"commands: {commands}")
    for command in commands:
        listed = set(options_of(command)) - {"help", "usage"}
        check(listed == set(EFFECTS[command]), f"{command}: options without a row: {listed - set(EFFECTS[command])}; rows without an option: {set(EFFECTS[command]) - listed}")
        for word, text in (("help", "Exit status"), ("usage", "Usage: flitloom " + command)):
            check(text in output([command, "--" + word]), f"{command} --{word}")


def test_manual():
    """Checks that the manual has exactly the options of the command, with their letters and values."""
    options = {}  # by name: its letter, and the arguments that commands want, "" none
    for command in EFFECTS:
        for letter, name, argument in re.findall(r"^  (?:-(.),|   ) --([a-z-]+)(?:=(\S+))?", output(["help", command]), re.M):
            options.setdefault(name, (letter, set()))[1].add(re.sub(r"[][]", "", argument.lower()))
    manual = {}
    with open(HOME + "/docs/flitloom.1", encoding="utf-8") as it:
        for item in re.findall(r"^\.It Fl .*", it.read(), re.M):
            words = "".join(word for word in item.split() if word not in (".It", "Fl", "Ns", "Ar", "Op", "Cm")).split(",")
            letter = words.pop(0) if len(words[0]) == 1 else ""
            for word in words:
                name, _, argument = word.removeprefix("\\-").partition("=")
                manual.setdefault(name, (letter, set()))[1].add(argument)
                letter = ""
    for name, (letter, arguments) in options.items():
        there = manual.pop(name, ("", set()))
        check(there[0] == letter and there[1] and there[1] <= arguments, f"the manual's --{name}: {there}, and the command's: {(letter, arguments)}")
    check(set(manual) == {"version"}, f"options of the manual alone: {manual}")


def write_files():
    for name, text in (
        ("routes.csv", ROUTES),
        ("pair.csv", "0,3\n"),
        ("detour.csv", "0,1,9\n0,1,9\n"),
        ("corner.csv", "0,3,5\n"),
        ("tables.csv", "0,0,+y\n2,0,+x\n3,0,0\n"),
        ("calc.goal", "num_ranks 2\nrank 0 {\na: calc 50\nb: send 4b to 1\nb requires a\n}\nrank 1 {\nrecv 4b from 0\n}\n"),
    ):
        with open(name, "w", encoding="utf-8") as it:
            it.write(text)
    with open("report.json", "w", encoding="utf-8") as it:
        it.write(output("plan cube:3 complement --json"))


def test_beside():
    without = {(command, option) for command, rows in EFFECTS.items() for option, row in rows.items() if row is None}
    check(without == set(BESIDE), f"rows without an effect: {without}")
    for (command, option), (name, text) in BESIDE.items():
        with open(f"{HOME}/tests/e2e/{name}", encoding="utf-8") as it:
            check(re.search(text, it.read()), f"{command} --{option}: no {text} in {name}")


def run_broken(words):
    """Runs the command where no model can be built, and none exists."""
    os.makedirs("broken/rtl", exist_ok=True)
    os.makedirs("broken/tools", exist_ok=True)
    with open("broken/tools/model.sh", "w", encoding="utf-8") as it:
        it.write(f'#!/bin/sh\ncase $1 in key) exec "{HOME}/tools/model.sh" "$@" ;; esac\necho "model.sh: no such luck" >&2\nexit 3\n')
    os.chmod("broken/tools/model.sh", 0o755)
    broken = {**os.environ, "FLITLOOM_CACHE": os.getcwd() + "/empty", "FLITLOOM_HOME": os.getcwd() + "/broken"}
    return subprocess.run([FLITLOOM, *words.split()], env=broken, capture_output=True, text=True)


def test_building_fabric():
    """Checks that the command opens the named fabric: the error names its missing model."""
    for fabric in ("cube:1", "omega:8"):
        done = run_broken(f"poke sim SEED 3 --fabric {fabric}")
        check(done.returncode == 3 and f"building the model of {fabric};" in done.stderr, f"poke --fabric {fabric}: {done.returncode} {done.stderr}")


def test_building_quiet():
    """Checks that building a model prints one line, and none with --quiet. This one cannot be built, which is an error in any case."""
    for words in ("poke sim SEED 3 --fabric cube:1", "serve cube:1 s.sock"):
        for quiet in ("", " --quiet"):
            done = run_broken(words + quiet)
            check(done.returncode == 3 and ("building the model" in done.stderr) == (not quiet) and "no such luck" in done.stderr, f"{words}{quiet}: {done.returncode} {done.stderr}")


def children(parent):
    """Counts the working processes of `parent`."""
    n = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as it:
                state, ppid = it.read().rpartition(")")[2].split()[:2]
        except OSError:  # it has ended
            continue
        n += int(ppid) == parent and state != "Z"
    return n


def most_children(words, enough):
    """Runs the command until it ends or has `enough` processes; returns the largest number that it had."""
    most = 0
    began = time.monotonic()
    with subprocess.Popen([FLITLOOM, *words.split()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as it:
        while it.poll() is None and most < enough and time.monotonic() < began + 60:
            most = max(most, children(it.pid))
            time.sleep(0.01)
        it.terminate()
    return most


def test_jobs():
    """Checks that --jobs, and not the number of cores, sets how many points run at a time, each in its own process. Points that would
    take hours are ended as soon as there are enough."""
    cores = os.sysconf("SC_NPROCESSORS_ONLN")
    output("sweep cube:3 uniform --link sim --load 0.2 --flits 4 --warmup 0 --measure 9")  # the model is there
    points = f"sweep cube:3 uniform --link sim --load 0.1:{0.1 + 0.001 * (cores + 2):.3f}:0.001 --flits 4"
    most = most_children(f"{points} --measure 900000000 --jobs {cores + 1}", cores + 1)
    check(most == cores + 1, f"sweep --jobs {cores + 1}: {most} points at a time")
    most = most_children(f"{points} --measure 20000 --jobs 1", 2)
    check(most == 1, f"sweep --jobs 1: {most} points at a time")


# A chip of FTDI on USB, as umockdev-run reads it: its number is that of board hx8k.
USB_CHIP = """P: /devices/usb1/1-1
N: bus/usb/001/002
E: DEVNAME=/dev/bus/usb/001/002
E: DEVTYPE=usb_device
E: SUBSYSTEM=usb
A: busnum=1
A: devnum=2
A: speed=480
A: bConfigurationValue=1
H: descriptors=1201000200000040030410600007010203010902200001010080320904000002ffffff020705810200020007050202000200
"""


def test_program():
    """Checks that a loader gets the board's name and the file, that what it says is shown but with --quiet, and that its failure is
    the command's. umockdev-run stands for the board."""
    with open("bits.bin", "wb") as it:
        it.write(b"bits")
    with open("usb.umockdev", "w", encoding="utf-8") as it:
        it.write(USB_CHIP)
    os.makedirs("loader", exist_ok=True)
    path = {**os.environ, "PATH": os.getcwd() + "/loader:" + os.environ["PATH"]}
    for ends, status, says in (("exit 0", 0, ""), ("exit 5", 3, "failed with status 5"), ("kill -9 $$", 3, "was ended by signal 9")):
        with open("loader/openFPGALoader", "w", encoding="utf-8") as it:
            it.write(f'#!/bin/sh\necho "$*"\n{ends}\n')
        os.chmod("loader/openFPGALoader", 0o755)
        for quiet in ([], ["--quiet"]):
            words = ["program", "hx8k", "bits.bin", *quiet]
            done = subprocess.run([FLITLOOM, *words], env=path, capture_output=True, text=True)
            check(done.returncode == 3 and "lsusb" in done.stderr and not done.stdout, f"{words}, no board: {done.returncode} {done.stderr}")
            done = subprocess.run(["umockdev-run", "-d", "usb.umockdev", "--", FLITLOOM, *words], env=path, capture_output=True, text=True)
            wanted = "" if quiet else "-b ice40_generic bits.bin\n"
            check(done.returncode == status and done.stdout == wanted and says in done.stderr and done.stderr.count("\n") == (status != 0),
                  f"{words}, {ends}: {done.returncode} {done.stdout} {done.stderr}")


def test_effects():
    write_files()
    far, near = os.openpty()
    tty = "uart:" + os.ttyname(near)
    for command, rows in EFFECTS.items():
        for option, row in rows.items():
            if row is None:
                continue
            words, added, compare = row
            ran = []
            for line in (words, f"{words} {added}"):
                line = line.replace("{tty}", tty) + (" --json" if hasattr(compare, "json") else "")
                it = Ran(line)
                it.files = {}
                kept = getattr(compare, "kept", None)
                if kept and os.path.exists(kept):
                    with open(kept, "rb") as file_of_it:
                        it.files[kept] = file_of_it.read()
                    os.remove(kept)
                ran.append(it)
            try:
                good, what = compare(*ran)
            except (ValueError, KeyError, IndexError, AttributeError, TypeError, OSError) as error:
                good, what = False, f"{type(error).__name__} {error}; {ran[0].error[:200]} {ran[1].error[:200]}"
            check(good, f"{command} --{option}: {words} {added}: {what}")
    os.close(far)
    os.close(near)


if __name__ == "__main__":
    main(test_table, test_beside, test_manual, test_building_fabric, test_building_quiet, test_jobs, test_program, test_effects)
