"""What stands under a picture, as marks: its caption, and what its looks mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..board.widths import text_width, wrap_text
from ..model import AllDifferent
from .edges.edges import look
from .plan import Plan
from .shapes import Shape, box, disc, line, text
from .style import WIDER, plain_counted

TITLE, SMALL = 15, 13  # sizes of fonts
UNSEEN = ("folded",)
"""Looks of what has no extent."""
TAKER_SIGNS = {"a row": "↔", "a column": "↕", "a group": "▦", "a diagonal": "⤡", "one cell": "•", "a decision": "○"}
SWATCH, GAP, ROW = 24.0, 14.0, 30.0


class LegendEntry(NamedTuple):
    """A swatch, around its middle, its meaning, and by what a picture has this sign.

    Attributes
    ----------
    words : str
    marks : tuple of Shape
    look : str
        The words that the look of a mark has, if it is this sign.
    unless : str
        Words of which it has none.
    sign : str
        The text of the mark, where signs of one look differ by their texts.
    """

    words: str
    shapes: tuple[Shape, ...]
    look: str = ""
    unless: str = ""
    sign: str = ""

    def is_in(self, shapes: Iterable[Shape]) -> bool:
        """Return whether one of the marks is this sign.

        Examples
        --------
        >>> FOUND.is_in([text(7, "found", (0, 0), 18)]), GIVEN.is_in([text(7, "fixed found", (0, 0), 18)])
        (True, False)
        """
        needed, barred = set(self.look.split()), {*self.unless.split(), *UNSEEN}
        looks = (shape.look.split() for shape in shapes if not self.sign or shape.text == self.sign)
        return any(needed.issubset(look) and barred.isdisjoint(look) for look in looks)

    @property
    def selector(self) -> str:
        """The same as a selector of CSS, without the text."""
        barred = [f":not(.{word})" for word in (*self.unless.split(), *UNSEEN)]
        return "".join([*(f".{word}" for word in self.look.split()), *barred])


def _vertex(state: str, *inside: Shape) -> tuple[Shape, ...]:
    return box(f"body cell {state}".strip(), (0, 0), (22, 20), corner=3), *inside


def _line(look: str) -> tuple[Shape, ...]:
    return (line(look, (-12, 0), (-4, 0), (4, 0), (12, 0)),)


def _chip(letter: str) -> tuple[Shape, ...]:
    return box("body constraint", (0, 0), (22, 18), corner=3), text(letter, "", (0, 0), 11)


def _on(words: str, disc_look: str, look: str, unless: str = "") -> LegendEntry:
    return LegendEntry(words, (disc(disc_look, (0, 0), 18), text("1", "yes", (0, 0), 13)), look, unless)


STRUCK = box("boxed", (0, 0), (14, 16)), text("1", "gone", (0, 0), 14), line("strike", (-7, 0), (7, 0))
BOTH = box("bits", (-5.5, -5.5), (7, 7)), box("bits", (5.5, 5.5), (7, 7))
RAMP = box("ramp", (0, 0), (20, 18))._replace(share=0.6), text("7", "count", (0, 0), 13)

MARK = LegendEntry("marked: its domain has changed", _vertex("marked", text("*", "asterisk", (0, 4), 20)), "asterisk")
GONE = LegendEntry("removed now", STRUCK, "boxed")
WORK = LegendEntry("active group, or decision", _vertex("active"), "active")
WHY = LegendEntry("cause", _vertex("cause"), "cause")
GIVEN = LegendEntry("given", (text("1", "fixed", (0, 0), 18),), "fixed", "found painted")
FOUND = LegendEntry("found", (text("1", "found", (0, 0), 18),), "found")
DIFFER = LegendEntry("not equal", _line("edge"), "edge", "dashed pair strong weak")
OTHER = LegendEntry("other constraint", _line("edge dashed"), "edge dashed", "pair")
BITS = LegendEntry("values left, each in its place", BOTH, "bits")
COUNT = LegendEntry("how many values are left", _vertex("", *RAMP), "ramp")
CAGE = LegendEntry("cage, and what it must be", _line("cage"), "cage")
SHADED = LegendEntry("group of grey cells", (box("shade", (0, 0), (22, 20)),), "shade")
EVEN = LegendEntry("even", (box("shade", (0, 0), (22, 20)),), "shade")
ODD = LegendEntry("odd", (disc("odd", (0, 0), 20),), "odd")
CHIP = LegendEntry("group", _chip("g"), "constraint")
CONSTRAINT = LegendEntry("constraint", _chip("c"), "constraint")
FAILURE = LegendEntry("failure", _vertex("failed"), "badge")
TAKERS = tuple(
    LegendEntry(
        f"taken by {name}", (box("taker", (0, 0), (20, 18), corner=3), text(sign, "took", (0, 0), 13)), "took", "", sign
    )
    for name, sign in TAKER_SIGNS.items()
)
"""Who took what has no place, in pictures of failures."""
STATES = (MARK, GONE, WORK, WHY)

MATCHING = (
    LegendEntry("cause", _vertex("cause"), "cause"),
    LegendEntry("pair of one matching", _line("edge pair matched"), "pair matched"),
    LegendEntry("value left", _line("edge pair"), "pair", "matched gone lost between"),
    LegendEntry("removed now: in no matching", _line("edge pair gone lost"), "pair gone"),
    LegendEntry("use up their values", (box("component", (0, 0), (22, 20), corner=5),), "component", "spare"),
    LegendEntry("have values to spare", (box("component spare", (0, 0), (22, 20), corner=5),), "component spare"),
)
STAGES = (
    *MATCHING, LegendEntry("in no matching, not removed yet", _line("edge pair between"), "pair between"),
)  # fmt: skip

LINKS = {
    "found-now": _on("found", "yes found-now", "found-now"),
    "yes": _on("on", "yes", "yes", "found-now"),
    "no": LegendEntry("off", (disc("no", (0, 0), 18), text("1", "no", (0, 0), 13)), "no"),
    "fin": LegendEntry(
        "fin", (line("fin", (0, -11), (11, 8), (-11, 8), (0, -11)), text("1", "fin", (0, 2), 12)), "fin"
    ),
    "strong": LegendEntry("strong: at least one", _line("edge strong"), "strong"),
    "weak": LegendEntry("weak: at most one", _line("edge weak"), "weak"),
    "rank": LegendEntry("order", (disc("rank", (0, 0), 12), text("1", "rank", (0, 0), 9)), "rank"),
    "lined": LegendEntry("line, or base", (box("lined", (0, 0), (22, 20), corner=3),), "lined"),
    "cover": LegendEntry("cover", (line("cover", (-10, 6), (2, -9)), line("cover", (-3, 9), (9, -6))), "cover"),
    "outline": LegendEntry("cells of the pattern", (box("outline", (0, 0), (20, 18), corner=4),), "outline"),
    "nothing": LegendEntry("has nothing left", (box("nothing", (0, 0), (20, 18), corner=4),), "nothing"),
}
"""The signs of steps of techniques, by what makes their look."""

CLAIM = LegendEntry("claim", (box("body cell claim", (0, 0), (22, 20), corner=3),), "claim")
BECAUSE = LegendEntry("cause", (box("body cell because", (0, 0), (22, 20), corner=3),), "because")
RANK = LINKS["rank"]._replace(words="number in the list")

SIGNS = (
    *STATES, GIVEN, FOUND, DIFFER, OTHER, CHIP, CONSTRAINT, BITS, COUNT, CAGE, SHADED, EVEN, ODD, FAILURE, *TAKERS,
    *MATCHING, *LINKS.values(),
)  # fmt: skip
"""All entries."""


def entries(plan: Plan, lens: str) -> Iterator[LegendEntry]:
    """The signs that can occur in the pictures of a plan; which of them do, ``LegendEntry.is_in`` tells."""
    model, shown = plan.model, plan.through(lens)
    forms = {id(form): form for form in plan.layout.forms.values()}.values()
    yield from (*STATES, *([GIVEN] if plan.given else []), FOUND)
    looks = {edge.look for edge in shown.edges}
    looks |= {
        look(model.constraints[number]) for number in shown.drawn_constraints if plan.constraint_nodes[number].quiet
    }
    yield from (entry for one, entry in (("plain", DIFFER), ("dashed", OTHER)) if one in looks)
    if shown.drawn_constraints:
        is_plain = all(isinstance(model.constraints[number], AllDifferent) for number in shown.drawn_constraints)
        yield CHIP if is_plain else CONSTRAINT
    if any(form.style == "bitmap" for form in forms):
        yield BITS
    if any(form.style == "size" for form in forms):
        yield COUNT
    if any(shape.look == "cage" for shape in plan.shapes):
        yield CAGE
    behind = [number for shape in plan.shapes if shape.look == "shade" for number in shape.constraints]
    groups = {isinstance(model.constraints[number], AllDifferent) for number in behind}
    yield from (entry for entry, is_group in ((SHADED, True), (EVEN, False)) if is_group in groups)
    if any(shape.look == "odd" for shape in plan.shapes):
        yield ODD
    yield from (FAILURE, *TAKERS)


def hidden(plan: Plan, lens: str) -> str:
    """How many constraints a lens does not always show."""
    number = plan.unseen(lens)
    return f"{plain_counted(number, 'constraint shows', 'constraints show')} only when active" if number else ""


def legend_caption(title: str, entries: Sequence[LegendEntry], width: float, note: str = "") -> list[Shape]:
    """A caption above a legend, down from the left end of a picture.

    Examples
    --------
    >>> [shape.text for shape in legend_caption("step 1", [WHY], 300)]
    ['step 1', '', 'cause']
    """
    found: list[Shape] = []
    down = 14.0
    lines = [part for words in title.splitlines() for part in wrap_text(words, TITLE, width, 6)]
    for words in lines:
        found.append(starting(words, "", (0, down + TITLE * 0.6), TITLE))
        down += TITLE * 1.2
    down += TITLE * 1.2 if len(lines) == 1 else 0  # pictures of short and long captions are of one height
    found += legend(entries, width, down + 10)
    if note:
        down = max((shape.points[0][1] for shape in found), default=down) + ROW / 2
        for i, words in enumerate(wrap_text(note, SMALL, width, 3)):
            found.append(starting(words, "", (0, down + 10 + i * SMALL * 1.2), SMALL))
    return found


def legend(entries: Sequence[LegendEntry], width: float, down: float) -> Iterator[Shape]:
    """Swatches and words, in as many rows as the width asks for."""
    across = 0.0
    for entry in entries:
        wide = SWATCH + GAP + 4 + WIDER * text_width(entry.words, SMALL)
        if across and across + wide > width:
            across, down = 0.0, down + ROW
        middle = across + SWATCH / 2, down + ROW / 2
        yield from (shape.moved(middle) for shape in entry.shapes)
        yield starting(entry.words, "", (across + SWATCH + 4, middle[1]), SMALL)
        across += wide


def starting(words: str, look: str, at: tuple[float, float], size: float) -> Shape:
    """A text from a point to the right."""
    wide = text_width(words, size) * WIDER
    return Shape("text", f"{look} start".strip(), ((at[0] + wide / 2, at[1]), (wide, size * 1.2)), words, size)
