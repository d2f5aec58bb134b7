"""Peers that are Python packages: python packages.py NAME

For each a function that imports it, and gives one that makes of a question what solves it.

Each model is the one that the package's own documentation would lead to; all_different where it has one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from server import COUNT, FIRST, Question, Refused, Run, blocking, listing, serve

Ask = Callable[[Question], Run]


def alldifferent() -> Ask:
    """Ours: what differs only in its givens is compiled once, givens are put in; a spec is read and compiled."""
    import csp
    import dsl

    dsl.loads("A in 1..2.")  # the language is imported before it is timed, as everything is
    ready: list[tuple[object, list[str], csp.Solver]] = []

    def ask(question: Question) -> Run:
        if question.spec:
            solver = csp.Solver(dsl.loads(question.spec))
            names = [f"cell({r},{c})" for r in range(1, 10) for c in range(1, 10)]
            return listing(question, lambda: ([one[name] for name in names] for one in solver.solutions()))
        shape = question.variables, question.values, question.groups
        found = next((known[1:] for known in ready if known[0] == shape), None)
        if found is None:
            names = [f"x({v})" for v in range(question.variables)]
            variables = [csp.Affine.variable(name) for name in names]
            groups = [tuple(variables[v] + csp.Affine((), more) for v, more in group) for group in question.groups]
            model = csp.Model(dict.fromkeys(names, range(1, question.values + 1)), map(csp.AllDifferent, groups))
            found = names, csp.Solver(model)
            ready.append((shape, *found))
        names, solver = found
        givens: dict[str, csp.Value] = {names[v]: value for v, value in question.givens.items()}
        if question.want == COUNT:
            return lambda: (solver.count(givens).value, [])
        answers = solver.solutions(givens)  # puts the givens in, as the set-up of all others does, and searches nothing
        return listing(question, lambda: ([*one.values()] for one in answers))

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
            if any(more for _, more in group):
                for (v, more), (w, other) in combinations(group, 2):
                    problem.addConstraint(lambda a, b, apart=other - more: a - b != apart, (v, w))
            else:
                problem.addConstraint(constraint.AllDifferentConstraint(), [v for v, _ in group])
        for total, members in question.sums:
            problem.addConstraint(constraint.ExactSumConstraint(total), members)
        order = range(question.variables)
        return listing(question, lambda: ([one[v] for v in order] for one in problem.getSolutionIter()))

    return ask


def cp_sat() -> Ask:
    from ortools.sat.python import cp_model

    class Listing(cp_model.CpSolverSolutionCallback):
        def __init__(self, variables: list[Any], most: int | None, keep: bool) -> None:
            super().__init__()
            self.variables, self.most, self.keep = variables, most, keep
            self.count, self.found = 0, list[list[int]]()

        def on_solution_callback(self) -> None:
            self.count += 1
            if self.keep:
                self.found.append([self.value(variable) for variable in self.variables])
            if self.count == self.most:
                self.stop_search()

    def ask(question: Question) -> Run:
        model = cp_model.CpModel()
        variables = [
            model.new_int_var(question.domain(v)[0], question.domain(v)[-1], "") for v in range(question.variables)
        ]
        for group in question.groups:
            model.add_all_different([variables[v] + more if more else variables[v] for v, more in group])
        for total, members in question.sums:
            model.add(sum(variables[v] for v in members) == total)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = question.want != FIRST

        def run() -> tuple[int, list[list[int]]]:
            told = Listing(variables, question.most, question.want != COUNT)
            solver.solve(model, told)
            return told.count, told.found

        return run

    return ask


def cpmpy() -> Ask:
    import cpmpy as cp

    def ask(question: Question) -> Run:
        x = cp.intvar(1, question.values, shape=question.variables)
        model = cp.Model([x[v] == value for v, value in question.givens.items()])
        for group in question.groups:
            model += cp.AllDifferent([x[v] + more if more else x[v] for v, more in group])
        for total, members in question.sums:
            model += cp.sum([x[v] for v in members]) == total
        solver = cp.SolverLookup.get("ortools", model)
        found: list[list[int]] = []

        def run() -> tuple[int, list[list[int]]]:
            if question.want == FIRST:
                return (1, [[int(one) for one in x.value()]]) if solver.solve(num_workers=1) else (0, [])
            keep = None if question.want == COUNT else (lambda: found.append([int(one) for one in x.value()]))
            count = solver.solveAll(display=keep, solution_limit=question.most)
            return count, found

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
        control = Control([f"--models={question.most or 0}"])
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
            if len(group) == d and not any(more for _, more in group):
                for value in range(1, d + 1):
                    solver.add_clause([literal(v, value) for v, _ in group])
            for (v, more), (w, other) in combinations(group, 2):
                for a in range(1, d + 1):
                    if 1 <= (b := a + more - other) <= d:
                        solver.add_clause([-literal(v, a), -literal(w, b)])
        for v, value in question.givens.items():
            solver.add_clause([literal(v, value)])

        def solve() -> list[int] | None:
            if not solver.solve():
                return None
            return [one - v * d for v, one in enumerate(sorted(one for one in solver.get_model() if one > 0))]

        return blocking(question, solve, lambda found: solver.add_clause([-literal(v, a) for v, a in enumerate(found)]))

    return ask


def z3() -> Ask:
    import z3 as package

    def ask(question: Question) -> Run:
        x = [package.Int(f"x{v}") for v in range(question.variables)]
        solver = package.Solver()
        for v, one in enumerate(x):
            solver.add(
                one == question.givens[v] if v in question.givens else package.And(one >= 1, one <= question.values)
            )
        for group in question.groups:
            solver.add(package.Distinct([x[v] + more if more else x[v] for v, more in group]))
        for total, members in question.sums:
            solver.add(package.Sum([x[v] for v in members]) == total)

        def solve() -> list[int] | None:
            if solver.check() != package.sat:
                return None
            model = solver.model()
            return [model[one].as_long() for one in x]

        return blocking(
            question, solve, lambda found: solver.add(package.Or([one != a for one, a in zip(x, found, strict=True)]))
        )

    return ask


def cover(question: Question) -> tuple[int, int, list[tuple[int, int, list[int]]]]:
    """As an exact cover: how many columns must be covered, how many may be, and for each row what it stands for."""
    question.refuse(sums=True)
    n, d = question.variables, question.values
    tight = [group for group in question.groups if len(group) == d and not any(more for _, more in group)]
    loose = [group for group in question.groups if group not in tight]
    inside: dict[int, list[tuple[int, int]]] = {v: [] for v in range(n)}
    for number, group in enumerate(tight):
        for v, _ in group:
            inside[v].append((n + number * d - 1, 0))
    most = n + len(tight) * d
    width = 2 * d + max([abs(more) for group in loose for _, more in group], default=0) * 2
    for number, group in enumerate(loose):
        for v, more in group:
            inside[v].append((most + number * width + width // 2, more))
    rows = [
        (v, value, [v, *(at + value + more for at, more in inside[v])])
        for v in range(n)
        for value in question.domain(v)
    ]
    return most, len(loose) * width, rows


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
            matrix[len(rows) + number, must + number] = 1  # what may be covered can be left to itself

        def told(found: Any) -> list[int]:
            return [value for _, value, _ in sorted(rows[row] for row in found if row < len(rows))]

        def run() -> tuple[int, list[list[int]]]:
            if question.want == FIRST:
                return 1, [told(package.get_exact_cover(matrix))]
            if question.want == COUNT:
                return package.get_solution_count(matrix), []
            every = [told(found) for found in package.get_all_solutions(matrix)]
            return len(every), every

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
            question, lambda: ([a for _, a in sorted(problem.N[node] for node in one)] for one in problem.solve())
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
