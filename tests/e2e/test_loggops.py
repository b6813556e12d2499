#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests flitloom goal --loggops: it gives the times that LogGOPSim's README prints for its first example, and those of a slow
model of the same rules in this file, on random programs. Fabrics run receives from any rank as that model settles them. FLITLOOM:
the command. LOOM_RUNS: random programs (60); LOOM_SEED: seed of the first.
"""
import json
import os
import random

from command import check, main, output, refused, run
from kinds import items

RUNS, SEED = int(os.environ.get("LOOM_RUNS", "60")), int(os.environ.get("LOOM_SEED", "1"))
USUAL = {"L": 2500, "o": 1500, "g": 1000, "G": 6, "O": 0, "S": 65535}


def text_of(ranks):
    """Returns the GOAL text of [[(kind, size, peer, tag, cpu, [(needed, start)...])...] by rank]."""
    lines = [f"num_ranks {len(ranks)}"]
    for r, ops in enumerate(ranks):
        lines.append(f"rank {r} {{")
        for i, (kind, size, peer, tag, cpu, needs) in enumerate(ops):
            what = f"calc {size}" if kind == "calc" else f"{kind} {size}b {'to' if kind == 'send' else 'from'} {peer} tag {tag}"
            lines.append(f"l{i}: {what} cpu {cpu}")
            lines += [f"l{i} {'irequires' if start else 'requires'} l{on}" for on, start in needs]
        lines.append("}")
    return "\n".join(lines) + "\n"


def slow(ranks, p):
    """Returns when each rank has finished; None: some operation never ends. All present events are in one list, and each step searches
    all of it for the next."""
    cpu, out, come, missing, begun, done = {}, {}, {}, {}, set(), set()
    asked, there, events, counter = {r: [] for r in range(len(ranks))}, {r: [] for r in range(len(ranks))}, [], 0
    at = lambda clock, *key: clock.get(key, 0)

    def ready(touched):
        nonlocal counter
        for r in sorted(touched):
            new = [i for i, op in enumerate(ranks[r]) if (r, i) not in missing and all((r, on) in (begun if start else done) for on, start in op[5])]
            for i in sorted(new, key=lambda i: (("send", "recv", "calc").index(ranks[r][i][0]), i)):
                missing[r, i] = True
                when = at(cpu, r, ranks[r][i][4])
                events.append([max(when, at(out, r)) if ranks[r][i][0] == "send" else when, counter, "op", r, i])
                counter += 1

    def finish(sender, i, receiver, k, now):
        size, c = ranks[sender][i][1], ranks[sender][i][4]
        touched = {receiver}
        if size > p["S"]:
            cpu[sender, c], out[(sender,)] = max(at(cpu, sender, c), now), max(at(out, sender), now)
            done.add((sender, i))
            touched.add(sender)
        done.add((receiver, k))
        return touched

    def fits(recv, sender, i):
        return recv[2] in (-1, sender) and recv[3] in (-1, ranks[sender][i][3])

    ready(range(len(ranks)))
    while events:
        event = min(events)
        now, _, what, r, i = event
        kind, size, peer, tag, c, _ = ranks[r][i]
        more, touched = max(size - 1, 0), set()
        free = {"calc": [at(cpu, r, c)], "send": [at(cpu, r, c), at(out, r)], "recv": [0]}[kind] if what == "op" else [at(cpu, peer, c), at(come, peer)]
        if max(free) > now:
            event[0] = max(free)
            continue
        events.remove(event)
        if what == "message":
            cpu[peer, c] = now + p["o"] + max(more * p["O"], more * p["G"])
            come[(peer,)] = now + p["g"] + more * p["G"]
            found = next((k for k in asked[peer] if fits(ranks[peer][k], r, i)), None)
            if found is None:
                there[peer].append((r, i))
            else:
                asked[peer].remove(found)
                touched = finish(r, i, peer, found, now)
        elif kind == "calc":
            cpu[r, c] = now + size
            begun.add((r, i))
            done.add((r, i))
            touched = {r}
        elif kind == "send":
            cpu[r, c], out[(r,)] = now + p["o"] + more * p["O"], now + p["g"] + more * p["G"]
            begun.add((r, i))
            events.append([now + p["o"] + p["L"], counter, "message", r, i])
            counter += 1
            if size <= p["S"]:
                done.add((r, i))
            touched = {r}
        else:
            begun.add((r, i))
            touched = {r}
            found = next((m for m in there[r] if fits(ranks[r][i], *m)), None)
            if found is None:
                asked[r].append(i)
            else:
                there[r].remove(found)
                touched |= finish(*found, r, i, now)
        ready(touched)
    if len(done) < sum(map(len, ranks)):
        return None
    return [max([t for (rank, _), t in cpu.items() if rank == r], default=0) for r in range(len(ranks))]


def draw(seed):
    """Draws a program: rounds of messages, each with a receive at a random place behind the operations drawn before, from its rank
    and tag or from any."""
    rng = random.Random(seed)
    n = rng.randint(2, 6)
    ranks = [[] for _ in range(n)]

    def add(r, kind, size, peer=0, tag=0):
        before = len(ranks[r])
        needs = [(on, rng.random() < 0.2) for on in rng.sample(range(before), min(before, rng.choice([0, 0, 1, 1, 2])))]
        ranks[r].append((kind, size, peer, tag, rng.choice([0, 0, 0, 1]), needs))

    for _ in range(rng.randint(1, 12)):
        a, b = rng.sample(range(n), 2)
        size, tag = rng.choice([0, 1, 8, 100, 5000]), rng.randrange(2)
        for _ in range(rng.randrange(3)):
            add(rng.randrange(n), "calc", rng.choice([0, 1, 50, 3000]))
        add(a, "send", size, b, tag)
        add(b, "recv", size, rng.choice([a, a, -1]), rng.choice([tag, tag, -1]))
    p = {"L": rng.choice([0, 10, 2500]), "o": rng.choice([0, 5, 1500]), "g": rng.choice([0, 7, 1000, 9000]), "G": rng.choice([0, 1, 6]), "O": rng.choice([0, 2, 9]), "S": rng.choice([65535, 50, 0])}
    return ranks, p


def times(path, options):
    done = run(["goal", "goal:" + path, "--loggops", options])
    return [int(line.split(",")[1]) for line in done.stdout.splitlines()[1:]] if done.returncode == 0 else done.stderr


def example():
    """Checks a reduction over a binomial tree of eight ranks, 1024 bytes each; LogGOPSim's README has its times."""
    tree = {0: [4, 2, 1], 1: [5, 3], 2: [6], 3: [7]}
    parent = {child: r for r, children in tree.items() for child in children}
    for any_rank in (False, True):
        ranks = []
        for r in range(8):
            ops = [("recv", 1024, -1 if any_rank else child, 0, 0, []) for child in tree.get(r, [])]
            if r:
                ops.append(("send", 1024, parent[r], 0, 0, [(k, False) for k in range(len(ops))]))
            ranks.append(ops)
        with open("tree.goal", "w", encoding="utf-8") as file:
            file.write(text_of(ranks))
        check(times("tree.goal", "usual") == [34914, 24776, 13138, 13138, 1500, 1500, 1500, 1500], f"the example of LogGOPSim's README: {times('tree.goal', 'usual')}")
        check(times("tree.goal", "L=2500,S=65535") == times("tree.goal", "usual"), "what is left out is usual")
        check("PASS" in output("run cube:3 goal:tree.goal --link model"), "it runs on a fabric")
    output("goal goal:tree.goal --loggops usual -o times.csv")
    with open("times.csv", encoding="utf-8") as file:
        check(file.readline() == "rank,finish\n" and len(file.readlines()) == 8, "-o")
    check(output("goal allreduce:ring 4 --bytes 64 --loggops usual").count("\n") == 5, "a collective")


def beside_runs():
    """Checks that run and plan print the times beside the cycles, in the table, in JSON and in HTML, and in both reports of a
    comparison."""
    for words, alone in (("cube:3 goal:tree.goal", "goal:tree.goal"), ("cube:3 allreduce:ring --bytes 64", "allreduce:ring 8 --bytes 64"),
                         ("mesh:2x2 alltoall:bruck", "alltoall:bruck 4"), ("omega:4 broadcast:binomial", "broadcast:binomial 4")):
        finish = [int(line.split(",")[1]) for line in output(f"goal {alone} --loggops L=900,o=70").split()[1:]]
        for command in ("plan", "run"):
            link = " --link model" if command == "run" else ""
            asked = f"{command} {words} --loggops L=900,o=70{link}"
            found = json.loads(output(asked + " --json --html it.html"))
            check(found["loggops"]["finish"] == finish and found["loggops"]["time"] == max(finish), f"{asked}: {found['loggops']}")
            check(found["request"]["loggops"] == "L=900,o=70" and found["predicted"]["cycles"] > 0, f"{asked}: {found['request']}")
            line = [l for l in output(asked).splitlines() if l.startswith("loggops ")]
            check(len(line) == 1 and line[0].split()[1] == str(max(finish)) and "L=900,o=70,g=1000,G=6,O=0,S=65535" in line[0], f"{asked}: {line}")
            with open("it.html", encoding="utf-8") as file:
                page = file.read()
            check(f'"time":{max(finish)}' in page and line[0] in page, f"{asked}: the page")
    both = json.loads(output("plan cube:3 allreduce:ring --compare --loggops usual --json"))["reports"]
    check([b["loggops"]["time"] for b in both] == [both[0]["loggops"]["time"]] * 2, "a comparison")
    check("loggops" not in json.loads(output("plan cube:3 allreduce:ring --json")), "nobody asked")
    output("plan cube:3 allreduce:ring -o p.json")
    for words, why in (("run cube:3 complement --link model --loggops usual", "no program of ranks"), ("plan cube:3 demand:allreduce:ring --loggops usual", "no program of ranks"),
                       ("plan cube:3 matrix:none.csv --loggops usual", "no program of ranks"), ("run p.json --loggops usual", "has settled that"), ("plan cube:3 allreduce:ring --loggops Q=1", "loggops"),
                       ("run cube:2 fft --stages --loggops usual", "--stages"), ("plan cube:24 shuffle --loggops usual", "by formula"), ("sweep cube:3 allreduce:ring --loggops usual", "takes no --loggops")):
        refused(words, why)


def every_pattern():
    """Checks all patterns that `flitloom list patterns` names: programs of ranks are accepted, and the others are refused in a line."""
    n = 0
    for name, syntax, _ in items("patterns"):
        for variant in syntax.split("|"):
            spec = f"{name}:4x4" if variant == "AxB" else f"{name}:{variant}" if variant and "[" not in name else name.partition("[")[0]
            alone = run(["goal", spec, "16", "--loggops", "usual"])
            beside = run(["plan", "cube:4", spec, "--loggops", "usual", "--json"])
            if alone.returncode == 0:
                n += 1
                finish = [int(line.split(",")[1]) for line in alone.stdout.split()[1:]]
                check(beside.returncode == 0 and json.loads(beside.stdout)["loggops"]["finish"] == finish, f"{spec}: {beside.stderr}{beside.stdout[:200]}")
            else:
                check(beside.returncode == 2 and beside.stderr.count("\n") == 1 and not beside.stdout, f"{spec}: {beside.stderr}{beside.stdout[:200]}")
    check(n >= 7, f"{n} programs")


def programs():
    ran = settled = besides = 0
    for seed in range(SEED, SEED + RUNS):
        ranks, p = draw(seed)
        with open("random.goal", "w", encoding="utf-8") as file:
            file.write(text_of(ranks))
        want, got = slow(ranks, p), times("random.goal", ",".join(f"{name}={value}" for name, value in p.items()))
        if want is None:
            check(isinstance(got, str) and got.count("\n") == 1, f"seed {seed}: {got}, where it never ends")
            continue
        ran += 1
        check(got == want, f"seed {seed}, {p}: {got}, not {want}")
        beside = run(["plan", "cube:3", "goal:random.goal", "--loggops", ",".join(f"{name}={value}" for name, value in p.items()), "--json"])
        if beside.returncode == 0:
            besides += 1
            found = json.loads(beside.stdout)["loggops"]
            check(found["finish"] == want and found["time"] == max(want) and all(found[name] == p[name] for name in p), f"seed {seed}, {p}: {found} beside a plan")
        if any(op[0] == "recv" and op[2] == -1 for ops in ranks for op in ops) and slow(ranks, USUAL) is not None:
            done = run(["run", "cube:3", "goal:random.goal", "--link", "model"])
            settled += done.returncode == 0
            check(done.returncode == 0 and "PASS" in done.stdout or done.returncode == 2 and done.stderr.count("\n") == 1, f"seed {seed} on a fabric: {done.stderr}{done.stdout[-300:]}")
    check(besides >= RUNS // 10, f"{besides} of {RUNS} beside a plan")
    check(ran >= RUNS // 2 and settled >= RUNS // 10, f"{ran} of {RUNS} ended, {settled} ran on a fabric")


def bad():
    for words, why in (("goal goal:tree.goal", "needs --loggops"), ("goal goal:tree.goal 8 --loggops usual", "needs --loggops"), ("goal goal:tree.goal --bytes 8 --loggops usual", "needs --loggops"),
                       ("goal goal:nowhere.goal --loggops usual", "nowhere.goal"), ("goal allreduce:ring --loggops usual", "too little"), ("goal allreduce:ring 4 --loggops L=1.5", "a whole number"),
                       ("goal allreduce:ring 4 --loggops l=1", "loggops"), ("goal allreduce:ring 4 --loggops L=1,L=2", "loggops"), ("goal allreduce:ring 4 --loggops G=2000000000", "loggops")):
        refused(words, why)
    for text, why in (("num_ranks 2\nrank 0 {\nsend 4b to 1\n}\nrank 1 {\n}\n", "no rank receives the message of line 3"), ("num_ranks 2\nrank 0 {\nrecv 4b from -1\n}\nrank 1 {\n}\n", "recv from any rank"),
                      ("num_ranks 1\nrank 0 {\na: calc 1\na requires a\n}\n", "circle"), ("num_ranks 1\nrank 0 {\ncalc 9999999999999\n}\n", "units of time"), ("num_ranks 1\nrank 0 {\ncalc 9 cpu 256\n}\n", "0..255")):
        with open("wrong.goal", "w", encoding="utf-8") as file:
            file.write(text)
        refused("goal goal:wrong.goal --loggops usual", why)


main(example, beside_runs, every_pattern, programs, bad)
