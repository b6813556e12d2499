#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# The parallel FFT of [Hou01], section 6.2, on the RTL, or computed: fft_table.py [small] [model]. Without `small` Table 2: 256 processors, 2^8 to 2^14
# points, e-cube without a map and with it, in Markdown, and every total that of tests/golden/000_wormhole.json to the cycle.
# small: 16 processors, both machines, other networks, held to what the parts take one by one.
# FLITLOOM: the program. Ends in "N passed, N failed".
import json
import math
import os
import pathlib
import subprocess
import sys

PROGRAM = os.environ.get("FLITLOOM", "build/flitloom")
LINK = "model" if "model" in sys.argv[1:] else "sim"
GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "000_wormhole.json"
CYCLE_US, SOFTWARE_US, BUTTERFLY_US, HALF_US, POINT_BYTES = 0.57, 164, 5.12, 4.47, 16

passed = failed = 0


def verdict(what, good):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("FAIL:", what, file=sys.stderr)


def ask(*words):
    done = subprocess.run([PROGRAM, "run", *words, "--link", LINK, "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip()[-300:], file=sys.stderr)
        return None
    return json.loads(done.stdout)


def fft(fabric, points, machine, *words):
    found = ask(fabric, "fft", "--stages", "--points", str(points), "--machine", machine, *words)
    name = f"{fabric}, {points} points, {machine}, {' '.join(words)}"
    verdict(name, found is not None and found["verdict"] == "pass" and found["late"] == 0)
    return found


def cycles(us):
    return math.ceil(us / CYCLE_US - 1e-9)


def sum_of_parts(fabric, dims, points, machine, map_name):
    """Computes the total if messages contend only within the bit reversal, which is run alone."""
    each = points >> dims
    local_stages = (each.bit_length() - 1) // 2
    flits = each * POINT_BYTES + 1
    alone = ask(fabric, "bit-reverse", "--machine", machine, "--map", map_name, "--flits", str(flits))
    computing = dims * cycles(each * HALF_US) + 2 * cycles(local_stages * each / 2 * BUTTERFLY_US)
    software = cycles(SOFTWARE_US)
    return software + alone["measured"]["cycles"] + dims * (software + flits + 2) + computing


def table():
    golden = json.loads(GOLDEN.read_text())["fft_no_barrier"]
    print("| points | computation | exchanges | bit reversal | with the map | total | with the map | speedup |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for d in range(4):
        points = 256 << 2 * d
        pair = [fft("cube:8", points, "paper", "--map", name) for name in ("identity", "best")]
        if None in pair:
            continue
        plain, mapped = (p["cycles"] for p in pair)
        verdict(f"{points} points, e-cube: {plain['total']}", plain["total"] == golden["total_cycles_ecube"][d])
        verdict(f"{points} points, mapped: {mapped['total']}", mapped["total"] == golden["total_cycles_mapping"][d])
        row = (points, plain["computation"], plain["exchanges"], plain["bit_reversal"], mapped["bit_reversal"],
               plain["total"], mapped["total"], f"{plain['total'] / mapped['total']:.2f}")
        print("|", " | ".join(str(cell) for cell in row), "|", flush=True)


def small():
    for points in (16, 64, 256):
        for machine in ("paper", "fast"):
            for name in ("identity", "best"):
                found = fft("cube:4", points, machine, "--map", name)
                wanted = sum_of_parts("cube:4", 4, points, machine, name)
                verdict(f"cube:4, {points} points, {machine}, {name}: {found and found['cycles']['total']}, not {wanted}",
                        found and found["cycles"]["total"] == wanted)
    # fft() also finishes where exchanges are not between neighbours, or all go from one switch to the next.
    for fabric in ("mesh:4x4", "omega:16"):
        fft(fabric, 64, "fast")


if not set(sys.argv[1:]) <= {"small", "model"}:
    sys.exit("usage: fft_table.py [small] [model]")
small() if "small" in sys.argv[1:] else table()
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
