"""Tests of the rules for files, names and imports of the source code."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import click
import pytest

import csp
from csp import CONSTRAINTS
from csp.engine.compiled.propagators import MAKERS, maker
from csp.explain.steps.techniques import TABLE
from csp.picture.lenses import LENSES, lens_of
from csp.render import player
from dsl.cli.commands.draw import draw

from ..conftest import ROOT

SOURCES = sorted((ROOT / "csp").rglob("*.py")) + sorted((ROOT / "dsl").rglob("*.py"))

LAYERS_OF = {  # from the bottom up: a package or module imports only itself and those before it
    "csp": [
        *("base", "model", "graph", "encoding", "engine", "board", "parallel", "trace", "explain", "methods"),
        *("picture", "render"),
    ],
    "csp.engine": ["settings", "memory", "effort", "events", "compiled", "search", "solver"],
    "csp.explain": ["steps", "words", "evidence", "proofs", "setting"],
    "dsl": ["signals", "syntax", "semantics", "lint", "puzzles", "editor", "studio", "cli", "start"],
}
"""The order of the packages. Inside a package the imports of files only have no circle."""

PRIVATE_PREFIXES = ("csp.engine", "csp.model", "csp.board.", "csp.picture.", "csp.render.")
"""Module prefixes that the commands do not import; the packages of pictures have the public names."""


def module_name(path: Path) -> str:
    """Return the dotted name of a module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@cache
def parse(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported_modules(path: Path, types: bool = False) -> set[str]:
    """Return the names of the modules that a file imports.

    Imports under ``TYPE_CHECKING`` are included if ``types`` is true.
    """
    tree = parse(path)
    for_types = {
        descendant
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for descendant in ast.walk(node)
    }
    modules = set()
    for node in ast.walk(tree):
        if node in for_types and not types:
            continue
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = imported_module(node, path)
            modules |= {source} if node.module else {f"{source}.{alias.name}" for alias in node.names}
    return modules


def imported_module(node: ast.ImportFrom, path: Path) -> str:
    """Return the module or package that an import statement names."""
    package = path.relative_to(ROOT).parts[:-1]
    base = package[: len(package) - node.level + 1] if node.level else ()
    return ".".join([*base, *([node.module] if node.module else [])])


@pytest.mark.parametrize("package", LAYERS_OF)
def test_imports_point_down(package: str) -> None:
    layers = LAYERS_OF[package]
    depth = package.count(".") + 1
    for path in SOURCES:
        if not module_name(path).startswith(f"{package}.") or (
            path.parent == ROOT / package and path.stem == "__init__"
        ):
            continue
        importing = module_name(path).split(".")[depth]
        if importing in ("__init__", "__main__"):
            continue
        for name in imported_modules(path):
            imported = name.split(".")[depth] if name.startswith(f"{package}.") else ""
            if imported and not imported.startswith("_native"):  # a module in C
                assert layers.index(imported) <= layers.index(importing), f"{path} imports {name}"


def test_every_module_of_a_package_has_a_layer() -> None:
    for package, layers in LAYERS_OF.items():
        folder = ROOT.joinpath(*package.split("."))
        modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
        assert modules - {"__init__", "__main__"} == set(layers), package


def test_csp_does_not_import_dsl_and_dsl_imports_public_names_only() -> None:
    for path in SOURCES:
        for name in imported_modules(path, types=True):
            if path.is_relative_to(ROOT / "csp"):
                assert not name.startswith("dsl"), f"{path} imports the language"
            elif not path.is_relative_to(ROOT / "dsl" / "cli"):
                assert not name.startswith("csp."), f"{path} imports {name}, which is not public"
            else:
                assert not name.startswith(PRIVATE_PREFIXES), f"{path} imports {name}, which is not public"


SHARED_NAMES = {
    "Row": "a tuple of values, which the language does not import from the engine",
    "Sum": "an expression, and the propagator of one",
    "Progress": "a function that receives the effort; the studio does not import it from the engine",
    "count": "in this process, or in several",
    "propagate": "by the engine, or on the graph of one page",
    "main": "the group of commands, and the program around it",
}
"""Names that several modules share, each with the reason; ``dsl.syntax.nodes`` is not compared."""


def defined_names(path: Path) -> set[str]:
    """Return the public classes, functions and types that a module defines."""
    names: set[str] = set()
    for node in parse(path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name) and not target.id.isupper()}
    return {name for name in names if not name.startswith("_") and len(name) > 1}


def imported_names(path: Path) -> set[str]:
    """Return the full names that a file imports with ``from``."""
    nodes = ast.walk(parse(path))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return {f"{imported_module(node, path)}.{alias.name}" for node in imports for alias in node.names}


def test_no_name_is_defined_in_two_modules() -> None:
    """Compare all classes and types, and the functions that other modules import."""
    imported = {name for path in SOURCES for name in imported_names(path)}
    modules_of: dict[str, list[str]] = defaultdict(list)
    for path in SOURCES:
        if path != ROOT / "dsl" / "syntax" / "nodes.py":
            for name in defined_names(path):
                if name[0].isupper() or f"{module_name(path).removesuffix('.__init__')}.{name}" in imported:
                    modules_of[name].append(module_name(path))
    twins = {name: places for name, places in modules_of.items() if len(places) > 1}
    assert {name: places for name, places in twins.items() if name not in SHARED_NAMES} == {}
    assert not set(SHARED_NAMES) - set(twins)


def test_every_name_in_all_exists() -> None:
    modules = [
        import_module(module_name(path).removesuffix(".__init__")) for path in SOURCES if path.name != "__main__.py"
    ]
    listed = [(module, name) for module in modules for name in getattr(module, "__all__", [])]
    assert len(listed) > 100
    assert [(module.__name__, name) for module, name in listed if not hasattr(module, name)] == []


def test_imports_of_files_have_no_circle() -> None:
    """Count imports inside functions and under ``TYPE_CHECKING``, too."""
    names = {module_name(path).removesuffix(".__init__"): path for path in SOURCES}
    imports_of = {
        name: {
            module
            for module in imported_modules(path, types=True)
            if module in names and module != name and not name.startswith(f"{module}.")
        }
        for name, path in names.items()
    }
    assert len(list(TopologicalSorter(imports_of).static_order())) == len(names)


def test_files_are_short_and_do_not_have_names_of_standard_modules() -> None:
    assert not [path for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > 600]
    assert not [path for path in SOURCES if path.stem in sys.stdlib_module_names]


TABLES = {  # folders with more than twelve files, where each file is an entry of a table
    *("csp/model/constraints", "csp/engine/compiled/propagators", "csp/explain/steps/techniques", "dsl/cli/commands"),
}


def test_only_folders_of_tables_have_more_than_twelve_files() -> None:
    folders = {path.parent for path in SOURCES}
    crowded = {folder for folder in folders if len([*folder.glob("*.py")]) - 1 > 12}
    assert {str(folder.relative_to(ROOT)) for folder in crowded} <= TABLES


def test_test_files_have_at_most_800_lines() -> None:
    assert not [path for path in (ROOT / "tests").rglob("*.py") if path.read_text(encoding="utf-8").count("\n") > 800]


def test_every_test_file_is_in_the_folder_of_its_subject() -> None:
    assert not [*(ROOT / "tests").glob("test_*.py")]


def test_only_the_converters_have_names_of_puzzles() -> None:
    for path in SOURCES:
        links = ROOT / "dsl" / "puzzles" / "links"
        if path.parent in (ROOT / "dsl" / "puzzles" / "convert", links, links / "penpa"):
            continue
        nodes = [*ast.walk(parse(path))]
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        names |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert not [name for name in names if "sudoku" in name.lower()], path


def test_the_engine_names_no_kind_of_constraint() -> None:
    files_of = {
        "compiled": ("kernel", "wide", "native", "layout", "exclusions", "program"),
        "search": ("propagation", "branching", "depth_first"),
        "solver": ("engine", "session"),
    }
    for file in (f"{package}/{name}" for package, names in files_of.items() for name in names):
        tree = ast.parse((ROOT / "csp" / "engine" / f"{file}.py").read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not names & {kind.__name__ for kind in CONSTRAINTS}, file


def test_every_kind_of_constraint_has_a_file_and_a_row_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "csp" / "model" / "constraints").glob("*.py")} - {"__init__", "base"}
    assert files == {kind.__module__.rpartition(".")[2] for kind in CONSTRAINTS} - {"algebra"}  # what operators make


def test_every_technique_is_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "csp" / "explain" / "steps" / "techniques").glob("*.py")} - {"__init__"}
    modules = {getattr(technique.find, "func", technique.find).__module__.rpartition(".")[2] for technique in TABLE}
    assert files == modules


def test_every_function_and_class_is_used() -> None:
    """Check that each name occurs at least twice in the source code."""
    words = Counter(word for path in SOURCES for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))
    definitions = [
        node for path in SOURCES for node in parse(path).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    assert not [node.name for node in definitions if words[node.name] == 1]


def test_every_entry_of_a_table_has_a_docstring() -> None:
    for entry in (*CONSTRAINTS, *(lens_of(name).draw for name in LENSES)):
        assert ">>>" in (entry.__doc__ or ""), f"{entry.__name__}: a docstring, with an example"
    for entry in (
        *map(maker, MAKERS.values()),
        *(getattr(technique.find, "func", technique.find) for technique in TABLE),
    ):
        assert entry.__doc__, f"{entry.__name__}: a docstring"


def test_every_lens_has_a_file_and_a_key_in_the_player() -> None:
    files = {path.stem for path in (ROOT / "csp" / "picture" / "lenses").glob("*.py")} - {"__init__", "lens"}
    assert files == set(LENSES)
    choices = next(option.type for option in draw.params if option.name == "lens")
    assert isinstance(choices, click.Choice) and [*choices.choices] == [*LENSES, "matching", "stages", "puzzle"]
    page = player(csp.record(csp.Model({"A": (1, 2), "B": (1, 2)}, [csp.AllDifferent.of("AB")])))
    names = [*(lens_of(name).title for name in LENSES), "matching"]
    assert f"<dt>{' · '.join(name[0] for name in names)}</dt><dd>{', '.join(names)}</dd>" in page
    keys = re.findall(r"\b\w\b", " ".join(re.findall("<dt>(.*?)</dt>", page)))
    assert len(keys) == len(set(keys)), "the first letter of a lens is its key in the player, and no other key"


def test_docstring_examples_are_among_the_tests() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert {"csp", "dsl"} <= set(settings["testpaths"]) and "--doctest-modules" in settings["addopts"]
    assert "ignore-import-errors" not in settings["addopts"], "test files that cannot be imported would be skipped"


def test_converters_write_text_and_do_not_import_models() -> None:
    """Check that converters import no module that evaluates or solves a spec."""
    for path in (ROOT / "dsl" / "puzzles" / "convert").glob("*.py"):
        forbidden = ("csp", "dsl.semantics.expressions", "dsl.semantics.clauses")
        assert not [name for name in imported_modules(path) if name.startswith(forbidden)], path


def test_the_installed_package_contains_the_gallery() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert settings["package-dir"] == {"dsl.gallery": "examples"} and "dsl.gallery" in settings["packages"]
    assert settings["package-data"]["dsl.gallery"] == ["*.csp", "rules/*.csp"]
    folders = {".".join(path.parent.relative_to(ROOT).parts) for path in SOURCES}
    assert folders <= {*settings["packages"]}
