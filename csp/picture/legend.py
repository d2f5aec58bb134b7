"""Write the text below a picture: the caption, and a legend that explains looks.

A new look of a shape needs an entry here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ..base.notation import quoted
from ..board.drawn.skins import BLANK, INK, skins
from ..board.widths import text_width, wrap_text
from ..board.wording import Wording, common_beginning
from ..model import AllDifferent, Model, Variable
from .edges import look
from .lines.wires import wire_looks
from .plan import Plan
from .shapes import Shape, box, disc, line, pill, text
from .style import DEPTHS, HUES, TONES, WIDER, plain_counted
from .vertex import PLACE

TITLE, SMALL = 15, 13  # sizes of fonts
UNSEEN = ("folded",)
"""Looks of shapes without an extent, which cannot be seen."""
TAKER_SIGNS = {
    "a row": "↔", "a column": "↕", "a pair": "‖", "a group": "▦", "a diagonal": "⤡", "a rising diagonal": "⤢",
    "one cell": "•", "a decision": "○",
}  # fmt: skip
HORIZONTAL = "←→"
"""Signs that a strike would cover in a sample."""
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
        The words that the look of a matching shape contains. A word may have alternatives, such as ``lit|thin``.
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
        needed = [set(word.split("|")) for word in self.look.split()]
        excluded = {*self.unless.split(), *UNSEEN}
        looks = (set(shape.look.split()) for shape in shapes if not self.sign or shape.text == self.sign)
        matching = (look for look in looks if all(map(look.intersection, needed)) and excluded.isdisjoint(look))
        return any(True for _ in matching)

    @property
    def look_words(self) -> frozenset[str]:
        """All words of ``look``, with their alternatives."""
        return frozenset(self.look.replace("|", " ").split())

    @property
    def selector(self) -> str:
        """The CSS selector of the looks that this entry explains; it ignores ``sign``."""
        excluded = [f":not(.{word})" for word in (*self.unless.split(), *UNSEEN)]
        needed = (word.split("|") for word in self.look.split())
        classes = (
            f":is({', '.join(f'.{word}' for word in words)})" if words[1:] else f".{words[0]}" for words in needed
        )
        return "".join([*classes, *excluded])


def _cell_swatch(state: str, *inside: Shape) -> tuple[Shape, ...]:
    """Return a sample cell with a state for the legend; ``inside`` are more shapes."""
    return box(f"body cell {state}".strip(), (0, 0), (22, 20), corner=3), *inside


def _line_swatch(look: str) -> tuple[Shape, ...]:
    """Return a sample of a line with a look, for the legend."""
    return (line(look, (-12, 0), (-4, 0), (4, 0), (12, 0)),)


def _wire_swatch(along: int) -> tuple[Shape, ...]:
    """Return a sample of a wire along a row (0) or column (1)."""
    lead, wire, head, dot = wire_looks(along)
    parts = line(lead, (-12, 4), (-6, 4)), line(wire, (-6, 4), (9, 4)), line(head, (9, 4), (9, 0), (9, -4), (9, -7))
    return *parts, disc(dot, (-6, 4), 7)


def _struck_swatch(sign: Shape) -> tuple[Shape, ...]:
    """Return a sample of a struck-out sign, for the legend."""
    return box("boxed", (0, 0), (16, 16)), sign, line("strike", (-8, 0), (8, 0))


def _node_swatch(letter: str, state: str = "") -> tuple[Shape, ...]:
    """Return a sample of a constraint node with a letter, for the legend."""
    return box(f"body constraint {state}".strip(), (0, 0), (22, 18), corner=3), text(letter, "", (0, 0), 11)


def _candidate_entry(words: str, disc_look: str, look: str, unless: str = "") -> LegendEntry:
    """Return the legend entry for candidates in discs of one look."""
    return LegendEntry(words, (disc(disc_look, (0, 0), 18), text("1", "yes", (0, 0), 13)), look, unless)


def _spot_entry(words: str, look: str, label: str, unless: str = "") -> LegendEntry:
    """Return the legend entry for values of helpers, at their places, of one look."""
    shapes = box(look, (0, 0), (20 if label[1:] else 14, 14), corner=2), text(label, look, (0, 0), 12)
    strike = (line("strike", (-7, 0), (7, 0)),) if look.startswith("spot-lost") else ()
    return LegendEntry(words, (*shapes, *strike), look, unless)


STRUCK = _struck_swatch(text("1", "gone", (0, 0), 14))
BOTH = box("bits", (-5.5, -5.5), (7, 7)), box("bits", (5.5, 5.5), (7, 7))
SHADES = tuple([f"ramp-{i}" for i in range(len(DEPTHS))])
RAMP = tuple([box(f"ramp {shade}", (5 * i - 7.5, 0), (5, 18)) for i, shade in enumerate(SHADES)])

MARK = LegendEntry(
    "marked: changed, not seen by all constraints yet",
    _cell_swatch("marked", text("*", "asterisk", (0, 4), 20)),
    "asterisk|marked",
    "cell step row column",
)
MARK_ALONE = LegendEntry(MARK.words, _cell_swatch("", text("*", "asterisk", (0, 4), 20)), "asterisk")
GONE = LegendEntry("removed", STRUCK, "gone", "blank inked bar-line pair")
COUNTED = LegendEntry("number of values lost now that are not struck", tuple(pill("loss", "−4", (0, 0))), "loss")
SENT = LegendEntry("number of values that this cause removed", tuple(pill("sent", "→×9", (0, 0))), "sent")
TIMES = LegendEntry(
    "how many removed values share this arrow, also elsewhere", tuple(pill("times", "×3", (0, 0))), "times"
)
ONLY = "second third fourth fifth sixth"
ALONG = LegendEntry("cause removes value", _line_swatch("edge hit"), "hit", f"tap {ONLY} tie")
OTHERS = tuple([line(f"edge hit {ONLY.split()[i]}", *((9 * i + x, 0) for x in (-14, -11, -8, -5))) for i in range(3)])
OTHER_ALONG = LegendEntry("other causes in the same place", OTHERS, "second|third|fourth|fifth|sixth", "tie")
TIED = LegendEntry("act together; the nearest has the arrow", _line_swatch("edge hit tie"), "tie", ONLY)
TIES = tuple([shape._replace(look=f"{shape.look} tie") for shape in OTHERS])
OTHER_TIED = LegendEntry("other causes that act together", TIES, f"tie {OTHER_ALONG.look}")
WIRED = LegendEntry("cause (dot) removes value by this constraint", _wire_swatch(0), "wire", "upright")
UPRIGHT = LegendEntry("cause (dot) removes value in a column", _wire_swatch(1), "upright")
WORK = LegendEntry("active constraint or decision", _cell_swatch("active"), "active|ground-active")
WHY = LegendEntry("cause", _cell_swatch("cause"), "cause", "constraint")
RULE = LegendEntry("constraint that acted", _node_swatch("c", "cause"), "constraint cause")
SWEPT = LegendEntry("this whole area lost a value", _cell_swatch("swept"), "swept|ground-swept")
GROUPED = LegendEntry(
    "group with one place for a value", _cell_swatch("grouped"), "grouped|ground-grouped|grouped-square"
)
ACTED = LegendEntry(
    "clue that acted", (box("acted", (0, 0), (18, 18), corner=3), text("3", "clue acting", (0, 0), 13)), "acted"
)
TOUCHED = LegendEntry("a helper here lost a value", (box("touched", (0, 0), (20, 18), corner=5),), "touched")
CROSS = line("cross", (-4, -8), (4, 0)), line("cross", (-4, 0), (4, -8))
REFUSED = LegendEntry("helper ruled out here", (box("refused", (0, 2), (20, 12), corner=5), *CROSS), "refused")
HELD = LegendEntry("helper found to hold here", (box("held", (0, 0), (20, 18), corner=5),), "held")
TOUCHED_CAUSE, REFUSED_CAUSE, HELD_CAUSE = (
    LegendEntry(f"{owner} is the cause", (box(look, (0, 0), (20, 18), corner=5),), look)
    for look, owner in (
        ("touched-cause", "a helper here"), ("refused-cause", "helper ruled out here"),
        ("held-cause", "helper that holds here"),
    )
)  # fmt: skip
SPOTS = (
    _spot_entry("value of a helper removed here", "spot-lost", "1", "number"),
    _spot_entry("number that cannot be here: removed", "spot-lost number", "1"),
    _spot_entry("how many values the helpers of this place lost", "spot-count", "−4", "number"),
    _spot_entry("how many numbers cannot be here: removed", "spot-count number", "−4"),
    _spot_entry("because of the places of this number", "spot-by", "←2"),
    _spot_entry("number that can still be here", "spot-left", "1"),
    _spot_entry("number or pair whose place is found", "spot-found", "1"),
)
HELPERS = TOUCHED, REFUSED, HELD, TOUCHED_CAUSE, REFUSED_CAUSE, HELD_CAUSE, *SPOTS
"""The signs of helpers, at their places."""
GIVEN = LegendEntry("given", (text("1", "fixed", (0, 0), 18),), "fixed", "found painted")
FOUND = LegendEntry("found", (text("1", "found", (0, 0), 18),), "found|found-text", "aside")
ASIDE = LegendEntry("found", (text("1", "found-text aside", (5, 4), 13),), "found-text aside")
DIFFER = LegendEntry("not equal", _line_swatch("edge"), "edge", "dashed pair strong weak hit lit thin on")
OTHER = LegendEntry("other constraint", _line_swatch("edge dashed"), "edge dashed", "pair lit thin on")
SPINE = LegendEntry("joins a group of cells that must differ", _line_swatch("spine"), "spine", "on dashed")
MEMBERS = SPINE._replace(words="joins a constraint to its cells")
SPINE_DASHED = LegendEntry("joins cells of another constraint", _line_swatch("spine dashed"), "spine dashed", "on")
BITS = LegendEntry("remaining values, each in its place", BOTH, "bits")
COUNT = LegendEntry("number of remaining values", (text("7 left", "count", (0, 0), 9),), "count")
DARKER = LegendEntry("values lost, darker if fewer remain", _cell_swatch("", *RAMP), "ramp")
CAGE = LegendEntry("cage with its clue", _line_swatch("cage"), "cage")
SHADED = LegendEntry("one more group", (box("shade", (0, 0), (22, 20)),), "shade")
EVEN = LegendEntry("even", (box("shade", (0, 0), (22, 20)),), "shade")
ODD = LegendEntry("odd", (disc("odd", (0, 0), 20),), "odd")
EMPTY = LegendEntry("surely empty", (disc("blank", (0, 0), 9),), "blank", "gone")
CROSSED = LegendEntry("no line here", (text("×", "crossed", (0, 0), 15),), "crossed")
NOT_EMPTY = LegendEntry("empty is removed", _struck_swatch(disc("blank gone", (0, 0), 9)), "blank gone")
NOT_SHADED = LegendEntry("shaded is removed", _struck_swatch(box("inked gone", (0, 0), (9, 9))), "inked gone")
BULB = LegendEntry("bulb: start of a line", (disc("tint-grey", (0, 0), 20),))
NO_LINE = LegendEntry("line is removed", _struck_swatch(box("bar-line gone", (0, 0), (4, 13))), "bar-line gone")
CHIP = LegendEntry("group", _node_swatch("g"), "constraint")
CONSTRAINT = LegendEntry("constraint", _node_swatch("c"), "constraint")
FAILURE = LegendEntry("failure", _cell_swatch("failed"), "badge|failed-square|failed|ground-failed")
EMPTIED = LegendEntry("no value left", (text("none", "empty", (0, 0), 10),), "empty")
WORDED = LegendEntry(
    "reason why the value is not here",
    (box("taker worded", (0, 0), (24, 13), corner=3), text("row", "took worded", (0, 0), 10)),
    "worded",
)
PIECE = LegendEntry(
    "no path joins places of different letters",
    (box("taker piece", (0, 0), (18, 18), corner=3), text("A", "took piece", (0, 0), 13)),
    "piece",
)
CLUES = "inner|corner|clue|sign|said-ball"
"""The looks of printed texts."""
NOT_LIT = f"arrow forward backward constraint sum region cage ring orb quad {CLUES.replace('|', ' ')}"
LIT = LegendEntry("active constraint", _line_swatch("edge lit"), "lit|thin|on", f"dashed {NOT_LIT}")
LIT_DASHED = LegendEntry("other active constraint", _line_swatch("edge dashed lit"), "dashed lit|thin|on", NOT_LIT)
LIT_AREA = LegendEntry("border of an active region", _line_swatch("region on"), "region|cage on")
HEADED = "lit|thin|on arrow|forward|backward"
CARRIED = LegendEntry("cause removes value by this constraint", _line_swatch("edge lit arrow"), HEADED, "dashed")
CARRIED_DASHED = LegendEntry(
    "cause removes value by other constraint", _line_swatch("edge dashed lit arrow"), f"dashed {HEADED}"
)
POSSIBLE = LegendEntry("possible value", (text("1", "possible", (0, 0), 15),), "possible")
PLACES = LegendEntry("possible place", (text(PLACE, "possible", (0, 0), 15),), "possible", sign=PLACE)
PAINTED = LegendEntry("colour of a value", (box("paint", (0, 0), (20, 14))._replace(fill=HUES[0]),), "paint|painted")
CLUE = LegendEntry("clue", (text("7", "inner", (0, 0), 18),), CLUES, "on found-text name")
PRINTED = CLUE._replace(words="printed", shapes=(text("A", "inner", (0, 0), 18),))
NAME = LegendEntry("name of the cell", (text("A", "inner", (0, 0), 14),), "corner name")
FILLS = tuple(
    LegendEntry(f"{tone} fill", (box(f"tint-{tone}", (0, 0), (22, 20)),), f"tint-{tone}", "on inked") for tone in TONES
)
DRAWN = (
    CLUE,
    LegendEntry(
        "sum of the run beside it", (box("black", (0, 0), (22, 20)), text("9", "sum", (0, 0), 12)), "sum", "differ"
    ),
    LegendEntry(
        "the cells of the run differ",
        (box("black", (0, 0), (22, 20)), text("≠", "sum differ", (0, 0), 12)),
        "sum differ",
    ),
    LegendEntry("black square", (box("black", (0, 0), (22, 20)),), "black"),
    LegendEntry("board", (box("dark", (0, 0), (22, 20)),), "dark"),
    LegendEntry("border of a region", _line_swatch("region"), "region", "on"),
    LegendEntry("joins the cells of a constraint", _line_swatch("thread"), "thread"),
    LegendEntry("variables of one pair", (box("tuple", (0, 0), (22, 20), corner=5),), "tuple"),
    LegendEntry("found border", _line_swatch("loop"), "loop"),
    LegendEntry("found line", _line_swatch("way"), "way"),
    LegendEntry("clue circle", (disc("ring", (0, 0), 20),), "ring"),
    LegendEntry("clue disc", (disc("orb", (0, 0), 18),), "orb"),
    LegendEntry("clue square", (box("quad", (0, 0), (18, 18)),), "quad"),
    LegendEntry("clue arrow", _line_swatch("shaft"), "shaft"),
    LegendEntry("clue circle between cells", (disc("bead", (0, 0), 15),), "bead"),
    LegendEntry("clue disc between cells", (disc("ball", (0, 0), 15),), "ball"),
    LegendEntry("clue square between cells", (box("frame", (0, 0), (15, 15)),), "frame"),
    LegendEntry("found circle", (disc("lamp", (0, 0), 20),), "lamp"),
    LegendEntry("found disc", (disc("found-ball", (0, 0), 18),), "found-ball"),
    *FILLS,
    *(LegendEntry("clue line", _line_swatch(f"chain-{tone}"), f"chain-{tone}") for tone in TONES),
    *(LegendEntry("found path", _line_swatch(f"path-{tone}"), f"path-{tone}") for tone in TONES),
)  # fmt: skip
"""The signs of puzzles."""
TAKER = box("taker", (0, 0), (20, 18), corner=3)
TAKERS = tuple(
    LegendEntry(f"removed by {name}", (TAKER, text(sign, "took", (0, 0), 13)), "took", "", sign)
    for name, sign in TAKER_SIGNS.items()
)
"""In pictures of failures: the kind of constraint that removed a value."""
STATES = (
    MARK, MARK_ALONE, GONE, COUNTED, ALONG, OTHER_ALONG, TIED, OTHER_TIED, WIRED, UPRIGHT, CARRIED, CARRIED_DASHED,
    TIMES, SENT, WORK, LIT, LIT_DASHED, LIT_AREA, GROUPED, WHY, RULE, ACTED, *HELPERS,
)  # fmt: skip
"""The states of vertices, which every legend can contain."""

MATCHING = (
    LegendEntry("cause", _cell_swatch("cause"), "cause"),
    LegendEntry("pair of one matching", _line_swatch("edge pair matched"), "pair matched"),
    LegendEntry("remaining value", _line_swatch("edge pair"), "pair", "matched gone lost between"),
    LegendEntry("removed: in no matching", _line_swatch("edge pair gone lost"), "pair gone"),
    LegendEntry("as many values as variables", (box("component", (0, 0), (22, 20), corner=5),), "component", "spare"),
    LegendEntry("more values than variables", (box("component spare", (0, 0), (22, 20), corner=5),), "component spare"),
)
STAGES = *MATCHING, LegendEntry("in no matching, not removed yet", _line_swatch("edge pair between"), "pair between")

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
    *STATES, GIVEN, FOUND, ASIDE, DIFFER, OTHER, SPINE, MEMBERS, SPINE_DASHED, CHIP, CONSTRAINT, BITS, COUNT, DARKER,
    CAGE, NAME, SHADED, EVEN, ODD, EMPTY, CROSSED, NOT_EMPTY, NOT_SHADED, NO_LINE, SWEPT,
    FAILURE, EMPTIED, WORDED, PIECE, *TAKERS, POSSIBLE, PLACES, PAINTED, *DRAWN, *MATCHING, *LINKS.values(),
)  # fmt: skip
"""All entries of legends, except those with the own signs of a spec."""


def entries(plan: Plan, lens: str) -> Iterator[LegendEntry]:
    """Yield the legend entries that can occur in the pictures of a plan.

    ``LegendEntry.is_in`` decides which of them do occur.
    """
    model, drawn_lens = plan.model, plan.draw_lens(lens)
    printed = [shape for shape in plan.shapes if shape.look != NAME.look]
    forms = {id(form): form for form in plan.layout.forms.values()}.values()
    # On a board a piece, and in a puzzle with signs of its own these, replace found values.
    piece, glyphs = next((form.piece for form in forms if form.piece), ""), list(_glyph_entries(model, plan.wording))
    found = FOUND._replace(look="found") if glyphs else FOUND
    sign, clue = piece or _value_sample(plan), _clue_sample((*printed, *plan.moving.shapes(model.domains)))
    samples = {ACTED: clue, GONE: sign}
    # Only a marked card has a border.
    unused_mark = MARK_ALONE if any(form.kind == "card" for form in forms) else MARK
    states = (_counted_entry(plan) if entry is COUNTED else entry for entry in STATES if entry != unused_mark)
    names = dict.fromkeys((REFUSED, HELD, REFUSED_CAUSE, HELD_CAUSE), ("helper", plan.touched.family or "helper"))
    names[ACTED] = "clue", "square" if plan.rule_squares else "clue"
    named = (entry._replace(words=entry.words.replace(*names.get(entry, ("", "")))) for entry in states)
    yield from (_with_sample(entry, samples.get(entry, "")) for entry in named)
    yield from (SWEPT,) if any(form.shows_only_drawing for form in forms) else ()
    if plan.given:
        yield _with_sample(GIVEN, sign)
    yield _with_sample(found, sign)
    if families := sorted(plan.moving.aside_families):
        yield ASIDE._replace(words=f"found: {', '.join(families)}")
    # Possible values are explained by their words, if all that are drawn have one.
    worded = dict(_worded_entries(model, plan.wording))
    drawn_values = {form.words(v) for form in forms if form.values[1:] for v in form.values if not form.is_undrawn(v)}
    possible = PLACES if piece else _with_sample(POSSIBLE, sign)
    yield from worded.values() if drawn_values <= worded.keys() else (possible,)
    if plan.paints:
        yield PAINTED
    # Edges that the lens draws now, and those that quiet constraint nodes will draw.
    edge_looks = {edge.look for edge in drawn_lens.edges}
    edge_looks |= {
        look(model.constraints[number])
        for number in drawn_lens.drawn_constraints
        if plan.constraint_nodes[number].quiet
    }
    yield from (entry for name, entry in (("plain", DIFFER), ("dashed", OTHER)) if name in edge_looks)
    if any("spine" in shape.look for shape in drawn_lens.printed):
        yield MEMBERS if lens == "factor" else SPINE
        yield SPINE_DASHED
    # Constraint nodes are called groups if all are ``all_different``.
    if drawn_lens.drawn_constraints:
        drawn = (model.constraints[number] for number in drawn_lens.drawn_constraints)
        yield CHIP if all(isinstance(constraint, AllDifferent) for constraint in drawn) else CONSTRAINT
    # Some ways to show domains and clues occur only in some puzzles.
    yield from (BITS,) if any(form.style == "bitmap" for form in forms) else ()
    yield from (COUNT, DARKER) if any(form.style != "digits" for form in forms) else ()
    if any(shape.look == "cage" for shape in plan.shapes):
        yield CAGE
    # Grey cells are a group, or cells that must be even.
    shaded = [number for shape in plan.shapes if shape.look == "shade" for number in shape.constraints]
    shaded_kinds = {isinstance(model.constraints[number], AllDifferent) for number in shaded}
    group = SHADED._replace(words=", ".join(dict.fromkeys(plan.kinds[number] for number in shaded)))
    yield from (entry for entry, is_group in ((group, True), (EVEN, False)) if is_group in shaded_kinds)
    if any(shape.look == "odd" for shape in plan.shapes):
        yield ODD
    # Signs of the puzzle, and of drawings that appear once variables are fixed.
    looks = {word for shape in (*printed, *drawn_lens.printed) for word in shape.look.split()} | plan.moving.looks
    yield from glyphs
    if cell_names := [shape.text for shape in plan.shapes if shape.look == NAME.look]:
        yield _with_sample(NAME, cell_names[0])
    shades = _shade_words(model, plan.wording)
    for entry in DRAWN:
        if not entry.look_words & looks or "differ" in entry.look_words - looks:
            continue
        if entry is CLUE:
            clues = [shape.text for shape in printed if _is_clue(shape)]
            yield _with_sample(CLUE if clues else PRINTED, clue)
            symbols = dict.fromkeys(shape.text for shape in printed if clues and shape.look == "inner")
            for symbol in symbols:
                if len(symbol) == 1 and not symbol.isalnum() and symbol != clue:
                    word = plan.symbol_word(symbol) or ("clue sign" if symbol in clues else PRINTED.words)
                    yield _with_sample(PRINTED._replace(words=word, sign=symbol), symbol)
            given = [shape.text for shape in plan.moving.shapes(model.domains) if shape.look == "inner"]
            if signs := [sign for sign in given if len(sign) == 1 and not sign.isalnum()]:
                yield _with_sample(PRINTED._replace(words="clue sign"), signs[0])
            continue
        is_found = entry in FILLS and not plan.moving.looks.isdisjoint(entry.look_words)
        kinds = {shape.kind for shape in plan.shapes if entry in FILLS and entry.look in shape.look.split()}
        if kinds == {"disc"} and not is_found:
            yield entry._replace(words=BULB.words, shapes=tuple(s._replace(look=entry.look) for s in BULB.shapes))
            continue
        yield entry._replace(words=shades.get(entry.look, "found fill" if is_found else entry.words))
    yield from _blank_entries(plan, shades)
    yield from (FAILURE, EMPTIED, WORDED, PIECE, *TAKERS)


def _counted_entry(plan: Plan) -> LegendEntry:
    """Return the entry for counts, with the common beginning of values without a sign."""
    words = {
        plan.wording.values.get(v, {}).get(quoted(value), "")
        for v, form in plan.layout.forms.items()
        for value in form.values
        if form.counts_undrawn and form.is_undrawn(value)
    }
    beginning = common_beginning(words)
    return COUNTED._replace(words=f"{COUNTED.words}: {beginning}{' …' * (len(words) > 1)}") if beginning else COUNTED


def _blank_entries(plan: Plan, shades: Mapping[str, str]) -> Iterator[LegendEntry]:
    """Yield entries for values that draw nothing or a cross, and for struck drawings.

    They have the spec's words or values, if these are unique; ``shades`` are the words of shaded cells by their look.
    """
    skinned = [(v, form) for v, form in plan.layout.forms.items() if min(form.size) and form.skin]
    drawings = {drawing for _, form in skinned for drawing in form.skin}
    if BLANK in drawings:
        words = {
            plan.wording.values.get(v, {}).get(quoted(value), "") or (str(value) if str(value).isalpha() else "")
            for v, form in skinned
            for value, drawing in zip(form.values, form.skin, strict=True)
            if drawing == BLANK
        }
        default = "not shaded" if INK["shade"] in drawings else "empty"
        word = words.pop() if len(words) == 1 else ""
        yield EMPTY._replace(words=f"surely {word or default}")
        yield NOT_EMPTY._replace(words=f"{quoted(word or default)} is removed")
    if "×" in drawings:
        yield CROSSED
    for tone in sorted({form.tone for _, form in skinned if INK["shade"] in form.skin}):
        word = shades.get(f"tint-{tone or 'dark'}", "shaded")
        look = f"inked tint-{tone} gone" if tone else NOT_SHADED.look
        shapes = (s._replace(look=look) if s.look == NOT_SHADED.look else s for s in NOT_SHADED.shapes)
        yield NOT_SHADED._replace(words=f"{word} is removed", shapes=tuple(shapes), look=look)
    if "" in drawings:
        yield NO_LINE


def _is_clue(shape: Shape) -> bool:
    """Return whether a shape is a printed number, or a printed text of a constraint."""
    is_number = any(map(str.isdigit, shape.text)) and not any(map(str.isalpha, shape.text))
    return not CLUE.look_words.isdisjoint(shape.look.split()) and (is_number or bool(shape.constraints))


def _clue_sample(shapes: Iterable[Shape]) -> str:
    """Return a short printed text for the legend: a number, or else another sign.

    It is empty if nothing is printed.
    """
    looks = CLUE.look_words | {"sum"}
    texts = [shape.text for shape in shapes if shape.text and not looks.isdisjoint(shape.look.split())]
    return min(texts, key=lambda words: (not words.isdigit(), len(words)), default="")


def _value_sample(plan: Plan) -> str:
    """Return a short drawn value for the legend.

    It is empty if all values have more than four characters.
    """
    forms = [form for form in plan.layout.forms.values() if min(form.size) > 0 and form.values[1:]]
    texts = {form.words(value) for form in forms for value in form.values if not form.is_undrawn(value)}
    # Where all values are drawings, only signs are written.
    if forms and all(form.shows_only_drawing for form in forms):
        texts = {drawing for form in forms for drawing in form.skin if drawing not in ("", BLANK, *INK.values())}
    texts = {*plan.pieces.values()} or texts
    short_texts = sorted(
        (words for words in texts if len(words) <= 4),
        key=lambda words: (not words.isalnum(), words in HORIZONTAL, len(words), words),
    )
    return "1" if "1" in texts else next(iter(short_texts), "")


def _with_sample(entry: LegendEntry, sample: str) -> LegendEntry:
    """Return the entry with another text in its sample, in a size that fits.

    Without a short text, the entry does not change.
    """
    if not sample or len(sample) > 4:
        return entry
    shapes = (
        text(sample, shape.look, (0, 0), min(shape.size, 30 / len(sample))) if shape.kind == "text" else shape
        for shape in entry.shapes
    )
    return entry._replace(shapes=tuple(shapes))


def _shade_words(model: Model, wording: Wording) -> dict[str, str]:
    """Return the word of shaded cells by their look.

    A look whose cells have several words is omitted. Looks with the same word are named after their values.
    """
    words: dict[str, set[str]] = {}
    values: dict[str, set[str]] = {}
    for drawing in model.drawn:
        if drawing.name == "shade" and len(drawing.variables) == 1 and drawing.condition is not None:
            [v] = drawing.variables
            shaded = [value for value in model.domains[v] if drawing.condition.check({v: value})]
            own_words = {wording.values.get(v, {}).get(quoted(value), "shaded") for value in shaded}
            look = f"tint-{drawing.value or 'dark'}"
            words.setdefault(look, set()).update(own_words)
            values.setdefault(look, set()).update(f"{v.family} = {value}" for value in shaded)
    own_values = [*values.values()]
    if len({*chain(*own_values)}) == sum(map(len, own_values)) and [*words.values()].count({"shaded"}) > 1:
        words |= {look: values[look] for look, own_words in words.items() if own_words == {"shaded"}}
    return {look: own_words.pop() for look, own_words in words.items() if len(own_words) == 1}


def _worded_entries(model: Model, wording: Wording) -> Iterator[tuple[str, LegendEntry]]:
    """Yield each value that is a sign with an entry for its word."""
    for v, words in wording.values.items():
        for value in model.domains[Variable(v)]:
            if quoted(value) in words and not str(value).isalnum():
                sign = text(str(value), "possible", (0, 0), 22)
                yield str(value), LegendEntry(f"may be {words[quoted(value)]}", (sign,), "possible", sign=str(value))


def _glyph_entries(model: Model, wording: Wording) -> Iterator[LegendEntry]:
    """Yield an entry for each character that a spec draws instead of values.

    Values with words are named by the common beginning of these.
    """
    words_of: dict[tuple[str, str], dict[str, str]] = {}
    for v, skin in skins(model).items():
        for value, glyph in skin.items():
            if glyph not in ("", "×", BLANK, *INK.values()) and not glyph.isalnum():
                word = wording.values.get(v, {}).get(quoted(value), "")
                words_of.setdefault((glyph, v.family), {})[str(value)] = word
    for (glyph, family), words in words_of.items():
        meaning = common_beginning(words.values()) or f"{family} = {', '.join(words)}"
        yield LegendEntry(f"found: {meaning}", (text(glyph, "found-text", (0, 0), 18),), "found-text", sign=glyph)


def unseen_note(plan: Plan, lens: str) -> str:
    """Return a note on how many constraints are drawn only when active; empty for 0."""
    count = plan.count_unseen(lens)
    return f"{plain_counted(count, 'constraint is', 'constraints are')} drawn only when active" if count else ""


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
