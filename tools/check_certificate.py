#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Says whether a certificate of routes (flitloom check or plan, --certificate FILE) is true: usage

    check_certificate.py CERTIFICATE [GRAPH]

CERTIFICATE is JSON: nodes (names; `hosts`, if given: the number of nodes that send and receive, the others are switches), links ([tail, head], places of
nodes), lanes, complete, and passes, in each of which messages are under way together: routes ([source, destination, lane, [link, ...]], with one
lane or a list of one for each link), numbers and loads (a list for each link, of a figure for each lane). It is true if each route leads to its
destination and passes no node twice, or, with a lane for each link, no lane of a link; if the loads are what the routes add up to; and if each
number is the length of the longest chain of (link, lane) that leads to it, each followed by the next on some route. A (link, lane) with one route
is waited for by nobody: its number is 0, and chains lead past it. So numbers rise from where a message can wait to where it can wait next, and
nothing waits in a circle. `complete`: there is one pass, and one route for each pair of nodes that send and receive. GRAPH is the edge list that
the fabric was made of, the only form that is read. Nothing is shared with flitloom's library. Exit status 0: true, 1: false.
"""
import json
import re
import sys


def demand(condition, text):
    if not condition:
        raise ValueError(text)


def is_count(value, below):
    return type(value) is int and 0 <= value < below  # pylint: disable=unidiomatic-typecheck  # True is no number


def is_figures(rows, n_links, n_lanes, right=lambda x: is_count(x, 1 << 53)):
    return len(rows) == n_links and all(len(row) == n_lanes and all(map(right, row)) for row in rows)


def links_of_graph(path):
    """Pairs of names: "a b" and "a -- b" lead both ways, "a -> b" one way, "x2" behind them is two, "delay=3" says no more of links."""
    links = []
    with open(path, encoding="utf-8") as it:
        for text in (line.split("#")[0].strip() for line in it):
            if not text or text.startswith("switch: "):
                continue
            edge = re.fullmatch(r"(\S+?)(?:\s+|\s*(--|->)\s*)(\S+)((?:\s+(?:x|delay=)\d+)*)", text)
            demand(edge, f"{path}: \"{text}\" is no link")
            times = int((re.findall(r"x(\d+)", edge[4]) or "1")[0])
            links += times * ([(edge[1], edge[3]), (edge[3], edge[1])][: 1 if edge[2] == "->" else 2])
    return sorted(links)


def check_network(it, graph):
    """The nodes, links and lanes, beside those of the graph. Returns how many nodes send and receive."""
    nodes, links, hosts = it["nodes"], it["links"], it.get("hosts", len(it["nodes"]))
    demand(is_count(it["lanes"], 257) and it["lanes"] and is_count(hosts, len(nodes) + 1), "lanes or hosts: not a number of them")
    demand(len(set(nodes)) == len(nodes), "nodes: a name is there twice")
    demand(all(len(link) == 2 and all(is_count(end, len(nodes)) for end in link) and link[0] != link[1] for link in links), "links: one has no two ends")
    if graph:
        named = [(nodes[tail], nodes[head]) for tail, head in links]
        demand(sorted(named) == links_of_graph(graph) and {name for link in named for name in link} == set(nodes), f"nodes and links are not those of {graph}")
    return hosts


def places_of_route(it, route, hosts):
    """The (link, lane) that a route takes, one behind the other."""
    source, destination, lane, way = route
    demand(is_count(source, hosts) and is_count(destination, hosts) and source != destination, f"route from {source} to {destination}: ends that are none")
    name = f"route from {it['nodes'][source]} to {it['nodes'][destination]}"
    changes = isinstance(lane, list)  # such a route may come by a node again, on another lane
    lanes = lane if changes else [lane] * len(way)
    demand(len(lanes) == len(way), f"{name}: not a lane for each link")
    demand(all(is_count(a, len(it["links"])) and is_count(b, it["lanes"]) for a, b in zip(way, lanes)), f"{name}: a link or lane that there is not")
    ends = [it["links"][link] for link in way]
    demand([source, *(head for _, head in ends)] == [*(tail for tail, _ in ends), destination], f"{name}: not connected")
    places = list(zip(way, lanes))
    demand(len(set(places if changes else (head for _, head in ends if head != source))) == len(way), f"{name}: passes something twice")
    return places


def check_pass(it, at, hosts):
    """Returns the routes on the busiest link."""
    loads, numbers = ([[0] * it["lanes"] for _ in it["links"]] for _ in range(2))
    demand(is_figures(at["numbers"], len(loads), it["lanes"]) and is_figures(at["loads"], len(loads), it["lanes"]), "not a figure for each link and lane")
    ways = [places_of_route(it, route, hosts) for route in at["routes"]]
    for link, lane in (place for way in ways for place in way):
        loads[link][lane] += 1
    demand(loads == at["loads"], "the loads are not those of the routes")
    for way in ways:
        shared = [(link, lane) for link, lane in way if loads[link][lane] > 1]
        for (link, lane), (after, lane_after) in zip(shared, shared[1:]):
            numbers[after][lane_after] = max(numbers[after][lane_after], at["numbers"][link][lane] + 1)
    demand(numbers == at["numbers"], "the numbers are not the lengths of the longest chains")
    return max(map(sum, loads), default=0)


def check(it, graph):
    demand("rule" not in it, "the certificate of a rule: check_rule_certificate.py reads those")
    demand(isinstance(it["complete"], bool) and (len(it["passes"]) == 1 or not it["complete"]), "complete: true or false, and true of one pass")
    hosts = check_network(it, graph)
    most = max([0, *(check_pass(it, at, hosts) for at in it["passes"])])
    pairs = {tuple(route[:2]) for at in it["passes"] for route in at["routes"]}
    demand(not it["complete"] or len(pairs) == len(it["passes"][0]["routes"]) == hosts * (hosts - 1), "not exactly one route for each pair of nodes")
    return f"{most} routes on the busiest link"


def main(how, usage):
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(usage)
    try:
        with open(sys.argv[1], encoding="utf-8") as it:
            certificate = json.load(it)
        said = how(certificate, *(sys.argv[2:] or [None]))
    except (OSError, UnicodeDecodeError) as err:
        sys.exit(f"{sys.argv[0].rpartition('/')[2]}: {err}")
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as err:
        print(f"no: {err}")
        sys.exit(1)
    print(f"yes: {len(certificate['nodes'])} nodes, {certificate['lanes']} lanes, {said}")


if __name__ == "__main__":
    main(check, __doc__)
