#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Says whether a certificate of routes (flitloom check FABRIC --all-pairs --certificate FILE) is true: usage

    check_certificate.py CERTIFICATE [GRAPH]

CERTIFICATE is JSON: nodes (names), links ([tail, head], indices of nodes), lanes, numbers and loads (of each link a list, a figure for each
lane), routes ([source, destination, lane, [link, ...]]), and hosts if the nodes from that number on are switches, which are no ends of
routes. It is true if there is exactly one route for each pair of the others, if each begins at its source, goes on from link to link, passes no node twice and ends at its destination, if the numbers of its links on its lane rise (so
nothing can wait in a circle), and if the loads are what the routes add up to. GRAPH is the edge list that the fabric was made of: its
nodes and links must be those of the certificate. Nothing here is shared with flitloom's library. Exit status 0: true, 1: false.
"""
import json
import re
import sys


class Wrong(Exception):
    pass


def demand(condition, text):
    if not condition:
        raise Wrong(text)


def is_count(value, below):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def links_of_graph(path):
    """The links of an edge list, as pairs of names: "a b" and "a -- b" lead both ways, "a -> b" one way, "x2" behind them is two."""
    links = []
    with open(path, encoding="utf-8") as it:
        for line in it:
            words = line.split("#")[0].replace("->", " -> ").replace("--", " -- ").split()
            if not words:
                continue
            if words[0] == "switch:":
                continue
            times = int(words.pop()[1:]) if len(words) > 2 and re.fullmatch(r"x\d+", words[-1]) and words[-2] not in ("--", "->") else 1
            demand(len(words) == 2 or (len(words) == 3 and words[1] in ("--", "->")), f"{path}: \"{line.strip()}\" is no link")
            links += [(words[0], words[-1])] * times
            if words[1] != "->":
                links += [(words[-1], words[0])] * times
    return sorted(links)


def check_shape(it):
    nodes, links, lanes = it["nodes"], it["links"], it["lanes"]
    demand(is_count(lanes, 257) and lanes > 0, "lanes: not a number of them")
    demand(len(set(nodes)) == len(nodes), "nodes: a name is there twice")
    for a, link in enumerate(links):
        demand(len(link) == 2 and all(is_count(end, len(nodes)) for end in link) and link[0] != link[1], f"link {a} has no two ends")
    for what in ("numbers", "loads"):
        demand(len(it[what]) == len(links) and all(len(row) == lanes and all(is_count(x, 1 << 53) for x in row) for row in it[what]),
               f"{what}: not a figure for each link and lane")


def check_route(it, route, seen, loads):
    source, destination, lane, way = route
    n, name = len(it["nodes"]), f"route from {it['nodes'][source]} to {it['nodes'][destination]}"
    n = it.get("hosts", n)
    demand(is_count(source, n) and is_count(destination, n) and source != destination, f"{name}: ends that are none")
    demand((source, destination) not in seen, f"{name}: is there twice")
    demand(is_count(lane, it["lanes"]), f"{name}: a lane that there is not")
    seen.add((source, destination))
    at, passed, last = source, {source}, -1
    for link in way:
        demand(is_count(link, len(it["links"])), f"{name}: a link that there is not")
        tail, head = it["links"][link]
        demand(tail == at, f"{name}: not connected")
        demand(head not in passed, f"{name}: passes {it['nodes'][head]} twice")
        demand(it["numbers"][link][lane] > last, f"{name}: its numbers do not rise at {it['nodes'][tail]}")
        at, last = head, it["numbers"][link][lane]
        passed.add(at)
        loads[link][lane] += 1
    demand(at == destination, f"{name}: ends at {it['nodes'][at]}")


def check(it, graph):
    check_shape(it)
    nodes, seen, hosts = it["nodes"], set(), it.get("hosts", len(it["nodes"]))
    demand(is_count(hosts, len(nodes) + 1), "hosts: not a number of nodes")
    if graph:
        links = [(nodes[tail], nodes[head]) for tail, head in it["links"]]
        demand(sorted(links) == links_of_graph(graph), f"the links are not those of {graph}")
        demand({name for link in links for name in link} == set(nodes), f"the nodes are not those of {graph}")
    loads = [[0] * it["lanes"] for _ in it["links"]]
    for route in it["routes"]:
        check_route(it, route, seen, loads)
    demand(len(seen) == hosts * (hosts - 1), "some pair of nodes has no route")
    demand(loads == it["loads"], "the loads are not those of the routes")
    return max((sum(row) for row in loads), default=0)


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], encoding="utf-8") as it:
            certificate = json.load(it)
        largest = check(certificate, sys.argv[2] if len(sys.argv) == 3 else None)
    except (OSError, UnicodeDecodeError) as err:
        sys.exit(f"check_certificate.py: {err}")
    except (Wrong, ValueError, KeyError, TypeError, IndexError) as err:
        print(f"no: {err}")
        sys.exit(1)
    print(f"yes: {len(certificate['nodes'])} nodes, {certificate['lanes']} lanes, {largest} pairs on the busiest link")


main()
