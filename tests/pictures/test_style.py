"""Test the colours of the pictures: contrast, and differences with defective vision."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from csp.picture.style import (
    ACTIVE,
    BIT,
    BROWN,
    CAUSE,
    HOLDS,
    HUES,
    IDLE,
    INDIGO,
    LOOKS,
    MARKED,
    MAUVE,
    NAMED,
    OFF,
    PAPER,
    QUIET,
    REMOVED,
    SET,
    SOLUTION,
    STRUCK,
    shade,
)  # fmt: skip


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, as WCAG 2 defines it."""
    dark, light = sorted(map(luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


def test_texts_and_borders_have_enough_contrast() -> None:
    white, black = "#FFFFFF", "#000000"
    fills = [
        white,
        ACTIVE,
        shade(0),
        shade(1),
        *(LOOKS[kind]["fill"] for kind in ("solution", "failure", "collapsed", "constraint")),
    ]
    assert len(fills) > 6
    assert all(re.fullmatch("none|#[0-9A-F]{6}", look.get("fill", "none")) for look in LOOKS.values())
    for fill in fills:
        assert contrast(black, fill) >= 4.5, f"text on {fill}"
    for text in (STRUCK, QUIET, MARKED, OFF):
        assert contrast(text, white) >= 4.5, f"{text} on white"
    assert contrast(MARKED, ACTIVE) >= 3, "the asterisk is large text"
    for disc in ("yes", "fin", "rank"):
        assert contrast(PAPER, LOOKS[disc]["fill"]) >= 4.5, f"text on the disc {disc}"
    for ground in ("lined", "because"):
        assert contrast(black, LOOKS[ground]["fill"]) >= 4.5 <= contrast(STRUCK, LOOKS[ground]["fill"])
    for border in (SET, MARKED, REMOVED, CAUSE, BIT, SOLUTION):
        assert contrast(border, white) >= 3, f"the border {border}"


# Machado, Oliveira, Fernandes 2009: colours as seen without one of the three receptors.
VISION = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "all receptors": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def lab(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """Return the CIELAB coordinates of a colour as seen through a matrix."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    r, g, b = (min(1, max(0, sum(a * c for a, c in zip(row, linear, strict=True)))) for row in matrix)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("vision", VISION)
def test_colours_of_states_differ_for_every_vision(vision: str) -> None:
    pairs = [*combinations([MARKED, REMOVED, ACTIVE, IDLE, CAUSE], 2), *combinations([OFF, REMOVED, HOLDS], 2)]
    for first, second in pairs:
        pair = zip(lab(first, VISION[vision]), lab(second, VISION[vision]), strict=True)
        assert sum((a - b) ** 2 for a, b in pair) ** 0.5 > 25, (first, second)


@pytest.mark.parametrize("vision", VISION)
def test_colours_of_arrows_differ(vision: str) -> None:
    """Compare the fifth and the sixth colour with each other and with the first four."""
    last = [BROWN, MAUVE]
    pairs = [*combinations(last, 2), *((new, old) for new in last for old in (REMOVED, SET, HOLDS, INDIGO))]
    for first, second in pairs:
        pair = zip(lab(first, VISION[vision]), lab(second, VISION[vision]), strict=True)
        assert sum((a - b) ** 2 for a, b in pair) ** 0.5 > 20, (first, second)
        assert contrast(first, PAPER) >= 3


def test_colours_of_values_differ_from_colours_of_states() -> None:
    for fill in {*NAMED.values(), *HUES}:
        for state in (REMOVED, ACTIVE, MARKED):
            pair = zip(lab(fill, VISION["all receptors"]), lab(state, VISION["all receptors"]), strict=True)
            assert sum((a - b) ** 2 for a, b in pair) ** 0.5 > 25, (fill, state)
        assert contrast("#000000", fill) >= 4.5, "the name of the value is black"
