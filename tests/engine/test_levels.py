"""Tests that each consistency level removes all that weaker levels remove."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp import (
    LEVELS,
    Affine,
    AllDifferent,
    Constraint,
    Level,
    Model,
    ModelError,
    Settings,
    Solver,
    Variable,
    tight_sets,
)
from csp.engine.settings import MAX_LIMIT, MAX_LIMITS, MIN_LIMITS, Way
from csp.trace import Failure, Removal

from ..commands import HARD, run, spec
from ..conftest import ROOT, TIMES
from ..makers import MAKERS, NAMES
from ..oracle import every_solution

EXAMPLES = [path.stem for path in sorted((ROOT / "examples").glob("*.csp"))]


CROWDED_NAMES = [*NAMES, Variable("E")]


def make_random_group(rng: random.Random) -> AllDifferent:
    names = rng.sample(CROWDED_NAMES, rng.randint(2, 5))
    if rng.random() < 0.5:
        return AllDifferent.of(names)
    return AllDifferent(tuple(Affine.variable(name) + rng.randint(0, 2) for name in names))


def make_crowded_domains(rng: random.Random) -> dict[Variable, list[int]]:
    """Return domains so small that a group has hardly any solution."""
    return {name: rng.sample(range(6), rng.choice([1, 2, 2, 2, 3, 4])) for name in CROWDED_NAMES}


def test_level_domain_keeps_exactly_the_values_with_a_support() -> None:
    rng = random.Random(1994)
    removed_count = failed_count = 0
    for _ in range(300 * TIMES):
        constraint = make_random_group(rng)
        model = Model(make_crowded_domains(rng), [constraint])
        solutions = list(every_solution(model))
        fixpoint = csp.propagate(model, "domain")
        assert fixpoint.holds == bool(solutions), model
        if not solutions:
            failed_count += 1
            continue
        for variable, domain in fixpoint.domains.items():
            assert set(domain) == {solution[variable] for solution in solutions}, (model, variable)
        removed_count += fixpoint.domains != csp.propagate(model, "singles").domains
    assert removed_count > 8 and failed_count > 10


def test_level_bounds_keeps_ends_with_a_support_between_the_bounds() -> None:
    """Check each least and greatest value for a support.

    In the support the other variables take any value between their own bounds.
    """
    rng = random.Random(2003)
    removed_count = incomplete_count = failed_count = 0
    for _ in range(200 * TIMES):
        spread = {name: range(low := rng.randint(0, 3), low + rng.randint(2, 4)) for name in CROWDED_NAMES}
        large_group = AllDifferent.of(rng.sample(CROWDED_NAMES, min(5, len(CROWDED_NAMES))))
        model = Model(
            make_crowded_domains(rng) if rng.random() < 0.3 else spread,
            [large_group if rng.random() < 0.6 else make_random_group(rng)],
        )
        solutions = list(every_solution(model))
        fixpoint, weaker, stronger = (csp.propagate(model, level) for level in ("bounds", "singles", "domain"))  # type: ignore[arg-type]
        assert fixpoint.holds or not solutions, model
        if not fixpoint.holds:
            failed_count += 1
            continue
        for variable, domain in fixpoint.domains.items():
            assert {solution[variable] for solution in solutions} <= set(domain) <= set(weaker.domains[variable])
            assert not stronger.holds or set(stronger.domains[variable]) <= set(domain)
            for end in (domain[0], domain[-1]):
                intervals = {
                    name: range(min(map(int, values)), max(map(int, values)) + 1) if name != variable else (end,)
                    for name, values in fixpoint.domains.items()
                }
                support = next(every_solution(Model(intervals, model.constraints)), None)
                assert support is not None, (model, variable, end)
        removed_count += fixpoint.domains != weaker.domains
        incomplete_count += stronger.domains != fixpoint.domains
    assert removed_count > 7 and incomplete_count > 1 and failed_count > 7


def test_a_removal_by_bounds_is_explained_in_a_sentence() -> None:
    model = Model({"A": (2, 3), "B": (2, 3), "C": (1, 2, 3, 4), "D": (3, 4, 5, 6)}, [AllDifferent.of("ABCD")])
    (caption,) = read_step_captions(model, "bounds")
    assert caption.startswith("step 1 · all_different([A, B, C, D]): A, B have only 2, 3, which removes 3 from D")
    assert csp.propagate(model, "bounds").domains == {"A": (2, 3), "B": (2, 3), "C": (1, 2, 3, 4), "D": (4, 5, 6)}
    assert csp.propagate(model, "domain").domains["C"] == (1, 4)


def test_a_variable_can_occur_in_two_elements() -> None:
    x, y = Affine.variable("x"), Affine.variable("y")
    rule = AllDifferent((2 * x, x + 1, y))
    assert csp.propagate(Model({"x": (1, 2), "y": (2, 3, 4, 5)}, [rule]), "domain").domains == {"x": (2,), "y": (2, 5)}
    for level in LEVELS:
        for domains in ({"x": (1, 2), "y": (2, 3, 4)}, {"x": (1,), "y": (2, 3)}):
            model = Model(domains, [rule])
            assert list(Solver(model, level).solutions()) == list(every_solution(model))
        alone = Model({"x": (1, 2)}, [AllDifferent((2 * x, x + 1))])
        assert csp.propagate(alone, level).domains == {"x": (2,)}


def test_matching_handles_a_long_chain() -> None:
    count = 3000  # one path through all of it: as deep as a matching can be
    images = [(i, i + 1) for i in range(count - 1)] + [(0,)]
    assert sum(len(values) for _, values in tight_sets(images)) == count


def check_levels_are_nested(model: Model, removal_counts: list[int] | None = None) -> None:
    """Check that stronger levels remove more; add the removals of each level."""
    fixpoints = [csp.propagate(model, level) for level in LEVELS]
    for weak, strong in pairwise(fixpoints):
        assert weak.holds or not strong.holds
        if strong.holds:
            for variable, domain in strong.domains.items():
                assert set(domain) <= set(weak.domains[variable]), (model, variable)
    if removal_counts is not None and fixpoints[-1].holds:
        for number, fixpoint in enumerate(fixpoints):
            removal_counts[number] += sum(len(model.domains[v]) - len(domain) for v, domain in fixpoint.domains.items())


def test_every_level_removes_all_values_that_the_weaker_level_removes() -> None:
    rng = random.Random(7)
    removal_counts = [0] * len(LEVELS)
    for _ in range(150 * TIMES):
        constraints: list[Constraint] = [
            rng.choice([make_random_group, *MAKERS.values()])(rng) for _ in range(rng.randint(0, 3))
        ]
        check_levels_are_nested(
            Model(make_crowded_domains(rng), [make_random_group(rng), *constraints]), removal_counts
        )
    assert all(weak < strong for weak, strong in pairwise(removal_counts))


@pytest.mark.sampled
@pytest.mark.parametrize("name", EXAMPLES)
def test_levels_are_nested_in_the_examples(name: str) -> None:
    check_levels_are_nested(dsl.load(ROOT / "examples" / f"{name}.csp"))


@pytest.mark.parametrize("params", [{"n": 4}, {"n": 5}, {"n": 6}])
def test_every_level_finds_the_same_solutions(params: dict[str, csp.Value]) -> None:
    model = dsl.load(ROOT / "examples" / "queens.csp", params)
    answers = [{tuple(solution.values()) for solution in Solver(model, level).solutions()} for level in LEVELS]
    assert answers[0] == answers[1] == answers[2] != set()


def test_only_level_domain_runs_the_matching() -> None:
    model = dsl.load(ROOT / "examples" / "sudoku.csp", grids={"clue": HARD})
    calls = [csp.propagate(model, level).effort.propagators for level in LEVELS]
    assert calls[:2] == [0, 0] and calls[2] >= 27
    assert csp.propagate(model, "domain").solved and not csp.propagate(model, "singles").solved


def read_step_captions(model: Model, level: Level = "domain") -> list[str]:
    """Return the captions of the steps of a trace."""
    return [line for line in csp.record(model, level).captions() if line.startswith("step")]


def test_a_removal_by_matching_names_its_causing_variables() -> None:
    row = AllDifferent.of("ABCDE", label="row", line=3)
    domains = {"A": (1, 2), "B": (1, 2), "C": (2, 3), "D": (3, 4, 5), "E": (1, 4, 5)}
    assert read_step_captions(Model(domains, [row])) == [
        "step 1 · row (line 3): A, B have only 1, 2, which removes 2 from C; 1 from E · marked 2",
        "step 1 · row (line 3): C = 3 removes 3 from D · marked 3",
    ]
    removal = next(event for event in csp.record(Model(domains, [row]), "domain").records if isinstance(event, Removal))
    assert removal.kind == "filtered" and removal.constraint == row
    assert removal.cause == (("A", 1), ("A", 2), ("B", 1), ("B", 2))


def test_a_failure_names_the_variables_with_too_few_values() -> None:
    domains = {"A": (1, 2), "B": (1, 2), "C": (1, 2), "D": (1, 2, 3, 4, 5)}
    trace = csp.record(Model(domains, [AllDifferent.of("ABCD", label="row")]), "domain")
    assert list(trace.captions()) == [
        "failure · row cannot hold: A, B, C have only 1, 2",
    ]
    assert isinstance(trace.records[-1], Failure)


def test_expressions_are_matched_by_their_values() -> None:
    queens = AllDifferent(tuple(Affine.variable(f"q({i})") + i for i in range(1, 4)), label="up")
    model = Model({"q(1)": (1, 2), "q(2)": (0, 1), "q(3)": (0, 1, 2)}, [queens])
    (caption,) = read_step_captions(model)
    assert caption == "step 1 · up: q(1) has only 1, 2, q(2) has only 0, 1, which removes 0 from q(3) · marked 1"


@pytest.fixture
def clues(tmp_path: Path) -> str:
    path = tmp_path / "clues.txt"
    path.write_text(HARD)
    return f"clue={path}"


def test_levels_are_compared_in_a_table(clues: str) -> None:
    result = run("levels", ROOT / "examples" / "sudoku.csp", "--grid", clues)
    assert result.exit_code == 0
    header, *rows = [line.strip().split(None, 6) for line in result.stdout.splitlines()]
    assert header == ["level", "removed", "rounds", "propagators", "left", "unfixed", "search"]
    assert [row[0] for row in rows] == list(LEVELS)
    assert rows[-1][6] == "not needed" and rows[-1][1] == "648" and rows[-1][4:6] == ["81", "0"]
    assert rows[0][6].endswith("nodes") and int(rows[0][1]) < int(rows[1][1]) < 648


def test_levels_are_printed_as_json(clues: str, tmp_path: Path) -> None:
    arguments = ["levels", ROOT / "examples" / "sudoku.csp", "--grid", clues, "--json"]
    rows = [json.loads(line) for line in run(*arguments).stdout.splitlines()]
    assert [row["level"] for row in rows] == list(LEVELS)
    assert all(row["removed"] + row["left"] == 729 and row["answer"] == "solution" for row in rows)
    assert [row["search"] for row in rows] == [True, True, True, False] and rows[-1]["nodes"] == 1 < rows[1]["nodes"]
    lines = run("levels", ROOT / "examples" / "sudoku_x.csp", "--json").stdout.splitlines()
    nodes = [json.loads(line)["nodes"] for line in lines]
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    assert (
        f"`examples/sudoku_x.csp`: {nodes[1]} by `singles`, {nodes[3]} by" in " ".join(page.split())
        and nodes[1] < nodes[3]
    )
    (stopped, *_) = [json.loads(line) for line in run(*arguments, "--nodes", 2).stdout.splitlines()]
    assert stopped["answer"] == "unknown" and stopped["search"] and stopped["nodes"] == 2
    ring = "all_different([A, B]). all_different([B, C]). all_different([C, D]). all_different([D, E]). A != E."
    unsolvable = spec(tmp_path, f"A, B, C, D, E in 1..2. {ring}")
    answers = [json.loads(line) for line in run("levels", unsolvable, "--json").stdout.splitlines()]
    assert {row["answer"] for row in answers} == {"no solution"} and answers[0]["search"]


def test_levels_are_compared_in_a_picture(clues: str, tmp_path: Path) -> None:
    arguments = ["levels", ROOT / "examples" / "sudoku.csp", "--grid", clues, "--out"]
    assert run(*arguments, tmp_path / "levels.svg").exit_code == 0
    picture = ET.parse(tmp_path / "levels.svg").getroot()
    titles = [
        (element.text or "", float(element.get("x", "")))
        for element in picture.iter()
        if " · removes " in (element.text or "")
    ]
    assert [title.split()[0] for title, _ in titles] == [*LEVELS]
    assert titles == sorted(titles, key=lambda title: title[1]) and "arc · removes 411" in titles[0][0]
    assert "domain · removes 210 more than bounds · 0 unfixed" in titles[-1][0]
    assert not [element for element in picture.iter() if "id" in element.attrib]
    assert run(*arguments, tmp_path / "levels.dot").exit_code == 0
    assert (tmp_path / "levels.dot").read_text(encoding="utf-8").count("\ngraph ") == len(LEVELS)


def test_auxiliary_variables_are_not_counted(tmp_path: Path) -> None:
    path = spec(tmp_path, "x(I) in 1..4 :- I in 1..4. all_different(x(I + 1) - x(I) : I in 1..3). x(1) = 1.")
    rows = [json.loads(line) for line in run("levels", path, "--json", "--out", tmp_path / "x.dot").stdout.splitlines()]
    assert [row["removed"] + row["left"] for row in rows] == [16] * len(LEVELS)
    output = run("diff", path, "--level", "arc", "--level", "domain").stdout
    assert "x(2) - x(1)" not in output and (tmp_path / "x.dot").exists()
    assert run("trace", path, "--json").exit_code == 0


def test_levels_refuses_other_picture_formats(tmp_path: Path) -> None:
    result = run("levels", ROOT / "examples" / "shidoku.csp", "--out", tmp_path / "levels.png")
    assert result.exit_code == 2 and "levels.png: this command writes .svg .dot .gv" in result.stderr
    missing = run("levels", ROOT / "examples" / "shidoku.csp", "--out", tmp_path / "no" / "levels.dot")
    assert missing.exit_code == 2 and missing.stderr.endswith("levels.dot: No such file or directory\n")
    assert not list(tmp_path.iterdir())


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="level is one of arc, singles, bounds, domain, not full"):
        Solver(Model({Variable("A"): (1,)}), "full")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rows is at least 1"):
        Settings(max_rows=0)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("restart_base", 2**32 + 1, "restart_base is at most 4,294,967,295, not 4,294,967,297"),
        ("restart_base", 0, "restart_base is at least 1, not 0"),
        ("nodes", -1, "nodes is at least 0, not -1"),
        ("nodes", 2.5, "nodes is an integer, not 2.5"),
        ("nodes", True, "nodes is an integer, not True"),
        *[(name, None, f"{name} is an integer, not None") for name in MIN_LIMITS if name != "nodes"],
        ("patience", -5, "patience is at least 0, not -5"),
        ("threads", 0, "threads is at least 1, not 0"),
        ("threads", 65, "threads is at most 64, not 65"),
        ("max_stack_bytes", 2**61, "max_stack_bytes is at most"),
        ("max_cache_bytes", "much", "max_cache_bytes is an integer, not 'much'"),
        ("seed", "x", "seed is an integer, not 'x'"),
        ("timeout", "5", "seconds is a number that is at least 0, not '5'"),
        ("seed", True, "seed is an integer, not True"),
        ("timeout", True, "seconds is a number that is at least 0, not True"),
        ("timeout", -1, "seconds is a number that is at least 0, not -1"),
        ("timeout", float("nan"), "seconds is a number that is at least 0, not nan"),
    ],
)
def test_a_limit_out_of_range_or_of_another_type_is_refused(name: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Solver(Model({Variable("A"): (1, 2)}), **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("first", None, "None is not a list of variables"),
        ("first", "A", "'A' is not a list of variables"),
        ("branch", 5, "5 is not a list of candidates"),
        ("branch", [("A", 1.0)], "1.0 is neither an integer nor a symbol; the integer is 1"),
    ],
)
def test_invalid_branching_settings_are_refused_at_once(name: str, value: object, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Settings(**{name: value})  # type: ignore[arg-type]


def test_a_float_is_refused_as_a_given() -> None:
    """Refuse a float at each method, also if it equals a value.

    Truth values are accepted as integers.
    """
    solver = Solver(Model({Variable("A"): (1, 2)}))
    session = solver.session()
    float_given: Any = {"A": 1.0}
    questions = (solver.solve, solver.solutions, solver.count, solver.propagate, solver.estimate, session.given)
    for question in (*questions, lambda given: session.removing(given.items())):
        with pytest.raises(ModelError, match=r"1\.0 is neither an integer nor a symbol; the integer is 1"):
            question(float_given)
    assert solver.solve({"A": True}) == solver.solve({"A": 1}) == {"A": 1}
    with pytest.raises(ValueError, match="seed is an integer, not 'x'"):
        solver.estimate(seed="x")  # type: ignore[arg-type]


def test_the_limit_of_a_count_is_a_nonnegative_integer() -> None:
    solver = Solver(Model({Variable("A"): (1, 2)}))
    assert [solver.count(limit=limit).value for limit in (0, 1, 3)] == [0, 1, 2]
    for limit, message in ((-1, "limit is at least 0, not -1"), ("2", "limit is an integer, not '2'")):
        with pytest.raises(ValueError, match=message):
            solver.count(limit=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("search", ["tree", "learn"])
def test_the_greatest_limits_are_accepted(search: Way) -> None:
    limits = {name: MAX_LIMITS.get(name, MAX_LIMIT) for name in MIN_LIMITS if name != "threads"}
    solver = Solver(Model({Variable(name): (1, 2, 3) for name in "ABC"}), search=search, **limits)  # type: ignore[arg-type]
    assert len(list(solver.solutions())) == 27
