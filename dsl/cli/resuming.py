"""csp solve --each --resume: an output that broke off, and what is still to be done"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import chain
from typing import IO, NamedTuple

import click

from ..puzzles.each import MAX_LINE_LENGTH, Numbered

BEYOND = 1 << 40
"""The byte that is locked on Windows, where others may not read a locked byte."""


class Resumed(NamedTuple):
    """An output that goes on: the file behind its last whole line, the lines that are left, how many were done."""

    output: IO[str]
    todo: Iterator[Numbered]
    done: int


@contextmanager
def resumed(path: str, lines: Iterator[Numbered], as_json: bool) -> Iterator[Resumed]:
    """Continue an output after its last whole line, or begin a new one; no other process may write it meanwhile.

    Raises
    ------
    click.BadParameter
        If the file is not the beginning of an output of these lines, or another process is writing it; the file is not
        changed.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise click.BadParameter(f"{path} is no plain file", param_hint="--resume")
    with open(path, "a+b") as file:
        if not _lock(file.fileno()):
            raise click.BadParameter(f"another process is writing {path}", param_hint="--resume")
        file.seek(0)
        done = end = 0
        while line := file.readline(2 * MAX_LINE_LENGTH):
            numbered = next(lines, None)
            if numbered is None or not _fits(line, *numbered, as_json):
                message = f"{path}: line {done + 1:,} is no answer to the puzzle that it should answer"
                raise click.BadParameter(message, param_hint="--resume")
            if not line.endswith(b"\n"):
                lines = chain([numbered], lines)
                break
            done, end = done + 1, file.tell()
        file.truncate(end)
        with TextIOWrapper(file, encoding="utf-8") as output:
            yield Resumed(output, lines, done)


def _lock(file: int) -> bool:
    """Lock an open file until it is closed or this process ends; return False if another process has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, BEYOND, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # unlike flock, not held by forked workers, too
    except (BlockingIOError, PermissionError):
        return False
    return True


def _fits(line: bytes, number: int, puzzle: str, as_json: bool) -> bool:
    """Whether a line, or its beginning where it has no end, can be what was printed for a puzzle."""
    text, is_whole = line.decode(errors="replace").removesuffix("\n"), line.endswith(b"\n")
    if as_json:
        beginning = f'{{"line": {number}, '
        return text.startswith(beginning) if is_whole else text[: len(beginning)] == beginning[: len(text)]
    if is_whole:
        return text in ("none", "error") or len(text) == len(puzzle)
    return text.isalnum() and len(text) <= max(len(puzzle), len("error"))
