"""What is there is on the page that lists it; a message names the file to edit."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from csp import CONSTRAINTS
from csp.encoding.export import EXPORTS
from csp.picture.lenses import LENSES, lens_of
from dsl.cli import COMMANDS
from dsl.cli.commands.export import SUFFIXES
from dsl.puzzles.convert import FAMILIES
from dsl.syntax import vocabulary

from .conftest import ROOT


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def first_cells(text: str, heading: str) -> list[str]:
    """The words in code in the first cells of the table that starts so."""
    rows = text.partition(f"\n{heading}")[2].split("\n\n")[0].split("\n")[2:]
    assert rows, f"there is no table {heading}"
    assert all(row.startswith("| ") for row in rows), f"a line among the rows of {heading} is none"
    return [word for row in rows for word in re.findall(r"`([^`]*)`", row[2:].partition(" |")[0])]


def missing(wanted: Iterable[str], found: Iterable[str]) -> list[str]:
    return sorted({*wanted} - {*found})


def test_every_file_of_a_command_is_in_the_table() -> None:
    files = {path.stem for path in (ROOT / "dsl" / "cli" / "commands").glob("*.py")} - {"__init__"}
    files -= {"each"}  # which is a part of solve
    assert files == {place.partition(".")[0] for place in COMMANDS.values()}, "dsl/cli/__init__.py: its COMMANDS"


def test_every_command_has_a_row_in_the_list_of_commands() -> None:
    cells = first_cells(page("docs/cli.md"), "| command | does |")
    rows = {cell.split()[1] for cell in cells if cell.startswith("csp ")}
    assert not missing(COMMANDS, rows), "docs/cli.md: write a row of its first table for each of these"
    assert not missing(rows, COMMANDS), "docs/cli.md: there are no such commands in dsl/cli/__init__.py"


def test_every_command_has_a_section_in_the_manual() -> None:
    sections = [title.split()[0] for title in re.findall(r"^### (.+)$", page("docs/cli.md"), re.M)]
    assert not missing(COMMANDS, sections), "docs/cli.md: write a section ### NAME for each of these"
    assert not missing(sections, COMMANDS), "docs/cli.md: there are no such commands in dsl/cli/__init__.py"


def test_every_kind_has_a_row_on_how_it_filters() -> None:
    kinds = [kind.__name__ for kind in CONSTRAINTS]
    rows = first_cells(page("docs/engine.md"), "| kind | constraint | how it filters | strength |")
    assert not missing(kinds, rows), "docs/engine.md: write a row for each of these kinds"
    assert not missing((row for row in rows if row[0].isupper()), kinds), "docs/engine.md: these are no kinds"


def test_every_kind_has_a_row_in_the_library() -> None:
    rows = {row.partition("(")[0] for row in first_cells(page("docs/library.md"), "| name | is |")}
    wanted = {f"csp.{kind.__name__}" for kind in CONSTRAINTS} - {"csp.AllDifferent"} | {"csp.AllDifferent.of"}
    assert not missing(wanted, rows), "docs/library.md: write a row for each of these kinds"


@pytest.mark.parametrize("words", [vocabulary.CONSTRAINTS, vocabulary.FUNCTIONS, vocabulary.DECLARING])
def test_every_word_has_a_row_in_the_language(words: Iterable[str]) -> None:
    tables = re.findall(r"^\| (`.*?) \|", page("docs/language.md"), re.M)
    rows = {word for cell in tables for code in re.findall(r"`([^`]*)`", cell) for word in re.findall(r"\w+", code)}
    assert not missing(words, rows), "docs/language.md: write a row for each of these words"


def test_every_lens_is_documented() -> None:
    rows = first_cells(page("docs/pictures.md"), "| `--lens` | draws |")
    assert not missing(LENSES, rows), "docs/pictures.md: write a row for each of these lenses"
    assert not missing(rows, LENSES), "docs/pictures.md: csp/picture/lenses/__init__.py has no such lenses"
    text = page("docs/player.md")
    assert not [one for one in LENSES if f" *{lens_of(one).title}* " not in text], "docs/player.md: say what they show"


def test_every_format_is_documented() -> None:
    rows = first_cells(page("docs/export.md"), "| `--to` | is | one answer | all answers |")
    assert not missing(EXPORTS, rows), "docs/export.md: write a row for each of these formats"
    assert not missing(rows, EXPORTS), "docs/export.md: csp/encoding/export/__init__.py has no such formats"
    assert not missing(EXPORTS, SUFFIXES), "dsl/cli/commands/export.py: say how files of these formats end"


def test_every_family_is_documented() -> None:
    rows = first_cells(page("docs/import.md"), "| family | fields |")
    assert not missing(FAMILIES, rows), "docs/import.md: write a row for each of these families"


def test_decisions_are_all_in_their_table_of_contents() -> None:
    text = page("docs/decisions.md")
    headings = [one for one in re.findall("^## (.*)$", text, re.M) if one != "Contents"]
    anchors = [re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings]
    listed = re.findall(r"^- \[(.*)\]\(#(.*)\)$", text, re.M)
    assert listed == list(zip(headings, anchors, strict=True)), "docs/decisions.md: contents and headings differ"
