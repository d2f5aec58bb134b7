"""Links to penpa: sudoku grids become specs, and unread drawings are reported."""

from __future__ import annotations

import json
import random
import zlib
from base64 import b64encode
from itertools import pairwise
from typing import Any

import pytest

import csp
import dsl
from dsl.puzzles.links.dispatch import spec_of_link
from dsl.syntax.errors import Diagnostic
from dsl.syntax.nodes import Place

from ..conftest import TIMES

WIDE = 8  # squares of a board of 4x4 with its margins


def middle(r: int, c: int) -> int:
    """Return penpa's number of a square."""
    return (r + 1) * WIDE + c + 1


def quarter(r: int, c: int, which: int) -> int:
    """Return penpa's number of a quarter of a square."""
    return 4 * (WIDE * WIDE + middle(r, c)) + which


def corner(r: int, c: int) -> int:
    """Return penpa's number of the lower right corner of a square."""
    return WIDE * WIDE + middle(r, c)


def penpa(fields: dict[str, Any] | str, head: str = "sudoku,4,4,38,Title: A b,Author: C") -> str:
    """Return a link to a sudoku with the given fields."""
    text = fields if isinstance(fields, str) else json.dumps(fields).replace('"number"', "zN").replace('"edge"', "zE")
    return link("\n".join([head, "[0,0,0,0]", "x", text, "{}"]))


def link(text: str) -> str:
    """Return a link of penpa to a text of fields."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={b64encode(packed).decode()}"


BOXES = {f"{corner(r, 2)},{corner(r + 1, 2)}": 2 for r in range(4)} | {
    f"{corner(2, c)},{corner(2, c + 1)}": 2 for c in range(4)
}
PUZZLE = {
    "number": {str(middle(1, 1)): [1, 1, "1"], str(middle(2, 4)): ["1", 1, "1"], str(middle(4, 4)): ["?", 1, "1"]},
    "edge": BOXES,
    "thermo": [[middle(4, 1), middle(3, 1)]],
    "arrows": [[middle(1, 4), middle(2, 3), middle(3, 3)]],
    "cage": {f"{quarter(1, 2, 1)},{quarter(1, 3, 0)}": 10, f"{quarter(1, 2, 0)},{quarter(1, 2, 2)}": 10},
    "killercages": [[middle(1, 2), middle(1, 3)]],
    "sudoku": {str(quarter(1, 2, 0)): ["5", 1], str(quarter(4, 2, 0)): ["12", 1]},
    "symbol": {str(middle(3, 3)): [3, "circle_L", 1]},
    "surface": {str(middle(1, 1)): 1},
    "line": None,
}


def read_link(url: str) -> str:
    """Return the spec of a link."""
    return spec_of_link(url, Place(1, 1, len(url)))


def test_drawings_of_tools_become_constraints() -> None:
    spec = read_link(penpa(PUZZLE))
    assert "% Puzzle: A b\n% Author: C\n% Not read: the meaning of 4 drawings, which" in spec
    assert "param box = 2." in spec and "cage(1, 2, 1). cage(1, 3, 1)." in spec and spec.count("total(1, 5)") == 1
    assert "drawn_text(4, 4, '?')" in spec and "drawn_circle(3, 3, '')" in spec
    answer = csp.solve(dsl.loads(spec))
    assert answer is not None and answer["cell", 1, 1] == 1 and answer["cell", 2, 4] == 1
    assert answer["cell", 1, 2] + answer["cell", 1, 3] == 5
    assert answer["cell", 4, 1] < answer["cell", 3, 1]
    assert answer["cell", 2, 3] + answer["cell", 3, 3] == answer["cell", 1, 4]


def test_thick_lines_become_regions() -> None:
    rows = {f"{corner(r, c)},{corner(r, c + 1)}": 2 for r in range(1, 4) for c in range(4)}
    assert "include jigsaw." in read_link(penpa({"edge": rows}))
    assert "include quasigroup." in read_link(penpa({"edge": {}}))
    with pytest.raises(Diagnostic, match="do not part the board into regions of one size"):
        read_link(penpa({"edge": {edge: 2 for edge in list(rows)[:4]}}))


def link_with_tags(tags: list[str], fields: dict[str, Any], squares: str = "null", space: str = "[0,0,0,0]") -> str:
    """Return a link to a square grid of 4 rows with tags."""
    text = json.dumps(fields).replace('"number"', "zN").replace('"edge"', "zE")
    lines = ["square,4,4,38,Title: T", space, "{}", text, "{}", squares, *["{}"] * 11, json.dumps(tags)]
    return link("\n".join(lines))


COLUMNS = {f"{corner(r, c)},{corner(r + 1, c)}": 2 for r in range(4) for c in range(1, 4)}


def test_a_tag_selects_the_genre() -> None:
    fours = {str(middle(r, 2)): ["4", 1, "1"] for r in range(1, 5)}
    spec = read_link(link_with_tags(["shikaku"], {"number": fours, "line": {"1,2": 3}}))
    assert "% Puzzle: T\n% Not read: the meaning of 1 drawing, which" in spec and "include shikaku." in spec
    assert len([*csp.Solver(dsl.loads(spec)).solutions()]) == 1, "each row is a rectangle"


def test_a_tagged_grid_has_rooms_and_may_lack_squares() -> None:
    squares = [middle(r, c) for r in range(1, 5) for c in range(1, 5) if (r, c) != (1, 2)]
    steps = [squares[0], *(after - before for before, after in pairwise(squares))]
    missing_corners = {corner(0, 1), corner(0, 2), corner(1, 1), corner(1, 2)}
    edges = {ends: style for ends, style in COLUMNS.items() if not {*map(int, ends.split(","))} <= missing_corners}
    assert len(edges) == len(COLUMNS) - 2, "penpa draws no lines around a missing square"
    spec = read_link(link_with_tags(["star battle"], {"edge": edges}, json.dumps(steps)))
    assert "the number of stars in a row" in spec and "  1.34\n" in spec
    (solution,) = csp.Solver(dsl.loads(spec)).solutions()
    assert [spot for spot, star in solution.family("star").items() if star] == [(1, 3), (2, 1), (3, 4), (4, 2)]
    with pytest.raises(Diagnostic, match="lacks squares"):
        read_link(link_with_tags(["shikaku"], {}, json.dumps(steps)))
    corner_number = {"edge": COLUMNS, "sudoku": {str(quarter(2, 1, 0)): ["0", 1]}}
    room = read_link(link_with_tags(["Heyawake (rooms)"], corner_number))
    assert "include heyawake." in room and '"\n  ....\n  0...\n' in room
    blank = {"number": {str(middle(1, 1)): [" ", 6, "1"]}, "surface": {str(middle(1, 1)): 4, str(middle(2, 1)): 4}}
    assert "the meaning of 1 drawing, which" in read_link(
        link_with_tags(["akari"], blank)
    ) and '"\n  ?...\n' in read_link(link_with_tags(["akari"], blank))


@pytest.mark.parametrize(("tags", "space", "message"), [
    (["shikaku", "hitori"], "[0,0,0,0]", "its tags are shikaku, hitori"),
    (["masyu"], "null", "does not say what this grid asks: its tags are masyu"),
    (["shikaku"], "[1,0,0,0]", "rows or columns around it"),
])  # fmt: skip
def test_ambiguous_unknown_and_extended_grids_are_refused(tags: list[str], space: str, message: str) -> None:
    with pytest.raises(Diagnostic, match=message):
        read_link(link_with_tags(tags, {}, space=space))


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (penpa({}, "square,4,4"), "does not say what this grid asks: it has no tag"),
        (penpa({}, "hex,4,4"), "grids of the kind hex are not supported"),
        (penpa({}, "sudoku"), "not a square of a supported size"),
        (penpa({}, "sudoku,4,5"), "not a square of a supported size"),
        (penpa("[1"), "does not contain a puzzle of penpa"),
        (penpa({"number": [1]}), "number has an entry without a place"),
        (penpa({"cage": {f"{quarter(r, c, 1)},{quarter(r, c + 1, 0)}": 10 for r in (1, 3) for c in (1, 2)}
                | {f"{quarter(r, c, 2)},{quarter(r + 1, c, 0)}": 10 for r in (1, 2) for c in (1, 3)}}),
         "a cage surrounds squares"),
        (penpa(PUZZLE)[:-40], "cut short|damaged"),
        ("https://swaroopg92.github.io/penpa-edit/", "holds no puzzle"),
    ],
)  # fmt: skip
def test_puzzles_that_are_incomplete_or_malformed_are_refused(link: str, message: str) -> None:
    with pytest.raises(Diagnostic, match=message):
        read_link(link)


def test_damaged_puzzles_are_read_or_reported() -> None:
    rng, text = random.Random(4), json.dumps(PUZZLE)
    refused = 0
    for _ in range(200 * TIMES):
        place = rng.randrange(len(text))
        damage = rng.choice(['"', "[", "{}", "null", "-1", "99999", "1e9", "", ",", 'z"', "zO"])
        try:
            dsl.loads(read_link(penpa(text[:place] + damage + text[place + rng.randrange(4) :])))
        except (Diagnostic, dsl.SpecError):
            refused += 1
    assert refused > 0
