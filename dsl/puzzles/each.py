"""One spec, many puzzles: a file with a puzzle a line."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isqrt
from typing import IO, Any, NamedTuple

from csp import (
    Candidate,
    Constraint,
    Effort,
    Model,
    ModelError,
    Solver,
    Stopped,
    Strategy,
    TooLarge,
    Value,
    Variable,
    counted,
)

from ..meaning.clauses.build import Program
from ..meaning.clauses.clues import GridClause, count_uses, gives_cells
from ..text.errors import Mistake, Source, SpecError
from ..text.grids import BLANKS, LETTERS, token_value

Numbered = tuple[int, str]
"""The number of a line, and its puzzle."""


LONGEST = 100_000
"""The most characters of a line."""

ENDLESS = 100
"""How many times as many characters are passed over to find the end of a line that is too long."""


class NoPuzzle(ValueError):
    """A line that is no puzzle; the message says why."""


class Outcome(NamedTuple):
    """What becomes of a line: the solution, or None where there is none; or instead what is wrong, or has ended it."""

    number: int
    answer: str | None
    error: str = ""
    is_stopped: bool = False


class Each:
    """A spec compiled once without its clues, ready for puzzles of one line each.

    A given of a line follows from its own fact alone: the clauses ``cell(R, C) = V :- clue(R, C, V).`` are evaluated
    for one fact at a time and remembered. Where the grid is used for anything else, the spec is evaluated anew for
    every line. It pickles as the program and what is set.

    Attributes
    ----------
    asked : int
        How many puzzles there were.
    effort : csp.Effort
        What they have cost.

    Raises
    ------
    SpecError
        If the spec has a mistake, or no clause from which values of single cells follow.
    """

    def __init__(
        self,
        program: Program,
        params: Mapping[str, Value],
        grids: Mapping[str, Source],
        grid: str,
        strategy: Strategy | None = None,
    ) -> None:
        self._program, self._params, self._grids, self._grid = program, params, grids, grid
        self._strategy = strategy
        self.asked, self.effort = 0, Effort()
        build = program.build(params, {**grids, grid: Source(f"grid {grid}", "")})
        self._solver = Solver(build.model, strategy=strategy)
        self._digits = grid in build.names.digits
        users = [clause for clause in program.clauses if count_uses(clause, grid)]
        self._clauses = [GridClause(*found, build.names) for clause in users if (found := gives_cells(clause, grid))]
        self._rebuild = len(self._clauses) < len(users)
        self._variables = self._cells()
        self._side = isqrt(len(self._variables))
        if not self._side:
            hint = f"such as cell(R, C) = V :- {grid}(R, C, V)."
            mistake = Mistake(f"no clause gives cells their values from grid {grid}", None, hint)
            raise SpecError([mistake], {"": program.source})
        self._given: list[dict[str, Candidate | None]] = [dict.fromkeys(("0", *BLANKS)) for _ in self._variables]
        self._letters: list[dict[Value, str]] = [{} for _ in self._given]
        self._in_order = self._variables == list(build.model.domains)

    def __reduce__(self) -> tuple[Any, ...]:
        return Each, (self._program, self._params, self._grids, self._grid, self._strategy)

    def outcomes(self, lines: Iterable[Numbered], watch: Callable[[Effort], None] | None = None) -> Iterator[Outcome]:
        """What becomes of every line."""
        for number, puzzle in lines:
            try:
                yield Outcome(number, self.solve(puzzle, watch))
            except (NoPuzzle, SpecError, ModelError, TooLarge) as error:
                yield Outcome(number, None, str(error))
            except Stopped as limit:
                yield Outcome(number, None, f"stopped by {limit}", True)

    def solve(self, puzzle: str, watch: Callable[[Effort], None] | None = None) -> str | None:
        """The solution in the form of the puzzle, or None when there is none.

        Raises
        ------
        NoPuzzle
            If the length or a character is wrong.
        csp.Stopped
            At a limit.
        """
        self.asked += 1
        self._check_length(puzzle)
        try:
            found = [*filter(None, map(dict.__getitem__, self._given, puzzle))]
        except KeyError:
            found = [given for known in enumerate(puzzle) if (given := self._learn(*known))]
        givens: dict[str, Value] = dict(found)
        if len(givens) < len(found) and any(givens[variable] != value for variable, value in found):
            return None
        solver = self._solver
        if self._rebuild:
            solver, givens = Solver(self.model(puzzle), strategy=self._strategy), {}
        answers = solver.solutions(givens, watch=watch)
        solution = next(answers, None)
        self.effort.add(answers.effort)
        if answers.stopped:
            raise Stopped(answers.stopped)
        if solution is None:
            return None
        values = solution.values() if self._in_order else [solution[variable] for variable in self._variables]
        try:
            return "".join(map(dict.__getitem__, self._letters, values))
        except KeyError:
            return "".join([self._write(*known) for known in enumerate(values)])

    def confirms(self, puzzle: str, answer: str) -> bool:
        """Whether an answer from elsewhere is one, by the meaning of every constraint.

        Where the spec has variables besides those of the cells, a search must find values for them.
        """
        try:
            self._check_length(answer)
            asked, found = ([self._learn(*known) for known in enumerate(text)] for text in (puzzle, answer))
            model = self.model(puzzle) if self._rebuild else self._solver.model
        except (NoPuzzle, SpecError):
            return False
        values: dict[str, Value] = dict(filter(None, found))
        if len(values) < len(found) or not {*filter(None, asked)} <= values.items():
            return False
        return model.check(values) if len(values) == len(model.domains) else Solver(model).solve(values) is not None

    def model(self, puzzle: str) -> Model:
        """The model of the spec with a puzzle of one line.

        Raises
        ------
        NoPuzzle
            If the length or a character is wrong.
        SpecError
            If the spec has a mistake with this puzzle.
        """
        self._check_length(puzzle)
        for position, letter in enumerate(puzzle):
            self._learn(position, letter)
        return self._program.build(self._params, {**self._grids, self._grid: Source("the line", puzzle)}).model

    def _check_length(self, puzzle: str) -> None:
        if len(puzzle) > LONGEST:
            raise NoPuzzle(f"it has more than {LONGEST:,} characters")
        if len(puzzle) != len(self._given):
            raise NoPuzzle(f"it has {counted(len(puzzle), 'character')}, and the grid has {len(self._given)} cells")

    def _cells(self) -> list[Variable]:
        """The variables of the square that the grid fills, row by row; none if some cell has no variable of its own."""
        side = 0
        while self._about(side + 1, 1) and self._about(1, side + 1):
            side += 1
        every = [self._about(row, column) for row in range(1, side + 1) for column in range(1, side + 1)]
        return [variable for about in every for variable in about] if all(len(about) == 1 for about in every) else []

    def _about(self, row: int, column: int) -> set[Variable]:
        """The variables that facts of a place are about."""
        found = {clause.variable(row, column) for clause in self._clauses}
        return {variable for variable in found if variable is not None}

    def _fact(self, row: int, column: int, token: str) -> Candidate:
        """The given that follows from one fact."""
        fact = (row, column, token_value(token, self._digits))
        match [constraint for clause in self._clauses for constraint in clause.constraints(fact)]:
            case [Constraint(given=(variable, value))]:
                return variable, value
        raise Mistake(f"{token} gives no single cell its value")

    def _learn(self, position: int, letter: str) -> Candidate | None:
        """The given that a letter stands for, from now on known."""
        if letter in self._given[position]:
            return self._given[position][letter]
        row, column = divmod(position, self._side)
        try:
            given = self._fact(row + 1, column + 1, letter)
        except Mistake as mistake:
            raise NoPuzzle(f"{letter} in row {row + 1}, column {column + 1}: {mistake.message}") from None
        self._given[position][letter] = given
        return given

    def _write(self, position: int, value: Value) -> str:
        """The character that gives a cell this value, from now on known."""
        if known := self._letters[position].get(value):
            return known
        likely = LETTERS[value] if isinstance(value, int) and 0 <= value < len(LETTERS) else str(value)
        row, column = divmod(position, self._side)
        letters: tuple[str, ...] = (likely, *LETTERS, *LETTERS.lower())
        for letter in letters:
            try:
                if len(letter) == 1 and self._fact(row + 1, column + 1, letter)[1] == value:
                    self._letters[position][value] = letter
                    return letter
            except Mistake:
                continue
        raise NoPuzzle(f"its solution has the value {value}, which no single character stands for")


def numbered_puzzles(lines: IO[str]) -> Iterator[Numbered]:
    """The puzzles of a file with their line numbers: the first word of every line that is no comment.

    A line that is too long is told by its beginning, which is too long to be a puzzle; one without an end in sight is
    the last one.

    Examples
    --------
    >>> from io import StringIO
    >>> list(numbered_puzzles(StringIO("# easy\\n1..2 a note\\n\\n..34")))
    [(2, '1..2'), (4, '..34')]
    """
    number = 0
    while line := lines.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST and not line.endswith("\n"):
            yield number, line
            rest = (lines.readline(LONGEST) for _ in range(ENDLESS))
            if not any(not part or part.endswith("\n") for part in rest):
                raise OSError(errno.EFBIG, f"line {number:,} has no end in sight", lines.name)
        elif (words := line.split(maxsplit=1)) and not line.startswith("#"):
            yield number, words[0]
