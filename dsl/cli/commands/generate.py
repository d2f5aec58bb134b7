"""The command ``csp generate``: creates puzzles with one solution from a spec."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import SystemRandom
from typing import Any, NamedTuple

import click

from csp import Model, Stopped, Value, counted
from csp.explain.setting import Attempt, Setter, Wanted, attempts

from ...puzzles.setting import SYMMETRIES, Choice, Clues, choice_of
from ...semantics.clauses.build import Program
from ...syntax.errors import Source
from ...syntax.reading import read
from ..ladder import NAMES, known_techniques
from ..options import (
    INPUT,
    Whole,
    complete_list,
    folder,
    json_option,
    names_of_spec,
    pairs,
    parse_setting,
    read_once,
    spec_source,
    spread_options,
    spreading,
    timeout_option,
)
from ..output import deliver, format_json, say
from ..progress import NO_SOLUTION, Ended, Interrupts, ProgressWatch, say_stopped
from .convert import write_all

MAX_FAILURES = 25
"""Maximum number of consecutive attempts whose clues do not determine a solution; then the command gives up."""


@dataclass(frozen=True)
class Order:
    """A spec with its clue choices; each process calls it to make a ``Setter``."""

    source: Source
    params: Mapping[str, Value]
    grids: Mapping[str, Source]
    choices: tuple[Choice, ...]
    symmetry: str | None

    def model(self, text: str) -> Model:
        """Return the model of a created puzzle; ``text`` is its spec."""
        return Program(replace(self.source, text=text)).build({}, {}).model

    def clues(self) -> Clues:
        """Return the possible clues of the spec's puzzles, as a ``Clues`` object."""
        return Clues(Program(self.source), self.params, self.grids, self.choices, self.symmetry)

    def __call__(self) -> Setter:
        clues = self.clues()
        return Setter(clues.model, clues.true_clues)


def span(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[float, float] | None:
    """Parse the A..B or single number of --givens or --difficulty as a range."""
    if value is None:
        return None
    number, example = r"[0-9]{1,6}", "two numbers of clues such as 24..28"
    if option.name == "difficulty":
        number += r"(?:\.[0-9]+)?"
        example = "two ratings such as 20..40.5; csp rate prints the rating of a puzzle"
    match = re.fullmatch(rf"({number})(?:\.\.({number}))?", value)
    if not match or float(match[2] or match[1]) < float(match[1]):
        raise click.BadParameter(f"{value} is not a range: write {example}")
    return float(match[1]), float(match[2] or match[1])


def needed_techniques(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the techniques in the values of --needs."""
    return allowed_techniques(ctx, option, ",".join(values) or None) or ()


def allowed_techniques(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """Return the names of the techniques in the value of --only; None without it."""
    return None if value is None else tuple([technique.name for technique in known_techniques(ctx, option, value)])


class Grids(NamedTuple):
    """The values of --grid: names of grids with chosen clues, and files of others."""

    chosen: tuple[str, ...]
    files: dict[str, str]


def split_grids(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> Grids:
    """Separate the values of --grid into names and NAME=FILE pairs."""
    files = tuple([value for value in values if "=" in value])
    return Grids(tuple([value for value in values if "=" not in value]), pairs(ctx, option, files))


@click.command()
@click.argument("file", type=INPUT)
@click.option(
    "--set",
    "param_texts",
    multiple=True,
    metavar="NAME=VALUE",
    callback=pairs,
    shell_complete=names_of_spec,
    help="Set a param of the spec; repeatable.",
)
@click.option("--grid", "grids", multiple=True, metavar="NAME[=FILE]", callback=split_grids,
              shell_complete=names_of_spec,
              help="Choose clues of this grid; with =FILE, read the grid.")  # fmt: skip
@click.option("--facts", multiple=True, metavar="NAME",
              help="Choose facts of a relation; 'total(_, T)' computes an argument.")  # fmt: skip
@click.option("--seed", metavar="SEED", help="Seed of the random choices; by default a new one.")
@click.option("--count", type=Whole(min=1), default=1, show_default=True, metavar="N", help="Number of puzzles.")
@click.option("--symmetry", type=click.Choice(SYMMETRIES), help="Symmetry of the places of the clues.")
@click.option("--givens", callback=span, metavar="A..B", help="Range of the number of clues.")
@click.option("--difficulty", callback=span, metavar="A..B", help="Range of the rating by csp rate.")
@click.option("--needs", "needed", multiple=True, metavar="TECHNIQUE", callback=needed_techniques,
              shell_complete=lambda ctx, option, text: complete_list(NAMES, text),
              help="Technique without which the puzzle cannot be solved; repeatable.")  # fmt: skip
@click.option("--only", "allowed", metavar="NAMES", callback=allowed_techniques,
              shell_complete=lambda ctx, option, text: complete_list(NAMES, text),
              help="Techniques that suffice to solve the puzzle.")  # fmt: skip
@spread_options
@click.option("-o", "--out", type=click.Path(), metavar="PAGE|DIR",
              help="Write a page to print with a key, or specs.")  # fmt: skip
@json_option
@timeout_option()
@click.pass_obj
def generate(
    interrupts: Interrupts,
    file: str,
    grids: Grids,
    facts: tuple[str, ...],
    param_texts: dict[str, str],
    seed: str | None,
    count: int,
    symmetry: str | None,
    givens: tuple[float, float] | None,
    difficulty: tuple[float, float] | None,
    needed: tuple[str, ...],
    allowed: tuple[str, ...] | None,
    jobs: int,
    cluster: str | None,
    out: str | None,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Set puzzles with one solution and no redundant clue.

    Start with all clues of a random solution of the spec FILE. Remove clues in random order while the solution stays
    unique. Print a line for each puzzle.

    Exit code: 0 all puzzles, 1 no puzzle found, 2 malformed input, 3 stopped by a limit.

    Example: csp generate examples/sudoku.csp --set box=2 --grid clue --seed 1
    """
    is_page = (out or "").lower().endswith((".html", ".htm"))
    specs = None if out is None or is_page else folder(out, instead="a page (.html) or ")
    with interrupts.deadline(timeout):
        order = _read_order(file, grids, facts, param_texts, symmetry)
        clues = order.clues()
        # An include with a relative path must work from the new files, too.
        if specs and clues.has_files and specs.resolve() != Path(file).parent.resolve():
            message = f"{file} includes files of its folder; write the puzzles there: --out {Path(file).parent}"
            raise click.BadParameter(message, param_hint="--out")
        if seed is None:
            seed = str(SystemRandom().getrandbits(32))
            say(f"csp: --seed {seed}", err=True)
        criteria = Wanted((int(givens[0]), int(givens[1])) if givens else None, difficulty, needed, allowed)
        printer = _PuzzlePrinter(clues, criteria, seed, count, specs, Path(file).stem, as_json)
        code = 0
        with interrupts.watching(unit="") as progress:
            try:
                with spreading(jobs, cluster) as executor:
                    code = printer.print_puzzles(attempts(order, criteria, seed, executor, progress), progress)
            except (Stopped, Ended) as limit:
                code = say_stopped(progress.why or str(limit), printer.describe_progress(), progress)
    # The sheet has the puzzles that were found, whatever ended the search.
    if out is not None and is_page and printer.texts:
        from csp.render import practice_sheet

        puzzles = [order.model(text) for text in printer.texts]
        deliver(out, practice_sheet(puzzles, needed, criteria.ladder, Path(file).stem).encode())
    sys.exit(code)


def _read_order(
    file: str, grids: Grids, facts: tuple[str, ...], param_texts: Mapping[str, str], symmetry: str | None
) -> Order:
    """Return the ``Order`` of the command line; refuse one without chosen clues."""
    try:
        choices = [*map(Choice, grids.chosen), *map(choice_of, facts)]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--facts") from None
    if not choices:
        raise click.UsageError("choose clues by --grid NAME or --facts NAME, such as --grid clue")
    read_once([file, *grids.files.values()])
    params = {name: parse_setting(name, value) for name, value in param_texts.items()}
    sources = {name: Source(path, read(path)) for name, path in grids.files.items()}
    return Order(spec_source(file), params, sources, tuple(dict.fromkeys(choices)), symmetry)


class _PuzzlePrinter:
    """A printer or writer of created puzzles, which counts the attempts.

    ``texts`` are the specs of the puzzles printed so far.
    """

    def __init__(
        self, clues: Clues, criteria: Wanted, seed: str, count: int, out: Path | None, stem: str, as_json: bool
    ) -> None:
        self._clues, self._criteria, self._seed, self._count = clues, criteria, seed, count
        self._out, self._stem, self._as_json = out, stem, as_json
        self._found = self._tried = self._failures = 0
        self.texts: list[str] = []
        self._sizes: list[int] = []
        self._ratings: dict[float, None] = {}  # the different ratings so far, in order
        self._nearest: list[int] = []

    def print_puzzles(self, attempts: Iterator[Attempt], progress: ProgressWatch) -> int:
        """Print puzzles that meet the criteria until there are enough; return the exit code.

        The exit code is ``NO_SOLUTION`` after ``MAX_FAILURES`` consecutive failures.
        """
        for attempt in attempts:
            self._tried += 1
            self._failures = 0 if attempt.puzzle else self._failures + 1
            if attempt.puzzle:
                self._sizes.append(len(attempt.puzzle.clues))
                if attempt.puzzle.rating is not None:
                    self._ratings[attempt.puzzle.rating] = None
            self._nearest += [] if attempt.nearest is None else [attempt.nearest]
            if attempt.is_wanted:
                self._print(attempt)
                self._found += 1
            if self._found == self._count:
                return 0
            # Random solutions that the clues do not determine: the spec hardly permits a puzzle.
            if self._failures == MAX_FAILURES:
                say(f"csp: {self._progress()}: no random solution follows from its clues", err=True)
                return NO_SOLUTION
            progress.doing = self._progress() + self._nearest_rating()
        raise AssertionError("attempts have no end")

    def describe_progress(self) -> str:
        """Return a text: puzzles found, attempts, and the ranges of clues and ratings."""
        ranges = []
        if self._criteria.givens and self._sizes:
            ranges.append(f"they have {min(self._sizes)} to {max(self._sizes)} clues")
        if self._ratings:
            ranges.append(f"the rated puzzles have {min(self._ratings):g} to {max(self._ratings):g}")
        if self._criteria.needed and not self._found:
            ranges.append(self._nearest_path())
        return ": ".join([self._progress(), *[" and ".join(ranges)][: len(ranges)]])

    def _progress(self) -> str:
        return f"{self._found:,} of {counted(self._count, 'puzzle')} after {counted(self._tried, 'attempt')}"

    def _nearest_rating(self) -> str:
        """Return a text about the rating nearest to the requested range, or an empty text."""
        if not (self._criteria.difficulty and self._ratings):
            return ""
        least, greatest = self._criteria.difficulty
        return f" · nearest rating {min(self._ratings, key=lambda rating: max(least - rating, rating - greatest)):g}"

    def _nearest_path(self) -> str:
        """Return a text about the solution path with the required techniques that got furthest."""
        names = " and ".join(self._criteria.needed)
        if not self._nearest:
            return f"no path used {names}; an easier technique may always replace it: omit that with --only"
        least = min(self._nearest)
        if least:
            return f"the nearest path used {names} and stopped with {counted(least, 'variable')} open"
        return f"the nearest path used {names}, but did not need each of them"

    def _print(self, attempt: Attempt) -> None:
        puzzle = attempt.puzzle
        assert puzzle is not None
        title = f"set by csp generate --seed {self._seed}, attempt {attempt.number + 1}"
        text = self._clues.text(puzzle.clues, title)
        self.texts.append(text)
        if self._out is not None:
            name = re.sub(r"[^A-Za-z0-9.+-]+", "_", f"{self._stem}-{self._seed}-{attempt.number + 1}")
            write_all(self._out, {f"{name}.csp": text}, self._found, self._count)
            say(self._out / f"{name}.csp")
            return
        line = self._clues.line(puzzle.clues)
        if self._as_json:
            data: dict[str, Any] = {
                "seed": self._seed, "attempt": attempt.number + 1, "puzzle": line, "givens": len(puzzle.clues),
                "clues": [clue.fact for clue in puzzle.clues], "rating": puzzle.rating,
                "solution": {name: puzzle.solution[name] for name in self._clues.model.shown},
            }  # fmt: skip
            line = format_json(data)
        say(line)
        sys.stdout.flush()
