"""Formats and continues the output of csp solve --each, a line per puzzle."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import chain
from typing import IO, NamedTuple

import click

from ..puzzles.each import MAX_LINE_LENGTH, Numbered, Outcome
from .output import format_json

LOCKED_BYTE = 1 << 40
"""The offset of the byte that is locked on Windows, far behind the text, because a locked byte cannot be read."""


class LineOutput(NamedTuple):
    """The output for some lines: text, number of lines, and outcomes with errors."""

    text: str
    lines: int
    errors: list[Outcome]


def format_outcomes(outcomes: list[Outcome], as_json: bool) -> LineOutput:
    """Format outcomes as output lines; return the text, their number and the erroneous ones."""
    text = "".join([format_outcome(outcome, as_json) for outcome in outcomes])
    return LineOutput(text, len(outcomes), [outcome for outcome in outcomes if outcome.error])


def format_outcome(outcome: Outcome, as_json: bool) -> str:
    """Return the output line for an outcome: its answer, ``none`` or ``error``; or JSON."""
    number, answer, error, _ = outcome
    if as_json:
        return format_json({"line": number, **({"error": error} if error else {"solution": answer})}) + "\n"
    return ("error" if error else answer or "none") + "\n"


class ResumedOutput(NamedTuple):
    """An open output, the puzzles still to solve, and the number already solved."""

    output: IO[str]
    todo: Iterator[Numbered]
    done: int


@contextmanager
def resume_output(path: str, lines: Iterator[Numbered], as_json: bool) -> Iterator[ResumedOutput]:
    """Return a context with an output file, opened to continue after its last complete line.

    A missing file is created. The file is locked, so that no other process writes it.

    Raises
    ------
    click.BadParameter
        If the file is not the beginning of an output for these lines, or if another process is writing it. Then the
        file is not changed.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise click.BadParameter(f"{path} is not a regular file", param_hint="--resume")
    with open(path, "a+b") as file:
        if not _lock(file.fileno()):
            raise click.BadParameter(f"another process is writing {path}", param_hint="--resume")
        file.seek(0)
        done = end = 0
        # Compare each answer with its puzzle; repeat an answer without end of line.
        while line := file.readline(2 * MAX_LINE_LENGTH):
            numbered = next(lines, None)
            if numbered is None or not _fits(line, *numbered, as_json):
                message = f"{path}: line {done + 1:,} is not an answer to its puzzle"
                raise click.BadParameter(message, param_hint="--resume")
            if not line.endswith(b"\n"):
                lines = chain([numbered], lines)
                break
            done, end = done + 1, file.tell()
        file.truncate(end)
        with TextIOWrapper(file, encoding="utf-8") as output:
            yield ResumedOutput(output, lines, done)


def _lock(file: int) -> bool:
    """Lock an open file; return false if another process has locked it.

    The lock ends when the file is closed or this process ends.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # unlike flock, forked workers do not inherit it
    except (BlockingIOError, PermissionError):
        return False
    return True


def _fits(line: bytes, number: int, puzzle: str, as_json: bool) -> bool:
    """Return whether an output line can be the answer to a puzzle.

    An incomplete line must be the beginning of such an answer.
    """
    text, is_complete = line.decode(errors="replace").removesuffix("\n"), line.endswith(b"\n")
    if as_json:
        beginning = format_json({"line": number}).replace("}", ", ")
        return text.startswith(beginning) if is_complete else text[: len(beginning)] == beginning[: len(text)]
    if is_complete:
        return text in ("none", "error") or len(text) == len(puzzle)
    return text.isalnum() and len(text) <= max(len(puzzle), len("error"))
