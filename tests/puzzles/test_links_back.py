"""Tests that specs exported as links and files are imported unchanged."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import csp
import dsl
from dsl.cli import main
from dsl.puzzles.convert.gallery import example
from dsl.puzzles.links.dispatch import spec_of_link
from dsl.puzzles.links.puzzlink.addresses import board_of, link_of, puzzlink
from dsl.puzzles.links.puzzlink.genres import GENRES
from dsl.puzzles.links.puzzlink.parts import BodyRooms, RoomNumbers
from dsl.semantics.clauses.build import Program
from dsl.syntax.errors import Diagnostic, Source

from ..links import HERE


def export_link(text: str) -> str:
    return puzzlink(Source("spec", text)).strip()


def read_grids(name: str, text: str) -> dict[str, Any]:
    """Return the grids and parameters of a genre that a spec declares.

    Rooms are sets of cells; the numbers of rooms are pairs of a room and a number.
    """
    genre, names = GENRES[name], Program(Source("spec", text)).build({}, {}).names
    grids: dict[str, Any] = {grid: {*names.relations[grid].rows} for grid in genre.names & {*names.relations}}
    for part in genre.parts:
        if isinstance(part, BodyRooms):
            rooms: dict[Any, set[Any]] = {}
            for r, c, room in grids[part.room]:
                rooms.setdefault(room, set()).add((r, c))
            grids[part.room] = {*map(frozenset, rooms.values())}
        if isinstance(part, RoomNumbers):
            grids["clue"] = {(room, v) for r, c, v in grids["clue"] for room in grids["room"] if (r, c) in room}
    return grids | {param: names.params[param] for param in genre.size.names if param in names.params}


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*GENRES])
def test_a_puzzle_of_each_genre_survives_export_and_import(name: str) -> None:
    """Export a gallery puzzle, import the link and compare the specs."""
    text = example(GENRES[name].spec)
    link = export_link(text)
    assert f"?{name}/" in link
    again = spec_of_link(link, HERE)
    assert read_grids(name, again) == read_grids(name, text)
    assert export_link(again) == link and spec_of_link(export_link(again), HERE) == again


@pytest.mark.parametrize("body", [
    "tapa/3/2/1g9.a2cg", "balance/3/2/01g4h", "castle/3/2/a112b20.a", "renban/2/3/0g2i1g", "yajilin/3/2/a416ffa4.-4100",
    "akari/8/3/ap.p", "numlin/4/1/-ff+fff=fff*1234", "tents/5/5/10g1i0hz6", "hitori/2/2/1z-103",
    "doubleback/4/4/14063o",
])  # fmt: skip
def test_every_code_of_a_link_survives_import_and_export(body: str) -> None:
    """Import and export long numbers, sets of numbers, inner walls and blanks."""
    link = f"https://puzz.link/p?{body}"
    assert link_of(*board_of(link, HERE)) == link


@pytest.mark.parametrize(("name", "main_name", "body"), [
    ("hashikake", "hashi", "3/1/1g1"), ("bridges", "hashi", "3/1/1g1"), ("pearl", "masyu", "3/1/0"),
    ("lightup", "akari", "8/3/ap.p"), ("yajirin-regions", "yajilin-regions", "2/1/00"),
])  # fmt: skip
def test_an_alias_of_a_genre_gives_the_same_spec(name: str, main_name: str, body: str) -> None:
    spec, expected = (spec_of_link(f"https://puzz.link/p?{genre}/{body}", HERE) for genre in (name, main_name))
    assert spec == expected


def test_the_spec_of_a_numlin_states_its_extra_rule() -> None:
    spec = spec_of_link("https://puzz.link/p?numlin/3/3/11m", HERE)
    assert "% Asked: every square is on a line, as in arukone; where a puzzle does not ask that, --set every=0" in spec
    counts = [csp.Solver(dsl.loads(spec, params={"every": value})).count().value for value in (1, 0)]
    assert counts == [0, 8]  # from a corner to the square beside it in a board of 3x3


BOARD = "param rows = 2. param cols = 2. "


@pytest.mark.parametrize(("text", "message"), [
    ("A in 1..2.", "the rules of no genre"),
    (f'include akari. {BOARD} grid clue = "7. ..".\n"one more": lamp(1, 2) = 1.', "the rules of no genre"),
    (f'include lits. {BOARD} grid room = "\n12\n21\n".', "a room is one piece"),
    (f'include lits. {BOARD} grid room = "\n12\n1.\n".', "each cell has a room"),
    (f'include heyawake. {BOARD} grid room = "\n11\n22\n". grid clue = "\n11\n..\n".', "a room has one number"),
    (f'include masyu. {BOARD} grid clue = "\nwx\n..\n".', "no letters for x"),
    (f'include akari. {BOARD} grid clue = "\n7.\n..\n".', "no letters for 7"),
    (f'include yajilin. {BOARD} grid clue = "". grid way = "\nu.\n..\n".', "an arrow without a number"),
    ('include sudoku. param rows = 3. param cols = 2. grid clue = "".', "no boxes of 3 rows"),
    (f'include akari. {BOARD} grid clue = "\n1.\n..\n". clue(1, 1, 2).', "both 1 and 2"),
])  # fmt: skip
def test_a_spec_without_an_equivalent_link_is_refused(text: str, message: str) -> None:
    with pytest.raises(Diagnostic, match=message):
        export_link(text)


def test_export_prints_a_link_and_refuses_the_option_set(tmp_path: Path) -> None:
    path = tmp_path / "mine.csp"
    path.write_text(f'include akari. {BOARD} grid clue = "\n1.\n..\n".', encoding="utf-8")
    result = CliRunner().invoke(main, ["export", str(path), "--to", "puzz.link"])
    assert result.exit_code == 0 and re.fullmatch(r"https://puzz\.link/p\?akari/2/2/[0-9a-z.]+\n", result.stdout)
    refusal = CliRunner().invoke(main, ["export", str(path), "--to", "puzz.link", "--set", "rows=3"])
    assert refusal.exit_code == 2 and "without --set" in refusal.stderr


def test_an_exported_fpuzzles_file_is_imported_again(tmp_path: Path) -> None:
    """Import the exported file from its path and from standard input."""
    rows = "1... .... .... ....".replace(" ", "\n")
    spec = f'include sudoku.\nparam box = 2.\ninclude anti_king.\ngrid clue = "\n{rows}\n".\n'
    runner, spec_path, json_path = CliRunner(), tmp_path / "four.csp", tmp_path / "four.json"
    spec_path.write_text(spec, encoding="utf-8")
    export = runner.invoke(main, ["export", str(spec_path), "--to", "f-puzzles", "-o", str(json_path)])
    assert export.exit_code == 0, export.output
    imported = runner.invoke(main, ["import", str(json_path)])
    assert "include anti_king." in imported.stdout and "1. | .." in imported.stdout
    assert runner.invoke(main, ["import", "-"], input=json_path.read_text(encoding="utf-8")).stdout == imported.stdout
    assert "not JSON" in runner.invoke(main, ["import", "-"], input='{"size":4,"grid":[[{}').stderr
