# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tables as NumPy arrays with a field for each column."""
from __future__ import annotations

import csv
import io
from typing import Any, Iterable, Sequence

import numpy as np

# Columns of the library's CSV that every row has, as a whole number or as a text. All others may be empty: they are float64, of which
# every cycle that a trace can hold is one, and nan where the cell is.
_WHOLE = frozenset(("message", "pass", "source", "destination", "source_node", "destination_node", "flits", "hops", "predicted_messages",
                    "predicted_flits"))
_MAY_BE_EMPTY = frozenset((("channels", "flits"),))
_TEXT = frozenset(("state", "channel", "group"))


class Table(np.ndarray):
    """A structured array, `table["tail"]` a column and `table[3]` a row, that pandas can have as a frame.

    A number that is not known is nan, a text that is not known "".
    """

    def frame(self) -> Any:
        """The table as a pandas.DataFrame. ImportError: there is no pandas."""
        import pandas

        return pandas.DataFrame({name: np.asarray(self[name]) for name in self.dtype.names or ()})


def _column(values: Sequence[Any], kind: str) -> np.ndarray:
    if kind == "text":
        return np.array(["" if value is None else str(value) for value in values], dtype=np.str_)
    if kind == "whole":
        return np.array([int(value) for value in values], dtype=np.int64)
    return np.array([np.nan if value in ("", None) else float(value) for value in values], dtype=np.float64)


def of_columns(columns: dict[str, np.ndarray]) -> Table:
    """A table of columns of one length."""
    n = len(next(iter(columns.values()))) if columns else 0
    table = np.empty(n, dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table.view(Table)


def of_csv(text: str, name: str) -> Table:
    """A table of the library's, "messages" or "channels"."""
    rows = list(csv.reader(io.StringIO(text)))
    columns = list(zip(*rows[1:])) if len(rows) > 1 else [()] * len(rows[0])

    def kind(column: str) -> str:
        if column in _TEXT:
            return "text"
        return "whole" if column in _WHOLE and (name, column) not in _MAY_BE_EMPTY else "real"

    return of_columns({column: _column(values, kind(column)) for column, values in zip(rows[0], columns)})


def of_rows(rows: Iterable[dict[str, Any]], texts: Sequence[str] = (), empty: dict[str, Any] | None = None) -> Table:
    """A table of rows with the same keys. A column is of texts if it is one of `texts` or all that is known of it are, of truths or whole
    numbers if all of its values are, else of reals. If there are no rows, it has the columns of `empty`."""
    rows = list(rows)
    if not rows and empty:
        return of_rows([empty])[:0].view(Table)
    columns: dict[str, np.ndarray] = {}
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows]
        known = [value for value in values if value is not None]
        if name in texts or (known and all(isinstance(value, str) for value in known)):
            columns[name] = _column(values, "text")
        elif known and len(known) == len(values) and all(isinstance(value, bool) for value in known):
            columns[name] = np.array(values, dtype=np.bool_)
        elif known and len(known) == len(values) and all(isinstance(value, int) for value in known):
            columns[name] = _column(values, "whole")
        else:
            columns[name] = _column(values, "real")
    return of_columns(columns)
