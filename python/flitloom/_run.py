# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""flitloom.plan and flitloom.run."""
from __future__ import annotations

from typing import Any, Sequence

from . import _options
from ._library import Error, call, encode, ffi, lib, owned
from ._options import MACHINES, Texts, named, number
from ._results import Plan, Run, predicted
from ._watch import Progress, Watch

_PATTERN = ("bytes", "flit_bytes", "calc_cycles")
_FABRIC = ("buffers", "link_delay", "router_delay", "flit_bits", "fail", "lanes")


def make(fabric: str, pattern: str | None, watch: Watch, *, flits: int | None, seed: int, **options: Any) -> Any:
    """The struct loom_plan of a fabric and a pattern, or of a plan's file."""
    if pattern is None:
        asked = [name for name, value in {**options, "flits": flits}.items() if value not in (None, False, 0)]
        if asked:
            raise Error(f"{asked[0]}: the plan {fabric} has settled that; give FABRIC PATTERN for another")
        return owned("loom_plan", lib.loom_plan_free, lib.loom_plan_read, encode(fabric))
    on = _options.topo(fabric, **{name: options.pop(name) for name in _FABRIC})
    messages = _options.pattern(pattern, on, flits, seed=seed, **{name: options.pop(name) for name in _PATTERN})
    texts = Texts()
    _options.set_turns(on, options.get("rule"), seed)
    wanted = _options.plan_options(texts, on, watch, seed=seed, **options)
    return owned("loom_plan", lib.loom_plan_free, lib.loom_plan_make, on, messages, wanted)


def plan(
    fabric: str,
    pattern: str | None = None,
    *,
    flits: int | None = None,
    seed: int = 1,
    map: str | Sequence[int] | None = None,
    place: str | Sequence[int] | None = None,
    planner: str | None = None,
    budget: float | None = None,
    load: str | None = None,
    detours: int = 0,
    cost: str | None = None,
    dark: int | None = None,
    relay: bool = False,
    objective: str | None = None,
    half_duplex: bool = False,
    rule: str | None = None,
    select: str | None = None,
    tables: str | None = None,
    machine: str = "fast",
    bytes: int | None = None,
    flit_bytes: int | None = None,
    calc_cycles: int | str | None = None,
    buffers: int | None = None,
    link_delay: int | str | None = None,
    router_delay: int | None = None,
    flit_bits: int | None = None,
    fail: str | None = None,
    lanes: int | None = None,
    progress: Progress = None,
) -> Plan:
    """Plans a pattern on a fabric: `flitloom plan`.

    Args:
        fabric: such as "cube:8"; or, without a pattern, the file of a plan.
        pattern: such as "transpose" or "messages:FILE".
        flits: length of a message in flits, header included; None: 17, or what the pattern says.
        seed: of random patterns.
        map, place: where processors sit: "best", "identity", "greedy", ..., or the node of each.
        budget: seconds for planners that search.
        machine: timing of the routers, "fast" or "paper".
        progress: None: long work shows how far it is if standard error is a terminal; True: in any case; False: never; or what is
            called with each text.
        others: as the command's options of these names (docs/command.md).

    Raises:
        flitloom.Error: the request cannot be met.
        KeyboardInterrupt: at Ctrl-C, in the midst of a search.
    """
    timing = named("machine", machine, MACHINES)
    with Watch(progress) as watch:
        made = make(fabric, pattern, watch, flits=flits, seed=seed, map=map, place=place, planner=planner, budget=budget, load=load,
                    detours=detours, cost=cost, dark=dark, relay=relay, objective=objective, half_duplex=half_duplex,
                    rule=rule, select=select, tables=tables, bytes=bytes, flit_bytes=flit_bytes, calc_cycles=calc_cycles, buffers=buffers, link_delay=link_delay, router_delay=router_delay, flit_bits=flit_bits, fail=fail, lanes=lanes)
        return Plan(made, timing, predicted(made, timing))


class Chip:
    """A chip behind a link, for as long as it is needed."""

    def __init__(self, link: str, on: Any, watch: Watch, timeout: int | None = None, rule: int = 0) -> None:
        self.link = ffi.new("struct loom_link *")
        device = ffi.new("struct loom_device **")
        options = ffi.new("struct loom_link_options *")
        options.fabric, options.topo, options.progress = on.name, on, watch.text
        options.turns, options.via = rule == lib.LOOM_RULE_TURNS, lib.loom_rule_has_via(rule)
        options.adaptive = lib.loom_rule_chooses_on(on, rule)
        if timeout is not None:
            options.timeout_ms = number("timeout", timeout, 1, 24 * 3600 * 1000)
        call(lib.loom_run_open, self.link, device, encode(link), options)
        self.device = device[0]

    def __enter__(self) -> Any:
        return self.device

    def __exit__(self, *of_error: Any) -> None:
        lib.loom_device_close(self.device)
        lib.loom_link_close(self.link)


def carry_out(made: Any, watch: Watch, link: str, image: Any, max_cycles: int | None = None, timeout: int | None = None) -> tuple[Any, Any]:
    """Runs a plan, or computes it: trace and verdict."""
    trace, verdict = ffi.new("struct loom_trace *"), ffi.new("struct loom_verdict *")
    most = 0 if max_cycles is None else number("max_cycles", max_cycles, 1, 10**15)
    call(lib.loom_run_check, made, encode(link), ffi.NULL, image)
    if lib.loom_run_is_computed(encode(link)):
        if timeout is not None:
            raise Error("timeout: link model has no line that could stand still")
        options = ffi.new("struct loom_machine_options *")
        options.image, options.watch = image[0], watch.run
        options.run.max_cycles, options.run.back_to_back = most, True
        call(lib.loom_run_compute, trace, verdict, made, options)
    else:
        run = ffi.new("struct loom_run_options *", {"max_cycles": most, "back_to_back": True})
        with Chip(link, ffi.addressof(made.topo), watch, timeout, made.messages[0].rule if made.n_messages else 0) as device:
            lib.loom_device_watch(device, watch.run, ffi.NULL)
            call(lib.loom_run_plan, trace, verdict, device, made, image, run)
    return ffi.gc(trace, lib.loom_trace_free), ffi.gc(verdict, lib.loom_verdict_free)


def run(
    fabric: str,
    pattern: str | None = None,
    *,
    link: str = "sim",
    schedule: str = "best",
    preset: bool = False,
    max_cycles: int | None = None,
    timeout: int | None = None,
    flits: int | None = None,
    seed: int = 1,
    map: str | Sequence[int] | None = None,
    place: str | Sequence[int] | None = None,
    planner: str | None = None,
    budget: float | None = None,
    load: str | None = None,
    detours: int = 0,
    cost: str | None = None,
    dark: int | None = None,
    relay: bool = False,
    objective: str | None = None,
    half_duplex: bool = False,
    rule: str | None = None,
    select: str | None = None,
    tables: str | None = None,
    machine: str = "fast",
    bytes: int | None = None,
    flit_bytes: int | None = None,
    calc_cycles: int | str | None = None,
    buffers: int | None = None,
    link_delay: int | str | None = None,
    router_delay: int | None = None,
    flit_bits: int | None = None,
    fail: str | None = None,
    lanes: int | None = None,
    progress: Progress = None,
) -> Run:
    """Plans a pattern on a fabric, runs the plan and compares: `flitloom run`.

    Args:
        link: the way to the fabric: "sim", the RTL, which Verilator builds when it is run for the first time; "model", computed, with no
            routers, to the same cycle; "uart:...", "ftdi:...", a board.
        schedule: of a free run, "best", "table" or "generated".
        max_cycles: gives up when a pass takes more cycles.
        timeout: milliseconds for which a link may stand still; then it gives up.
        others: as of :func:`plan`.

    Returns:
        What was measured beside what was planned. A difference is no error: see `passed`.

    Raises:
        flitloom.Error: the request cannot be met, or link or hardware failed.
        KeyboardInterrupt: at Ctrl-C, in the midst of a run.
    """
    image = _options.image_options(machine=machine, seed=seed, schedule=schedule, preset=preset)
    with Watch(progress) as watch:
        made = make(fabric, pattern, watch, flits=flits, seed=seed, map=map, place=place, planner=planner, budget=budget, load=load,
                    detours=detours, cost=cost, dark=dark, relay=relay, objective=objective, half_duplex=half_duplex,
                    rule=rule, select=select, tables=tables, bytes=bytes, flit_bytes=flit_bytes, calc_cycles=calc_cycles, buffers=buffers, link_delay=link_delay, router_delay=router_delay, flit_bits=flit_bits, fail=fail, lanes=lanes)
        trace, verdict = carry_out(made, watch, link, image, max_cycles, timeout)
        return Run(made, image.machine, verdict, trace, link)
