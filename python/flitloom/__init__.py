# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""flitloom from Python: communication patterns on interconnection networks, planned, run and checked.

    import flitloom
    print(flitloom.run("cube:8", "transpose", link="model"))

`plan`, `run`, `sweep` and `check` do what the commands of these names do, by their options' names. All of them call libflitloom, which
plans, computes, runs and compares; nothing of that is done here. docs/python.md is for users.
"""
from ._check import Check, check
from ._constants import VERSION as __version__
from ._library import Error
from ._results import Plan, Run
from ._run import plan, run
from ._sweep import Sweep, sweep
from ._table import Table

__all__ = ["Check", "Error", "Plan", "Run", "Sweep", "Table", "__version__", "check", "plan", "run", "sweep"]
