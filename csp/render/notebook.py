"""What a notebook shows of a model, a network, a solution and a trace: plain SVG and HTML, which outlive an export."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from ..errors import DrawingError
from ..model import Model, Value, Variable
from ..story import Trace
from .dot import Painter
from .drawing import draw
from .frames import Frame, frames
from .legend import IDLES
from .plan.grid import pictured
from .plan.layout import FEW
from .plan.plan import LensName
from .plan.sheet import sheets
from .scene import Scene
from .style import counted
from .table import CELL, cell, sheet_html

MOST = 6
"""A trace of a small puzzle shows so many pictures; any other shows the first and the last."""
WIDE = 10
"""So many named variables stand side by side."""


def model_svg(model: Model) -> str | None:
    """The network of a model as a picture, or None where there is no Graphviz.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str or None
        An ``svg`` element without XML declaration, with a label for screen readers.

    Examples
    --------
    >>> svg = model_svg(Model({"A": (1, 2)}))
    >>> svg.startswith('<svg role="img" aria-label="1 variable, 0 constraints"')
    True
    """
    title = f"{counted(len(model.domains), 'variable')}, {counted(len(model.constraints), 'constraint')}"
    return _svg(model, title)


def network_svg(graph: Any) -> str | None:
    """A constraint network as a picture, with a vertex for every constraint, or None where there is no Graphviz.

    Parameters
    ----------
    graph : networkx.Graph
        As ``csp.model.network.network`` gives it, or a part of it.

    Returns
    -------
    str or None
        As for ``model_svg``.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.model.network import network
    >>> "pair" in network_svg(network(Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB", label="pair")])))
    True
    """
    nodes = list(graph.nodes(data=True))
    domains = {node: data["domain"] for node, data in nodes if data["bipartite"] == 0}
    constraints = [data["constraint"] for _, data in nodes if data["bipartite"] == 1]
    whole = [constraint for constraint in constraints if all(variable in domains for variable in constraint.scope)]
    title = f"a network of {counted(len(domains), 'variable')} and {counted(len(whole), 'constraint')}"
    return _svg(Model(domains, whole), title, "factor")


def solution_html(solution: Mapping[str, Value]) -> str:
    """A solution as tables: grids with the borders of their puzzle, all else with names.

    Parameters
    ----------
    solution : mapping of str to int or str
        One that knows its model shows what that shows, with regions, cages, signs and clues.

    Returns
    -------
    str

    Examples
    --------
    >>> solution_html({Variable("A"): 1, Variable("B"): "red"}).count("<td")
    2
    """
    model = getattr(solution, "model", None) or Model({Variable(name): (value,) for name, value in solution.items()})
    shown = {v: solution[v] for v in pictured(model)}
    own = [sheet for sheet in sheets(model) if not shown.keys().isdisjoint(sheet.cells.values())]
    rest = [v for v in shown if not any(v in sheet.cells.values() for sheet in own)]
    return "\n".join([*(sheet_html(sheet, shown) for sheet in own), *([_row(shown, rest)] if rest else [])])


def trace_html(trace: Trace) -> str:
    """What happened, as pictures and as the captions of all records.

    Parameters
    ----------
    trace : csp.Trace

    Returns
    -------
    str
        Of a puzzle of at most 20 variables the first and the last pictures, of any other the first and the last one;
        where there is no Graphviz, none.

    Examples
    --------
    >>> from csp import record
    >>> html = trace_html(record(Model({"A": (1,)})))
    >>> html.count("<img"), html.count("<li>")
    (2, 3)
    """
    every = list(frames(trace))
    most = MOST if len(trace.model.domains) <= FEW else 2
    chosen = every if len(every) <= most else [*every[: most - 1], every[-1]]
    records = "".join(f"<li>{escape(line)}</li>" for line in trace.captions())
    return (
        f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{"".join(_figures(trace, chosen))}</div>'
        f"<details><summary>{counted(len(trace.records), 'record')}</summary><ol>{records}</ol></details>"
    )


def _svg(model: Model, title: str, lens: LensName | None = None) -> str | None:
    try:
        [picture] = draw([Painter(model, lens, states=(IDLES,)).dot(Scene(title=title, domains=model.domains))])
    except DrawingError:
        return None
    _, _, svg = picture.decode().partition("<svg")
    return f'<svg role="img" aria-label="{escape(title)}" style="max-width: 100%; height: auto"{svg}'


def _figures(trace: Trace, chosen: Sequence[Frame]) -> Iterable[str]:
    painter = Painter(trace.model, origins=trace.origins)
    try:
        pictures = draw([painter.dot(frame) for frame in chosen])
    except DrawingError:
        return
    for frame, picture in zip(chosen, pictures, strict=True):
        source = "data:image/svg+xml;base64," + b64encode(picture).decode()
        yield f'<img style="max-width: 30em; width: 100%" alt="{escape(frame.title)}" src="{source}">'


def _row(solution: Mapping[str, Value], variables: Sequence[Variable]) -> str:
    rows = ""
    for i in range(0, len(variables), WIDE):
        part = variables[i : i + WIDE]
        names = "".join(f'<th style="{CELL}">{escape(variable)}</th>' for variable in part)
        rows += f"<tr>{names}</tr><tr>{''.join(cell(solution[variable]) for variable in part)}</tr>"
    return f"<table>{rows}</table>"
