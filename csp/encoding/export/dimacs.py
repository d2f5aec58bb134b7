"""Export to DIMACS CNF, with one model for each solution."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from ...base.errors import ModelError
from ...model import Model, Value, Variable
from ..encoder import Encoder
from ..formula import Clauses, TooManyClauses
from ..terms import DirectEncoding
from .names import one_line

COMMENT_WORDS = ("clauses", "solution", "spec")
"""First words of comments that are not about a value of a variable, in formulas and certificates."""


def write_dimacs(model: Model) -> str:
    """Return a model as text in the format DIMACS CNF, or WCNF with an objective.

    WCNF is the format of MaxSAT.

    Raises
    ------
    ModelError
        If the formula has too many clauses. The message names the constraint that is too large.

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
    encoded = encode_model(model)
    comments, formula = encoded.comments, encoded.formula
    clauses = [" ".join(map(str, (*clause, 0))) for clause in formula.clauses]
    if not model.objective:
        return "\n".join([*comments, f"p cnf {formula.size} {len(clauses)}", *clauses, ""])
    comments.append(f"c {one_line(str(model.objective))}")
    soft = [f"{weight} {-literal} 0" for weight, literal in formula.objective]
    return "\n".join([*comments, *[f"h {clause}" for clause in clauses], *soft, ""])


class EncodedModel(NamedTuple):
    """The clauses of a model, with the meaning of their literals.

    ``terms``: the literals of its variables; ``comments``: lines that say what the literals and clauses mean.
    """

    formula: Clauses
    terms: Mapping[Variable, DirectEncoding]
    comments: list[str]


def encode_model(model: Model) -> EncodedModel:
    """Translate a model into clauses; return them with the meaning of the literals.

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
        first = len(formula.clauses)
        with _report_size(constraint.place):
            encoder.require(constraint)
        if first < len(formula.clauses):
            comments.append(f"c clauses {first + 1}..{len(formula.clauses)}: {one_line(constraint.place)}")
    if model.objective:
        with _report_size(model.objective.place):
            encoder.minimize(model.objective.weighted_sum(model.domains), model.objective.sign)
    return EncodedModel(formula, terms, comments)


@contextmanager
def _report_size(subject: str) -> Iterator[None]:
    """Replace `TooManyClauses` by a ``ModelError`` that names the variable or constraint."""
    try:
        yield
    except TooManyClauses as error:
        raise ModelError(f"{subject} needs a formula of more than {error.most:,} clauses, too many to write") from None


def _word(value: Value | None) -> str:
    """Return a value as one word of a comment, in quotes if necessary."""
    text = str(value)
    return text if isinstance(value, int) or re.fullmatch(r'[^\W\d][^\s"]*', text) else json.dumps(text)
