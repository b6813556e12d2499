#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests docs/agreement.md: each difference of more than 5% has a cause that the page explains, and the latencies by formula are
those of flitloom alone. BookSim2 takes the same lanes as flitloom, link by link, with the changes of tools/agreement_alike.py, and
that tool fails on a source that lacks the lines to change. BookSim2 itself is not needed. Ends in "N passed, N failed". """
import json
import os
import re
import subprocess
import sys

from command import HOME, check, main, output

sys.path.insert(0, HOME + "/tools")
from agreement_routes import flows, links_between, mean_hops, our_latency  # noqa: E402

ROWS = {"mesh 8x8": 48, "torus 8x8": 32, "8-cube": 48, "omega 64": 16}
FABRICS = ["mesh:8x8v4", "mesh:8x8v2", "cube:6v4", "cube:6v2", "torus:8x8v2", "torus:8x8v4"]
PROGRAM = """
#include <cstdio>
#include <cstdlib>
static int gK, gN, gNumVCs;
%s
int main(int, char ** a)
{
  gK = atoi(a[1]), gN = atoi(a[2]), gNumVCs = atoi(a[3]);
  for(int cur, dest, src, port; scanf("%%d %%d %%d %%d", &cur, &dest, &src, &port) == 4; ) {
    int first = 0, last = gNumVCs - 1;
    take_lane(cur, dest, src, port, atoi(a[4]), &first, &last);
    printf("%%d %%d\\n", first, last);
  }
}
"""


def percent(text):
    return float(text.rstrip("%"))


def table(page, network):
    """Returns the table's rows, as lists of cells."""
    part = re.search(rf"<!-- agreement.py: {network} -->\n(.*?)<!-- end -->", page, re.S)[1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()[3:] if line.startswith("| ")], part


def tables():
    with open(HOME + "/docs/agreement.md", encoding="utf-8") as file:
        page = file.read()
    explained = set(re.findall(r"^\*\*(\w+)\*\*:", page, re.M)) - {"open"}
    for network, rows in ROWS.items():
        found, part = table(page, network)
        left_out = re.search(r"^Not measured yet: (\d+) rows\.$", part, re.M)
        check(len(found) + int(left_out[1] if left_out else 0) == rows, f"{network}: {len(found)} rows of {rows}")
        for cells in found:
            name = f"{network} {cells[:3]}"
            pattern, buffers = cells[0], int(cells[2])
            loads, differs = [float(it) for it in cells[7:9]], percent(cells[9])
            check(abs(100 * (loads[1] / loads[0] - 1) - differs) <= 0.6 + 0.1 * (1 / loads[0] + loads[1] / loads[0]**2), f"{name}: {loads} differ by {differs}%")
            causes = [] if cells[13] == "none" else cells[13].split(", ")
            check(abs(differs) <= 5.5 if not causes else abs(differs) >= 4.5, f"{name}: {differs}% by {cells[13]}")
            check(set(causes) <= explained, f"{name}: {cells[13]} are not all among {sorted(explained)}")
            if causes and abs(percent(cells[12])) > 5.5:
                check(set(causes) - {"delays", "wiring"}, f"{name}: {cells[12]} with the same delays, and no cause of that")
            hops = mean_hops(network, pattern, 256 if network == "8-cube" else 64)
            check(abs(our_latency(hops, buffers, network == "torus 8x8") - float(cells[3])) <= 0.051, f"{name}: {cells[3]} cycles by formula")


def formula():
    """Checks the page's latency without contention: the model runs a single message between a few pairs."""
    for fabric, network, delay in (("mesh:8x8", "mesh 8x8", 0), ("torus:8x8v2", "torus 8x8", 1), ("cube:8", "8-cube", 0), ("omega:64", "omega 64", 0)):
        nodes = 256 if network == "8-cube" else 64
        pairs = list(flows("bit-reverse", nodes))
        spread = []
        for s, d in pairs[:: len(pairs) // 7]:
            words = ["run", fabric, "messages:-", "--link", "model", "--buffers", "4", *(["--link-delay", str(delay)] if delay else []), "--json"]
            report = json.loads(output(words, f"{s},{d},8\n"))
            spread.append((report["measured"]["cycles"], our_latency(links_between(network, s, d), 4, delay)))
        check(all(abs(got - want) < 1e-9 for got, want in spread), f"{fabric}: cycles and those of the formula: {spread}")


def lane_program():
    with open(HOME + "/tools/agreement_alike.py", encoding="utf-8") as file:
        parts = {}
        exec(file.read().rsplit("\nmain()", 1)[0], parts)  # noqa: S102
    with open("lane.cpp", "w", encoding="utf-8") as file:
        file.write(PROGRAM % parts["LANE"])
    done = subprocess.run(["g++", "-Wall", "-o", "lane", "lane.cpp"], capture_output=True, text=True)
    check(done.returncode == 0, done.stderr[:500])


def port_of(k, n, a, b):
    """Returns BookSim2's port from node a to its neighbour b: two ports a dimension, up first; in a 2-cube as a mesh both ends of a
    dimension."""
    for dim in range(n):
        x, y = a // k**dim % k, b // k**dim % k
        if x != y:
            return 2 * dim + ((y - x) % k != 1 if k > 2 else y < x)
    return 2 * n


def lanes():
    lane_program()
    for fabric in FABRICS:
        n_lanes = int(fabric[-1])
        k, n = (2, int(fabric[5:-2])) if fabric.startswith("cube") else (8, 2)
        output(["plan", fabric, "all-to-all", "--planner", "direct", "--certificate", "routes.json"])
        with open("routes.json", encoding="utf-8") as file:
            it = json.load(file)
        asked, ours = [], []
        for one in it["passes"]:
            for source, destination, taken, links in one["routes"]:
                for link, lane in zip(links, taken):
                    a, b = it["links"][link]
                    asked.append(f"{a} {destination} {source} {port_of(k, n, a, b)}\n")
                    ours.append(f"{lane} {lane}")
        done = subprocess.run(["./lane", str(k), str(n), str(n_lanes), str(int(fabric.startswith("torus")))], input="".join(asked), capture_output=True, text=True, env={**os.environ, "ALIKE": "lanes ends ties"})
        theirs = done.stdout.splitlines()
        wrong = [(q.strip(), a, b) for q, a, b in zip(asked, ours, theirs) if a != b]
        check(len(theirs) == len(ours) > 1000 and not wrong, f"{fabric}: {len(wrong)} of {len(ours)} lanes: {wrong[:3]}")
    free = subprocess.run(["./lane", "8", "2", "4", "1"], input="0 5 0 0\n5 5 0 4\n", capture_output=True, text=True, env={**os.environ, "ALIKE": ""})
    check(free.stdout == "0 3\n0 3\n", f"nothing is changed without ALIKE: {free.stdout}")
    ends = subprocess.run(["./lane", "8", "2", "4", "1"], input="0 5 0 0\n5 5 0 4\n", capture_output=True, text=True, env={**os.environ, "ALIKE": "ends"})
    check(ends.stdout == "0 3\n0 0\n", f"ends: {ends.stdout}")


def other_source():
    os.makedirs("src", exist_ok=True)
    for name in ("routefunc.cpp", "buffer_state.cpp"):
        with open("src/" + name, "w", encoding="utf-8") as file:
            file.write("int main() {}\n")
    done = subprocess.run([HOME + "/tools/agreement_alike.py", "src"], capture_output=True, text=True)
    check(done.returncode == 1 and "this is not the BookSim2 that it knows" in done.stderr and done.stderr.count("\n") == 1, f"another source: {done.returncode} {done.stderr}")


main(tables, formula, lanes, other_source)
