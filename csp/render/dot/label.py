"""Write the shapes of a vertex or caption as an HTML-like Graphviz label.

The label is a table. Rows and columns are cut where no shape lies, and each cell is cut again in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...base.notation import visible
from ...picture.shapes import Shape, bounding_box
from ...picture.style import combine_styles

TABLE = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
LINE = 1.2
"""Height of a line of text, as a factor on its font size."""
MAX_OVERLAP = 2.5
"""Maximum overlap, in points, of shapes that belong to different rows or columns."""
MAX_OFFSET = 4.0
"""A shape further than this from the middle of its cell, in points, gets a table of its own."""

Extent = tuple[float, float, float, float]
"""Left, top, right and bottom."""
ShapeCluster = tuple[list[Shape], float, float]
"""Overlapping shapes along one axis, with their first and last coordinate."""


def label(shapes: Sequence[Shape], room: Shape | None = None) -> str:
    """Return shapes as an HTML-like Graphviz table that approximates their positions.

    Examples
    --------
    >>> from csp.picture.shapes import text
    >>> label([text("7", "fixed", (0, 0), 20)]).replace(TABLE, "<TABLE>")
    '<TABLE><TR><TD WIDTH="12" HEIGHT="20"><FONT POINT-SIZE="16.7"><B>7</B></FONT></TD></TR></TABLE>'
    """
    texts = [_line_as_text(shape) if shape.kind == "line" else shape for shape in shapes if shape.look != "strike"]
    low, high = bounding_box([room] if room else texts)
    return _write_table(texts, (*low, *high))


def _line_as_text(shape: Shape) -> Shape:
    """Return a text of dashes that replaces a short line in a Graphviz table."""
    (left, top), (right, bottom) = bounding_box([shape])
    middle, look = ((left + right) / 2, (top + bottom) / 2), combine_styles(shape.look)
    return Shape(
        "text",
        shape.look,
        (middle, (right - left, 12)),
        "- -" if look.get("dashed") else "─▸" if look.get("arrow") else "──",
        12,
    )


def _write_table(shapes: Sequence[Shape], box: Extent) -> str:
    """Return a Graphviz table of the size of ``box``, with shapes in its cells.

    If the shapes form no grid, the table has only one row or only one column.
    """
    left, top, right, bottom = box
    # If the shapes form no grid, cut them along one axis only.
    columns, rows = _clusters(shapes, 0), _clusters(shapes, 1)
    if len(rows) == 1 or len(columns) == 1 or not _is_grid(columns, rows):
        if len(rows) > 1:
            columns = [([*shapes], left, right)]
        elif len(columns) > 1:
            rows = [([*shapes], top, bottom)]
        else:
            columns, rows = (
                [([*shapes], *_reach_of_first(columns, left, right))],
                [([*shapes], *_reach_of_first(rows, top, bottom))],
            )
    # Write a cell for each pair of a row and a column.
    across, down = _cut_spaces(columns, left, right), _cut_spaces(rows, top, bottom)
    lines = []
    for row, top_cut, bottom_cut in down:
        cells = ""
        for column, start, end in across:
            cell_shapes = [shape for shape in row if shape in column] if row and column else []
            cells += _write_cell(cell_shapes, (start, top_cut, end, bottom_cut))
        lines.append(f"<TR>{cells}</TR>")
    return f"{TABLE}{''.join(lines)}</TABLE>"


def _reach_of_first(groups: Sequence[ShapeCluster], low: float, high: float) -> tuple[float, float]:
    """Return both ends of the first cluster, cut to ``low`` and ``high``.

    Without clusters, they are ``low`` and ``high``.
    """
    return (max(low, groups[0][1]), min(high, groups[0][2])) if groups else (low, high)


def _clusters(shapes: Sequence[Shape], axis: int) -> list[ShapeCluster]:
    """Group shapes that overlap along one axis, in their order on this axis."""
    clusters: list[ShapeCluster] = []
    extents = [(shape, shape.points[0][axis], shape.points[1][axis] / 2) for shape in shapes]
    for shape, middle, reach in sorted(extents, key=lambda extent: extent[1] - extent[2]):
        if clusters and middle - reach < clusters[-1][2] - MAX_OVERLAP:
            cluster_shapes, low, high = clusters.pop()
            clusters.append(([*cluster_shapes, shape], low, max(high, middle + reach)))
        else:
            clusters.append(([shape], middle - reach, middle + reach))
    return clusters


def _is_grid(columns: Sequence[ShapeCluster], rows: Sequence[ShapeCluster]) -> bool:
    """Return whether all shapes are aligned in the given columns and rows."""
    clusters = [
        (axis, cluster_shapes) for axis, groups in enumerate((columns, rows)) for cluster_shapes, _, _ in groups
    ]
    return all(
        abs(shape.points[0][axis] - cluster_shapes[0].points[0][axis]) < 1
        for axis, cluster_shapes in clusters
        for shape in cluster_shapes
    )


def _cut_spaces(groups: Sequence[ShapeCluster], low: float, high: float) -> list[ShapeCluster]:
    """Return the clusters between ``low`` and ``high``, and the empty spaces between them.

    A cluster of texts gets equal space on both sides, so that Graphviz has room for its fonts.
    """
    parts: list[ShapeCluster] = []
    for i, (cluster_shapes, first, last) in enumerate(groups):
        first, last = max(low, first), min(high, last)
        if all(shape.kind == "text" for shape in cluster_shapes):
            after = (groups[i + 1][1] - last) / 2 if i + 1 < len(groups) else high - last
            spare = max(0.0, min(first - low, after))
            first, last = first - spare * (not any(map(_is_left_aligned, cluster_shapes))), last + spare
        if first - low > 0.5:
            parts.append(([], low, first))
        else:
            first = low
        parts.append((cluster_shapes, first, last))
        low = last
    if high - low > 0.5:
        parts.append(([], low, high))
    return parts


def _write_cell(shapes: Sequence[Shape], box: Extent) -> str:
    """Return a Graphviz table cell of the size of ``box`` that contains shapes.

    The sides of the cell are rounded so that all cells together fill the table.
    """
    left, top, right, bottom = box
    room = f'WIDTH="{int(right) - int(left)}" HEIGHT="{int(bottom) - int(top)}"'
    if not shapes:
        return f"<TD {room}></TD>"
    columns, rows = _clusters(shapes, 0), _clusters(shapes, 1)
    ends = _reach_of_first(columns, left, right), _reach_of_first(rows, top, bottom)
    # Shapes that are not in the middle of the cell need a table inside it.
    boxes = [shape for shape in shapes if shape.kind in ("box", "disc")]
    is_placed = all(
        abs(low + high - first - last) < MAX_OFFSET and (not boxes or high - low > last - first - MAX_OFFSET)
        for (low, high), first, last in zip(ends, (left, top), (right, bottom), strict=True)
    )
    if len(columns) > 1 or len(rows) > 1 or not is_placed:
        return f"<TD {room}>{_write_table(shapes, box)}</TD>"
    # Draw a box as the border of the cell, and the other shapes inside.
    style, inside = "".join(map(_cell_attributes, boxes[:1])), [shape for shape in shapes if shape not in boxes]
    if boxes and len(inside) > 1:
        edge = round(combine_styles(boxes[0].look).get("width", 0))
        return f"<TD {room}{style}>{_write_table(inside, (left + edge, top + edge, right - edge, bottom - edge))}</TD>"
    start = ' ALIGN="LEFT"' if any(map(_is_left_aligned, inside)) else ""
    return f"<TD {room}{start}{style}>{''.join(_write_text(shape, bottom - top) for shape in inside)}</TD>"


def _is_left_aligned(shape: Shape) -> bool:
    """Return whether a text begins at the left of its box, not in the middle."""
    return bool(combine_styles(shape.look).get("start"))


def _cell_attributes(shape: Shape) -> str:
    """Return the attributes with which a Graphviz table cell draws a box."""
    look = combine_styles(shape.look)
    fill = shape.fill or look.get("fill", "none")
    border = f' BORDER="{max(1, round(look["width"]))}" COLOR="{look["line"]}"' if "line" in look else ""
    dash = ' STYLE="DASHED"' if look.get("dashed") else ' STYLE="ROUNDED"' if shape.size else ""
    return border + (dash if border else "") + (f' BGCOLOR="{fill}"' if fill != "none" else "")


def _write_text(shape: Shape, high: float) -> str:
    """Return a text with its font for a Graphviz label, no higher than its cell."""
    look, words = combine_styles(shape.look), escape(shape.text)
    for name, tag in (("bold", "B"), ("italic", "I")):
        words = f"<{tag}>{words}</{tag}>" if look.get(name) else words
    words = f"<S>{words}</S>" if "gone" in shape.look.split() else words
    colour = look.get("ink", look.get("line"))
    ink = f' COLOR="{colour}"' if colour else ""
    return f'<FONT POINT-SIZE="{min(shape.size, high / LINE):.3g}"{ink}>{words}</FONT>'


def escape(text: object) -> str:
    """Return a text with escaped markup characters, for an HTML-like Graphviz label.

    Examples
    --------
    >>> escape("A < B")
    'A &lt; B'
    """
    return visible(str(text), keep="\n").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
