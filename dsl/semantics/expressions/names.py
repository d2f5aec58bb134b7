"""Stores the meanings of a spec's names: params, grids, relations, families and constraints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from csp import Affine, Constraint, Domain, Equality, Rows, Value, Variable, counted, quoted

from ...syntax import nodes
from ...syntax.errors import IMPLICATION, Diagnostic, Edit, Source, Suggestion, suggest_name
from ...syntax.habits import QUANTIFIERS, WORDS
from ...syntax.limits import LIMITS, Limits
from ...syntax.vocabulary import CONSTRAINTS, FUNCTIONS, RESERVED
from ...syntax.write import write

UNSOLVED = "a body is evaluated before solving and cannot use the puzzle variable"
"""Reason for refusing a puzzle variable in a body."""

INDEX = "an index is evaluated before solving and cannot use the puzzle variable"
"""Reason for refusing a puzzle variable in an index."""

LABEL = "a label cannot use the puzzle variable"
"""Reason for refusing a puzzle variable in a label."""

NEEDED = "expected a number or a symbol, found the puzzle variable"
"""Reason for refusing a puzzle variable where a known value is necessary."""

Row = tuple[Value, ...]
"""A tuple of a relation."""

Term = Value | Affine
"""The value of an expression: a number, a symbol, or an expression in puzzle variables."""

Env = Mapping[str, Value]
"""An environment: the values of the bound logical variables."""

Evaluate = Callable[[Env], Any]
"""A compiled expression: a function from an environment to its value."""

DomainOf = Callable[[Env], Sequence[Value]]
"""A compiled domain: a function from an environment to values."""

ListElement = tuple[Any, nodes.Argument]
"""The value of an element of a list, and its syntax; the value of a list inside a list is a tuple of elements."""

ConditionalElement = tuple[Constraint | bool, Callable[[], Any], nodes.Argument]
"""The condition that selects an element, a function that evaluates the element, and its syntax."""


class Relation:
    """A set of rows of equal length, with indexes of columns built on demand.

    Rows keep the order of insertion. The first lookup by a set of columns builds its index.

    Examples
    --------
    >>> border = Relation([("wa", "nt"), ("wa", "sa")])
    >>> border.matching((0,), ("wa",))
    [('wa', 'nt'), ('wa', 'sa')]
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows: dict[Row, None] = dict.fromkeys(rows)
        self._rows_tuple: Rows | None = None
        self._indexes: dict[tuple[int, ...], dict[Row, list[Row]]] = {}

    @property
    def rows(self) -> Rows:
        """The rows of the relation; the same object until a row is added."""
        if self._rows_tuple is None:
            self._rows_tuple = Rows(self._rows)
        return self._rows_tuple

    def __contains__(self, row: Row) -> bool:
        return row in self._rows

    def add(self, row: Row) -> None:
        """Add a row unless the relation has it already; update the indexes."""
        if row in self._rows:
            return
        self._rows[row] = None
        self._rows_tuple = None
        # Keep the indexes up to date.
        for columns, index in self._indexes.items():
            index.setdefault(tuple([row[column] for column in columns]), []).append(row)

    def replace_rows(self, rows: Iterable[Row]) -> None:
        """Replace all rows of the relation by other rows."""
        self._rows = dict.fromkeys(rows)
        self._rows_tuple = None
        self._indexes.clear()

    def matching(self, columns: tuple[int, ...], key: Row) -> list[Row]:
        """Return the rows that have the values ``key`` in ``columns``, in order of insertion.

        O(1) once the columns are indexed.
        """
        if columns not in self._indexes:
            index: dict[Row, list[Row]] = {}
            for row in self._rows:
                index.setdefault(tuple(row[column] for column in columns), []).append(row)
            self._indexes[columns] = index
        return self._indexes[columns].get(key, [])

    def ascending(self, columns: tuple[int, ...], key: Row) -> list[Row]:
        """Return the rows that have the values ``key`` in ``columns``, in ascending order."""
        return ascending(self.matching(columns, key))


def ascending(rows: Iterable[Row]) -> list[Row]:
    """Sort rows in lexicographic order; integers precede symbols.

    Examples
    --------
    >>> ascending([("b", 1), (10, 2), (9, "a"), (9, 7), ("a", 3)])
    [(9, 7), (9, 'a'), (10, 2), ('a', 3), ('b', 1)]
    """
    return sorted(rows, key=lambda row: [(isinstance(value, str), value) for value in row])


class Names:
    """The meanings of a spec's names, and the budgets of instances and labels.

    Attributes
    ----------
    relations : dict of str to Relation
        The relations that are computed already, grids included.
    families : set of str
        The families of puzzle variables; a plain variable is a family, too.
    digits : set of str
        The grids whose capital letters are digits above nine.
    named : dict of str to list of nodes.Rule
        The definitions of the named constraints.
    expansions : int
        Number of named constraints that have been expanded.
    shared_equalities : dict
        The equalities inside other constraints, made once each.
    instances_left : int
        Number of instances that the clauses may still make.
    clauses : list of nodes.Clause
        The clauses of the spec, for hints.
    sources : mapping of str to Source
        The texts of the spec, for hints.
    overrides : mapping of str to value
        The params that the caller sets.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.params: dict[str, Value] = {}
        self.arities: dict[str, int] = {}
        self.relations: dict[str, Relation] = {}
        self.families: set[str] = set()
        self.variables: dict[Row, Affine] = {}
        self.domains: dict[Variable, Domain] = {}
        self.digits: set[str] = set()
        self.named: dict[str, list[nodes.Rule]] = {}
        self.expansions = 0
        self.shared_equalities: dict[tuple[Variable, Value, bool, bool], Equality] = {}
        self.instances_left, self._characters_left = limits.instances, limits.labels
        self.clauses: list[nodes.Clause] = []
        self.sources: Mapping[str, Source] = {}
        self.overrides: Mapping[str, Value] = {}

    def declarations(self, family: object) -> Iterator[tuple[nodes.Rule, nodes.Expr]]:
        """Yield the clauses that declare a family, each with its term of the family."""
        for clause in self.clauses:
            if isinstance(clause, nodes.Rule) and isinstance(clause.head, nodes.Declaration):
                yield from ((clause, term) for term in clause.head.terms if getattr(term, "name", "") == family)

    def refuse_override(self, symbol: object) -> None:
        """Raise an error if ``symbol`` is the value of a param that the caller sets."""
        name = next((name for name, value in self.overrides.items() if value == symbol), None)
        if isinstance(symbol, str) and name is not None:
            message = f"param {name} is set to {symbol}, but must be a number"
            raise Diagnostic("symbol-not-number", message, None, f"set {name} to a number, as in {name}=3", once=True)

    def spend(self, instances: int, at: nodes.Place) -> None:
        """Subtract instances from the budget; raise an error if it is exceeded."""
        self.instances_left -= instances
        self.require_budget(0, at)

    def require_budget(self, instances: int, at: nodes.Place) -> None:
        """Raise an error if fewer than ``instances`` instances are left in the budget."""
        if self.instances_left < instances:
            raise Diagnostic(
                "too-large", f"this makes more than {self.limits.instances:,} instances", at, "narrow its ranges"
            )

    def spend_label(self, text: str, at: nodes.Place) -> None:
        """Subtract a label's length from the budget of characters.

        Raises an error if the budget is exceeded.
        """
        self._characters_left -= len(text)
        if self._characters_left < 0:
            message = f"with this all labels together have more than {self.limits.labels:,} characters"
            raise Diagnostic("too-large", message, at, "shorten the label")

    def relation(self, term: nodes.Expr) -> tuple[Relation, tuple[nodes.Argument, ...]]:
        """Return the relation that a term names, and the arguments; refuse any other term."""
        if not isinstance(term, nodes.Call | nodes.Name):
            hint = f"write {term.name} in 1..9" if isinstance(term, nodes.Logical) else ""
            raise Diagnostic("no-condition", "expected a condition: a relation, a comparison or in", term.at, hint)
        name, arguments = term.name, nodes.arguments(term)
        at = term.at._replace(width=len(name))
        # Explain a term that names no relation.
        if name in self.families:
            raise Diagnostic("variable-in-body", f"{UNSOLVED} {name}", at, IMPLICATION)
        if name in RESERVED:
            reason = "is a constraint; write it before :-" if name in CONSTRAINTS else "is a function, not a condition"
            raise Diagnostic("no-condition", f"{name} {reason}", at)
        if name not in self.arities:
            if name in QUANTIFIERS:
                message = f'"{name}" is not part of the language'
                raise Diagnostic("unknown-relation", message, at, _write_quantifier(term))
            fact = f"{name}({', '.join(map(str, range(1, len(arguments) + 1)))})" if arguments else name
            other = f'by a picture, grid {name} = "..."' if len(arguments) == 3 else f"as empty, {fact} :- 1 = 2."
            hint = WORDS.get(name) or suggest_name(name, self.arities) or f"define it by facts, {fact}. or {other}"
            raise Diagnostic("unknown-relation", f"unknown relation or grid: {name}", at, hint)
        # Explain wrong arguments, and a relation that is not computed yet.
        if self.arities[name] != len(arguments):
            row = next(iter(self.relations[name].rows), ()) if name in self.relations else ()
            hint = f"one fact is {name}({', '.join(map(quoted, row))})" if row else ""
            raise Diagnostic(
                "wrong-arguments",
                f"{name} needs {counted(self.arities[name], 'argument')}, found {len(arguments)}",
                at,
                hint,
            )
        if isinstance(term, nodes.Call) and term.body is not None:
            raise Diagnostic("misplaced-generators", f"{name} is a relation and has no generators", at)
        if name not in self.relations:
            raise Diagnostic("read-later", f"a param cannot use {name}: params are read before relations", at)
        return self.relations[name], arguments

    def refuse_word(self, name: str, scope: Scope, at: nodes.Place) -> NoReturn:
        """Raise the error for a capitalised name that is neither bound nor a puzzle variable."""
        reason = "no clause declares it"
        if scope.bound:
            reason = "no condition gives it one, and no clause declares it"
        elif scope.chooses_index:
            reason = f"this clause does not say what {name} is"
        message = f"{name} has no value: {reason}"
        hint = suggest_name(name, [*self.families, *self.params, *scope.bound])
        if scope.refusal == LABEL and scope.bound:
            message = f"{name} has no value: no condition gives it one"
            hint = f"write a variable of the body: {', '.join(sorted(scope.bound))}"
        if not hint and scope.refusal and not scope.chooses_index and name[0].isupper():
            message = f"{name} is read as a variable, because it begins with a capital letter"
        raise Diagnostic("unbound-variable", message, at, hint or _guess_meaning(name, scope))

    def refuse_call(self, node: nodes.Call) -> NoReturn:
        """Raise the error for a term that is neither a puzzle variable nor a function."""
        name, at = node.name, node.at._replace(width=len(node.name))
        if name in CONSTRAINTS:
            raise Diagnostic("no-value", f"{name} is a constraint and has no value", at)
        if name in self.named:
            raise Diagnostic("no-value", f"{name} is a named constraint and has no value", at)
        if name in self.params:
            raise Diagnostic("wrong-arguments", f"{name} is a param and has no arguments", at)
        if name in self.arities:
            raise Diagnostic(
                "no-value", f"{name} is a relation and has no value", at, f"write {name}(...) in the body, after :-"
            )
        if hint := WORDS.get(name) or suggest_name(name, [*self.families, *self.arities, *FUNCTIONS]):
            raise Diagnostic("unknown-name", f"unknown name: {name}", at, hint)
        # Nothing is similar: show how a variable is declared.
        words = indices(len(node.arguments))
        declaration = f"{name}({', '.join(words)}) in 1..9 :- {', '.join(f'{word} in 1..9' for word in words)}."
        raise Diagnostic(
            "unknown-name",
            f"unknown name: {name}",
            at,
            Suggestion(f"declare a variable: {declaration}", Edit(at._replace(column=1, width=0), f"{declaration}\n")),
            once=True,
        )

    def refuse_undeclared(self, key: Row, node: nodes.Argument) -> NoReturn:
        """Raise the error for a variable with undeclared indices; ``key`` is family and indices."""
        family, *index = key
        declared_indices = [declared_key[1:] for declared_key in self.variables if declared_key[0] == family]
        if not declared_indices:
            raise Diagnostic(
                "nothing-declared",
                f"the declaration of {family} declares no variable: its generators are empty",
                node.at,
            )
        # The number of indices is wrong for all declared variables.
        same_length = [declared for declared in declared_indices if len(declared) == len(index)]
        if not same_length:
            *lower_arities, highest_arity = sorted({len(declared) for declared in declared_indices})
            arities = " or ".join([*map(str, lower_arities), counted(highest_arity, "index", "indices")])
            hint = self._write_declared(family, highest_arity, bool(index), node.at)
            raise Diagnostic("wrong-arguments", f"{family} needs {arities}, found {len(index)}", node.at, hint)
        # The number is right, and an index is out of range.
        ranges = ", ".join(_write_span(column) for column in zip(*same_length, strict=True))
        variable = Variable(str(family), *index)
        same_types = [
            Variable(str(family), *declared)
            for declared in same_length
            if [*map(type, declared)] == [*map(type, index)]
        ]
        hint = suggest_name(variable, same_types) if any(isinstance(part, str) for part in index) else ""
        # Without a symbol, the first index outside its range is explained.
        for value, column, argument in zip(index, zip(*same_length, strict=True), nodes.arguments(node), strict=True):
            if not hint and isinstance(value, int) and value not in column:
                hint = _restrict(argument, column)
        raise Diagnostic(
            "unknown-index", f"{variable} does not exist: the indices of {family} are {ranges}", node.at, hint
        )

    def _write_declared(self, family: Value, arity: int, has_index: bool, at: nodes.Place) -> str:
        """Return a hint that shows a family as its declaration does.

        Without ``has_index``, the hint shows all variables of the family.
        """
        rule, term = next(pair for pair in self.declarations(family) if len(nodes.arguments(pair[1])) == arity)
        if has_index or not rule.body:
            return f"write {write(term)}, as in {term.at.line_from(at)}"
        return f"all of them are {write(term)} : {', '.join(map(write, rule.body))}"

    def refuse_late_generator(self, items: Sequence[nodes.Argument], number: int, name: str) -> NoReturn:
        """Raise the error for a comma before the generator of ``name``.

        The generator is the item ``number`` of a list.
        """
        at = items[number].at
        before = self.sources[at.file].text.split("\n")[at.line - 1][: at.column - 1].rstrip()
        comma = at._replace(column=len(before), width=1) if before.endswith(",") else None
        elements, generators = [", ".join(map(write, part)) for part in (items[:number], items[number:])]
        hint = Suggestion(f"write a colon for it: {elements} : {generators}", *([Edit(comma, " :")] if comma else []))
        message = f"expected a colon before the generator of {name}, found a comma"
        raise Diagnostic("misplaced-generators", message, comma or at, hint)


class Scope(NamedTuple):
    """The context of an expression: bound logical variables, and if puzzle variables are allowed.

    A capitalised name that is not bound is a puzzle variable. A non-empty ``refusal`` forbids puzzle variables, and
    says why.
    """

    bound: Collection[str] = ()
    refusal: str = ""
    is_index: bool = False

    @property
    def chooses_index(self) -> bool:
        """Whether the expression is an index of a puzzle variable."""
        return self.is_index or self.refusal == INDEX


def indices(count: int) -> list[str]:
    """Return example names of ``count`` indices, at most nine: I, J, K and so on.

    Examples
    --------
    >>> indices(2)
    ['I', 'J']
    """
    return [chr(ord("I") + i) for i in range(min(count, 9))]


def _guess_meaning(name: str, scope: Scope) -> str:
    """Return the hint for a capitalised name without a value, by where it is used."""
    if name in ("True", "False"):
        value = str(int(name == "True"))
        return Suggestion(f"write {value}", value)
    if scope.chooses_index:
        return f"add a body, :- {name} in 1..9"
    if scope.refusal:
        symbol = name.lower().lstrip("_")
        return Suggestion(f"write {symbol} for a symbol, or '{name}' in quotes", symbol, f"'{name}'")
    return f"declare a puzzle variable, {name} in 1..9."


def _write_quantifier(term: nodes.Call | nodes.Name) -> str:
    """Return the hint for ``all(...)`` or ``any(...)``: a count of conditions."""
    meaning, negation, relation = QUANTIFIERS[term.name]
    items, body = nodes.arguments(term), term.body if isinstance(term, nodes.Call) else None
    if not items:
        return f"{meaning}, write count({negation}x(I) = 1 : I in 1..3) {relation}"
    conditions = [nodes.Negation(item.at, item) if negation else item for item in items]  # type: ignore[arg-type]
    text = f"{write(nodes.Call(term.at, 'count', tuple(conditions), body))} {relation}"
    return Suggestion(f"{meaning}, write {text}", Edit(term.at, text))


def _restrict(argument: nodes.Argument, column: Collection[Value]) -> str:
    """Return a hint that keeps an index within the declared values of its column."""
    name, shift = "", 0
    match argument:
        case nodes.Logical():
            name = argument.name
        case nodes.Operation(_, "+" | "-" as sign, nodes.Logical(_, word), nodes.Constant(_, int(step))):
            name, shift = word, step if sign == "+" else -step
    allowed = [value for value in dict.fromkeys(column) if isinstance(value, int) and value + shift in column]
    return f"use {name} in {_write_span(allowed)}" if name and allowed else f"write an index of {_write_span(column)}"


def _write_span(values: Iterable[Value]) -> str:
    """Return an index's values as text, ``1..9`` or ``{1, 3, 7}``, for a message.

    A set is cut off after eight values.
    """
    distinct = list(dict.fromkeys(values))
    numbers = sorted(value for value in distinct if isinstance(value, int))
    if len(numbers) == len(distinct) == numbers[-1] - numbers[0] + 1:
        return f"{numbers[0]}..{numbers[-1]}"
    return f"{{{', '.join(map(str, distinct[:8]))}{', ...' if len(distinct) > 8 else ''}}}"
