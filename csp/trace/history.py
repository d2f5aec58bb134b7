"""A model and everything that happened to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..base.frozen import Frozen
from ..base.notation import counted
from ..base.show import ShowsHtml
from ..engine.compiled.program import CompiledModel
from ..model import Constraint, Model
from .captions import MOST_NAMED, caption
from .records import Record, Waiting


class Trace(Frozen, ShowsHtml):
    """A model and everything that happened to it.

    Attributes
    ----------
    model : Model
        As it was solved: the constraints of the model that was asked keep their numbers, and those that follow from
        them come after; so do the variables that stand for expressions.
    records : tuple of Record
    origins : tuple of tuples of int
        For every constraint, the numbers of those of the model that it comes from.
    queue : tuple of Waiting
        Who waits before anything has happened: the filters, in their order.
    """

    model: Model
    records: tuple[Record, ...]
    origins: tuple[tuple[int, ...], ...] = ()
    queue: tuple[Waiting, ...] = ()

    def __repr__(self) -> str:
        return f"<Trace: {counted(len(self.records), 'record')} of {self.model!r}>"

    def captions(self) -> Iterator[str]:
        """One line of text for every record."""
        return map(caption, self.records)


def named_constraints(program: CompiledModel) -> tuple[Constraint, ...]:
    """The constraints of a program as captions name them: what was found to follow says from what.

    Examples
    --------
    >>> from csp import Equality, Model, Solver, Variable
    >>> pairs = [Equality(Variable(a), Variable(b), equal=False, label=a + b) for a, b in ("AB", "BC", "AC")]
    >>> print(named_constraints(Solver(Model({v: range(3) for v in "ABC"}, pairs)).program)[3].place)
    all_different([A, B, C]) from AB, BC, AC
    """
    constraints = tuple(program.constraints)
    return tuple(
        [
            one
            if one.label or origins == (number,)
            else replace(one, label=f"{one} from {_sources(constraints, origins)}")
            for number, (one, origins) in enumerate(zip(constraints, program.origins, strict=True))
        ]
    )


def _sources(constraints: Sequence[Constraint], numbers: Sequence[int]) -> str:
    places = [constraints[number].place for number in numbers[:MOST_NAMED]]
    more = len(numbers) - MOST_NAMED
    return ", ".join(places) + (f" and {more} more" if more > 0 else "")


def traced(program: CompiledModel, records: list[Record]) -> Trace:
    """Records with the model that they are about.

    Parameters
    ----------
    program : CompiledModel
    records : list of Record

    Returns
    -------
    Trace
    """
    model, constraints = program.model, named_constraints(program)
    same = len(constraints) == len(model.constraints) and all(
        one is other for one, other in zip(constraints, model.constraints, strict=True)
    )
    solved = model if same else Model(program.domains, constraints, model.show, layout=model.layout, drawn=model.drawn)
    first = [Waiting(None, number, constraints[number].name) for number in program.propagators]
    return Trace(solved, tuple(records), program.origins, tuple(first))
