"""Helpers: the variables that a picture does not show.

Captions name the drawn variables that a helper depends on, and pictures highlight them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import accumulate

from ..base.frozen import Frozen
from ..base.notation import counted
from ..board.drawn.covering import find_covered, show_covered
from ..board.drawn.subjects import find_subjects
from ..board.drawn.tuples import TupleLists, TupleValues, add_values, find_tuples
from ..board.grid import is_square, loops_of
from ..board.wording import NAME, replace_outside
from ..model import Candidate, Constraint, Domain, Either, Equality, Linear, Model, Value, Variable
from .scene import Scene

JOINTS = (", ", " = ")
"""Texts between the names of a list."""
BEFORE = re.compile(r"((?:-?\d+, )*-?\d+) from $")
"""The text before the names of helpers that lost values."""
FITS = re.compile(r"(-?\d+) fits only $")
"""The text before the name of a helper that is the only place of a value."""
AFTER = re.compile(r" (=|has only|have only) (-?\d+(?:, -?\d+)*)\b")
"""The text after the names of helpers with few remaining values."""
PLACE = "the place of "
"""The beginning of the description of a helper that says where a value is."""
REMOVES = re.compile(r"removes ([01]) from $")
"""The text before the name of a helper that lost a truth value."""
TRUE = re.compile(r" = ([01])\b")
"""The text after the name of a helper with a truth value."""
NO_PLACE = re.compile(r"the place of (\S+) has no value left")
"""The text of a failure, if a helper says where a value is."""
COUNTED = re.compile(r"^(?:start|fixpoint) · (\d+) \w+|\bmarked (\d+)$", re.MULTILINE)
"""The texts that count variables."""
MAX_CELLS = 4
"""Maximum number of drawn variables that the text of a helper names."""
MAX_LABELS = 2
"""Maximum number of labels of constraints that the text of a helper names."""
MAX_NAMED = 4
"""Maximum number of helpers that a text names one by one."""
TRUTHS = {"0": "ruled out", "1": "holds"}
"""The words for the truth values of a helper."""
CHANGES = {"0": "finds ", "1": "rules out "}
"""The words for the removal of a truth value."""
MAX_TEXT = 30
"""Maximum length of an expression that a caption spells out."""
MIDDLE = re.compile(r"(, | \+ )(.*)\1")
"""The middle of a long list or sum, with the separators around it."""


class Helpers(Frozen):
    """The variables that are not drawn.

    Attributes
    ----------
    cells : mapping of str to tuple of Variable
        The drawn variables that each helper is about; for one in ``outside``, those next to it.
    lines : mapping of str to int
        The line of the spec that says so; 0 if no line does.
    labels : mapping of str to tuple of str
        For a helper without drawn variables, the labels of its constraints.
    covered : mapping of str to tuple of str
        The labels of the places that a helper covers, such as the squares of a rectangle.
    tuples : mapping of str to (tuple of Variable, mapping of Value to tuple of Value)
        For a helper whose value determines drawn variables, these variables, and their values for each of its own.
    named : frozenset of str
        The helpers whose names captions keep: ``outside``, and families with the indices of the cells.
    outside : frozenset of str
        The helpers with a drawn family, such as cells beyond the border.
    truths : frozenset of str
        The helpers without drawn variables whose values are 0 and 1.
    tabled : frozenset of str
        The helpers in ``tuples`` whose remaining tuples a printed table shows.
    images : mapping of str to mapping of Value to Candidate
        For a helper that says where a value is, the drawn candidate of each of its values: the helper has a value only
        if the drawn variable has its own.
    """

    cells: Mapping[str, tuple[Variable, ...]]
    lines: Mapping[str, int]
    images: Mapping[str, Mapping[Value, Candidate]]
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tuples: TupleValues = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    truths: frozenset[str] = frozenset()
    tabled: frozenset[str] = frozenset()
    covered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def cells_about(self, candidates: Iterable[Candidate]) -> list[Variable]:
        """Return the drawn variables that candidates of helpers are about.

        These are the drawn variable of a candidate's image, or else the few drawn variables that share a constraint
        with the helper.

        Examples
        --------
        >>> helpers = Helpers({"at(1)": ("a", "b"), "c": ("a",)}, {}, {"at(1)": {1: ("a", 1), 2: ("b", 1)}})
        >>> helpers.cells_about([("at(1)", 2), ("c", 5), ("a", 1)])
        ['b', 'a']
        """
        found: dict[Variable, None] = {}
        for helper, value in candidates:
            if image := self.images.get(helper, {}).get(value):
                found[image[0]] = None
            elif helper not in self.images and len(self.cells.get(helper, ())) <= MAX_CELLS:
                found.update(dict.fromkeys(self.cells.get(helper, ())))
        return list(found)

    def needs(self, candidate: Candidate) -> list[Candidate]:
        """Return the drawn candidates without which a helper cannot have its value.

        Examples
        --------
        >>> helpers = Helpers({}, {}, {"at(5)": {1: ("a", 5)}}, tuples={"2*x + y": ("xy", {4: (1, 2)})})
        >>> helpers.needs(("at(5)", 1)), helpers.needs(("2*x + y", 4)), helpers.needs(("b", 4))
        ([('a', 5)], [('x', 1), ('y', 2)], [])
        """
        helper, value = candidate
        image = self.images.get(helper, {}).get(value)
        variables, values_of = self.tuples.get(helper, ((), {}))
        return [*([image] if image else []), *zip(variables, values_of.get(value, ()), strict=False)]

    @cached_property
    def _places(self) -> Mapping[Candidate, list[Candidate]]:
        """The helpers' candidates that say where a value is, by the drawn candidate."""
        places: dict[Candidate, list[Candidate]] = {}
        for helper, images in self.images.items():
            for value, image in images.items():
                places.setdefault(image, []).append((Variable(helper), value))
        return places

    def places_of(self, candidate: Candidate) -> Sequence[Candidate]:
        """Return the helpers' candidates that say that a drawn variable has a value."""
        return self._places.get(candidate, ())

    def excludes(self, candidate: Candidate, domains: Mapping[Variable, Domain]) -> bool:
        """Return whether a helper that says where a value is has lost this place.

        Examples
        --------
        >>> helpers = Helpers({}, {}, {"at(5)": {1: ("a", 5), 2: ("b", 5)}})
        >>> [helpers.excludes((v, 5), {Variable("at(5)"): (2, 3)}) for v in "abc"]
        [True, False, False]
        """
        return any(value not in domains[helper] for helper, value in self.places_of(candidate))

    def list_values(self, v: Variable, domains: Mapping[Variable, Domain]) -> Domain:
        """Return the values of a variable that no helper excludes.

        A helper in a table has the values whose parts remain. If a helper has found a value's place there, it is the
        only one. Propagation removes the others from its domain later.

        Examples
        --------
        >>> helpers = Helpers({}, {}, {"at(5)": {1: ("a", 5), 2: ("b", 5)}})
        >>> domains = {"a": (3, 5), "b": (3, 5), "at(5)": (1,)}
        >>> helpers.list_values("a", domains), helpers.list_values("b", domains)
        ((5,), (3,))
        """
        listed = self._lists.list_values(v, domains)
        if not self.images:
            return listed
        values = [value for value in listed if not self.excludes((v, value), domains)]
        found = [x for x in values if any(len(domains[helper]) == 1 for helper, _ in self.places_of((v, x)))]
        return tuple(found or values)

    @cached_property
    def _lists(self) -> TupleLists:
        """The lists of values that tuples allow."""
        return TupleLists(self.tuples, self.tabled)

    def with_lost_values(self, scene: Scene) -> Scene:
        """Add to a scene's removals the values that lists lost with them.

        These are values of drawn variables without a tuple, and tuples of a table without a value.

        Examples
        --------
        >>> tuples = {"2*x + y": ("xy", {4: (1, 2), 5: (1, 3), 6: (2, 2)})}
        >>> helpers = Helpers({}, {}, {}, tuples=tuples, tabled=frozenset({"2*x + y"}))
        >>> domains = {"x": (1, 2), "y": (2,), "2*x + y": (4, 5)}
        >>> scene = Scene(title="", domains=domains, removed=(("y", 3), ("2*x + y", 6)))
        >>> helpers.with_lost_values(scene).removed
        (('y', 3), ('2*x + y', 6), ('2*x + y', 5), ('x', 2))
        """
        if not self.tuples or not scene.removed or scene.failure is not None:
            return scene
        return replace(scene, removed=(*scene.removed, *self._lists.find_lost(scene.domains, scene.removed)))

    def only_news(self, scene: Scene) -> Scene:
        """Return a scene of many steps without removals that the picture shows already.

        They are removals from helpers that repeat those of drawn values, and of values that their variables have not
        listed before the scene.
        """
        if not scene.summary:
            return scene
        removed, before = {*scene.removed}, add_values(scene.domains, scene.removed)
        old = {
            candidate
            for candidate in removed
            if self.repeats(candidate, before if candidate[0] in self.tabled else scene.domains)
            or self._lists.excludes(candidate, before)
            or not self._is_listed(candidate, before)
        }
        old |= {
            candidate
            for candidate in removed
            for place in self.places_of(candidate)
            if place not in removed and place[1] not in scene.domains[place[0]]
        }
        losses = (loss._replace(removed=tuple([c for c in loss.removed if c not in old])) for loss in scene.losses)
        news = tuple([candidate for candidate in scene.removed if candidate not in old])
        return replace(scene, removed=news, losses=tuple([loss for loss in losses if loss.removed]))

    def _is_listed(self, candidate: Candidate, domains: Mapping[Variable, Domain]) -> bool:
        """Return whether a cell lists the number with this place; true for other helpers."""
        image = self.images.get(candidate[0], {}).get(candidate[1])
        return image is None or image[1] in self.list_values(image[0], domains)

    def number_of(self, helper: str) -> str:
        """Return the number whose place a helper is, as text; empty for others."""
        return "/".join(dict.fromkeys(str(number) for _, number in self.images.get(helper, {}).values()))

    def repeats(self, candidate: Candidate, domains: Mapping[Variable, Domain]) -> bool:
        """Return whether a helper's value follows from a value that a drawn variable has lost."""
        return any(value not in domains[v] for v, value in self.needs(candidate))

    def found_at(self, v: Variable, domains: Mapping[Variable, Domain]) -> list[Variable]:
        """Return the drawn variables for which a fixed helper stands; for others, none.

        Examples
        --------
        >>> helpers = Helpers({"at(5)": ()}, {}, {"at(5)": {1: ("a", 5), 2: ("b", 5)}})
        >>> [helpers.found_at("at(5)", {"at(5)": domain}) for domain in ((2,), (1, 2))]
        [['b'], []]
        """
        return [cell for value in domains[v] if len(domains[v]) == 1 for cell, _ in self.needs((v, value))]

    def count_repeated(self, candidates: Iterable[Candidate]) -> str:
        """Return the number of candidates of helpers that drawn values show, as text.

        Examples
        --------
        >>> helpers = Helpers({}, {}, {"at(5)": {1: ("a", 5)}}, tuples={"2*x + y": ("xy", {4: (1, 2), 5: (1, 3)})})
        >>> helpers.count_repeated([("at(5)", 1)]), helpers.count_repeated([("2*x + y", 4), ("2*x + y", 5)])
        ('1 place', '2 pairs')
        """
        lengths = [len(self.needs(candidate)) for candidate in candidates]
        noun = "place" if {*lengths} == {1} else "pair" if {*lengths} == {2} else "tuple"
        return counted(len(lengths), noun)

    def count_helpers(self, words: str, domains: Mapping[Variable, Domain], marked: Iterable[str]) -> str:
        """Return a caption with the numbers of helpers among the variables that it counts.

        Examples
        --------
        >>> helpers, domains = Helpers({"h": ()}, {}, {}), {Variable("a"): (1, 2), Variable("h"): (0, 1)}
        >>> helpers.count_helpers("fixpoint · 2 unfixed", domains, ())
        'fixpoint · 2 unfixed, 1 of them a helper'
        >>> helpers.count_helpers("step 1 · h = 1 · marked 1", domains, ["h"])
        'step 1 · h = 1 · marked 1, a helper'
        """

        def add_note(match: re.Match[str]) -> str:
            counted_variables = [v for v, domain in domains.items() if match[0][0] == "s" or len(domain) > 1]
            helpers = sum(v in self.cells for v in (marked if match[2] else counted_variables))
            noun = "a helper" if helpers == 1 else "helpers"
            is_all = helpers == int(match[1] or match[2])
            note = (f", {noun}" if helpers == 1 else ", all helpers") if is_all else f", {helpers} of them {noun}"
            return match[0] + note if helpers else match[0]

        return COUNTED.sub(add_note, words)

    def show_places(self, fixed: Iterable[str], domains: Mapping[Variable, Domain]) -> str:
        """Return a text with the places of values that fixed helpers found; empty without any.

        A place is left out if the drawn variable has the value already.
        """
        fixed_values = [(v, value) for v in fixed if v in self.images for value in domains[Variable(v)]]
        images = [image for v, value in fixed_values if (image := self.images[v].get(value))]
        found = [(v, value) for v, value in images if len(domains[v]) > 1]
        if not found:
            return ""
        more = f", and of {counted(len(found) - MAX_CELLS, 'more value')}" if len(found) > MAX_CELLS else ""
        return f" · place found: {', '.join(f'{value} in {v}' for v, value in found[:MAX_CELLS])}{more}"

    def show_families(self, candidates: Iterable[Candidate]) -> str:
        """Return the number of values of helpers as text, by family; many families are counted.

        Examples
        --------
        >>> lost = [(Variable("arm", 1, 2), 3), (Variable("arm", 1, 3), 3), (Variable("x + y"), 7)]
        >>> Helpers({}, {}, {}).show_families(lost)
        '2 values of arm, 1 value of x + y'
        """
        families = Counter(_show_family(v) for v, _ in candidates)
        if len(families) > MAX_CELLS:
            return f"{counted(families.total(), 'value')} of {len(families)} expressions"
        return ", ".join(f"{counted(count, 'value')} of {family}" for family, count in families.items())

    def show_value(self, names: Iterable[str], value: Value) -> Value:
        """Return the tuple that a value of helpers stands for, as text; else the value.

        Examples
        --------
        >>> helpers = Helpers({"2*x + y": (*"xy",)}, {}, {}, tuples={"2*x + y": ("xy", {3: (1, 1)})})
        >>> helpers.show_value(["2*x + y"], 3), helpers.show_value(["x"], 3)
        ('(1, 1)', 3)
        """
        texts = {self.show_tuple(name, value) for name in names} - {""}
        return next(iter(texts)) if len(texts) == 1 else value

    def show_tuple(self, helper: str, value: Value) -> str:
        """Return the tuple of a value of a helper as text; empty without one."""
        values = self.tuples[helper][1].get(value) if helper in self.tuples else None
        return f"({', '.join(map(str, values))})" if values else ""

    @cached_property
    def _name(self) -> re.Pattern[str]:
        """The pattern of a variable with indices, or of an expression that names a helper."""
        expressions = [name for name in self.cells if " " in name]
        return re.compile("|".join([*map(re.escape, sorted(expressions, key=len, reverse=True)), NAME]))

    def replace_in(self, words: str, kept: Iterable[str] = ()) -> str:
        """Return a caption with drawn variables instead of helpers.

        Consecutive helpers are counted. The texts in ``kept``, such as the names of constraints, do not change.

        Examples
        --------
        >>> helpers = Helpers({f"b({i})": (Variable("a", (i + 1) // 2),) for i in range(1, 6)} | {"c(1)": ()}, {}, {})
        >>> helpers.replace_in("rule b(1): b(1) = b(2) = b(3) = b(4) = b(5) = 0 removes 1 from c(1)", ["rule b(1)"])
        'rule b(1): 5 helpers of a(1), a(2), a(3) = 0 removes 1 from c(1)'
        >>> places = {1: (Variable("a", 1), 5), 2: (Variable("a", 2), 5)}
        >>> Helpers({"at(5)": (*"ab",)}, {}, {"at(5)": places}).replace_in("at(5) = 2 removes 1 from at(5)")
        'the place of 5 = a(2) removes a(1) from the place of 5'
        >>> Helpers({"at(5)": (*"ab",)}, {}, {"at(5)": places}).replace_in("squares: 2 fits only at(5), no change")
        'squares: only 5 fits a(2), no change'
        >>> pairs = {"2*x + y": ("xy", {3: (1, 1), 4: (1, 2)})}
        >>> Helpers({"2*x + y": (*"xy",)}, {}, {}, tuples=pairs).replace_in("y = 2 removes 3 from 2*x + y")
        'y = 2 removes (1, 1) from (x, y)'
        >>> Helpers({"2*x + y": (*"xy",)}, {}, {}, tuples=pairs).replace_in("4 fits only 2*x + y")
        '(1, 2) fits only (x, y)'
        >>> squares = {"part(1)": [f"square {r},{c}" for r in (1, 2) for c in (3, 4)]}
        >>> Helpers({"part(1)": ()}, {}, {}, covered=squares).replace_in("removes 1 from part(1)")
        'removes 1 from part at square 1,3 to 2,4'
        >>> described = Helpers({"part(1)": ()}, {}, {}, truths=frozenset({"part(1)"}), covered=squares)
        >>> described.replace_in("part(1) = 1, which removes 0 from part(1)")
        'part at square 1,3 to 2,4 (holds), which finds part at square 1,3 to 2,4'
        >>> Helpers({"at(5)": (*"ab",)}, {}, {"at(5)": places}).replace_in("at(5) has no value left")
        '5 has no place left'
        """
        return replace_outside(words, kept, self._replace_all) if self.cells else words

    def _replace_all(self, words: str) -> str:
        """Return a text in which a description replaces each list of helpers."""
        parts: list[str] = []
        group: list[str] = []
        end = 0

        def close_group() -> None:
            """Add the description of a finished list, and change the values before and after it."""
            nonlocal end
            if self.truths.issuperset(group):
                parts[-1] = REMOVES.sub(lambda match: CHANGES[match[1]], parts[-1])
                parts.append(self._describe(group))
                if match := TRUE.match(words, end):
                    parts.append(f" ({TRUTHS[match[1]]})")
                    end = match.end()
                group.clear()
                return
            parts[-1] = BEFORE.sub(lambda match: f"{self._show_values(group, match[1])} from ", parts[-1])
            fits, words_of_group = FITS.search(parts[-1]), self._describe(group)
            if fits and words_of_group.startswith(PLACE):
                # Of the places of all values, only one can be this cell.
                parts[-1] = parts[-1][: fits.start()] + f"only {words_of_group.removeprefix(PLACE)} fits "
                words_of_group = self._show_values(group, fits[1])
            elif fits:
                parts[-1] = parts[-1][: fits.start()] + f"{self._show_values(group, fits[1])} fits only "
            parts.append(words_of_group)
            if match := AFTER.match(words, end):
                parts.append(f" {match[1]} {self._show_values(group, match[2])}")
                end = match.end()
            group.clear()

        for match in self._name.finditer(words):
            gap, is_helper = words[end : match.start()], match[0] in self.cells and match[0] not in self.named
            # A name of another kind, or other words, end the list.
            if group and not (is_helper and gap in JOINTS):
                close_group()
                gap = words[end : match.start()]
            if not group:
                parts.append(gap)
            if is_helper:
                group.append(match[0])
            else:
                parts.append(match[0])
            end = match.end()
        if group:
            close_group()
        return NO_PLACE.sub(r"\1 has no place left", "".join([*parts, words[end:]]))

    def _show_values(self, names: Collection[str], text: str) -> str:
        """Return values of helpers as text: drawn variables if they say where a value is.

        A value that determines drawn variables becomes their values.
        """
        values = [int(value) for value in text.split(", ")]
        tuples = [self.show_tuple(name, value) for name in names for value in values]
        if all(tuples):
            shown = dict.fromkeys(tuples)
            kind = {len(self.tuples[name][0]) for name in names} == {2}
            return ", ".join(shown) if len(shown) <= MAX_CELLS else counted(len(shown), "pair" if kind else "tuple")
        images = [self.images.get(name, {}).get(value) for name in names for value in values]
        cells = dict.fromkeys(image[0] for image in images if image)
        if not all(images):
            return text
        return ", ".join(cells) if len(cells) <= MAX_CELLS else counted(len(cells), "cell")

    def _describe(self, names: Collection[str]) -> str:
        """Return a text for helpers, which says what they stand for or depend on."""
        # A helper that says where a value is has the name of this value.
        values = [{value for _, value in self.images.get(name, {}).values()} for name in names]
        if all(len(own_values) == 1 for own_values in values):
            texts = dict.fromkeys(str(value) for own_values in values for value in own_values)
            if len(texts) > MAX_CELLS:
                return f"{len(texts)} places"
            return f"the place{'s' if len(texts) > 1 else ''} of {', '.join(texts)}"
        if len(names) <= MAX_CELLS and all(name in self.tuples for name in names):
            return ", ".join(f"({', '.join(self.tuples[name][0])})" for name in names)
        # A short expression of drawn variables says itself what it is.
        short_texts = [shorten(name) for name in names]
        if len(names) <= MAX_CELLS and all(" " in text and len(text) <= MAX_TEXT for text in short_texts):
            return ", ".join(short_texts)
        # The spec's own names, or the places of the spec, say which helpers these are.
        number = counted(len(names), "helper") if len(names) > 1 else "a helper"
        if all(name in self.covered for name in names):
            if len(names) <= MAX_NAMED:
                return ", ".join(f"{name.partition('(')[0]} at {show_covered(self.covered[name])}" for name in names)
            return f"{number} of {show_covered(dict.fromkeys(label for name in names for label in self.covered[name]))}"
        if len(names) <= MAX_NAMED and not any(" " in name for name in names):
            return ", ".join(names)
        cells = list(dict.fromkeys(v for name in names for v in self.cells[name]))
        if 0 < len(cells) <= MAX_CELLS:
            return f"{number} of {', '.join(cells)}"
        labels = list(dict.fromkeys(label for name in names for label in self.labels.get(name, ())))
        if 0 < len(labels) <= MAX_LABELS:
            return f"{number} of {', '.join(labels)}"
        lines = sorted({self.lines.get(name, 0) for name in names} - {0})
        return f"{number} of line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}" if lines else number


def find_helpers(model: Model, visible: Collection[Variable]) -> Helpers:
    """Return the variables that are not drawn.

    Examples
    --------
    >>> from csp import Equality
    >>> a, b = Variable("a", 1), Variable("b", 1)
    >>> find_helpers(Model({a: (0, 1), b: (0, 1)}, [Equality(a, b)]), [a]).cells
    {'b(1)': ('a(1)',)}
    """
    cells: dict[str, tuple[Variable, ...]] = {v: () for v in model.domains if v not in visible}
    families = {v.family for v in visible}
    outside = frozenset(v for v in model.domains if v in cells and v.family in families)
    lines, labels = dict.fromkeys(cells, 0), {v: dict[str, None]() for v in cells}
    for v, (drawn, line) in find_subjects(model, frozenset(model.domains).difference(visible), outside).items():
        cells[v], lines[v] = drawn, line
    for constraint in model.constraints if cells else ():
        for v in constraint.scope:
            if v in cells:
                lines[v] = lines[v] or constraint.line or 0
                labels[v].update({constraint.label: None} if constraint.label else {})
    own_cells = dict(_cells_by_index(model, families))
    cells |= {v: (cell,) for v, cell in own_cells.items()}
    # A cell beyond the border belongs to the drawn cells that it touches.
    drawn_at = {(v.family, v.indices): v for v in model.domains if v not in cells}
    for v in (v for v in model.domains if v in outside):
        places = ((v.family, indices) for indices in _next_indices(v))
        cells[v] = tuple(drawn_at[place] for place in places if place in drawn_at)
    # A helper with many drawn variables may say where a value is.
    images: dict[str, dict[Value, Candidate]] = {}
    wide = {v for v, drawn in cells.items() if len(drawn) > MAX_CELLS}
    for constraint in model.constraints if wide else ():
        if not wide.isdisjoint(constraint.scope):
            for helper, value, image in _images(constraint, wide, visible):
                images.setdefault(helper, {})[value] = image
    tuples = dict(find_tuples(model, cells))
    own_labels = {v: tuple(labels[v]) for v, drawn in cells.items() if not drawn}
    covered = find_covered(model, cells)
    truths = frozenset(v for v in {**own_labels, **covered} if {*model.domains[Variable(v)]} == {0, 1})
    return Helpers(cells, lines, images, own_labels, tuples, outside.union(own_cells), outside, truths, covered=covered)


def _cells_by_index(model: Model, families: Collection[str]) -> Iterator[tuple[Variable, Variable]]:
    """Yield each helper that is about one cell, with this cell.

    Its family and a drawn family have the same last two indices.
    """
    members: dict[str, dict[tuple[int | str, ...], Variable]] = {}
    loops = loops_of(model)
    for v in model.domains:
        if v.family not in loops:
            members.setdefault(v.family, {})[v.indices] = v
        elif is_square(v):
            members.setdefault(v.family, {})[int(v.indices[0]) // 2, int(v.indices[1]) // 2] = v
    drawn = {frozenset(own): own for family, own in sorted(members.items(), reverse=True) if family in families}
    for family, own in members.items():
        cells = drawn.get(frozenset([indices[-2:] for indices in own]), {}) if family not in families else {}
        yield from ((v, cells[indices[-2:]]) for indices, v in own.items() if cells and len(indices) > 1)


def _show_family(v: Variable) -> str:
    """Return the family of a helper, or its expression if that is short."""
    if v.family.isidentifier():
        return v.family
    text = shorten(v)
    return text if len(text) <= MAX_TEXT else "expressions"


def shorten(expression: str) -> str:
    """Return a long list or sum with only its first and last member.

    Examples
    --------
    >>> shorten("max(period(1), period(2), period(3))"), shorten("apples(1) + apples(2) + apples(3)")
    ('max(period(1), …, period(3))', 'apples(1) + … + apples(3)')
    >>> shorten("max(period(1), 2) + max(period(2), 3)")
    'max(period(1), 2) + max(period(2), 3)'
    """
    middle = MIDDLE.search(expression) if len(expression) > MAX_TEXT else None
    if middle is None:
        return expression
    # A middle that closes a bracket from before it is no part of one list.
    depths = accumulate({"(": 1, ")": -1}.get(character, 0) for character in middle[2])
    if any(depth < 0 for depth in depths):
        return expression
    return f"{expression[: middle.start()]}{middle[1]}…{middle[1]}{expression[middle.end() :]}"


def _next_indices(v: Variable) -> Iterator[tuple[int | str, ...]]:
    """Yield the indices of a variable with one of them changed by 1."""
    for i, index in enumerate(v.indices):
        if isinstance(index, int):
            yield from ((*v.indices[:i], index + by, *v.indices[i + 1 :]) for by in (-1, 1))


def _images(
    constraint: Constraint, helpers: Collection[str], visible: Collection[Variable]
) -> Iterator[tuple[str, Value, Candidate]]:
    """Yield the helper, its value and the drawn candidate of each part.

    A part is a disjunction such as ``cell != 3 ; at = 7``.
    """
    try:
        parts = constraint.decompose()
    except NotImplementedError:
        return
    for part in parts:
        if isinstance(part, Either) and len(part.alternatives) == 2:
            literals = [_literal(alternative) for alternative in part.alternatives]
            for first, second in (literals, literals[::-1]):
                if first and second and first[0] in visible and not first[2] and second[0] in helpers and second[2]:
                    yield second[0], second[1], first[:2]


def _literal(constraint: Constraint) -> tuple[Variable, Value, bool] | None:
    """Return the variable, value and equality of a constraint such as ``x = 3``.

    For ``x != 3`` the equality is False; for other constraints the result is None.
    """
    match constraint:
        case Equality() if not isinstance(constraint.right, Variable):
            return constraint.left, constraint.right, constraint.equal
        case Linear(relation="=" | "!=") if len(constraint.scope) == 1:
            difference = constraint.left - constraint.right
            match difference.terms:
                case ((1 | -1 as coefficient, Variable() as variable),):
                    return variable, -difference.constant * coefficient, constraint.relation == "="
    return None
