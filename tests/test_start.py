"""What a start imports."""

from __future__ import annotations

import subprocess
import sys

from .conftest import ROOT


def last_line(code: str, *words: str) -> list[str]:
    """The names in the last line that a program prints, in a process of its own."""
    told = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return told.stdout.splitlines()[-1].split()


def test_a_start_imports_nothing_heavy() -> None:
    code = "import dsl.start, dsl.cli.commands.solve, dsl.semantics.load, csp.board"
    code += "; import sys; print(*sorted({n.split('.')[0] for n in sys.modules}))"
    loaded = last_line(code)
    assert not {"networkx", "rich", "graphviz", "pygraphviz", "numpy", "PIL", "lark", "clingo"} & set(loaded)
    assert "click" in loaded


def test_why_starts_with_hardly_more_than_solve() -> None:
    """The modules in memory at the end of a command, which is what a start takes on any machine.

    Of ours no more than the 166 that ``solve`` took when ``why`` took no more than that.
    """
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules))"
    code += "; from dsl.cli import main; main(sys.argv[1:])"
    path = str(ROOT / "examples" / "sudoku.csp")
    why, solve = last_line(code, "why", path, "cell(1,3) = 4"), last_line(code, "solve", path)
    assert len(why) <= len(solve) + 10
    assert sum(name.split(".")[0] in ("csp", "dsl") for name in why) <= 166


def test_the_engine_draws_only_when_asked() -> None:
    code = "import csp, csp.model.network, sys"
    code += "; print(*(n for n in sys.modules if n.startswith(('csp.board', 'csp.picture', 'csp.render'))))"
    assert not last_line(code)
