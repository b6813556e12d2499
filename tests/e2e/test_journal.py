#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests sweep --journal, --shard and --merge. Every kind of sweep gives the same bytes of CSV, JSON and figures by a key from one
process, from several with one folder, from one that continues, and from shards that are merged. Processes that are killed at any
moment lose at most the points that they were running. The name of a point contains all that it depends on. Damaged files are
refused.
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

from command import FLITLOOM, check, main, output, refused, run
from journals import SHORT, SWEEPS, outputs, results

RUNS = int(os.environ.get("LOOM_RUNS", "12"))  # processes that are killed
def together(words, folder, n):
    """Runs several processes with one folder, started together; returns the status of each."""
    all_of_them = [subprocess.Popen([FLITLOOM, *words.split(), "--journal", folder, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(n)]
    return [(it.communicate(timeout=300)[1], it.returncode)[1] for it in all_of_them]


def every_kind():
    for what, words in SWEEPS.items():
        plain = outputs(words)
        check(outputs(words, ["--journal", "one"]) == plain, f"{what}: with a journal")
        n = len(results("one"))
        check(n > 0 and not any(name.endswith(".lock") for name in os.listdir("one")), f"{what}: {os.listdir('one')}")
        stamps = [os.stat("one/" + name).st_mtime_ns for name in results("one")]
        check(outputs(words, ["--journal", "one"]) == plain, f"{what}: again")
        check([os.stat("one/" + name).st_mtime_ns for name in results("one")] == stamps, f"{what}: again, and written again")
        check(outputs(words, ["--journal", "one", "--merge"]) == plain, f"{what}: merged")
        check(set(together(words, "three", 3)) == {0} and results("three") == results("one"), f"{what}: of three processes")
        check(outputs(words, ["--journal", "three", "--merge"]) == plain, f"{what}: of three processes, merged")
        for n_shards in (3, 7):
            for i in range(n_shards):
                output(f"{words} --journal shards --shard {i + 1}/{n_shards} --quiet")
            check(results("shards") == results("one"), f"{what}: {n_shards} shards have other points")
            check(outputs(words, ["--journal", "shards", "--merge"]) == plain, f"{what}: {n_shards} shards")
            shutil.rmtree("shards")
        shutil.rmtree("one")
        shutil.rmtree("three")


def ranks():
    """Checks that the first of the processes that mpirun started reports, and that one process and --jobs 1 find the same points."""
    words = SWEEPS["loads"]
    plain = outputs(words, ["--jobs", "1"])
    for n in (1, 2, 4, 8):
        processes = [subprocess.Popen([FLITLOOM, *words.split(), "--json", "--csv", f"{k}.csv", "--journal", "j", "--jobs", "1"], stdout=subprocess.PIPE, text=True,
                                      env={**os.environ, "OMPI_COMM_WORLD_RANK": str(k)}) for k in range(n)]
        said = [it.communicate(timeout=300)[0] for it in processes]
        with open("0.csv", encoding="utf-8") as it:
            check([said[0], it.read()] == plain, f"{n} ranks")
        check(not any(said[1:]) and not any(os.path.exists(f"{k}.csv") for k in range(1, n)), f"{n} ranks: others tell, too")
        shutil.rmtree("j")


def longest_first():
    """Checks that the first point in the folder is the longest one, though its row is the last."""
    output("sweep cube:3,cube:6 uniform --load 0.1:0.3:0.1 --flits 4 --warmup 300 --measure 9000 --journal j --jobs 1 --quiet")
    begun = sorted(results("j"), key=lambda name: os.stat("j/" + name).st_mtime_ns)
    words = []
    for name in begun:
        with open("j/" + name, encoding="utf-8") as it:
            words.append(re.search(r"; (cube:.);.*; load ([0-9.]+)", json.load(it)["of"]).groups())
    words = [(fabric, round(float(load), 3)) for fabric, load in words]
    check(words == [(fabric, load) for fabric in ("cube:6", "cube:3") for load in (0.3, 0.2, 0.1)], f"taken in the order {words}")
    shutil.rmtree("j")


def taken():
    """Checks that only the named points are run; the first line has those that are missing, longest first."""
    for what in ("loads", "seeds", "by", "sizes", "left out"):
        words = SWEEPS[what]
        plain = outputs(words)
        said = output(f"{words} --take j", stdin="").split()
        n, order = int(said[1]), said[2:]
        check(said[0] == "points" and len(set(order)) == len(order) <= n and set(order) <= set(map(str, range(n))), f"{what}: {said}")
        check(not results("j"), f"{what}: points that were not told")
        said = output(f"{words} --take j", stdin=order[0] + "\n").splitlines()
        check(said[1:] == [order[0]], f"{what}: {said}")
        said = output(f"{words} --take j --json --csv none.csv", stdin="".join(f"{i}\n" for i in order)).splitlines()
        check(said == [f"points {n}" + "".join(f" {i}" for i in order[1:]), *order], f"{what}: {said}")
        check(not os.path.exists("none.csv"), f"{what}: other outputs")
        check(outputs(words, ["--journal", "j", "--merge"]) == plain, f"{what}: merged")
        shutil.rmtree("j")
    words = f"sweep cube:2 uniform --load 0.1 {SHORT}"
    for number in ("1", "-1", "x", "", "0 0"):
        done = run(f"{words} --take j", stdin=number + "\n")
        check(done.returncode == 2 and "is not the number of a point, 0 to 0" in done.stderr, f"{number}: {done.stderr}")
    refused(f"{words} --take j --merge", "--merge runs none")
    refused(f"{words} --take j --map -", "standard input has the numbers", stdin="0,1,2,3\n")
    shutil.rmtree("j")


def killed():
    """Runs three processes, one of which is killed at random moments and started again. Finished points stay, and the result is the
    usual one."""
    rng = random.Random(3)
    words = f"sweep cube:5,mesh:6x6 uniform --load 0.05:0.5:0.05 --flits 4 --warmup 500 --measure {RUNS * 300}"
    plain = outputs(words)
    begin = lambda: subprocess.Popen([FLITLOOM, *words.split(), "--journal", "j", "--quiet", "--jobs", "2"], stderr=subprocess.DEVNULL)
    others = begin()
    seen = []
    for _ in range(RUNS):
        it = begin()
        time.sleep(rng.random() * 0.15)
        it.send_signal(signal.SIGKILL)
        it.wait()
        now = results("j") if os.path.isdir("j") else []
        check(set(seen) <= set(now), f"{set(seen) - set(now)} got lost")
        for name in now:
            with open("j/" + name, encoding="utf-8") as file:
                check("found" in json.load(file), f"{name} is not whole")
        seen = now
    others.send_signal(signal.SIGKILL)
    others.wait()
    check(outputs(words, ["--journal", "j"]) == plain, "after all that were killed")
    shutil.rmtree("j")


# A prctl() that is late and has no effect: as if the command ended before its process could ask for the signal at the parent's
# death.
LATE_PRCTL = """#include <stdlib.h>
#include <unistd.h>
int prctl(int option, ...) { (void)option; (void)usleep((unsigned)atoi(getenv("LATE_US"))); return 0; }
"""


def alive(group):
    """Returns the processes of a group that have not ended."""
    stats = [open(f"/proc/{it}/stat", encoding="ascii", errors="replace").read() for it in os.listdir("/proc") if it.isdigit() and os.path.exists(f"/proc/{it}/stat")]
    return [fields[0] for fields in (it.rpartition(")")[2].split() for it in stats) if int(fields[2]) == group and fields[0] not in "ZX"]


def orphans():
    """Checks that the processes of points end after their command was killed, even if they get no signal: before they run, or at
    their next word. Otherwise they hold the lock of a point for ever, once the pipe is full."""
    with open("late.c", "w", encoding="utf-8") as it:
        it.write(LATE_PRCTL)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "late.so", "late.c"], check=True)
    words = "sweep cube:9 uniform --load 0.1,0.2 --flits 4 --measure 400000 --jobs 2 --journal j --quiet"
    for late_us in (2000000, 0):
        begun = subprocess.Popen([FLITLOOM, *words.split()], stderr=subprocess.DEVNULL, start_new_session=True,
                                 env={**os.environ, "LD_PRELOAD": os.getcwd() + "/late.so", "LATE_US": str(late_us)})
        while begun.poll() is None and len(alive(begun.pid)) < 3:
            time.sleep(0.02)
        check(begun.poll() is None, f"{late_us} us: ended too early: {begun.returncode}")
        time.sleep(0.2)
        begun.send_signal(signal.SIGKILL)
        begun.wait()
        for _ in range(600):
            if not alive(begun.pid):
                break
            time.sleep(0.1)
        check(not alive(begun.pid), f"{late_us} us: processes of points go on without their command")
        if alive(begun.pid):
            os.killpg(begun.pid, signal.SIGKILL)
        check(not results("j"), f"{late_us} us: a point was done all the same")
        shutil.rmtree("j")


def names():
    """Checks that the name of a point's file changes with everything that changes a result, and with nothing else."""
    with open("list.csv", "w", encoding="utf-8") as it:
        it.write("source,destination,weight\n0,1,1\n1,2,1\n2,3,1\n3,0,1\n")
    words = f"sweep cube:2 traffic:list.csv --load 0.1 {SHORT}"
    n = [0]

    def grows(by, words, why):
        output(f"{words} --journal j --quiet")
        check(len(results("j")) == n[0] + by, f"{why}: {len(results('j')) - n[0]} new points, {by} are right")
        n[0] = len(results("j"))

    grows(1, words, "first")
    grows(0, words + " --jobs 1 --csv x.csv", "outputs")
    grows(2, words.replace("0.1 ", "0.1:0.3:0.1 "), "loads")
    grows(1, words.replace("cube:2", "cube:2,ring:4v2"), "fabrics")
    grows(1, words + " --seed 2", "seed")
    grows(1, words + " --seeds 3", "the third seed")
    grows(1, words + " --machine fast,paper", "machines")
    grows(1, words + " --buffers 4", "buffers")
    grows(1, words.replace("--measure 900", "--measure 901"), "measurement")
    grows(1, words + " --arrivals bernoulli", "arrivals")
    with open("list.csv", "a", encoding="utf-8") as it:
        it.write("0,3,1\n")
    grows(1, words, "another file")
    with open("graph.txt", "w", encoding="utf-8") as it:
        it.write("a b\nb c\nc a\n")
    grows(1, f"sweep graph:graph.txt uniform --load 0.1 {SHORT}", "graph")
    with open("graph.txt", "a", encoding="utf-8") as it:
        it.write("c d\nd a\n")
    grows(1, f"sweep graph:graph.txt uniform --load 0.1 {SHORT}", "another graph")
    shutil.rmtree("j")


def bad():
    words = f"sweep cube:2 uniform --load 0.1 {SHORT}"
    for more, text in (("--merge", "of which journal"), ("--journal none --merge", "is not in none yet"), ("--shard 0/3", "is not I/N"), ("--shard 4/3", "is not I/N"),
                       ("--shard 1", "is not I/N"), ("--shard 1/2x", "is not I/N"), ("--shard=-1/2", "is not I/N"), ("--journal /dev/null/x", "cannot be made")):
        refused(f"{words} {more}", text)
    check(not os.path.exists("none"), "--merge makes a folder")
    check(output(f"{words} --shard 2/2") == "", "a shard without points")
    output(f"{words} --journal j --quiet")
    name = "j/" + results("j")[0]
    with open(name, encoding="utf-8") as it:
        right = it.read()
    for wrong, text in ((right[: len(right) // 2], "is no result of a run"), ("", "is no result"), (right.replace('"point.p50":', '"point.p51":'), "is no result"),
                        (right.replace("; seed 1", "; seed 7"), "is of another run"), (right.replace('"point.p50":', '"point.p50":"x",\n"y":'), "is no result")):
        with open(name, "w", encoding="utf-8") as it:
            it.write(wrong)
        refused(f"{words} --journal j", text)
    os.remove(name)
    output(f"{words} --journal j --quiet")
    check(results("j") == [os.path.basename(name)], "a file that was removed is made again")
    shutil.rmtree("j")


main(every_kind, ranks, longest_first, taken, killed, orphans, names, bad)
