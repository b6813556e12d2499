# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Results as pages to walk through, as `--html` writes them (docs/report.md)."""
from __future__ import annotations

import json
import math
import os
from typing import Any

import numpy as np

from ._library import call, encode, ffi, lib
from ._results import file_text
from ._table import Table

_CURVE = ("fabric", "nodes", "senders", "map", "rule", "planner", "machine", "flits_per_message", "arrivals", "batch", "capacity", "link",
          "dead_links", "cut_off", "lanes_needed")  # what is the same for all points of a curve
_WITHIN = {"latency": "latency.mean", "latency_half_width": "latency.mean_half_width", "finish": "finish.cycles", "finish_half_width": "finish.cycles_half_width",
           "first": "finish.first", "finish_mean": "finish.mean"}
_OF_LATENCY = ("at_source", "in_network", "without_wait", "min", "p50", "p95", "p99", "max")


def put(path: str | os.PathLike[str] | None, title: str, report: dict[str, Any], table: str | None = None, panels: Any = ()) -> str | None:
    """Writes a page to a file; without one returns its text."""
    texts = [ffi.new("char[]", text.encode()) for text in (title, json.dumps(report), table or "")]
    listed = ffi.new("struct loom_panel[]", list(panels))
    html = ffi.new("struct loom_html *", {"title": texts[0], "report": texts[1], "table": texts[2] if table else ffi.NULL, "panels": listed,
                                          "n_panels": len(listed)})
    if path is None:
        return file_text(lambda name: call(lib.loom_report_html, name, html), "page.html")
    call(lib.loom_report_html, encode(os.fspath(path)), html)
    return None


def _plain(value: Any) -> Any:
    """As JSON has it: a number that is not known, and a text, are null."""
    if isinstance(value, np.generic):
        value = value.item()
    return None if value == "" or (isinstance(value, float) and math.isnan(value)) else value


def plain(value: Any) -> Any:
    """The same of a value with others in it."""
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, Table):
        return rows(value)
    return [plain(one) for one in value] if isinstance(value, (list, tuple, np.ndarray)) else _plain(value)


def rows(table: Table) -> list[dict[str, Any]]:
    return [{name: _plain(row[name]) for name in table.dtype.names or ()} for row in table]


def _point(row: dict[str, Any]) -> dict[str, Any]:
    point: dict[str, Any] = {}
    for name, value in row.items():
        if name in _CURVE:
            continue
        bare = name.removesuffix("_half_width")
        outer, _, inner = _WITHIN.get(name, f"latency.{name}" if bare in _OF_LATENCY else name).partition(".")
        if inner:
            point.setdefault(outer, {})[inner] = value
        else:
            point[name] = value
    return point


def of_sweep(table: Table) -> dict[str, Any]:
    """The rows of a sweep as its report has them: curves of points, or runs."""
    listed = rows(table)
    if "accepted" not in (table.dtype.names or ()):
        return {"request": None, "runs": [row for row in listed if row["verdict"] != "left out"],
                "left_out": [row for row in listed if row["verdict"] == "left out"]}
    curves: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in listed:
        head = {name: row[name] for name in _CURVE if name in row}
        curves.setdefault(tuple(head.values()), {**head, "points": []})["points"].append(_point(row))
    return {"request": None, "curves": list(curves.values())}
