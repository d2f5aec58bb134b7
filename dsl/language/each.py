"""One spec, many puzzles: a file with a puzzle a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isqrt

from csp import Constraint, Equality, Level, Limits, Solver, Value, Variable

from . import syntax
from .errors import Mistake, Source, SpecError, plural
from .meaning.binding import all_names, binders
from .meaning.build import Program
from .meaning.compiler import compile_expression, query
from .meaning.labels import parse_label
from .meaning.names import Evaluate, Names, Scope
from .meaning.posting import compile_rule
from .text.grids import BLANKS, LETTERS, token_value

Given = tuple[Variable, Value]


class NoPuzzle(ValueError):
    """A line that is no puzzle; the message says why."""


class Each:
    """A spec compiled once without its clues, ready for puzzles of one line each.

    A given of a line follows from its own fact alone: the clauses ``cell(R, C) = V :- clue(R, C, V).`` are evaluated
    for one fact at a time and remembered. Where the grid is used for anything else, the spec is evaluated anew for
    every line.

    Parameters
    ----------
    program : Program
    params : mapping from str to value
    grids : mapping from str to Source
        The other grids of the spec.
    grid : str
        The grid that a line fills.
    level : {"singles", "arc", "domain"}

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
        level: Level = "singles",
    ) -> None:
        self._program, self._params, self._grids, self._grid, self._level = program, params, grids, grid, level
        build = program.build(params, {**grids, grid: Source(f"grid {grid}", "")})
        self._solver = Solver(build.model, level)
        users = [clause for clause in program.clauses if uses(clause, grid)]
        self._clauses = [Clause(*found, build.names) for clause in users if (found := _gives_cells(clause, grid))]
        self._rebuild = len(self._clauses) < len(users)
        self._variables = self._cells()
        self._side = isqrt(len(self._variables))
        if not self._side:
            hint = f"such as cell(R, C) = V :- {grid}(R, C, V)."
            mistake = Mistake(f"no clause gives cells their values from grid {grid}", None, hint)
            raise SpecError([mistake], {"": program.source})
        self._given: list[dict[str, Given | None]] = [dict.fromkeys(("0", *BLANKS)) for _ in self._variables]
        self._letters: list[dict[Value, str]] = [{} for _ in self._given]

    def solve(self, puzzle: str, limits: Limits | None = None) -> str | None:
        """The solution in the form of the puzzle, or None when there is none.

        Parameters
        ----------
        puzzle : str
            A character for each cell, row by row; ``0``, ``.`` and ``_`` are blank, A is 10.
        limits : Limits, optional

        Raises
        ------
        NoPuzzle
            If the length or a character is wrong.
        csp.Stopped
            At a limit.
        """
        if len(puzzle) != len(self._given):
            raise NoPuzzle(f"it has {plural(len(puzzle), 'character')}, and the grid has {len(self._given)} cells")
        givens: dict[str, Value] = {}
        for position, (known, letter) in enumerate(zip(self._given, puzzle, strict=True)):
            given = known[letter] if letter in known else self._learn(position, letter)
            if given and givens.setdefault(given[0], given[1]) != given[1]:
                return None
        solver = self._solver
        if self._rebuild:
            build = self._program.build(self._params, {**self._grids, self._grid: Source("the line", puzzle)})
            solver, givens = Solver(build.model, self._level), {}
        solution = solver.solve(givens, limits)
        if solution is None:
            return None
        return "".join(
            [
                letters.get(solution[variable]) or self._write(position, solution[variable])
                for position, (variable, letters) in enumerate(zip(self._variables, self._letters, strict=True))
            ]
        )

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

    def _fact(self, row: int, column: int, token: str) -> Given:
        """The given that follows from one fact."""
        fact = (row, column, token_value(token))
        match [constraint for clause in self._clauses for constraint in clause.constraints(fact)]:
            case [Equality(variable, value)] if not isinstance(value, Variable):
                return variable, value
        raise Mistake(f"{token} gives no single cell its value")

    def _learn(self, position: int, letter: str) -> Given:
        row, column = divmod(position, self._side)
        try:
            given = self._fact(row + 1, column + 1, letter)
        except Mistake as mistake:
            raise NoPuzzle(f"{letter} in row {row + 1}, column {column + 1}: {mistake.message}") from None
        self._given[position][letter] = given
        return given

    def _write(self, position: int, value: Value) -> str:
        """The character that gives a cell this value, from now on known."""
        likely = LETTERS[value] if isinstance(value, int) and 0 <= value < len(LETTERS) else str(value)
        row, column = divmod(position, self._side)
        for letter in (likely, *LETTERS, *LETTERS.lower()):
            try:
                if len(letter) == 1 and self._fact(row + 1, column + 1, letter)[1] == value:
                    self._letters[position][value] = letter
                    return letter
            except Mistake:
                continue
        raise NoPuzzle(f"its solution has the value {value}, which no single character stands for")


def uses(node: object, grid: str) -> int:
    """How often a relation is mentioned in a piece of syntax."""
    return sum(isinstance(part, syntax.Call | syntax.Name) and part.name == grid for part in syntax.walk(node))


def _gives_cells(clause: syntax.Clause, grid: str) -> tuple[syntax.Rule, syntax.Call] | None:
    """A clause ``cell(R, C) = V :- clue(R, C, V).`` and its term ``clue(R, C, V)``."""
    match clause:
        case syntax.Rule(_, _, syntax.Comparison(_, _, "="), body) if uses(clause, grid) == 1:
            for literal in body:
                match literal:
                    case syntax.Fact(_, syntax.Call(_, name) as term) if name == grid:
                        return clause, term
    return None


FACT = ("row", "column", "value")
"""Words that no clause can use, for what a fact of a grid says."""


class Clause:
    """A clause ``cell(R, C) = V :- clue(R, C, V).``, compiled once and then asked for one fact at a time.

    Parameters
    ----------
    rule : syntax.Rule
    fact : syntax.Call
        The term of its body that is of the grid.
    names : Names
    """

    def __init__(self, rule: syntax.Rule, fact: syntax.Call, names: Names) -> None:
        says = [
            syntax.Comparison(part.at, part, "=", syntax.Logical(part.at, word))
            for word, part in zip(FACT, fact.arguments, strict=True)
            if part != syntax.Logical(part.at, "_")
        ]
        body = [*says, *(literal for literal in rule.body if not uses(literal, fact.name))]
        self._query = query(body, names, FACT)
        self._make = compile_rule(rule, parse_label(rule.label), names, self._query.bound)
        try:
            self._variables = self._compile_variables(rule, fact, body, names)
        except Mistake:  # the place follows from the value, and so from no place alone
            self._variables = []

    def _compile_variables(
        self, rule: syntax.Rule, fact: syntax.Call, body: Iterable[syntax.Literal], names: Names
    ) -> list[Evaluate]:
        """What gives the variable once row and column are known."""
        body = list(body)
        unplaced = _following({"value"}, body, {"row", "column"} | all_names(fact.arguments[:2]))
        self._place = query([literal for literal in body if not all_names(literal) & unplaced], names, FACT[:2])
        assert isinstance(rule.head, syntax.Comparison)
        return [
            compile_expression(side, Scope(names, self._place.bound))
            for side in (rule.head.left, rule.head.right)
            if getattr(side, "name", "") in names.families and not all_names(side) & unplaced
        ]

    def constraints(self, fact: tuple[Value, ...]) -> list[Constraint]:
        """What follows from a fact.

        Raises
        ------
        Mistake
            Also if a value is outside the domain of its variable.
        """
        found = dict.fromkeys(self._make(env) for env in self._query.run(dict(zip(FACT, fact, strict=True))))
        return [constraint for constraint in found if isinstance(constraint, Constraint)]

    def variable(self, row: int, column: int) -> Variable | None:
        """The variable that a fact of this place is about, if there is one."""
        if not self._variables:
            return None
        try:
            found = [side(env) for env in self._place.run({"row": row, "column": column}) for side in self._variables]
        except Mistake:
            return None
        return next((variable for side in found for variable in side.variables), None)


def _following(words: set[str], body: Iterable[syntax.Literal], known: set[str]) -> set[str]:
    """The words, and those that have their values from them and not from what is known."""
    equations = [literal for literal in body if isinstance(literal, syntax.Comparison) and literal.relation == "="]
    found = set(words)
    while more := set().union(*(binders([e]) for e in equations if all_names(e) & found)) - known - found:
        found |= more
    return found


def puzzles(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The puzzles of a file with their line numbers: the first word of every line that is no comment.

    Examples
    --------
    >>> list(puzzles(["# easy", "1..2 a note", "", "..34"]))
    [(2, '1..2'), (4, '..34')]
    """
    for number, line in enumerate(lines, 1):
        words = line.split(maxsplit=1)
        if words and not line.startswith("#"):
            yield number, words[0]
