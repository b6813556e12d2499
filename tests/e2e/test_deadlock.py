#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""A circle of messages is refused before anything is loaded. Without the check the RTL locks, and the watchdog names the same
channels. The same messages run in passes without contention. FLITLOOM: the command, UNCHECKED: the one without the check. Ends in
"N passed, N failed".
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HOME = os.path.dirname(os.path.abspath(__file__)) + "/../.."
FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", HOME + "/build/flitloom"))
UNCHECKED = os.path.abspath(os.environ.get("UNCHECKED", HOME + "/build/unchecked/flitloom"))
FLITS = 100
counts = {True: 0, False: 0}


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what)


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr.strip()


def cube_route(source, destination, rule, dimensions):
    """Names channels of tile u: u * (n + 2) + dimension, then ejection, then injection."""
    tile, route, at = dimensions + 2, [source * (dimensions + 2) + dimensions + 1], source
    for d in range(dimensions) if rule == 0 else reversed(range(dimensions)):
        if (at ^ destination) >> d & 1:
            route.append(at * tile + d)
            at ^= 1 << d
    return route + [destination * tile + dimensions]


def ring_route(source, destination, nodes):
    """Names channels of tile u: u * 4, +x, -x, ejection, injection. A message goes the shorter way, and at exactly half the + way."""
    up, route, at = (destination - source) % nodes, [source * 4 + 3], source
    while at != destination:
        route.append(at * 4 + (2 * up > nodes))
        at = (at + (-1 if 2 * up > nodes else 1)) % nodes
    return route + [destination * 4 + 2]


def write_plan(path, fabric, messages, timing=None):
    """messages: (pass, source, destination, rule)."""
    kind, size = fabric.split(":")[0], int(fabric.split(":")[1].removesuffix("v2"))
    nodes, tile = (1 << size, size + 2) if kind == "cube" else (size, 4)
    bits = nodes.bit_length() - 1
    passes = 1 + max(m[0] for m in messages)
    routes = [cube_route(s, d, rule, size) if kind == "cube" else ring_route(s, d, size) for _, s, d, rule in messages]
    load = {}
    for m, route in zip(messages, routes):
        for channel in route:
            load[m[0], channel] = load.get((m[0], channel), 0) + 1
    cycles = [None if max(n for (q, _), n in load.items() if q == p) > 1 else
              max(FLITS + len(r) - 1 for m, r in zip(messages, routes) if m[0] == p) for p in range(passes)]
    total = {}
    for (_, channel), n in load.items():
        total[channel] = total.get(channel, 0) + n
    contention = max(n for (_, channel), n in load.items() if channel % tile < tile - 2)
    plan = {"flitloom": "plan", "version": 2, "fabric": fabric, "pattern": "ring", "planner": "direct",
            "map": list(range(nodes)), "order": list(range(bits)), "passes": passes, "free_running": False,
            "member_of_pass": [0] * passes,
            "messages": [[p, s, d, FLITS, rule, 0, 0, i] for i, (p, s, d, rule) in enumerate(messages)],
            "predicted": {"contention": contention, "cycles": cycles, "lower_bound": 0, "passes_bound": max(total.values()),
                          "objective": None, "members": [contention],
                          "load": [[p, c, n] for (p, c), n in sorted(load.items())], "theory": None}}
    if timing:
        plan["timing"] = timing
        plan["predicted"]["cycles"] = [None]
    with open(path, "w") as file:
        json.dump(plan, file)


def held(text):
    """Returns the channels and messages that a refusal names."""
    return dict(re.findall(r"(\d+->\d+ \([^)]*\)) held by message (\d+)", text))


def locks(what, where, circle):
    """The plan is refused with this circle ({channel: message}); without the check the watchdog names its channels. what: a
    plan's file, or all the words of a request."""
    path = " ".join(words := what.split())
    for command in ("plan", "run"):
        status, out, err = run(FLITLOOM, command, *words)
        check(status == 2 and not out and err.count("\n") == 0 and f"{where} can lock" in err and held(err) == circle,
              f"{command} {path}: status {status}: {err}")
    # The link is not even opened.
    status, _, err = run(FLITLOOM, "run", *words, "--link", "uart:/dev/null")
    check(status == 2 and "can lock" in err, f"{path} on a link that is none: status {status}: {err}")
    status, _, err = run(UNCHECKED, "run", *words)
    named = set(re.findall(r"\d+->\d+ \([^)]*\)", err))
    check(status == 3 and f"stuck in {where}" in err and named == set(circle), f"unchecked {path}: status {status}: {err}")


def waits(fabric):
    """Checks that programs that wait for each other are refused by name. Without the check the watchdog ends them, and names exactly the
    nodes that wait."""
    write_plan("waits.json", fabric, [(0, 0, 1, 0), (0, 1, 0, 0), (0, 2, 3, 0)], [[0, "wait", 1, 1], [1, "wait", 1, 0], [5, "delay", 9]])
    for words in (["plan"], ["run"], ["run", "--link", "uart:/dev/null"]):
        status, out, err = run(FLITLOOM, words[0], "waits.json", *words[1:])
        check(status == 2 and not out and "waits that are never met: processor 0 waits for message 1 from 1, which waits for message 1 "
              "from 0" in err, f"{words} of waits on {fabric}: status {status}: {err}")
    status, out, err = run(UNCHECKED, "run", "waits.json")
    named = re.findall(r"node (\d+) waits for message (\d+) from processor (\d+)", err)
    check(status == 3 and "stuck in pass 0" in err and named == [("0", "1", "1"), ("1", "1", "0")],
          f"unchecked waits on {fabric}: status {status}: {err}")
    # Without one of them the programs finish.
    write_plan("waits.json", fabric, [(0, 0, 1, 0), (0, 1, 0, 0), (0, 2, 3, 0)], [[1, "wait", 1, 0], [5, "delay", 9]])
    runs("waits.json")


def runs(path):
    status, out, err = run(FLITLOOM, "run", *path.split())
    check(status == 0 and "PASS" in out, f"{path}: status {status}: {err}{out}")


def classes():
    """Sends requests by one rule and replies by the other. On one lane they are refused, with the circle, and lock without the check,
    computed and on the RTL. With a lane for each of the two they finish."""
    traffic = "0.4*shift:1,1+0.3*shift:1,2+0.3*shift:2,1"
    words = ["--batch", "100", "--flits", "20", "--requests", "8,reply=20,rule=descending"]
    status, out, err = run(FLITLOOM, "sweep", "table-mesh:4x4", traffic, *words, "--link", "uart:/dev/null")
    check(status == 2, f"classes on a link that is none: status {status}: {err}")
    for link in ("model", "sim"):
        status, out, err = run(FLITLOOM, "sweep", "table-mesh:4x4", traffic, *words, "--link", link)
        check(status == 2 and not out and len(held(err)) >= 3 and "on fabric table-mesh:4x4v2 they cannot" in err, f"classes on {link}: status {status}: {err}")
        status, out, err = run(UNCHECKED, "sweep", "table-mesh:4x4", traffic, *words, "--link", link)
        check(status == 3 and "stuck: messages are under way" in err, f"unchecked classes on {link}: status {status}: {err}")
        status, out, err = run(FLITLOOM, "sweep", "table-mesh:4x4v2", traffic, *words, "--link", link)
        check(status == 0 and "pass" in out, f"classes on lanes of their own, {link}: status {status}: {err}")


# Four messages round four nodes: each message's second channel is the next one's first. On the cube by both rules.
RINGS = {
    "cube:2": ([(0, 3, 0), (1, 2, 1), (3, 0, 0), (2, 1, 1)], ["0->1 (dim 0)", "1->3 (dim 1)", "3->2 (dim 0)", "2->0 (dim 1)"]),
    "ring:4": ([(0, 2, 0), (1, 3, 0), (2, 0, 0), (3, 1, 0)], ["0->1 (+x)", "1->2 (+x)", "2->3 (+x)", "3->0 (+x)"]),
}
FABRICS = os.environ.get("FABRICS", " ".join(RINGS)).split()

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    if "FABRICS" not in os.environ:
        classes()
    for fabric in FABRICS:
        ring, circle = RINGS[fabric]
        write_plan("ring.json", fabric, [(0, *m) for m in ring])
        locks("ring.json", "pass 0", {channel: str(i) for i, channel in enumerate(circle)})
        write_plan("second.json", fabric, [(0, *ring[0])] + [(1, *m) for m in ring])
        locks("second.json", "pass 1", {channel: str(i + 1) for i, channel in enumerate(circle)})
        # Opposite messages share no channel. Three of the four share some, but close no circle.
        write_plan("apart.json", fabric, [(0, *ring[0]), (0, *ring[2]), (1, *ring[1]), (1, *ring[3])])
        runs("apart.json")
        write_plan("open.json", fabric, [(0, *m) for m in ring[:3]])
        runs("open.json")
        waits(fabric)
        # With two virtual channels on each link they do not wait for each other.
        if fabric == "ring:4":
            write_plan("two.json", "ring:4v2", [(0, *m) for m in ring])
            runs("two.json")
    # Tables of the user: label l leads from node l of the square 0, 1, 5, 4 round a corner, two links far.
    corners, ports = [0, 1, 5, 4], ["+x", "+y", "-x", "-y"]
    circle = ["0->1 (+x)", "1->5 (+y)", "5->4 (-x)", "4->0 (-y)"]
    with open("round.csv", "w") as file:
        file.write("node,label,port\n")
        for k in range(4):
            for step in range(3):
                file.write(f"{corners[(k + step) % 4]},{k},{'local' if step == 2 else ports[(k + step) % 4]}\n")
    with open("round.txt", "w") as file:
        file.writelines(f"{corners[k]},{corners[(k + 2) % 4]}\n" for k in range(4))
    with open("three.txt", "w") as file:
        file.writelines(f"{corners[k]},{corners[(k + 2) % 4]}\n" for k in range(3))
    status, out, err = run(FLITLOOM, "check", "table-mesh:4x4", "--tables", "round.csv")
    named = dict(re.findall(r"(\d+->\d+ \([^)]*\)) +held by a message with label (\d+)", out))
    check(status == 1 and named == {channel: str(k) for k, channel in enumerate(circle)}, f"check round.csv: status {status}: {out}{err}")
    by_tables = f"--tables round.csv --flits {FLITS}"
    locks(f"table-mesh:4x4 messages:round.txt {by_tables}", "pass 0", {channel: str(k) for k, channel in enumerate(circle)})
    runs(f"table-mesh:4x4 messages:three.txt {by_tables}")
    os.chdir("/")
print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] > 0)
