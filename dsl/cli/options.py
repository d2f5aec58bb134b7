"""What commands have in common: FILE, --set, --grid, --level, --json."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from csp import LEVELS, WAYS, Model, Value

from ..semantics.clauses.build import Program, nothing_declared
from ..syntax.errors import Source, SpecError, counted
from ..syntax.reading import beside_gallery, read, source_of
from .completing import names_of_spec
from .output import fail, say

if TYPE_CHECKING:
    from csp.parallel import Workers

MOST = 1_000_000_000
"""The greatest number of seconds, and of whatever an option counts."""

FOREIGN = (".sdk", ".sdm", ".ss", ".col", ".jsonl")
"""Endings of files in other formats, which are read as csp import reads them."""

FILE_ENDING = re.compile(r"[.][A-Za-z][A-Za-z0-9]{1,4}$")
"""How names of files end, and those of new folders do not."""

INPUT = click.Path(readable=False, allow_dash=True)
"""A file to read, which shells complete; whoever reads it says what is wrong with it."""


class Whole(click.IntRange):
    """How many of something: numbers that nothing could count to are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number: int = super().convert(value, param, ctx)
        if number > MOST:
            self.fail(f"{value} is too many; {MOST:,} is the most", param, ctx)
        return number


def parse_setting(name: str, value: str, option: str = "--set") -> Value:
    """The value of a ``--set``: a number, or a symbol, which may stand in quotes.

    Examples
    --------
    >>> [parse_setting("p", value) for value in ("3", "-1", "red", "'3.5'", "don't")]
    [3, -1, 'red', '3.5', "don't"]
    """
    if re.fullmatch("-?[0-9]{1,18}", value):
        return int(value)
    if not value:
        raise click.BadParameter(f"{name}= has no value; an empty symbol is ''", param_hint=option)
    if re.match("[-+]?[.]?[0-9]", value):
        digits = value.lstrip("-").isdecimal()
        reason = "more than 18 digits" if digits else "neither a whole number nor a symbol; a symbol has quotes"
        shown = value if len(value) < 40 else f"{value[:40]}..."
        raise click.BadParameter(f"{name}={shown}: this {'has' if digits else 'is'} {reason}", param_hint=option)
    return value[1:-1].replace("''", "'") if re.fullmatch("'(?:[^']|'')*'", value) else value


def pairs(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE options as a dictionary."""
    found: dict[str, str] = {}
    for name, value in (split_pair(value, str(option.metavar)) for value in values):
        if name in found:
            raise click.BadParameter(f"{name} is given twice")
        found[name] = value
    return found


def split_pair(value: str, form: str, hint: str | None = None) -> tuple[str, str]:
    """The two sides of NAME=VALUE."""
    name, equals, right = value.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{value} is not of the form {form}", param_hint=hint)
    return name, right


def spec_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """FILE, --set and --grid, which nearly every command takes."""
    return click.argument("file", type=INPUT)(fill_options(command))


def fill_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--set and --grid."""
    options = [
        click.option(
            "--set", "param_texts", multiple=True, metavar="NAME=VALUE", callback=pairs, shell_complete=names_of_spec,
            help="Set a param.",
        ),
        click.option(
            "--grid", "grids", multiple=True, metavar="NAME=FILE", callback=pairs, shell_complete=names_of_spec,
            help="Read a grid from a file; - is standard input.",
        ),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


level_option = click.option(
    "--level", type=click.Choice(LEVELS), default="singles", show_default=True, help="How much is propagated."
)


search_option = click.option(
    "--search", type=click.Choice(WAYS), default="auto", show_default=True,
    help="How what is left is searched: by a tree, by clingo, which learns from conflicts, or by both in turns, the "
    "tree first for half of the work of setting up clingo.",
)  # fmt: skip

threads_option = click.option(
    "--threads", type=click.IntRange(1, 64), default=1, metavar="N",
    help="Let clingo use N threads; the order of the answers may then differ from run to run.",
)  # fmt: skip


def spread_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--jobs and --cluster."""
    jobs = click.option(
        "--jobs", type=click.IntRange(1, 1024), default=1, metavar="N", help="Spread it over N processes."
    )
    cluster = click.option(
        "--cluster", metavar="ADDRESS", help="Spread it over the workers of a dask.distributed scheduler."
    )
    return jobs(cluster(command))


def spreading(jobs: int, cluster: str | None) -> AbstractContextManager[Workers | None]:
    """The executor that --jobs and --cluster ask for, or none where this process does it alone."""
    if jobs == 1 and cluster is None:
        return nullcontext()
    if jobs > 1 and cluster is not None:
        raise click.UsageError("--jobs does not go with --cluster")
    from csp.parallel import workers

    return workers(jobs, cluster)


def seconds(ctx: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """The value of --timeout, which must be a number of seconds that can pass, and that clocks can count."""
    if value is None or 0 <= value <= MOST:
        return value
    raise click.BadParameter(f"{value:g} is no number of seconds" + (f"; {MOST:,} is the most" if value > MOST else ""))


def timeout_option(what: str) -> Callable[..., Any]:
    """--timeout S."""
    return click.option("--timeout", type=float, callback=seconds, metavar="S", help=what)


def out_option(what: str, metavar: str = "FILE") -> Callable[..., Any]:
    """--out FILE."""
    kind = click.Path(dir_okay=False, allow_dash=True)
    return click.option("-o", "--out", type=kind, metavar=metavar, help=f"{what} - is standard output.")


def folder_option(what: str, is_required: bool = False) -> Callable[..., Any]:
    """--out DIR."""

    def checked(ctx: click.Context, option: click.Parameter, value: str | None) -> Path | None:
        return None if value is None else folder(value, ctx)

    kind = click.Path(allow_dash=True)
    return click.option("-o", "--out", required=is_required, type=kind, callback=checked, metavar="DIR", help=what)


def folder(out: str, ctx: click.Context | None = None, instead: str = "") -> Path:
    """The folder that --out names, which may have to be made; ``instead``: what else --out can be.

    Raises
    ------
    click.BadParameter
        If the name is that of a file, or has the ending of one.
    """
    path = Path(out)
    if path.is_file() or (FILE_ENDING.search(out) and not path.is_dir()):
        is_file = "is" if path.is_file() else "is named like"
        example = f", such as {path.with_suffix('')}" if path.suffix else ""
        message = f"{out} {is_file} a file: write {instead}a folder{example}"
        raise click.BadParameter(message, ctx, param_hint="--out")
    return path


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")


def read_spec(
    file: str, param_texts: dict[str, str], grids: dict[str, str]
) -> tuple[Program, dict[str, Value], dict[str, Source]]:
    """The spec with its params and grids."""
    read_once([file, *grids.values()])
    sources = {name: Source(path, read(path)) for name, path in grids.items()}
    params = {name: parse_setting(name, value) for name, value in param_texts.items()}
    return Program(spec_source(file)), params, sources


def is_foreign(file: str) -> bool:
    """Return whether FILE holds puzzles in another format: a link, or a file with the ending of one."""
    from ..puzzles.links import is_link

    return is_link(file) or PurePath(file).suffix.lower() in FOREIGN


def spec_source(file: str) -> Source:
    """Read the spec that a command is given: a file, or the puzzle of a link or of a file in another format."""
    from ..puzzles.links import is_link, link_in, linked_source, unread_notes

    source = None if is_link(file) else source_of(file)
    link = file if source is None else link_in(source.text)
    if link is not None:
        source = linked_source(link)
        for note in unread_notes(source.text):
            say(f"csp: not read: {note}", err=True)
    elif source is not None and is_foreign(file):
        from ..puzzles.convert import puzzles, specs

        found = puzzles(source)
        if len(found) != 1:
            fail(f"csp: {file} holds {counted(len(found), 'puzzle')}; csp import {file} --record N prints one")
        source = Source(file, specs(source, found)[0], beside_gallery())
    assert source is not None
    return source


def read_once(paths: Iterable[str]) -> None:
    """Refuse to read standard input twice."""
    if list(paths).count("-") > 1:
        raise click.UsageError("standard input can be read only once")


def spare_inputs(out: str | None, *inputs: str, option: str = "--out") -> None:
    """Refuse to write over what is read."""
    if not out or out == "-" or not os.path.isfile(out):
        return
    for path in inputs:
        if path != "-" and os.path.exists(path) and os.path.samefile(out, path):
            raise click.BadParameter(f"{out} is read here and would be lost", param_hint=option)


def load_model(file: str, param_texts: dict[str, str], grids: dict[str, str]) -> Model:
    """The model of a spec on the command line."""
    return build_model(*read_spec(file, param_texts, grids))


def build_model(program: Program, params: Mapping[str, Value], sources: Mapping[str, Source]) -> Model:
    """The model of a spec that has been read, which must have a variable."""
    model = program.build(params, sources).model
    if not model.domains:
        raise SpecError([nothing_declared(program.clauses)], program.sources)
    return model
