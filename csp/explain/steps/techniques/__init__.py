"""The list of solving techniques, from the easiest to the hardest.

Each technique is a generator function in a file of this folder, and one row of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ....base.frozen import Frozen
from ..board import Deduction, View
from . import (
    als,
    chains,
    colouring,
    complex_fish,
    constraints,
    contradiction,
    counting,
    death_blossom,
    exclusion,
    fish,
    forcing,
    joint,
    locked,
    siamese,
    singles,
    subsets,
    sue_de_coq,
    templates,
    turbot,
    uniqueness,
    wings,
)

Find = Callable[[View], Iterator[Deduction]]
"""A function that yields deductions in a view, easiest first; it changes only the view's ``clash`` and ``limits``."""


class Technique(Frozen):
    """A solving technique: its name, its weight, and the function that finds deductions.

    Attributes
    ----------
    name : str
    weight : int
        How hard the pattern is to see for a person.
    find : function
        Yields the deductions of a view, the easiest first; changes only its ``clash`` and ``limits``.
    on_request : bool
        Whether the technique is used only on request.
    needs_uniqueness : bool
        Whether it argues from a proof that there is one solution. Such a technique is on request.
    supposes : bool
        Whether its steps are suppositions, with steps inside.
    """

    name: str
    weight: int
    find: Find
    on_request: bool = False
    needs_uniqueness: bool = False
    supposes: bool = False


def _uniqueness_technique(name: str, find: Find) -> Technique:
    """Return a technique that argues from the uniqueness of the solution, so that it is used on request only."""
    return Technique(name, 100, find, on_request=True, needs_uniqueness=True)


TABLE = (
    Technique("full house", 4, singles.full_house),
    Technique("naked single", 4, singles.naked_single),
    Technique("hidden single", 14, singles.hidden_single),
    Technique("count", 20, counting.single_count),
    Technique("neighbours", 25, constraints.neighbours),
    Technique("single constraint", 30, constraints.single_constraint),
    Technique("parity", 35, constraints.parity),
    Technique("combinations", 40, constraints.combinations),
    Technique("joint constraints", 45, joint.joint_constraints),
    Technique("innies and outies", 50, constraints.innies_and_outies),
    Technique("pointing", 50, locked.pointing),
    Technique("claiming", 50, locked.claiming),
    Technique("locked pair", 55, partial(subsets.locked_subset, size=2)),
    Technique("naked pair", 60, partial(subsets.naked_subset, size=2)),
    Technique("locked triple", 65, partial(subsets.locked_subset, size=3)),
    Technique("hidden pair", 70, partial(subsets.hidden_subset, size=2)),
    Technique("direct exclusion", 75, exclusion.direct_exclusion),
    Technique("naked triple", 80, partial(subsets.naked_subset, size=3)),
    Technique("shared counts", 100, counting.shared_counts),
    Technique("hidden triple", 100, partial(subsets.hidden_subset, size=3)),
    _uniqueness_technique("uniqueness test 1", uniqueness.uniqueness_test_1),
    _uniqueness_technique("uniqueness test 2", uniqueness.uniqueness_test_2),
    _uniqueness_technique("uniqueness test 3", uniqueness.uniqueness_test_3),
    _uniqueness_technique("uniqueness test 4", uniqueness.uniqueness_test_4),
    _uniqueness_technique("uniqueness test 5", uniqueness.uniqueness_test_5),
    _uniqueness_technique("uniqueness test 6", uniqueness.uniqueness_test_6),
    _uniqueness_technique("hidden rectangle", uniqueness.hidden_rectangle),
    _uniqueness_technique("avoidable rectangle 1", partial(uniqueness.uniqueness_test_1, avoidable=True)),
    _uniqueness_technique("avoidable rectangle 2", partial(uniqueness.uniqueness_test_2, avoidable=True)),
    _uniqueness_technique("bivalue universal grave", uniqueness.bivalue_universal_grave),
    Technique("remote pairs", 110, chains.remote_pairs),
    Technique("naked quadruple", 120, partial(subsets.naked_subset, size=4)),
    Technique("skyscraper", 130, turbot.skyscraper),
    Technique("X-wing", 140, partial(fish.basic_fish, size=2)),
    Technique("hidden quadruple", 150, partial(subsets.hidden_subset, size=4)),
    Technique("two-string kite", 150, turbot.two_string_kite),
    Technique("dual two-string kite", 150, turbot.dual_two_string_kite),
    Technique("turbot fish", 150, turbot.turbot_fish),
    Technique("simple colouring", 150, colouring.simple_colouring),
    Technique("swordfish", 150, partial(fish.basic_fish, size=3)),
    Technique("finned X-wing", 150, partial(fish.finned_fish, size=2)),
    Technique("sashimi X-wing", 150, partial(fish.sashimi_fish, size=2)),
    Technique("jellyfish", 160, partial(fish.basic_fish, size=4)),
    Technique("empty rectangle", 160, turbot.empty_rectangle),
    Technique("dual empty rectangle", 160, turbot.dual_empty_rectangle),
    Technique("XY-wing", 160, wings.xy_wing),
    Technique("W-wing", 170, wings.w_wing),
    Technique("XYZ-wing", 180, wings.xyz_wing),
    Technique("multi-colouring", 200, colouring.multi_colouring),
    Technique("finned swordfish", 200, partial(fish.finned_fish, size=3)),
    Technique("sashimi swordfish", 240, partial(fish.sashimi_fish, size=3)),
    Technique("X-chain", 260, chains.x_chain),
    Technique("XY-chain", 260, chains.xy_chain),
    Technique("continuous nice loop", 280, chains.continuous_loop),
    Technique("discontinuous nice loop", 280, chains.discontinuous_loop),
    Technique("alternating inference chain", 280, chains.inference_chain),
    Technique("grouped continuous nice loop", 300, chains.grouped_continuous_loop),
    Technique("grouped discontinuous nice loop", 300, chains.grouped_discontinuous_loop),
    Technique("grouped alternating inference chain", 300, chains.grouped_inference_chain),
    Technique("ALS-XZ", 300, als.als_xz),
    Technique("ALS-XY-wing", 320, als.als_xy_wing),
    Technique("ALS chain", 340, als.als_chain),
    Technique("continuous loop with sets", 360, als.continuous_loop_with_sets),
    Technique("discontinuous loop with sets", 360, als.discontinuous_loop_with_sets),
    Technique("chain with sets", 360, als.chain_with_sets),
    Technique("finned jellyfish", 380, partial(fish.finned_fish, size=4)),
    Technique("sashimi jellyfish", 380, partial(fish.sashimi_fish, size=4)),
    Technique("Sue de Coq", 380, sue_de_coq.sue_de_coq),
    Technique("death blossom", 385, death_blossom.death_blossom),
    Technique("Franken X-wing", 385, partial(complex_fish.franken_fish, size=2)),
    Technique("mutant X-wing", 385, partial(complex_fish.mutant_fish, size=2)),
    Technique("Franken swordfish", 390, partial(complex_fish.franken_fish, size=3)),
    Technique("mutant swordfish", 390, partial(complex_fish.mutant_fish, size=3)),
    Technique("Franken jellyfish", 395, partial(complex_fish.franken_fish, size=4)),
    Technique("mutant jellyfish", 395, partial(complex_fish.mutant_fish, size=4)),
    Technique("Siamese fish", 395, siamese.siamese_fish),
    Technique("mutant squirmbag", 398, partial(complex_fish.mutant_fish, size=5)),
    Technique("mutant whale", 398, partial(complex_fish.mutant_fish, size=6)),
    Technique("template set", 399, templates.template_set),
    Technique("template delete", 399, templates.template_delete),
    Technique("nishio", 399, forcing.nishio, on_request=True),
    Technique("forcing chains", 399, forcing.forcing_chains, on_request=True),
    Technique("small reason", 400, joint.small_reason),
    Technique("forcing net", 450, forcing.forcing_net, on_request=True),
    Technique("contradiction", 500, contradiction.contradiction, supposes=True),
)

TECHNIQUES = {technique.name: technique for technique in TABLE}

LADDER = tuple([technique for technique in TABLE if not technique.on_request])
"""The techniques that are used by default, from the easiest to the hardest."""
