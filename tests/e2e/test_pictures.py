#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Compares charts of simulated runs with what the nodes logged: how many bars there are, on which channel, from when to when, and
where they lie. FLITLOOM: the command. Ends in "N passed, N failed".
"""
import csv
import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", HOME + "/build/flitloom"))
SVG = "{http://www.w3.org/2000/svg}"
BAR = re.compile(r"(.*): message (\d+), node (\d+) to (\d+), pass (\d+), (within )?cycles (\d+) to (\d+)")
READY, CLOSE = 8, 0.03  # cycles before the first pass; pixels
counts = {True: 0, False: 0}


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what)


def flitloom(*words):
    done = subprocess.run([FLITLOOM, *words], capture_output=True, text=True)
    check(done.returncode == 0, f"{words}: status {done.returncode}: {done.stderr.strip()[:300]}")
    return done.stdout


def read_chart(path):
    """Returns the bars, the left end of time, and the width of the band before the first pass, if there is one."""
    if shutil.which("xmllint"):
        check(subprocess.run(["xmllint", "--noout", path]).returncode == 0, path + " is not well-formed")
    bars, ready = [], None
    for rect in xml.etree.ElementTree.parse(path).iter(SVG + "rect"):
        title = rect.findtext(SVG + "title") or ""
        x, width = float(rect.get("x", 0)), float(rect.get("width"))
        if title.startswith("the nodes lay"):
            ready = x, width
        match = BAR.fullmatch(title)
        if match:
            channel, message, source, to, number, within, first, last = match.groups()
            bars.append({"channel": channel, "message": int(message), "source": int(source), "to": int(to),
                         "pass": int(number), "exact": not within, "first": int(first), "last": int(last),
                         "x": x, "width": width, "y": float(rect.get("y"))})
    return bars, ready


def check_cycles(name, bars, messages, direct):
    """Computes the bars step by step along each message's way."""
    of = {}
    for bar in bars:
        of.setdefault(bar["message"], []).append(bar)
    wrong = []
    for row in messages:
        way, flits, hops = of.get(int(row["message"]), []), int(row["flits"]), int(row["hops"] or 0)
        if row["state"] == "local":
            wrong += [row] if way else []
            continue
        header, tail = int(row["header"]), int(row["tail"])
        good = row["state"] == "delivered" and len(way) == hops + 2
        good = good and all(b["pass"] == int(row["pass"]) and b["source"] == int(row["source_node"])
                            and b["to"] == int(row["destination_node"]) for b in way)
        good = good and (way[-1]["first"], way[-1]["last"], way[-1]["exact"]) == (header, tail, True)
        good = good and (not direct or way[0]["channel"] == f"inject {row['source_node']}"
                         and way[-1]["channel"] == f"eject {row['destination_node']}")
        free = row["waited"] == "0" and tail == header + flits - 1
        for i, bar in enumerate(way):
            left, right = header - (hops + 1 - i), tail - (hops + 1 - i)
            if free or bar["exact"]:
                good = good and bar["exact"] and bar["last"] - bar["first"] == flits - 1
                good = good and (bar["first"], bar["last"]) == (left, right)
            else:  # the header was offered in cycle 1 or later, and crossed no later than its arrival allows
                good = good and i + 1 <= bar["first"] <= left and bar["last"] == right
        wrong += [] if good else [row]
    check(not wrong and sum(map(len, of.values())) == len(bars), f"{name}: not as logged: {wrong[:2]}")


def check_places(name, bars, ready, trace):
    began = {0: 0}
    if ready:
        left, cycle = ready[0], ready[1] / READY
        began = {0: READY, trace["passes"] - 1: trace["back_to_back"]["began"]}
    else:
        left, cycle = min(b["x"] for b in bars), bars[0]["width"] / (bars[0]["last"] - bars[0]["first"] + 1)
    # The scale is read from a few cycles, to a hundredth of a pixel, so the error grows with the cycle.
    room = [CLOSE + (began[b["pass"]] + b["last"]) * 0.01 / READY for b in bars if b["pass"] in began]
    there = [abs(b["x"] - left - (began[b["pass"]] + b["first"] - 1) * cycle) for b in bars if b["pass"] in began]
    check(there and all(a <= b for a, b in zip(there, room)), f"{name}: bars lie elsewhere than their cycles")
    rows = {}
    for b in bars:
        rows.setdefault(b["y"], set()).add(b["channel"])
    check(all(len(channels) == 1 for channels in rows.values()), f"{name}: a row has several channels")
    check(len(rows) == len({b["channel"] for b in bars}), f"{name}: a channel has several rows")


def overlaps(bars):
    rows = {}
    for b in bars:
        rows.setdefault((b["channel"], b["pass"]), []).append((b["first"], b["last"]))
    return [k for k, spans in rows.items() for a, b in zip(sorted(spans), sorted(spans)[1:]) if b[0] <= a[1]]


def check_run(name, fabric, pattern, *options):
    flitloom("run", fabric, pattern, *options, "-q", "--svg", "chart.svg", "--picture", "chart",
             "--messages", "messages.csv", "--trace-json", "trace.json", "--json")
    bars, ready = read_chart("chart.svg")
    trace = json.load(open("trace.json"))
    messages = list(csv.DictReader(open("messages.csv", newline="")))
    check_cycles(name, bars, messages, not fabric.startswith("omega"))
    check_places(name, bars, ready, trace)
    check(bool(ready) == bool(trace["back_to_back"]), f"{name}: from START or not")
    return bars


def read_loads(path):
    """Returns a list of (channel, load, fill, outlined) for each panel."""
    found = []
    for at in xml.etree.ElementTree.parse(path).iter():
        title = at.findtext(SVG + "title") or ""
        match = re.fullmatch(r"(\d+->\d+ .*|\d+->\d+): (\d+)(; headers wait(ed)? \d+ cycles?)?", title)
        if match and at.tag in (SVG + "path", SVG + "rect"):
            found.append((match.group(1), int(match.group(2)), at.get("fill"), at.get("stroke") is not None))
    n = len(found) // 2
    return found[:n], found[n:]


def check_before(fabric, before, after):
    """Checks that both panels have the same channels and one scale, and that the outlined channels have the largest load of their panel."""
    flitloom("plan", fabric, "transpose", "--planner", after, "--before", before, "--svg", "before.svg", "-q")
    panels, fills = read_loads("before.svg"), {}
    check([c[0] for c in panels[0]] == [c[0] for c in panels[1]] and panels[0], f"{fabric}: other channels before and after")
    for planner, panel in zip((before, after), panels):
        report = json.loads(flitloom("plan", fabric, "transpose", "--planner", planner, "--json", *(
            ["--map", "identity"] if planner == before else [])))
        most = max(c[1] for c in panel)
        check(most == report["predicted"]["contention"], f"{fabric}, {planner}: largest load {most}")
        check(all(c[3] == (c[1] == most and most > 1) for c in panel), f"{fabric}, {planner}: what is outlined")
        for _, load, fill, _ in panel:
            check(fills.setdefault(load, fill) == fill, f"{fabric}: two colours of load {load}")
    check(len(set(fills.values())) == len(fills), f"{fabric}: one colour of several loads")
    text = open("before.svg").read()
    check(f"before: {before}<" in text and f"after: {after}<" in text, f"{fabric}: titles")


def check_moves():
    """Checks moves that were run: an item for each message of the pattern, and a step for each that was counted."""
    report = json.loads(flitloom("run", "otis-mesh:4", "bpc:shuffle", "--json", "--svg", "moves.svg"))
    root = xml.etree.ElementTree.parse("moves.svg").getroot()
    steps = report["measured"]["steps"]
    words = {"+x": "\u2192 right", "-x": "\u2190 left", "+y": "\u2193 down", "-y": "\u2191 up", "light": "light"}
    titles = [t.text for t in root.iter(SVG + "title")]
    check(len(list(root.iter(SVG + "circle"))) == 16, "not a dot for each item")
    check(steps == report["predicted"]["steps"] and report["predicted"]["moves"] == report["measured"]["moves"], "moves")
    for i, step in enumerate(steps):
        name = f"step {i + 1} of {len(steps)}: {words[step['step']]}"
        check(name in titles, f"no \"{name}\"")
    flitloom("run", "otis-mesh:4", "bpc:shuffle", "-q", "--svg", "step.svg", "--pass", "1")
    check(not list(xml.etree.ElementTree.parse("step.svg").iter(SVG + "animateTransform")), "one step does not stand still")


GOAL = """num_ranks 4
rank 0 {
l1: calc 100
l2: send 64b to 1 tag 1
l2 requires l1
l3: calc 200
l3 requires l2
}
rank 1 {
l1: recv 64b from 0 tag 1
l2: calc 300
l2 requires l1
l3: send 128b to 2 tag 2
l3 requires l2
}
rank 2 {
l1: recv 128b from 1 tag 2
l2: calc 50
l2 requires l1
}
rank 3 {
l1: calc 70000
}
"""


def check_goal():
    """Checks that each calculation of a GOAL run is there and as long as it takes, and that the chart's cycles are those of the report."""
    for name, text, calculations in (("goal", GOAL, {0: [100, 200], 1: [300], 2: [50], 3: [70000]}),
                                     ("short", GOAL.replace("70000", "4"), {0: [100, 200], 1: [300], 2: [50], 3: [4]}),
                                     ("placed", GOAL, {5: [100, 200], 4: [300], 7: [50], 6: [70000]})):
        open("run.goal", "w").write(text)
        placed = ["--map", "5,4,7,6,1,0,3,2"] if name == "placed" else []
        report = json.loads(flitloom("run", "cube:3", "goal:run.goal", "--json", "--svg", "goal.svg", "--picture", "chart", *placed))
        root, found, ends = xml.etree.ElementTree.parse("goal.svg").getroot(), {}, [0]
        for title in root.iter(SVG + "title"):
            match = re.fullmatch(r"node (\d+) computes, cycles (\d+) to (\d+)", title.text)
            if match:
                node, first, last = map(int, match.groups())
                found.setdefault(node, []).append(last - first + 1)
                ends.append(last)
        cycles = report["measured"]["cycles"]
        check(found == calculations, f"{name}: calculations {found}")
        check(f">{cycles} cycles  \u00b7  measured<" in open("goal.svg").read(), f"{name}: the chart does not say {cycles} cycles")
        check(max(ends) <= cycles and (name == "short" or max(ends) == cycles), f"{name}: a calculation until cycle {max(ends)}")
        check(any(t.text == "compute" for t in root.iter(SVG + "text")), f"{name}: no rows of what nodes compute")


def small(kind):
    """Returns a small fabric of a kind that the list names, with the first size that it accepts."""
    for size in ("8", "3", "4x2", "4", "3,1", "2,3", "8,3,1", HOME + "/tests/e2e/graphs/chords.txt"):
        told = subprocess.run([FLITLOOM, "plan", f"{kind}:{size}", "identity", "--planner", "direct", "--json"],
                              capture_output=True, text=True)
        n = json.loads(told.stdout)["messages"] if told.returncode == 0 else 0  # one message of each task; switches have none
        if 8 <= n <= 64:
            return f"{kind}:{size}", n
    return None, 0


def read_circuits(path):
    """Reads a chart of ports: light (y, node, to, first, last), darkness (switch, first, last), messages (y, from, to, flits, first,
    last)."""
    light, dark, messages = [], [], {}
    for rect in xml.etree.ElementTree.parse(path).iter(SVG + "rect"):
        title, y = rect.find(SVG + "title"), float(rect.get("y", 0))
        text = title.text if title is not None else ""
        if m := re.fullmatch(r"node (\d+): light to node (\d+), cycles (\d+) to (\d+)", text):
            light.append((y - 1, *map(int, m.groups())))
        elif m := re.fullmatch(r"switch (\d+) is dark, cycles (\d+) to (\d+)", text):
            dark.append(tuple(map(int, m.groups())))
        elif m := re.fullmatch(r"message (\d+), node (\d+) to node (\d+), (\d+) flits, leaves in cycles (\d+) to (\d+)", text):
            messages[int(m[1])] = (y, *map(int, m.groups()[1:]))
    return light, dark, messages


def check_circuits():
    """Checks charts of circuit switches: every message lies in the light of its port, and nothing in the dark; measured as predicted."""
    for words in ("ocs:8 demand:skew:2,3,60", "ocs:8x2 uniform:40 --dark 7", "ocs:9 demand:moe:16,2,5,50 --planner rotor --relay", "ocs:8 uniform:30 --dark 0", "ocs-benes:8 demand:skew:2,3,60"):
        pictures = []
        for command, *link in (("plan",), ("run", "--link", "model")):
            report = json.loads(flitloom(command, *words.split(), *link, "--svg", "ports.svg", "--json"))
            flitloom(command, *words.split(), *link, "--svg", "chart.svg", "--picture", "chart", "-q")
            check(open("ports.svg").read() == open("chart.svg").read(), f"{words}: the usual picture is no chart")
            pictures.append(read_circuits("ports.svg"))
        check(pictures[0] == pictures[1], f"{words}: what was measured is not what was predicted")
        light, dark, messages = pictures[0]
        it = report["circuits"]
        check(len(messages) == report["messages"] and len(messages) > 9, f"{words}: {len(messages)} messages, not {report['messages']}")
        check(max(m[5] for m in messages.values()) <= it["makespan"], f"{words}: beyond the makespan")
        check(all(last - first + 1 >= it["dark"] for _, first, last in dark) and bool(dark) == (it["dark"] > 0), f"{words}: dark times {dark}")
        for i, (y, source, to, flits, first, last) in messages.items():
            over = [slot for slot in light if slot[1] == source and 0 < y - slot[0] < 18 and slot[3] <= first and last <= slot[4]]
            check(last - first + 1 == flits and [slot[2] for slot in over] == [to], f"{words}: message {i} in {over}")
        if it["switches"] == 1:
            check(not any(first <= d[2] and d[1] <= last for *_, first, last in light for d in dark), f"{words}: light in the dark")


def check_tasks():
    """Checks paths on every kind of fabric, with a plan whose tasks sit on nodes with other numbers: each node names its task."""
    kinds = subprocess.run([FLITLOOM, "list", "fabrics", "--names"], capture_output=True, text=True).stdout.split()
    check(len(kinds) > 15, f"these kinds alone: {kinds}")
    for kind in kinds:
        if kind in ("ocs", "ocs-benes"):
            continue  # its tasks stay where they are: a map is refused (test_refusals)
        fabric, n = small(kind)
        check(n >= 8, f"{kind}: no small fabric to draw")
        map_ = [(3 * task + 1) % n if n % 3 else n - 1 - task for task in range(n)]
        for moved in (True, False) if n else ():
            flitloom("plan", fabric, "all-to-others", "--planner", "greedy", "-q", "--svg", "tasks.svg", "--picture", "paths", "--map",
                     ",".join(map(str, map_)) if moved else "identity")
            texts = [t.text or "" for t in xml.etree.ElementTree.parse("tasks.svg").iter(SVG + "text")]
            said = [int(m[1]) for m in (re.fullmatch(r"(?:\d+ )?t(\d+)", t) for t in texts) if m]
            wanted = [map_.index(node) for node in range(n)] if moved else []
            check(said[:n] == wanted and said[-n:] == wanted,  # a network of stages has them on both sides
                  f"{fabric}: its nodes' tasks are {wanted}, not {said}")


def check_side_by_side():
    """Checks that links side by side have separate arrows, in pictures of loads and of paths."""
    with open("side.txt", "w") as file:
        file.write("a b x3\nb c x2 delay=2\nc a\nd -- a x5\nd -> c x2\n")
    shapes = [f"graph:{HOME}/tests/e2e/graphs/slow.txt", f"graph:{HOME}/tests/e2e/graphs/switches.txt", "graph:side.txt:v2", "fat-tree:2,2",
              "twisted-torus:2x4v2", "hyperx:2x3"]
    for fabric in shapes:
        csv_text = flitloom("plan", fabric, "all-to-all", "--channels", "-", "-q")
        links = {row["channel"]: row["predicted_messages"] for row in csv.DictReader(csv_text.splitlines()) if row["group"] not in ("inject", "eject")}
        for picture in ("loads", "paths"):
            flitloom("plan", fabric, "all-to-all", "--svg", "side.svg", "--picture", picture, "-q")
            ways = {}
            for path in xml.etree.ElementTree.parse("side.svg").iter(SVG + "path"):
                channel = re.match(r"(.*?): \d", path.findtext(SVG + "title") or "")
                if channel and channel[1] in links:
                    ways.setdefault(channel[1], path.get("d"))
            check(len(set(ways.values())) == len(ways), f"{fabric}, {picture}: arrows lie on one another")
            check(picture == "paths" or set(ways) == set(links), f"{fabric}, {picture}: arrows of {sorted(ways)}, channels {sorted(links)}")


def check_delays():
    """Checks that delays are written beside their bars, on either side, without covering one another, and that every slow channel has
    its bar."""
    at = re.compile(r'<text x="([-0-9.]+)" y="([-0-9.]+)" font-size="8.5"[^>]*>(\+[0-9]+)')
    for fabric, pattern, picture, n_bars in (
        ("cube:3d1.2.3", "all-to-others", "paths", 24), ("mesh:2x2x2d1.2.3", "all-to-others", "paths", 24), ("cube:4d1.2.3.4", "all-to-others", "paths", 64),
        ("hyperx:3x3d1.2", "all-to-others", "paths", 36), ("twisted-torus:4x4v2d2.1", "all-to-others", "paths", 64), ("dragonfly:4,2v2d2.10", "uniform:60", "loads", 180),
        ("mesh:3x3d2.5", "all-to-others", "loads", 24), ("torus:3x3v2d2.0", "all-to-others", "paths", 18)):
        flitloom("plan", fabric, pattern, "--planner", "direct", "--picture", picture, "-q", "--svg", "slow.svg")
        with open("slow.svg", encoding="utf-8") as file:
            text = file.read()
        labels = [(float(x), float(y), 4.5 * len(delay)) for x, y, delay in at.findall(text)]
        over = [(a, b) for a, b in itertools.combinations(labels, 2) if abs(a[1] - b[1]) < 8 and abs(a[0] - b[0]) < (a[2] + b[2]) / 2]
        check(not over, f"{fabric}, {picture}: delays overlap: {over[:2]}")
        check(text.count('class="slow"') == n_bars and 0.7 * n_bars < len(labels) <= n_bars, f"{fabric}, {picture}: {len(labels)} delays")


def main():
    check_delays()
    check_side_by_side()
    check_moves()
    check_tasks()
    check_circuits()
    check_goal()
    check_before("mesh:6x6", "xy", "reroute")
    check_before("mesh:5x5", "direct", "block")
    check_before("cube:4", "direct", "reroute")
    for fabric in ("cube:3", "omega:8", "ring:8", "mesh:3x5"):
        bars = check_run(f"{fabric}, in passes", fabric, "uniform:30", "--planner", "greedy", "--flits", "6")
        check(bars and all(b["exact"] for b in bars), f"{fabric}: a bar of a pass without contention is not exact")
        check(not overlaps(bars), f"{fabric}: bars overlap: {overlaps(bars)[:2]}")
        flitloom("run", fabric, "uniform:30", "--planner", "greedy", "--flits", "6", "-q", "--svg", "paths.svg", "--pass", "1")
        paths = [t.text for t in xml.etree.ElementTree.parse("paths.svg").iter(SVG + "title") if t.text]
        if fabric != "omega:8":
            check(sum(t.startswith("message ") for t in paths) == len({b["message"] for b in bars if b["pass"] == 1}),
                  f"{fabric}: not a path for each message")
    for fabric in ("cube:3", "omega:8", "mesh:3x5"):
        bars = check_run(f"{fabric}, all at once", fabric, "uniform:30", "--planner", "direct", "--flits", "9")
        check(not all(b["exact"] for b in bars), f"{fabric}: nobody waited")
        check(not overlaps([b for b in bars if b["exact"]]), f"{fabric}: two messages at a time on a channel")
    flitloom("plan", "cube:3", "uniform:30", "--planner", "greedy", "-q", "--svg", "plan.svg", "--picture", "chart", "--flits", "6")
    flitloom("run", "cube:3", "uniform:30", "--planner", "greedy", "-q", "--svg", "run.svg", "--picture", "chart", "--flits", "6")
    check(read_chart("plan.svg") == read_chart("run.svg"), "what was measured is not what was predicted")
    check_run("a free run", "omega:8", "all-to-all")
    flitloom("run", "cube:3", "bit-reverse", "--compare", "-q", "--svg", "two.svg", "--picture", "chart")
    check(read_chart("two.svg")[0], "two panels")


with tempfile.TemporaryDirectory() as folder:
    os.environ.setdefault("FLITLOOM_CACHE", HOME + "/build/models")
    os.chdir(folder)
    main()
print(f"{counts[True]} passed, {counts[False]} failed")
raise SystemExit(counts[False] > 0)
