"""The shapes of a vertex: its body, name, asterisk and remaining values.

``scripts/vertex.js`` of the page chooses among the same shapes by the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..board.drawn.skins import BLANK, INK
from ..model import Domain, Value
from .layout.forms import NAME, STRIP, Form
from .shapes import GROUND, Point, Shape, box, disc, line, pill, text
from .style import DEPTHS, RING

FILL = "paint fill"
"""The look of the box that fills a card with the colour of its value."""
BESIDE = 4
"""Two remaining values with more characters than this are written one above the other."""
PALE, SOLID = 0.35, 0.8
"""The opacity of the fill inside a ring that shows a state, and of that of an area."""
PLACE = "•"
"""The sign of a possible place of a piece, such as a queen."""
DOT = 9.0
"""The diameter of the point in a cell that is known to be empty, in points."""
EDGE = 8.0
"""Distance of this point from the left and lower edges of its cell, in points."""
FEW = 2
"""Removed values up to this number are spelt out; more are counted."""
INDENT = 12.0
"""Points by which the box of a removed word is narrower than its column."""
ROWS = 2
"""Maximum number of rows of remaining values in a cell that shows no longer domain."""
LOWERED = 3.0
"""Points by which a summary is below the middle of a cell: above it is room for signs of helpers."""


class VertexState(NamedTuple):
    """The content of a vertex in one scene: its name, its values and its highlights.

    Attributes
    ----------
    name : str
        The text on the vertex; empty without one.
    remaining : tuple of int or str
        The remaining values.
    removed : sequence of int or str
        The values that the step has just removed.
    marked, given : bool
        Whether the variable is in the queue, and whether the spec states its value.
    piece : str
        The sign in the place of every value; empty if values are drawn as they are.
    states : tuple of {"marked", "active", "grouped", "failed", "cause", "swept"}
        Words for the look of its body.
    bare : bool
        Whether the vertex is transparent.
    domain_size : int
        The number of values of the whole domain.
    given_value : int, str or None
        The given value, while the domain is whole: a cell then shows only this value, like the printed puzzle.
    pencil : bool
        Whether a single remaining value stays in its place, because the solver of the puzzle has not written it down.
    """

    name: str
    remaining: Domain
    removed: Sequence[Value] = ()
    marked: bool = False
    given: bool = False
    piece: str = ""
    states: tuple[str, ...] = ()
    bare: bool = False
    domain_size: int = 1
    given_value: Value | None = None
    pencil: bool = False


Paints = tuple[tuple[Value, str], ...]
"""Values, each with its colour."""


class Parts(NamedTuple):
    """All shapes that a vertex of some form can show, relative to its middle.

    The page receives these parts, and all painters use them.

    Attributes
    ----------
    whole : mapping of str to tuple of Shape
        The shapes under ``body``, ``head``, ``name`` and ``star`` (the asterisk), and summaries of many values. In a
        text ``{n}`` is the number of remaining values, ``{a}`` and ``{b}`` are the first two, ``{g}`` is the number of
        values that the step removed, ``{u}`` of those that draw nothing, and ``{gone}`` lists them. ``{v0}``, ``{v1}``
        and so on are the first remaining values.
    values : mapping of str to tuple of tuples of Shape
        The shapes of each value of the form: ``left`` for one of several remaining values, ``gone`` for a value that
        the step removed, ``only`` for a single value in its place, ``last`` for a single value in the middle, and
        ``lone`` for a single value above removed ones.
    """

    whole: Mapping[str, tuple[Shape, ...]]
    values: Mapping[str, tuple[tuple[Shape, ...], ...]]


def vertex(form: Form, state: VertexState, paints: Paints = ()) -> list[Shape]:
    """Return the shapes of a vertex at the origin, its body first.

    Examples
    --------
    >>> from .layout.forms import cell_form
    >>> [(shape.look, shape.text) for shape in vertex(cell_form((1, 7)), VertexState("", (7,), given=True))]
    [('body cell', ''), ('fixed', '7')]
    """
    parts = form_parts(form, paints)
    # Vertices beside each other may all be marked: only cards have the border of a marked vertex, too.
    shown_states = [word for word in state.states if form.kind == "card" or word != "marked"]
    state_words = (*(["bare"] if state.bare else []), *shown_states)
    # The body carries the states of the vertex in its look; above another shape it has no fill, but a ground below.
    [body] = parts.whole["body"]
    is_hollow = bool(form.piece) or state.bare
    shapes = [body._replace(look=" ".join([body.look, *state_words, *(["hollow"] if is_hollow else [])]))]
    # A board shows activity in its head.
    grounds = () if not is_hollow else ("failed",) if form.piece else ("active", "grouped", "failed", "swept")
    shapes += [ground(body, word) for word in state.states if word in grounds]
    head = "head active" if "active" in state_words else "head"
    shapes += [shape._replace(look=head) for shape in parts.whole.get("head", ())]
    if state.name:
        shapes += [_with_text(shape, state.name) for shape in parts.whole["name"]]
    # A given cell with its whole domain shows its value alone.
    remaining = (state.given_value,) if state.given_value is not None and form.kind == "cell" else state.remaining
    names = [str(value) for value in remaining]
    replacements = {"n": str(len(names)), "g": str(len(state.removed)), "gone": " ".join(map(str, state.removed))}
    replacements["u"] = str(sum(map(form.is_undrawn, state.removed)))
    replacements |= {**dict(zip("ab", names, strict=False)), **{f"v{i}": name for i, name in enumerate(names)}}
    # Add the summary of many values: their number, or a ramp.
    for key in summary_keys(form, remaining, state.removed, len(remaining) == state.domain_size):
        for shape in parts.whole[key] if key != "none" or form.style == "size" or "failed" not in state_words else ():
            shape_with_text = _with_text(shape, shape.text.format(**replacements)) if shape.text else shape
            is_ramp = shape.look == "ramp"
            shapes.append(shape._replace(look=_ramp_look(len(remaining), state)) if is_ramp else shape_with_text)
    index_of = {value: i for i, value in enumerate(form.values)}
    # Add the values that are drawn in their places.
    for key, value in value_keys(form, remaining, state.removed, state.given_value, state.pencil):
        shapes += [_value_shape_of(shape, state) for shape in parts.values[key][index_of[value]]]
    # A fill is behind the name.
    shapes[1:] = sorted(shapes[1:], key=lambda shape: shape.look != FILL)
    return shapes + [shape for shape in parts.whole["star"] if state.marked]


def ground(body: Shape, state: str) -> Shape:
    """Return the ring of a state below a transparent vertex's signs.

    Only a failure and a swept area have a pale fill: others would change the colours of shades.
    """
    middle, (width, height) = body.points
    ring = box(f"ground ground-{state}", middle, (width - RING, height - RING))
    share = SOLID if state == "swept" else PALE
    return ring._replace(layer=GROUND, share=share, of=body.of, fill="" if state in ("failed", "swept") else "none")


def _ramp_look(count: int, state: VertexState) -> str:
    """Return the look of a cell with ``count`` remaining values: the fewer, the darker.

    Each shade ends at a root of the domain's size, so that small numbers differ most.
    """
    shades = len(DEPTHS)
    step = sum(count**shades <= state.domain_size**power for power in range(1, shades))
    return f"ramp ramp-{step}"


def _with_text(shape: Shape, words: str) -> Shape:
    """Return a copy of a text shape with another text."""
    return text(words, shape.look, shape.points[0], shape.size, room=shape.points[1][1])


def _value_shape_of(shape: Shape, state: VertexState) -> Shape:
    """Return a value's shape, adapted to a given value or a piece (queen).

    The sign of a piece, such as a queen, replaces the name of the value.
    """
    look = re.sub("(fixed )?found( only)?", "fixed", shape.look) if state.given else shape.look
    return shape._replace(look=look, text=state.piece if state.piece and shape.text else shape.text)


def summary_keys(form: Form, remaining: Domain, removed: Sequence[Value], is_untouched: bool = False) -> Iterator[str]:
    """Yield the keys in ``Parts.whole`` of a vertex's summaries of values.

    The result is empty on a board, for a single value without removals, for the whole domain of a cell that shows its
    size, and for values in their own places. For an empty domain without removals, the key is ``none``. A cell that
    shows its size spells out few values, and counts many only if it has just lost some.
    """
    if form.kind in ("row", "column") or (len(remaining) == 1 and not removed):
        return
    if form.kind == "cell" and form.style == "size" and is_untouched:
        return
    if form.counts_undrawn and any(map(form.is_undrawn, removed)):
        yield "less" if any(map(form.is_undrawn, remaining)) else "no blank"
    if not remaining and not removed:
        yield "none"
    elif not _is_spelt_out(form, remaining):
        if form.kind == "cell" and form.style == "size" and remaining:
            yield "ramp"
        after = ", gone" if removed else ""
        if form.kind == "cell" and form.style == "size" and len(remaining) > 1:
            if len(remaining) <= ROWS * form.side_by_side:
                yield f"list {len(remaining)}{after}"
            elif removed:
                yield "many, gone"
        elif len(remaining) != 1:
            pair = "pair" if len(" ".join(map(str, remaining))) > BESIDE else "two"
            yield {0: "none", 2: pair}.get(len(remaining), "many") + after
        if removed:
            yield "few" if len(removed) <= FEW else "more"


def value_keys(
    form: Form, remaining: Domain, removed: Sequence[Value], given_value: Value | None = None, pencil: bool = False
) -> Iterator[tuple[str, Value]]:
    """Yield a key of ``Parts.values`` and a value, for each value drawn in its place."""
    is_line = form.kind in ("row", "column")
    if not is_line and len(remaining) == 1 and not removed and not (pencil and form.style == "digits"):
        yield "last", remaining[0]
    elif is_line or _is_spelt_out(form, remaining):
        for value in form.values:
            if value in removed:
                yield "gone", value
            elif value in remaining:
                yield "only" if len(remaining) == 1 or value == given_value else "left", value
    elif len(remaining) == 1:
        yield "lone", remaining[0]


def _is_spelt_out(form: Form, remaining: Domain) -> bool:
    """Return whether a vertex shows each remaining value as a text or square."""
    return form.style == "digits" or (form.style == "bitmap" and len(remaining) > 2)


@lru_cache(maxsize=1024)
def form_parts(form: Form, paints: Paints = ()) -> Parts:
    """Return all shapes that a vertex of a form can show; ``paints`` colour the values."""
    if form.kind == "folded":
        return _folded_parts(form)
    (w, h), colours = form.size, dict(paints)
    # The body has rounded corners on a card, and nearly none in a cell.
    corner = {"card": 8.0, "cell": 3.0}.get(form.kind, 0.0)
    body = box(f"body {'column' if form.piece else form.kind}", *form.body, corner=corner)
    whole: dict[str, tuple[Shape, ...]] = {"body": (body,)}
    values: dict[str, tuple[tuple[Shape, ...], ...]] = {}
    # A row or column of a board: the name in its head, and each value in its square.
    if form.kind in ("row", "column"):
        is_down = form.kind == "column"
        y = form.head / 2 - h / 2 if is_down else 0.0
        x = 0.0 if is_down else (form.head - STRIP) / 2 - w / 2
        if form.piece:
            across, down = (w, form.head) if is_down else (form.head, h)
            whole["head"] = (box("head", (across / 2 - w / 2, down / 2 - h / 2), (across, down)),)
        whole["name"] = (text("", "name", (x, y), 13),)
        whole["star"] = (_asterisk(w / 2 - STRIP / 2 if is_down else form.head - STRIP / 2 - w / 2, y, 18, 16),)
        small = form.font * (0.6 if form.piece else 1)
        named = [
            _value_text(form, i, "fixed found", form.font, form.words(value)) for i, value in enumerate(form.values)
        ]
        values["only"] = tuple((shape,) for shape in named)
        dots = [
            shape._replace(look="possible", size=small, text=PLACE if form.piece else shape.text) for shape in named
        ]
        values["left"] = tuple((shape,) for shape in dots)
        # In a table, the box of a removed word ends before the column: a longer strike would look like an arrow.
        slot = (form.slot[0] - INDENT, form.slot[1]) if form.is_in_table else form.slot
        values["gone"] = tuple(_strike_out(shape._replace(look="", size=small), slot, 2) for shape in named)
        return Parts(whole, values)
    # A card or a cell: the name above, the asterisk in the upper right corner.
    is_card = form.kind == "card"
    y = 12.0 if is_card else 6.0 if form.corner else 0.0
    size = 14.0 if is_card else 20.0 if form.style == "size" else 18.0
    # All single values have one size, in which the longest one fits.
    longest = max([1, *(len(str(value)) for value in form.values)])
    large, above = (
        min(most, {1: most, 2: 26}.get(longest, 18), 100 / longest)
        for most in (min(24, (h - 28) / 1.2) if is_card else 32, size + 4)
    )
    whole["name"] = (text("", "name", (0, 14 - h / 2), 15, room=NAME - 2),)
    corner_place = (w / 2 + 4, 4 - h / 2, 16, 14) if form.kind == "step" else (w / 2 - 5, 6 - h / 2, 18, 14)
    whole["star"] = (_asterisk(*((w / 2 - 9, 14 - h / 2) if is_card else corner_place)),)
    whole["none"] = (text("none", "empty", (0, y), 18 if is_card else 20),)
    # A single value is written large in the middle, or replaced by its drawing.
    values["last"] = tuple(
        _skin_shape(form, i)
        if form.skin
        else (*_filling(form, colours.get(value), y), _single_value(value, y, large, value in colours))
        for i, value in enumerate(form.values)
    )
    # Cells with small squares, or with a number, summarise many values.
    if form.style != "digits":
        whole |= _summary_shapes(form, y, size)
        values["lone"] = tuple((_single_value(value, y - 11, above, value in colours),) for value in form.values)
        # Values that a drawing replaces are neither written nor spelt out, even if some are removed.
        if form.skin:
            values["lone"] = values["last"]
            whole["few"] = whole["more"] = tuple(shape.shifted((0, h / 2 - y - 24)) for shape in whole["more"])
    if form.style == "size":
        whole["ramp"] = (box("ramp", (0, 0), (w - 4, h - 4)),)
    elif form.style == "bitmap":
        squares = [box("bits", form.place(i), (form.slot[0] - 4, form.slot[1] - 4)) for i in range(len(form.values))]
        values["left"] = tuple((square,) for square in squares)
        values["gone"] = tuple(_strike_out(square, form.slot, 0) for square in squares)
    else:
        shapes = [_value_text(form, i, "possible", form.font, form.words(value)) for i, value in enumerate(form.values)]
        painted = [_colour_box(colours.get(v), form.place(i), form.slot) for i, v in enumerate(form.values)]
        values["left"] = tuple((*colour_box, shape) for colour_box, shape in zip(painted, shapes, strict=True))
        # The only value is bold: it must stand out among those that the step removed.
        single_looks = [
            shape._replace(look="fixed painted" if colour_box else "found only")
            for colour_box, shape in zip(painted, shapes, strict=True)
        ]
        values["only"] = tuple((*colour_box, shape) for colour_box, shape in zip(painted, single_looks, strict=True))
        values["gone"] = tuple(_strike_out(shape._replace(look=""), form.slot, 1) for shape in shapes)
    # A cell whose values are drawings stays empty while several are possible. Beside the values that it lost, an empty
    # cell has its point.
    drawn_signs = tuple(
        _skin_shape(form, i) if form.skin and form.kind == "cell" else () for i in range(len(form.values))
    )
    if form.shows_only_drawing:
        values["gone"] = tuple(_strike_out(_drawing_shape(form, i), form.slot, 1) for i in range(len(form.values)))
        values["left"], values["only"] = ((),) * len(form.values), drawn_signs
        # Of several values that draw nothing, only the number of those removed is shown, right of the struck sign; if
        # none of them remains, their point is struck.
        if form.counts_undrawn:
            (x, foot), side = form.first, form.slot[1]
            body_of_count, count = pill("loss", "−1", (x + side / 2 + 1, foot))
            whole["less"] = body_of_count, count._replace(text="−{u}")
            blank = disc("blank", count.points[0], min(DOT, side * 0.6))
            whole["no blank"] = _strike_out(blank, (side, side), 1)
            values["gone"] = tuple(
                ()
                if form.is_undrawn(value)
                else _strike_out(_drawing_shape(form, i).shifted((-side / 2 - 1, 0)), (side, side), 1)
                for i, value in enumerate(form.values)
            )
    elif form.skin:  # a possible value that draws nothing needs no sign
        blanks = [glyph == BLANK or (not glyph and form.kind == "cell") for glyph in form.skin]
        values["left"] = tuple(
            () if is_blank else value_shapes for is_blank, value_shapes in zip(blanks, values["left"], strict=True)
        )
        if form.style == "digits":
            values["gone"] = tuple(
                _strike_out(_drawing_shape(form, i), form.slot, 1) if form.skin[i] == BLANK else struck
                for i, struck in enumerate(values["gone"])
            )
        # The drawing of a cell replaces its single value; that of a step leaves room for it.
        values["only"] = values["only"] if form.kind == "step" else drawn_signs
    return Parts(whole, values)


def _skin_shape(form: Form, index: int) -> tuple[Shape, ...]:
    """Return a fixed value's sign where values are drawings: a point, a cross or nothing.

    It is a point for a value that draws nothing, and a cross for a crossed-out value.
    """
    if form.skin[index] == "×":
        return (text("×", "crossed", (0, 0), 15),)
    # In a cell the point is in a corner, clear of clues and of their circles.
    middle = (0.0, 0.0) if form.kind == "step" else (EDGE - form.size[0] / 2, form.size[1] / 2 - EDGE)
    return (disc("blank", middle, DOT),) if form.skin[index] == BLANK else ()


def _drawing_shape(form: Form, index: int) -> Shape:
    """Return the small sign of a value that is a drawing."""
    glyph, middle, side = form.skin[index], form.place(index), min(form.slot)
    if glyph == BLANK:
        return disc("blank", middle, min(DOT, side * 0.6))
    if glyph == INK["shade"]:
        return box(f"inked tint-{form.tone}" if form.tone else "inked", middle, (side * 0.55, side * 0.55))
    return _value_text(form, index, "", form.font, glyph) if glyph else box("bar-line", middle, (4, form.slot[1] * 0.7))


def _folded_parts(form: Form) -> Parts:
    """Return the parts of a vertex that is not drawn: an empty body."""
    nothing: tuple[tuple[Shape, ...], ...] = ((),) * len(form.values)
    whole = dict.fromkeys(("name", "star", "none"), ())
    return Parts(
        {"body": (box("body folded", (0, 0), (0, 0)),), **whole},
        dict.fromkeys(("last", "only", "left", "gone"), nothing),
    )


def _asterisk(x: float, y: float, size: float = 26, room: float = NAME - 2) -> Shape:
    """Return the asterisk that marks a vertex in the propagation queue."""
    return text("*", "asterisk", (x, y + size / 6), size, room=room)


def _value_text(form: Form, index: int, look: str, size: float, words: object) -> Shape:
    """Return the text shape of the ``index``-th value, at its place in the vertex."""
    return Shape("text", look, (form.place(index), form.slot), str(words), size)


def _single_value(value: Value, y: float, size: float, is_painted: bool) -> Shape:
    """Return the text shape of the only remaining value."""
    return text(str(value), "fixed painted" if is_painted else "found", (0, y), size)


def _filling(form: Form, colour: str | None, y: float) -> tuple[Shape, ...]:
    """Return a box in a fixed value's colour; on a card, it fills the vertex."""
    if form.kind != "card" or not colour:
        return _colour_box(colour, (0, y), (form.size[0] - 16, 28))
    return (box(FILL, (0, 0), (form.size[0] - 3, form.size[1] - 3), corner=7)._replace(fill=colour),)


def _colour_box(colour: str | None, middle: Point, size: Point) -> tuple[Shape, ...]:
    """Return a box in a colour; without a colour, an empty tuple."""
    return (box("paint", middle, size)._replace(fill=colour),) if colour else ()


def _strike_out(shape: Shape, size: Point, margin: float) -> tuple[Shape, ...]:
    """Return the shapes of a removed value: box, text or square, and strike."""
    (x, y), (w, h) = shape.points[0], (size[0] - margin, size[1] - margin)
    look = f"{shape.look} gone".strip()
    strike = line("strike", (x - w / 2, y), (x + w / 2, y))
    return box("boxed", (x, y), (w, h)), shape._replace(look=look), strike


def _summary_shapes(form: Form, y: float, size: float) -> dict[str, tuple[Shape, ...]]:
    """Return texts that summarise many values, by their keys in ``Parts.whole``."""
    shapes: dict[str, tuple[Shape, ...]] = {}
    longest = max((len(str(value)) for value in form.values), default=1)
    # Each summary has two heights: alone, and above removed values.
    for suffix, middle in (("", y if size < 20 else y + LOWERED), (", gone", y - 11)):
        if suffix:
            shapes["none, gone"] = (text("none", "empty", (0, middle), size),)
        shapes["two" + suffix] = (text("{a} {b}", "possible", (0, middle), size),)
        shapes["pair" + suffix] = tuple(
            text(f"{{{letter}}}", "possible", (0, middle + dy), 14.0)
            for letter, dy in ((("a", -8), ("b", 8)) if suffix else (("a", -4), ("b", 9)))
        )
        if suffix or size < 20:
            shapes["many" + suffix] = (text("{n} left", "count", (0, middle), 14),)
        # A few values in rows, as wide as the cell.
        for count in range(2, ROWS * form.side_by_side + 1) if size == 20 else ():
            columns = count if count <= form.side_by_side else (count + 1) // ROWS
            rows = [range(count)[i : i + columns] for i in range(0, count, columns)]
            heights = [middle] if len(rows) == 1 else [middle - 8, middle + 7]
            shapes[f"list {count}{suffix}"] = tuple(
                text(" ".join(f"{{v{i}}}" for i in row), "possible", (0, height), 15.0 if count == 2 else 12.0)
                for row, height in zip(rows, heights, strict=True)
            )
    # Removed values are in a box: a few spelt out and struck, many as a number.
    few_width, count_width = max(30, 8 * (FEW * longest + 1)), max(30, 8 * len(f"−{len(form.values)}"))
    shapes["few"] = _strike_out(text("{gone}", "", (0, y + 14), 13, room=20), (few_width, 20), 0)
    shapes["more"] = _strike_out(text("−{g}", "", (0, y + 14), 13, room=20), (count_width, 20), 0)[:2]
    return shapes
