"""What the names of a spec mean, as far as that is known yet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

from csp import Affine, Domain, Equality, Rows, Value, Variable, counted, quoted

from ...syntax import nodes
from ...syntax.errors import IMPLICATION, Diagnostic, suggest_name
from ...syntax.habits import WORDS
from ...syntax.limits import LIMITS, Limits
from ...syntax.vocabulary import CONSTRAINTS, RESERVED

UNSOLVED = "a body cannot depend on what is to be solved"
INDEX = "an index must be known beforehand"
NEEDED = "a number or a symbol is needed here"

Row = tuple[Value, ...]
Term = Value | Affine
Env = Mapping[str, Value]
Evaluate = Callable[[Env], Any]


class Relation:
    """A set of tuples of one length, in order of arrival, indexed by whatever columns are asked for.

    Examples
    --------
    >>> border = Relation([("wa", "nt"), ("wa", "sa")])
    >>> border.matching((0,), ("wa",))
    [('wa', 'nt'), ('wa', 'sa')]
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows: dict[Row, None] = dict.fromkeys(rows)
        self._all: Rows | None = None
        self._indexes: dict[tuple[int, ...], dict[Row, list[Row]]] = {}

    @property
    def rows(self) -> Rows:
        """All tuples; the same object until one is added."""
        if self._all is None:
            self._all = Rows(self._rows)
        return self._all

    def __contains__(self, row: Row) -> bool:
        return row in self._rows

    def add(self, row: Row) -> None:
        """Add a tuple; adding it again changes nothing."""
        if row in self._rows:
            return
        self._rows[row] = None
        self._all = None
        for columns, index in self._indexes.items():
            index.setdefault(tuple([row[column] for column in columns]), []).append(row)

    def become(self, rows: Iterable[Row]) -> None:
        """Have these tuples and no others."""
        self._rows = dict.fromkeys(rows)
        self._all = None
        self._indexes.clear()

    def matching(self, columns: tuple[int, ...], key: Row) -> list[Row]:
        """The tuples that have the key in these columns; O(1) after the first question about the columns."""
        if columns not in self._indexes:
            index: dict[Row, list[Row]] = {}
            for row in self._rows:
                index.setdefault(tuple(row[column] for column in columns), []).append(row)
            self._indexes[columns] = index
        return self._indexes[columns].get(key, [])

    def ascending(self, columns: tuple[int, ...], key: Row) -> list[Row]:
        """As ``matching``, in ascending order."""
        return ascending(self.matching(columns, key))


def ascending(rows: Iterable[Row]) -> list[Row]:
    """Tuples in ascending order: the first column that differs decides, integers precede symbols.

    Examples
    --------
    >>> ascending([("b", 1), (10, 2), (9, "a"), (9, 7), ("a", 3)])
    [(9, 7), (9, 'a'), (10, 2), ('a', 3), ('b', 1)]
    """
    return sorted(rows, key=lambda row: [(isinstance(value, str), value) for value in row])


class Names:
    """What the names of a spec mean, and how much of the budget of instances is left.

    Relations are those that are known yet, families include plain variables, and digits are the grids in which capital
    letters are numbers above nine; ``left`` is the rest of the budget, ``expansions`` counts the named constraints that
    have been written out, and ``inside`` has the equalities that stand inside of constraints, each once.
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
        self.inside: dict[tuple[Variable, Value, bool, bool], Equality] = {}
        self.left, self._characters_left = limits.instances, limits.labels

    def spend(self, instances: int, at: nodes.Place) -> None:
        """Take from the budget, or say that the clause is too large."""
        self.left -= instances
        self.foresee(0, at)

    def foresee(self, instances: int, at: nodes.Place) -> None:
        """Refuse a clause that is certain to make so many more instances, if the budget has fewer."""
        if self.left < instances:
            raise Diagnostic(f"this makes more than {self.limits.instances:,} instances", at, "narrow its ranges")

    def spend_label(self, text: str, at: nodes.Place) -> None:
        """Subtract a label from the characters that labels may have, or refuse it."""
        self._characters_left -= len(text)
        if self._characters_left < 0:
            message = f"with this all labels together have more than {self.limits.labels:,} characters"
            raise Diagnostic(message, at, "shorten the label")

    def relation(self, term: nodes.Expr) -> tuple[Relation, tuple[nodes.Argument, ...]]:
        """The relation that a term names, and the arguments."""
        if not isinstance(term, nodes.Call | nodes.Name):
            hint = f"write {term.name} in ..." if isinstance(term, nodes.Logical) else ""
            raise Diagnostic("a condition is a relation, a comparison or a membership", term.at, hint)
        name, arguments = term.name, nodes.arguments(term)
        at = term.at._replace(width=len(name))
        if name in self.families:
            raise Diagnostic(f"{name} is a puzzle variable: {UNSOLVED}", at, IMPLICATION)
        if name in RESERVED:
            what = "is a constraint and stands before :-" if name in CONSTRAINTS else "is a function, no condition"
            raise Diagnostic(f"{name} {what}", at)
        if name not in self.arities:
            fact = f"{name}({', '.join(map(str, range(1, len(arguments) + 1)))})" if arguments else name
            hint = (
                WORDS.get(name)
                or suggest_name(name, self.arities)
                or f"facts do, {fact}. or, of none, {fact} :- 1 = 2."
            )
            raise Diagnostic(f"nothing says what {name} is", at, hint)
        if self.arities[name] != len(arguments):
            row = next(iter(self.relations[name].rows), ()) if name in self.relations else ()
            hint = f"one of its facts is {name}({', '.join(map(quoted, row))})" if row else ""
            raise Diagnostic(f"{name} has {counted(self.arities[name], 'argument')}, not {len(arguments)}", at, hint)
        if isinstance(term, nodes.Call) and term.body is not None:
            raise Diagnostic(f"{name} is a relation and takes no generators", at)
        if name not in self.relations:
            raise Diagnostic(f"{name} is not known yet: params are read before relations", at)
        return self.relations[name], arguments

    def undeclared(self, key: Row, node: nodes.Argument) -> NoReturn:
        """Say that there is no such puzzle variable, and which there are."""
        family, *index = key
        others = [known[1:] for known in self.variables if known[0] == family]
        if not others:
            raise Diagnostic(f"the declaration of {family} declares nothing: its generators are empty", node.at)
        same = [other for other in others if len(other) == len(index)]
        if not same:
            *few, most = sorted({len(other) for other in others})
            arities = " or ".join([*map(str, few), counted(most, "argument")])
            hint = "" if index else _all_of(family, most)
            raise Diagnostic(f"{family} has {arities}, not {len(index)}", node.at, hint)
        ranges = ", ".join(_span(column) for column in zip(*same, strict=True))
        variable = Variable(str(family), *index)
        alike = [Variable(str(family), *other) for other in same if [*map(type, other)] == [*map(type, index)]]
        hint = suggest_name(variable, alike) if any(isinstance(one, str) for one in index) else ""
        raise Diagnostic(f"{variable} is not declared: {family} has {ranges}", node.at, hint)


class Scope(NamedTuple):
    """Where an expression stands: which words have values, why no puzzle variable may stand here, if none may.

    Any uppercase word that is not bound is a puzzle variable.
    """

    bound: Collection[str] = ()
    refusal: str = ""
    is_index: bool = False


def indices(count: int) -> list[str]:
    """Names for so many indices, for an example.

    Examples
    --------
    >>> indices(2)
    ['I', 'J']
    """
    return [chr(ord("I") + i) for i in range(min(count, 9))]


def _all_of(family: Value, arity: int) -> str:
    """How all variables of a family are written."""
    words = indices(arity)
    return f"all of them are {family}({', '.join(words)}) : {', '.join(f'{word} in ...' for word in words)}"


def _span(values: Iterable[Value]) -> str:
    distinct = list(dict.fromkeys(values))
    numbers = sorted(value for value in distinct if isinstance(value, int))
    if len(numbers) == len(distinct) == numbers[-1] - numbers[0] + 1:
        return f"{numbers[0]}..{numbers[-1]}"
    return f"{{{', '.join(map(str, distinct[:8]))}{', ...' if len(distinct) > 8 else ''}}}"
