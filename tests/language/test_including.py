"""Tests of specs that include other files: meaning, refusals and places.

``INCLUDES=2000`` in the environment sets the number of random trees of files.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import csp
import dsl
from dsl.cli import main
from dsl.semantics.clauses.build import Program
from dsl.syntax.errors import SpecError
from dsl.syntax.limits import LIMITS, Limits
from dsl.syntax.reading import source_of

from ..browser import unpack_film
from ..conftest import ROOT

INCLUDES = int(os.environ.get("INCLUDES", "60"))

LINES = """% what a row of n numbers is
param n = 3.
x(I) in 1..n :- I in 1..n.
"different": all_different(x(I) : I in 1..n).
"""
SMALL = 'include sudoku.\nparam box = 2.\ngrid clue = "\n  1...\n  ..2.\n  .3..\n  ...4\n".\n'


def write_specs(folder: Path, **texts: str) -> Path:
    """Write the texts to files and return the first path.

    A name is the stem of a file; two underscores separate a folder from the file.
    """
    paths = []
    for name, text in texts.items():
        path = folder / (name.replace("__", "/") + ".csp")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths[0]


def load_error(path: Path) -> SpecError:
    with pytest.raises(SpecError) as caught:
        dsl.load(path)
    return caught.value


def run(*arguments: object, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_an_included_file_is_read_in_place_of_its_clause(tmp_path: Path) -> None:
    path = write_specs(tmp_path, main='A in 1..2. include "parts/lines.csp". x(1) = A.', parts__lines=LINES)
    model = dsl.load(path)
    assert model == dsl.loads(f"A in 1..2. {LINES} x(1) = A.")
    assert [constraint.place for constraint in model.constraints] == [
        "different (parts/lines.csp line 4)",
        "x(1) = A (line 1)",
    ]
    assert dsl.loads(dsl.dumps(model)) == model


def test_a_spec_can_include_a_spec_of_the_gallery(tmp_path: Path) -> None:
    gallery_text = (ROOT / "examples" / "sudoku.csp").read_text(encoding="utf-8")
    clue = SMALL[SMALL.index('"') + 1 : SMALL.rindex('"')]
    assert dsl.loads(SMALL) == dsl.loads(gallery_text, {"box": 2}, {"clue": clue})
    with pytest.raises(SpecError, match="grid clue has 2 entries in each row, but 4 are declared"):
        dsl.loads('include sudoku. param box = 2. grid clue = "\n 1 .\n".')  # its size stays
    page = (ROOT / "docs" / "meaning.md").read_text(encoding="utf-8")
    match = re.search(r"`(include sudoku\. param.*?)`", page)
    assert (
        match and dsl.loads(match[1]).domains == dsl.loads(SMALL).domains and csp.count(dsl.loads(match[1])).value == 1
    )
    wider = dsl.loads('include sudoku. param box = 2. grid clue(5, 4) = "\n1...\n....\n....\n....\n....\n".')
    assert len(wider.domains) == 16


def test_the_including_file_overrides_params_grids_and_show(tmp_path: Path) -> None:
    deep = 'param n = 2. param k = 2. grid g(1, n) = "12". show x. x(I) in 1..n+k :- I in 1..n. x(C) = V :- g(1, C, V).'
    path = write_specs(
        tmp_path,
        main='param n = 3. include "middle.csp". show y. y in 1..2.',
        deep=deep,
        middle='include "deep.csp". grid g = "111". param k = 5. show z. z in {0}. param n = 9.',
    )
    model = dsl.load(path)
    assert model.show == ("y",)
    assert csp.solve(model) == {"x(1)": 1, "x(2)": 1, "x(3)": 1, "z": 0, "y": 1}
    assert model.domains["x(1)"] == (*range(1, 9),)  # type: ignore[index]
    assert dsl.load(path, {"n": 1}, {"g": "1"}).domains.keys() == {"x(1)", "z", "y"}
    assert dsl.load(tmp_path / "middle.csp", {"n": 3}).show == ("z",)


def test_a_layout_extends_an_included_layout_of_the_same_name(tmp_path: Path) -> None:
    inner = "x in 0..2. show total = x, board(1) = x : x > 1. show board(2) = x."
    path = write_specs(tmp_path, main='include "inner.csp". y in 0..2. show board(3) = y.', inner=inner)
    assert [*map(str, dsl.load(path).layout)] == ["board(2) = x", "board(3) = y"]
    extended = write_specs(
        tmp_path, main='include "inner.csp". y in 0..2. show total = y. show board(3) = y.', inner=inner
    )
    assert len(dsl.load(extended).layout) == 5
    assert dsl.load(write_specs(tmp_path, main='include "inner.csp". show x.', inner=inner)).layout == ()


def test_a_file_with_several_includers_is_included_once(tmp_path: Path) -> None:
    path = write_specs(
        tmp_path,
        main='include "a.csp". include "b.csp". include "lines.csp".',
        lines="param n = 2. f(n).",
        a='include "lines.csp". A in 1..n :- f(n).',
        b='include "./lines.csp". B in 1..2.',
    )
    assert dsl.load(path).domains == {"A": (1, 2), "B": (1, 2)}


TWICE = {
    "param": ("param p = 1. A in 1..p.", "param p = 2.", "p is already defined in line 1 of one.csp"),
    "fact": ("p(1). A in 1..2 :- p(1).", "p(2).", "p is already defined in line 1 of one.csp"),
    "named": ("p(B) :- B > 1. A in 1..2.", "p(B) :- B < 1.", "p is already defined in line 1 of one.csp"),
    "picture": ('grid p = "1". A in 1..2 :- p(1, 1, 1).', "p(1, 1, 2).", "p is already defined in line 1 of one.csp"),
    "show": ("A in 1..2. show A.", "B in 1..2. show B.", "line 1 of one.csp already has a show"),
    "best": ("A in 1..2. minimize(A).", "maximize(A).", "line 1 of one.csp already states the objective"),
    "kind": ("param p = 1. A in 1..p.", "p(1).", "p is a param and cannot also be a relation"),
    "value": ("A in 1..2. A = 1.", "A = 2.", "A = 2 contradicts A = 1 of line 1 of one.csp"),
}


@pytest.mark.parametrize("case", TWICE)
def test_other_definitions_in_two_included_files_are_refused(case: str, tmp_path: Path) -> None:
    first_text, second_text, message = TWICE[case]
    path = write_specs(tmp_path, main='include "one.csp". include "two.csp".', one=first_text, two=second_text)
    first, *others = load_error(path).diagnostics
    assert first.message == message and not others and first.at and first.at.file == "two.csp"
    if case in ("fact", "named", "picture", "best", "kind"):  # the including file cannot override these
        path = write_specs(tmp_path, main=f'include "one.csp". {second_text}', one=first_text)
        assert message in load_error(path).diagnostics[0].message


def test_a_domain_narrows_an_included_domain(tmp_path: Path) -> None:
    path = write_specs(tmp_path, main='include "lines.csp". x(1) in 2..9.', lines=LINES)
    assert dsl.load(path).domains["x(1)"] == (2, 3)  # type: ignore[index]


REFUSED = {
    'include "..{up}.csp".': "the file is outside of the folder of this file",
    'include "{folder}/there.csp".': "the file is outside of the folder of this file",
    'include "link.csp".': "the file is outside of the folder of this file",
    'include "linked/out.csp".': "the file is outside of the folder of this file",
    'include "thre.csp".': "file not found: thre.csp",
    'include "sub.csp".': "file not found: sub.csp",
    'include "pipe.csp".': "file not found: pipe.csp",
    'include "there.txt".': "the name of an included file must end in .csp",
    'include "the\x00re.csp".': "the name of an included file must end in .csp",
    'include "latin.csp".': "the file cannot be read: this is not text in UTF-8",
    "include there.": "the gallery has no spec there",
    'include "there.csp".\ninclude "./there.csp".': "the file is already included in line 1",
}


@pytest.mark.parametrize("text", REFUSED)
def test_an_unreadable_or_outside_file_is_not_included(text: str, tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for directory in (folder, outside, folder / "sub.csp"):
        directory.mkdir()
    write_specs(outside, out="A in 1..2.")
    write_specs(folder, there="A in 1..2.")
    (folder / "link.csp").symlink_to(outside / "out.csp")
    (folder / "linked").symlink_to(outside)
    (folder / "latin.csp").write_bytes("% für".encode("latin-1"))
    os.mkfifo(folder / "pipe.csp")
    text = text.replace("{up}", "/outside/out").replace("{folder}", str(folder))
    (diagnostic,) = load_error(write_specs(folder, main=text)).diagnostics
    assert diagnostic.message == REFUSED[text.replace(str(folder), "{folder}").replace("/outside/out", "{up}")]
    assert diagnostic.at and diagnostic.at.line == text.count("\n") + 1 and diagnostic.at.column == 9
    hints = {"thre": "did you mean there.csp?", "include there.": 'write a file in quotes, include "there.csp".'}
    assert all(hint in diagnostic.hint for name, hint in hints.items() if name in text)


def test_links_are_resolved_first(tmp_path: Path) -> None:
    write_specs(tmp_path, real__main='include "lines.csp".', real__lines=LINES)
    (tmp_path / "main.csp").symlink_to(tmp_path / "real" / "main.csp")
    assert len(dsl.load(tmp_path / "main.csp").domains) == 3
    (tmp_path / "real" / "again.csp").symlink_to(tmp_path / "real" / "lines.csp")
    path = write_specs(tmp_path, real__main='include "lines.csp". include "again.csp".')
    assert load_error(path).diagnostics[0].message == "the file is already included in line 1"


def test_a_cyclic_include_is_reported_with_its_chain(tmp_path: Path) -> None:
    write_specs(tmp_path, a='include "b.csp".', b='A in 1..2.\ninclude "c.csp".', c='include "b.csp".')
    (diagnostic,) = load_error(tmp_path / "a.csp").diagnostics
    assert diagnostic.message == "the file includes itself" and diagnostic.at == (1, 9, 7, "c.csp")
    b, c = tmp_path / "b.csp", tmp_path / "c.csp"
    assert diagnostic.hint == f"{b} includes {c} includes {b}"
    assert "includes" in load_error(write_specs(tmp_path, me='include "me.csp".')).diagnostics[0].hint


def test_diagnostics_show_the_line_of_their_file(tmp_path: Path) -> None:
    path = write_specs(tmp_path, main='include "lines.csp".\nx(1) = 7.\nB == 2.', lines="A in 1..3.\nA = B.\nA = = 3.")
    assert str(load_error(path)) == (
        f"{path}:3:3: error: == is not part of the language\n"
        "    3 | B == 2.\n      |   ^^\n  hint: write a single =\n"
        f"{tmp_path / 'lines.csp'}:3:5: error: expected an expression, found =\n"
        "    3 | A = = 3.\n      |     ^"
    )
    write_specs(tmp_path, main='include "lines.csp".\nx(1) = 7.', lines=LINES + "x(1) = 8.\nx(2) = B.")
    (first, second, third) = load_error(path).diagnostics
    assert (first.text, second.text, third.text) == ("", "lines.csp", "lines.csp")
    assert first.at and second.at and third.at and [error.at.line for error in (first, second, third)] == [2, 5, 6]  # type: ignore[union-attr]
    write_specs(tmp_path, main='include "lines.csp".\ngrid g = "7".', lines=LINES + "grid g. x(C) = V :- g(1, C, V).")
    (diagnostic,) = load_error(path).diagnostics
    assert diagnostic.hint.endswith("; line 5 of lines.csp uses this entry") and diagnostic.at == (2, 11, 1, "")
    write_specs(tmp_path, main='include "lines.csp". near(x(1), 3, 4).', lines=LINES + "near(A, B) :- A < B.")
    assert load_error(path).diagnostics[0].message == "near needs 2 arguments, found 3"


def test_texts_include_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_specs(tmp_path, lines=LINES)
    text = 'include "lines.csp".'
    assert len(dsl.loads(text, base=tmp_path).domains) == 3
    with pytest.raises(SpecError, match="file not found"):
        dsl.loads(text)
    monkeypatch.chdir(tmp_path)
    assert len(dsl.loads(text).domains) == 3
    assert run("solve", "-", stdin=text).stdout == "x(1) = 1\nx(2) = 2\nx(3) = 3\n"


def test_the_size_of_all_files_counts(tmp_path: Path) -> None:
    half = "%" * (LIMITS.characters // 2)
    path = write_specs(tmp_path, main='include "a.csp". include "b.csp".', a=half, b=half)
    (diagnostic,) = load_error(path).diagnostics
    assert diagnostic.message == "with this file, the spec has more than 1,000,000 characters" and diagnostic.at == (
        1,
        26,
        7,
        "",
    )
    for number in range(LIMITS.files + 1):
        write_specs(tmp_path, **{f"f{number}": f'include "f{number + 1}.csp".'})
    assert load_error(tmp_path / "f0.csp").diagnostics[0].message == "a spec has at most 100 files"
    many = "param p = 1.\ngrid g.\n" * 10_000  # the pairs of these clauses are not compared
    path = write_specs(tmp_path, main=f'include "a.csp".\n{many}', a="param p = 2. grid g(1, 1).")
    assert load_error(path).diagnostics[0].message == "p is already defined in line 2"
    path = write_specs(tmp_path, main='include "lines.csp". y(I) in 1..2 :- I in 1..6.', lines=LINES)
    with pytest.raises(SpecError, match="this makes more than 10 instances"):
        Program(source_of(path)).build({}, {}, limits=Limits(instances=10))


READING = "solve check propagate trace levels compare explain hint why rate play graph tree export"


@pytest.mark.parametrize("command", READING.split())
def test_every_command_reads_included_files(command: str, tmp_path: Path) -> None:
    path = write_specs(tmp_path, small=SMALL)
    options = {
        "why": ["cell(1,2) = 2"],
        "export": ["--to", "minizinc"],
        "play": ["-o", tmp_path / "page.html"],
        "compare": ["--methods", "backtracking"],
    }
    result = run(command, path, *options.get(command, ()))
    assert result.exit_code == 0, result.output
    place = "(gallery sudoku line "
    assert place in result.stdout or command not in ("trace", "explain", "why")
    assert command != "play" or place in str(unpack_film((tmp_path / "page.html").read_text(encoding="utf-8")))


def test_json_names_the_included_file(tmp_path: Path) -> None:
    path = write_specs(tmp_path, main='include "lines.csp".\nx(1) = 2.\nx(2) = 1.', lines=LINES)
    records = [json.loads(line) for line in run("trace", path, "--json").stdout.splitlines()]
    records = [record for record in records if record.get("constraint")]
    lines = {record["constraint"]: (record["line"], record.get("file")) for record in records}
    assert lines == {"x(1) = 2": (2, None), "x(2) = 1": (3, None), "different": (4, "lines.csp")}
    (step, *_) = [json.loads(line) for line in run("explain", path, "--json").stdout.splitlines()]
    assert {"name": "different", "line": 4, "file": "lines.csp"} in step["constraints"]
    reasons = json.loads(run("why", path, "x(3) = 3", "--json").stdout)["reasons"]
    assert {(r["line"], r["file"]) for r in reasons if r["constraint"] == "different"} == {(4, "lines.csp")}
    write_specs(tmp_path, lines=LINES + "y in 1..2.\n")
    (warning, *_) = [json.loads(line) for line in run("check", path, "--json").stdout.splitlines()]
    assert (warning["file"], warning["line"], warning["code"]) == (str(tmp_path / "lines.csp"), 5, "unused-variable")


def test_the_option_each_sets_an_included_grid(tmp_path: Path) -> None:
    path = write_specs(tmp_path, main="include sudoku. param box = 2. grid clue.")
    lines = ROOT / "docs" / "data" / "lines.txt"
    assert run("solve", path, "--each", f"clue={lines}").stdout == run(
        "solve", ROOT / "examples" / "sudoku.csp", "--set", "box=2", "--each", f"clue={lines}"
    ).stdout  # fmt: skip


def test_a_pickled_program_contains_its_included_files(tmp_path: Path) -> None:
    path = write_specs(tmp_path, main='include "parts/lines.csp". show t = x(1) : x(2) > 1.', parts__lines=LINES)
    program = dsl.Program(source_of(path))
    pickled = pickle.dumps(program)
    (tmp_path / "parts" / "lines.csp").unlink()
    assert pickle.loads(pickled).build({}, {}).model == program.build({}, {}).model


def test_check_reports_warnings_of_included_files(tmp_path: Path) -> None:
    library = LINES + "param spare = 3.\nhelp(1).\nfar(A, B) :- A < B + 1.\n"
    path = write_specs(tmp_path, main='include "lines.csp".\nparam own = 1.\n', lines=library)
    assert (
        run("check", path).stdout.count("warning:") == 1 and "nothing uses the param own" in run("check", path).stdout
    )
    assert "nothing uses the param spare" in run("check", tmp_path / "lines.csp").stdout
    path = write_specs(
        tmp_path, main='include "lines.csp".\nx(1) < x(1) + x(2).\nx(2) != x(3).', lines=LINES + "x(2) != x(3)."
    )
    assert "line 5 of lines.csp" in run("check", path).stdout
    write_specs(tmp_path, lines=LINES + "x(1) = x(1).  % lint: ignore always-true, self-comparison\n")
    assert "self-comparison" not in run("check", path).stdout


def test_formatting_reads_only_one_file(tmp_path: Path) -> None:
    path = write_specs(tmp_path, main='include   "none.csp"  .include  nothing.')
    assert run("format", path).exit_code == 0
    assert path.read_text(encoding="utf-8") == 'include "none.csp". include nothing.\n'


def merge_files(files: Mapping[str, list[str]], name: str, overridden: set[str], seen: set[str]) -> list[str]:
    """Return the clauses of a file and of its included files.

    The depth-first walk shares no code with the program. ``overridden`` has the names that including files define.
    """
    seen.add(name)
    params = {clause.split()[1] for clause in files[name] if clause.startswith("param")}
    merged: list[str] = []
    for clause in files[name]:
        word = clause.split()[1] if clause.startswith(("param", "include")) else ""
        if clause.startswith("include"):
            included = word.strip('".').removesuffix(".csp")
            merged += [] if included in seen else merge_files(files, included, overridden | params, seen)
        elif word not in overridden:
            merged.append(clause)
    return merged


def test_random_trees_of_files_equal_one_merged_file(tmp_path: Path) -> None:
    for seed in range(INCLUDES):
        rng = random.Random(seed)
        names = [f"f{number}" for number in range(rng.randint(2, 6))]
        files: dict[str, list[str]] = {}
        for number, name in enumerate(names):
            files[name] = [f"param k{number} = {rng.randint(2, 4)}.", f"v{number} in 1..k{number} + p."]
            files[name] += [f"v{number} != {rng.randint(1, 5)}.", *([f"param p = {number}."] if not number else [])]
        for number, name in enumerate(names[1:], 1):  # a tree, in which including files may redefine p and k
            parent = rng.randrange(number)
            files[names[parent]].insert(rng.randrange(4), f'include "{name}.csp".')
            files[name] += [f"param p = {number}."] * rng.randint(0, 1)
            files["f0"] += [f"param k{number} = {rng.randint(5, 7)}."] * rng.randint(0, 1)
        path = write_specs(tmp_path, **{name: "\n".join(clauses) for name, clauses in files.items()})
        text = "\n".join(merge_files(files, "f0", set(), set()))
        assert dsl.load(path) == dsl.loads(text), (seed, text)


def test_an_include_with_two_possible_files_is_refused(tmp_path: Path) -> None:
    spec = write_specs(tmp_path, mine="include latin.", latin=LINES)
    (diagnostic,) = load_error(spec).diagnostics
    assert diagnostic.message == "both the gallery and the folder of this file have a latin"
    assert diagnostic.hint == 'write include "latin.csp" for the file; rename it to include the spec of the gallery'
    (tmp_path / "latin.csp").write_bytes((ROOT / "examples" / "latin.csp").read_bytes())  # the same file is no question
    assert len(dsl.load(spec).domains) == len(dsl.load(ROOT / "examples" / "latin.csp").domains)
    assert len(dsl.load(write_specs(tmp_path, latin="include latin. param n = 2.")).domains) == 4
