"""DIMACS CNF, with as many models as there are solutions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from ...base.errors import ModelError
from ...model import Model, Value, Variable
from ..cnf import Clauses
from ..encoder import Encoder
from ..formula import TooManyClauses
from ..terms import DirectEncoding
from .names import one_line

COMMENT_WORDS = ("clauses", "solution", "spec")
"""How the comments of a formula or a certificate begin that are not about a value of a variable."""


def write_dimacs(model: Model) -> str:
    """A model in the DIMACS format for propositional formulas; with an objective, in the one of MaxSAT (WCNF).

    Raises
    ------
    ModelError
        If the formula has too many clauses; the message names the constraint that was too large.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> print(write_dimacs(Model({"A": (1, 2), "B": (1, 5)}, [AllDifferent.of("AB", label="pair")])), end="")
    c A 1 -> 1
    c A 2 -> 2
    c B 1 -> 3
    c B 5 -> 4
    c clauses 5..5: pair
    p cnf 4 5
    1 2 0
    -1 -2 0
    3 4 0
    -3 -4 0
    -1 -3 0
    """
    said = encode_model(model)
    comments, formula = said.comments, said.formula
    clauses = [" ".join(map(str, (*clause, 0))) for clause in formula.clauses]
    if not model.objective:
        return "\n".join([*comments, f"p cnf {formula.size} {len(clauses)}", *clauses, ""])
    comments.append(f"c {one_line(str(model.objective))}")
    soft = [f"{weight} {-literal} 0" for weight, literal in formula.objective]
    return "\n".join([*comments, *[f"h {clause}" for clause in clauses], *soft, ""])


class EncodedModel(NamedTuple):
    """A model as clauses: which literals its variables have, and comments that say what the clauses are of."""

    formula: Clauses
    terms: Mapping[Variable, DirectEncoding]
    comments: list[str]


def encode_model(model: Model) -> EncodedModel:
    """The clauses of a model.

    Raises
    ------
    ModelError
        As ``write_dimacs``.
    """
    formula = Clauses()
    encoder = Encoder(formula, model.domains, model.constraints)
    comments = []
    for variable in model.domains:
        with _report_size(variable):
            encoder.introduce(variable)
    terms = dict(encoder.terms)
    for variable, values in terms.items():
        name = json.dumps(str(variable)) if variable in COMMENT_WORDS else _word(variable)
        comments += [f"c {name} {_word(value)} -> {literal}" for value, literal in values.items()]
    for constraint in model.constraints:
        before = len(formula.clauses)
        with _report_size(constraint.place):
            encoder.require(constraint)
        if before < len(formula.clauses):
            comments.append(f"c clauses {before + 1}..{len(formula.clauses)}: {one_line(constraint.place)}")
    if model.objective:
        with _report_size(model.objective.place):
            encoder.minimize(model.objective.weighed(model.domains), model.objective.sign)
    return EncodedModel(formula, terms, comments)


@contextmanager
def _report_size(what: str) -> Iterator[None]:
    """Says in the error what it was that needed too many clauses."""
    try:
        yield
    except TooManyClauses as error:
        raise ModelError(f"{what} needs a formula of more than {error.most:,} clauses, too many to write") from None


def _word(value: Value | None) -> str:
    text = str(value)
    return text if isinstance(value, int) or re.fullmatch(r'[^\W\d][^\s"]*', text) else json.dumps(text)
