"""csp solve --each --resume: an output that broke off, and what is still to be done"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO, NamedTuple

import click

from ..puzzles.each import MAX_LINE_LENGTH, Numbered


class Resumed(NamedTuple):
    """An output that goes on: the file behind its last whole line, the lines that are left, how many were done."""

    output: IO[str]
    todo: Iterator[Numbered]
    done: int


@contextmanager
def resumed(path: str, lines: Iterator[Numbered], as_json: bool) -> Iterator[Resumed]:
    """Go on with an output from behind its last whole line; one that is not there is begun.

    Raises
    ------
    click.BadParameter
        If the file is not the beginning of an output of these lines; it is left as it is.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise click.BadParameter(f"{path} is no plain file", param_hint="--resume")
    with open(path, "a+b") as file:
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
    with open(path, "a", encoding="utf-8") as output:
        yield Resumed(output, lines, done)


def _fits(line: bytes, number: int, puzzle: str, as_json: bool) -> bool:
    """Whether a line, or its beginning where it has no end, can be what was printed for a puzzle."""
    text, is_whole = line.decode(errors="replace").removesuffix("\n"), line.endswith(b"\n")
    if as_json:
        beginning = f'{{"line": {number}, '
        return text.startswith(beginning) if is_whole else text[: len(beginning)] == beginning[: len(text)]
    if is_whole:
        return text in ("none", "error") or len(text) == len(puzzle)
    return text.isalnum() and len(text) <= max(len(puzzle), len("error"))
