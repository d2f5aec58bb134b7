"""The syntax tree of a spec: the classes of nodes, and functions that traverse them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform
from typing import Literal as Word

T = TypeVar("T")


class Place(NamedTuple):
    """A span of a source text: file, line, column and width.

    Lines and columns count from 1. ``file`` is empty for the spec itself.
    """

    line: int
    column: int
    width: int = 1
    file: str = ""

    def line_from(self, other: Place, column: bool = False) -> str:
        """Return this place as ``line 3 of lines.csp``, for a message about ``other``.

        The file is named if it differs from that of the other place, and the column if ``column`` is true.

        Examples
        --------
        >>> Place(3, 1, file="lines.csp").line_from(Place(7, 1)), Place(3, 1).line_from(Place(7, 1))
        ('line 3 of lines.csp', 'line 3')
        """
        of = "" if self.file == other.file else f" of {self.file or 'the spec'}"
        return f"line {self.line}" + (f", column {self.column}" if column else "") + of

    def shifted(self, inner: Place) -> Place:
        """Convert a place in a part of a text to one in the whole text.

        The part begins at this place and has one line.
        """
        return inner._replace(line=self.line, column=self.column + inner.column - 1, file=self.file)

    def move(self, lines: int) -> Place:
        """Return a copy of this place, ``lines`` lines further down."""
        line, column, width, file = self
        return Place(line + lines, column, width, file)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(kind: type[T]) -> type[T]:
    """Make a slotted data class, not frozen, that compares and hashes like ``Node``.

    A frozen data class would take longer to create at every start, and so would its instances. The type checker treats
    nodes as frozen.
    """
    return dataclass(slots=True, eq=False, repr=False)(kind)


@node
class Node:
    """A node of the syntax tree, with its place; comparisons of nodes ignore the place."""

    __slots__: ClassVar[tuple[str, ...]]
    at: Place = field(compare=False, repr=False)

    def _contents(self) -> list[tuple[str, Any]]:
        """Return the name and value of each field that comparisons read."""
        return [(attribute.name, getattr(self, attribute.name)) for attribute in fields(self) if attribute.compare]

    def __eq__(self, other: object) -> bool:
        return self.__class__ is other.__class__ and self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash(tuple(self._contents()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in self._contents()])})"


@node
class Constant(Node):
    """A number or a quoted symbol: ``42`` or ``'#'``."""

    value: int | str


@node
class Name(Node):
    """A lowercase name: a param, a variable without indices, a relation or a symbol."""

    name: str


@node
class Logical(Node):
    """A capitalised name: a logical variable bound by a body, or a puzzle variable.

    Each ``_`` is a new logical variable.
    """

    name: str


@node
class Call(Node):
    """A term with arguments, ``name(arguments : body)``; the optional body belongs to the last argument."""

    name: str
    arguments: tuple[Argument, ...]
    body: tuple[Condition, ...] | None = None


@node
class Listing(Node):
    """A list, ``[a, b, c]``, perhaps with generators for its last item.

    The list with generators is ``[a, b : body]``.
    """

    items: tuple[Argument, ...]
    body: tuple[Condition, ...] | None = None


@node
class Comprehension(Node):
    """``(item : body)`` inside a list: an element for each way to satisfy the body."""

    item: Argument
    body: tuple[Condition, ...]


@node
class Operation(Node):
    """An arithmetic operation such as ``left + right``; a sign is ``0 - operand``."""

    operator: str
    left: Expr
    right: Expr


@node
class Range(Node):
    """A range of integers, ``low..high``, which includes both ends."""

    low: Expr
    high: Expr


@node
class Union(Node):
    """A domain: the union of ranges, values and comprehensions."""

    parts: tuple[Range | Expr, ...]


@node
class Declaration(Node):
    """A declaration of variables, ``A, B in DOMAIN``.

    In a body, with a single term, it generates or tests values.
    """

    terms: tuple[Expr, ...]
    domain: Union


@node
class Comparison(Node):
    """A comparison of two expressions, ``left RELATION right``."""

    left: Expr
    relation: str
    right: Expr


@node
class Fact(Node):
    """A name or term used as a condition: ``border(wa, nt)``, ``all_different([A, B])``."""

    term: Expr


@node
class Compound(Node):
    """A condition composed of other conditions, such as a conjunction."""


@node
class Conjunction(Compound):
    """A conjunction of conditions, ``(A = 1, B = 2)``."""

    parts: tuple[Condition, ...]


@node
class Disjunction(Compound):
    """A disjunction of conditions, ``A = 2*B ; B = 2*A``."""

    alternatives: tuple[Condition, ...]


@node
class Implication(Compound):
    """An implication between conditions, ``A = 1 -> B = 2``."""

    condition: Condition
    consequence: Condition


@node
class Equivalence(Compound):
    """An equivalence of two conditions, ``A = 1 <-> B = 2``."""

    left: Condition
    right: Condition


@node
class Negation(Compound):
    """A negated condition, ``not wall(R)`` or ``not (A = 1, B = 2)``."""

    condition: Condition


@node
class Include(Node):
    """A clause that includes a file, ``include "lines.csp".``, or a gallery spec, ``include sudoku.``"""

    name: str
    is_file: bool


@node
class Param(Node):
    """A clause that defines a param, ``param name = value.``"""

    name: str
    value: Expr


@node
class Grid(Node):
    """A clause that defines a grid, ``grid name(rows, columns) = "text".``

    Without a text, the user must supply it. Without a size, a picture of any size is accepted.
    """

    name: str
    text: str | None
    text_at: Place = field(compare=False, repr=False)
    size: tuple[Expr, Expr] | None = None


@node
class Shown(Node):
    """A term that ``show`` or ``draw`` lists, perhaps with its value.

    Examples are ``board(R, C) = value`` and ``cell``.
    """

    term: Name | Call
    value: Expr | None


@node
class Show(Node):
    """A clause that lists what answers print, ``show a, b(R, C) = value : body.``

    The body is optional and belongs to the last item.
    """

    items: tuple[Shown, ...]
    body: tuple[Condition, ...] | None = None


@node
class Draw(Node):
    """A clause that draws shapes, ``draw circle(R, C) = value : body.``"""

    item: Shown
    body: tuple[Condition, ...] | None


@node
class Objective(Node):
    """A clause with objectives, ``minimize(E).`` or ``maximize(E, F).``; earlier expressions have priority."""

    sense: Word["minimize", "maximize"]
    expressions: tuple[Expr, ...]


@node
class Rule(Node):
    """A clause with a head, and perhaps a label and body: ``"label": head :- body.``"""

    label: Constant | None
    head: Condition
    body: tuple[Condition, ...]


Expr = Constant | Name | Logical | Call | Listing | Comprehension | Operation
Condition = Declaration | Comparison | Fact | Compound
Argument = Expr | Condition
Clause = Include | Param | Grid | Show | Draw | Objective | Rule

GENERATING = (Call, Listing, Comprehension)
"""The expressions that may have a body."""

PLAIN = {"int | str", "str", "str | None", "bool", "Place", 'Word["minimize", "maximize"]'}
"""The types of fields that contain no nodes."""

INNER = {
    kind: tuple([attribute.name for attribute in fields(kind) if attribute.type not in PLAIN])
    for kind in list(vars().values())
    if isinstance(kind, type) and issubclass(kind, Node)
}
"""For each class of nodes, the fields that contain nodes."""

NAMES = {kind: tuple([attribute.name for attribute in fields(kind) if attribute.name != "at"]) for kind in INNER}
"""For each class of nodes, all fields except ``at``."""

LEAVES = {kind for kind, inner in INNER.items() if not inner} | {type(None)}
"""The classes of nodes without nodes in them."""


def arguments(term: Argument) -> tuple[Argument, ...]:
    """Return the arguments of a term; a plain name has none."""
    return term.arguments if isinstance(term, Call) else ()


def fact_values(rule: Rule) -> tuple[int | str, ...] | None:
    """Return the values of a fact such as ``total(1, 20)``; None for other rules.

    This is a fast path, as a spec may have very many such facts.
    """
    term = rule.head.term if rule.head.__class__ is Fact and not (rule.body or rule.label) else None
    if term.__class__ is not Call or term.body is not None:
        return None
    values = tuple([part.value for part in term.arguments if part.__class__ is Constant])
    return values if len(values) == len(term.arguments) else None


def parts(node: Any) -> Iterator[Any]:
    """Yield the field values of a node except its place, or a tuple's elements.

    Any other value yields nothing.
    """
    if isinstance(node, Node | tuple):
        yield from node if isinstance(node, tuple) else (getattr(node, name) for name in node.__slots__)


def inner(node: Any) -> Sequence[Any]:
    """Return a node's fields that may contain nodes, or a tuple's elements.

    For any other value, the result is empty.
    """
    if node.__class__ is tuple:
        return node
    return [getattr(node, name) for name in INNER.get(node.__class__, ())]


def walk(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes inside it, in the order of the text.

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


def move(node: Any, lines: int) -> Any:
    """Return a copy of a node or tuple with all places ``lines`` lines further down.

    Any other value is returned unchanged.

    Examples
    --------
    >>> move(Fact(Place(1, 1), Name(Place(1, 1), "wet")), 2).term.at
    Place(line=3, column=1, width=1, file='')
    """
    kind = node.__class__
    if kind is tuple:
        return tuple([move(part, lines) for part in node])
    if kind not in NAMES:
        return node.move(lines) if kind is Place else node
    copy = kind.__new__(kind)
    copy.at = node.at.move(lines)
    for name in NAMES[kind]:
        value = getattr(node, name)
        setattr(copy, name, value if value.__class__ is str else move(value, lines))
    return copy
