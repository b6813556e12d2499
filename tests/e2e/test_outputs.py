#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares the command's output with earlier digests: requests of every kind of fabric and every planner that
# `flitloom list` names, reports as tables and as JSON, plans, tables, pictures. tests/golden/outputs.txt has a digest
# of the output of each. After an intended change, write the digests anew by tests/e2e/test_outputs.py --write, and
# give the reason in the commit. To see the differences before, run test_outputs.py --keep FOLDER, which leaves all
# outputs there, with two trees and two folders. NEAR_TO in the environment names a changed source: requests that have
# words of its name come first, and the first that differs ends the test (tests/mutation). The output of other programs
# and libraries is left out: places of graphs by Graphviz (without it they are on a circle), plots (Gnuplot), placements by search (Scotch). FLITLOOM: the
# command. Ends in "N passed, N failed".
import argparse
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(HOME, "tests/golden/outputs.txt")
PROGRAM = os.path.realpath(os.environ.get("FLITLOOM", os.path.join(HOME, "build/flitloom")))
FILES = {
    "net.txt": "0 1\n1 2\n2 3\n3 0\n0 2\n3 4\n4 0\n",
    "msgs.csv": "0,5,17\n1,3,9\n2,2,4\n7,0,33\n5,1,17,2\n",
    "place.txt": "3\n1\n0\n2\n",
}
GRAPHS = ("chords.txt", "petersen.dot", "switches.txt", "switches.graphml", "slow.txt")  # of tests/e2e/graphs
TABLES = (("own.json", "table-mesh:4x4 transpose"), ("own2.json", "table-mesh:4x4v2 random-perm"))


def flitloom(words, folder):
    """Takes words NAME=VALUE before a command as its environment, as shells do."""
    first = next((k for k, word in enumerate(words) if not re.match(r"[A-Z]+=", word)), 0)
    env = dict(os.environ, **dict(word.split("=", 1) for word in words[:first]))
    done = subprocess.run([PROGRAM, *words[first:]], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False)
    return done.returncode, done.stdout, done.stderr


def prepare(folder):
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as it:
            it.write(text)
    for name in GRAPHS:
        shutil.copy(os.path.join(HOME, "tests/e2e/graphs", name), folder)
    for name, request in TABLES:
        flitloom(["plan", *request.split(), "--planner", "reroute", "--tables-out", name, "-q"], folder)


def outputs(words):
    """Returns all outputs of a request, by name: its status, what it prints, the files that it writes."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        before = set(os.listdir(folder))
        status, out, err = flitloom(words, folder)
        # Standard error of a request that succeeds is progress, as of a model that is built.
        given = {"status": str(status).encode(), "stdout": out, "stderr": err if status > 1 else b""}
        for name in sorted(set(os.listdir(folder)) - before):
            with open(os.path.join(folder, name), "rb") as it:
                given[name] = it.read()
        return given


def digest(given):
    it = hashlib.sha256()
    for name, data in given.items():
        data = data.replace(HOME.encode(), b"HOME")  # paths of the RTL
        it.update(b"%s %d\n" % (name.encode(), len(data)) + data)
    return it.hexdigest()[:16]


def read():
    """Returns the comment at the head, and (digest, request) of each row."""
    with open(GOLDEN, encoding="utf-8") as it:
        lines = it.read().splitlines()
    return [l for l in lines if l.startswith("#")], [l.split(" ", 1) for l in lines if l and not l.startswith("#")]


def names(topic):
    return flitloom(["list", topic, "--names"], HOME)[1].decode().split()


def missing(requests):
    """Returns the names of `list` that no request has."""
    words = [shlex.split(r) for r in requests]
    kinds = {re.split(r"[:,]", w[k + 1])[0] for w in words for k in (0, 1) if len(w) > k + 1}
    planners = {b for w in words for a, b in zip(w, w[1:]) if a in ("--planner", "-p")}
    planners |= {"tables" for w in words if "--tables" in w}
    return sorted(set(names("fabrics")) - kinds) + sorted(set(names("planners")) - planners)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER")
    options = parser.parse_args()
    head, rows = read()
    near = os.path.basename(os.environ.get("NEAR_TO", "")).partition(".")[0].replace("-", "_").split("_")
    near = [] if options.write or options.keep else [word.rstrip("s") for word in near if len(word) > 2]
    rows.sort(key=lambda row: -sum(word in row[1] for word in near))  # without such names the order does not change
    passed = failed = 0
    found = []
    for number, (was, request) in enumerate(rows, 1):
        given = outputs(shlex.split(request))
        found.append(f"{digest(given)} {request}")
        if options.keep:
            folder = os.path.join(options.keep, f"{number:03}")
            os.makedirs(folder, exist_ok=True)
            for name, data in {**given, "request": request.encode()}.items():
                with open(os.path.join(folder, name), "wb") as it:
                    it.write(data)
        if digest(given) == was:
            passed += 1
        elif not options.write:
            failed += 1
            if near:
                print(f"FAIL flitloom {request}")
                break
            print(f"FAIL flitloom {request}: it gives something else than before: {given['stderr'].decode()[:200].strip()}")
    for name in missing([r for _, r in rows]):
        failed += 1
        print(f"FAIL no request has {name}")
    if options.write:
        with open(GOLDEN, "w", encoding="utf-8") as it:
            it.write("\n".join(head + found) + "\n")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
