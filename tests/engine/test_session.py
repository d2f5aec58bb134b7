"""Test sessions: restrictions agree with a new model and change no session."""

from __future__ import annotations

import random

import pytest

import csp
import dsl
from csp import AllDifferent, Model, ModelError, Settings, Solver, Stopped

from ..conftest import ROOT
from ..makers import MAKERS, NAMES


def random_model(rng: random.Random) -> Model:
    constraints = [rng.choice(list(MAKERS.values()))(rng) for _ in range(rng.randint(1, 4))]
    constraints.append(AllDifferent.of(rng.sample(NAMES, rng.randint(2, 4))))
    return Model({name: rng.sample(range(-1, 5), rng.randint(2, 4)) for name in NAMES}, constraints)


def test_a_restricted_session_agrees_with_a_new_model() -> None:
    rng = random.Random(0)
    failing = holding = 0
    for _ in range(150):
        model = random_model(rng)
        session = Solver(model).session()
        variable, second = rng.sample(NAMES, 2)
        given = {variable: rng.choice(model.domains[variable])}
        removed = (second, rng.choice(model.domains[second]))
        left_out = rng.sample(range(len(model.constraints)), rng.randint(0, 2))
        solutions = session.given(given).removing([removed]).solutions()
        assert [*Solver(model).solutions(given, removed=[removed])] == [*solutions]
        narrower = session.given(given).removing([removed]).leaving_out(left_out)
        domains = {**model.domains, variable: [given[variable]]}
        domains[second] = [value for value in domains[second] if value != removed[1]]
        # A model cannot have an empty domain; a session has no solution then.
        if not domains[second]:
            assert not narrower.holds and narrower.solve() is None and narrower.count().value == 0
            continue
        # Compare the session with a model that is built with the restrictions.
        new_model = Model(domains, [c for n, c in enumerate(model.constraints) if n not in left_out])
        expected = {frozenset(solution.items()) for solution in Solver(new_model).solutions()}
        assert {frozenset(solution.items()) for solution in narrower.solutions()} == expected
        assert narrower.count().value == len(expected) and (narrower.solve() is None) == (not expected)
        for variable, domain in narrower.domains.items() if narrower.holds else ():
            assert {dict(solution)[variable] for solution in expected} <= set(domain)
        failing += not narrower.holds
        holding += narrower.holds
    assert failing > 20 and holding > 20


def test_a_restricted_session_leaves_its_origin_unchanged() -> None:
    session = Solver(dsl.load(ROOT / "examples" / "latin.csp")).session()
    before = session.domains
    narrower = session.given({"cell(1,1)": 2})
    assert narrower.given({"cell(1,2)": 2}).holds is False
    assert session.domains == before and session.count().value == 576 and narrower.count().value == 144
    assert narrower.domains["cell(1,2)"] == (1, 3, 4)  # type: ignore[index]


def test_a_restriction_starts_at_the_fixpoint_of_its_session() -> None:
    session = Solver(dsl.load(ROOT / "examples" / "killer.csp", grids={})).session()
    assert session.given({}).effort.propagators == 0 < session.effort.propagators


def test_leaving_out_a_constraint_removes_its_consequences() -> None:
    """Check borrowed differences, sums of the rule of 45, and auxiliary variables."""
    model = dsl.loads('A, B in 1..3. "g": all_different([A, B]). "s": A + B = 4.')
    assert Solver(model).session().domains["A"] == (1, 3)  # type: ignore[index]
    assert Solver(model).session().leaving_out([0]).domains["A"] == (1, 2, 3)  # type: ignore[index]
    row = dsl.loads("A, B, C in 1..3. all_different([A, B, C]). A + B = 4.")
    assert Solver(row).session().domains["C"] == (2,)  # type: ignore[index]
    for number in (0, 1):
        assert Solver(row).session().leaving_out([number]).domains["C"] == (1, 2, 3)  # type: ignore[index]


def test_wrong_restrictions_raise_errors() -> None:
    session = Solver(dsl.load(ROOT / "examples" / "latin.csp"), settings=Settings(nodes=1)).session()
    with pytest.raises(ModelError, match="unknown variable: nobody"):
        session.given({"nobody": 1})
    with pytest.raises(ModelError, match="is not one of"):
        session.removing([("cell(1,1)", 9)])
    with pytest.raises(IndexError, match="unknown constraint: 99"):
        session.leaving_out([99])
    with pytest.raises(Stopped):
        session.solve()
    assert not session.count().complete
    assert session.left_out == frozenset() and session.leaving_out([3]).leaving_out([1]).left_out == {1, 3}
    assert csp.Session is type(session)
