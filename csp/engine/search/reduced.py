"""What a state leaves of a large model, as a small one."""

from __future__ import annotations

from collections.abc import Mapping

from ...model import AllDifferent, Domain, Model, Value, Variable
from ..compiled.kernel import State, set_bits
from ..compiled.layout import Layout
from ..compiled.program import Program

LARGE = 70_000
"""So many bits must a state have."""

SHARE = 4
"""The open candidates are to have one bit of so many."""


def reduced(program: Program, part: State) -> Model | None:
    """The model of the open variables and the values that they have left, where it is much smaller.

    Most of a large state may be settled, and every operation on it is as wide as ever. Groups say all that there is to
    say of the others: what a settled variable excludes has been excluded.

    Parameters
    ----------
    program : Program
    part : State
        At rest.

    Returns
    -------
    Model or None
        None where a state is not so large, not so much of it is settled, something is not shown, or where there is more
        than plain groups.
    """
    layout = program.layout
    is_plain = program.projection is None and program.aim is None and program.has_only_groups
    if layout.length < LARGE or not is_plain:
        return None
    opened = [layout.owner(guard) for guard in set_bits(part & layout.variable_guards)]
    domains: dict[Variable, Domain] = {layout.variables[one]: layout.domain(part, one) for one in opened}
    if not opened or SHARE * layout.most_places * sum(map(len, domains.values())) > layout.length:
        return None
    members = ([layout.variables[one] for one in group.members] for group in layout.groups)
    opened_only = ([variable for variable in some if variable in domains] for some in members)
    return Model(domains, [AllDifferent.of(some) for some in opened_only if len(some) > 1])


def completed(layout: Layout, part: State, values: Mapping[str, Value]) -> State:
    """The solved state in which the open variables of a part have these values."""
    found = [candidate for name, value in values.items() if (candidate := layout.find(name, value)) is not None]
    return layout.narrowed(part, found) & ~layout.guards
