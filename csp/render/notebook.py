"""What a notebook shows of a model, a network, a solution and a trace: plain SVG and HTML, which outlive an export."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from ..errors import DrawingError
from ..model import Model, Value, Variable
from ..story import Trace
from .dot import Painter
from .drawing import draw
from .frames import Frame, frames
from .legend import IDLES
from .plan.grid import is_indexed
from .plan.layout import FEW
from .plan.plan import LensName
from .scene import Scene
from .style import counted

MOST = 6
"""A trace of a small puzzle shows so many pictures; any other shows the first and the last."""
WIDE = 10
"""So many named variables stand side by side."""
BOX = 'style="border: 1px solid #999999; padding: 0.2em 0.6em; text-align: center"'


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
    """A solution as tables: families of two integer indices as grids, all else with names.

    Parameters
    ----------
    solution : mapping of str to int or str

    Returns
    -------
    str

    Examples
    --------
    >>> solution_html({Variable("A"): 1, Variable("B"): "red"}).count("<td")
    2
    """
    tables = []
    names = [name if isinstance(name, Variable) else Variable(name) for name in solution]
    for _, group in groupby(names, key=lambda variable: variable.family if is_indexed(variable) else ""):
        variables = list(group)
        tables.append(_grid(solution, variables) if is_indexed(variables[0]) else _row(solution, variables))
    return "\n".join(tables)


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


def _grid(solution: Mapping[str, Value], variables: Sequence[Variable]) -> str:
    places = {(int(v.indices[0]), int(v.indices[1])): v for v in variables}
    rows, columns = (sorted({place[axis] for place in places}) for axis in (0, 1))
    lines = [[places.get((row, column)) for column in columns] for row in rows]
    rows_of_cells = ("".join(_cell(solution[v]) if v else "<td></td>" for v in line) for line in lines)
    return f"<table>{''.join(f'<tr>{cells}</tr>' for cells in rows_of_cells)}</table>"


def _row(solution: Mapping[str, Value], variables: Sequence[Variable]) -> str:
    rows = ""
    for i in range(0, len(variables), WIDE):
        part = variables[i : i + WIDE]
        names = "".join(f"<th {BOX}>{escape(variable)}</th>" for variable in part)
        rows += f"<tr>{names}</tr><tr>{''.join(_cell(solution[variable]) for variable in part)}</tr>"
    return f"<table>{rows}</table>"


def _cell(value: Value) -> str:
    return f"<td {BOX}>{escape(str(value))}</td>"
