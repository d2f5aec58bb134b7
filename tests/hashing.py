"""Print the results of commands and calls, for ``test_hash_seeds.py``."""

from __future__ import annotations

import sys
from pathlib import Path

import csp
import dsl
from csp.encoding.export import EXPORTS
from csp.render import tree_dot, write_frames, write_graph

from .commands import HARD, run

COMMANDS = [
    "solve examples/latin.csp --all",
    "solve examples/states.csp --json",
    "propagate examples/money.csp",
    "graph examples/states.csp",
    "graph examples/shidoku.csp --primal --format json",
    "diff examples/sudoku.csp --level arc --level domain",
    "trace examples/sudoku.csp --grid clue=-",
    "trace examples/sudoku.csp --grid clue=- --json --level domain",
    "play examples/australia.csp -o -",
    "worksheet examples/shidoku.csp --steps 5..12 --hide queue",
    *(f"export examples/{name}.csp --to {form}" for name in ("kenken", "australia") for form in EXPORTS),
]


def write_pictures(name: str, folder: Path) -> None:
    """Write pictures and graphs of an example into a folder."""
    model = dsl.load(f"examples/{name}.csp")
    trace = csp.record(model, nodes=3)
    write_frames(trace, folder, ("svg",), 8)
    write_frames(trace, folder / "factor", (), 8, "factor", (1, 9))
    (folder / "tree").write_text(tree_dot(trace) + trace._repr_html_())
    for form in ("dot", "graphml", "gexf", "json"):
        (folder / f"graph.{form}").write_text(write_graph(model, form, form == "json"))  # type: ignore[arg-type]


def main(folder: Path) -> None:
    """Print the results, and write the pictures into a folder."""
    for command in COMMANDS:
        result = run(*command.split(), stdin=HARD)
        assert result.exit_code == 0 and result.stdout, command
        print(f"$ {command}\n{result.stdout}")
    learned = csp.Solver(dsl.load("examples/all_interval.csp"), search="learn").solutions()
    print(*learned, sep="\n")
    for name in ("shidoku", "states", "money", "australia"):
        write_pictures(name, folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
