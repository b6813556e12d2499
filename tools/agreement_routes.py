# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Computes hops and latency without contention of flitloom's and of BookSim2's messages, by formula, for agreement.py."""
import functools

from agreement_run import FLITS, HOT, WEIGHT


def destinations(pattern, nodes):
    """The destinations of a pattern in which each node has one."""
    bits = nodes.bit_length() - 1
    half = bits // 2
    return {s: s >> half | (s & (1 << half) - 1) << half if pattern == "transpose" else int(f"{s:0{bits}b}"[::-1], 2) for s in range(nodes)}


def flows(pattern, nodes):
    """(source, destination): flits, of one flit a cycle and node that sends; nothing goes to its own source."""
    if pattern in ("transpose", "bit-reverse"):
        return {(s, d): 1.0 for s, d in destinations(pattern, nodes).items() if s != d}
    weights = [WEIGHT if pattern == "hotspot" and d == HOT else 1 for d in range(nodes)]
    return {(s, d): weights[d] / (sum(weights) - weights[s]) for s in range(nodes) for d in range(nodes) if s != d}


def links_between(network, s, d):
    """Links between the routers of a message's ends, on a shortest way."""
    if network == "omega 64":
        return 5
    k, n = (2, 8) if network == "8-cube" else (8, 2)
    apart = [abs(s // k**dim % k - d // k**dim % k) for dim in range(n)]
    return sum(min(it, k - it) if network == "torus 8x8" else it for it in apart)


@functools.cache
def mean_hops(network, pattern, nodes):
    """The mean number of links between routers, the same in both."""
    between = flows(pattern, nodes)
    return sum(rate * links_between(network, s, d) for (s, d), rate in between.items()) / sum(between.values())


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
