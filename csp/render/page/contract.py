"""The plan as plain data: what the page is given. ``scripts/contract.js`` says the same to those who read scripts.

Numbers stand for names: that of a variable, a value, a constraint or a form is its place in its list. What is absent is
empty, false, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, TypedDict, get_args, get_origin, get_type_hints


class ShapeData(NamedTuple):
    """A mark, an array in the data of a page: ``csp.picture.shapes.Mark``.

    ``at`` is the path of a line; the middle of a text; the middle, width and height of all else. What is empty at the
    end is left out.
    """

    shape: str
    look: str
    at: str | Sequence[float]
    size: float = 0
    text: str = ""
    constraints: Sequence[int] = ()
    fill: str = ""


class FormData(TypedDict):
    """How vertices that are alike show their domains: the marks of ``csp.picture.vertex.Parts``, and the middles of the
    places of values, which are ``slot`` wide and high. What is said of values is told once for all that are alike,
    around their places, with ``{v}`` for the value; then, for each value, a letter: its code less 48 is the number of
    the marks that are its own."""

    kind: str
    style: str
    size: Sequence[float]
    values: Sequence[int]
    places: Sequence[Sequence[float]]
    slot: Sequence[float]
    whole: Mapping[str, Sequence[ShapeData]]
    said: Mapping[str, Sequence[Any]]


class VertexData(TypedDict):
    """A variable: its name, its middle, its domain and its form; what is written on it, and in its places; the value
    that the spec tells."""

    name: str
    x: float
    y: float
    domain: Sequence[int]
    form: int
    label: NotRequired[str]
    piece: NotRequired[str]
    given: NotRequired[int]
    bare: NotRequired[bool]


class ConstraintNodeData(TypedDict):
    """The vertex of a constraint, which may show only while it is at work."""

    marks: Sequence[ShapeData]
    quiet: NotRequired[bool]


class ConstraintData(TypedDict):
    """A constraint; whether edges between its variables would lie on others, and then the path that joins two of them
    while it is at work."""

    name: str
    scope: Sequence[int]
    line: NotRequired[int | str]
    origins: NotRequired[Sequence[int]]
    close: NotRequired[bool]
    join: NotRequired[str]
    chip: NotRequired[ConstraintNodeData]


class EdgeData(NamedTuple):
    """An edge, an array in the data of a page: its path, the variables at its ends, one or two, its constraints, and
    whether it says anything else than that they differ."""

    way: str
    ends: Sequence[int]
    constraints: Sequence[int]
    dashed: bool = False


class LensData(TypedDict):
    """What a lens shows besides vertices and marks: ``csp.picture.lenses.lens.Lens``.

    ``box`` is the part of the plane that is seen. ``joins`` has, by the number of a constraint that has no edges of
    its own, what shows while it is at work: the variable that may lose a value, and a letter for a way from it.
    ``bows`` has instead a letter for each pair of its variables, one after another, for a way from the first to the
    second; of these those show that lead from a cause to what is none. ``near`` are the constraints of which the bows
    of one vertex show where none is at work.
    """

    title: str
    chips: Sequence[int]
    edges: Sequence[EdgeData]
    texts: Sequence[ShapeData]
    near: Sequence[int]
    hidden: int
    box: Sequence[int]
    joins: Mapping[int, Sequence[Sequence[Any]]]
    bows: Mapping[int, Mapping[int, str]]
    legend: Sequence[int]


class GraphData(TypedDict):
    """How groups of different values that are alike are drawn as bipartite graphs: the middles and widths of the two
    columns of boxes, from where to where edges and frames go, how high a box is, where it begins what a frame says, the
    part of the plane that is taken up, and the values, as numbers or, where elements are expressions, as texts."""

    columns: Sequence[Sequence[float]]
    ends: Sequence[float]
    frame: Sequence[float]
    high: float
    said: float
    box: Sequence[int]
    values: Sequence[Any]


class GroupData(TypedDict):
    """A group of different values: its graph, its title, and its elements where they are not its scope: a variable, or
    a variable, a text and the values of the graph that those of its domain give."""

    graph: int
    title: Sequence[ShapeData]
    elements: NotRequired[Sequence[Any]]


class MatchingData(NamedTuple):
    """One matching of a group and where it stands, an array in the data of a page.

    Letters stand for numbers (``csp.render.page.data.letter``): for each element and for each value of its graph in
    ``rows``, how far down it stands; the value that each element is matched with, or a space; for each frame its middle
    and height in ``spans``, and what it says in ``words``.
    """

    group: int
    members: str
    values: str
    pairs: str
    spans: str
    words: str


class NodeData(TypedDict):
    """A node of the search tree: its kind, its middle, the marks besides its shape, what is told of it besides the
    caption of its last record, the path from its parent, and its first and last record. A node of the collapsed tree
    that is ``like`` one of the whole tree has only what differs. Of what was not tried, ``choices`` are what could
    be decided, as ``A = 1``, and ``tried`` what was."""

    like: NotRequired[int]
    kind: NotRequired[str]
    x: NotRequired[float]
    y: NotRequired[float]
    marks: NotRequired[Sequence[ShapeData]]
    text: NotRequired[str]
    branch: NotRequired[str]
    first: NotRequired[int]
    last: NotRequired[int]
    choices: NotRequired[Sequence[str]]
    tried: NotRequired[Sequence[str]]


class TreeData(TypedDict):
    """A search tree, and the part of the plane that it takes up. ``shapes`` of the film has, for each kind of node,
    what it means, its shape and what stands in it in a legend."""

    box: Sequence[int]
    nodes: list[NodeData]


class PlanData(TypedDict):
    """All of a plan. The first ``under`` marks lie under the vertices; ``ways`` lead from the middle of a vertex;
    ``signs`` are all entries of legends: what it means, the selector and the text of its sign, and its marks."""

    values: Sequence[str]
    forms: Sequence[FormData]
    vertices: Sequence[VertexData]
    marks: Sequence[ShapeData]
    under: int
    constraints: Sequence[ConstraintData]
    ways: Sequence[str]
    signs: Sequence[Sequence[Any]]
    lenses: Mapping[str, LensData]
    lens: str


KINDS = (
    PlanData, FormData, VertexData, ShapeData, ConstraintData, ConstraintNodeData, EdgeData, LensData,
    GraphData, GroupData, MatchingData,    NodeData, TreeData,
)  # fmt: skip
HEAD = """/* What the page is given, in words for scripts, made of csp/render/page/contract.py by typedefs().
   Nothing here runs. Numbers stand for names: that of a variable, a value, a constraint or a form is its place in its
   list. What is absent is empty, false, or nothing. */"""


def typedefs() -> str:
    """The same as types for scripts: the whole of ``scripts/contract.js``."""
    parts = [HEAD]
    for kind in KINDS:
        base = "Array" if issubclass(kind, tuple) else "Object"
        parts += ["", "/**", *(f" * {line.strip()}".rstrip() for line in (kind.__doc__ or "").strip().splitlines())]
        parts.append(f" * @typedef {{{base}}} {kind.__name__}")
        defaults = getattr(kind, "_field_defaults", {})
        for name, annotation in get_type_hints(kind, include_extras=True).items():
            type_ = get_args(annotation)[0] if get_origin(annotation) is NotRequired else annotation
            is_optional = type_ is not annotation or name in defaults
            parts.append(f" * @property {{{_script_type(type_)}}} {f'[{name}]' if is_optional else name}")
        parts.append(" */")
    return "\n".join(parts) + "\n"


def _script_type(type_: Any) -> str:
    """A type as scripts have it."""
    words = {str: "string", bool: "boolean", int: "number", float: "number", Any: "*", type(None): "undefined"}
    if type_ in words:
        return words[type_]
    arguments = [_script_type(part) for part in get_args(type_)]
    if get_origin(type_) is Sequence:
        return f"({arguments[0]})[]" if "|" in arguments[0] else f"{arguments[0]}[]"
    if get_origin(type_) is Mapping:
        return f"Object<{', '.join(arguments)}>"
    return "|".join(dict.fromkeys(arguments)) if arguments else type_.__name__
