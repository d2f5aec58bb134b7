"""How values look in their places: what the spec draws where a variable is settled, in the place of its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model import Drawn, Equality, Model, Value, Variable
from ..grid import is_indexed, is_square, loops_of

INK = {"shade": "■", "circle": "○", "disc": "●", "square": "□"}
"""A value by what is drawn for it, where only a letter has room."""
SHADED = "#"
"""What layouts show for it is shaded in pictures."""
BLANK = "·"

Skin = Mapping[Value, str]
"""For each value of a variable what is drawn for it, in a letter or a few; ``BLANK`` where nothing is."""


def drawings(model: Model) -> tuple[Drawn, ...]:
    """What a model draws, and after it the constants that its layouts show at cells under conditions on their values.

    Examples
    --------
    >>> from csp import Entry, Equality
    >>> dark = Variable("dark", 1, 1)
    >>> shown = Entry("board", (1, 1), "#", Equality(dark, 1))
    >>> list(map(str, drawings(Model({dark: (0, 1)}, layout=[shown]))))
    ['shade(1, 1) : dark(1,1) = 1']
    """
    loops = loops_of(model)
    own = {v for one in model.drawn if one.condition is not None for v in one.variables}
    own |= {v for v in model.domains if v.family in loops}
    found = list(model.drawn)
    for one in model.layout:
        if (
            one.condition is None
            or not isinstance(one.value, int | str)
            or len(one.variables) != 1
            or len(one.indices) != 2
        ):
            continue
        [v] = one.variables
        if one.indices == v.indices and v not in own:
            is_dark = one.value == SHADED
            found.append(
                Drawn("shade" if is_dark else "text", one.indices, None if is_dark else one.value, one.condition)
            )
    for v in model.domains:
        if v.family in loops and not is_square(v):
            r, c = (int(index) for index in v.indices)
            found.append(Drawn("join", (r // 2, c // 2, (r + 1) // 2, (c + 1) // 2), None, Equality(v, 1)))
    return tuple(found)


def skins(model: Model) -> Mapping[Variable, Skin]:
    """The variables whose values do not stand in their places themselves.

    Examples
    --------
    >>> from csp import Equality
    >>> dark = Variable("dark", 1, 1)
    >>> skins(Model({dark: (0, 1)}, drawn=[Drawn("shade", (1, 1), None, Equality(dark, 1))]))
    {'dark(1,1)': {0: '·', 1: '■'}}
    """
    found: dict[Variable, dict[Value, str]] = {}
    for one in drawings(model):
        for v in _own(one, model):
            skin = found.setdefault(v, dict.fromkeys(model.domains[v], BLANK))
            for value in model.domains[v]:
                if one.condition is not None and one.condition.check({v: value}):
                    shown = None if one.value is None else one.shown({v: value})
                    skin[value] = INK.get(one.name, "") if shown is None or one.name == "shade" else str(shown)
    loops = loops_of(model)
    for v in model.domains:
        if v.family in loops and set(model.domains[v]) <= {0, 1}:
            found[v] = {0: BLANK if is_square(v) else "×", 1: ""}
    return found


def joins(model: Model) -> dict[Variable, Drawn]:
    """The variables that alone decide a line, and only one, and have no place of their own; with that line.

    Examples
    --------
    >>> bridge = Variable("bridges", "north")
    >>> list(joins(Model({bridge: (0, 1)}, drawn=[Drawn("join", (1, 1, 1, 4), None, Equality(bridge, 1))])))
    ['bridges(north)']
    """
    found: dict[Variable, list[Drawn]] = {}
    for one in model.drawn:
        if one.name == "join" and len(one.variables) == 1 and all(isinstance(index, int) for index in one.indices):
            found.setdefault(one.variables[0], []).append(one)
    return {v: own[0] for v, own in found.items() if len(own) == 1 and not is_indexed(v)}


def _own(one: Drawn, model: Model) -> Iterator[Variable]:
    """The variable in whose place something is drawn, as its value tells."""
    if one.condition is not None and len(one.variables) == 1 and len(one.indices) == 2:
        [v] = one.variables
        if one.indices == v.indices and v in model.domains:
            yield v


def undrawn(model: Model) -> frozenset[Variable]:
    """The variables that are not drawn: helpers, and the steps of a loop that lead out of its board.

    Examples
    --------
    >>> model = Model({"A": (1, 2), "B": (1, 2)}, drawn=[Drawn("helper", ("B",), None)])
    >>> undrawn(model)
    frozenset({'B'})
    """
    found: set[Variable] = set()
    for one in model.drawn:
        if one.name == "helper":
            family = one.indices[0]
            found.update([one.cell_of] if one.cell_of else [v for v in model.domains if v.family == family])
        elif one.name == "loop":
            own = {v for v in model.domains if v.family == one.indices[0]}
            squares = {v.indices for v in own if is_square(v)}
            for v in own:
                r, c = (int(i) for i in v.indices)
                ends = ((r - r % 2, c - c % 2), (r + r % 2, c + c % 2))
                if not squares.issuperset(ends):
                    found.add(v)
    return frozenset(found)
