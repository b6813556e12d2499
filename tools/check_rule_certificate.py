#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Says whether a certificate of a rule (flitloom check FABRIC --rule RULE --certificate FILE) is true: usage

    check_rule_certificate.py CERTIFICATE [GRAPH]

Nodes, links, lanes and GRAPH are as check_certificate.py has them; numbers are one list. A rule by which routers choose has `escapes` and `messages`:
for each node (`to`) the states in which messages to it can be, as [node, lanes], with escapes [node, lanes, escape lanes]. Lanes are a number whose bit
k * lanes + l stands for lane l of the k-th link that leaves the node, in the order of `links`. A state leads to the one of each node that such a link
leads to; where a node has several, the state has one item more, a list of places in the list, one for each link of its set, null at the destination.
`starts`: places of the states in which the messages of all other nodes leave their source. It is true if every message arrives: a state has lanes, with
escapes escape lanes among them, and leads to states before it in the list alone; and if numbers rise. Without escapes a message waits for any of its
lanes: the number of each lane of a state is below those of all lanes of the state behind it. With escapes it waits for one of these, now or after any
other lanes: the number of each lane of a state that has one is below those of all escape lanes of all states that can come behind it; lanes that none
waits for have null. So nothing waits in a circle ([Dally87], [Duato93]).

A rule by which messages go through drawn nodes (valiant) has `in_turn` and `parts`, two lists of routes. It is true if each part has exactly one route
for each pair of nodes, if numbers rise along every route, and, with in_turn, where a message may go on by any route of the second part from where one of
the first ended, if the numbers of lanes that are on a route of the first part are all below those of lanes that are on a route of the second.
"""
from check_certificate import check_network, demand, is_count, is_figures, main, places_of_route


def places(mask):
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


def check_messages(it, at, leaving, hosts):
    """The states of messages to one node. Returns how many links the longest way has."""
    nodes, links, lanes, escapes = it["nodes"], it["links"], it["lanes"], it["escapes"]
    to, states, behind_at = at["to"], at["states"], 3 if escapes else 2
    what = f"messages to {nodes[to]}"
    place_of, lowest, length = {}, [], []
    for place, state in enumerate(states):
        node, lanes_there, behind = state[0], state[1], state[behind_at] if len(state) > behind_at else None
        waits = state[2] if escapes else lanes_there
        where = f"{what} at {nodes[node]}"
        demand(node != to and waits and waits & ~lanes_there == 0, f"{where}: no lane to wait for")
        demand(behind is None or len(behind) == len({bit // lanes for bit in places(lanes_there)}), f"{where}: not a state behind each link")
        bits, ahead, own = list(places(lanes_there)), {}, []
        for k in sorted({bit // lanes for bit in bits}):
            demand(k < len(leaving[node]), f"{where}: a link that there is not")
            head = links[leaving[node][k]][1]
            follow = place_of.get(head) if behind is None else behind[len(ahead)]
            leads_back = follow is None if head == to else is_count(follow, place) and states[follow][0] == head
            demand(leads_back, f"{where}: link to {nodes[head]} leads to no state before it")
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


def check_choices(it, hosts):
    demand(isinstance(it["escapes"], bool), "escapes: true or false")
    leaving = [[] for _ in it["nodes"]]
    for place, (tail, _) in enumerate(it["links"]):
        leaving[tail].append(place)
    demand([at["to"] for at in it["messages"]] == list(range(hosts)), "messages: not to each node")
    return max(check_messages(it, at, leaving, hosts) for at in it["messages"])


def check_parts(it, hosts):
    demand(isinstance(it["in_turn"], bool) and len(it["parts"]) == 2, "parts: not two of them")
    longest, used = [], []
    for part in it["parts"]:
        ways = [places_of_route(it, route, hosts) for route in part]
        rows = [[it["numbers"][link][lane] for link, lane in way] for way in ways]
        demand(all(None not in row and all(a < b for a, b in zip(row, row[1:])) for row in rows), "numbers do not rise along a route")
        pairs = {tuple(route[:2]) for route in part}
        demand(len(pairs) == len(part) == hosts * (hosts - 1), "not exactly one route for each pair of nodes in a part")
        longest.append(max(map(len, ways)))
        used.append({number for row in rows for number in row})
    demand(not it["in_turn"] or max(used[0]) < min(used[1]), "numbers do not rise from the first part to the second")
    return sum(longest) if it["in_turn"] else max(longest)


def check(it, graph):
    demand("rule" in it, "no certificate of a rule: check_certificate.py reads those of routes")
    hosts = check_network(it, graph)
    demand(is_figures(it["numbers"], len(it["links"]), it["lanes"], lambda x: x is None or is_count(x, 1 << 53)), "numbers: not one for each link and lane")
    return f"{(check_parts if 'parts' in it else check_choices)(it, hosts)} links on the longest way"


if __name__ == "__main__":
    main(check, __doc__)
