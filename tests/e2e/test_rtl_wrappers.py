#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the output of `flitloom rtl`, for every kind that `flitloom list fabrics` names and in every form: Verilator, Icarus and
Yosys elaborate it with the files that it lists. In a simulation of open fabrics, and of routers wired as the comment says, a
message from each node reaches each other node by the labels in the comment's table, and does not if two labels of the table are
exchanged. A new kind is covered automatically; if sweep knows no sizes of it, it needs a line in GIVEN. test_rtl_wrappers.py
[FABRIC...]: these alone.
"""
import json
import os
import re
import resource
import subprocess
import sys

from command import HOME, check, main, output, refused, run

GRAPHS = f"{HOME}/tests/e2e/graphs"
# Fabrics beside those that sweep names.
GIVEN = {
    "graph": [f"graph:{GRAPHS}/petersen.dot", f"graph:{GRAPHS}/chords.txt"],
    "mesh": ["mesh:3x2", "mesh:2x2v3"],
    "table-mesh": ["table-mesh:3x2"],
    "table-torus": ["table-torus:2x3v2"],
    "table-cube": ["table-cube:2v4", "table-cube:2v5"],
    "otis-mesh": ["otis-mesh:4l3w2v2"],
    "ring": ["ring:5v2"],
    "twisted-torus": ["twisted-torus:2x3t1"],
    "hyperx": ["hyperx:2x2"],
    "dragonfly": ["dragonfly:2,1"],
    "fat-tree": ["fat-tree:2,1"],
    "slim-fly": ["slim-fly:3"],
    "random": ["random:4,2,1"],
}
FORMS = ("open", "router", "chip")
PAYLOAD = 0x15  # of beats that are wide enough for the smallest flit


def fabrics():
    """Returns for each kind the smallest fabric that sweep names, and those in GIVEN."""
    found = []
    for kind in output("list fabrics --names").split():
        done = run(f"sweep {kind} identity --nodes 4:8 --plan-only --json")
        named = [row["fabric"] for row in json.loads(done.stdout)["runs"]] if done.returncode == 0 else []
        check(named or kind in GIVEN, f"{kind}: no fabric of this kind is known: give one in GIVEN")
        found += dict.fromkeys(named[:1] + GIVEN.get(kind, []))
    return found


def is_multistage(fabric):
    return "LINKS=0" in output(["rtl", fabric, "--form", "parameters"]).split()


def tool(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=900)
    return done.returncode, done.stdout + done.stderr


def elaborated(fabric, *options, alone=True):
    """Writes w.sv and w.f, and makes each tool elaborate the module; Icarus only if it is not simulated. Returns its text, or None."""
    done = run(["rtl", fabric, "-o", "w.sv", "--files", "w.f", *options])
    if not check(done.returncode == 0 and not done.stdout, f"rtl {fabric} {options}: {done.stderr}"):
        return None
    text = open("w.sv", encoding="utf-8").read()
    top = re.search(r"^module (\w+)", text, re.M)[1]
    files = open("w.f", encoding="utf-8").read()
    listed = re.findall(r"^//   (\S+)$", text, re.M)
    check([HOME + "/rtl/" + name for name in listed] == files.split(), f"{fabric} {options}: the comment has other files than --files")
    limits = re.search(r"^// Options for Verilator: (.*)$", text, re.M)
    for words in (
        ["verilator", "--lint-only", *(limits[1].split() if limits else []), "-f", "w.f", "w.sv", "--top-module", top],
        *([["iverilog", "-g2012", "-t", "null", "-f", "w.f", "-s", top, "w.sv"]] if alone else []),
        ["yosys", "-q", "-p", f"read_verilog -defer -sv {files.replace(chr(10), ' ')}; read_verilog -sv w.sv; hierarchy -check -top {top}"],
    ):
        status, said = tool(words)
        check(status == 0, f"{fabric} {' '.join(options)}: {words[0]}: {said[-600:]}")
    return text


def test_all():
    for fabric in sys.argv[1:] or fabrics():
        for form in FORMS:
            if form == "open" and fabric.startswith(("ocs:", "ocs-benes:")):
                refused(["rtl", fabric], "by a schedule that is made for all of them")
            elif form == "router" and is_multistage(fabric):
                refused(["rtl", fabric, "--form", form], "has no routers")
            elif (text := elaborated(fabric, "--form", form, alone=form == "chip")) and form != "chip":
                check_messages(fabric, form, text)


def test_options():
    """Tries other widths, and the small form."""
    for fabric, options in (
        ("mesh:3x2", ("--flit-bits", "512")),
        ("mesh:3x2", ("--flit-bits", "7")),
        ("omega:8", ("--flit-bits", "64")),
        ("table-mesh:3x2", ("--small", "--flit-bits", "64")),
        ("cube:3", ("--small",)),
    ):
        if text := elaborated(fabric, *options, alone=False):
            check_messages(fabric, "open", text)
    for fabric, options in (
        ("cube:3", ("--form", "router", "--small", "--flit-bits", "200")),
        ("cube:3", ("--form", "chip", "--small")),
        ("mesh:3x2", ("--form", "chip", "--flit-bits", "20")),
        ("cube:2", ("--form", "chip", "--flit-bits", "36")),
        ("cube:2f256", ("--form", "chip")),
        ("line:70", ()),
    ):
        elaborated(fabric, *options)
    for words, text in (
        ("rtl mesh:3x2 --flit-bits 6", "of 7 to 4096"),
        ("rtl mesh:3x2 --form chip --flit-bits 513", "of 10 to 512"),
        ("rtl mesh:3x2 --form chip --small --flit-bits 129", "of 13 to 128"),
        ("rtl mesh:3x2f64 --flit-bits 65", "by its name"),
        ("rtl omega:8 --small", "has no small form"),
        ("rtl cube:11", "up to 1024 nodes"),
        (f"rtl graph:{GRAPHS}/petersen.dot:v2", "an open fabric's messages all go on the first"),
        ("rtl cube:3 --files -", "both write standard output"),
        ("rtl cube:3 -o x --files x", "both write x"),
        ("rtl cube:3 --form parameters --small", "about the network alone"),
        ("rtl cube:3 --form opne", 'did you mean "open"?'),
        ("rtl cube:3 -o no/such/file", "no/such/file"),
    ):
        refused(words, text)
    before = output("rtl cube:2")
    check(output("rtl cube:2 -o -") == before and before.startswith("// Written by flitloom "), "standard output")
    check(output("rtl cube:2 --form parameters").splitlines()[:3] == ["KIND=1", "NODES=4", "LINKS=2"], "parameters")


# --- Messages --------------------------------------------------------------------------------------------------------


def rows_of(text):
    """Reads the table in the comment: the label of each node, its links and its route table."""
    rows = []
    for node, label, rest in re.findall(r"^// +(\d+) +(\d+)(?: (.*))?$", text, re.M):
        check(int(node) == len(rows), f"node {node} stands in row {len(rows)}")
        links = [(int(p), way, int(v), int(q)) for p, way, v, q in re.findall(r"(\d+) (to|out to|in from) (\d+)\.(\d+)", rest)]
        table = re.search(r" table ([\d ]+)$", " " + rest)
        rows.append((int(label), links, [int(word) for word in table[1].split()] if table else []))
    return rows


def ports_of(text):
    """Returns the ports of the module: name, direction and bits."""
    return [(name, way, int(high or 0) + 1) for way, high, name in
            re.findall(r"^    (input|output)\s+wire (?:\[(\d+):0\] )?(\w+),?$", text, re.M)]


BENCH = """
module bench;
  reg clk = 0, rst = 1, exchanged = 0;
  always #5 clk = !clk;
  {declarations}
  {instances}
  integer from = 0, to = 0, got = 0, right = 0, cycles = 0, u, beat;
  always @(posedge clk) if (!rst) begin
    cycles <= cycles + 1;
    if (cycles > 400000) begin
      $display("FAIL stands still from %0d to %0d", from, to);
      $finish;
    end
  end
  // The second beat of a message is the last one.
  reg took = 0;
  always @(posedge clk) for (u = 0; !rst && u < {n}; u = u + 1) if (take_valid[u]) begin
    if (u == to && take_last[u] === took && {good}) right <= right + took;
    else begin
      $display("FAIL from %0d to %0d: something came to %0d", from, to, u);
      $finish;
    end
    took <= !take_last[u];
    if (take_last[u]) got <= got + 1;
  end
  initial begin
    exchanged = $test$plusargs("exchanged") != 0;
    #22 rst = 0;
    {load}
    for (from = 0; from < {n}; from = from + 1)
      for (to = 0; to < {n}; to = to + 1) begin
        for (beat = 0; beat < 2; beat = beat + 1) begin
          @(negedge clk);
          {offer}
          send_last[from] = beat == 1;
          send_valid[from] = 1;
          #1 while (!send_ready[from]) begin @(negedge clk); #1; end
          @(posedge clk); #1 send_valid[from] = 0;
        end
        while (got == from * {n} + to) @(posedge clk);
      end
    $display("PASS %0d messages", right);
    $finish;
  end
endmodule
"""


def constants(name, bits, values, at="at"):
    """Writes an array in Verilog as a function that reads its element `at`."""
    return (f"function [{bits - 1}:0] {name}(input integer at);\n    case ({at})\n" +
            "".join(f"      {i}: {name} = {value};\n" for i, value in enumerate(values)) + f"      default: {name} = 0;\n    endcase\n  endfunction")


# The labels of nodes 0 and 1 are exchanged if the simulation sets `exchanged`.
EXCHANGED = "exchanged && at < 2 ? 1 - at : at"


def nets(name, bits, n):
    return f"reg [{n * bits - 1}:0] {name} = 0;" if name.startswith("send_") and name != "send_ready" else f"wire [{n * bits - 1}:0] {name};"


def bench_of_open(top, rows, ports):
    n, bits = len(rows), {name: width for name, _, width in ports}
    data, label = bits["s0_axis_tdata"], bits["s0_axis_tdest"]
    ends = {"tdata": ("data", data), "tlast": ("last", 1), "tvalid": ("valid", 1), "tready": ("ready", 1), "tdest": ("node", label), "tuser": ("node", label)}
    connections = [".clk(clk)", ".rst(rst)"] + [f".{name}({width}'d0)" for name, way, width in ports if name.startswith("wb_") and way == "input"]
    for name, _, width in ports:
        if found := re.fullmatch(r"([sm])(\d+)_axis_(\w+)", name):
            connections.append(f".{name}({'send' if found[1] == 's' else 'take'}_{ends[found[3]][0]}[{int(found[2]) * width}+:{width}])")
    declarations = [nets(f"{end}_{name}", width, n) for end in ("send", "take") for name, width in
                    (("data", data), ("last", 1), ("valid", 1), ("ready", 1), ("node", label))]
    declarations.append(constants("label", label, [row[0] for row in rows], EXCHANGED))
    return BENCH.format(
        n=n, declarations="\n  ".join(declarations), instances=f"{top} dut ({', '.join(connections)});\n  assign take_ready = ~{n}'d0;",
        load="", offer=f"send_data[from*{data}+:{data}] = beat == 0 ? to : {PAYLOAD}; send_node[from*{label}+:{label}] = label(to);",
        good=f"take_node[u*{label}+:{label}] === label(from) && take_data[u*{data}+:{data}] === (took ? {PAYLOAD} : to)")


def bench_of_routers(top, rows, ports):
    n, bits = len(rows), {name: width for name, _, width in ports}
    data, label, n_ports = bits["in0_flit"], bits["here"], bits["obs_worm"]
    declarations = [constants("label", label, [row[0] for row in rows], EXCHANGED), constants("place", label, [row[0] for row in rows])]
    declarations += [nets(f"{end}_{name}", width, n) for end in ("send", "take") for name, width in (("data", data), ("last", 1), ("valid", 1), ("ready", 1))]
    instances = [f"assign take_ready = ~{n}'d0;"]
    load = ""
    if "table_at" in bits:
        port = bits["table_wdata"]
        declarations += [f"reg [{n - 1}:0] table_select = 0; reg [{bits['table_at'] - 1}:0] table_at; reg [{port - 1}:0] table_word;",
                         constants("word", port, [word for row in rows for word in row[2]])]
        load = f"""for (from = 0; from < {n}; from = from + 1) for (to = 0; to < {n}; to = to + 1) begin
      @(negedge clk) table_select[from] = 1; table_at = place(to); table_word = word(from * {n} + to);
      @(negedge clk) table_select[from] = 0;
    end"""
    for u, (_, links, _) in enumerate(rows):
        for name, _, width in ports:
            if re.match(r"in|out", name):
                declarations.append(f"wire [{width - 1}:0] n{u}_{name};")
        connections = [".clk(clk)", ".rst(rst)", f".here(place({u}))"] + [f".{name}(n{u}_{name})" for name in bits if re.match(r"in|out", name)]
        if "table_at" in bits:
            connections += [f".table_select(table_select[{u}])", ".table_write(1'b1)", ".table_at(table_at)", ".table_wdata(table_word)"]
        instances.append(f"{top} u{u} ({', '.join(connections)});")
        instances += [f"assign n{u}_in0_{name} = send_{name}[{u * width}+:{width}];" for name, width in (("last", 1), ("valid", 1))]
        instances += [f"assign n{u}_in0_flit = send_data[{u * data}+:{data}];", f"assign send_ready[{u}] = n{u}_in0_ready;",
                      f"assign take_data[{u * data}+:{data}] = n{u}_out0_flit;", f"assign take_last[{u}] = n{u}_out0_last;",
                      f"assign take_valid[{u}] = n{u}_out0_valid;", f"assign n{u}_out0_ready = take_ready[{u}];"]
        out = {p: (v, q) for p, way, v, q in links if way != "in from"}
        into = {p: (v, q) for p, way, v, q in links if way != "out to"}
        for p in range(1, n_ports):
            width = bits[f"in{p}_valid"]
            v, q = into.get(p, (None, None))
            for name, tied in (("flit", f"{data}'d0"), ("last", "1'b0"), ("valid", f"{width}'d0")):
                instances.append(f"assign n{u}_in{p}_{name} = {tied if v is None else f'n{v}_out{q}_{name}'};")
            v, q = out.get(p, (None, None))
            instances.append(f"assign n{u}_out{p}_ready = {f'~{width}{chr(39)}d0' if v is None else f'n{v}_in{q}_ready'};")
    header = f"{{label(from), label(to)}}"
    return BENCH.format(
        n=n, declarations="\n  ".join(declarations), instances="\n  ".join(instances), load=load,
        offer=f"send_data[from*{data}+:{data}] = beat == 0 ? {header} : {PAYLOAD};",
        good=f"take_data[u*{data}+:{data}] === (took ? {PAYLOAD} : {header})")


def check_messages(fabric, form, text):
    """Sends frames to the labels of the table, and with two of them exchanged, while routers stay where the table has them."""
    rows = rows_of(text)
    n = len(rows)
    if not check(n > 1, f"{fabric} {form}: no table in the comment"):
        return
    top = re.search(r"^module (\w+)", text, re.M)[1]
    with open("bench.sv", "w", encoding="utf-8") as it:
        it.write((bench_of_open if form == "open" else bench_of_routers)(top, rows, ports_of(text)))
    status, said = tool(["iverilog", "-g2012", "-f", "w.f", "-s", "bench", "-o", "bench.vvp", "w.sv", "bench.sv"])
    if not check(status == 0, f"{fabric} {form}: iverilog: {said[-600:]}"):
        return
    said = tool(["vvp", "-n", "bench.vvp"])[1].strip()
    check(f"PASS {n * n} messages" in said, f"{fabric} {form}: {said}")
    said = tool(["vvp", "-n", "bench.vvp", "+exchanged"])[1].strip()
    check("FAIL" in said and "PASS" not in said, f"{fabric} {form}, two labels exchanged: {said}")


resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))  # what writes without end fails soon, and leaves room on the disk
main(test_all, *([] if sys.argv[1:] else [test_options]))
