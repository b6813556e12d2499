#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Finds shell commands whose $? is not the status that they are meant to test: behind a $(...) in the same command it is the
status of that substitution, so `check "it says: $(cat err)" test $? -eq 0` passes whatever ran before it.

usage: lost_status.py [FILE...]; without a FILE it reads every shell script that git knows. Prints a line for each find; status 1
if there is one.
"""
import re
import subprocess
import sys


def heredoc_end(text, at):
    """Behind the body of a heredoc whose << is at `at`, from the line after it on: (begin, end) of the body; None: it is none."""
    found = re.compile(r"<<(-?)\s*(['\"\\]?)([A-Za-z_][A-Za-z0-9_]*)\2").match(text, at)
    if not found:
        return None
    body = text.find("\n", found.end()) + 1
    end = re.compile(r"^%s%s$" % (r"\t*" if found[1] else "", re.escape(found[3])), re.M).search(text, body)
    return body, end.end() if body and end else len(text)


def finds(text):
    """The offsets of every $? that comes behind a substitution of its own command."""
    # A level is the inside of $(...), (...), `...` or, within one, of "...": whether a substitution has ended in the command.
    levels, skip, at = [{"end": "", "quoted": False, "seen": False}], {}, 0
    while at < len(text):
        level, c = levels[-1], text[at]
        if c == "\\":
            at += 2
        elif c == "'" and not level["quoted"]:
            at = max(text.find("'", at + 1), at) + 1
        elif c == level["end"]:
            levels.pop()
            # A command that ended in the quotes, or these themselves if they are a substitution's, belongs to the one around.
            levels[-1]["seen"] |= level["seen"] if level["quoted"] else level.get("runs", False)
            at += 1
        elif text.startswith("$((", at):
            levels.append({"end": ")", "quoted": False, "seen": level["seen"]})
            levels.append({"end": ")", "quoted": False, "seen": level["seen"]})
            at += 3
        elif text.startswith("$(", at) or c == "`":
            levels.append({"end": "`" if c == "`" else ")", "quoted": False, "seen": False, "runs": True})
            at += 1 if c == "`" else 2
        elif text.startswith("${", at):
            levels.append({"end": "}", "quoted": True, "seen": level["seen"]})
            at += 2
        elif c == '"':
            levels.append({"end": '"', "quoted": True, "seen": level["seen"]})
            at += 1
        elif text.startswith("$?", at):
            if level["seen"]:
                yield at
            at += 2
        elif level["quoted"]:
            at += 1
        elif c == "#" and (at == 0 or text[at - 1] in " \t\n;("):
            at = text.find("\n", at) % (len(text) + 1)
        elif text.startswith("<<", at) and text[at + 2 : at + 3] != "<" and (body := heredoc_end(text, at)):
            skip[body[0] - 1] = body[1]
            at += 2
        elif c == "(":
            levels.append({"end": ")", "quoted": False, "seen": False})
            at += 1
        else:
            if c in "\n;&|)" and not (c == "&" and text[at - 1] in "<>"):
                level["seen"] = False
            at = skip.get(at, at + 1) if c == "\n" else at + 1


def scripts():
    names = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        try:
            with open(name, "rb") as file:
                head = file.read(64)
        except OSError:  # deleted, and not yet committed
            continue
        if name.endswith(".sh") or re.match(rb"#!\s*\S*(/env\s+)?(/|\b)(ba|da)?sh\b", head):
            yield name


def main():
    n = 0
    for name in sys.argv[1:] or scripts():
        with open(name, encoding="utf-8", errors="replace") as file:
            text = file.read()
        for at in finds(text):
            n += 1
            line = text.count("\n", 0, at) + 1
            print(f"{name}:{line}: $? behind a substitution of its own command: status=$? goes on a line before it")
    return n > 0


if __name__ == "__main__":
    sys.exit(main())
