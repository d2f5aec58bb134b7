"""Links to puzz.link that specs become: import, export, import gives the same."""

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
from dsl.puzzles.links.puzzlink.genres import GENRES
from dsl.puzzles.links.puzzlink.parts import BodyRooms, RoomNumbers
from dsl.puzzles.links.puzzlink.reading import board_of
from dsl.puzzles.links.puzzlink.writing import link_of, puzzlink
from dsl.semantics.clauses.build import Program
from dsl.syntax.errors import Diagnostic, Source

from .links import HERE


def exported(text: str) -> str:
    return puzzlink(Source("spec", text)).strip()


def told(name: str, text: str) -> dict[str, Any]:
    """What a spec says of the grids of a genre; rooms as sets of cells, their numbers by room."""
    genre, names = GENRES[name], Program(Source("spec", text)).build({}, {}).names
    grids: dict[str, Any] = {one: {*names.relations[one].rows} for one in genre.names & {*names.relations}}
    for part in genre.parts:
        if isinstance(part, BodyRooms):
            rooms: dict[Any, set[Any]] = {}
            for r, c, room in grids[part.room]:
                rooms.setdefault(room, set()).add((r, c))
            grids[part.room] = {*map(frozenset, rooms.values())}
        if isinstance(part, RoomNumbers):
            grids["clue"] = {(one, v) for r, c, v in grids["clue"] for one in grids["room"] if (r, c) in one}
    return grids | {one: names.params[one] for one in genre.size.names if one in names.params}


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*GENRES])
def test_the_gallery_there_and_back(name: str) -> None:
    """The gallery's own puzzle of each genre; what was imported comes back to the letter."""
    text = example(GENRES[name].spec)
    link = exported(text)
    assert f"?{name}/" in link
    again = spec_of_link(link, HERE)
    assert told(name, again) == told(name, text)
    assert exported(again) == link and spec_of_link(exported(again), HERE) == again


@pytest.mark.parametrize("body", [
    "tapa/3/2/1g9.a2cg", "balance/3/2/01g4h", "castle/3/2/a112b20.a", "renban/2/3/0g2i1g", "yajilin/3/2/a416ffa4.-4100",
    "akari/8/3/ap.p", "numlin/4/1/-ff+fff=fff*1234", "tents/5/5/10g1i0hz6", "hitori/2/2/1z-103",
    "doubleback/4/4/14063o",
])  # fmt: skip
def test_each_letter_there_and_back(body: str) -> None:
    """Numbers of up to five digits, sets of numbers, walls inside of rooms, long runs of blanks."""
    link = f"https://puzz.link/p?{body}"
    assert link_of(*board_of(link, HERE)) == link


@pytest.mark.parametrize(("name", "same", "body"), [
    ("hashikake", "hashi", "3/1/1g1"), ("bridges", "hashi", "3/1/1g1"), ("pearl", "masyu", "3/1/0"),
    ("lightup", "akari", "8/3/ap.p"), ("yajirin-regions", "yajilin-regions", "2/1/00"),
])  # fmt: skip
def test_other_names_of_a_genre(name: str, same: str, body: str) -> None:
    one, other = (spec_of_link(f"https://puzz.link/p?{genre}/{body}", HERE) for genre in (name, same))
    assert one == other


def test_where_rules_differ_the_spec_says_what_is_asked() -> None:
    spec = spec_of_link("https://puzz.link/p?numlin/3/3/11m", HERE)
    assert "% Asked: every square is on a line, as in arukone; where a puzzle does not ask that, --set every=0" in spec
    counts = [csp.Solver(dsl.loads(spec, params={"every": every})).count().value for every in (1, 0)]
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
def test_what_links_cannot_say(text: str, message: str) -> None:
    with pytest.raises(Diagnostic, match=message):
        exported(text)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "mine.csp"
    file.write_text(f'include akari. {BOARD} grid clue = "\n1.\n..\n".', encoding="utf-8")
    run = CliRunner().invoke(main, ["export", str(file), "--to", "puzz.link"])
    assert run.exit_code == 0 and re.fullmatch(r"https://puzz\.link/p\?akari/2/2/[0-9a-z.]+\n", run.stdout)
    told = CliRunner().invoke(main, ["export", str(file), "--to", "puzz.link", "--set", "rows=3"])
    assert told.exit_code == 2 and "without --set" in told.stderr


def test_the_file_of_fpuzzles_comes_back(tmp_path: Path) -> None:
    """What is exported is imported again, from the file and from standard input."""
    rows = "1... .... .... ....".replace(" ", "\n")
    spec = f'include sudoku.\nparam box = 2.\ninclude anti_king.\ngrid clue = "\n{rows}\n".\n'
    runner, text, held = CliRunner(), tmp_path / "four.csp", tmp_path / "four.json"
    text.write_text(spec, encoding="utf-8")
    said = runner.invoke(main, ["export", str(text), "--to", "f-puzzles", "-o", str(held)])
    assert said.exit_code == 0, said.output
    again = runner.invoke(main, ["import", str(held)])
    assert "include anti_king." in again.stdout and "1. | .." in again.stdout
    assert runner.invoke(main, ["import", "-"], input=held.read_text(encoding="utf-8")).stdout == again.stdout
    assert "not JSON" in runner.invoke(main, ["import", "-"], input='{"size":4,"grid":[[{}').stderr
