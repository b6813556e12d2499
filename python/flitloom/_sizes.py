# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep over sizes: one pattern on several fabrics, with messages of several lengths, in the columns of `sweep --csv`."""
from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any, Iterator

from . import _options
from ._library import Error, call, constants, encode, ffi, lib, owned, string
from ._options import number
from ._results import predicted
from ._run import carry_out, make
from ._watch import Watch

CAN_BE_LEFT_OUT = ("LOOM_EINPUT", "LOOM_EFIT")


@dataclass
class Sizes:
    """The options of a sweep over sizes."""

    pattern: str
    link: str
    plan_only: bool
    seed: int
    seeds: int
    planners: list[str | None]
    image: dict[str, Any]
    making: dict[str, Any]
    flits_given: bool
    darks: bool  # dark times vary, and rows have columns for them


def lengths(flits: Any) -> list[int]:
    """17, "5:40" (doubled, and the last), "5:9:2", or a list."""
    if not isinstance(flits, str):
        listed = list(flits) if hasattr(flits, "__iter__") else [flits]
        return [number("flits", one, 1, constants.FLITS_MOST) for one in listed]
    parts = flits.split(":")
    if not all(part.isdigit() for part in parts) or len(parts) > 3:
        raise Error(f"flits: \"{flits}\": over sizes it is N, A:B or A:B:STEP; lengths with probabilities go with load")
    first, last, step = (int(parts[0]), int(parts[min(1, len(parts) - 1)]), int(parts[2]) if len(parts) == 3 else 0)
    if last < first or (len(parts) == 3 and step == 0):
        raise Error(f"flits: \"{flits}\" does not ascend")
    found = [number("flits", first, 1, constants.FLITS_MOST)]
    while found[-1] < last:
        found.append(found[-1] + step if step else min(2 * found[-1], last))
    return [one for one in found if one <= last]


def darks(dark: Any) -> tuple[list[int | None], bool]:
    """Dark times, and whether they are several: None, 5, "0:100:10", or a list."""
    if not isinstance(dark, str):
        several = hasattr(dark, "__iter__")
        return [None if one is None else number("dark", one, 0, constants.CIRCUIT_DARK_MOST) for one in (dark if several else [dark])], several
    parts = dark.split(":")
    if len(parts) not in (1, 3) or not all(part.isdigit() for part in parts):
        raise Error(f"dark: \"{dark}\" is neither a number of cycles nor A:B:STEP; such as \"0:100:10\"")
    first, last, step = (int(parts[0]), int(parts[-2]), int(parts[-1])) if len(parts) == 3 else (int(dark), int(dark), 1)
    if last < first or step == 0:
        raise Error(f"dark: \"{dark}\" does not ascend")
    number("dark", last, 0, constants.CIRCUIT_DARK_MOST)
    return list(range(first, last + 1, step)), len(parts) == 3


def has_circuits(topo: Any) -> bool:
    return bool(topo.kind.router == lib.LOOM_ROUTER_CIRCUITS)


def fabrics(names: list[str], nodes: Any) -> Iterator[str]:
    """Fabrics by their names; of a kind, "cube", those of about 2, 4, 8, ... nodes, as many as `nodes` says, "8:64"."""
    seen = set()
    if nodes is not None and all(":" in name for name in names):
        raise Error(f"nodes: {','.join(names)} has its sizes; it goes with kinds, such as omega,cube")
    for name in names:
        if ":" in name:
            yield name
            continue
        if nodes is None:
            raise Error(f"sweep: {name} of how many nodes? such as nodes=\"2:64\"")
        first, _, last = str(nodes).partition(":")
        if not first.isdigit() or (last and not last.isdigit()):
            raise Error(f"nodes: {nodes!r} is neither A:B nor A, such as \"2:64\"")
        n, most = number("nodes", int(first), 2, constants.NODES_MAX), number("nodes", int(last or first), 2, constants.NODES_MAX)
        while n <= most:
            topo = owned("loom_topo", lib.loom_topo_free, lib.loom_topo_near, encode(name), n)
            near = string(topo.name)
            if near not in seen:
                seen.add(near)
                yield near
            n *= 2


def curves(names: list[str], dark: Any, it: Sizes) -> list[tuple[str, dict[str, Any]]]:
    """The fabrics, with what their plans are made by: of circuit switches for each dark time."""
    listed, it.darks = darks(dark)
    with_circuits = [has_circuits(_options.topo(name)) for name in names]
    of_circuits = any(with_circuits)
    found: list[tuple[str, dict[str, Any]]] = []
    for name, has in zip(names, with_circuits):
        if has:
            found += [(name, {**it.making, "dark": one}) for one in listed]
        else:
            found.append((name, {**it.making, "dark": None if of_circuits else listed[0], "relay": it.making["relay"] and not of_circuits}))
    return found


def _plan(fabric: str, length: int, seed: int, it: Sizes, making: dict[str, Any], watch: Watch) -> Any:
    """By the first planner of those asked for that can."""
    for i, planner in enumerate(it.planners):
        try:
            flits = length if it.flits_given else None
            return make(fabric, it.pattern, watch, flits=flits, seed=seed, planner=planner, **making)
        except Error as error:
            if error.code != "LOOM_EINPUT" or i + 1 == len(it.planners):
                raise
    raise AssertionError


def _one_run(made: Any, seed: int, it: Sizes, watch: Watch) -> dict[str, Any]:
    """A run with one seed, or what is predicted of it."""
    image = _options.image_options(seed=seed, **it.image)
    if it.plan_only:
        call(lib.loom_image_check, made, image)
        verdict, v = predicted(made, image.machine), None
    else:
        _, v = carry_out(made, watch, it.link, image)
        verdict = v
    unknown = constants.CYCLES_UNKNOWN
    known = None if verdict.predicted_cycles == unknown else verdict.predicted_cycles
    told = known if v is None else v.measured_cycles
    back_to_back = verdict.predicted_back_to_back_cycles if v is None else v.measured_back_to_back_cycles
    if made.free_running or made.n_passes == 1:  # no second run: it is the one that there was, and what is before it
        back_to_back = unknown if told is None else constants.READY_CYCLES + told
    return {
        "passes": made.n_passes,
        "contention": verdict.predicted_contention if v is None else v.measured_contention,
        "predicted": known,
        "measured": None if v is None else v.measured_cycles,
        "back_to_back": None if back_to_back in (0, unknown) else back_to_back,
        "planner": string(made.planner), "messages": verdict.messages, "flits": verdict.flits,
        "reasons": [string(verdict.mismatches[0])] if verdict.n_mismatches else [],
        "lengths": {made.messages[i].flits for i in range(made.n_messages)},
        "own_lengths": lib.loom_plan_how_made(made).own_lengths,
        "circuits": _circuits(lib.loom_plan_how_made(made).circuits),
    }


def _circuits(made: Any) -> dict[str, float]:
    """Figures of a schedule of circuit switches; none: there is none."""
    if not made:
        return {}
    facts = ffi.new("struct loom_circuit_facts *")
    lib.loom_circuit_facts_of(facts, ffi.addressof(made.schedule), ffi.addressof(made.demand), ffi.addressof(made.bound))
    return {"makespan": facts.makespan, "makespan_bound": facts.bound, "dark_share": facts.dark_share, "utilisation": facts.utilisation}


def _spread(name: str, values: list[int | None]) -> dict[str, Any]:
    """Mean, deviation of a sample, least and largest; None where one of them is not known."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return dict.fromkeys((f"{name}_cycles", f"{name}_sd", f"{name}_min", f"{name}_max"))
    deviation = statistics.stdev(known) if len(known) > 1 else 0.0
    return {f"{name}_cycles": statistics.fmean(known), f"{name}_sd": deviation, f"{name}_min": min(known), f"{name}_max": max(known)}


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if len(known) == len(values) else None


COLUMNS = ("planner", "passes", "messages", "flits", "contention", "predicted_cycles", "predicted_sd", "predicted_min", "predicted_max",
           "measured_cycles", "measured_sd", "measured_min", "measured_max", "back_to_back_cycles")
OF_CIRCUITS = ("makespan", "makespan_bound", "dark_share", "utilisation")


def row(fabric: str, length: int, machine: str, it: Sizes, making: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """A row; one that cannot be planned or run says why."""
    it.image["machine"] = machine
    topo = _options.topo(fabric, **{name: making[name] for name in ("buffers", "link_delay", "router_delay", "flit_bits", "fail", "lanes")})
    columns = COLUMNS + (OF_CIRCUITS if it.darks else ())
    head = {"fabric": string(topo.name), **({"dark": making["dark"]} if it.darks else {}), "nodes": topo.n_nodes, "flits_per_message": length, "flits_asked": length, "machine": machine,
            "seeds": it.seeds, **_options.failed(topo)}
    tail = {"link": None if it.plan_only else it.link}
    runs = []
    try:
        for seed in range(it.seed, it.seed + it.seeds):
            runs.append(_one_run(_plan(fabric, length, seed, it, making, watch), seed, it, watch))
    except Error as error:
        if error.code not in CAN_BE_LEFT_OUT:
            raise
        return {**head, **dict.fromkeys(columns), "verdict": "left out", "reason": str(error), **tail}
    last = runs[-1]
    of_all = set().union(*(run["lengths"] for run in runs))
    head.update(flits_per_message=of_all.pop() if len(of_all) == 1 else None, flits_asked=None if last["own_lengths"] else length)
    reasons = [reason for run in runs for reason in run["reasons"]]
    figures = {"planner": last["planner"], "passes": max(run["passes"] for run in runs), "messages": last["messages"], "flits": last["flits"],
               "contention": max(run["contention"] for run in runs)}
    for name in OF_CIRCUITS if it.darks else ():
        figures[name] = _mean([run["circuits"].get(name) for run in runs])
    for name in ("predicted", "measured"):
        figures.update(_spread(name, [run[name] for run in runs]))
    figures["back_to_back_cycles"] = _mean([run["back_to_back"] for run in runs])
    verdict = None if it.plan_only else "fail" if reasons else "pass"
    return {**head, **figures, "verdict": verdict, "reason": reasons[0] if reasons else None, **tail}
