#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests plans of circuit switches: tools/check_circuits.py accepts their schedules and the proofs of their bounds, and finds errors
in them. Also figures of reports, files of schedules, demands as patterns, and refused demands. """
import copy
import json
import os
import struct
import subprocess
import sys

from command import HOME, check, document, main, output, refused

CHECKER = os.path.join(HOME, "tools/check_circuits.py")
MATRIX = "0,3,0,1\n2,0,0,0\n0,1,0,40\n5,0,0,0\n"
PLANS = [
    "ocs:4 matrix:m.csv",
    "ocs:4 matrix:m.npy --flit-bytes 4",
    "ocs:16 demand:skew:3,6,500 --dark 0",
    "ocs:16 demand:skew:3,6,500 --dark 40",
    "ocs:9 demand:moe:16,2,5,100 --planner solstice",
    "ocs:9 demand:moe:16,2,5,100 --planner birkhoff",
    "ocs:9 demand:moe:16,2,5,100 --planner eclipse",
    "ocs:12 uniform:40 --planner rotor",
    "ocs:12 uniform:40 --planner rotor --relay",
    "ocs:16 all-to-others --flits 2 --dark 60 --relay",
    "ocs:8x3 demand:complement+3*skew:2,2,70",
    "ocs-benes:8x2 demand:complement+3*skew:2,2,70",
    "ocs:8x2 random-perm --relay --planner rotor",
    "ocs:8 demand:goal:ring.goal+2*stencil2d:2x4 --bytes 100",
]
BAD = [
    ("0,nan\n1,0\n", "is not a number of 0 or more"),
    ("0,-1\n1,0\n", "is not a number of 0 or more"),
    ("0,inf\n1,0\n", "is not a number of 0 or more"),
    ("0,1.5\n1,0\n", "row 0, column 1: 1.5 is not a whole number of flits"),
    ("0,1,2\n1,0,2\n", "has more than 2 numbers"),
    ("0,1\n", "1 rows; the network has 2 nodes"),
    ("0\n1,0\n", "row 0 has 1 numbers of 2"),
    ("0,1\n1,0\n0,0\n", "more than 2 rows"),
    ("0,2147483649\n1,0\n", "2^31"),
    ("0,1e300\n1,0\n", "2^31"),
    ("0,0\n0,0\n", "no processor sends anything"),
    ("", "rows"),
]
REFUSED = [
    ("ocs:3 matrix:sums.csv", "node 0 sends 4000000000 flits in all; 2^31 are the most"),
    ("mesh:2x2 demand:0*transpose", "\"0\" is not a factor"),
    ("mesh:2x2 demand:transpose+2*demand:transpose", "a sum in a sum"),
    ("mesh:2x2 demand:moe:8", "is not moe:EXPERTS,TOP,SEED[,TOKENS]"),
    ("mesh:2x2 demand:moe:8,9,1", "9 experts of a token"),
    ("mesh:2x2 demand:skew:1,2", "is not skew:LARGE,SMALL,FLITS"),
    ("mesh:2x2 demand:skew:0,2,9", "0 large flows"),
    ("mesh:2x2 demand:nothing", "unknown pattern \"nothing\""),
    ("mesh:2x2 matrix:m.csv --flits 5", "says itself how long its messages are"),
    ("mesh:2x2 matrix:m.csv --bytes 5", "says itself how many there are"),
    ("mesh:2x2 matrix:m.csv --calc-cycles 5", "there are no computations"),
    ("mesh:2x2 demand:transpose --flit-bytes 4", "have flits"),
    ("cube:2 matrix:m.txt", "m.txt: cannot be read"),
]


def files():
    with open("m.csv", "w", encoding="utf-8") as it:
        it.write(MATRIX)
    with open("sums.csv", "w", encoding="utf-8") as it:
        it.write("0,2000000000,2000000000\n0,0,0\n0,0,0\n")
    rows = [int(x) for x in MATRIX.replace("\n", ",").split(",") if x]
    header = "{'descr': '<i8', 'fortran_order': False, 'shape': (4, 4), }".ljust(117) + "\n"
    with open("m.npy", "wb") as it:
        it.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<16q", *rows))
    with open("ring.goal", "w", encoding="utf-8") as it:
        it.write("num_ranks 4\n" + "".join(f"rank {r} {{\na: send {10 * r + 8}b to {(r + 1) % 4}\nb: recv {10 * ((r + 3) % 4) + 8}b from {(r + 3) % 4}\n}}\n" for r in range(4)))


def is_good(certificate):
    with open("spoilt.json", "w", encoding="utf-8") as it:
        json.dump(certificate, it)
    return subprocess.run([sys.executable, CHECKER, "spoilt.json"], capture_output=True, check=False).returncode == 0


def spoil(certificate):
    """Makes copies of the certificate, each with one error."""
    def spoilt(change):
        it = copy.deepcopy(certificate)
        change(it)
        return it

    first = next(on for on, slots in enumerate(certificate["slots"]) if slots)
    yield "bound", spoilt(lambda it: it.update(bound=it["makespan"] + 1))
    yield "makespan", spoilt(lambda it: it.update(makespan=it["makespan"] - 1))
    yield "demand", spoilt(lambda it: it["demand"][0].__setitem__(1, it["demand"][0][1] + 1))
    yield "cycles", spoilt(lambda it: it["slots"][first][0].update(cycles=it["slots"][first][0]["cycles"] - 1))
    yield "matching", spoilt(lambda it: it["slots"][first][0].update(to=[0] * it["nodes"]))
    yield "parcel", spoilt(lambda it: it["parcels"].pop())
    yield "light", spoilt(lambda it: it["proof"][0].update(light=it["proof"][0]["light"] + 10 ** 6))
    yield "step", spoilt(lambda it: it["proof"].pop(0))
    yield "last step", spoilt(lambda it: it["proof"].pop())
    yield "step's cycles", spoilt(lambda it: (it["proof"][-1].update(cycles=10 ** 9), it.update(bound=it["bound"])))


def test_certificates():
    files()
    for words in PLANS:
        report = document(f"plan {words} --certificate c.json")
        with open("c.json", encoding="utf-8") as it:
            certificate = json.load(it)
        circuits = report["circuits"]
        check(is_good(certificate), f"{words}: the checker refuses it")
        check(circuits["makespan"] == certificate["makespan"] and circuits["bound"] == certificate["bound"], f"{words}: figures differ")
        check(circuits["makespan"] + 1 == report["predicted"]["cycles"] or "planner rotor" in words or "solstice" in words, f"{words}: {circuits['makespan']} cycles and {report['predicted']['cycles']}")
        check(circuits["demand_flits"] == sum(map(sum, certificate["demand"])), f"{words}: flits")
        for what, wrong in spoil(certificate):
            check(not is_good(wrong), f"{words}: the checker takes a wrong {what}")


def test_files():
    files()
    output("plan ocs:4 matrix:m.csv -o s.csv")
    output("plan ocs:4 matrix:m.csv -o s.txt")
    with open("s.csv", encoding="utf-8") as it:
        check(it.read() == "begin,cycles,node0,node1,node2,node3\n0,40,1,-1,3,0\n40,10,-1,-1,-1,-1\n50,2,3,0,1,-1\n", "schedule as CSV")
    with open("s.txt", encoding="utf-8") as it:
        check(it.read() == "1 -1 3 0\n-1 -1 -1 -1\n3 0 1 -1\n", "schedule as a matrix")


def lead(settings, line):
    """Returns the receiver to which the 2x2 switches lead a sender, as docs/ocs.md numbers them."""
    bits = (len(settings) + 1) // 2
    for s, stage in enumerate(settings):
        bit = s if s < bits else 2 * bits - 2 - s
        line ^= int(stage[line >> bit + 1 << bit | line & (1 << bit) - 1]) << bit
    return line


def test_2x2():
    """Checks that settings lead each sender's light to the receiver that the slot names; all else is as with crossbars."""
    for words in ("8 demand:skew:2,3,200 --dark 5", "16 all-to-all --flits 20", "4x2 uniform:30", "2 shift:1", "64 demand:moe:64,2,1,60 --planner solstice", "16 random-perm --planner rotor --relay"):
        report, mirrors = document(f"plan ocs-benes:{words}"), document(f"plan ocs:{words}")
        it = report["circuits"]
        n = report["nodes"] // it["switches"]
        turns = 0
        for slots in it["slots"]:
            before = None
            for slot in slots:
                now = slot.pop("settings")
                check(len(now) == it["stages"] == 2 * (n.bit_length() - 1) - 1 and all(len(stage) == n // 2 for stage in now), f"{words}: stages {now}")
                leads = [lead(now, p) for p in range(n)]
                check(sorted(leads) == list(range(n)) and all(to in (None, leads[p]) for p, to in enumerate(slot["to"])), f"{words}: {slot} goes {leads}")
                turns += sum(a != b for a, b in zip("".join(now), "".join(before or now)))
                before = now
        check(it.pop("turns") == turns and it.pop("stages") > 0, f"{words}: turns, not {turns}")
        check(it == mirrors["circuits"] and report["predicted"] == mirrors["predicted"], f"{words}: other than with mirrors")


def flits(words):
    return document(f"plan {words} --json")["flits"]


def test_demands():
    files()
    check(flits("mesh:2x2 matrix:m.csv") == 52 and flits("cube:2 matrix:m.npy") == 52, "a matrix on other networks")
    check(flits("cube:2 matrix:m.csv --flit-bytes 4") == sum((b + 3) // 4 + 1 for b in (3, 1, 2, 1, 40, 5)), "a matrix of bytes")
    check(flits("cube:2 demand:3*matrix:m.csv+2*complement --flits 7") == 3 * 52 + 2 * 4 * 7, "a sum")
    check(flits("cube:4 demand:skew:2,3,100") == 1600, "skew")
    check(flits("cube:4 demand:moe:32,2,9,50") <= 16 * 50 * 2 and flits("cube:4 demand:moe:32,2,9,50") > 16 * 50, "moe")
    check(output("plan cube:4 demand:moe:32,2,9 --json") != output("plan cube:4 demand:moe:32,2,8 --json"), "moe's seed")
    check(flits("cube:2 demand:goal:ring.goal --flit-bytes 2") == sum((10 * r + 9) // 2 + 1 for r in range(4)), "GOAL")
    check(document("run cube:2 demand:2*matrix:m.csv --link model --json")["verdict"] == "pass", "a demand is run")


def test_refused():
    files()
    for text, what in BAD:
        with open("bad.csv", "w", encoding="utf-8") as it:
            it.write(text)
        refused("plan ocs:2 matrix:bad.csv", what)
    for words, what in REFUSED:
        refused(f"plan {words}", what)


if __name__ == "__main__":
    main(test_certificates, test_files, test_2x2, test_demands, test_refused)
