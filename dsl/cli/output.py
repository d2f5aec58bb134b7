"""What the program prints and writes."""

from __future__ import annotations

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


def say(text: object, err: bool = False) -> None:
    """Print a line for people; what could make a terminal do something is made visible."""
    click.echo(visible(str(text), keep="\n\t"), err=err, color=True)


def put(text: str) -> None:
    """Print a text for programs: as it is, but a terminal is not made to do something by it."""
    click.echo(visible(text, keep="\n\t") if is_terminal() else text, nl=False, color=True)


def is_terminal() -> bool:
    """Whether what is printed is seen at once."""
    return sys.stdout.isatty()


def fail(message: str, code: int = WRONG) -> NoReturn:
    """Say what is wrong and leave."""
    say(message, err=True)
    sys.exit(code)


def say_effort(effort: Effort, began: float, more: str = "") -> None:
    """Say what answers have cost, since when the clock of ``time.perf_counter`` has run."""
    counts = " · ".join(f"{name} {getattr(effort, name)}" for name in effort.__slots__)
    say(f"{counts}{more} · seconds {time.perf_counter() - began:.3f}", err=True)


def deliver(out: str, content: bytes) -> None:
    """Write an output file, and say its name unless it is standard output."""
    write_whole(out, content)
    if not is_standard_output(out):
        say(out)


def form_of(out: str | None, forms: Mapping[str, str], plain: str) -> str:
    """What is to be written, by how the name of the file ends; what has no ending is plain.

    Raises
    ------
    click.BadParameter
        If the ending stands for nothing that can be written.
    """
    suffix = PurePath(out or "-").suffix.lower()
    if suffix and suffix not in forms:
        raise click.BadParameter(f"{out}: this command writes {' '.join(forms)}", param_hint="--out")
    return forms.get(suffix, plain)
