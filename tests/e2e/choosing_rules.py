# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Rules by which adaptive routers choose, as their authors define them, in a slow and obvious form: by forbidden turns and by
shortest ways, state by state; circles are found by following every lane. It shares nothing with flitloom's library. """
import itertools
import re
from collections import deque

PLUS, MINUS = "+", "-"


class Network:
    """Nodes, links and coordinates of a cube, line, ring, mesh or torus. A link is (node, dimension, sign)."""

    def __init__(self, fabric):
        kind, size, lanes = re.fullmatch(r"(\w+):([0-9x]+?)(?:v(\d))?", fabric).groups()
        self.is_cube, self.wraps = kind == "cube", kind in ("ring", "torus")
        self.extent = [2] * int(size) if self.is_cube else [int(n) for n in reversed(size.split("x"))]
        self.dims, self.lanes = len(self.extent), int(lanes or 1)
        self.nodes = list(itertools.product(*[range(n) for n in reversed(self.extent)]))  # the last coordinate is x
        self.number = {node[::-1]: i for i, node in enumerate(self.nodes)}
        self.at = [node[::-1] for node in self.nodes]  # at[number][d]

    def ends(self, u):
        """Returns the links that leave a node, in the order of their ports: (dimension, sign, end)."""
        out = []
        for d in range(self.dims):
            for sign in PLUS, MINUS:
                n, x = self.extent[d], self.at[u][d]
                y = x + (1 if sign == PLUS else -1)
                if self.wraps:
                    if n < 2 or (n == 2 and sign == MINUS):
                        continue
                    y %= n
                if 0 <= y < n:
                    out.append((d, sign, self.number[self.at[u][:d] + (y,) + self.at[u][d + 1:]]))
        return out

    def far(self, u, v):
        """Returns the number of links of a shortest way."""
        rows = zip(self.extent, self.at[u], self.at[v])
        return sum(min(abs(x - y), n - abs(x - y)) if self.wraps else abs(x - y) for n, x, y in rows)


# --- Forbidden turns: True if no message turns from a, as (dimension, sign), to b at node `at` ---


def negative_first(net, at, a, b):
    return a[1] == PLUS and b[1] == MINUS


def west_first(net, at, a, b):
    """All but one negative first: no message turns to a way down in a dimension other than the last, except from such a way."""
    first = [(d, MINUS) for d in range(net.dims - 1)]
    return b in first and a not in first


def north_last(net, at, a, b):
    """All but one positive last: no message turns from a way up in a dimension other than the first, except to such a way."""
    last = [(d, PLUS) for d in range(1, net.dims)]
    return a in last and b not in last


def odd_even(net, at, a, b):
    """Rules 1 and 2 of odd-even: no turn from east to north or south in an even column, none from these to west in an odd one."""
    if net.at[at][0] % 2 == 0:
        return a == (0, PLUS) and b[0] == 1
    return a[0] == 1 and b == (0, MINUS)


TURNS = {"negative-first": negative_first, "west-first": west_first, "north-last": north_last, "odd-even": odd_even}


class ByTurns:
    """Finds all shortest ways without these turns. A state is (node, the direction by which it came, or None)."""

    escapes = False

    def __init__(self, net, forbidden):
        self.net, self.forbidden = net, forbidden

    def turn_to(self, destination):
        self.to, self.known = destination, {}

    def start(self, source):
        return (source, None)

    def arrives(self, state):
        return state[0] == self.to or bool(self.ways(state))

    def ways(self, state):
        """Returns {(dimension, sign): state behind it} for the ways on which the message can go on."""
        if state not in self.known:
            u, came = state
            self.known[state] = {}
            for d, sign, v in self.net.ends(u):
                nearer = self.net.far(v, self.to) < self.net.far(u, self.to)
                if nearer and not (came and self.forbidden(self.net, u, came, (d, sign))) and self.arrives((v, (d, sign))):
                    self.known[state][d, sign] = (v, (d, sign))
        return self.known[state]

    def lanes(self, state):
        return {(way, lane): behind for way, behind in self.ways(state).items() for lane in range(self.net.lanes)}

    def waits(self, state):
        return set(self.lanes(state))


class Duato:
    """Allows any shortest way on lanes behind the escape lanes, and dimension order on the escape lanes."""

    escapes = True

    def __init__(self, net):
        self.net = net
        self.n_escapes = 2 if net.wraps and max(net.extent) > 4 else 1

    def turn_to(self, destination):
        self.to = destination

    def start(self, source):
        return source

    def escape(self, u):
        net = self.net
        d = min(d for d in range(net.dims) if net.at[u][d] != net.at[self.to][d])
        x, y, n = net.at[u][d], net.at[self.to][d], net.extent[d]
        sign = PLUS if y > x else MINUS
        if net.wraps and 2 * abs(y - x) > n:
            sign = MINUS if sign == PLUS else PLUS
        if net.wraps and n == 2:
            sign = PLUS
        over = (y < x) if sign == PLUS else (y > x)
        at_end = x == (n - 1 if sign == PLUS else 0)
        lane = 0 if self.n_escapes == 1 or (over and not at_end) else 1
        return (d, sign), lane

    def lanes(self, u):
        net = self.net
        ways = {(d, sign): v for d, sign, v in net.ends(u) if net.far(v, self.to) < net.far(u, self.to)}
        out = {(way, lane): v for way, v in ways.items() for lane in range(self.n_escapes, net.lanes)}
        way, lane = self.escape(u)
        out[way, lane] = ways[way]
        return out

    def waits(self, u):
        return {self.escape(u)}


def rule_of(name, net):
    return Duato(net) if name == "duato" else ByTurns(net, TURNS[name])


def node_of(state):
    return state[0] if isinstance(state, tuple) else state


def reached(rule, source):
    """Finds all states that a message from the source can reach, except those at the destination."""
    found, todo = [], [rule.start(source)]
    seen = set(todo)
    while todo:
        state = todo.pop()
        found.append(state)
        for behind in rule.lanes(state).values():
            if node_of(behind) != rule.to and behind not in seen:
                seen.add(behind)
                todo.append(behind)
    return found


# --- Circles ---


def waits_behind(rule, n_nodes):
    """Returns {(node, way, lane): the lanes that a message that holds it may wait for}, for all lanes that are waited for."""
    behind, waited = {}, set()
    for destination in range(n_nodes):
        rule.turn_to(destination)
        states = {state for source in range(n_nodes) if source != destination for state in reached(rule, source)}
        waited |= {(node_of(state), *lane) for state in states for lane in rule.waits(state)}
        later = {}

        def all_later(state):
            """Returns the lanes that are waited for in the state; with escapes also those in all states behind it."""
            if state not in later:
                later[state] = {(node_of(state), *lane) for lane in rule.waits(state)}
                for to in rule.lanes(state).values() if rule.escapes else ():
                    if node_of(to) != destination:
                        later[state] |= all_later(to)
            return later[state]

        for state in states:
            for lane, to in rule.lanes(state).items():
                if node_of(to) != destination:
                    behind.setdefault((node_of(state), *lane), set()).update(all_later(to))
    return {lane: behind.get(lane, set()) & waited for lane in waited}


def has_circle(behind):
    """Removes lanes that wait for no other lane, one by one; returns true if some lanes are left."""
    ahead, left = {}, {}
    for lane, others in behind.items():
        left[lane] = len(others)
        for other in others:
            ahead.setdefault(other, []).append(lane)
    done = deque(lane for lane, n in left.items() if n == 0)
    n_done = 0
    while done:
        n_done += 1
        for lane in ahead.get(done.popleft(), ()):
            left[lane] -= 1
            if left[lane] == 0:
                done.append(lane)
    return n_done < len(left)


# --- Turns of the user's own: pairs of links, on any network ---


class Shortest:
    """Finds the shortest ways that avoid some turns. links: [(tail, head)]; forbidden: pairs of indices of that list."""

    escapes = False

    def __init__(self, n_nodes, links, forbidden):
        self.links, self.forbidden, self.n = links, forbidden, n_nodes
        self.leaving = [[i for i, link in enumerate(links) if link[0] == u] for u in range(n_nodes)]
        self.entering = [[i for i, link in enumerate(links) if link[1] == u] for u in range(n_nodes)]

    def turn_to(self, destination):
        """Sets the destination and computes far: {(node, link by which the message came or None): links to go}."""
        self.to = destination
        self.far = {}
        todo = deque((destination, link, 0) for link in [None, *self.entering[destination]])
        for node, link, _ in todo:
            self.far[node, link] = 0
        while todo:
            node, link, steps = todo.popleft()
            if link is None:
                continue
            tail = self.links[link][0]
            for came in [None, *self.entering[tail]]:
                back = came is not None and self.links[came] == self.links[link][::-1]
                if (tail, came) not in self.far and not back and (came, link) not in self.forbidden:
                    self.far[tail, came] = steps + 1
                    todo.append((tail, came, steps + 1))

    def start(self, source):
        return (source, None)

    def lanes(self, state):
        node, came = state
        out = {}
        for link in self.leaving[node]:
            to = (self.links[link][1], link)
            back = came is not None and self.links[came] == self.links[link][::-1]
            if state in self.far and self.far.get(to) == self.far[state] - 1 and not back and (came, link) not in self.forbidden:
                out[link, 0] = to
        return out

    def waits(self, state):
        return set(self.lanes(state))

    def arrives(self):
        return all((u, None) in self.far for u in range(self.n))
