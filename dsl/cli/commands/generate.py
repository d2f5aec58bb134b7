"""csp generate"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import Any, NamedTuple

import click

from csp import Stopped, Value, counted
from csp.explain.setting import Attempt, Setter, Wanted, attempts

from ...puzzles.setting import SYMMETRIES, Choice, Clues, choice_of
from ...semantics.clauses.build import Program
from ...syntax.errors import Source
from ...syntax.reading import read
from ..completing import names_of_spec
from ..options import (
    INPUT,
    Whole,
    folder_option,
    json_option,
    pairs,
    parse_setting,
    read_once,
    spec_source,
    spread_options,
    spreading,
    timeout_option,
)
from ..output import say
from ..progress import NO_SOLUTION, Ended, ProgressWatch, deadline, say_stopped, watching
from .convert import write_all

MOST_IN_VAIN = 25
"""How many attempts in a row may find no solution that its clues tell, before it is given up."""


@dataclass(frozen=True)
class Order:
    """What is to be set, as text, so that every process can make it out for itself."""

    source: Source
    params: Mapping[str, Value]
    grids: Mapping[str, Source]
    choices: tuple[Choice, ...]
    symmetry: str | None

    def clues(self) -> Clues:
        """What may be chosen."""
        return Clues(Program(self.source), self.params, self.grids, self.choices, self.symmetry)

    def __call__(self) -> Setter:
        clues = self.clues()
        return Setter(clues.model, clues.told)


def span(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[float, float] | None:
    """A..B, or one number, as the least and the greatest."""
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


class Grids(NamedTuple):
    """The grids that are chosen, and the files of those that are read."""

    chosen: tuple[str, ...]
    files: dict[str, str]


def chosen_or_read(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> Grids:
    """NAME, or NAME=FILE."""
    files = tuple([value for value in values if "=" in value])
    return Grids(tuple([value for value in values if "=" not in value]), pairs(ctx, option, files))


@click.command(short_help="Set puzzles: one solution, and no clue that could go.")
@click.argument("file", type=INPUT)
@click.option(
    "--set",
    "param_texts",
    multiple=True,
    metavar="NAME=VALUE",
    callback=pairs,
    shell_complete=names_of_spec,
    help="Set a param.",
)
@click.option("--grid", "grids", multiple=True, metavar="NAME[=FILE]", callback=chosen_or_read,
              shell_complete=names_of_spec,
              help="Choose what stands in this grid. With =FILE: read it from a file.")  # fmt: skip
@click.option("--facts", multiple=True, metavar="NAME",
              help="Choose facts of this relation; 'total(_, T)' fills in the last argument.")  # fmt: skip
@click.option("--seed", metavar="SEED", help="The same seed sets the same puzzles; without it a new one is told.")
@click.option("--count", type=Whole(min=1), default=1, show_default=True, metavar="N", help="Set N puzzles.")
@click.option("--symmetry", type=click.Choice(SYMMETRIES), help="Clues that it exchanges come and go together.")
@click.option("--givens", callback=span, metavar="A..B", help="Only puzzles with so many clues.")
@click.option("--difficulty", callback=span, metavar="A..B", help="Only puzzles that csp rate rates so.")
@spread_options
@folder_option("Write a spec for each into this folder.")
@json_option
@timeout_option("Stop after S seconds.")
def generate(
    file: str,
    grids: Grids,
    facts: tuple[str, ...],
    param_texts: dict[str, str],
    seed: str | None,
    count: int,
    symmetry: str | None,
    givens: tuple[float, float] | None,
    difficulty: tuple[float, float] | None,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Set puzzles of the spec FILE, a line for each: of a solution that is drawn at random all clues are told, and
    then those taken away, in a random order, without which the solution stays the only one.

    Exit code: 0 so many puzzles; 1 none, as no solution is told by its clues; 2 malformed input; 3 stopped by a limit.
    """
    with deadline(timeout):
        order = _order(file, grids, facts, param_texts, symmetry)
        clues = order.clues()
        if out and clues.has_files and out.resolve() != Path(file).parent.resolve():
            beside = Path(file).parent
            said = f"{file} includes files beside it, so that its puzzles must stand there, too: --out {beside}"
            raise click.BadParameter(said, param_hint="--out")
        if seed is None:
            seed = str(SystemRandom().getrandbits(32))
            say(f"csp: --seed {seed}", err=True)
        wanted = Wanted((int(givens[0]), int(givens[1])) if givens else None, difficulty)
        telling = _Telling(clues, wanted, seed, count, out, Path(file).stem, as_json)
        with watching(unit="") as progress:
            try:
                with spreading(jobs, cluster) as executor:
                    sys.exit(telling.tell(attempts(order, wanted, seed, executor, progress), progress))
            except (Stopped, Ended) as limit:
                sys.exit(say_stopped(progress.why or str(limit), telling.known(), progress))


def _order(
    file: str, grids: Grids, facts: tuple[str, ...], param_texts: Mapping[str, str], symmetry: str | None
) -> Order:
    """The spec, what is chosen, and all else that its puzzles depend on."""
    try:
        choices = [*map(Choice, grids.chosen), *map(choice_of, facts)]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--facts") from None
    if not choices:
        raise click.UsageError("--grid NAME or --facts NAME says what is chosen, such as --grid clue")
    read_once([file, *grids.files.values()])
    params = {name: parse_setting(name, value) for name, value in param_texts.items()}
    sources = {name: Source(path, read(path)) for name, path in grids.files.items()}
    return Order(spec_source(file), params, sources, tuple(dict.fromkeys(choices)), symmetry)


class _Telling:
    """What has been tried, and the puzzles as they are told."""

    def __init__(
        self, clues: Clues, wanted: Wanted, seed: str, count: int, out: Path | None, stem: str, as_json: bool
    ) -> None:
        self._clues, self._wanted, self._seed, self._count = clues, wanted, seed, count
        self._out, self._stem, self._as_json = out, stem, as_json
        self._found = self._tried = self._in_vain = 0
        self._sizes: list[int] = []
        self._ratings: list[float] = []

    def tell(self, tried: Iterator[Attempt], progress: ProgressWatch) -> int:
        """Tell the puzzles that are wanted; the exit code."""
        for attempt in tried:
            self._tried += 1
            self._in_vain = 0 if attempt.puzzle else self._in_vain + 1
            if attempt.puzzle:
                self._sizes.append(len(attempt.puzzle.clues))
                self._ratings += [] if attempt.puzzle.rating is None else [attempt.puzzle.rating]
            if attempt.is_wanted:
                self._print(attempt)
                self._found += 1
            if self._found == self._count:
                return 0
            if self._in_vain == MOST_IN_VAIN:
                say(f"csp: {self._progress()}: no solution that was drawn is told by its clues", err=True)
                return NO_SOLUTION
            progress.doing = self._progress() + self._nearest()
        raise AssertionError("attempts have no end")

    def known(self) -> str:
        """What is known where the work is ended."""
        seen = []
        if self._wanted.givens and self._sizes:
            seen.append(f"they have {min(self._sizes)} to {max(self._sizes)} clues")
        if self._ratings:
            seen.append(f"those that were rated have {min(self._ratings):g} to {max(self._ratings):g}")
        return ": ".join([self._progress(), *[" and ".join(seen)][: len(seen)]])

    def _progress(self) -> str:
        return f"{self._found:,} of {counted(self._count, 'puzzle')} after {counted(self._tried, 'attempt')}"

    def _nearest(self) -> str:
        """Name the rating that is nearest to the wanted ones, if there is any."""
        if not (self._wanted.difficulty and self._ratings):
            return ""
        least, greatest = self._wanted.difficulty
        return f" · nearest rating {min(self._ratings, key=lambda rating: max(least - rating, rating - greatest)):g}"

    def _print(self, attempt: Attempt) -> None:
        puzzle = attempt.puzzle
        assert puzzle is not None
        title = f"set by csp generate --seed {self._seed}, attempt {attempt.number + 1}"
        text = self._clues.text(puzzle.clues, title)
        if self._out is not None:
            name = re.sub(r"[^A-Za-z0-9.+-]+", "_", f"{self._stem}-{self._seed}-{attempt.number + 1}")
            write_all(self._out, {f"{name}.csp": text}, self._found, self._count)
            say(self._out / f"{name}.csp")
            return
        line = self._clues.line(puzzle.clues)
        if self._as_json:
            found: dict[str, Any] = {
                "seed": self._seed, "attempt": attempt.number + 1, "puzzle": line, "givens": len(puzzle.clues),
                "clues": [clue.fact for clue in puzzle.clues], "rating": puzzle.rating,
                "solution": {name: puzzle.solution[name] for name in self._clues.model.shown},
            }  # fmt: skip
            line = json.dumps(found)
        say(line)
        sys.stdout.flush()
