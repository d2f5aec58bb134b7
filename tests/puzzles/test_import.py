"""Tests of ``csp import``: formats, families and reports of malformed files."""

from __future__ import annotations

import errno
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import csp
import dsl
from dsl.cli import main
from dsl.puzzles.convert import FAMILIES, gallery, puzzles, specs
from dsl.syntax.edit import locate
from dsl.syntax.errors import Source
from dsl.syntax.format import format_spec

from ..conftest import ROOT
from ..oracle import grid_of, is_sudoku
from ..verdicts import records

DATA = ROOT / "tests" / "data"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [EASY[i : i + 9] for i in range(0, 81, 9)]
DECORATED = """ *-----------*
 |53.|.7.|...|
 |6..|195|...|
 |.98|...|.6.|
 |---+---+---|
 |8..|.6.|..3|
 |4..|8.3|..1|
 |7..|.2.|..6|
 |---+---+---|
 |.6.|...|28.|
 |...|419|..5|
 |...|.8.|.79|
 *-----------*
"""


def run(*words: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["import", *map(str, words)], input=given)


def solve_spec(spec: str) -> str:
    """Return the values of the solution of a spec as one string."""
    solution = csp.solve(dsl.loads(spec))
    assert solution is not None
    return "".join(str(value) for value in solution.values())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("line", EASY + "\n"),
        ("line with solution", f"# two\n{EASY} {SOLVED} a note\n"),
        ("zeros", EASY.replace(".", "0")),
        ("rows", "\n".join(ROWS)),
        ("sdk", "#ASomebody\n#DEasy\n[Puzzle]\n" + "\n".join(ROWS) + "\n[State]\n" + "\n".join(ROWS[::-1]) + "\n"),
        ("ss", DECORATED),
        ("x for blank", "\n".join(ROWS).replace(".", "X")),
        ("tokens", "\n".join(" ".join(row) for row in ROWS)),
        ("windows", "\r\n".join(ROWS) + "\r\n"),
    ],
)
def test_a_sudoku_is_read_from_each_text_format(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.txt"
    path.write_bytes(text.encode())
    result = run(path)
    assert result.exit_code == 0, result.stderr
    assert solve_spec(result.stdout) == SOLVED


def test_a_puzzle_is_read_from_standard_input() -> None:
    assert solve_spec(run("-", given=EASY).stdout) == SOLVED


def test_the_option_record_selects_a_line(tmp_path: Path) -> None:
    path = tmp_path / "many.sdm"
    path.write_text(f"# a comment\n{SOLVED}\n\n{EASY}\n")
    assert "holds 2 puzzles; --record N prints one" in run(path).stderr
    result = run(path, "--record", "2")
    assert "% Puzzle: number 2 of many.sdm" in result.stdout and solve_spec(result.stdout) == SOLVED
    out_of_range = run(path, "--record", "3")
    assert out_of_range.exit_code == 2 and "holds 2 puzzles" in out_of_range.stderr


def test_files_without_puzzles_are_refused(tmp_path: Path) -> None:
    spec = run(ROOT / "examples" / "latin.csp")
    assert spec.exit_code == 2 and spec.stderr.endswith("latin.csp is a spec already\n")
    path = tmp_path / "two.txt"
    path.write_text(f"{EASY[:-1]}\n{EASY}\n")
    result = run(path)
    assert result.exit_code == 2 and f"{path}:1:1: error: the line has 80 characters" in result.stderr
    assert "holds" not in result.stderr
    assert solve_spec(run(path, "--record", "2").stdout) == SOLVED


@pytest.mark.parametrize(("side", "rows", "cols"), [(4, 2, 2), (6, 2, 3), (12, 3, 4), (16, 4, 4)])
def test_sudokus_of_other_sizes_are_imported(side: int, rows: int, cols: int) -> None:
    pattern = [[(r % rows * cols + r // rows + c) % side + 1 for c in range(side)] for r in range(side)]
    letters = "0123456789ABCDEFG"
    line = "".join(letters[value] for row in pattern for value in row)
    tokens = "\n".join(" ".join(map(str, row)) for row in pattern)
    block = "\n".join("".join(letters[value] for value in row) for row in pattern)
    for text in (line, tokens, block):
        solution = csp.solve(dsl.loads(run("-", given=text).stdout))
        assert solution is not None and is_sudoku(grid_of(solution, side), pattern, rows, cols)


def test_sixteen_short_lines_are_sixteen_puzzles() -> None:
    assert len(puzzles(Source("four.sdm", "1.....2...3....4\n" * 16))) == 16
    assert len(puzzles(Source("big.sdk", "1.....2...3....4\n" * 15 + "G...............\n"))) == 1


def test_the_option_family_sets_the_family_of_lines() -> None:
    empty = "." * 16
    diagonal = dsl.loads(run("-", "--family", "sudoku_x", given=empty).stdout)
    assert csp.count(diagonal).value == 48 and csp.count(dsl.loads(run("-", given=empty).stdout)).value == 288


def test_a_graph_becomes_a_coloring_spec(tmp_path: Path) -> None:
    path = tmp_path / "wheel.col"
    path.write_text("c a wheel\np edge 6 10\n" + "".join(f"e {a} {b}\n" for a, b in WHEEL))
    spec = run(path).stdout
    model = dsl.loads(spec)
    assert "param k = 4." in spec and "% Puzzle: wheel.col" in spec
    assert len(model.domains) == 6 and csp.count(model).value == 4 * 30  # the rim has 30 colourings in 3 colours
    assert csp.solve(dsl.loads(spec, {"k": 3})) is None


WHEEL = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (6, 1), (6, 2), (6, 3), (6, 4), (6, 5)]


GALLERY = list(records(DATA / "gallery.jsonl"))
EXAMPLES = {"latin": "quasigroup", "multi_sudoku": "samurai"}


def find_example(record: dict[str, Any]) -> str:
    """Return the name of the example that a gallery record describes."""
    return "futoshiki_adjacent" if "adjacent" in record else EXAMPLES.get(record["family"], record["family"])


@pytest.mark.parametrize("record", GALLERY, ids=find_example)
def test_a_puzzle_of_the_gallery_imports_as_the_example(record: dict[str, Any]) -> None:
    text = (ROOT / "examples" / f"{find_example(record)}.csp").read_text(encoding="utf-8")
    assert run("-", given=json.dumps(record)).stdout == text


def test_every_family_is_in_the_gallery() -> None:
    assert {record["family"] for record in GALLERY} == FAMILIES.keys()


def change_record(family: str, /, **fields: object) -> str:
    """Return a gallery record with changed fields; ``None`` removes a field."""
    record = next(record for record in GALLERY if record["family"] == family and "adjacent" not in record)
    return json.dumps({key: value for key, value in {**record, **fields}.items() if value is not None})


@pytest.mark.parametrize("family", ["sudoku", "windoku", "evenodd", "kenken", "latin", "futoshiki", "skyscrapers"])
def test_diagonals_add_two_constraints(family: str) -> None:
    plain, crossed = (dsl.loads(run("-", given=change_record(family, diagonals=d)).stdout) for d in (None, True))
    assert {c.label for c in crossed.constraints} - {c.label for c in plain.constraints} == {
        "diagonal falling", "diagonal rising"
    }  # fmt: skip


def test_meaningless_diagonals_are_refused() -> None:
    refused = run("-", given=change_record("suguru", diagonals=True))
    assert refused.exit_code == 2 and "the diagonals of a suguru have no meaning here" in refused.stderr


def test_optional_fields_add_constraints() -> None:
    crossed = dsl.loads(run("-", given=change_record("jigsaw", diagonals=True)).stdout)
    assert len(crossed.constraints) == len(dsl.loads(run("-", given=change_record("jigsaw")).stdout).constraints) + 2
    given = run("-", given=change_record("killer", grid=[[7] + [0] * 8] + [[0] * 9] * 8)).stdout
    assert "\ncell(1, 1) = 7.\n" in given
    cages = next(record for record in GALLERY if record["family"] == "killer")["cages"]
    half_of_cages = [{**cage, "sum": None if number % 2 else cage["sum"]} for number, cage in enumerate(cages)]
    assert run("-", given=change_record("killer", cages=half_of_cages)).stdout.count("total(") == 18 + 1
    extra = dsl.loads(run("-", given=change_record("multi_sudoku", extra=[[[0, 0], [1, 1]]])).stdout)
    assert any(set(constraint.scope) == {"cell(1,1)", "cell(2,2)"} for constraint in extra.constraints)
    clues = {side: [0] * 6 for side in ("left", "right", "top", "bottom")}
    zero = dsl.loads(run("-", given=change_record("skyscrapers", zero=True, **clues)).stdout)
    assert zero.domains["cell(1,1)"] == tuple(range(6))  # type: ignore[index]


def test_a_record_without_a_family_needs_the_option_family(tmp_path: Path) -> None:
    record = change_record("sudoku_x", family=None)
    assert "the family of the puzzle is not known" in run("-", given=record).stderr
    assert run("-", "--family", "sudoku_x", given=record).exit_code == 0
    assert "unknown family: sudoku_y" in run("-", "--family", "sudoku_y", given=record).stderr


def test_every_puzzle_is_written_to_a_file_once(tmp_path: Path) -> None:
    out = tmp_path / "new" / "specs"
    lines = [change_record("latin", id=name) for name in ("a/b", "A b", "../../etc", "", "x" * 300)]
    result = run("-", "--out", out, given="\n".join(lines))
    assert result.exit_code == 0 and "5 of 5" in result.stderr
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted(["a_b.csp", "A_b-2.csp", "etc.csp", "4.csp", "x" * 100 + ".csp"])
    assert all(csp.solve(dsl.load(path)) for path in out.iterdir())
    second_result = run("-", "--out", out, given="\n".join(lines))
    assert second_result.exit_code == 0 and "0 of 5" in second_result.stderr


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    first, second = change_record("latin", id="one"), change_record("latin", id="two")
    (tmp_path / "two.csp").write_text("mine")
    result = run("-", "--out", tmp_path, given=f"{first}\n{second}\n")
    assert result.exit_code == 2 and "two.csp exists with other content" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["two.csp"]
    assert (tmp_path / "two.csp").read_text() == "mine"


def test_a_full_disk_is_reported_with_the_number_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import csp.base.files

    real, remaining_writes = csp.base.files.write_whole, [2]

    def write(path: Path, content: bytes) -> None:
        remaining_writes[0] -= 1
        if remaining_writes[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        real(path, content)

    monkeypatch.setattr(csp.base.files, "write_whole", write)
    lines = "\n".join(change_record("latin", id=name) for name in "abcd")
    result = run("-", "--out", tmp_path, given=lines)
    assert result.exit_code == 2
    assert "c.csp: No space left on device; 2 of 4 new specs were written" in result.stderr
    remaining_writes[0] = 4
    second_result = run("-", "--out", tmp_path, given=lines)
    assert second_result.exit_code == 0 and "2 of 4 specs are new" in second_result.stderr


def test_the_options_out_and_record_exclude_each_other(tmp_path: Path) -> None:
    assert run("-", "--out", tmp_path, "--record", "1", given=EASY).exit_code == 2


MALFORMED = [
    ("", "no puzzle found"),
    (EASY + "\n" + EASY[:-1], ":2:1: error: the line has 80 characters; 81 are needed for 9x9\n"),
    ("\n".join(ROWS[:-1]), ":1:1: error: this is not a puzzle: 8 rows, the first of 9 entries\n"),
    ("garbage here\n", ":1:1: error: this is not a puzzle: 1 row, the first of 2 entries\n"),
    ("garbage here\n", "hint: a puzzle is a line of k*k characters, or k lines of k entries"),
    ("1234567\n", ":1:1: error: this is not a puzzle: 1 row, the first of 7 entries"),
    ("\n".join([*ROWS[:4], ROWS[4][:-1], *ROWS[5:]]), ":5:1: error: the row has 8 entries"),
    (EASY.replace("3", "K", 1), ":1:1: error: K is not a value of a puzzle with 9 rows"),
    ("1 2 17 4\n" * 4, ":1:1: error: 17 is not a value of a puzzle with 4 rows"),
    ("p edge 3 1\ne 1 4\n", ":2:1: error: the graph has 3 nodes"),
    ("p edge 3 1\nq 1 2\n", ":2:1: error: this is not a line of a DIMACS graph"),
    ("p edge x 1\n", ":1:1: error: this is not a line of a DIMACS graph"),
    ("p edge 3 0\n", "the graph has no edges"),
    ("{\n", ":1:2: error: this is not JSON"),
    ('{"family":"latin","n":' + "[" * 100_000, "this is not JSON"),
    ('{"family":"latin","n":' + "9" * 5000 + "}", ":1:1: error: "),
    (change_record("latin", family="latim"), "unknown family: latim\n"),
    (change_record("latin", family="latim"), "did you mean latin?"),
    (change_record("latin", n=None), "the record has no n"),
    (change_record("latin", n="8"), 'n has "8" where a number in 1..1000 should be'),
    (change_record("latin", n=True), "n has true"),
    (change_record("latin", n=10**9), "n has 1000000000"),
    (change_record("latin", n=7), "grid has 8 entries, not 7"),
    (change_record("latin", grid=3), "grid is not a list"),
    (change_record("latin", grid=[[9] * 8] * 8), "grid has 9 where a number in 1..8 should be"),
    (change_record("sudoku", box=[2, 4]), "a box of 2 by 4 cells does not hold 9 values"),
    (change_record("windoku", n=4), "a windoku has nine rows"),
    (change_record("jigsaw", regions=[[None] * 9] * 9), "a cell lies in no region"),
    (change_record("evenodd", parity=["E"] * 9), "row 1 of parity has 1 characters, not 9"),
    (change_record("killer", cages=[]), "cages is empty"),
    (change_record("killer", cages=[{"sum": 3, "cells": [[0, 9]]}]), "cells has 9 where a number in 0..8 should be"),
    (change_record("killer", cages=[{"sum": 3, "cells": [[0, 0], [0, 0]]}]), "two cages share the cell [0, 0]"),
    (change_record("killer", cages=[{"sum": None, "cells": [[0, 0]]}]), "no cage has a sum"),
    (change_record("killer", cages=[7]), "an entry of cages is not an object"),
    (change_record("kenken", cages=[{"op": "^", "target": 3, "cells": [[0, 0]]}]), "a cage has the operation ^"),
    (
        change_record("futoshiki", less=[[[0, 0], [0, 2]]]),
        "less joins cells that are not neighbours: [0, 0] and [0, 2]",
    ),
    (change_record("kakuro", grid=["# #"] * 6), "row 1 of grid has 2 entries, not 6"),
    (change_record("kakuro", grid=["# # # # # 4"] * 6), "grid has 4, which is neither . nor # nor a sum"),
    (change_record("multi_sudoku", extra=[[[0, 10]]]), "extra has [0, 10], which is not a cell"),
    (change_record("multi_sudoku", grid=["x" * 21] * 21), "grid has 'x' in row 1, column 1"),
    (change_record("alphametic", puzzle="A + B"), "the puzzle is not of the form WORD + WORD = WORD"),
    (change_record("graeco_latin", grid=[[[1, 1]]] * 4), "a row of grid does not have 4 pairs"),
    (change_record("tenner", colsums=[1]), "colsums has 1 entries, not 10"),
    ("{}\n[]\n" + '{"family":3}', "error: a record is an object"),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED, ids=lambda value: value[:30].strip())
def test_malformed_input_is_reported(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text)
    result = run(path, "--out", tmp_path / "out")
    assert result.exit_code == 2 and result.exception.__class__ is SystemExit, result.exception
    assert message in result.stderr and str(path) in result.stderr
    assert not (tmp_path / "out").exists()


def test_malformed_records_are_reported_and_others_can_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join([change_record("latin", n=7), change_record("latin"), change_record("latin", grid=3)]))
    report = run(path, "--out", tmp_path / "out").stderr
    assert "bad.jsonl:1:1: error" in report and "bad.jsonl:3:1: error" in report and ":2:" not in report
    assert run(path, "--record", "2").exit_code == 0


JUNK = [None, True, -1, 0, 3.5, 10**9, "x", [], {}, [[]], [[0, 0]], {"cells": [[0]]}, "\ud800"]


def mutate(value: Any, rng: random.Random) -> Any:
    """Return a record with one part changed or removed."""
    kind = rng.randrange(4)
    if not kind or not isinstance(value, dict | list) or not value:
        return rng.choice(JUNK)
    mutated: Any = value.copy()
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    if kind == 1:
        del mutated[key]
    else:
        mutated[key] = mutate(value[key], rng)
    return mutated


def test_no_record_ends_in_a_traceback() -> None:
    rng = random.Random(1)
    refused = 0
    for _ in range(600):
        source = Source("mutant", json.dumps(mutate(rng.choice(GALLERY), rng)))
        try:
            assert all(text.isprintable() for spec in specs(source, puzzles(source)) for text in spec.splitlines())
        except dsl.SpecError as error:
            assert str(error).startswith("mutant:1:1: error: ")
            refused += 1
    assert 300 < refused < 600


def test_a_title_is_one_line() -> None:
    spec = run("-", given=change_record("latin", id="two\nlines \ud800%")).stdout
    assert "\n% Puzzle: two lines  %\n" in spec and dsl.loads(spec)


def test_an_example_is_filled_whatever_its_format(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "% mine\nparam n = 2.  grid clue.  % blank\nedge(1, 2).\n% and\nedge(2, 3).  far(X) :- edge(X, _).\n"
    monkeypatch.setattr(gallery, "example", lambda name: text)
    monkeypatch.setattr(gallery, "located_clauses", lambda name: locate(text))
    facts = {"edge": [(1, "a"), (2, "Big Red")], "new": [(0,)]}
    assert gallery.fill("any", "a title", {"n": 7}, {"clue": "1."}, facts, ["A in 1..2."]).splitlines() == [
        "% Puzzle: a title",
        "% mine",
        'param n = 7.  grid clue = "1.".  % blank',
        "edge(1, a). edge(2, 'Big Red').",
        "% and",
        "  far(X) :- edge(X, _).",
        "",
        "new(0).",
        "A in 1..2.",
    ]


def test_imported_specs_are_formatted() -> None:
    for record in [*records(ROOT / "tests" / "data" / "sgt_variants.jsonl"), *GALLERY]:
        (spec,) = specs(source := Source("", json.dumps(record)), puzzles(source))
        assert format_spec(Source("", spec)) == spec
