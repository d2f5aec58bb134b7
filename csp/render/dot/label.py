"""The marks of a vertex, or of a caption, as an HTML-like label: tables within tables, cut where nothing lies."""

from __future__ import annotations

from collections.abc import Sequence

from ...picture.shapes import Shape, bounding_box
from ...picture.style import painted
from .quoting import escape

TABLE = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
LINE = 1.2
"""The height of a line, as a part of the size of its font."""
OVERLAP = 2.5
"""Marks that lie on each other by no more are beside each other."""
ASIDE = 4.0
"""What is further from the middle of its room has one of its own."""

Extent = tuple[float, float, float, float]
"""Left, top, right and bottom."""
MarkCluster = tuple[list[Shape], float, float]
"""Some marks, and from where to where they reach."""


def label(marks: Sequence[Shape], room: Shape | None = None) -> str:
    """A table that has all marks in their places, as far as tables can.

    Examples
    --------
    >>> from csp.picture.shapes import text
    >>> label([text("7", "fixed", (0, 0), 20)]).replace(TABLE, "<TABLE>")
    '<TABLE><TR><TD WIDTH="12" HEIGHT="20"><FONT POINT-SIZE="16.7"><B>7</B></FONT></TD></TR></TABLE>'
    """
    texts = [_dashes(mark) if mark.kind == "line" else mark for mark in marks if mark.look != "strike"]
    low, high = bounding_box([room] if room else texts)
    return _table(texts, (*low, *high))


def _dashes(mark: Shape) -> Shape:
    """A short line as a text."""
    (left, top), (right, bottom) = bounding_box([mark])
    middle = (left + right) / 2, (top + bottom) / 2
    return Shape(
        "text", mark.look, (middle, (right - left, 12)), "- -" if painted(mark.look).get("dashed") else "──", 12
    )


def _table(marks: Sequence[Shape], box: Extent) -> str:
    """A table as large as a box: with rows and columns, or else in one row or one column."""
    left, top, right, bottom = box
    columns, rows = _groups(marks, 0), _groups(marks, 1)
    if len(rows) == 1 or len(columns) == 1 or not _is_grid(columns, rows):
        if len(rows) > 1:
            columns = [([*marks], left, right)]
        elif len(columns) > 1:
            rows = [([*marks], top, bottom)]
        else:
            columns, rows = [([*marks], *_ends(columns, left, right))], [([*marks], *_ends(rows, top, bottom))]
    across, down = _cuts(columns, left, right), _cuts(rows, top, bottom)
    lines = []
    for row, y, q in down:
        cells = ""
        for column, x, p in across:
            own = [mark for mark in row if mark in column] if row and column else []
            cells += _cell(own, (x, y, p, q))
        lines.append(f"<TR>{cells}</TR>")
    return f"{TABLE}{''.join(lines)}</TABLE>"


def _ends(groups: Sequence[MarkCluster], low: float, high: float) -> tuple[float, float]:
    """From where to where something reaches that is to stand in the middle of its own room."""
    return (max(low, groups[0][1]), min(high, groups[0][2])) if groups else (low, high)


def _groups(marks: Sequence[Shape], axis: int) -> list[MarkCluster]:
    """Marks that lie on each other, seen along an axis, from first to last."""
    found: list[MarkCluster] = []
    half = [(mark, mark.points[0][axis], mark.points[1][axis] / 2) for mark in marks]
    for mark, middle, reach in sorted(half, key=lambda one: one[1] - one[2]):
        if found and middle - reach < found[-1][2] - OVERLAP:
            own, low, high = found.pop()
            found.append(([*own, mark], low, max(high, middle + reach)))
        else:
            found.append(([mark], middle - reach, middle + reach))
    return found


def _is_grid(columns: Sequence[MarkCluster], rows: Sequence[MarkCluster]) -> bool:
    """Whether all that lies in one column, and all in one row, has its middle on one line."""
    every = [(axis, own) for axis, groups in enumerate((columns, rows)) for own, _, _ in groups]
    return all(abs(mark.points[0][axis] - own[0].points[0][axis]) < 1 for axis, own in every for mark in own)


def _cuts(groups: Sequence[MarkCluster], low: float, high: float) -> list[MarkCluster]:
    """The groups with the spaces between them, from one end to the other; texts have the space on both their sides."""
    found: list[MarkCluster] = []
    for i, (own, first, last) in enumerate(groups):
        first, last = max(low, first), min(high, last)
        if all(mark.kind == "text" for mark in own):
            after = (groups[i + 1][1] - last) / 2 if i + 1 < len(groups) else high - last
            spare = max(0.0, min(first - low, after))
            first, last = first - spare * (not any(map(_starts, own))), last + spare
        if first - low > 0.5:
            found.append(([], low, first))
        else:
            first = low
        found.append((own, first, last))
        low = last
    if high - low > 0.5:
        found.append(([], low, high))
    return found


def _cell(marks: Sequence[Shape], box: Extent) -> str:
    """A cell of a table; its lengths are whole, and together as long as the box."""
    left, top, right, bottom = box
    room = f'WIDTH="{int(right) - int(left)}" HEIGHT="{int(bottom) - int(top)}"'
    if not marks:
        return f"<TD {room}></TD>"
    columns, rows = _groups(marks, 0), _groups(marks, 1)
    ends = _ends(columns, left, right), _ends(rows, top, bottom)
    boxes = [mark for mark in marks if mark.kind in ("box", "disc")]
    is_placed = all(
        abs(low + high - first - last) < ASIDE and (not boxes or high - low > last - first - ASIDE)
        for (low, high), first, last in zip(ends, (left, top), (right, bottom), strict=True)
    )
    if len(columns) > 1 or len(rows) > 1 or not is_placed:
        return f"<TD {room}>{_table(marks, box)}</TD>"
    style, inside = "".join(map(_style, boxes[:1])), [mark for mark in marks if mark not in boxes]
    if boxes and len(inside) > 1:
        edge = round(painted(boxes[0].look).get("width", 0))
        return f"<TD {room}{style}>{_table(inside, (left + edge, top + edge, right - edge, bottom - edge))}</TD>"
    start = ' ALIGN="LEFT"' if any(map(_starts, inside)) else ""
    return f"<TD {room}{start}{style}>{''.join(_text(mark, bottom - top) for mark in inside)}</TD>"


def _starts(mark: Shape) -> bool:
    """Whether a text begins at the left end of its room."""
    return bool(painted(mark.look).get("start"))


def _style(mark: Shape) -> str:
    look = painted(mark.look)
    fill = mark.fill or look.get("fill", "none")
    border = f' BORDER="{max(1, round(look["width"]))}" COLOR="{look["line"]}"' if "line" in look else ""
    dash = ' STYLE="DASHED"' if look.get("dashed") else ' STYLE="ROUNDED"' if mark.size else ""
    return border + (dash if border else "") + (f' BGCOLOR="{fill}"' if fill != "none" else "")


def _text(mark: Shape, high: float) -> str:
    look, words = painted(mark.look), escape(mark.text)
    for name, tag in (("bold", "B"), ("italic", "I")):
        words = f"<{tag}>{words}</{tag}>" if look.get(name) else words
    words = f"<S>{words}</S>" if "gone" in mark.look.split() else words
    colour = look.get("ink", look.get("line"))
    ink = f' COLOR="{colour}"' if colour else ""
    return f'<FONT POINT-SIZE="{min(mark.size, high / LINE):.3g}"{ink}>{words}</FONT>'
