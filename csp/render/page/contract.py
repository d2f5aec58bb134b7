"""Types of the data that Python passes to the scripts of the page.

``scripts/contract.js`` is generated from this file. The data refer to variables, values, constraints and forms by
number: the index in their list. An absent field means empty, false or undefined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, TypedDict, get_args, get_origin, get_type_hints


class ShapeData(NamedTuple):
    """A drawn shape (``csp.picture.shapes.Shape``), as an array.

    ``at`` is the path of a line, the middle of a text, or the middle, width and height of any other shape. Empty fields
    at the end of the array are omitted.
    """

    shape: str
    look: str
    at: str | Sequence[float]
    size: float = 0
    text: str = ""
    constraints: Sequence[int] = ()
    fill: str = ""


class FormData(TypedDict):
    """The shapes that vertices of one form (equal size and values) can show.

    ``places`` are the middles of the places of values, and ``slot`` is the width and height of a place. ``whole`` has
    the shapes of a domain by part (``csp.picture.vertex.Parts``). ``single`` has the shapes of single values by part: a
    list of variants, relative to the place of the value and with ``{v}`` for its text. If there are several variants,
    a string follows with a letter for each value; its code minus 48 is the index of the variant.
    """

    kind: str
    style: str
    size: Sequence[float]
    values: Sequence[int]
    places: Sequence[Sequence[float]]
    slot: Sequence[float]
    whole: Mapping[str, Sequence[ShapeData]]
    single: Mapping[str, Sequence[Any]]


class VertexData(TypedDict):
    """A variable: its name, the middle of its vertex, its domain and its form.

    ``label`` is the text on the vertex, ``piece`` the text that replaces every value, and ``given`` the value that the
    spec states. A ``bare`` vertex is transparent."""

    name: str
    x: float
    y: float
    domain: Sequence[int]
    form: int
    label: NotRequired[str]
    piece: NotRequired[str]
    given: NotRequired[int]
    bare: NotRequired[bool]


class HelperData(TypedDict):
    """The places of the values of a variable that is not drawn.

    ``spots`` and ``labels`` have a letter for each value: the index of its place in ``spots`` of the film, or a space,
    and the index of its text in ``labels`` of the film. ``needs`` has for each value the drawn candidates that must
    remain: a list, or one number. ``truth`` means that the values are 0 and 1, and ``number`` is the number whose place
    the vertex is. ``tabled`` means that a printed table shows its tuples. One ``outside`` of the board has signs only
    in steps."""

    spots: str
    labels: str
    needs: NotRequired[Sequence[Any]]
    truth: NotRequired[bool]
    outside: NotRequired[bool]
    number: NotRequired[str]
    tabled: NotRequired[bool]


class SpotData(NamedTuple):
    """A place of helpers, with its frames.

    Texts begin at ``anchor``; those of one of its vertices at one of ``parts``. A frame is a box, or the corners of an
    outline."""

    anchor: Sequence[float]
    frames: Sequence[Sequence[float]]
    parts: Sequence[Sequence[float]]


class ConstraintNodeData(TypedDict):
    """The vertex of a constraint; if ``quiet``, visible only while active.

    A ``tab`` is on the border of its cells."""

    shapes: Sequence[ShapeData]
    quiet: NotRequired[bool]
    tab: NotRequired[bool]


class ConstraintData(TypedDict):
    """A constraint: its name, its scope, and its line in the spec.

    ``origins`` are the constraints that it follows from. ``close`` means that its vertices are too close for straight
    edges; ``join`` is then the path between its two variables that shows while it is active."""

    name: str
    scope: Sequence[int]
    line: NotRequired[int | str]
    origins: NotRequired[Sequence[int]]
    close: NotRequired[bool]
    join: NotRequired[str]
    node: NotRequired[ConstraintNodeData]


class EdgeData(NamedTuple):
    """An edge, as an array: its path, its ends and its constraints.

    A ``dashed`` edge has no constraint that only states that its ends differ."""

    way: str
    ends: Sequence[int]
    constraints: Sequence[int]
    dashed: bool = False


class LensData(TypedDict):
    """The constraint nodes, edges and texts that a lens (a way to draw constraints) adds.

    ``box`` is the visible part of the plane. ``joins`` has the edges that show while a constraint is active, by the
    number of a constraint without edges: for each edge, a variable that may lose a value, and a letter for a path
    from it. ``wired`` has the numbers of ``csp.picture.lines.wires.Anchor``, by the number of a constraint.
    """

    title: str
    constraint_nodes: Sequence[int]
    edges: Sequence[EdgeData]
    texts: Sequence[ShapeData]
    hidden: int
    box: Sequence[int]
    joins: Mapping[int, Sequence[Sequence[Any]]]
    legend: Sequence[int]
    wired: Mapping[int, Sequence[float]]


class GraphData(TypedDict):
    """The bipartite graph of elements and values that equal all-different constraints share.

    ``columns`` are the middles and widths of the two columns of boxes, and ``high`` is the height of a box. Edges lead
    from the first to the second of ``ends``, and frames from the first to the second of ``frame``. ``label_x`` is
    the left end of the text of a frame, and ``box`` the visible part of the plane. ``values`` are numbers, or texts if
    elements are expressions.
    """

    columns: Sequence[Sequence[float]]
    ends: Sequence[float]
    frame: Sequence[float]
    high: float
    label_x: float
    box: Sequence[int]
    values: Sequence[Any]


class GroupData(TypedDict):
    """An all-different constraint: its graph, its title and its elements.

    Without ``elements``, the elements are the scope. An element is a variable, or a list of a variable, a text, and a
    value of the graph for each value of its domain.
    """

    graph: int
    title: Sequence[ShapeData]
    elements: NotRequired[Sequence[Any]]


class MatchingData(NamedTuple):
    """A matching of an all-different constraint, with all positions, as an array.

    The strings have a letter for each number; ``csp.render.page.data.letter`` defines the letters. ``members`` and
    ``values`` have the index in ``rows`` of the vertical position of each element and of each value. ``pairs`` has the
    index of the value that each element is matched with, or a space. ``spans`` and ``words`` have, for each frame, the
    index of its middle and height in the table ``spans``, and of its text in the table ``words``.
    """

    group: int
    members: str
    values: str
    pairs: str
    spans: str
    words: str


class NodeData(TypedDict):
    """A drawn node of the search tree, with the line from its parent.

    ``first`` and ``last`` are its records, and ``branch`` is the path from its parent.
    ``shapes`` are shapes in addition to the shape of its kind, and ``text`` is a text in addition to the caption of its
    last record. A node of the collapsed tree may be ``like`` a node of the whole tree; it then has only the fields that
    differ. A node that was not tried has ``choices``, the possible decisions, such as ``A = 1``, and ``tried``, the
    decisions that the search made.
    """

    like: NotRequired[int]
    kind: NotRequired[str]
    x: NotRequired[float]
    y: NotRequired[float]
    shapes: NotRequired[Sequence[ShapeData]]
    text: NotRequired[str]
    branch: NotRequired[str]
    first: NotRequired[int]
    last: NotRequired[int]
    choices: NotRequired[Sequence[str]]
    tried: NotRequired[Sequence[str]]


class TreeData(TypedDict):
    """A search tree, and the part of the plane that it covers.

    The field ``shapes`` of the film has, for each kind of node, its meaning, its shape, and the text inside it in
    a legend."""

    box: Sequence[int]
    nodes: list[NodeData]


class PlanData(TypedDict):
    """The data that all pictures of a trace share: vertices, constraints and lenses.

    The first ``under`` shapes of ``printed`` lie under the vertices. ``ways`` are paths from the middle of a vertex.
    ``streets`` are the distances from cells at which arrows run between them.
    ``signs`` are the entries of all legends: the meaning, the selector and text of the sign, and its shapes.
    ``kinds`` are the names of kinds of constraints; ``kind_of`` has a character for each constraint, which selects one.
    ``omissions`` are the clauses and drawings of the spec that the printed puzzle leaves out."""

    values: Sequence[str]
    forms: Sequence[FormData]
    vertices: Sequence[VertexData]
    printed: Sequence[ShapeData]
    under: int
    streets: Sequence[float]
    constraints: Sequence[ConstraintData]
    kinds: Sequence[str]
    kind_of: str
    ways: Sequence[str]
    signs: Sequence[Sequence[Any]]
    lenses: Mapping[str, LensData]
    lens: str
    omissions: NotRequired[Sequence[str]]


KINDS = (
    PlanData, FormData, VertexData, ShapeData, ConstraintData, ConstraintNodeData, EdgeData, LensData,
    GraphData, GroupData, MatchingData, NodeData, TreeData, HelperData, SpotData,
)  # fmt: skip
"""The types of this module, in the order of ``contract.js``."""
HEAD = """/* Types of the data of the page, generated by typedefs() in csp/render/page/contract.py. Nothing here runs.
   The data refer to variables, values, constraints and forms by number: the index in their list. An absent field means
   empty, false or undefined. */"""


def typedefs() -> str:
    """Return the types of this module as JSDoc comments: the contents of ``scripts/contract.js``."""
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
    """Return the JSDoc name of a Python type."""
    words = {str: "string", bool: "boolean", int: "number", float: "number", Any: "*", type(None): "undefined"}
    if type_ in words:
        return words[type_]
    arguments = [_script_type(part) for part in get_args(type_)]
    if get_origin(type_) is Sequence:
        return f"({arguments[0]})[]" if "|" in arguments[0] else f"{arguments[0]}[]"
    if get_origin(type_) is Mapping:
        return f"Object<{', '.join(arguments)}>"
    return "|".join(dict.fromkeys(arguments)) if arguments else type_.__name__
