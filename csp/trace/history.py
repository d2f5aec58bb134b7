"""The trace: a model with the records of its propagation and search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..base.frozen import Frozen
from ..base.late import import_late
from ..base.notation import counted
from ..engine.compiled.program import CompiledModel
from ..model import Constraint, Model
from .captions import MAX_NAMED, caption
from .records import Record, Waiting


class Trace(Frozen):
    """A model with the records of its propagation and search, in order.

    Attributes
    ----------
    model : Model
        The model as it was solved: constraints of the original model keep their numbers, and implied constraints
        follow; in the same way, variables for expressions follow the original ones.
    records : tuple of Record
    origins : tuple of tuples of int
        For every constraint, the numbers of the original constraints that imply it.
    queue : tuple of Waiting
        The initial queue: all propagators, in their order.
    """

    model: Model
    records: tuple[Record, ...]
    origins: tuple[tuple[int, ...], ...] = ()
    queue: tuple[Waiting, ...] = ()

    def _repr_html_(self) -> str:
        """Write pictures and captions for a notebook."""
        return str(import_late("csp.render.notebook", "trace_html")(self))

    def __repr__(self) -> str:
        return f"<Trace: {counted(len(self.records), 'record')} of {self.model!r}>"

    def captions(self) -> Iterator[str]:
        """Yield the caption of each record, one line of text each."""
        return map(caption, self.records)


def named_constraints(program: CompiledModel) -> tuple[Constraint, ...]:
    """Return the constraints of a compiled model; label implied ones with what they follow from.

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
            constraint
            if constraint.label or origins == (number,)
            else replace(constraint, label=f"{constraint} from {_show_origins(constraints, origins)}")
            for number, (constraint, origins) in enumerate(zip(constraints, program.origins, strict=True))
        ]
    )


def _show_origins(constraints: Sequence[Constraint], numbers: Sequence[int]) -> str:
    """Return the names of the first constraints, and the number of the others, as text."""
    places = [constraints[number].place for number in numbers[:MAX_NAMED]]
    unnamed = len(numbers) - MAX_NAMED
    return ", ".join(places) + (f" and {unnamed} more" if unnamed > 0 else "")


def make_trace(program: CompiledModel, records: list[Record]) -> Trace:
    """Make the trace of a compiled model from its records.

    Parameters
    ----------
    program : CompiledModel
    records : list of Record

    Returns
    -------
    Trace
    """
    model, constraints = program.model, named_constraints(program)
    is_original = len(constraints) == len(model.constraints) and all(
        solved is original for solved, original in zip(constraints, model.constraints, strict=True)
    )
    solved_model = (
        model
        if is_original
        else Model(program.domains, constraints, model.show, layout=model.layout, drawn=model.drawn)
    )
    queue = [Waiting(None, number, constraints[number].name) for number in program.propagators]
    return Trace(solved_model, tuple(records), program.origins, tuple(queue))
