"""Test that samples of the legend occur in the pictures, and that one sign has one meaning."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from csp import record
from csp.picture.frames import frames, step_frames
from csp.picture.legend import CLUES, GONE, LIT, LIT_AREA, LIT_DASHED, LegendEntry, entries
from csp.picture.picture import picture
from csp.picture.plan import Plan
from csp.picture.shapes import text

from ..plans import plan
from .test_every_example import LABELS
from .test_render import GAPS, example

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

EXPLAINED = {*LABELS, "paper", ""}
"""First words of looks without an entry: also white areas, and the texts of constraint nodes."""


def sample_of(drawn: Plan, words: str) -> str:
    """Return the text of the sample of a legend entry."""
    [entry] = [entry for entry in entries(drawn, drawn.lens) if entry.words == words]
    return "".join(shape.text for shape in entry.shapes)


@pytest.mark.parametrize(
    ("name", "is_sign"), [("futoshiki", True), ("kenken", True), ("tents", False), ("kakuro", False)]
)
def test_the_sample_of_a_clue_is_a_printed_clue(name: str, is_sign: bool) -> None:
    drawn = plan(name)
    looks = {*CLUES.split("|"), "sum"}
    printed = {shape.text for shape in drawn.shapes if not looks.isdisjoint(shape.look.split())}
    assert sample_of(drawn, "clue that acted") in printed
    assert sample_of(drawn, "clue that acted").isdigit() != is_sign
    clues = [entry for entry in entries(drawn, drawn.lens) if entry.words == "clue"]
    assert all(sample_of(drawn, "clue") in printed for _ in clues)


def test_the_sample_of_a_value_is_drawn() -> None:
    assert sample_of(plan("zebra"), "given") == sample_of(plan("zebra"), "found") == "dog"
    assert sample_of(plan("sudoku"), "given") == sample_of(plan("sudoku"), "removed") == "1"
    assert sample_of(plan("masyu"), "removed") == "×"
    assert sample_of(plan("tents"), "removed") in "↑↓" and sample_of(plan("queens"), "removed") == "♛"


def test_the_border_of_an_active_region_has_an_entry_of_its_own() -> None:
    trace = record(example("suguru"), nodes=9)
    drawn = Plan(trace.model, trace.origins)
    shapes = picture(drawn, next(frame for frame in frames(trace) if frame.failure is not None))
    assert LIT_AREA.is_in(shapes) and not LIT.is_in(shapes)
    assert not LIT_AREA.is_in([text("", "edge lit", (0, 0), 18)])


@pytest.mark.parametrize("name", ["suguru", "kenken", "tents", "zebra", "numbrix", "kakuro"])
def test_no_two_entries_have_one_sample(name: str) -> None:
    drawn = plan(name)

    def sample(entry: LegendEntry) -> object:
        return [(shape.kind, shape.look, shape.text, shape.points) for shape in entry.shapes]

    samples = [sample(entry) for entry in entries(drawn, drawn.lens)]
    assert all(samples.count(entry) == 1 for entry in samples)


def test_the_samples_occur_in_the_picture() -> None:
    """Check struck signs, a dashed line of a failure, a printed sign and bulbs."""
    struck = [text("", look, (0, 0), 14) for look in ("boxed", "inked gone", "blank gone")]
    assert not GONE.is_in(struck) and GONE.is_in([text("1", "gone", (0, 0), 14)])
    dashed = [text("", "edge dashed thin", (0, 0), 14)]
    assert LIT_DASHED.is_in(dashed) and not LIT.is_in(dashed)
    listed = {(entry.words, entry.shapes[0].text) for name in ("tents", GAPS) for entry in entries_of(name)}
    assert {("clue", "4"), ("tree", "♣"), ("printed", "17")} <= listed
    [bulb] = [entry.shapes[0].kind for entry in entries_of("thermo_sudoku") if entry.look == "tint-grey"]
    assert bulb == "disc"


def entries_of(name: str) -> list[LegendEntry]:
    """Return the legend entries of an example."""
    drawn = plan(name)
    return list(entries(drawn, drawn.lens))


def test_the_line_of_a_clue_joins_a_constraint_to_its_cells() -> None:
    words = {lens: {entry.words for entry in entries(plan("kakuro"), lens)} for lens in ("factor", "clique")}
    assert "joins a constraint to its cells" in words["factor"] - words["clique"]
    assert "joins a group of cells that must differ" in words["clique"] - words["factor"]


def test_the_count_of_values_without_a_sign_names_the_beginning_of_their_words() -> None:
    drawn = plan("nurikabe")
    words = [entry.words for entry in entries(drawn, drawn.lens) if entry.words.startswith("number of values lost now")]
    assert words == ["number of values lost now that are not struck: part of the …"]
    assert "number of values lost now that are not struck" in {
        entry.words for entry in entries(plan("killer"), plan("killer").lens)
    }


def test_the_count_on_an_arrow_is_not_said_to_be_of_the_cells_at_its_heads() -> None:
    trace = record(example("kakuro"))
    drawn = Plan(trace.model, trace.origins)
    frame = next(frame for frame in frames(trace) if frame.name == "rules-1")
    shapes = picture(drawn, frame)
    # A whole row shares an arrow with two heads, which lost less.
    counts = [int(shape.text[1:]) for shape in shapes if shape.look == "times" and shape.kind == "text"]
    lost = Counter(v for v, _ in frame.removed)
    assert max(counts) > sum(count for _, count in lost.most_common(2))
    [words] = [entry.words for entry in entries(drawn, drawn.lens) if entry.look == "times"]
    assert words.endswith("also elsewhere") and len(words.split()) <= 9


@pytest.mark.parametrize(("name", "lens", "word"), [("nonogram", "grid", "second"), ("zebra", "clique", "dashed")])
def test_a_sample_of_a_line_has_its_colour_and_its_dashes(name: str, lens: str, word: str) -> None:
    """Check ties in several colours, and a dashed edge with a head."""
    trace = record(example(name), nodes=0)
    drawn = Plan(trace.model, trace.origins)
    shapes = [shape for frame in step_frames(trace, 1, 20) for shape in picture(drawn, frame, lens)]
    shapes += [shape for frame in islice(frames(trace), 3) for shape in picture(drawn, frame, lens)]
    lines = [shape for shape in shapes if shape.kind == "line" and {"tie", "arrow"} & {*shape.look.split()}]
    is_so = [word in shape.look.split() for shape in lines]
    assert True in is_so and False in is_so
    for shape, is_one in zip(lines, is_so, strict=True):
        samples = [entry.shapes for entry in entries(drawn, lens) if entry.is_in([shape])]
        assert samples and all(any(word in s.look.split() for s in sample) == is_one for sample in samples), shape.look


@pytest.mark.parametrize("lens", ["clique", "factor"])
@pytest.mark.parametrize("name", ["sudoku", "kakuro", "abc_end_view", "zebra", "queens"])
def test_every_sign_of_a_lens_has_an_entry(name: str, lens: str) -> None:
    trace = record(example(name), nodes=2)
    drawn = Plan(trace.model, trace.origins)
    listed = list(entries(drawn, lens))
    for frame in (*islice(frames(trace), 6), *islice(step_frames(trace, 1, 40), 0, 40, 4)):
        shapes = [shape for shape in picture(drawn, frame, lens) if shape.look.partition(" ")[0] not in EXPLAINED]
        samples = {shape.look for entry in listed if entry.is_in(shapes) for shape in entry.shapes}
        unexplained = {shape.look for shape in shapes if not any(entry.is_in([shape]) for entry in listed)}
        assert unexplained - samples <= {"edge casing"}, frame.name


@pytest.mark.parametrize("name, words", [("sashigane", "corner"), ("shakashaka", "white"), ("view", "empty")])
def test_a_value_that_draws_nothing_has_its_name_from_the_spec(name: str, words: str) -> None:
    drawn = Plan(example(name))
    named = {entry.words for entry in entries(drawn, drawn.lens)}
    assert {f"surely {words}", f"{words} is removed"} <= named


def test_values_in_the_corner_of_cells_and_printed_arrows_have_entries_of_their_own() -> None:
    second = Plan(example("schroedinger"))
    assert sample_of(second, "found: second") == sample_of(second, "found") == "1"
    arrows = Plan(example("sashigane"))
    assert sample_of(arrows, "clue sign") in "↑→↓←" and sample_of(arrows, "found: up") == "↑"
