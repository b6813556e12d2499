# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""flitloom.sweep: a pattern over sizes, random traffic over loads, or batches."""
from __future__ import annotations

import os
import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Mapping, Sequence

from . import _page, _sizes, _table
from ._curves import Curve, Request
from ._library import Error, call, constants, encode, lib
from ._options import MACHINES, named, number
from ._points import Point
from ._run import Chip
from ._table import Table
from ._watch import Progress, Watch

_TEXTS = ("fabric", "map", "machine", "flits_per_message", "arrivals", "rule", "planner", "verdict", "reason", "link", "requests")
LOADS_MOST = 10000


@dataclass(frozen=True)
class Sweep:
    """The results of a sweep.

    Attributes:
        rows: a row for each fabric, length and machine, or for each fabric, machine and load, with the columns of `sweep --csv`
            (docs/results.md). Loads are in flits per cycle and sending node, latencies in cycles.
    """

    rows: Table

    @property
    def passed(self) -> bool:
        """True if every row that was run was as planned."""
        return not any(self.rows["verdict"] == "fail")

    def html(self, path: str | os.PathLike[str] | None = None, title: str = "sweep") -> str | None:
        """A page with the curves, as `--html` writes it: to the file `path`, or without one the text of it is returned."""
        return _page.put(path, title, _page.of_sweep(self.rows))

    def frame(self) -> Any:
        """The rows as a pandas.DataFrame. ImportError: there is no pandas."""
        return self.rows.frame()


def _listed(value: str | Sequence[str]) -> list[str]:
    items = value.split(",") if isinstance(value, str) else list(value)
    if not items or not all(items):
        raise Error(f"sweep: {value!r}: an item of the list is missing")
    return items


def _loads_of(item: str) -> list[float]:
    """Returns the loads of "0.3" or "0.1:0.9:0.2". Steps add up exactly."""
    parts = [Fraction(part) for part in item.split(":")]
    if len(parts) not in (1, 3) or (len(parts) == 3 and parts[2] <= 0):
        raise ValueError
    first, last, step = parts if len(parts) == 3 else (parts[0], parts[0], Fraction(1))
    if (last - first) / step >= LOADS_MOST:
        raise ValueError
    return [float(first + i * step) for i in range(int((last - first) / step) + 1)] if last >= first else [0]


def loads(load: Any) -> list[float]:
    """0.3, "0.1:0.9:0.2", "0.3,0.4,0.5:0.9:0.1", or a list of loads."""
    try:
        if isinstance(load, str):
            found = [one for item in load.split(",") for one in _loads_of(item)]
        else:
            found = [float(one) for one in (load if hasattr(load, "__iter__") else [load])]
    except (ValueError, ZeroDivisionError, TypeError):
        raise Error(f"load: {load!r} is neither A:B:STEP nor a load nor a list of loads nor \"max\"; such as \"0.05:0.9:0.05\"") from None
    rises = not isinstance(load, str) or all(one < next for one, next in zip(found, found[1:]))
    if not found or not rises or not all(0 < one <= 1 for one in found):
        raise Error(f"load: {load!r}: loads are above 0 and at most 1 flit per cycle and node, ascending")
    return found


def _at_once(points: list[Point], n_jobs: int, watch: Watch) -> None:
    """Points that are computed, several at a time: calls of the library hold no lock of Python's."""
    local = threading.local()

    def carry_out(point: Point) -> None:
        local.watch = Watch(False)  # whose callbacks live as long as the point
        local.watch.stop = watch.stop
        point.carry_out(local.watch)
        if local.watch.error:
            raise local.watch.error

    with ThreadPoolExecutor(n_jobs) as pool:
        futures = [pool.submit(carry_out, point) for point in points]
        left = set(futures)
        try:
            while left:
                done, left = wait(left, timeout=0.2, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
                watch.tell(f"{len(futures) - len(left)} of {len(futures)} points")
        except BaseException:
            watch.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _in_turn(points: list[Point], link: str, watch: Watch) -> None:
    """Points that a chip runs; those of a curve share it."""
    for curve in {id(point.curve): point.curve for point in points}.values():
        with Chip(link, curve.topo, watch, rule=curve.goes_by) as device:
            call(lib.loom_device_stream_possible, device)
            for i, point in enumerate(points):
                if point.curve is curve:
                    watch.part = f"{curve.name}, {i + 1} of {len(points)}: "
                    point.carry_out(watch, device)
    watch.part = ""


def _sweep_loads(names: list[str], machines: list[str], request: Request, jobs: int | None, watch: Watch) -> Sweep:
    if request.precision is not None and request.load == "max":
        raise Error("precision: it is for the mean latency at a load; with load=\"max\" give seeds")
    if request.precision is not None and request.seeds is not None and request.seeds < constants.PRECISION_LEAST:
        raise Error(f"seeds: {request.seeds} at most are too few for precision, which takes {constants.PRECISION_LEAST} at least")
    n_jobs = (os.cpu_count() or 1) if jobs is None else number("jobs", jobs, 1, 1024)
    one_each = request.load == "max" or request.batch is not None
    at = [None] if one_each else loads(request.load)
    curves = [Curve(name, request, machine, watch) for name in names for machine in machines]
    for curve in curves:
        curve.check(load=1.0 if request.batch else max(at) if at[0] is not None else None)
    points = [Point(curve, load) for curve in curves for load in at]
    if lib.loom_run_is_computed(encode(request.link)):
        _at_once(points, min(len(points), n_jobs), watch)
    else:
        _in_turn(points, request.link, watch)
    return Sweep(_table.of_rows((point.row() for point in points), _TEXTS))


def _sweep_sizes(names: list[str], machines: list[str], nodes: Any, flits: Any, dark: Any, it: _sizes.Sizes, watch: Watch) -> Sweep:
    rows: list[dict[str, Any]] = []
    fabrics = list(_sizes.fabrics(names, nodes))
    lengths = _sizes.lengths(flits)
    curves = _sizes.curves(fabrics, dark, it)
    for fabric, making in curves:
        for length in lengths:
            for machine in machines:
                watch.part = f"{fabric}, {len(rows) + 1} of {len(curves) * len(lengths) * len(machines)}: "
                watch.tell(watch.part.rstrip(": "))
                rows.append(_sizes.row(fabric, length, machine, it, making, watch))
                if watch.stop.is_set():
                    return Sweep(_table.of_rows(rows))  # nobody sees it: the watch raises
    if all(row["verdict"] == "left out" for row in rows):
        raise Error(rows[0]["reason"])
    return Sweep(_table.of_rows(rows, tuple(name for name in _TEXTS if name != "flits_per_message")))


def _refuse(options: Mapping[str, Any], why: str) -> None:
    for name, value in options.items():
        if value not in (None, False):
            raise Error(f"{name} {why}")


def sweep(
    fabrics: str | Sequence[str],
    pattern: str,
    *,
    load: str | float | Sequence[float] | None = None,
    batch: int | None = None,
    flits: int | str | Sequence[int] | Mapping[int, float] | None = None,
    seed: int = 1,
    seeds: int | None = None,
    precision: str | float | None = None,
    machine: str | Sequence[str] = "fast",
    link: str = "model",
    nodes: str | int | None = None,
    plan_only: bool = False,
    arrivals: str | None = None,
    warmup: int | None = None,
    measure: int | None = None,
    requests: str | None = None,
    map: str | Sequence[int] | None = None,
    place: str | Sequence[int] | None = None,
    planner: str | None = None,
    objective: str | None = None,
    rule: str | None = None,
    select: str | None = None,
    tables: str | None = None,
    detours: int = 0,
    dark: int | str | Sequence[int] | None = None,
    relay: bool = False,
    budget: float | None = None,
    schedule: str | None = None,
    preset: bool = False,
    bytes: int | None = None,
    flit_bytes: int | None = None,
    calc_cycles: int | str | None = None,
    buffers: int | None = None,
    link_delay: int | str | None = None,
    router_delay: int | None = None,
    flit_bits: int | None = None,
    fail: str | None = None,
    lanes: int | None = None,
    jobs: int | None = None,
    progress: Progress = None,
) -> Sweep:
    """Runs one pattern many times: `flitloom sweep`.

    Without load and batch over sizes: `fabrics` and `flits` vary. With `load`, random traffic at each load; with `batch`, a number of
    messages that each node sends.

    Args:
        fabrics: a list, or a text with commas between; without load also kinds, such as "omega,cube", of about `nodes` nodes, "8:64".
        load: "0.1:0.9:0.2", a load, a list of loads as "0.3,0.4" or of numbers, in flits per cycle and sending node; "max": the highest that is sustained.
        flits: length of messages; over sizes also "A:B", "A:B:STEP" or a list; with load also "1:0.6,5:0.4" or {1: 0.6, 5: 0.4}.
        dark: of fabrics with circuit switches, whatever others are beside them; also "A:B:STEP" or a list, with a row for each.
        seeds, precision: a number of seeds, or seeds until half of the 95% interval of the mean latency is at most this part of it, "2%" or 0.02.
        machine: "fast", "paper", or both.
        link: "model", computed, or "sim", the RTL.
        jobs: with load, the points computed at a time; None: as many as there are cores. On link sim one after the other.
        progress: as of :func:`flitloom.plan`.
        others: as the command's options of these names (docs/command.md).

    Raises:
        flitloom.Error: the request cannot be met. Over sizes a row that cannot be is left out and says why, unless all are.
        KeyboardInterrupt: at Ctrl-C; what was found is lost.
    """
    names, machines = _listed(fabrics), _listed(machine)
    for one in machines:
        named("machine", one, MACHINES)
    n_seeds = None if seeds is None else number("seeds", seeds, 1, 10000)
    of_load: dict[str, Any] = {"arrivals": arrivals, "warmup": warmup, "measure": measure, "requests": requests, "precision": precision, "map": map,
               "place": place, "objective": objective, "rule": rule, "select": select, "jobs": jobs}
    of_sizes: dict[str, Any] = {"nodes": nodes, "plan_only": plan_only, "schedule": schedule, "preset": preset, "bytes": bytes, "flit_bytes": flit_bytes,
                "calc_cycles": calc_cycles, "dark": dark, "relay": relay}
    fabric: dict[str, Any] = {"buffers": buffers, "link_delay": link_delay, "router_delay": router_delay, "flit_bits": flit_bits, "fail": fail, "lanes": lanes}
    ways: dict[str, Any] = {"tables": tables, "detours": detours, "budget": budget}
    with Watch(progress) as watch:
        if load is None and batch is None:
            if place is not None:
                ways["place"] = of_load.pop("place")
            _refuse(of_load, "goes with load")
            image = {"schedule": schedule or "best", "preset": preset}
            making = {**fabric, **ways, "relay": relay, "bytes": bytes, "flit_bytes": flit_bytes, "calc_cycles": calc_cycles}
            planners: list[str | None] = [None] if planner is None else list(_listed(planner))
            sizes = _sizes.Sizes(pattern, link, plan_only, seed, n_seeds or 1, planners, image, making, flits is not None, False)
            return _sweep_sizes(names, machines, nodes, 17 if flits is None else flits, dark, sizes, watch)
        if load is not None and batch is not None:
            raise Error("load does not go with batch")
        _refuse(of_sizes, "does not go with load or batch")
        request = Request(pattern, load, batch, 17 if flits is None else flits, flits is not None, seed, arrivals or "poisson", warmup,
                          20000 if measure is None else measure, requests, place if map is None else map, planner, objective, rule, select,
                          seeds=n_seeds, precision=precision, link=link, **ways, **fabric)
        return _sweep_loads(names, machines, request, jobs, watch)
