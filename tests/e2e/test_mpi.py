#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests flitloom-mpi under Open MPI: every kind of sweep gives the same bytes from several ranks that share no folder as from one
process; a flitloom or a rank that is killed costs its point, which is run again; a journal continues; errors are those of
flitloom. --can: tells by its status whether there is MPI.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

if sys.argv[1:] == ["--can"]:
    sys.exit(not (shutil.which("mpirun") and os.access("build/flitloom-mpi", os.X_OK)))

from command import FLITLOOM, check, main, run
from journals import SHORT, SWEEPS, outputs, results

MPI = os.environ.get("FLITLOOM_MPI", os.path.join(os.path.dirname(FLITLOOM), "flitloom-mpi"))
KILLS = int(os.environ.get("LOOM_RUNS", "4"))  # how many processes of each sort are killed


def ranks(n, *more):
    return ("mpirun", "--allow-run-as-root", "--oversubscribe", *more, "-n", str(n), MPI)


def every_kind():
    for words in SWEEPS.values():
        check(outputs(words, program=ranks(3)) == outputs(words), f"{words}: of three ranks")


def numbers_of_ranks():
    words = SWEEPS["loads"]
    plain = outputs(words)
    for n in (1, 2, 4, 8):
        check(outputs(words, program=ranks(n)) == plain, f"{n} ranks")


def shared():
    """Checks that each rank runs points, that each point is run once, and that the longest are handed out first."""
    os.makedirs("own")
    shutil.copy(MPI, "own/flitloom-mpi")
    with open("own/flitloom", "w", encoding="utf-8") as it:  # a flitloom that records its standard input
        it.write(f"""#!/bin/sh
case "$*" in
*--take*) stdbuf -oL tee "told.$OMPI_COMM_WORLD_RANK" | exec {FLITLOOM} "$@" ;;
*) exec {FLITLOOM} "$@" ;;
esac
""")
    os.chmod("own/flitloom", 0o755)
    words = "sweep cube:5 uniform --load 0.05:0.6:0.05 --flits 4 --warmup 500 --measure 60000"
    outputs(words, program=(*ranks(3)[:-1], "own/flitloom-mpi"))
    told = []
    for k in range(3):
        with open(f"told.{k}", encoding="utf-8") as it:
            told.append([int(line) for line in it])
    check(all(told), f"a rank has no points: {told}")
    check(sorted(sum(told, [])) == list(range(12)), f"not each point once: {told}")
    # The number of points of a rank depends on when it is free; the next point is always the longest that is left.
    check(all(points == sorted(points, reverse=True) for points in told), f"a rank has a long point behind a shorter one: {told}")
    check(all(points == sorted(points, reverse=True) for points in told), f"not longest first: {told}")


def journal():
    """Checks that the first rank's journal has all results; a sweep with more points uses them."""
    words = f"sweep cube:3 uniform --load 0.1:0.3:0.1 {SHORT}"
    outputs(words, ["--journal", "j"], ranks(2))
    check(len(results("j")) == 3, f"{results('j')}")
    stamps = {name: os.stat("j/" + name).st_mtime_ns for name in results("j")}
    more = words.replace("0.3:0.1", "0.5:0.1")
    check(outputs(more, ["--journal=j"], ranks(2)) == outputs(more), "more points")
    check(len(results("j")) == 5 and all(os.stat("j/" + name).st_mtime_ns == stamps[name] for name in stamps), "what was there is run again")
    shutil.rmtree("j")


def processes(name, of):
    """Returns the processes with this name in the groups and below a process; only this test has started them."""
    out, below = [], {of}
    for line in subprocess.run(["ps", "-e", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout.splitlines():
        pid, parent, command = line.split(None, 2)
        if int(parent) in below:
            below.add(int(pid))
            if command == name:
                out.append(int(pid))
    return sorted(out)


def killed():
    """Kills a process at a random moment, and checks that the result is the same."""
    rng = random.Random(4)
    words = "sweep cube:5,mesh:6x6 uniform --load 0.05:0.5:0.05 --flits 4 --warmup 500 --measure 20000"
    plain = outputs(words)
    for k in range(2 * KILLS):
        name = ("flitloom", "flitloom-mpi")[k % 2]
        process = subprocess.Popen([*ranks(3, "--enable-recovery"), "--silent", "2", *words.split(), "--json", "--csv", "rows.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while len(processes("flitloom", process.pid)) < 3 and process.poll() is None:
            time.sleep(0.02)
        time.sleep(rng.random() * 0.4)
        them = processes(name, process.pid)[name == "flitloom-mpi":]  # any rank but the first, which has the results
        if them:
            os.kill(rng.choice(them), signal.SIGKILL)
        said = process.communicate(timeout=300)[0]
        with open("rows.csv", encoding="utf-8") as it:
            check([said, it.read()] == plain, f"a {name} was killed: {said[:200]}")
        os.remove("rows.csv")


def wrong():
    """Checks that an error is printed once, in flitloom's words, with its status."""
    for words in (f"sweep cube:3 uniform --load 7 {SHORT}", "sweep nothing uniform --load 0.1", f"sweep cube:3 uniform --load 0.1 {SHORT} --merge", "sweep cube:3"):
        alone, several = run(words.split()), subprocess.run([*ranks(2), *words.split()], capture_output=True, text=True)
        check(several.returncode == alone.returncode and several.stdout.split("-----")[0] == alone.stdout, f"{words}: status {several.returncode}, {several.stdout}")
        check(several.stderr.count(alone.stderr) == 1, f"{words}: {several.stderr}")
    for words in ("", "run cube:3 transpose", "--silent 0 sweep cube:3 transpose"):
        done = subprocess.run([MPI, *words.split()], capture_output=True, text=True)
        check(done.returncode == 2 and done.stderr.startswith("usage: mpirun flitloom-mpi "), f"{words}: {done.stderr}")


main(every_kind, numbers_of_ranks, shared, journal, killed, wrong)
