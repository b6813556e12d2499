#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: gen_cores.py [--check]
# Writes flitloom-*.core, by which FuseSoC finds the RTL (docs/using-the-rtl.md). Each fact in them has one owner, and
# is not written here again: the files are those of rtl/*.f, a testbench's those that it names, the version is that of
# include/flitloom/version.h, and what a board is, constraints/*.mk. --check: fails if a file would change.
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# A core: what it is for a person, the lists of its files, its top, its testbenches (a target sim for the first, sim-NAME
# for each of the others; NAME is tb/ROOM/NAME_tb.sv or tests/rtl/NAME.sv), and parameters that its user may set.
# `synth`: how a part of it that fits is built for the iCE40-HX8K: parameters, or a board with what it needs beside; only: a flow
# that ends early.
CORES = {
    "fabric": {
        "is": "A network of routers and switches with traffic nodes, behind one Wishbone port",
        "lists": ["fabric_top"],
        "top": "fabric_top",
        "benches": ["fabric_top", "net_fabric", "min_fabric"],
        "parameters": ["KIND", "NODES", "LINKS"],
        "synth": {"board": "hx8k", "lists": ["board_core"]},
    },
    "open-fabric": {
        "is": "A network of routers and switches without nodes: an AXI-Stream pair for each node of the user's",
        "lists": ["fabric_open", "axil_wishbone"],
        "top": "fabric_open",
        "benches": ["fabric_open"],
        "parameters": ["KIND", "NODES", "LINKS"],
        # Streams of 32 bits have more wires than the package has pins.
        "synth": {"parameters": {}, "only": "yosys"},
    },
    "router": {
        "is": "A wormhole router of a direct network: cube, mesh, torus, OTIS-Mesh, or by a table",
        "lists": ["net_router"],
        "top": "net_router",
        "benches": ["net_router"],
        "parameters": ["LINKS", "LABEL_W", "DIMS", "LINKS_PER_DIM", "WRAP", "TABLE", "OTIS", "V", "FLIT_W", "RULE_W", "SMALL"],
        # The router of the 3-cube, with as wide flits as there are pins for.
        "synth": {"parameters": {"LINKS": 3, "LABEL_W": 3, "DIMS": 3, "FLIT_W": 14}},
    },
    "wh-router": {
        "is": "A wormhole router with any number of ports, whose user finds the way",
        "lists": ["wh_router"],
        "top": "wh_router",
        "benches": ["two_endpoints", "wh_router"],
        "parameters": ["PORTS", "FLIT_W", "SMALL", "V", "SINGLE"],
        "synth": {"parameters": {"PORTS": 4, "FLIT_W": 9}},
    },
    "link": {
        "is": "From a byte line to a Wishbone master: frames, CRC, repetition; and a UART",
        "lists": ["link_frame", "uart_rx", "uart_tx"],
        "top": "link_frame",
        "benches": ["link_frame", "uart_rx", "uart_tx"],
        "parameters": ["CLOCK_HZ", "BAUD", "MAX_WORDS", "RX_BYTES", "TX_BYTES", "TIMEOUT"],
        "synth": {"parameters": {}},
    },
}
FAMILY = "flitloom:rtl"
BOARD = "hx8k"  # what targets synth are for


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def rtl_files(lists):
    """The files of several lists, each once, packages before what names them as in the lists."""
    files = []
    for name in lists:
        for line in text(f"rtl/{name}.f").split():
            if f"rtl/{line}" not in files:
                files.append(f"rtl/{line}")
    return files


def bench_top(bench):
    return bench if os.path.exists(os.path.join(ROOT, f"tests/rtl/{bench}.sv")) else f"{bench}_tb"


def bench_files(bench):
    """A testbench and what of tb/ it is made of: what is included, then itself, whose `timescale the rest has, then modules by
    their names."""
    helpers = {os.path.basename(path)[:-3]: os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "tb/*/*.sv"))}
    top = bench_top(bench)
    found, todo = [], [helpers.get(top, f"tests/rtl/{top}.sv")]
    while todo:
        path = todo.pop(0)
        if path in found:
            continue
        found.append(path)
        code = re.sub(r"//.*", "", text(path))
        todo += [f"tb/help/{name}" for name in re.findall(r'`include "(\w+\.svh)"', code)]
        todo += [helpers[word] for word in re.findall(r"\b\w+\b", code) if word in helpers]
    return sorted(found, key=lambda path: path.endswith(".sv"))


def board_facts(board):
    facts = dict(re.findall(r"^(\w+) :?=\s*(.*)$", text(f"constraints/{board}.mk"), re.M))
    facts["SYNTH"] = re.search(r"synth_ice40 (.*)$", facts["SYNTH"]).group(1)
    return facts


def fileset(name, files, file_type="systemVerilogSource"):
    lines = [f"  {name}:", f"    file_type: {file_type}", "    files:"]
    return lines + [f"      - {f}: {{is_include_file: true}}" if f.endswith(".svh") else f"      - {f}" for f in files]


def parameter_comment(top_file, name):
    """Returns the module's comment on its parameter."""
    found = re.search(rf"^ *parameter integer {name} = [^\n]*?,?  // (.*)$", text(top_file), re.M)
    return found.group(1) if found else ""


def target(name, what, sets, top, flow, options, parameters=()):
    lines = [f"  {name}:", f'    description: "{what}"', f"    filesets: [{', '.join(sets)}]", f"    toplevel: {top}"]
    if parameters:
        lines.append(f"    parameters: [{', '.join(parameters)}]")
    if flow:
        lines += [f"    flow: {flow}", "    flow_options:"]
        lines += [f"      {key}: {value}" for key, value in options.items()]
    return lines


def synth(core):
    """Filesets and the target synth."""
    facts, how = board_facts(BOARD), core["synth"]
    options = {
        "yosys_synth_options": f"[{', '.join(facts['SYNTH'].split())}]",
        "nextpnr_options": f"[{', '.join(facts['PLACE'].split())}, --freq, '{facts['MHZ']}']",
    }
    what = f"for the {facts['TITLE']}, by Yosys and nextpnr"
    if "board" not in how:
        if how["parameters"]:
            what += ", in a size for which it has pins"
        if how.get("only") == "yosys":
            what, options["pnr"] = f"for the {facts['TITLE']}, by Yosys alone: for its ports there are too few pins", "none"
            del options["nextpnr_options"]
        values = [f"{name}={value}" for name, value in how["parameters"].items()]
        return [], target("synth", what, ["rtl"], core["top"], "icestorm", options, values)
    top = facts["TOP"]
    files = [f for f in rtl_files(how["lists"]) if f not in rtl_files(core["lists"])]
    files += ["rtl/boards/power_on_reset.sv", f"rtl/boards/{top}.sv"]
    sets = fileset("board", files) + fileset("pins", [f"constraints/{BOARD}.pcf"], "PCF")
    return sets, target("synth", what + ": a line of two nodes behind the UART", ["rtl", "board", "pins"], top, "icestorm", options)


def core_file(name, core):
    version = re.search(r'LOOM_VERSION "(.*)"', text("include/flitloom/version.h")).group(1)
    files = rtl_files(core["lists"])
    top_file = next(f for f in files if f.endswith(f"/{core['top']}.sv"))
    sets, synthesis = synth(core)
    lines = [
        "CAPI=2:",
        "# SPDX-FileCopyrightText: 2026 The flitloom authors",
        "# SPDX-License-Identifier: Apache-2.0",
        "# Generated by tools/gen_cores.py; do not edit.",
        f"name: {FAMILY}:{name}:{version}",
        f"description: \"{core['is']}\"",
        "filesets:",
        *fileset("rtl", files),
        *sets,
    ]
    for bench in core["benches"]:
        lines += fileset(f"tb_{bench}", bench_files(bench))
    lines.append("targets:")
    lines += target("default", "its files", ["rtl"], core["top"], None, {}, core["parameters"])
    lines += target("lint", f"{core['top']} through verilator -Wall", ["rtl"], core["top"], "lint",
                    {"tool": "verilator", "verilator_options": "[-Wall]"}, core["parameters"])
    for i, bench in enumerate(core["benches"]):
        lines += target("sim" if i == 0 else f"sim-{bench}", f"testbench {bench_top(bench)}, which checks itself, under Icarus",
                        ["rtl", f"tb_{bench}"], bench_top(bench), "sim",
                        {"tool": "icarus", "iverilog_options": "[-g2012]"}, ["seed"])
    lines += synthesis
    lines += ["parameters:", "  seed: {datatype: int, paramtype: plusarg, description: of a testbench}"]
    for parameter in core["parameters"]:
        comment = parameter_comment(top_file, parameter).replace('"', "'")
        lines.append(f"  {parameter}: {{datatype: int, paramtype: vlogparam, description: \"{comment or 'as in ' + core['top']}\"}}")
    return "\n".join(lines) + "\n"


def main():
    stale = 0
    for name, core in CORES.items():
        path, wanted = f"flitloom-{name}.core", core_file(name, core)
        if sys.argv[1:] == ["--check"]:
            if not os.path.exists(os.path.join(ROOT, path)) or text(path) != wanted:
                print(f"{path} is not what rtl/*.f and tools/gen_cores.py say: make gen", file=sys.stderr)
                stale = 1
        else:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(wanted)
    return stale


if __name__ == "__main__":
    sys.exit(main())
