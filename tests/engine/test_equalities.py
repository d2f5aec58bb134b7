"""Test that equalities and equivalences look only at what may change."""

from __future__ import annotations

import random
from itertools import product

import pytest

import dsl
from csp import Solver, Value
from csp.engine.compiled.propagators import order
from csp.engine.compiled.propagators.logic import InnerPropagator, Probing
from csp.engine.compiled.propagators.order import Equal


def test_equal_variables_keep_their_common_values() -> None:
    rng = random.Random(1)
    for _ in range(200):
        left, right = (sorted(rng.sample(range(9), rng.randint(2, 6))) for _ in range(2))
        domains = [", ".join(map(str, domain)) for domain in (left, right)]
        fixpoint = Solver(dsl.loads(f"x in {{{domains[0]}}}.  y in {{{domains[1]}}}.  x = y.")).propagate()
        common: tuple[Value, ...] = tuple(sorted({*left} & {*right}))
        assert (fixpoint.domains == {"x": common, "y": common}) if common else not fixpoint.holds


def test_equal_variables_with_shifted_domains_are_compared_without_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(dsl.loads("x in 1..30.  y in 5..40.  z in 0..1.  z = 1 <-> x = y.  x = y ; z = 0."))
    equal = [p for p in solver.program.propagators.values() if isinstance(p, Probing)]
    assert equal
    propagator = next(part.propagator for part in equal[0].parts if isinstance(part.propagator, Equal))
    monkeypatch.setattr(order, "bits", None)
    common = range(5, 31)
    left, right = sum(1 << value - 1 for value in common), sum(1 << value - 5 for value in common)
    assert propagator.prune([(1 << 30) - 1, (1 << 36) - 1]) == (left, right)
    assert propagator.prune([1 << 0, (1 << 36) - 1]) is None
    assert propagator.entailment([1 << 9, 1 << 5]) is True


def test_an_undecided_equivalence_tests_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(dsl.loads("a, b, c, d in 1..40.  a = b <-> c = d.  a < 40."))
    probing = next(p for p in solver.program.propagators.values() if isinstance(p, Probing))
    calls = 0
    entailment = InnerPropagator.entailment

    def count(part: InnerPropagator, masks: list[int]) -> bool | None:
        nonlocal calls
        calls += 1
        return entailment(part, masks)

    monkeypatch.setattr(InnerPropagator, "entailment", count)
    full = [(1 << 40) - 1] * 4
    assert probing.prune(full) == full
    assert calls == 2


def test_an_equivalence_of_equalities_keeps_the_values_of_its_solutions() -> None:
    rng = random.Random(2)
    for _ in range(60):
        domains = [sorted(rng.sample(range(5), rng.randint(1, 4))) for _ in range(4)]
        spec = [f"{name} in {{{', '.join(map(str, domain))}}}." for name, domain in zip("abcd", domains, strict=True)]
        fixpoint = Solver(dsl.loads("\n".join([*spec, "a = b <-> c = d."]))).propagate()
        rows = [row for row in product(*domains) if (row[0] == row[1]) == (row[2] == row[3])]
        assert fixpoint.holds == bool(rows)
        for position, name in enumerate("abcd"):
            kept: tuple[Value, ...] = tuple(sorted({row[position] for row in rows}))
            assert not rows or {*kept} <= {*fixpoint.domains[name]}
