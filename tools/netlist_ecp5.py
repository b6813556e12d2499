#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: netlist_ecp5.py DESIGN.json OUT.v

Writes the input of nextpnr-ecp5 as Verilog: module `netlist`, whose ports are the board's pins. For the link sim-uart and
tools/model.sh. It shows what Yosys made of the RTL, memories included, not what is in the bitstream.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CONSTANTS = {"0", "1", "x"}


def memory(name, cell):
    """A block memory with vectors for ports, as dp16kd.v has it; what that does not know must not be in use."""
    pins, parameters = cell["connections"], cell["parameters"]
    used = [pin for pin in ("WEB", "RSTA", "RSTB", "CSA0", "CSA1", "CSA2", "CSB0", "CSB1", "CSB2")
            if pins.get(pin, ["0"]) != ["0"]]
    used += [key for key, value in parameters.items() if key.startswith("INITVAL") and "1" in value]
    used += [key for key, usual in (("REGMODE_B", "NOREG"), ("CLKAMUX", "CLKA"), ("CLKBMUX", "CLKB"))
             if parameters.get(key, usual) != usual]
    if used:
        sys.exit(f"netlist_ecp5.py: block memory {name} uses {used[0]}, which tools/dp16kd.v does not know")
    kept = {pin: pins[pin] for pin in ("CLKA", "CEA", "WEA", "CLKB", "CEB")}
    for bus, width in (("ADA", 14), ("DIA", 18), ("DIB", 18), ("ADB", 14)):
        kept[bus] = [pins.get(f"{bus}{i}", ["x"])[0] for i in range(width)]
    for bus in ("DOA", "DOB"):
        kept[bus] = [pins.get(f"{bus}{i}", [None])[0] for i in range(18)]
    cell["connections"] = kept
    cell["port_directions"] = {pin: "output" if pin.startswith("DO") else "input" for pin in kept}
    cell["parameters"] = {key: parameters[key] for key in ("DATA_WIDTH_A", "DATA_WIDTH_B")}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    design, out = sys.argv[1:]
    try:
        with open(design, encoding="utf-8") as file:
            modules = json.load(file)["modules"]
        top, = [name for name, module in modules.items() if "top" in module["attributes"]]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"netlist_ecp5.py: {design} is no design of Yosys: {error}")
    # A pin that leads nowhere needs a net of its own.
    net = 1 + max(bit for cell in modules[top]["cells"].values() for bits in cell["connections"].values()
                  for bit in bits if bit not in CONSTANTS)
    for name, cell in modules[top]["cells"].items():
        if cell["type"] == "DP16KD":
            memory(name, cell)
            for bits in cell["connections"].values():
                for i, bit in enumerate(bits):
                    if bit is None:
                        bits[i], net = net, net + 1
    datadir = subprocess.run(["yosys-config", "--datdir"], check=True, capture_output=True, text=True).stdout.strip()
    temporary = f"{out}.{os.getpid()}"
    with tempfile.TemporaryDirectory() as folder:
        bare = os.path.join(folder, "design.json")
        with open(bare, "w", encoding="utf-8") as file:
            json.dump({"modules": {"netlist": modules[top]}}, file)
        # The models of the other cells are Yosys' own; they are dissolved, which spares Verilator thousands of modules.
        script = (f"read_json {bare}; read_verilog {datadir}/ecp5/cells_sim.v; delete DP16KD; "
                  f"read_verilog -lib {HERE}/dp16kd.v; hierarchy -check -top netlist; proc; flatten; opt_expr; opt_clean -purge; "
                  f"check -assert; write_verilog -noattr {temporary}")
        done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True)
    if done.returncode != 0:
        lines = re.findall(r"ERROR.*", done.stdout + done.stderr) or ["failed"]
        sys.exit(f"netlist_ecp5.py: yosys: {lines[0]}")
    with open(temporary, "a", encoding="utf-8") as file, open(f"{HERE}/dp16kd.v", encoding="utf-8") as model:
        file.write(model.read())
    os.replace(temporary, out)


main()
