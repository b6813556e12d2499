#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests --flit-bits. On the RTL each message arrives whole, by payload and signature, in flits from the narrowest to the widest,
in as many cycles as with the usual flits, and the model agrees. Wider flits mean fewer flits for the bytes of programs.
Impossible widths are refused in one line. Every command runs with every kind of network that `flitloom list fabrics` names; the RTL
runs one kind for each sort of router.

usage: test_flit_bits.py [all]
all: on the RTL runs every kind. FLITLOOM: the command. Ends in "N passed, N failed".
"""
import json
import re
import sys

from command import HOME, check, document, main, output, refused, run
from kinds import fabrics

LEAST = {"cube:3": 10, "cube:2": 8, "mesh:8x8": 16, "torus:8x8v2": 17, "omega:8": 10, "ocs:4": 8, "otis-mesh:4v2": 13, "table-mesh:2x2v4": 13}
ON_RTL = (("mesh:2x2", 64), ("cube:2", 9), ("line:2", 512), ("line:2", 49), ("omega:4", 128), ("ocs:2", 96), ("table-mesh:2x2", 256))


def rows_of(words):
    output([*words, "--messages", "m.csv"])
    with open("m.csv", encoding="utf-8") as file:
        return file.read()


def widths():
    """Checks that narrower flits than the least are refused, and that between it and 512 messages take the cycles of usual flits."""
    for fabric, least in LEAST.items():
        line = refused(f"plan {fabric}f{least - 1} all-to-all", "are possible")
        check(f"{least} to 512 are possible" in line, f"{fabric}: {line}")
        refused(f"check {fabric} --flit-bits {least - 1}", f"{least} to 512")
        refused(f"sweep {fabric} uniform --load 0.1 --flit-bits {least - 1}", f"{least} to 512")
        usual = rows_of(["plan", fabric, "all-to-all", "--flits", "9"])
        for bits in (least, 33, 512):
            check(rows_of(["plan", fabric, "all-to-all", "--flits", "9", "--flit-bits", str(bits)]) == usual, f"{fabric}, {bits} bits")
    refused("plan cube:3 all-to-all --flit-bits 513", "1..512")
    refused("plan cube:3f513 all-to-all", "10 to 512")
    refused("plan cube:3f64 all-to-all --flit-bits 65", "by its name")
    refused("goal allreduce:ring 4 --flit-bits 64", "takes no --flit-bits")


def on_the_rtl():
    for fabric, bits in ON_RTL:
        words = ["run", f"{fabric}f{bits}", "all-to-all", "--flits", "20", "--planner", "direct", "--map", "identity"]
        if fabric.startswith(("omega", "ocs")):
            words = words[:5]
        computed = rows_of([*words, "--link", "model"])
        check("PASS" in output([*words, "--messages", "m.csv", "--trace-json", "t.json"]), f"{words}")
        with open("m.csv", encoding="utf-8") as file:
            check(file.read() == computed, f"{words}: as the model has it")
        with open("t.json", encoding="utf-8") as file:
            trace = json.load(file)
        check(trace["payload"]["flit_bits"] == bits and sum(trace["corrupt"]) == 0, f"{words}: {trace['payload']}")
        check(len({a["signature"] for a in trace["arrivals"]}) == len(trace["arrivals"]), f"{words}: signatures tell messages apart")
        usual = rows_of([words[0], fabric, *words[2:], "--link", "model"])
        check(usual == computed, f"{words}: the cycles of usual flits")


def loads():
    """Checks loads, batches and runs fed from a file: the same points, with bytes beside them."""
    words = "mesh:2x2 uniform --load 0.2 --flits 5 --warmup 200 --measure 800".split()
    points = []
    for link in ("model", "sim"):
        curve = document(["sweep", *words, "--flit-bits", "64", "--link", link])["curves"][0]
        point = curve["points"][0]
        check(curve["flit_bits"] == 64 and abs(point.pop("accepted_bytes") - 8 * point["accepted"]) < 1e-9, f"{link}: {point}")
        points.append(point)
    points.append(document(["sweep", *words])["curves"][0]["points"][0])
    check(points[0] == points[1] == points[2], f"{points}")
    check("a load of 1 is 8 bytes per cycle" in output(["sweep", *words, "--flit-bits", "64"]), "the table")
    batch = document("sweep mesh:2x2 uniform --batch 9 --flits 5 --flit-bits 48")["curves"][0]
    check(batch["flit_bits"] == 48 and batch["points"][0]["accepted_bytes"] == 6 * batch["points"][0]["accepted"], f"{batch}")


def in_bytes():
    """Checks that a program's bytes take as many flits as hold them, and a header."""
    for bits, flits in ((10, 9), (16, 5), (24, 4), (32, 3), (64, 2), (512, 2)):
        for words in (f"plan cube:3f{bits} allreduce:ring --bytes 64", f"plan cube:3 allreduce:ring --bytes 64 --flit-bits {bits}"):
            report = document(words)
            check(report["flits"] == flits * report["messages"] and report["flit_bits"] == bits, f"{words}: {report['flits']} flits")
    report = document("plan cube:3f64 allreduce:ring --bytes 64 --flit-bytes 4")
    check(report["flits"] == 3 * report["messages"], "--flit-bytes says otherwise")
    report = document("plan cube:3 allreduce:ring --bytes 64")
    check(report["flits"] == 3 * report["messages"] and "flit_bits" not in report and "flit_bits" not in report["request"], "nothing is said")
    check("flits of 64 bits" in output("plan cube:3f64 allreduce:ring"), "the table")


def without_width(done, bits):
    """Returns the output of a command, without the width and the request."""
    text = done.stdout
    if text.startswith("{"):
        report = json.loads(text)
        report.pop("request")
        text = json.dumps(report)
    text = re.sub(r'"(flit_bits|accepted_bytes)": [0-9.e+-]+, ', "", text)
    return tuple(re.sub(rf":?f{bits}\b", "", it) for it in (text, done.stderr))


ASKED = ("plan {} shift:1 --json", "run {} shift:1 --link model --json", "check {} --json", "sweep {} shift:1 --plan-only --json",
         "sweep {} shift:1 --load 0.1 --flits 4 --warmup 300 --measure 900 --json", "sweep {} shift:1 --batch 3 --flits 4 --json")


def router_of(fabric):
    """Returns the sort of the fabric's routers: the parameters of the RTL, and whether routers have tables or light."""
    words = output(["rtl", fabric, "--form", "parameters"]).split()
    return tuple(sorted(word if word.startswith(("TABLE=", "OTIS=")) else word.partition("=")[0] for word in words))


def every_kind():
    """Runs every command in the narrowest flits and in wide ones, and compares with usual ones. The RTL runs the plain form of each
    kind, or without `all` of each sort of router."""
    kinds, on_the_rtl_too = set(), set()
    for fabric, _ in fabrics(False):
        name = fabric.replace("graph:", f"graph:{HOME}/")
        least = int(re.search(r"(\d+) to 512 are possible", refused(f"plan {name} shift:1 --flit-bits 1", "are possible"))[1])
        for words in (it.format(name) for it in ASKED):
            usual = run(words)
            for bits in (least, 96):
                done = run(f"{words} --flit-bits {bits}")
                check(done.returncode == usual.returncode and without_width(done, bits) == without_width(usual, bits), f"{words}, {bits} bits: {done.stderr}{done.stdout[:300]}")
        kind = fabric.partition(":")[0]
        kinds.add(kind)
        sort = kind if "all" in sys.argv[1:] else router_of(name)
        if sort not in on_the_rtl_too:
            check("PASS" in output(f"run {name} shift:1 --link sim --flit-bits 96"), f"{name} on the RTL")
        on_the_rtl_too.add(sort)
    check(len(kinds) >= 20 and len(on_the_rtl_too) >= 5, f"{kinds}, {on_the_rtl_too}")


def plans_and_boards():
    """A plan keeps the width; a chip with another width is refused, and accepts a plan that gives none."""
    output("plan cube:1f64 all-to-all -o wide.json")
    output("plan cube:1 all-to-all -o usual.json")
    check("cube:1f64" in output("run wide.json --link model"), "a plan's file")
    refused("run wide.json --link model --flit-bits 64", "has settled that")
    line = refused("run wide.json --link sim-uart:cube:1 --timeout 60000", "bits", status=(2, 3))
    check(re.search(r"cube:1f64, with flits of 64 bits, but those of the chip have 32", line), line)
    check("PASS" in output("run usual.json --link sim-uart:cube:1 --timeout 60000"), "a plan that says none")
    chip = document("probe sim --fabric cube:1f64")
    check(chip["chip"]["flit_bits"] == 64 if "chip" in chip else chip["flit_bits"] == 64, f"{chip}")


main(widths, in_bytes, every_kind, plans_and_boards, on_the_rtl, loads)
