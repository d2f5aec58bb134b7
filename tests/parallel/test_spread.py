"""Test work over several processes: no answer is lost or repeated."""

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

from ..commands import run
from ..conftest import ROOT
from ..makers import NAMES, any_kind, expression
from ..oracle import every_solution
from ..spreading import LATIN, WITH_SIGNALS, start_solve

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


def shown_values(model: Model, solution: Mapping[str, Value]) -> tuple[Value, ...]:
    return tuple(solution[variable] for variable in model.shown)


def test_pieces_have_every_solution_once() -> None:
    with ThreadPoolExecutor(1) as executor:
        for number, model in enumerate(random_models(16, 60)):
            expected = list(every_solution(model))
            expected_rows = {shown_values(model, solution) for solution in expected}
            solver = Solver(model)
            pieces = split(solver, 1 + number % 7)
            parts = [
                {shown_values(model, solution) for solution in expected if piece.items() <= solution.items()}
                for piece in pieces
            ]
            assert sum(map(len, parts)) == len(expected_rows) and set().union(*parts) == expected_rows
            assert all(solver.propagate(piece).holds for piece in pieces)
            assert count(solver, executor, 5).value == len(expected_rows)
            answers = list(solutions(solver, executor, 5))
            assert (
                len(answers) == len(expected_rows)
                and {shown_values(model, solution) for solution in answers} == expected_rows
            )
            assert all(model.check(solution) for solution in answers)


STEEP = Model(
    dict.fromkeys("AB", range(8)),
    [Linear(Affine.variable("A") + Affine.variable("B"), "=", Affine((), 7))],
    objective=Objective("maximize", Affine.variable("A")),
)
"""A model where each solution is better than the last, as values are tried in ascending order."""


def test_pieces_find_the_optimum_by_the_same_sequence_of_solutions() -> None:
    rng = random.Random(18)
    with ThreadPoolExecutor(1) as single_thread, ThreadPoolExecutor(3) as three_threads:
        for number, model in enumerate([*random_models(17, 40), STEEP]):
            goal = expression(rng, number % 2) + Affine.variable("C") * 3
            objective = model.objective or Objective(rng.choice(["minimize", "maximize"]), goal)
            solver = Solver(Model(model.domains, model.constraints, model.show, objective))
            expected_values = [
                objective.value(values) for values in every_solution(model) if solver.model.check(values)
            ]
            answers = improving(
                solver, single_thread, 1 + number % 9, first=1
            )  # else it would be over before there are pieces
            solutions_found = list(answers)
            costs = [objective.sign * objective.value(solution) for solution in solutions_found]
            assert costs[-1:] == sorted(objective.sign * value for value in expected_values)[:1] and answers.complete
            assert costs == sorted(set(costs), reverse=True) and all(map(solver.model.check, solutions_found))
            assert solutions_found == list(improving(solver, three_threads, 1 + number % 9, first=1))
            assert len(costs) > 2 or model is not STEEP


def test_pieces_are_as_many_as_required_in_the_order_of_a_search() -> None:
    solver = Solver(dsl.load(LATIN, {"n": 4}))
    pieces = split(solver, 100)
    assert 100 <= len(pieces) < 110
    order = [[piece.get(variable, 0) for variable in solver.model.domains] for piece in pieces]
    assert order[0][0] == 1 and len({tuple(row) for row in order}) == len(pieces)
    expected = [solution for piece in pieces for solution in solver.solutions(piece)]
    with ThreadPoolExecutor(2) as executor:
        assert list(solutions(solver, executor, 100)) == expected and len(expected) == 576


def test_independent_parts_are_counted_once_and_multiplied() -> None:
    """Check that the pieces of twenty groups are added and not multiplied."""
    names = [[f"x{k}({c})" for c in range(5)] for k in range(20)]
    groups = [AllDifferent.of(row) for row in names]
    model = Model({name: range(5) for row in names for name in row} | {"free": range(3)}, groups)
    with ThreadPoolExecutor(1) as executor:
        result = count(Solver(model), executor, 8)
        assert result.value == 3 * 120**20 and result.complete and result.effort.solutions <= 20 * 120 + 3
        (first,) = solutions(Solver(model), executor, 8, limit=1)
    assert model.check(first) and list(first) == list(model.domains)


def test_the_example_of_the_documentation_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "spread.md").read_text(encoding="utf-8"), re.S)
    exec(compile(code, "docs/spread.md", "exec"), {})


def test_limits_stop_a_count_and_an_objective_is_not_counted() -> None:
    solver = Solver(dsl.load(LATIN, {"n": 4}))
    with ThreadPoolExecutor(1) as executor:
        limited = count(solver, executor, 30, limit=100)
        assert (limited.value, limited.complete) == (100, False)
        stopped = count(Solver(solver.model, settings=Settings(nodes=5)), executor, 9)
        assert stopped.value < 576 and not stopped.complete and stopped.stopped == "the limit of 5 nodes"
        timed_out = count(Solver(solver.model, settings=Settings(seconds=0)), executor, 9)
        assert (timed_out.value, timed_out.complete, timed_out.stopped) == (0, False, "the limit of 0 seconds")
        with pytest.raises(ValueError, match="objective"):
            count(Solver(dsl.loads("A in 1..3. minimize(A).")), executor, 9)
    assert split(Solver(dsl.loads("A in 1..3. A > 3.")), 9) == []


# --- processes ---

ONCE = "(lambda os: (open({0!r}, 'x').close(), os.kill(os.getpid(), 9)) if not os.path.exists({0!r}) else {1})"
"""An expression that kills the process that first evaluates it."""


@WITH_SIGNALS
def test_tasks_of_a_killed_process_run_again(tmp_path: Path) -> None:
    deadly = {5: str(tmp_path / "one"), 13: str(tmp_path / "two")}
    tasks = [(ONCE.format(deadly[n], n) + "(__import__('os'))" if n in deadly else str(n),) for n in range(30)]
    with Processes(2) as executor:
        assert list(in_order(executor, eval, tasks, 8)) == list(range(30))
        assert all(os.path.exists(path) for path in deadly.values())


@WITH_SIGNALS
def test_only_a_task_that_kills_every_process_is_given_up() -> None:
    with Processes(2) as executor:
        deadly = "__import__('os').kill(__import__('os').getpid(), 9)"
        futures = [
            executor.submit(eval, deadly if n in (0, 3) else f"__import__('time').sleep(0.02) or {n}") for n in range(9)
        ]
        for n, future in enumerate(futures):
            if n in (0, 3):
                with pytest.raises(Lost, match="its worker was killed 3 times"):
                    future.result(30)
            else:
                assert future.result(30) == n
        assert executor.submit(eval, "6 * 7").result(30) == 42
        with pytest.raises(ZeroDivisionError):
            executor.submit(eval, "1 / 0").result(30)


class DeadlySolver(Solver):
    """A solver that is killed by the piece ``A = 2``."""

    def __reduce__(self) -> tuple[object, ...]:
        return DeadlySolver, (self.model,)

    def solutions(self, givens: Mapping[str, Value] | None = None, *arguments: Any, **options: Any) -> Answers:
        if givens and givens.get("A") == 2:
            raise Lost("killed")
        return super().solutions(givens, *arguments, **options)

    def count(self, givens: Mapping[str, Value] | None = None, *arguments: Any, **options: Any) -> Count:
        if givens and givens.get("A") == 2:
            raise Lost("killed")
        return super().count(givens, *arguments, **options)

    def improving(self, givens: Mapping[str, Value] | None = None, *arguments: Any, **options: Any) -> Answers:
        if givens and givens.get("A") == 2:
            raise Lost("killed")
        return super().improving(givens, *arguments, **options)


def test_other_pieces_finish_after_one_is_lost() -> None:
    solver = DeadlySolver(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")]))
    with ThreadPoolExecutor(1) as executor:
        result = count(solver, executor, 3)
        answers = solutions(solver, executor, 3)
        assert [solution["A"] for solution in answers] == [1, 1, 3, 3]
    assert (result.value, result.complete) == (4, False)
    assert result.stopped == answers.stopped == "the loss of the piece A = 2: killed"
    goal = Objective("minimize", Affine.variable("B") * 10 + Affine.variable("C") * -1)
    solver_of_best = DeadlySolver(Model(solver.model.domains, solver.model.constraints, objective=goal))
    with ThreadPoolExecutor(1) as executor:
        improved = improving(solver_of_best, executor, 3, first=1)
        assert [goal.value(solution) for solution in improved][-1] == 8 and improved.stopped == answers.stopped


class ChangingExecutor(ThreadPoolExecutor):
    """An executor that changes solutions, as a faulty worker would."""

    def __init__(self, change: Callable[[Solution], object]) -> None:
        super().__init__(1)
        self._change = change

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        def run_and_change() -> Any:
            (first, *details), effort = (answer := function(*arguments, **options))[:-1], answer[-1]
            if isinstance(first, Solution):
                return self._change(first), *details, effort
            solutions, stopped = first
            return ([self._change(solution) for solution in solutions], stopped), effort

        return super().submit(run_and_change)


@pytest.mark.parametrize(
    "change",
    [
        lambda solution: Solution({**solution, "B": solution["A"]}),
        lambda solution: Solution(
            {"A": 1 + solution["A"] % 3, "B": 1 + solution["B"] % 3, "C": 1 + solution["C"] % 3}
        ),  # another piece's
        lambda solution: Solution({"A": solution["A"], "B": solution["B"]}),
        lambda solution: Solution({**solution, "D": 1}),
    ],
)
def test_wrong_solutions_of_workers_are_refused(
    change: Callable[[Solution], object],
) -> None:
    model = Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC")])
    goal = Objective("minimize", Affine.variable("B") * 10 + Affine.variable("C") * -1)
    best = Model(model.domains, model.constraints, objective=goal)
    with ChangingExecutor(lambda solution: solution) as executor:
        assert len(list(solutions(Solver(model), executor, 3))) == 6
        assert goal.value(list(improving(Solver(best), executor, 3, first=1))[-1]) == 7
    with ChangingExecutor(change) as executor:
        with pytest.raises(CspError, match="a worker returned a wrong solution"):
            list(solutions(Solver(model), executor, 3))
        with pytest.raises(CspError, match="a worker returned a wrong solution"):
            list(improving(Solver(best), executor, 3, first=1))


def test_tasks_are_generated_only_as_they_are_needed() -> None:
    generated = []

    def tasks() -> Iterator[tuple[int]]:
        for number in range(100):
            generated.append(number)
            yield (number,)

    with ThreadPoolExecutor(1) as executor:
        results = in_order(executor, abs, tasks(), 10)
        assert list(islice(results, 3)) == [0, 1, 2] and len(generated) == 12
        results.close()  # type: ignore[attr-defined]


# --- the command ---


def test_several_processes_print_the_answers_of_one() -> None:
    command = ["solve", LATIN, "--set", "n=4", "--jobs", 2]
    assert run(*command, "--count", "--json").stdout == '{"format": 2, "count": 576, "complete": true}\n'
    lines = run(*command, "--all", "--json").stdout.splitlines()
    assert len(set(lines)) == 576 and set(lines) == set(run("solve", LATIN, "--all", "--json").stdout.splitlines())
    assert run(*command, "--limit", 7, "--json").stdout.splitlines() == lines[:7]
    assert run(*command, "--count", "--limit", 7, "--json").stdout == '{"format": 2, "count": 7, "complete": false}\n'
    best = ["solve", ROOT / "docs" / "data" / "best.csp", "--json"]
    assert run(*best, "--jobs", 2).stdout == run(*best).stdout
    assert "find one optimal solution, not all" in run(*best, "--jobs", 2, "--all").stderr
    assert "--estimate" in run(*command, "--estimate").stderr
    assert "--jobs does not go with --cluster" in run(*command, "--cluster", "x").stderr


@WITH_SIGNALS
def test_a_timeout_prints_the_count_so_far() -> None:
    with start_solve(LATIN, "--set", "n=7", "--count", "--jobs", 2, "--timeout", 1.5) as running:
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 3 and output.strip().isdigit()
    assert errors.startswith("csp: stopped by the limit of 1.5 seconds: at least ") and errors.count("\n") == 1
