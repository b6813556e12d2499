#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Compares routes of all pairs by `flitloom check --all-pairs` with those of OpenSM's engines LASH, DFSSSP and Nue, on the same
graphs in one run: usage

    routes_against_opensm.py FLITLOOM [GRAPH...]

Prints a row for each graph, in the order in which they are named: nodes and links; lanes and largest load (pairs of nodes on the
busiest channel between switches, all to all) of LASH and DFSSSP, and load of Nue with four lanes, counted in OpenSM's dump of its
forwarding tables; flitloom's lower bound and its load on one to four lanes. A row misses in any of these cases: one of its four
certificates is refused or has another load; flitloom needs more lanes than LASH and DFSSSP for a load as low as the best of the
three; even on four lanes its load is higher; up to 128 nodes its load is above 1.3 of the bound on two lanes. ibsim simulates the
fabric. Exit status 1: some row misses.
"""
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

LANES = (1, 2, 3, 4)
SIM = "/usr/lib/" + os.uname().machine + "-linux-gnu/umad2sim/libumad2sim.so"


def product(*factors):
    """The Cartesian product of (nodes, edges)."""
    n, edges = 1, []
    for m, own in factors:
        edges = [(a * m + k, b * m + k) for a, b in edges for k in range(m)] + [(v * m + a, v * m + b) for v in range(n) for a, b in own]
        n *= m
    return n, edges


def line(n):
    return n, [(k, k + 1) for k in range(n - 1)]


def ring(n):
    return n, line(n)[1] + ([(n - 1, 0)] if n > 2 else [])


def complete(n):
    return n, [(a, b) for a in range(n) for b in range(a)]


def twisted(x, y, z):
    """A torus whose z rings are entered shifted by half of z when x is gone round."""
    at = lambda a, b, c: (a * y + b) * z + c % z
    return x * y * z, [e for a in range(x) for b in range(y) for c in range(z) for e in (
        (at(a, b, c), at((a + 1) % x, b, c + (z // 2 if a == x - 1 else 0))), (at(a, b, c), at(a, (b + 1) % y, c)), (at(a, b, c), at(a, b, c + 1)))]


def dragonfly(a, h):
    """Groups of `a` routers with h links to other groups each, one link between each two groups."""
    groups = a * h + 1
    edges = [(g * a + i, g * a + j) for g in range(groups) for i in range(a) for j in range(i)]
    return groups * a, edges + [(g * a + k // h, (g + k + 1) % groups * a + (a * h - 1 - k) // h) for g in range(groups) for k in range(a * h) if g < (g + k + 1) % groups]


def slim_fly(q):
    """McKay, Miller and Siran's graph for a prime q = 4k + 1."""
    root = next(r for r in range(2, q) if len({pow(r, k, q) for k in range(q - 1)}) == q - 1)
    even, odd = ({pow(root, k, q) for k in range(first, q - 1, 2)} for first in (0, 1))
    inner = [(s * q * q + x * q + y, s * q * q + x * q + (y + d) % q) for s, own in ((0, even), (1, odd)) for x in range(q) for y in range(q) for d in own]
    return 2 * q * q, [(a, b) for a, b in inner if a < b] + [(x * q + y, q * q + m * q + c) for x in range(q) for y in range(q) for m in range(q) for c in range(q) if y == (m * x + c) % q]


def connected(n, edges):
    near = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    seen, todo = {0}, [0]
    while todo:
        for v in near.get(todo.pop(), []):
            if v not in seen:
                seen.add(v)
                todo.append(v)
    return len(seen) == n


def regular(n, degree, seed):
    rng = random.Random(seed)
    while True:
        ends = [v for v in range(n) for _ in range(degree)]
        rng.shuffle(ends)
        pairs = list(zip(ends[::2], ends[1::2]))
        for _ in range(100 * len(pairs)):  # exchanges ends until no link is doubled or leads back
            names = [frozenset(p) for p in pairs]
            bad = next((i for i, s in enumerate(names) if len(s) < 2 or names.count(s) > 1), None)
            if bad is None:
                break
            k = rng.randrange(len(pairs))
            pairs[bad], pairs[k] = (pairs[bad][0], pairs[k][1]), (pairs[k][0], pairs[bad][1])
        if bad is None and connected(n, pairs):
            return n, pairs


def damaged(graph, percent, seed):
    """The same without some links; it stays connected."""
    n, edges = graph
    rng = random.Random(seed)
    while True:
        left = rng.sample(edges, len(edges) - max(1, round(len(edges) * percent / 100)))
        if connected(n, left):
            return n, left


def fat_tree(k, n):
    """A k-ary n-tree: k^n hosts, then n levels of k^(n-1) switches, which are numbered from the hosts on."""
    per_level = k ** (n - 1)
    at = lambda level, w: k**n + level * per_level + w
    edges = [(host, at(0, host // k)) for host in range(k**n)]
    for level in range(n - 1):
        step = k**level  # a link to each switch of the next level that differs in this digit alone
        edges += [(at(level, w), at(level + 1, w - w // step % k * step + d * step)) for w in range(per_level) for d in range(k)]
    return k**n, edges


def whole_graphs():
    two = lambda k: product(*[line(2)] * k)
    torus = lambda *sides: product(*map(ring, sides))
    hyperx = lambda *sides: product(*map(complete, sides))
    yield from (("6-cube", two(6)), ("mesh 8x8", product(line(8), line(8))), ("torus 8x8", torus(8, 8)), ("torus 4x4x8, twisted", twisted(4, 4, 8)),
                ("random 64, degree 4", regular(64, 4, 1)), ("dragonfly a=4 h=2", dragonfly(4, 2)), ("8-cube", two(8)), ("torus 16x16", torus(16, 16)),
                ("random 256, degree 4", regular(256, 4, 1)), ("Slim Fly q=5", slim_fly(5)), ("HyperX 4x4x4", hyperx(4, 4, 4)), ("HyperX 5x5", hyperx(5, 5)),
                ("HyperX 3x4x5", hyperx(3, 4, 5)), ("fat tree 2-ary 3", fat_tree(2, 3)), ("fat tree 4-ary 2", fat_tree(4, 2)), ("fat tree 4-ary 3", fat_tree(4, 3)),
                ("dragonfly a=8 h=4", dragonfly(8, 4)), ("ring 8", ring(8)), ("ring 16", ring(16)), ("ring 32", ring(32)), ("5-cube", two(5)), ("mesh 6x9", product(line(6), line(9))),
                ("torus 5x7", torus(5, 7)), ("torus 10x10", torus(10, 10)), ("torus 3x4x5", torus(3, 4, 5)), ("torus 4x4x4", torus(4, 4, 4)), ("torus 6x6x6", torus(6, 6, 6)),
                ("torus 8x16", torus(8, 16)), ("torus 4x4x4, twisted", twisted(4, 4, 4)))
    sizes = ((64, 3), (64, 5), (96, 4), (100, 4), (128, 4), (128, 5), (64, 6), (72, 4), (80, 3), (80, 5), (96, 3), (96, 6), (112, 4), (128, 3), (128, 6), (144, 4), (160, 5), (192, 4), (200, 5), (256, 6))
    for seed, (n, degree) in enumerate(sizes, 2):
        yield f"random {n}, degree {degree}", regular(n, degree, seed)


DAMAGED = ("6-cube", "mesh 8x8", "torus 8x8", "dragonfly a=4 h=2", "random 64, degree 4", "HyperX 4x4x4", "Slim Fly q=5", "torus 3x4x5", "torus 4x4x4", "mesh 6x9")


def graphs():
    """49 whole ones, and ten of these without 1 to 10% of their links."""
    whole = dict(whole_graphs())
    yield from whole.items()
    for name in DAMAGED:
        for percent in range(1, 11):
            yield f"{name} without {percent}%", damaged(whole[name], percent, percent)


# --- OpenSM ------------------------------------------------------------------------------------------------------------


def write_net(path, n, edges):
    """Each node is a switch with a host at its port 1; or, where there are nodes from n on, which are switches alone, the first n are hosts."""
    n_all = max(n, max(map(max, edges)) + 1)
    has_switches = n_all > n
    ports = [[] for _ in range(n_all)]
    first = [1 if has_switches else 2] * n_all
    for a, b in edges:
        ports[a].append((b, len(ports[b]) + first[b]))
        ports[b].append((a, len(ports[a]) + first[a] - 1))
    name = lambda v: f"H{v}" if has_switches and v < n else f"S{v}"
    with open(path, "w", encoding="utf-8") as it:
        for v, own in enumerate(ports):
            links = "".join(f"[{p}] \"{name(w)}\"[{q}]\n" for p, (w, q) in enumerate(own, first[v]))
            if has_switches and v < n:
                it.write(f"Hca {len(own)} \"H{v}\"\n{links}\n")
            else:
                it.write(f"Switch {len(own) + first[v] - 1} \"S{v}\"\n" + ("" if has_switches else f"[1] \"H{v}\"[1]\n") + links + "\n")
        for v in range(0 if has_switches else n):
            it.write(f"Hca 1 \"H{v}\"\n[1] \"S{v}\"[1]\n\n")
    return ports


def load_of(dump, ports, n):
    """Follows all pairs of hosts through the forwarding tables; None: some pair has no way."""
    table, host, at = {}, {}, None
    first = 1 if len(ports) > n else 2
    for text in dump.splitlines():
        if text.startswith("Unicast lids"):
            at = int(re.search(r"\('S(\d+)'\)", text)[1])
        elif text.startswith("0x"):
            lid, port, name = re.match(r"(0x\w+) (\d+) # .*'(\w+)'", text).groups()
            table[at, int(lid, 16)] = int(port)
            if name[0] == "H":
                host[int(name[1:])] = int(lid, 16)
    load = {}
    for source in range(n):
        for destination in range(n):
            at, hops = source, 0
            while at != destination and hops <= len(ports):
                port = 1 if first == 1 and at < n else table.get((at, host.get(destination)), 0)
                if port < first:
                    return None
                load[at, port] = load.get((at, port), 0) + 1
                at, hops = ports[at][port - first][0], hops + 1
            if at != destination:
                return None
    return max(load.values())


def opensm(folder, ports, n, engine, *options):
    """(lanes, largest load); None where it finds no routes."""
    sim = subprocess.Popen(["ibsim", "-N", "4096", "-S", "2048", "-P", "100000", "-s", folder + "/net"],  # it takes 256 switches and 13000 ports if nothing is said
                           stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    time.sleep(1)
    for name in os.listdir(folder):
        if name.startswith("opensm"):
            os.remove(f"{folder}/{name}")
    try:
        subprocess.run(["opensm", "-R", engine, *options, "-o", "-D", "0x43", "-f", folder + "/opensm.log", "-t", "100"], timeout=300, check=False,
                       env={**os.environ, "OSM_TMP_DIR": folder, "LD_PRELOAD": SIM}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(folder + "/opensm.log", encoding="utf-8", errors="replace") as it:
            log = it.read()
        with open(folder + "/opensm-lfts.dump", encoding="utf-8") as it:
            dump = it.read()
    except (OSError, subprocess.TimeoutExpired):
        return None, None
    finally:
        sim.kill()
        sim.wait()
    if re.search(r"(lash|dfsssp|nue)\w*: ERR", log):  # it goes on by another engine
        return None, None
    lanes = {"lash": r"Lanes in layer (\d+)", "dfsssp": r"(\d+)\. lane:"}.get(engine)
    numbers = [int(k) for k in re.findall(lanes, log)] if lanes else []
    return (max(numbers) + 1 if numbers else 1), load_of(dump, ports, n)


# --- The table ---------------------------------------------------------------------------------------------------------


def is_certified(folder, lanes, load):
    """Returns true if the checker accepts the routes on these lanes, and counts the load that flitloom reported."""
    done = subprocess.run([os.path.dirname(os.path.abspath(__file__)) + "/check_certificate.py", f"{folder}/{lanes}.json", folder + "/graph.txt"], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.endswith(f" {lanes} lanes, {load} routes on the busiest link\n")


def compare(flitloom, name, graph, folder):
    n, edges = graph
    with open(folder + "/graph.txt", "w", encoding="utf-8") as it:
        it.write("".join(f"switch: {v}\n" for v in range(n, max(map(max, edges)) + 1)) + "".join(f"{a} {b}\n" for a, b in edges))
    ports = write_net(folder + "/net", n, edges)
    lash, dfsssp, nue = opensm(folder, ports, n, "lash"), opensm(folder, ports, n, "dfsssp"), opensm(folder, ports, n, "nue", "--nue_max_num_vls", "4")
    began = os.times().children_user
    ours = [json.loads(subprocess.run([flitloom, "check", f"graph:{folder}/graph.txt", "--all-pairs", "--lanes", str(lanes), "--json", "--certificate", f"{folder}/{lanes}.json"],
                                      capture_output=True, text=True, check=True).stdout) for lanes in LANES]
    seconds = os.times().children_user - began
    missed = [f"certificate of {lanes} lanes" for lanes, it in zip(LANES, ours) if not is_certified(folder, lanes, it["largest_load"])]
    rows, bound = list(itertools.accumulate((it["largest_load"] for it in ours), min)), ours[0]["lower_bound"]  # more lanes can do what fewer do
    best = min((load for _, load in (lash, dfsssp, nue) if load), default=None)
    fewest = min((lanes for lanes, load in (lash, dfsssp) if load), default=99)
    room = 1 if name.startswith("Slim Fly") else 0  # shortest routes there are nearly unique
    lanes = next((k for k, load in enumerate(rows, 1) if best is None or load <= best + room), None)
    if lanes is None or lanes > fewest:
        missed.append("lanes" if lanes else "load")
    if n <= 128 and rows[1] > 1.3 * bound:
        missed.append("1.3 of the bound")
    show = lambda it: f"{it[0]} / {it[1]}" if it[1] else "none"
    print(f"| {name} | {n} | {len(edges)} | {show(lash)} | {show(dfsssp)} | {nue[1] or 'none'} | {bound} | {' | '.join(str(load) for load in rows)} | {seconds:.1f} | {', '.join(missed) or 'met'} |", flush=True)
    return not missed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if subprocess.run(["pgrep", "-x", "ibsim"], capture_output=True).returncode == 0:
        sys.exit("routes_against_opensm.py: an ibsim is running already; OpenSM would talk to that one")
    graph = dict(graphs())
    wanted, good = sys.argv[2:] or list(graph), 0
    unknown = [name for name in wanted if name not in graph]
    if unknown:
        sys.exit(f"routes_against_opensm.py: \"{unknown[0]}\": no such graph; there are {', '.join(graph)}")
    print("| graph | nodes | links | LASH, lanes / load | DFSSSP | Nue, 4 lanes | lower bound | 1 lane | 2 | 3 | 4 | s | |\n|" + " --- |" * 13)
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            good += compare(os.path.abspath(sys.argv[1]), name, graph[name], folder)
    print(f"\n{good} of {len(wanted)} met")
    sys.exit(good < len(wanted))


main()
