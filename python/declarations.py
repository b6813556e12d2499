#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""usage: declarations.py FOLDER [COMPILER FLAG...]

Writes what Python knows of the library into FOLDER, from the public headers alone, as the C preprocessor leaves them: _cdef.py, all
calls and types (cffi, out of line: nothing is parsed when the package is imported), and _constants.py, all macros that are numbers or
texts. The flags lead to the headers, such as -Iinclude -Ibuild/gen, or what pkg-config --cflags flitloom says. CC: the compiler.
"""
import ast
import os
import re
import subprocess
import sys

OURS = re.compile(r'"[^"]*flitloom(/[a-z0-9_/]+)?\.h"')


def preprocess(flags, *more, source="#include <flitloom.h>\n"):
    command = [*os.environ.get("CC", "gcc").split(), "-E", *more, *flags, "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    if done.returncode:
        sys.exit("declarations.py: " + " ".join(command) + ": " + done.stderr.strip().split("\n")[0])
    return done.stdout


def declarations(flags):
    """The lines that come from the library's own headers, without what is for the compiler alone."""
    lines, ours = [], False
    for line in preprocess(flags).splitlines():
        if re.match(r"# \d+ ", line):
            ours = bool(OURS.search(line))
        elif ours and line.strip() and not line.startswith("#"):
            lines.append(line)
    return re.sub(r"__attribute__\s*\(\(.*?\)\)(?=;)", "", "\n".join(lines))


def number_or_text(text):
    """The value of an expression in C that has only literals; None: it is none."""
    plain = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text.strip())
    if re.fullmatch(r'"[^"\\]*"', plain):
        return ast.literal_eval(plain)
    if not re.fullmatch(r"[0-9a-fA-FxX()|+\-*<. ]+", plain) or not re.search(r"\d", plain):
        return None
    try:
        return eval(plain, {"__builtins__": {}})  # digits and operators alone: see the line above
    except SyntaxError:
        return None


def constants(flags):
    names = re.findall(r"^#define (LOOM_\w+) \S", preprocess(flags, "-dM"), re.MULTILINE)
    source = "#include <flitloom.h>\n" + "".join(f"VALUE {name[5:]} {name}\n" for name in sorted(names))
    found = re.findall(r"^VALUE (\w+) (.*)$", preprocess(flags, "-P", source=source), re.MULTILINE)
    values = ((name, number_or_text(text)) for name, text in found)
    return {name: value for name, value in values if value is not None}


def write(folder, flags):
    from cffi import FFI
    from cffi.recompiler import make_py_source

    ffi = FFI()
    ffi.cdef(declarations(flags))
    ffi.cdef("FILE *open_memstream(char **text, size_t *size); int fclose(FILE *stream); void free(void *p);")  # the C library's
    make_py_source(ffi, "flitloom._cdef", os.path.join(folder, "_cdef.py"))
    with open(os.path.join(folder, "_constants.py"), "w", encoding="utf-8") as file:
        file.write("# Made by python/declarations.py from the headers.\n")
        file.writelines(f"{name} = {value!r}\n" for name, value in constants(flags).items())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    write(sys.argv[1], sys.argv[2:])
