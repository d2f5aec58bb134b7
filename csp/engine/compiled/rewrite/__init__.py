"""From a model to what is compiled: nothing is added to its meaning, and every constraint keeps its number."""

from __future__ import annotations

from collections.abc import Collection

from ....model import All, Circuit, Comparison, Connected, DifferentTuples, Inverse, Model
from ...settings import Settings
from .conditions import name_conditions
from .conjunctions import split_conjunctions
from .expressions import name_expressions
from .faces import add_faces
from .implied import add_groups, add_successors, add_sums
from .rewriting import Rewriting
from .tuples import number_tuples


def rewrite_model(model: Model, settings: Settings, without: Collection[int] = ()) -> Rewriting:
    """The constraints in the form in which they filter best, and what follows from several of them.

    Parameters
    ----------
    model : Model
    settings : Settings
    without : collection of int
        The numbers of constraints to leave out.

    Raises
    ------
    ModelError
        If an expression can have too many values.
    """
    rewriting = Rewriting.of(model, without)
    if rewriting.has(All):
        split_conjunctions(rewriting)
    if rewriting.has(DifferentTuples):
        number_tuples(rewriting)
    if rewriting.has(Circuit, Inverse):
        add_successors(rewriting)
    if rewriting.has(Connected):
        add_faces(rewriting)
    add_groups(rewriting)
    add_sums(rewriting, settings)
    if rewriting.has(Comparison):
        name_conditions(rewriting, settings)
    name_expressions(rewriting, settings)
    return rewriting


__all__ = ["Rewriting", "rewritten"]
