"""Test the modules that a start imports."""

from __future__ import annotations

import subprocess
import sys

from ..conftest import ROOT


def run_last_line(code: str, *words: str) -> list[str]:
    """Run a program; return the names in its last line."""
    result = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return result.stdout.splitlines()[-1].split()


def test_a_start_imports_nothing_heavy() -> None:
    code = "import dsl.start, dsl.cli.commands.solve, dsl.semantics.load, csp.board"
    code += "; import sys; print(*sorted({n.split('.')[0] for n in sys.modules}))"
    loaded = run_last_line(code)
    assert not {"networkx", "rich", "graphviz", "pygraphviz", "numpy", "PIL", "clingo"} & set(loaded)
    assert {"click", "lark"} <= set(loaded)
    assert "lark" not in run_last_line("import dsl.start, dsl.cli, sys; print(*sys.modules)")


def test_why_imports_at_most_ten_modules_more_than_solve() -> None:
    """Count the modules at the end of a command, independently of the machine.

    The limit of 166 modules of the project is the number that ``solve`` imported when ``why`` imported no more.
    """
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules))"
    code += "; from dsl.cli import main; main(sys.argv[1:])"
    path = str(ROOT / "examples" / "sudoku.csp")
    why, solve = run_last_line(code, "why", path, "cell(1,3) = 4"), run_last_line(code, "solve", path)
    assert len(why) <= len(solve) + 10
    assert sum(name.split(".")[0] in ("csp", "dsl") for name in why) <= 166


def test_the_engine_imports_no_module_for_pictures() -> None:
    code = "import csp, csp.model.network, sys"
    code += "; print(*(n for n in sys.modules if n.startswith(('csp.board', 'csp.picture', 'csp.render'))))"
    assert not run_last_line(code)
