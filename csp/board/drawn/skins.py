"""Find the drawings that replace the values of variables, such as shaded cells.

A skin maps each value of a variable to the character that is drawn instead of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model import Drawn, Equality, Model, Value, Variable
from ..grid import is_indexed, is_square, loops_of

INK = {"shade": "■", "circle": "○", "disc": "●", "square": "□"}
"""The character for each kind of drawing, where only one character fits."""
SHADE_TEXT = "#"
"""The constant of layouts that pictures draw as a shade."""
BLANK = "·"
"""The character for a value without a drawing."""

Skin = Mapping[Value, str]
"""The text for each value of a variable; ``BLANK`` for a value without a drawing."""


def drawings(model: Model) -> tuple[Drawn, ...]:
    """Return the drawings of a spec without words, and those of layouts and loops.

    A constant of a layout becomes a text or shade if its condition is about the cell at the same place. Each step of a
    loop becomes a line.

    Examples
    --------
    >>> from csp import Entry, Equality
    >>> dark = Variable("dark", 1, 1)
    >>> shown = Entry("board", (1, 1), "#", Equality(dark, 1))
    >>> list(map(str, drawings(Model({dark: (0, 1)}, layout=[shown]))))
    ['shade(1, 1) : dark(1,1) = 1']
    """
    loops = loops_of(model)
    drawings_found = [drawing for drawing in model.drawn if drawing.name != "word"]
    drawn_variables = {v for drawing in drawings_found if drawing.condition is not None for v in drawing.variables}
    drawn_variables |= {v for v in model.domains if v.family in loops}
    # Constants under a condition on the variable of their place are drawings, unless the spec draws it.
    for entry in model.layout:
        if (
            entry.condition is None
            or not isinstance(entry.value, int | str)
            or len(entry.variables) != 1
            or len(entry.indices) != 2
        ):
            continue
        [v] = entry.variables
        if entry.indices == v.indices and v not in drawn_variables:
            is_dark = entry.value == SHADE_TEXT
            drawings_found.append(
                Drawn("shade" if is_dark else "text", entry.indices, None if is_dark else entry.value, entry.condition)
            )
    # A step of a loop is a line between its two squares.
    for v in model.domains:
        if v.family in loops and not is_square(v):
            r, c = (int(index) for index in v.indices)
            drawings_found.append(Drawn("join", (r // 2, c // 2, (r + 1) // 2, (c + 1) // 2), None, Equality(v, 1)))
    return tuple(drawings_found)


def skins(model: Model) -> Mapping[Variable, Skin]:
    """Return, for each variable with drawings, the sign drawn for each value.

    Examples
    --------
    >>> from csp import Equality
    >>> dark = Variable("dark", 1, 1)
    >>> skins(Model({dark: (0, 1)}, drawn=[Drawn("shade", (1, 1), None, Equality(dark, 1))]))
    {'dark(1,1)': {0: '·', 1: '■'}}
    """
    skins_found: dict[Variable, dict[Value, str]] = {}
    for drawing in drawings(model):
        for v in _variables_in_place(drawing, model):
            skin = skins_found.setdefault(v, dict.fromkeys(model.domains[v], BLANK))
            for value in model.domains[v]:
                if drawing.condition is not None and drawing.condition.check({v: value}):
                    shown = None if drawing.value is None else drawing.shown({v: value})
                    skin[value] = INK.get(drawing.name, "") if shown is None or drawing.name == "shade" else str(shown)
    # Squares and steps of a loop that are on it are drawn as lines.
    loops = loops_of(model)
    for v in model.domains:
        if v.family in loops and set(model.domains[v]) <= {0, 1}:
            skins_found[v] = {0: BLANK if is_square(v) else "×", 1: ""}
    return skins_found


def shade_tones(model: Model) -> dict[Variable, str]:
    """Return the colour of the shade that each variable draws.

    It is empty for the default colour.

    Examples
    --------
    >>> from csp import Equality
    >>> lit = Variable("lit", 1, 1)
    >>> shade_tones(Model({lit: (0, 1)}, drawn=[Drawn("shade", (1, 1), "yellow", Equality(lit, 1))]))
    {'lit(1,1)': 'yellow'}
    """
    shades = [drawing for drawing in drawings(model) if drawing.name == "shade"]
    return {v: str(drawing.value or "") for drawing in shades for v in _variables_in_place(drawing, model)}


def line_variables(model: Model) -> dict[Variable, Drawn]:
    """Return the variables that decide whether one line is drawn, each with its line.

    Variables on a grid are omitted.

    Examples
    --------
    >>> bridge = Variable("bridges", "north")
    >>> list(line_variables(Model({bridge: (0, 1)}, drawn=[Drawn("join", (1, 1, 1, 4), None, Equality(bridge, 1))])))
    ['bridges(north)']
    """
    lines_of_variable: dict[Variable, list[Drawn]] = {}
    for drawing in model.drawn:
        if (
            drawing.name == "join"
            and len(drawing.variables) == 1
            and all(isinstance(index, int) for index in drawing.indices)
        ):
            lines_of_variable.setdefault(drawing.variables[0], []).append(drawing)
    return {v: lines[0] for v, lines in lines_of_variable.items() if len(lines) == 1 and not is_indexed(v)}


def _variables_in_place(drawing: Drawn, model: Model) -> Iterator[Variable]:
    """Yield the only variable of a conditional drawing, if its cell is that place."""
    if drawing.condition is not None and len(drawing.variables) == 1 and len(drawing.indices) == 2:
        [v] = drawing.variables
        if drawing.indices == v.indices and v in model.domains:
            yield v


def undrawn_variables(model: Model) -> frozenset[Variable]:
    """Return the variables that pictures omit: helpers, and steps beyond a loop's board.

    Examples
    --------
    >>> model = Model({"A": (1, 2), "B": (1, 2)}, drawn=[Drawn("helper", ("B",), None)])
    >>> undrawn_variables(model)
    frozenset({'B'})
    """
    variables: set[Variable] = set()
    for drawing in model.drawn:
        if drawing.name == "helper":
            family = drawing.indices[0]
            variables.update([drawing.cell_of] if drawing.cell_of else [v for v in model.domains if v.family == family])
    # Steps of a loop lead from square to square.
    for family in loops_of(model):
        loop_variables = {v for v in model.domains if v.family == family}
        squares = {v.indices for v in loop_variables if is_square(v)}
        for v in loop_variables:
            r, c = (int(i) for i in v.indices)
            ends = ((r - r % 2, c - c % 2), (r + r % 2, c + c % 2))
            if not squares.issuperset(ends):
                variables.add(v)
    return frozenset(variables)
