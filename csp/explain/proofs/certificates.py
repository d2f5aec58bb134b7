"""Make certificates: clauses of a model, with a proof that they are unsatisfiable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from ...base.errors import CspError, ModelError, Stopped
from ...base.frozen import Frozen
from ...encoding.export.dimacs import encode_model
from ...encoding.terms import DirectEncoding
from ...engine.compiled.kernel import Stable
from ...engine.compiled.program import CompiledModel
from ...engine.effort import Budget, Effort, Progress
from ...engine.events import Decided, Event, Restarted
from ...engine.search.depth_first import Search
from ...engine.search.propagation import Propagation
from ...engine.solver.answers import Solution
from ...engine.solver.engine import Engine
from ...engine.solver.solver import Solver
from ...model import Affine, Candidate, Comparison, Model, Value, Variable
from .cadical import NoCertificate, prove
from .checker import Refused, WatchedClauses

MAX_NODES = 300
"""Maximum number of nodes of a tree search that becomes a proof; for larger trees, CaDiCaL gives shorter proofs."""


class Certificate(Frozen):
    """The clauses of a model, with a proof that they are unsatisfiable.

    Attributes
    ----------
    clauses : str
        In the DIMACS format, with comments that name the constraints. To certify a single solution, the last clause
        excludes the solution, and a comment lists all literals that are true in it.
    proof : str
        In the DRUP format.
    is_own : bool
        True if the proof is made from the tree search of this package, False if CaDiCaL made it.
    """

    clauses: str
    proof: str
    is_own: bool


def certificate(solver: Solver, solution: Mapping[str, Value] | None, progress: Progress | None = None) -> Certificate:
    """Prove that a model has no solution, or no other than a given one.

    Parameters
    ----------
    solver : Solver
        Its time limit holds for the whole call. With an objective, the certificate is about optimal solutions.
    solution : mapping from str to int or str, or None
        The only solution, or None to certify that there is no solution.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the call.

    Returns
    -------
    Certificate
        The proof is made from the tree search of this package if exactly-one sets and exclusions alone closed the tree,
        and the checker accepts it. Otherwise CaDiCaL makes it.

    Raises
    ------
    ModelError
        If the given solution is not a solution of the model.
    NoCertificate
        If there are too many clauses, or if CaDiCaL is necessary and python-sat is not installed.
    ValueError
        If another solution exists.
    Stopped
        If a limit comes first.

    Notes
    -----
    Propagation of exactly-one sets and exclusions is unit propagation on their clauses. So for each failed node, the
    clause that negates its decisions follows by reverse unit propagation. After the children of a node, the clause of
    the node follows in the same way.

    References
    ----------
    .. [1] E. Goldberg, Y. Novikov, "Verification of proofs of unsatisfiability for CNF formulas", 2003.
    .. [2] N. Wetzler, M. Heule, W. Hunt, "DRAT-trim: efficient checking and trimming using expressive clausal proofs",
       2014.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> proved = certificate(Solver(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB", label="pair")])), None)
    >>> proved.proof, proved.is_own
    ('0\\n', True)
    """
    if not (solution is None or solver.model.check(solution)):
        raise ModelError("the given solution is not a solution of the model")
    encoded_model = _encode_model(solver.model, solution)
    model, text = encoded_model.model, encoded_model.text
    budget = Budget(solver.settings, Effort(), progress)
    # Try a proof by a short tree search; it needs no other program.
    tree_proof = _prove_by_tree_search(
        Model(model.domains, model.constraints, model.show), encoded_model.terms, budget, solver
    )
    if tree_proof is not None and _is_accepted(encoded_model.size, encoded_model.clauses, tree_proof, budget):
        return Certificate(text, "".join([f"{' '.join(map(str, (*lemma, 0)))}\n" for lemma in tree_proof]), True)
    proof = prove(text, lambda effort: budget.check())
    if proof is None:
        raise ValueError("there is another solution")
    return Certificate(text, proof, False)


def compare(model: Model, clauses: str) -> None:
    """Raise an error unless a certificate's clauses are exactly the encoding of the model.

    Parameters
    ----------
    model : Model
    clauses : str
        The clauses of a certificate about this model, with or without a recorded solution.

    Raises
    ------
    Refused
        If the clauses differ, or the recorded solution is not a solution of the model.
    NoCertificate
        If the model has too many clauses.

    Notes
    -----
    If the clauses agree, the result of the checker holds for the model, provided that the encoder is correct. Comments
    that name constraints may differ.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> pair = Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB")])
    >>> compare(pair, certificate(Solver(pair), None).clauses)
    """
    solution = _read_recorded_solution(model, clauses)
    if solution is not None and not model.check(solution):
        raise Refused("the recorded solution is not a solution")
    if _lines_to_compare(_encode_model(model, solution).text) != _lines_to_compare(clauses):
        raise Refused("the clauses are others")


class _EncodedModel(NamedTuple):
    model: Model
    size: int
    clauses: list[tuple[int, ...]]
    terms: Mapping[Variable, DirectEncoding]
    text: str


def _encode_model(model: Model, solution: Mapping[str, Value] | None) -> _EncodedModel:
    """Return the clauses of a model, with a clause against ``solution`` if one is given."""
    if solution is not None:
        model = _with_bound(model, solution)
    try:
        formula, terms, comments = encode_model(model)
    except ModelError as error:
        raise NoCertificate(str(error)) from None
    clauses = [*formula.clauses]
    if solution is not None:
        # Exclude the solution, and record all literals that are true in it.
        clauses.append(tuple([-terms[variable][solution[variable]] for variable in model.shown]))
        true = _complete_assignment(formula.size, formula.clauses, [terms[v][solution[v]] for v in model.domains])
        comments.append(f"c clauses {len(clauses)}..{len(clauses)}: another solution than this one")
        comments.append(" ".join(["c solution", *map(str, true), "0"]))
    lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    text = "\n".join([*comments, f"p cnf {formula.size} {len(lines)}", *lines, ""])
    return _EncodedModel(model, formula.size, clauses, terms, text)


def _read_recorded_solution(model: Model, clauses: str) -> Solution | None:
    """Read the solution from a comment in the clauses; None without one."""
    recorded = next((line.split()[2:] for line in clauses.splitlines() if line.startswith("c solution ")), None)
    if recorded is None:
        return None
    true_literals = set(recorded)
    terms = encode_model(Model(model.domains)).terms
    values = {
        v: [value for value, literal in value_literals.items() if value is not None and str(literal) in true_literals]
        for v, value_literals in terms.items()
    }
    if not all(len(value_literals) == 1 for value_literals in values.values()):
        raise Refused("the recorded solution is not a solution")
    return Solution({variable: value_literals[0] for variable, value_literals in values.items()})


def _lines_to_compare(clauses: str) -> list[str]:
    """Return the lines of the clauses without comments that name constraints."""
    return [line for line in clauses.splitlines() if not line.startswith(("c clauses ", "c spec "))]


def _with_bound(model: Model, solution: Mapping[str, Value]) -> Model:
    """Replace the model's objective by a constraint: no worse than ``solution``; return the new model."""
    if model.objective is None:
        return model
    total, bound_text = (
        model.objective.weighted_sum(model.domains),
        model.objective.format_worth(model.objective.worth(solution)),
    )
    # A minimum is bounded from above, a maximum from below.
    relation = "<=" if model.objective.sign > 0 else ">="
    bound = Comparison(total, relation, Affine((), total.number(solution)), label=f"objective {relation} {bound_text}")
    return Model(model.domains, [*model.constraints, bound], model.show, layout=model.layout, drawn=model.drawn)


def _complete_assignment(size: int, clauses: list[tuple[int, ...]], literals: list[int]) -> list[int]:
    """Extend the literals of a solution by unit propagation to a total assignment."""
    # They follow from the literals of its values by unit propagation.
    watched = WatchedClauses(size)
    for clause in clauses:
        watched.add(clause)
    true_literals = set(watched.consequences(literals))
    assignment = [variable if variable in true_literals else -variable for variable in range(1, size + 1)]
    # An incomplete or wrong assignment violates a clause.
    if not all(any(literal in true_literals for literal in clause) for clause in clauses):
        raise CspError("the clauses do not hold in the solution")
    return assignment


def _prove_by_tree_search(
    model: Model, terms: Mapping[Variable, DirectEncoding], budget: Budget, solver: Solver
) -> list[list[int]] | None:
    """Return a proof from a tree search, one lemma clause per closed node, or None.

    The lemmas have the order of closing. A lemma states that the decisions of the node cannot hold together. Returns
    None if the search reaches a limit or uses a variable that the encoding does not have.
    """
    program = CompiledModel(model, replace(solver.settings, level="singles"))
    engine, decision_log = Engine(program), _DecisionLog()
    tree_budget = Budget(
        replace(program.settings, nodes=MAX_NODES, seconds=None), Effort(), lambda effort: budget.check()
    )
    # Search the whole tree with exactly-one sets and exclusions, and log its decisions.
    try:
        result = engine.reach_fixpoint(engine.root(None), None, tree_budget)
        if isinstance(result, Stable):
            for _ in Search(program, Propagation(program), result.snapshot, tree_budget, decision_log).solutions():
                pass
    except Stopped:
        budget.check()
        return None
    lemmas = []
    # Negate the decisions of each closed node.
    for path in decision_log.closed_paths():
        candidates = [_candidate_of_bit(program, bit) for bit in path]
        # The decision is about an auxiliary variable for an expression.
        if any(variable not in terms for variable, _ in candidates):
            return None
        lemmas.append([-terms[variable][value] for variable, value in candidates])
    return [*lemmas, []]


def _candidate_of_bit(program: CompiledModel, bit: int) -> Candidate:
    number = program.layout.at(bit)
    assert number is not None
    return program.layout.candidate(number)


def _is_accepted(size: int, clauses: list[tuple[int, ...]], proof: list[list[int]], budget: Budget) -> bool:
    """Return whether each clause of ``proof`` follows by reverse unit propagation.

    It may not, because the engine also propagates groups and other constraints that the clauses do not express.
    """
    watched = WatchedClauses(size)
    for clause in clauses:
        watched.add(clause)
    for lemma in proof:
        budget.check()
        if not watched.follows(lemma):
            return False
        watched.add(lemma)
    return True


class _DecisionLog:
    """An event log that stores decisions and restarts, to list closed nodes."""

    def __init__(self) -> None:
        self._decisions: list[tuple[int, int] | None] = []

    def append(self, event: Event) -> None:
        """Store ``event`` if it is a decision or a restart; ignore other events."""
        match event:
            case Decided(bit, depth):
                self._decisions.append((bit, depth))
            case Restarted():
                self._decisions.append(None)

    def closed_paths(self) -> Iterator[list[int]]:
        """Yield the decisions that lead to each closed node, children before parents.

        At a restart, the current node is closed, and the nodes above it are abandoned.
        """
        path: list[int] = []
        for decision in [*self._decisions, (0, 0)]:
            depth = 0 if decision is None else decision[1]
            if decision is None:
                yield path
                path = []
                continue
            # A decision at a smaller depth closes all deeper nodes of the path.
            while len(path) > depth:
                yield path[:]
                path.pop()
            path.append(decision[0])
