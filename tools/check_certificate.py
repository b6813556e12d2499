#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Says whether a certificate of routes (flitloom check or plan, --certificate FILE) is true: usage

    check_certificate.py CERTIFICATE [GRAPH]

CERTIFICATE is JSON: nodes (names), links ([tail, head], indices of nodes), lanes, complete, and passes, in each of which messages are under
way together: numbers and loads (of each link a list, a figure for each lane) and routes ([source, destination, lane, [link, ...]]; lane is
one for all links, or a list of one for each). It is true if each route leads from its source to its destination and passes no node twice, or,
with a lane for each link, no lane of a link; if the loads are what the routes add up to; and if each number is the length of the longest chain of (link, lane) that leads to it, each followed
by the next on some route. A (link, lane) with one route is waited for by nobody: its number is 0, and chains lead past it. So numbers rise from
where a message can wait to where it can wait next, and nothing waits in a circle. `complete`: there is one pass, and exactly one route for each
pair of nodes below `hosts`, if that is there: others are switches. GRAPH is the edge list that the fabric was made of: its nodes and links must be
those of the certificate. Nothing here is shared with flitloom's library. Exit status 0: true, 1: false.

A certificate of a rule by which routers choose (flitloom check --rule west-first --certificate FILE) has no routes. It has `rule`, `escapes`,
one list of numbers, null for a lane that none waits for, and `messages`: for each node (`to`) the states in which messages to it can be, as
[node, lanes], with escapes [node, lanes, escape lanes]. Lanes are a number whose bit k * lanes + l stands for lane l of the k-th link that leaves
the node, in the order of `links`. A state leads to the one of each node that such a link leads to; where a node has several, the state has one
item more, a list of places in the list, one for each link of its set, null at the destination. `starts`: places of the states in which the
messages of all other nodes leave their source. It is true if every message arrives: a state has lanes, with escapes escape lanes among them, and leads to
states before it in the list alone; and if numbers rise. Without escapes a message waits for any of its lanes: the number of each lane of a state
is below those of all lanes of the state behind it. With escapes it waits for one of these, now or after any other lanes: the number of each lane of a state that has one
is below those of all escape lanes of all states that can come behind it. So nothing waits in a circle ([Dally87], [Duato93]).

A certificate of a rule by which messages go by way of drawn nodes (flitloom check --rule valiant --certificate FILE) has `rule`, `in_turn`, one list of
numbers, and `parts`, two lists of routes. It is true if each part has exactly one route for each pair of nodes, if numbers rise along every route, and,
with in_turn, where a message may go on by any route of the second part from where one of the first ended, if the numbers of lanes that are on a route
of the first part are all below those of lanes that are on a route of the second.
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
    """The links of an edge list, as pairs of names: "a b" and "a -- b" lead both ways, "a -> b" one way, "x2" behind them is two, and "delay=3" says no more of links."""
    links = []
    with open(path, encoding="utf-8") as it:
        for text in (line.split("#")[0].strip() for line in it):
            edge = re.fullmatch(r"(?!switch: )(\S+?)(?:\s+|\s*(--|->)\s*)(\S+)((?:\s+x\d+|\s+delay=\d+)*)", text)
            demand(edge or not text or text.startswith("switch: "), f"{path}: \"{text}\" is no link")
            links += [(edge[1], edge[3]), (edge[3], edge[1])][: 1 if edge[2] == "->" else 2] * int((re.search(r"\bx(\d+)", edge[4]) or "11")[1]) if edge else []
    return sorted(links)


def check_shape(it):
    nodes, links, lanes = it["nodes"], it["links"], it["lanes"]
    demand(is_count(lanes, 257) and lanes > 0 and is_count(it.get("hosts", 0), len(nodes) + 1), "lanes or hosts: not a number of them")
    demand(isinstance(it["complete"], bool) and (len(it["passes"]) == 1 or not it["complete"]), "complete: true or false, and true of one pass")
    demand(len(set(nodes)) == len(nodes), "nodes: a name is there twice")
    for a, link in enumerate(links):
        demand(len(link) == 2 and all(is_count(end, len(nodes)) for end in link) and link[0] != link[1], f"link {a} has no two ends")
    for at in it["passes"]:
        for what in ("numbers", "loads"):
            demand(len(at[what]) == len(links) and all(len(row) == lanes and all(is_count(x, 1 << 53) for x in row) for row in at[what]),
                   f"{what}: not a figure for each link and lane")


def links_of_route(it, route):
    source, destination, lane, way = route
    n = it.get("hosts", len(it["nodes"]))
    demand(is_count(source, n) and is_count(destination, n) and source != destination, f"route from {source} to {destination}: ends that are none")
    name = f"route from {it['nodes'][source]} to {it['nodes'][destination]}"
    lanes = lane if isinstance(lane, list) else [lane] * len(way)
    demand(len(lanes) == len(way), f"{name}: not a lane for each link")
    by_way = isinstance(lane, list)  # of a node drawn for it: it may come by a node again, on another lane
    at, passed = source, set() if by_way else {source}
    for link, lane in zip(way, lanes):
        demand(is_count(link, len(it["links"])), f"{name}: a link that there is not")
        demand(is_count(lane, it["lanes"]), f"{name}: a lane that there is not")
        tail, head = it["links"][link]
        demand(tail == at, f"{name}: not connected")
        at, place = head, (link, lane) if by_way else head
        demand(place not in passed, f"{name}: passes {it['nodes'][head]} twice")
        passed.add(place)
    demand(at == destination, f"{name}: ends at {it['nodes'][at]}")
    return list(zip(way, lanes))


def check(it, graph):
    check_shape(it)
    nodes, links, most, hosts = it["nodes"], it["links"], 0, it.get("hosts", len(it["nodes"]))
    if graph:
        named = [(nodes[tail], nodes[head]) for tail, head in links]
        demand(sorted(named) == links_of_graph(graph), f"the links are not those of {graph}")
        demand({name for link in named for name in link} == set(nodes), f"the nodes are not those of {graph}")
    for at in it["passes"]:
        loads, least = ([[0] * it["lanes"] for _ in links] for _ in range(2))
        ways = [links_of_route(it, route) for route in at["routes"]]
        for link, lane in (place for way in ways for place in way):
            loads[link][lane] += 1
        for way in ways:
            number = 0
            for link, lane in (place for place in way if loads[place[0]][place[1]] > 1):
                least[link][lane] = max(least[link][lane], number)
                number = at["numbers"][link][lane] + 1
        demand(loads == at["loads"], "the loads are not those of the routes")
        demand(least == at["numbers"], "the numbers are not the lengths of the longest chains")
        most = max([most, *map(sum, loads)])
    ends = [tuple(route[:2]) for at in it["passes"] for route in at["routes"]]
    demand(not it["complete"] or len(ends) == len(set(ends)) == hosts * (hosts - 1), "not exactly one route for each pair of nodes")
    return most


def check_rule_shape(it):
    nodes, links, lanes = it["nodes"], it["links"], it["lanes"]
    demand(is_count(lanes, 65) and lanes > 0 and is_count(it.get("hosts", 0), len(nodes) + 1), "lanes or hosts: not a number of them")
    demand(len(set(nodes)) == len(nodes), "nodes: a name is there twice")
    demand(all(len(link) == 2 and all(is_count(end, len(nodes)) for end in link) for link in links), "links: one has no two ends")
    demand(isinstance(it["escapes"], bool), "escapes: true or false")
    rows = it["numbers"]
    demand(len(rows) == len(links) and all(len(row) == lanes and all(x is None or is_count(x, 1 << 53) for x in row) for row in rows),
           "numbers: not one for each link and lane")


def places(mask):
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


def check_messages(it, at, leaving):
    """The states of messages to one node. Returns how many links the longest way has."""
    nodes, links, lanes, escapes = it["nodes"], it["links"], it["lanes"], it["escapes"]
    to, states, hosts = at["to"], at["states"], it.get("hosts", len(nodes))
    what = f"messages to {nodes[to]}"
    place_of, lowest, length = {}, [], []
    for place, state in enumerate(states):
        node, lanes_there, behind = state[0], state[1], state[3 if escapes else 2] if len(state) > (3 if escapes else 2) else None
        waits = state[2] if escapes else lanes_there
        where = f"{what} at {nodes[node]}"
        demand(node != to and waits and waits & ~lanes_there == 0, f"{where}: no lane to wait for")
        demand(behind is None or len(behind) == len({bit // lanes for bit in places(lanes_there)}), f"{where}: not a state behind each link")
        bits, ahead, own = list(places(lanes_there)), {}, []
        for k in sorted({bit // lanes for bit in bits}):
            demand(k < len(leaving[node]), f"{where}: a link that there is not")
            head = links[leaving[node][k]][1]
            follow = place_of.get(head) if behind is None else behind[len(ahead)]
            demand(head == to and follow is None if head == to else is_count(follow, place) and states[follow][0] == head, f"{where}: link to {nodes[head]} leads to no state before it")
            ahead[k] = follow
        for bit in bits:
            k, lane = divmod(bit, lanes)
            number = it["numbers"][leaving[node][k]][lane]
            if waits >> bit & 1:
                demand(number is not None, f"{where}: a lane that is waited for has no number")
                own.append(number)
            demand(number is None or ahead[k] is None or number < lowest[ahead[k]], f"{where}: numbers do not rise")
        # Without escapes only the next state's lanes are waited for; with them those of all that come behind.
        lowest.append(min(own + [lowest[f] for f in ahead.values() if f is not None and escapes]))
        length.append(1 + max(0 if f is None else length[f] for f in ahead.values()))
        place_of[node] = None if node in place_of else place
    starts = [states[place][0] for place in at["starts"]]
    demand(sorted(starts) == [v for v in range(hosts) if v != to], f"{what}: not one start at each other node")
    return max([0, *length])


def check_rule(it, graph):
    check_rule_shape(it)
    nodes, links = it["nodes"], it["links"]
    if graph:
        demand(sorted((nodes[tail], nodes[head]) for tail, head in links) == links_of_graph(graph), f"the links are not those of {graph}")
    leaving = [[] for _ in nodes]
    for place, (tail, _) in enumerate(links):
        leaving[tail].append(place)
    demand([at["to"] for at in it["messages"]] == list(range(it.get("hosts", len(nodes)))), "messages: not to each node")
    return max(check_messages(it, at, leaving) for at in it["messages"])


def check_parts(it, graph):
    check_rule_shape({**it, "escapes": False})
    nodes, links, ends = it["nodes"], it["links"], []
    if graph:
        demand(sorted((nodes[tail], nodes[head]) for tail, head in links) == links_of_graph(graph), f"the links are not those of {graph}")
    demand(isinstance(it["in_turn"], bool) and len(it["parts"]) == 2, "parts: not two of them")
    longest, used = [], []
    for part in it["parts"]:
        ways = [links_of_route(it, route) for route in part]
        rows = [[it["numbers"][link][lane] for link, lane in way] for way in ways]
        demand(all(None not in row and all(a < b for a, b in zip(row, row[1:])) for row in rows), "numbers do not rise along a route")
        pairs = {tuple(route[:2]) for route in part}
        demand(len(pairs) == len(part) == len(nodes) * (len(nodes) - 1), "not exactly one route for each pair of nodes in a part")
        longest.append(max(map(len, ways)))
        used.append({number for row in rows for number in row})
    demand(not it["in_turn"] or max(used[0]) < min(used[1]), "numbers do not rise from the first part to the second")
    return sum(longest) if it["in_turn"] else max(longest)


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], encoding="utf-8") as it:
            certificate = json.load(it)
        is_rule = "rule" in certificate
        largest = (check_parts if "parts" in certificate else check_rule if is_rule else check)(certificate, sys.argv[2] if len(sys.argv) == 3 else None)
    except (OSError, UnicodeDecodeError) as err:
        sys.exit(f"check_certificate.py: {err}")
    except (Wrong, ValueError, KeyError, TypeError, IndexError) as err:
        print(f"no: {err}")
        sys.exit(1)
    print(f"yes: {len(certificate['nodes'])} nodes, {certificate['lanes']} lanes, {largest} {'links on the longest way' if is_rule else 'routes on the busiest link'}")


main()
