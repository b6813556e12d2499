# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""The cocotb test itself; run.py builds the simulation and calls it. Sources, sinks and the master of the register port are
cocotbext-axi's. Frames go from every node to every node, with pauses on both sides and on the register port. None may be lost or
changed, order between two nodes is kept, TUSER is the source on every beat, and frames for labels without a node are dropped and
counted. At the end every counter agrees with what was sent.
"""
import collections
import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import (AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource)

SETUP = json.loads(os.environ.get("OPEN_FABRIC", "{}"))
MONITOR, NODE = 2 << 28, 1 << 28
LONGEST = 12  # beats


def pauses(rng):
    """Some ports never pause, some do now and then, some for long."""
    chance, most = rng.choice([(0.0, 1), (0.2, 1), (0.5, 2), (0.1, 20)])
    while True:
        for _ in range(rng.randint(1, most) if rng.random() < chance else 0):
            yield True
        yield False


class Registers:
    """Words over AXI4-Lite, by their addresses in docs/registers.md."""

    def __init__(self, dut, rng):
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        write, read = self.master.write_if, self.master.read_if
        for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
            channel.set_pause_generator(pauses(rng))

    async def read(self, word):
        answer = await self.master.read(4 * word, 4)
        assert answer.resp == AxiResp.OKAY, hex(word)
        return int.from_bytes(answer.data, "little")

    async def write(self, word, value, expected=AxiResp.OKAY, n_bytes=4):
        answer = await self.master.write(4 * word, value.to_bytes(4, "little")[:n_bytes])
        assert answer.resp == expected, hex(word)


class Traffic:
    """The frames that are sent, and those of them that have to arrive."""

    def __init__(self, rng, labels, label_bits, n_frames):
        self.rng = rng
        self.labels = labels
        self.node_of = {label: u for u, label in enumerate(labels)}
        self.strangers = [label for label in range(1 << label_bits) if label not in self.node_of]
        self.expected = collections.defaultdict(collections.deque)  # by source and destination
        self.sent = [[0, 0] for _ in labels]  # frames and beats of each node, and what it is to get
        self.to_come = [[0, 0] for _ in labels]
        self.dropped = [0] * len(labels)
        self.n_frames = n_frames

    def frame(self, source):
        """A frame from this node to any, or now and then to none. TDEST is anything but in the first beat."""
        rng = self.rng
        beats = [rng.getrandbits(32) for _ in range(rng.randint(1, LONGEST))]
        if self.strangers and rng.random() < 0.1:
            label = rng.choice(self.strangers)
            self.dropped[source] += 1
        else:
            label = rng.choice(self.labels)
            target = self.node_of[label]
            self.expected[source, target].append(beats)
            for counts in (self.sent[source], self.to_come[target]):
                counts[0] += 1
                counts[1] += len(beats)
        dests = [label] + [rng.choice(self.labels + self.strangers) for _ in beats[1:]]
        return AxiStreamFrame(beats, tdest=dests)

    def check(self, target, frame):
        source = frame.tuser[0]
        assert source in self.node_of, f"node {target}: a frame from {source}"
        assert all(user == source for user in frame.tuser), f"node {target}: TUSER is {frame.tuser}"
        waiting = self.expected[self.node_of[source], target]
        assert waiting, f"node {target}: a frame from {source} that nobody sent"
        assert list(frame.tdata) == waiting.popleft(), f"node {target}: a frame from {source} is changed or out of order"


async def receive(sink, traffic, target):
    for _ in range(traffic.to_come[target][0]):
        traffic.check(target, await sink.recv(compact=False))


async def look_around(registers, seen):
    """The register port answers while frames are under way."""
    while True:
        seen.append(await registers.read(0))


async def check_counters(registers, traffic, n_channels):
    for u in range(len(traffic.labels)):
        for channel, (frames, beats) in ((n_channels - 1, traffic.sent[u]), (n_channels - 2, traffic.to_come[u])):
            at = MONITOR | u << 16 | 4 * channel
            counted = [await registers.read(at), await registers.read(at + 1)]
            assert counted == [frames, frames + beats], f"node {u}, channel {channel}: {counted}, not {frames}, {beats}"
        dropped = await registers.read(NODE | u << 16 | SETUP["registers"]["DROPPED"])
        assert dropped == traffic.dropped[u], f"node {u}: {dropped} dropped, not {traffic.dropped[u]}"


@cocotb.test()
async def frames_arrive(dut):
    rng = random.Random(SETUP["seed"])
    at = SETUP["registers"]
    n_nodes, labels = len(SETUP["labels"]), SETUP["labels"]
    cocotb.start_soon(Clock(dut.clk, 10, units="ns").start())
    options = {"byte_size": 32}
    sources = [AxiStreamSource(AxiStreamBus.from_prefix(dut, f"s{u}_axis"), dut.clk, dut.rst, **options)
               for u in range(n_nodes)]
    sinks = [AxiStreamSink(AxiStreamBus.from_prefix(dut, f"m{u}_axis"), dut.clk, dut.rst, **options)
             for u in range(n_nodes)]
    registers = Registers(dut, rng)
    for port in sources + sinks:
        port.log.setLevel("WARNING")
        port.set_pause_generator(pauses(rng))
    for half in (registers.master.write_if, registers.master.read_if):
        half.log.setLevel("WARNING")
    dut.rst.value = 1
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await RisingEdge(dut.clk)

    assert await registers.read(at["MAGIC"]) == 0x4d4f4f4c
    assert await registers.read(at["USER_NODES"]) == 1
    assert await registers.read(at["NODES"]) == n_nodes
    n_channels = await registers.read(at["CHANNELS"])
    label_bits = await registers.read(at["LABEL_BITS"])
    traffic = Traffic(rng, labels, label_bits, SETUP["frames"])
    for i in range(SETUP["frames"]):
        sources[i % n_nodes].send_nowait(traffic.frame(i % n_nodes))

    seen = []
    visitor = cocotb.start_soon(look_around(registers, seen))
    receivers = [cocotb.start_soon(receive(sink, traffic, u)) for u, sink in enumerate(sinks)]
    for receiver in receivers:
        await with_timeout(receiver, SETUP["frames"] * 20, "us")
    for source in sources:  # a last frame may be for nobody
        await with_timeout(source.wait(), 100, "us")
    while dut.busy.value:
        await RisingEdge(dut.clk)
    await ClockCycles(dut.clk, 20)
    visitor.kill()
    await ClockCycles(dut.clk, 200)  # its last answer
    assert len(seen) > SETUP["frames"] // 100 and set(seen) == {0x4d4f4f4c}
    assert not any(traffic.expected.values()) and all(sink.empty() for sink in sinks)
    assert not any(traffic.dropped) == (not traffic.strangers)

    await check_counters(registers, traffic, n_channels)
    assert await registers.read(at["STATUS"]) == 0
    # Words only: of a part of one nothing is written.
    await registers.write(at["WATCHDOG"], 0x12345678)
    await registers.write(at["WATCHDOG"], 0xff, AxiResp.SLVERR, 1)
    assert await registers.read(at["WATCHDOG"]) == 0x12345678
    await registers.write(at["CONTROL"], 1 << at["CONTROL_CLEAR"])
    for counts in traffic.sent + traffic.to_come:
        counts[:] = [0, 0]
    traffic.dropped = [0] * n_nodes
    await check_counters(registers, traffic, n_channels)
    dut._log.info("%d frames, %d answers meanwhile", SETUP["frames"], len(seen))
