"""Tests that the manual documents every key that ``--json`` prints."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from dsl.cli import main

from ..conftest import ROOT

PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
SECTIONS = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
PARTS = {name: part for name, part in SECTIONS.items() if "\n| key |" in part}
SESSIONS = [session for part in PARTS.values() for session in re.findall(r"^\$ csp (.*(?:\n[^$`].*)*)", part, re.M)]

COMMANDS = {
    "solve": [
        "solve examples/latin.csp --json --limit 2",
        "solve docs/data/best.csp --json",
        "solve examples/latin.csp --json --count --limit 2",
        "solve examples/latin.csp --json --estimate",
        "solve examples/money.csp examples/latin.csp --json",
    ],
    "solve --each": ["solve examples/sudoku.csp --set box=2 --each clue=docs/data/lines.txt --json"],
    "check": [
        *[f"check {file} --json" for file in ("docs/data/two.csp", "docs/data/best.csp", "docs/json.md")],
        "check examples/sudoku.csp --grid clue=docs/data/wrong.txt --json",
        "check docs/data/two.csp --certificate PROOF --json",  # there is none
    ],
    "guard": [f"guard examples/sudoku.csp --solution docs/data/{file}.txt --json" for file in ("right", "wrong")],
    "trace": [f"trace examples/{name}.csp --json --nodes 40" for name in ("zebra", "queens", "killer", "shidoku")]
    + ["trace docs/data/included.csp --json"],
    "levels": ["levels examples/shidoku.csp --json"],
    "draw": ["draw examples/shidoku.csp -o /tmp/steps.svg --json"],
    "compare": [
        "compare examples/shidoku.csp --json --verbose",
        "compare examples/sudoku.csp --set box=2 --each clue=docs/data/lines.txt --json --methods human",
    ],
    "explain": [
        "explain examples/futoshiki.csp --json",
        "explain examples/futoshiki.csp --words simple --until 1 --json",
        "explain examples/latin.csp --json",
        "explain examples/sudoku.csp --report --json",
    ],
    "hint": [f"hint examples/killer.csp --detail {detail} --json" for detail in (1, 2, 3)],
    "why": ["why examples/zebra.csp 'house(zebra) = 5' --json", "why docs/data/two.csp 'B != blue' --json"],
    "rate": ["rate examples/zebra.csp --json"],
    "candidates": ["candidates examples/latin.csp --json"],
    "minimal": ["minimal docs/data/clued.csp --json"],
    "generate": ["generate examples/sudoku.csp --set box=2 --grid clue --seed 2 --json --difficulty 1..99"],
    "graph --format json": [f"graph examples/australia.csp --format json {option}" for option in ("", "--primal")]
    + ["graph docs/data/included.csp --format json"],
}


REFERENCES = {"guard": "check", "hint": "explain"}
"""The part whose keys the objects inside of a part's values have, too."""

KEYS_OF_DATA = {"solution", "two", "distinguishing_values", "backbone", "candidates", "steps"}
"""Keys of objects whose keys are names of the spec or of techniques."""


def documented_keys(part: str) -> set[str]:
    """Return the keys in the table of a part."""
    cells = re.findall(r"^\| (`.*?) \|", PARTS[part], re.M)
    return {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}


def run_objects(command: str) -> Iterator[dict[str, Any]]:
    output = CliRunner().invoke(main, shlex.split(command)).stdout
    if "--format" not in command:
        for line in output.splitlines():
            printed = json.loads(line)
            assert next(iter(printed)) == "format" and printed.pop("format") == 2
            yield printed
        return
    graph = json.loads(output)
    assert set(graph) == {"directed", "multigraph", "graph", "nodes", "edges"}
    yield from graph["nodes"] + graph["edges"]


def test_every_command_with_json_is_on_the_page() -> None:
    with_json = [name for name in main.commands or main.list_commands(None) if has_json(name)]  # type: ignore[arg-type]
    assert {part.split()[0] for part in PARTS} == {*with_json, "graph"}, "docs/json.md: a table of the keys of --json"
    assert set(PARTS) == set(COMMANDS), "COMMANDS of this test: a call of each command with --json"
    silent = {part for part, text in PARTS.items() if "\n$ csp " not in text}
    assert silent == {"compare", "graph --format json"}, "docs/json.md: a session that shows what each of these prints"


def has_json(name: str) -> bool:
    command = main.get_command(None, name)  # type: ignore[arg-type]
    assert command
    return any("--json" in option.opts for option in command.params)


@pytest.mark.parametrize("part", COMMANDS)
def test_printed_keys_and_documented_keys_are_equal(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    printed_keys = {key for command in COMMANDS[part] for record in run_objects(command) for key in record}
    assert printed_keys == documented_keys(part)


@pytest.mark.parametrize("part", [part for part in COMMANDS if "--format" not in part])
def test_keys_inside_of_values_are_documented(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    patterns = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8").partition("\n## Patterns as data\n")[2]
    texts = PARTS[part] + PARTS.get(REFERENCES.get(part, ""), "") + patterns.partition("\n## ")[0]
    keys = {key for command in COMMANDS[part] for record in run_objects(command) for key in keys_inside(record)}
    assert keys <= {word for code in re.findall(r"`([^`\n]*)`", texts) for word in re.findall(r"\w+", code)}


def keys_inside(value: Any) -> Iterator[str]:
    """Yield the keys of an object and of all objects inside of it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from () if key in KEYS_OF_DATA else keys_inside(part)
    elif isinstance(value, list):
        for part in value:
            yield from keys_inside(part)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.split("\n")[0])
def test_the_page_shows_the_output_of_its_sessions(session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, _, expected = session.partition("\n")
    printed = CliRunner().invoke(main, shlex.split(command)).stdout.splitlines()
    expected_lines = expected.splitlines()
    is_shortened = expected_lines[-1] == "..."
    expected_lines = expected_lines[: len(expected_lines) - is_shortened]
    assert list(map(json.loads, printed[: len(expected_lines)])) == list(map(json.loads, expected_lines))
    assert is_shortened or len(printed) == len(expected_lines)
