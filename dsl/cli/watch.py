"""Long work: its progress, Ctrl-C, and how it ends."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Any, NoReturn

import click

from csp import Effort, Stopped

if TYPE_CHECKING:
    from csp import Trace

PATIENCE, PAUSE = 1.0, 0.1
"""Seconds until a terminal shows that something is going on, and between what it shows."""

NO_SOLUTION, WRONG, UNFINISHED, INTERRUPTED = 1, 2, 3, 130


class Watch:
    """Told of the effort of a question now and then: ends it at Ctrl-C, and shows on a terminal that it goes on."""

    def __init__(self) -> None:
        self.interrupted = False
        self._began = time.monotonic()
        self._next = self._began + PATIENCE if sys.stderr.isatty() else inf
        self._status: Any = None

    def __call__(self, effort: Effort) -> None:
        if self.interrupted:
            raise Stopped("Ctrl-C")
        if (now := time.monotonic()) >= self._next:
            self._next = now + PAUSE
            self._show(effort)

    def _show(self, effort: Effort) -> None:
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status("")
            self._status.start()
        self._status.update(
            f"{time.monotonic() - self._began:.0f} s · {effort.nodes:,} nodes · {effort.solutions:,} solutions"
        )

    def close(self) -> None:
        """Take the status line away."""
        if self._status is not None:
            self._status.stop()


@contextmanager
def watching() -> Iterator[Watch]:
    """A watch over some questions; the first Ctrl-C within ends them, the second one ends the program."""
    watch = Watch()

    def interrupt(*_: object) -> None:
        watch.interrupted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield watch
    finally:
        watch.close()
        signal.signal(signal.SIGINT, before)


def was_cut(trace: Trace, nodes: int) -> bool:
    """Whether a limit of so many nodes may have ended a trace before its solution."""
    from csp.story import Decision, Failure, Rest, Solved

    match trace.records:
        case (*_, Solved() | Rest(open=0) | Failure(node=0)):
            return False
    return sum(isinstance(record, Decision) for record in trace.records) >= nodes


def fail(message: str, code: int = WRONG) -> NoReturn:
    """Say what is wrong and leave."""
    click.echo(message, err=True)
    sys.exit(code)


def say_stopped(why: str, known: str, watch: Watch) -> NoReturn:
    """Say that a limit or Ctrl-C ended the search, with what is known, and leave."""
    fail(f"csp: stopped by {why}: {known}", INTERRUPTED if watch.interrupted else UNFINISHED)
