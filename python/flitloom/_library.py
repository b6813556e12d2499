# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""libflitloom: where it is, and how it is called. Calls release the interpreter's lock while they are under way."""
from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Iterator

from . import _cdef, _constants

ffi: Any = _cdef.ffi
constants: Any = _constants
SERIES = constants.VERSION.rpartition(".")[0]
SONAME = f"libflitloom.so.{SERIES}"
BESIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", SONAME)


class Error(Exception):
    """A request that cannot be met. Its text is one line: what, where, what would be right.

    Attributes:
        number: the library's code of it, negative.
        code: its name, such as "LOOM_EINPUT".
        status: the exit status that the command would have: 2, the request is wrong; 3, the link or the hardware failed.
    """

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text)
        self.number: int = lib.LOOM_EINPUT if code is None else code
        self.code: str = string(lib.loom_code_name(self.number))
        self.status: int = lib.loom_code_status(self.number)


def _load() -> Any:
    """The library that FLITLOOM_LIBRARY names; else the one beside this file, which a wheel has; else the system's."""
    named = os.environ.get("FLITLOOM_LIBRARY")
    path = named or (BESIDE if os.path.exists(BESIDE) else SONAME)
    try:
        return ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"flitloom: {error}; pip install . in flitloom's sources, or Debian's package libflitloom{SERIES}, has it") from None


lib: Any = _load()


def string(text: Any, default: str = "") -> str:
    """A text of the library's as Python has it; a NULL as `default`."""
    return ffi.string(text).decode(errors="replace") if text else default


def encode(text: str) -> bytes:
    """A text as the library takes it."""
    return os.fsencode(text)


def call(function: Any, *arguments: Any) -> None:
    """Calls what returns 0 or a code and takes a struct loom_err last. Raises Error."""
    err = ffi.new("struct loom_err *")
    code = function(*arguments, err)
    if code:
        raise Error(string(err.text) or string(lib.loom_code_text(code)), code)


@contextmanager
def of_option(name: str) -> Iterator[None]:
    """Names the option in any refusal of its value raised within."""
    try:
        yield
    except Error as error:
        raise Error(f"{name}: {error}", error.number) from None


def owned(kind: str, free: Any, make: Any, *arguments: Any) -> Any:
    """A struct that `make` fills in, its first argument, and that `free` lets go when nobody refers to it any more."""
    it = ffi.new(f"struct {kind} *")
    call(make, it, *arguments)
    return ffi.gc(it, free)


def written(write: Any) -> str:
    """Returns the text that `write`, called with a FILE, writes there."""
    text, size = ffi.new("char **"), ffi.new("size_t *")
    stream = libc.open_memstream(text, size)
    if not stream:
        raise MemoryError("out of memory for a text")
    try:
        write(stream)
    finally:
        libc.fclose(stream)
        made = ffi.buffer(text[0], size[0])[:].decode(errors="replace")
        libc.free(text[0])
    return made


libc: Any = ffi.dlopen(None)
