#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the output of `flitloom from-booksim`: each pattern's destinations are those of BookSim2's formulas on every network of
the product, or it is refused; the output is a shell script that runs; each setting that it does not take over is in a comment;
each wrong file gets one line.
"""
import csv
import os
import shlex
import subprocess

from command import FLITLOOM, check, main, output, refused, run

QUICK = "warmup_periods=1 sample_period=50 max_samples=2"
NETWORKS = [(topology, k, n) for topology in ("mesh", "torus", "fly") for k in (2, 3, 4, 5, 8) for n in (1, 2, 3, 4) if k**n <= 512]


def digits(source, k, n, change):
    """Returns BookSim2's node with each digit of the source changed: dimension d is digit d, the lowest first."""
    return sum((source // k**d % k + change) % k * k**d for d in range(n))


def rotate(source, bits):
    return (source << 1 | source >> bits - 1) & (1 << bits) - 1


def halves(source, bits):
    half = bits // 2
    return source >> half | (source & (1 << half) - 1) << half


# By BookSim2's name: the destination of a node, of k^n nodes; and the condition on their number.
FORMULAS = {
    "bitcomp": (lambda s, k, n, bits: s ^ (1 << bits) - 1, "power"),
    "bitrev": (lambda s, k, n, bits: int(f"{s:0{bits}b}"[::-1], 2), "power"),
    "shuffle": (lambda s, k, n, bits: rotate(s, bits), "power"),
    "transpose": (lambda s, k, n, bits: halves(s, bits), "even"),
    "tornado": (lambda s, k, n, bits: digits(s, k, n, (k + 1) // 2 - 1), "any"),
    "neighbor": (lambda s, k, n, bits: digits(s, k, n, 1), "any"),
}


def defined(wants, nodes):
    bits = nodes.bit_length() - 1
    return wants == "any" or (nodes == 1 << bits and (wants == "power" or bits % 2 == 0))


def settings(*more):
    return [word for words in more for word in words.split()]


def command_of(done):
    lines = done.stdout.splitlines()
    check(lines and all(line.startswith("# ") for line in lines[:-1]), f"comments and then a command: {done.stdout[:200]}")
    return shlex.split(lines[-1]) if lines else [""]


def empty():
    with open("empty.cfg", "w", encoding="utf-8") as it:
        it.write("// nothing is set\n")


def destinations():
    """Tests the product of networks and patterns."""
    empty()
    taken = set()
    for topology, k, n in NETWORKS:
        for name, (formula, wants) in FORMULAS.items():
            done = run(["from-booksim", "empty.cfg", *settings(f"topology={topology} k={k} n={n} traffic={name} injection_rate=0.1")])
            if done.returncode:
                check(done.returncode == 2 and done.stderr.count("\n") == 1, f"{topology} {k} {n} {name}: {done.stderr[:300]}")
                continue
            if not defined(wants, k**n):
                continue  # BookSim2 ends with an error; here it may run
            taken.add((topology, k == 2, name))
            fabric, pattern = command_of(done)[2:4]
            output(["plan", fabric, pattern, "--planner", "direct", "--messages", "m.csv"])
            with open("m.csv", encoding="utf-8") as it:
                got = {int(row["source"]): int(row["destination"]) for row in csv.DictReader(it)}
            wrong = [s for s in range(k**n) if got.get(s, s) != formula(s, k, n, (k**n).bit_length() - 1)]
            check(not wrong, f"{topology} {k} {n} {name}: {fabric} {pattern}: from {wrong[:5]} to {[got.get(s) for s in wrong[:5]]}")
    want = {("mesh", two, name) for two in (True, False) for name in FORMULAS} | {("torus", False, name) for name in FORMULAS} | {("fly", True, name) for name in FORMULAS}
    check(taken == want - {("mesh", True, "tornado"), ("fly", True, "tornado")}, f"taken over or not: {taken ^ want}")


def runs():
    """Reads a file with comments, blanks and settings that the command line replaces; its script runs, on the machine."""
    with open("some.cfg", "w", encoding="utf-8") as it:
        it.write("// a network\ntopology = mesh; k = 4;\n\tn=2; // of 16\ntraffic = transpose;\npacket_size = 3; injection_rate = 0.9;\n"
                 "vc_buf_size = 2; num_vcs = 1; my_own = 7; watch_out = -;\nseed = 5;")
    words = ["from-booksim", "some.cfg", *settings("injection_rate=0.1", QUICK)]
    done = run(words)
    command = command_of(done)
    check(command[:4] == ["flitloom", "sweep", "mesh:4x4", "transpose"], f"{command}")
    options = dict(zip(command[4::2], command[5::2]))
    check(options == {"--load": "0.3", "--flits": "3", "--arrivals": "bernoulli", "--warmup": "50", "--measure": "50", "--seed": "5"}, f"{options}")
    for text in ("# my_own = 7: not known here", "# watch_out = -: says what BookSim2 writes", "# num_vcs = 1: ", "# routing_delay = 1 (BookSim2's default): "):
        check(text in done.stdout, f"no \"{text}\" in {done.stdout}")
    check("vc_buf_size" not in done.stdout, "of a setting that is the same in both nothing is said")
    os.makedirs("bin", exist_ok=True)
    if not os.path.exists("bin/flitloom"):
        os.symlink(FLITLOOM, "bin/flitloom")
    ran = subprocess.run(["sh"], input=done.stdout, capture_output=True, text=True, env={**os.environ, "PATH": os.path.abspath("bin") + ":" + os.environ["PATH"]})
    check(ran.returncode == 0 and "mesh:4x4" in ran.stdout and not ran.stderr, f"the script: {ran.returncode} {ran.stderr[:300]}")
    check(run(["from-booksim", "-", *words[2:]], open("some.cfg", encoding="utf-8").read()).stdout.splitlines()[-1] == done.stdout.splitlines()[-1], "from standard input")
    flits = command_of(run([*words, *settings("injection_rate_uses_flits=1 injection_rate=0.25")]))
    check(flits[flits.index("--load") + 1] == "0.25", f"a rate in flits: {flits}")
    many = command_of(run(["from-booksim", "empty.cfg", *settings("sim_count=3 injection_process=on_off burst_alpha=0.25 burst_beta=0.1 topology=mesh"), QUICK.split()[0]]))
    check(many[many.index("--arrivals") + 1] == "burst:10:4" and many[many.index("--seeds") + 1] == "3", f"bursts, several simulations: {many}")
    check(run([*many[1:many.index("--warmup")], "--warmup", "50", "--measure", "100", "--seeds", "3"]).returncode == 0, f"{many} runs")
    for name, why in (("fly", "not wired as"),):
        check(why in run(["from-booksim", "empty.cfg", *settings(f"topology={name} k={2 if name == 'fly' else 4}")]).stdout, f"{name}: {why}")
    routers = command_of(run(["from-booksim", "empty.cfg", *settings("topology=torus k=4 vc_buf_size=6"), QUICK.split()[0]]))
    check(routers[-4:] == ["--buffers", "6", "--link-delay", "1"], f"buffers and links of a torus: {routers}")
    routers = command_of(run(["from-booksim", "empty.cfg", *settings("topology=torus k=4 vc_buf_size=2 use_noc_latency=0")]))
    check("--buffers" not in routers and "--link-delay" not in routers, f"as usual: {routers}")
    batch = command_of(run(["from-booksim", "empty.cfg", *settings("topology=mesh k=3 sim_type=batch batch_size=7 packet_size=3")]))
    check(batch[2:] == ["mesh:3x3v8", "uniform", "--batch", "7", "--flits", "3", "--seed", "0", "--buffers", "8"], f"a batch: {batch}")
    check(run(batch[1:]).returncode == 0, f"{batch} runs")
    windows = command_of(run(["from-booksim", "empty.cfg", *settings("topology=mesh k=3 sim_type=batch batch_size=7 max_outstanding_requests=2 seed=3")]))
    check(windows[4:] == ["--batch", "7", "--flits", "1", "--requests", "2,service=11", "--seed", "3", "--buffers", "8"], f"a window: {windows}")
    check(run(windows[1:]).returncode == 0, f"{windows} runs")
    # Requests: flits on average times the rate, or BookSim2's mean of all four, a whole number, for a packet.
    for words, flits, load in (("injection_rate=0.01", "1:0.75,5:0.25", "0.02"), ("injection_rate=0.1 injection_rate_uses_flits=1", "1:0.75,5:0.25", "0.05"),
                               ("injection_rate=0.01 write_fraction=0 write_reply_size=9", "1", "0.01"), ("injection_rate=0.01 write_fraction=1 read_reply_size=9", "5", "0.05"),
                               ("injection_rate=0.01 write_request_size=1", "1", "0.01")):
        sizes = "use_read_write=1 write_fraction=0.25 write_request_size=5 read_reply_size=1 write_reply_size=1 read_request_size=1"
        found = command_of(run(["from-booksim", "empty.cfg", *settings("topology=mesh k=3", sizes, words, QUICK)]))
        given = dict(zip(found[4::2], found[5::2]))
        check((given.get("--flits"), given.get("--load"), given.get("--requests")) == (flits, load, "any,reply=1,service=11"), f"{words}: {found}")
        check(run(found[1:]).returncode == 0, f"{found} runs")
    for words, fabric in (("topology=mesh k=4 n=1 num_vcs=1", "line:4"), ("topology=mesh k=2 n=3 num_vcs=4", "cube:3v4"),
                          ("topology=torus k=4 num_vcs=1", "torus:4x4v2"), ("topology=torus k=4 num_vcs=6", "torus:4x4v6"),
                          ("topology=fly k=2 n=3 num_vcs=4", "omega:8"), ("topology=mesh k=4 num_vcs=9", "mesh:4x4v8")):
        found = command_of(run(["from-booksim", "empty.cfg", *settings(words)]))
        check(found[2:3] == [fabric], f"{words}: {found}")
        # Without the map processors of a cube would be placed.
        check((found[-2:] == ["--map", "identity"]) == fabric.startswith("cube:"), f"{words}: {found}")
        check(run([found[0], "check", fabric][1:]).returncode == 0, f"{fabric} cannot lock")
    refused(["from-booksim", "empty.cfg", *settings("topology=mesh k=3 sim_type=batch batch_count=2")], "one batch")
    check("--seed 0 gives" in run(["from-booksim", "empty.cfg", "seed=time"]).stdout, "a seed that is the time")


def rules():
    """Tests each routing function on each network, with few lanes and many: the output has a rule or a reason; it runs, and check finds
    it free of deadlock."""
    drawn, none = (["--rule", "romm"], ["--rule", "valiant"], ["--rule", "o1turn"]), ("not taken over", [])
    romm, valiant, o1turn = (("drawn by --seed", it) for it in drawn)
    duato = ("by dimension order there", ["--rule", "duato", "--select", "random"])
    for words, by_name in (
        ("topology=mesh k=4 num_vcs=2", {"romm": romm, "valiant": valiant, "xy_yx": o1turn, "min_adapt": duato}),
        ("topology=mesh k=4", {"romm": romm, "valiant": valiant, "xy_yx": o1turn, "min_adapt": duato}),
        ("topology=mesh k=4 num_vcs=1", {"romm": none, "valiant": none, "xy_yx": none, "min_adapt": none}),
        ("topology=mesh k=4 num_vcs=3", {"romm": none, "valiant": none, "xy_yx": none, "min_adapt": duato}),
        ("topology=mesh k=2 n=3 num_vcs=2", {"romm": romm, "valiant": valiant, "xy_yx": none, "min_adapt": duato}),
        ("topology=mesh k=4 n=1 num_vcs=2", {"romm": romm, "valiant": valiant, "xy_yx": none, "min_adapt": duato}),
        ("topology=mesh k=3 n=3 num_vcs=2", {"romm": romm, "valiant": valiant, "xy_yx": none, "min_adapt": duato}),
        ("topology=torus k=5 num_vcs=4", {"romm": none, "valiant": valiant, "xy_yx": none, "min_adapt": duato}),
        ("topology=torus k=5 num_vcs=2", {"romm": none, "valiant": none, "xy_yx": none, "min_adapt": none}),
        ("topology=torus k=5 n=1 num_vcs=4", {"romm": none, "valiant": valiant, "xy_yx": none, "min_adapt": duato}),
        ("topology=fly k=2 n=3", {"romm": none, "valiant": none, "xy_yx": none, "min_adapt": none}),
    ):
        for name, (text, options) in [*by_name.items(), ("dor", ("", [])), ("romm_ni", none), ("planar_adapt", none), ("adaptive_xy_yx", none)]:
            done = run(["from-booksim", "empty.cfg", *settings(words, QUICK), f"routing_function={name}"])
            command = command_of(done)
            comments = [line for line in done.stdout.splitlines() if line.startswith("# routing_function")]
            check(len(comments) == (name != "dor") and all(f"= {name}: " in it and text in it for it in comments), f"{words} {name}: {comments}")
            at = command.index("--rule") if "--rule" in command else 0
            check(command[at:at + len(options)] == options if options else not at, f"{words} {name}: {command}")
            if at:
                check(run(["check", command[2], *options[:2]]).returncode == 0 and run(command[1:]).returncode == 0, f"{command}")
    check("(BookSim2 has it on meshes only)" in run(["from-booksim", "empty.cfg", "routing_function=xy_yx", "topology=torus"]).stdout, "why not")


def bad():
    with open("some.cfg", "w", encoding="utf-8") as it:
        it.write("topology = mesh;\nk = 4;\n")
    for setting, text in (
        ("topology=dragonflynew", "mesh, torus and fly"), ("k=1", "from 2 to"), ("k=two", "from 2 to"), ("n=0", "from 1 to 20"), ("n=21", "from 1 to 20"),
        ("c=4", "one node"), ("subnets=2", "one network"), ("classes=2", "one class"), ("link_failures=3", "do not fail"),
        ("traffic=asymmetric", "can be taken over"), ("traffic=hotspot({1,2})", "can be taken over"), ("traffic=hotspot(99)", "99"),
        ("injection_rate=0", "more than 0"), ("injection_rate=1.5", "more than 0"), ("injection_rate=nan", "one number"), ("injection_rate={0.1,0.2}", "one number"),
        ("injection_process=regular", "bernoulli"), ("sim_count=0", "from 1 to"), ("packet_size=0", "from 1 to"), ("packet_size={1,5}", "from 1 to"), ("sim_type=other", "latency, throughput and batch"), ("vc_buf_size=1", "from 2 to 64"), ("vc_buf_size=65", "from 2 to 64"),
        ("sample_period=0", "from 1 to"), ("sample_period=500000000", "1000000000 cycles"), ("max_samples=-1", "from 1 to"), ("max_samples=3", "more than warmup_periods"), ("seed=x", "from 0 to"),
        ("k", "no \"=\""), ("k=", "value is missing"), ("=3", "name is missing"), ("k=3;n=2", "more than one setting"), ("k=" + "9" * 300, "more than 255"), ("a" * 300 + "=1", "more than 255"),
    ):
        refused(["from-booksim", "some.cfg", setting], text)
    for bursts, text in (("burst_r1=0.5", "follows"), ("burst_alpha=0.3", "whole number"), ("burst_beta=0", "whole number"), ("burst_beta=1e-9", "whole number"), ("burst_alpha=x", "one number")):
        refused(["from-booksim", "some.cfg", "injection_process=on_off", bursts], text)
    for requests, text in (("write_fraction=2", "0 to 1"), ("read_request_size=0", "from 1 to"), ("write_reply_size=3", "one length"), ("sim_type=batch", "a batch counts requests")):
        refused(["from-booksim", "some.cfg", "use_read_write=1", requests], text)
    refused(["from-booksim", "some.cfg", "sim_type=batch", "max_outstanding_requests=1000000001"], "from 0 to")
    refused(["from-booksim", "empty.cfg", *settings("topology=torus k=2")], "two links")
    refused(["from-booksim", "empty.cfg", *settings("topology=fly k=4")], "2x2")
    refused(["from-booksim", "empty.cfg", *settings("topology=mesh k=16 n=9")], "too many nodes")
    refused(["from-booksim", "empty.cfg", *settings("topology=mesh k=100000 n=18")], "too many dimensions")
    for text, why in (("k == 3;", "column 4"), ("k = 3\nn = 2;", "line 1"), ("k = 3;\n; n = 2;", "line 2"), ("k = 3; n", "no \"=\""), ("\"k\" = 3;", "name is missing")):
        refused(["from-booksim", "-"], why, text)
    refused("from-booksim nowhere.cfg", "nowhere.cfg")
    refused("from-booksim /dev/zero", "/dev/zero")
    refused("from-booksim", "FILE.cfg")
    refused(["from-booksim", "-"], "line 2", "k = 4;\nc = 2;\n")


main(destinations, runs, rules, bad)
