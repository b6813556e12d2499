#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: model_cost.py FABRIC[@RULE]...

Measures the cost of building the model of each fabric from nothing: the processor time of all programs, and the memory of the
largest one, which is Verilator. host/links/verilated_cost.c is fitted to it. build/flitloom builds the models, in a folder that
is removed. With a rule it builds the model that this rule needs: cube:6@p-cube.
"""

import os
import resource
import subprocess
import sys
import tempfile


def measure(model, cache):
    """A child of this one, so that what the operating system has counted is that of one fabric."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    fabric, _, rule = model.partition("@")
    done = subprocess.run(["build/flitloom", "run", fabric, "complement", "-q", "--max-cycles", "1",
                           *(["--rule", rule] if rule else [])], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, "FLITLOOM_CACHE": cache})
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    built = any(name.endswith(".so") for name in os.listdir(cache)) if os.path.isdir(cache) else False
    print(f"{model:20} {used.ru_utime + used.ru_stime:6.0f} s {used.ru_maxrss * 1024 / 1e6:6.0f} MB" if built else
          f"{model}: {done.stderr.strip()}", flush=True)
    os._exit(0 if built else 1)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    failed = 0
    for model in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            failed |= measure(model, os.path.join(folder, "models"))
    return 1 if failed else 0


sys.exit(main())
