"""Peers that are Python packages: python packages.py NAME

A function for each package imports it and returns a function that builds the run of a question.

Each model follows the documentation of its package and uses its all_different, if there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from server import COUNT, FIRST, Question, Refused, Run, blocking, listing, serve

Ask = Callable[[Question], Run]


def alldifferent() -> Ask:
    """Our engine: compile instances that differ only in their givens once; read and compile a spec each time."""
    import csp
    import dsl

    dsl.loads("A in 1..2.")  # import the language before the clock starts, as for every peer
    ready: list[tuple[object, list[str], csp.Solver]] = []

    def ask(question: Question) -> Run:
        if question.spec:
            solver = csp.Solver(dsl.loads(question.spec))
            names = [f"cell({r},{c})" for r in range(1, 10) for c in range(1, 10)]
            return listing(question, lambda: ([solution[name] for name in names] for solution in solver.solutions()))
        shape = question.variables, question.values, question.groups
        compiled = next((entry[1:] for entry in ready if entry[0] == shape), None)
        if compiled is None:
            names = [f"x({v})" for v in range(question.variables)]
            variables = [csp.Affine.variable(name) for name in names]
            groups = [tuple(variables[v] + csp.Affine((), offset) for v, offset in group) for group in question.groups]
            model = csp.Model(dict.fromkeys(names, range(1, question.values + 1)), map(csp.AllDifferent, groups))
            compiled = names, csp.Solver(model)
            ready.append((shape, *compiled))
        names, solver = compiled
        givens: dict[str, csp.Value] = {names[v]: value for v, value in question.givens.items()}
        if question.want == COUNT:
            return lambda: (solver.count(givens).value, [])
        answers = solver.solutions(givens)  # sets the givens, as the set-up of every peer does, and does not search
        return listing(question, lambda: ([*solution.values()] for solution in answers))

    return ask


def norvig() -> Ask:
    from norvig import Norvig, alphabet

    ready: dict[tuple[int, int], Any] = {}

    def ask(question: Question) -> Run:
        question.refuse(sums=True, offsets=True)
        if question.want != FIRST or not all(question.box):
            raise Refused("only sudokus, and one solution")
        letters = alphabet(question.values)
        if question.box not in ready:
            ready[question.box] = Norvig(*question.box)
        solver = ready[question.box]
        line = "".join(
            letters[question.givens[v] - 1] if v in question.givens else "." for v in range(question.variables)
        )
        return listing(question, lambda: [[letters.index(letter) + 1 for letter in solver.solve(line)]])

    return ask


def python_constraint() -> Ask:
    import constraint

    def ask(question: Question) -> Run:
        problem = constraint.Problem()
        for v in range(question.variables):
            problem.addVariable(v, question.domain(v))
        for group in question.groups:
            if any(offset for _, offset in group):
                for (v, offset), (w, offset_w) in combinations(group, 2):
                    problem.addConstraint(lambda a, b, distance=offset_w - offset: a - b != distance, (v, w))
            else:
                problem.addConstraint(constraint.AllDifferentConstraint(), [v for v, _ in group])
        for total, members in question.sums:
            problem.addConstraint(constraint.ExactSumConstraint(total), members)
        order = range(question.variables)
        return listing(question, lambda: ([solution[v] for v in order] for solution in problem.getSolutionIter()))

    return ask


def cp_sat() -> Ask:
    from ortools.sat.python import cp_model

    class Listing(cp_model.CpSolverSolutionCallback):
        def __init__(self, variables: list[Any], limit: int | None, keep: bool) -> None:
            super().__init__()
            self.variables, self.limit, self.keep = variables, limit, keep
            self.count, self.solutions = 0, list[list[int]]()

        def on_solution_callback(self) -> None:
            self.count += 1
            if self.keep:
                self.solutions.append([self.value(variable) for variable in self.variables])
            if self.count == self.limit:
                self.stop_search()

    def ask(question: Question) -> Run:
        model = cp_model.CpModel()
        variables = [
            model.new_int_var(question.domain(v)[0], question.domain(v)[-1], "") for v in range(question.variables)
        ]
        for group in question.groups:
            model.add_all_different([variables[v] + offset if offset else variables[v] for v, offset in group])
        for total, members in question.sums:
            model.add(sum(variables[v] for v in members) == total)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = question.want != FIRST

        def run() -> tuple[int, list[list[int]]]:
            solutions = Listing(variables, question.limit, question.want != COUNT)
            solver.solve(model, solutions)
            return solutions.count, solutions.solutions

        return run

    return ask


def cpmpy() -> Ask:
    import cpmpy as cp

    def ask(question: Question) -> Run:
        x = cp.intvar(1, question.values, shape=question.variables)
        model = cp.Model([x[v] == value for v, value in question.givens.items()])
        for group in question.groups:
            model += cp.AllDifferent([x[v] + offset if offset else x[v] for v, offset in group])
        for total, members in question.sums:
            model += cp.sum([x[v] for v in members]) == total
        solver = cp.SolverLookup.get("ortools", model)
        solutions: list[list[int]] = []

        def run() -> tuple[int, list[list[int]]]:
            if question.want == FIRST:
                return (1, [[int(value) for value in x.value()]]) if solver.solve(num_workers=1) else (0, [])
            keep = None if question.want == COUNT else (lambda: solutions.append([int(value) for value in x.value()]))
            count = solver.solveAll(display=keep, solution_limit=question.limit)
            return count, solutions

        return run

    return ask


def clingo() -> Ask:
    from clingo import Control

    program = """
    1 { x(V, A) : A = 1..d, not other(V, A) } 1 :- V = 0..n-1.
    other(V, A) :- given(V, B), A = 1..d, A != B.
    :- group(G, V, M), group(G, W, N), V < W, x(V, A), x(W, A + M - N).
    :- cage(C, T), T != #sum { A, V : x(V, A), inside(C, V) }.
    #show x/2.
    #defined given/2. #defined cage/2. #defined inside/2.
    """

    def ask(question: Question) -> Run:
        facts = [f"#const n={question.variables}. #const d={question.values}."]
        facts += [f"given({v}, {value})." for v, value in question.givens.items()]
        facts += [f"group({g}, {v}, {m})." for g, group in enumerate(question.groups) for v, m in group]
        for number, (total, members) in enumerate(question.sums):
            facts += [f"cage({number}, {total}).", *(f"inside({number}, {v})." for v in members)]
        control = Control([f"--models={question.limit or 0}"])
        control.add("base", [], program + "\n".join(facts))
        control.ground([("base", [])])

        def solutions() -> Iterator[list[int]]:
            with control.solve(yield_=True) as handle:
                for model in handle:
                    pairs = sorted(
                        (atom.arguments[0].number, atom.arguments[1].number) for atom in model.symbols(shown=True)
                    )
                    yield [value for _, value in pairs]

        return listing(question, solutions)

    return ask


def python_sat() -> Ask:
    from pysat.solvers import Cadical153

    def ask(question: Question) -> Run:
        question.refuse(sums=True)
        n, d = question.variables, question.values
        literal = lambda v, value: v * d + value  # noqa: E731
        solver = Cadical153()
        for v in range(n):
            solver.add_clause([literal(v, value) for value in range(1, d + 1)])
            for a, b in combinations(range(1, d + 1), 2):
                solver.add_clause([-literal(v, a), -literal(v, b)])
        for group in question.groups:
            if len(group) == d and not any(offset for _, offset in group):
                for value in range(1, d + 1):
                    solver.add_clause([literal(v, value) for v, _ in group])
            for (v, offset), (w, offset_w) in combinations(group, 2):
                for a in range(1, d + 1):
                    if 1 <= (b := a + offset - offset_w) <= d:
                        solver.add_clause([-literal(v, a), -literal(w, b)])
        for v, value in question.givens.items():
            solver.add_clause([literal(v, value)])

        def solve() -> list[int] | None:
            if not solver.solve():
                return None
            return [
                true - v * d for v, true in enumerate(sorted(literal for literal in solver.get_model() if literal > 0))
            ]

        return blocking(question, solve, lambda row: solver.add_clause([-literal(v, a) for v, a in enumerate(row)]))

    return ask


def z3() -> Ask:
    import z3 as package

    def ask(question: Question) -> Run:
        x = [package.Int(f"x{v}") for v in range(question.variables)]
        solver = package.Solver()
        for v, variable in enumerate(x):
            solver.add(
                variable == question.givens[v]
                if v in question.givens
                else package.And(variable >= 1, variable <= question.values)
            )
        for group in question.groups:
            solver.add(package.Distinct([x[v] + offset if offset else x[v] for v, offset in group]))
        for total, members in question.sums:
            solver.add(package.Sum([x[v] for v in members]) == total)

        def solve() -> list[int] | None:
            if solver.check() != package.sat:
                return None
            model = solver.model()
            return [model[variable].as_long() for variable in x]

        return blocking(
            question,
            solve,
            lambda row: solver.add(package.Or([variable != a for variable, a in zip(x, row, strict=True)])),
        )

    return ask


def cover(question: Question) -> tuple[int, int, list[tuple[int, int, list[int]]]]:
    """Return a question as an exact cover.

    The result is the number of columns to cover exactly once, the number of columns to cover at most once, and the
    rows: a variable, its value and the columns that they cover.
    """
    question.refuse(sums=True)
    n, d = question.variables, question.values
    tight = [group for group in question.groups if len(group) == d and not any(offset for _, offset in group)]
    loose = [group for group in question.groups if group not in tight]
    inside: dict[int, list[tuple[int, int]]] = {v: [] for v in range(n)}
    for number, group in enumerate(tight):
        for v, _ in group:
            inside[v].append((n + number * d - 1, 0))
    exact = n + len(tight) * d
    width = 2 * d + max([abs(offset) for group in loose for _, offset in group], default=0) * 2
    for number, group in enumerate(loose):
        for v, offset in group:
            inside[v].append((exact + number * width + width // 2, offset))
    rows = [
        (v, value, [v, *(start + value + offset for start, offset in inside[v])])
        for v in range(n)
        for value in question.domain(v)
    ]
    return exact, len(loose) * width, rows


def exact_cover() -> Ask:
    import exact_cover as package
    import numpy

    def ask(question: Question) -> Run:
        must, _, rows = cover(question)
        used = sorted({column for _, _, columns in rows for column in columns if column >= must})
        place = {column: must + number for number, column in enumerate(used)}
        matrix = numpy.zeros((len(rows) + len(used), must + len(used)), dtype=numpy.int8)
        for number, (_, _, columns) in enumerate(rows):
            matrix[number, [place.get(column, column) for column in columns]] = 1
        for number in range(len(used)):
            matrix[len(rows) + number, must + number] = 1  # a row that covers an optional column alone

        def values_of(cover_rows: Any) -> list[int]:
            return [value for _, value, _ in sorted(rows[row] for row in cover_rows if row < len(rows))]

        def run() -> tuple[int, list[list[int]]]:
            if question.want == FIRST:
                return 1, [values_of(package.get_exact_cover(matrix))]
            if question.want == COUNT:
                return package.get_solution_count(matrix), []
            solutions = [values_of(cover_rows) for cover_rows in package.get_all_solutions(matrix)]
            return len(solutions), solutions

        return run

    return ask


def dlx() -> Ask:
    import dlx as package

    sys.setrecursionlimit(100_000)

    def ask(question: Question) -> Run:
        must, may, rows = cover(question)
        columns = [(str(c), package.DLX.PRIMARY if c < must else package.DLX.SECONDARY) for c in range(must + may)]
        problem = package.DLX(columns)
        for v, value, row in rows:
            problem.appendRow(row, (v, value))
        return listing(
            question, lambda: ([a for _, a in sorted(problem.N[node] for node in path)] for path in problem.solve())
        )

    return ask


PEERS: dict[str, Callable[[], Ask]] = {
    "alldifferent": alldifferent,
    "Norvig": norvig,
    "python-constraint2": python_constraint,
    "OR-tools CP-SAT": cp_sat,
    "CPMpy": cpmpy,
    "clingo": clingo,
    "python-sat": python_sat,
    "z3": z3,
    "exact-cover": exact_cover,
    "dlx": dlx,
}


def main() -> None:
    try:
        ask = PEERS[sys.argv[1]]()
    except ImportError as error:
        print(f"there is no {error.name} in this interpreter", flush=True)
        return
    serve(ask)


if __name__ == "__main__":
    main()
