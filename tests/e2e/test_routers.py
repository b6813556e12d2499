#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests fabrics with unusual routers: more lanes, buffers of more flits, slower links and routers. A message alone takes the cycles
of a formula, on the model of every kind of fabric that `flitloom list fabrics` names and on the RTL of some. A slow link carries a
flit in each cycle if buffers cover the round trip, and with smaller buffers as many as fit. With random settings on the RTL the
verdict compares each message and each channel of a run with the model. For each flit by which buffers grow, a full buffer in front
of a message that stands has one flit more. A chip or a plan that fixes a setting accepts no other.

usage: test_routers.py [KIND...]
LOOM_RUNS=100: number of random settings on the RTL (each may take a model of its own to be built), from LOOM_SEED on.
Ends in "N passed, N failed".
"""
import csv
import io
import json
import os
import random
import re
import sys
import tempfile

from kinds import fabrics, flitloom, hosts

ONLY = sys.argv[1:]
RUNS = int(os.environ.get("LOOM_RUNS", "4"))
SEED = int(os.environ.get("LOOM_SEED", "1"))
BUFFERS = (2, 3, 4, 8, 64)
DELAYS = (0, 1, 3, 0, 30)  # link delays, one for each of BUFFERS
ROUTER_DELAYS = (1, 0, 2, 0, 15)
LENGTHS = (1, 2, 5, 17, 130)
# Fabrics that also run on the RTL, with buffers and link delay; only a few, because each needs a model.
ON_RTL = [("cube:3", 4, 0), ("mesh:3x3", 3, 0), ("torus:3x3v2", 5, 0), ("omega:8", 8, 0), ("table-mesh:3x3v2", 4, 0),
          ("otis-mesh:4l3w2v2", 6, 0), ("cube:3", 6, 2), ("mesh:3x3", 5, 2), ("table-mesh:3x3v4", 2, 1), ("otis-mesh:4v2", 4, 3),
          ("mesh:3x3v3", 5, 1, 2), ("cube:3v4", 2, 0, 1), ("torus:3x3v5", 4, 0, 3)]  # the fourth value is the router delay
counts = {True: 0, False: 0}


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what, flush=True)
    return bool(good)


def extents(fabric):
    """Returns the extents of cubes and grids, the fastest coordinate first; None: another network."""
    kind, _, size = fabric.partition(":")
    size = re.sub(r"[vbd]\d+", "", size)
    kind = kind.replace("table-", "")
    if kind == "cube":
        return [2] * int(size), False
    if kind in ("line", "mesh", "ring", "torus"):
        return [int(e) for e in size.split("x")][::-1], kind in ("ring", "torus")
    return None


def hops_between(fabric, a, b):
    shape = extents(fabric)
    if not shape:
        return None
    hops = 0
    for extent in shape[0]:
        far = abs(a % extent - b % extent)
        hops += min(far, extent - far) if shape[1] else far
        a, b = a // extent, b // extent
    return hops


def flits_take(flits, buffers, delay, router=0):
    """Computes the cycles from header to tail of a message alone: each credit of a slow link comes back a round trip later."""
    k, turn = flits - 1, 2 * delay + router + 2
    return max(k, k // buffers * turn + k % buffers) if delay or router else k


def options(buffers, delay, router=0):
    return ["--buffers", str(buffers)] + (["--link-delay", str(delay)] if delay else []) + (["--router-delay", str(router)] if router else [])


# Links that differ: fabric, what --link-delay says of it, buffers, router delay.
MIXED = (("mesh:4x4", "0:2,1:5", 4, 0), ("torus:4x4v2", "wrap:4", 2, 0), ("torus:5x3v2", "0:1,1:7,wrap:3", 3, 1), ("cube:4", "1:9,3:2", 2, 2),
         ("ring:7v2", "0:1,wrap:20", 5, 0), ("hyperx:3x4", "0:2,1:9", 4, 0), ("hyperx:2x3x2v2", "2:7", 2, 1), ("table-mesh:2x3x2", "0:0,1:30,2:1", 8, 0), ("mesh:3x5", "1:12", 64, 0))


def link_delays_on_the_way(fabric, said, a, b):
    """Returns the delay of each link of a message that goes by ascending dimensions, the shorter way round a ring, from coordinates."""
    known = dict(one.split(":") for one in said.split(","))
    delays = []
    if fabric.startswith("hyperx:"):  # one link for each coordinate that differs
        for d, extent in enumerate(int(e) for e in re.sub(r"v\d", "", fabric[7:]).split("x")[::-1]):
            delays += [int(known.get(str(d), 0))] if a % extent != b % extent else []
            a, b = a // extent, b // extent
        return delays
    shape, wraps = extents(fabric)
    for d, extent in enumerate(shape):
        at, to = a % extent, b % extent
        up = to > at if not wraps else (to - at) % extent <= (at - to) % extent
        while at != to:
            after = (at + (1 if up else -1)) % extent
            closes = extent > 2 and abs(after - at) > 1
            delays.append(int(known.get("wrap" if closes and "wrap" in known else str(d), 0)))
            at = after
        a, b = a // extent, b // extent
    return delays


def cycles_over(delays, router, buffers, flits):
    """Computes the cycles of header and tail at the node, flit by flit. A flit crosses a channel a cycle after the flit before it, after
    it came by the previous channel, and after the near end learned that the flit `buffers` before it has left the far buffer."""
    back = [0, *delays]  # of the buffers behind injection and each link
    far = [0, *(delay + router for delay in delays)]
    crossed = []
    for k in range(flits):
        row = []
        for i in range(len(far) + 1):
            cycle = crossed[k - 1][i] + 1 if k else 1
            if i:
                cycle = max(cycle, row[i - 1] + far[i - 1] + 1)
            if k >= buffers and i < len(back):
                cycle = max(cycle, crossed[k - buffers][i + 1] + back[i] + 1)
            row.append(cycle)
        crossed.append(row)
    return crossed[0][-1], crossed[-1][-1]


def test_links_that_differ():
    """Runs a message alone over links with delays by class, on the model and in its prediction; where links fail, the others keep their
    delays."""
    for fabric, said, buffers, router in MIXED:
        if ONLY and fabric.partition(":")[0] not in ONLY:
            continue
        n = hosts(fabric)
        for flits in LENGTHS:
            for a, b in ((0, n - 1), (n - 1, 0), (1, n // 2)):
                words = [fabric, f"messages:{write('one.csv', f'{a},{b},{flits}')}", "--map", "identity", "--planner", "direct", "--link", "model",
                         "--buffers", str(buffers), "--link-delay", said, *(["--router-delay", str(router)] if router else [])]
                rows = rows_of(words)
                if rows:
                    row, due = rows[0], cycles_over(link_delays_on_the_way(fabric, said, a, b), router, buffers, flits)
                    check((int(row["header"]), int(row["tail"])) == due and row["predicted_tail"] == row["tail"], f"{words}: {row} is not {due}")
    same = [rows_of(["mesh:3x3", "uniform:40", "--buffers", "4", "--link", "model", "--link-delay", said]) for said in ("3", "0:3,1:3")]
    check(same[0] == same[1], "mesh:3x3: 0:3,1:3 is not as 3")
    report = json.loads(flitloom("plan", "mesh:4x4", "uniform:4", "--link-delay", "0:2,1:5", "--json").stdout)
    check(report["fabric"] == "mesh:4x4d2.5" and report["request"]["link_delay"] == "0:2,1:5", report["request"])
    refused(["plan", "mesh:4x4d2.5", "uniform:4", "--link-delay", "0:2"], "by its name")
    refused(["plan", "mesh:4x4", "uniform:4", "--link-delay", "0:2,2:5"], "classes 0, 1")
    refused(["plan", "omega:8", "uniform:4", "--link-delay", "0:2"], "no classes")
    failed = rows_of(["mesh:3x3", f"messages:{write('one.csv', '0,2,1')}", "--map", "identity", "--link", "model", "--link-delay", "0:2,1:5", "--fail", "1->2"])
    check(failed and int(failed[0]["header"]) == 4 + 2 + 2 * 2 + 2 * 5, f"mesh:3x3 without 1->2: {failed}")


CLASS_REQUESTS = ("run {} all-to-all --flits 5 --link model --svg p.svg --html p.html --channels c.csv --messages m.csv -q",
                  "plan {} all-to-all --flits 5 --svg p.svg --picture chart --planner greedy -q", "check {}", "rtl {} -o it.sv",
                  "run {} all-to-all --flits 5 --link model --machine paper --json",
                  "sweep {} uniform --load 0.1 --flits 4 --warmup 100 --measure 300 --link model --json")


def test_classes_everywhere():
    """Tries delays by class on every kind that is listed, in each request: all of them accept the delays, or all refuse them in the line
    that says why."""
    taken = 0
    for fabric, _ in listed:
        said = set()
        for request in CLASS_REQUESTS:
            words = [word.replace("{}", fabric.replace("graph:", f"graph:{ROOT}/")) for word in request.split()]
            classes = "local:2" if fabric.startswith(("dragonfly", "slim-fly")) else "0:2"
            done = flitloom(*words, "--link-delay", classes)
            plain = flitloom(*words)
            if "no classes" in done.stderr:
                check(done.returncode == 2 and done.stderr.count("\n") == 1, f"{words} --link-delay {classes}: {done.stderr}")
                said.add(False)
            elif check(done.returncode == plain.returncode, f"{words} --link-delay {classes}: status {done.returncode}, not {plain.returncode}: {done.stderr[:200]}"):
                said.add(True)
        check(len(said) == 1, f"{fabric}: --link-delay by class is taken by some requests and not by others")
        taken += said == {True}
    check(taken >= 13 or ONLY, f"{taken} fabrics have classes")


def can_be_slow(fabric):
    """Returns direct networks whose light, if any, is a wire."""
    return "x" in fabric.partition(":")[2] or not re.match(r"(omega|baseline|icube|r\w*|benes|otis-mesh:\d+[lw])", fabric) or fabric.startswith(("ring", "random"))


def rows_of(words):
    done = flitloom("run", *words, "--messages", "-")
    if not check(done.returncode == 0, f"{words}: status {done.returncode}: {done.stderr}{done.stdout[-300:]}"):
        return []
    return list(csv.DictReader(io.StringIO(done.stdout)))


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


def alone(fabric, buffers, delay, router, machine):
    """Computes a message of each length from the first node to the last, and back; each in its own run."""
    n = hosts(fabric)
    for flits in LENGTHS:
        for a, b in ((0, n - 1), (n - 1, 0)):
            words = [fabric, f"messages:{write('one.csv', f'{a},{b},{flits}')}", "--map", "identity", "--link", "model", "--machine", machine]
            rows = rows_of([*words, *options(buffers, delay, router)])
            if not rows:
                continue
            row, hops, known = rows[0], int(rows[0]["hops"]), hops_between(fabric, a, b)
            what = f"{words}, buffers {buffers}, delays {delay} and {router}: {row}"
            header = hops + 2 + hops * (delay + router)
            check(known in (None, hops), f"{hops} hops, not {known}: {what}")
            if "otis" not in fabric or delay or router:
                check(int(row["header"]) == header and int(row["tail"]) == header + flits_take(flits, buffers, delay, router), what)
            else:  # unit tests compare light with its formula
                usual = rows_of(words)
                check(usual and (row["header"], row["tail"]) == (usual[0]["header"], usual[0]["tail"]), what)
            check(row["predicted_tail"] == row["tail"] and row["waited"] == "0", what)


def test_alone_on_the_model():
    for fabric, _ in fabrics(False, ONLY):
        if fabric.startswith("graph:"):
            fabric = "graph:" + os.path.join(ROOT, fabric.partition(":")[2])
        if fabric.startswith(("ocs:", "ocs-benes:")):  # light has no buffers
            refused(["plan", fabric, "uniform:4", *options(4, 0)], "without any")
            refused(["plan", fabric, "uniform:4", *options(2, 3)], "slower, on")
            continue
        for k, (buffers, delay, router) in enumerate(zip(BUFFERS, DELAYS, ROUTER_DELAYS)):
            slow = can_be_slow(fabric)
            alone(fabric, buffers, delay if slow else 0, router if slow else 0, ("fast", "paper")[k % 2])
            if not slow and (delay or router):
                refused(["plan", fabric, "uniform:4", *options(buffers, delay, router)], "slower, on")


def test_alone_on_the_rtl():
    for fabric, *settings in ON_RTL:
        if not ONLY or fabric.partition(":")[0] in ONLY:
            for machine in ("fast", "paper"):
                alone_in_one_run(fabric, settings, machine)


def alone_in_one_run(fabric, settings, machine):
    """Runs a message of each length from the first node to the last on the RTL, in one run in which each starts long after the previous
    one has arrived."""
    last = hosts(fabric) - 1
    lines = "".join(f"0,{last},{flits},{1 + 2000 * k}\n" for k, flits in enumerate(LENGTHS))
    file = write("released.csv", "source,destination,flits,release\n" + lines)
    words = [fabric, f"messages:{file}", "--map", "identity", "--machine", machine, *options(*settings)]
    delays = sum(settings[1:])
    rtl, model = rows_of([*words, "--link", "sim"]), rows_of([*words, "--link", "model"])
    check(rtl == model and len(rtl) == len(LENGTHS), f"{words}: {rtl} is not {model}")
    for row, flits in zip(rtl, LENGTHS):
        hops, begin = int(row["hops"]), int(row["offered"])
        known = hops_between(fabric, 0, last)
        check(known in (None, hops), f"{words}: {hops} hops, not {known}")
        if "otis" not in fabric or delays:
            header = hops + 1 + hops * delays
            check((int(row["header"]) - begin, int(row["tail"]) - begin) == (header, header + flits_take(flits, *settings)), f"{words}: {row}")


def test_round_trip():
    """Checks that through slow links a flit goes in each cycle with buffers of 2 D + R + 2 flits, and not with one less; the RTL
    confirms it for some."""
    for delay, router in ((1, 0), (2, 0), (5, 0), (31, 0), (0, 1), (0, 3), (2, 4)):
        trip = 2 * delay + router + 2
        for buffers in (trip - 1, trip):
            file, given = write("long.csv", "0,3,1000\n"), options(buffers, delay, router)
            for link in ("model", "sim") if (delay, router) in ((2, 0), (0, 3)) else ("model",):
                rows = rows_of(["line:4", f"messages:{file}", "--map", "identity", "--link", link, *given])
                took = int(rows[0]["tail"]) - int(rows[0]["header"]) if rows else None
                check((took == 999) == (buffers == trip) and took == flits_take(1000, buffers, delay, router), f"line:4, {link}, {given}: {took}")
            report = json.loads(flitloom("plan", "line:4", f"messages:{file}", "--map", "identity", *given, "--json").stdout)
            cycles = 3 + 2 + 3 * (delay + router) + flits_take(1000, buffers, delay, router)
            check(report["predicted"]["cycles"] == cycles, f"line:4, {given}: predicted {report['predicted']['cycles']}, not {cycles}")


def test_where_a_message_stands():
    """Sends two long messages to one node: the second stands in the buffers of its way, and its source is done when all flits except
    those in the buffers have left. So with B flits in each of h + 1 buffers a message of (h + 1) * B flits has left its source long
    before it arrives."""
    for buffers in BUFFERS:
        write("two.csv", f"source,destination,flits\n1,0,400\n3,0,{3 * buffers}\n3,2,2\n")
        rows = rows_of(["line:4", "messages:two.csv", "--map", "identity", "--link", "model", "--planner", "direct", "--buffers", str(buffers)])
        if check(len(rows) == 3, f"line:4, buffers {buffers}: {rows}"):
            # 3 -> 0 waits at node 1 for the last link: it is in the buffers of node 3, 2 and 1.
            offered = int(rows[2]["offered"])
            check(offered <= 3 * buffers + 8 and int(rows[1]["header"]) > 400, f"line:4, buffers {buffers}: {rows}")
        write("more.csv", f"source,destination,flits\n1,0,400\n3,0,{3 * buffers + 1}\n3,2,2\n")
        rows = rows_of(["line:4", "messages:more.csv", "--map", "identity", "--link", "model", "--planner", "direct", "--buffers", str(buffers)])
        check(len(rows) == 3 and int(rows[2]["offered"]) > 400, f"line:4, buffers {buffers}, one flit more: {rows}")


def test_under_load():
    """Checks that at a low load latencies are little above those without waiting, which include slow links, and that no message is
    below; on the RTL, too."""
    for buffers, delay, flits in ((6, 2, 3), (2, 3, 5), (4, 0, 3)):
        words = ["mesh:3x3", "uniform", "--load", "0.005", "--flits", str(flits), "--warmup", "200", "--measure", "20000", *options(buffers, delay)]
        done = flitloom("sweep", *words, "--json", *(["--check-on", "sim:1"] if delay == 2 else []))
        if check(done.returncode == 0, f"{words}: {done.stderr}"):
            point = json.loads(done.stdout)["curves"][0]["points"][0]
            latency = point["latency"]
            check(0 <= latency["mean"] - latency["without_wait"] < 1, f"{words}: {latency}")
            check(latency["min"] == 1 + 1 + delay + 1 + flits_take(flits, buffers, delay), f"{words}: {latency}")
            check((point["checked_on"] is not None) == (delay == 2) and point["verdict"] == "pass", f"{words}: {point}")


def random_settings(seed):
    rng = random.Random(seed)
    fabric = rng.choice(["cube:1", "cube:2", "cube:3", "line:4", "mesh:2x3", "mesh:3x3", "ring:4v2", "ring:5v2", "torus:3x3v2", "table-mesh:2x2v2",
                         "mesh:2x3v2", "mesh:3x3v4", "cube:3v3", "line:4v7", "ring:5v3", "torus:3x3v6",
                         "table-cube:2", "table-mesh:3x3v3", "table-torus:3x3v6", "omega:4", "omega:8", "icube:8", "benes:4", "otis-mesh:4v2", "otis-mesh:4l2w2v2"])
    flits = rng.choice([1, 2, 3, 7, 20])
    pattern = rng.choice([f"uniform:{rng.randrange(10, 150)}", "random-perm", "all-to-all", "hotspot:1", f"shift:{rng.randrange(1, 3)}"])
    delay = rng.choice([0, 0, 1, 2, 3, 7, 20]) if can_be_slow(fabric) else 0
    return [fabric, pattern, "--flits", str(flits), "--seed", str(seed), "--machine", rng.choice(["fast", "paper"]), "--map", "identity",
            *options(rng.choice([2, 3, 4, 5, 6, 8, 11, 16, 31, 64]), delay, rng.choice([0, 0, 1, 2, 5]) if can_be_slow(fabric) else 0)]


def test_random_settings_on_the_rtl():
    ran = 0
    for seed in range(SEED, SEED + RUNS):
        words = random_settings(seed)
        done = flitloom("run", *words, "--link", "sim", "--json")
        if done.returncode == 2:  # in one line: a pattern that the fabric or its planner does not take
            check(re.fullmatch(r"flitloom: [^\n]{10,500}\n", done.stderr), f"{words}: {done.stderr}")
            continue
        if check(done.returncode == 0, f"{words}: status {done.returncode}: {done.stderr}{done.stdout[-300:]}"):
            report = json.loads(done.stdout)
            ran += 1
            same = report["predicted"]["cycles"] == report["measured"]["cycles"] and report["measured"]["corrupt_flits"] == 0
            check(report["verdict"] == "pass" and same, f"{words}: {report['predicted']} {report['measured']}")
    check(ran >= RUNS // 2, f"{ran} of {RUNS} random settings ran")


def refused(words, text):
    done = flitloom(*words)
    check(done.returncode in (2, 3) and text in done.stderr and done.stderr.count("\n") == 1, f"{words}: {done.returncode} {done.stderr}{done.stdout[:200]}")


def test_names_and_refusals():
    for name, words in (("cube:3b4", ["cube:3", "--buffers", "4"]), ("cube:3", ["cube:3b2"]), ("mesh:2x2b64", ["mesh:2x2b64", "--buffers", "64"])):
        report = json.loads(flitloom("plan", words[0], "uniform:4", *words[1:], "--json").stdout)
        check(report["fabric"] == name and report["request"].get("buffers") == (int(words[2]) if words[1:] else None), f"{words}: {report['fabric']}")
    report = json.loads(flitloom("plan", "cube:3b4d1", "uniform:4", "--buffers", "4", "--json").stdout)
    check(report["fabric"] == "cube:3b4d1" and "link_delay" not in report["request"], report["request"])
    report = json.loads(flitloom("plan", "cube:3b4", "uniform:4", "--link-delay", "0", "--json").stdout)
    check(report["fabric"] == "cube:3b4" and report["request"]["link_delay"] == 0, report["request"])
    refused(["plan", "cube:3d4", "uniform:4", "--link-delay", "2"], "by its name")
    refused(["plan", "cube:3", "uniform:4", "--link-delay", "64"], "0..63")
    report = json.loads(flitloom("plan", "cube:3v3b4d1r2", "uniform:4", "--json").stdout)
    check(report["fabric"] == "cube:3v3b4d1r2" and "router_delay" not in report["request"], report["request"])
    report = json.loads(flitloom("plan", "cube:3b4r1", "uniform:4", "--router-delay", "1", "--json").stdout)
    check(report["fabric"] == "cube:3b4r1" and report["request"]["router_delay"] == 1, report["request"])
    refused(["plan", "cube:3r1", "uniform:4", "--router-delay", "2"], "by its name")
    refused(["plan", "cube:3", "uniform:4", "--router-delay", "16"], "0..15")
    refused(["plan", "cube:3r16", "uniform:4"], "0 to 15")
    refused(["plan", "omega:8r1", "uniform:4"], "direct networks")
    refused(["plan", "otis-mesh:4l3", "uniform:4", "--router-delay", "1"], "light is a wire")
    refused(["plan", "omega:8", "uniform:4", "--link-delay", "1"], "direct networks")
    refused(["plan", "otis-mesh:4l3", "uniform:4", "--link-delay", "1"], "light is a wire")
    refused(["plan", "cube:3", "uniform:4", "--buffers", "1"], "2..64")
    refused(["plan", "cube:3b65", "uniform:4"], "2 to 64")
    refused(["plan", "cube:3b4", "uniform:4", "--buffers", "8"], "by its name")
    refused(["goal", "allreduce:ring", "4", "--buffers", "8"], "takes no --buffers")
    flitloom("plan", "cube:2b4", "uniform:4", "-o", "plan.json")
    refused(["run", "plan.json", "--buffers", "4"], "has settled that")
    refused(["run", "plan.json", "--router-delay", "0"], "has settled that")
    done = flitloom("run", "plan.json", "--link", "model")
    check(done.returncode == 0 and "cube:2b4" in done.stdout, f"a plan for cube:2b4: {done.stdout}{done.stderr}")


ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
os.environ.setdefault("FLITLOOM_CACHE", ROOT + "/build/models")
with tempfile.TemporaryDirectory() as folder:
    os.chdir(ROOT)
    listed = list(fabrics(False, ONLY))
    fabrics = lambda several, only=(): listed  # noqa: E731 (its graphs are of the tree)
    os.chdir(folder)
    for test in (test_alone_on_the_model, test_alone_on_the_rtl, test_round_trip, test_where_a_message_stands, test_under_load, test_links_that_differ, test_classes_everywhere, test_random_settings_on_the_rtl, test_names_and_refusals):
        test()
    os.chdir(ROOT)
print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] > 0)
