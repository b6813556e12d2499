# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""The points of a sweep over loads: how many runs each takes, and what they come to, in the columns of `sweep --load --csv`."""
from __future__ import annotations

import math
from operator import attrgetter
from typing import Any, Callable

from . import _options
from ._curves import Curve, Request
from ._library import Error, constants, ffi, lib, string
from ._watch import Watch

BISECTIONS = 8  # so the highest load is known to 1/256 of what the channels could carry


def precision_part(precision: Any) -> float:
    """"2%" as 0.02; 0: none is asked for."""
    if precision is None:
        return 0.0
    try:
        part = float(str(precision).removesuffix("%")) / (100 if isinstance(precision, str) else 1)
    except ValueError:
        part = 0.0
    if not 0 < part < 1:
        raise Error(f"precision: {precision!r} is no part above 0% and below 100%; such as \"2%\" or 0.02")
    return part


def _interval(values: list[float], confidence: float) -> tuple[float, float]:
    found = ffi.new("struct loom_interval *")
    lib.loom_interval_of(found, ffi.new("double[]", values), len(values), confidence)
    return found.mean, found.half_width


class Point:
    """The runs of one load of a curve."""

    def __init__(self, curve: Curve, load: float | None) -> None:
        self.curve, self.load = curve, load
        self.warmup: Any = None
        self.request: Request = curve.request
        self.runs: list[Any] = []
        r = self.request
        self.part = precision_part(r.precision)
        self.most = r.seeds or (constants.PRECISION_MOST if self.part else 1)
        self.many = self.most > 1 or bool(self.part)
        self.confidence = constants.PRECISION_CONFIDENCE if self.part else constants.INTERVAL_CONFIDENCE

    def _figures(self, of: Callable[[Any], float]) -> tuple[float, float]:
        return _interval([of(run) for run in self.runs], self.confidence)

    def _is_narrow(self) -> bool:
        values = ffi.new("double[]", [run.mean for run in self.runs])
        found = ffi.new("struct loom_interval *")
        lib.loom_interval_of(found, values, len(self.runs), self.confidence)
        return lib.loom_precision_is_met(found, self.part)

    def _highest(self, device: Any, **options: Any) -> Any:
        """Bisection: runs that are not sustained say so early, so most of the time goes into those that are."""
        most = self.curve.highest()
        sustained, too_much = 0.0, min(self.curve.capacity, most) if not math.isnan(self.curve.capacity) else most
        best = ffi.new("struct loom_load_point *", {"saturated": True})
        for _ in range(BISECTIONS):
            load = (sustained + too_much) / 2
            point = self.curve.run(device, load=load, **options)
            if not point.saturated or point.n_mismatches:
                best = point
            if point.saturated:
                too_much = load
            else:
                sustained = load
            if best.n_mismatches:
                break
        return best

    def carry_out(self, watch: Watch, device: Any = None) -> None:
        """Runs as many seeds as it takes."""
        r = self.request
        warmup = None
        if self.many and self.load is not None and r.warmup is None:
            self.warmup = self.curve.warmup(self.load, watch)
            warmup = self.warmup.cycles
        while True:
            n = len(self.runs)
            if n and (not self.part or any(run.saturated for run in self.runs) or self._is_narrow()):
                return
            wanted = min(lib.loom_precision_next(n) if self.part else self.most, self.most)
            if wanted <= n:
                return
            for seed in range(r.seed + n, r.seed + wanted):
                options = {"seed": seed, "warmup": warmup, "watch": watch}
                if r.load == "max":
                    self.runs.append(self._highest(device, **options))
                else:
                    self.runs.append(self.curve.run(device, load=1.0 if self.load is None else self.load, **options))

    # --- What they come to -------------------------------------------------------------------------------------------

    def row(self) -> dict[str, Any]:
        """The figures, by the names of the columns. Unknown ones are None."""
        c, r, runs = self.curve, self.request, self.runs
        mean = {name: self._figures(of) for name, of in _FIGURES.items()}
        saturated = any(run.saturated for run in runs)
        mismatches = [string(run.mismatch) for run in runs if run.n_mismatches]
        row = {**_options.failed(c.topo, c.rule), "fabric": c.name, "nodes": c.topo.n_nodes, "senders": c.senders, "map": c.map_name, "machine": c.machine,
               "flits_per_message": c.lengths_text, "rule": c.rule}
        row.update(self._of_batch(mean) if r.batch else self._of_load(mean, saturated))
        row.update(verdict="fail" if mismatches else "pass", reason=mismatches[0] if mismatches else None, link=r.link)
        if r.requests is not None:
            row.update(self._of_requests(mean, not saturated))
        if self.many:
            row.update(self._of_seeds(mean, saturated))
        return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in row.items()}

    def _latency(self, mean: dict[str, tuple[float, float]], flows: bool) -> dict[str, Any]:
        runs, one = self.runs, not self.many
        latency = {"latency": mean["latency"][0], "min": min(run.least for run in runs), "max": max(run.most for run in runs)}
        latency.update({name: getattr(runs[0], name) if one else mean[name][0] for name in ("p50", "p95", "p99")})
        return {name: value if flows else None for name, value in latency.items()}

    def _of_load(self, mean: dict[str, tuple[float, float]], saturated: bool) -> dict[str, Any]:
        c, flows = self.curve, not saturated
        row: dict[str, Any] = {"arrivals": self.request.arrivals, "planner": self.request.planner, "saturated": saturated}
        row.update({name: mean[name][0] for name in ("load", "offered", "accepted", "worst_share", "jain")})
        row.update({name: mean[name][0] if flows else None for name in ("at_source", "in_network", "without_wait")})
        row.update(self._latency(mean, flows), messages=sum(run.n_messages for run in self.runs),
                   cycles=sum(run.n_cycles for run in self.runs), capacity=c.capacity)
        return row

    def _of_batch(self, mean: dict[str, tuple[float, float]]) -> dict[str, Any]:
        runs = self.runs
        row = {"batch": self.request.batch, "finish": mean["finish"][0] if self.many else runs[0].finish.cycle,
               "first": min(run.finish.least for run in runs), "finish_mean": mean["finish_mean"][0],
               "last": None if self.many else runs[0].finish.last, "accepted": mean["accepted"][0],
               "flits": sum(run.finish.n_flits for run in runs)}
        row.update(self._latency(mean, True), messages=sum(run.n_messages for run in runs))
        return row

    def _of_requests(self, mean: dict[str, tuple[float, float]], flows: bool) -> dict[str, Any]:
        r, row = self.request, {}
        for name in ("request", "reply"):
            known = flows and bool(r.closed.reply_flits)
            parts = [getattr(run, name) for run in self.runs]
            row.update({name: mean[name][0] if known else None, f"{name}_max": max(part.most for part in parts) if known else None})
            for percentile in ("p95", "p99"):
                row[f"{name}_{percentile}"] = getattr(parts[0], percentile) if known and not self.many else None
        return {**row, "wait_for_place": mean["wait_for_place"][0] if flows else None, "requests": r.requests}

    def _of_seeds(self, mean: dict[str, tuple[float, float]], saturated: bool) -> dict[str, Any]:
        r, flows = self.request, not saturated
        steady = self.warmup is None or self.warmup.steady
        row: dict[str, Any] = {"seeds": len(self.runs)}
        if r.batch:
            half_widths = {"finish": True, "accepted": True, "latency": True}
        else:
            row.update(saturated_seeds=sum(run.saturated for run in self.runs),
                       settled=steady and (not self.part or self._is_narrow()) if flows else None,
                       warmup_cycles=r.warmup_cycles if self.warmup is None else self.warmup.cycles,
                       warmup_steady=None if self.warmup is None else self.warmup.steady)
            half_widths = {"load": r.load == "max", "accepted": True, "worst_share": True, "jain": True,
                           **dict.fromkeys(("latency", "p50", "p95", "p99", "at_source", "in_network"), flows)}
        row.update({f"{name}_half_width": mean[name][1] if known else None for name, known in half_widths.items()})
        return row


_FIGURES: dict[str, Callable[[Any], float]] = {
    "latency": lambda run: run.mean,
    "finish": lambda run: run.finish.cycle,
    "finish_mean": lambda run: run.finish.mean,
    "request": lambda run: run.request.mean,
    "reply": lambda run: run.reply.mean,
    **{name: attrgetter(name) for name in ("load", "offered", "accepted", "worst_share", "jain", "at_source", "in_network", "without_wait",
                                           "p50", "p95", "p99", "wait_for_place")},
}
