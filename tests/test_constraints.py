"""Compare every propagator with brute force: it loses no solution, and reaches its consistency."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

import pytest

import dsl
from csp import (
    CONSTRAINTS,
    LEVELS,
    Affine,
    All,
    AllDifferent,
    Comparison,
    Constraint,
    Equality,
    Iff,
    Level,
    Linear,
    Member,
    Model,
    Settings,
    Solver,
    Table,
    Value,
    Variable,
    apply,
    bounds,
)
from csp.encoding.shape import shape
from csp.engine.compiled.context import PropagatorContext
from csp.engine.compiled.propagators import MAKERS, Propagator, maker
from csp.engine.compiled.propagators.base import bits
from csp.engine.compiled.propagators.counting import Counting, has_count_shape
from csp.engine.compiled.rewrite import rewrite_model
from csp.engine.memory import Memory
from csp.model.constraints.comparison import compared

from .conftest import TIMES
from .makers import MAKERS as RANDOM
from .makers import NAMES
from .oracle import every_solution

SYMBOLS = ("red", "green", "blue")
SETTINGS = {"tables": Settings(), "bounds": Settings(max_rows=1, max_steps=0), "hall": Settings(level="bounds")}


def test_every_constraint_has_a_maker_and_a_propagator() -> None:
    assert set(RANDOM) == set(CONSTRAINTS) == set(MAKERS)


def random_domains(rng: random.Random, low: int = -2, high: int = 6) -> dict[Variable, list[int]]:
    same = rng.sample(range(low, high), rng.randint(1, 5))
    equal = rng.random() < 0.4
    return {name: same if equal else rng.sample(range(low, high), rng.randint(1, 5)) for name in NAMES}


def propagators(model: Model, settings: Settings) -> Iterator[Propagator]:
    """Yield the strongest propagators of a model's constraints.

    They are those for constraints inside others, and those at the level ``domain``.
    """
    rewriting = rewrite_model(model, settings)
    context = PropagatorContext(rewriting.domains, settings, Memory(1 << 20), rewriting)
    conjunctions = [
        constraint for constraint in model.constraints if isinstance(constraint, All)
    ]  # taken apart by then
    for constraint in [*rewriting.constraints, *conjunctions]:
        if constraint.scope:
            yield context.part(constraint)
            if len(constraint.scope) > 1 and (propagator := maker(MAKERS[type(constraint)])(constraint, context)):
                yield propagator


def random_masks(rng: random.Random, propagator: Propagator) -> list[int]:
    return [rng.randint(1, (1 << len(domain)) - 1) for domain in propagator.domains]


def solutions(propagator: Propagator, masks: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the assignments that satisfy a constraint and its borrowed groups, as indices."""
    rows = []
    for row in product(*[list(bits(mask)) for mask in masks]):
        values: dict[str, Value] = {
            variable: domain[index]
            for variable, domain, index in zip(propagator.scope, propagator.domains, row, strict=True)
        }
        are_different = all(len({values[v] for v in group}) == len(group) for group, _ in propagator.borrowed)
        if are_different and propagator.constraint.check(values):
            rows.append(row)
    return rows


def examine(propagator: Propagator, masks: list[int]) -> bool:
    """Check a propagator's result and consistency; return whether it removed a value."""
    narrowed = propagator.prune(masks)
    rows = solutions(propagator, masks)
    if narrowed is None:
        assert not rows, f"{propagator.constraint}: a solution is lost"
        return True
    assert len(narrowed) == len(masks) and all(
        remaining and not remaining & ~mask for remaining, mask in zip(narrowed, masks, strict=True)
    )
    supported = [0] * len(masks)
    for row in rows:
        for position, index in enumerate(row):
            supported[position] |= 1 << index
    assert not any(supports & ~remaining for supports, remaining in zip(supported, narrowed, strict=True)), (
        f"{propagator.constraint}: lost"
    )
    match propagator.consistency_of(masks):
        case "domain":
            assert list(narrowed) == supported, f"{propagator.constraint} is not domain-consistent"
        case "bounds":
            pairs = enumerate(zip(propagator.scope, narrowed, strict=True))
            domains = {variable: list(propagator.values(i, remaining)) for i, (variable, remaining) in pairs}
            once_more = propagator.prune(narrowed)
            if once_more is not None and list(once_more) == list(narrowed):
                for variable, values in domains.items():
                    for value in (values[0], values[-1]):
                        entailment = interval_entailment(propagator.constraint, {**domains, variable: [value]})
                        assert entailment is not False, f"{propagator.constraint} is not consistent on bounds"
    if all(not mask & (mask - 1) for mask in masks):
        values = {v: propagator.value(i, mask) for i, (v, mask) in enumerate(zip(propagator.scope, masks, strict=True))}
        assert propagator.constraint.check(values), (
            f"{propagator.constraint} does not hold, and its propagator does not see it"
        )
    return list(narrowed) != masks


def interval_entailment(constraint: Constraint, domains: Mapping[Variable, Sequence[int]]) -> bool | None:
    """Return what interval arithmetic concludes about a constraint."""
    tuples = {variable: tuple(values) for variable, values in domains.items()}
    try:
        if elements := constraint.apart():
            images = [element.images(tuples[element.variables[0]]) for element in elements]
            if not all(isinstance(value, int) for image in images for value in image):
                return None
            spans = [range(min(image), max(image) + 1) for image in images]  # type: ignore[type-var, arg-type, operator]
            return any(len(set(row)) == len(row) for row in product(*spans))
        if isinstance(constraint, Comparison):
            return compared(constraint.relation, bounds(constraint.difference, tuples))  # type: ignore[arg-type]
        assert isinstance(constraint, Member)
        low, high = bounds(constraint.expression, tuples)  # type: ignore[arg-type]
    except ZeroDivisionError:
        return False
    return any(isinstance(value, int) and low <= value <= high for value in constraint.values) or False


def examine_all(kind: type[Constraint], settings: Settings, rounds: int = 40 * TIMES) -> int:
    """Examine random constraints of a kind beside a group; return how many removals there were."""
    rng = random.Random(kind.__name__)
    narrowed = 0
    for _ in range(rounds):
        group = [AllDifferent.of(rng.sample(NAMES, rng.randint(2, 4)))] if rng.random() < 0.5 else []
        model = Model(random_domains(rng), [RANDOM[kind](rng), *group])
        for propagator in propagators(model, settings):
            for _ in range(3):
                narrowed += examine(propagator, random_masks(rng, propagator))
    return narrowed


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_a_propagator_loses_no_solution_and_keeps_its_claim(kind: type[Constraint], setting: str) -> None:
    assert examine_all(kind, SETTINGS[setting]) > 15


def test_a_count_that_a_variable_tells_is_domain_consistent() -> None:
    """Also where conditions are on that variable, as in a magic sequence; against brute force, decided too."""
    rng, narrowed, decided = random.Random(11), 0, 0
    names = [Variable(name) for name in "ABCDE"]
    for _ in range(150 * TIMES):
        domains = {name: range(rng.randint(-1, 1), rng.randint(2, 5)) for name in names}
        chosen = [*rng.sample(names, rng.randint(2, 5)), *rng.choices(names[:1], k=rng.randint(0, 2))]
        conditions: list[Constraint] = []
        for name in chosen:
            affine, constant = Affine.variable(name), Affine((), rng.randint(0, 3))
            conditions.append(Comparison(affine, rng.choice(["=", "!=", "<", ">="]), constant))
        total = apply("count", conditions) * rng.choice([1, 1, 2, -1]) + rng.randint(-1, 1)
        number = Affine.variable("A") * rng.choice([1, 1, -1, 2]) if rng.random() < 0.8 else Affine((), 2)
        constraint = Comparison(total, rng.choice(["=", "!=", "<=", ">"]), number)
        context = PropagatorContext(Model(domains).domains, Settings(), Memory(1 << 20), None)
        if not has_count_shape(constraint, context):
            continue
        propagator = Counting(constraint, context)
        for _ in range(4):
            masks = random_masks(rng, propagator)
            narrowed += examine(propagator, masks)
            every, rows = prod(mask.bit_count() for mask in masks), len(solutions(propagator, masks))
            known = propagator.entailment(masks)
            assert known is None or known == (rows == every)
            decided += known is not None
    assert narrowed > 70 and decided > 30


def test_a_row_is_looked_up_and_not_searched_for() -> None:
    compared = 0

    class Number(int):
        __hash__ = int.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return int(self) == other

    rows = tuple((Number(i), Number(i % 7)) for i in range(5000))
    table = Table("r", (Affine.variable("A"), Affine.variable("B")), rows)
    found = [table.check({"A": i, "B": 3}) for i in range(4000, 5000)]
    assert sum(found) == 143 and compared < 5 * len(found)
    assert hash(table.rows) == hash(rows) and table == Table("r", table.columns, rows)
    plain = Table("r", table.columns, tuple((int(a), int(b)) for a, b in rows))
    assert pickle.loads(pickle.dumps(plain)) == plain == table


def test_what_holds_whatever_the_values_are_has_no_propagator() -> None:
    model = dsl.loads("x(I) in 1..4 :- I in 1..6. x(I) != x(J) ; x(I) < J - I :- I in 1..6, J in 1..6, I < J.")
    assert len(model.constraints) == 15
    assert [len(one.scope) for one in Solver(model).program.propagators.values()] == [2] * 14  # x(1) < 5


def test_a_magic_sequence_takes_no_tables() -> None:
    model = dsl.loads(
        "param n = 12. x(I) in 0..n-1 :- I in 0..n-1. x(I) = count(x(J) = I : J in 0..n-1) :- I in 0..n-1."
    )
    solver = Solver(model)
    assert solver.count().value == 1 and solver.solve()["x(0)"] == 8  # type: ignore[index]
    assert {type(one) for one in solver.program.propagators.values()} == {Counting}


def every_propagator(kind: type[Propagator] = Propagator) -> Iterator[type[Propagator]]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from every_propagator(subclass)


def removing() -> list[type[Propagator]]:
    """Return the kinds of propagators that remove values while several variables are unfixed."""
    names = {
        "Unary",
        "Constant",
        "Pigeons",
        "Unequal",
        "DifferentElements",
        "Pairwise",
        "DifferentExcept",
        "Inverses",
        "RoundTrip",
    }
    return sorted({kind for kind in every_propagator() if kind.__name__ not in names}, key=lambda kind: kind.__name__)


@pytest.mark.sampled
@pytest.mark.parametrize("weakened", removing(), ids=lambda own: own.__name__)
def test_a_weakened_propagator_is_found_out(weakened: type[Propagator], monkeypatch: pytest.MonkeyPatch) -> None:
    """A propagator that waits until one variable is open loses nothing, and breaks its claim."""
    strong = weakened.prune

    def waiting(self: Propagator, masks: Sequence[int]) -> Sequence[int] | None:
        if type(self) is weakened and sum(bool(mask & (mask - 1)) for mask in masks) > 1:
            return masks
        return strong(self, masks)

    monkeypatch.setattr(weakened, "prune", waiting)
    for rounds, kind in product((60, 240), CONSTRAINTS):
        for settings in SETTINGS.values():
            try:
                examine_all(kind, settings, rounds)
            except AssertionError as error:
                if "consistent" in str(error):
                    return
    raise AssertionError("no claim is broken")


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_what_is_decided_is_so(kind: type[Constraint]) -> None:
    rng = random.Random(kind.__name__)
    seen = set()
    for _ in range(60 * TIMES):
        model = Model(random_domains(rng), [RANDOM[kind](rng)])
        for propagator in propagators(model, Settings()):
            masks = [mask & -mask if rng.random() < 0.6 else mask for mask in random_masks(rng, propagator)]
            known = propagator.entailment(masks)
            count = len(solutions(propagator, masks))
            whole = 1
            for mask in masks:
                whole *= mask.bit_count()
            assert known is None or count == (whole if known else 0), (propagator.constraint, masks)
            assert known is not None or any(mask & (mask - 1) for mask in masks), propagator.constraint
            seen.add(known)
    assert seen == {True, False, None}


@pytest.mark.parametrize("kind", RANDOM)
def test_constraints_of_one_shape_mean_the_same(kind: type[Constraint]) -> None:
    rng = random.Random(f"shape {kind.__name__}")
    for _ in range(20 * TIMES):
        one = RANDOM[kind](rng)
        wider = [All((Equality(name, 1), one)) for name in NAMES] + [Iff(one, Equality(name, 2)) for name in NAMES]
        of_shape: dict[object, set[tuple[bool, ...]]] = {}
        for other in wider:
            rows = product(range(-1, 4), repeat=len(other.scope))
            held = tuple([other.check(dict(zip(other.scope, row, strict=True))) for row in rows])
            of_shape.setdefault((shape(other), len(other.scope)), set()).add(held)
        assert all(len(meanings) == 1 for meanings in of_shape.values()), one


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_solver_agrees_with_brute_force(kind: type[Constraint]) -> None:
    rng = random.Random(kind.__name__)
    for _ in range(8 * TIMES):
        constraints = [RANDOM[kind](rng)] + [rng.choice(list(RANDOM.values()))(rng) for _ in range(rng.randint(0, 2))]
        model = Model(random_domains(rng, high=4), constraints)
        expected = list(every_solution(model))
        right = {frozenset(solution.items()) for solution in expected}
        for level, setting in product(LEVELS, SETTINGS.values()):
            solver = Solver(model, level, setting)
            found = list(solver.solutions())
            as_sets = {frozenset(solution.items()) for solution in found}
            assert len(as_sets) == len(found) and as_sets == right, (level, setting, constraints)
            assert solver.count().value == len(expected)
            left = solver.propagate()
            for solution in expected:
                assert left.holds and all(value in left.domains[v] for v, value in solution.items())  # type: ignore[index]


def tight(solver: Solver) -> set[int]:
    """The numbers of the groups that have as many values as variables."""
    return {group.number for group in solver.program.layout.groups if group.is_permutation}


@pytest.mark.parametrize("level", LEVELS)
def test_a_fixpoint_is_at_rest_and_the_order_of_constraints_does_not_matter(level: Level) -> None:
    """A group in which only now there are as many values as variables has lines of its values when it is made anew."""
    rng = random.Random(f"at rest {level}")
    narrowed = 0
    for _ in range(80 * TIMES):
        constraints = [rng.choice(list(RANDOM.values()))(rng) for _ in range(rng.randint(1, 4))]
        constraints.append(AllDifferent.of(rng.sample(NAMES, rng.randint(2, 4))))
        domains = random_domains(rng)
        solver = Solver(Model(domains, constraints), level)
        session = solver.session()
        turned = constraints[::-1]
        rng.shuffle(turned)
        other = Solver(Model(domains, turned), level).session()
        assert session.holds == other.holds, constraints
        if session.holds:
            assert session.domains == other.domains, constraints
            again = session.given({})
            assert again.domains == session.domains and again.effort.propagators == again.effort.fixes == 0
            left = {v: d for v, d in session.domains.items()}
            anew = Solver(Model(left, constraints), level)
            if tight(anew) <= tight(solver):
                assert anew.propagate().holds and anew.propagate().domains == left, constraints
            narrowed += any(len(left[v]) < len(domains[v]) for v in NAMES)
    assert narrowed > 5


def test_symbols_can_be_equal_or_not() -> None:
    names = [Variable(name) for name in "AB"]
    model = Model(dict.fromkeys(names, SYMBOLS), [Equality(names[0], names[1], equal=False), AllDifferent.of(names)])
    assert Solver(model).count().value == len(list(every_solution(model))) == 6


def test_linear_is_domain_consistent_for_two_variables() -> None:
    rule = Linear(Affine.variable("x") * 2, "=", Affine.variable("y"))
    left = Solver(Model({"x": (1, 2, 3), "y": (1, 2, 6)}, [rule])).propagate().domains
    assert left == {"x": (1, 3), "y": (2, 6)}


def test_a_group_too_large_for_its_values_fails_without_search() -> None:
    model = Model({name: (1, 2, 3) for name in NAMES}, [AllDifferent.of(NAMES)])
    for level in LEVELS:
        assert not Solver(model, level).propagate().holds
