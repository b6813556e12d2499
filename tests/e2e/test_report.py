#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests HTML reports and Perfetto traces without a browser (tests/e2e/test_browser.py has one): on fabrics of all kinds their
contents are those of --json, --messages and --channels, the policy of the page has the right hashes, and the page loads nothing
from elsewhere.
"""
import csv
import json
import os
import re

import perfetto_trace
from command import check, document, main, output, refused, run
from report_page import Page

# Requests on every kind of fabric, with every feature of plans and machines: passes, relays, maps, lanes, light, slow links,
# programs, free runs.
RUNS = """
cube:4 transpose
cube:4 transpose --compare
cube:3 all-to-all --planner direct
cube:3 allreduce:ring
cube:3b4d2r1 all-to-all --planner direct
cube:4 broadcast:binomial --machine paper
line:6 random-perm
ring:8v2 random-perm
mesh:4x4 all-to-all
mesh:4x4 random-perm --planner greedy
mesh:3x4 uniform:30 --place greedy
mesh:2x3x2 all-to-all
torus:4x4v2 random-perm --planner direct
ocs:8x2 uniform:30 --dark 4
ocs:8 demand:skew:2,3,60
ocs-benes:8 demand:skew:2,3,60
table-mesh:3x3v2 random-perm
table-cube:3 random-perm
omega:8 all-to-all --planner direct
omega:16 bit-reverse
baseline:8 random-perm
rbaseline:8 random-perm
romega:8 random-perm
icube:8 random-perm
ricube:8 random-perm
benes:8 random-perm
otis-mesh:4 bpc:shuffle
otis-mesh:4l5w3v2 random-perm
graph:{graphs}/chords.txt:v2 random-perm
graph:{graphs}/switches.txt:v2 random-perm
twisted-torus:2x4t1 random-perm
hyperx:3x3 random-perm
dragonfly:2,1 random-perm
fat-tree:2,2 random-perm
slim-fly:3 random-perm
random:8,3,1 random-perm
mesh:4x4 random-perm --fail 5->6
omega:16 all-to-all --flits 20
""".strip().splitlines()
GRAPHS = os.path.dirname(os.path.abspath(__file__)) + "/graphs"


def rows(name):
    with open(name, encoding="utf-8", newline="") as it:
        return list(csv.DictReader(it))


def number(text):
    return int(text) if text else None


def check_messages(words, page_run, name):
    """Compares every message with the CSV."""
    bad = []
    for i, row in enumerate(rows(name)):
        got = (page_run.passes[i], page_run.source[i], page_run.destination[i], page_run.column("f", i), max(0, len(page_run.way(i)) - 2))
        bad += [f"{i}: {got}"] if got != tuple(int(row[k]) for k in ("pass", "source", "destination", "flits", "hops")) else []
        if row["state"] == "local" or "stuck" in page_run.raw:
            continue
        times = (page_run.column("o", i), *page_run.times(i))
        bad += [f"{i}: {times}"] if times != tuple(number(row["predicted_" + k]) for k in ("offered", "header", "tail")) else []
        ends = [page_run.raw["channels"][place][1] for place in page_run.way(i)]
        named = words[1].startswith(("graph", "ocs:8x2"))  # its nodes have names
        bad += [f"{i}: {ends}"] if not named and (ends[0], ends[-1]) != (f"inject {row['source_node']}", f"eject {row['destination_node']}") else []
    check(not bad, f"{words}: messages {bad[:3]}")


def check_channels(words, page_run, name):
    """Compares every channel in every pass with the CSV, and the waiting with the crossings."""
    loads, blocked, bad = page_run.loads(), page_run.blocked(), []
    place = {c[1]: k for k, c in enumerate(page_run.raw["channels"])}
    for row in rows(name):
        at = (int(row["pass"]), place[row["channel"]])
        got = (*loads.get(at, (0, 0)), blocked.get(at, 0), page_run.raw["groups"][page_run.raw["channels"][at[1]][2]])
        want = (*(int(row[k] or 0) for k in ("predicted_messages", "predicted_flits", "predicted_blocked")), row["group"])
        bad += [f"{row['channel']}: {got}, not {want}"] if got != want else []
    check(not bad, f"{words}: channels {bad[:3]}")
    waits = {}
    for i in range(page_run.n) if "x" in page_run.raw else ():
        for at, asked, header, _ in page_run.crossings(i):
            waits.setdefault((0 if page_run.raw["free"] else page_run.passes[i], at), set()).update(range(asked, header))
    sums = {}
    for (number_of_pass, at), n in blocked.items():
        key = (0 if page_run.raw["free"] else number_of_pass, at)
        sums[key] = sums.get(key, 0) + n
    got = {key: len(cycles) for key, cycles in waits.items() if cycles}
    check("x" not in page_run.raw or got == {k: n for k, n in sums.items() if n}, f"{words}: waiting of channels {got} and {sums}")


def test_runs():
    for line in RUNS:
        words = line.format(graphs=GRAPHS).split()
        for command in (["run", *words, "--link", "model"], ["plan", *words]):
            output([*command, "--html", "it.html", "-q"])
            page = Page("it.html")
            check(not page.faults(), f"{command}: {page.faults()}")
            check(page.report == document(command), f"{command}: the report in it is another one")
            check(len(page.runs) == (2 if "--compare" in words and not page.report["same"] else 1), f"{command}: {len(page.runs)} runs")
            check(page.text.count('data-c="') > 0, f"{command}: no channel can be pointed at")
            check(all(r.raw["measured"] == (command[0] == "run") for r in page.runs), f"{command}: measured")
            check(all(not r.raw.get("m") and not r.raw.get("c") for r in page.runs), f"{command}: differences")
            if "--compare" in words:
                continue
            output([*command, "--messages", "m.csv", "-q"])
            output([*command, "--channels", "c.csv", "-q"])
            check_messages(command, page.runs[0], "m.csv")
            check_channels(command, page.runs[0], "c.csv")


def test_sweeps():
    for words in ("cube:3,mesh:3x3 uniform --load 0.1:0.3:0.1 --measure 500 --warmup 300", "cube transpose --nodes 4:16",
                  "mesh:3x3 uniform --load 0.1:0.2:0.1 --measure 500 --by channel", "mesh:3x3 uniform --batch 20",
                  "cube:3 uniform --load 0.1 --measure 400 --seeds 3", "mesh:4x4 uniform --load 0.1 --fail 0:10%:5% --measure 400",
                  "ocs:8,mesh:2x4,cube:3 uniform:30 --dark 0:20:10"):
        output(f"sweep {words} --html it.html -q")
        page = Page("it.html")
        check(not page.faults(), f"sweep {words}: {page.faults()}")
        check(page.report == document(f"sweep {words}"), f"sweep {words}: the report in it is another one")
        check("<table>" in page.text, f"sweep {words}: no rows without script")
        named = re.findall(r"<text[^>]*>([^<]*, fast)</text>", page.text)
        check(len(named) == len(page.report.get("curves", [])), f"sweep {words}: curves without script: {named}")
        level = re.findall(r"<text[^>]*>(mesh:2x4|cube:3)</text>", page.text)
        check(level == (["mesh:2x4", "cube:3"] if "--dark" in words else []), f"sweep {words}: fabrics that are never dark: {level}")


def test_others():
    for words, status in (("check ring:5", 1), ("check mesh:3x3", 0), ("check dragonfly:2,1 --all-pairs", 0), ("check cube:3 --rule mixed", 1)):
        output(f"{words} --html it.html -q", status=status)
        page = Page("it.html")
        check(not page.faults(), f"{words}: {page.faults()}")
        check(page.report == document(words, status=status), f"{words}: the report in it is another one")
    output("goal allreduce:ring 4 --loggops usual --html it.html")
    page = Page("it.html")
    check(not page.faults() and len(page.report["each_rank"]) == 4, f"goal: {page.faults()}")
    finish = [row.split(",") for row in output("goal allreduce:ring 4 --loggops usual").split()[1:]]
    check([[str(r["rank"]), str(r["finish"])] for r in page.report["each_rank"]] == finish, "goal: when ranks have finished")
    done = run("run cube:3 transpose --link model --html - -q")
    check(done.returncode == 2, "a pattern that does not fit")
    done = run("plan cube:4 transpose --html -")
    check(done.stdout.startswith("<!doctype html>") and "</html>" in done.stdout, "--html -: standard output")


def test_sizes():
    output("plan mesh:16x16 all-to-all --planner greedy --html it.html -q")
    page = Page("it.html")
    check(page.size <= 1000000 and page.report["passes"] >= 1000 and page.report["nodes"] == 256 and len(page.runs) == 1,
          f"{page.size} bytes of {page.report['passes']} passes")
    output("plan cube:14 transpose --html it.html -q")
    page = Page("it.html")
    check(not page.runs and page.size < 3000000, f"65,536 channels and more: {page.size} bytes")


def check_chosen(command, page):
    """Compares what each channel did with the CSV, and with what it may carry."""
    output(f"{command} --channels c.csv -q")
    it, = page.data["chosen"]
    measured = it["measured"]
    got = {(row[0], it["channels"][row[1]][1]): row[2:] for row in it["rows"]}
    bad = []
    for row in rows("c.csv"):
        least, most, *counts = got.get((int(row["pass"]), row["channel"]), (0, 0, 0, 0, 0))
        want = [int(row[name]) for name in ("messages", "flits", "blocked")] if measured else []
        bad += [row["channel"]] if counts[:len(want)] != want or (measured and not least <= counts[0] <= most) or row["channel"].startswith(("inject", "eject")) and least != most else []
    check(measured == command.startswith("run") and len(got) > 20 and not bad, f"{command}: channels {bad[:3]} of {len(got)}")
    check(any(row[2] < row[3] for row in it["rows"]), f"{command}: there is nothing to choose")
    check(page.text.count('data-c="') >= len(it["channels"]) // 2, f"{command}: channels that can be pointed at")


def test_computing_nodes():
    """Compares nodes that compute with the chart of the run. The picture says when all programs are done."""
    with open("calc.goal", "w", encoding="utf-8") as it:
        it.write("num_ranks 4\n" + "".join(f"rank {r} {{\n a: calc {30 + 9 * r}\n s: send 8b to {(r + 1) % 4}\n r: recv 8b from {(r + 3) % 4}\n b: calc {7 * r}\n s requires a\n b requires r\n}}\n" for r in range(4)))
    for command in ("run cube:2 goal:calc.goal --link model", "run cube:3 allreduce:ring --calc-cycles 3 --link model", "run cube:3 bit-reverse --link model"):
        output(f"{command} --html it.html --svg it.svg --picture chart -q")
        busy = Page("it.html").runs[0].raw.get("busy", [])
        got = sorted(tuple(busy[k:k + 3]) for k in range(0, len(busy), 3))
        with open("it.svg", encoding="utf-8") as it:
            want = sorted(tuple(map(int, m)) for m in re.findall(r"<title>node (\d+) computes, cycles (\d+) to (\d+)</title>", it.read()))
        check(got == want and bool(got) == ("bit-reverse" not in command), f"{command}: {got[:3]}, not {want[:3]}")
        cycles = document(command)["measured"]["cycles"]
        with open("it.html", encoding="utf-8") as it:
            heading = re.findall(r">(\d+) cycles(?: in all)?  \u00b7  measured([^<]*)<", it.read())
        check(heading == [(str(cycles), "")], f"{command}: {cycles} cycles until all programs are done, its picture says {heading}")


def test_choosing_routers():
    """Checks reports in which the ways of messages are unknown."""
    for command in ("run mesh:4x4 random-perm --rule west-first --link model", "plan mesh:4x4 all-to-all --rule odd-even"):
        output(f"{command} --html it.html -q")
        page = Page("it.html")
        check(not page.faults() and not page.runs and "Routers choose" in page.text, f"{command}: {page.faults()}, {len(page.runs)} runs")
        check(page.report == document(command), f"{command}: the report in it is another one")
        check_chosen(command, page)
        refused(f"{command} --perfetto it.perfetto", "routers choose the ways")


def test_view():
    for words in ("run cube:4 transpose --link model", "run cube:4 transpose --link model --compare", "plan mesh:4x4 random-perm --planner greedy",
                  "run mesh:4x4 all-to-all --link model", "run cube:3 allreduce:ring --link model", "run omega:8 random-perm --link model"):
        with open("it.json", "w", encoding="utf-8") as it:
            it.write(json.dumps(document(words)))
        output(f"view it.json")
        output(f"{words} --html want.html -q")
        got, want = Page("it.html"), Page("want.html")
        check(got.report == want.report and not got.faults(), f"view of {words}: {got.faults()}")
        check([r.raw for r in got.runs] == [r.raw for r in want.runs], f"view of {words}: another run")
    for words, status in (("sweep cube:3 uniform --load 0.1 --measure 300", 0), ("check ring:5", 1)):
        with open("it.json", "w", encoding="utf-8") as it:
            it.write(json.dumps(document(words, status=status)))
        output("view it.json --html other.html")
        check(Page("other.html").report == document(words, status=status), f"view of {words}")
    report = document("run cube:4 transpose --link model")
    report["predicted"]["cycles"] += 1
    with open("it.json", "w", encoding="utf-8") as it:
        it.write(json.dumps(report))
    output("view it.json")
    check(not Page("it.html").runs and "another plan" in Page("it.html").text, "view: a plan that is another one today")
    refused("view nothing.json", "nothing.json")
    with open("bad.json", "w", encoding="utf-8") as it:
        it.write("[1, 2]")
    refused("view bad.json", "bad.json")


def test_perfetto():
    for line in RUNS:
        words = line.format(graphs=GRAPHS).split()
        if "--compare" in words:
            continue
        command = ["run", *words, "--link", "model"]
        output([*command, "--perfetto", "it.perfetto", "--html", "it.html", "-q"])
        trace, page_run = perfetto_trace.read("it.perfetto"), Page("it.html").runs[0]
        check(not trace.faults, f"{command}: {trace.faults[:3]}")
        want = sorted((f"message {i}", page_run.raw["channels"][at][1], tail - header + 1) for i in range(page_run.n)
                      for at, _, header, tail in (page_run.crossings(i) if page_run.way(i) else ()))
        lanes = page_run.raw.get("lanes") is not None
        got = sorted((s.name, s.track.split(" lane ")[0] if lanes else s.track, (s.end - s.begin) // 1000) for s in trace.slices
                     if s.name.startswith("message") and not s.track.startswith(("node", "line ")))
        check("x" not in page_run.raw or got == want, f"{command}: slices {len(got)} and {len(want)}: {[g for g in got if g not in want][:3]}")
        flows = {}
        for s in trace.slices:
            for flow in s.flows:
                flows.setdefault(flow, set()).add(s.name)
        check(all(names == {f"message {flow - 1}"} for flow, names in flows.items()), f"{command}: flows")


def test_refusals():
    refused("plan cube:24 transpose --html it.html", "by formula")
    refused("run cube:3 fft --stages --html it.html", "--html")
    refused("run cube:4 transpose --compare --perfetto it.perfetto", "--perfetto and --compare")
    refused("plan cube:4 transpose --html it --svg it", "both write")
    refused("list fabrics --html it.html", "takes no --html")
    refused("plan cube:4 transpose --html nowhere/it.html", "no such folder")


main(test_runs, test_sweeps, test_others, test_sizes, test_computing_nodes, test_choosing_routers, test_view, test_perfetto, test_refusals)
