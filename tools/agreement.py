#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Measures latency without contention and highest sustained load of the same traffic by flitloom and by BookSim2, as the tables
of docs/agreement.md: usage

    agreement.py FLITLOOM BOOKSIM [--alike BOOKSIM2] [--write PAGE] [--rows FILE.json [--only | --causes]] [NETWORK...]

NETWORK: "mesh 8x8", "torus 8x8", "8-cube", "omega 64"; default: all of them. With --write the tables of these networks replace
those of the page; else they are only printed. With --rows the measured rows are kept in a file, and rows in it are not measured
again; with --only no others are measured; with --causes the causes of its rows are searched for again. --alike names BookSim2 as
tools/agreement_alike.py changes it: without it causes ties, lanes and ends are not found. Fabrics that flitloom refuses are
named. Exit status 1: a difference of more than 5% has no cause.
"""
import itertools
import json
import os
import re
import sys
import tempfile

from agreement_routes import destinations, mean_hops, our_latency, their_latency
from agreement_run import BEST, EVEN_OURS, EVEN_THEIRS, LOW, WAIT, Point, Refused, Runs, index_of, processor_seconds

PATTERNS, BUFFERS, LANES = ("uniform", "transpose", "bit-reverse", "hotspot"), (2, 4, 8, 16), (1, 2, 4)
SAME = 0.05  # differences up to that are none
EVEN_TRIP = 6  # cycles from a flit to the credit that it spent, with the same delays
SEEDS = (1, 2, 3)


def differ(ours, theirs):
    return theirs / ours - 1


def percent(ours, theirs):
    return f"{100 * differ(ours, theirs):+.0f}%"


class Row:
    """One point of the tables."""

    def __init__(self, runs, network, pattern, lanes, buffers):
        self.runs, self.key = runs, (network, pattern, buffers, lanes)
        self.plain = Point(*self.key)
        self.hops = mean_hops(network, pattern, self.plain.nodes)
        self.torus, self.omega = network == "torus 8x8", network == "omega 64"
        self.link = 2 if self.torus else 1  # cycles on a link of BookSim2's
        self.even = Point(*self.key, theirs=f"routing_delay=0 speculative=1 vc_buf_size={5 * buffers // 2}" if self.omega else EVEN_THEIRS,
                          ours=[] if self.omega else EVEN_OURS, traffic=self.renumbered())
        self.causes = []

    def renumbered(self):
        """Traffic on an omega network by the ways of BookSim2's fly: there the last bit of a source is the first that a stage takes. Otherwise None."""
        network, pattern, *_ = self.key
        if not self.omega or pattern in ("uniform", "hotspot"):
            return None
        name = os.path.join(self.runs.folder, pattern + ".csv")
        with open(name, "w", encoding="utf-8") as file:
            renumbered = {s >> 1 | (s & 1) << 5: d for s, d in destinations(pattern, self.plain.nodes).items()}
            file.write("source,destination,weight\n" + "".join(f"{s},{d},1\n" for s, d in renumbered.items()))
        return "traffic:" + name

    def limits(self, even):
        """The mean latencies, ours and theirs, up to which a load is sustained."""
        return tuple(it + wait for it, wait in zip(self.alone(even), (WAIT, WAIT * (1 - self.plain.to_self()))))

    def alone(self, even):
        """Mean latencies without contention, by formula."""
        buffers, hops = self.key[2], self.hops * (1 - self.plain.to_self())
        if not even:
            return our_latency(self.hops, buffers, self.link - 1), their_latency(hops, buffers, 4, self.link, 2 * self.link + 3)
        if self.omega:
            return our_latency(self.hops, buffers, 0), their_latency(hops, 5 * buffers // 2, 2, 1, 5)
        return our_latency(self.hops, buffers, 2), their_latency(hops, buffers, 2, 1, EVEN_TRIP)

    def measure(self, guess):
        """Both as they are, and with the same delays. `guess`: the last row's highest loads."""
        runs = self.runs
        self.low = (runs.ours(self.plain, LOW, 1000, 10000)["latency"]["mean"],
                    runs.theirs(self.plain, LOW, 1000, 10000 if self.plain.nodes == 64 else 3000, 10 * WAIT)[0])
        ours, theirs = self.limits(False)
        even_ours, even_theirs = self.limits(True)
        first = runs.our_highest(self.plain, guess[0], ours)
        third = runs.our_highest(self.even, index_of(first), even_ours)
        fourth = runs.their_highest(self.even, index_of(third) if guess[1] is None else guess[1], even_theirs)
        second = runs.their_highest(self.plain, index_of(fourth) - 6 if guess[2] is None else guess[2], theirs)
        self.highest, self.same = (first, second), (third, fourth)
        self.find_causes()
        return [index_of(first), index_of(fourth), index_of(second)]

    def of_seeds(self, point):
        """Means of ours and theirs over several seeds, with the same delays, of this point or one that differs in something else."""
        pairs = []
        for self.runs.seed in SEEDS:
            ours = self.runs.our_highest(point, index_of(self.same[0]), self.limits(True)[0])
            pairs.append((ours, self.runs.their_highest(point, index_of(ours), self.limits(True)[1])))
        self.runs.seed = SEEDS[0]
        return tuple(sum(it) / len(pairs) for it in zip(*pairs))

    def even_but(self, theirs="", alike=""):
        """The point with the same delays, and something else of BookSim2's changed."""
        return Point(*self.key, theirs=f"{self.even.theirs} {theirs}", ours=self.even.ours, traffic=self.even.traffic, alike=alike)

    def near(self, point):
        """Are the highest loads as good as the same, ours with the same delays and theirs of this point? By one seed, or else by the mean of all."""
        def theirs():
            return self.runs.their_highest(point, index_of(self.same[0]), self.limits(True)[1])

        loads = []
        for self.runs.seed in SEEDS:
            loads.append(theirs())
            left = abs(differ(self.same[0], sum(loads) / len(loads)))
            if left <= SAME or left > 3 * SAME:
                break
        self.runs.seed = SEEDS[0]
        return left <= SAME

    def alike(self):
        """The fewest ways in which BookSim2 has to do as flitloom for their highest loads to be the same; none if all of them will not do."""
        ways = ["ties"] if self.torus else []
        ways += ["lanes"] if self.torus or self.key[3] > 1 else []
        ways.append("ends")
        for n in range(1, len(ways) + 1):
            for some in itertools.combinations(ways, n):
                if self.near(self.even_but(alike=" ".join(some))):
                    return list(some)
        return []

    def deep(self):
        """Are BookSim2's highest loads as good as ours with one, two or three flits more a buffer?"""
        flits = 5 * self.key[2] // 2
        return any(self.near(self.even_but(theirs=f"vc_buf_size={flits + more}")) for more in (1, 2, 3))

    def find_causes(self):
        if abs(differ(*self.highest)) <= SAME:
            return
        self.causes.append("delays")
        if self.renumbered():
            self.causes.append("wiring")
        left = differ(*self.same)
        if abs(left) <= SAME:
            return
        # By chance? Other seeds, and the means of all.
        self.same = self.of_seeds(self.even)
        left = differ(*self.same)
        if abs(left) <= SAME:
            self.causes.append("chance")
            return
        self.find_more()

    def find_more(self):
        """Returns the causes of the difference that is left with the same delays."""
        if self.omega:
            found = ["depth"] if self.deep() else []
        else:
            found = self.alike() if self.runs.changed else []
        if not found and self.key[3] > 1 and not self.omega and self.near(self.even_but(theirs=f"input_speedup={self.key[3]}")):
            found = ["inputs"]
        if not found and self.near(self.even_but(theirs=BEST)):
            found = ["allocation"]
        self.causes += found or ["open"]

    def name(self):
        return " ".join(map(str, self.key))

    def kept(self):
        return {"low": self.low, "highest": self.highest, "same": self.same, "causes": self.causes}

    def recall(self, kept):
        """As measure(), of a row that was measured."""
        self.low, self.highest, self.same, self.causes = (kept[name] for name in ("low", "highest", "same", "causes"))
        return [index_of(self.highest[0]), index_of(self.same[1]), index_of(self.highest[1])]

    def text(self):
        network, pattern, buffers, lanes = self.key
        alone = self.alone(False)
        cells = [pattern, str(lanes), str(buffers), f"{alone[0]:.1f}", f"{self.low[0]:.1f}", f"{alone[1]:.1f}", f"{self.low[1]:.1f}"]
        cells += [f"{load:.3f}" for load in self.highest] + [percent(*self.highest)]
        cells += [f"{load:.3f}" for load in self.same] + [percent(*self.same)]
        return "| " + " | ".join(cells) + " | " + (", ".join(self.causes) or "none") + " |"


HEAD = ("| traffic | lanes | flits | formula | measured | BookSim2's formula | measured | highest load | BookSim2's | differs | same delays | BookSim2's | differs | cause |\n"
        "|" + " --- |" + " ---: |" * 12 + " --- |")


class Rows:
    """Rows that were measured, by their names, in a file if there is one."""

    def __init__(self, path, only, causes):
        self.path, self.only, self.causes, self.kept = path, only, causes, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.kept = json.load(file)

    def keep(self, row):
        self.kept[row.name()] = row.kept()
        if self.path:
            with open(self.path, "w", encoding="utf-8") as file:
                json.dump(self.kept, file, indent=1)


def tables(runs, rows, networks):
    """For each network its table as text; and how many rows there are, how many beyond 5%, how many without a cause."""
    count = [0, 0, 0]
    for network in networks:
        lines, missing, left_out = [HEAD], [], 0
        # A torus of BookSim2's wants two lanes; an omega network of flitloom's has one.
        for lanes in LANES[1:] if network == "torus 8x8" else LANES[:1] if network == "omega 64" else LANES:
            try:
                for pattern in PATTERNS:
                    guess = [index_of(0.1), None, None]
                    for buffers in BUFFERS:
                        row = Row(runs, network, pattern, lanes, buffers)
                        if row.name() in rows.kept:
                            guess = row.recall(rows.kept[row.name()])
                            if rows.causes and row.causes[-1:] not in ([], ["delays"], ["wiring"], ["chance"]):
                                row.causes = [it for it in row.causes if it in ("delays", "wiring")]
                                row.find_more()
                                rows.keep(row)
                        elif rows.only:
                            left_out += 1
                            continue
                        else:
                            guess = row.measure(guess)
                            rows.keep(row)
                        lines.append(row.text())
                        print(network, row.text(), f"{processor_seconds():.0f} s", file=sys.stderr, flush=True)
                        count = [n + it for n, it in zip(count, (1, bool(row.causes), "open" in row.causes))]
            except Refused as why:
                print(network, lanes, why, file=sys.stderr)
                missing.append(str(lanes))
        if missing:
            lines.append(f"\nNot in flitloom: {' and '.join(missing)} lanes.")
        if left_out:
            lines.append(f"\nNot measured yet: {left_out} rows.")
        yield network, "\n".join(lines), count


def take(words, option):
    """Takes an option and its value out of the words; None: it is absent."""
    if option not in words[:-1]:
        return None
    at = words.index(option)
    value = words[at + 1]
    del words[at:at + 2]
    return value


def main():
    words = sys.argv[1:]
    page, path, changed = (take(words, option) for option in ("--write", "--rows", "--alike"))
    only, causes = (option in words for option in ("--only", "--causes"))
    words = [word for word in words if word not in ("--only", "--causes")]
    if len(words) < 2 or set(words[2:]) - set(Point.NETWORKS):
        sys.exit(__doc__)
    runs = Runs(*words[:2], changed)
    with tempfile.TemporaryDirectory() as runs.folder:
        for network, text, count in tables(runs, Rows(path, only or causes, causes), words[2:] or list(Point.NETWORKS)):
            print(f"## {network}\n\n{text}\n")
            if page:
                with open(page, encoding="utf-8") as file:
                    old = file.read()
                new, n = re.subn(rf"(<!-- agreement.py: {network} -->\n).*?(<!-- end -->)", lambda m: f"{m[1]}\n{text}\n\n{m[2]}", old, flags=re.S)
                if n != 1:
                    sys.exit(f"agreement.py: {page} has no place for {network}")
                with open(page, "w", encoding="utf-8") as file:
                    file.write(new)
    print(f"{count[0]} points, {count[1]} differ by more than 5%, {count[2]} of these without a cause; {runs.n} runs, {processor_seconds():.0f} s of processor time")
    sys.exit(count[2] > 0)


main()
