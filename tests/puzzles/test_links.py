"""Tests that links become specs and that damaged links are reported."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dsl
from csp.picture.plan import Plan
from dsl.cli import main
from dsl.puzzles.convert.gallery import example
from dsl.puzzles.links.dispatch import spec_of_link
from dsl.puzzles.links.fpuzzles import KINDS
from dsl.puzzles.links.packing import Damaged, compress, decompress
from dsl.puzzles.links.puzzlink.addresses import board_of, link_of, puzzlink
from dsl.puzzles.links.puzzlink.genres import GENRES
from dsl.syntax.edit import locate
from dsl.syntax.errors import Diagnostic, Source
from dsl.syntax.nodes import Place

from ..conftest import TIMES
from ..links import ENTRIES, HERE, LINE, fpuzzle


def run(*words: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], input=given)


def test_compression_is_that_of_lz_string() -> None:
    """Compare with the results of lz-string 1.4.4.

    Some codes end with a digit, some widen, and some stand for wide characters.
    """
    assert compress("aaaa") == "IY5A"
    assert decompress("IY5A") == "aaaa"
    rng = random.Random(7)
    for length in (1, 2, 3, 60, 700):
        for letters in ("a", "ab", "ab c\u20ac\u1234{}[]", "".join(map(chr, range(32, 127)))):
            text = "".join(rng.choice(letters) for _ in range(length))
            assert decompress(compress(text)) == text


def test_damaged_data_is_reported_with_its_position() -> None:
    packed = compress('{"size": 4}')
    with pytest.raises(Damaged) as truncated:
        decompress(packed.rstrip("=")[:-3])
    assert truncated.value.at == len(packed.rstrip("=")) - 3
    with pytest.raises(Damaged) as replaced_digit:
        decompress(packed[:5] + "}" + packed[6:])
    assert replaced_digit.value.at == 5
    with pytest.raises(Damaged, match="more than"):
        decompress(compress("a" * 1_000_001))


SUDOKUPAD = (
    "{cs:50,metadata:{title:'It\\'s small',rules:'Normal rules'},ce:[[{v:1},,,],[,,,],[,,,],[,,,{v:2}]],"
    "re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],"
    "ca:[{ce:[[0,1],[0,2]],v:5,unique:t}],l:[{wp:[[0.5,0.5],[2.5,0.5]],c:A0B1C2,th:5}],"
    "o:[{ct:[1,0.5],w:0.3,h:0.3,c2:#F,te:''},{ct:[-0.5,0.5],te:12}]}"
)


def test_a_link_to_sudokupad_becomes_a_spec() -> None:
    spec = spec_of_link(f"https://sudokupad.app/scl{compress(SUDOKUPAD)}", HERE)
    assert (
        "% Puzzle: It's small\n% Rules: Normal rules\n% Not read: the meaning of 1 line and 2 marks, which are drawn"
        in spec
    )
    assert "cage(1, 2, 1). cage(1, 3, 1)." in spec and "total(1, 5)." in spec and "include sudoku." in spec
    assert "drawn_line(1, 1, 1, 1, blue). drawn_line(1, 2, 3, 1, blue)." in spec and "draw line(R, C, K, L) = X" in spec
    assert "drawn_bead(1, 1, 2, 1, '')." in spec and "drawn_text(0, 1, '12')." in spec, "a clue beside the board"
    looks = Counter(shape.look for shape in Plan(dsl.loads(spec)).shapes)
    assert (looks["chain-blue"], looks["bead"], looks["clue"]) == (1, 1, 1)
    inside = fpuzzle(thermometer=LINE).split("load=")[1]
    assert "thermometer(1, 1, 1, 1)." in spec_of_link(f"https://sudokupad.app/fpuzzles{inside}", HERE)


def test_the_drawings_of_a_setter_are_imported() -> None:
    link = fpuzzle(
        line=[{"lines": [["R1C1", "R2C2"]], "outlineC": "#ff0000"}],
        circle=[{"cells": ["R3C3"], "baseC": "#FFFFFF", "value": "7"}, {"cells": ["R1C3", "R1C4"], "value": ""}],
        rectangle=[{"cells": ["R4C4"]}],
        text=[{"cells": ["R4C1"], "value": "it's"}],
        cage=[{"cells": ["R2C3", "R2C4"], "value": "9"}],
    )
    spec = spec_of_link(link, HERE)
    assert "drawn_line(1, 1, 1, 1, red)." in spec and "drawn_text(4, 1, 'it''s')." in spec
    looks = Counter(shape.look for shape in Plan(dsl.loads(spec)).shapes)
    assert all(looks[look] == 1 for look in ("chain-red", "ring", "bead", "quad", "cage")) and looks["corner"] == 3


def test_unreadable_parts_are_named(tmp_path: Path) -> None:
    link = fpuzzle(fogofwar=["R1C1"], line=[{"lines": []}], negative=["renban"])
    result = run("solve", link, "--limit", "1")
    assert (
        result.exit_code == 0
        and "not read: 1 fogofwar" in result.stderr
        and "negative constraint of renban" in result.stderr
    )
    assert "% Drawn only: 1 lines" in run("import", link).stdout
    assert "% Not read: 1 border inside of rooms\n" in run("import", "https://puzz.link/p?lits/2/2/g0").stdout
    for address, message in {
        "https://puzz.link/p?unheardof/3/3/g": "the gallery has no unheardof, of 3 rows and 3 columns",
        "https://sudokupad.app/abc123": "this short link has only the address of the puzzle",
        "https://example.org/x": "links to example.org",
        "https://puzz.link/p?slither/3/3/2i.j": "no sign without a number",
        "https://puzz.link/p?fourcells/2/2/7b": "'7' is not a digit here",
        fpuzzle(thermometer=[{"lines": [["R9C9"]]}]): 'thermometer has "R9C9" where a cell such as R1C1 should be',
    }.items():
        result = run("import", address)
        assert result.exit_code == 2 and message in result.stderr and "Traceback" not in result.output


def test_a_link_includes_only_specs_of_the_gallery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve a gallery spec although the folder has such a file."""
    (tmp_path / "hitori.csp").write_text("A in 1..2.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run("solve", "https://puzz.link/p?hitori/3/3/121212121").stdout == "no solution\n"


def test_a_link_to_a_sudoku_of_puzzlink_is_solved() -> None:
    link = "https://puzz.link/p?sudoku/9/9/53h7j6h195j98j6g8i6i34h8g3h17i2i6g6j28j419h5j8h79"
    assert run("solve", link).stdout.splitlines()[0] == "5 3 4 | 6 7 8 | 9 1 2"
    spec = spec_of_link("https://puzz.link/p?sudoku/6/6/1l2l3l4l5l6", HERE)
    assert "param rows = 2.\nparam cols = 3." in spec and len(dsl.loads(spec).domains) == 36
    for size in ("7/7", "9/8"):
        result = run("import", f"https://puzz.link/p?sudoku/{size}/z")
        assert result.exit_code == 2 and "as many rows and columns, 4, 6, 9, 16, 25" in result.stderr


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("balance/3/2/01g4h", {"clue": "wb. w..", "number": "... 2.."}),
        ("midloop/2/1/g0g", {"dot": ".o."}),
        ("castle/3/2/a112b20.a", {"wall": ".w. .b.", "clue": ".2. ...", "way": ".u. ..."}),
        ("tents/2/2/10g1i0j", {"board": ".10 ..t 1.."}),
        ("kakuro/2/2/n3452", {"across": "### 5.. 2..", "down": "#34 #.. #.."}),
        ("stostone/2/2/0o2g", {"room": "11 22", "clue": "2. .."}),
        ("nonogram/3/2/121111g", {"down": "1 2 1", "across": "11 1."}),
        ("tapa/3/2/1g9.a2cg", {"clue": "1 . 1111 9 29 913"}),
        ("renban/2/3/0g2i1i", {"room": "11 11 11", "clue": "2. .. 1.", "wall_right": "", "wall_below": "x. .."}),
        ("lither/2/1/2c", {"clue": "22"}),
        ("tentaisho/2/1/03", {"star": "wb."}),
        ("fivecells/4/1/2a.0", {"clue": "2.?0"}),
        ("stostone/2/2/g03", {"room": "11 11", "clue": "3. ..", "wall_right": "x .", "wall_below": ""}),
        ("doubleback/2/1/0", {"room": "11", "clue": ""}),
        ("doubleback/2/1/0g", {"room": "11", "clue": "x."}),
        ("usoone/2/1/g7", {"room": "12", "clue": "2."}),
    ],
)
def test_each_part_of_a_body_fills_its_grids(body: str, expected: dict[str, str]) -> None:
    """Import boards with each kind of part, such as walls and sums."""
    spec = spec_of_link(f"https://puzz.link/p?{body}", HERE)
    grids = dict(re.findall(r'grid (\w+) = "([^"]*)"', spec))
    assert {name: "".join(text.split()) for name, text in grids.items()} == {
        name: text.replace(" ", "") for name, text in expected.items()
    }


def test_commands_accept_links(tmp_path: Path) -> None:
    link = "https://puzz.link/p?hitori/3/3/121211121"
    (tmp_path / "one.txt").write_text(link + "\n", encoding="utf-8")
    as_spec = run("solve", "-", given=run("import", link).stdout)
    for file in (link, str(tmp_path / "one.txt")):
        assert run("solve", file).stdout == as_spec.stdout
    assert run("solve", "-", given=link).stdout == as_spec.stdout
    assert "no solution" in run("rate", "https://puzz.link/p?hitori/3/3/121211121").stdout
    for call in (["check"], ["hint"], ["rate"], ["explain"], ["candidates"], ["propagate"], ["why", "cell(1,1) = 1"]):
        command, *options = call
        cage = [{"cells": ["R1C1", "R1C2"], "value": 3}]
        assert run(command, fpuzzle(killercage=cage), *options).exit_code in (0, 1)


DAMAGED = int(os.environ.get("DAMAGED", "150"))
"""Number of damaged links that a test reads.

``DAMAGED=20000 pytest tests/puzzles/test_links.py -k damaged`` reads more.
"""


def test_links_to_known_sites_need_no_scheme() -> None:
    for link in ("https://puzz.link/p?hitori/3/3/121211121", fpuzzle(killercage=[{"cells": ["R1C1"], "value": 3}])):
        result = run("import", link.removeprefix("https://"))
        assert result.exit_code == 0 and result.output == run("import", link).output
    assert "No such file" in run("solve", "example.com/p?hitori/3/3/121211121").stderr


def test_damaged_links_are_read_or_reported() -> None:
    rng = random.Random(20)
    links = [fpuzzle(**{key: ENTRIES.get(key, LINE)}) for key in KINDS]
    links.append(f"https://sudokupad.app/scl{compress(SUDOKUPAD)}")
    genres = GENRES if DAMAGED > 1_000 else rng.sample(sorted(GENRES), 8)
    links += [puzzlink(Source(spec, example(spec))).strip() for spec in (GENRES[genre].spec for genre in genres)]
    links += [f"https://puzz.link/p?{genre}/4/4/0123456789abcdefghijklmnopqrstuvwxyz" for genre in GENRES]
    read_count = 0
    for _ in range(DAMAGED):
        link = damage(rng.choice(links), rng)
        try:
            spec = spec_of_link(link, Place(1, 1, len(link)))
        except Diagnostic as diagnostic:
            assert diagnostic.at.line == 1 and 1 <= diagnostic.at.column <= max(1, len(link))
        else:
            assert len(spec) < 2_000_000 and locate(spec)
            read_count += 1
            if "puzz.link" in link:
                name, board = board_of(link, HERE)
                assert board_of(link_of(name, board), HERE) == (name, board), link
    assert read_count < DAMAGED


def replace_parts(data: Any) -> Iterator[Any]:
    """Yield copies of the data with one part of another type."""
    yield from (None, True, -1, 1.5, "", "R9C9", [], [[]], {}, [{}])
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        for new_part in replace_parts(part):
            new_data = data.copy()
            new_data[key] = new_part
            yield new_data


def test_values_of_another_type_are_read_or_reported() -> None:
    """Replace a third of the parts; ``TIMES=2`` replaces all."""
    fields = {**ENTRIES, **{key: LINE for key in KINDS if key not in ENTRIES}, "negative": ["xv"]}
    for key, entries in fields.items():
        for new_entries in islice(replace_parts(entries), 0, None, 1 if TIMES > 1 else 3):
            with suppress(Diagnostic):
                spec_of_link(fpuzzle(**{key: new_entries}), HERE)


def damage(link: str, rng: random.Random) -> str:
    """Return a link that is cut, changed or extended at random."""
    place = rng.randrange(8, len(link) + 1)
    match rng.randrange(6):
        case 0:
            return link[:place]
        case 1:
            return link[: place - 1] + chr(rng.randrange(33, 127)) + link[place:]
        case 2:
            return link[:place] + link[place:] * rng.randrange(2, 40)
        case 3:
            return link[:place] + link[rng.randrange(8, len(link)) :]
        case 4:
            deep = rng.choice(["[", '{"a":', '{"grid":[']) * rng.randrange(1, 3000)
            return f"https://f-puzzles.com/?load={compress(deep)}"
        case _:
            return link.replace("/4/4/", f"/{rng.randrange(100)}/{rng.randrange(10**6)}/")


def test_a_text_equal_to_a_clue_is_not_drawn() -> None:
    texts = [{"cells": ["R0C2"], "value": text} for text in "34"]
    link = fpuzzle(text=texts, skyscraper=[{"cell": "R0C2", "value": "3"}])
    spec = spec_of_link(link, HERE)
    assert "skyscraper(0, 2, 3)." in spec and "drawn_text(0, 2, '4')." in spec and "'3'" not in spec


def test_a_text_can_be_outside_the_board() -> None:
    link = fpuzzle(text=[{"cells": ["R0C2"], "value": "4"}])
    (text,) = [drawing for drawing in dsl.loads(spec_of_link(link, HERE)).drawn if drawing.name == "text"]
    assert text.indices == (0, 2)
    assert run("check", fpuzzle(text=[{"cells": ["R0C9"], "value": "4"}])).exit_code == 2


def test_the_shapes_of_a_statue_park_have_names() -> None:
    spec = spec_of_link("https://puzz.link/p?statuepark/3/2/l0//p", HERE)
    shapes = re.findall(r"[a-z]", spec.partition('grid shape = "')[2].partition('"')[0])
    assert Counter(shapes) == dict.fromkeys("filnptuvwxyz", 5)
    result = run("import", "https://puzz.link/p?statuepark/3/1/l//4")
    assert result.exit_code == 2 and "the shapes of a statue park are t or p" in result.stderr
