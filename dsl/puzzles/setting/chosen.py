"""Defines the relations whose facts are clues: their places and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, product

from csp import CspError, Value

from ...semantics.clauses.build import Build, Program
from ...semantics.clauses.inputs import explain_unknown_grid, grid_size
from ...semantics.expressions.compiler import Compiler
from ...semantics.expressions.names import Row
from ...syntax import nodes
from ...syntax.errors import Source, suggest_name
from ...syntax.grids import Size, redraw, size_of, write_in_one_line
from ...syntax.parse import parse

FORM = "less, or total(_, T) where T is to be filled in"
"""The form of a choice, for messages."""

ROTATION, MIRROR, DIAGONAL = "rotation", "mirror", "diagonal"
"""Symmetries of the places of clues in a grid."""

SYMMETRIES = (ROTATION, MIRROR, DIAGONAL)


@dataclass(frozen=True)
class Choice:
    """A grid or relation of a spec, whose entries or facts become clues.

    Attributes
    ----------
    name : str
    filled : tuple of bool or None
        For each argument, whether its value is taken from the solution. None for a grid, whose entries are.
    """

    name: str
    filled: tuple[bool, ...] | None = None


def choice_of(text: str) -> Choice:
    """Parse a value of ``--facts``, such as ``total(_, T)``, to a ``Choice``.

    The text is the name of a relation, or a term whose capitalised words are the arguments to fill in.

    Raises
    ------
    ValueError
        If the text is neither.

    Examples
    --------
    >>> choice_of("less"), choice_of("total(_, T)")
    (Choice(name='less', filled=()), Choice(name='total', filled=(False, True)))
    """
    clauses, diagnostics = parse(f"{text}.")
    match clauses if not diagnostics else ():
        case [nodes.Rule(_, None, nodes.Fact(_, nodes.Name(_, name)), ())]:
            return Choice(name, ())
        case [nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name, arguments, None)), ())]:
            names = [argument.name for argument in arguments if isinstance(argument, nodes.Logical)]
            if len(names) == len(arguments):
                return Choice(name, tuple([name != "_" for name in names]))
    raise ValueError(f"{text} is not of the form {FORM}")


class NoClues(CspError):
    """The error for a relation that cannot have clues; the message says why."""


class ChosenGrid:
    """A grid whose entries are the clues of the puzzle to create.

    An entry cannot always be left blank: without it, the spec might have other variables. Then a symbol of the grid
    that means "no clue here" replaces it, and clues may be at the places of this symbol. In a grid without numbers, any
    symbol may be replaced by a clue.

    Attributes
    ----------
    name : str
    size : GridSize
    rows : list of tuple
        The facts that all puzzles have.
    filled : tuple of bool
        For each argument, whether its value is taken from the solution.
    """

    filled = (False, False, True)

    def __init__(self, clause: nodes.Grid, text: str, build: Build) -> None:
        self.name, self._text, self._digits = clause.name, text, clause.name in build.names.digits
        self.rows = list(build.names.relations[self.name].rows)
        has_numbers = any(isinstance(row[2], int) for row in self.rows)
        self._stand_ins: set[Value] = set() if has_numbers else {row[2] for row in self.rows}
        size = grid_size(clause, build.names) or size_of(text, self.name)
        if size is None:
            hint = f"grid {self.name}(9, 9). would say so"
            raise NoClues(f"nothing says how many rows and columns grid {self.name} has; {hint}")
        self.size = size

    def removals(self) -> Iterator[list[list[Row]]]:
        """Yield for each kind of entry the alternative facts of the grid without this kind.

        A kind is all numbers, or one symbol. The first alternative removes its entries, each further one replaces them
        by another symbol.
        """
        symbols = list(dict.fromkeys(row[2] for row in self.rows if isinstance(row[2], str)))
        for kind in (None, *symbols):
            removed_rows = [row for row in self.rows if _is_of_kind(row[2], kind)]
            kept_rows = [row for row in self.rows if not _is_of_kind(row[2], kind)]
            if removed_rows:
                replaced_rows = [(*row[:2], symbol) for symbol in symbols if symbol != kind for row in removed_rows]
                yield [
                    kept_rows,
                    *[
                        [*kept_rows, *replaced_rows[i : i + len(removed_rows)]]
                        for i in range(0, len(replaced_rows), len(removed_rows))
                    ],
                ]

    def set_common_facts(self, rows: list[Row]) -> None:
        """Set ``rows``, the facts that all created puzzles have.

        A clue may replace the symbols that are new in them.
        """
        old_rows = set(self.rows)
        self._stand_ins |= {row[2] for row in rows if row not in old_rows}
        self.rows = rows

    def places(self) -> Iterator[Row]:
        """Yield the (row, column) of each cell that may have a clue."""
        values = {row[:2]: row[2] for row in self.rows}
        for place in product(range(1, self.size.rows + 1), range(1, self.size.columns + 1)):
            if place not in values or values[place] in self._stand_ins:
                yield place

    def check_size(self, used_places: Iterable[Row]) -> None:
        """Refuse a grid whose last rows or columns have neither entries nor places of clues."""
        places = [*used_places, *[row[:2] for row in self.rows]]
        rows, columns = (max(int(place[axis]) for place in places) for axis in (0, 1))
        if (rows, columns) != (self.size.rows, self.size.columns):
            used_size = Size(rows, columns)
            raise NoClues(
                f"grid {self.name} has {self.size}, and its clues can set only {used_size}"
                f"; declare it as grid {self.name}({rows}, {columns})"
            )

    def image(self, place: Row, symmetry: str) -> Row | None:
        """Return the image of a place under a symmetry, or None.

        None means that the grid does not have the symmetry.
        """
        row, column = int(place[0]), int(place[1])
        down, right = self.size.rows + 1 - row, self.size.columns + 1 - column
        if symmetry == DIAGONAL:
            return (column, row) if self.size.rows == self.size.columns else None
        return (down, right) if symmetry == ROTATION else (row, right)

    def with_common_facts(self, chosen: Iterable[Row]) -> list[Row]:
        """Return the facts that all puzzles share and the chosen clues, sorted by place.

        At equal places the clue wins.
        """
        rows_by_place = {row[:2]: row for row in [*self.rows, *chosen]}
        return [rows_by_place[place] for place in sorted(rows_by_place)]

    def picture(self, rows: Iterable[Row]) -> str:
        """Return the grid's picture with the facts ``rows`` as its entries."""
        return redraw(self._text, self.name, self.size, {(int(r), int(c)): value for r, c, value in rows})

    def line(self, rows: Iterable[Row]) -> str | None:
        """Return the grid with ``rows`` as one line, a character per cell, or None.

        None means that an entry is longer than a character.
        """
        return write_in_one_line(self.size, {(int(r), int(c)): value for r, c, value in rows}, self._digits)


class ChosenFacts:
    """A relation whose listed facts are the clues of the puzzle to create.

    Each fact may be omitted, or have other values in the arguments that are filled in.

    Attributes
    ----------
    name, rows, filled
        As in ``ChosenGrid``.
    """

    def __init__(self, choice: Choice, program: Program, build: Build) -> None:
        self.name = choice.name
        if any((term := _fact(clause)) and term.name == self.name and term.at.file for clause in program.clauses):
            raise NoClues(
                f"facts of {self.name} are in a file that the spec includes; write the clues to choose from in the spec"
            )
        facts = [term for clause in program.clauses if (term := _fact(clause)) and term.name == self.name]
        if not facts:
            names = [term.name for clause in program.clauses if (term := _fact(clause))]
            raise NoClues(f"the spec has no facts of {self.name}" + _also(suggest_name(self.name, names)))
        self.rows = [
            tuple([Compiler(build.names).value(argument)({}) for argument in term.arguments]) for term in facts
        ]
        self.filled = choice.filled or (False,) * len(self.rows[0])
        if len(self.filled) != len(self.rows[0]):
            raise NoClues(f"the facts of {self.name} have {len(self.rows[0])} arguments, not {len(self.filled)}")
        is_place_argument = [not filled for filled in self.filled]
        self._places = list(dict.fromkeys(tuple(compress(row, is_place_argument)) for row in self.rows))

    def removals(self) -> Iterator[list[list[Row]]]:
        """Yield the only alternative: to remove all facts of the relation."""
        yield [[]]

    def set_common_facts(self, rows: list[Row]) -> None:
        """Set ``rows``, the facts that all created puzzles have."""
        self.rows = rows

    def places(self) -> Iterator[Row]:
        """Yield the distinct places of the listed facts: the arguments that a solution does not fill in."""
        return iter(self._places)

    def image(self, place: Row, symmetry: str) -> Row | None:
        """Return None, because facts have no symmetry."""
        return None

    def with_common_facts(self, chosen: Iterable[Row]) -> list[Row]:
        """Return the facts of all puzzles and the chosen clues."""
        return [*self.rows, *chosen]


Chosen = ChosenGrid | ChosenFacts
"""A relation whose facts are clues."""


def chosen_from(program: Program, pictures: Mapping[str, str], choices: Sequence[Choice], build: Build) -> list[Chosen]:
    """Return a ``ChosenGrid`` or ``ChosenFacts`` for each choice."""
    clauses = {clause.name: clause for clause in program.clauses if isinstance(clause, nodes.Grid)}
    return [
        ChosenFacts(choice, program, build)
        if choice.filled is not None
        else ChosenGrid(clauses[choice.name], pictures[choice.name], build)
        for choice in choices
    ]


def pictures_of(program: Program, grids: Mapping[str, Source], choices: Sequence[Choice]) -> dict[str, str]:
    """Return a dict from each chosen grid's name to its picture.

    The picture is the caller's, or else that of the spec, or else empty.

    Raises
    ------
    NoClues
        If the spec does not declare one of the grids.
    """
    declared_grids = {clause.name: clause for clause in program.clauses if isinstance(clause, nodes.Grid)}
    texts = {}
    for choice in choices:
        if choice.filled is None:
            if choice.name not in declared_grids:
                hint = explain_unknown_grid(choice.name, program.clauses)
                raise NoClues(f"unknown grid: {choice.name}; {hint}")
            texts[choice.name] = (
                grids[choice.name].text if choice.name in grids else declared_grids[choice.name].text or ""
            )
    return texts


def _is_of_kind(value: Value, kind: str | None) -> bool:
    """Return whether a value is the symbol ``kind``, or a number for kind None."""
    return isinstance(value, int) if kind is None else value == kind


def _also(hint: str) -> str:
    """Return a hint, preceded by a semicolon, as the end of a message."""
    return f"; {hint}" if hint else ""


def _fact(clause: nodes.Clause) -> nodes.Call | None:
    """Return the term of an unlabelled fact such as ``clue(1, 2)``; None for other clauses."""
    match clause:
        case nodes.Rule(_, None, nodes.Fact(_, nodes.Call(body=None) as term), ()):
            return term
    return None
