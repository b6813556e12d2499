# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""The ways of flitloom's and of BookSim2's messages, by formula, for agreement.py: hops, latency without contention, and the load at which the first
channel or lane has as much to carry as it can."""
import functools

from agreement_run import FLITS, HOT


def bits_of(n):
    return n.bit_length() - 1


def flows(pattern, nodes, weight=8):
    """(source, destination): flits, of one flit a cycle and node that sends; nothing goes to its own source."""
    bits = bits_of(nodes)
    if pattern in ("transpose", "bit-reverse"):
        half = bits // 2
        to = {s: s >> half | (s & (1 << half) - 1) << half if pattern == "transpose" else int(f"{s:0{bits}b}"[::-1], 2) for s in range(nodes)}
        return {(s, d): 1.0 for s, d in to.items() if s != d}
    weights = [weight if pattern == "hotspot" and d == HOT else 1 for d in range(nodes)]
    return {(s, d): weights[d] / (sum(weights) - weights[s]) for s in range(nodes) for d in range(nodes) if s != d}


def steps(network, theirs):
    """A function of source and destination: [(part, [(channel, class of lanes)...])...]; parts add up to 1."""
    if network == "omega 64":
        def fly(s, d):
            consumed = [0, 5, 4, 3, 2, 1] if theirs else [5, 4, 3, 2, 1, 0]  # the source's digit that each stage takes
            left, way = list(range(6)), []
            for stage in range(5):
                left.remove(consumed[stage])
                way.append(((stage, d >> 5 - stage, tuple(s >> b & 1 for b in left)), 0))
            return [(1.0, way)]
        return fly
    k, n, wraps = (2, 8, False) if network == "8-cube" else (8, 2, network == "torus 8x8")

    def grid(s, d):
        ways = [(1.0, [])]
        here = s
        for dim in range(n):
            a, b = here // k**dim % k, d // k**dim % k
            if a == b:
                continue
            up = (b - a) % k if wraps else b - a
            if not wraps:
                turns = [(1.0, 1 if up > 0 else -1)]
            elif 2 * up == k:  # half way round: flitloom goes up, BookSim2 draws
                turns = [(0.5, 1), (0.5, -1)] if theirs else [(1.0, 1)]
            else:
                turns = [(1.0, 1 if 2 * up < k else -1)]
            ways = [(part * p, way + line(here, dim, a, b, turn)) for part, way in ways for p, turn in turns]
            here += (b - a) * k**dim
        return ways

    def line(node, dim, a, b, turn):
        crosses, way, lane = (turn > 0) != (b > a), [], 0
        while a != b:
            if not wraps:
                lane = 0
            elif theirs:
                lane = int(crosses)  # from the first link on
            way.append(((node, dim, turn), lane))
            after = (a + turn) % k
            node += (after - a) * k**dim
            if wraps and not theirs and after != a + turn:
                way[-1] = (way[-1][0], lane)
                lane = 1
            a = after
        return way
    return grid


@functools.cache
def ways(network, pattern, nodes, theirs):
    """Those of flitloom, or of BookSim2."""
    return Ways(network, pattern, nodes, theirs)


class Ways:
    """Of one network and pattern: mean number of links between routers, and what lanes, links and ejection channels carry at load 1."""

    def __init__(self, network, pattern, nodes, theirs):
        way_of, between = steps(network, theirs), flows(pattern, nodes)
        self.lanes, self.links, self.out, hops, total = {}, {}, {}, 0.0, sum(between.values())
        for (s, d), rate in between.items():
            self.out[d] = self.out.get(d, 0.0) + rate
            for part, way in way_of(s, d):
                hops += rate * part * len(way)
                for channel, lane in way:
                    self.links[channel] = self.links.get(channel, 0.0) + rate * part
                    self.lanes[channel, lane] = self.lanes.get((channel, lane), 0.0) + rate * part
        self.hops = hops / total

    def bound(self, lane_rate, end_rate):
        """The highest load, where a class of lanes of one link carries at most lane_rate, and a node's own channel end_rate."""
        return min(1.0, 1 / max(self.links.values()), lane_rate / max(self.lanes.values()), end_rate / max(self.out.values()), end_rate)


def bubbles(buffers, round_trip):
    """Cycles that credits add to a message's time from header to tail."""
    full, rest = divmod(FLITS - 1, buffers)
    return max(FLITS - 1, full * round_trip + rest) - (FLITS - 1)


def our_latency(hops, buffers, delay):
    """Both cycles counted: F + h + 1, and on slow links their delay and what credits add."""
    return FLITS + hops * (1 + delay) + 1 + bubbles(buffers, 2 * delay + 2)


def their_latency(hops, buffers, router, link, round_trip):
    """From making to the tail's arrival: `router` cycles in each of hops + 1 routers and one of the channel behind it, `link` - 1 more between routers.
    `hops`: the mean with messages to oneself."""
    return FLITS - 1 + (hops + 1) * (router + 1) + hops * (link - 1) + 2 + bubbles(buffers, round_trip)
