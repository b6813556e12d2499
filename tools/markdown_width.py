#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: markdown_width.py [--check] FILE...
# Wraps paragraphs and list items of Markdown that have a line of more than 118 columns. Code, tables, headings and HTML stay as they
# are; code in backquotes and links are not cut. With --check nothing is written: each line that is too long is named, and the
# status is 1 if there is one.
import re
import sys

WIDTH = 118
# A word: code in backquotes or a link counts as one, with what touches it.
WORD = re.compile(r"(?:``.*?``|`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+")
ITEM = re.compile(r"( *)((?:[-*+]|\d+\.) +)?(.*)")
OPENS_SOMETHING = re.compile(r"(?:[-*+>|#]|\d+\.|=+|-+)$|^[|>#]")  # what means something else where a line begins


def wrapped(first, rest, text):
    """The text in lines, of which the first begins with `first` and the others with `rest`."""
    lines, line = [], first
    begins = True
    for word in WORD.findall(text):
        if not begins and len(line) + 1 + len(word) > WIDTH and not OPENS_SOMETHING.search(word):
            lines.append(line)
            line, begins = rest, True
        line += word if begins else " " + word
        begins = False
    return lines + [line]


def is_apart(line):
    return not line.strip() or re.match(r" *(\||#|<|>|```|\[[^\]]*\]:)", line)


def blocks(lines):
    """(can be wrapped, lines): a paragraph or a list item each, all else line by line."""
    at, code = 0, False
    while at < len(lines):
        line = lines[at]
        if line.lstrip().startswith("```"):
            code = not code
        if code or is_apart(line) or line.startswith("    ") and not ITEM.match(line).group(2) and (at == 0 or not lines[at - 1].strip()):
            yield False, [line]
            at += 1
            continue
        end = at + 1
        while end < len(lines) and not is_apart(lines[end]) and not ITEM.match(lines[end]).group(2):
            end += 1
        yield not any(l.endswith("  ") or l.endswith("\\") for l in lines[at:end]), lines[at:end]
        at = end


def rewritten(lines):
    out = []
    for can_wrap, block in blocks(lines):
        if not can_wrap or all(len(line) <= WIDTH for line in block):
            out += block
            continue
        indent, bullet, _ = ITEM.match(block[0]).groups()
        text = " ".join(line.strip() for line in block)[len(bullet or ""):]
        out += wrapped(indent + (bullet or ""), indent + " " * len(bullet or ""), text)
    return out


def main():
    check, names = sys.argv[1:2] == ["--check"], sys.argv[1:]
    findings = 0
    for name in names[check:]:
        with open(name, encoding="utf-8") as f:
            lines = f.read().splitlines()
        new = rewritten(lines)
        if not check:
            if new != lines:
                with open(name, "w", encoding="utf-8") as f:
                    f.write("\n".join(new) + "\n")
            continue
        for number, (old, line) in enumerate(zip(lines, new), 1):
            if old != line:
                print(f"{name}:{number}: more than {WIDTH} columns: tools/markdown_width.py {name} wraps it")
                findings += 1
                break
    return findings > 0


if __name__ == "__main__":
    sys.exit(main())
