# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Sweeps of every kind and all their outputs, for the tests of journals and of MPI."""
import os
import subprocess

from command import FLITLOOM, check

SHORT = "--warmup 300 --measure 900 --flits 4"
SWEEPS = {
    "loads": f"sweep cube:3,mesh:3x3 uniform --load 0.1:0.5:0.1 {SHORT}",
    "highest": f"sweep cube:3,ring:4v2 hotspot:1 --load max {SHORT}",
    "seeds": f"sweep cube:3 uniform --load 0.1:0.4:0.3 --seeds 3 {SHORT}",
    "warm-up": "sweep cube:3 uniform --load 0.2:0.4:0.2 --seeds 2 --measure 900 --flits 4",
    "precision": f"sweep cube:3,cube:2 uniform --load 0.2:0.4:0.2 --precision 5% {SHORT}",
    "by": f"sweep cube:3 uniform --load 0.1:0.3:0.1 --by flow --seeds 2 {SHORT}",
    "channels": f"sweep cube:3,mesh:2x3 uniform --load 0.2 --by channel --window 100 {SHORT}",
    "requests": f"sweep cube:3 uniform --load 0.1:0.2:0.1 --requests 2,reply=3 --show split,fairness {SHORT}",
    "batch": "sweep cube:3,torus:3x3v2 uniform --batch 20 --flits 3 --seeds 2",
    "machines": f"sweep cube:3 bit-reverse --load 0.1:0.3:0.2 --machine fast,paper {SHORT}",
    "planners": f"sweep table-mesh:3x3v2 uniform --load 0.1:0.3:0.2 --planner direct,reroute,all-pairs {SHORT}",
    "lengths": "sweep cube:3 uniform --load 0.1:0.3:0.2 --flits 2-5:0.5,9:0.5 --arrivals burst:10:30 --warmup 300 --measure 900",
    "failures": f"sweep mesh:4x4 uniform --load 0.1 --fail 0:10%:5% --seeds 2 {SHORT}",
    "rules": f"sweep mesh:3x3 uniform --load 0.1:0.3:0.2 --rule ascending,west-first,odd-even {SHORT}",
    "on the RTL": f"sweep cube:3,mesh:3x3 uniform --load 0.1:0.2:0.1 --seeds 2 --link sim {SHORT}",
    "checked": f"sweep cube:3 uniform --load 0.1:0.3:0.1 --check-on sim:2 {SHORT}",
    "dark times": "sweep ocs:4,cube:2 uniform:9 --dark 0:10:5 --seeds 2 --flits 3:6",
    "sizes": "sweep cube,omega fft --nodes 2:32 --flits 4:16",
    "sizes, seeds": "sweep cube:4,mesh:4x4,ring:8 uniform:20 --seeds 3 --planner greedy,direct",
    "left out": "sweep cube:3,mesh:3x3,cube:4 transpose --flits 4:8",
}


def outputs(words, more=(), program=(FLITLOOM,)):
    """Returns all outputs of a sweep, as bytes."""
    by = ["--by-csv", "by.csv"] if "--by" in words else []
    files = ["rows.csv", *by[1:]]
    done = subprocess.run([*program, *words.split(), "--json", "--csv", "rows.csv", *by, *more], capture_output=True, text=True, timeout=300)
    check(done.returncode == 0, f"{words} {more}: status {done.returncode}: {done.stderr[:300]}")
    said = [done.stdout]
    for name in files:
        with open(name, encoding="utf-8") as it:
            said.append(it.read())
        os.remove(name)
    return said


def results(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".json"))
