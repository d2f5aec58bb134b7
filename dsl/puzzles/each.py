"""Solves a file that contains one puzzle per line.

The spec is compiled once, without its clues.
"""

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
    Settings,
    Solver,
    Stopped,
    TooLarge,
    Value,
    Variable,
    counted,
)

from ..semantics.clauses.build import Program
from ..semantics.clauses.clues import GridClause, count_uses, gives_cells
from ..syntax.errors import Diagnostic, Source, SpecError
from ..syntax.grids import BLANKS, LETTERS, token_value

Numbered = tuple[int, str]
"""The number of a line, from 1, and its puzzle."""


MAX_LINE_LENGTH = 100_000
"""Maximum number of characters of a line; a longer line is reported and not solved."""

MAX_SKIPPED_PIECES = 100
"""Maximum length of the rest of a line that is skipped, in pieces of ``MAX_LINE_LENGTH``; a longer line is an error."""


class NoPuzzle(ValueError):
    """The error for a line that is not a puzzle; the message says why."""


class Outcome(NamedTuple):
    """The result of a line's puzzle: a solution, no solution, or an error.

    Attributes
    ----------
    number : int
        The number of the line.
    answer : str or None
        The solution, or None if no solution exists or the line has an error.
    error : str
        The reason if the line is not a puzzle or its search stopped; else empty.
    is_stopped : bool
        Whether a limit stopped the search.
    """

    number: int
    answer: str | None
    error: str = ""
    is_stopped: bool = False


class Each:
    """A solver of one-line puzzles that share one spec, compiled only once.

    A clause such as ``cell(R, C) = V :- clue(R, C, V).`` makes a given of each character. It is evaluated for one
    fact at a time, and the result is stored. If the spec uses the grid in any other way, the whole spec is evaluated
    for every line. Pickling stores the program and its settings.

    Attributes
    ----------
    puzzle_count : int
        The number of puzzles so far.
    effort : csp.Effort
        The work of all searches so far.

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
        settings: Settings | None = None,
    ) -> None:
        self._program, self._params, self._grids, self._grid = program, params, grids, grid
        self._settings = settings
        self.puzzle_count, self.effort = 0, Effort()
        build = program.build(params, {**grids, grid: Source(f"grid {grid}", "")})
        self._solver = Solver(build.model, settings=settings)
        self._digits = grid in build.names.digits
        users = [clause for clause in program.clauses if count_uses(clause, grid)]
        # Clauses that make a given of one fact need no new evaluation of the spec.
        self._clauses = [GridClause(*match, build.names) for clause in users if (match := gives_cells(clause, grid))]
        self._rebuild = len(self._clauses) < len(users)
        self._variables = self._cells()
        self._side = isqrt(len(self._variables))
        if not self._side:
            hint = f"such as cell(R, C) = V :- {grid}(R, C, V)."
            diagnostic = Diagnostic("unused-input", f"no clause gives cells their values from grid {grid}", None, hint)
            raise SpecError([diagnostic], {"": program.source})
        # Per cell: the given of each character, None for a blank; and the character of each value.
        self._given: list[dict[str, Candidate | None]] = [dict.fromkeys(("0", *BLANKS)) for _ in self._variables]
        self._letters: list[dict[Value, str]] = [{} for _ in self._given]
        self._in_order = self._variables == list(build.model.domains)

    def __reduce__(self) -> tuple[Any, ...]:
        return Each, (self._program, self._params, self._grids, self._grid, self._settings)

    def outcomes(
        self, lines: Iterable[Numbered], progress: Callable[[Effort], None] | None = None
    ) -> Iterator[Outcome]:
        """Solve the puzzle of each line and yield its outcome."""
        for number, puzzle in lines:
            try:
                yield Outcome(number, self.solve(puzzle, progress))
            except (NoPuzzle, SpecError, ModelError, TooLarge) as error:
                yield Outcome(number, None, str(error))
            except Stopped as limit:
                yield Outcome(number, None, f"stopped by {limit}", True)

    def solve(self, puzzle: str, progress: Callable[[Effort], None] | None = None) -> str | None:
        """Return the solution of a puzzle as one line; None if it has no solution.

        Raises
        ------
        NoPuzzle
            If the length or a character is wrong.
        csp.Stopped
            At a limit.
        """
        self.puzzle_count += 1
        self._check_length(puzzle)
        try:
            # Fast path: every character has been seen at its place before.
            candidates = [*filter(None, map(dict.__getitem__, self._given, puzzle))]
        except KeyError:
            candidates = [given for entry in enumerate(puzzle) if (given := self._learn(*entry))]
        givens: dict[str, Value] = dict(candidates)
        # Two characters may fix the same variable, to different values.
        if len(givens) < len(candidates) and any(givens[variable] != value for variable, value in candidates):
            return None
        solver = self._solver
        if self._rebuild:
            solver, givens = Solver(self.model(puzzle), settings=self._settings), {}
        answers = solver.solutions(givens, progress=progress)
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
            return "".join([self._write(*entry) for entry in enumerate(values)])

    def confirms(self, puzzle: str, answer: str) -> bool:
        """Return whether an answer from another process solves a puzzle.

        It must contain the puzzle's givens and satisfy every constraint.

        If the spec has variables that are not cells, a search must find values for them.
        """
        try:
            self._check_length(answer)
            givens, candidates = ([self._learn(*entry) for entry in enumerate(text)] for text in (puzzle, answer))
            model = self.model(puzzle) if self._rebuild else self._solver.model
        except (NoPuzzle, SpecError):
            return False
        values: dict[str, Value] = dict(filter(None, candidates))
        if len(values) < len(candidates) or not {*filter(None, givens)} <= values.items():
            return False
        return model.check(values) if len(values) == len(model.domains) else Solver(model).solve(values) is not None

    def model(self, puzzle: str) -> Model:
        """Return the model of the spec with the clues of a one-line puzzle.

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
        if len(puzzle) > MAX_LINE_LENGTH:
            raise NoPuzzle(f"it has more than {MAX_LINE_LENGTH:,} characters")
        if len(puzzle) != len(self._given):
            raise NoPuzzle(f"it has {counted(len(puzzle), 'character')}, and the grid has {len(self._given)} cells")

    def _cells(self) -> list[Variable]:
        """Return the variables of the square grid's cells, row by row, or an empty list.

        The list is empty unless every cell of the square has exactly one variable.
        """
        side = 0
        while self._variables_at(side + 1, 1) and self._variables_at(1, side + 1):
            side += 1
        variables_of_cells = [
            self._variables_at(row, column) for row in range(1, side + 1) for column in range(1, side + 1)
        ]
        return (
            [variable for variables in variables_of_cells for variable in variables]
            if all(len(variables) == 1 for variables in variables_of_cells)
            else []
        )

    def _variables_at(self, row: int, column: int) -> set[Variable]:
        """Return the variables that a clue at a row and column fixes."""
        variables = {clause.variable(row, column) for clause in self._clauses}
        return {variable for variable in variables if variable is not None}

    def _given_by(self, row: int, column: int, token: str) -> Candidate:
        """Return the variable and the value that a clue gives.

        It is an error if the clue makes anything but one given.
        """
        fact = (row, column, token_value(token, self._digits))
        match [constraint for clause in self._clauses for constraint in clause.constraints(fact)]:
            case [Constraint(given=(variable, value))]:
                return variable, value
        raise Diagnostic("grid-entry", f"{token} gives no single cell its value")

    def _learn(self, position: int, letter: str) -> Candidate | None:
        """Return the given (variable and value) of a character at a position, and cache it.

        Returns None for a blank.
        """
        if letter in self._given[position]:
            return self._given[position][letter]
        row, column = divmod(position, self._side)
        try:
            given = self._given_by(row + 1, column + 1, letter)
        except Diagnostic as diagnostic:
            raise NoPuzzle(f"{letter} in row {row + 1}, column {column + 1}: {diagnostic.message}") from None
        self._given[position][letter] = given
        return given

    def _write(self, position: int, value: Value) -> str:
        """Return the character that means a value in a cell; cache it."""
        if letter_of_value := self._letters[position].get(value):
            return letter_of_value
        likely = LETTERS[value] if isinstance(value, int) and 0 <= value < len(LETTERS) else str(value)
        row, column = divmod(position, self._side)
        # Try the usual character of the value first, then all others.
        letters: tuple[str, ...] = (likely, *LETTERS, *LETTERS.lower())
        for letter in letters:
            try:
                if len(letter) == 1 and self._given_by(row + 1, column + 1, letter)[1] == value:
                    self._letters[position][value] = letter
                    return letter
            except Diagnostic:
                continue
        raise NoPuzzle(f"its solution has the value {value}, which no single character represents")


def numbered_puzzles(lines: IO[str]) -> Iterator[Numbered]:
    """Yield each puzzle of a file with its line number.

    A puzzle is the first word of a line that is not a comment. A line that is too long yields its beginning, which is
    too long to be a puzzle. If such a line does not end, it is an error.

    Raises
    ------
    OSError
        If a line is so long that its end is not found.

    Examples
    --------
    >>> from io import StringIO
    >>> list(numbered_puzzles(StringIO("# easy\\n1..2 a note\\n\\n..34")))
    [(2, '1..2'), (4, '..34')]
    """
    number = 0
    while line := lines.readline(MAX_LINE_LENGTH + 1):
        number += 1
        if len(line) > MAX_LINE_LENGTH and not line.endswith("\n"):
            yield number, line
            pieces = (lines.readline(MAX_LINE_LENGTH) for _ in range(MAX_SKIPPED_PIECES))
            if not any(not piece or piece.endswith("\n") for piece in pieces):
                raise OSError(errno.EFBIG, f"line {number:,} has no end in sight", lines.name)
        elif (words := line.split(maxsplit=1)) and not line.startswith("#"):
            yield number, words[0]
