"""Controls long work: progress, signals, time limits, and reports of errors."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from math import inf
from typing import Any

from csp import Effort, Stopped

from ..signals import REASONS
from ..syntax.errors import SpecError, counted, suggest_name
from ..syntax.reading import ENDING
from .output import WRONG, say

PATIENCE, PAUSE = 1.0, 0.1
"""Seconds until a terminal shows the progress, and seconds between two updates."""

GRACE = 0.5
"""Seconds that a question has to finish with a partial result, before it is interrupted."""

NO_SOLUTION, UNFINISHED = 1, 3
"""The exit codes for no solution, and for work that a limit stopped."""

HAS_ALARM = hasattr(signal, "setitimer")


class Ended(KeyboardInterrupt):
    """The exception that ends work after a signal or the user's time limit.

    It is a ``KeyboardInterrupt``, so that no part of the work mistakes it for its own limit.
    """

    def __init__(self, reason: str, code: int) -> None:
        super().__init__(reason)
        self.code = code


class ProgressWatch:
    """A progress callback that shows a status line and can stop the solver.

    ``why`` is the reason to stop, or empty. ``code`` is the exit code of a question that was stopped. ``doing`` names
    the current part of the work, if there are several. ``unit`` names the nodes of the effort; if it is empty, they are
    not shown.
    """

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
        """Show the current progress as a status line on the terminal."""
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status("")
            self._status.start()
        seconds = time.monotonic() - self._began
        counts = f" · {effort.nodes:,} {self._unit} · {effort.solutions:,} solutions" if self._unit else ""
        self._status.update(f"{self.doing}{' · ' if self.doing else ''}{seconds:.0f} s{counts}")

    def close(self) -> None:
        """Remove the status line from the terminal."""
        if self._status is not None:
            self._status.stop()


class Interrupts:
    """The signals and time limits that end the work of one command.

    Attributes
    ----------
    signalled : int
        The exit code of a signal, else 0; after a signal, a command begins no further work.
    """

    def __init__(self) -> None:
        self.signalled = 0
        self._watch: ProgressWatch | None = None

    @contextmanager
    def signals(self) -> Iterator[Interrupts]:
        """Return a context where a signal, such as Ctrl-C, ends the work.

        The first signal permits a partial result; the next one interrupts.
        """
        with ExitStack() as handlers:
            for number, reason in REASONS.items():
                handlers.enter_context(_handling(number, partial(self._end, reason, 128 + number)))
            handlers.enter_context(self.deadline(None))
            yield self

    @contextmanager
    def deadline(self, seconds: float | None) -> Iterator[None]:
        """Return a context that limits the time of the work; ``None`` means unlimited.

        The limit applies until the end of a question, and not to printing its answer. Windows has no alarm, so there
        this context has no effect.
        """
        if not HAS_ALARM:
            yield
            return
        reason = "" if seconds is None else f"the limit of {counted(seconds, 'second', form='g')}"
        with _handling(signal.SIGALRM, partial(self._end, reason, UNFINISHED)):
            signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else max(seconds, 1e-3))
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)

    @contextmanager
    def watching(self, doing: str = "", unit: str = "nodes") -> Iterator[ProgressWatch]:
        """Return a context with a ``ProgressWatch`` by which signals and limits stop a solver.

        Work that does not stop within ``GRACE`` seconds is interrupted.
        """
        progress = self._watch = ProgressWatch(doing, unit)
        try:
            yield progress
        except Stopped:
            # A stop that the watch requested is not a limit of the question itself.
            if progress.why:
                raise Ended(progress.why, progress.code) from None
            raise
        finally:
            self._watch = None
            if HAS_ALARM:
                # Stop the alarm, so that it does not interrupt the output of the result.
                signal.setitimer(signal.ITIMER_REAL, 0)
            progress.close()

    def _end(self, reason: str, code: int) -> None:
        """Ask the watch to stop the work, or interrupt work that does not react.

        Work without a watch, or after an earlier request, is interrupted. The reason and the exit code are recorded.
        """
        progress = self._watch
        if code > UNFINISHED:
            self.signalled = code
        # Outside of a question, nothing can return a partial result.
        if progress is None:
            raise Ended(reason, code)
        # The question does not react to the first request.
        if progress.why:
            raise Ended(progress.why, progress.code)
        # The first request waits for the question to return; the alarm interrupts it after the grace period.
        progress.why, progress.code = reason, code
        if HAS_ALARM:
            signal.setitimer(signal.ITIMER_REAL, GRACE)


@contextmanager
def _handling(number: int, handler: Callable[[], None]) -> Iterator[None]:
    """Return a context where the signal ``number`` calls ``handler``."""
    previous = signal.signal(number, lambda *_: handler())
    try:
        yield
    finally:
        signal.signal(number, previous)


def say_stopped(reason: str, partial_result: str, progress: ProgressWatch, file: str | None = None) -> int:
    """Print why the work was stopped, and its partial result; return the exit code."""
    say(f"csp: {file + ': ' if file else ''}stopped by {reason}: {partial_result}", err=True)
    return progress.code


def _suggest_file(name: str) -> str:
    """Return "; did you mean ...?" with the spec most similar to a missing file.

    It is searched in the folder of the file. The text is empty if no spec is similar.
    """
    if os.path.isfile(f"{name}{ENDING}"):
        return f"; did you mean {name}{ENDING}?"
    folder = os.path.dirname(name)
    with suppress(OSError):
        specs = [os.path.join(folder, entry) for entry in os.listdir(folder or ".") if entry.endswith(ENDING)]
        if hint := suggest_name(name, specs, ENDING):
            return f"; {hint}"
    return ""


def report_error(error: BaseException, file: str | None = None) -> int:
    """Print the error that ended the work; return the exit code.

    ``file`` names the spec if there are several.
    """
    match error:
        case Stopped() | Ended():
            say(f"csp: {file + ': ' if file else ''}stopped by {error}", err=True)
            return error.code if isinstance(error, Ended) else UNFINISHED
        case SpecError():
            say(error, err=True)
        case UnicodeEncodeError():
            characters = error.object[error.start : error.end]
            is_text = not "\ud800" <= characters[0] <= "\udfff"
            reason = "cannot be shown by this terminal; set PYTHONUTF8=1" if is_text else "is not text in UTF-8"
            say(f"csp: {characters!r} {reason}", err=True)
        case OSError() if error.strerror:
            name = error.filename
            suggestion = _suggest_file(name) if isinstance(error, FileNotFoundError) and name else ""
            say(f"csp: {f'{name}: ' if name else ''}{error.strerror}{suggestion}", err=True)
        case MemoryError():
            say("csp: out of memory", err=True)
            return UNFINISHED
        case _:
            say(f"csp: {error}", err=True)
    return WRONG
