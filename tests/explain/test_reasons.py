"""Tests of reasons: what makes a claim follow, and their picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dsl
from csp import Model, ModelError, Settings, Solver, Stopped, Variable
from csp.explain import Claim, why
from csp.picture.explained.why import why_picture
from csp.picture.plan import Plan
from csp.picture.shapes import OVER
from csp.render import draw, draw_why

from ..commands import EXAMPLES, run


def test_the_premises_of_a_reason_suffice_and_each_is_needed() -> None:
    """Check that the named constraints entail the claim, and that each one is needed.

    They are less than half of the constraints of the model.
    """
    model = dsl.load(EXAMPLES / "sudoku.csp")
    claim = Claim(Variable.of("cell(5,2)"), 2)
    named_constraints = {reason.constraint for reason in why(model, claim, minimal=True).reasons}
    premises = [constraint for constraint in model.constraints if constraint in named_constraints]
    assert 0 < len(premises) < len(model.constraints) / 2
    reduced = Model(model.domains, premises)
    for value in set(range(1, 10)) - {2}:
        assert Solver(reduced).solve({"cell(5,2)": value}) is None
    for number in range(len(premises)):
        assert Solver(reduced).session().leaving_out([number]).domains[claim.variable] != (2,)


def test_reasons_end_at_the_givens() -> None:
    explanation = why(dsl.load(EXAMPLES / "sudoku.csp"), Claim(Variable.of("cell(5,5)"), 5))
    assert explanation.kind == "reasons" and explanation.reasons[0].text == "cell(5,5) = 5"
    given_reasons = [reason for reason in explanation.reasons if not reason.premises]
    assert (
        all(re.fullmatch(r"cell\(.,.\) = . \(line 30\)", reason.text) for reason in given_reasons)
        and len(given_reasons) == 8
    )
    assert all(premise > 0 for reason in explanation.reasons for premise in reason.premises)
    assert len(list(explanation.lines())) == len(explanation.reasons)
    assert sum(len(reason.premises) for reason in explanation.reasons) == 16


@pytest.mark.parametrize(
    ("name", "value", "holds"), [("cell(5,5)", 5, True), ("cell(1,3)", 4, True), ("cell(1,3)", 1, False)]
)
def test_reasons_are_drawn_on_the_board(name: str, value: int, holds: bool) -> None:
    model = dsl.load(EXAMPLES / "sudoku.csp")
    claim = Claim(Variable.of(name), value, holds)
    explanation, plan = why(model, claim), Plan(model)
    shapes = why_picture(plan, explanation)
    looks = {v: {word for shape in shapes if shape.of == (v,) for word in shape.look.split()} for v in model.domains}
    causes = {reason.candidates[0][0] for reason in explanation.reasons if reason.holds}
    removed_candidates = {
        candidate for reason in explanation.reasons if not reason.holds for candidate in reason.candidates
    }
    assert {v for v in model.domains if looks[v] & {"because", "claim"}} == causes | {claim.variable}
    assert [v for v in model.domains if "claim" in looks[v]] == [claim.variable]
    assert sum(shape.look == "strike" and len(shape.of) == 1 for shape in shapes) == len(removed_candidates)
    listed = [shape.text for shape in shapes if shape.look == "start" and re.match(r"[0-9]+\. ", shape.text)]
    assert [int(line.split(".")[0]) for line in listed] == list(range(1, len(explanation.reasons) + 1))
    numbers = {
        int(shape.text) for shape in shapes if shape.kind == "text" and shape.look == "rank" and shape.layer == OVER
    }
    assert numbers >= {i for i, reason in enumerate(explanation.reasons, 1) if reason.holds}
    faint = {v for v in model.domains if "faint" in looks[v]}
    assert faint and faint.isdisjoint({v for v, _ in removed_candidates} | causes)
    assert b"</svg>" in draw([draw_why(model, explanation, "dot")])[0]
    assert draw_why(model, explanation) == draw_why(model, why(model, claim))


def test_a_claim_beyond_propagation_is_shown_by_a_refutation() -> None:
    model = dsl.load(EXAMPLES / "zebra.csp")
    explanation = why(model, Claim(Variable.of("house(zebra)"), 5))
    lines = list(explanation.lines())
    assert explanation.kind == "search" and lines[0] == "house(zebra) = 5: only search shows it"
    assert lines[1] == "suppose house(zebra) != 5" and "cannot hold" in lines[-1]
    assert "5 has no place left: house(dog) by house(spanish) = house(dog) (line 14); house(snails) by " in lines[3]
    assert why(model, Claim(Variable.of("house(zebra)"), 5, False)).kind == "open"
    with pytest.raises(Stopped):
        why(model, Claim(Variable.of("house(zebra)"), 5), settings=Settings(nodes=1))
    assert "house(green) = 4" in draw_why(model, explanation) and "graph" in draw_why(model, explanation, "dot")


def test_a_claim_without_proof_has_a_counterexample() -> None:
    model = dsl.load(EXAMPLES / "latin.csp")
    explanation = why(model, Claim(Variable.of("cell(1,1)"), 2))
    assert "does not follow" in draw_why(model, explanation)
    assert (
        explanation.kind == "open"
        and explanation.example is not None
        and explanation.example[Variable.of("cell(1,1)")] != 2
    )
    unsatisfiable = dsl.loads("A, B in 1..2.  A < B.  B < A.")
    assert why(unsatisfiable, Claim(Variable.of("A"), 1)).kind == "no solution"
    for variable, value in (("cell(9,9)", 1), ("cell(1,1)", 9)):
        with pytest.raises(ModelError):
            why(model, Claim(Variable.of(variable), value))


def test_why_writes_its_drawing_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "why.svg"
    assert run("why", EXAMPLES / "sudoku.csp", "cell(5,5) = 5", "--out", out).exit_code == 0
    assert b"</svg>" in out.read_bytes()
    dot = run("why", EXAMPLES / "sudoku.csp", "cell(5,5) = 5", "--out", tmp_path / "why.dot")
    assert dot.exit_code == 0 and (tmp_path / "why.dot").read_text().startswith("// cell(5,5) = 5\ngraph")
