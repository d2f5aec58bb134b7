"""The rewriting of a model into constraints that propagate better, before it is compiled.

The rewritten model has the same solutions, but stronger propagation. Every constraint keeps its number; definitions and
implied constraints get the numbers after.
"""

from __future__ import annotations

from collections.abc import Collection

from ....model import All, Circuit, Comparison, Connected, DifferentTuples, Inverse, Model
from ...settings import Settings
from .faces import add_faces
from .implied import add_groups, add_successors, add_sums
from .replacements import name_conditions, name_expressions, number_tuples, split_conjunctions
from .rewriting import Rewriting


def rewrite_model(model: Model, settings: Settings, ignored: Collection[int] = ()) -> Rewriting:
    """Rewrite the constraints of a model for propagation, and add implied constraints.

    Parameters
    ----------
    model : Model
    settings : Settings
    ignored : collection of int
        The numbers of the constraints to ignore.

    Raises
    ------
    ModelError
        If an expression can have too many values.
    """
    rewriting = Rewriting.of(model, ignored)
    # Simplify constraints first, because implied constraints follow from the simple ones.
    if rewriting.has(All):
        split_conjunctions(rewriting)
    if rewriting.has(DifferentTuples):
        number_tuples(rewriting)
    # Add implied constraints.
    if rewriting.has(Circuit, Inverse):
        add_successors(rewriting)
    if rewriting.has(Connected):
        add_faces(rewriting)
    add_groups(rewriting)
    add_sums(rewriting, settings)
    # Introduce variables for conditions and for expressions, also those of the implied constraints.
    if rewriting.has(Comparison):
        name_conditions(rewriting, settings)
    name_expressions(rewriting, settings)
    return rewriting


__all__ = ["Rewriting", "rewrite_model"]
