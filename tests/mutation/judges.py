# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Puts a changed file into a tree, and runs the tests that should notice it. noticers.py says which these are; make builds
everything.
"""

import contextlib
import glob
import hashlib
import json
import os
import re
import sys

import noticers

# Warnings are off, so that a mutant is judged by the tests; only a change with a wrong type is refused, as no slip of the hand.
WARN = "-Werror=incompatible-pointer-types -Werror=int-conversion -Werror=implicit-function-declaration -Werror=discarded-qualifiers -Werror=format"
SLOWEST_S = 20  # a unit test that takes longer does not run
QUICK_S = 1  # the same with --quick
LONGEST_S = 300  # the processor time that a step of a proof, or a run of a testbench, may take
MEMORY = 4 << 30  # bytes of memory of a program without sanitizers
UNASKED_S = 0.9  # the assumed time of a unit test that has not run yet
UNKNOWN_S = 20  # the assumed time of a suite that has not run yet
SANITIZED_S = 6  # the time to build tests with sanitizers
JOBS = f"-j{os.environ.get('JOBS', 2)}"  # jobs of make


class TooLong(Exception):
    """A change that no test noticed within the limit of time; the text names the tests that did not run any more."""


class Deadline:
    """The processor time that may be spent on one change. It does not include the time in which tests of the tree as it is are
    built and asked, which is spent once and not for each change. Other work on the machine does not shorten it."""

    def __init__(self, tree, limit_s):
        self.tree = tree
        self.end = tree.spent_s + limit_s if limit_s else None

    def check(self, left):
        if self.end and self.tree.spent_s > self.end:
            raise TooLong(f"not asked: {', '.join(left)}")

    @contextlib.contextmanager
    def free(self):
        """Does not count the time that is spent within."""
        begin = self.tree.spent_s
        try:
            yield
        finally:
            if self.end:
                self.end += self.tree.spent_s - begin


class Build:
    """The unit tests in a tree, with or without sanitizers. With them they are those that the suites have."""

    def __init__(self, tree, sanitize):
        self.tree = tree
        self.folder = "build" if sanitize else "build/plain"
        self.make = ["make", "-s", JOBS, f"BUILD={self.folder}", "OPT=-O2", f"WARN={WARN}"]
        if not sanitize:
            self.make.append("SANITIZE=")
        self.memory = None if sanitize else MEMORY
        self.seconds, self.keys = {}, {}

    def program(self, name):
        return f"{self.folder}/tests/{name}"

    def build(self, names):
        self.tree.must(self.make + [self.program(n) for n in names])

    def objects(self):
        return noticers.Objects(self.tree.path, self.folder)

    def test(self, name, limit_s):
        return self.tree.run([f"./{self.program(name)}"], limit_s, self.memory)

    def learn(self, names, objects):
        """Reads how long the tests took on the unchanged tree, for tests whose objects have not changed since."""
        self.known = self.tree.below(f"{self.folder}/seconds.json")
        self.before, hashes = {}, {}
        if os.path.exists(self.known):
            with open(self.known) as f:
                self.before = json.load(f)
        for name in names:
            whole = hashlib.sha256()
            for path in sorted(objects.linked(name)):
                if path not in hashes:
                    with open(path, "rb") as f:
                        hashes[path] = hashlib.sha256(f.read()).digest()
                whole.update(hashes[path])
            self.keys[name] = whole.hexdigest()
            seconds, key = self.before.get(name, [None, ""])
            if key == self.keys[name]:
                self.seconds[name] = seconds
            else:
                self.seconds.pop(name, None)

    def note(self, name, seconds):
        self.seconds[name] = seconds
        if name in self.keys:
            self.before[name] = [seconds, self.keys[name]]
            with open(self.known, "w") as f:
                json.dump(self.before, f)

    def time(self, name, limit_s):
        """Runs a test on the unchanged tree, where it must pass."""
        status, text, seconds = self.test(name, limit_s)
        if status != 0 and seconds < SLOWEST_S:
            sys.exit(f"mutate: {name} fails as it is, status {status}:\n{text[-2000:]}")
        self.note(name, seconds)

    def survives(self, name):
        """Runs a test. Returns None if it passes, otherwise its output. A test whose time is unknown may take SLOWEST_S."""
        known = self.seconds.get(name)
        status, text, seconds = self.test(name, SLOWEST_S if known is None else max(3, min(10 * known, 3 * known + 10)))
        if status == 0:
            if known is None:
                self.note(name, seconds)
            return None
        case = re.search(r"^\[  FAILED  \] (\w+)", text, re.M)
        return "time-out" if status is None else case.group(1) if case else f"status {status}"


class Suites:
    """Tests of the command, of verilated fabrics and so on, by the rows of suites.txt. The tree remembers how long each takes.
    A suite that the tree does not know yet runs on the unchanged file first; so does one that fails, once in a campaign."""

    def __init__(self, tree, path, kept):
        """kept: the results of rows for other files of the same campaign, in which the unchanged tree is the same."""
        self.tree, self.path = tree, path
        self.original = tree.read(path)
        self.rows = noticers.suites_of(tree.path, path)
        self.near = {row.command: noticers.nearness(row, path) for row in self.rows}
        self.make = ["make", "-s", JOBS, "OPT=-O2", f"WARN={WARN}"]
        self.passes, self.kills = kept.setdefault("passes", set()), kept.setdefault("kills", {})
        self.fails = kept.setdefault("fails", set())
        self.known = tree.below("build/suites.json")
        if "seconds" not in kept:
            kept["seconds"] = {}
            if os.path.exists(self.known):
                with open(self.known) as f:
                    kept["seconds"] = json.load(f)
        self.seconds = kept["seconds"]

    def ask(self, command, limit_s):
        """Runs a suite. NEAR_TO in its environment is the changed file: a suite may begin with tests near to it, and end with the
        first failure."""
        status, text, seconds = self.tree.run(["bash", "-c", command], limit_s, OPT="-O2", NEAR_TO=self.path)
        if status == 0:
            self.seconds[command] = seconds
            with open(self.known, "w") as f:
                json.dump(self.seconds, f)
        return status, text

    def build(self, row):
        return not row.targets or self.tree.run(self.make + list(row.targets))[0] == 0

    def as_it_is(self, row):
        """Runs a suite on the tree without the change, where it must pass. A suite that fails does not run any more."""
        if row.command in self.passes:
            return True
        changed = self.tree.read(self.path)
        self.tree.write(self.path, self.original)
        if row.targets:
            self.tree.must(self.make + list(row.targets))
        status, text = self.ask(row.command, 3600)
        if status == 0:
            self.passes.add(row.command)
        else:
            self.fails.add(row.command)
            print(f"mutate: {row.command} fails as it is and is not asked, status {status}:\n{text[-2000:]}", file=sys.stderr, flush=True)
        self.tree.write(self.path, changed)
        return status == 0

    def limit_s(self, command):
        return max(30, 5 * self.seconds.get(command, UNKNOWN_S))

    def rank(self, row, quoting=()):
        """Returns the rank of a suite: quick suites, those near to the file or the change, and those that noticed most come
        first."""
        quotes = any(name in row.command for name in quoting)
        return (self.seconds.get(row.command, UNKNOWN_S) + 2) / (1 + self.kills.get(row.command, 0) + self.near[row.command] + 20 * quotes)

    def verdict_of(self, row, deadline):
        """Runs a suite on the change. Returns None if it passes, otherwise its output."""
        command = row.command
        with deadline.free():
            if command in self.fails or command not in self.seconds and not self.as_it_is(row):
                return None
        if not self.build(row):
            return f"make {' '.join(row.targets)}"
        status, text = self.ask(command, self.limit_s(command))
        if status == 0:
            return None
        with deadline.free():
            if not self.as_it_is(row):
                return None
        self.kills[command] = self.kills.get(command, 0) + 1
        why = re.search(r"^.*(?:FAIL|Error|error).*$", text, re.M)
        return f"{command}: " + ("time-out" if status is None else why.group(0)[:80] if why else f"status {status}")

    def verdict(self, deadline):
        order = sorted(self.rows, key=self.rank)
        for i, row in enumerate(order):
            deadline.check([r.command for r in order[i:]])
            by = self.verdict_of(row, deadline)
            if by:
                return by
        return None


class CJudge:
    """Judges mutants of a C file by the unit tests into which the linker takes it, by some of them with sanitizers, and by its
    suites, in the order of rank()."""

    def __init__(self, path, tree, options, kept):
        self.path, self.tree, self.quick = path, tree, options.quick
        killers = options.killers
        self.original = tree.read(path)
        if "plain" not in kept:
            kept.update(plain=Build(tree, False), asan=Build(tree, True))
        self.plain, self.asan = kept["plain"], kept["asan"]
        self.object, names = None, []
        if path.startswith("host/"):  # unit tests link no other files
            names = sorted(os.path.basename(f)[:-2] for f in glob.glob(tree.below("tests/unit/*/test_*.c")))
            self.plain.build(names)
            objects = self.plain.objects()
            self.object = objects.of(path)
            names = [n for n in (killers or names) if self.object in objects.linked(n)]
            self.plain.learn(names, objects)
        self.slowest = QUICK_S if self.quick else SLOWEST_S
        self.left_out = [n for n in names if self.seconds(n) >= self.slowest]
        self.names = [n for n in names if n not in self.left_out]
        # Those named after the file first, then those near it, then the quick ones; later those that noticed most.
        self.kills = {n: self.nearness(n) for n in self.names}
        self.sanitized_kills = 0
        self.quoting = set()  # tests that contain a text near to the change
        self.suites = Suites(tree, path, kept)
        if killers or self.quick and self.names:
            self.suites.rows = []
        if not self.names and not self.suites.rows:
            sys.exit(f"mutate: nobody looks at {path}: a unit test, or a line in tests/mutation/suites.txt")
        if self.object:
            self.commands = [self.plain.make + [os.path.relpath(self.object, tree.path)]]
        else:
            self.object = tree.below(f"build/obj/{os.path.splitext(path)[0]}.o")
            self.commands = [self.suites.make + [os.path.relpath(self.object, tree.path)]]
        self.compiles()
        self.unchanged = self.bytes()

    def compiles(self):
        return all(self.tree.run(c)[0] == 0 for c in self.commands)

    def bytes(self):
        with open(self.object, "rb") as f:
            return f.read()

    def nearness(self, name):
        """Returns how near a test is: by the file's name, by a folder of the same name, or by words of the name."""
        folders = self.path.split("/")[:-1]
        stem = os.path.basename(self.path).rsplit(".", 1)[0]
        if name.startswith(f"test_{stem}"):
            return 40
        near = 8 if any(os.path.exists(self.tree.below(f"tests/unit/{room}/{name}.c")) for room in folders) else 0
        words = [w.rstrip("s") for w in name.split("_")[1:]]
        return near + 8 * sum(w.rstrip("s") in words for w in set(stem.split("_")) - {"plan"})

    def seconds(self, name):
        return self.plain.seconds.get(name, UNASKED_S)

    def rank_of_test(self, name):
        return (self.seconds(name) + 0.2) / (1 + self.kills[name] + 20 * (name in self.quoting))

    def order(self):
        return sorted(self.names, key=self.rank_of_test)

    def queue(self):
        """Returns all tests and suites that may run, best first by cost and the chance to notice: (rank, kind, unit test or row,
        its name)."""
        queue = [(self.rank_of_test(n), "test", n, n) for n in self.names]
        queue += [(self.suites.rank(row, self.quoting), "suite", row, row.command) for row in self.suites.rows]
        if self.names and not self.quick:
            cost = SANITIZED_S + 4 * sum(self.seconds(n) for n in self.quick_ones())
            queue.append((cost / (1 + self.sanitized_kills), "sanitized", None, "sanitizers"))
        return sorted(queue, key=lambda entry: entry[0])

    def put(self, text):
        self.tree.write(self.path, text)
        return self.compiles() and self.bytes() != self.unchanged

    def verdict(self, deadline):
        queue, built, step = self.queue(), set(), 1
        for i, (_, kind, which, _) in enumerate(queue):
            deadline.check([entry[3] for entry in queue[i:]])
            if kind == "test":
                if which not in built:
                    some = [entry[2] for entry in queue[i:] if entry[1] == "test"][:step]
                    self.plain.build(some)
                    built.update(some)
                    step = min(16, 2 * step)
                by = self.ask(which, deadline)
                if by:
                    self.kills[which] += 1
                    return f"{which}: {by}"
            else:
                by = self.sanitized(deadline) if kind == "sanitized" else self.suites.verdict_of(which, deadline)
                if by:
                    return by
        return None

    def ask(self, name, deadline):
        """Runs a test on the change. A test that fails must pass without the change; if that is unknown, runs it there first, which also times it."""
        if self.seconds(name) >= self.slowest:
            return None
        by = self.plain.survives(name)
        if by and name not in self.plain.seconds:
            with deadline.free():
                changed = self.tree.read(self.path)
                self.tree.write(self.path, self.original)
                self.plain.build([name])
                self.plain.time(name, 3 * SLOWEST_S)
                self.tree.write(self.path, changed)
                self.plain.build([name])
            if self.seconds(name) >= self.slowest:
                by = None
            elif by == "time-out":
                by = self.plain.survives(name)
        if self.seconds(name) >= self.slowest:
            self.left_out.append(name)
        return by

    def quick_ones(self):
        return [n for n in self.order() if self.seconds(n) < 2][:6]

    def sanitized(self, deadline):
        """Looks for writes out of bounds and leaks: runs the quick tests that noticed most with sanitizers."""
        quick = self.quick_ones()
        new = [n for n in quick if n not in self.asan.seconds]
        if new:
            with deadline.free():
                mutant = self.tree.read(self.path)
                self.tree.write(self.path, self.original)
                self.asan.build(new)
                for n in new:
                    self.asan.time(n, 600)
                self.tree.write(self.path, mutant)
        if self.tree.run(self.asan.make + [self.asan.program(n) for n in quick])[0] != 0:
            return None
        for name in quick:
            by = self.asan.survives(name)
            if by:
                self.sanitized_kills += 1
                return f"{name} (ASan): {by}"
        return None

    def restore(self):
        self.tree.write(self.path, self.original)


class RtlJudge:
    """Judges mutants of a module by its testbench and its proof, then by its suites."""

    def __init__(self, path, tree, options, kept):
        self.path, self.tree = path, tree
        killers = options.killers
        self.module = os.path.basename(path)[:-3]
        self.left_out = []
        self.original = tree.read(path)
        asked = [(k, m) for k, m in noticers.benches(tree.path, self.module, options.quick) if not killers or k in killers]
        # The testbench by one seed after the other, so that a mutant stops at the first; the proof last, as it is slow.
        # With --quick in the short forms of `make test`.
        self.short = ["--short"] if options.quick else []
        self.steps = [("tb", m, s) for k, m in asked if k == "tb" for s in ("1" if options.quick else "123")]
        self.steps += [("formal", m, "") for k, m in asked if k == "formal"]
        self.suites = Suites(tree, path, kept)
        if options.quick and self.steps:
            self.suites.rows = []
        if not self.steps and not self.suites.rows:
            sys.exit(f"mutate: nobody looks at {path}: a bench, a proof, or a line in tests/mutation/suites.txt")
        self.limit_s = {step: LONGEST_S for step in self.steps}
        self.whole_s = {step: 8 * LONGEST_S for step in self.steps}  # Yosys has no limit of its own, and a mutant's loop may never end
        for step in self.steps:
            status, text, seconds = self.ask(step)
            if status != 0:
                sys.exit(f"mutate: {step[1]} fails as it is:\n{text}")
            self.limit_s[step] = int(min(LONGEST_S, max(30, 5 * seconds)))
            self.whole_s[step] = int(min(8 * LONGEST_S, max(60, 10 * seconds)))

    def ask(self, step):
        killer, module, seed = step
        script = ["tb/run.sh"] + self.short if killer == "tb" else ["tb/formal/prove.sh"] + (self.short or ["--short", "--rest"])
        return self.tree.run(script + [module], self.whole_s[step], RTL=self.tree.below("rtl"), OUT=self.tree.below("build"),
                             LIMIT_S=str(self.limit_s[step]), SEEDS=seed)

    def put(self, text):
        self.tree.write(self.path, text)
        folders = sorted(os.listdir(self.tree.below("rtl")))
        packages = self.tree.run("grep -l '^package ' rtl/*/*.sv")[1].split()
        packages = [p for p in packages if p != self.path]
        if self.module.startswith("sim_"):  # Icarus does not know DPI
            command = ["verilator", "--lint-only", "-Wno-fatal", "--top-module", self.module, "+libext+.sv"]
        else:
            command = ["iverilog", "-g2012", "-t", "null", "-Y", ".sv"]
            command += [] if re.search(r"^package ", self.original, re.M) else ["-s", self.module]
        command += [a for d in folders for a in ("-y", f"rtl/{d}")] + packages + [self.path]
        return self.tree.run(command)[0] == 0

    def verdict(self, deadline):
        for i, step in enumerate(self.steps):
            deadline.check([f"{k} {m}" for k, m, _ in self.steps[i:]] + [row.command for row in self.suites.rows])
            status, text, _ = self.ask(step)
            # A proof that found no failure within its time has noticed nothing.
            fails = [l for l in text.splitlines() if l.startswith("FAIL ") and ", no verdict," not in l]
            if status is None or status != 0 and (fails or "FAIL " not in text):
                why = re.search(r"^FAIL .*?(\((seed \d+)\)|: (\w+))", fails[0]) if fails else None
                own = "" if step[1] == self.module else f" {step[1]}"
                return f"{step[0]}{own}: " + ("time-out" if status is None else why.group(2) or why.group(3) if why else f"status {status}")
        return self.suites.verdict(deadline)

    def restore(self):
        self.tree.write(self.path, self.original)


def judge(path, tree, options, kept):
    return (RtlJudge if path.endswith(".sv") else CJudge)(path, tree, options, kept)
