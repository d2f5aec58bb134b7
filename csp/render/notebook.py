"""Show models, results and traces in notebooks, as SVG and HTML.

The functions ``*_svg`` and ``*_html`` are called by the ``_repr_*_`` methods of the classes that they show.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from ..board.answer import is_place, layers, layouts, ranks_of
from ..board.drawn.texts import place_texts
from ..board.grid import Position, pictured_variables
from ..board.grid_table import GridTable, grid_tables
from ..model import Model, Value, Variable
from ..picture.frames import Frame, frames
from ..picture.layout.layout import FEW
from ..picture.scene import Scene
from ..picture.style import BLACK, IDLE, SHADE, plain_counted
from ..trace import Trace
from .page.player import player
from .painter import Painter

if TYPE_CHECKING:
    from ..engine.solver.answers import Fixpoint
    from ..explain import Verdict, Walk

LINES = {"region": f"3px solid {IDLE}", "cage": "2px dashed #000000", "both": "3px solid #000000"}
"""Border style of each kind of line. A region border is grey; it is black where the border of a cage coincides."""
CELL = f"border: 1px solid {IDLE}; padding: 0.2em 0.6em; text-align: center"

ROOMY = "position: relative; padding: 0.7em 1em"
"""Style of cells with signs in their corners or on their sides."""


def cell(value: object, style: str = "", inside: str = "") -> str:
    """Return an HTML table cell; ``inside`` is HTML before the value.

    Examples
    --------
    >>> cell("<", "color: red").endswith('; color: red">&lt;</td>')
    True
    """
    return f'<td style="{CELL}{"; " if style else ""}{style}">{inside}{escape(str(value))}</td>'


def table_html(table: GridTable, solution: Mapping[str, Value]) -> str:
    """Return a grid with the values of a solution as an HTML table.

    Examples
    --------
    >>> from csp import Model, Variable
    >>> from ..board.grid_table import grid_tables
    >>> [table] = grid_tables(Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (1, 2)}))
    >>> table_html(table, {"x(1,1)": 1, "x(1,2)": 2}).count("<td")
    2
    """
    rows = "".join(f"<tr>{''.join(_cell(table, (r, c), solution) for c in table.columns)}</tr>" for r in table.rows)
    return f'<table style="border-collapse: collapse">{rows}</table>'


def board_html(texts: Mapping[Position, str]) -> str:
    """Return texts at (row, column) positions as an HTML table.

    A place without text is an empty cell.

    Examples
    --------
    >>> board_html({(1, 1): "Q", (2, 2): "Q"}).count("<td")
    4
    """
    rows, columns = (ranks_of(place[axis] for place in texts) for axis in (0, 1))
    lines = (f"<tr>{''.join(cell(texts.get((r, c), '')) for c in columns)}</tr>" for r in rows)
    return f'<table style="border-collapse: collapse">{"".join(lines)}</table>'


def _cell(table: GridTable, place: Position, solution: Mapping[str, Value]) -> str:
    """Return the HTML cell at a position: a value with signs, or a clue outside."""
    v = table.cells.get(place)
    if v is None:
        black = f"background: {BLACK}; color: #FFFFFF" if place in table.black else "border: 0"
        return cell(table.beside.get(place, ""), black)
    style = [*_border_styles(table, place), *([f"background: {SHADE}"] if place in table.shaded else [])]
    # Place the clue of a cage in the corner, and signs between cells on the right and lower side.
    signs = [
        f'<span style="position: absolute; {where}">{escape(sign)}</span>'
        for where, sign in (
            ("left: 0.2em; top: 0; font-size: 60%", table.corners.get(place, "")),
            ("right: -0.3em", _sign_on_side(table.right.get(place, ""))),
            ("left: 0; right: 0; bottom: -0.65em", _sign_on_side(table.below.get(place, ""))),
        )
        if sign
    ]
    if table.corners or any(map(_sign_on_side, (*table.right.values(), *table.below.values()))):
        style += [ROOMY]
    return cell(solution.get(v, ""), "; ".join(style), "".join(signs))


def _sign_on_side(side: str) -> str:
    """Return the sign on a cell's side; empty if it has a border line instead."""
    return "" if side in LINES else side


def _border_styles(table: GridTable, place: Position) -> list[str]:
    """Return the CSS border styles of those sides of a cell that have special borders.

    In a grid with boxes, the outer border counts as the border of a region.
    """
    r, c = place
    boxed = "both" if not table.corners else "region"
    styles = []
    has_boxes = bool(table.row_gaps or table.column_gaps)
    for name, lines_on_side, side_place, gaps, line, neighbour in (
        ("top", table.below, (r - 1, c), table.row_gaps, r - 1, (r - 1, c)),
        ("right", table.right, place, table.column_gaps, c, (r, c + 1)),
        ("bottom", table.below, place, table.row_gaps, r, (r + 1, c)),
        ("left", table.right, (r, c - 1), table.column_gaps, c - 1, (r, c - 1)),
    ):
        kind = lines_on_side.get(side_place, "")
        is_region = kind == "region" or line in gaps or (has_boxes and neighbour not in table.cells)
        border = ("both" if kind in ("cage", "both") else boxed) if is_region else kind
        if border in LINES:
            styles.append(f"border-{name}: {LINES[border]}")
    return styles


MAX_PICTURES = 6
"""Maximum number of pictures of the trace of a small puzzle; a larger puzzle has its first and last picture."""
MAX_PLAYED = 300_000
"""Maximum number of records times variables of a trace with a player; its page has some 400,000 characters."""
FRAME = "width: 100%; height: 44em; border: 1px solid #999999"
"""Style of the frame of a player."""
MAX_NAMES = 10
"""Maximum number of named variables side by side."""
MAX_LETTERS = 110
"""Width of a row of names in characters, with three characters of padding for each name."""

Indices = tuple[Value, ...]


def model_svg(model: Model) -> str:
    """Return a picture of a model's constraint network as SVG, for notebooks.

    Examples
    --------
    >>> svg = model_svg(Model({"A": (1, 2)}))
    >>> svg.startswith("<svg") and 'aria-label="1 variable, 0 constraints"' in svg
    True
    """
    title = f"{plain_counted(len(model.domains), 'variable')}, {plain_counted(len(model.constraints), 'constraint')}"
    return _scene_svg(model, title)


def network_svg(graph: Any) -> str:
    """Return a networkx constraint network as SVG, with a vertex for every constraint.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.model.network import network
    >>> "pair" in network_svg(network(Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB", label="pair")])))
    True
    """
    graph_nodes = list(graph.nodes(data=True))
    domains = {node: data["domain"] for node, data in graph_nodes if data["bipartite"] == 0}
    constraints = [data["constraint"] for _, data in graph_nodes if data["bipartite"] == 1]
    complete = [constraint for constraint in constraints if all(variable in domains for variable in constraint.scope)]
    title = f"a network of {plain_counted(len(domains), 'variable')} and {plain_counted(len(complete), 'constraint')}"
    # Place the vertices as in the picture of the model; a subgraph may lack some of its variables.
    model = graph.graph.get("model") or Model(domains)
    show = [family for family in model.show if any(Variable.of(v).family == family for v in domains)]
    layout = [entry for entry in model.layout if domains.keys() >= {*entry.variables}]
    drawn = [entry for entry in model.drawn if domains.keys() >= {*entry.variables}]
    return _scene_svg(Model(domains, complete, show, layout=layout, drawn=drawn), title, "factor")


def solution_html(solution: Mapping[str, Value]) -> str:
    """Return a solution as HTML tables, for notebooks.

    A grid has the borders of its puzzle. A layout without a grid is a table of its places. Other variables are listed
    by name.

    Examples
    --------
    >>> solution_html({Variable("A"): 1, Variable("B"): "red"}).count("<td")
    2
    """
    model = getattr(solution, "model", None) or Model({Variable(name): (value,) for name, value in solution.items()})
    replaced_texts = place_texts(model, solution)
    shown = [v for v in pictured_variables(model) if not model.layout or v.family in model.show]
    values: dict[str, Value] = {v: replaced_texts.get(v, solution[v]) for v in shown}
    # Write the grids, and keep the variables that are in none of them.
    tables = grid_tables(model)
    parts = [
        table_html(_without_repeated_corners(table, values), values)
        for table in tables
        if not values.keys().isdisjoint(table.cells.values())
    ]
    other_values = {v: value for v, value in values.items() if not any(v in table.cells.values() for table in tables)}
    # Write each layout on its grid if it has one, else as a board, else as named texts.
    for name, block in layouts(model, solution).items():
        texts = {indices: shown.text for indices, shown in block.items()}
        if table := _grid_of_layout(model, name, block, tables):
            parts.append(table_html(*_fill_grid(table, texts)))
        elif all(map(is_place, block)):
            parts += (board_html({place: shown.text for place, shown in cells.items()}) for _, cells in layers(block))
        else:
            other_values |= {Variable(name, *indices): text for indices, text in texts.items() if text}
    return "\n".join([*parts, *([_name_table(other_values)] if other_values else [])])


def fixpoint_html(fixpoint: Fixpoint) -> str:
    """Return an HTML image of a fixpoint's domains.

    After a contradiction, it has the domains before propagation.

    Examples
    --------
    >>> from csp import propagate
    >>> 'alt="fixpoint · 1 unfixed"' in fixpoint_html(propagate(Model({"A": (1, 2)})))
    True
    """
    unfixed = sum(len(domain) > 1 for domain in fixpoint.domains.values())
    title = f"fixpoint · {unfixed:,} unfixed" if fixpoint.holds else "contradiction · the domains before propagation"
    model = fixpoint.model or Model(fixpoint.domains)
    return figure(title, Painter(model).svg(Scene(title=title, domains=fixpoint.domains)))


def verdict_html(verdict: Verdict) -> str:
    """Return a verdict as HTML: its sentence, and its solutions side by side.

    Examples
    --------
    >>> from csp import verdict, Solver
    >>> verdict_html(verdict(Solver(Model({"A": (1, 2)})))).count("<table>")
    2
    """
    return f"<p>{escape(verdict.message)}</p>{_side_by_side(map(solution_html, verdict.found))}"


def walk_html(walk: Walk) -> str:
    """Return a solution path as HTML: a list of its steps, and how it ends.

    Examples
    --------
    >>> from csp import Solver
    >>> from csp.explain import explain
    >>> walk_html(explain(Solver(Model({"A": (1,)}))))
    '<ol></ol><p>solved</p>'
    """
    steps = "".join(f"<li>{'<br>'.join(map(escape, step.lines))}</li>" for step in walk.steps)
    return f"<ol>{steps}</ol><p>{escape(': '.join(filter(None, (walk.ending, walk.conflict))))}</p>"


def trace_html(trace: Trace) -> str:
    """Return a trace as HTML: an embedded player, and the captions of all records.

    A larger trace has pictures instead of the player, and names the limit.

    Examples
    --------
    >>> from csp import record
    >>> html = trace_html(record(Model({"A": (1,)})))
    >>> html.count("<iframe"), html.count("<li>")
    (1, 3)
    """
    records, variables = len(trace.records), len(trace.model.domains)
    captions = "".join(f"<li>{escape(line)}</li>" for line in trace.captions())
    listed = f"<details><summary>{plain_counted(records, 'record')}</summary><ol>{captions}</ol></details>"
    if records * variables <= MAX_PLAYED:
        page = escape(player(trace))
        return f'<iframe style="{FRAME}" sandbox="allow-scripts allow-downloads" srcdoc="{page}"></iframe>{listed}'
    size = f"{records:,} records times {variables:,} variables are more than {MAX_PLAYED:,}"
    note = f"{size}: csp.render.player(trace) writes the player; here are pictures."
    return f"<p>{note}</p>{_trace_pictures(trace)}{listed}"


def _trace_pictures(trace: Trace) -> str:
    """Return HTML of a trace's first pictures and its last picture, side by side."""
    all_frames = list(frames(trace))
    limit = MAX_PICTURES if len(trace.model.domains) <= FEW else 2
    chosen = all_frames if len(all_frames) <= limit else [*all_frames[: limit - 1], all_frames[-1]]
    return _side_by_side(_draw_figures(trace, chosen))


def _side_by_side(parts: Iterable[str]) -> str:
    return f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{"".join(parts)}</div>'


def _scene_svg(model: Model, title: str, lens: str | None = None) -> str:
    """Return a picture of the domains of a model before propagation, as SVG."""
    scene = Scene(title=title, domains=model.domains)
    attributes = f' role="img" aria-label="{escape(title)}" style="max-width: 100%; height: auto"'
    return Painter(model, lens).svg(scene, attributes)


def _draw_figures(trace: Trace, chosen: Sequence[Frame]) -> Iterable[str]:
    painter = Painter(trace.model, origins=trace.origins)
    for frame in chosen:
        yield figure(frame.title, painter.svg(frame))


def figure(words: str, svg: str) -> str:
    """Return an ``img`` element with an SVG picture; ``words`` is its alternative text.

    Inside an ``img`` element, equal identifiers of several pictures do not clash.
    """
    source = "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
    return f'<img style="max-width: 30em; width: 100%" alt="{escape(words)}" src="{source}">'


def _grid_of_layout(
    model: Model, name: str, places: Collection[Indices], tables: Iterable[GridTable]
) -> GridTable | None:
    """Return the grid whose cells all entries of a layout are in, or None."""
    layout_variables = {v for entry in model.layout if entry.name == name for v in entry.variables}
    for table in tables:
        cells = {v.indices for v in table.cells.values()}
        if not layout_variables.isdisjoint(table.cells.values()) and all(indices in cells for indices in places):
            return table
    return None


def _fill_grid(table: GridTable, texts: Mapping[Indices, str]) -> tuple[GridTable, dict[str, Value]]:
    """Return a changed grid, and a layout's texts as the values of its cells.

    The grid loses the corner texts that repeat a value. A cell without a text has an empty value.
    """
    values: dict[str, Value] = {v: texts.get(v.indices, "") for v in table.cells.values()}
    return _without_repeated_corners(table, values), values


def _without_repeated_corners(table: GridTable, values: Mapping[str, Value]) -> GridTable:
    """Return the grid without those corner texts that repeat their cell's value."""
    corners = {at: words for at, words in table.corners.items() if words != values.get(table.cells.get(at, ""))}
    return replace(table, corners=corners)


def _name_table(values: Mapping[str, Value]) -> str:
    """Return an HTML table of variables: names above values, in several rows."""
    variables = list(values)
    longest = max(len(text) for v in variables for text in (v, str(values[v])))
    columns = max(1, min(MAX_NAMES, MAX_LETTERS // (longest + 3)))
    rows = ""
    for i in range(0, len(variables), columns):
        part = variables[i : i + columns]
        names = "".join(f'<th style="{CELL}">{escape(variable)}</th>' for variable in part)
        rows += f"<tr>{names}</tr><tr>{''.join(cell(values[variable]) for variable in part)}</tr>"
    return f"<table>{rows}</table>"
