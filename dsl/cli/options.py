"""What commands have in common: FILE, --set, --grid, --level."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click

from csp import Model, Value
from csp.solver import LEVELS

from ..build import Program
from ..errors import Mistake, Source, SpecError
from ..load import read

NO_VARIABLE = Mistake(
    "the spec declares no variable", None, "logical variables begin in uppercase: x(I) in 1..4 :- I in 1..4."
)


def parse_setting(value: str) -> Value:
    """The value of a ``--set``: a number or a symbol."""
    return int(value) if re.fullmatch("-?[0-9]{1,18}", value) else value


def pairs(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE options as a dictionary."""
    return dict(split_pair(value, str(option.metavar)) for value in values)


def split_pair(value: str, form: str, hint: str | None = None) -> tuple[str, str]:
    """The two sides of NAME=VALUE."""
    name, equals, right = value.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{value} is not of the form {form}", param_hint=hint)
    return name, right


def spec_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """FILE, --set and --grid, which every command takes."""
    options = [
        click.argument("file"),
        click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", callback=pairs, help="Set a param."),
        click.option(
            "--grid", "grids", multiple=True, metavar="NAME=FILE", callback=pairs,
            help="Read a grid from a file; - is standard input.",
        ),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


level_option = click.option(
    "--level", type=click.Choice(LEVELS), default="singles", show_default=True, help="How much is propagated."
)


def read_spec(
    file: str, settings: dict[str, str], grids: dict[str, str]
) -> tuple[Program, dict[str, Value], dict[str, Source]]:
    """The spec with its params and grids."""
    if [file, *grids.values()].count("-") > 1:
        raise click.UsageError("standard input can be read only once")
    sources = {name: Source(path, read(path)) for name, path in grids.items()}
    params = {name: parse_setting(value) for name, value in settings.items()}
    return Program(Source(file, read(file))), params, sources


def load_model(file: str, settings: dict[str, str], grids: dict[str, str]) -> Model:
    """The model of a spec on the command line."""
    program, params, sources = read_spec(file, settings, grids)
    model = program.build(params, sources).model
    if not model.domains:
        raise SpecError([NO_VARIABLE], {"": program.source})
    return model
