"""What all pictures have in common: colours and the font."""

from __future__ import annotations

from functools import partial

from ..ground import notation

MARKED, REMOVED, ACTIVE, IDLE, CAUSE = "#0072B2", "#D55E00", "#F0E442", "#999999", "#000000"
"""A colour for each state, and never alone: an asterisk, a struck-out value, a fill with an outline, a thick border."""

FOUND = "#1D4E89"
"""A value that the spec does not tell, told from one that it does, which is bold."""
STRUCK = "#A84A00"
"""The hue of ``REMOVED``, dark enough for small text."""
QUIET = "#555555"
"""Text that is no state: indices, numbers of values."""
EDGE = "#B4B4B4"
SHADE, ODD, BLACK = "#E2E2E2", "#D2D2D2", "#444444"
"""Cells that a puzzle shades, and those that are none."""
BIT = "#666666"
"""A value that is still possible, where it is shown as a small square."""
RAMP = ((0xF6, 0xEF, 0xF5), (0xA8, 0x6E, 0xA2))
"""The ends of the one ramp of one hue: few values left, and all of them."""

FONT = "Helvetica,Arial,sans-serif"
WIDER = 1.15
"""Where there is no Helvetica another font stands in, whose texts are longer by so much."""


counted = partial(notation.counted, form="d")
"""A number with its noun; in pictures thousands have no commas."""


def shade(part: float) -> str:
    """The colour at a part of the ramp, from 0 to 1.

    Examples
    --------
    >>> shade(0), shade(1)
    ('#F6EFF5', '#A86EA2')
    """
    return "#" + "".join(f"{round(low + (high - low) * part):02X}" for low, high in zip(*RAMP, strict=True))
