"""The command ``csp levels``: compares the consistency levels."""

from __future__ import annotations

from typing import Any

import click

from csp import LEVELS, Settings, Solver, Stopped
from csp.base.files import write_whole

from ..asking import Ask, question
from ..options import Whole, json_option, out_option
from ..output import format_json, say
from ..progress import ProgressWatch

FORMS = {".svg": "svg", ".dot": "dot", ".gv": "dot"}
"""The format for each ending of --out."""


@question()
@click.option("--nodes", type=Whole(min=1), default=1000, show_default=True, metavar="N",
              help="Maximum number of nodes of each search.")  # fmt: skip
@json_option
@out_option("Draw the remaining values of each level (.svg, .dot).")
def levels(ask: Ask, nodes: int, out: str | None) -> None:
    """Compare the consistency levels: removed values and remaining search.

    Exit code: 0 compared, 2 malformed input.

    Example: csp levels examples/sudoku.csp
    """
    from csp.render import draw_levels
    from csp.trace import reach

    form = ask.form(out, FORMS, "svg")
    model, progress = ask.model, ask.progress
    solvers = [Solver(model, level, Settings(nodes=nodes)) for level in LEVELS]
    reaches = [reach(solver, progress) for solver in solvers]
    rows = [
        {
            "level": result.level, "removed": len(result.removed), "rounds": result.rounds,
            "propagators": result.propagators, "left": sum(map(len, result.left.values())), "open": result.open,
            **search(solver, progress),
        }
        for solver, result in zip(solvers, reaches, strict=True)
    ]  # fmt: skip
    ask.end()
    if out == "-":
        pass  # standard output is the picture only
    elif ask.as_json:
        for row in rows:
            say(format_json(row))
    else:
        print_table(rows)
    if out is not None:
        write_whole(out, draw_levels(reaches, form))


def search(solver: Solver, progress: ProgressWatch) -> dict[str, Any]:
    """Search for the first solution; return its nodes and answer as JSON data."""
    answers = solver.solutions(progress=progress)
    solution = next(answers, None)
    if progress.why:
        raise Stopped(progress.why)
    nodes = answers.effort.nodes
    answer = "unknown" if answers.stopped else "no solution" if solution is None else "solution"
    return {"search": nodes > 1 or answer == "unknown", "nodes": nodes, "answer": answer}


def print_table(rows: list[dict[str, Any]]) -> None:
    """Print the comparison as a table with a row for each level."""
    from rich.console import Console
    from rich.table import Table

    names = ("removed", "rounds", "propagators", "left", "open")
    table = Table("level", *names[:-1], "unfixed", "search", box=None, pad_edge=False)
    for column in table.columns[1:-1]:
        column.justify = "right"
    for row in rows:
        exceeded = "over " if row["answer"] == "unknown" else ""
        parts = [f"{exceeded}{row['nodes']} nodes"] if row["search"] else []
        parts += ["no solution"] if row["answer"] == "no solution" else []
        table.add_row(row["level"], *(str(row[name]) for name in names), ", ".join(parts) or "not needed")
    Console().print(table)
