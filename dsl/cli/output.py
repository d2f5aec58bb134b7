"""Functions that print to the terminal and write output files."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import PurePath
from typing import NoReturn

import click

from csp import Effort
from csp.base.files import is_standard_output, write_whole
from csp.base.notation import visible

WRONG = 2
"""The exit code for malformed input."""

JSON_FORMAT = 2
"""The number of the format of JSON objects; another number means that keys are renamed, removed or redefined."""


def say(text: object, err: bool = False) -> None:
    """Print a text and a line end, with control characters as visible escapes."""
    click.echo(visible(str(text), keep="\n\t"), err=err, color=True)


def put(text: str) -> None:
    """Print a text for programs, unchanged unless standard output is a terminal.

    On a terminal, control characters are made visible.
    """
    click.echo(visible(text, keep="\n\t") if is_terminal() else text, nl=False, color=True)


def format_json(data: Mapping[str, object]) -> str:
    """Format a JSON object as one line that begins with the format's number.

    Examples
    --------
    >>> format_json({"solution": None})
    '{"format": 2, "solution": null}'
    """
    return json.dumps({"format": JSON_FORMAT, **data})


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def fail(message: str, code: int = WRONG) -> NoReturn:
    """Print an error on stderr and exit with an error code."""
    say(message, err=True)
    sys.exit(code)


def say_effort(effort: Effort, began: float, extra: str = "") -> None:
    """Print the search effort and the elapsed time on stderr.

    ``began`` is the value of ``time.perf_counter`` at the start, and ``extra`` a text to insert.
    """
    counts = " · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__)
    say(f"{counts}{extra} · seconds {time.perf_counter() - began:.3f}", err=True)


def deliver(out: str, content: bytes) -> None:
    """Write an output file; print its name unless it is standard output."""
    write_whole(out, content)
    if not is_standard_output(out):
        say(out)


def form_of(out: str | None, forms: Mapping[str, str], plain: str) -> str:
    """Return the format for a file name's ending; ``plain`` without an ending.

    Raises
    ------
    click.BadParameter
        If the command does not write this format.
    """
    suffix = PurePath(out or "-").suffix.lower()
    if suffix and suffix not in forms:
        raise click.BadParameter(f"{out}: this command writes {' '.join(forms)}", param_hint="--out")
    return forms.get(suffix, plain)
