#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the size of a router on an iCE40 and how fast it may be clocked.

usage: router_area.py [NETWORK[+small|+adaptive|+fixed]...]     default: wh:5 wh:5v2 cube:4 mesh:8x8 cube:8 cube:4+small
mesh:8x8+small cube:8+small
NETWORK is cube:N, or mesh: or torus: with its extents, as flitloom knows them (torus:8x8v2 has two virtual channels), and the
router is net_router. wh:5v2 is wh_router alone, with five ports and two virtual channels on all but the first. b8 behind any
of these is BUFFERS = 8. +small is for SMALL = 1, +adaptive for ADAPTIVE = 1 (of net_router) with all selections, +fixed for the
same with `select` tied to 0. SEEDS="1 2 3 4 5" are nextpnr's seeds; SEEDS= leaves the clock out. RTL=dir reads the modules from
another folder. Output goes to build/router_area/.

LUT4 and flip-flops are those of the router alone, with flits of 32 bits. For the clock it is placed with a flip-flop at every
pin: the inputs come from a long shift register, and the outputs go to a register and from there into a second one that is read
bit by bit, so that only a few real pins are left. The column "wired" is the clock of the same netlist with the streams of each
link led back into the router as those of another link, without a flip-flop between, as they are from router to router.
"""
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = pathlib.Path(os.environ.get("RTL", ROOT / "rtl"))
OUT = ROOT / "build" / "router_area"
SEEDS = os.environ.get("SEEDS", "1 2 3 4 5").split()
FLIT_W = 32
CHOICE = {"adaptive": "", "fixed": "proc; cd net_router; delete -input w:select; connect -set select 2'b00; cd ..; "}


def parameters(network):
    """Those of net_router or wh_router, by name."""
    network, plus, variant = network.partition("+")
    if plus and variant not in ("small", *CHOICE):
        sys.exit(f"router_area.py: +{variant} is none of +small, +adaptive, +fixed")
    kind, size = network.split(":")
    size, _, buffers = size.partition("b")
    size, _, virtual = size.partition("v")
    small, lanes = int(variant == "small"), int(virtual or 1)
    if variant in CHOICE and kind == "wh":
        sys.exit(f"router_area.py: +{variant} is for net_router")
    choice = {"ADAPTIVE": 1, "RULE_W": 4} if variant in CHOICE else {}  # the same
    deep = {"BUFFERS": int(buffers)} if buffers else {}  # modules from elsewhere may not have it
    if kind == "wh":
        return {"PORTS": int(size), "FLIT_W": FLIT_W, "BACK": f"{size}'d1", "SMALL": small, "V": lanes, "SINGLE": 1, **deep}
    extents = [2] * int(size) if kind == "cube" else [int(n) for n in size.split("x")][::-1]
    if kind not in ("cube", "mesh", "torus"):
        sys.exit(f"router_area.py: {kind} is none of wh, cube, mesh, torus")
    low, digits = 0, []
    for extent in extents:
        bits = max(1, math.ceil(math.log2(extent)))
        digits.append(bits << 8 | low)
        low += bits
    links = 1 if kind == "cube" else 2
    packed = [f"{16 * len(extents)}'h" + "".join(f"{v:04x}" for v in reversed(values)) for values in (extents, digits)]
    return {"LINKS": links * len(extents), "LABEL_W": low, "DIMS": len(extents), "EXTENTS": packed[0], "DIGITS": packed[1],
            "LINKS_PER_DIM": links, "WRAP": int(kind == "torus"), "FLIT_W": FLIT_W, "V": lanes, "SMALL": small, **deep, **choice}


def yosys(module, script):
    files = [RTL / line for line in (RTL / f"{module}.f").read_text().split()]
    subprocess.run(["yosys", "-q", "-p", f"read_verilog -defer -sv {' '.join(map(str, files))}; {script}"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cells(stat, kind):
    return sum(int(n) for n in re.findall(rf"^\s+{kind}\w*\s+(\d+)$", stat.split("=== design hierarchy ===")[-1], re.M))


def wrapper(module, netlist, links, wired):
    """Verilog of the router between shift registers, from the ports of the netlist."""
    ports = json.loads(netlist.read_text())["modules"][module]["ports"]
    # The sender's end of a link and the receiver's.
    back = {"in_flit": "out_flit", "in_last": "out_last", "in_valid": "out_valid", "out_ready": "in_ready",
            "out_empty": "in_empty"}
    pins, wires, width = [".clk(clk)"], [], {"input": 0, "output": 0}
    for name, port in ports.items():
        if name == "clk":
            continue
        way, n = port["direction"], len(port["bits"])
        pin = f"{'in_q' if way == 'input' else 'out'}[{width[way]}+:{n}]"
        if way == "output":
            wires.append(f"wire [{n - 1}:0] {name} = {pin};")
        if wired and name in back:
            # Port 0 is the local one; link p comes in again as link p+1.
            local = FLIT_W if name.endswith("flit") else 1
            w = (n - local) // links
            other = [f"{back[name]}[{local + p % links * w}+:{w}]" for p in
                     (range(1, links + 1) if name.startswith("in_") else range(-1, links - 1))]
            pin = "{" + ", ".join(reversed([f"in_q[{width[way]}+:{local}]"] + other)) + "}"
        pins.append(f".{name}({pin})")
        width[way] += n
    return f"""module harness(input clk, input shift, input load, input in, output out_pin);
  (* keep *) reg [{width['input'] - 1}:0] in_q;
  wire [{width['output'] - 1}:0] out;
  (* keep *) reg [{width['output'] - 1}:0] out_q;
  reg [{width['output'] - 1}:0] read_q;
  assign out_pin = read_q[0];
  {' '.join(wires)}
  always @(posedge clk) begin
    if (shift) in_q <= {{in_q, in}};
    out_q <= out;
    read_q <= load ? out_q : read_q >> 1;
  end
  {module} u_router({', '.join(pins)});
endmodule
"""


def clock(module, base, alone, links, wired):
    top, whole = base.with_suffix(".harness.v"), base.with_suffix(".json")
    top.write_text(wrapper(module, alone, links, wired))
    # The router as it was mapped alone: nothing of the harness may be merged into it.
    subprocess.run(["yosys", "-q", "-p", f"read_verilog {top}; read_json {alone}; synth_ice40 -top harness -json {whole}"],
                   check=True)
    mhz = []
    for seed in SEEDS:
        log = base.with_suffix(f".{seed}.log")
        subprocess.run(["nextpnr-ice40", "-q", "--hx8k", "--package", "ct256", "--seed", seed, "--freq", "100",
                        "--pcf-allow-unconstrained", "--timing-allow-fail", "--json", str(whole), "--log", str(log)],
                       check=True, stderr=subprocess.DEVNULL)
        mhz.append(float(re.findall(r"Max frequency for clock .*: ([\d.]+) MHz", log.read_text())[-1]))
    return mhz


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    print("| router of | ports | LUT4 | flip-flops | MHz, median | of each seed | wired, median | of each seed |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- |")
    networks = ["wh:5", "wh:5v2", "cube:4", "mesh:8x8", "cube:8"]
    for network in sys.argv[1:] or networks + [name + "+small" for name in networks]:
        values = parameters(network)
        base = OUT / network.replace(":", "-")
        alone, stat = base.with_suffix(".alone.json"), base.with_suffix(".stat")
        settings = " ".join(f"-chparam {name} {value}" for name, value in values.items())
        module, links = ("net_router", values["LINKS"]) if "LINKS" in values else ("wh_router", values["PORTS"] - 1)
        yosys(module, f"hierarchy -top {module} {settings}; rename -top {module}; "
                      f"{CHOICE.get(network.partition('+')[2], '')}synth_ice40 -top {module}; "
                      f"tee -q -o {stat} stat; write_json {alone}")
        text = stat.read_text()
        row = [network, links + 1, cells(text, "SB_LUT4"), cells(text, "SB_DFF")]
        for wired in (False, True):
            at = base.with_name(base.name + ("-wired" if wired else ""))
            mhz = clock(module, at, alone, links, wired) if SEEDS and not (wired and module == "wh_router") else []
            row += [f"{statistics.median(mhz):.1f}" if mhz else "", " ".join(f"{m:.1f}" for m in mhz)]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
