# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the same traffic by flitloom and by BookSim2, for agreement.py: both at a load, and the highest load that each sustains."""
import json
import os
import re
import subprocess
import tempfile

FLITS = 8
WAIT = 60.0  # cycles: a load is sustained if the mean latency is above that without contention by no more
STEP = 1.02  # from one load of the grid to the next
FIRST = 0.004
HOT, WEIGHT = 27, 8  # of hotspot traffic: node HOT is sent to WEIGHT times as often as another one
BEST = "vc_allocator=max_size sw_allocator=max_size"  # of BookSim2: as many grants in a cycle as there can be
LOW = 0.004  # a load at which hardly anybody meets
# The same delays in both: a header takes 3 cycles from router to router, and a credit is back 6 cycles after it was spent.
EVEN_OURS, EVEN_THEIRS = ["--link-delay", "2"], "routing_delay=0 speculative=1 credit_delay=1 use_noc_latency=0"


class Refused(Exception):
    """A fabric that flitloom has not, with its line."""


def load_of(index):
    return FIRST * STEP**index


def index_of(load):
    """The last load of the grid that is not above this one."""
    index = 0
    while load_of(index + 1) <= load * 1.0001:
        index += 1
    return index


class Point:
    """A network, a pattern, flits a buffer and lanes a link, as BookSim2 has them, and what is set otherwise in either."""

    NETWORKS = {"mesh 8x8": "topology=mesh k=8 n=2 routing_function=dor", "torus 8x8": "topology=torus k=8 n=2 routing_function=dim_order",
                "8-cube": "topology=mesh k=2 n=8 routing_function=dor", "omega 64": "topology=fly k=2 n=6 routing_function=dest_tag"}
    TRAFFIC = {"uniform": "uniform", "transpose": "transpose", "bit-reverse": "bitrev", "hotspot": None}

    def __init__(self, network, pattern, buffers, lanes, theirs="", ours=(), traffic=None, alike=""):
        self.network, self.pattern, self.buffers, self.lanes = network, pattern, buffers, lanes
        self.theirs, self.ours, self.traffic = theirs, list(ours), traffic
        self.alike = alike  # what BookSim2, as changed by agreement_alike.py, does as flitloom
        self.nodes = 256 if network == "8-cube" else 64

    def windows(self, load):
        """Cycles of warm-up and cycles measured: the fewer the more flits each node sends, for the time that a run takes; a quarter on 256 nodes."""
        measure = min(20000, max(1000, int((100 if self.nodes == 256 else 700) / load) // 500 * 500))
        return max(500, measure // 4 // 500 * 500), measure

    def to_self(self):
        """The part of BookSim2's messages that go to the node that sends them, by no link; ours do not, and are not counted either. In a fly they go all the way."""
        if self.network == "omega 64":
            return 0.0
        return 1 / self.nodes if self.pattern in ("uniform", "hotspot") else 1 / 2 ** (self.nodes.bit_length() // 2)

    def their_rate(self, load):
        """Returns the load that BookSim2's nodes make if `load` is that of messages to others, of nodes that have any."""
        return load / (1 - self.to_self()) if self.pattern in ("uniform", "hotspot") else load

    def hot_fraction(self):
        """flitloom's hotspot:NODE:FRACTION sends the rest as `uniform`."""
        share = WEIGHT / (self.nodes - 2 + WEIGHT)
        return (share - 1 / (self.nodes - 1)) / (1 - 1 / (self.nodes - 1))

    def settings(self, load, warmup, measure, seed=1):
        """A configuration of BookSim2's."""
        period = 500
        traffic = self.TRAFFIC[self.pattern]
        if self.pattern == "hotspot":
            traffic = "hotspot({{%s},{%s}})" % (",".join(map(str, range(self.nodes))), ",".join(str(WEIGHT if v == HOT else 1) for v in range(self.nodes)))
        words = f"{self.NETWORKS[self.network]} num_vcs={self.lanes} vc_buf_size={self.buffers} packet_size={{{FLITS}}} injection_rate_uses_flits=1"
        words += f" injection_rate={load:.6f} sim_type=latency sample_period={period} warmup_periods={warmup // period} max_samples={(warmup + measure) // period}"
        words += f" stopping_thres=0.0 acc_stopping_thres=0.0 seed={seed} deadlock_warn_timeout=100000"
        return [*words.split(), f"traffic={traffic}", *self.theirs.split()]


class Runs:
    """Starts both programs and counts what they took."""

    def __init__(self, flitloom, booksim, changed=None):
        self.flitloom, self.booksim, self.n, self.seed = os.path.abspath(flitloom), os.path.abspath(booksim), 0, 1
        self.changed = os.path.abspath(changed) if changed else None  # BookSim2 as agreement_alike.py changes it

    def command(self, point):
        """The words of flitloom's command, as `flitloom from-booksim` says them, up to the traffic's times and loads."""
        plain = point.settings(0.1, 1000, 4000)
        if point.pattern == "hotspot":
            plain = [word for word in plain if not word.startswith("traffic=")]
        done = subprocess.run([self.flitloom, "from-booksim", "-"], input="".join(word.translate({123: None, 125: None}) + ";\n" for word in plain), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"agreement.py: {done.stderr.strip()}")
        words = done.stdout.splitlines()[-1].split()[1:]
        for option in ("--load", "--warmup", "--measure", "--seed"):
            at = words.index(option)
            del words[at:at + 2]
        if point.pattern == "hotspot":
            words[2] = f"hotspot:{HOT}:{point.hot_fraction():.6f}"
        if point.traffic:
            words[2] = point.traffic
        if point.lanes > 1 and not re.search(r"v\d", words[1]) or point.lanes > 2:
            words[1] = re.sub(r"v\d+", "", words[1]) + f"v{point.lanes}"
        return words

    def ours(self, point, load, warmup, measure):
        """The point of flitloom's JSON."""
        self.n += 1
        words = [*self.command(point), *point.ours, "--load", f"{load:.6f}", "--warmup", str(warmup), "--measure", str(measure), "--seed", str(self.seed), "--jobs", "1", "--json"]
        done = subprocess.run([self.flitloom, *words], capture_output=True, text=True)
        if done.returncode:
            why = done.stderr.strip() or done.stdout[-300:]
            raise Refused(why) if why.startswith("flitloom: fabric ") else SystemExit(f"agreement.py: {' '.join(words)}: {why}")
        return json.loads(done.stdout)["curves"][0]["points"][0]

    def theirs(self, point, load, warmup, measure, limit):
        """Mean latency and mean hops, of BookSim2; None: it gives up. Not at the limit yet: what is under way counts there for each flit."""
        self.n += 1
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
            file.write("".join(word + ";\n" for word in [*point.settings(point.their_rate(load), warmup, measure, self.seed), f"latency_thres={limit + (1 if point.nodes == 256 else 3) * WAIT:.1f}"]))
            file.flush()
            program = self.changed if point.alike else self.booksim
            done = subprocess.run([program, file.name], capture_output=True, text=True, cwd=tempfile.gettempdir(), env={**os.environ, "ALIKE": point.alike})
        if "Aborting simulation" in done.stdout or "unstable" in done.stdout:
            return None
        latency = re.findall(r"^Packet latency average = (\S+) \(", done.stdout, re.M)
        hops = re.findall(r"^Hops average = (\S+) \(", done.stdout, re.M)
        if done.returncode not in (0, 255) or not latency:
            raise SystemExit(f"agreement.py: BookSim2 ends with {done.returncode}: {(done.stderr or done.stdout)[-300:]}")
        return float(latency[0]), float(hops[0])

    def highest(self, sustained, guess):
        """The last load of the grid that is sustained: from the guess by doubled steps to the other side, then halved."""
        low, high, step = None, None, 1
        at = max(0, min(guess, index_of(1.0)))
        while low is None or high is None:
            if sustained(load_of(at)):
                low = at
                if load_of(at + 1) > 1:
                    return load_of(at)
                at = min(at + step, index_of(1.0)) if high is None else at
            else:
                high = at
                if at == 0:
                    return 0.0
                at = max(0, at - step) if low is None else at
            step *= 2
        while high - low > 1:
            middle = (low + high) // 2
            if sustained(load_of(middle)):
                low = middle
            else:
                high = middle
        return load_of(low)

    def our_highest(self, point, guess, limit):
        def sustained(load):
            it = self.ours(point, load, *point.windows(load))
            return not it["saturated"] and it["latency"]["mean"] <= limit
        return self.highest(sustained, guess)

    def their_highest(self, point, guess, limit):
        def sustained(load):
            it = self.theirs(point, load, *point.windows(load), limit)
            return it is not None and it[0] <= limit
        return self.highest(sustained, guess)


def processor_seconds():
    t = os.times()
    return t.children_user + t.children_system
