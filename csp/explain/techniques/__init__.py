"""The techniques, from the easiest to the hardest: each a function in a file, and a line in this table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ..view import Deduction, View
from . import constraints, contradiction, fish, locked, singles, subsets

Find = Callable[[View], Iterator[Deduction]]


@dataclass(frozen=True, slots=True)
class Technique:
    """A way to see what follows.

    Attributes
    ----------
    name : str
    weight : int
        How hard it is to see.
    find : function
        From a view to what follows, the easiest first; read-only.
    on_request : bool
        Whether it is left out unless it is asked for.
    supposes : bool
        Whether its steps are suppositions, with steps inside.
    """

    name: str
    weight: int
    find: Find
    on_request: bool = False
    supposes: bool = False


TABLE = (
    Technique("full house", 4, singles.full_house),
    Technique("naked single", 4, singles.naked_single),
    Technique("hidden single", 14, singles.hidden_single),
    Technique("single constraint", 30, constraints.single_constraint),
    Technique("combinations", 40, constraints.combinations),
    Technique("innies and outies", 60, constraints.innies_and_outies),
    Technique("pointing", 50, locked.pointing),
    Technique("claiming", 50, locked.claiming),
    Technique("locked pair", 40, partial(subsets.locked, size=2)),
    Technique("locked triple", 60, partial(subsets.locked, size=3)),
    Technique("naked pair", 60, partial(subsets.naked, size=2)),
    Technique("naked triple", 80, partial(subsets.naked, size=3)),
    Technique("hidden pair", 70, partial(subsets.hidden, size=2)),
    Technique("hidden triple", 100, partial(subsets.hidden, size=3)),
    Technique("naked quadruple", 120, partial(subsets.naked, size=4)),
    Technique("hidden quadruple", 150, partial(subsets.hidden, size=4)),
    Technique("X-wing", 140, partial(fish.basic, size=2)),
    Technique("swordfish", 150, partial(fish.basic, size=3)),
    Technique("jellyfish", 160, partial(fish.basic, size=4)),
    Technique("finned X-wing", 130, partial(fish.finned, size=2)),
    Technique("sashimi X-wing", 150, partial(fish.sashimi, size=2)),
    Technique("finned swordfish", 200, partial(fish.finned, size=3)),
    Technique("sashimi swordfish", 240, partial(fish.sashimi, size=3)),
    Technique("finned jellyfish", 250, partial(fish.finned, size=4)),
    Technique("sashimi jellyfish", 260, partial(fish.sashimi, size=4)),
    Technique("contradiction", 500, contradiction.contradiction, supposes=True),
)

TECHNIQUES = {technique.name: technique for technique in TABLE}

LADDER = tuple([technique for technique in TABLE if not technique.on_request])
"""What is used where nothing else is asked for."""
