# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Runs commands within limits, in a copy of the sources."""

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
IDLE_S = 60  # a command that has used no processor time in as many looks, one a second, waits for ever and is ended
RESIDENT = 6 << 30  # bytes of memory that all processes of a command may have together
FILE_MAX = 1 << 34  # bytes of a file: test_file has one of 8 GiB with nothing in it
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def session(leader):
    """Returns the processes of a session, the processor time of all of them in seconds, and the bytes of their memory."""
    found, ticks, pages = [], 0, 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as f:
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader:
            found.append(int(name))
            ticks += sum(map(int, fields[11:15]))
            pages += int(fields[21])
    return found, ticks / TICK, pages * PAGE


def end_session(leader):
    for pid in session(leader)[0]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run(command, cwd, limit_s=600, memory=None, env=None):
    """Runs a command and returns status, output and processor time. A status below 0 is a signal; None says that the processor time
    or the memory of all that the command started went beyond the limit, or that none of it did anything for a minute."""

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit_s) + 1, int(limit_s) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, cwd=cwd, shell=isinstance(command, str), stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, preexec_fn=limits, start_new_session=True, env=env)
        status, most, idle = None, 0, 0
        try:
            while True:
                try:
                    status = process.wait(timeout=1)
                    break
                except subprocess.TimeoutExpired:
                    _, used, held = session(process.pid)
                    # Looks are counted, not seconds, because a stop of all processes also stops this one.
                    idle += 1
                    if used > most + 0.02:
                        most, idle = used, 0
                    if used > limit_s or held > RESIDENT or idle > IDLE_S:
                        break
        finally:
            end_session(process.pid)
            process.wait()
        out.seek(0)
        text = out.read(1 << 24).decode(errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if status == -signal.SIGXCPU:
        status = None
    return status, text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def must(command, cwd, **more):
    status, text, _ = run(command, cwd, **more)
    if status != 0:
        sys.exit(f"mutate: {command}: status {status}\n{text[-3000:]}")
    return text


class Tree:
    """A copy of what git knows or would take, in which files are changed, and built. It stays for the next campaign; a second
    campaign at the same time takes another."""

    def __init__(self, out):
        os.makedirs(out, exist_ok=True)
        for i in range(100):
            self.path = os.path.join(out, f"tree.{i}")
            self.lock = open(f"{self.path}.lock", "w")
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                self.lock.close()
        os.makedirs(self.path, exist_ok=True)
        self.spent_s = 0  # the processor time of all commands
        self.copy_sources()
        # Tests leave nothing behind that is not below the tree, even if they are ended.
        self.env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "BUILD", "RTL", "OUT",
                                                                     "XDG_CACHE_HOME", "SEED")}
        self.env.update(TMPDIR=self.below("build/tmp"), HOME=self.below("build/home"),
                        FLITLOOM_CACHE=self.below("build/models"))
        for name in ("build/tmp", "build/home"):
            os.makedirs(self.below(name), exist_ok=True)
        os.makedirs(self.below("build/models"), mode=0o700, exist_ok=True)

    def below(self, name):
        return os.path.join(self.path, name)

    def copy_sources(self):
        listed = set(filter(None, must(["git", "ls-files", "-co", "--exclude-standard", "-z"], ROOT).split("\0")))
        for name in listed:
            source, copy = os.path.join(ROOT, name), self.below(name)
            if not os.path.isfile(source):
                continue
            with open(source, "rb") as f:
                new = f.read()
            if os.path.exists(copy) and open(copy, "rb").read() == new:
                continue
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy(source, copy)
        for folder, folders, files in os.walk(self.path):
            if folder == self.path:
                folders[:] = [d for d in folders if d != "build"]
            for name in files:
                path = os.path.join(folder, name)
                if not os.path.isfile(os.path.join(ROOT, os.path.relpath(path, self.path))):
                    os.remove(path)

    def run(self, command, limit_s=600, memory=None, **more):
        got = run(command, self.path, limit_s, memory, dict(self.env, **more))
        self.spent_s += got[2]
        shutil.rmtree(self.below("build/tmp"), ignore_errors=True)
        os.makedirs(self.below("build/tmp"), exist_ok=True)
        return got

    def must(self, command, limit_s=3600, **more):
        status, text, _ = self.run(command, limit_s, **more)
        if status != 0:
            sys.exit(f"mutate: {command}: status {status}\n{text[-3000:]}")

    def read(self, name):
        with open(self.below(name)) as f:
            return f.read()

    def write(self, name, text):
        with open(self.below(name), "w") as f:
            f.write(text)

    def bytes(self, name):
        with open(self.below(name), "rb") as f:
            return f.read()
