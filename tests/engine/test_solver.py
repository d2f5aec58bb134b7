"""Test propagation and search: counts, levels, limits, parts and repeated calls."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import csp
import dsl
from csp import LEVELS, AllDifferent, Equality, Model, ModelError, Settings, Solver, Stopped, Variable, record
from csp.trace import Recorder, Solved

from ..conftest import ROOT

EXAMPLES = ROOT / "examples"


def load_example(name: str, **options: object) -> Model:
    return dsl.load(EXAMPLES / f"{name}.csp", **options)  # type: ignore[arg-type]


def test_the_package_is_imported_from_this_tree() -> None:
    assert Path(csp.__file__).parent == ROOT / "csp"


def test_the_example_of_the_article_is_solved_without_a_search() -> None:
    model = load_example("shidoku")
    for level in ("arc", "singles"):
        fixpoint = csp.propagate(model, level)  # type: ignore[arg-type]
        assert fixpoint.solved
        values = "".join(str(domain[0]) for domain in fixpoint.domains.values())
        assert values == "3142423124131324"
    assert csp.count(model).value == 1


@pytest.mark.parametrize(
    ("name", "params", "grids", "count"),
    [
        ("sudoku", {"box": 2}, {"clue": ""}, 288),
        ("latin", {"n": 3}, {}, 12),
        ("latin", {"n": 4}, {}, 576),
        ("latin", {"n": 5}, {}, 161280),
        ("queens", {"n": 4}, {}, 2),
        ("queens", {"n": 6}, {}, 4),
        ("queens", {"n": 8}, {}, 92),
        ("australia", {}, {}, 18),
        ("money", {}, {}, 1),
        ("sudoku", {}, {}, 1),
    ],
)
def test_models_have_their_known_number_of_solutions(
    name: str, params: dict[str, csp.Value], grids: dict[str, str], count: int
) -> None:
    assert csp.count(load_example(name, params=params, grids=grids)) == csp.Count(count, complete=True)


def test_arc_and_singles_find_the_same_solutions() -> None:
    model = load_example("queens", params={"n": 6})
    by_arc, by_singles = (
        {tuple(solution.values()) for solution in Solver(model, level).solutions()} for level in ("arc", "singles")
    )
    assert by_arc == by_singles and len(by_arc) == 4


def test_a_second_search_finds_the_same_solutions_in_the_same_order() -> None:
    solver = Solver(load_example("latin"))
    first = list(solver.solutions())
    solver.solve({"cell(1,1)": 2})
    solver.count({"cell(2,2)": 3})
    assert list(solver.solutions()) == first
    assert list(Solver(load_example("latin")).solutions()) == first


def test_the_effort_of_a_hard_sudoku_does_not_grow() -> None:
    """Guard the speed: a higher counter must have a reason."""
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    solver = Solver(load_example("sudoku", grids={"clue": hard}))
    answers = solver.solutions()
    assert next(answers)["cell(1,2)"] == 1
    effort = answers.effort
    assert (effort.nodes, effort.sweeps, effort.fixes) <= (150, 468, 1194)


def test_givens_restrict_a_solve_and_wrong_givens_are_refused() -> None:
    solver = Solver(load_example("latin"))
    solution = solver.solve({"cell(1,1)": 4, "cell(2,2)": 4})
    assert solution is not None and solution["cell(1,1)"] == solution[Variable("cell", 2, 2)] == 4
    assert solver.solve({"cell(1,1)": 4, "cell(1,2)": 4}) is None
    with pytest.raises(ModelError, match=r"cell\(1,1\) is given 9, which is not one of 1, 2, 3, 4"):
        solver.solve({"cell(1,1)": 9})
    with pytest.raises(ModelError, match=r"unknown variable: cel\(1,1\)"):
        solver.solve({"cel(1,1)": 1})


def test_limits_stop_a_search_and_a_count() -> None:
    solver = Solver(load_example("latin", params={"n": 9}))
    with pytest.raises(Stopped, match="the limit of 3 nodes"):
        solver.solve(settings=Settings(nodes=3))
    answers = solver.solutions(settings=Settings(seconds=0))
    assert list(answers) == [] and answers.stopped == "the limit of 0 seconds" and not answers.complete
    count = solver.count(settings=Settings(nodes=500))
    assert not count.complete and count.stopped and 0 < count.value < 500
    assert solver.count(limit=2) == csp.Count(2, complete=False)
    assert Solver(load_example("shidoku")).count(limit=2) == csp.Count(1, complete=True)


def test_independent_parts_are_counted_separately_and_multiplied() -> None:
    parts = 12
    names = [[f"x({part},{i})" for i in range(4)] for part in range(parts)]
    model = Model({v: range(4) for part in names for v in part}, [AllDifferent.of(part) for part in names])
    count = csp.count(model)
    assert count.value == 24**parts and count.effort.nodes < 60 * parts
    first = list(zip(range(30), Solver(model).solutions(), strict=False))
    assert len({tuple(solution.values()) for _, solution in first}) == 30


def test_a_part_without_a_solution_ends_the_search() -> None:
    easy = [AllDifferent.of([f"x({i})" for i in range(9)])]
    pigeons = [Equality(Variable(a), Variable(b), equal=False) for a, b in ("AB", "BC", "AC")]
    domains = {f"x({i})": range(9) for i in range(9)} | {name: range(2) for name in "ABC"}
    answers = Solver(Model(domains, easy + pigeons)).solutions()
    assert list(answers) == [] and answers.complete and answers.effort.nodes < 50


def test_thousands_of_parts_are_solved_and_counted() -> None:
    model = Model({f"x({i})": (1, 2) for i in range(3000)})
    answers = Solver(model).solutions()
    first, second = next(answers), next(answers)
    assert len(first) == 3000 and sum(first[name] != second[name] for name in first) == 1
    assert csp.count(model).value == 2**3000


def test_a_part_is_searched_only_as_far_as_it_is_needed() -> None:
    parts = [[f"x({part},{i})" for i in range(8)] for part in range(2)]
    answers = Solver(Model({v: range(8) for part in parts for v in part}, map(AllDifferent.of, parts))).solutions()
    assert next(answers) != next(answers) and answers.effort.nodes < 50


def test_a_limit_of_time_stops_propagation() -> None:
    x, y = csp.Affine.variable("x"), csp.Affine.variable("y")
    loop = Model({"x": range(3000), "y": range(3000)}, [csp.Linear(x, "<", y), csp.Linear(y, "<", x)])
    answers = Solver(loop).solutions(settings=Settings(seconds=0))
    assert list(answers) == [] and answers.stopped and answers.effort.propagators == 0
    assert not Solver(loop).count(settings=Settings(seconds=0)).complete
    with pytest.raises(Stopped):
        Solver(loop).propagate(settings=Settings(seconds=0))


def test_a_false_constraint_without_variables_has_no_solution() -> None:
    false = csp.Linear(csp.Affine((), 1), "=", csp.Affine((), 2))
    for level in ("arc", "singles"):
        assert csp.solve(Model({"A": (1,)}, [false]), level) is None  # type: ignore[arg-type]


def test_propagation_fails_on_a_group_with_too_few_values() -> None:
    model = dsl.loads("A, B, C in 1..4.  all_different([A, B, C]).  A < 3.  B < 3.  C < 3.")
    assert not csp.propagate(model).holds and csp.count(model).value == 0


def test_restarts_lose_no_solution() -> None:
    """Check that restarts before the first solution still find each solution once."""
    answers = Solver(load_example("queens", params={"n": 8}), settings=Settings(restart_base=1)).solutions()
    solutions = {tuple(solution.values()) for solution in answers}
    assert len(solutions) == answers.effort.solutions == 92 and answers.effort.restarts > 0


def test_an_event_log_changes_no_solution_and_no_effort() -> None:
    clue = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    model = load_example("sudoku", grids={"clue": clue})
    plain = Solver(model).solutions()
    solution = next(plain)
    solver = Solver(model)
    recorder = Recorder(solver.program)
    logged = solver.solutions(log=recorder)
    assert next(logged) == solution and logged.effort == plain.effort
    assert isinstance(recorder.records[-1], Solved)


def test_a_wrong_model_is_refused() -> None:
    with pytest.raises(ModelError, match="the domain of A is empty"):
        Model({"A": ()})
    for values in ([1.5], [1, [2]], ([2],)):
        with pytest.raises(ModelError, match="neither an integer nor a symbol"):
            Model({"A": values})  # type: ignore[dict-item]
    with pytest.raises(ModelError, match="names B, which has no domain"):
        Model({"A": (1,)}, [AllDifferent.of("AB")])
    with pytest.raises(ModelError, match="A stands twice in all_different"):
        AllDifferent.of("ABA")
    with pytest.raises(ModelError, match="3 in all_different has no variable"):
        AllDifferent((csp.Affine((), 3),))
    with pytest.raises(ModelError, match="== is not one of = != < <= > >="):
        csp.Linear(csp.Affine.variable("A"), "==", csp.Affine())
    assert csp.count(Model({"A": (1, 2)}, [Equality("A", 2)])).value == 1  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="unknown variable: x"):
        Model({"A": (1,)}, show=["x"])
    assert Model({"A": (2, 1)}) == Model({"A": [1, 2]})
    assert not Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB")]).check({"A": 1, "B": 1})


def test_a_model_without_variables_has_one_solution() -> None:
    assert csp.count(Model({})).value == 1 and record(Model({})).records


def test_a_model_with_too_many_candidates_is_refused() -> None:
    with pytest.raises(csp.TooLarge, match="more than 100 candidates"):
        Solver(load_example("sudoku"), settings=Settings(max_bits=100))


def test_a_branch_too_deep_for_the_memory_is_stopped() -> None:
    pairs = [AllDifferent.of([f"x{i}", f"x{i + 1}"]) for i in range(0, 40, 2)]
    model = Model({f"x{i}": (1, 2) for i in range(40)}, pairs)
    bits = csp.Solver(model).program.layout.length
    answers = csp.Solver(
        model, settings=Settings(max_stack_bytes=16 * bits // 8, max_cache_bytes=0)
    ).solutions()  # no room for parts
    assert next(answers, None) is None and answers.stopped == "the memory that 17 decisions take"


@pytest.mark.parametrize("kind", ["latin", "sudoku"])
def test_a_bulk_pass_reaches_the_same_fixpoint_as_single_fixes(kind: str) -> None:
    """Compare unlogged runs, which may fix in bulk, with a logged run."""
    n, box = (22, 1) if kind == "latin" else (25, 5)
    solver = Solver(load_example(kind, params={"n": n} if kind == "latin" else {"box": box}, grids={"clue": ""}))
    solution = {
        f"cell({r + 1},{c + 1})": ((r if box == 1 else r * box + r // box) + c) % n + 1
        for r in range(n)
        for c in range(n)
    }
    assert solver.model.check(solution)
    holding = 0
    for seed in range(12):
        rng = random.Random(seed)
        givens = {
            name: solution[name]
            for name in rng.sample(sorted(solution), rng.choice([n * n // 4, n * n // 2, 3 * n * n // 4]))
        }
        for name in rng.sample(sorted(givens), seed % 4):
            givens[name] = rng.randint(1, n)  # often wrong, in one way or in several
        # Propagate three times, as later runs can use caches.
        unlogged_solver = Solver(solver.model)
        fixpoints = [unlogged_solver.propagate(givens) for _ in range(3)]
        logged = solver.propagate(givens, log=[])
        assert all((fixpoint.holds, fixpoint.domains) == (logged.holds, logged.domains) for fixpoint in fixpoints), seed
        assert all(fixpoint.effort.fixes == logged.effort.fixes for fixpoint in fixpoints), seed
        holding += logged.holds
    assert 3 <= holding <= 9


def test_two_values_that_need_the_same_cell_are_a_conflict() -> None:
    """Check many conflicts in one sweep, with and without a cached mask."""
    n = 22
    model = load_example("latin", params={"n": n}, grids={"clue": ""})
    removed = []
    for place in (1, 2, 3):  # the only place of one value in its row, and of another in its column
        removed += [(f"cell({place},{c})", place) for c in range(1, n + 1) if c != place]
        removed += [(f"cell({r},{place})", place + 10) for r in range(1, n + 1) if r != place]
    solver = Solver(model)
    for _ in range(3):
        assert not solver.session().removing(removed).holds
    solver_with_mask = Solver(model)
    for _ in range(2):
        solver_with_mask.propagate({"cell(1,1)": 1}, log=[])  # a log makes the mask; the second run keeps it
    for _ in range(3):
        assert not solver_with_mask.session().removing(removed[: 2 * (n - 1)] + removed[4 * (n - 1) - 1 :]).holds


def test_the_rest_of_a_large_square_is_solved_as_a_small_model() -> None:
    """Compare the solutions with a logged search of the whole square."""
    n = 22
    solver = Solver(load_example("latin", params={"n": n}, grids={"clue": ""}))
    several = 0
    for seed in range(4):
        rng = random.Random(seed)
        square = {f"cell({r + 1},{c + 1})": (r + c) % n + 1 for r in range(n) for c in range(n)}
        rows, cols = ((k, k + n // 2) for k in rng.sample(range(n // 2), 2))
        crossing = {f"cell({r + 1},{c + 1})" for r in rows for c in cols}  # can be filled in two ways
        blank = crossing | {*rng.sample(sorted(square), 60 + 30 * seed)}
        givens = {name: value for name, value in square.items() if name not in blank}
        logged = list(solver.solutions(givens, log=[]))
        solutions = list(solver.solutions(givens))
        key = lambda solution: tuple(solution.values())  # noqa: E731
        assert sorted(map(key, logged)) == sorted(map(key, solutions)), seed
        assert all(solver.model.check(solution) and list(solution) == list(logged[0]) for solution in solutions)
        assert solver.count(givens).value == len(solutions)
        several += len(solutions) > 1
    assert several == 4


def test_little_memory_changes_no_answer() -> None:
    """Check that caches are bounded and change no answer."""
    for name in ("sudoku", "killer", "zebra", "kakuro", "skyscrapers"):
        model = load_example(name)
        tight = Solver(model, settings=Settings(max_cache_bytes=20_000))
        assert tight.solve() == csp.solve(model)
        assert tight.program.memory.used <= 20_000 + tight.program.layout.length


@pytest.fixture(scope="module")
def other_process() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("name", ["shidoku", "money", "killer", "zebra", "skyscrapers", "all_interval"])
def test_a_model_pickles_to_the_same_bytes_after_it_was_solved(name: str, other_process: ProcessPoolExecutor) -> None:
    model = load_example(name)
    before = pickle.dumps(model)
    answers = []
    for level in LEVELS:
        solver = Solver(model, level)
        answers.append((solver.solve(), solver.count(limit=3).value, list(record(model, level).captions())))
        assert pickle.loads(pickle.dumps(solver)).solve() == answers[-1][0]
    assert pickle.dumps(model) == before and pickle.loads(before) == model
    assert other_process.submit(answer_at_all_levels, model).result() == answers


def answer_at_all_levels(model: Model) -> list[tuple[object, int, list[str]]]:
    return [
        (csp.solve(model, level), Solver(model, level).count(limit=3).value, list(record(model, level).captions()))
        for level in LEVELS
    ]


def test_a_variable_equals_its_name() -> None:
    by_name = Model({"x(1,1)": (1, 2), "y": (1, 2)}, [AllDifferent.of(["x(1,1)", "y"])])
    by_variable = Model(
        {Variable("x", 1, 1): (1, 2), Variable("y"): (1, 2)}, [AllDifferent.of([Variable("x", 1, 1), "y"])]
    )
    assert by_name == by_variable and hash(by_name) == hash(by_variable)
    assert [(v.family, v.indices) for v in by_name.domains] == [("x", (1, 1)), ("y", ())]


def test_a_limit_of_a_call_does_not_apply_to_the_next_call() -> None:
    solver = Solver(load_example("latin", params={"n": 7}), settings=Settings(nodes=2))
    with pytest.raises(Stopped):
        solver.solve()
    assert solver.solve(settings=Settings(nodes=10_000)) is not None


def test_a_progress_callback_gets_the_effort_and_can_stop_the_search() -> None:
    nodes = []

    def progress(effort: csp.Effort) -> None:
        nodes.append(effort.nodes)
        if effort.nodes > 5:
            raise Stopped("enough")

    answers = Solver(load_example("latin", params={"n": 7})).solutions(progress=progress)
    assert len(list(answers)) <= 1 and answers.stopped == "enough" and nodes == sorted(nodes)
