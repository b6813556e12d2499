# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py FRAMES FABRIC...      (by axi.sh, which has the Python with cocotb)

Runs fabric_open under cocotb and Icarus for each fabric, with FRAMES frames: see open_fabric.py. A fabric with ",small" behind it
has the parts for small FPGAs, whose register port stalls, and counters of 14 bits. SEED (1) is the seed, RTL the folder of the
modules. Ends in "N passed, N failed".
"""
import contextlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import xml.etree.ElementTree

from cocotb.runner import get_runner

from open_fabric_top import top

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = pathlib.Path(os.environ.get("RTL", ROOT / "rtl"))
FIELDS = {"FLIT_W": 32}
SMALL = {"SMALL": 1, "COUNT_W": 14}
NAMES = ("MAGIC", "USER_NODES", "NODES", "CHANNELS", "LABEL_BITS", "STATUS", "WATCHDOG", "CONTROL", "CONTROL_CLEAR",
         "DROPPED")


def registers():
    """Addresses and bits, as the RTL has them."""
    text = (RTL / "chip/regmap.sv").read_text()
    found = {name: re.search(rf" {name} = (?:\d+'h)?([0-9a-f]+);", text) for name in NAMES}
    return {name: int(match[1], 16 if "'h" in match[0] else 10) for name, match in found.items()}


def network(fabric):
    """Its parameters, by name."""
    words = [ROOT / "build/flitloom", "rtl", fabric, "--form", "parameters"]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return dict(line.split("=", 1) for line in lines.splitlines())


def labels(parameters):
    """Returns the labels of all nodes: the coordinates side by side, each in as many bits as hold it."""
    if int(parameters["LINKS"]) == 0:
        return list(range(int(parameters["NODES"])))
    digits = parameters["EXTENTS"].split("'h")[1]
    extents = [int(digits[i:i + 4], 16) for i in range(0, len(digits), 4)][::-1]
    found = []
    for coordinates in itertools.product(*(range(extent) for extent in reversed(extents))):
        label, low = 0, 0
        for extent, coordinate in zip(extents, reversed(coordinates)):
            label |= coordinate << low
            low += max(1, (extent - 1).bit_length())
        found.append(label)
    return found


def sources(module):
    return [RTL / name for name in (RTL / f"{module}.f").read_text().split()]


def simulate(runner, build, wrapper, seed, setup):
    """The file with the results."""
    runner.build(verilog_sources=sources("fabric_open") + sources("axil_wishbone") + [wrapper],
                 hdl_toplevel="open_fabric_top", build_args=["-g2012"], build_dir=build, always=True,
                 timescale=("1ns", "1ns"), log_file=build / "build.log")
    return runner.test(test_module="open_fabric", hdl_toplevel="open_fabric_top", build_dir=build, test_dir=build,
                       results_xml=str(build / "results.xml"), log_file=build / "test.log", seed=seed,
                       extra_env={"OPEN_FABRIC": json.dumps(setup)})


def run(fabric, n_frames, seed):
    """Returns true if it passed."""
    build = ROOT / "build/cocotb" / re.sub("[:,]", "-", fabric)
    name, _, small = fabric.partition(",")
    build.mkdir(parents=True, exist_ok=True)
    parameters = network(name)
    wrapper = build / "open_fabric_top.sv"
    wrapper.write_text(top(parameters, FIELDS | {"": {}, "small": SMALL}[small]))
    setup = {"frames": n_frames, "seed": seed, "labels": labels(parameters), "registers": registers()}
    # The tools' output goes into a log: Icarus says much of constant selects in always_*.
    begin = time.monotonic()
    runner = get_runner("icarus")
    with open(build / "run.log", "w") as log, contextlib.redirect_stdout(log):
        results = simulate(runner, build, wrapper, seed, setup)
    cases = xml.etree.ElementTree.parse(results).getroot().findall(".//testcase")
    passed = bool(cases) and not any(case.find(what) is not None for case in cases for what in ("failure", "error"))
    clocks = re.search(r"^ *([0-9.]+)ns INFO .*frames, ", (build / "test.log").read_text(), re.M)
    print(f"{'PASS' if passed else 'FAIL'} {fabric}: {n_frames} frames, seed {seed}, "
          f"{float(clocks[1]) / 10 if clocks else 0:.0f} cycles, {time.monotonic() - begin:.0f} s, {build}/test.log",
          flush=True)
    return passed


def main():
    n_frames, fabrics = int(sys.argv[1]), sys.argv[2:]
    os.environ["PYTHONPATH"] = str(ROOT / "tests/cocotb")
    good = [run(fabric, n_frames, int(os.environ.get("SEED", "1"))) for fabric in fabrics]
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
