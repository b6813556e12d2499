# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""The options of the command, by their names, as the library's structs have them. Numbers out of range and unknown names are refused here,
all else by the library."""
from __future__ import annotations

from typing import Any, Sequence

from ._library import Error, call, constants, encode, ffi, lib, of_option, owned, string

MACHINES = {"fast": lib.LOOM_MACHINE_FAST, "paper": lib.LOOM_MACHINE_PAPER}
SCHEDULES = {"best": lib.LOOM_SCHEDULE_BEST, "table": lib.LOOM_SCHEDULE_TABLE, "generated": lib.LOOM_SCHEDULE_GENERATED}
MOST = (1 << 64) - 1


def number(name: str, value: Any, least: int, most: int) -> int:
    """A whole number in its range."""
    try:
        whole = value.__index__()
    except AttributeError:
        whole = None
    if whole is None or not least <= whole <= most:
        raise Error(f"{name}: {value!r} is not a whole number of {least} to {most}")
    return whole


def named(name: str, value: str, names: dict[str, int]) -> int:
    """Returns the meaning of a name."""
    if value not in names:
        raise Error(f"{name}: unknown {name} \"{value}\"; there is: {', '.join(names)}")
    return names[value]


def rules() -> dict[str, int]:
    """The rules by which messages go."""
    return {string(lib.loom_rule_name(rule)): rule for rule in range(constants.RULES_MAX)}


def all_rules() -> dict[str, int]:
    """The same, those by which routers choose but for turns of one's own (rule_number), and those that draw ways."""
    more = {string(lib.loom_rule_name(rule)): rule for rule in range(constants.RULES_MAX, constants.RULES_NAMED)
            if rule != lib.LOOM_RULE_TURNS and (lib.loom_rule_is_adaptive(rule) or lib.loom_rule_has_via(rule))}
    return {**rules(), **more, "p-cube": lib.LOOM_RULE_NEGATIVE_FIRST}


TURNS, BEST = "turns:", "turns:best"


def rule_number(rule: str | None) -> int:
    """The number of a rule by its name, or of "turns:FILE" and "turns:best"."""
    if rule in ("turns", TURNS):
        raise Error("rule: turns of which file? turns:FILE, or turns:best")
    if rule is not None and rule.startswith(TURNS):
        return int(lib.LOOM_RULE_TURNS)
    return 0 if rule is None else named("rule", rule, all_rules())


def rule_name(rule: str | None) -> str | None:
    """The name of a rule as plans have it."""
    return string(lib.loom_rule_name(lib.LOOM_RULE_TURNS)) if rule_number(rule) == lib.LOOM_RULE_TURNS else rule


def turns(on: Any, rule: str, seed: int) -> tuple[Any, int]:
    """struct loom_turns of "turns:FILE" or "turns:best", and how many have to go at least, of the latter."""
    at_least = ffi.new("uint64_t *")
    if rule == BEST:
        return owned("loom_turns", lib.loom_turns_free, lib.loom_turns_search, at_least, on, seed), at_least[0]
    return owned("loom_turns", lib.loom_turns_free, lib.loom_turns_read, on, encode(rule.removeprefix(TURNS))), 0


def set_turns(on: Any, rule: str | None, seed: int) -> None:
    """Has messages on a fabric go by the turns of a rule, if it has such."""
    if rule_number(rule) == lib.LOOM_RULE_TURNS:
        call(lib.loom_topo_set_turns, on, turns(on, str(rule), number("seed", seed, 0, MOST))[0])


def selection(select: str | None) -> int:
    """The rule of preference of routers that choose."""
    return 0 if select is None else int(named("select", select, {string(lib.loom_select_name(k)): k for k in range(lib.LOOM_SELECT_CREDITS + 1)}))


class Texts:
    """Texts that structs point to. They live as long as this."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def __call__(self, text: Any) -> Any:
        if text is None:
            return ffi.NULL
        self.kept.append(ffi.new("char[]", encode(str(text))))
        return self.kept[-1]

    def keep(self, it: Any) -> Any:
        self.kept.append(it)
        return it


def topo(fabric: str, *, buffers: int | None = None, link_delay: int | str | None = None, router_delay: int | None = None, flit_bits: int | None = None,
         fail: str | None = None, lanes: int | None = None, all_pairs: bool = False) -> Any:
    """A fabric by its name, and what options say of its routers and of what failed of it."""
    it = owned("loom_topo", lib.loom_topo_free, lib.loom_topo_parse, encode(fabric))
    said = ffi.new("struct loom_topo_suffix *")
    lib.loom_topo_suffix_split(said, encode(fabric))
    suffix = ffi.new("struct loom_topo_suffix *")
    for name, size, least, most in (("buffers", buffers, constants.BUFFERS_USUAL, constants.BUFFERS_MAX), ("flit_bits", flit_bits, 1, constants.FLIT_BITS_MAX)):
        if size is None:
            continue
        setattr(suffix, name, number(name, size, least, most))
        if getattr(said, name) not in (0, size):
            raise Error(f"{name} {size}: {fabric} says {getattr(said, name)} by its name; leave one of them out")
    for name, value, most in (("link_delay", link_delay, constants.LINK_DELAY_MAX), ("router_delay", router_delay, constants.ROUTER_DELAY_MAX)):
        if value is None:
            continue
        if name == "link_delay" and isinstance(value, str):
            _delays(suffix, said, it, fabric, value)
            continue
        setattr(suffix, name, number(name, value, 0, most))
        setattr(suffix, f"has_{name}", True)
        if getattr(said, f"has_{name}") and getattr(said, name) != value:
            raise Error(f"{name} {value}: {fabric} says {getattr(said, name)} by its name; leave one of them out")
    call(lib.loom_topo_suffix_set, it, suffix)
    if lanes is not None and fail is None and not all_pairs:
        raise Error("lanes goes with fail; else the fabric's name has its lanes")
    return it if fail is None else _without(it, fail, 0 if all_pairs or lanes is None else number("lanes", lanes, 1, constants.LANES_MAX))


def _delays(suffix: Any, said: Any, it: Any, fabric: str, value: str) -> None:
    """The delays of links by class, as "0:2,1:5"."""
    with of_option("link_delay"):
        call(lib.loom_link_delays_parse, suffix, it, encode(value))
    if said.has_link_delay and (said.link_delay, bytes(ffi.buffer(ffi.addressof(said, "delays")))) != (
            suffix.link_delay, bytes(ffi.buffer(ffi.addressof(suffix, "delays")))):
        raise Error(f"link_delay {value}: {fabric} says others by its name; leave one of them out")


def _without(whole: Any, fail: str, n_lanes: int) -> Any:
    with of_option("fail"):
        failures = owned("loom_failures", lib.loom_failures_free, lib.loom_failures_parse, whole, encode(fail))
        if failures.in_cycle:
            raise Error(f"{fail}: links that fail during a run, @CYCLE, are for the command; without it, they never worked")
        return owned("loom_topo", lib.loom_topo_free, lib.loom_topo_without, whole, failures, n_lanes)


def failed(topo: Any, rule: str | None = None) -> dict[str, int]:
    """The links and nodes that failed, in the columns of a sweep; empty: no failures were named. By rule turns messages go by no route of the graph."""
    facts, graph = ffi.new("struct loom_failure_facts *"), ffi.new("struct loom_graph_facts *", {"lanes_needed": topo.n_vcs})
    if not lib.loom_topo_failure_facts(facts, topo):
        return {}
    if not (rule or "").startswith("turns"):
        lib.loom_topo_graph_facts(graph, topo)
    return {"dead_links": facts.n_links, "cut_off": facts.n_cut_off, "lanes_needed": graph.lanes_needed}


def _calc(options: Any, calc_cycles: Any) -> None:
    cycles, slash, units = str(calc_cycles).partition("/")
    if not cycles.isdigit() or (slash and not units.isdigit()):
        raise Error(f"calc_cycles: {calc_cycles!r} is neither a number of cycles nor a ratio of two whole numbers, such as 3 or \"1/1000\"")
    options.calc_cycles = number("calc_cycles", int(cycles), 1, (1 << 32) - 1)
    options.calc_units = number("calc_cycles", int(units or 1), 1, (1 << 32) - 1)


def pattern_options(texts: Texts, on: Any, *, flits: int, seed: int, bytes: int | None = None, flit_bytes: int | None = None,
                    calc_cycles: Any = None) -> Any:
    """The parameters that a pattern's specification leaves open, on a fabric."""
    extent = texts.keep(ffi.new("uint32_t[]", constants.DIMS_MAX))
    options = texts.keep(ffi.new("struct loom_pattern_options *"))
    options.flits = number("flits", flits, 1, constants.FLITS_MOST)
    options.seed = number("seed", seed, 0, MOST)
    options.n_dims, options.extent = lib.loom_topo_shape(extent, on), extent
    options.flit_bits = on.flit_bits
    if bytes is not None:
        options.bytes, options.has_bytes = number("bytes", bytes, 0, (1 << 32) - 1), True
    if flit_bytes is not None:
        options.flit_bytes = number("flit_bytes", flit_bytes, 1, (1 << 16) - 1)
    if calc_cycles is not None:
        _calc(options, calc_cycles)
    return options


def pattern(spec: str, on: Any, flits: int | None, **more: Any) -> Any:
    """A pattern by its name. flits None: 17, unless the pattern says how long its messages are. What changes nothing is refused."""
    texts = Texts()
    in_bytes = lib.loom_pattern_is_in_bytes(encode(spec))
    for name in ("bytes", "flit_bytes", "calc_cycles"):
        if more.get(name) is not None and not in_bytes:
            raise Error(f"{name}: for goal:FILE and collectives such as allreduce:ring; messages of {spec} have flits")
    if spec.startswith(("goal:", "matrix:")) and more.get("bytes") is not None:
        raise Error(f"bytes: {spec} says itself how many there are")
    if spec.startswith(("matrix:", "demand:")) and more.get("calc_cycles") is not None:
        raise Error(f"calc_cycles: there are no computations in {spec}")
    options = pattern_options(texts, on, flits=17 if flits is None else flits, **more)
    it = owned("loom_pattern", lib.loom_pattern_free, lib.loom_pattern_parse, encode(spec), lib.loom_topo_hosts(on), options)
    if flits is not None and it.own_lengths:
        raise Error(f"flits: {spec} says itself how long its messages are")
    return it


def route_tables(path: str | None, on: Any) -> Any:
    """Tables of the user's own, from a file; None: there are none."""
    if path is None:
        return None
    own = owned("loom_table_file", lib.loom_table_file_free, lib.loom_table_file_read, on, encode(path))
    return owned("loom_route_tables", lib.loom_route_tables_free, lib.loom_route_tables_of_file, own, on)


def seconds(budget: float | None) -> float:
    """A budget in seconds; 0: none."""
    if budget is None:
        return 0.0
    if not 0 < budget < 1e9:
        raise Error(f"budget: {budget!r} is no number of seconds above 0, such as 0.5")
    return float(budget)


def map_text(map: str | Sequence[int] | None) -> str | None:
    """A map as the library reads it: nodes may be given as numbers."""
    return map if map is None or isinstance(map, str) else ",".join(str(int(node)) for node in map)


def plan_options(texts: Texts, on: Any, watch: Any, *, map: Any = None, place: Any = None, planner: str | None = None,
                 budget: float | None = None, load: str | None = None, detours: int = 0, cost: str | None = None,
                  dark: int | None = None, relay: bool = False, objective: str | None = None, half_duplex: bool = False,
                  rule: str | None = None, select: str | None = None, tables: str | None = None, seed: int = 1) -> Any:
    """The options of a plan."""
    if map is not None and place is not None:
        raise Error("map and place are two names of the same")
    rule = rule_name(rule)
    options = texts.keep(ffi.new("struct loom_plan_options *"))
    options.map, options.planner = texts(map_text(place if map is None else map)), texts(planner)
    options.load, options.cost, options.objective, options.rule = texts(load), texts(cost), texts(objective), texts(rule)
    options.select = selection(select)
    options.dark_given, options.relay = dark is not None, bool(relay)
    options.dark = 0 if dark is None else number("dark", dark, 0, 2**32 - 1)
    options.detours = number("detours", detours, 0, constants.DETOURS_MAX)
    options.half_duplex, options.budget_seconds, options.seed = bool(half_duplex), seconds(budget), number("seed", seed, 0, MOST)
    own = texts.keep(route_tables(tables, on))
    options.tables = own if own else ffi.NULL
    options.stopped, options.progress = texts.keep(watch).stopped, watch.text
    return options


def image_options(*, machine: str = "fast", seed: int = 1, schedule: str = "best", preset: bool = False) -> Any:
    """The options of what is loaded."""
    options = ffi.new("struct loom_image_options *")
    options.machine = named("machine", machine, MACHINES)
    options.seed, options.preset = number("seed", seed, 0, MOST), bool(preset)
    options.schedule = named("schedule", schedule, SCHEDULES)
    return options
