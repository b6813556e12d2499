#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""One source that meets no other message in the network is a queue with one server, which takes F cycles for a message of F
flits: the mean wait at the source is that of queueing theory, within its interval.

Poisson arrivals, M/D/1 (Pollaczek and Khinchine): rho F / (2 (1 - rho)). Bernoulli arrivals in each cycle, Geo/D/1: rho (F - 1) /
(2 (1 - rho)). Lengths with probabilities, M/G/1: lambda E[F^2] / (2 (1 - rho)). Cycles are whole, and so are waits; the formulas
hold for that as well, as a message that comes within a cycle is released at its end. """
from command import check, document, main

LOADS = (0.2, 0.5, 0.8)
FLITS = (1, 4, 20)
SURE = 1.5  # times half of the 95% interval: one in twenty points lies beyond once


def wait(arrivals, rho, lengths):
    """lengths: probability of each."""
    mean = sum(f * p for f, p in lengths.items())
    squares = sum(f * f * p for f, p in lengths.items())
    less = mean if arrivals == "bernoulli" else 0
    return rho / mean * (squares - less) / (2 * (1 - rho))


def point(link, arrivals, rho, flits, cycles, seeds):
    it = document(f"sweep cube:1 shift:1 --load {rho} --flits {flits} --arrivals {arrivals} --link {link} --seeds {seeds} --warmup 3000 --measure {cycles}")
    return it["curves"][0]["points"][0]


def hold(link, arrivals, rho, flits, lengths, cycles, seeds):
    it = point(link, arrivals, rho, flits, cycles, seeds)
    got, want = it["latency"]["at_source"], wait(arrivals, rho, lengths)
    room = SURE * it["latency"]["at_source_half_width"] + 0.02 * want
    check(it["verdict"] == "pass" and abs(got - want) <= room, f"{link}, {arrivals}, load {rho}, {flits} flits: waits {got}, and {want} by the formula, +- {room}")


def model():
    for arrivals in ("poisson", "bernoulli"):
        for rho in LOADS:
            for flits in FLITS:
                if arrivals == "bernoulli" and flits == 1:
                    continue  # a message in each cycle at most, and each takes one: nobody waits
                hold("model", arrivals, rho, flits, {flits: 1}, 30000 * flits, 10)
    for rho in LOADS:
        hold("model", "poisson", rho, "1:0.5,9:0.5", {1: 0.5, 9: 0.5}, 100000, 10)
        hold("model", "poisson", rho, "2-6", {f: 0.2 for f in range(2, 7)}, 100000, 10)


def rtl():
    hold("sim", "poisson", 0.5, 8, {8: 1}, 20000, 4)


main(model, rtl)
