#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests sweep --load on every kind of fabric that `flitloom list fabrics` names, in the sizes that the list gives, with and
without lanes and light, so that a new kind is covered as soon as it is listed; and on every kind of link. A fabric that `run`
accepts also runs at a load and passes, or is refused in one line. The RTL gives the computed figures, also at a load that
saturates: message for message, cycle for cycle, channel for channel; and what is refused is refused with the same words.
test_load_ways.py tests the ways that planners choose.

usage: test_load_kinds.py [all] [count] [KIND...]
all: several sizes of each kind. count: only long runs of each, on the RTL and computed, compared whole; prints the numbers of
messages and channels. KIND: only these kinds. FLITLOOM: the command. Ends in "N passed, N failed". """
import json
import os
import re
import struct
import sys
import tempfile

import test_load_ways
from kinds import fabrics, flitloom, hosts, items

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
ALL = "all" in sys.argv[1:]
COUNT = "count" in sys.argv[1:]
ONLY = [word for word in sys.argv[1:] if word not in ("all", "count")]
counts = {True: 0, False: 0}
os.chdir(HOME)
os.environ.setdefault("FLITLOOM_CACHE", HOME + "/build/models")


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what, flush=True)


# --- Under load ---

LOAD = ["--load", "0.1", "--flits", "4", "--warmup", "300", "--measure", "1500"]


def is_refused(done):
    return done.returncode == 2 and not done.stdout and re.fullmatch(r"flitloom: [^\n]{10,400}\n", done.stderr)


def passes(done, what, points=1):
    """Checks that every point passes, that messages were sent, and that no point is as slow as a full fabric."""
    if done.returncode != 0:
        check(False, f"{what}: status {done.returncode}: {(done.stderr or done.stdout)[:300]}")
        return
    found = [p for c in json.loads(done.stdout)["curves"] for p in c["points"]]
    good = all(p["verdict"] == "pass" and not p["saturated"] and p["messages"] > 0 and p["accepted"] > 0 for p in found)
    check(len(found) == points and good, f"{what}: {found}")


def on_both(what, *words, points=1):
    """Runs a load on the RTL and computed, which must give the same."""
    done = flitloom("sweep", *words, "--json", "--link", "sim")
    computed = flitloom("sweep", *words, "--json", "--link", "model")
    alike = computed.returncode == done.returncode and (computed.stderr == done.stderr or done.returncode == 0)  # if it succeeds stderr may have the progress of a build
    check(alike, f"{what}: computed: {computed.stderr}; on the RTL: {done.stderr}")
    if done.returncode == 0 and computed.returncode == 0:
        one, other = json.loads(done.stdout)["curves"], json.loads(computed.stdout)["curves"]
        check(one == other, f"{what}: {other} computed, {one} on the RTL")
    return done


def hold_saturated(fabric):
    """Compares every message and every channel, at loads below and above what the fabric carries."""
    for more in (["--flits", "1"], ["--flits", "5", "--machine", "paper"]) if ALL else (["--flits", "3", "--machine", "fast,paper"],):
        points = 3 * (1 + more.count("fast,paper"))
        done = flitloom("sweep", fabric, "uniform", "--load", "0.2:1:0.4", "--warmup", "300", "--measure", "700", *more, "--check-on", f"sim:{points}", "--json")
        found = [p for c in json.loads(done.stdout or '{"curves": []}')["curves"] for p in c["points"]]
        good = len(found) >= 3 and all(p["checked_on"] == "sim" and p["verdict"] == "pass" for p in found)
        check(done.returncode == 0 and good, f"{fabric} {more}: {done.stderr}{found}")


def hold_seeds(fabric):
    """Checks that two seeds, computed, give the mean of a run with each, with the warm-up that was found."""
    short = ["--load", "0.1", "--flits", "4", "--measure", "700"]
    done = flitloom("sweep", fabric, "uniform", *short, "--seeds", "2", "--json")
    passes(done, f"{fabric}, two seeds")
    if done.returncode != 0:
        return
    both = json.loads(done.stdout)["curves"][0]["points"][0]
    alone = [json.loads(flitloom("sweep", fabric, "uniform", *short, "--warmup", str(both["warmup_cycles"]), "--seed", seed, "--json").stdout)["curves"][0]["points"][0]
             for seed in ("1", "2")]
    mean = sum(p["latency"]["mean"] for p in alone) / 2
    good = abs(both["latency"]["mean"] - mean) < 1e-9 * mean and both["messages"] == sum(p["messages"] for p in alone) and both["seeds"] == 2
    check(good, f"{fabric}, two seeds: {both}; alone: {alone}")


# Traffic that a load accepts beside patterns, with arrivals, lengths and other options. Each row runs on every kind of fabric, on
# the model and on the RTL. Files are written for the fabric's number of nodes. A fabric where messages to all nodes could lock gets
# flows instead.
TRAFFIC = [
    ("traffic:{flows}", ["--load", "0.1", "--by", "flow"]),
    ("traffic:{weights}", [*LOAD, "--arrivals", "periodic", "--by", "distance"]),
    ("traffic:{noxim}", [*LOAD, "--arrivals", "bernoulli", "--machine", "paper", "--by", "channel", "--window", "200"]),
    ("matrix:{matrix}", [*LOAD[:2], "--flits", "1:0.6,5:0.3,12:0.1", "--by", "latency"]),
    ("matrix:{array}", [*LOAD, "--arrivals", "burst:20:60"]),
    ("0.5*uniform+0.3*shift:1+0.2*traffic:{flows}", [*LOAD[:2], "--flits", "2-4", "--arrivals", "burst:9:3"]),
    ("hotspot:1:0.3", [*LOAD[:2], "--flits", "7:0.25,2:0.75", "--arrivals", "periodic"]),
]


def write_files(folder, n):
    """Makes flows between n nodes in every form that a load reads. Rates differ, and some nodes send nothing."""
    flows = [(v, (v + 1 + k) % n, 1 + (v + k) % 3, 1 + (5 * v + k) % 7) for v in range(n - n // 4) for k in range(2)]
    matrix = [[sum(r for a, b, r, _ in flows if (a, b) == (v, w)) for w in range(n)] for v in range(n)]
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({n}, {n}), }}".ljust(117) + "\n"
    texts = {
        "flows": "source,destination,rate,flits\n" + "".join(f"{a},{b},{r},{f}\n" for a, b, r, f in flows),
        "weights": "# weights\nsource,destination,weight\n" + "".join(f"{a},{b},{r}\n" for a, b, r, _ in flows),
        "noxim": "% SRC DST PIR POR\n" + "".join(f"{a} {b} {r / 100} {r / 100}\n" for a, b, r, _ in flows),
        "matrix": "".join(",".join(map(str, row)) + "\n" for row in matrix),
        "array": b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + b"".join(struct.pack("<d", x) for row in matrix for x in row),
    }
    for name, text in texts.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
    return {name: f"{folder}/{name}" for name in texts}


def figures(done):
    """Returns the curves of a sweep without the fields that name the link."""
    return [{**c, "points": [{k: v for k, v in p.items() if k != "checked_on"} for p in c["points"]]} for c in json.loads(done.stdout)["curves"]]


def hold_traffic(fabric, n, locks, rules):
    """Runs every row of TRAFFIC, and uniform by every rule: the RTL does what is computed, message for message and figure for figure."""
    cycles = ["--warmup", "300", "--measure", "1500"]
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(folder, n)
        rows = [(spec.format(**files), words, not locks) for spec, words in TRAFFIC]
        rows += [("uniform", [*LOAD, "--rule", rule], free) for rule, free in rules.items()]
        for spec, words, free in rows:
            what = f"{fabric} {spec} {' '.join(words)}"
            computed = flitloom("sweep", fabric, spec, *words, *cycles, "--check-on", "sim:1", "--json")
            done = flitloom("sweep", fabric, spec, *words, *cycles, "--link", "sim", "--json")
            if is_refused(done):
                check(not free and "for ever" in done.stderr and computed.stderr == done.stderr, f"{what}: {done.stderr}{computed.stderr}")
                continue
            passes(computed, what)
            passes(done, what)
            if computed.returncode == 0 and done.returncode == 0:
                check(figures(computed) == figures(done), f"{what}: {computed.stdout} computed, {done.stdout} on the RTL")
                points = json.loads(computed.stdout)["curves"][0]["points"]
                check(points[0]["checked_on"] == "sim", f"{what}: not compared")


def hold(fabric, text):
    circles = flitloom("check", fabric, "--json").stdout
    locks = not json.loads(circles)["rules"][0]["deadlock_free"]
    one_way_at_a_time = "passed backward" in text
    # From everybody to everybody.
    done = on_both(f"{fabric} uniform", fabric, "uniform", *LOAD)
    if one_way_at_a_time:
        check(is_refused(done) and "one direction" in done.stderr, f"{fabric} uniform: {done.stderr}{done.stdout[:300]}")
        return
    if locks:
        check(is_refused(done) and "for ever" in done.stderr, f"{fabric} uniform: {done.stderr}{done.stdout[:300]}")
    else:
        passes(done, f"{fabric} uniform")
        what = f"{fabric} hotspot, Bernoulli, both machines"
        passes(on_both(what, fabric, "hotspot:1:0.2", *LOAD, "--arrivals", "bernoulli", "--machine", "fast,paper"), what, 2)
        hold_saturated(fabric)
        hold_seeds(fabric)
    # Each node sends to one node: the fabric accepts what `run` accepts without a planner that makes passes.
    for pattern in ("shift:1", "shift:-2" if ALL else "reflect-vertical"):
        one = flitloom("run", fabric, pattern, "--planner", "direct", "--map", "identity", "--flits", "4", "-q")
        done = on_both(f"{fabric} {pattern}", fabric, pattern, *LOAD, "--map", "identity")
        if one.returncode == 0:
            passes(done, f"{fabric} {pattern}")
        else:
            check(is_refused(one) and is_refused(done), f"{fabric} {pattern}: run: {one.stderr}; load: {done.stderr}{done.stdout[:300]}")
    n = hosts(fabric)
    by_rule = {r["rule"]: r["deadlock_free"] for r in json.loads(circles)["rules"] if r["rule"] in ("ascending", "descending", "one-way", "one-way-descending")}
    hold_traffic(fabric, n, locks, by_rule)
    turned = ",".join(str((v + 1) % n) for v in range(n))
    done = on_both(f"{fabric} shift:1, two maps", fabric, "shift:1", *LOAD, "--compare", f"{turned},best")
    if not is_refused(done):
        passes(done, f"{fabric} shift:1, two maps", 2)


# --- Many messages ---


def compare_long(fabric, totals):
    """Runs loads below and above what the fabric carries, in both timings; on a fabric that refuses messages between all nodes it runs
    shifts. Also runs messages between random nodes in passes. Adds messages and channels to the totals of its kind."""
    count = [0, 0]
    n_channels = flitloom("run", fabric, "shift:1", "--link", "model", "--channels", "-", "-q").stdout.count("\n") - 1
    for pattern in ("uniform", "shift:1", "shift:-1"):
        for flits, cycles in (("1", "3000"), ("3", "6000"), ("20", "20000")):
            words = ["sweep", fabric, pattern, "--load", "0.25:1:0.25", "--flits", flits, "--warmup", "100", "--measure", cycles,
                     "--map", "identity", "--machine", "fast,paper", "--check-on", "sim:8", "--json"]
            done = flitloom(*words)
            if is_refused(done):
                continue
            found = [p for c in json.loads(done.stdout or '{"curves": []}')["curves"] for p in c["points"]]
            good = len(found) == 8 and all(p["checked_on"] == "sim" and p["verdict"] == "pass" for p in found)
            check(done.returncode == 0 and good, f"{' '.join(words)}: {done.stderr}{found}")
            count[0] += sum(p["messages"] for p in found)
            count[1] += n_channels * len(found)
        if pattern == "uniform" and count[0]:
            break
    for seed in range(1, 6):  # planned, in passes: the verdict is exact
        words = ["run", fabric, "uniform:400", "--seed", str(seed), "--flits", "5", "--json"]
        done = flitloom(*words)
        if is_refused(done) and "can lock" in done.stderr:
            done = flitloom(*words, "--planner", "greedy")
        report = json.loads(done.stdout or '{"messages": [], "passes": 0}')
        check(done.returncode == 0, f"{fabric} uniform:400, seed {seed}: {done.stderr}")
        count[0] += 400
        count[1] += n_channels * report["passes"]
    kind = fabric.partition(":")[0]
    totals[kind] = [x + y for x, y in zip(totals.get(kind, [0, 0]), count)]
    print(f"{fabric}: {count[0]} messages, {count[1]} channels", flush=True)


def compare_all():
    totals = {}
    for fabric, _ in fabrics(ALL, ONLY):
        compare_long(fabric, totals)
    print("; ".join(f"{kind} {n} messages" for kind, (n, _) in totals.items()))
    print(f"{sum(n for n, _ in totals.values())} messages and {sum(n for _, n in totals.values())} counts of channels on the RTL, computed and compared")


if COUNT:
    compare_all()
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)

for fabric, text in fabrics(ALL, ONLY):
    if fabric.startswith(("ocs:", "ocs-benes:")):  # messages leave when there is light for them
        for pattern in ("uniform", "shift:1"):
            refused = on_both(f"{fabric} {pattern}", fabric, pattern, *LOAD)
            check(is_refused(refused) and "a schedule that is made" in refused.stderr, f"{fabric} {pattern}: {refused.stderr}{refused.stdout[:300]}")
        continue
    hold(fabric, text)
    test_load_ways.hold(fabric, text)

# More messages over a channel than programs hold, on small fabrics of each router: with and without tables, of switches.
for fabric, load in [("cube:1", "0.5"), ("line:2", "0.5"), ("omega:4", "0.3"), ("cube:3", "0.6")][: None if ALL else 1]:
    cycles = "30000" if fabric == "cube:3" else "20000"
    what = f"{fabric}, messages of a flit for {cycles} cycles"
    passes(on_both(what, fabric, "uniform", "--load", load, "--flits", "1", "--measure", cycles), what)

# A source sends a message of one flit in each cycle: the chip gets its entries early enough that it never waits for the next one.
for fabric in ("cube:1", "line:4"):
    done = flitloom("sweep", fabric, "shift:1", "--load", "1", "--flits", "1", "--measure", "3000", "--map", "identity", "--check-on", "sim:1", "--json")
    points = [p for c in json.loads(done.stdout or '{"curves": []}')["curves"] for p in c["points"]]
    check(done.returncode == 0 and [p["verdict"] for p in points] == ["pass"] and points[0]["accepted"] > 0.95, f"{fabric}, a flit in each cycle: {done.stderr}{points}")

# --- Links ---

for kind, syntax, _ in items("links"):
    if kind in ("sim", "model"):
        continue
    link = {"fault": "fault:seed=1:sim"}.get(kind, f"{kind}:/nonexistent" if syntax else kind)
    done = flitloom("sweep", "cube:1", "uniform", *LOAD, "--link", link)
    check(is_refused(done) and "takes the link sim" in done.stderr, f"link {link}: {done.stderr}{done.stdout[:200]}")

for good, n in test_load_ways.counts.items():
    counts[good] += n
print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] > 0)
