# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""flitloom.check: whether messages on a network can lock, whatever is sent."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from . import _options, _page, _table
from ._library import Error, call, constants, encode, ffi, lib, owned, string
from ._options import MOST, number
from ._table import Table
from ._watch import Progress, Watch

MIXED = "mixed"
LANES_TRIED = 4  # by default
ENOUGH = 1.3  # times the bound: fewer lanes than it takes for that are not recommended


@dataclass(frozen=True)
class Check:
    """The findings of a check.

    Attributes:
        fabric: its name, canonical.
        nodes: how many it has.
        deadlock_free: True if no deadlock is possible; None: tables with faults do not show it.
        rows: a row for each rule; of all_pairs for each number of lanes; of tables for each fault.
        circles: of each rule, of "tables" or none: the channels that wait for one another, a row for each; empty: there is none.
        facts: all else, as `check --json` names it: of all_pairs "lanes", "largest_load", "lower_bound", ..., of tables "labels", ...
    """

    fabric: str
    nodes: int
    deadlock_free: bool | None
    rows: Table
    circles: dict[str, Table]
    facts: dict[str, Any]

    def html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """A page with the lists, without a picture of the network: to the file `path`, or without one the text of it is returned."""
        circles = {f"circle of {name}": _page.rows(circle) for name, circle in self.circles.items() if len(circle)}
        return _page.put(path, f"check of {self.fabric}", {"request": None, "fabric": self.fabric, "nodes": self.nodes, "deadlock_free": self.deadlock_free,
                                                            "rows": _page.rows(self.rows), **circles, **_page.plain(self.facts)})


def _channel(topo: Any, channel: int) -> str:
    name = ffi.new("char[48]")
    lib.loom_topo_channel_name(topo, channel, name)
    return string(name)


def _failures(topo: Any) -> dict[str, Any]:
    """The links and nodes that failed, and the nodes that are cut off; empty: no failures were named."""
    failed = _options.failed(topo)
    if not failed:
        return {}
    return {"dead_links": failed["dead_links"], "out": [node for node in range(topo.n_nodes) if not lib.loom_topo_takes_part(topo, node)]}


def _slow_links(topo: Any) -> dict[str, Any]:
    """The links that are slower, by their class or delay; empty: none is."""
    groups = ffi.new("struct loom_slow_links[]", constants.SLOW_GROUPS)
    if not lib.loom_topo_slow_links(groups, topo):
        return {}
    channels: dict[int, list[str]] = {}
    for channel in range(lib.loom_topo_channels(topo)):
        channels.setdefault(lib.loom_topo_slow_group(topo, channel), []).append(_channel(topo, channel))
    return {"slow_links": [{**({"class": string(it.link_class)} if string(it.link_class) else {}), "delay": it.delay, "channels": channels[group]}
                           for group, it in enumerate(groups) if it.n_channels]}


def _links(topo: Any) -> dict[str, Any]:
    return {**_failures(topo), **_slow_links(topo)}


def _rule_name(topo: Any, rule: str) -> str:
    """On a graph there is one, and it is no rule that could be asked for."""
    facts = ffi.new("struct loom_graph_facts *")
    if not lib.loom_topo_graph_facts(facts, topo):
        return rule
    return "shortest" if facts.routing == lib.LOOM_GRAPH_SHORTEST else "up-down"


def _wanted(topo: Any, rule: str | None) -> dict[str, int]:
    """The choices to search: messages of one rule, or of all that the network has in one pass; as bits of rules."""
    by_ends, both_ways = lib.loom_topo_rules_by_ends(topo), topo.kind.two_directions
    names = list(_options.rules())
    there = names[: 1 if by_ends else lib.loom_topo_rules_count(topo)]
    all_of = {name: 1 << i for i, name in enumerate(there)}
    mixed = {MIXED: (1 << (1 if by_ends else lib.loom_topo_rules_count(topo))) - 1}
    if rule is None:
        return all_of if both_ways or by_ends else {**all_of, **mixed}
    name = string(topo.name)
    if by_ends:
        raise Error(f"rule: on {name} the lane of a message follows from its ends: leave it out")
    if rule == MIXED and both_ways:
        raise Error(f"rule: on {name} all messages of a pass go by one rule; it is ascending or descending")
    if rule not in (*names, MIXED):
        raise Error(f"rule: unknown rule \"{rule}\"; there is: {', '.join((*names, MIXED))}")
    if rule not in (*there, MIXED):
        raise Error(f"rule: {name} has no rule {rule}, as it has no rings")
    return {rule: {**all_of, **mixed}[rule]}


_EMPTY = {"channel": "", "virtual": 0, "source": 0, "destination": 0, "rule": ""}


def _circle(topo: Any, rules: int) -> Table:
    names = [*_options.rules(), MIXED]
    found = owned("loom_dependency_cycle", lib.loom_dependency_cycle_free, lib.loom_deadlock_find_in_routing, topo, rules)
    rows = [{"channel": _channel(topo, at.channel), "virtual": at.vc, "source": at.source, "destination": at.destination,
             "rule": names[at.rule % constants.RULES_MAX]} for at in (found.channel[i] for i in range(found.n_channels))]
    return _table.of_rows(rows, empty=_EMPTY)


def _check_rules(topo: Any, rule: str | None) -> Check:
    circles = {name: _circle(topo, bits) for name, bits in _wanted(topo, rule).items()}
    rows = _table.of_rows([{"rule": _rule_name(topo, name), "deadlock_free": not len(circle), "channels": len(circle)}
                           for name, circle in circles.items()])
    # Without a rule, ascending and descending decide, each alone.
    deciding = list(_options.rules())[: lib.LOOM_RULE_DESCENDING + 1] if rule is None else [rule]
    free = not any(len(circle) for name, circle in circles.items() if name in deciding)
    named = {_rule_name(topo, name): circle for name, circle in circles.items()}
    return Check(string(topo.name), topo.n_nodes, free, rows, named, _links(topo))


# --- Rules by which routers choose ---------------------------------------------------------------------------------------

_NO_WAIT = {"channel": "", "virtual": 0, "source": 0, "destination": 0, "via": ""}


def _choosing(rule: str | None) -> int | None:
    """The number of a rule by which routers choose; None: it is none."""
    number = lib.LOOM_RULE_TURNS if rule is not None and rule.startswith(_options.TURNS) else lib.loom_rule_by_name(encode(rule or ""))
    return number if constants.RULES_MAX <= number < constants.RULES_NAMED else None


def _check_choosing(topo: Any, rule: str, number: int) -> Check:
    turns, at_least = _options.turns(topo, rule, 1) if _options.rule_number(rule) == lib.LOOM_RULE_TURNS else (ffi.NULL, 0)
    found = owned("loom_rule_freedom", lib.loom_rule_freedom_free, lib.loom_rule_freedom_find, topo, number, turns)
    name = string(lib.loom_rule_name(number))
    circle = _table.of_rows([{"channel": _channel(topo, at.channel), "virtual": at.vc, "source": at.source, "destination": at.destination,
                              "via": " ".join(str(at.via[k]) for k in range(at.n_via))} for at in (found.wait[i] for i in range(found.n_waits))],
                            empty=_NO_WAIT)
    stuck = found.has_gap or found.goes_round
    facts: dict[str, Any] = {
        "lanes": topo.n_vcs, "escapes": lib.loom_duato_escapes(topo) if number == lib.LOOM_RULE_DUATO else 0,
        "longest": None if stuck else found.most_hops, "detour": None if stuck else found.most_detour,
        "adaptiveness": None if stuck or lib.loom_rule_has_via(number) else found.adaptiveness,
        "stuck": {"here": found.here, "destination": found.destination, "goes_round": bool(found.goes_round)} if stuck else None, **_links(topo)}
    if turns:
        facts["turns"] = {"all": turns.n_turns, "forbidden": turns.n_forbidden, **({"at_least": at_least} if rule == _options.BEST else {})}
    rows = _table.of_rows([{"rule": name, "deadlock_free": bool(found.is_free), "channels": len(circle)}])
    return Check(string(topo.name), topo.n_nodes, bool(found.is_free), rows, {name: circle}, facts)


# --- Routes for all pairs ------------------------------------------------------------------------------------------------


def _pairs(topo: Any, n_lanes: int, search: dict[str, Any], watch: Watch) -> dict[str, Any]:
    options = ffi.new("struct loom_pair_options *", {"n_lanes": n_lanes, **search})
    options.stopped, options.progress = watch.stopped, watch.pairs
    routes = owned("loom_pair_routes", lib.loom_pair_routes_free, lib.loom_pair_routes_search, topo, options)
    call(lib.loom_pair_routes_check, routes, topo)
    facts = ffi.new("struct loom_pair_facts *")
    call(lib.loom_pair_routes_facts, facts, routes, topo)
    return {"lanes": n_lanes, "largest_load": facts.largest_load, "mean_hops": facts.mean_hops, "most_hops": facts.most_hops,
            "busiest": facts.busiest_channel, "mean_shortest": facts.mean_least, "most_shortest": facts.most_least}


def _check_pairs(topo: Any, lanes: int | None, search: dict[str, Any], watch: Watch) -> Check:
    bound = ffi.new("uint32_t *")
    call(lib.loom_pair_bound, bound, topo)
    tried = range(1, LANES_TRIED + 1) if lanes is None else [number("lanes", lanes, 1, constants.PAIR_LANES_MAX)]
    rows: list[dict[str, Any]] = []
    best: dict[str, Any] | None = None
    for n_lanes in tried:
        try:
            row = _pairs(topo, n_lanes, search, watch)
        except Error as error:  # on few lanes there need be none where links lead one way
            if error.code != "LOOM_EINPUT" or n_lanes == tried[-1] or watch.stop.is_set():
                raise
            continue
        if rows and rows[-1]["largest_load"] < row["largest_load"]:  # more lanes can do what fewer do
            row = {**rows[-1], "lanes": n_lanes}
        rows.append(row)
        if best is None or (best["largest_load"] > ENOUGH * bound[0] and row["largest_load"] < best["largest_load"]):
            best = row
        if watch.stop.is_set():
            break
    assert best is not None
    facts = {"lanes": best["lanes"], "largest_load": best["largest_load"], "lower_bound": bound[0],
             "busiest_channel": _channel(topo, best["busiest"]) if best["largest_load"] else "",
             "hops": {"mean": best["mean_hops"], "most": best["most_hops"], "mean_shortest": best["mean_shortest"],
                      "most_shortest": best["most_shortest"]}, **({"by_destination": True} if search["by_destination"] else {}), **_links(topo)}
    table = _table.of_rows([{name: row[name] for name in ("lanes", "largest_load", "mean_hops", "most_hops")} for row in rows])
    return Check(string(topo.name), topo.n_nodes, True, table, {}, facts)


# --- Tables of the user's own --------------------------------------------------------------------------------------------

_NO_FAULT = {"node": 0, "network": 0, "label": 0, "what": ""}
_NO_WAY = {"channel": "", "virtual": 0, "label": 0}


def _check_tables(topo: Any, path: str) -> Check:
    own = owned("loom_table_file", lib.loom_table_file_free, lib.loom_table_file_read, topo, encode(path))
    faults = owned("loom_table_faults", lib.loom_table_faults_free, lib.loom_table_file_check, own, topo)
    listed = [{"node": it.node, "network": it.network, "label": it.label, "what": string(it.what)}
              for it in (faults.fault[i] for i in range(faults.n))]
    rows = _table.of_rows(listed, empty=_NO_FAULT)
    facts: dict[str, Any] = {"entries": own.n, "faults_in_all": faults.n_all, "labels_room": topo.n_vcs << topo.label_bits, **_slow_links(topo)}
    if faults.n_all:
        nothing = dict.fromkeys(("labels", "pairs", "longest", "most_ways"))
        return Check(string(topo.name), topo.n_nodes, None, rows, {}, {**facts, **nothing})
    tables = owned("loom_route_tables", lib.loom_route_tables_free, lib.loom_route_tables_of_file, own, topo)
    ways = ffi.new("struct loom_table_ways *")
    call(lib.loom_table_ways_count, ways, tables, topo)
    circle = owned("loom_lane_circle", lib.loom_lane_circle_free, lib.loom_table_ways_circle, tables, topo)
    held = [{"channel": _channel(topo, at.channel), "virtual": at.lane, "label": at.message} for at in (circle.at[i] for i in range(circle.n))]
    facts.update(labels=ways.n_labels, pairs=ways.n_pairs, longest=ways.longest, most_ways=ways.most)
    return Check(string(topo.name), topo.n_nodes, not held, rows, {"tables": _table.of_rows(held, empty=_NO_WAY)}, facts)


def check(
    fabric: str,
    *,
    rule: str | None = None,
    tables: str | None = None,
    all_pairs: bool = False,
    by_destination: bool = False,
    lanes: int | None = None,
    seed: int = 1,
    budget: float | None = None,
    buffers: int | None = None,
    link_delay: int | str | None = None,
    router_delay: int | None = None,
    flit_bits: int | None = None,
    fail: str | None = None,
    progress: Progress = None,
) -> Check:
    """Reports whether messages on a network can lock, whatever is sent: `flitloom check`.

    Args:
        fabric: such as "ring:8v2".
        rule: how messages go, "ascending", ..., or "mixed"; None: each; or as routers choose, "west-first", "duato", "turns:FILE", ....
        tables: file of routing tables of your own: what is wrong with them, or what they do.
        all_pairs: searches routes for all pairs of nodes, on `lanes` lanes (None: 1 to 4, one after the other).
        by_destination: with all_pairs, routes whose next link follows from node, destination and lane alone; they take no budget.
        seed, budget: of that search; budget in seconds for each number of lanes.
        others: as of :func:`flitloom.plan`.

    Raises:
        flitloom.Error: the request cannot be met.
    """
    if all_pairs and (rule is not None or tables is not None):
        raise Error(f"all_pairs chooses the routes: it does not go with {'rule' if tables is None else 'tables'}")
    if tables is not None and rule is not None:
        raise Error("rule and tables: messages go by the tables")
    if not all_pairs and (budget is not None or by_destination):
        raise Error(f"{'by_destination' if by_destination else 'budget'} goes with all_pairs")
    topo = _options.topo(fabric, buffers=buffers, link_delay=link_delay, router_delay=router_delay, flit_bits=flit_bits, fail=fail, lanes=lanes, all_pairs=all_pairs)
    with Watch(progress) as watch:
        if all_pairs:
            search = {"seed": number("seed", seed, 0, MOST), "budget_seconds": _options.seconds(budget), "by_destination": by_destination}
            return _check_pairs(topo, lanes, search, watch)
        if tables is not None:
            return _check_tables(topo, tables)
        number_of_rule = _choosing(rule)
        return _check_rules(topo, rule) if number_of_rule is None else _check_choosing(topo, rule or "", number_of_rule)
