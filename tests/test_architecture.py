"""The house rules that a machine can check."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from .conftest import ROOT

SOURCES = sorted((ROOT / "csp").rglob("*.py")) + sorted((ROOT / "dsl").rglob("*.py"))

BELOW = {  # what each room of csp may import; an import that points the other way is a mistake
    "model": {"constraints"},  # for a type only
    "constraints": {"model"},
    "network": {"model"},
    "lines": {"constraints", "model"},
    "implied": {"constraints", "model"},
    "preparation": {"constraints", "implied", "model"},
    "events": {"constraints"},
    "propagation": {"constraints", "events", "lines", "model"},
    "branching": {"lines"},
    "search": {"branching", "events", "propagation"},
    "answers": {"model", "propagation", "search"},
    "solver": {"answers", "constraints", "events", "lines", "model", "network", "preparation", "propagation", "search"},
    "records": {"constraints", "model"},
    "recorder": {"constraints", "lines", "model", "records", "search", "solver"},
    "moments": {"model", "records"},
    "levels": {"answers", "model", "moments", "recorder", "records", "search", "solver"},
    "tree": {"model", "records"},
    "export": {"constraints", "model"},
    "render": {"answers", "constraints", "levels", "model", "moments", "network", "records", "tree"},
}
NOTEBOOK = {"answers", "model", "network", "records"}  # show themselves there by csp.render, imported when they do
ROOMS = ["language", "lint", "convert", "cli"]  # of dsl, each of which may import itself and those before it
FLOORS = ["vocabulary", "syntax", "errors", "text", "expressions", "clauses", "load", "each"]  # of its language, too
LANGUAGE = sorted((ROOT / "dsl" / "language").rglob("*.py"))


def imports(path: Path) -> set[str]:
    """The modules that a file imports, as paths from the root of the project."""
    package = list(path.relative_to(ROOT).with_suffix("").parts)[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {".".join([*base, name]) for name in names}
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    package, *rest = path.relative_to(ROOT).with_suffix("").parts
    for name in imports(path):
        top, *inner = name.split(".")
        if package == "csp":
            assert top != "dsl", f"{path} imports the language"
            room = rest[0]
            if top == "csp" and room != "__init__":
                shows = room in NOTEBOOK and name == "csp.render.notebook"
                assert inner[0] == room or inner[0] in BELOW[room] or shows, f"{path} imports {name}"
        elif rest[0] in ROOMS:
            assert top != "csp" or rest[0] == "cli" or name == "csp", f"{path} imports {name}, which is not public"
            below = ROOMS[: ROOMS.index(rest[0]) + 1]
            assert top != "dsl" or inner[0] in below, f"{path} imports {name}"


@pytest.mark.parametrize("path", LANGUAGE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_floors_of_the_language(path: Path) -> None:
    floor = path.relative_to(ROOT / "dsl" / "language").parts[0].removesuffix(".py")
    for name in imports(path):
        if name.startswith("dsl.language."):
            assert name.split(".")[2] in FLOORS[: FLOORS.index(floor) + 1], f"{path} imports {name}"


def test_the_files_of_the_language_import_each_other_in_no_circle() -> None:
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): imports(path) for path in LANGUAGE}
    order = list(TopologicalSorter({name: found & files.keys() for name, found in files.items()}).static_order())
    assert order.index("dsl.language.expressions.queries") < order.index("dsl.language.expressions.compiler")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short_and_named_like_nothing_standard(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
    assert path.stem not in sys.stdlib_module_names


def test_only_the_converters_know_puzzles() -> None:
    for path in SOURCES:
        if path.parent == ROOT / "dsl" / "convert":
            continue
        code = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}
        names |= {node.name for node in ast.walk(code) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert not [name for name in names if "sudoku" in name.lower()], path


def test_the_queue_knows_no_constraint_by_name() -> None:
    from csp.constraints import CONSTRAINTS

    for room in ("lines", "propagation", "branching", "search", "solver"):
        code = (ROOT / "csp" / f"{room}.py").read_text(encoding="utf-8")
        tree = ast.parse(code)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not names & {kind.__name__ for kind in CONSTRAINTS}


def test_every_constraint_is_in_the_table() -> None:
    from csp.constraints import CONSTRAINTS

    files = {path.stem for path in (ROOT / "csp" / "constraints").glob("*.py")}
    files -= {"__init__", "affine", "base", "cages", "matching", "operation", "tabulated"}  # their parts
    assert files == {kind.__module__.rpartition(".")[2] for kind in CONSTRAINTS}


def test_a_start_imports_nothing_heavy() -> None:
    code = "import dsl.cli, csp.render.answer, sys; print(*sorted({n.split('.')[0] for n in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"networkx", "rich", "graphviz", "pygraphviz", "numpy", "PIL"} & set(loaded)
    assert "lark" in loaded


def test_the_engine_draws_only_when_asked() -> None:
    code = "import csp, csp.network, sys; print(*(name for name in sys.modules if name.startswith('csp.render')))"
    assert not subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_docstring_examples_are_among_the_tests() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert {"csp", "dsl"} <= set(settings["testpaths"]) and "--doctest-modules" in settings["addopts"]


def test_converters_write_text_and_know_nothing_of_models() -> None:
    """They know the language as text, and nothing that evaluates or solves a spec."""
    for path in (ROOT / "dsl" / "convert").glob("*.py"):
        meaning = ("csp", "dsl.language.expressions", "dsl.language.clauses")
        assert not [name for name in imports(path) if name.startswith(meaning)], path


def test_an_installed_package_has_the_gallery() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert settings["package-dir"] == {"dsl.gallery": "examples"} and "dsl.gallery" in settings["packages"]
    assert settings["package-data"]["dsl.gallery"] == ["*.csp"]
    folders = {".".join(path.parent.relative_to(ROOT).parts) for path in SOURCES}
    assert folders <= {*settings["packages"]}
