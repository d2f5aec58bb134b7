"""Speed of animations, scale of pictures, and the lens of matchings."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

import csp
from csp.picture.frames import frames, step_frames
from csp.picture.legend import MATCHING
from csp.picture.matching import components, find_matching, has_active_group, stages_picture
from csp.picture.scene import Scene
from csp.render.animation import without_legend
from csp.render.dot.dot import dot
from csp.render.dot.drawing import draw
from csp.render.folder import draw_groups, write_frames
from csp.render.painter import Painter
from csp.trace import Removal
from dsl.cli import main

from ..commands import process
from ..conftest import ROOT
from ..page.test_player import HARD, example

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""


def test_animations_have_a_speed_and_pictures_a_scale(tmp_path: Path) -> None:
    arguments = ["draw", str(ROOT / "examples/australia.csp"), "--out", str(tmp_path), "--steps", "1..2"]
    formats = [part for form in ("gif", "apng", "png") for part in ("--format", form)]
    result = CliRunner().invoke(main, [*arguments, *formats, "--speed", "4", "--scale", "0.5"])
    assert result.exit_code == 0, result.output
    for name in ("animation.gif", "animation.png"):
        durations = []
        with Image.open(tmp_path / name) as moving:
            for frame in range(moving.n_frames):  # type: ignore[attr-defined]
                moving.seek(frame)
                durations.append(moving.info["duration"])
        assert len(durations) > 1 and durations == [300] * (len(durations) - 1) + [900], name
    small = read_sizes(tmp_path)
    CliRunner().invoke(main, [*arguments, "--format", "png"])
    large = read_sizes(tmp_path)
    assert len(small) == len(large) > 1
    for (small_width, small_height), (large_width, large_height) in zip(small, large, strict=True):
        assert abs(large_width - 2 * small_width) <= 2 and abs(large_height - 2 * small_height) <= 2
    for wrong in (("--speed", "0"), ("--scale", "100")):
        assert CliRunner().invoke(main, [*arguments, *wrong]).exit_code == 2


@pytest.mark.sampled
@pytest.mark.parametrize("format", ["mp4", "webm"])
def test_a_video_shows_every_picture_as_long_as_the_animation(format: str, tmp_path: Path) -> None:
    av = pytest.importorskip("av", reason="av is not installed")
    arguments = ["draw", str(ROOT / "examples/shidoku.csp"), "--level", "arc", "--speed", "4"]
    paths = [tmp_path / f"{name}.{format}" for name in ("steps", "again")]
    for path, content in zip(paths, "13", strict=True):  # of memory that a codec does not initialize
        assert process(*arguments, "-o", path, MALLOC_PERTURB_=content).returncode == 0
    assert paths[0].read_bytes() == paths[1].read_bytes() and paths[0].stat().st_size < 150_000
    with av.open(str(paths[0])) as video:
        shown = [(round(frame.time * 1000), frame.to_image()) for frame in video.decode(video=0)]
    # Five pictures, each at its start and at its end, in one size, which is even.
    assert [time for time, _ in shown] == [0, 299, 300, 599, 600, 899, 900, 1199, 1200, 2099]
    [(width, height)] = {picture.size for _, picture in shown}
    assert width % 2 == height % 2 == 0
    CliRunner().invoke(main, [*arguments, "-o", str(tmp_path / "steps.gif")])
    with Image.open(tmp_path / "steps.gif") as moving:
        assert moving.size == (width, height) and moving.n_frames == 5  # type: ignore[attr-defined]


def test_an_animation_has_titles_and_no_legend() -> None:
    painter = Painter(csp.record(example("shidoku"), "arc").model)
    trace = csp.record(example("shidoku"), "arc")
    [captioned] = [painter.parts(frame) for frame in frames(trace) if frame.name == "round-1"]
    bare = without_legend(captioned)
    assert " ".join(shape.text for shape in bare.caption) == captioned.title and bare.shapes == captioned.shapes
    assert "marked: changed, not seen by all constraints yet" in [shape.text for shape in captioned.caption]


def test_a_video_without_its_package_is_refused_before_any_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("csp.render.animation.find_spec", lambda name: None)
    monkeypatch.setattr("csp.record", lambda *_, **__: pytest.fail("the search has begun"))
    spec = str(ROOT / "examples/shidoku.csp")
    for arguments in (["-o", str(tmp_path / "a.webm")], ["--out", str(tmp_path / "b"), "--format", "mp4"]):
        result = CliRunner().invoke(main, ["draw", spec, *arguments])
        assert result.exit_code == 2 and not [*tmp_path.iterdir()]
        assert result.stderr.endswith("needs the package av: pip install 'alldifferent[video]'\n")


def read_sizes(folder: Path) -> list[tuple[int, int]]:
    read_sizes = []
    for path in sorted(folder.glob("0*.png")):
        with Image.open(path) as picture:
            read_sizes.append(picture.size)
    return read_sizes


def test_a_matching_shows_the_groups_that_the_propagator_used() -> None:
    trace = csp.record(example("sudoku", grids={"clue": HARD}), "domain", nodes=0)
    picture = draw_groups(trace.model, next(step_frames(trace, 38, 38)))
    assert all(entry.is_in(picture.shapes) == (f'"{entry.words}\\l"' in dot(*picture)) for entry in MATCHING)
    # For every removal by an active group, compare the picture with a matching of its values.
    frames = [frame for frame in step_frames(trace, 1, 10**6) if has_active_group(trace.model, frame)]
    removals = {
        record.step: record for record in trace.records if isinstance(record, Removal) and record.kind == "filtered"
    }
    removals_checked = 0
    for frame in frames:
        match = re.match(r"step-(\d+)", frame.name)
        removal = removals.get(int(match[1])) if match else None
        if removal is None or removal.constraint is None or len(frame.constraints) > 1:
            continue
        text, _, _ = dot(*draw_groups(trace.model, frame)).partition('"caption 0"')
        images = [frame.domains[v] for v in removal.constraint.scope]
        used_values = [values for members, values in find_matching(images)[1] if len(members) == len(values)]
        assert text.count('color="#000000", penwidth=3') == len(images)
        assert text.count('style=dashed, color="#D55E00", penwidth=2') == len(frame.removed)
        assert len(re.findall(r'"mark \d+" \[.*(?:use up|has) ', text)) == len(used_values)
        for _, value in frame.removed:
            assert any(value in values for values in used_values), "only the group that uses a value up removes it"
        removals_checked += 1
    assert removals_checked > 3


def test_a_frame_contains_its_boxes_and_has_its_text_beside_it(capfd: pytest.CaptureFixture[str]) -> None:
    model = csp.Model({v: ("red", "green", "ultramarine") for v in "AB"}, [csp.AllDifferent.of("AB")])
    domains: dict[csp.Variable, csp.Domain] = {csp.Variable("A"): ("red",), csp.Variable("B"): ("ultramarine",)}
    scene = Scene(title="two lines\nof one caption", domains=domains, constraints=(0,))
    (picture,) = draw([dot(*draw_groups(model, scene))])
    assert not capfd.readouterr().err, "Graphviz warns if a box is too small for its text"
    boxes, texts = find_boxes_and_texts(picture.decode())
    frames = [boxes["mark 0"], boxes["mark 2"]]
    values = [extent for name, extent in boxes.items() if "'" in name]
    assert len(values) == len(frames) == 2
    assert all(left < low and high < right for (left, right), (low, high) in zip(frames, values, strict=True))
    assert all(texts[f"has {value}"] > right for value, (_, right) in zip(("red", "ultramarine"), frames, strict=True))
    ends = re.findall(r'text-anchor="start" x="([^"]*)"[^>]*>(two lines|of one caption)<', picture.decode())
    assert len(ends) == 2 and float(ends[0][0]) == pytest.approx(float(ends[1][0]), abs=0.1)


def find_boxes_and_texts(picture: str) -> tuple[dict[str, tuple[float, float]], dict[str, float]]:
    """Return the left and right edges of named boxes, and where texts begin."""
    boxes, texts = {}, {}
    for _, name, content in re.findall(
        r"<g id=\"(\w+)\" class=\"node[^\"]*\">\n<title>(.*?)</title>(.*?)</g>", picture, re.S
    ):
        numbers = [
            float(x)
            for path in re.findall(r'(?: d|points)="([^"]*)"', content)
            for x in re.findall(r"(-?[\d.]+),", path)
        ]
        if numbers:
            boxes[unescape(name)] = min(numbers), max(numbers)
        for x, words in re.findall(r'text-anchor="start" x="([^"]*)"[^>]*>([^<]*)<', content):
            texts[unescape(words)] = float(x)
    return boxes, texts


def test_a_group_without_a_matching_and_a_spec_without_groups_are_reported(tmp_path: Path) -> None:
    pigeons = csp.Model({v: (1, 2) for v in "ABC"}, [csp.AllDifferent.of("ABC", label="holes")])
    (scene,) = [frame for frame in step_frames(csp.record(pigeons, "domain"), 0, 1) if frame.name == "failure"]
    assert "3 for 2 values: 1, 2" in dot(*draw_groups(pigeons, scene))
    spec = tmp_path / "two.csp"
    spec.write_text("A, B in 1..2. A < B.")
    result = CliRunner().invoke(main, ["draw", str(spec), "--lens", "matching", "--out", str(tmp_path / "frames")])
    assert result.exit_code == 2 and "these steps use no all-different group" in result.stderr
    spec.write_text("A, B, C in 1..3. all_different([A, B, C]). all_different([A, C]). A < B. B < C. A != 1.")
    for command, code in ((["trace", str(spec)], 1), (["draw", str(spec), "--out", str(tmp_path / "all")], 0)):
        assert CliRunner().invoke(main, command).exit_code == code, "a failure is drawn as well"


def test_matchings_are_numbered_as_they_are_drawn(tmp_path: Path) -> None:
    trace = csp.record(example("shidoku"), "arc")
    written = write_frames(trace, tmp_path, (), 5, "matching")
    assert [path.name[:4] for path in written] == [f"{number:03}-" for number in range(5)]


@pytest.mark.parametrize("images", [[(1,)], [(1, 2)], [(1,), (1,)], [(), (1,)], [(1, 2), (2, 3), (1, 3)]])
def test_every_element_and_value_is_in_one_component(images: list[tuple[int, ...]]) -> None:
    parts = components(images, find_matching(images)[1])
    assert sorted(i for members, _ in parts for i in members) == list(range(len(images)))
    values = [value for _, component_values in parts for value in component_values]
    assert sorted(values) == sorted({value for image in images for value in image})


def test_a_long_chain_has_a_picture() -> None:
    """Match a path of 2,000 elements, too deep for a recursive search."""
    count = 2000
    pairs, tight = find_matching([(i, i + 1) if i + 1 < count else (i,) for i in range(count)])
    assert pairs == {i: i for i in range(count)} and len(tight) == count


def test_the_last_stage_marks_edges_between_two_components() -> None:
    trace = csp.record(example("sudoku"), "domain", nodes=0)
    picture = draw_groups(trace.model, next(step_frames(trace, 38, 38)), "stages")
    edges = [shape for shape in picture.shapes if shape.is_curve and shape.of[0].startswith("3 ")]
    frames = [shape.points for shape in picture.shapes if shape.look.startswith("component")]

    def frame(x: float, y: float) -> list[int]:
        return [i for i, ((p, q), (w, h)) in enumerate(frames) if abs(x - p) < w / 2 and abs(y - q) < h / 2]

    between = [shape for shape in edges if frame(*shape.points[0]) != frame(*shape.points[-1])]
    assert len(between) > 30
    assert {shape.look for shape in between} == {"edge pair between", "edge pair gone lost"}
    assert {shape.look for shape in edges} - {shape.look for shape in between} == {"edge pair", "edge pair matched"}
    assert "in no matching, not removed yet" in {shape.text for shape in picture.caption}


def test_stages_show_the_matching_and_then_the_removed_edges() -> None:
    """Check that only the last stage loses edges and arrows follow the matching."""
    model = csp.Model({v: range(1, 5) for v in "ABCD"}, [csp.AllDifferent.of("ABC")])
    domains = {"A": (1, 2), "B": (1, 2), "C": (3, 4), "D": (1,)}
    scene = Scene(title="", domains=domains, removed=(("C", 1), ("C", 2)), constraints=(0,))  # type: ignore[dict-item]
    shapes = stages_picture(model, scene)
    panels = [[shape for shape in shapes if shape.of and shape.of[0].startswith(f"{place} ")] for place in range(4)]
    edges = [[shape for shape in panel if shape.is_curve] for panel in panels]
    assert [len(panel_edges) for panel_edges in edges] == [8] * 4
    assert [sum("lost" in shape.look for shape in panel_edges) for panel_edges in edges] == [0, 0, 0, 2]
    assert [sum(shape.look == "body active" for shape in panel) for panel in panels] == [0, 1, 0, 0]  # 3 or 4 is free
    heads = [shape for shape in shapes if shape.kind == "line" and len(shape.points) == 3]
    tips = {shape.points[1] for shape in heads if "matched" in shape.look}
    assert len(heads) == 8 and tips == {shape.points[-1] for shape in edges[1] if "matched" in shape.look}
    assert sum(shape.look.startswith("component") for shape in shapes) == 4  # two frames in each of the last two stages


@pytest.mark.parametrize("name", ["australia", "queens", "kakuro"])
def test_all_pictures_of_a_trace_have_one_frame(name: str, tmp_path: Path) -> None:
    """Check that pictures have the same size and vertices the same left edge."""
    trace = csp.record(example(name), nodes=5)
    paths = [path for path in write_frames(trace, tmp_path, ("svg",)) if path.suffix == ".svg"]
    heads, find_boxes_and_texts = set[tuple[str, ...]](), set[str]()
    for path in paths:
        picture = path.read_text(encoding="utf-8")
        heads.add(tuple(re.findall(r'(?:width|height)="[\d.]+pt"|viewBox="[^"]*"|translate\([^)]*\)', picture)))
        find_boxes_and_texts |= {unescape(name) + f" {left}" for name, left in find_left_edges(picture, trace.model)}
    assert len(paths) > 5 and len(heads) == 1
    assert len(find_boxes_and_texts) == len(trace.model.domains), "no vertex has two places"


def find_left_edges(picture: str, model: csp.Model) -> list[tuple[str, float]]:
    """Return the vertices of a picture with their left edges."""
    boxes, _ = find_boxes_and_texts(picture)
    return [(name, left) for name, (left, _) in boxes.items() if name in model.domains]
