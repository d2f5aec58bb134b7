"""Propagation and search: counts, levels, limits, parts, and the promise that asking changes nothing."""

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

from .conftest import ROOT

EXAMPLES = ROOT / "examples"


def load(name: str, **options: object) -> Model:
    return dsl.load(EXAMPLES / f"{name}.csp", **options)  # type: ignore[arg-type]


def test_the_package_is_ours() -> None:
    assert Path(csp.__file__).parent == ROOT / "csp"


def test_the_article() -> None:
    model = load("shidoku")
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
def test_known_counts(name: str, params: dict[str, csp.Value], grids: dict[str, str], count: int) -> None:
    assert csp.count(load(name, params=params, grids=grids)) == csp.Count(count, complete=True)


def test_arc_and_singles_find_the_same_solutions() -> None:
    model = load("queens", params={"n": 6})
    one, other = (
        {tuple(solution.values()) for solution in Solver(model, level).solutions()} for level in ("arc", "singles")
    )
    assert one == other and len(one) == 4


def test_asking_again_gives_the_same_answers_in_the_same_order() -> None:
    solver = Solver(load("latin"))
    first = list(solver.solutions())
    solver.solve({"cell(1,1)": 2})
    solver.count({"cell(2,2)": 3})
    assert list(solver.solutions()) == first
    assert list(Solver(load("latin")).solutions()) == first


def test_effort_does_not_grow() -> None:
    """Counters guard the speed: a change that makes one grow should know why."""
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    solver = Solver(load("sudoku", grids={"clue": hard}))
    answers = solver.solutions()
    assert next(answers)["cell(1,2)"] == 1
    effort = answers.effort
    assert (effort.nodes, effort.sweeps, effort.fixes) <= (150, 468, 1194)


def test_givens_from_outside() -> None:
    solver = Solver(load("latin"))
    solution = solver.solve({"cell(1,1)": 4, "cell(2,2)": 4})
    assert solution is not None and solution["cell(1,1)"] == solution[Variable("cell", 2, 2)] == 4
    assert solver.solve({"cell(1,1)": 4, "cell(1,2)": 4}) is None
    with pytest.raises(ModelError, match=r"cell\(1,1\) is given 9, which is not one of 1, 2, 3, 4"):
        solver.solve({"cell(1,1)": 9})
    with pytest.raises(ModelError, match=r"there is no variable cel\(1,1\)"):
        solver.solve({"cel(1,1)": 1})


def test_limits() -> None:
    solver = Solver(load("latin", params={"n": 9}))
    with pytest.raises(Stopped, match="the limit of 3 nodes"):
        solver.solve(settings=Settings(nodes=3))
    answers = solver.solutions(settings=Settings(seconds=0))
    assert list(answers) == [] and answers.stopped == "the limit of 0 seconds" and not answers.complete
    count = solver.count(settings=Settings(nodes=500))
    assert not count.complete and count.stopped and 0 < count.value < 500
    assert solver.count(limit=2) == csp.Count(2, complete=False)
    assert Solver(load("shidoku")).count(limit=2) == csp.Count(1, complete=True)


def test_independent_parts_are_multiplied_not_searched_together() -> None:
    parts = 12
    names = [[f"x({part},{i})" for i in range(4)] for part in range(parts)]
    model = Model({v: range(4) for part in names for v in part}, [AllDifferent.of(part) for part in names])
    count = csp.count(model)
    assert count.value == 24**parts and count.effort.nodes < 60 * parts
    first = list(zip(range(30), Solver(model).solutions(), strict=False))
    assert len({tuple(solution.values()) for _, solution in first}) == 30


def test_a_part_without_solution_ends_the_whole() -> None:
    easy = [AllDifferent.of([f"x({i})" for i in range(9)])]
    pigeons = [Equality(Variable(a), Variable(b), equal=False) for a, b in ("AB", "BC", "AC")]
    domains = {f"x({i})": range(9) for i in range(9)} | {name: range(2) for name in "ABC"}
    answers = Solver(Model(domains, easy + pigeons)).solutions()
    assert list(answers) == [] and answers.complete and answers.effort.nodes < 50


def test_thousands_of_parts() -> None:
    model = Model({f"x({i})": (1, 2) for i in range(3000)})
    answers = Solver(model).solutions()
    first, second = next(answers), next(answers)
    assert len(first) == 3000 and sum(first[name] != second[name] for name in first) == 1
    assert csp.count(model).value == 2**3000


def test_a_part_is_searched_only_as_far_as_it_is_needed() -> None:
    parts = [[f"x({part},{i})" for i in range(8)] for part in range(2)]
    answers = Solver(Model({v: range(8) for part in parts for v in part}, map(AllDifferent.of, parts))).solutions()
    assert next(answers) != next(answers) and answers.effort.nodes < 50


def test_a_limit_reaches_into_propagation() -> None:
    x, y = csp.Affine.variable("x"), csp.Affine.variable("y")
    loop = Model({"x": range(3000), "y": range(3000)}, [csp.Linear(x, "<", y), csp.Linear(y, "<", x)])
    answers = Solver(loop).solutions(settings=Settings(seconds=0))
    assert list(answers) == [] and answers.stopped and answers.effort.propagators == 0
    assert not Solver(loop).count(settings=Settings(seconds=0)).complete
    with pytest.raises(Stopped):
        Solver(loop).propagate(settings=Settings(seconds=0))


def test_a_constraint_without_variables_counts() -> None:
    never = csp.Linear(csp.Affine((), 1), "=", csp.Affine((), 2))
    for level in ("arc", "singles"):
        assert csp.solve(Model({"A": (1,)}, [never]), level) is None  # type: ignore[arg-type]


def test_a_group_without_room_for_its_variables_is_seen_at_the_fixpoint() -> None:
    model = dsl.loads("A, B, C in 1..4.  all_different([A, B, C]).  A < 3.  B < 3.  C < 3.")
    assert not csp.propagate(model).holds and csp.count(model).value == 0


def test_restarts_lose_nothing() -> None:
    """A search with restarts before its first solution still finds every solution once."""
    answers = Solver(load("queens", params={"n": 8}), settings=Settings(restart_base=1)).solutions()
    found = {tuple(solution.values()) for solution in answers}
    assert len(found) == answers.effort.solutions == 92 and answers.effort.restarts > 0


def test_a_trail_changes_nothing() -> None:
    clue = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    model = load("sudoku", grids={"clue": clue})
    plain = Solver(model).solutions()
    solution = next(plain)
    solver = Solver(model)
    recorder = Recorder(solver.program)
    watched = solver.solutions(log=recorder)
    assert next(watched) == solution and watched.effort == plain.effort
    assert isinstance(recorder.records[-1], Solved)


def test_a_model_is_checked() -> None:
    with pytest.raises(ModelError, match="the domain of A is empty"):
        Model({"A": ()})
    for wrong in ([1.5], [1, [2]], ([2],)):
        with pytest.raises(ModelError, match="neither an integer nor a symbol"):
            Model({"A": wrong})  # type: ignore[dict-item]
    with pytest.raises(ModelError, match="names B, which has no domain"):
        Model({"A": (1,)}, [AllDifferent.of("AB")])
    with pytest.raises(ModelError, match="A stands twice in all_different"):
        AllDifferent.of("ABA")
    with pytest.raises(ModelError, match="3 in all_different has no variable"):
        AllDifferent((csp.Affine((), 3),))
    with pytest.raises(ModelError, match="== is not one of = != < <= > >="):
        csp.Linear(csp.Affine.variable("A"), "==", csp.Affine())
    assert csp.count(Model({"A": (1, 2)}, [Equality("A", 2)])).value == 1  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="there is no variable x"):
        Model({"A": (1,)}, show=["x"])
    assert Model({"A": (2, 1)}) == Model({"A": [1, 2]})
    assert not Model({"A": (1, 2), "B": (1, 2)}, [AllDifferent.of("AB")]).check({"A": 1, "B": 1})


def test_a_model_without_variables_has_one_solution() -> None:
    assert csp.count(Model({})).value == 1 and record(Model({})).records


def test_too_large_is_said() -> None:
    with pytest.raises(csp.TooLarge, match="more than 100 candidates"):
        Solver(load("sudoku"), settings=Settings(max_bits=100))


def test_a_branch_too_deep_for_the_memory_is_stopped() -> None:
    pairs = [AllDifferent.of([f"x{i}", f"x{i + 1}"]) for i in range(0, 40, 2)]
    model = Model({f"x{i}": (1, 2) for i in range(40)}, pairs)
    bits = csp.Solver(model).program.layout.length
    answers = csp.Solver(
        model, settings=Settings(max_stack_bytes=16 * bits // 8, max_cache_bytes=0)
    ).solutions()  # no room for parts
    assert next(answers, None) is None and answers.stopped == "the memory that 17 decisions take"


@pytest.mark.parametrize("kind", ["latin", "sudoku"])
def test_a_large_first_pass_comes_to_what_is_seen_fix_by_fix(kind: str) -> None:
    """Whoever watches sees each fix; without, what follows at once is found in another way where that is less work."""
    n, box = (22, 1) if kind == "latin" else (25, 5)
    solver = Solver(load(kind, params={"n": n} if kind == "latin" else {"box": box}, grids={"clue": ""}))
    solution = {
        f"cell({r + 1},{c + 1})": ((r if box == 1 else r * box + r // box) + c) % n + 1
        for r in range(n)
        for c in range(n)
    }
    assert solver.model.check(solution)
    held = 0
    for seed in range(12):
        rng = random.Random(seed)
        givens = {
            name: solution[name]
            for name in rng.sample(sorted(solution), rng.choice([n * n // 4, n * n // 2, 3 * n * n // 4]))
        }
        for name in rng.sample(sorted(givens), seed % 4):
            givens[name] = rng.randint(1, n)  # often wrong, in one way or in several
        fresh = Solver(solver.model)
        alone = [fresh.propagate(givens) for _ in range(3)]
        watched = solver.propagate(givens, log=[])
        assert all((one.holds, one.domains) == (watched.holds, watched.domains) for one in alone), seed
        assert all(one.effort.fixes == watched.effort.fixes for one in alone), seed
        held += watched.holds
    assert 3 <= held <= 9


def test_two_values_with_no_other_place_than_one_variable_are_a_conflict() -> None:
    """Also where both are found in one sweep with many others, and whether or not a mask is known of them."""
    n = 22
    model = load("latin", params={"n": n}, grids={"clue": ""})
    gone = []
    for place in (1, 2, 3):  # the only place of one value in its row, and of another in its column
        gone += [(f"cell({place},{c})", place) for c in range(1, n + 1) if c != place]
        gone += [(f"cell({r},{place})", place + 10) for r in range(1, n + 1) if r != place]
    solver = Solver(model)
    for _ in range(3):
        assert not solver.session().removing(gone).holds
    known = Solver(model)
    for _ in range(2):
        known.propagate({"cell(1,1)": 1}, log=[])  # whoever watches makes a mask, which is kept the second time
    for _ in range(3):
        assert not known.session().removing(gone[: 2 * (n - 1)] + gone[4 * (n - 1) - 1 :]).holds


def test_what_is_left_of_a_large_square_is_solved_as_a_small_one() -> None:
    """Whoever watches sees the search of the whole; both find the same solutions."""
    n = 22
    solver = Solver(load("latin", params={"n": n}, grids={"clue": ""}))
    several = 0
    for seed in range(4):
        rng = random.Random(seed)
        whole = {f"cell({r + 1},{c + 1})": (r + c) % n + 1 for r in range(n) for c in range(n)}
        rows, cols = ((k, k + n // 2) for k in rng.sample(range(n // 2), 2))
        crossing = {f"cell({r + 1},{c + 1})" for r in rows for c in cols}  # can be told in two ways
        blank = crossing | {*rng.sample(sorted(whole), 60 + 30 * seed)}
        givens = {name: value for name, value in whole.items() if name not in blank}
        watched = list(solver.solutions(givens, log=[]))
        found = list(solver.solutions(givens))
        key = lambda one: tuple(one.values())  # noqa: E731
        assert sorted(map(key, watched)) == sorted(map(key, found)), seed
        assert all(solver.model.check(one) and list(one) == list(watched[0]) for one in found)
        assert solver.count(givens).value == len(found)
        several += len(found) > 1
    assert several == 4


def test_little_memory_changes_no_answer() -> None:
    """What is kept to be faster is bounded, and nothing but speed depends on it."""
    for name in ("sudoku", "killer", "zebra", "kakuro", "skyscrapers"):
        model = load(name)
        tight = Solver(model, settings=Settings(max_cache_bytes=20_000))
        assert tight.solve() == csp.solve(model)
        assert tight.program.memory.used <= 20_000 + tight.program.layout.length


@pytest.fixture(scope="module")
def other_process() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("name", ["shidoku", "money", "killer", "zebra", "skyscrapers", "all_interval"])
def test_a_model_pickles_whatever_it_was_asked(name: str, other_process: ProcessPoolExecutor) -> None:
    model = load(name)
    before = pickle.dumps(model)
    answers = []
    for level in LEVELS:
        solver = Solver(model, level)
        answers.append((solver.solve(), solver.count(limit=3).value, list(record(model, level).captions())))
        assert pickle.loads(pickle.dumps(solver)).solve() == answers[-1][0]
    assert pickle.dumps(model) == before and pickle.loads(before) == model
    assert other_process.submit(ask_everything, model).result() == answers


def ask_everything(model: Model) -> list[tuple[object, int, list[str]]]:
    return [
        (csp.solve(model, level), Solver(model, level).count(limit=3).value, list(record(model, level).captions()))
        for level in LEVELS
    ]


def test_a_variable_is_the_same_whatever_names_it() -> None:
    plain = Model({"x(1,1)": (1, 2), "y": (1, 2)}, [AllDifferent.of(["x(1,1)", "y"])])
    made = Model({Variable("x", 1, 1): (1, 2), Variable("y"): (1, 2)}, [AllDifferent.of([Variable("x", 1, 1), "y"])])
    assert plain == made and hash(plain) == hash(made)
    assert [(v.family, v.indices) for v in plain.domains] == [("x", (1, 1)), ("y", ())]


def test_a_limit_of_one_question_is_not_that_of_the_next() -> None:
    solver = Solver(load("latin", params={"n": 7}), settings=Settings(nodes=2))
    with pytest.raises(Stopped):
        solver.solve()
    assert solver.solve(settings=Settings(nodes=10_000)) is not None


def test_a_watch_is_told_and_can_end_a_question() -> None:
    told = []

    def progress(effort: csp.Effort) -> None:
        told.append(effort.nodes)
        if effort.nodes > 5:
            raise Stopped("enough")

    answers = Solver(load("latin", params={"n": 7})).solutions(progress=progress)
    assert len(list(answers)) <= 1 and answers.stopped == "enough" and told == sorted(told)
