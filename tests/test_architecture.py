"""The house rules that a machine can check."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from functools import cache
from graphlib import TopologicalSorter
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

from .conftest import ROOT

SOURCES = sorted((ROOT / "csp").rglob("*.py")) + sorted((ROOT / "dsl").rglob("*.py"))

FLOORS_OF = {  # from the ground up: a room, or a file beside rooms, imports itself and those before it
    "csp": [
        *(
            "base",
            "model",
            "graph",
            "encoding",
            "engine",
            "board",
            "parallel",
            "trace",
            "explain",
            "methods",
            "picture",
        ),
        "render",
    ],
    "csp.model": [
        *("variable", "expression", "bounds", "constraint", "operand", "operation", "listed", "constraints", "algebra"),
        *("atoms", "objective", "entry", "model", "network"),
    ],
    "csp.encoding": [
        "shape",
        "formula",
        "cnf",
        "rules",
        "terms",
        "sums",
        "expressions",
        "reaching",
        "encoder",
        "flow",
        "objective",
        "estimate",
        "export",
    ],
    "csp.engine": ["settings", "memory", "effort", "events", "compiled", "search", "solver"],
    "csp.engine.compiled": [
        *(
            "plain",
            "kernel",
            "wide",
            "group",
            "layout",
            "exclusions",
            "native",
            "propagators",
            "rewrite",
            "context",
            "parts",
            "program",
        ),
    ],
    "csp.engine.search": [
        *("propagation", "branching", "depth_first", "chains", "learner", "alternation", "residual", "counting"),
    ],
    "csp.engine.solver": ["answers", "decoding", "estimating", "engine", "session", "solver", "once", "deciding"],
    "csp.parallel": ["lasting", "processes", "cluster", "workers", "mapping", "splitting", "searching", "optimizing"],
    "csp.methods": [
        *("links", "groups", "visits", "base", "backtracking", "tracking", "engine", "norvig", "human", "permutation"),
        *("cover", "annealing", "graph"),
    ],
    "csp.trace": [
        *(
            "records",
            "captions",
            "history",
            "marks",
            "moments",
            "outlines",
            "tree",
            "folding",
            "recorder",
            "recording",
            "ending",
            "levels",
        ),
    ],
    "csp.explain": ["steps", "evidence", "proofs", "setting"],
    "csp.explain.steps": [
        *(
            "board",
            "view",
            "supposing",
            "strong_links",
            "inference",
            "techniques",
            "patterns",
            "walk",
            "report",
            "rating",
            "hints",
        ),
    ],
    "csp.explain.evidence": [
        *(
            "find_failure",
            "verdicts",
            "proving",
            "shrinking",
            "asking",
            "conflicts",
            "settling",
            "guard",
            "claims",
            "reasons",
            "candidates",
        ),
        "needs",
    ],
    "csp.board": [
        *("widths", "grid", "areas", "drawn", "clue_texts", "signs", "strips", "colours", "finder", "puzzle"),
        *("borders", "grid_table", "answer"),
    ],
    "csp.picture": [
        *("style", "shapes", "scene", "frames", "layout", "edges", "lenses", "moving", "plan", "vertex", "picture"),
        *("legend", "matching", "stages", "tree", "explained"),
    ],
    "csp.render": [
        *("svg", "dot", "painter", "text", "solved", "levels", "folder", "notebook", "page", "steps", "why"),
        "comparison",
    ],
    "csp.explain.proofs": ["checker", "cadical", "certificates"],
    "csp.explain.setting": ["setter", "running"],
    "dsl": ["signals", "syntax", "semantics", "lint", "puzzles", "editor", "studio", "cli", "start"],
    "dsl.syntax": [
        *("vocabulary", "limits", "nodes", "errors", "habits", "grids", "parsing", "printing", "editing", "reading"),
    ],
    "dsl.editor": [
        *("words", "edits", "diagnosing", "names", "places", "completing", "hovering", "mending", "language_server"),
    ],
    "dsl.studio": [
        *("acts", "sheets", "questions", "modes", "protocol", "worker", "engine", "page", "folder", "server"),
    ],
    "dsl.semantics": ["including", "expressions", "rows", "clauses", "load", "dumping"],
    "dsl.puzzles": ["each", "setting", "convert", "links"],
}

INSIDE = ("csp.engine", "csp.model", "csp.board.", "csp.picture.", "csp.render.")
"""What the commands do not ask for; of the rooms of pictures, the packages have the public names."""


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path, types: bool = False) -> set[str]:
    """The modules that a file imports, as paths from the root of the project; those for types alone if wanted."""
    tree = parsed(path)
    for_types = {
        inner
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = set()
    for node in ast.walk(tree):
        if node in for_types and not types:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = source_of(node, path)
            found |= {source} if node.module else {f"{source}.{alias.name}" for alias in node.names}
    return found


def source_of(node: ast.ImportFrom, path: Path) -> str:
    """What an import of a file imports from: a module, or a package."""
    package = path.relative_to(ROOT).parts[:-1]
    base = package[: len(package) - node.level + 1] if node.level else ()
    return ".".join([*base, *([node.module] if node.module else [])])


@pytest.mark.parametrize("house", FLOORS_OF)
def test_imports_point_down(house: str) -> None:
    floors = FLOORS_OF[house]
    depth = house.count(".") + 1
    for path in SOURCES:
        if not module(path).startswith(f"{house}.") or (path.parent == ROOT / house and path.stem == "__init__"):
            continue
        own = module(path).split(".")[depth]
        if own in ("__init__", "__main__"):
            continue
        for name in imports(path):
            other = name.split(".")[depth] if name.startswith(f"{house}.") else ""
            if other and not other.startswith("_native"):  # which is no Python
                assert floors.index(other) <= floors.index(own), f"{path} imports {name}"


def test_every_room_has_a_floor() -> None:
    for house, floors in FLOORS_OF.items():
        folder = ROOT.joinpath(*house.split("."))
        inside = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
        assert inside - {"__init__", "__main__"} == set(floors), house


def test_the_engine_knows_no_language_and_the_language_asks_for_public_names() -> None:
    for path in SOURCES:
        for name in imports(path, types=True):
            if path.is_relative_to(ROOT / "csp"):
                assert not name.startswith("dsl"), f"{path} imports the language"
            elif not path.is_relative_to(ROOT / "dsl" / "cli"):
                assert not name.startswith("csp."), f"{path} imports {name}, which is not public"
            else:
                assert not name.startswith(INSIDE), f"{path} imports {name}, which is not public"


ONE_IDEA = {
    "Row": "a tuple of values, which the language does not ask the engine for",
    "Sum": "an expression, and the propagator of one",
    "Progress": "a function that is told of the effort, which the studio does not ask the engine for",
    "count": "by this process, or by many",
    "propagate": "by the engine, or on the graph of one page",
    "main": "of the group of commands, and of the program around it",
}
"""Names that two modules have for one thing. ``dsl.syntax.nodes`` is not compared: its nodes are what they write."""


def names_of(path: Path) -> set[str]:
    """The classes, functions and types that a module defines for others."""
    defined: set[str] = set()
    for node in parsed(path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            defined.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            defined |= {one.id for one in targets if isinstance(one, ast.Name) and not one.id.isupper()}
    return {name for name in defined if not name.startswith("_") and len(name) > 1}


def names_imported(path: Path) -> set[str]:
    nodes = ast.walk(parsed(path))
    found = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return {f"{source_of(node, path)}.{alias.name}" for node in found for alias in node.names}


def test_no_two_things_have_one_name() -> None:
    """All classes and types of all modules, and the functions that other modules import."""
    imported = {found for path in SOURCES for found in names_imported(path)}
    homes: dict[str, list[str]] = defaultdict(list)
    for path in SOURCES:
        if path != ROOT / "dsl" / "syntax" / "nodes.py":
            for name in names_of(path):
                if name[0].isupper() or f"{module(path).removesuffix('.__init__')}.{name}" in imported:
                    homes[name].append(module(path))
    twins = {name: places for name, places in homes.items() if len(places) > 1}
    assert {name: places for name, places in twins.items() if name not in ONE_IDEA} == {}
    assert not set(ONE_IDEA) - set(twins)


def test_no_files_import_each_other_in_a_circle() -> None:
    files = {module(path).removesuffix(".__init__"): imports(path) for path in SOURCES}
    known = {name: {one for one in found if one in files and one != name} for name, found in files.items()}
    inside = {name: {one for one in found if not name.startswith(f"{one}.")} for name, found in known.items()}
    assert len(list(TopologicalSorter(inside).static_order())) == len(files)


def test_files_are_short_and_named_like_nothing_standard() -> None:
    assert not [path for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > 600]
    assert not [path for path in SOURCES if path.stem in sys.stdlib_module_names]


TABLES = {  # folders of a dozen files and more: one file an entry of a table
    "csp/methods",
    *("csp/model/constraints", "csp/engine/compiled/propagators", "csp/explain/steps/techniques", "dsl/cli/commands"),
}


def test_folders_are_short() -> None:
    folders = {path.parent for path in SOURCES}
    crowded = {folder for folder in folders if len([*folder.glob("*.py")]) - 1 > 12}
    assert {str(folder.relative_to(ROOT)) for folder in crowded} <= TABLES


def test_tests_are_short() -> None:
    assert not [path for path in (ROOT / "tests").rglob("*.py") if path.read_text(encoding="utf-8").count("\n") > 800]


def test_only_the_converters_know_puzzles() -> None:
    for path in SOURCES:
        links = ROOT / "dsl" / "puzzles" / "links"
        if path.parent in (ROOT / "dsl" / "puzzles" / "convert", links, links / "penpa"):
            continue
        every = [*ast.walk(parsed(path))]
        names = {node.id for node in every if isinstance(node, ast.Name)}
        names |= {node.name for node in every if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert not [name for name in names if "sudoku" in name.lower()], path


def test_the_engine_knows_no_constraint_by_name() -> None:
    rooms = {
        "compiled": ("kernel", "wide", "native", "layout", "exclusions", "program"),
        "search": ("propagation", "branching", "depth_first"),
        "solver": ("engine", "session"),
    }
    for room in (f"{floor}/{name}" for floor, names in rooms.items() for name in names):
        tree = ast.parse((ROOT / "csp" / "engine" / f"{room}.py").read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not names & {kind.__name__ for kind in CONSTRAINTS}, room


def test_only_the_kernel_knows_how_states_are_made() -> None:
    assert [path.stem for path in SOURCES if "gmpy2" in imports(path)] == ["kernel"]


def test_every_kind_of_constraint_is_a_file_of_its_own_and_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "csp" / "model" / "constraints").glob("*.py")} - {"__init__", "base"}
    assert files == {kind.__module__.rpartition(".")[2] for kind in CONSTRAINTS}


def test_every_technique_is_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "csp" / "explain" / "steps" / "techniques").glob("*.py")} - {"__init__"}
    used = {getattr(technique.find, "func", technique.find).__module__.rpartition(".")[2] for technique in TABLE}
    assert files == used


def test_what_is_written_is_used() -> None:
    """A function that no table has, and a class that nothing makes, are forgotten lines."""
    words = Counter(word for path in SOURCES for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))
    made = [one for path in SOURCES for one in parsed(path).body if isinstance(one, ast.FunctionDef | ast.ClassDef)]
    assert not [one.name for one in made if words[one.name] == 1]


def test_what_stands_in_a_table_says_what_it_is() -> None:
    for made in (*CONSTRAINTS, *(lens_of(name).draw for name in LENSES)):
        assert ">>>" in (made.__doc__ or ""), f"{made.__name__}: a docstring, with an example"
    for made in (*map(maker, MAKERS.values()), *(getattr(one.find, "func", one.find) for one in TABLE)):
        assert made.__doc__, f"{made.__name__}: a docstring"


def test_a_lens_is_a_file_and_a_line() -> None:
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


def test_converters_write_text_and_know_nothing_of_models() -> None:
    """They know the language as text, and nothing that evaluates or solves a spec."""
    for path in (ROOT / "dsl" / "puzzles" / "convert").glob("*.py"):
        meaning = ("csp", "dsl.semantics.expressions", "dsl.semantics.clauses")
        assert not [name for name in imports(path) if name.startswith(meaning)], path


def test_an_installed_package_has_the_gallery() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert settings["package-dir"] == {"dsl.gallery": "examples"} and "dsl.gallery" in settings["packages"]
    assert settings["package-data"]["dsl.gallery"] == ["*.csp", "rules/*.csp"]
    folders = {".".join(path.parent.relative_to(ROOT).parts) for path in SOURCES}
    assert folders <= {*settings["packages"]}
