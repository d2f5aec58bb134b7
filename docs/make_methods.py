"""Draw docs/pictures/methods/chart.svg and write the table of docs/methods.md from measurements.

    python docs/make_methods.py

The measurements are docs/data/methods.jsonl, which tests/benchmarks/methods.py writes.
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
BEGIN, END = "<!-- the table: python docs/make_methods.py -->\n", "<!-- end of the table -->\n"

DRAWN = ("the article's 4x4", "the article's 9x9", "Norvig's easy", "Norvig's hard")
"""The puzzles of the chart."""

ROW, TITLE, GAP = 18, 26, 16
LEFT, BAR, NUMBER = 120, 220, 110
COLOURS = {True: "#3b6ea8", False: "#c9c9c9"}
"""The colours of bars, by whether the method solved the puzzle."""

SCALES = {"attempts": (1, 10**9), "seconds": (10**-4, 200)}
"""The values at the beginning of the bars and at their greatest length."""

Row = dict[str, Any]


def read_measurements() -> list[Row]:
    """Return the rows of the file of measurements."""
    return [json.loads(line) for line in MEASURED.read_text(encoding="utf-8").splitlines()]


def name_method(row: Row) -> str:
    """Return the name of the method, with the consistency level of the engine."""
    return f"{row['method']} {row['level']}" if row["method"] == "engine" else row["method"]


def format_figure(row: Row, quantity: str) -> str:
    """Return a figure: in parentheses without a solution or proof, with a + if the limit of time ended it."""
    if row["note"].startswith("not for"):
        return "–"
    value = row[quantity]
    text = f"{value:,}" if quantity == "attempts" else f"{value:.3g}" if value < 100 else f"{value:.0f}"
    text += "+" if row["note"].startswith("stopped") else ""
    return text if row["solved"] or row["complete"] else f"({text})"


def write_table(rows: list[Row]) -> str:
    """Return the table of attempts: a row for each puzzle, a column for each method."""
    methods = list(dict.fromkeys(map(name_method, rows)))
    puzzles = list(dict.fromkeys(row["puzzle"] for row in rows))
    cells = {(row["puzzle"], name_method(row)): row for row in rows}
    lines = [f"| attempts | solutions | {' | '.join(methods)} |", f"|---|--:|{'--:|' * len(methods)}"]
    for puzzle in puzzles:
        solutions = max(cells[puzzle, method]["solutions"] for method in methods)
        figures = [format_figure(cells[puzzle, method], "attempts") for method in methods]
        lines.append(f"| {puzzle} | {solutions} | {' | '.join(figures)} |")
    return "\n".join(lines)


def draw_chart(rows: list[Row]) -> str:
    """Return an SVG with a bar for the attempts and one for the seconds of every method, on logarithmic scales."""
    shapes: list[str] = []
    top = GAP
    for puzzle in [puzzle for puzzle in DRAWN if any(row["puzzle"] == puzzle for row in rows)]:
        shapes.append(text(8, top + 12, puzzle, "font-weight='bold'"))
        for number, quantity in enumerate(SCALES):
            shapes.append(text(LEFT + number * (BAR + NUMBER), top + 12, quantity, "fill='#666666'"))
        top += TITLE
        for row in rows:
            if row["puzzle"] == puzzle:
                shapes.extend(draw_bars(row, top))
                top += ROW
        top += GAP
    width = LEFT + 2 * (BAR + NUMBER)
    font = "font-family='Helvetica, Arial, sans-serif' font-size='12'"
    head = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{top}' viewBox='0 0 {width} {top}' {font}>"
    back = f"<rect width='{width}' height='{top}' fill='white'/>"
    title = "<title>Attempts and seconds of each method, on logarithmic scales</title>"
    return "\n".join([head, title, back, *shapes, "</svg>"]) + "\n"


def draw_bars(row: Row, top: int) -> Iterator[str]:
    """Yield the two bars of a method, with their figures."""
    yield text(LEFT - 8, top + 12, name_method(row), "text-anchor='end'")
    for number, (quantity, (least, most)) in enumerate(SCALES.items()):
        left = LEFT + number * (BAR + NUMBER)
        share = log10(max(row[quantity], least) / least) / log10(most / least)
        length = max(1, round(share * BAR))
        yield f"<rect x='{left}' y='{top + 2}' width='{length}' height='{ROW - 6}' fill='{COLOURS[row['solved']]}'/>"
        yield text(left + length + 5, top + 12, format_figure(row, quantity), "")


def text(x: int, y: int, content: str, style: str) -> str:
    """Return an SVG text at a place."""
    return f"<text x='{x}' y='{y}'{' ' + style if style else ''}>{escape(content)}</text>"


def write_page(rows: list[Row]) -> str:
    """Return the text of docs/methods.md with this table."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{write_table(rows)}\n\n{END}{rest.partition(END)[2]}"


def main() -> None:
    rows = read_measurements()
    PAGE.write_text(write_page(rows), encoding="utf-8")
    PICTURE.write_text(draw_chart(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
