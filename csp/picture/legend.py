"""Write the text below a picture: the caption, and a legend that explains looks.

A new look of a shape needs an entry here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..board.drawn.skins import BLANK
from ..board.widths import text_width, wrap_text
from ..model import AllDifferent
from .edges import look
from .plan import Plan
from .shapes import Shape, box, disc, line, text
from .style import WIDER, plain_counted

TITLE, SMALL = 15, 13  # sizes of fonts
UNSEEN = ("folded",)
"""Looks of shapes without an extent, which cannot be seen."""
TAKER_SIGNS = {
    "a row": "↔", "a column": "↕", "a pair": "‖", "a group": "▦", "a diagonal": "⤡", "one cell": "•", "a decision": "○",
}  # fmt: skip
SWATCH, GAP, ROW = 24.0, 14.0, 30.0
"""The width of a swatch, the space between two entries and the height of a row, in points."""


class LegendEntry(NamedTuple):
    """An entry of the legend: a sample, its meaning, and the look that it explains.

    Attributes
    ----------
    words : str
        The meaning.
    shapes : tuple of Shape
        The swatch, around its middle.
    look : str
        The words that the look of a matching shape contains.
    unless : str
        The words that the look of a matching shape must not contain.
    sign : str
        The text of a matching shape, if several entries share one look; else empty.
    """

    words: str
    shapes: tuple[Shape, ...]
    look: str = ""
    unless: str = ""
    sign: str = ""

    def is_in(self, shapes: Iterable[Shape]) -> bool:
        """Return whether one of ``shapes`` has the look and the sign of this entry.

        Examples
        --------
        >>> FOUND.is_in([text(7, "found", (0, 0), 18)]), GIVEN.is_in([text(7, "fixed found", (0, 0), 18)])
        (True, False)
        """
        needed, excluded = set(self.look.split()), {*self.unless.split(), *UNSEEN}
        looks = (shape.look.split() for shape in shapes if not self.sign or shape.text == self.sign)
        return any(needed.issubset(look) and excluded.isdisjoint(look) for look in looks)

    @property
    def selector(self) -> str:
        """The CSS selector of the looks that this entry explains; it ignores ``sign``."""
        excluded = [f":not(.{word})" for word in (*self.unless.split(), *UNSEEN)]
        return "".join([*(f".{word}" for word in self.look.split()), *excluded])


def _cell_swatch(state: str, *inside: Shape) -> tuple[Shape, ...]:
    """Return a sample cell with a state for the legend; ``inside`` are more shapes."""
    return box(f"body cell {state}".strip(), (0, 0), (22, 20), corner=3), *inside


def _line_swatch(look: str) -> tuple[Shape, ...]:
    """Return a sample of a line with a look, for the legend."""
    return (line(look, (-12, 0), (-4, 0), (4, 0), (12, 0)),)


def _node_swatch(letter: str) -> tuple[Shape, ...]:
    """Return a sample of a constraint node with a letter, for the legend."""
    return box("body constraint", (0, 0), (22, 18), corner=3), text(letter, "", (0, 0), 11)


def _candidate_entry(words: str, disc_look: str, look: str, unless: str = "") -> LegendEntry:
    """Return the legend entry for candidates in discs of one look."""
    return LegendEntry(words, (disc(disc_look, (0, 0), 18), text("1", "yes", (0, 0), 13)), look, unless)


STRUCK = box("boxed", (0, 0), (14, 16)), text("1", "gone", (0, 0), 14), line("strike", (-7, 0), (7, 0))
BOTH = box("bits", (-5.5, -5.5), (7, 7)), box("bits", (5.5, 5.5), (7, 7))
RAMP = box("ramp", (0, 0), (20, 18))._replace(share=0.6), text("7", "count", (0, 0), 13)

MARK = LegendEntry(
    "marked: changed, waits in the queue", _cell_swatch("marked", text("*", "asterisk", (0, 4), 20)), "asterisk"
)
GONE = LegendEntry("removed now", STRUCK, "boxed")
COUNTED = LegendEntry(
    "how many removed now", (box("loss", (0, 0), (22, 12), corner=3), text("−4", "loss", (0, 0), 11)), "loss"
)
SENT = LegendEntry(
    "how many this cause removed", (box("sent", (0, 0), (24, 12), corner=3), text("→9", "sent", (0, 0), 11)), "sent"
)
TIMES = LegendEntry(
    "how many this arrow removed", (*_line_swatch("edge hit"), text("5", "times", (-3, 0), 11)), "times"
)
ALONG = LegendEntry("cause removes value", _line_swatch("edge hit"), "hit")
WORK = LegendEntry("active constraint or decision", _cell_swatch("active"), "active")
WHY = LegendEntry("cause", _cell_swatch("cause"), "cause")
ACTED = LegendEntry(
    "clue that acted", (box("acted", (0, 0), (18, 18), corner=3), text("3", "clue acting", (0, 0), 13)), "acted"
)
TOUCHED = LegendEntry(
    "a helper of this cell changed: helpers are not drawn", (box("touched", (0, 0), (20, 18), corner=5),), "touched"
)
TOUCHED_CAUSE = LegendEntry(
    "a helper of this cell is the cause", (box("touched-cause", (0, 0), (20, 18), corner=5),), "touched-cause"
)
GIVEN = LegendEntry("given", (text("1", "fixed", (0, 0), 18),), "fixed", "found painted")
FOUND = LegendEntry("found", (text("1", "found", (0, 0), 18),), "found")
DIFFER = LegendEntry("not equal", _line_swatch("edge"), "edge", "dashed pair strong weak hit")
OTHER = LegendEntry("other constraint", _line_swatch("edge dashed"), "edge dashed", "pair")
SPINE = LegendEntry("joins the cells of a constraint", _line_swatch("spine"), "spine")
BITS = LegendEntry("remaining values, each in its place", BOTH, "bits")
COUNT = LegendEntry("number of remaining values", _cell_swatch("", *RAMP), "ramp")
CAGE = LegendEntry("cage with its clue", _line_swatch("cage"), "cage")
SHADED = LegendEntry("grey: one more group", (box("shade", (0, 0), (22, 20)),), "shade")
EVEN = LegendEntry("even", (box("shade", (0, 0), (22, 20)),), "shade")
ODD = LegendEntry("odd", (disc("odd", (0, 0), 20),), "odd")
EMPTY = LegendEntry("known to be empty", (text(BLANK, "count", (0, 0), 22),), "count", sign=BLANK)
CROSSED = LegendEntry("no line here", (text("×", "count", (0, 0), 15),), "count", sign="×")
CHIP = LegendEntry("group", _node_swatch("g"), "constraint")
CONSTRAINT = LegendEntry("constraint", _node_swatch("c"), "constraint")
FAILURE = LegendEntry("failure", _cell_swatch("failed"), "badge")
TAKERS = tuple(
    LegendEntry(
        f"removed by {name}",
        (box("taker", (0, 0), (20, 18), corner=3), text(sign, "took", (0, 0), 13)),
        "took",
        "",
        sign,
    )
    for name, sign in TAKER_SIGNS.items()
)
"""In pictures of failures: the kind of constraint that removed a value."""
STATES = (MARK, GONE, COUNTED, ALONG, TIMES, SENT, WORK, WHY, ACTED, TOUCHED, TOUCHED_CAUSE)
"""The states of vertices, which every legend can contain."""

MATCHING = (
    LegendEntry("cause", _cell_swatch("cause"), "cause"),
    LegendEntry("pair of one matching", _line_swatch("edge pair matched"), "pair matched"),
    LegendEntry("remaining value", _line_swatch("edge pair"), "pair", "matched gone lost between"),
    LegendEntry("removed now: in no matching", _line_swatch("edge pair gone lost"), "pair gone"),
    LegendEntry("as many values as variables", (box("component", (0, 0), (22, 20), corner=5),), "component", "spare"),
    LegendEntry("more values than variables", (box("component spare", (0, 0), (22, 20), corner=5),), "component spare"),
)
STAGES = (
    *MATCHING, LegendEntry("in no matching, not removed yet", _line_swatch("edge pair between"), "pair between"),
)  # fmt: skip

LINKS = {
    "found-now": _candidate_entry("found", "yes found-now", "found-now"),
    "yes": _candidate_entry("true", "yes", "yes", "found-now"),
    "no": LegendEntry("false", (disc("no", (0, 0), 18), text("1", "no", (0, 0), 13)), "no"),
    "fin": LegendEntry(
        "fin", (line("fin", (0, -11), (11, 8), (-11, 8), (0, -11)), text("1", "fin", (0, 2), 12)), "fin"
    ),
    "strong": LegendEntry("strong: at least one", _line_swatch("edge strong"), "strong"),
    "weak": LegendEntry("weak: at most one", _line_swatch("edge weak"), "weak"),
    "rank": LegendEntry("order", (disc("rank", (0, 0), 12), text("1", "rank", (0, 0), 9)), "rank"),
    "lined": LegendEntry("base lines", (box("lined", (0, 0), (22, 20), corner=3),), "lined"),
    "cover": LegendEntry("cover lines", (line("cover", (-10, 6), (2, -9)), line("cover", (-3, 9), (9, -6))), "cover"),
    "outline": LegendEntry("cells of the pattern", (box("outline", (0, 0), (20, 18), corner=4),), "outline"),
    "nothing": LegendEntry("has no value left", (box("nothing", (0, 0), (20, 18), corner=4),), "nothing"),
}
"""The entries for steps of techniques, by the word that distinguishes their looks."""

CLAIM = LegendEntry("to be shown", (box("body cell claim", (0, 0), (22, 20), corner=3),), "claim")
BECAUSE = LegendEntry("cause", (box("body cell because", (0, 0), (22, 20), corner=3),), "because")
RANK = LINKS["rank"]._replace(words="number in the list")

SIGNS = (
    *STATES, GIVEN, FOUND, DIFFER, OTHER, SPINE, CHIP, CONSTRAINT, BITS, COUNT, CAGE, SHADED, EVEN, ODD, EMPTY, CROSSED,
    FAILURE, *TAKERS, *MATCHING, *LINKS.values(),
)  # fmt: skip
"""All entries of all legends."""


def entries(plan: Plan, lens: str) -> Iterator[LegendEntry]:
    """Yield the legend entries that can occur in the pictures of a plan.

    ``LegendEntry.is_in`` decides which of them do occur.
    """
    model, drawn_lens = plan.model, plan.draw_lens(lens)
    forms = {id(form): form for form in plan.layout.forms.values()}.values()
    yield from (*STATES, *([GIVEN] if plan.given else []), FOUND)
    # Edges that the lens draws now, and those that quiet constraint nodes will draw.
    looks = {edge.look for edge in drawn_lens.edges}
    looks |= {
        look(model.constraints[number])
        for number in drawn_lens.drawn_constraints
        if plan.constraint_nodes[number].quiet
    }
    yield from (entry for name, entry in (("plain", DIFFER), ("dashed", OTHER)) if name in looks)
    if any("spine" in shape.look for shape in drawn_lens.printed):
        yield SPINE
    # Constraint nodes are called groups if all are ``all_different``.
    if drawn_lens.drawn_constraints:
        has_only_groups = all(
            isinstance(model.constraints[number], AllDifferent) for number in drawn_lens.drawn_constraints
        )
        yield CHIP if has_only_groups else CONSTRAINT
    # Some ways to show domains and clues occur only in some puzzles.
    if any(form.style == "bitmap" for form in forms):
        yield BITS
    if any(form.style == "size" for form in forms):
        yield COUNT
    if any(shape.look == "cage" for shape in plan.shapes):
        yield CAGE
    # Grey cells are a group, or cells that must be even.
    shaded = [number for shape in plan.shapes if shape.look == "shade" for number in shape.constraints]
    shaded_kinds = {isinstance(model.constraints[number], AllDifferent) for number in shaded}
    yield from (entry for entry, is_group in ((SHADED, True), (EVEN, False)) if is_group in shaded_kinds)
    if any(shape.look == "odd" for shape in plan.shapes):
        yield ODD
    # Fixed values that draw nothing or are crossed out have a sign where values are drawings.
    drawings = {drawing for form in forms for drawing in form.skin}
    yield from (entry for entry in (EMPTY, CROSSED) if entry.sign in drawings)
    yield from (FAILURE, *TAKERS)


def unseen_note(plan: Plan, lens: str) -> str:
    """Return a note on how many constraints are drawn only in steps; empty for 0."""
    count = plan.count_unseen(lens)
    return f"{plain_counted(count, 'constraint is', 'constraints are')} drawn only in steps" if count else ""


def legend_caption(title: str, entries: Sequence[LegendEntry], width: float, note: str = "") -> list[Shape]:
    """Return the shapes of a caption: title, legend and note, from the origin downwards.

    Examples
    --------
    >>> [shape.text for shape in legend_caption("step 1", [WHY], 300)]
    ['step 1', '', 'cause']
    """
    shapes: list[Shape] = []
    y = 14.0
    # Wrap the title; one line or two take the same height.
    lines = [part for line_text in title.splitlines() for part in wrap_text(line_text, TITLE, width, 6)]
    for line_text in lines:
        shapes.append(text_from_left(line_text, "", (0, y + TITLE * 0.6), TITLE))
        y += TITLE * 1.2
    y += TITLE * 1.2 if len(lines) == 1 else 0  # so that pictures with captions of one and of two lines have one height
    shapes += legend(entries, width, y + 10)
    # The note is below the legend.
    if note:
        y = max((shape.points[0][1] for shape in shapes), default=y) + ROW / 2
        for i, line_text in enumerate(wrap_text(note, SMALL, width, 3)):
            shapes.append(text_from_left(line_text, "", (0, y + 10 + i * SMALL * 1.2), SMALL))
    return shapes


def legend(entries: Sequence[LegendEntry], total_width: float, y: float) -> Iterator[Shape]:
    """Yield the samples and texts of legend entries, in rows of at most ``total_width``."""
    x = 0.0
    for entry in entries:
        width = SWATCH + GAP + 4 + WIDER * text_width(entry.words, SMALL)
        # Begin another row.
        if x and x + width > total_width:
            x, y = 0.0, y + ROW
        middle = x + SWATCH / 2, y + ROW / 2
        yield from (shape.moved(middle) for shape in entry.shapes)
        yield text_from_left(entry.words, "", (x + SWATCH + 4, middle[1]), SMALL)
        x += width


def text_from_left(words: str, look: str, start: tuple[float, float], size: float) -> Shape:
    """Return a text whose left end is at ``start``."""
    width = text_width(words, size) * WIDER
    return Shape("text", f"{look} start".strip(), ((start[0] + width / 2, start[1]), (width, size * 1.2)), words, size)
