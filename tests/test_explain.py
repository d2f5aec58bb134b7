"""The way to the solution, the next step, what is wrong, how hard it is, and why something holds."""

from __future__ import annotations

import json
import random
import re
import shlex
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
    Settings,
    Solver,
    Stopped,
    Variable,
    verdict,
)
from csp.explain import LADDER, TECHNIQUES, Claim, Verdict, Walker, explain, hint, rate, report, why
from csp.explain.steps.walk import Step
from csp.picture.explained.why import why_picture
from csp.picture.plan import Plan
from csp.picture.shapes import OVER
from csp.render import draw, draw_why
from dsl.cli.progress import ProgressWatch

from .commands import EXAMPLES, HARD, run, spec
from .conftest import ROOT, TIMES
from .verdicts import records

EASY = [one for one in LADDER if not one.supposes]


def solver(name: str, **grids: str) -> Solver:
    return Solver(dsl.load(EXAMPLES / f"{name}.csp", grids=grids))


def placed(steps: tuple[Step, ...]) -> dict[str, object]:
    return {str(variable): value for step in steps for variable, value in step.placed}


@pytest.mark.parametrize("name", ["sudoku", "jigsaw", "killer", "futoshiki", "kakuro", "sudoku_x", "zebra", "kenken"])
def test_the_way_leads_to_the_solution(name: str) -> None:
    puzzle = solver(name)
    walk, solution = explain(puzzle), puzzle.solve()
    assert walk.ending == "solved" and solution is not None
    assert {str(variable): left for variable, left in walk.left.items()} == {
        str(variable): (value,) for variable, value in solution.items()
    }
    assert placed(walk.steps).items() <= {str(v): value for v, value in solution.items()}.items()
    assert all(step.placed or step.removed for step in walk.steps)


def test_a_step_is_the_easiest_and_is_told_with_labels_and_lines() -> None:
    steps = explain(solver("jigsaw")).steps
    assert steps[0].sentence == "hidden single · 3 in row 6 (line 31) fits only cell(6,8): cell(6,8) = 3"
    walker = Walker(solver("sudoku", clue=HARD))
    for step in walker.first(40):
        assert step.weight == TECHNIQUES[step.technique].weight
    view = walker.view
    found = walker.find()
    assert found is not None
    easier = [one for one in LADDER if one.weight < found[0].weight]
    assert not any(list(one.find(view)) for one in easier)


def test_a_supposition_is_told_with_its_steps() -> None:
    puzzle = solver("zebra")
    suppositions = [step for step in explain(puzzle).steps if step.technique == "contradiction"]
    assert suppositions
    for step in suppositions:
        assert step.inside[-1].technique == "conflict" and step.depth >= 1
        assert len(step.lines) > 1 and step.removed == step.pattern


def test_suppositions_inside_each_other() -> None:
    """A graph that needs four colours has no single supposition that fails by itself when there are three."""
    graph = nx.mycielski_graph(4)
    model = Model({f"v{i}": range(3) for i in graph}, [AllDifferent.of((f"v{i}", f"v{j}")) for i, j in graph.edges])
    walk = explain(Solver(model), ladder=[TECHNIQUES["naked single"], TECHNIQUES["contradiction"]])
    assert walk.ending == "no solution" and walk.steps[0].depth > 1
    (inner, *_) = [step for step in walk.steps[0].inside if step.inside]
    assert inner.depth < walk.steps[0].depth and inner.inside[-1].technique == "conflict"


def test_no_solution_and_several() -> None:
    model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2)}, [AllDifferent.of("ABC", label="row")])
    walk = explain(Solver(model))
    assert walk.ending == "no solution" and walk.conflict == "row cannot hold: A, B, C have only 1, 2"
    clash = explain(solver("sudoku", clue="5...5...." + "." * 72))
    assert clash.conflict == "cell(1,1) = 5 and cell(1,5) = 5 exclude each other by row 1 (line 25)"
    several = explain(solver("latin"))
    assert (several.ending, several.steps) == ("stuck", ())
    assert explain(solver("latin"), {"cell(1,1)": 1}, until=0).ending == "open"
    with pytest.raises(ModelError):
        explain(solver("latin"), {"cell(9,9)": 1})


def test_uniqueness_is_used_only_where_it_is_proved() -> None:
    names = [one for one in TECHNIQUES.values() if one.on_request]
    assert names and not set(names) & set(LADDER)
    model = dsl.load(EXAMPLES / "sudoku.csp", grids={"clue": "53..7....6..195....98....6.8...6...3" + "." * 45})
    assert not explain(Solver(model), ladder=names).steps
    assert not run("explain", EXAMPLES / "latin.csp", "--uniqueness").stdout
    assert "with one solution" in run("explain", EXAMPLES / "latin.csp", "--uniqueness").stderr


def test_uniqueness_of_what_is_shown_says_nothing_of_what_is_hidden() -> None:
    """Where an answer shows some cells, no step takes a value of any solution, by enumeration of all grids."""
    names = [one for one in TECHNIQUES.values() if one.on_request]
    grids = list(Solver(dsl.load(EXAMPLES / "sudoku.csp", {"box": 2}, {"clue": "." * 16})).solutions())
    cells = list(grids[0])
    hidden = steps = 0
    for seed in range(40 * TIMES):
        rng = random.Random(seed)
        given = {cell: rng.choice(grids)[cell] for cell in rng.sample(cells, 1)}
        true = rng.choice([grid for grid in grids if given.items() <= grid.items()])
        given |= {cell: true[cell] for cell in rng.sample(cells, rng.randint(4, 6))}
        left = [grid for grid in grids if given.items() <= grid.items()]
        settled = [cell for cell in cells if len({grid[cell] for grid in left}) == 1]
        text = "".join(str(given.get(cell, ".")) for cell in cells)
        model = dsl.load(EXAMPLES / "sudoku.csp", {"box": 2}, {"clue": text})
        layout = [Entry("shown", (Affine((), i),), Affine.variable(cell)) for i, cell in enumerate(settled)]
        shown = Model(model.domains, model.constraints, layout=layout)
        assert verdict(Solver(shown)).solutions == "one"
        hidden += len(left) > 1
        kept = {(cell, grid[cell]) for grid in left for cell in cells}
        walk = explain(Solver(shown), ladder=[*LADDER, *names][::-1], is_unique=True)
        steps += sum(step.technique in {one.name for one in names} for step in walk.steps)
        assert not kept & {one for step in walk.steps for one in step.removed}, text
    assert hidden > 10 and steps > 2


def test_uniqueness_of_the_best_says_nothing_of_what_is_weighed() -> None:
    """Of the two grids one is better; a step that exchanged their values would take the best one."""
    names = [one for one in TECHNIQUES.values() if one.on_request]
    model = dsl.load(EXAMPLES / "sudoku.csp", {"box": 2}, {"clue": "12343412214" + "." * 5})
    weighed = Model(model.domains, model.constraints, objective=Objective("minimize", Affine.variable("cell(4,4)")))
    best = verdict(Solver(weighed))
    assert best.solutions == "one"
    walk = explain(Solver(weighed), ladder=[*names], is_unique=True)
    assert not {*best.found[0].items()} & {one for step in walk.steps for one in step.removed}


def passes(rows: list[list[int]], height: int, width: int) -> str:
    """The report of a sudoku, counted by code that knows nothing of boards."""
    n = height * width
    boxed = lambda r, c: (r // height, c // width)  # noqa: E731
    cells = [(r, c) for r in range(n) for c in range(n)]
    units = [[(r, c) for c in range(n)] for r in range(n)] + [[(r, c) for r in range(n)] for c in range(n)]
    units += [[cell for cell in cells if boxed(*cell) == box] for box in sorted({boxed(*cell) for cell in cells})]
    peers = {cell: {other for unit in units if cell in unit for other in unit} - {cell} for cell in cells}
    left = {cell: set(range(1, n + 1)) for cell in cells}
    done: set[tuple[int, int]] = set()

    def write(cell: tuple[int, int], value: int) -> None:
        done.add(cell)
        left[cell] = {value}
        for peer in peers[cell]:
            left[peer].discard(value)

    for r, c in cells:
        if rows[r][c]:
            write((r, c), rows[r][c])
    marks = [f"U{len(cells) - len(done)}"]
    while True:
        if singles := [cell for cell in cells if cell not in done and len(left[cell]) == 1]:
            for cell in singles:
                write(cell, next(iter(left[cell])))
            marks.append(f"S{len(singles)}")
            continue
        found = False
        while True:
            places = {}
            for unit in units:
                for value in range(1, n + 1):
                    where = [cell for cell in unit if value in left[cell]]
                    if len(where) == 1 and len(left[where[0]]) > 1:
                        places[where[0]] = value
            if not places:
                break
            marks.append(f"A{sum(len(left[cell]) - 1 for cell in places)}")
            for cell, value in places.items():
                left[cell] = {value}
            found = True
        if not found:
            return ",".join([*marks, f"U{len(cells) - len(done)}"])


@pytest.mark.parametrize("name", ["sgt_04x04", "sgt_06x06", "sgt_09x09_graded"])
def test_the_report_counts_passes(name: str) -> None:
    for record in list(records(ROOT / "tests" / "data" / f"{name}.jsonl"))[:12]:
        (height, width), grid = record["box"], record["grid"]
        text = "\n".join(" ".join(str(value or ".") for value in row) for row in grid)
        model = dsl.load(EXAMPLES / "sudoku.csp", {"rows": height, "cols": width}, {"clue": text})
        assert report(Solver(model)) == passes(grid, height, width)


def test_harder_puzzles_have_higher_ratings() -> None:
    easy, hard = rate(solver("sudoku")), rate(solver("sudoku_x"))
    assert easy.rating < hard.rating and easy.weight < hard.weight and easy.depth == 0
    assert easy.ending == hard.ending == "solved"
    by_hand = easy.weight + sum(TECHNIQUES[name].weight * n for name, n in easy.steps.items()) / 100 + easy.rounds
    assert easy.rating == pytest.approx(by_hand + 20 / easy.open, abs=0.2)
    assert rate(solver("latin")).ending == "stuck" and rate(solver("latin")).hardest is None


def test_a_hint_has_three_levels() -> None:
    found = hint(solver("jigsaw"))
    assert found.text(1) == "look at row 6 (line 31)"
    assert found.text(2) == "hidden single · look at row 6 (line 31)"
    assert found.text() == "hidden single · 3 in row 6 (line 31) fits only cell(6,8): cell(6,8) = 3"
    after = hint(solver("jigsaw"), {"cell(6,8)": 3})
    assert after.kind == "step" and after.step is not None and ("cell(6,8)", 3) not in after.step.placed


def test_what_stands_for_an_expression_is_named_by_its_value() -> None:
    model = dsl.loads("x(I) in 1..5 :- I in 1..5. all_different(x(I) : I in 1..5). x(6 - x(5)) = 4. x(6 - x(4)) = 2.")
    told = [step.sentence for step in explain(Solver(model)).steps]
    assert any("by the value of 6 - x(5) (line 1), as " in text for text in told)


def test_a_hint_says_what_is_wrong_and_why() -> None:
    puzzle = solver("sudoku")
    wrong = hint(puzzle, {"cell(1,3)": 4, "cell(1,4)": 5})
    assert wrong.kind == "wrong" and wrong.wrong == (("cell(1,4)", 5),)
    assert wrong.text() == "cell(1,4) = 5 is wrong\ncell(1,1) = 5 excludes it by row 1 (line 25)"
    taken = hint(puzzle, {"cell(1,1)": 4, "cell(1,3)": 1})
    assert taken.text() == ("cell(1,1) = 4 and cell(1,3) = 1 are wrong\ncell(1,1) = 4: the puzzle says cell(1,1) = 5")
    later = hint(puzzle, {"cell(1,3)": 1})
    assert later.text() == "cell(1,3) = 1 is wrong\nnothing is left for 1 in column 8 (line 26)"
    free = hint(solver("latin"), {"cell(1,1)": 1, "cell(1,2)": 2, "cell(2,1)": 1})
    assert free.wrong == (("cell(2,1)", 1),)
    solution = puzzle.solve()
    assert solution is not None
    assert hint(puzzle, {str(variable): value for variable, value in solution.items()}).kind == "solved"


def test_the_premises_of_a_reason_suffice_and_are_needed() -> None:
    """What is left of a model, by half of its constraints, entails the claim; without any one more it is not seen."""
    model = dsl.load(EXAMPLES / "sudoku.csp")
    claim = Claim(Variable.of("cell(5,2)"), 2)
    told = {reason.constraint for reason in why(model, claim, minimal=True).reasons}
    kept = [one for one in model.constraints if one in told]
    assert 0 < len(kept) < len(model.constraints) / 2
    reduced = Model(model.domains, kept)
    for value in set(range(1, 10)) - {2}:
        assert Solver(reduced).solve({"cell(5,2)": value}) is None
    for number in range(len(kept)):
        assert Solver(reduced).session().leaving_out([number]).domains[claim.variable] != (2,)


def test_reasons_are_told_down_to_what_is_given() -> None:
    found = why(dsl.load(EXAMPLES / "sudoku.csp"), Claim(Variable.of("cell(5,5)"), 5))
    assert found.kind == "reasons" and found.reasons[0].text == "cell(5,5) = 5"
    given = [reason for reason in found.reasons if not reason.premises]
    assert all(re.fullmatch(r"cell\(.,.\) = . \(line 30\)", reason.text) for reason in given) and len(given) == 8
    assert all(premise > 0 for reason in found.reasons for premise in reason.premises)
    assert len(list(found.lines())) == len(found.reasons)
    assert sum(len(reason.premises) for reason in found.reasons) == 16


@pytest.mark.parametrize(
    ("name", "value", "holds"), [("cell(5,5)", 5, True), ("cell(1,3)", 4, True), ("cell(1,3)", 1, False)]
)
def test_reasons_are_drawn_on_the_board(name: str, value: int, holds: bool) -> None:
    model = dsl.load(EXAMPLES / "sudoku.csp")
    claim = Claim(Variable.of(name), value, holds)
    found, plan = why(model, claim), Plan(model)
    marks = why_picture(plan, found)
    looks = {v: {word for mark in marks if mark.of == (v,) for word in mark.look.split()} for v in model.domains}
    causes = {one.candidates[0][0] for one in found.reasons if one.holds}
    gone = {candidate for one in found.reasons if not one.holds for candidate in one.candidates}
    assert {v for v in model.domains if looks[v] & {"because", "claim"}} == causes | {claim.variable}
    assert [v for v in model.domains if "claim" in looks[v]] == [claim.variable]
    assert sum(mark.look == "strike" and len(mark.of) == 1 for mark in marks) == len(gone)
    listed = [mark.text for mark in marks if mark.look == "start" and re.match(r"[0-9]+\. ", mark.text)]
    assert [int(line.split(".")[0]) for line in listed] == list(range(1, len(found.reasons) + 1))
    numbers = {int(mark.text) for mark in marks if mark.kind == "text" and mark.look == "rank" and mark.layer == OVER}
    assert numbers >= {i for i, one in enumerate(found.reasons, 1) if one.holds}
    faint = {v for v in model.domains if "faint" in looks[v]}
    assert faint and faint.isdisjoint({v for v, _ in gone} | causes)
    assert b"</svg>" in draw([draw_why(model, found, "dot")])[0]
    assert draw_why(model, found) == draw_why(model, why(model, claim))


def test_what_only_search_shows_is_refuted() -> None:
    model = dsl.load(EXAMPLES / "zebra.csp")
    found = why(model, Claim(Variable.of("house(zebra)"), 5))
    lines = list(found.lines())
    assert found.kind == "search" and lines[0] == "house(zebra) = 5: only search shows it"
    assert lines[1] == "suppose house(zebra) != 5" and "cannot hold" in lines[-1]
    assert "5 has no place left: house(dog) by house(spanish) = house(dog); house(snails) by " in lines[3]
    assert why(model, Claim(Variable.of("house(zebra)"), 5, False)).kind == "open"
    with pytest.raises(Stopped):
        why(model, Claim(Variable.of("house(zebra)"), 5), settings=Settings(nodes=1))
    assert "house(green) = 4" in draw_why(model, found) and "graph" in draw_why(model, found, "dot")


def test_what_does_not_follow() -> None:
    model = dsl.load(EXAMPLES / "latin.csp")
    found = why(model, Claim(Variable.of("cell(1,1)"), 2))
    assert "does not follow" in draw_why(model, found)
    assert found.kind == "open" and found.example is not None and found.example[Variable.of("cell(1,1)")] != 2
    nothing = dsl.loads("A, B in 1..2.  A < B.  B < A.")
    assert why(nothing, Claim(Variable.of("A"), 1)).kind == "no solution"
    for variable, value in (("cell(9,9)", 1), ("cell(1,1)", 9)):
        with pytest.raises(ModelError):
            why(model, Claim(Variable.of(variable), value))


def test_the_commands(tmp_path: Path) -> None:
    steps = run("explain", EXAMPLES / "sudoku.csp", "--until", 2)
    assert steps.exit_code == 0 and steps.stdout.splitlines()[2] == "2 steps; 49 variables open"
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


def test_what_a_person_has_filled_in(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("\n".join(["53467....", "672......", *["." * 9] * 7]), encoding="utf-8")
    right = run("hint", EXAMPLES / "sudoku.csp", "--filled", f"clue={mine}", "--json")
    assert right.exit_code == 0 and json.loads(right.stdout)["kind"] == "step"
    mine.write_text("\n".join(["53468....", "672......", *["." * 9] * 7]), encoding="utf-8")
    wrong = run("hint", EXAMPLES / "sudoku.csp", "--filled", f"clue={mine}")
    assert wrong.exit_code == 1 and wrong.stdout.startswith("cell(1,5) = 8 is wrong\n")
    assert run("hint", EXAMPLES / "sudoku.csp", "--filled", "cleu=-").exit_code == 2


def test_reasons_are_drawn(tmp_path: Path) -> None:
    out = tmp_path / "why.svg"
    assert run("why", EXAMPLES / "sudoku.csp", "cell(5,5) = 5", "--out", out).exit_code == 0
    assert b"</svg>" in out.read_bytes()
    dot = run("why", EXAMPLES / "sudoku.csp", "cell(5,5) = 5", "--out", tmp_path / "why.dot")
    assert dot.exit_code == 0 and (tmp_path / "why.dot").read_text().startswith("// cell(5,5) = 5\ngraph")


PAGE = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
SESSIONS = [
    one
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.S)
    for one in re.split(r"^\$ csp ", block, flags=re.M)[1:]
]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.partition("\n")[0])
def test_the_sessions_of_the_page(session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, _, expected = session.partition("\n")
    parts = [re.escape(part) for part in expected.split("...\n")]
    assert re.fullmatch("(?:.*\n)*".join(parts), run(*shlex.split(command)).stdout)


def test_every_technique_is_on_the_page() -> None:
    part = PAGE.partition("## The techniques")[2].partition("\n## ")[0]
    told = re.findall(r"^\| ([^|]+) \| (\d+)( \(on request\))? \|", part, re.M)
    assert told == [(one.name, str(one.weight), " (on request)" * one.on_request) for one in TECHNIQUES.values()]
    assert [one.weight for one in TECHNIQUES.values()] == sorted(one.weight for one in TECHNIQUES.values())


@pytest.mark.parametrize(("why", "code"), [("Ctrl-C", 130), ("the limit of 4 seconds", 3)])
def test_a_search_that_is_stopped_where_no_technique_finds_more(
    why: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(solver: Solver, progress: ProgressWatch) -> Verdict:
        progress.why, progress.code = why, code  # as a signal does, or an alarm
        return verdict(solver, progress)

    monkeypatch.setattr("dsl.cli.commands.explain.verdict", stopped)
    ended = run("explain", spec(tmp_path, "A, B, C in 1..3. A != B. B != C."))
    told = (
        f"no technique finds more; 3 variables open; whether the puzzle has a solution is not known; stopped by {why}"
    )
    assert (ended.exit_code, ended.stdout.splitlines()[-1]) == (code, told)
