# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the documentation in a public header: its declarations, and the comments before and behind them.

read(path) returns a list of items in the order of the header:
  Text      a comment that stands by itself
  Macro     #define NAME ..., with the comment before it
  Type      struct, enum or union, with its body as written, or opaque
  Group     calls that one comment describes: a call without its own comment belongs to the one right before it
"""
import re
from dataclasses import dataclass, field


@dataclass
class Text:
    doc: list


@dataclass
class Macro:
    name: str
    source: str
    doc: list


@dataclass
class Type:
    name: str
    keyword: str
    source: str  # "" if it is opaque
    doc: list


@dataclass
class Call:
    name: str
    returns: str
    arguments: list
    note: str  # the comment behind it


@dataclass
class Group:
    calls: list
    doc: list
    about: object = None  # the type right before it, whose comment is then this one's, too


@dataclass
class Reader:
    items: list = field(default_factory=list)
    comment: list = field(default_factory=list)  # lines that stand before what comes next
    near: object = None  # the item right before, without a blank line between

    def take(self):
        comment, self.comment = self.comment, []
        return comment

    def add(self, item):
        self.items.append(item)
        self.near = item

    def blank(self):
        if self.comment:
            self.add(Text(self.take()))
        self.near = None


def split_arguments(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [" ".join(part.split()) for part in parts]


def parse_call(declaration, note):
    """None: it declares no call."""
    plain = re.sub(r"__attribute__\(\(.*\)\)", "", " ".join(declaration.split())).strip().rstrip(";").strip()
    found = re.fullmatch(r"(.*?\W)(loom_\w+)\((.*)\)", plain)
    if not found or "(" in found.group(1):
        return None
    return Call(found.group(2), found.group(1).strip(), split_arguments(found.group(3)), note)


def add_call(reader, call):
    doc = reader.take()
    near = reader.near
    if not doc and isinstance(near, Group):
        near.calls.append(call)
        return
    reader.add(Group([call], doc, near if not doc and isinstance(near, Type) else None))


def comment_of(line):
    return line[3:] if line.startswith("// ") else line[2:]


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    reader = Reader()
    i = 0
    while i < len(lines):
        line = lines[i]
        i += 1
        if line.startswith("// SPDX") or re.match(r"#(ifndef|ifdef|else|endif|include|undef)|LOOM_API_|#define LOOM_\w+_H$", line):
            continue
        if not line.strip():
            reader.blank()
        elif line.startswith("//"):
            reader.comment.append(comment_of(line))
        elif line.startswith("#define"):
            source = line
            while source.endswith("\\"):
                source += "\n" + lines[i]
                i += 1
            reader.add(Macro(re.match(r"#define (\w+)", line).group(1), source, reader.take()))
        elif re.match(r"(struct|enum|union) \w+ \{", line):
            source = line
            while not re.search(r"\};?( //.*)?$", lines[i - 1] if "};" in line else source.rsplit("\n", 1)[-1]) or (
                    "\n" in source and not source.rsplit("\n", 1)[-1].startswith("}")):
                source += "\n" + lines[i]
                i += 1
            keyword, name = re.match(r"(\w+) (\w+)", line).groups()
            reader.add(Type(name, keyword, source, reader.take()))
        elif line.startswith("typedef"):
            code, _, note = line.partition("//")
            name = re.search(r"\(\*(\w+)\)|(\w+);", code)
            doc = reader.take() or ([note.strip()] if note else [])
            reader.add(Type(name.group(1) or name.group(2), "typedef", code.strip(), doc))
        elif re.fullmatch(r"(struct|enum) \w+;", line):
            if reader.comment:
                reader.add(Type(line.split()[1][:-1], line.split()[0], "", reader.take()))
        else:
            code, _, note = line.partition("//")
            while ";" not in code:
                more, _, note = lines[i].partition("//")
                code += " " + more
                i += 1
            call = parse_call(code, note.strip())
            if call:
                add_call(reader, call)
            else:
                raise SystemExit(f"{path}: {line}: what does this declare?")
    reader.blank()
    return reader.items
