"""Tests of the frames of a trace, and of the files that draw them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

import csp
import dsl
from csp import AllDifferent, Model, caption, record
from csp.picture.frames import frames, step_frames
from csp.render.folder import write_frames
from csp.trace import Decision, Dequeued, Failure, Removal, Round
from dsl.cli import main

from ..commands import HARD
from ..conftest import ROOT
from ..pictures.test_render import example


def test_the_4x4_of_the_article_has_five_frames() -> None:
    trace = record(example("shidoku"))
    frame_list = list(frames(trace))
    assert [frame.name for frame in frame_list] == ["network", "givens", "round-1", "round-2", "fixpoint"]
    assert [frame.number for frame in frame_list] == [0, 1, 2, 3, 4]
    assert set(frame_list[1].marked) == set("CFKN") == {variable for variable, _ in frame_list[1].removed}
    assert set(frame_list[2].causes) == set("CFKN")
    all_removed = [candidate for record in trace.records if isinstance(record, Removal) for candidate in record.removed]
    assert [candidate for frame in frame_list for candidate in frame.removed] == all_removed


def test_frames_agree_with_the_engine() -> None:
    model = example("sudoku", grids={"clue": HARD})
    frame_list = list(frames(record(model, nodes=None)))
    root = next(frame for frame in frame_list if frame.name == "fixpoint")
    assert dict(root.domains) == dict(csp.propagate(model).domains)
    assert frame_list[-1].name == "solution"
    assert {v: domain[0] for v, domain in frame_list[-1].domains.items()} == next(iter(csp.Solver(model).solutions()))
    names = {frame.name.rstrip("0123456789") for frame in frame_list}
    assert names == {"network", "givens", "round-", "fixpoint", "decision-", "failure", "solution"}


def test_every_decision_and_every_failure_has_a_frame() -> None:
    frame_list = list(frames(record(example("queens"), nodes=None)))
    assert [frame.name for frame in frame_list[:3]] == ["network", "decision-1", "fixpoint"], "no fixpoint of nothing"
    is_open = False
    for frame in frame_list[1:]:
        is_decision, is_end = frame.name.startswith("decision-"), frame.name in ("fixpoint", "failure", "solution")
        assert is_open != is_decision and (not is_decision or frame.active)
        assert (frame.name == "failure") == bool(frame.failed)
        is_open = not is_end
    assert not is_open


@pytest.mark.parametrize("name", ["queens", "australia", "zebra"])
def test_every_removal_after_a_decision_is_struck(name: str) -> None:
    trace = record(example(name), nodes=None)
    struck = [candidate for frame in frames(trace) if frame.name != "failure" for candidate in frame.removed]
    assert any(isinstance(entry, Decision) for entry in trace.records)
    assert struck == [candidate for entry in trace.records if isinstance(entry, Removal) for candidate in entry.removed]


def test_a_pass_counts_the_variables_that_it_fixed() -> None:
    trace = record(example("futoshiki"), "domain")
    frame_list = list(frames(trace))
    propagators = [frame for frame in frame_list if frame.name.startswith("rules")]
    assert any(frame.causes for frame in propagators)
    # Each variable that has one value in the end, and more at the start, is counted once.
    counts = [
        int(match[1]) for frame in frame_list if (match := re.search(r" · (\d+) \w+ now ha(?:s|ve) one", frame.title))
    ]
    fixed = [v for v, domain in frame_list[-1].domains.items() if len(domain) == 1 < len(trace.model.domains[v])]
    assert len(counts) > 2 and sum(counts) == len(fixed) == sum(len(frame.fixed) for frame in frame_list)


def test_rounds_and_rules_have_numbers() -> None:
    names = [frame.name for frame in frames(record(example("golomb"), nodes=3))]
    rules = [name for name in names if name.startswith("rules")]
    rounds = [name for name in names if name.startswith("round")]
    assert rules == [f"rules-{number}" for number in range(1, len(rules) + 1)] and len(rules) > 2
    assert len(rounds) == len({*rounds}) > 1


def test_a_step_has_the_caption_of_its_record_as_title() -> None:
    row = csp.AllDifferent.of("ABCDE", label="row")
    model = csp.Model({"A": (1, 2), "B": (1, 2), "C": (1, 3, 4), "D": (2, 3, 4), "E": (1, 3, 5, 6)}, [row])
    frame, *dequeued_frames = step_frames(record(model, "domain"), 1, 1)
    assert {frame.name for frame in dequeued_frames} == {"checked"}
    assert frame.title == (
        "step 1 · A, B have only 1, 2; C, D have only 3, 4, which removes 1 from C; 2 from D; 1, 3 from E"
        " · by row · marked 3"
    )


def test_a_dequeued_variable_is_a_step_but_not_a_frame() -> None:
    for name in ("shidoku", "money", "killer"):
        trace = record(example(name), nodes=None)
        dequeued = [(entry.marked, caption(entry)) for entry in trace.records if isinstance(entry, Dequeued)]
        steps = [frame for frame in step_frames(trace, 0, 10**6) if frame.name == "checked"]
        assert dequeued and [(frame.marked, frame.title) for frame in steps] == dequeued
        names = [frame.name for frame in frames(trace)]
        rounds = [f"round-{entry.number}" for entry in trace.records if isinstance(entry, Round)]
        assert "checked" not in names
        assert [name for name in names if name in rounds] == [name for name in rounds if name in names]


def test_a_round_marks_the_variables_of_the_next_round() -> None:
    trace = record(example("sudoku"), "arc")
    marked = {entry.number: entry.marked for entry in trace.records if isinstance(entry, Round)}
    for frame in frames(trace):
        kind, _, number = frame.name.partition("-")
        if kind == "round" and int(number) + 1 in marked:
            assert frame.marked == marked[int(number) + 1]


def test_a_failure_shows_its_causes() -> None:
    trace = record(example("money"), nodes=None)
    failure = next(entry for entry in trace.records if isinstance(entry, Failure))
    assert failure.subject is None and failure.constraint is not None
    frame = next(frame for frame in frames(trace) if frame.name == "failure")
    assert set(frame.causes) == {variable for variable, _ in failure.cause} and frame.failed == failure.constraint.scope
    assert frame.constraints == (failure.number,)


def test_independent_parts_share_one_solution_frame() -> None:
    model = dsl.loads("A, B, C, D in 1..2.  A != B.  C != D.")
    frame_list = list(frames(record(model, nodes=None)))
    assert [frame.name for frame in frame_list].count("solution") == 1
    assert all(len(domain) == 1 for domain in frame_list[-1].domains.values())


def test_files_are_numbered_and_complete(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "er"
    paths = write_frames(record(example("shidoku")), folder, ("svg", "png"))
    assert [path.name for path in paths[2:4]] == ["000-network.png", "001-givens.dot"]
    assert sorted(folder.iterdir()) == sorted(paths), "no temporary file remains"
    assert paths.omitted == 0
    for path in paths:
        content = path.read_bytes()
        match path.suffix:
            case ".svg":
                assert content.startswith(b"<?xml") and content.rstrip().endswith(b"</svg>")
                assert len(re.findall(b'class="node(?! (?:part|caption))', content)) == 16
            case ".png":
                assert content.startswith(b"\x89PNG") and content.endswith(b"IEND\xaeB`\x82")


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = record(example("shidoku"))
    first_path = write_frames(trace, tmp_path, ())[0]
    first_path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_frames(trace, tmp_path, ())
    assert first_path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 5


def test_omitted_frames_are_counted(tmp_path: Path) -> None:
    paths = write_frames(record(example("shidoku")), tmp_path, (), limit=2)
    assert [path.name for path in paths] == ["000-network.dot", "001-givens.dot"]
    assert paths.omitted == 3


def test_pictures_of_an_earlier_run_are_removed(tmp_path: Path) -> None:
    trace = record(example("shidoku"))
    write_frames(trace, tmp_path)
    write_frames(trace, tmp_path, (), steps=(3, 4))
    foreign_names = [
        "001-notes.svg",
        "003-round-9.svg",
        "003-round-9.txt",
        "1-fixpoint.dot",
        "overview.dot",
        "007-givens.dot",
    ]
    for name in foreign_names:
        (tmp_path / name).write_text("mine")
    paths = write_frames(trace, tmp_path, ("png",), limit=2)
    steps = ["000-step-3.dot", "001-step-4.dot"]
    other_formats = ["000-network.svg", "001-givens.svg"]  # another format of the same pictures
    names = [path.name for path in tmp_path.iterdir()]
    assert sorted(names) == sorted([*(path.name for path in paths), *steps, *other_formats, *foreign_names])
    assert paths.removed == 6
    assert write_frames(trace, tmp_path, (), limit=2).removed == 0


def test_a_rerun_removes_pictures_of_all_names(tmp_path: Path) -> None:
    trace = record(example("kakuro"))
    names = {re.sub(r"[0-9]{3}-|-?[0-9]*\.dot", "", path.name) for path in write_frames(trace, tmp_path, ())}
    assert {"network", "rules", "round", "fixpoint"} <= names
    assert {path.name for path in write_frames(trace, tmp_path, (), limit=1)} == {p.name for p in tmp_path.iterdir()}


def test_a_failed_run_removes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = record(example("shidoku"))
    paths = write_frames(trace, tmp_path, ())

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_frames(trace, tmp_path, (), limit=1)
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_a_derived_constraint_is_not_a_given() -> None:
    trace = record(example("killer"))
    removal = next(entry for entry in trace.records if isinstance(entry, Removal))
    assert removal.constraint is not None and len(removal.constraint.scope) == 1 and not removal.constraint.line
    assert {entry.kind for entry in trace.records if isinstance(entry, Removal)} == {"fixed", "placed", "filtered"}
    assert [frame.name for frame in frames(trace)][:3] == ["network", "rules-1", "round-1"]
    model = csp.Model({"A": range(5), "B": range(5)}, [csp.Member(csp.Affine.variable("A"), (1, 2))])
    assert [entry.kind for entry in record(model).records if isinstance(entry, Removal)] == ["given"]


def test_an_animation_shows_every_frame(tmp_path: Path) -> None:
    trace = record(example("shidoku"))
    *dots, path = write_frames(trace, tmp_path, ("gif",), limit=3)
    assert len(dots) == 3 and path.name == "animation.gif"
    with Image.open(path) as animation:
        assert isinstance(animation, GifImageFile) and animation.n_frames == 3 and animation.info["loop"] == 0
        pictures, times = [], []
        for number in range(3):
            animation.seek(number)
            pictures.append(animation.convert("RGB"))
            times.append(animation.info["duration"])
    assert len({picture.tobytes() for picture in pictures}) == 3 and times[0] < times[-1]
    vermilion = [colour for _, colour in pictures[-1].getcolors(1 << 24) if abs(colour[0] - 0xD5) + colour[2] < 20]
    assert any(abs(green - 0x5E) < 10 for _, green, _ in vermilion), "the palette keeps the colour of few pixels"
    repeated = write_frames(trace, tmp_path / "again", ("gif",), limit=3)[-1]
    assert repeated.read_bytes() == path.read_bytes()


def csp_draw(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["draw", str(ROOT / "examples" / "shidoku.csp"), *arguments])


def test_the_command_draws_steps_in_a_lens(tmp_path: Path) -> None:
    result = csp_draw("--out", str(tmp_path), "--steps", "5..7", "--lens", "factor", "--format", "png")
    assert result.exit_code == 0
    assert [Path(line).name for line in result.stdout.split()] == [
        f"{number:03}-step-{number + 5}.{suffix}" for number in range(3) for suffix in ("dot", "png")
    ]
    assert '"group 0"' in (tmp_path / "000-step-5.dot").read_text()
    assert csp_draw("--out", str(tmp_path), "--steps", "6").stdout.split()[0].endswith("000-step-6.dot")


@pytest.mark.parametrize("steps", ["0..3", "5..3", "x", "1..", "", "99..120", "1" * 30])
def test_impossible_steps_are_refused(steps: str, tmp_path: Path) -> None:
    result = csp_draw("--out", str(tmp_path), "--steps", steps)
    assert result.exit_code == 2 and "step" in result.stderr and not list(tmp_path.iterdir())


def test_the_lens_puzzle_draws_the_puzzle_and_its_solution(tmp_path: Path) -> None:
    """Draw givens in bold, solved values in plain type, and no candidates."""
    result = CliRunner().invoke(
        main, ["draw", str(ROOT / "examples/kakuro.csp"), "--lens", "puzzle", "--out", str(tmp_path)]
    )
    assert result.exit_code == 0
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["000-puzzle.svg", "001-solution.svg"]
    texts = [re.findall(">([^<]+)</text>", path.read_text("utf-8")) for path in sorted(tmp_path.glob("*.svg"))]
    sums = ["6", "16", "25", "4", "9", "22", "7", "25", "13", "19", "7", "19", "6", "8"]
    assert sorted(texts[0]) == sorted(sums)
    solution = csp.solve(example("kakuro"))
    assert solution is not None and sorted(texts[1]) == sorted([*sums, *map(str, solution.values())])
    searched = write_frames(record(example("sudoku", grids={"clue": HARD}), nodes=0), tmp_path, (), lens="puzzle")
    assert len(searched) == 2, "the number of files does not depend on decisions"
    unsatisfiable = record(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB")]), nodes=0)
    assert [path.name for path in write_frames(unsatisfiable, tmp_path, (), lens="puzzle")] == ["000-puzzle.dot"]


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "dot", "gif", "apng"])
def test_a_file_name_writes_one_picture_in_its_format(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"steps.{ending}"
    result = csp_draw("-o", str(path), "--level", "arc")
    assert result.exit_code == 0 and result.stdout == f"{path}\n" and [*tmp_path.iterdir()] == [path]
    heads = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "dot": b"// solved", "gif": b"GIF", "apng": b"\x89PNG"}
    assert path.read_bytes().startswith(heads[ending])
    if ending == "svg":
        assert ">solved</text>" in path.read_text("utf-8"), "the last picture"


def test_an_option_chooses_the_picture_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "one.svg"
    for arguments, title in (
        (["--frame", "round-1"], "round 1"), (["--frame", "0"], "start"), (["--steps", "5"], "step 5"),
        (["--steps", "5..6", "--frame", "1"], "step 6"), (["--lens", "puzzle", "--frame", "puzzle"], ""),
    ):  # fmt: skip
        result = csp_draw("-o", str(path), "--level", "arc", *arguments)
        texts = re.findall(">([^<]+)</text>", path.read_text("utf-8"))
        assert result.exit_code == 0 and any(text.startswith(title) for text in texts), title
    missing = csp_draw("-o", str(path), "--frame", "round-77")
    assert missing.exit_code == 2 and "there are network, givens, round-1" in missing.stderr
    other = csp_draw("-o", str(tmp_path / "one.txt"))
    assert other.exit_code == 2 and "write a picture, such as steps.svg, or a folder" in other.stderr


def test_pictures_report_the_clues_that_they_leave_out(tmp_path: Path) -> None:
    spec = tmp_path / "far.csp"
    board = 'cell(R, C) in 1..9 :- R in 1..5, C in 1..5.\n"far": cell(1, 1) < cell(3, 4).\n'
    for text, line in (
        (board, "csp: not drawn: far (line 2); write draw line(R, C, P) or another sign\n"),
        (
            board + "draw circle(9, 9).",
            "csp: not drawn: circle(9, 9), which is outside of the board with rows 1 to 5 and columns 1 to 5\n",
        ),
        (board + "draw line(1, 1, 1) = red. draw line(3, 4, 2) = red.", ""),
        (board.replace("cell(3, 4)", "cell(1, 2)"), ""),
    ):
        spec.write_text(text)
        for arguments in (["-o", str(tmp_path / "far.svg")], ["--out", str(tmp_path / "far"), "--limit", "1"]):
            result = CliRunner().invoke(main, ["draw", str(spec), *arguments])
            assert result.exit_code == 0 and line in result.stderr and bool(line) == ("not drawn" in result.stderr)
            result = CliRunner().invoke(main, ["draw", str(spec), *arguments, "--json"])
            data = json.loads(result.stdout)
            assert "".join(f"csp: not drawn: {omitted}\n" for omitted in data["omitted"]).endswith(line)
            assert bool(line) == bool(data["omitted"])
            assert all(Path(picture).is_file() for picture in data["pictures"]) and result.stderr == ""
