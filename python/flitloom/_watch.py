# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""How far long work is, and Ctrl-C.

The library calls back now and then. Python's handlers of signals run there: what they raise, KeyboardInterrupt as a rule, is kept, the
library is told to stop, and `raised` raises it when the call has come back. So does whatever a `progress` of the user's raises.
"""
from __future__ import annotations

import sys
import threading
import time
from typing import Any, Callable, Union

from ._library import Error, ffi, lib

Progress = Union[None, bool, Callable[[str], None]]
"""None: a line on standard error if that is a terminal. True: in any case. False: none. Or what is called with each text."""

FIRST_SECONDS = 1.0  # no progress is shown of a call that takes less
BETWEEN_SECONDS = 0.1

_DOING = {
    lib.LOOM_STAGE_LOAD: "loading",
    lib.LOOM_STAGE_VERIFY: "reading back what was loaded",
    lib.LOOM_STAGE_HISTORIES: "reading the channels' histories",
    lib.LOOM_STAGE_LOGS: "reading the nodes' logs",
}


class Watch:
    """The callbacks of the library while one request is under way. Lives as long as the request."""

    def __init__(self, progress: Progress = None) -> None:
        self.say = progress if callable(progress) else None
        self.shows = not self.say and (sys.stderr.isatty() if progress is None else bool(progress))
        self.began = self.said = time.monotonic()
        self.width = 0
        self.stop = threading.Event()
        self.error: BaseException | None = None
        stops = {"error": True, "onerror": self._caught}
        self.stopped = ffi.callback("bool(void *)", self._stopped, **stops)
        self.text = ffi.callback("void(void *, const char *)", self._text, onerror=self._caught)
        self.pairs = ffi.callback("void(void *, uint32_t)", self._pairs, onerror=self._caught)
        self.run = ffi.callback("bool(void *, const struct loom_progress *)", self._run, **stops)
        self.load = ffi.callback("bool(void *, uint64_t, uint64_t)", self._load, **stops)
        self.part = ""

    def _caught(self, kind: Any, error: BaseException, trace: Any) -> None:
        self.error = self.error or error
        self.stop.set()

    def tell(self, text: str) -> None:
        """Shows a text, unless one was shown a moment ago."""
        now = time.monotonic()
        if now - self.began < FIRST_SECONDS or now - self.said < BETWEEN_SECONDS:
            return
        self.said = now
        if self.say:
            self.say(text)
        elif self.shows:
            sys.stderr.write("\r" + text[:79].ljust(self.width))
            sys.stderr.flush()
            self.width = max(self.width, min(len(text), 79))

    def _stopped(self, user: Any) -> bool:
        return self.stop.is_set()

    def _text(self, user: Any, text: Any) -> None:
        self.tell(ffi.string(text).decode(errors="replace"))

    def _pairs(self, user: Any, load: int) -> None:
        self.tell(f"{load} pairs on the busiest link")

    def _run(self, user: Any, progress: Any) -> bool:
        p = progress[0]
        if p.stage == lib.LOOM_STAGE_RUN:
            self.tell(f"{self.part}pass {p.done + 1} of {p.total}, cycle {p.cycle}" if p.total > 1 else f"{self.part}cycle {p.cycle}")
        else:
            self.tell(f"{self.part}{_DOING.get(p.stage, 'working')}, {p.done} of {p.total} words")
        return self.stop.is_set()

    def _load(self, user: Any, cycle: int, of_about: int) -> bool:
        self.tell(f"{self.part}cycle {cycle} of about {of_about}")
        return self.stop.is_set()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
        kept, self.error = self.error, None
        if kept is not None and (error is None or isinstance(error, Error)):
            raise kept from None
