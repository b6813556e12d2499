#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the mutation tool on every file that it may be given: it draws changes of each, some test covers each, the entries of
equivalent.txt are changes, and commands that never end are ended. Nothing is compiled; the unit tests' objects are those of `make
unit` below BUILD (build). Ends in "N passed, N failed".
"""

import glob
import os
import re
import sys

import judges
import mutants
import mutate
import noticers
import running

os.chdir(running.ROOT)
n_passed = n_failed = 0
# Files that contain only constants.
WITHOUT = {"host/topo/topo_line.c", "host/topo/topo_mesh.c", "host/topo/topo_ring.c", "host/topo/topo_tables.c",
           "host/topo/topo_torus.c", "rtl/chip/regmap.sv"}


def check(good, what):
    global n_passed, n_failed
    if good:
        n_passed += 1
    else:
        n_failed += 1
        print(f"FAIL {what}")


def sources():
    found = []
    for pattern in ("host/**/*.c", "sw/**/*.c", "sw/**/*.cpp", "rtl/**/*.sv"):
        found += glob.glob(pattern, recursive=True)
    return sorted(found)


def test_draw():
    """Checks that every change gives another text with the same number of lines, and that every kind of source has changes."""
    for path in sources():
        text = open(path).read()
        try:
            pool = mutants.all_mutants(path, text)
        except Exception as e:  # the failure names the file, and the others are still tried
            check(False, f"{path}: {type(e).__name__}: {e}")
            continue
        check(bool(pool) != (path in WITHOUT), f"{path}: {len(pool)} changes")
        changed = [mutants.apply(text, m) for m in pool]
        check(all(c != text and c.count("\n") == text.count("\n") for c in changed), f"{path}: a change that is none, or moves lines")
        check(all(text[m.start : m.end].strip() for m in pool), f"{path}: a change of white space")


def test_shapes():
    """Source that the readers of C, C++ and Verilog must take, and the changes of it."""
    table = (
        ("a.c", "int f(int end)\n{\n\treturn end - 1;\n}\n", "\treturn 0;"),
        ("a.c", "struct s f(int a)\n{\n\treturn (struct s){a, 1};\n}\n", "\treturn 0;"),
        ("a.c", "void f(int *n, int *l)\n{\n\tl[(*n)++] = 1;\n\tg(n, l);\n\t(*n)--;\n}\n", "\tg(l, n);"),
        ("a.c", "int end;\nint f(void)\n{\n\tend = 3;\n\treturn 1;\n}\n", "\t;"),
        ("a.cpp", "namespace n\n{\nint t::f() const\n{\n\treturn a < 2;\n}\n} // namespace n\n", "\treturn a <= 2;"),
        ("a.cpp", "class t : public u {\n\tvoid f() override { g(1); }\n};\n", "\tvoid f() override { g(2); }"),
        ("a.cpp", "t::t(int a) : m_a(a), m_b{a}\n{\n\tg(1);\n}\n", "\tg(0);"),
        ("a.sv", "module a;\n(* keep *) wire x = y & z;\nendmodule\n", "(* keep *) wire x = y | z;"),
        ("a.sv", "module a;\n  if (A < 1 || B > 2)\n    illegal_A u_illegal ();\n  assign x = y;\n  assign z = '0;\nendmodule\n",
         "  assign z = '1;"),
    )
    for path, text, wanted in table:
        lines = [line for m in mutants.all_mutants(path, text) for line in mutants.apply(text, m).split("\n")]
        check(wanted in lines, f"{path}: no {wanted.strip()!r} of {text!r}")
    guarded = "module a;\n" + "  if (A == 1 &&\n      B == 2)\n    u_x x (1);\n" * 200 + "endmodule\n"
    check(mutants.Source.hide_verilog(guarded) == guarded, "conditions that are no checks of parameters")


def test_noticers():
    objects = noticers.Objects(running.ROOT, os.environ.get("BUILD", "build"))
    if not objects.tests:
        check(False, "no objects of unit tests: make unit")
        return
    linked = set().union(*(objects.linked(t) for t in objects.tests))
    for path in sources():
        look = bool(noticers.suites_of(running.ROOT, path))
        if path.endswith(".sv"):
            look = look or bool(noticers.benches(running.ROOT, os.path.basename(path)[:-3]))
        else:
            look = look or os.path.abspath(objects.of(path)) in map(os.path.abspath, linked)
        check(look or path in WITHOUT, f"{path}: nobody looks at it: a test, or a line in tests/mutation/suites.txt")
    for suite in noticers.suites(running.ROOT):
        for pattern in suite.files:
            check(glob.glob(pattern, recursive=True), f"suites.txt: no file {pattern}")
        for program in re.findall(r"(?:^|[ ;&])(tests/\S+)", suite.command):
            check(os.access(program, os.X_OK), f"suites.txt: no program {program}")


def test_order():
    """Checks that a row with a file's name comes before one with patterns for it, and that the time to prepare the tree does not
    count."""
    files = ("host/a/one.c", "host/b/two_*.c", "host/c/*.c", "host/d/*.c")
    few, many = noticers.Suite(files[:3], (), "few"), noticers.Suite(files, (), "many")
    for path, wanted in (("host/a/one.c", (8, 8)), ("host/b/two_x.c", (8, 8)), ("host/c/x/y.c", (6, 0)), ("host/e/y.c", (0, 0))):
        got = tuple(noticers.nearness(row, path) for row in (few, many))
        check(got == wanted, f"nearness of {path}: {got}")

    text = 'a;\nif (b < 2)\n\treturn fail("node %u is of no use\\n", b);\n\n\n\n\n\nputs("much further down");\n'
    said = noticers.said_near(text, text.index("<"), text.index("<") + 1)
    check(said == ["is of no use"], f"texts near to a change: {said}")
    check("test_refusals" in noticers.quoting(".", ["there is: messages, flits"]), "who has the text of an unknown --load-unit")

    class SomeTree:
        spent_s = 5

    tree = SomeTree()
    limit, none = judges.Deadline(tree, 10), judges.Deadline(tree, 0)
    with limit.free():
        tree.spent_s += 100
    tree.spent_s += 9
    limit.check(["x"])
    tree.spent_s += 2
    none.check(["x"])
    try:
        limit.check(["x", "y"])
        check(False, "no limit after 11 s of 10")
    except judges.TooLong as why:
        check(str(why) == "not asked: x, y", f"what was not asked: {why}")


def test_equivalents():
    for path, entries in mutate.read_equivalents().items():
        if not os.path.isfile(path):
            check(False, f"equivalent.txt: no file {path}")
            continue
        for before, after in mutate.stale(path, open(path).read(), entries):
            check(False, f"equivalent.txt has what is no change of {path}: {before}  =>  {after}")
        check(all(entries.values()), f"equivalent.txt: {path}: an entry without a reason")


def test_limits():
    """Checks that these commands are ended: one that computes for ever, itself or in a child, one that waits for ever without
    computing, and one that holds more memory than it may."""
    for command in ("while :; do :; done", "bash -c 'while :; do :; done' & wait"):
        status, _, seconds = running.run(["bash", "-c", command], ".", limit_s=1)
        check(status is None and seconds < 10, f"{command}: status {status} after {seconds} s")
    idle, running.IDLE_S = running.IDLE_S, 2
    status, _, _ = running.run(["bash", "-c", "echo here; sleep 1000 & wait"], ".", limit_s=100)
    check(status is None, f"waits for ever: status {status}")
    running.IDLE_S = idle
    held, running.RESIDENT = running.RESIDENT, 100 << 20
    status, _, _ = running.run([sys.executable, "-c", "import time; a = b'x' * (200 << 20); time.sleep(1000)"], ".", limit_s=100)
    check(status is None, f"holds 200 MB: status {status}")
    running.RESIDENT = held
    status, text, _ = running.run(["bash", "-c", "(sleep 1000 &) ; echo done; exit 3"], ".", limit_s=100)
    check((status, text) == (3, "done\n"), f"one left behind: status {status}, {text!r}")


for test in (test_draw, test_shapes, test_noticers, test_order, test_equivalents, test_limits):
    test()
print(f"{n_passed} passed, {n_failed} failed")
sys.exit(n_failed != 0)
