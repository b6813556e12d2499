#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: mutate.py FILE [--seed N] [--count N] [--killers NAME,NAME...] [--show]

Puts one small change at a time (mutants.py) into a copy of FILE, a C file below host/ or a module below rtl/, and looks
whether the tests notice: of C the unit tests into which the linker takes the file, without sanitizers, and what these
let pass once more under ASan and UBSan; of RTL the module's testbench and its proof. The changes are drawn by --seed; one
that does not compile, or gives the same object code, is drawn again. What cannot be noticed is listed by hand, with the
reason, in equivalent.txt, and counted apart. A line per change goes to build/mutation/NAME.SEED.txt, the sums to
build/mutation/results.txt."""

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

import mutants

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "build", "mutation")
# Warnings would refuse what a careless compiler lets through; what has the wrong type is no slip of the hand.
WARN = "-Werror=incompatible-pointer-types -Werror=int-conversion -Werror=implicit-function-declaration"
SLOWEST_S = 20  # a unit test that takes longer is not asked
LONGEST_S = 300  # the processor time that a step of a proof, or a run of a testbench, may take
MEMORY = 4 << 30  # of a program without sanitizers


def run(command, cwd, limit_s=600, memory=None, **more):
    """Status, output and processor time. A status below 0 is a signal, None the end of the time."""

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit_s) + 1, int(limit_s) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, cwd=cwd, shell=isinstance(command, str), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limits,
                               start_new_session=True, **more)
    try:
        text = process.communicate(timeout=20 * limit_s)[0].decode(errors="replace")
        status = None if process.returncode == -24 else process.returncode  # SIGXCPU
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        text, status = process.communicate()[0].decode(errors="replace"), None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def must(command, cwd, **more):
    status, text, _ = run(command, cwd, **more)
    if status != 0:
        sys.exit(f"mutate: {command}: status {status}\n{text[-3000:]}")
    return text


def copy_sources(tree):
    """The files that git knows or would take, those that differ."""
    listed = must(["git", "ls-files", "-co", "--exclude-standard", "-z"], ROOT).split("\0")
    for name in filter(None, listed):
        source, copy = os.path.join(ROOT, name), os.path.join(tree, name)
        if not os.path.isfile(source):
            continue
        with open(source, "rb") as f:
            new = f.read()
        if os.path.exists(copy) and open(copy, "rb").read() == new:
            continue
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy(source, copy)
    for name in must(["find", "tests/unit", "host", "rtl", "-type", "f"], tree).split():
        if not os.path.exists(os.path.join(ROOT, name)):
            os.remove(os.path.join(tree, name))


class Build:
    """The unit tests of a copy of the sources, with or without sanitizers."""

    def __init__(self, tree, path, sanitize):
        self.tree, self.path = tree, path
        self.folder = "build/asan" if sanitize else "build/plain"
        self.make = ["make", "-s", "-j2", f"BUILD={self.folder}", "OPT=" + ("-O1" if sanitize else "-O2"), f"WARN={WARN}"]
        self.sanitize = sanitize
        if not sanitize:
            self.make.append("SANITIZE=")
        self.object = f"{self.folder}/san/{path[:-2]}.o"
        self.memory = None if sanitize else MEMORY
        self.env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
        self.seconds, self.commands = {}, {}

    def prepare(self, names):
        must(self.make + [self.program(n) for n in names], self.tree, limit_s=3600, env=self.env)

    def program(self, name):
        return f"{self.folder}/tests/{name}"

    def uses(self, name):
        """Whether the linker takes the file under test into this program, if it may choose."""
        objects = must(f"find {self.folder}/san -name '*.o' ! -name 'test_*'", self.tree).split()
        archive = f"{self.folder}/all.a"
        if not os.path.exists(os.path.join(self.tree, archive)):
            must(["ar", "rcsP", archive] + objects, self.tree)
        _, text, _ = run(f"cc {self.folder}/san/tests/unit/{name}.o {archive} -Wl,-t,-t -Wl,--unresolved-symbols=ignore-all "
                         f"-o {self.folder}/linked -lcmocka -ljansson -lm", self.tree)
        return f"){self.object}\n" in text + "\n"

    def learn(self, name):
        """What make would do for this program if the file had changed."""
        lines = must(["make", "-n"] + self.make[1:] + ["-W", self.path, self.program(name)], self.tree, env=self.env)
        wanted = [l for l in lines.splitlines() if " -o " in l]
        self.compile = next(l for l in wanted if " -c " in l and self.path in l)
        self.commands[name] = next(l for l in wanted if f" -o {self.program(name)} " in l + " ")

    def test(self, name, limit_s):
        status, text, seconds = run([f"./{self.program(name)}"], self.tree, limit_s, self.memory, env=self.env)
        return status, text, seconds

    def compiles(self):
        return run(self.compile, self.tree)[0] == 0

    def bytes(self):
        with open(os.path.join(self.tree, self.object), "rb") as f:
            return f.read()

    def survives(self, name):
        must(self.commands[name], self.tree)
        limit = max(3, 10 * self.seconds[name])
        status, text, _ = self.test(name, limit)
        if status == 0:
            return None
        case = re.search(r"^\[  FAILED  \] (\w+)", text, re.M)
        return "time-out" if status is None else case.group(1) if case else f"status {status}"


class CJudge:
    """A C file's mutants before its unit tests."""

    def __init__(self, path, tree, killers):
        self.path, self.file = path, os.path.join(tree, path)
        names = killers or sorted(f[:-2] for f in os.listdir(os.path.join(tree, "tests/unit")) if f.startswith("test_"))
        self.plain, self.asan = Build(tree, path, False), Build(tree, path, True)
        self.plain.prepare(names)
        names = [n for n in names if self.plain.uses(n)]
        for n in names:
            self.plain.learn(n)
            status, text, self.plain.seconds[n] = self.plain.test(n, 3 * SLOWEST_S)
            if status != 0 and self.plain.seconds[n] < SLOWEST_S:
                sys.exit(f"mutate: {n} fails as it is, status {status}:\n{text[-2000:]}")
        self.left_out = [n for n in names if self.plain.seconds[n] >= SLOWEST_S]
        self.names = [n for n in names if n not in self.left_out]
        stem = os.path.basename(path)[:-2]
        # Those named after the file first, then the quick ones; later those that noticed most.
        self.kills = {n: 20 if n.startswith(f"test_{stem}") else 0 for n in self.names}
        self.original = self.read()
        self.write(self.original)
        self.plain.compiles()
        self.unchanged = self.plain.bytes()

    def read(self):
        with open(self.file) as f:
            return f.read()

    def write(self, text):
        with open(self.file, "w") as f:
            f.write(text)

    def order(self):
        return sorted(self.names, key=lambda n: (self.plain.seconds[n] + 0.2) / (1 + self.kills[n]))

    def put(self, text):
        self.write(text)
        return self.plain.compiles() and self.plain.bytes() != self.unchanged

    def verdict(self):
        for name in self.order():
            by = self.plain.survives(name)
            if by:
                self.kills[name] += 1
                return f"{name}: {by}"
        # Writes out of bounds, and leaks: the quick ones that noticed most are asked.
        quick = [n for n in self.order() if self.plain.seconds[n] < 2][:6]
        mutant = self.read()
        if quick and not self.asan.commands:
            self.write(self.original)
            self.asan.prepare(quick)
            for n in quick:
                self.asan.learn(n)
                self.asan.seconds[n] = self.asan.test(n, 600)[2]
            self.write(mutant)
        if not self.asan.compiles():
            return None
        for name in quick:
            by = self.asan.survives(name)
            if by:
                return f"{name} (ASan): {by}"
        return None

    def restore(self):
        self.write(self.original)
        self.plain.compiles()
        if self.asan.commands:
            self.asan.compiles()


class RtlJudge:
    """A module's mutants before its testbench and its proof."""

    def __init__(self, path, tree, killers):
        self.module = os.path.basename(path)[:-3]
        self.tree, self.file = tree, os.path.join(tree, path)
        self.left_out = []
        self.killers = killers or ["tb", "formal"]
        if not os.path.exists(os.path.join(tree, f"tb/{self.module}_tb.sv")):
            self.killers = [k for k in self.killers if k != "tb"]
        if not re.search(rf"\b{self.module}\b", open(os.path.join(tree, "tb/formal/modules.txt")).read()):
            self.killers = [k for k in self.killers if k != "formal"]
        if not self.killers:
            sys.exit(f"mutate: {self.module} has neither testbench nor proof of its own")
        with open(self.file) as f:
            self.original = f.read()
        # The testbench by one seed after the other, so that a mutant stops at the first; the proof last, as it is slow.
        self.steps = [("tb", s) for s in "123"] if "tb" in self.killers else []
        self.steps += [("formal", None)] if "formal" in self.killers else []
        self.limit_s = {step: LONGEST_S for step in self.steps}
        for step in self.steps:
            status, text, seconds = self.ask(step)
            if status != 0:
                sys.exit(f"mutate: {self.module} fails as it is:\n{text}")
            self.limit_s[step] = int(min(LONGEST_S, max(30, 5 * seconds)))

    def ask(self, step):
        killer, seed = step
        env = dict(os.environ, RTL=os.path.join(self.tree, "rtl"), OUT=os.path.join(self.tree, "build"),
                   LIMIT_S=str(self.limit_s[step]), SEEDS=seed or "")
        script = "tb/run.sh" if killer == "tb" else "tb/formal/prove.sh"
        os.makedirs(env["OUT"], exist_ok=True)
        return run([script] + (["--short"] if killer == "formal" else []) + [self.module], self.tree, 1200, env=env)

    def put(self, text):
        with open(self.file, "w") as f:
            f.write(text)
        folders = [a for d in sorted(os.listdir(f"{self.tree}/rtl")) for a in ("-y", f"rtl/{d}")]
        packages = run(["bash", "-c", "grep -l '^package ' rtl/*/*.sv"], self.tree)[1].split()
        return run(["iverilog", "-g2012", "-t", "null", "-Y", ".sv", "-s", self.module] + folders +
                   packages + [self.file], self.tree)[0] == 0

    def verdict(self):
        for step in self.steps:
            status, text, _ = self.ask(step)
            # A proof that found nothing wrong in its time has noticed nothing.
            fails = [l for l in text.splitlines() if l.startswith("FAIL ") and ", no verdict," not in l]
            if status is None or status != 0 and (fails or "FAIL " not in text):
                why = re.search(r"^FAIL .*?(\((seed \d+)\)|: (\w+))", fails[0]) if fails else None
                return f"{step[0]}: " + (why.group(2) or why.group(3) if why else f"status {status}")
        return None

    def restore(self):
        with open(self.file, "w") as f:
            f.write(self.original)


def read_equivalents(path):
    """(line as it is, line changed) -> reason, of this file."""
    found, block = {}, []
    with open(os.path.join(ROOT, "tests/mutation/equivalent.txt")) as f:
        for line in list(f) + ["\n"]:
            if line.startswith("#"):
                continue
            if line.strip():
                block.append(" ".join(line.split()))
                continue
            if block and len(block) != 4:
                sys.exit(f"mutate: equivalent.txt: four lines make an entry, not {len(block)}: {block[0]}")
            if block and block[0] == path:
                found[block[1], block[2]] = block[3]
            block = []
    return found


def find(name):
    """A module's name or a file's path, as a path below the root."""
    if os.path.isfile(os.path.join(ROOT, name)):
        return os.path.relpath(os.path.join(ROOT, name), ROOT)
    for folder, _, files in os.walk(os.path.join(ROOT, "rtl")):
        if f"{name}.sv" in files:
            return os.path.relpath(os.path.join(folder, f"{name}.sv"), ROOT)
    sys.exit(f"mutate: no file or module {name}; for example host/check/verdict.c or node_receiver")


def campaign(options):
    path = find(options.file)
    name = os.path.splitext(os.path.basename(path))[0]
    tree = os.path.join(OUT, f"tree-{name}")
    os.makedirs(tree, exist_ok=True)
    copy_sources(tree)
    with open(os.path.join(tree, path)) as f:
        text = f.read()
    pool = mutants.all_mutants(path, text)
    random.Random(options.seed).shuffle(pool)
    equivalents = read_equivalents(path)
    for before, after in set(equivalents) - {mutants.lines_of(text, m)[:2] for m in pool}:
        print(f"equivalent.txt has what is no change of {path} any more: {before}  =>  {after}")
    judge = (RtlJudge if path.endswith(".sv") else CJudge)(path, tree, options.killers)
    sums = {"killed": 0, "timed out": 0, "survived": 0, "equivalent": 0}
    by_killer = {}  # of RTL: those noticed by the testbench, by the proof
    redrawn, begin = 0, time.time()
    label = f"{name}.{options.seed}" + (f".{options.label}" if options.label else "")
    with open(os.path.join(OUT, f"{label}.txt"), "w") as log:
        try:
            for mutant in pool:
                if sum(sums.values()) == options.count:
                    break
                before, after, line = mutants.lines_of(text, mutant)
                by = None
                if (before, after) in equivalents:
                    fate = "equivalent"
                elif not judge.put(mutants.apply(text, mutant)):
                    redrawn += 1
                    continue
                else:
                    by = judge.verdict()
                    fate = "survived" if not by else "timed out" if by.endswith("time-out") else "killed"
                sums[fate] += 1
                if by and path.endswith(".sv"):
                    killer = "testbench" if by.startswith("tb") else "proof"
                    by_killer[killer] = by_killer.get(killer, 0) + 1
                said = f"{fate:10} {path}:{line} {mutant.kind}: {before}  =>  {after}" + (f"  [{by}]" if by else "")
                print(said, file=log, flush=True)
                if fate == "survived" or options.show:
                    print(said, flush=True)
        finally:
            judge.restore()
    n = sum(sums.values()) - sums["equivalent"]
    dead = sums["killed"] + sums["timed out"]
    with open(os.path.join(OUT, "results.txt"), "a") as f:
        row = (f"{path:32} seed {options.seed:<4} {n:4} mutants {dead:4} killed {100 * dead / max(n, 1):5.1f}% "
               + "".join(f"{k:3} of them by {name} " for name, k in sorted(by_killer.items(), reverse=True)) +
               f"{sums['timed out']:3} of them by time-out {sums['survived']:3} survived {sums['equivalent']:3} equivalent "
               f"{redrawn:3} drawn again {time.time() - begin:5.0f} s {options.label}").rstrip()
        print(row, file=f)
    print(row)
    if judge.left_out:
        print(f"too slow to be asked: {', '.join(judge.left_out)}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--killers", type=lambda s: s.split(","))
    parser.add_argument("--label", default="")
    parser.add_argument("--show", action="store_true")
    campaign(parser.parse_args())


if __name__ == "__main__":
    main()
