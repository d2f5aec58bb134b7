"""Defines the options that several commands share.

They read specs by these options, and the shell completes the names of a spec.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from csp import LEVELS, WAYS, Model, Value

from ..semantics.clauses.build import Program, nothing_declared
from ..syntax import nodes
from ..syntax.errors import Source, SpecError, counted
from ..syntax.reading import beside_gallery, read, source_of
from .output import fail, say

if TYPE_CHECKING:
    from csp.parallel import Workers

MAX_NUMBER = 1_000_000_000
"""Maximum value of an option that is a number of seconds or of items; a larger one is a usage error."""

FOREIGN = (".sdk", ".sdm", ".ss", ".col", ".jsonl")
"""The endings of files in other formats, which commands read as csp import does."""

PUZZLE_LINE = re.compile("[0-9.]{36,}")
"""The pattern of a sudoku in one line, with dots or zeros for empty cells; no spec begins like this."""

FILE_ENDING = re.compile(r"[.][A-Za-z][A-Za-z0-9]{1,4}$")
"""The pattern of file endings; a name that matches is not the name of a new folder."""

INPUT = click.Path(readable=False, allow_dash=True)
"""The type of a file to read, which shells complete; the code that reads the file reports errors."""

level_option = click.option(
    "--level", type=click.Choice(LEVELS), default="singles", show_default=True, help="Consistency level of propagation."
)

search_option = click.option(
    "--search", type=click.Choice(WAYS), default="auto", show_default=True,
    help="Search by backtracking, by learning (clingo), or both in turns.",
)  # fmt: skip

threads_option = click.option(
    "--threads", type=click.IntRange(1, 64), default=1, show_default=True, metavar="N",
    help="Threads of clingo; more than one may reorder answers.",
)  # fmt: skip

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")

CLAUSE_KINDS: dict[str, type[nodes.Param | nodes.Grid]] = {"param_texts": nodes.Param, "grids": nodes.Grid}
"""The kind of clause that each option names."""


class Whole(click.IntRange):
    """The click type of counts: integers up to ``MAX_NUMBER``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number: int = super().convert(value, param, ctx)
        if number > MAX_NUMBER:
            self.fail(f"{value} is too large; the maximum is {MAX_NUMBER:,}", param, ctx)
        return number


def parse_setting(name: str, value: str, option: str = "--set") -> Value:
    """Parse a value of ``--set`` as a number or a symbol.

    Examples
    --------
    >>> [parse_setting("p", value) for value in ("3", "-1", "red", "'3.5'", "don't")]
    [3, -1, 'red', '3.5', "don't"]
    """
    if re.fullmatch("-?[0-9]{1,18}", value):
        return int(value)
    if not value:
        raise click.BadParameter(f"{name}= has no value; an empty symbol is ''", param_hint=option)
    # A text that begins like a number is neither a number nor a plain symbol.
    if re.match("[-+]?[.]?[0-9]", value):
        is_long_number = value.lstrip("-").isdecimal()
        reason = "more than 18 digits" if is_long_number else "neither a whole number nor a symbol; a symbol has quotes"
        shortened = value if len(value) < 40 else f"{value[:40]}..."
        raise click.BadParameter(
            f"{name}={shortened}: this {'has' if is_long_number else 'is'} {reason}", param_hint=option
        )
    return value[1:-1].replace("''", "'") if re.fullmatch("'(?:[^']|'')*'", value) else value


def pairs(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Convert NAME=VALUE options to a dictionary; refuse a repeated name."""
    result: dict[str, str] = {}
    for name, value in (split_pair(value, str(option.metavar)) for value in values):
        if name in result:
            raise click.BadParameter(f"{name} is given twice")
        result[name] = value
    return result


def split_pair(value: str, form: str, hint: str | None = None) -> tuple[str, str]:
    """Split NAME=VALUE into name and value; ``form`` is the pattern in errors."""
    name, equals, right = value.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{value} is not of the form {form}", param_hint=hint)
    return name, right


def spec_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument FILE and the options --set and --grid to a command."""
    return click.argument("file", type=INPUT)(fill_options(command))


def fill_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --set and --grid to a command."""
    options = [
        click.option(
            "--set", "param_texts", multiple=True, metavar="NAME=VALUE", callback=pairs, shell_complete=names_of_spec,
            help="Set a param of the spec; repeatable.",
        ),
        click.option(
            "--grid", "grids", multiple=True, metavar="NAME=FILE", callback=pairs, shell_complete=names_of_spec,
            help="Read a grid from FILE (- is standard input); repeatable.",
        ),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def spread_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --jobs and --cluster to a command."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(1, 1024),
        default=1,
        show_default=True,
        metavar="N",
        help="Distribute the work over N processes.",
    )
    cluster = click.option(
        "--cluster", metavar="ADDRESS", help="Distribute the work over the workers of a dask scheduler."
    )
    return jobs(cluster(command))


def spreading(jobs: int, cluster: str | None) -> AbstractContextManager[Workers | None]:
    """Return a context that provides the executor for --jobs and --cluster.

    Without both options it is ``None``: this process does all work.
    """
    if jobs == 1 and cluster is None:
        return nullcontext()
    if jobs > 1 and cluster is not None:
        raise click.UsageError("--jobs does not go with --cluster")
    from csp.parallel import workers

    return workers(jobs, cluster)


def seconds(ctx: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Return the value of --timeout; refuse all but seconds from 0 to ``MAX_NUMBER``."""
    if value is None or 0 <= value <= MAX_NUMBER:
        return value
    raise click.BadParameter(
        f"{value:g} is not a number of seconds" + (f"; the maximum is {MAX_NUMBER:,}" if value > MAX_NUMBER else "")
    )


def timeout_option(help_text: str = "Stop after S seconds; by default never.") -> Callable[..., Any]:
    """Return a decorator that adds the option --timeout S with a help text."""
    return click.option("--timeout", type=float, callback=seconds, metavar="S", help=help_text)


def out_option(help_text: str, metavar: str = "FILE") -> Callable[..., Any]:
    """Return a decorator that adds the option --out FILE with a help text."""
    kind = click.Path(dir_okay=False, allow_dash=True)
    return click.option("-o", "--out", type=kind, metavar=metavar, help=f"{help_text} - is standard output.")


def folder_option(help_text: str, is_required: bool = False) -> Callable[..., Any]:
    """Return a decorator that adds the option --out DIR with a help text."""

    def to_folder(ctx: click.Context, option: click.Parameter, value: str | None) -> Path | None:
        return None if value is None else folder(value, ctx)

    kind = click.Path(allow_dash=True)
    return click.option(
        "-o", "--out", required=is_required, type=kind, callback=to_folder, metavar="DIR", help=help_text
    )


def folder(out: str, ctx: click.Context | None = None, instead: str = "") -> Path:
    """Return the path of the folder that --out names; the folder need not exist.

    ``instead`` describes the other kind of output that --out permits, if any.

    Raises
    ------
    click.BadParameter
        If it is an existing file, or the name has the ending of a file.
    """
    path = Path(out)
    if path.is_file() or (FILE_ENDING.search(out) and not path.is_dir()):
        is_file = "is" if path.is_file() else "is named like"
        example = f", such as {path.with_suffix('')}" if path.suffix else ""
        message = f"{out} {is_file} a file: write {instead}a folder{example}"
        raise click.BadParameter(message, ctx, param_hint="--out")
    return path


def read_spec(
    file: str, param_texts: dict[str, str], grids: dict[str, str]
) -> tuple[Program, dict[str, Value], dict[str, Source]]:
    """Return a spec's program, the values of its params and the sources of its grids."""
    read_once([file, *grids.values()])
    sources = {name: Source(path, read(path)) for name, path in grids.items()}
    params = {name: parse_setting(name, value) for name, value in param_texts.items()}
    return Program(spec_source(file)), params, sources


def is_foreign(file: str) -> bool:
    """Return whether an argument is a link, a sudoku line or a foreign file.

    A foreign file has an ending of ``FOREIGN``; it is not read.
    """
    return written_out(file) is not None or PurePath(file).suffix.lower() in FOREIGN


def written_out(argument: str) -> Source | None:
    """Return the source of a link or sudoku typed as an argument; else None."""
    from ..puzzles.links import is_link

    if is_link(argument):
        return Source("link", argument)
    return Source("sudoku", argument) if PUZZLE_LINE.fullmatch(argument) else None


def spec_source(file: str) -> Source:
    """Return the source of a spec; convert a link or foreign puzzle first.

    A file in another format must hold one puzzle.
    """
    from ..puzzles.links import link_in, linked_source, unread_notes

    source = written_out(file) or source_of(file)
    link = link_in(source.text)
    if link is not None:
        source = linked_source(link)
        for note in unread_notes(source.text):
            say(f"csp: not read: {note}", err=True)
    elif is_foreign(file) or PUZZLE_LINE.match(source.text.lstrip()):
        from ..puzzles.convert import puzzles, specs

        foreign_puzzles = puzzles(source)
        if len(foreign_puzzles) != 1:
            fail(
                f"csp: {file} holds {counted(len(foreign_puzzles), 'puzzle')}; csp import {file} --record N prints one"
            )
        source = Source(source.name, specs(source, foreign_puzzles)[0], beside_gallery())
    return source


def read_once(paths: Iterable[str]) -> None:
    """Raise ``UsageError`` if two inputs are both standard input."""
    if list(paths).count("-") > 1:
        raise click.UsageError("standard input can be read only once")


def spare_inputs(out: str | None, *inputs: str, option: str = "--out") -> None:
    """Raise ``BadParameter`` if an output file is also an input file."""
    if not out or out == "-" or not os.path.isfile(out):
        return
    for path in inputs:
        if path != "-" and os.path.exists(path) and os.path.samefile(out, path):
            raise click.BadParameter(f"{out} is an input file and would be overwritten", param_hint=option)


def load_model(file: str, param_texts: dict[str, str], grids: dict[str, str]) -> Model:
    """Read the spec on the command line and build its model."""
    return build_model(*read_spec(file, param_texts, grids))


def build_model(program: Program, params: Mapping[str, Value], sources: Mapping[str, Source]) -> Model:
    """Build the model of a spec; refuse a spec without variables."""
    model = program.build(params, sources).model
    if not model.domains:
        raise SpecError([nothing_declared(program.clauses)], program.sources)
    return model


def names_of_spec(ctx: click.Context, option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return shell completions for --set and --grid: names of the spec, or files.

    After NAME=, --set has no completions. FILE must precede the option on the command line.
    """
    name, equals, path_prefix = incomplete.partition("=")
    if equals:
        return files(f"{name}=", path_prefix) if option.name == "grids" else []
    words = [ctx.params.get("file"), *(ctx.params.get("files") or ()), *ctx.args]
    path = next((word for word in words if word and os.path.isfile(word)), "")
    try:
        clauses = Program(source_of(path)).clauses
    except (OSError, SpecError):
        return []
    names = dict.fromkeys(clause.name for clause in clauses if isinstance(clause, CLAUSE_KINDS[str(option.name)]))
    equals = "" if option.metavar == "NAME[=FILE]" else "="
    return [CompletionItem(f"{clause_name}{equals}") for clause_name in names if clause_name.startswith(incomplete)]


def files(before: str, path_prefix: str) -> list[CompletionItem]:
    """Return completions for paths that begin with ``path_prefix``; each starts with ``before``."""
    folder, entry_prefix = os.path.split(path_prefix)
    try:
        entries = sorted(entry for entry in os.listdir(folder or ".") if entry.startswith(entry_prefix))
    except OSError:
        return []
    paths = [os.path.join(folder, entry) for entry in entries]
    return [CompletionItem(f"{before}{path}{os.sep if os.path.isdir(path) else ''}") for path in paths]


def complete_list(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return the completions of a comma-separated list's last word; its other words are excluded."""
    *earlier_words, prefix = incomplete.split(",")
    before = "".join(f"{word}," for word in earlier_words)
    return [CompletionItem(before + word) for word in words if word.startswith(prefix) and word not in earlier_words]
