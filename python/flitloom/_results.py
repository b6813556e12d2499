# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""The results of plan and run."""
from __future__ import annotations

import json
import os
import tempfile
from functools import cached_property
from typing import Any, Callable

import numpy as np

from . import _table
from ._library import Error, call, constants, encode, ffi, lib, owned, string, written
from ._options import named, number
from ._table import Table

PICTURES = {
    "usual": lib.LOOM_PICTURE_USUAL,
    "loads": lib.LOOM_PICTURE_LOADS,
    "paths": lib.LOOM_PICTURE_PATHS,
    "chart": lib.LOOM_PICTURE_CHART,
    "moves": lib.LOOM_PICTURE_MOVES,
}


def file_text(write: Callable[[bytes], None], name: str) -> str:
    """Returns the text that `write` writes to a temporary file."""
    with tempfile.TemporaryDirectory(prefix="flitloom-") as folder:
        path = os.path.join(folder, name)
        write(encode(path))
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()


def _cycles(cycles: int) -> int | None:
    return None if cycles == constants.CYCLES_UNKNOWN else cycles


class Plan:
    """A plan: who sits where, when each message goes and by which way, and what each channel will then carry.

    Made by :func:`flitloom.plan`. Cycles are those of the fabric's clock, counted from 1 in each pass.
    """

    _measured = False

    def __init__(self, plan: Any, machine: int, verdict: Any) -> None:
        self._plan, self._machine, self._verdict = plan, machine, verdict

    @property
    def fabric(self) -> str:
        """Name of the fabric, canonical, such as "mesh:3x5"."""
        return string(self._plan.topo.name)

    @property
    def pattern(self) -> str:
        """Name of the pattern."""
        return string(self._plan.pattern)

    @property
    def planner(self) -> str:
        """Name of the planner that made the plan."""
        return string(self._plan.planner)

    @property
    def nodes(self) -> int:
        """Nodes of the fabric."""
        return self._plan.topo.n_nodes

    @property
    def passes(self) -> int:
        """Passes: sets of messages that are offered together."""
        return self._plan.n_passes

    @property
    def contention(self) -> int:
        """Most messages that are to use one channel in one pass, the nodes' own channels left out; as the run has it where routers choose."""
        return self._verdict.predicted_contention

    @property
    def lower_bound(self) -> int:
        """The contention that no other choice has less than; the report says of which choices."""
        return self._plan.lower_bound

    @property
    def predicted_cycles(self) -> int | None:
        """Cycles that the plan is to take, summed over its passes, all waiting included; None: it comes to a standstill."""
        return _cycles(self._verdict.predicted_cycles)

    @cached_property
    def map(self) -> np.ndarray:
        """Physical node of each processor: uint32, of as many as there are nodes."""
        return np.frombuffer(ffi.buffer(self._plan.map, self.nodes * 4), dtype=np.uint32).copy()

    @cached_property
    def load(self) -> np.ndarray:
        """Messages that are to use each channel in each pass: uint32, passes x channels, channels as :meth:`channel_name` counts them."""
        n = lib.loom_topo_channels(ffi.addressof(self._plan.topo))
        return np.frombuffer(ffi.buffer(self._plan.load, self.passes * n * 4), dtype=np.uint32).reshape(self.passes, n).copy()

    def channel_name(self, channel: int) -> str:
        """Name of a channel by its number, such as "5->7 (dim 1)" or "inject 5"."""
        topo = ffi.addressof(self._plan.topo)
        name = ffi.new("char[48]")
        lib.loom_topo_channel_name(topo, number("channel", channel, 0, lib.loom_topo_channels(topo) - 1), name)
        return string(name)

    @cached_property
    def messages(self) -> Table:
        """A row for each message, with the columns of `--messages` (docs/results.md): from where to where, and when. Of a plan nothing is
        measured: columns such as "tail" are nan, "predicted_tail" is known."""
        return _table.of_csv(file_text(self._write_messages, "messages.csv"), "messages")

    @cached_property
    def channels(self) -> Table:
        """A row for each pass and channel, with the columns of `--channels` (docs/results.md): messages, flits, and cycles in which a header
        waited, measured and predicted."""
        return _table.of_csv(file_text(self._write_channels, "channels.csv"), "channels")

    def _write_messages(self, path: bytes) -> None:
        call(lib.loom_report_predicted_messages, path, self._plan, self._machine)

    def _write_channels(self, path: bytes) -> None:
        call(lib.loom_report_predicted_channels, path, self._plan, self._machine)

    @cached_property
    def report(self) -> dict[str, Any]:
        """The document that the command writes with `--json` (docs/flitloom.schema.json, `report`), but for `request`, which is None."""
        return json.loads(written(lambda stream: call(lib.loom_report_json, stream, self._plan, self._verdict, self._measured, ffi.NULL)))

    def __str__(self) -> str:
        """The table that the command prints."""
        return written(lambda stream: call(lib.loom_report_table, stream, self._plan, self._verdict, self._measured, False))

    def __repr__(self) -> str:
        cycles = self.predicted_cycles
        return (f"<flitloom.Plan of {self.pattern} on {self.fabric} by {self.planner}: {self.passes} pass{'es' if self.passes > 1 else ''}, "
                f"contention {self.contention}, {'a standstill' if cycles is None else f'{cycles} cycles'}>")

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the plan to a file, as `plan -o FILE` does: :func:`flitloom.run` and the command take it in place of fabric and pattern."""
        call(lib.loom_plan_write, self._plan, encode(os.fspath(path)))

    def _trace(self) -> Any:
        return ffi.NULL

    def svg(self, picture: str = "usual", pass_: int | None = None) -> str:
        """A picture, as `--svg` draws it.

        Args:
            picture: "loads" of the channels, "paths" of one pass, "chart" of the channels over time, "moves" on an OTIS-Mesh; "usual":
                what suits the network.
            pass_: the pass to draw, from 0; None: the worst, or all.
        """
        of_pass = ffi.NULL if pass_ is None else ffi.new("uint32_t *", number("pass_", pass_, 0, self.passes - 1))
        panel = {"title": ffi.NULL, "plan": self._plan, "trace": self._trace(), "machine": self._machine, "pass": of_pass}
        panels = ffi.new("struct loom_panel[1]", [panel])
        which = named("picture", picture, PICTURES)
        return file_text(lambda path: call(lib.loom_report_picture, path, which, panels, 1), "picture.svg")

    def html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """A page to walk through, message by message, as `--html` writes it: to the file `path`, or without one the text of it is returned."""
        from . import _page

        title = f"{self.pattern} on {self.fabric}"
        name = ffi.new("char[]", string(self._plan.planner).encode())
        panel = {"title": name, "plan": self._plan, "trace": self._trace(), "machine": self._machine}
        return _page.put(path, title, self.report, str(self), [panel])

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows; None, so that it shows the text, if this has no picture."""
        try:
            return self.svg()
        except Error:
            return None


class Run(Plan):
    """A run of a plan: what the routers did, or what the machine computed, beside what the plan says.

    Made by :func:`flitloom.run`. All that a :class:`Plan` has, with what was measured in it.
    """

    _measured = True

    def __init__(self, plan: Any, machine: int, verdict: Any, trace: Any, link: str) -> None:
        super().__init__(plan, machine, verdict)
        self._of_run, self.link = trace, link

    @property
    def passed(self) -> bool:
        """True if every message and every channel was as planned."""
        return self._verdict.n_mismatches == 0

    @property
    def mismatches(self) -> list[str]:
        """The first differences between plan and run, a line each; the report counts all."""
        return [string(self._verdict.mismatches[i]) for i in range(min(self._verdict.n_mismatches, constants.MISMATCHES_KEPT))]

    @property
    def cycles(self) -> int:
        """Cycles until the last tail had arrived, summed over the passes."""
        return self._verdict.measured_cycles

    @property
    def back_to_back_cycles(self) -> int | None:
        """Cycles from the one START to the last tail, barriers included; None: the plan has no such run."""
        return self._verdict.measured_back_to_back_cycles or None

    @property
    def delivered(self) -> int:
        """Messages that arrived at the right node, once and whole; those to oneself included."""
        return self._verdict.delivered_messages

    def _trace(self) -> Any:
        return self._of_run

    def _write_messages(self, path: bytes) -> None:
        call(lib.loom_report_messages, path, self._plan, self._of_run)

    def _write_channels(self, path: bytes) -> None:
        call(lib.loom_report_channels, path, self._plan, self._of_run)

    def __repr__(self) -> str:
        return (f"<flitloom.Run of {self.pattern} on {self.fabric} by {self.planner}, link {self.link}: {self.cycles} cycles, "
                f"{'as planned' if self.passed else f'{self._verdict.n_mismatches} differences'}>")


def predicted(plan: Any, machine: int) -> Any:
    """The verdict of a plan that has not been run."""
    return owned("loom_verdict", lib.loom_verdict_free, lib.loom_verdict_predict, plan, machine)

