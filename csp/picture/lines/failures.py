"""Describe failures in terms of drawn variables.

A failure may be about helpers, which are not drawn: about the place of a value, or about the code of a tuple.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from ...base.frozen import Frozen
from ...base.notation import quoted
from ...board.wording import DEFINITION, EXPRESSION, Wording, name_kinds
from ...model import Candidate, Connected, Constraint, Domain, Linear, Model, Value, Variable
from ...trace import Failure, Removal, Remover
from ...trace.captions import show_cause, show_conflict
from ..helpers import Helpers
from ..layout.failing import (
    cut_pieces,
    failure_shapes,
    is_separated,
    printed_places,
    shows_struck_values,
    visible_among,
)
from ..layout.layout import Placement
from ..scene import Scene
from ..shapes import Point, Shape
from ..style import plain_counted
from .flags import flag_shapes

MAX_VALUES = 8
"""Maximum number of values of one constraint that the text of a failure lists."""
MAX_NAME = 45
"""Maximum length of a constraint's name in the text of a failure."""
MAX_OTHERS = 3
"""Maximum number of variables of a constraint, and of values of each, that the text of a failure always lists."""
MANY = 6
"""Maximum number of constraints that the text of a variable without a value names one by one."""
MAX_LONG, MAX_LISTED = 150, 60
"""Maximum numbers of characters of all reasons with their causes, and of names that lack parts of a tuple."""
MAX_NAMED = 4
"""Maximum number of names in a list; the others are counted."""
TAKEN, PLACE = "taken", "place of "
"""The reasons why a value cannot be in a cell with another value, and in the only place of another value."""
DECISION, FROM = "the decision", " (from "
LONG = re.compile(r"(has|have) only (-?\d+(?:, -?\d+){12,})(?=[,;]|$)")
"""A list of values that is too long for a caption, which counts them."""


class Failures(Frozen):
    """The parts of a plan that draw and describe failures."""

    model: Model
    layout: Placement
    helpers: Helpers
    wording: Wording
    origins: Sequence[Sequence[int]]

    @cached_property
    def kinds(self) -> Sequence[str]:
        """The kind of each constraint; that of a tuple's definition is the tuple."""
        kinds = name_kinds(self.model.constraints)
        sizes = {helper: len(variables) for helper, (variables, _) in self.helpers.tuples.items()}
        for number, constraint in enumerate(self.model.constraints if sizes else ()):
            if size := sizes.get(constraint.label.removeprefix(DEFINITION)):
                kinds[number] = kinds[number].replace(EXPRESSION, "pair" if size == 2 else "tuple")
        return kinds

    def signs(self, scene: Scene, printed: Collection[Shape]) -> Iterator[Shape]:
        """Yield the signs of a scene's failure, except its flag; nothing for other scenes.

        The signs leave the clues in ``printed`` visible.
        """
        if scene.failure is not None:
            failure, squares = self.shown(scene.failure, scene.domains), self._squares(scene.failure)
            # A cell that shows which part it lacks needs no sign.
            struck = {*self.struck(scene.failure, scene.domains)}
            removed_by = tuple(part for part in failure.removed_by if struck.isdisjoint(part[1]))
            failure = replace(failure, removed_by=removed_by) if struck else failure
            yield from failure_shapes(self.model, self.layout, failure, scene.failed, scene.domains, printed, squares)

    def struck(self, failure: Failure, domains: Mapping[Variable, Domain]) -> Iterator[Candidate]:
        """Yield the parts of a tuple that cells lack.

        A cell with several values strikes its part, and a single value is another. Other variables have signs.
        """
        removed = failure.removed if failure.constraint is not None else ()
        parts = (part[1] for candidate in removed if (part := missing_part(self.helpers, candidate, domains)))
        yield from ((v, value) for v, value in parts if self.layout.is_cell(v) and shows_struck_values(self.layout, v))

    def flag(self, scene: Scene, drawn: Sequence[Shape]) -> Iterator[Shape]:
        """Yield the flag of a scene's failure, which avoids the texts and arrows in ``drawn``."""
        if scene.failure is not None:
            failure = self.shown(scene.failure, scene.domains)
            yield from flag_shapes(self.layout, failure, scene.failed, scene.domains, drawn)

    def _squares(self, failure: Failure) -> list[Point]:
        """Return the places in sheets that a failure concerns.

        They belong to an expression, or their indices are a tuple.
        """
        subject = failure.subject
        if failure.constraint is None or subject is None:
            variables = [subject] if failure.constraint is None else failure.constraint.scope
            hidden = (v for v in variables if isinstance(v, Variable) and not min(self.layout.size(v)))
            return [point for v in hidden for point in printed_places(self.layout, v)]
        # The indices of a place in a sheet are the parts of a tuple, in any order.
        indices = {tuple(map(str, entry.indices)) for sheet in self.layout.sheets for entry in sheet.entries}
        needs = (self.helpers.needs((v, subject)) for v in failure.constraint.scope)
        parts_of: list[dict[str, Value]] = [{str(v): part for v, part in parts} for parts in needs if parts]
        places = {
            tuple(parts[name] for name in names) for parts in parts_of for names in indices if {*names} == {*parts}
        }
        return [point for slip, point in self.layout.slips.items() if slip.indices in places]

    def shown(self, failure: Failure, domains: Mapping[Variable, Domain]) -> Failure:
        """Return a failure whose subject and removed candidates are drawn, if they can be.

        A value without a place replaces the helper that says where it is. A tuple replaces the code of an expression,
        and a drawn variable the code of the place that no value can have.
        """
        if failure.constraint is None and (images := self.helpers.images.get(str(failure.subject))):
            number_at = self._numbers_found(domains)
            places = [
                (TAKEN if len(domains[images[code][0]]) == 1 else number_at.get(images[code][0]), remover, images[code])
                for remover in failure.removed_by
                for _, code in remover.removed
                if code in images
            ]
            removed_by = tuple(
                Remover(reason, (place,)) if reason else remover._replace(removed=(place,))
                for reason, remover, place in places
            )
            return replace(failure, subject=next(iter(images.values()))[1], removed_by=removed_by)
        if failure.constraint is None or failure.subject is None:
            return failure
        if (cell := self._place_without_value(failure)) is not None:
            emptied = tuple(remover._replace(removed=()) for remover in failure.removed_by)
            return replace(failure, subject=cell, removed_by=emptied)
        parts = [
            (remover, candidate, missing_part(self.helpers, candidate, domains) or self._whole_tuple(candidate))
            for remover in failure.removed_by
            for candidate in remover.removed
        ]
        subject = self._tuple_text(failure.constraint, failure.subject)
        removed_by = tuple(
            Remover(part[0], (part[1],)) if part else remover._replace(removed=(candidate,))
            for remover, candidate, part in parts
        )
        return replace(failure, subject=subject, removed_by=removed_by)

    def _place_without_value(self, failure: Failure) -> Variable | None:
        """Return the drawn variable that can be the place of no value.

        Other failures have none.
        """
        cells = {self.helpers.images.get(v, {}).get(code, (None, 0))[0] for v, code in failure.removed}
        return cells.pop() if len(cells) == 1 else None

    def _tuple_text(self, constraint: Constraint, value: Value) -> Value:
        """Return the tuple of a helper's value, such as ``period 4, room 1``.

        If the parts of the tuples have no families of their own, the text is ``(4, 1)``. A value without a tuple is
        returned.
        """
        needs = (self.helpers.needs((v, value)) for v in constraint.scope if v in self.helpers.tuples)
        tuples = {tuple((v.family, part) for v, part in parts) for parts in needs}
        parts = next(iter(tuples), ())
        if len(tuples) == 1 and 0 < len(parts) == len({family for family, _ in parts}):
            return ", ".join(f"{family} {part}" for family, part in parts)
        return self.helpers.show_value(constraint.scope, value)

    def tuple_cells(self, failure: Failure, domains: Mapping[Variable, Domain]) -> tuple[Variable, ...]:
        """Return the drawn variables that exclude the places of a tuple; empty for other failures."""
        if failure.constraint is None:
            return ()
        places = {v for v, _ in self.shown(failure, domains).removed}
        places |= {cell} if (cell := self._place_without_value(failure)) is not None else set()
        return tuple(v for v in self.model.domains if v in places and v not in self.helpers.cells)

    def lacking_cells(self, failure: Failure, domains: Mapping[Variable, Domain]) -> tuple[Variable, ...]:
        """Return the variables of ``tuple_cells`` that have lost their part of the tuple."""
        lacking = {v for v, x in self.shown(failure, domains).removed if x not in domains[v]}
        return tuple(v for v in self.tuple_cells(failure, domains) if v in lacking)

    def caption(self, words: str, failure: Failure, domains: Mapping[Variable, Domain]) -> str:
        """Return the caption of a failure in terms of drawn variables.

        It names the letters of places that cannot be joined, and the drawn lines of a loop instead of their sum.
        """
        subject = self.shown(failure, domains).subject
        text = f"no number is left for {subject}" if isinstance(subject, Variable) else f"{subject} has no place left"
        words = words.replace(f"{failure.subject} has no place left", text)
        constraint = failure.constraint
        if pieces := cut_pieces(self.layout, failure, domains):
            cause = show_conflict(failure.constraint, failure.cause) if failure.constraint is not None else ""
            separated = [letter for letter, piece in pieces.items() if is_separated(failure, piece)]
            joined = f"no path joins places {' and places '.join(separated if separated[1:] else pieces)}"
            words = words.replace(f" cannot hold: {cause}", f" cannot hold: {joined}{self._barrier(failure, pieces)}")
        elif constraint is not None and failure.cause:
            conflict = show_conflict(constraint, failure.cause)
            # Zeros and ones of a loop are lines. A short sum has all its operands.
            if self.wording.lines.keys() >= {*constraint.scope}:
                drawn = [(v, value) for v, value in failure.cause if min(self.layout.size(v))]
                words = words.replace(conflict, show_cause(drawn, constraint))
            elif isinstance(constraint, Linear) and len(constraint.scope) <= MAX_OTHERS:
                operands = [(v, value) for v in constraint.scope for value in domains[v]]
                words = words.replace(conflict, show_conflict(constraint, operands))
        # Of a long implied constraint, the lines say more than the name.
        if constraint is not None and not constraint.line and self._line(constraint.place, failure.number):
            words = words.replace(constraint.place, self._name(constraint.place, failure.number))
        return LONG.sub(lambda found: f"{found[1]} {found[2].count(',') + 1} values left", words)

    def _barrier(self, failure: Failure, pieces: Mapping[str, Collection[Variable]]) -> str:
        """Return a text that names what lies between pieces, or counts many places."""
        marked = {v.indices for members in pieces.values() for v in members}
        between = [(v, value) for v, value in failure.cause if v.indices not in marked]
        is_drawn = all(min(self.layout.size(v)) for v, _ in between)
        if is_drawn and len(between) <= MAX_NAMED:
            return f", because {show_cause(between)}" if between else ""
        places = (
            {v for v, _ in between} if is_drawn else [v for v in self.cut_cells(failure) if v.indices not in marked]
        )
        kind = "with black borders" if is_drawn else "in orange"
        return f", separated by {plain_counted(len(places), 'place')} without letters, {kind}"

    def cut_cells(self, failure: Failure) -> list[Variable]:
        """Return the cells at the causes of a graph that cannot be connected.

        Other failures have none.
        """
        cell_at = {v.indices: v for v in visible_among(self.layout, self.layout.points) if self.layout.is_cell(v)}
        is_graph = isinstance(failure.constraint, Connected) and failure.subject is None
        places = dict.fromkeys(v.indices for v, _ in failure.cause) if is_graph else ()
        return [cell_at[place] for place in places if place in cell_at]

    def reasons(
        self, failure: Failure, domains: Mapping[Variable, Domain], removed_by: Mapping[Candidate, Removal]
    ) -> str:
        """Return a text that names what removed the values or places of a failure.

        ``removed_by`` has the last removal of each value.
        """
        if failure.constraint is None:
            is_place = str(failure.subject) in self.helpers.images
            parts = self._reasons_of_places(failure, domains) if is_place else self._reasons_of_values(failure, domains)
        else:
            parts = self._reasons_of_parts(failure, domains, removed_by)
        return f": {'; '.join(parts)}" if parts else ""

    def removers(self, scene: Scene) -> list[int]:
        """Return the numbers of the constraints that led to a failure by their removals."""
        if scene.failure is None:
            return []
        numbers = [remover.number for remover in scene.failure.removed_by]
        parts = filter(None, (missing_part(self.helpers, removed, scene.domains) for removed in scene.failure.removed))
        numbers += [scene.removed_by[part].number for _, part in parts if part in scene.removed_by]
        return list(dict.fromkeys(number for number in numbers if number is not None))

    def find_stated(self, number: int) -> list[Constraint]:
        """Return a constraint of the spec in a list.

        For an implied constraint, the list has the constraints of the spec that imply it.
        """
        constraint = self.model.constraints[number]
        origins = self.origins[number] if not constraint.line and number < len(self.origins) else (number,)
        return [self.model.constraints[origin] for origin in origins]

    def _reasons_of_places(self, failure: Failure, domains: Mapping[Variable, Domain]) -> list[str]:
        """Return texts of what excludes each place of a value."""
        cells_by: dict[str, list[Variable]] = {}
        for place, [(v, _)], number in self.shown(failure, domains).removed_by:
            label = place if number is None else self._name(place, number)
            cells_by.setdefault(label, []).append(v)
        taken = len(cells_by.pop(TAKEN, []))
        only = {label: cells_by.pop(label)[0] for label in [*cells_by] if label.startswith(PLACE)}
        total = taken + len(only) + sum(map(len, cells_by.values()))
        parts = [f"{taken} {'is' if taken == 1 else 'are'} taken"] if taken else []
        parts += [f"{label} excludes {len(cells)}" for label, cells in cells_by.items()]
        if len(only) == 1:
            parts += [f"{cell} is the only {label}" for label, cell in only.items()]
        elif only:
            parts.append(f"{len(only)} are the only places of other numbers")
        return [f"of {plain_counted(total, 'cell')}, {', '.join(parts)}"] if parts else []

    def named_causes(self, failure: Failure, domains: Mapping[Variable, Domain]) -> list[Variable]:
        """Return the variables that ``reasons`` names as the causes of a variable without a value."""
        if failure.constraint is not None or str(failure.subject) in self.helpers.images:
            return []
        parts = self._parts_of_values(failure, domains)
        return list(dict.fromkeys(v for _, _, causes in parts for v in causes))

    def _reasons_of_values(self, failure: Failure, domains: Mapping[Variable, Domain]) -> list[str]:
        """Return texts of what removed the values of a variable."""
        return [text + why for text, why, _ in self._parts_of_values(failure, domains)]

    def _parts_of_values(
        self, failure: Failure, domains: Mapping[Variable, Domain]
    ) -> list[tuple[str, str, list[Variable]]]:
        """Return what removed the values of a variable.

        Each part is a text, a text of its causes, and these causes. A constraint on few variables has the values of the
        others. One that removed many values is last.
        """
        parts: list[tuple[bool, str, str, list[Variable]]] = []
        for place, removed, number in self._join_by_line(failure):
            scope = () if number is None else self.model.constraints[number].scope
            others = [v for v in scope if v != failure.subject]
            cause = show_cause([(v, value) for v in others for value in domains[v]])
            is_short = 0 < len(others) <= MAX_OTHERS and all(len(domains[v]) <= MAX_OTHERS for v in others)
            why = f", because {self.helpers.replace_in(self.wording.replace_in(cause))}" if is_short else ""
            texts = [self._value_text(v, value) for v, value in removed]
            is_long = len(texts) > MAX_VALUES
            values = f"the other {len(texts)}" if is_long and len(failure.removed_by) > 1 else ", ".join(texts)
            values = plain_counted(len(texts), "value") if is_long and len(failure.removed_by) == 1 else values
            parts.append((is_long, f"{self._name(place, number)} removed {values}", why, others if is_short else []))
        parts.sort(key=lambda part: part[0])
        is_shown = sum(len(text) + len(why) for _, text, why, _ in parts) <= MAX_LONG
        return [(text, why, causes) if is_shown else (text, "", []) for _, text, why, causes in parts]

    def _join_by_line(self, failure: Failure) -> Iterator[Remover]:
        """Yield what removed the values of a variable.

        Constraints of one line join if they are on the variable alone, or if the text would name many constraints.
        Constraints of one name always join. Joined constraints have no number.
        """
        is_long = len(failure.removed_by) > MANY
        joined: dict[str, list[Remover]] = {}
        for remover in failure.removed_by:
            number, line = remover.number, self._line(remover.place, remover.number)
            joins = number is not None and line and (is_long or len(self.model.constraints[number].scope) == 1)
            joined.setdefault(line if joins else remover.place, []).append(remover)
        for key, members in joined.items():
            if len(members) == 1:
                yield members[0]
                continue
            name, number = key, members[0].number
            if number is not None and key == self._line(members[0].place, number):
                kind = self.kinds[number]
                name = kind if key.strip(" ()") in kind else f"{kind}{key}"
            yield Remover(name, tuple(candidate for remover in members for candidate in remover.removed))

    def _reasons_of_parts(
        self, failure: Failure, domains: Mapping[Variable, Domain], removed_by: Mapping[Candidate, Removal]
    ) -> list[str]:
        """Return texts of what excludes a value or tuple from a constraint's variables."""
        lacking: dict[str, dict[str, None]] = {}  # the drawn variables without their part, by the text of the part
        names_by: dict[str, Counter[str]] = {}  # the removing constraints, by the text of their line
        own_line = "" if failure.constraint is None else self._line(failure.constraint.place, failure.number)
        kinds_of: dict[str, dict[str, None]] = {}  # the kinds of the constraints of each line
        has_others = False

        def count_remover(place: str, number: int | None) -> None:
            line = self._line(place, number)
            names_by.setdefault(line, Counter())[self._name(place, number).removesuffix(line)] += 1
            if line and number is not None:
                kinds_of.setdefault(line, {})[self.kinds[number]] = None

        for place, removed, number in failure.removed_by:
            for v, value in removed:
                if part := missing_part(self.helpers, (v, value), domains):
                    lacking.setdefault(part[0], {})[part[1][0]] = None
                    # The definitions of the tuples themselves say nothing new.
                    removal = removed_by.get(part[1])
                    line = self._line(removal.place, removal.number) if removal else ""
                    if removal and not (line and line == own_line):
                        count_remover(removal.place, removal.number)
                    else:
                        has_others = True
                elif whole := self._whole_tuple((v, value)):
                    lacking.setdefault(whole[0], {})[f"({', '.join(self.helpers.tuples[v][0])})"] = None
                    count_remover(place, number)
                else:
                    count_remover(place, number)
        noun = "cell" if all(map(self.layout.is_cell, visible_among(self.layout, self.model.domains))) else "variable"

        def noun_of(text: str) -> str:
            return noun if not text.endswith(")") else "pair" if text.count(",") == 1 else "tuple"

        # The signs in the picture show who lacks a part, so that long lists are counted.
        is_long = sum(len(name) for names in lacking.values() for name in names) > MAX_LISTED
        lacks = []
        for text, own in lacking.items():
            count = plain_counted(len(own), noun_of(text))
            if is_long and text.startswith("not "):
                lacks.append(f"{count} cannot be {text.removeprefix('not ')}")
            else:
                lacks.append(f"{count if is_long else ', '.join(own)} {'is' if len(own) == 1 else 'are'} {text}")
        # Of many constraints only the kinds are named.
        is_short = sum(map(len, names_by.values())) <= MAX_NAMED
        removers = []
        for line in sorted(names_by, key=lambda line: (not line, len(line), line)):
            names = names_by[line]
            texts = [f"{times} decisions" if name == DECISION and times > 1 else name for name, times in names.items()]
            removers.append(", ".join(texts) + line if is_short or not line else ", ".join(kinds_of[line]))
        if not removers:
            return lacks
        return [*lacks, f"removed by {', '.join(dict.fromkeys(removers))}{' and others' if has_others else ''}"]

    def _name(self, place: str, number: int | None) -> str:
        """Return the name and the line of a constraint in terms of drawn variables."""
        line = self._line(place, number)
        name = self.helpers.replace_in(place.removesuffix(line) if line else place)
        if len(name) <= MAX_NAME:
            return f"{name}{line}"
        return f"an implied constraint{line}" if line.startswith(FROM) or not line else f"a constraint{line}"

    def _line(self, place: str, number: int | None) -> str:
        """Return the text of a constraint's line, such as `` (line 3)``; empty without one.

        An implied constraint has the lines of the constraints that it follows from, unless its short name has them.
        """
        if number is None:
            return ""
        line = place.removeprefix(self.model.constraints[number].name)
        if line or len(place) <= MAX_NAME:
            return line
        lines = [f"{c.file} line {c.line}".strip() for c in self.find_stated(number) if c.line]
        return f"{FROM}{_enumerate(dict.fromkeys(lines))})" if lines else ""

    def _value_text(self, v: Variable, value: Value) -> str:
        """Return a value in the words of the spec, or its tuple."""
        return self.helpers.show_tuple(v, value) or self.wording.values.get(v, {}).get(quoted(value), str(value))

    def _numbers_found(self, domains: Mapping[Variable, Domain]) -> dict[Variable, str]:
        """Return, by variable, the text of the value with its only place there."""
        fixed = {helper: domains[Variable(helper)] for helper in self.helpers.images}
        images = [self.helpers.images[helper].get(domain[0]) for helper, domain in fixed.items() if len(domain) == 1]
        return {v: f"{PLACE}{value}" for v, value in filter(None, images)}

    def _whole_tuple(self, candidate: Candidate) -> tuple[str, Candidate] | None:
        """Return a text for a removed tuple, with the drawn candidate that shows it.

        The result is None for other candidates.
        """
        helper, value = candidate
        if helper not in self.helpers.tuples:
            return None
        return f"not {self.helpers.show_value([helper], value)}", self.helpers.needs(candidate)[0]


def missing_part(
    helpers: Helpers, candidate: Candidate, domains: Mapping[Variable, Domain]
) -> tuple[str, tuple[Variable, Value]] | None:
    """Return which drawn variable has lost its part of a tuple.

    The result is a text and the candidate; None if every drawn variable still has its part.

    Examples
    --------
    >>> helpers = Helpers({}, {}, {}, tuples={"2*x + y": ("xy", {4: (1, 2)})})
    >>> missing_part(helpers, ("2*x + y", 4), {"x": (1,), "y": (0, 1)})
    ('not 2', ('y', 2))
    """
    parts = helpers.needs(candidate) if candidate[0] in helpers.tuples else []
    return next(((f"not {value}", (v, value)) for v, value in parts if value not in domains[v]), None)


def _enumerate(names: Iterable[str]) -> str:
    """Return the first names in a list, and the number of the others.

    Examples
    --------
    >>> _enumerate("abc"), _enumerate("abcdef")
    ('a, b, c', 'a, b, c, d and 2 more')
    """
    texts = list(names)
    more = f" and {len(texts) - MAX_NAMED} more" if len(texts) > MAX_NAMED else ""
    return ", ".join(texts[:MAX_NAMED]) + more
