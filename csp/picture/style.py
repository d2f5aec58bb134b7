"""The style of all pictures: colours, line widths, the font, and the colours of maps.

The *look* of a shape is a text of words such as ``body bare``. ``LOOKS`` gives each word its colours and lines; the
style sheet of the page (``picture.css``) has the same table.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ..base import notation
from ..model import Equality, Model, Value

MARKED, REMOVED, ACTIVE, IDLE, CAUSE = "#0072B2", "#D55E00", "#F0E442", "#999999", "#000000"
"""A colour for each state. Each state also has a sign for readers who do not see the colour: an asterisk, a struck-out
value, a fill with an outline, a thick border."""

ACTING = "#9A8700"
"""The outline of an active vertex; only a vertex that acted has a black one."""
RING = 8.0
"""The width of the ring that shows the state of a vertex above a shade, which stays visible inside."""
FOUND = "#1D4E89"
"""A value that the solver found; a given value is black and bold."""
STRUCK = "#A84A00"
"""The hue of ``REMOVED``, dark enough for small text on white."""
QUIET = "#555555"
"""Text that does not show a state: indices, numbers of values."""
EDGE = "#B4B4B4"
FAILED = "#FBE6DA"
"""The background of a failure."""
SHADE, ODD, BLACK = "#E2E2E2", "#D2D2D2", "#444444"
"""Shaded cells, discs under odd cells, and black squares, which are not cells."""
PAPER, CHIP = "#FFFFFF", "#F4F4F4"
SOLUTION = "#009E73"
HOLDS, OFF, SET, LINED, CAUSED = "#00785A", "#AA4499", "#882255", "#FBF4B0", "#DFF2EA"
"""Colours of patterns: candidates that are on, candidates that are off, outlines of sets, shading of exactly-one sets;
and the shading of the causes of a claim."""
INDIGO, BROWN, MAUVE = "#4B3FBF", "#604000", "#A080A0"
"""The fourth to sixth colours of arrows from different causes."""
BIT = "#666666"
"""The small square of a possible value."""
RAMP = ((0xF6, 0xEF, 0xF5), (0xA8, 0x6E, 0xA2))
"""The ends of the colour ramp, as RGB: all values remain, and few values remain."""
DEPTHS = (0.1, 0.35, 0.6, 0.85)
"""The places on the colour ramp of the shades of cells, from many to few remaining values."""

FONT = "Helvetica,Arial,sans-serif"
WIDER = 1.15
"""The factor by which texts are wider in the fonts that replace a missing Helvetica."""


plain_counted = partial(notation.counted, form="d")
"""Returns a number with its noun, such as ``3 nodes``; in pictures thousands have no commas."""


def shade(share: float) -> str:
    """Return a colour of the ramp: the palest for 0, the strongest for 1.

    Examples
    --------
    >>> shade(0), shade(1)
    ('#F6EFF5', '#A86EA2')
    """
    return "#" + "".join(f"{round(low + (high - low) * share):02X}" for low, high in zip(*RAMP, strict=True))


TONES = {
    "grey": "#D6D6D6", "dark": "#8F8F8F", "black": "#333333", "red": "#F5B0A8", "orange": "#F8CF9B",
    "yellow": "#F6EFA6", "green": "#B2DDA8", "blue": "#B0D0EF", "purple": "#D3BFE8",
}  # fmt: skip
"""The colours that a spec can name in its drawings, light enough for values on top of them."""

PILL = {"fill": STRUCK, "line": PAPER, "width": 1, "ink": PAPER, "bold": True}
"""Counts of removals: white, on the dark hue of ``REMOVED``."""

LOOKS: Mapping[str, Mapping[str, Any]] = {
    # vertices: their kinds, and then their states
    "body": {"fill": PAPER, "line": IDLE, "width": 1},
    "bare": {"fill": "none"},
    "step": {"fill": "none", "line": "none", "width": 0},
    "folded": {"fill": "none", "line": "none", "width": 0},
    "marked": {"line": MARKED, "width": 2.5},
    "active": {"fill": ACTIVE, "line": ACTING, "width": 1.5},
    "failed": {"fill": FAILED, "line": REMOVED, "width": 2.5},
    "swept": {"fill": FAILED},
    "cause": {"line": CAUSE, "width": 4},
    "tab": {"width": 2},
    "hollow": {"fill": "none"},
    "ground-active": {"fill": ACTIVE, "line": ACTIVE, "width": RING},
    "ground-failed": {"fill": FAILED, "line": FAILED, "width": RING},
    "ground-swept": {"fill": FAILED, "line": FAILED, "width": RING},
    "ground-lined": {"fill": LINED, "line": LINED, "width": RING},
    "ground-grouped": {"fill": LINED, "line": LINED, "width": RING},
    "constraint": {"fill": CHIP, "line": IDLE, "width": 1},
    "head": {"fill": "none"},
    "paper": {"fill": PAPER},
    "ramp": {"fill": shade(1)},
    **{f"ramp-{i}": {"fill": shade(depth)} for i, depth in enumerate(DEPTHS)},
    # the content of vertices
    "name": {"bold": True},
    "asterisk": {"ink": MARKED, "bold": True},
    "fixed": {"bold": True},
    "found": {"ink": FOUND},
    "only": {"bold": True},
    "empty": {"ink": STRUCK, "bold": True},
    "count": {"italic": True},
    "crossed": {"bold": True},
    "bits": {"fill": BIT},
    "blank": {"fill": QUIET},
    "inked": {"fill": BLACK, "line": BLACK, "width": 1},
    "bar-line": {"fill": FOUND},
    "boxed": {"fill": PAPER, "line": REMOVED, "width": 1},
    "gone": {"ink": STRUCK},
    "strike": {"line": REMOVED, "width": 1.4},
    # printed shapes
    "region": {"line": CAUSE, "width": 2.5},
    "cage": {"line": "#444444", "width": 1.4, "dashed": True},
    "rule": {"line": IDLE, "width": 1},
    "thread": {"line": IDLE, "width": 3},
    "slash": {"line": IDLE, "width": 1},
    "shade": {"fill": SHADE},
    "odd": {"fill": ODD},
    "dark": {"fill": SHADE},
    "black": {"fill": BLACK},
    "sign": {"bold": True},
    "clue": {"bold": True},
    "inner": {"bold": True},
    "corner": {"bold": True},
    "sum": {"ink": PAPER},
    "way": {"line": FOUND, "width": 5, "round": True},
    "tuple": {"fill": "none", "line": IDLE, "width": 1},
    "slot": {"fill": "none", "line": IDLE, "width": 1},
    "loop": {"line": FOUND, "width": 4, "round": True},
    "shaft": {"line": "#8A8A8A", "width": 3},
    "ring": {"fill": "none", "line": "#8A8A8A", "width": 2.5},
    "lamp": {"fill": TONES["yellow"], "line": FOUND, "width": 2.5},
    "quad": {"fill": "none", "line": "#8A8A8A", "width": 2.5},
    "orb": {"fill": BLACK},
    "ball": {"fill": CAUSE},
    "found-ball": {"fill": FOUND},
    "bead": {"fill": PAPER, "line": CAUSE, "width": 1.5},
    "frame": {"fill": PAPER, "line": CAUSE, "width": 1.5},
    "said-ball": {"ink": PAPER, "bold": True},
    "found-text": {"ink": FOUND, "bold": True},
    **{f"tint-{name}": {"fill": tone} for name, tone in TONES.items()},
    **{f"chain-{name}": {"line": tone, "width": 10, "round": True} for name, tone in TONES.items()},
    **{f"path-{name}": {"line": tone, "width": 5} for name, tone in TONES.items()},
    "stem": {"width": 16},
    "header": {"ink": QUIET},
    "title": {"ink": QUIET, "bold": True},
    "failed-square": {"fill": FAILED, "line": REMOVED, "width": 1.5},
    "clash": {"line": REMOVED, "width": 2.5},
    "badge": {"fill": REMOVED, "line": PAPER, "width": 1.5},
    "taker": {"fill": PAPER, "line": REMOVED, "width": 1},
    "acting": {"ink": CAUSE, "bold": True},
    "acted": {"fill": ACTIVE, "line": CAUSE, "width": 2},
    "touched": {"fill": "none", "line": REMOVED, "width": 2, "dashed": True},
    "touched-cause": {"fill": "none", "line": CAUSE, "width": 2, "dashed": True},
    "refused-cause": {"fill": "none", "line": CAUSE, "width": 1.2, "dashed": True},
    "held-cause": {"fill": "none", "line": CAUSE, "width": 2.5},
    "refused": {"fill": "none", "line": REMOVED, "width": 2, "dashed": True},
    "cross": {"line": REMOVED, "width": 2.5},
    "held": {"fill": "none", "line": FOUND, "width": 2, "dashed": True},
    "spot-lost": {"fill": PAPER, "line": REMOVED, "width": 1},
    "spot-left": {"fill": PAPER, "line": IDLE, "width": 1},
    "spot-by": {"fill": PAPER, "line": IDLE, "width": 1},
    "spot-found": {"fill": PAPER, "line": FOUND, "width": 2, "ink": FOUND, "bold": True},
    "named": {"ink": "#FFFFFF", "bold": True},
    "took": {"ink": STRUCK},
    **dict.fromkeys(("times", "loss", "sent", "spot-count"), PILL),
    "said": {"behind": PAPER},
    "backed": {"behind": PAPER},
    # edges
    "edge": {"line": EDGE, "width": 1},
    "dashed": {"line": QUIET, "dashed": True},
    "thin": {"line": CAUSE + "80", "width": 2},
    "casing": {"line": PAPER, "width": 3.6},
    "hit": {"line": REMOVED, "width": 1.4, "arrow": True},
    "second": {"line": SET},
    "third": {"line": HOLDS},
    "fourth": {"line": INDIGO},
    "fifth": {"line": BROWN},
    "sixth": {"line": MAUVE},
    "tie": {"arrow": False, "width": 2.4},
    "wire": {"line": REMOVED, "width": 1.4},
    "lead": {"line": REMOVED + "66", "width": 1.4},
    "source": {"fill": REMOVED, "ink": PAPER, "bold": True},
    "upright": {"line": SET},
    "upright-lead": {"line": SET + "66"},
    "upright-source": {"fill": SET},
    "spine": {"line": IDLE, "width": 1.5},
    "lit": {"line": CAUSE, "width": 2},
    "arrow": {"arrow": True},
    # matchings
    "pair": {"line": IDLE, "width": 1},
    "matched": {"line": CAUSE, "width": 3},
    "lost": {"line": REMOVED, "width": 2, "dashed": True},
    "between": {"line": REMOVED, "width": 1},
    "component": {"line": QUIET, "width": 1},
    "spare": {"dashed": True},
    # search trees
    "shape": {"fill": PAPER, "line": CAUSE, "width": 1},
    "solution": {"fill": "#CFEDE4", "line": SOLUTION, "width": 2.5, "outline": "diamond"},
    "failure": {"fill": "#FBE6DA", "line": REMOVED, "width": 2},
    "collapsed": {"fill": "#FBE6DA", "line": REMOVED, "width": 2, "outline": "triangle"},
    "open": {"dashed": True},
    "untried": {"line": QUIET, "dashed": True},
    "branch": {"line": QUIET, "width": 1},
    "path": {"line": CAUSE, "width": 3},
    "cost": {"ink": QUIET},
    # steps of techniques: candidates that are on, found or off, fins, their sets, and links
    "yes": {"fill": HOLDS, "line": HOLDS, "width": 2, "ink": PAPER, "bold": True},
    "found-now": {"line": CAUSE, "width": 2.5},
    "no": {"fill": PAPER, "line": OFF, "width": 2.2, "ink": OFF, "bold": True},
    "fin": {"fill": SET, "ink": PAPER, "bold": True},
    "lined": {"fill": LINED},
    "grouped": {"fill": LINED},
    "grouped-square": {"fill": ACTIVE},
    "cover": {"line": QUIET + "99", "width": 1},
    "outline": {"line": SET, "width": 3},
    "nothing": {"line": REMOVED, "width": 3},
    "band": {"line": HOLDS + "55", "width": 9},
    "strong": {"line": CAUSE + "C0", "width": 2.2},
    "weak": {"line": CAUSE + "C0", "width": 1.8, "dashed": True},
    "rank": {"fill": CAUSE, "ink": PAPER, "bold": True},
    "by": {"behind": PAPER},
    # chains of reasons
    "because": {"fill": CAUSED, "line": HOLDS, "width": 2},
    "claim": {"fill": CAUSED, "line": CAUSE, "width": 4},
    "from": {"line": HOLDS + "90", "width": 1.4},
    "faint": {"ink": IDLE},
    "letter": {"ink": SET, "bold": True, "behind": PAPER},
    # visits of methods
    "twig": {"line": QUIET, "width": 1},
    "leaf": {"fill": PAPER, "line": CAUSE, "width": 1},
    "dead": {"fill": REMOVED},
    "goal": {"fill": SOLUTION, "line": CAUSE, "width": 1.5},
    "dot": {"fill": BLACK},
    "taken": {"fill": "#80CEB9"},
    "bar": {"fill": MARKED},
    "heat": {"line": REMOVED, "width": 2},
    "curve": {"line": MARKED, "width": 2},
    # for all kinds: highlighted, and text that starts at the left
    "on": {"line": CAUSE, "behind": ACTIVE, "ink": CAUSE, "dashed": False},
    "start": {"start": True},
}
"""The style of each word of a look.

Lines and areas have ``fill``, and ``line`` with its ``width``, ``dashed`` and ``round`` (ends). Texts have
``ink``, ``bold``, ``italic``, the background ``behind`` them, and ``start`` if they begin at the left of their room.
An ``arrow`` has a head at its end. ``outline`` is the shape that DOT draws for a node whose body is a closed line."""


def combine_styles(look: str) -> dict[str, Any]:
    """Return the style of a look (a text of style words); later words win.

    Examples
    --------
    >>> combine_styles("body cause")
    {'fill': '#FFFFFF', 'line': '#000000', 'width': 4}
    """
    style: dict[str, Any] = {}
    for word in look.split():
        style |= LOOKS.get(word, {})
        if word == "on":
            style["width"] = 2 * style.get("width", 1)
    return style


NAMED = {
    "blue": "#56B4E9", "orange": "#FFC66D", "green": "#009E73", "yellow": "#FFFBC4", "pink": "#CC79A7",
    "red": "#FF8F8F", "white": "#FFFFFF", "grey": "#999999", "gray": "#999999", "purple": "#B09CD8", "brown": "#B5835A",
}  # fmt: skip
"""The fill of values that are named after a colour."""

HUES = ("#56B4E9", "#FFC66D", "#009E73", "#CC79A7", "#FFFBC4", "#B09CD8")
"""Fills for values without such a name, in their order of use. No fill looks like the colour of a state."""


def map_colours(model: Model) -> dict[Value, str]:
    """Return a colour for each value of a map colouring; empty for other models.

    A model is a map if all its values are names of colours, or if it only states that pairs of vertices differ and has
    at most as many values as there are hues.

    Examples
    --------
    >>> map_colours(Model({"A": ("red", "green")}))
    {'red': '#FF8F8F', 'green': '#009E73'}
    """
    values = dict.fromkeys(value for domain in model.domains.values() for value in domain)
    if values and all(value in NAMED for value in values):
        return {value: NAMED[str(value)] for value in values}
    constraints = [c for c in model.constraints if len(c.scope) > 1]
    stated_constraints = [c for c in constraints if c.line] or constraints
    is_map = bool(stated_constraints) and all(isinstance(c, Equality) and not c.equal for c in stated_constraints)
    return dict(zip(values, HUES, strict=False)) if is_map and len(values) <= len(HUES) else {}
