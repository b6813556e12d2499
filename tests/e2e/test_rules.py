#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests `flitloom check --rule` where routers choose, on all networks of up to 36 nodes and on larger ones. Its sets of lanes are
those of the rules' authors (choosing_rules.py), and there is no circle where a slow search finds none. The certificate is
accepted, and with one change it is not. A rule with one turn too many is refused with a circle that a reader can follow; so are
random turns, on meshes and graphs, if the slow search finds a circle.

LOOM_MOST: nodes of the largest network of which all sizes are taken (36).
"""
import itertools
import json
import os
import random
import re
import subprocess
import sys

from choosing_rules import Network, Shortest, has_circle, rule_of, waits_behind
from command import HOME, check, document, main, output, refused, run

CHECKER = HOME + "/tools/check_rule_certificate.py"
MOST = int(os.environ.get("LOOM_MOST", "36"))
TURN_RULES = "negative-first", "west-first", "north-last"


def believed(path):
    done = subprocess.run([CHECKER, path], capture_output=True, text=True)
    check(done.returncode in (0, 1) and not done.stderr, f"the checker ends with {done.returncode}: {done.stderr[:300]}")
    return done.returncode == 0


def boxes(dims, least=2):
    """Returns the extents of all networks of `dims` dimensions, up to MOST nodes."""
    for extent in itertools.product(range(least, MOST // least ** (dims - 1) + 1), repeat=dims):
        n = 1
        for x in extent:
            n *= x
        if n <= MOST:
            yield "x".join(map(str, extent))


def networks():
    """Returns networks, each with the rules that are defined on it."""
    for n in range(1, 7):
        yield f"cube:{n}", TURN_RULES
        yield f"cube:{n}v{2 + n % 2}", ("duato",)
    for n in *range(2, 20), 33, 64:
        yield f"line:{n}", TURN_RULES
        yield f"line:{n}v2", ("duato",)
        yield f"ring:{n}v{2 if n <= 4 else 3}", ("duato",)
    for size in boxes(2):
        yield f"mesh:{size}", (*TURN_RULES, "odd-even")
    for size in (*boxes(3), "2x2x2x2", "2x3x2x2", "2x2x2x2x2"):
        yield f"mesh:{size}", TURN_RULES
    for size in ("2x2", "3x4", "4x3", "5x5", "8x8", "2x3x4", "4x4x4"):
        yield f"mesh:{size}v2", ("duato", "west-first")
    for size in ("2x2", "3x4", "4x4", "2x4x4", "4x4x4"):
        yield f"torus:{size}v2", ("duato",)
    for size in ("2x5", "5x2", "4x5", "5x5", "6x5", "8x8", "3x3x5", "2x5x6"):
        yield f"torus:{size}v{3 + len(size) // 4}", ("duato",)


def lanes_of(net, u, mask):
    """Returns a set of a certificate as (way, lane)."""
    ends, out = net.ends(u), set()
    for bit in range(mask.bit_length()):
        if mask >> bit & 1:
            d, sign, _ = ends[bit // net.lanes]
            # A link of a cube leads both ways: up where the bit is 0.
            out.add(((d, sign), bit % net.lanes))
    return out


def same_sets(net, rule, it):
    """Walks through the certificate's states and the definition's side by side."""
    escapes = it["escapes"]
    for at in it["messages"]:
        rule.turn_to(at["to"])
        states, place_of = at["states"], {state[0]: i for i, state in enumerate(at["states"])}
        todo = [(rule.start(states[place][0]), place) for place in at["starts"]]
        seen = set(todo)
        while todo:
            state, place = todo.pop()
            u, mask = states[place][:2]
            if lanes_of(net, u, mask) != set(rule.lanes(state)) or lanes_of(net, u, states[place][2] if escapes else mask) != set(rule.waits(state)):
                return f"at {u} to {at['to']}: {lanes_of(net, u, mask)}, and by definition {set(rule.lanes(state))}"
            links = sorted({bit // net.lanes for bit in range(mask.bit_length()) if mask >> bit & 1})
            for k, behind in enumerate(links):
                d, sign, v = net.ends(u)[behind]
                if v == at["to"]:
                    continue
                follow = states[place][2][k] if not escapes and len(states[place]) > 2 else place_of[v]
                after = next(to for (way, _), to in rule.lanes(state).items() if way == (d, sign))
                if (after, follow) not in seen:
                    seen.add((after, follow))
                    todo.append((after, follow))
    return None


def test_sets():
    """Tests all networks: sets, circles, certificates."""
    n = 0
    for fabric, rules in networks():
        net = Network(fabric)
        for name in rules:
            what = f"check {fabric} --rule {name}"
            it = document(f"{what} --certificate c.json")
            if not it:
                continue
            rule = rule_of(name, net)
            check(it["deadlock_free"] and not it["circle"] and it["detour"] == 0 and it["stuck"] is None, f"{what}: {it}")
            check(it["longest"] == max(net.far(0, v) for v in range(len(net.at))) or not net.wraps, f"{what}: longest {it['longest']}")
            with open("c.json", encoding="utf-8") as file:
                certificate = json.load(file)
            differs = same_sets(net, rule, certificate)
            check(differs is None, f"{what}: {differs}")
            if len(net.at) <= 16 or n % 9 == 0:
                check(not has_circle(waits_behind(rule, len(net.at))), f"{what}: the slow search finds a circle")
                check(believed("c.json"), f"{what}: its certificate is not believed")
            n += 1
    check(n > 250, f"{n} networks and rules")


def test_certificates():
    """Checks that certificates with one change are not accepted."""
    rng = random.Random(31)
    for fabric, name in ("mesh:3x4", "west-first"), ("mesh:4x4", "odd-even"), ("cube:3v2", "duato"), ("torus:5x2v3", "duato"), ("cube:4", "p-cube"):
        output(f"check {fabric} --rule {name} --certificate c.json")
        with open("c.json", encoding="utf-8") as file:
            text = file.read()
        for _ in range(12):
            it = json.loads(text)
            at = rng.choice(it["messages"])
            state = rng.choice(at["states"])
            kind = rng.randrange(5)
            if kind == 0:  # the highest number of a lane that is followed by another
                leaving = [[k for k, link in enumerate(it["links"]) if link[0] == u] for u in range(len(it["nodes"]))]
                places = [(leaving[u][bit // it["lanes"]], bit % it["lanes"]) for u, mask, *_ in at["states"] for bit in range(64) if mask >> bit & 1]
                k, lane = rng.choice([(k, lane) for k, lane in places if it["numbers"][k][lane] is not None and it["links"][k][1] != at["to"]])
                it["numbers"][k][lane] = 10 ** 6
            elif kind == 1:
                state[1] = 0
            elif kind == 2:
                at["states"].pop(rng.randrange(len(at["states"])))
            elif kind == 3:
                at["starts"].pop()
            else:
                it["messages"].pop()
            with open("wrong.json", "w", encoding="utf-8") as file:
                json.dump(it, file)
            check(not believed("wrong.json"), f"{fabric}, {name}: a certificate with change {kind} is believed")


# --- Turns of the user's own ---


def walkable(it, links, head_of_name):
    """Checks that each lane of the circle leads to where the next one begins, over the nodes between."""
    circle = it["circle"]
    for row, behind in zip(circle, circle[1:] + circle[:1]):
        tail, head = head_of_name(row["channel"])
        at = head
        if (tail, head) not in links:
            return False
        for node in row["via"]:
            if (at, node) not in links:
                return False
            at = node
        if head_of_name(behind["channel"])[0] != at:
            return False
    return len({(row["channel"], row["virtual"]) for row in circle}) == len(circle) > 1


def of_numbers(name):
    return tuple(map(int, re.match(r"(\d+)->(\d+)", name).groups()))


def rows_of(it):
    """Returns the rows that the table must have for the circle: at most 16, the last of them the number of those left out."""
    rows = []
    for row in it["circle"]:
        lane = row["channel"] + (f" virtual {row['virtual']}" if it["lanes"] > 1 else "")
        via = "".join((", " if k else " that goes on to ") + str(node) for k, node in enumerate(row["via"][:6])) + (", ..." if len(row["via"]) > 6 else "")
        rows.append(f"  {lane:24} held by a message from {row['source']} to {row['destination']}{via}")
    return rows if len(rows) <= 16 else [*rows[:15], f"  and {len(rows) - 15} more"]


def with_turns(fabric, lines, links, forbidden, n_nodes, name=of_numbers):
    """Compares the command check with the slow search on such turns."""
    with open("turns.txt", "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    done = run(["check", fabric, "--rule", "turns:turns.txt", "--json"])
    if not check(done.returncode in (0, 1) and not done.stderr, f"check {fabric} with {lines}: {done.stderr}"):
        return None
    it = json.loads(done.stdout)
    rule = Shortest(n_nodes, links, forbidden)
    reaches = True
    for destination in range(n_nodes):
        rule.turn_to(destination)
        reaches = reaches and rule.arrives()
    what = f"{fabric} without {lines}"
    if not reaches:
        check(it["stuck"] is not None and not it["deadlock_free"], f"{what}: some node is not reached: {done.stdout}")
        return it
    circle = has_circle(waits_behind(rule, n_nodes))
    check(it["stuck"] is None and it["deadlock_free"] == (not circle) == (done.returncode == 0), f"{what}: the slow search finds {circle}: {done.stdout[:500]}")
    longest = 0
    for destination in range(n_nodes):
        rule.turn_to(destination)
        longest = max([longest, *(rule.far[u, None] for u in range(n_nodes))])
    check(it["longest"] == longest, f"{what}: longest {it['longest']}, not {longest}")
    if circle:
        check(walkable(it, set(links), name) and legal(it, rule, links, name), f"{what}: nobody can walk {it['circle']}")
        table = run(["check", fabric, "--rule", "turns:turns.txt"])
        check(table.returncode == 1 and "\n".join(["", *rows_of(it), ""]) in table.stdout, f"{what}: other rows than in JSON: {table.stdout}{table.stderr}")
    return it


def legal(it, rule, links, name):
    """Checks that some message of each row can hold the one link and take the next one after it."""
    circle = it["circle"]
    for row, behind in zip(circle, circle[1:] + circle[:1]):
        first, second = links.index(name(row["channel"])), links.index(name(behind["channel"]))
        rule.turn_to(row["destination"])
        todo, seen, found = [rule.start(row["source"])], set(), False
        while todo and not found:
            state = todo.pop()
            if state in seen or state[0] == rule.to:
                continue
            seen.add(state)
            found = state[1] == first and (second, 0) in rule.lanes(state)
            todo += rule.lanes(state).values()
        if not found:
            return False
    return True


def links_and_turns(net, lines):
    """Returns links as pairs of nodes, and the turns that "+y -x" forbids, as pairs of indices."""
    rows = [(u, d, sign, v) for u in range(len(net.at)) for d, sign, v in net.ends(u)]
    axes = [str(d) for d in range(net.dims)] if net.is_cube else "xyzw"

    def way(row):
        return row[2] + axes[row[1]]

    wanted = {tuple(line.split()) for line in lines}
    forbidden = {(i, k) for i, a in enumerate(rows) for k, b in enumerate(rows) if a[3] == b[0] and (way(a), way(b)) in wanted}
    return [(row[0], row[3]) for row in rows], forbidden


def turns_of(name, axes):
    """Returns the turns of a rule, written out."""
    n = len(axes)
    first = ["-" + a for a in axes[:-1]]
    last = ["+" + a for a in axes[1:]]
    pairs = [(s + a, r + b) for a in axes for b in axes if a != b for s in "+-" for r in "+-"]
    return [f"{a} {b}" for a, b in pairs if
            (name == "negative-first" and a[0] == "+" and b[0] == "-") or (name == "west-first" and b in first and a not in first) or
            (name == "north-last" and a in last and b not in last)] if n > 1 else []


def test_one_too_many():
    """Tests every rule without one of its forbidden turns, and the rule itself."""
    n = 0
    for fabric, axes in ("mesh:4x4", "xy"), ("mesh:3x3x3", "xyz"), ("cube:3", "012"):
        net = Network(fabric)
        for name in TURN_RULES:
            lines = turns_of(name, axes)
            links, forbidden = links_and_turns(net, lines)
            whole = with_turns(fabric, lines, links, forbidden, len(net.at))
            usual = document(f"check {fabric} --rule {name}")
            check(whole["deadlock_free"] and whole["adaptiveness"] == usual["adaptiveness"], f"{fabric}: turns of {name}: {whole}")
            for i in range(len(lines)):
                fewer = lines[:i] + lines[i + 1:]
                links, forbidden = links_and_turns(net, fewer)
                it = with_turns(fabric, fewer, links, forbidden, len(net.at))
                check(it and not it["deadlock_free"] and len(it["circle"]) >= 4, f"{fabric}: {name} without \"{lines[i]}\": {it}")
                n += 1
    check(n >= 20, f"{n} rules with one turn too many")


def test_random_turns():
    rng = random.Random(1994)
    free = 0
    for _ in range(120):
        fabric = rng.choice(("mesh:3x3", "mesh:2x4", "mesh:4x3", "mesh:2x2x3", "cube:3", "torus:3x3", "ring:5", "line:5"))
        net = Network(fabric)
        axes = [str(d) for d in range(net.dims)] if net.is_cube else "xyzw"[:net.dims]
        pairs = [f"{s}{a} {r}{b}" for a in axes for b in axes if a != b for s in "+-" for r in "+-"]
        if net.wraps:  # straight on as well
            pairs += [f"{s}{a} {s}{a}" for a in axes for s in "+-"]
        lines = [pair for pair in pairs if rng.random() < rng.choice((0.2, 0.4, 0.6))]
        links, forbidden = links_and_turns(net, lines)
        it = with_turns(fabric, lines, links, forbidden, len(net.at))
        free += bool(it and it["deadlock_free"])
    check(20 <= free <= 115, f"{free} of 120 random turns are free")


def random_graph(rng):
    """Returns the number of nodes and the edges, as pairs."""
    n = rng.randrange(4, 9)
    edges = {tuple(sorted((k, rng.randrange(k)))) for k in range(1, n)}
    for _ in range(rng.randrange(2, 8)):
        a, b = rng.sample(range(n), 2)
        edges.add((min(a, b), max(a, b)))
    return n, sorted(edges)


def test_graphs():
    rng = random.Random(2000)
    free = stuck = 0
    for _ in range(60):
        n, edges = random_graph(rng)
        with open("graph.txt", "w", encoding="utf-8") as file:
            file.write("".join(f"{a} {b}\n" for a, b in edges))
        links = [link for a, b in edges for link in ((a, b), (b, a))]
        turns = [(i, k) for i, a in enumerate(links) for k, b in enumerate(links) if a[1] == b[0] and a[0] != b[1]]
        forbidden = {turn for turn in turns if rng.random() < 0.3}
        lines = [f"{links[i][0]}->{links[i][1]}->{links[k][1]}" for i, k in forbidden]
        it = with_turns("graph:graph.txt", lines, links, forbidden, n)
        free += bool(it and it["deadlock_free"])
        stuck += bool(it and it["stuck"])
    check(free >= 8 and stuck >= 3 and free + stuck < 58, f"{free} free, {stuck} stuck of 60")


TESTS = ("test_sets", "test_certificates", "test_one_too_many", "test_random_turns", "test_graphs")
main(*(globals()[name] for name in sys.argv[1:] or TESTS))
