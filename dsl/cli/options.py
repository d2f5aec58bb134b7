"""What commands have in common: FILE, --set, --grid, --level, --json."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from csp import LEVELS, Model, Value

from ..language.clauses.build import Program, nothing_declared
from ..language.errors import Source, SpecError
from ..language.load import read


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
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")


def read_spec(
    file: str, settings: dict[str, str], grids: dict[str, str]
) -> tuple[Program, dict[str, Value], dict[str, Source]]:
    """The spec with its params and grids."""
    read_once([file, *grids.values()])
    sources = {name: Source(path, read(path)) for name, path in grids.items()}
    params = {name: parse_setting(value) for name, value in settings.items()}
    return Program(Source(file, read(file))), params, sources


def read_once(paths: Iterable[str]) -> None:
    """Refuse to read standard input twice."""
    if list(paths).count("-") > 1:
        raise click.UsageError("standard input can be read only once")


def spare_inputs(out: Path | None, *inputs: str) -> None:
    """Refuse to write over what is read."""
    for path in map(Path, inputs):
        if out is not None and path.exists() and out.exists() and out.samefile(path):
            raise click.BadParameter(f"{out} is read here and would be lost", param_hint="--out")


def load_model(file: str, settings: dict[str, str], grids: dict[str, str]) -> Model:
    """The model of a spec on the command line."""
    return build_model(*read_spec(file, settings, grids))


def build_model(program: Program, params: Mapping[str, Value], sources: Mapping[str, Source]) -> Model:
    """The model of a spec that has been read, which must have a variable."""
    model = program.build(params, sources).model
    if not model.domains:
        raise SpecError([nothing_declared(program.clauses)], {"": program.source})
    return model
