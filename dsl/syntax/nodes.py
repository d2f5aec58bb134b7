"""The syntax of a spec, with places; never its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform
from typing import Literal as Word

T = TypeVar("T")


class Place(NamedTuple):
    """A span of a text; lines and columns count from 1, and ``file`` is empty for the spec itself."""

    line: int
    column: int
    width: int = 1
    file: str = ""

    def line_from(self, other: Place, column: bool = False) -> str:
        """The line, and the column if wanted, as a message about another place names them.

        Examples
        --------
        >>> Place(3, 1, file="lines.csp").line_from(Place(7, 1)), Place(3, 1).line_from(Place(7, 1))
        ('line 3 of lines.csp', 'line 3')
        """
        of = "" if self.file == other.file else f" of {self.file or 'the spec'}"
        return f"line {self.line}" + (f", column {self.column}" if column else "") + of

    def shifted(self, inner: Place) -> Place:
        """A place of a piece of text that begins here, as a place of the whole; the piece is of one line."""
        return inner._replace(line=self.line, column=self.column + inner.column - 1, file=self.file)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(kind: type[T]) -> type[T]:
    """A data class that is quickly made at every start, as Node has its methods, and of which many are quickly made.

    Nobody changes a node, which the types see to.
    """
    return dataclass(slots=True, eq=False, repr=False)(kind)


@node
class Node:
    """Anything with a place; the place takes no part in comparisons."""

    __slots__: ClassVar[tuple[str, ...]]
    at: Place = field(compare=False, repr=False)

    def _compared(self) -> list[tuple[str, Any]]:
        return [(one.name, getattr(self, one.name)) for one in fields(self) if one.compare]

    def __eq__(self, other: object) -> bool:
        return self.__class__ is other.__class__ and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(tuple(self._compared()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in self._compared()])})"


@node
class Constant(Node):
    """``42`` or ``'#'``."""

    value: int | str


@node
class Name(Node):
    """A lowercase word: a parameter, a variable without indices, a relation, or else a symbol."""

    name: str


@node
class Logical(Node):
    """An uppercase word: bound by the body, or else a puzzle variable; ``_`` is new wherever it stands."""

    name: str


@node
class Call(Node):
    """``name(arguments)``, or ``name(arguments : body)``, where the body is that of the last argument."""

    name: str
    arguments: tuple[Argument, ...]
    body: tuple[Condition, ...] | None = None


@node
class Listing(Node):
    """``[a, b, c]``, or ``[a, b : body]``, where the body is that of the last item."""

    items: tuple[Argument, ...]
    body: tuple[Condition, ...] | None = None


@node
class Comprehension(Node):
    """``(item : body)``: elements of the list in which it stands."""

    item: Argument
    body: tuple[Condition, ...]


@node
class Operation(Node):
    """``left + right`` and its like; a sign is ``0 - operand``."""

    operator: str
    left: Expr
    right: Expr


@node
class Range(Node):
    """``low..high``, both included."""

    low: Expr
    high: Expr


@node
class Union(Node):
    """A domain: everything that its parts hold."""

    parts: tuple[Range | Expr, ...]


@node
class Declaration(Node):
    """``A, B in DOMAIN``; with one term also the literal that generates or tests."""

    terms: tuple[Expr, ...]
    domain: Union


@node
class Comparison(Node):
    """``left RELATION right``."""

    left: Expr
    relation: str
    right: Expr


@node
class Fact(Node):
    """A term that is said to hold: ``border(wa, nt)``, ``all_different([A, B])``."""

    term: Expr


@node
class Compound(Node):
    """A condition made of others."""


@node
class Conjunction(Compound):
    """``(A = 1, B = 2)``."""

    parts: tuple[Condition, ...]


@node
class Disjunction(Compound):
    """``A = 2*B ; B = 2*A``."""

    alternatives: tuple[Condition, ...]


@node
class Implication(Compound):
    """``A = 1 -> B = 2``."""

    condition: Condition
    consequence: Condition


@node
class Equivalence(Compound):
    """``A = 1 <-> B = 2``."""

    left: Condition
    right: Condition


@node
class Negation(Compound):
    """``not wall(R)``, ``not (A = 1, B = 2)``."""

    condition: Condition


@node
class Include(Node):
    """``include "lines.csp".``, or ``include sudoku.`` of the gallery."""

    name: str
    is_file: bool


@node
class Param(Node):
    """``param name = value.``"""

    name: str
    value: Expr


@node
class Grid(Node):
    """``grid name(rows, columns) = "text".``; no text where the user must supply it, no size where any will do."""

    name: str
    text: str | None
    text_at: Place = field(compare=False, repr=False)
    size: tuple[Expr, Expr] | None = None


@node
class Shown(Node):
    """``cell``, ``cell(R, C)`` or ``board(R, C) = value``."""

    term: Name | Call
    value: Expr | None


@node
class Show(Node):
    """``show a, b.``, or ``show a, b(R, C) = value : body.``, where the body is that of the last item."""

    items: tuple[Shown, ...]
    body: tuple[Condition, ...] | None = None


@node
class Draw(Node):
    """``draw circle(R, C) = value : body.``"""

    item: Shown
    body: tuple[Condition, ...] | None


@node
class Objective(Node):
    """``minimize(E).`` or ``maximize(E, F).``, where what comes first matters more."""

    sense: Word["minimize", "maximize"]
    expressions: tuple[Expr, ...]


@node
class Rule(Node):
    """``"label": head :- body.``"""

    label: Constant | None
    head: Condition
    body: tuple[Condition, ...]


Expr = Constant | Name | Logical | Call | Listing | Comprehension | Operation
Condition = Declaration | Comparison | Fact | Compound
Argument = Expr | Condition
Clause = Include | Param | Grid | Show | Draw | Objective | Rule

GENERATING = (Call, Listing, Comprehension)
"""What may have a body of its own."""

PLAIN = {"int | str", "str", "str | None", "bool", "Place", 'Word["minimize", "maximize"]'}
"""The types of what has no syntax in it."""

INNER = {
    kind: tuple([one.name for one in fields(kind) if one.type not in PLAIN])
    for kind in list(vars().values())
    if isinstance(kind, type) and issubclass(kind, Node)
}
"""For each kind of node the parts that have syntax in them."""
LEAVES = {kind for kind, inner in INNER.items() if not inner} | {type(None)}


def arguments(term: Argument) -> tuple[Argument, ...]:
    """The arguments of a term; a plain name has none."""
    return term.arguments if isinstance(term, Call) else ()


def row(rule: Rule) -> tuple[int | str, ...] | None:
    """What a fact says, where all of it is written out, as in ``total(1, 20).``, of which there may be very many."""
    term = rule.head.term if rule.head.__class__ is Fact and not (rule.body or rule.label) else None
    if term.__class__ is not Call or term.body is not None:
        return None
    values = tuple([part.value for part in term.arguments if part.__class__ is Constant])
    return values if len(values) == len(term.arguments) else None


def parts(node: Any) -> Iterator[Any]:
    """What a node or a tuple of nodes consists of, one level down."""
    if isinstance(node, Node | tuple):
        yield from node if isinstance(node, tuple) else (getattr(node, name) for name in node.__slots__)


def inner(node: Any) -> Sequence[Any]:
    """The syntax in a node or a tuple of nodes, one level down."""
    if node.__class__ is tuple:
        return node
    return [getattr(node, name) for name in INNER.get(node.__class__, ())]


def walk(node: Any) -> Iterator[Any]:
    """All nodes of a piece of syntax, itself included, in the order of writing.

    Examples
    --------
    >>> at = Place(1, 1)
    >>> [type(part).__name__ for part in walk(Negation(at, Fact(at, Name(at, "wet"))))]
    ['Negation', 'Fact', 'Name']
    """
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.__class__ in INNER:
            yield part
        waiting += inner(part)[::-1]
