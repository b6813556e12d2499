#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: gen_man3.py OUT HEADER...
# Writes manual pages of section 3 into the folder OUT from what public headers say (tools/header_docs.py): a page for each
# call, or for a few that share a comment, with a link for each of the others; one for each struct and enum; one for each
# header, with what it says in general; and flitloom(3), the list of all. Complains of comments that are no good as a page.
import os
import re
import shutil
import sys
import textwrap

from header_docs import Call, Group, Macro, Text, Type, read

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHORT_MOST = 112  # characters of what a page is about, in NAME
LITERAL = 73  # characters of a line that a reader does not fill: five more stand in front, and a terminal has 80


def first(pattern, path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return re.search(pattern, file.read(), re.M).group(1)


DATE = first(r"^\.Dd (.*)$", "docs/flitloom.1")
VERSION = first(r'LOOM_VERSION "(.*)"', "include/flitloom/version.h")
MEANING = {}
with open(os.path.join(ROOT, "include/flitloom/err.h"), encoding="utf-8") as errors:
    MEANING = dict(re.findall(r'X\((LOOM_E\w+), -?\d+, \d, "(.*?)"\)', errors.read()))


def escape(text):
    text = text.replace("\\", "\\e")
    text = re.sub(r"`([^`]*)`", r"\\(oq\1\\(cq", text)
    return re.sub(r"^([.'])", r"\\&\1", text)


def sentences(text):
    """A dot behind a single letter or an abbreviation, and one before a small letter, ends none."""
    return re.split(r"(?<=[\w)\]\"'`][\w)\]\"'`][.?])(?<!Fig\.) +(?=[^a-z])", text)


def filled(text):
    """A sentence, as mdoc wants it: in lines that are not long."""
    return [escape(line) for line in textwrap.wrap(text, width=78, break_long_words=False, break_on_hyphens=False)]


def paragraphs(doc):
    """Splits a comment into parts: (is literal, lines)."""
    parts = []
    for line in doc:
        literal = line.startswith("  ") or (line == "" and bool(parts) and parts[-1][0])
        if line == "" and not literal:
            parts.append((False, []))
        elif not parts or parts[-1][0] != literal:
            parts.append((literal, [line]))
        else:
            parts[-1][1].append(line)
    return [(literal, lines) for literal, lines in parts if any(lines)]


def plain(doc):
    return " ".join(line.strip() for line in doc if line)


def short(doc):
    """Returns the text before the first colon, semicolon or full stop that is not in parentheses."""
    text, depth = plain(doc), 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c in ".:;?" and i >= 6 and text[i + 1:i + 2] in ("", " ") and not text[:i].endswith("Fig"):
            return text[:i]
    return text


def prose(doc, without_errors=False):
    """mdoc lines, without a .Pp in front."""
    out = []
    for literal, lines in paragraphs(doc):
        if literal:
            out += [".Bd -literal -offset indent", *[escape(part) for line in lines for part in folded(line, LITERAL - 6)], ".Ed"]
            continue
        body = [s for s in sentences(plain(lines)) if not (without_errors and s.startswith("LOOM_E"))]
        if body:
            out += ([".Pp"] if out else []) + [line for s in body for line in filled(s)]
    return out


def errors_of(doc):
    """{code: what the comment says of it}"""
    found = {}
    for sentence in sentences(plain(doc)):
        if not sentence.startswith("LOOM_E"):
            continue
        for part in re.split(r"; (?=LOOM_E)", sentence.rstrip(".")):
            codes = re.match(r"LOOM_E\w+(?:, LOOM_E\w+)*", part).group(0)
            rest = part[len(codes):].lstrip(":, ")
            for code in codes.split(", "):
                found.setdefault(code, []).append(rest)
    return found


def gives_back(argument):
    """Returns true if the call sets it to a result: not an object that it works on and changes (`ports` of loom_open_fabric_cycle)."""
    return bool(re.search(r"\*\*|\*(\w+_)?out\b|^(\w+_t|unsigned|bool|int|double|enum \w+) \*", argument))


def quoted(text):
    return '"' + escape(text).replace('"', '""') + '"'


class Book:
    def __init__(self, out):
        self.out = out
        self.pages = {}  # name -> (short, header)
        self.types = set()
        self.types_of_calls = {}  # a type that has the name of a call is on the call's page
        self.complaints = 0

    def complain(self, header, name, what):
        print(f"{header}: {name}: {what}", file=sys.stderr)
        self.complaints += 1

    def write(self, name, lines):
        with open(os.path.join(self.out, f"{name}.3"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def claim(self, name, header, text):
        if name in self.pages:
            self.complain(header, name, f"{self.pages[name][1]} has a page of that name, too")
        self.pages[name] = (text, header)

    def about(self, doc, header, name):
        text = short(doc)
        if not 8 <= len(text) <= SHORT_MOST or not text[0].isalpha() or text.startswith("LOOM_E"):
            self.complain(header, name, "its comment does not begin with a short sentence that says what it is")
            text = text[:SHORT_MOST].rsplit(" ", 1)[0] or "see the header"
        return text

    def head(self, title, names, about, header):
        return [
            ".\\\" SPDX-FileCopyrightText: 2026 The flitloom authors",
            ".\\\" SPDX-License-Identifier: Apache-2.0",
            f".\\\" Made by tools/gen_man3.py from include/{header}",
            f".Dd {DATE}",
            f".Dt {title.upper()} 3",
            f".Os flitloom {VERSION}",  # in the footer; mandoc and groff put the name of a system there if it is left out
            ".Sh NAME",
            *[f".Nm {name}{' ,' if name != names[-1] else ''}" for name in names],
            f".Nd {escape(about)}",
            ".Sh LIBRARY",
            f"libflitloom {VERSION}: pkg-config \\-\\-cflags \\-\\-libs flitloom",
            ".Sh SYNOPSIS",
            ".ad l",  # a line of a call is of one piece for groff 1.23, which cannot adjust it and says so
            f".In {header}",
        ]

    def see_also(self, names):
        names = sorted(set(names))
        return [".Sh SEE ALSO", *[f".Xr {name} 3{' ,' if name != names[-1] else ''}" for name in names]]

    def types_in(self, calls, but=()):
        words = re.findall(r"\b(?:struct|enum) (loom_\w+)", " ".join(c.returns + " " + " ".join(c.arguments) for c in calls))
        return [word for word in words if word in self.types and word not in but]

    def call_page(self, header, group):
        names = [call.name for call in group.calls]
        doc = group.doc or (group.about.doc if group.about else [])
        lines = self.head(names[0], names, self.pages[names[0]][0], header)
        for name in names:
            if name in self.types_of_calls:
                lines += [".Bd -literal", *escape_all(self.types_of_calls[name].source), ".Ed"]
        for call in group.calls:
            lines += [f".Ft {quoted(call.returns)}", f".Fo {call.name}"]
            lines += [f".Fa {quoted(argument)}" for argument in call.arguments] + [".Fc"]
        lines += [".Sh DESCRIPTION", *prose(doc, without_errors=True)]
        for call in group.calls:
            if call.note:
                lines += [".Pp", f".Fn {call.name} :", *filled(call.note)]
        fallible = [c for c in group.calls if c.returns == "int" and any("struct loom_err *" in a for a in c.arguments)]
        others = [c for c in group.calls if c not in fallible and c.returns != "void"]
        if fallible or others:
            lines.append(".Sh RETURN VALUES")
        for call in fallible:
            lines += [f".Fn {call.name} ,"]
        if fallible:
            lines[-1] = lines[-1].rstrip(" ,")
            lines += [f"return{'s' if len(fallible) == 1 else ''} 0, or a negative code of", ".Xr loom_code 3 .",
                      "On failure", ".Fa err",
                      "has one line for a person that says what is wrong, where, and what would be",
                      "right; it may be NULL."]
            if any(gives_back(argument) for call in fallible for argument in call.arguments):
                lines.append("Arguments for results are then unchanged.")
        for call in others:
            lines += ([".Pp"] if lines[-1] != ".Sh RETURN VALUES" else []) + [f".Fn {call.name}", f"returns {self.kind(call)}."]
        codes = errors_of(doc)
        if fallible:
            lines.append(".Sh ERRORS")
            if codes:
                lines.append(".Bl -tag -width LOOM_EHARDWARE")
                for code, texts in codes.items():
                    lines.append(f".It Er {code}")
                    lines += filled(MEANING[code][0].upper() + MEANING[code][1:] + "".join(": " + t for t in texts if t) + ".")
                lines += [".El", ".Pp"]
            lines += ["Without memory it is", ".Er LOOM_ENOMEM ;", "what stands behind the call may bring the other codes of",
                      ".Xr loom_code 3 ."]
        page = page_of(header)
        lines += self.see_also(["flitloom", page, *self.types_in(group.calls)])
        self.write(names[0], lines)
        for name in names[1:]:
            os.symlink(f"{names[0]}.3", os.path.join(self.out, f"{name}.3"))

    @staticmethod
    def kind(call):
        if call.returns == "bool":
            return "true or false, and cannot fail"
        if call.returns == "const char *":
            return "a constant string, which is not to be freed, or NULL where that is said above"
        if "*" in call.returns:
            return "a pointer, or NULL where that is said above"
        return "what is said above, and cannot fail" if call.name != "loom_fail" else "its argument code"

    def type_page(self, header, item, calls):
        word = "" if item.keyword == "typedef" else item.keyword + " "
        lines = self.head(item.name, [item.name], self.pages[item.name][0], header)
        lines += [".Bd -literal", *escape_all(item.source or f"{word}{item.name};"), ".Ed"]
        lines += [".Sh DESCRIPTION", *(prose(item.doc) or ["The comments above say what each field is."])]
        if not item.source:
            lines += [".Pp", "Its contents are private to the library."]
        used = [c.name for c in calls if re.search(rf"\b{item.name}\b", c.returns + " " + " ".join(c.arguments))]
        if used:
            lines += [".Pp", f"Calls of {escape(header)} that take or give it:"]
            lines += [f".Xr {name} 3{' ,' if name != used[-1] else ' .'}" for name in used]
        self.write(item.name, lines + self.see_also(["flitloom", page_of(header)]))

    def header_page(self, header, items):
        page = page_of(header)
        lines = self.head(page, [page], f"what is in {header}", header)
        macros = [item for item in items if isinstance(item, Macro)]
        for macro in macros:
            lines += [".Bd -literal", *escape_all("\n".join(["// " + d if d else "//" for d in macro.doc] + [macro.source])), ".Ed"]
        lines.append(".Sh DESCRIPTION")
        for text in [item for item in items if isinstance(item, Text)]:
            body = prose([line for line in text.doc if not line.startswith("----")])
            lines += body + [".Pp"] if body else []
        lines += self.table([n for item in items for n in self.listed(item)])
        with open(os.path.join(ROOT, "include", header), encoding="utf-8") as file:
            others = [page_of(other) for other in re.findall(r"#include <(flitloom/[\w/]+\.h)>", file.read())
                      if not re.search(r"/(api|version|regmap)\.h", other)]
        self.write(page, lines + self.see_also(["flitloom", *others]))

    def listed(self, item):
        return [name for name in names_of(item) if not isinstance(item, Type) or name in self.types]

    def table(self, names):
        lines = [".Bl -tag -width Ds -compact"]
        for name in names:
            lines += [f".It Xr {name} 3", *filled(self.pages[name][0])]
        return lines + [".El"]

    def overview(self, headers):
        lines = self.head("flitloom", ["flitloom"], "plans communication patterns on networks, runs them, and checks every flit",
                          "flitloom.h")
        lines += [
            ".Sh DESCRIPTION",
            "A program makes a fabric by",
            ".Xr loom_topo_parse 3 ,",
            "a pattern by",
            ".Xr loom_pattern_parse 3",
            "or",
            ".Xr loom_pattern_from_messages 3 ,",
            "and a plan of it by",
            ".Xr loom_plan_make 3 .",
            "It opens a link by",
            ".Xr loom_link_open 3",
            "and the chip behind it by",
            ".Xr loom_device_open 3 ,",
            "makes the words to load by",
            ".Xr loom_image_make 3 ,",
            "loads and runs them by",
            ".Xr loom_device_load 3",
            "and",
            ".Xr loom_device_run 3 ,",
            "and compares by",
            ".Xr loom_verdict_make 3 .",
            "All that in one call is",
            ".Xr loom_run 3 .",
            ".Pp",
            "Calls that can fail return 0 or a negative code",
            ".Pq Xr loom_code 3",
            "and write one line into the",
            ".Xr loom_err 3",
            "of the caller; arguments for results are then unchanged.",
            "The library prints nothing, never exits, starts no threads, and keeps nothing",
            "between calls.",
            "Two threads may use it as long as each has structs of its own.",
            ".Pp",
            "Each header can be included alone, and has a page:",
        ]
        for header, items in headers:
            page = page_of(header)
            lines += [f".Ss {header}", f".Xr {page} 3", ".Pp"]
            lines += self.table([n for item in items for n in self.listed(item)])
        examples = "share/flitloom/examples"
        lines += [".Sh EXAMPLES", f".Pa {examples}", "has programs;", ".Pa own_pattern.c", "is the shortest.", ".Bd -literal -offset indent",
                  "cc own_pattern.c -o own_pattern \\e",
                  "    $(pkg-config \\-\\-cflags \\-\\-libs flitloom)", "\\&./own_pattern cube:3", ".Ed",
                  ".Sh SEE ALSO", ".Xr flitloom 1"]
        self.write("flitloom", lines)


def folded(line, width):
    """A line that is not filled, in lines that fit. What goes on stands below what follows the first wide gap, or deeper than the line."""
    line = line.rstrip()
    gap = re.match(r"\s*\S.*?\s{3,}(?=\S)|\s*", line)
    hang = gap.end() if width // 8 < gap.end() <= width // 2 else len(line) - len(line.lstrip()) + 4
    return textwrap.wrap(line, width=width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False) or [""]


def folded_comment(indent, texts):
    """A comment's lines as paragraphs; a line that begins with blanks or * is one of its own."""
    out, paragraph = [], []
    for text in [*texts, None]:
        if text and not re.match(r"[\s*]", text):
            paragraph.append(text)
            continue
        out += textwrap.wrap(" ".join(paragraph), width=LITERAL - indent - 3, break_long_words=False, break_on_hyphens=False)
        out += folded(text, LITERAL - indent - 3) if text is not None else []
        paragraph = []
    return [f"{'':{indent}}// {text}".rstrip() for text in out]


def folded_code(code):
    """C, broken behind commas where there are some, with the \\ that a line of a macro ends in."""
    body = code.rstrip(" \\")
    width, indent, parts = LITERAL - 2, len(body) - len(body.lstrip()) + 4, []
    for piece in re.split(r"(?<=, )", body):
        if parts and len(parts[-1] + piece.rstrip()) <= width:
            parts[-1] += piece
        else:
            parts.append(" " * indent * bool(parts) + piece)
    parts = [line for part in parts for line in folded(part, width)]
    is_macro = code.endswith("\\") or body.startswith("#")
    return [part + " \\" * (is_macro and (part is not parts[-1] or code.endswith("\\"))) for part in parts]


def narrow(source):
    """Lines of C that fit. A comment behind a declaration that is too long for it stands above."""
    lines, out = source.replace("\t", "    ").split("\n"), []
    while lines:
        code, mark, text = re.match(r"(.*?)(//|$)(.*)", lines.pop(0)).groups()
        texts, at = [text[1:]] if mark else [], len(code)
        while mark and lines and lines[0].startswith(" " * at + "//"):
            texts.append(lines.pop(0)[at + 3:])
        block = [code + mark + (" " + texts[0] if mark and texts[0] else "")]
        block += [f"{'':{at}}// {more}".rstrip() for more in texts[1:]]
        if max(map(len, block)) <= LITERAL:
            out += block
            continue
        out += folded_comment(len(code) - len(code.lstrip()) if code.strip() else at, texts) if mark else []
        out += folded_code(code.rstrip()) if code.strip() else []
    return out


def escape_all(source):
    return [escape(line) for line in narrow(source)]


def names_of(item):
    if isinstance(item, Type):
        return [item.name]
    return [call.name for call in item.calls] if isinstance(item, Group) else []


def page_of(header):
    return "flitloom_" + os.path.basename(header)[:-2]


def main():
    out, paths = sys.argv[1], sys.argv[2:]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    book, headers = Book(out), []
    for path in sorted(paths):
        if os.path.basename(path) not in ("api.h", "version.h"):
            headers.append(("flitloom/" + path.split("include/flitloom/")[1], read(path)))
    calls_at_all = {name for _, items in headers for item in items if isinstance(item, Group) for name in names_of(item)}
    for header, items in headers:
        for item in items:
            if isinstance(item, Type) and item.name in calls_at_all:
                book.types_of_calls[item.name] = item
            elif isinstance(item, Type):
                book.claim(item.name, header, book.about(item.doc, header, item.name))
                book.types.add(item.name)
            elif isinstance(item, Group):
                text = book.about(item.doc or (item.about.doc if item.about else []), header, item.calls[0].name)
                for call in item.calls:
                    book.claim(call.name, header, text)
    for header, items in headers:
        calls = [call for item in items if isinstance(item, Group) for call in item.calls]
        for item in items:
            if isinstance(item, Group):
                book.call_page(header, item)
            elif isinstance(item, Type) and item.name in book.types:
                book.type_page(header, item, calls)
        book.header_page(header, items)
    book.overview(headers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
