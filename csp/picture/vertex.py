"""The inside of a vertex as marks: its name, its asterisk, and what is left of its domain, each value in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..board.drawn.skins import BLANK, INK
from ..model import Domain, Value
from .layout.forms import NAME, STRIP, Form
from .shapes import Point, Shape, box, line, text

BESIDE = 4
"""Two values with more letters stand one above the other."""
FEW = 2
"""So many values that have just gone are spelt out."""


class VertexState(NamedTuple):
    """What a vertex shows.

    Attributes
    ----------
    name : str
        What is written on it, if anything.
    left : tuple of int or str
        What is left of its domain.
    removed : sequence of int or str
        Values that have just gone.
    marked, given : bool
        Whether it is in the queue, and whether the spec says its value.
    piece : str
        What stands in the place of every value, if not the value.
    states : tuple of {"marked", "active", "cause"}
        Words for the look of its body.
    bare : bool
        Whether what lies under it shows through.
    most : int
        How many values its domain had.
    told : int, str or None
        What the spec says it is, while its domain is whole: a cell shows that alone, as a puzzle is printed.
    pencil : bool
        Whether a single value is left in its place, as nobody has written it down.
    """

    name: str
    left: Domain
    removed: Sequence[Value] = ()
    marked: bool = False
    given: bool = False
    piece: str = ""
    states: tuple[str, ...] = ()
    bare: bool = False
    most: int = 1
    told: Value | None = None
    pencil: bool = False


Paints = tuple[tuple[Value, str], ...]
"""The colours of values."""


class Parts(NamedTuple):
    """What vertices of one form can show, around their middle: the page is given these, and all painters use them.

    Attributes
    ----------
    whole : mapping of str to tuple of Shape
        The body, its head, the name, the asterisk, and what stands for many values, by what it says. In a text
        ``{n}`` is how many are left, ``{a}`` and ``{b}`` which, ``{g}`` how many have just gone, ``{gone}`` which.
    values : mapping of str to tuple of tuples of Shape
        What stands for each value of the form: ``left`` among others, ``gone`` just now, ``only`` and ``last`` when it
        is alone, in its place and in the middle, ``lone`` above what has just gone.
    """

    whole: Mapping[str, tuple[Shape, ...]]
    values: Mapping[str, tuple[tuple[Shape, ...], ...]]


def vertex(form: Form, shown: VertexState, paints: Paints = ()) -> list[Shape]:
    """All marks of a vertex, around its middle; the first one is its body.

    Examples
    --------
    >>> from .layout.forms import cell_form
    >>> [(shape.look, shape.text) for shape in vertex(cell_form((1, 7)), VertexState("", (7,), given=True))]
    [('body cell', ''), ('fixed', '7')]
    """
    parts = form_parts(form, paints)
    states = (*(["bare"] if shown.bare else []), *shown.states)
    [body] = parts.whole["body"]
    found = [body._replace(look=" ".join([body.look, *states, *(["hollow"] if form.piece else [])]))]
    head = "head active" if "active" in states else "head"
    found += [shape._replace(look=head) for shape in parts.whole.get("head", ())]
    if shown.name:
        found += [_filled(shape, shown.name) for shape in parts.whole["name"]]
    left = (shown.told,) if shown.told is not None and form.kind == "cell" else shown.left
    names = [str(value) for value in left]
    words = {"n": str(len(names)), "g": str(len(shown.removed)), "gone": " ".join(map(str, shown.removed))}
    words |= dict(zip("ab", names, strict=False))
    share = max(0, len(left) - 1) / max(1, shown.most - 1)
    for key in chosen(form, left, shown.removed, len(left) == shown.most):
        for shape in parts.whole[key] if key != "none" or form.style == "size" or "failed" not in states else ():
            filled = _filled(shape, shape.text.format(**words)) if shape.text else shape
            found.append(filled._replace(share=share) if shape.look == "ramp" else filled)
    places = {value: i for i, value in enumerate(form.values)}
    for key, value in said(form, left, shown.removed, shown.told, shown.pencil):
        found += [_told(shape, shown) for shape in parts.values[key][places[value]]]
    return found + [shape for shape in parts.whole["star"] if shown.marked]


def _filled(shape: Shape, words: str) -> Shape:
    return text(words, shape.look, shape.points[0], shape.size, room=shape.points[1][1])


def _told(shape: Shape, shown: VertexState) -> Shape:
    look = shape.look.replace("fixed found", "fixed").replace("found", "fixed") if shown.given else shape.look
    return shape._replace(look=look, text=shown.piece if shown.piece and shape.text else shape.text)


def chosen(form: Form, left: Domain, removed: Sequence[Value], is_whole: bool = False) -> Iterator[str]:
    """Which parts of the whole stand for values, after those that are always there; none for many that are all left."""
    if form.kind in ("row", "column") or (len(left) == 1 and not removed):
        return
    if form.kind == "cell" and form.style == "size" and is_whole:
        return
    if not left and not removed:
        yield "none"
    elif not _is_spelt(form, left):
        if form.kind == "cell" and form.style == "size":
            yield "ramp"
        after = ", gone" if removed else ""
        if len(left) != 1:
            pair = "pair" if len(" ".join(map(str, left))) > BESIDE else "two"
            yield {0: "none", 2: pair}.get(len(left), "many") + after
        if removed:
            yield "few" if len(removed) <= FEW else "more"


def said(
    form: Form, left: Domain, removed: Sequence[Value], told: Value | None = None, pencil: bool = False
) -> Iterator[tuple[str, Value]]:
    """Which values have marks of their own, and which these are."""
    is_line = form.kind in ("row", "column")
    if not is_line and len(left) == 1 and not removed and not (pencil and form.style == "digits"):
        yield "last", left[0]
    elif is_line or _is_spelt(form, left):
        for value in form.values:
            if value in removed:
                yield "gone", value
            elif value in left:
                yield "only" if len(left) == 1 or value == told else "left", value
    elif len(left) == 1:
        yield "lone", left[0]


def _is_spelt(form: Form, left: Domain) -> bool:
    return form.style == "digits" or (form.style == "bitmap" and len(left) > 2)


@lru_cache(maxsize=1024)
def form_parts(form: Form, paints: Paints = ()) -> Parts:
    """The parts of a form."""
    if form.kind == "folded":
        return _folded(form)
    (w, h), colours = form.size, dict(paints)
    corner = {"card": 8.0, "cell": 3.0}.get(form.kind, 0.0)
    body = box(f"body {'column' if form.piece else form.kind}", (0, 0), form.size, corner=corner)
    whole: dict[str, tuple[Shape, ...]] = {"body": (body,)}
    values: dict[str, tuple[tuple[Shape, ...], ...]] = {}
    if form.kind in ("row", "column"):
        is_down = form.kind == "column"
        y = form.head / 2 - h / 2 if is_down else 0.0
        x = 0.0 if is_down else (form.head - STRIP) / 2 - w / 2
        if form.piece:
            across, down = (w, form.head) if is_down else (form.head, h)
            whole["head"] = (box("head", (across / 2 - w / 2, down / 2 - h / 2), (across, down)),)
        whole["name"] = (text("", "name", (x, y), 13),)
        whole["star"] = (_star(w / 2 - STRIP / 2 if is_down else form.head - STRIP / 2 - w / 2, y, 18, 16),)
        small = form.font * (0.6 if form.piece else 1)
        named = [_value(form, i, "fixed found", form.font, form.words(value)) for i, value in enumerate(form.values)]
        values["only"] = tuple((shape,) for shape in named)
        dots = [shape._replace(look="", size=small, text="•" if form.piece else shape.text) for shape in named]
        values["left"] = tuple((shape,) for shape in dots)
        values["gone"] = tuple(_struck(shape._replace(look="", size=small), form.slot, 2) for shape in named)
        return Parts(whole, values)
    is_card = form.kind == "card"
    y = 12.0 if is_card else 6.0 if form.corner else 0.0
    size = 14.0 if is_card else 20.0 if form.style == "size" else 18.0
    big = min(24, (h - 28) / 1.2) if is_card else 32.0
    whole["name"] = (text("", "name", (0, 14 - h / 2), 15, room=NAME - 2),)
    where = (0.0, 0.0, 16, 14) if form.kind == "step" else (w / 2 - 5, 6 - h / 2, 18, 14)
    whole["star"] = (_star(*((w / 2 - 9, 14 - h / 2) if is_card else where)),)
    whole["none"] = (text("none", "empty", (0, y), 18 if is_card else 20),)
    values["last"] = tuple(
        _drawn(form, i)
        if form.skin
        else (*_paint(colours.get(value), (0, y), (w - 16, 28)), _fixed(value, y, big, value in colours))
        for i, value in enumerate(form.values)
    )
    if form.style != "digits":
        whole |= _summary(form, y, size)
        values["lone"] = tuple((_fixed(value, y - 11, size + 4, value in colours),) for value in form.values)
    if form.style == "size":
        whole["ramp"] = (box("ramp", (0, 0), (w - 4, h - 4)),)
    elif form.style == "bitmap":
        squares = [box("bits", form.place(i), (form.slot[0] - 4, form.slot[1] - 4)) for i in range(len(form.values))]
        values["left"] = tuple((square,) for square in squares)
        values["gone"] = tuple(_struck(square, form.slot, 0) for square in squares)
    else:
        shapes = [_value(form, i, "", form.font, form.words(value)) for i, value in enumerate(form.values)]
        painted = [_paint(colours.get(v), form.place(i), form.slot) for i, v in enumerate(form.values)]
        values["left"] = tuple((*under, shape) for under, shape in zip(painted, shapes, strict=True))
        alone = [
            shape._replace(look="fixed painted" if under else "found")
            for under, shape in zip(painted, shapes, strict=True)
        ]
        values["only"] = tuple((*under, shape) for under, shape in zip(painted, alone, strict=True))
        values["gone"] = tuple(_struck(shape, form.slot, 1) for shape in shapes)
    if is_drawn(form):
        glyphs = [_value(form, i, "", form.font, one or INK["disc"]) for i, one in enumerate(form.skin)]
        values["gone"] = tuple(_struck(shape, form.slot, 1) for shape in glyphs)
        values["left"] = values["only"] = ((),) * len(form.values)
    elif form.skin:  # what draws nothing needs no sign while it is possible
        blank = [one == BLANK or (not one and form.kind == "cell") for one in form.skin]
        values["left"] = tuple(() if one else own for one, own in zip(blank, values["left"], strict=True))
        values["only"] = values["only"] if form.kind == "step" else ((),) * len(form.values)  # which is drawn
    return Parts(whole, values)


def is_drawn(form: Form) -> bool:
    """Whether a form shows nothing until its variable is settled: what is drawn then is one of two things."""
    drawn = [one for one in form.skin if one != BLANK]
    return bool(form.skin) and (len(form.values) == 2 or len(drawn) == 1) and form.style == "digits"


def _drawn(form: Form, index: int) -> tuple[Shape, ...]:
    """What stands where a variable is settled and its value is drawn: a point where that is nothing."""
    if form.skin[index] == "×":
        return (text("×", "count", (0, 0), 15),)
    at = (0.0, 0.0) if form.kind == "step" else (0.0, form.size[1] / 2 - 9)
    return (text(BLANK, "count", at, 22),) if form.skin[index] == BLANK else ()


def _folded(form: Form) -> Parts:
    """Nothing, whatever the state."""
    nothing: tuple[tuple[Shape, ...], ...] = ((),) * len(form.values)
    whole = dict.fromkeys(("name", "star", "none"), ())
    return Parts(
        {"body": (box("body folded", (0, 0), (0, 0)),), **whole},
        dict.fromkeys(("last", "only", "left", "gone"), nothing),
    )


def _star(x: float, y: float, size: float = 26, room: float = NAME - 2) -> Shape:
    return text("*", "asterisk", (x, y + size / 6), size, room=room)


def _value(form: Form, index: int, look: str, size: float, words: object) -> Shape:
    """A value in its place."""
    return Shape("text", look, (form.place(index), form.slot), str(words), size)


def _fixed(value: Value, y: float, size: float, is_painted: bool) -> Shape:
    """A value alone."""
    name = str(value)
    most = {1: size, 2: 26}.get(len(name), 18)
    return text(name, "fixed painted" if is_painted else "found", (0, y), min(size, most, 100 / max(1, len(name))))


def _paint(colour: str | None, middle: Point, size: Point) -> tuple[Shape, ...]:
    """The colour of a value, if it has one."""
    return (box("paint", middle, size)._replace(fill=colour),) if colour else ()


def _struck(shape: Shape, size: Point, less: float) -> tuple[Shape, ...]:
    """What has just gone, boxed and struck out."""
    (x, y), (w, h) = shape.points[0], (size[0] - less, size[1] - less)
    look = f"{shape.look} gone".strip()
    strike = line("strike", (x - w / 2, y), (x + w / 2, y))
    return box("boxed", (x, y), (w, h)), shape._replace(look=look), strike


def _summary(form: Form, y: float, size: float) -> dict[str, tuple[Shape, ...]]:
    """A few values spelt out, many as a number, and below what has just gone."""
    found: dict[str, tuple[Shape, ...]] = {}
    longest = max((len(str(value)) for value in form.values), default=1)
    for after, high in (("", y), (", gone", y - 11)):
        if after:
            found["none, gone"] = (text("none", "empty", (0, high), size),)
        found["two" + after] = (text("{a} {b}", "", (0, high), size),)
        found["pair" + after] = tuple(
            text(f"{{{one}}}", "", (0, high + dy), max(14.0, size - 4)) for one, dy in (("a", -8), ("b", 8))
        )
        if after or size < 20:
            found["many" + after] = (text("{n} left", "count", (0, high), 14),)
        else:
            found["many"] = (
                text("{n}", "count", (0, high - 6), size + 4), text("left", "count", (0, high + 14), 11),
            )  # fmt: skip
    few, more = max(30, 8 * (FEW * longest + 1)), max(30, 8 * len(f"{len(form.values)} gone"))
    found["few"] = _struck(text("{gone}", "", (0, y + 14), 13, room=20), (few, 20), 0)
    found["more"] = _struck(text("{g} gone", "", (0, y + 14), 13, room=20), (more, 20), 0)[:2]
    return found
