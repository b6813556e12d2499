#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the highest loads that mesh:8x8v2b8 sustains by each rule, and by the same rules of BookSim2: the table of
docs/adaptive-runs.md. usage

    drawn_ways.py FLITLOOM [BOOKSIM [--alike BOOKSIM2]] [--rows FILE.json]

Messages have 8 flits, and in each cycle a coin decides whether a node makes one. A load is sustained if the mean latency is at
most 60 cycles above that at load 0.004, in both; each load is 2% above the one before (agreement_run.py). "Same delays" are those
of agreement.py. If the two differ by more than 10%, "best" has BookSim2's load with allocators that grant as much as can be
granted. If these differ by more than 10%, too, "alike" has that of BookSim2 as tools/agreement_alike.py changes it, by the words
of ALIKE, and is the higher one of both allocators. With --rows the measured rows are kept in a file, and rows in it are not
measured again. Without BOOKSIM its columns are empty.
"""
import json
import os
import subprocess
import sys

from agreement_run import BEST, EVEN_OURS, EVEN_THEIRS, FLITS, HOT, LOW, WAIT, Point, Runs, index_of

# BookSim2's name of the rule; None: it has none.
RULES = {"ascending": "dor", "west-first": None, "odd-even": None, "duato": "min_adapt", "o1turn": "xy_yx", "romm": "romm", "valiant": "valiant"}
PATTERNS = ("uniform", "transpose", "hotspot", "tornado")
BUFFERS, LANES, GUESS, SAME = 8, 2, 0.2, 0.1
ALIKE = "selves phases escape sets"
Point.TRAFFIC.setdefault("tornado", "tornado")


class Ours:
    """flitloom at a load."""

    def __init__(self, flitloom):
        self.flitloom = flitloom

    def latency(self, point, rule, load, more):
        warmup, measure = point.windows(load)
        pattern = f"hotspot:{HOT}:{point.hot_fraction():.6f}" if point.pattern == "hotspot" else point.pattern
        words = ["sweep", f"mesh:8x8v{LANES}b{BUFFERS}", pattern, "--link", "model", "--map", "identity", "--rule", rule, "--flits", str(FLITS), "--arrivals", "bernoulli"]
        words += ["--load", f"{load:.6f}", "--warmup", str(warmup), "--measure", str(measure), "--jobs", "1", "--json", *more]
        if rule in ("west-first", "odd-even", "duato"):
            words += ["--select", "random"]
        done = subprocess.run([self.flitloom, *words], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"drawn_ways.py: {' '.join(words)}: {done.stderr.strip() or done.stdout[-300:]}")
        it = json.loads(done.stdout)["curves"][0]["points"][0]
        return None if it["saturated"] else it["latency"]["mean"]


def highest(runs, latency):
    limit = latency(LOW) + WAIT
    def sustained(load):
        it = latency(load)
        return it is not None and it <= limit
    return runs.highest(sustained, index_of(GUESS))


def their_latency(runs, point, load):
    it = runs.theirs(point, load, *point.windows(load), 200)
    return it and it[0]


def measure(runs, ours, pattern, rule, booksim):
    point = Point("mesh 8x8", pattern, BUFFERS, LANES)
    even = Point("mesh 8x8", pattern, BUFFERS, LANES, theirs=f"routing_function={RULES[rule]} {EVEN_THEIRS}")
    row = {"ours": highest(runs, lambda load: ours.latency(point, rule, load, [])), "even": highest(runs, lambda load: ours.latency(point, rule, load, EVEN_OURS))}
    row["theirs"] = highest(runs, lambda load: their_latency(runs, even, load)) if booksim and RULES[rule] else None
    return row


def measure_best(runs, row, pattern, rule):
    best = Point("mesh 8x8", pattern, BUFFERS, LANES, theirs=f"routing_function={RULES[rule]} {EVEN_THEIRS} {BEST}")
    row["best"] = highest(runs, lambda load: their_latency(runs, best, load))


def measure_alike(runs, row, pattern, rule):
    settings = f"routing_function={RULES[rule]} {EVEN_THEIRS}"
    points = [Point("mesh 8x8", pattern, BUFFERS, LANES, theirs=theirs, alike=ALIKE) for theirs in (settings, f"{settings} {BEST}")]
    row["alike"] = max(highest(runs, lambda load, point=point: their_latency(runs, point, load)) for point in points)


def beside_ours(row, name):
    return f"{row[name]:.3f} | {100 * (row[name] / row['even'] - 1):+.0f}%" if name in row else "- | -"


def print_table(rows):
    print("| traffic | rule | highest load | same delays | BookSim2's | as | differs | best | differs | alike | differs |")
    print("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for pattern in PATTERNS:
        for rule, name in RULES.items():
            it = rows.get(f"{pattern} {rule}")
            if it is None:
                continue
            theirs = it["theirs"]
            beside = f"{theirs:.3f} | `{name}` | {100 * (theirs / it['even'] - 1):+.0f}%" if theirs else "- | - | -"
            beside += f" | {beside_ours(it, 'best')} | {beside_ours(it, 'alike')}"
            print(f"| {pattern} | `{rule}` | {it['ours']:.3f} | {it['even']:.3f} | {beside} |")


def main():
    words = sys.argv[1:]
    kept, changed = (words[words.index(option) + 1] if option in words else None for option in ("--rows", "--alike"))
    words = [word for word in words if word not in ("--rows", kept, "--alike", changed)]
    if not words or len(words) > 2:
        raise SystemExit(__doc__)
    rows = json.load(open(kept, encoding="utf-8")) if kept and os.path.exists(kept) else {}
    booksim = words[1] if len(words) > 1 else None
    runs, ours = Runs(words[0], booksim or ".", changed), Ours(os.path.abspath(words[0]))
    for pattern in PATTERNS:
        for rule in RULES:
            key = f"{pattern} {rule}"
            if key not in rows:
                rows[key] = measure(runs, ours, pattern, rule, booksim)
            it = rows[key]
            if booksim and it["theirs"] and "best" not in it and abs(it["theirs"] / it["even"] - 1) > SAME:
                measure_best(runs, it, pattern, rule)
            if changed and "best" in it and "alike" not in it and abs(it["best"] / it["even"] - 1) > SAME:
                measure_alike(runs, it, pattern, rule)
            if kept:
                with open(kept, "w", encoding="utf-8") as file:
                    json.dump(rows, file)
    print_table(rows)


main()
