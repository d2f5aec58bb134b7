"""Certificates of no solution and of a single one: clauses, and a proof that nothing satisfies them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from ...engine.ask.answers import Solution
from ...engine.ask.engine import Engine
from ...engine.ask.solver import Solver
from ...engine.compiled.kernel import Stable
from ...engine.compiled.program import CompiledModel
from ...engine.effort import Budget, Effort, Watch
from ...engine.search.depth_first import Search
from ...engine.search.propagation import Propagation
from ...engine.trail import Decided, Event, Restarted
from ...formula.export.dimacs import encoded
from ...formula.terms import DirectEncoding
from ...ground.errors import CspError, ModelError, Stopped
from ...ground.frozen import Frozen
from ...model import Affine, Candidate, Comparison, Model, Value, Variable
from .cadical import NoCertificate, prove
from .checker import Refused, WatchedClauses

NODES = 300
"""The most nodes of a tree of ours that is told as a proof; a solver that learns tells larger ones shorter."""


class Certificate(Frozen):
    """Clauses, and a proof that nothing satisfies them.

    Attributes
    ----------
    clauses : str
        In the DIMACS format, with comments that say what they are of. For a single solution the last one forbids it,
        and a comment records all literals that are true in it.
    proof : str
        In the DRUP format.
    is_own : bool
        Whether it tells our own search.
    """

    clauses: str
    proof: str
    is_own: bool


def certificate(solver: Solver, solution: Mapping[str, Value] | None, watch: Watch | None = None) -> Certificate:
    """The certificate that there is no solution, or that one solution is the only one.

    Parameters
    ----------
    solver : Solver
        Its limit of seconds holds for the whole. With an objective, the only best solution.
    solution : mapping from str to int or str, or None
        The only one; None where there is none.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends it.

    Returns
    -------
    Certificate
        Of our own search where lines alone closed it, and the checker has followed it; else by CaDiCaL.

    Raises
    ------
    NoCertificate
        If the clauses would be too many, or it takes CaDiCaL, and python-sat is not installed.
    ValueError
        If there is another solution.
    Stopped
        If a limit comes first.

    Notes
    -----
    Propagation by lines is unit propagation on the clauses of lines and exclusions; so for every node that fails, that
    its decisions do not go together follows by reverse unit propagation, and then the same for the node above it.

    References
    ----------
    .. [1] E. Goldberg, Y. Novikov, "Verification of proofs of unsatisfiability for CNF formulas", 2003.
    .. [2] N. Wetzler, M. Heule, W. Hunt, "DRAT-trim: efficient checking and trimming using expressive clausal proofs",
       2014.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> made = certificate(Solver(Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB", label="pair")])), None)
    >>> made.proof, made.is_own
    ('0\\n', True)
    """
    if not (solution is None or solver.model.check(solution)):
        raise ModelError("what is passed for its solution is none")
    made = _made(solver.model, solution)
    model, text = made.model, made.text
    budget = Budget(solver.strategy, Effort(), watch)
    own = _own_proof(Model(model.domains, model.constraints, model.show), made.terms, budget, solver)
    if own is not None and _is_accepted(made.size, made.clauses, own, budget):
        return Certificate(text, "".join([f"{' '.join(map(str, (*lemma, 0)))}\n" for lemma in own]), True)
    proof = prove(text, lambda effort: budget.check())
    if proof is None:
        raise ValueError("there is another solution")
    return Certificate(text, proof, False)


def compare(model: Model, clauses: str) -> None:
    """Make the clauses of a certificate anew, and refuse those that are others.

    Parameters
    ----------
    model : Model
    clauses : str
        Of a certificate that there is no solution of the model, or of the one that it records.

    Raises
    ------
    Refused
        If they are of another model, or the solution that is recorded is none of this one.
    NoCertificate
        If those of the model would be too many.

    Notes
    -----
    What the checker has found of the clauses holds of the model then, as far as the encoder is right. Comments that
    say of which line of a spec clauses are may differ.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> pair = Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB")])
    >>> compare(pair, certificate(Solver(pair), None).clauses)
    """
    solution = _recorded(model, clauses)
    if solution is not None and not model.check(solution):
        raise Refused("the solution that is recorded is none")
    if _essence(_made(model, solution).text) != _essence(clauses):
        raise Refused("the clauses are others")


class _Made(NamedTuple):
    model: Model
    size: int
    clauses: list[tuple[int, ...]]
    terms: Mapping[Variable, DirectEncoding]
    text: str


def _made(model: Model, solution: Mapping[str, Value] | None) -> _Made:
    """The clauses of a certificate, with the model that they are of."""
    if solution is not None:
        model = _at_least_as_good(model, solution)
    try:
        formula, terms, comments = encoded(model)
    except ModelError as error:
        raise NoCertificate(str(error)) from None
    clauses = [*formula.clauses]
    if solution is not None:
        clauses.append(tuple([-terms[variable][solution[variable]] for variable in model.shown]))
        true = _assignment(formula.size, formula.clauses, [terms[v][solution[v]] for v in model.domains])
        comments.append(f"c clauses {len(clauses)}..{len(clauses)}: another solution than this one")
        comments.append(" ".join(["c solution", *map(str, true), "0"]))
    lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    text = "\n".join([*comments, f"p cnf {formula.size} {len(lines)}", *lines, ""])
    return _Made(model, formula.size, clauses, terms, text)


def _recorded(model: Model, clauses: str) -> Solution | None:
    """The solution that clauses record."""
    said = next((line.split()[2:] for line in clauses.splitlines() if line.startswith("c solution ")), None)
    if said is None:
        return None
    true = set(said)
    terms = encoded(Model(model.domains)).terms
    values = {
        v: [value for value, literal in own.items() if value is not None and str(literal) in true]
        for v, own in terms.items()
    }
    if not all(len(own) == 1 for own in values.values()):
        raise Refused("the solution that is recorded is none")
    return Solution({variable: own[0] for variable, own in values.items()})


def _essence(clauses: str) -> list[str]:
    """The clauses, which literals stand for which values, and the solution, without what tells where they come from."""
    return [line for line in clauses.splitlines() if not line.startswith(("c clauses ", "c spec "))]


def _at_least_as_good(model: Model, solution: Mapping[str, Value]) -> Model:
    """The model without an objective whose solutions are those that are as good or better."""
    if model.objective is None:
        return model
    whole, told = model.objective.weighed(model.domains), model.objective.told(model.objective.worth(solution))
    relation = "<=" if model.objective.sign > 0 else ">="
    bound = Comparison(whole, relation, Affine((), whole.number(solution)), label=f"as good as {told}")
    return Model(model.domains, [*model.constraints, bound], model.show, layout=model.layout, drawn=model.drawn)


def _assignment(size: int, clauses: list[tuple[int, ...]], literals: list[int]) -> list[int]:
    """All literals that are true in a solution: they follow from those of its values."""
    known = WatchedClauses(size)
    for clause in clauses:
        known.add(clause)
    true = set(known.consequences(literals))
    found = [variable if variable in true else -variable for variable in range(1, size + 1)]
    if not all(any(one in true for one in clause) for clause in clauses):
        raise CspError("the clauses do not hold in the solution")
    return found


def _own_proof(
    model: Model, terms: Mapping[Variable, DirectEncoding], budget: Budget, solver: Solver
) -> list[list[int]] | None:
    """What the tree shows: of every node, the last ones first, that its decisions do not go together."""
    program = CompiledModel(model, replace(solver.strategy, level="singles"))
    engine, told = Engine(program), _Told()
    own = Budget(replace(program.strategy, nodes=NODES, seconds=None), Effort(), lambda effort: budget.check())
    try:
        result = engine.rest(engine.root(None), None, own)
        if isinstance(result, Stable):
            for _ in Search(program, Propagation(program), own, told).solutions(result.state):
                pass
    except Stopped:
        budget.check()
        return None
    found = []
    for path in told.closed():
        candidates = [_candidate(program, bit) for bit in path]
        if any(variable not in terms for variable, _ in candidates):
            return None  # a variable that stands for an expression
        found.append([-terms[variable][value] for variable, value in candidates])
    return [*found, []]


def _candidate(program: CompiledModel, bit: int) -> Candidate:
    number = program.layout.at(bit)
    assert number is not None
    return program.layout.candidate(number)


def _is_accepted(size: int, clauses: list[tuple[int, ...]], proof: list[list[int]], budget: Budget) -> bool:
    """Whether the checker can follow a proof: our propagation also knows groups and filters that no clause tells."""
    known = WatchedClauses(size)
    for clause in clauses:
        known.add(clause)
    for lemma in proof:
        budget.check()
        if not known.follows(lemma):
            return False
        known.add(lemma)
    return True


class _Told:
    """A trail that remembers decisions, and tells which paths are closed in which order."""

    def __init__(self) -> None:
        self._decisions: list[tuple[int, int] | None] = []

    def append(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case Decided(bit, depth):
                self._decisions.append((bit, depth))
            case Restarted():
                self._decisions.append(None)

    def closed(self) -> Iterator[list[int]]:
        """Every path whose nodes below it are closed, when it is; at a new start all that are open are given up."""
        path: list[int] = []
        for decision in [*self._decisions, (0, 0)]:
            depth = 0 if decision is None else decision[1]
            if decision is None:
                yield path
                path = []
                continue
            while len(path) > depth:
                yield path[:]
                path.pop()
            path.append(decision[0])
