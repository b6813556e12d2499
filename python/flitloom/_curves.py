# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""The runs of a sweep over loads: a fabric, its traffic, the map, the ways and the timing are a curve."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from . import _options
from ._library import Error, call, constants, encode, ffi, lib, of_option, owned, string
from ._options import MACHINES, MOST, Texts, named, number
from ._watch import Watch


@dataclass
class Request:
    """The options of a sweep over loads or of batches that all of its curves share."""

    pattern: str
    load: Any = None
    batch: int | None = None
    flits: Any = 17
    flits_given: bool = False
    seed: int = 1
    arrivals: str = "poisson"
    warmup: int | None = None
    measure: int = 20000
    requests: str | None = None
    map: Any = None
    planner: str | None = None
    objective: str | None = None
    rule: str | None = None
    select: str | None = None
    tables: str | None = None
    detours: int = 0
    budget: float | None = None
    buffers: int | None = None
    link_delay: int | str | None = None
    router_delay: int | None = None
    flit_bits: int | None = None
    fail: str | None = None
    lanes: int | None = None
    seeds: int | None = None
    precision: Any = None
    link: str = "model"

    def __post_init__(self) -> None:
        self.texts = Texts()
        self.seed = number("seed", self.seed, 0, MOST)
        self.warmup_cycles = 10000 if self.warmup is None else number("warmup", self.warmup, 0, constants.LOAD_CYCLES_MOST)
        number("measure", self.measure, 1, constants.LOAD_CYCLES_MOST)
        if self.warmup_cycles + self.measure > constants.LOAD_CYCLES_MOST:
            raise Error(f"warmup, measure: together {constants.LOAD_CYCLES_MOST} cycles at most")
        _options.rule_number(self.rule)
        if self.batch is not None:
            number("batch", self.batch, 1, constants.BATCH_MOST)
        if self.tables is not None and self.planner is None:
            self.planner = "tables"
        self.map = _options.map_text(self.map)
        self._read_lengths()
        self._read_arrivals()
        self.closed, self.reply_rule_given = closed(self.requests)

    def _read_lengths(self) -> None:
        """flits: one length, or lengths with probabilities as a text or as a dict."""
        self.lengths, self.lengths_text = ffi.NULL, None
        if isinstance(self.flits, dict):
            self.flits = ",".join(f"{length}:{part}" for length, part in self.flits.items())
        if isinstance(self.flits, str):
            self.lengths_text = self.flits
            self.lengths = self.texts.keep(ffi.new("struct loom_lengths *"))
            with of_option("flits"):
                call(lib.loom_lengths_parse, self.lengths, encode(self.flits))
            self.flits = self.lengths.flits[0]
        number("flits", self.flits, 1, constants.FLITS_MOST)

    def _read_arrivals(self) -> None:
        kind, on, off = ffi.new("enum loom_injection *"), ffi.new("uint32_t *"), ffi.new("uint32_t *")
        with of_option("arrivals"):
            call(lib.loom_injection_parse, kind, on, off, encode(self.arrivals))
        self.injection = (kind[0], on[0], off[0])


def closed(text: str | None) -> tuple[Any, bool]:
    """struct loom_load_closed of "4,reply=5,service=20,rule=descending,queue=60", and whether a rule is in it."""
    it = ffi.new("struct loom_load_closed *")
    if text is None:
        return it, False
    fields = {"reply": ("reply_flits", 1, constants.FLITS_MOST), "queue": ("reply_queue", 1, (1 << 32) - 1),
              "service": ("service_cycles", constants.SERVICE_LEAST, constants.SERVICE_MOST)}
    window, *settings = str(text).split(",")
    it.service_cycles, rule_given = constants.SERVICE_USUAL, False
    if window != "any":
        it.window = number("requests", int(window) if window.isdigit() else window, 1, 10**9)
    for setting in settings:
        name, _, value = setting.partition("=")
        if name == "rule":
            it.reply_rule, rule_given = named("rule", value, _options.rules()), True
        elif name in fields:
            field, least, most = fields[name]
            setattr(it, field, number(f"requests: {name}", int(value) if value.isdigit() else value, least, most))
        else:
            raise Error(f"requests: \"{setting}\" is none of reply=, service=, rule=, queue=; such as 4,reply=5,service=20")
    if not it.window and not it.reply_flits:
        raise Error("requests: any number of requests without replies is what a run without requests does")
    if not it.reply_flits and (rule_given or it.reply_queue):
        raise Error("requests: rule= and queue= are of replies: reply=FLITS")
    return it, rule_given


class Curve:
    """A fabric with its traffic, where processors sit and by which ways messages go."""

    def __init__(self, fabric: str, request: Request, machine: str, watch: Watch) -> None:
        self.request, self.machine = request, machine
        self.timing = named("machine", machine, MACHINES)
        r = request
        self.topo = _options.topo(fabric, buffers=r.buffers, link_delay=r.link_delay, router_delay=r.router_delay, flit_bits=r.flit_bits, fail=r.fail, lanes=r.lanes)
        self.name = string(self.topo.name)
        rule = _options.rule_number(r.rule)
        _options.set_turns(self.topo, r.rule, r.seed)
        usual = not lib.loom_rule_is_adaptive(rule) and not lib.loom_rule_has_via(rule)
        if r.planner is None and usual and rule >= lib.loom_topo_rules_count(self.topo):
            raise Error(f"rule: {self.name} has no rule \"{r.rule}\"")
        self.rule = r.rule if r.planner is None else None
        self.goes_by = rule if r.planner is None else 0  # what routers are made for
        self.routes, self._texts = ffi.NULL, Texts()
        options = _options.pattern_options(self._texts, self.topo, flits=r.flits, seed=r.seed)
        self.traffic = owned("loom_traffic", lib.loom_traffic_free, lib.loom_traffic_parse, encode(r.pattern), self.topo, options)
        self.lengths_text = self._find_lengths()
        planned = self.traffic.kind == lib.LOOM_TRAFFIC_ONE
        self.map_name = r.map or ("best" if planned and r.planner is None else "identity")
        self.map = self._find_map(planned)
        if r.planner is not None:
            self._plan_routes(watch)
        capacity = ffi.new("double *")
        call(lib.loom_traffic_capacity, capacity, self.traffic, self.topo, self.map, self.options())
        self.capacity = capacity[0]
        self.senders = lib.loom_traffic_senders_count(self.traffic, self.topo)

    def _find_lengths(self) -> str:
        least, most, r = ffi.new("uint32_t *"), ffi.new("uint32_t *"), self.request
        every = lib.loom_traffic_own_lengths(least, most, self.traffic)
        if every and r.flits_given:
            raise Error(f"flits: {r.pattern} says itself how long its messages are")
        return "own" if every else (r.lengths_text or str(r.flits)) + (" or own" if most[0] else "")

    def _map_of_plan(self, spec: str, planner: str | None, wanted: str) -> Any:
        """The map of a plan: of a pattern by a planner (None: the first that takes it), wanting a map."""
        r, texts = self.request, Texts()
        options = _options.pattern_options(texts, self.topo, flits=r.flits, seed=r.seed)
        pattern = owned("loom_pattern", lib.loom_pattern_free, lib.loom_pattern_parse, encode(spec), lib.loom_topo_hosts(self.topo), options)
        of_plan = ffi.new("struct loom_plan_options *", {"map": texts(wanted), "planner": texts(planner)})
        of_plan.objective = texts(r.objective if spec != r.pattern else None)
        of_plan.rule = texts(_options.rule_name(r.rule) if planner in (None, "direct") else None)
        plan = owned("loom_plan", lib.loom_plan_free, lib.loom_plan_make, self.topo, pattern, of_plan)
        return ffi.new("uint32_t[]", ffi.unpack(plan.map, self.topo.n_nodes))

    def _find_map(self, planned: bool) -> Any:
        """The nodes of the processors: as the plan of a pattern has them, or as given."""
        r, text = self.request, self.map_name
        planner, colon, spec = text.partition(":")
        spec = spec if colon else r.pattern
        try:
            if planner != "best" and not lib.loom_planner_named(encode(planner)):
                placed = planned and lib.loom_plan_map_is_placed(encode(text))
                return self._map_of_plan(r.pattern if placed else "identity", "direct", text)
            if spec == r.pattern and not planned:
                raise Error(f"map {text}: {r.pattern} has no plan of which it could be the map; such as identity, or {planner}:transpose")
            return self._map_of_plan(spec, None if planner == "best" else planner, "best")
        except Error as error:
            # If messages lock, what is said of a plan, such as its passes, is no help at a load.
            if error.code == "LOOM_EINPUT" and r.planner is None:
                self.check(ffi.new("uint32_t[]", range(self.topo.n_nodes)))
            raise

    def _plan_routes(self, watch: Watch) -> None:
        r, texts = self.request, Texts()
        options = _options.plan_options(texts, self.topo, watch, planner=r.planner, rule=r.rule, detours=r.detours, budget=r.budget,
                                        seed=r.seed, tables=r.tables if r.planner == "tables" else None)
        routes = ffi.new("struct loom_load_routes **")
        call(lib.loom_load_routes_plan, routes, self.traffic, self.topo, self.map, options)
        self.routes = ffi.gc(routes[0], lib.loom_load_routes_free)
        self._texts.keep(texts)

    def options(self, load: float = 1.0, seed: int | None = None, warmup: int | None = None, watch: Watch | None = None) -> Any:
        """struct loom_load_options of a run."""
        r = self.request
        it = ffi.new("struct loom_load_options *")
        it.load, it.batch, it.closed, it.flits, it.lengths = load, r.batch or 0, r.closed[0], r.flits, r.lengths
        it.injection, it.on_cycles, it.off_cycles = r.injection
        it.seed = r.seed if seed is None else seed
        it.warmup_cycles, it.measure_cycles = r.warmup_cycles if warmup is None else warmup, r.measure
        it.rule = _options.rule_number(self.rule)
        it.select = _options.selection(r.select)
        if it.closed.reply_flits and not r.reply_rule_given:
            it.closed.reply_rule = lib.loom_load_reply_rule(self.topo, it.rule)
        it.routes, it.beside, it.machine = self.routes, True, self.timing
        if watch is not None:
            it.watch = watch.load
        return it

    def highest(self) -> float:
        """The highest load at which every node makes its messages."""
        return lib.loom_load_most(self.traffic, self.options())

    def check(self, map: Any = None, load: float | None = None) -> None:
        """Raises what speaks against a run at this load."""
        call(lib.loom_load_check, self.topo, self.traffic, self.map if map is None else map, self.options(self.highest() if load is None else load))

    def run(self, device: Any, **options: Any) -> Any:
        """The point of a run on a chip; device None: computed."""
        point, it = ffi.new("struct loom_load_point *"), self.options(**options)
        if device is None:
            call(lib.loom_load_compute, point, self.topo, self.traffic, self.map, it)
        else:
            call(lib.loom_load_run, point, device, self.topo, self.traffic, self.map, it)
        return point

    def warmup(self, load: float, watch: Watch) -> Any:
        """The warm-up that the data ask for."""
        found = ffi.new("struct loom_load_warmup *")
        call(lib.loom_load_find_warmup, found, self.topo, self.traffic, self.map, self.options(load, watch=watch))
        return found

    def own_load(self) -> float | None:
        """The load at which the sources send as their file says."""
        r = self.request
        load = lib.loom_traffic_own_load(self.traffic, lib.loom_lengths_mean(r.lengths) if r.lengths else r.flits)
        return None if math.isnan(load) else load
