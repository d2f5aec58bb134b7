"""Long work: its progress, what ends it before its time, and how it ends then."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from math import inf
from typing import Any

from csp import Effort, Stopped

from ..signals import REASONS
from ..syntax.errors import SpecError
from ..syntax.reading import ENDING
from .output import WRONG, say

PATIENCE, PAUSE = 1.0, 0.1
"""Seconds until a terminal shows that something is going on, and between what it shows."""

GRACE = 0.5
"""Seconds that a question has to end with what is known, before it is broken off."""

NO_SOLUTION, UNFINISHED = 1, 3

HAS_ALARM = hasattr(signal, "setitimer")


class Ended(KeyboardInterrupt):
    """A signal, or the time that the user gives, has ended the work; no part of the work takes it for its own limit."""

    def __init__(self, why: str, code: int) -> None:
        super().__init__(why)
        self.code = code


class ProgressWatch:
    """Progress callback of a question: ends it when that is asked for, and shows on a terminal that it goes on.

    ``why`` is what has asked for its end, or empty, ``code`` the exit code of a question that has not come to its end,
    and ``doing`` what is going on, if it is one thing of several; ``unit`` names the nodes of the effort, if anything.
    """

    current: ProgressWatch | None = None
    signalled = 0
    """The exit code that a signal has asked for; then nothing more is begun."""

    def __init__(self, doing: str = "", unit: str = "nodes", patience: float = PATIENCE) -> None:
        self.why, self.code = "", UNFINISHED
        self.doing, self._unit = doing, unit
        self._began = time.monotonic()
        self._next = self._began + patience if sys.stderr.isatty() else inf
        self._status: Any = None

    def __call__(self, effort: Effort) -> None:
        if self.why:
            raise Stopped(self.why)
        if (now := time.monotonic()) >= self._next:
            self._next = now + PAUSE
            self.show(effort)

    def show(self, effort: Effort) -> None:
        """Show how far the question is."""
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status("")
            self._status.start()
        seconds = time.monotonic() - self._began
        counts = f" · {effort.nodes:,} {self._unit} · {effort.solutions:,} solutions" if self._unit else ""
        self._status.update(f"{self.doing}{' · ' if self.doing else ''}{seconds:.0f} s{counts}")

    def close(self) -> None:
        """Take the status line away."""
        if self._status is not None:
            self._status.stop()


@contextmanager
def watching(doing: str = "", unit: str = "nodes") -> Iterator[ProgressWatch]:
    """A watch over some questions: what ends them from outside asks the watch first, and does not wait for long."""
    progress = ProgressWatch.current = ProgressWatch(doing, unit)
    try:
        yield progress
    except Stopped:
        if progress.why:
            raise Ended(progress.why, progress.code) from None
        raise
    finally:
        ProgressWatch.current = None
        if HAS_ALARM:
            signal.setitimer(signal.ITIMER_REAL, 0)  # what is known now can be told in peace
        progress.close()


def _end(why: str, code: int) -> None:
    """End what is going on: ask the question that is being answered, or break off what answers none."""
    progress = ProgressWatch.current
    if code > UNFINISHED:
        ProgressWatch.signalled = code
    if progress is None:
        raise Ended(why, code)
    if progress.why:
        raise Ended(progress.why, progress.code)
    progress.why, progress.code = why, code
    if HAS_ALARM:
        signal.setitimer(signal.ITIMER_REAL, GRACE)


@contextmanager
def _handling(number: int, handler: Callable[[], None]) -> Iterator[None]:
    before = signal.signal(number, lambda *_: handler())
    try:
        yield
    finally:
        signal.signal(number, before)


@contextmanager
def ending() -> Iterator[None]:
    """Signals that end the program end the work within, cleanly: the first time asking for what is known."""
    ProgressWatch.signalled = 0
    with ExitStack() as handlers:
        for number, why in REASONS.items():
            handlers.enter_context(_handling(number, partial(_end, why, 128 + number)))
        handlers.enter_context(deadline(None))
        yield


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """The work within ends after some seconds, up to the end of a question and without the telling of its answer."""
    if not HAS_ALARM:
        yield
        return
    why = "" if seconds is None else f"the limit of {seconds:g} seconds"
    with _handling(signal.SIGALRM, partial(_end, why, UNFINISHED)):
        signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else max(seconds, 1e-3))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def say_stopped(why: str, known: str, progress: ProgressWatch, file: str | None = None) -> int:
    """Say what ended the search, with what is known; the exit code."""
    say(f"csp: {file + ': ' if file else ''}stopped by {why}: {known}", err=True)
    return progress.code


def report_error(error: BaseException, file: str | None = None) -> int:
    """Say what ended the work, on one of several files perhaps; the exit code."""
    match error:
        case Stopped() | Ended():
            say(f"csp: {file + ': ' if file else ''}stopped by {error}", err=True)
            return error.code if isinstance(error, Ended) else UNFINISHED
        case SpecError():
            say(error, err=True)
        case UnicodeEncodeError():
            unknown = error.object[error.start : error.end]
            is_text = not "\ud800" <= unknown[0] <= "\udfff"
            reason = "cannot be shown by this terminal; set PYTHONUTF8=1" if is_text else "is not text in UTF-8"
            say(f"csp: {unknown!r} {reason}", err=True)
        case OSError() if error.strerror:
            name = error.filename
            meant = f"; did you mean {name}{ENDING}?" if name and os.path.isfile(f"{name}{ENDING}") else ""
            say(f"csp: {f'{name}: ' if name else ''}{error.strerror}{meant}", err=True)
        case MemoryError():
            say("csp: out of memory", err=True)
            return UNFINISHED
        case _:
            say(f"csp: {error}", err=True)
    return WRONG
