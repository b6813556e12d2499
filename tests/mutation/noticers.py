# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the tests that should notice a change of a file: the unit tests into which the linker takes it, the benches and proofs of
a module, and the suites that suites.txt names for it.
"""

import fnmatch
import glob
import os
import re
import subprocess
import sys
from collections import namedtuple

Suite = namedtuple("Suite", "files targets command")


def suites(root):
    found = []
    with open(os.path.join(root, "tests/mutation/suites.txt")) as f:
        for number, line in enumerate(f, 1):
            if line.startswith("#") or not line.strip():
                continue
            parts = [part.strip() for part in line.split("|", 2)]
            if len(parts) != 3:
                sys.exit(f"mutate: suites.txt:{number}: not `files | targets | command`: {line.strip()}")
            found.append(Suite(tuple(parts[0].split()), tuple(parts[1].split()), parts[2]))
    return found


def suites_of(root, path):
    return [s for s in suites(root) if any(fnmatch.fnmatch(path, pattern) for pattern in s.files)]


def nearness(suite, path):
    """Returns how near a row is to a file, on the scale of unit tests in the file's room: it has the file's name, or its beginning,
    or a few patterns, or many."""
    name = os.path.basename(path)
    found = [os.path.basename(pattern) for pattern in suite.files if fnmatch.fnmatch(path, pattern)]
    if name in found:
        return 8
    if any(pattern.split("*")[0] not in ("", "cli_") for pattern in found):
        return 8
    return 6 if found and len(suite.files) <= 3 else 0


def said_near(text, start, end):
    """Returns the pieces of texts for a person within a few lines of a change."""
    first, last = text.count("\n", 0, start), text.count("\n", 0, end)
    lines = [line for line in text.split("\n")[max(0, first - 3) : last + 5] if not line.startswith("#")]
    found = re.findall(r'"((?:\\.|[^"\\\n])*)"', "\n".join(lines))
    pieces = [piece.strip() for said in found for piece in re.split(r"%[-+ #0-9.*hljzt]*[a-zA-Z]|\\.", said)]
    return [piece for piece in pieces if len(piece) >= 8 and " " in piece]


def quoting(root, pieces):
    """Returns the names of tests, without endings, that contain one of these texts. A text that many tests contain is ignored."""
    found = {piece: set() for piece in pieces}
    for pattern in ("tests/unit/*/test_*.c", "tests/e2e/test_*", "tests/golden/refusals.txt"):
        for path in glob.glob(os.path.join(root, pattern)) if pieces else []:
            with open(path, encoding="utf-8") as f:
                text = f.read()
            name = os.path.basename(path)
            name = "test_refusals" if name == "refusals.txt" else name.partition(".")[0]
            for piece in pieces:
                if piece in text:
                    found[piece].add(name)
    return set().union(*(names for names in found.values() if len(names) <= 6))


class Objects:
    """The objects of the unit tests below a build folder, and which of them a program needs if the linker may choose."""

    def __init__(self, root, build):
        build = os.path.join(root, build)
        tests = glob.glob(os.path.join(build, "**/tests/unit/*/test_*.o"), recursive=True)
        tests = [t for t in tests if not os.path.relpath(t, build).startswith("mutation/")]  # without the trees of campaigns
        # Other builds may have folders with a test or two beside it: takes the folder with most tests.
        folders = sorted(t[: t.rindex("tests/unit/")] for t in tests)
        self.folder = max(folders, key=folders.count) if tests else None
        tests = [t for t in tests if t.startswith(f"{self.folder}tests/unit/")]
        self.needs, self.giver, self.tests = {}, {}, {}
        if not tests:
            return
        every = [p for p in glob.glob(self.folder + "**/*.o", recursive=True)]
        text = subprocess.run(["nm", "-A", "-g"] + every, stdout=subprocess.PIPE, text=True, check=True).stdout
        for line in text.splitlines():
            where, _, symbol = line.rpartition(":")
            kind, name = symbol.split()[-2:]
            path = where.rsplit(":", 1)[0] if where.endswith(":") else where
            test = os.path.basename(path).startswith("test_")
            if kind == "U":
                self.needs.setdefault(path, set()).add(name)
            elif not test and kind in "TDBRVWGSC":
                self.giver.setdefault(name, path)
        for path in tests:
            self.tests[os.path.basename(path)[:-2]] = path

    def of(self, path):
        """Returns the object of a source."""
        return os.path.join(self.folder, os.path.splitext(path)[0] + ".o")

    def linked(self, test):
        seen, queue = set(), [self.tests[test]]
        while queue:
            path = queue.pop()
            if path not in seen:
                seen.add(path)
                queue += [self.giver[name] for name in self.needs.get(path, ()) if name in self.giver]
        return seen


def rtl_file(root, module):
    found = glob.glob(os.path.join(root, "rtl/*", module + ".sv"))
    return found[0] if found else None


def users(root, module):
    """Returns the modules that instantiate a module, or that name a package."""
    pattern = re.compile(rf"\b{module}::|^ *{module} (?:#\(|u_)", re.M)
    found = []
    for path in sorted(glob.glob(os.path.join(root, "rtl/*/*.sv"))):
        name = os.path.basename(path)[:-3]
        if name != module and pattern.search(open(path).read()):
            found.append(name)
    return found


def benches(root, module, short=False):
    """Returns (killer, module) of a module's own bench and proof; if it has neither, those of the next modules above that have.
    short: proofs of which all lines are long are none."""
    with open(os.path.join(root, "tb/formal/modules.txt")) as f:
        rows = [line.split()[:2] for line in f if line.strip() and not line.startswith("#")]
    proved = {name for when, name in rows if when == "short" or not short}
    level, seen = [module], {module}
    while level:
        found = [("tb", m) for m in level if glob.glob(os.path.join(root, f"tb/*/{m}_tb.sv"))]
        found += [("formal", m) for m in level if m in proved]
        if found:
            return found
        level = sorted({u for m in level for u in users(root, m)} - seen)
        seen.update(level)
    return []


def noticed(root, path, objects):
    """Returns true if any test covers this file."""
    if suites_of(root, path):
        return True
    if path.endswith(".sv"):
        return bool(benches(root, os.path.basename(path)[:-3]))
    return any(objects.of(path) in objects.linked(t) for t in objects.tests)
