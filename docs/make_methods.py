"""Draw docs/pictures/methods/chart.svg and write the tables of docs/methods.md, from what was measured.

    python docs/make_methods.py

The measurements are docs/data/methods.jsonl, which tests/benchmarks/methods.py makes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from math import log10
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
MEASURED = DOCS / "data" / "methods.jsonl"
PAGE = DOCS / "methods.md"
PICTURE = DOCS / "pictures" / "methods" / "chart.svg"
BEGIN, END = "<!-- the tables: python docs/make_methods.py -->\n", "<!-- end of the tables -->\n"

DRAWN = ("the article's 4x4", "the article's 9x9", "Norvig's easy", "Norvig's hard")
"""The puzzles of the chart."""

ROW, TITLE, GAP = 18, 26, 16
LEFT, BAR, NUMBER = 120, 220, 110
COLOURS = {True: "#3b6ea8", False: "#c9c9c9"}
"""Of bars, by whether the method solved the puzzle."""

SCALES = {"attempts": (1, 10**9), "seconds": (10**-4, 200)}
"""Where the bars begin and where they would end."""

Row = dict[str, Any]


def measured() -> list[Row]:
    return [json.loads(line) for line in MEASURED.read_text(encoding="utf-8").splitlines()]


def way(row: Row) -> str:
    return f"{row['method']} {row['level']}" if row["method"] == "engine" else row["method"]


def figure(row: Row, what: str) -> str:
    """What a table says: in parentheses if nothing was solved, with a + if the time ended it."""
    if row["note"].startswith("not for"):
        return "–"
    value = row[what]
    text = f"{value:,}" if what == "attempts" else f"{value:.3g}" if value < 100 else f"{value:.0f}"
    text += "+" if row["note"].startswith("stopped") else ""
    return text if row["solved"] or row["complete"] else f"({text})"


def tables(rows: list[Row]) -> str:
    """The tables of attempts and of seconds."""
    ways = list(dict.fromkeys(map(way, rows)))
    puzzles = list(dict.fromkeys(row["puzzle"] for row in rows))
    found = {(row["puzzle"], way(row)): row for row in rows}
    parts = []
    for what in SCALES:
        lines = [f"| {what} | solutions | {' | '.join(ways)} |", f"|---|--:|{'--:|' * len(ways)}"]
        for puzzle in puzzles:
            solutions = max(found[puzzle, way]["solutions"] for way in ways)
            cells = [figure(found[puzzle, way], what) for way in ways]
            lines.append(f"| {puzzle} | {solutions} | {' | '.join(cells)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def picture(rows: list[Row]) -> str:
    """A bar for the attempts and one for the seconds of every method, on logarithmic scales."""
    shapes: list[str] = []
    top = GAP
    for puzzle in [puzzle for puzzle in DRAWN if any(row["puzzle"] == puzzle for row in rows)]:
        shapes.append(text(8, top + 12, puzzle, "font-weight='bold'"))
        for number, what in enumerate(SCALES):
            shapes.append(text(LEFT + number * (BAR + NUMBER), top + 12, what, "fill='#666666'"))
        top += TITLE
        for row in rows:
            if row["puzzle"] == puzzle:
                shapes.extend(bars(row, top))
                top += ROW
        top += GAP
    width = LEFT + 2 * (BAR + NUMBER)
    font = "font-family='Helvetica, Arial, sans-serif' font-size='12'"
    head = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{top}' viewBox='0 0 {width} {top}' {font}>"
    back = f"<rect width='{width}' height='{top}' fill='white'/>"
    title = "<title>Attempts and seconds of each method, on logarithmic scales</title>"
    return "\n".join([head, title, back, *shapes, "</svg>"]) + "\n"


def bars(row: Row, top: int) -> Iterator[str]:
    """The two bars of a method."""
    yield text(LEFT - 8, top + 12, way(row), "text-anchor='end'")
    for number, (what, (least, most)) in enumerate(SCALES.items()):
        left = LEFT + number * (BAR + NUMBER)
        share = log10(max(row[what], least) / least) / log10(most / least)
        length = max(1, round(share * BAR))
        yield f"<rect x='{left}' y='{top + 2}' width='{length}' height='{ROW - 6}' fill='{COLOURS[row['solved']]}'/>"
        yield text(left + length + 5, top + 12, figure(row, what), "")


def text(x: int, y: int, said: str, style: str) -> str:
    return f"<text x='{x}' y='{y}'{' ' + style if style else ''}>{escape(said)}</text>"


def page(rows: list[Row]) -> str:
    """The text of docs/methods.md with these tables."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{tables(rows)}\n\n{END}{rest.partition(END)[2]}"


def main() -> None:
    rows = measured()
    PAGE.write_text(page(rows), encoding="utf-8")
    PICTURE.write_text(picture(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
