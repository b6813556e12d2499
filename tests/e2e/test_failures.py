#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests --fail on every kind of fabric that is listed: plan, run, check and sweep go round the failures, and the model and the
RTL agree; or the request is refused in one line (argument all: several sizes of each kind). Nodes that are cut off are named.
Each report's command gives the report again, and a plan file needs no other input.
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys

import kinds
from command import HOME, check, document, main, output, refused, run

CHECKER = HOME + "/tools/check_certificate.py"
SHORT = "--flits 4 --warmup 300 --measure 900"
NOT_THESE = ("one way for each pair of nodes", "optical links", "no two nodes")
# Failures of mesh:4x4: their text, which nodes are then out, and how many links are dead.
FORMS = [
    ("5->6", [], 1),
    ("6--5,0->4", [], 2),
    ("5->6 (+x)", [], 1),
    ("node 5", [5], 4),
    ("5,10", [5, 10], 8),
    ("0->1,0->4", [0], 2),
    ("0->1,4->5,8->9,12->13", [0, 4, 8, 12], 4),
    ("1->0,0->4,15", [0, 15], 4),
    ("random:10%:1", None, 2),
    ("@lines.txt", [15], 4),
    ("./lines.txt", [15], 4),
    ("none", [], 0),
]
BAD = [
    ("5->7", "there is no link \"5->7\" in mesh:4x4; there is: 5->6 (+x), 5->4 (-x), 5->9 (+y), 5->1 (-y)"),
    ("5->6,6->5", "is there twice"),
    ("5,node 5", "is there twice"),
    ("16", "no node of mesh:4x4, which has nodes 0 to 15"),
    ("5-", "a shell takes > for itself"),
    ("5->6,", "a name is missing"),
    ("random:0%:1", "above 0 and at most 100"),
    ("random:nan%:1", "above 0 and at most 100"),
    ("random:100%:1", "no two nodes of it are left"),
    ("5%", "no node"),
    ("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14", "no two nodes of it are left"),
    ("@missing.txt", "missing.txt"),
    ("@empty.txt", "nothing that failed is in it"),
    ("@million.txt", "line 3: \"1->2\" is there twice"),
]
BAD_PARTS = [("0:10%", "neither A:B:STEP"), ("10%:0:1%", "neither A:B:STEP"), ("0:101%:1%", "neither A:B:STEP"), ("0:10%:0%", "neither A:B:STEP"),
             ("0:100%:0.001%", "neither A:B:STEP"), ("0:10%:1%:1%", "neither A:B:STEP"), ("..%", "neither A:B:STEP")]


def write_files():
    for name, text in (("lines.txt", "# what broke\n5->6\n\n10 -> 11 # at noon\nnode 15\n"), ("empty.txt", "# nothing\n\n"), ("million.txt", "1->2\n5->6\n" * 500000)):
        with open(name, "w", encoding="utf-8") as it:
            it.write(text)


def messages_among(nodes, count=9):
    """Returns messages between these nodes."""
    with open("among.csv", "w", encoding="utf-8") as it:
        it.write("".join(f"{nodes[(3 * i) % len(nodes)]},{nodes[(5 * i + 1) % len(nodes)]},{3 + i}\n" for i in range(count)))


def at_home(fabric):
    kind, _, rest = fabric.partition(":")
    return f"{kind}:{HOME}/{rest}" if kind == "graph" else fabric


def hold_report(report, words):
    predicted, measured = report["predicted"], report["measured"]
    same = ("cycles", "blocked_cycles", "contention", "groups", "own_channels")
    check(report["verdict"] == "pass" and all(predicted[k] == measured[k] for k in same), f"{words}: {report['mismatches']}")


def test_kinds():
    """Tests every kind: uniform traffic and messages go among the remaining nodes, and routes of all pairs are certified."""
    n_done = 0
    several = "all" in sys.argv[1:]
    for fabric, _ in kinds.fabrics(several):
        fabric = at_home(fabric)
        for failed in ("random:9%:3", "random:20%:2", "node 1" if not fabric.startswith("graph:") else "random:1%:1"):
            words = ["check", fabric, "--fail", failed, "--json"]
            done = run(words)
            if done.returncode == 2:
                check(any(text in done.stderr for text in NOT_THESE) and done.stderr.count("\n") == 1, f"{words}: {done.stderr}")
                continue
            n_done += 1
            it = json.loads(done.stdout)
            check(it["deadlock_free"] and it["dead_links"] > 0 and f"--fail {failed}" in it["fabric"], f"{words}: {it}")
            hosts = kinds.hosts(fabric)
            left = [u for u in range(hosts) if u not in it["out"]]
            load = document(["sweep", fabric, "uniform", "--fail", failed, "--load", "0.02", *SHORT.split()])
            curve = load["curves"][0]
            check(curve["senders"] == len(left) and curve["dead_links"] == it["dead_links"] and curve["points"][0]["verdict"] == "pass", f"{words}: {curve}")
            messages_among(left)
            for planner in (["direct"], ["reroute", "--budget", "0.2"], ["all-pairs"]):
                words = ["run", fabric, "messages:among.csv", "--fail", failed, "--planner", *planner, "--link", "model"]
                report = document(words)
                if report:
                    hold_report(report, words)
                    check(report["failures"]["dead_links"] == it["dead_links"], f"{words}: {report['failures']}")
            if len(left) <= 16:
                output(["check", fabric, "--fail", failed, "--all-pairs", "--lanes", "1", "--certificate", "c.json", "-q"])
                proof = subprocess.run([CHECKER, "c.json"], capture_output=True, text=True)
                check(proof.returncode == 0 and f"yes: {it['nodes'] - len(it['out'])} nodes" in proof.stdout, f"{words}: {proof.stdout}")
    check(n_done >= (60 if several else 20), f"{n_done} networks")


def test_forms():
    write_files()
    for failed, out, dead in FORMS:
        it = document(["check", "mesh:4x4", "--fail", failed])
        if not it:
            continue
        check(it["dead_links"] == dead and (out is None or it["out"] == out), f"{failed}: {it}")
        left = [u for u in range(16) if u not in it["out"]]
        messages_among(left)
        words = ["plan", "mesh:4x4", "messages:among.csv", "--fail", failed]
        plan = document(words)
        check(plan["failures"]["whole"] == "mesh:4x4" and sorted(plan["failures"]["nodes"] + plan["failures"]["cut_off"]) == it["out"], f"{words}: {plan['failures']}")
        # The command of the report gives the report; the plan's file the same plan, on a computed link and as a picture.
        again = run(plan["request"]["command"][1:])
        check(again.stdout == run([*words, "--json"]).stdout, f"{words}: another report by {plan['request']['command']}")
        output([*words, "-o", "p.json", "-q"])
        check(output(["plan", "p.json"]) == output(words), f"{words}: the file's plan is another one")
        hold_report(document(["run", "p.json", "--link", "model", "--svg", "p.svg"]), words)
        for channel in re.findall(r"(\d+->\d+),", failed + ","):
            with open("p.svg", encoding="utf-8") as it:
                check(channel.replace(">", "&gt;") + " (" not in it.read(), f"{words}: the picture has {channel}")
        if out:
            line = refused(["plan", "mesh:4x4", "all-to-all", "--fail", failed], "and a message is from it or to it")
            check(f"node {out[0]} " in line, f"{words}: {line}")


def test_rtl():
    """Tests graphs with tables on the RTL: links sim and model agree, message by message and channel by channel."""
    for fabric, failed, more in (("mesh:3x3", "0->1,node 8", ""), ("ring:5", "0->1", "--lanes 2"), ("cube:3", "random:20%:1", "--planner all-pairs")):
        left = [u for u in range(9) if u != 8][:5]
        messages_among(left, 14)
        files = {}
        for link in ("sim", "model"):
            words = ["run", fabric, "messages:among.csv", "--fail", failed, *more.split(), "--link", link, "--messages", f"{link}.csv", "--channels", f"{link}-c.csv"]
            hold_report(document(words), words)
            files[link] = [open(name, encoding="utf-8").read() for name in (f"{link}.csv", f"{link}-c.csv")]
        check(files["sim"] == files["model"], f"{fabric} --fail {failed}: sim and model differ")
    it = document("sweep mesh:3x3 uniform --load 0.2 --fail 0->1,8 --check-on sim:1 " + SHORT)
    check(it["curves"][0]["points"][0]["checked_on"] == "sim" and it["curves"][0]["points"][0]["verdict"] == "pass", f"check-on: {it}")


def test_during():
    """A link fails during a run on the RTL: from that cycle on no flit crosses it in either direction. Of a message of 5 flits from 0 to
    2, link 1->2 carries one in each of the cycles 3 to 7. A run that the failure cuts ends in a line that names link and messages; a
    second one goes round."""
    with open("one.csv", "w", encoding="utf-8") as it:
        it.write("0,2,5\n")
    for fabric in ("mesh:3x3", "table-mesh:2x3v2", "cube:3"):  # builds the models first, because their progress is no answer
        run(["run", fabric, "messages:one.csv", "--fail", "0->1@9999", "-q"])
    for cycle, crossed in ((1, 0), (3, 0), (4, 1), (7, 4)):
        for failed in (f"1->2@{cycle}", f"2->1@{cycle}", f"node 2@{cycle}"):
            line = refused(["run", "mesh:3x3", "messages:one.csv", "--fail", failed], f"link 1->2 (+x) failed in cycle {cycle}; hold it or wait for it: message 0 (0 to 2)", status=3)
            check("stuck in pass 0" in line and (f"1->2 (+x) carried {crossed} of 5 flits" in line or crossed == 0), f"{failed}: {line}")
    for failed in ("1->2@8", "0->3@1", "7@1"):
        words = ["run", "mesh:3x3", "messages:one.csv", "--fail", failed]
        hold_report(document(words), words)
        check(document(words)["fabric"] == "mesh:3x3", f"{words}: another fabric")
    line = refused(["run", "mesh:3x3", "uniform:40", "--fail", "4->5@60"], "link 4->5 (+x) failed in cycle 60; hold it or wait for it: message ", status=3)
    check("by name: " in line, line)
    refused(["run", "mesh:3x3", "uniform:40", "--fail", "4->5@60", "--max-cycles", "100"], "link 4->5 (+x) failed in cycle 60", status=3)
    words = ["run", "mesh:3x3", "uniform:40", "--fail", "4->5"]
    hold_report(document(words), words)
    # Failures in a later pass, which last; with tables and lanes; and with a program that waits.
    refused("run mesh:3x3 all-to-all --planner direct --flits 30 --fail 4->5@70", "failed in cycle 70", status=3)
    refused("run table-mesh:2x3v2 uniform:40 --planner reroute --fail 1->4@20", "failed in cycle 20", status=3)
    line = refused("run cube:3 fft --stages --fail 0->1@20", "(dim 0) failed in cycle 20", status=3)
    check("waits for message" in line or "hold it" in line, line)
    for words, says in (("run mesh:3x3 uniform:40 --fail 4->5@60 --link model", "not on link model"), ("run mesh:3x3 uniform:40 --fail 4->5@60 --link uart:/dev/null", "not on link uart"),
                        ("plan mesh:3x3 uniform:40 --fail 4->5@60", "@CYCLE is for run"), ("check mesh:3x3 --fail 4->5@60", "@CYCLE is for run"),
                        ("sweep mesh:3x3 uniform --load 0.1 --fail 4->5@60", "@CYCLE is for run"), ("run mesh:3x3d1 uniform:40 --fail 4->5@60", "which has delays"),
                        ("run mesh:3x3r1 uniform:40 --fail 4->5@60", "which has delays"),
                        ("run mesh:3x3 uniform:40 --fail 4->5@60 --lanes 2", "--lanes goes with links that never worked"), ("run mesh:3x3 uniform:40 --fail 4->5@0", "1 or more"),
                        ("run mesh:3x3 uniform:40 --fail 4->5@6,0->1", "in the same cycle")):
        refused(words, says)


def test_long():
    """A list that is too long for a plan also goes round the failures."""
    with open("long.csv", "w", encoding="utf-8") as it:
        it.write("1,8,3\n8,2,3\n" * 525000)
    words = ["run", "mesh:3x3", "messages:long.csv", "--fail", "1->4,1->2,6", "--link", "model"]
    check(document(words)["verdict"] == "pass", f"{words}")
    refused(["run", "mesh:3x3", "messages:long.csv", "--fail", "8", "--link", "model"], "node 8 failed")
    refused(["run", "mesh:3x3", "messages:long.csv", "--fail", "0->1@5"], "are for plans")


def test_bad():
    write_files()
    for failed, says in BAD:
        for words in (["plan", "mesh:4x4", "transpose"], ["check", "mesh:4x4"], ["sweep", "mesh:4x4", "uniform", "--load", "0.1"]):
            if failed == "5%" and words[0] == "sweep":
                continue
            refused([*words, "--fail", failed], says)
    for failed, says in BAD_PARTS:
        refused(["sweep", "mesh:4x4", "uniform", "--load", "0.1", "--fail", failed], says)
    refused("plan omega:8 identity --fail 0->1", "its links lead through stages")
    refused("plan otis-mesh:4 shuffle --fail 0->1", "optical links")
    refused("plan mesh:33x32 transpose --fail 0->1", "up to 1024")
    refused("plan mesh:4x4 transpose --lanes 2", "--lanes goes with --fail")
    refused("plan mesh:4x4 transpose --fail 0->1 --lanes 9", "1..8")
    refused("plan mesh:4x4 nbody --fail 5 --place search", "a search for places cannot leave nodes out")
    refused("sweep mesh:4x4 hotspot:5 --load 0.1 --fail 5", "takes no part")
    refused("sweep mesh:4x4 transpose --load 0.1 --fail 4", "node 4 failed")
    refused("sweep mesh:4x4 uniform --load 0.1 --fail 0:5%:5% --precision 5%", "--precision")
    refused("sweep mesh:4x4 uniform --load 0.1 --fail 0:5%:5% --seeds 2 --link sim", "the RTL would be built for each")


def test_parts():
    """Over shares of the links: more links fail at larger ones, figures agree in table, JSON and CSV, and the first seed is that of
    random:P%:SEED."""
    words = ["sweep", "mesh:4x4", "uniform", "--fail", "0:20%:5%", "--load", "0.1", "--seeds", "3", *SHORT.split()]
    it = document([*words, "--csv", "r.csv", "--svg", "r.svg"])
    curves = it["curves"]
    check([c["fail_percent"] for c in curves] == [0, 5, 10, 15, 20] and [c["dead_links"] for c in curves] == [0, 1, 2, 4, 5], f"parts: {curves}")
    check(all(c["fabric"] == "mesh:4x4" and c["points"][0]["seeds"] == 3 for c in curves), f"parts: {curves}")
    with open("r.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check([float(r["fail_percent"]) for r in rows] == [c["fail_percent"] for c in curves], f"parts: {rows}")
    check(all(abs(float(r["lanes_needed"]) - c["lanes_needed"]) < 1e-6 and abs(float(r["cut_off"]) - c["cut_off"]) < 1e-6 for r, c in zip(rows, curves)), f"parts: {rows}")
    with open("r.svg", encoding="utf-8") as file:
        picture = file.read()
    beside = document(["sweep", "mesh:4x4", "uniform", "--fail", "0--1", "--load", "0.1", "--rule", "turns:best", "--compare", "all-pairs", *SHORT.split()])["curves"]
    check([(c["rule"], c["planner"]) for c in beside] == [("turns:best", None), (None, "all-pairs")], f"turns beside a planner: {beside}")
    for fabric, n_lanes in (("mesh:4x4", 1), ("mesh:4x4v3", 3)):
        chosen = document(["sweep", fabric, "uniform", "--fail", "0:20%:10%", "--load", "0.1", "--seeds", "2", "--rule", "turns:best", *SHORT.split()])["curves"]
        check([c["lanes_needed"] for c in chosen] == [n_lanes] * 3, f"{fabric} by turns has the lanes of its name: {chosen}")
    check("links that fail, percent of all" in picture, "parts: the plot's title")
    check(json.loads(run(it["request"]["command"][1:]).stdout) == {**it}, "parts: the command gives another report")
    one = document(["sweep", "mesh:4x4", "uniform", "--fail", "20%", "--load", "0.1", *SHORT.split()])["curves"][0]
    same = document(["sweep", "mesh:4x4", "uniform", "--fail", "random:20%:1", "--load", "0.1", *SHORT.split()])["curves"][0]
    check(one["points"] == same["points"] and one["dead_links"] == same["dead_links"], f"one part: {one} and {same}")
    sizes = document("sweep mesh:4x4,cube:3 uniform:20 --fail 0:20%:10% --seeds 2 --svg s.svg --csv s.csv")
    check([(r["fabric"], r["fail_percent"]) for r in sizes["runs"] + sizes["left_out"]][:1] == [("mesh:4x4", 0.0)], f"sizes: {sizes}")
    check(len(sizes["runs"]) + len(sizes["left_out"]) == 6 and all(r["verdict"] == "pass" for r in sizes["runs"]), f"sizes: {sizes}")
    highest = document(["sweep", "mesh:4x4", "uniform", "--fail", "0:20%:20%", "--load", "max", "--planner", "all-pairs", "--budget", "0.2", *SHORT.split()])
    whole, worst = (c["points"][0]["accepted"] for c in highest["curves"])
    check(whole > worst > 0, f"highest: {whole} and {worst}")
    check(highest["curves"][0]["planner"] == "all-pairs", f"highest: {highest['curves'][0]}")
    batch = document("sweep mesh:4x4 uniform --fail 10%:20%:10% --batch 5 --flits 4")
    check([c["fail_percent"] for c in batch["curves"]] == [10, 20], f"batch: {batch}")


NUMBERS = re.compile(r"(-?[0-9.]+),(-?[0-9.]+)")


def read_plot(path):
    """Returns the titles of the curves and, for each panel, its box (left, bottom) and its curves: colour, points that have a dot, and
    the band."""
    with open(path, encoding="utf-8") as file:
        picture = file.read()
    panels = []
    for letter in "ab":
        groups = re.findall(rf'<g id="gnuplot_plot_[0-9]+{letter}" >.*?(?=<g id="gnuplot_plot_|$)', picture, re.S)
        curves, band = [], None
        for text in groups:
            dots = re.findall(r"<use xlink:href='#gpPt[0-9]+' transform='translate\(([^)]*)\)[^>]*color='([^']*)'", text)
            bands = [[tuple(map(float, at)) for at in NUMBERS.findall(it)] for it in re.findall(r"<polygon[^>]* points = '([^']*)'", text)]
            if dots:
                curves.append({"colour": dots[0][1], "points": [tuple(map(float, NUMBERS.findall(at)[0])) for at, _ in dots], "band": band})
            band = bands[0] if bands else None
        boxes = re.findall(r"<path stroke='black'  d='M([0-9.]+),[0-9.]+ L[0-9.]+,([0-9.]+) L[0-9.]+,[0-9.]+ M", picture)
        left, bottom = map(float, boxes[0 if letter == "a" else -1])
        for curve in curves:
            curve["points"] = [at for at in curve["points"] if letter == "b" or at[1] <= bottom + 0.02]  # without the dot of the key
        panels.append({"left": left, "bottom": bottom, "unit": units_of_axes(picture, left, bottom), "curves": curves})
    return re.findall(r"<text>([^<]*)</text>", picture), panels


def units_of_axes(picture, left, bottom):
    """Returns the pixels of a unit along both axes, from their last numbers."""
    numbers = re.findall(r'<g transform="translate\(([0-9.]+),([0-9.]+)\)"[^>]*text-anchor="(end|middle)">\s*<text>(?:<tspan[^>]*>)? *([0-9.]+)<', picture)
    along = [(float(x) - left, float(value)) for x, y, anchor, value in numbers if anchor == "middle" and 0 < float(y) - bottom < 40]
    up = [(bottom - float(y), float(value)) for x, y, anchor, value in numbers if anchor == "end" and -10 < bottom - float(y) < 230]
    (zero, _), (top, most) = min(up, key=lambda at: at[1]), max(up, key=lambda at: at[1])
    right, last = max(along, key=lambda at: at[1])
    return right / last, (top - zero) / most


def is_scale(pairs, unit):
    """Checks the pixels for each unit, to a tenth of one, to which a picture rounds."""
    return len(pairs) > 0 and all(abs(pixels - value * unit) <= 0.1 for pixels, value in pairs)


def hold_plot(words, below, n_below):
    """Checks that each row of the report is a point at its share and its figure, in the colour of its fabric; with seeds also its
    interval."""
    it = document(["sweep", "mesh:4x4,cube:4", "uniform", "--fail", "0:20%:10%", *words.split(), "--warmup", "200", "--measure", "1500", "--svg", "f.svg"])
    texts, (above, under) = read_plot("f.svg")
    rows = {fabric: [c for c in it["curves"] if c["fabric"] == fabric] for fabric in ("mesh:4x4", "cube:4")}
    figures = (lambda c: c["points"][0]["accepted"], below)
    check("links that fail, percent of all" in texts and n_below in texts and all(fabric in texts for fabric in rows), f"{words}: {texts}")
    halves = (lambda c: c["points"][0].get("accepted_half_width"), lambda c: n_below.startswith("latency") and c["points"][0]["latency"].get("mean_half_width"))
    for panel, figure, half in zip((above, under), figures, halves):
        expected = [[c for c in of if figure(c) is not None] for of in rows.values()]
        found = [curve["points"] for curve in panel["curves"]]
        if not check([len(of) for of in found] == [len(of) for of in expected if of], f"{words}: {found} for {expected}"):
            continue
        ends = [(at, c) for points, of in zip(found, [of for of in expected if of]) for at, c in zip(points, of)]
        check(is_scale([(x - panel["left"], c["fail_percent"]) for (x, _), c in ends], panel["unit"][0]), f"{words}: not at the part that fails: {ends}")
        check(is_scale([(panel["bottom"] - y, figure(c)) for (_, y), c in ends], panel["unit"][1]), f"{words}: not at the figure: {ends}")
        for curve, of in zip(panel["curves"], [of for of in expected if of]):
            n, heights = len(of), [panel["bottom"] - y for _, y in curve["band"] or []]
            if check(len(heights) == (2 * n if half(of[0]) else 0), f"{words}: a band of {heights} for {of}") and heights:
                wide = [(b - a, 2 * half(c)) for a, b, c in zip(heights[:n], heights[n:][::-1], of)]
                check(is_scale(wide, panel["unit"][1]), f"{words}: a band that is not the interval: {wide}")
    check([c["colour"] for c in above["curves"]][:len(under["curves"])] == [c["colour"] for c in under["curves"]] or len(under["curves"]) < 2, f"{words}: colours")
    check(len({c["colour"] for c in above["curves"]}) == 2, f"{words}: two fabrics in one colour")


def test_plots():
    """Draws over shares of the links: accepted loads, and below them latencies, or lanes of the highest loads."""
    # The SVG of Gnuplot 6 is of another form, which read_plot does not know.
    if not shutil.which("gnuplot") or not subprocess.run(["gnuplot", "--version"], capture_output=True, text=True, check=True).stdout.startswith("gnuplot 5"):
        return

    def latency(c):
        return None if c["points"][0]["saturated"] else c["points"][0]["latency"]["mean"]

    hold_plot("--load 0.1 --seeds 3 --planner all-pairs", latency, "latency, cycles to the last tail")
    hold_plot("--load 0.5 --planner all-pairs", latency, "latency, cycles to the last tail")
    hold_plot("--load max --planner all-pairs --budget 0.1", lambda c: c["lanes_needed"], "lanes of each link")


if __name__ == "__main__":
    os.chdir("/")
    main(test_forms, test_bad, test_parts, test_plots, test_during, test_long, test_rtl, test_kinds)
