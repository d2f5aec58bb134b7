"""Work over several processes: the same answers, nothing lost and nothing twice."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import dsl
from csp import (
    CONSTRAINTS,
    Affine,
    AllDifferent,
    Answers,
    Count,
    CspError,
    Linear,
    Model,
    Objective,
    Settings,
    Solution,
    Solver,
    Value,
)
from csp.base.errors import Lost
from csp.parallel import Processes, count, improving, in_order, solutions, split

from .commands import run
from .conftest import ROOT
from .makers import NAMES, any_kind, expression
from .oracle import every_solution
from .spreading import LATIN, WITH_SIGNALS, start_solve

# --- pieces ---


def random_models(seed: int, number: int) -> Iterator[Model]:
    rng = random.Random(seed)
    while number:
        domains = {name: range(1, rng.randint(2, 4)) for name in NAMES}
        show = rng.choice([[], [rng.choice(NAMES)]])
        constraints = [any_kind(rng, CONSTRAINTS) for _ in range(rng.randint(1, 3))]
        try:
            model = Model(domains, constraints, show)
        except ValueError:
            continue
        number -= 1
        yield model


def alike(model: Model, solution: Mapping[str, Value]) -> tuple[Value, ...]:
    return tuple(solution[variable] for variable in model.shown)


def test_pieces_have_every_solution_once() -> None:
    with ThreadPoolExecutor(1) as executor:
        for number, model in enumerate(random_models(16, 60)):
            known = list(every_solution(model))
            shown = {alike(model, one) for one in known}
            solver = Solver(model)
            pieces = split(solver, 1 + number % 7)
            own = [{alike(model, one) for one in known if piece.items() <= one.items()} for piece in pieces]
            assert sum(map(len, own)) == len(shown) and set().union(*own) == shown
            assert all(solver.propagate(piece).holds for piece in pieces)
            assert count(solver, executor, 5).value == len(shown)
            found = list(solutions(solver, executor, 5))
            assert len(found) == len(shown) and {alike(model, one) for one in found} == shown
            assert all(model.check(one) for one in found)


STEEP = Model(
    dict.fromkeys("AB", range(8)),
    [Linear(Affine.variable("A") + Affine.variable("B"), "=", Affine((), 7))],
    objective=Objective("maximize", Affine.variable("A")),
)
"""Each of its solutions is better than the one before, as values are tried from below."""


def test_the_best_is_found_in_pieces_always_by_the_same_way() -> None:
    rng = random.Random(18)
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(3) as three:
        for number, model in enumerate([*random_models(17, 40), STEEP]):
            goal = expression(rng, number % 2) + Affine.variable("C") * 3
            objective = model.objective or Objective(rng.choice(["minimize", "maximize"]), goal)
            solver = Solver(Model(model.domains, model.constraints, model.show, objective))
            known = [objective.value(values) for values in every_solution(model) if solver.model.check(values)]
            answers = improving(solver, one, 1 + number % 9, first=1)  # else it would be over before there are pieces
            found = list(answers)
            worth = [objective.sign * objective.value(solution) for solution in found]
            assert worth[-1:] == sorted(objective.sign * value for value in known)[:1] and answers.complete
            assert worth == sorted(set(worth), reverse=True) and all(map(solver.model.check, found))
            assert found == list(improving(solver, three, 1 + number % 9, first=1))
            assert len(worth) > 2 or model is not STEEP


def test_there_are_as_many_pieces_as_wanted_and_in_the_order_of_a_search() -> None:
    solver = Solver(dsl.load(LATIN, {"n": 4}))
    pieces = split(solver, 100)
    assert 100 <= len(pieces) < 110
    order = [[piece.get(variable, 0) for variable in solver.model.domains] for piece in pieces]
    assert order[0][0] == 1 and len({tuple(row) for row in order}) == len(pieces)
    one = [solution for piece in pieces for solution in solver.solutions(piece)]
    with ThreadPoolExecutor(2) as executor:
        assert list(solutions(solver, executor, 100)) == one and len(one) == 576


def test_parts_are_not_asked_again_for_each_other() -> None:
    """Twenty squares beside each other are twenty counts, whose pieces are added and not multiplied."""
    names = [[f"x{k}({c})" for c in range(5)] for k in range(20)]
    groups = [AllDifferent.of(row) for row in names]
    model = Model({name: range(5) for row in names for name in row} | {"free": range(3)}, groups)
    with ThreadPoolExecutor(1) as executor:
        counted = count(Solver(model), executor, 8)
        assert counted.value == 3 * 120**20 and counted.complete and counted.effort.solutions <= 20 * 120 + 3
        (first,) = solutions(Solver(model), executor, 8, limit=1)
    assert model.check(first) and list(first) == list(model.domains)


def test_the_example_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "spread.md").read_text(encoding="utf-8"), re.S)
    exec(compile(code, "docs/spread.md", "exec"), {})


def test_limits_and_what_is_not_split() -> None:
    solver = Solver(dsl.load(LATIN, {"n": 4}))
    with ThreadPoolExecutor(1) as executor:
        counted = count(solver, executor, 30, limit=100)
        assert (counted.value, counted.complete) == (100, False)
        stopped = count(Solver(solver.model, settings=Settings(nodes=5)), executor, 9)
        assert stopped.value < 576 and not stopped.complete and stopped.stopped == "the limit of 5 nodes"
        late = count(Solver(solver.model, settings=Settings(seconds=0)), executor, 9)
        assert (late.value, late.complete, late.stopped) == (0, False, "the limit of 0 seconds")
        with pytest.raises(ValueError, match="objective"):
            count(Solver(dsl.loads("A in 1..3. minimize(A).")), executor, 9)
    assert split(Solver(dsl.loads("A in 1..3. A > 3.")), 9) == []


# --- processes ---

ONCE = "(lambda os: (open({0!r}, 'x').close(), os.kill(os.getpid(), 9)) if not os.path.exists({0!r}) else {1})"
"""An expression that kills the process that evaluates it, the first time."""


@WITH_SIGNALS
def test_what_was_lost_with_a_process_is_done_again(tmp_path: Path) -> None:
    deadly = {5: str(tmp_path / "one"), 13: str(tmp_path / "two")}
    tasks = [(ONCE.format(deadly[n], n) + "(__import__('os'))" if n in deadly else str(n),) for n in range(30)]
    with Processes(2) as executor:
        assert list(in_order(executor, eval, tasks, 8)) == list(range(30))
        assert all(os.path.exists(path) for path in deadly.values())


@WITH_SIGNALS
def test_what_kills_every_process_is_given_up_and_nothing_else() -> None:
    with Processes(2) as executor:
        deadly = "__import__('os').kill(__import__('os').getpid(), 9)"
        futures = [
            executor.submit(eval, deadly if n in (0, 3) else f"__import__('time').sleep(0.02) or {n}") for n in range(9)
        ]
        for n, future in enumerate(futures):
            if n in (0, 3):
                with pytest.raises(Lost, match="was killed, 3 times"):
                    future.result(30)
            else:
                assert future.result(30) == n
        assert executor.submit(eval, "6 * 7").result(30) == 42
        with pytest.raises(ZeroDivisionError):
            executor.submit(eval, "1 / 0").result(30)


class DeadlySolver(Solver):
    """Whatever counts or solves one of its pieces is killed."""

    def __reduce__(self) -> tuple[object, ...]:
        return DeadlySolver, (self.model,)

    def solutions(self, givens: Mapping[str, Value] | None = None, *rest: Any, **more: Any) -> Answers:
        if givens and givens.get("A") == 2:
            raise Lost("killed")
        return super().solutions(givens, *rest, **more)

    def count(self, givens: Mapping[str, Value] | None = None, *rest: Any, **more: Any) -> Count:
        if givens and givens.get("A") == 2:
            raise Lost("killed")
        return super().count(givens, *rest, **more)

    def improving(self, givens: Mapping[str, Value] | None = None, *rest: Any, **more: Any) -> Answers:
        if givens and givens.get("A") == 2:
            raise Lost("killed")
        return super().improving(givens, *rest, **more)


def test_the_other_pieces_are_finished() -> None:
    solver = DeadlySolver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    with ThreadPoolExecutor(1) as executor:
        counted = count(solver, executor, 3)
        answers = solutions(solver, executor, 3)
        assert [solution["A"] for solution in answers] == [1, 1, 3, 3]
    assert (counted.value, counted.complete) == (4, False)
    assert counted.stopped == answers.stopped == "the loss of the piece A = 2: killed"
    goal = Objective("minimize", Affine.variable("B") * 10 + Affine.variable("C") * -1)
    best = DeadlySolver(Model(solver.model.domains, solver.model.constraints, objective=goal))
    with ThreadPoolExecutor(1) as executor:
        known = improving(best, executor, 3, first=1)
        assert [goal.value(solution) for solution in known][-1] == 8 and known.stopped == answers.stopped


class Liar(ThreadPoolExecutor):
    """Another program at the other end: its solutions are changed."""

    def __init__(self, change: Callable[[Solution], object]) -> None:
        super().__init__(1)
        self._change = change

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **more: Any) -> Future[Any]:
        def lie() -> Any:
            (found, *rest), effort = (answer := function(*arguments, **more))[:-1], answer[-1]
            if isinstance(found, Solution):
                return self._change(found), *rest, effort
            solutions, stopped = found
            return ([self._change(one) for one in solutions], stopped), effort

        return super().submit(lie)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: Solution({**one, "B": one["A"]}),
        lambda one: Solution({"A": 1 + one["A"] % 3, "B": 1 + one["B"] % 3, "C": 1 + one["C"] % 3}),  # another piece's
        lambda one: Solution({"A": one["A"], "B": one["B"]}),
        lambda one: Solution({**one, "D": 1}),
    ],
)
def test_solutions_of_workers_are_checked(
    change: Callable[[Solution], object],
) -> None:
    model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    goal = Objective("minimize", Affine.variable("B") * 10 + Affine.variable("C") * -1)
    best = Model(model.domains, model.constraints, objective=goal)
    with Liar(lambda one: one) as executor:
        assert len(list(solutions(Solver(model), executor, 3))) == 6
        assert goal.value(list(improving(Solver(best), executor, 3, first=1))[-1]) == 7
    with Liar(change) as executor:
        with pytest.raises(CspError, match="a worker has answered with what is no solution"):
            list(solutions(Solver(model), executor, 3))
        with pytest.raises(CspError, match="a worker has answered with what is no solution"):
            list(improving(Solver(best), executor, 3, first=1))


def test_tasks_are_taken_as_they_are_needed() -> None:
    taken = []

    def tasks() -> Iterator[tuple[int]]:
        for number in range(100):
            taken.append(number)
            yield (number,)

    with ThreadPoolExecutor(1) as executor:
        results = in_order(executor, abs, tasks(), 10)
        assert list(islice(results, 3)) == [0, 1, 2] and len(taken) == 12
        results.close()  # type: ignore[attr-defined]


# --- one question ---


def test_one_question_over_several_processes() -> None:
    four = ["solve", LATIN, "--set", "n=4", "--jobs", 2]
    assert run(*four, "--count", "--json").stdout == '{"format": 2, "count": 576, "complete": true}\n'
    every = run(*four, "--all", "--json").stdout.splitlines()
    assert len(set(every)) == 576 and set(every) == set(run("solve", LATIN, "--all", "--json").stdout.splitlines())
    assert run(*four, "--limit", 7, "--json").stdout.splitlines() == every[:7]
    assert run(*four, "--count", "--limit", 7, "--json").stdout == '{"format": 2, "count": 7, "complete": false}\n'
    best = ["solve", ROOT / "docs" / "data" / "best.csp", "--json"]
    assert run(*best, "--jobs", 2).stdout == run(*best).stdout
    assert "look for one of the best, not for all" in run(*best, "--jobs", 2, "--all").stderr
    assert "--estimate" in run(*four, "--estimate").stderr
    assert "--jobs does not go with --cluster" in run(*four, "--cluster", "x").stderr


@WITH_SIGNALS
def test_a_question_over_several_processes_ends_with_what_is_known() -> None:
    with start_solve(LATIN, "--set", "n=7", "--count", "--jobs", 2, "--timeout", 1.5) as running:
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 3 and output.strip().isdigit()
    assert errors.startswith("csp: stopped by the limit of 1.5 seconds: at least ") and errors.count("\n") == 1
