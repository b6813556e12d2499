#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""
usage: test_rules.py RESULTS SUITE...
Writes the rules by which make runs test suites (tools/run_tests.sh), to standard output. A suite is one of

  NAME=COMMAND          run each time
  NAME:INPUTS=COMMAND   not run again as long as its inputs are as they were when it passed last
  NAME@COMMAND          many checks, each a target of its own: COMMAND prints a line ITEM<tab>INPUTS<tab>COMMAND for each

What has passed leaves a stamp, build/stamps/SUITE/ITEM-HASH. The hash is of everything that the verdict depends on: the line
itself, the inputs, what runs the tests, and the settings in the environment. ITEM.facts beside it has the hash of each of these, so
that run_item.sh can say why an item is run again. INPUTS are words:

  PATH         a file, or a folder with all that is in it, by content
  sv:FILE      a SystemVerilog file with all modules that it uses, from rtl/, from the file's own folder (of a bench from all of tb/), and all packages
  prog:FILE    a program and the shared objects that it is linked with
  tool:NAME    a program of the system: what it says its version is, and its content
  -TEXT        the text itself

With CI set in the environment, stamps count for nothing.
"""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from glob import glob

HERE = os.path.dirname(os.path.realpath(__file__))
RUN_ITEM = os.path.join(HERE, "run_item.sh")
RUNNERS = (os.path.realpath(__file__), RUN_ITEM)
# By these variables the user gives settings to the tests, the tools and the compilers.
SETTINGS = re.compile(r"(FLITLOOM|LOOM|ASAN|UBSAN|LSAN|LC|VERILATOR)_?.*|LIMIT(_S)?|SEEDS?|RTL|OUT|LANG|PATH|CC|CXX|CFLAGS|LDFLAGS|OPT|"
                      "SAN_OPT|LD_.*|LCCS|LISTS|PULLS|WORDS|SHOTS|GOLDEN|FABRICS?|BOARD|TZ|UMASK|PYTHON.*")


def sha(data):
    return hashlib.sha256(data).hexdigest()


@lru_cache(maxsize=None)
def of_file(path):
    try:
        with open(path, "rb") as file:
            return sha(file.read())
    except OSError as error:
        return f"no file: {error.errno}"


@lru_cache(maxsize=None)
def of_path(path):
    """Returns the state of a file, or of a folder: names, contents and who may run them."""
    if not os.path.isdir(path):
        return of_file(path)
    lines = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            file = os.path.join(folder, name)
            lines.append(f"{file} {os.access(file, os.X_OK)} {of_file(file)}")
    return sha("\n".join(lines).encode())


def said_by(*command):
    """Returns the output of a command, whatever its status."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        return done.stdout
    except (OSError, subprocess.TimeoutExpired):
        return b"nothing"


@lru_cache(maxsize=None)
def of_tool(name):
    path = shutil.which(name)
    if not path:
        return "not there"
    version = said_by(path, "-V" if name in ("iverilog", "vvp", "yosys", "yosys-abc") else "--version")
    return sha(version + of_file(os.path.realpath(path)).encode())


@lru_cache(maxsize=None)
def of_program(path):
    """The shared objects outside build/ by their size and date, for they are many and large."""
    said = said_by("ldd", path).decode(errors="replace")
    lines = [of_file(path)]
    for library in sorted(set(re.findall(r"(/\S+) \(0x", said))):
        if os.path.realpath(library).startswith(os.getcwd() + "/"):
            lines.append(of_file(library))
        else:
            status = os.stat(library)
            lines.append(f"{library} {status.st_size} {status.st_mtime_ns}")
    return sha("\n".join(lines).encode())


@lru_cache(maxsize=None)
def modules(folder):
    """Returns the place of each SystemVerilog module or file to include, by name: in rtl/*/ and in a folder."""
    found = {}
    for file in glob("rtl/*/*.sv") + glob("tb/*/*" if folder.startswith("tb/") else f"{folder}/*"):
        found[os.path.basename(file)] = file
        if file.endswith(".sv"):
            found[os.path.splitext(os.path.basename(file))[0]] = file
    return found


# The first word of every possible instance, and every text in quotes: a file to include or to read.
USED = re.compile(r'\b([A-Za-z_]\w*)\s*(?:#\s*\(|[A-Za-z_]\w*\s*(?:\[[^\]]*\]\s*)?\()|"([^"\n]*)"')


@lru_cache(maxsize=None)
def names_used(file):
    """In a SystemVerilog file, comments left out."""
    with open(file, encoding="utf-8", errors="replace") as stream:
        text = re.sub(r"//.*", "", stream.read())
    return frozenset(one or other for one, other in USED.findall(text))


@lru_cache(maxsize=None)
def packages():
    return tuple(file for file in sorted(glob("rtl/*/*.sv")) if re.search(r"^package ", open(file, encoding="utf-8").read(), re.M))


def closure(file):
    """The packages, the file, and all files of the modules that it instantiates and of what it includes, and so on."""
    if not os.path.exists(file):
        return {file}
    names = modules(os.path.dirname(file))
    seen, queue = set(packages()), [file]
    while queue:
        one = queue.pop()
        if one not in seen:
            seen.add(one)
            queue += [names[word] for word in names_used(one) if word in names]
    return seen


def of_input(word):
    kind, _, rest = word.partition(":")
    if word.startswith("-"):
        return ""
    if kind == "tool":
        return of_tool(rest)
    if kind == "prog":
        return of_program(rest)
    if kind == "sv":
        return "\n".join(f"{file} {of_file(file)}" for file in sorted(closure(rest)))
    return of_path(word)


def files_of(word):
    kind, _, rest = word.partition(":")
    if word.startswith("-") or kind == "tool":
        return []
    if kind == "sv":
        return sorted(closure(rest))
    return [rest if kind == "prog" else word]


def facts(item, inputs, command):
    """All that the verdict of an item depends on: a name and a text each."""
    settings = [(name, value) for name, value in sorted(os.environ.items()) if SETTINGS.fullmatch(name)]
    machine = " ".join([*os.uname()[:1], *os.uname()[2:], str(os.getuid())])
    return [("the line of the item", f"{item} {inputs} {command}"), ("the machine", machine), *settings,
            *((os.path.relpath(file), of_file(file)) for file in RUNNERS), *((word, of_input(word)) for word in sorted(inputs.split()))]


def stamp(suite, item, known):
    text = "\n".join(f"{name} {value}" for name, value in known)
    return f"build/stamps/{suite}/{item}-{sha(text.encode())[:32]}"


def items_of(suite):
    """Name of the suite, and a list of (item, inputs or None, command)."""
    kind = re.match(r"([\w.+-]+)([@:=])(.*)", suite, re.S)
    if not kind:
        sys.exit(f'test_rules.py: "{suite}" is not NAME=COMMAND, NAME:INPUTS=COMMAND or NAME@COMMAND')
    name, how, rest = kind.groups()
    if how == "=":
        return name, [(name, None, rest)]
    if how == ":":
        inputs, _, command = rest.partition("=")
        return name, [(name, inputs, command)]
    listed = subprocess.run(["bash", "-c", rest], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    items = [line.split("\t") for line in listed.stdout.splitlines()]
    if listed.returncode or not items or any(len(item) != 3 for item in items):
        # A suite of which nobody knows what belongs to it has failed.
        return name, [("list", None, f"echo 'FAIL {name}: what belongs to it cannot be listed'; false")]
    return name, [tuple(item) for item in items]


def recipe(*words):
    """A line of a rule: make takes $ and line breaks for itself."""
    return "\t@" + shlex.join(words).replace("$", "$$").replace("\n", " ")


def write(results, name, items):
    """The rules of a suite, and what run_item.sh has to know of each item: the stamp, if it has one, the files that the stamp is of, and
    a hash of each fact."""
    os.makedirs(f"{results}/{name}")
    targets = []
    with open(f"{results}/{name}/items", "w", encoding="utf-8") as known:
        for item, inputs, command in items:
            result = f"{results}/{name}/{item}.result"
            on = [] if inputs is None else facts(item, inputs, command)
            target = result if inputs is None else stamp(name, item, on)
            targets.append(target)
            print(item, "" if target == result else target, file=known)
            if target != result:
                with open(f"{results}/{name}/{item}.files", "w", encoding="utf-8") as files:
                    files.writelines(file + "\n" for word in inputs.split() for file in files_of(word) if os.path.exists(file))
                with open(f"{results}/{name}/{item}.facts", "w", encoding="utf-8") as hashes:
                    hashes.writelines(f"{fact}\t{sha(value.encode())}\n" for fact, value in on)
                if os.environ.get("CI"):
                    print(f".PHONY: {target}")
            print(f"{target}:")
            print(recipe(RUN_ITEM, results, name, item, "" if target == result else target, command))
    print(f"{results}/{name}.sum: {' '.join(targets)}")
    print(recipe(RUN_ITEM, results, name))


def main():
    results, suites = sys.argv[1], [items_of(suite) for suite in sys.argv[2:]]
    words = {word for _, items in suites for _, inputs, _ in items for word in (inputs or "").split()}
    with ThreadPoolExecutor() as pool:  # what takes time are the versions, which other processes say
        list(pool.map(of_tool, {word[5:] for word in words if word.startswith("tool:")}))
    print("SHELL := /bin/bash\n.SUFFIXES:\nall:", *(f"{results}/{name}.sum" for name, _ in suites))
    for name, items in suites:
        write(results, name, items)


main()
