"""Reads params and grids.

It decides whether the capital letters of a picture are digits above nine: values that clauses compare with numbers are
numbers, and values that they compare with symbols are symbols.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from csp import Value

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Source, Suggestion, suggest_name
from ...syntax.grids import CAPITALS, LETTERS, CellFact, Size, has_digits, read_grid
from ...syntax.vocabulary import FUNCTIONS
from ...syntax.write import write
from ..expressions.binding import binders
from ..expressions.compiler import Compiler
from ..expressions.names import Names, Relation
from .definitions import mentioned_words, sort_by_need

ColumnOrVariable = tuple[Any, ...]
"""A column of a relation, ``(name, number)``, or a logical variable, ``(clause, scope, name)``."""

VALUE = 2
"""The column of a grid's relation that holds the values of its cells."""


def read_params(
    clauses: Iterable[nodes.Clause], overrides: Mapping[str, Value], names: Names, diagnostics: Diagnostics
) -> None:
    """Evaluate the params into ``names``, each after the params that it uses.

    ``overrides`` replace values of the spec; an unknown name among them is reported.
    """
    params = {clause.name: clause for clause in clauses if isinstance(clause, nodes.Param)}
    names.overrides = overrides
    for name in overrides:
        if name not in params:
            hint = suggest_name(name, params) or f"declare it in the spec, param {name} = 9."
            diagnostics.append(Diagnostic("unknown-input", f"unknown param: {name}", None, hint))
    # Sort the params by dependence; a value of the caller depends on nothing.
    needs = {
        name: set() if name in overrides else mentioned_words(clause.value) & params.keys()
        for name, clause in params.items()
    }
    for name in sort_by_need(needs, {name: clause.at for name, clause in params.items()}, diagnostics):
        if name in overrides:
            names.params[name] = overrides[name]
        elif needs[name] <= names.params.keys():  # otherwise another diagnostic reports the cause
            with diagnostics.collecting(params[name].value.at):
                names.params[name] = Compiler(names).value(params[name].value)({})


def read_grids(
    clauses: Iterable[nodes.Clause], replacements: Mapping[str, Source], names: Names, diagnostics: Diagnostics
) -> dict[str, dict[CellFact, nodes.Place]]:
    """Read the grids into relations of ``names``; return the places of cells by grid.

    ``replacements`` replace grids of the spec. Unknown names, missing grids and misread letters are reported.
    """
    clauses = list(clauses)
    grids = {clause.name: clause for clause in clauses if isinstance(clause, nodes.Grid)}
    for name in replacements:
        if name not in grids:
            hint = explain_unknown_grid(name, clauses)
            diagnostics.append(Diagnostic("unknown-input", f"unknown grid: {name}", None, hint))
    # Decide in which grids capital letters are digits.
    columns = Columns(clauses, names)
    names.digits |= columns.digits
    cells: dict[str, dict[CellFact, nodes.Place]] = {}
    # Read each picture: the caller's, or the one of the spec.
    for name, grid in grids.items():
        with diagnostics.collecting():
            if name not in replacements and grid.text is None:
                hint = f'end the clause with a picture, = "...", or supply one by --grid {name}=FILE'
                raise Diagnostic("missing-grid", f"grid {name} has no picture", grid.at, hint)
            size = grid_size(grid, names)
            text, at = (replacements[name].text, None) if name in replacements else (grid.text or "", grid.text_at)
            cells[name] = read_grid(text, name, at, size=size, digits=name in names.digits)
            names.relations[name] = Relation(cells[name])
    # Report letters that the picture reads in another way than the clauses.
    if not diagnostics:
        diagnostics += columns.find_misread_letters(cells)
    return cells


def explain_unknown_grid(name: str, clauses: Iterable[nodes.Clause]) -> str:
    """Return the hint for an unknown grid.

    It names the grids of the spec, or clauses that add the unknown one.
    """
    clauses = list(clauses)
    grids = [clause.name for clause in clauses if isinstance(clause, nodes.Grid)]
    names_of_grids = f"the spec has the grid {' and the grid '.join(grids)}" if grids else ""
    added = f"add these two clauses to the spec: {_write_grid_clauses(name, clauses)}"
    return suggest_name(name, grids) or names_of_grids or added


def _write_grid_clauses(name: str, clauses: Iterable[nodes.Clause]) -> str:
    """Write clauses that declare a grid and set variables from it.

    The variables are the first family with rows and columns.
    """
    family, words, ends = "cell", ["R", "C"], {"R": "9", "C": "9"}
    for clause in clauses:
        match clause:
            case nodes.Rule(_, _, nodes.Declaration(_, (nodes.Call(_, declared, arguments), *_)), body):
                last_of = dict(filter(None, map(_last_value, body)))
                words_of = [part.name for part in arguments if isinstance(part, nodes.Logical) and part.name in last_of]
                if len(words_of) == len(arguments) == 2:
                    family, words, ends = declared, words_of, last_of
                    break
    value = "V" if "V" not in words else "Value"
    row, column = words
    given = f"{family}({row}, {column}) = {value} :- {name}({row}, {column}, {value})."
    return f"grid {name}({ends[row]}, {ends[column]}). and {given}"


def _last_value(literal: nodes.Condition) -> tuple[str, str] | None:
    """Return the variable and the last value of ``R in 1..n`` as texts; else None."""
    match literal:
        case nodes.Declaration(
            _, (nodes.Logical(_, word),), nodes.Union(_, (nodes.Range(_, nodes.Constant(_, 1), high),))
        ):
            return word, write(high)
    return None


def grid_size(grid: nodes.Grid, names: Names) -> Size | None:
    """Evaluate the declared size of a grid; return None if none is declared."""
    return grid.size and Size(*[_evaluate_side(side, names) for side in grid.size])


def _evaluate_side(node: nodes.Expr, names: Names) -> int:
    """Evaluate a grid's number of rows or columns; refuse all but positive integers."""
    value = Compiler(names).value(node)({})
    names.refuse_override(value)
    if not isinstance(value, int) or value < 1:
        hint = f"write param {value} = 9. or include its file" if isinstance(value, str) else ""
        raise Diagnostic("grid-shape", f"a grid needs positive integers as its size, found {value}", node.at, hint)
    return value


class Columns:
    """A union-find structure of relations' columns and logical variables.

    Clauses that compare two of them, or use one word for both, put both into one class. A class is numeric if a
    clause compares one of its members with a number.

    Attributes
    ----------
    digits : set of str
        The grids whose capital letters are digits: their own pictures have numbers, or clauses compare their values
        with numbers. Pictures that replace them change nothing.
    """

    def __init__(self, clauses: Iterable[nodes.Clause], names: Names) -> None:
        self._names = names
        self._parent: dict[ColumnOrVariable, ColumnOrVariable] = {}
        self._numeric: set[str] = set()
        self._symbols: dict[ColumnOrVariable, list[tuple[str, nodes.Place]]] = defaultdict(list)
        clauses = list(clauses)
        self._grids = [clause for clause in clauses if isinstance(clause, nodes.Grid)]
        # Pictures with digits are numeric.
        numbers = {(grid.name, VALUE) for grid in self._grids if has_digits(grid.text or "")}
        rules = [clause for clause in clauses if isinstance(clause, nodes.Rule)] if self._grids else []
        # Variables with numbers in their domains are numeric.
        self._numeric.update(self._families_of_numbers(rules))
        # Collect head and body of each clause; a fact without variables contributes its term only.
        clause_parts: list[tuple[object, Sequence[nodes.Condition]]] = [
            (rule.head if nodes.fact_values(rule) is None else rule.head.term, rule.body)  # type: ignore[union-attr]
            for rule in rules
        ]
        clause_parts += [(clause.items, clause.body or ()) for clause in clauses if isinstance(clause, nodes.Show)]
        clause_parts += [(clause.item, clause.body or ()) for clause in clauses if isinstance(clause, nodes.Draw)]
        # Merge what is compared, and collect columns and variables that are compared with numbers.
        for number, (subject, body) in enumerate(clause_parts if self._grids else ()):
            if isinstance(subject, nodes.Call):
                numbers.update(self._note_columns(subject, {}))
            else:
                numbers.update(self._note_numbers((subject, body), dict.fromkeys(binders(body), (number,))))
        # A grid is numeric if its column of values is in the class of a numeric member.
        numeric_roots = {self._find_root(member) for member in numbers}
        self.digits = {grid.name for grid in self._grids if self._find_root((grid.name, VALUE)) in numeric_roots}

    def find_misread_letters(self, cells: Mapping[str, Iterable[CellFact]]) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each letter that a grid and a clause read differently.

        One reads it as a number above nine, the other as a symbol; or they differ in case.
        """
        # Collect the symbols that each class is compared with, and where.
        places_by_root: dict[ColumnOrVariable, dict[str, nodes.Place]] = defaultdict(dict)
        for member, symbols in self._symbols.items():
            for symbol, at in symbols:
                places_by_root[self._find_root(member)].setdefault(symbol, at)
        # Compare them with the values that the picture has.
        for grid in self._grids:
            values = {value for _, _, value in cells[grid.name]}
            places = places_by_root[self._find_root((grid.name, VALUE))]
            for symbol, at in places.items():
                letter, small = symbol.upper(), symbol.lower()
                if letter not in CAPITALS or symbol in values:
                    continue
                if (number := LETTERS.index(letter)) in values and grid.name in self.digits:
                    message = f"{letter} in grid {grid.name} is the number {number}, and not the symbol {symbol}"
                    hint = f"capital letters are digits above nine here; write a small {small}, in the picture too"
                    yield Diagnostic("grid-entry", message, at, hint)
                elif letter in values and letter not in places:
                    hint = Suggestion(f"write the capital letter as '{letter}'", f"'{letter}'")
                    yield Diagnostic("grid-entry", f"grid {grid.name} contains {letter}, but not {symbol}", at, hint)

    def _families_of_numbers(self, rules: Iterable[nodes.Rule]) -> Iterator[str]:
        """Yield the families of variables whose domains are certain to contain a number."""
        for rule in rules:
            match rule.head:
                case nodes.Declaration(_, terms, nodes.Union(_, parts)) if any(map(self._is_number, parts)):
                    yield from (getattr(term, "name", "") for term in terms)

    def _is_number(self, node: nodes.Range | nodes.Expr) -> bool:
        """Return whether an expression is certain to be a number."""
        match node:
            case nodes.Range() | nodes.Operation() | nodes.Constant(_, int()):
                return True
            case nodes.Call(_, name) if name in FUNCTIONS:
                return True
            case nodes.Name(_, name) | nodes.Call(_, name) | nodes.Logical(_, name):
                return isinstance(self._names.params.get(name), int) or name in self._numeric
        return False

    def _find_root(self, member: ColumnOrVariable) -> ColumnOrVariable:
        """Return the representative of a member's union-find class; shorten the path to it."""
        while (parent := self._parent.get(member, member)) != member:
            member = self._parent[member] = self._parent.get(parent, parent)
        return member

    def _note_comparison(self, member: ColumnOrVariable, node: Any, scope: Mapping[str, ColumnOrVariable]) -> bool:
        """Record that ``member``, a column or logical variable, is compared with ``node``.

        Merges the two, if ``node`` is such a member, too. Returns whether ``node`` is a number.
        """
        if other_member := _find_member(node, scope):
            self._parent[self._find_root(other_member)] = self._find_root(member)
        elif symbol := self._find_symbol(node):
            self._symbols[member].append((symbol, node.at))
        return not other_member and self._is_number(node)

    def _find_symbol(self, node: Any) -> str:
        """Return the symbol that an expression denotes, or an empty text."""
        match node:
            case nodes.Constant(_, str(symbol)):
                return symbol
            case nodes.Name(_, name) if name not in {*self._names.params, *self._names.families}:
                return name
        return ""

    def _note_columns(self, term: nodes.Call, scope: Mapping[str, ColumnOrVariable]) -> Iterator[ColumnOrVariable]:
        """Record a relation's term; yield its columns whose argument is a number."""
        for column, argument in enumerate(term.arguments if term.name in self._names.arities else ()):
            if self._note_comparison((term.name, column), argument, scope):
                yield term.name, column

    def _note_numbers(self, node: Any, scope: Mapping[str, ColumnOrVariable]) -> Iterator[ColumnOrVariable]:
        """Record the comparisons in ``node``; yield columns and variables that it uses as numbers.

        They are ordered, calculated with, or compared with a number.
        """
        waiting = [(node, scope)]
        while waiting:
            node, scope = waiting.pop()
            # `pairs` are compared with each other; `numbers` are used in arithmetic or ordered.
            pairs: list[tuple[Any, Any]] = []
            numbers: Iterable[Any] = ()
            match node:
                case nodes.Comparison(_, left, relation, right):
                    pairs = [(left, right), (right, left)]
                    numbers = () if relation in ("=", "!=") else (left, right)
                case nodes.Declaration(_, (term,), nodes.Union(_, parts)):
                    pairs = [(term, part) for part in parts]
                case nodes.Operation(_, _, left, right) | nodes.Range(_, left, right):
                    numbers = left, right
                case nodes.Listing(body=body) | nodes.Comprehension(body=body):
                    scope = _enter_comprehension(node, body, scope)
                case nodes.Call(_, name, arguments, body):
                    scope = _enter_comprehension(node, body, scope)
                    numbers = arguments if name in FUNCTIONS else ()
                    yield from self._note_columns(node, scope)
            # Visit the pairs, then the parts.
            for side, other_side in pairs:
                if (member := _find_member(side, scope)) and self._note_comparison(member, other_side, scope):
                    yield member
            yield from (member for side in numbers if (member := _find_member(side, scope)))
            waiting += [(part, scope) for part in nodes.inner(node) if part.__class__ not in nodes.LEAVES]


def _enter_comprehension(
    node: nodes.Node, body: Sequence[nodes.Condition] | None, scope: Mapping[str, ColumnOrVariable]
) -> Mapping[str, ColumnOrVariable]:
    """Return the scope inside a comprehension, with the logical variables that its body binds."""
    return scope if body is None else {**dict.fromkeys(binders(body), tuple(node.at)), **scope}


def _find_member(node: Any, scope: Mapping[str, ColumnOrVariable]) -> ColumnOrVariable | None:
    """Return the key of a logical variable in the union-find structure, or None."""
    if isinstance(node, nodes.Logical) and node.name in scope:
        return (*scope[node.name], node.name)
    return None
