"""Templates: all ways to place one value in every group that needs it.

A *template* of a value chooses one place in each exactly-one set of the value, so that no two places exclude each
other. Every solution contains one template of each value. The techniques test each place by a search for a template
instead of listing all templates. Published as "templates" (pattern overlay method) on the sudoku forums in 2005; the
description followed here is that of the program HoDoKu.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....base.notation import quoted
from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Board, Deduction, Outline, View
from ..value_sets import sets_of_values

MAX_NODES = 5000
"""Maximum number of search nodes per value; beyond it the remaining places count as possible."""


class TemplateUse(NamedTuple):
    """Two masks: the places of a value in none, and in all, of its templates."""

    in_none: int
    in_all: int


def template_delete(view: View) -> Iterator[Deduction]:
    """Find places of a value that no full placement of it (template) uses.

    Removes these places. Each value needs one search per untested place. A search visits exponentially many nodes in
    the worst case, so that ``MAX_NODES`` limits it.
    """
    for value, use, agreeing in _template_uses(view):
        if removed := use.in_none:
            yield _template_deduction(view, value, "avoids", agreeing, removed, removed=removed)


def template_set(view: View) -> Iterator[Deduction]:
    """Find places of a value that all full placements of it (templates) use.

    Places the value there.
    """
    for value, use, agreeing in _template_uses(view):
        if placed := use.in_all & view.unplaced:
            yield _template_deduction(view, value, "uses", agreeing, placed, placed=placed)


def _template_uses(view: View) -> Iterator[tuple[Value, TemplateUse, int]]:
    """Yield for each value the places that none, or all, of its full placements use.

    First each value is tested alone, then beside the other values. The last item is the places that all templates of
    other values have; the templates of the value avoid the variables of these places.
    """
    board = view.board
    values = board.compute_once("value sets", sets_of_values)
    first_uses = {value: template_use(view, value) for value in values}
    for value, use in first_uses.items():
        yield value, use, 0
    # Repeat with the necessary places of all values placed, until nothing changes.
    live, necessary, uses = view.live, 0, first_uses
    while True:
        for use in uses.values():
            necessary |= use.in_all
            live &= ~use.in_none
        for bit in bits(necessary & view.unplaced):
            live &= ~board.peers[bit]
        after = view.with_live(live)
        next_uses = {value: template_use(after, value) for value in values}
        if next_uses == uses:
            break
        uses = next_uses
    for value, use in uses.items():
        before = places_of(view, value)
        whole = TemplateUse(before & ~places_of(after, value) | use.in_none, use.in_all)
        if whole != first_uses[value]:
            yield value, whole, necessary & ~before & view.unplaced


def _template_deduction(
    view: View, value: Value, verb: str, agreeing: int, named: int, placed: int = 0, removed: int = 0
) -> Deduction:
    """Return the deduction that places or removes candidates of ``value`` by its templates.

    ``named``: the places that the text names; ``agreeing``: necessary places of other values.
    """
    board = view.board
    sets = board.compute_once("value sets", sets_of_values)[value]
    unplaced = [i for i in sets.covers if view.covers[i] & view.unplaced and board.covers[i].is_exactly_one]
    pattern = 0
    for i in unplaced:
        pattern |= view.covers[i]
    numbers = tuple([board.groups[board.covers[i].group].number for i in unplaced])  # type: ignore[index]
    beside = f", beside the necessary places of {board.values(agreeing)}," if agreeing else ""
    text = f"every placement of {quoted(value)} in all groups{beside} {verb} {board.cells(named)}"
    pattern &= ~removed
    outline = Outline("cell", pattern, "")
    return Deduction(text, placed=placed, removed=removed, pattern=pattern, constraints=numbers, sets=(outline,))


def places_of(view: View, value: Value) -> int:
    """Return the mask of the remaining candidates of ``value`` in all groups."""
    return view.live & view.board.compute_once("value sets", sets_of_values)[value].places


def template_use(view: View, value: Value) -> TemplateUse:
    """Return the places that none, and that all, of a value's full placements use."""
    return _search(view, value)[0]


def removable_places(view: View, value: Value) -> int:
    """Return the places that an argument about this value alone may remove, as a mask.

    No such argument removes a place of a template. Without any template, or if ``MAX_NODES`` ends the search for
    templates, the result has all places.
    """
    return _search(view, value)[1]


def _search(view: View, value: Value) -> tuple[TemplateUse, int]:
    """Search for the templates of a value; return their use and the removable places.

    The places of the value determine the result, so that the board keeps it.
    """
    board = view.board
    sets = board.compute_once("value sets", sets_of_values)[value]
    places = places_of(view, value)
    results: dict[tuple[Value, int], tuple[TemplateUse, int]] = board.compute_once("template uses", lambda board: {})
    if (value, places) not in results:
        exactly_one = [board.covers[index].mask for index in sets.covers if board.covers[index].is_exactly_one]
        search = _TemplateSearch(board, exactly_one)
        use = search.use(places)
        results[value, places] = use, use.in_none if search.is_complete else places
    return results[value, places]


class _TemplateSearch:
    """A search for templates (full placements) of one value, limited in nodes.

    ``is_complete``: whether there is a template, and the search has tested every place.
    """

    def __init__(self, board: Board, exactly_one: Sequence[int]) -> None:
        self._sees, self._exactly_one, self._nodes = board.sees, exactly_one, 0
        self.is_complete = False

    def use(self, places: int) -> TemplateUse:
        """Return masks of the ``places`` that no template has, and that all templates have.

        Both are 0 if there is no template.
        """
        # Without any template the view has no solution, which is not the subject of this technique.
        template = self._find(places, self._exactly_one)
        if template is None:
            return TemplateUse(0, 0)
        in_some = in_all = template
        # A place that no known template has: search for a template with it.
        in_none = 0
        for bit in bits(places & ~template):
            if not in_some >> bit & 1:
                if (template := self._find_with(bit, places)) is None:
                    in_none |= 1 << bit
                else:
                    in_some |= template
                    in_all &= template
        # A place that all known templates have: search for a template without it.
        for bit in bits(in_all):
            if in_all >> bit & 1 and (template := self._find(places & ~(1 << bit), self._exactly_one)) is not None:
                in_all &= template
        self.is_complete = self._nodes <= MAX_NODES
        return TemplateUse(in_none, in_all)

    def _find_with(self, bit: int, places: int) -> int | None:
        open_sets = [mask for mask in self._exactly_one if not mask >> bit & 1]
        template = self._find(places & ~self._sees[bit], open_sets)
        return None if template is None else template | 1 << bit

    def _find(self, places: int, open_sets: Sequence[int]) -> int | None:
        """Return one compatible place for each of ``open_sets`` as a mask, or None.

        At the limit of nodes, return all places: none of them counts as impossible or as necessary.
        """
        self._nodes += 1
        if self._nodes > MAX_NODES:
            return places
        if not open_sets:
            return 0
        # Branch on the set with the fewest places.
        smallest = min([places & mask for mask in open_sets], key=int.bit_count)
        for bit in bits(smallest):
            if (template := self._find_with_sets(bit, places, open_sets)) is not None:
                return template
        return None

    def _find_with_sets(self, bit: int, places: int, open_sets: Sequence[int]) -> int | None:
        template = self._find(places & ~self._sees[bit], [mask for mask in open_sets if not mask >> bit & 1])
        return None if template is None else template | 1 << bit
