# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Functions that tests of the command share: they run it in a temporary folder and count checks. FLITLOOM: the command;
FLITLOOM_CACHE: where its models are. Default: those of build/.
"""
import json
import os
import subprocess
import sys
import tempfile

HOME = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
FLITLOOM = os.path.abspath(os.environ.get("FLITLOOM", HOME + "/build/flitloom"))
os.environ.setdefault("FLITLOOM_CACHE", HOME + "/build/models")
counts = {True: 0, False: 0}


def check(good, what):
    counts[bool(good)] += 1
    if not good:
        print("FAIL:", what)
    return bool(good)


def run(words, stdin="", **more):
    """words: a list, or a line of words with blanks between them. Output bytes are read as text."""
    words = words.split() if isinstance(words, str) else words
    return subprocess.run([FLITLOOM, *words], input=stdin, capture_output=True, text=True, errors="replace", **more)


def output(words, stdin="", status=0):
    done = run(words, stdin)
    if done.returncode != status:
        check(False, f"{words}: status {done.returncode}: {done.stderr.strip()[:300]}")
    return done.stdout


def document(words, stdin="", status=0):
    """Returns the one JSON document that the command prints; None: it prints none, or several."""
    words = words.split() if isinstance(words, str) else words
    text = output([*words, "--json"], stdin, status)
    try:
        return json.loads(text)
    except ValueError as error:
        check(False, f"{words} --json: {error}: {text[:200]}")
        return None


def refused(words, text="", stdin="", status=2):
    """Checks that there is one line on standard error with that text, and nothing on standard output. Returns the line."""
    done = run(words, stdin, timeout=60)
    allowed = status if isinstance(status, tuple) else (status,)
    good = done.returncode in allowed and done.stderr.startswith("flitloom: ") and done.stderr.count("\n") == 1 and text in done.stderr and not done.stdout
    check(good and len(done.stderr) <= 600, f"{words}: status {done.returncode}, not one line with \"{text}\": {done.stderr[:500]}{done.stdout[:200]}")
    return done.stderr


def figures_of_run(words, link):
    """Runs the command and checks that the verdict passes; returns the figures of each message, of each channel, and of the whole run."""
    result = document(["run", *words, "--link", link, "--messages", "messages.csv", "--channels", "channels.csv"])
    if result is None:
        return None
    check(result["verdict"] == "pass", f"{words} on {link}: {result['mismatches'][:2]}")
    with open("messages.csv") as messages, open("channels.csv") as channels:
        return messages.read(), channels.read(), result["measured"]


def main(*tests):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in tests:
            test()
        os.chdir("/")
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)
