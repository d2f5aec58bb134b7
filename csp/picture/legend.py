"""What stands under a picture, as marks: its caption, and what its looks mean."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ..board.widths import text_width, wrap_text
from ..model import AllDifferent
from .edges.edges import look
from .marks import Mark, box, disc, line, text
from .plan import Plan
from .style import WIDER, plain_counted

TITLE, SMALL = 15, 13  # sizes of fonts
SWATCH, GAP, ROW = 24.0, 14.0, 30.0


class LegendEntry(NamedTuple):
    """A swatch, around its middle, and its meaning.

    Attributes
    ----------
    words : str
    marks : tuple of Mark
    """

    words: str
    marks: tuple[Mark, ...]


def _vertex(state: str, *inside: Mark) -> tuple[Mark, ...]:
    return box(f"body cell {state}".strip(), (0, 0), (22, 20), corner=3), *inside


def _line(look: str) -> tuple[Mark, ...]:
    return (line(look, (-12, 0), (-4, 0), (4, 0), (12, 0)),)


STRUCK = box("boxed", (0, 0), (14, 16)), text("1", "gone", (0, 0), 14), line("strike", (-7, 0), (7, 0))
BOTH = box("bits", (-5.5, -5.5), (7, 7)), box("bits", (5.5, 5.5), (7, 7))
RAMP = box("ramp", (0, 0), (20, 18))._replace(share=0.6), text("7", "count", (0, 0), 13)

MARK = LegendEntry("marked: its domain has changed", _vertex("marked", text("*", "asterisk", (0, 4), 20)))
GONE = LegendEntry("removed now", STRUCK)
WORK = LegendEntry("active group, or decision", _vertex("active"))
WHY = LegendEntry("cause", _vertex("cause"))
IDLES = LegendEntry("idle", _vertex(""))
GIVEN = LegendEntry("given", (text("1", "fixed", (0, 0), 18),))
DIFFER = LegendEntry("not equal", _line("edge"))
OTHER = LegendEntry("other constraint", _line("edge dashed"))
BITS = LegendEntry("values left, each in its place", BOTH)
COUNT = LegendEntry("how many values are left", _vertex("", *RAMP))
CAGE = LegendEntry("cage, and what it must be", _line("cage"))
SHADED = LegendEntry("group of grey cells", (box("shade", (0, 0), (22, 20)),))
EVEN = LegendEntry("even", (box("shade", (0, 0), (22, 20)),))
ODD = LegendEntry("odd", (disc("odd", (0, 0), 20),))
CHIP = LegendEntry("group", (box("body constraint", (0, 0), (22, 18), corner=3), text("g", "", (0, 0), 11)))
CONSTRAINT = LegendEntry("constraint", (box("body constraint", (0, 0), (22, 18), corner=3), text("c", "", (0, 0), 11)))
FAILURE = LegendEntry(
    "failure: who took it: ↔ row, ↕ column, ▦ group, ⤡ diagonal, • one cell, ○ decision", _vertex("failed")
)
STATES = (MARK, GONE, WORK, WHY, IDLES)

MATCHING = (
    LegendEntry("cause", _vertex("cause")),
    LegendEntry("pair of one matching", _line("edge pair matched")),
    LegendEntry("value left", _line("edge pair")),
    LegendEntry("removed now: in no matching", _line("edge pair gone lost")),
    LegendEntry("use up their values", (box("component", (0, 0), (22, 20), corner=5),)),
    LegendEntry("have values to spare", (box("component spare", (0, 0), (22, 20), corner=5),)),
)

LINKS = {
    "found-now": LegendEntry("found", (disc("yes found-now", (0, 0), 18), text("1", "yes", (0, 0), 13))),
    "yes": LegendEntry("on", (disc("yes", (0, 0), 18), text("1", "yes", (0, 0), 13))),
    "no": LegendEntry("off", (disc("no", (0, 0), 18), text("1", "no", (0, 0), 13))),
    "fin": LegendEntry("fin", (line("fin", (0, -11), (11, 8), (-11, 8), (0, -11)), text("1", "fin", (0, 2), 12))),
    "strong": LegendEntry("strong: at least one", _line("edge strong")),
    "weak": LegendEntry("weak: at most one", _line("edge weak")),
    "rank": LegendEntry("order", (disc("rank", (0, 0), 12), text("1", "rank", (0, 0), 9))),
    "lined": LegendEntry("line, or base", (box("lined", (0, 0), (22, 20), corner=3),)),
    "cover": LegendEntry("cover", (line("cover", (-10, 6), (2, -9)), line("cover", (-3, 9), (9, -6)))),
    "outline": LegendEntry("cells of the pattern", (box("outline", (0, 0), (20, 18), corner=4),)),
    "nothing": LegendEntry("has nothing left", (box("nothing", (0, 0), (20, 18), corner=4),)),
}
"""The signs of steps of techniques, by what makes their look."""

CLAIM = LegendEntry("claim", (box("body cell claim", (0, 0), (22, 20), corner=3),))
BECAUSE = LegendEntry("cause", (box("body cell because", (0, 0), (22, 20), corner=3),))
RANK = LINKS["rank"]._replace(words="number in the list")

SIGNS = (
    *STATES, GIVEN, DIFFER, OTHER, CHIP, CONSTRAINT, BITS, COUNT, CAGE, SHADED, EVEN, ODD, FAILURE, *MATCHING,
    *LINKS.values(),
)  # fmt: skip
"""All entries."""


def entries(plan: Plan, lens: str, states: Collection[LegendEntry] = STATES) -> Iterator[LegendEntry]:
    """The signs that can occur in the pictures of a plan."""
    model, shown = plan.model, plan.through(lens)
    forms = {id(form): form for form in plan.layout.forms.values()}.values()
    yield from states
    if plan.given and len(plan.given) < len(model.domains):
        yield GIVEN
    looks = {edge.look for edge in shown.edges}
    looks |= {look(model.constraints[number]) for number in shown.chips if plan.chips[number].quiet}
    yield from (entry for one, entry in (("plain", DIFFER), ("dashed", OTHER)) if one in looks)
    if shown.chips:
        is_plain = all(isinstance(model.constraints[number], AllDifferent) for number in shown.chips)
        yield CHIP if is_plain else CONSTRAINT
    if any(form.style == "bitmap" for form in forms):
        yield BITS
    if any(form.style == "size" for form in forms):
        yield COUNT
    if any(mark.look == "cage" for mark in plan.marks):
        yield CAGE
    behind = [number for mark in plan.marks if mark.look == "shade" for number in mark.constraints]
    groups = {isinstance(model.constraints[number], AllDifferent) for number in behind}
    yield from (entry for entry, is_group in ((SHADED, True), (EVEN, False)) if is_group in groups)
    if any(mark.look == "odd" for mark in plan.marks):
        yield ODD


def hidden(plan: Plan, lens: str) -> str:
    """How many constraints a lens does not always show."""
    number = plan.unseen(lens)
    return f"{plain_counted(number, 'constraint shows', 'constraints show')} only when active" if number else ""


def legend_caption(title: str, entries: Sequence[LegendEntry], width: float, note: str = "") -> list[Mark]:
    """A caption above a legend, down from the left end of a picture.

    Examples
    --------
    >>> [mark.text for mark in legend_caption("step 1", [WHY], 300)]
    ['step 1', '', 'cause']
    """
    found: list[Mark] = []
    down = 14.0
    lines = [part for words in title.splitlines() for part in wrap_text(words, TITLE, width, 6)]
    for words in lines:
        found.append(starting(words, "", (0, down + TITLE * 0.6), TITLE))
        down += TITLE * 1.2
    down += TITLE * 1.2 if len(lines) == 1 else 0  # pictures of short and long captions are of one height
    found += legend(entries, width, down + 10)
    if note:
        down = max((mark.points[0][1] for mark in found), default=down) + ROW / 2
        for i, words in enumerate(wrap_text(note, SMALL, width, 3)):
            found.append(starting(words, "", (0, down + 10 + i * SMALL * 1.2), SMALL))
    return found


def legend(entries: Sequence[LegendEntry], width: float, down: float) -> Iterator[Mark]:
    """Swatches and words, in as many rows as the width asks for."""
    across = 0.0
    for entry in entries:
        wide = SWATCH + GAP + 4 + WIDER * text_width(entry.words, SMALL)
        if across and across + wide > width:
            across, down = 0.0, down + ROW
        middle = across + SWATCH / 2, down + ROW / 2
        yield from (mark.moved(middle) for mark in entry.marks)
        yield starting(entry.words, "", (across + SWATCH + 4, middle[1]), SMALL)
        across += wide


def starting(words: str, look: str, at: tuple[float, float], size: float) -> Mark:
    """A text from a point to the right."""
    wide = text_width(words, size) * WIDER
    return Mark("text", f"{look} start".strip(), ((at[0] + wide / 2, at[1]), (wide, size * 1.2)), words, size)
