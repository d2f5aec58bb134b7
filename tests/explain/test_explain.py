"""Tests of explanations: steps, hints, ratings and reports."""

from __future__ import annotations

import json
import random
import re
import shlex
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import networkx as nx
import pytest

import dsl
from csp import (
    Affine,
    AllDifferent,
    Entry,
    Model,
    ModelError,
    Objective,
    Solver,
    verdict,
)
from csp.explain import LADDER, TECHNIQUES, Verdict, Walker, explain, hint, rate, rate_path, report
from csp.explain.steps.board import Deduction
from csp.explain.steps.scale import SCALE, published_value
from csp.explain.steps.walk import Step
from dsl.cli.ladder import choose_ladder
from dsl.cli.progress import ProgressWatch
from dsl.puzzles.links.dispatch import spec_of_link
from dsl.syntax.nodes import Place

from ..commands import EXAMPLES, HARD, run, spec
from ..conftest import ROOT, SHARED, TIMES
from ..evidence import assert_path_without_supposition
from ..verdicts import records

PLAIN_TECHNIQUES = [technique for technique in LADDER if not technique.supposes]


def load_solver(name: str, **grids: str) -> Solver:
    return Solver(dsl.load(EXAMPLES / f"{name}.csp", grids=grids))


def placed_values(steps: tuple[Step, ...]) -> dict[str, object]:
    """Return the values that steps place, by the name of the variable."""
    return {str(variable): value for step in steps for variable, value in step.placed}


@pytest.mark.parametrize("name", ["sudoku", "jigsaw", "killer", "futoshiki", "kakuro", "sudoku_x", "zebra", "kenken"])
def test_the_solution_path_leads_to_the_solution(name: str) -> None:
    puzzle = load_solver(name)
    walk, solution = explain(puzzle), puzzle.solve()
    assert walk.ending == "solved" and solution is not None
    assert {str(variable): domain for variable, domain in walk.left.items()} == {
        str(variable): (value,) for variable, value in solution.items()
    }
    assert placed_values(walk.steps).items() <= {str(v): value for v, value in solution.items()}.items()
    assert all(step.placed or step.removed for step in walk.steps)


def test_a_step_is_the_easiest_and_its_sentence_names_labels_and_lines() -> None:
    steps = explain(load_solver("jigsaw")).steps
    assert steps[0].sentence == "hidden single · 3 in row 6 (line 31) fits only cell(6,8): cell(6,8) = 3"
    walker = Walker(load_solver("sudoku", clue=HARD))
    for step in walker.first(40):
        assert step.weight == TECHNIQUES[step.technique].weight
    view = walker.view
    candidates = walker.find()
    assert candidates is not None
    easier = [technique for technique in LADDER if technique.weight < candidates[0].weight]
    assert not any(list(technique.find(view)) for technique in easier)


def test_a_supposition_contains_the_steps_to_its_conflict() -> None:
    puzzle = load_solver("zebra")
    without_reasons = [technique for technique in LADDER if technique.name != "small reason"]
    suppositions = [step for step in explain(puzzle, ladder=without_reasons).steps if step.technique == "contradiction"]
    assert suppositions
    for step in suppositions:
        assert step.inside[-1].technique == "conflict" and step.depth >= 1
        assert len(step.lines) > 1 and step.removed == step.pattern


def test_a_contradiction_may_need_nested_suppositions() -> None:
    """Use a graph that needs four colours: with three, no single supposition fails."""
    graph = nx.mycielski_graph(4)
    model = Model({f"v{i}": range(3) for i in graph}, [AllDifferent.of((f"v{i}", f"v{j}")) for i, j in graph.edges])
    walk = explain(Solver(model), ladder=[TECHNIQUES["naked single"], TECHNIQUES["contradiction"]])
    assert walk.ending == "no solution" and walk.steps[0].depth > 1
    (inner, *_) = [step for step in walk.steps[0].inside if step.inside]
    assert inner.depth < walk.steps[0].depth and inner.inside[-1].technique == "conflict"


def test_an_explanation_ends_without_a_solution_or_with_several() -> None:
    model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2)}, [AllDifferent.of("ABC", label="row")])
    walk = explain(Solver(model))
    assert walk.ending == "no solution" and walk.conflict == "row cannot hold, as A, B, C have only 1, 2"
    clash = explain(load_solver("sudoku", clue="5...5...." + "." * 72))
    assert clash.conflict == "cell(1,1) = 5 and cell(1,5) = 5 exclude each other by row 1 (line 25)"
    several = explain(load_solver("latin"))
    assert (several.ending, several.steps) == ("stuck", ())
    assert explain(load_solver("latin"), {"cell(1,1)": 1}, until=0).ending == "open"
    with pytest.raises(ModelError):
        explain(load_solver("latin"), {"cell(9,9)": 1})


def test_uniqueness_is_used_only_after_it_is_proved() -> None:
    techniques = [technique for technique in TECHNIQUES.values() if technique.needs_uniqueness]
    assert techniques and not set(techniques) & set(LADDER)
    model = dsl.load(EXAMPLES / "sudoku.csp", grids={"clue": "53..7....6..195....98....6.8...6...3" + "." * 45})
    assert not explain(Solver(model), ladder=techniques).steps
    assert not run("explain", EXAMPLES / "latin.csp", "--uniqueness").stdout
    assert "with one solution" in run("explain", EXAMPLES / "latin.csp", "--uniqueness").stderr


def test_uniqueness_of_the_shown_cells_implies_nothing_for_hidden_cells() -> None:
    """Check that no step removes a value of any solution.

    The layout of the models shows only some of the cells.
    """
    techniques = [technique for technique in TECHNIQUES.values() if technique.needs_uniqueness]
    grids = list(Solver(dsl.load(EXAMPLES / "sudoku.csp", {"box": 2}, {"clue": "." * 16})).solutions())
    cells = list(grids[0])
    hidden_count = step_count = 0
    for seed in range(40 * TIMES):
        rng = random.Random(seed)
        givens = {cell: rng.choice(grids)[cell] for cell in rng.sample(cells, 1)}
        chosen_grid = rng.choice([grid for grid in grids if givens.items() <= grid.items()])
        givens |= {cell: chosen_grid[cell] for cell in rng.sample(cells, rng.randint(4, 6))}
        matching_grids = [grid for grid in grids if givens.items() <= grid.items()]
        settled = [cell for cell in cells if len({grid[cell] for grid in matching_grids}) == 1]
        text = "".join(str(givens.get(cell, ".")) for cell in cells)
        model = dsl.load(EXAMPLES / "sudoku.csp", {"box": 2}, {"clue": text})
        layout = [Entry("shown", (Affine((), i),), Affine.variable(cell)) for i, cell in enumerate(settled)]
        model_with_layout = Model(model.domains, model.constraints, layout=layout)
        assert verdict(Solver(model_with_layout)).solutions == "one"
        hidden_count += len(matching_grids) > 1
        solution_candidates = {(cell, grid[cell]) for grid in matching_grids for cell in cells}
        walk = explain(Solver(model_with_layout), ladder=[*LADDER, *techniques][::-1], is_unique=True)
        step_count += sum(step.technique in {technique.name for technique in techniques} for step in walk.steps)
        assert not solution_candidates & {candidate for step in walk.steps for candidate in step.removed}, text
    assert hidden_count > 10 and step_count > 2


def test_a_unique_optimum_does_not_imply_a_unique_solution() -> None:
    """Check that no step removes a value of the better of two grids.

    A step that assumed a unique grid would exchange values of the two grids.
    """
    techniques = [technique for technique in TECHNIQUES.values() if technique.needs_uniqueness]
    model = dsl.load(EXAMPLES / "sudoku.csp", {"box": 2}, {"clue": "12343412214" + "." * 5})
    weighed = Model(model.domains, model.constraints, objective=Objective("minimize", Affine.variable("cell(4,4)")))
    best = verdict(Solver(weighed))
    assert best.solutions == "one"
    walk = explain(Solver(weighed), ladder=[*techniques], is_unique=True)
    assert not {*best.found[0].items()} & {candidate for step in walk.steps for candidate in step.removed}


def report_of(rows: list[list[int]], height: int, width: int) -> str:
    """Return the report of a sudoku, computed without the package."""
    n = height * width
    boxed = lambda r, c: (r // height, c // width)  # noqa: E731
    cells = [(r, c) for r in range(n) for c in range(n)]
    units = [[(r, c) for c in range(n)] for r in range(n)] + [[(r, c) for r in range(n)] for c in range(n)]
    units += [[cell for cell in cells if boxed(*cell) == box] for box in sorted({boxed(*cell) for cell in cells})]
    peers = {cell: {peer for unit in units if cell in unit for peer in unit} - {cell} for cell in cells}
    candidates = {cell: set(range(1, n + 1)) for cell in cells}
    filled: set[tuple[int, int]] = set()

    def write(cell: tuple[int, int], value: int) -> None:
        filled.add(cell)
        candidates[cell] = {value}
        for peer in peers[cell]:
            candidates[peer].discard(value)

    # Enter the clues.
    for r, c in cells:
        if rows[r][c]:
            write((r, c), rows[r][c])
    entries = [f"U{len(cells) - len(filled)}"]
    while True:
        # Fill all naked singles of a pass.
        if singles := [cell for cell in cells if cell not in filled and len(candidates[cell]) == 1]:
            for cell in singles:
                write(cell, next(iter(candidates[cell])))
            entries.append(f"S{len(singles)}")
            continue
        # Without naked singles, reduce cells to their hidden singles until no unit has one.
        has_hidden_single = False
        while True:
            hidden_singles = {}
            for unit in units:
                for value in range(1, n + 1):
                    places_of_value = [cell for cell in unit if value in candidates[cell]]
                    if len(places_of_value) == 1 and len(candidates[places_of_value[0]]) > 1:
                        hidden_singles[places_of_value[0]] = value
            if not hidden_singles:
                break
            entries.append(f"A{sum(len(candidates[cell]) - 1 for cell in hidden_singles)}")
            for cell, value in hidden_singles.items():
                candidates[cell] = {value}
            has_hidden_single = True
        if not has_hidden_single:
            return ",".join([*entries, f"U{len(cells) - len(filled)}"])


@pytest.mark.parametrize("name", ["sgt_04x04", "sgt_06x06", "sgt_09x09_graded"])
def test_the_report_counts_the_cells_of_each_pass(name: str) -> None:
    for record in list(records(ROOT / "tests" / "data" / f"{name}.jsonl"))[:12]:
        (height, width), grid = record["box"], record["grid"]
        text = "\n".join(" ".join(str(value or ".") for value in row) for row in grid)
        model = dsl.load(EXAMPLES / "sudoku.csp", {"rows": height, "cols": width}, {"clue": text})
        assert report(Solver(model)) == report_of(grid, height, width)


def test_harder_puzzles_have_higher_ratings() -> None:
    easy, hard = rate(load_solver("sudoku")), rate(load_solver("sudoku_x"))
    assert easy.rating < hard.rating and easy.weight < hard.weight and easy.depth == 0
    assert easy.ending == hard.ending == "solved"
    by_hand = easy.weight + sum(TECHNIQUES[name].weight * n for name, n in easy.steps.items()) / 100 + easy.rounds
    assert easy.rating == pytest.approx(by_hand, abs=0.05)
    assert rate(load_solver("latin")).ending == "stuck" and rate(load_solver("latin")).hardest is None


@pytest.mark.parametrize("name", ["shidoku", "jigsaw", "sudoku_x", "killer", "futoshiki", "kakuro", "zebra", "latin"])
def test_a_rating_is_about_the_steps_of_the_explanation(name: str) -> None:
    steps = explain(load_solver(name)).steps
    names = [step.technique for step in steps]
    walker = Walker(load_solver(name))
    walker.run()
    assert [technique.name for technique, _ in walker.path] == names
    rating = rate_path(walker)
    assert rating == rate(load_solver(name)) and rating.steps == Counter(names)
    assert rating.rounds == len([*groupby(names)])
    assert rating.weight >= max([step.weight for step in steps], default=0)


def test_a_hint_has_three_degrees_of_detail() -> None:
    first_hint = hint(load_solver("jigsaw"))
    assert first_hint.text(1) == "look at row 6 (line 31)"
    assert first_hint.text(2) == "hidden single · look at row 6 (line 31)"
    assert first_hint.text() == "hidden single · 3 in row 6 (line 31) fits only cell(6,8): cell(6,8) = 3"
    next_hint = hint(load_solver("jigsaw"), {"cell(6,8)": 3})
    assert next_hint.kind == "step" and next_hint.step is not None and ("cell(6,8)", 3) not in next_hint.step.placed


HIDDEN = "x(I) in 1..5 :- I in 1..5. all_different(x(I) : I in 1..5). x(6 - x(5)) = 4. x(6 - x(4)) = 2. show x."
"""A spec with variables of expressions."""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "hidden"), [("shakashaka", "lit("), ("lits", "form("), ("yajilin", "shaded("), ("", "value of")]
)
def test_no_step_speaks_of_hidden_variables(name: str, hidden: str) -> None:
    model = dsl.load(EXAMPLES / f"{name}.csp") if name else dsl.loads(HIDDEN)
    shown = {str(variable) for variable in model.shown}
    without_reasons = [technique for technique in LADDER if technique.name != "small reason"]
    for ladder in (LADDER, without_reasons):
        steps = [*Walker(Solver(model), ladder=ladder).first(30 if ladder is LADDER else 5)]
        assert ladder is without_reasons or any(len(step.constraints) > 1 for step in steps)
        for step in steps:
            for line in step.lines:
                assert hidden not in re.sub(r" by .*?(, as |: |$)", "", line), line
            for each in (step, *step.inside):
                candidates = (*each.placed, *each.removed, *each.pattern)
                assert {str(variable) for variable, _ in candidates} <= shown, each.sentence


def test_a_model_that_shows_everything_has_no_joint_constraints() -> None:
    for name in ("sudoku", "killer", "zebra", "slitherlink"):
        walker = Walker(load_solver(name), ladder=[TECHNIQUES["joint constraints"]])
        assert walker.find() is None


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name", ["shakashaka", "nurikabe", "slitherlink", "heyawake", "masyu", "star_battle", "hitori", "lits", "yajilin"]
)
def test_pencil_puzzles_need_no_supposition_and_lose_no_solution(name: str) -> None:
    solver = load_solver(name)
    assert_path_without_supposition(explain(solver), solver.solve())


GOLDEN = SHARED / "measure" / "pencil" / "golden.jsonl"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the measured puzzles are not beside the project")
def test_measured_puzzles_are_explained_without_supposition() -> None:
    """Use two kinds of puzzles; ``TIMES=3`` uses all."""
    smallest: dict[str, dict[str, object]] = {}
    for puzzle in map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines()):
        best = smallest.setdefault(puzzle["genre"], puzzle)
        if puzzle["width"] * puzzle["height"] < best["width"] * best["height"]:
            smallest[puzzle["genre"]] = puzzle
    genres = ("nurimisaki", "heyawake", "kurodoko", "yajilin", "nurikabe", "slither")
    for genre in genres[: 2 * TIMES]:
        walk = explain(Solver(dsl.loads(spec_of_link(str(smallest[genre]["url"]), Place(1, 1)))))
        assert walk.ending == "solved" and not any(step.depth for step in walk.steps), genre


def test_limits_that_ended_the_search_are_named(limits: Callable[..., None]) -> None:
    limits("csp.explain.steps.supposing", MAX_NODES=1)
    result = run("explain", EXAMPLES / "lits.csp", "--techniques", "naked single,contradiction")
    assert "; limits ended the search: 1 nodes for suppositions inside each other; the puzzle has" in result.stdout
    assert result.exit_code == 1


def test_a_hint_names_wrong_entries_and_the_reason() -> None:
    puzzle = load_solver("sudoku")
    excluded = hint(puzzle, {"cell(1,3)": 4, "cell(1,4)": 5})
    assert excluded.kind == "wrong" and excluded.wrong == (("cell(1,4)", 5),)
    assert excluded.text() == "cell(1,4) = 5 is wrong\ncell(1,1) = 5 excludes it by row 1 (line 25)"
    contradictory = hint(puzzle, {"cell(1,1)": 4, "cell(1,3)": 1})
    assert contradictory.text() == (
        "cell(1,1) = 4 and cell(1,3) = 1 are wrong\ncell(1,1) = 4: the puzzle gives cell(1,1) = 5"
    )
    refuted = hint(puzzle, {"cell(1,3)": 1})
    assert refuted.text() == "cell(1,3) = 1 is wrong\nnothing is left for 1 in column 8 (line 26)"
    unclued = hint(load_solver("latin"), {"cell(1,1)": 1, "cell(1,2)": 2, "cell(2,1)": 1})
    assert unclued.wrong == (("cell(2,1)", 1),)
    solution = puzzle.solve()
    assert solution is not None
    assert hint(puzzle, {str(variable): value for variable, value in solution.items()}).kind == "solved"


def test_explain_rate_and_why_have_outputs_and_exit_codes(tmp_path: Path) -> None:
    steps = run("explain", EXAMPLES / "sudoku.csp", "--until", 2)
    assert steps.exit_code == 0 and steps.stdout.splitlines()[2] == "2 steps; 49 variables unfixed"
    assert run("explain", EXAMPLES / "sudoku.csp").stdout.endswith("\nsolved in 51 steps\n")
    stuck = run("explain", EXAMPLES / "jigsaw.csp", "--techniques", "Naked-Single")
    assert stuck.exit_code == 1 and "one solution" in stuck.stdout
    unknown = run("explain", EXAMPLES / "jigsaw.csp", "--techniques", "naked single,nked pair")
    assert unknown.exit_code == 2 and "did you mean naked pair?" in unknown.stderr
    path = spec(tmp_path, "A, B in 1..2.  A < B.  B < A.")
    for command in ("explain", "rate"):
        assert run(command, path).exit_code == 1
    assert run("why", path, "A = 1").exit_code == 1
    assert run("rate", EXAMPLES / "sudoku.csp").stdout.startswith("rating   ")
    for claim, code in (("cell(1,3) = 4", 0), ("cell(1,3)!=5", 0), ("cell(1, 3) = 5", 1), ("cell(1,3) > 5", 2)):
        assert run("why", EXAMPLES / "sudoku.csp", claim).exit_code == code
    assert "did you mean" in run("why", EXAMPLES / "sudoku.csp", "cell(1,33) = 1").stderr


def test_a_hint_checks_the_entries_of_a_player(tmp_path: Path) -> None:
    filled = tmp_path / "mine.txt"
    filled.write_text("\n".join(["53467....", "672......", *["." * 9] * 7]), encoding="utf-8")
    with_correct_entries = run("hint", EXAMPLES / "sudoku.csp", "--filled", f"clue={filled}", "--json")
    assert with_correct_entries.exit_code == 0 and json.loads(with_correct_entries.stdout)["kind"] == "step"
    filled.write_text("\n".join(["53468....", "672......", *["." * 9] * 7]), encoding="utf-8")
    with_a_wrong_entry = run("hint", EXAMPLES / "sudoku.csp", "--filled", f"clue={filled}")
    assert with_a_wrong_entry.exit_code == 1 and with_a_wrong_entry.stdout.startswith("cell(1,5) = 8 is wrong\n")
    assert run("hint", EXAMPLES / "sudoku.csp", "--filled", "cleu=-").exit_code == 2


PAGE = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
FIRST_STEPS = (ROOT / "tests" / "golden" / "first_steps.txt").read_text(encoding="utf-8")
SESSIONS = [
    session
    for block in [*re.findall(r"```console\n(.*?)```", PAGE, re.S), FIRST_STEPS]
    for session in re.split(r"^\$ csp ", block, flags=re.M)[1:]
]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.partition("\n")[0])
def test_the_recorded_sessions_are_the_output_of_the_program(session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, _, expected = session.partition("\n")
    parts = [re.escape(part) for part in expected.split("...\n")]
    assert re.fullmatch("(?:.*\n)*".join(parts), run(*shlex.split(command)).stdout)


def test_the_page_lists_every_technique_with_its_weight() -> None:
    part = PAGE.partition("## The techniques")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| ([^|]+) \| (\d+)( \(on request\))? \|", part, re.M)
    assert listed == [
        (technique.name, str(technique.weight), " (on request)" * technique.on_request)
        for technique in TECHNIQUES.values()
    ], "docs/explain.md: write a row for each technique, in the order of TABLE"
    assert [technique.weight for technique in TECHNIQUES.values()] == sorted(
        technique.weight for technique in TECHNIQUES.values()
    )


@pytest.mark.parametrize(("why", "code"), [("Ctrl-C", 130), ("the limit of 4 seconds", 3)])
def test_explain_reports_why_its_final_search_was_stopped(
    why: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop_verdict(solver: Solver, progress: ProgressWatch) -> Verdict:
        progress.why, progress.code = why, code  # as a signal does, or an alarm
        return verdict(solver, progress)

    monkeypatch.setattr("dsl.cli.commands.explain.verdict", stop_verdict)
    result = run("explain", spec(tmp_path, "A, B, C in 1..3. A != B. B != C."))
    expected = (
        "stuck after 0 steps: no technique finds a step for the 3 unfixed variables; "
        f"whether the puzzle has a solution is not known; stopped by {why}"
    )
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (code, expected)
    result = run("explain", spec(tmp_path, "A, B, C in 1..3. A != B. B != C."), "--timeout", 60)
    assert result.stdout.splitlines()[-1] == f"{expected}; a larger --timeout may find out"


def test_a_stuck_path_says_what_to_do(tmp_path: Path) -> None:
    several = spec(tmp_path, "A, B, C in 1..3. A != B. B != C.")
    last_lines = [run("explain", file, *options).stdout.splitlines()[-1] for file, *options in (
        (several,), (EXAMPLES / "jigsaw.csp", "--techniques", "naked single"),
    )]  # fmt: skip
    assert last_lines[0].endswith(f"; csp check {several} shows two of them")
    stuck = run("hint", EXAMPLES / "jigsaw.csp", "--techniques", "naked single")
    assert stuck.stderr.startswith("csp: the puzzle has one solution: csp solve ")
    assert last_lines[1].endswith("; the puzzle has one solution; without --techniques, all techniques are tried")


@pytest.mark.parametrize(
    ("name", "word"),
    [("shidoku", "trivial"), ("jigsaw", "easy"), ("zebra", "extreme"), ("latin", None)],
)
def test_a_rating_in_words_follows_the_hardest_step(name: str, word: str | None) -> None:
    result = run("rate", ROOT / "examples" / f"{name}.csp")
    first_line = result.stdout.splitlines()[0]
    assert first_line.partition(", ")[2] == (word or "")
    data = json.loads(run("rate", ROOT / "examples" / f"{name}.csp", "--json").stdout)
    assert data["level"] == word
    levels = [replace(rate(load_solver("shidoku")), weight=weight).level for weight in (4, 14, 100, 101, 380, 500)]
    assert levels == ["trivial", "easy", "medium", "hard", "very hard", "extreme"]


def test_the_first_hints_name_the_constraints_of_the_puzzle(tmp_path: Path) -> None:
    # An implied sum is the step itself: a nudge names the box and the cages that it follows from.
    nudge = run("hint", ROOT / "examples" / "killer.csp", "--detail", 1).stdout.strip()
    assert re.fullmatch(r"look at (box|cage)[^=]* and \d+ more", nudge)
    assert run("hint", ROOT / "examples" / "killer.csp", "--detail", 2).stdout.strip() == f"neighbours · {nudge}"
    (tmp_path / "chain.csp").write_text("a in 1..3. b in 1..3. a < b.")
    hints = [run("hint", tmp_path / "chain.csp", "--detail", detail).stdout.strip() for detail in (1, 2, 3)]
    place = "a < b (line 1)"
    step = f"neighbours · by {place}: removes 3 from a; 1 from b"
    assert hints == [f"look at {place}", f"neighbours · look at {place}", step]


def test_a_published_value_is_that_of_the_hardest_step() -> None:
    def value(*arguments: object) -> tuple[float | None, str]:
        data = json.loads(run("rate", *arguments, "--scale", "se", "--json").stdout)
        return data["se"], run("rate", *arguments, "--scale", "se").stdout.splitlines()[-1]

    assert value(EXAMPLES / "jigsaw.csp") == (1.5, "se       1.5 (hidden single)")
    # The scale is about puzzles of all_different only.
    assert value(EXAMPLES / "zebra.csp") == (None, "se       no published value for some step")
    assert "se " not in run("rate", EXAMPLES / "jigsaw.csp").stdout


SE_RATINGS = {
    "db#11": (1.5, "hidden single"), "db#10": (2.3, "naked single"), "di#11": (2.6, "pointing"),
    "da#12": (3.4, "hidden pair"), "de#2": (4.2, "XY-wing"), "du#40": (4.5, "uniqueness test 1"),
    "de#5": (5.5, "ALS-XZ"), "de#30": (6.8, "continuous nice loop"), "du#13": (7.3, "alternating inference chain"),
    "du#31": (7.7, "nishio"), "du#14": (8.9, "forcing net"), "du#6": (7.1, "continuous nice loop"),
}  # fmt: skip
"""The ratings of graded puzzles on the scale, as this program gives them: a change of the order or of a value shows."""


@pytest.mark.sampled
@pytest.mark.parametrize("name", SE_RATINGS)
def test_graded_puzzles_keep_their_ratings_on_the_scale(name: str) -> None:
    (record,) = [r for r in records(ROOT / "tests/data/sgt_09x09_graded.jsonl") if r["id"] == f"sgt-solo 3x3{name}"]
    text = "\n".join(" ".join(str(value or ".") for value in row) for row in record["grid"])
    solver = Solver(dsl.load(EXAMPLES / "sudoku.csp", grids={"clue": text}))
    assert published_value(solver, is_unique=True) == SE_RATINGS[name]


def test_a_longer_chain_has_a_higher_value() -> None:
    (grade,) = [grade for grade in SCALE if grade.technique is TECHNIQUES["X-chain"]]
    chains = [Deduction("", nodes={1 << i: bool(i % 2) for i in range(length)}) for length in (4, 6, 8, 10, 14)]
    assert [grade.of(chain) for chain in chains] == [6.6, 6.7, 6.8, 6.9, 7.0]


SE_VALUES = {
    ".8.57..3....36...1..5.............6..36...1..15.8......4..523.9...9......671...5.": (5.4, "X-chain"),
    "........46..74......7...8......1....2.9..53..58.6....2..6...1..32...9...41..3..5.": (5.5, "X-chain"),
    "7.4..8....5....7.63..9...4......6.7...81......1.583.....3....95..........61..28..": (5.7, "grouped X-chain"),
    ".7........53.84..1....1...934...9........2.8....1.......7.3.2..8.....57.531.4....": (5.5, "ALS-XZ"),
    ".......8...2...6..51.38....6..2....8.7.5.3..1....4........254....8....7.3.6..4..9": (5.6, "ALS-XZ"),
    "...82.4.5.....3.2.8.6.5................7...36....849..46..9......32......193.68..": (6.2, "ALS-XZ"),
    ".75.....14..8.......8...7....2.....6...3..89....9672...31......2....46...6...5..2": (6.3, "ALS-XZ"),
    "4...2.5...35....7..9....8...8.6.........54..991......8..94..2..6....2......3.96..": (6.4, "ALS-XZ"),
}
"""Puzzles whose hardest step is a chain with three strong links, or an almost locked set beside a bivalue cell."""


@pytest.mark.sampled
@pytest.mark.parametrize("puzzle", SE_VALUES)
def test_wings_and_chains_of_three_links_have_values_of_their_own(puzzle: str) -> None:
    solver = Solver(dsl.load(EXAMPLES / "sudoku.csp", grids={"clue": puzzle}))
    assert published_value(solver, is_unique=True) == SE_VALUES[puzzle]


def test_forcing_nets_are_on_request_and_need_no_proof_of_one_solution(tmp_path: Path) -> None:
    path = spec(tmp_path, "A, B, C in 1..3.  all_different([A, B, C]).")
    names = "forcing_chains,forcing_net,nishio"
    assert "needs" not in run("explain", path, "--techniques", names).stderr
    assert "uniqueness tests need" in run("explain", path, "--techniques", "uniqueness_test_1").stderr
    assert not {"forcing chains", "forcing net", "nishio"} & {technique.name for technique in LADDER}
    ladder, _ = choose_ladder(load_solver("jigsaw"), LADDER, True, None, ProgressWatch())
    assert [t for t in ladder if t not in LADDER] == [t for t in TECHNIQUES.values() if t.needs_uniqueness]
