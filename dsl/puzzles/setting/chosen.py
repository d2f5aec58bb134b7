"""The relations whose facts are chosen: where a fact may be, and how it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, product

from csp import CspError, Value

from ...meaning.clauses.build import Build, Program
from ...meaning.clauses.definitions import grid_size
from ...meaning.expressions.compiler import Compiler
from ...meaning.expressions.names import Row
from ...text import syntax
from ...text.editing.redraw import redrawn, size_of, unfolded
from ...text.errors import Source, near
from .choice import Choice

ROTATION, MIRROR, DIAGONAL = "rotation", "mirror", "diagonal"
EXAMPLE = "grid {name}(9, 9). cell(R, C) = V :- {name}(R, C, V)."
"""How a spec declares a grid of clues, and what they mean."""

SYMMETRIES = (ROTATION, MIRROR, DIAGONAL)


class NoClues(CspError):
    """The facts of a relation cannot be chosen; the message says why."""


class ChosenGrid:
    """A grid, of which every cell may have one of several entries.

    What cannot be left blank, as the spec would be about other variables then, can give its place to a symbol
    of the picture that stands for "no clue here"; where such a symbol is, clues may be. In a picture without numbers
    any symbol may be one.

    Attributes
    ----------
    name : str
    rows : list of tuple
        The facts that the puzzles have in common.
    filled : tuple of bool
        For each argument, whether it follows from a solution.
    """

    filled = (False, False, True)

    def __init__(self, clause: syntax.Grid, text: str, build: Build) -> None:
        self.name, self._text, self._digits = clause.name, text, clause.name in build.names.digits
        self.rows = list(build.names.relations[self.name].rows)
        has_numbers = any(isinstance(row[2], int) for row in self.rows)
        self._stand_ins: set[Value] = set() if has_numbers else {row[2] for row in self.rows}
        size = grid_size(clause, build.names) or size_of(text, self.name)
        if size is None:
            hint = f"grid {self.name}(9, 9). would say so"
            raise NoClues(f"nothing says how many rows and columns grid {self.name} has; {hint}")
        self.size = size

    def without(self) -> Iterator[list[list[Row]]]:
        """What may be left out, one after the other, and the ways to do so: all numbers, and every symbol."""
        symbols = list(dict.fromkeys(row[2] for row in self.rows if isinstance(row[2], str)))
        for kind in (None, *symbols):
            found = [row for row in self.rows if _is(row[2], kind)]
            others = [row for row in self.rows if not _is(row[2], kind)]
            if found:
                ways = [(*row[:2], symbol) for symbol in symbols if symbol != kind for row in found]
                yield [others, *[[*others, *ways[i : i + len(found)]] for i in range(0, len(ways), len(found))]]

    def leave(self, rows: list[Row]) -> None:
        """Have these facts in common."""
        old = set(self.rows)
        self._stand_ins |= {row[2] for row in rows if row not in old}
        self.rows = rows

    def places(self) -> Iterator[Row]:
        """Where a clue may be."""
        taken = {row[:2]: row[2] for row in self.rows}
        for place in product(range(1, self.size.rows + 1), range(1, self.size.columns + 1)):
            if place not in taken or taken[place] in self._stand_ins:
                yield place

    def image(self, place: Row, symmetry: str) -> Row | None:
        """Where a symmetry takes a place; None where the grid has no such symmetry."""
        row, column = int(place[0]), int(place[1])
        down, right = self.size.rows + 1 - row, self.size.columns + 1 - column
        if symmetry == DIAGONAL:
            return (column, row) if self.size.rows == self.size.columns else None
        return (down, right) if symmetry == ROTATION else (row, right)

    def together(self, chosen: Iterable[Row]) -> list[Row]:
        """The facts that the puzzles have in common, and these."""
        found = {row[:2]: row for row in [*self.rows, *chosen]}
        return [found[place] for place in sorted(found)]

    def picture(self, rows: Iterable[Row]) -> str:
        """The picture of some facts."""
        return redrawn(self._text, self.name, self.size, {(int(r), int(c)): value for r, c, value in rows})

    def line(self, rows: Iterable[Row]) -> str | None:
        """The picture in one line, if there is a character for every entry."""
        return unfolded(self.size, {(int(r), int(c)): value for r, c, value in rows}, self._digits)


class ChosenFacts:
    """A relation with plain facts, each of which may go, or be another one in the arguments that are filled in.

    Attributes
    ----------
    name, rows, filled
        As of ``ChosenGrid``.
    """

    def __init__(self, choice: Choice, program: Program, build: Build) -> None:
        self.name = choice.name
        if any((term := _fact(clause)) and term.name == self.name and term.at.file for clause in program.clauses):
            raise NoClues(
                f"facts of {self.name} are in a file that the spec includes; the ones to choose from stand in it"
            )
        facts = [term for clause in program.clauses if (term := _fact(clause)) and term.name == self.name]
        if not facts:
            names = [term.name for clause in program.clauses if (term := _fact(clause))]
            raise NoClues(f"the spec has no facts of {self.name}" + _also(near(self.name, names)))
        self.rows = [tuple([Compiler(build.names).value(one)({}) for one in term.arguments]) for term in facts]
        self.filled = choice.filled or (False,) * len(self.rows[0])
        if len(self.filled) != len(self.rows[0]):
            raise NoClues(f"the facts of {self.name} have {len(self.rows[0])} arguments, not {len(self.filled)}")
        kept = [not filled for filled in self.filled]
        self._places = list(dict.fromkeys(tuple(compress(row, kept)) for row in self.rows))

    def without(self) -> Iterator[list[list[Row]]]:
        """What may be left out: everything."""
        yield [[]]

    def leave(self, rows: list[Row]) -> None:
        """Have these facts in common."""
        self.rows = rows

    def places(self) -> Iterator[Row]:
        """The arguments that are not filled in, as the spec has them."""
        return iter(self._places)

    def image(self, place: Row, symmetry: str) -> Row | None:
        """Facts have no symmetry."""
        return None

    def together(self, chosen: Iterable[Row]) -> list[Row]:
        """These facts."""
        return [*self.rows, *chosen]


Chosen = ChosenGrid | ChosenFacts


def chosen_from(program: Program, pictures: Mapping[str, str], choices: Sequence[Choice], build: Build) -> list[Chosen]:
    """The relations that are chosen."""
    clauses = {clause.name: clause for clause in program.clauses if isinstance(clause, syntax.Grid)}
    return [
        ChosenFacts(choice, program, build)
        if choice.filled is not None
        else ChosenGrid(clauses[choice.name], pictures[choice.name], build)
        for choice in choices
    ]


def pictures_of(program: Program, grids: Mapping[str, Source], choices: Sequence[Choice]) -> dict[str, str]:
    """The templates of the grids that are chosen: the user's, those of the spec, or empty ones."""
    own = {clause.name: clause for clause in program.clauses if isinstance(clause, syntax.Grid)}
    found = {}
    for choice in choices:
        if choice.filled is None:
            if choice.name not in own:
                hint = near(choice.name, own) or f"add one, such as {EXAMPLE.format(name=choice.name)}"
                raise NoClues(f"there is no grid {choice.name} to choose from" + _also(hint))
            found[choice.name] = grids[choice.name].text if choice.name in grids else own[choice.name].text or ""
    return found


def _is(value: Value, kind: str | None) -> bool:
    return isinstance(value, int) if kind is None else value == kind


def _also(hint: str) -> str:
    return f"; {hint}" if hint else ""


def _fact(clause: syntax.Clause) -> syntax.Call | None:
    match clause:
        case syntax.Rule(_, None, syntax.Fact(_, syntax.Call(body=None) as term), ()):
            return term
    return None
