"""Captions without the names of helpers, the variables that a picture does not show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from ..base.frozen import Frozen
from ..base.notation import counted
from ..model import Model, Variable

NAME = r"\w+\([^()]*\)"
"""The name of a variable with indices."""
JOINTS = (", ", " = ")
"""Texts between the names of a list."""
MAX_CELLS = 4
"""Maximum number of drawn variables that the text of a helper names."""


class Helpers(Frozen):
    """The variables that are not drawn.

    Attributes
    ----------
    cells : mapping of str to tuple of Variable
        The drawn variables of the smallest constraint of each helper.
    """

    cells: Mapping[str, tuple[Variable, ...]]

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
        >>> helpers = Helpers({"b(1)": (Variable("a", 1),), "b(2)": (Variable("a", 2),), "c(1)": ()})
        >>> helpers.replace_in("rule b(1): b(1) = b(2) = 0 removes 1 from c(1)", ["rule b(1)"])
        'rule b(1): 2 helpers of a(1), a(2) = 0 removes 1 from a helper'
        """
        if not self.cells:
            return words
        pattern = "|".join(map(re.escape, sorted(filter(None, kept), key=len, reverse=True)))
        # The odd parts are the kept texts.
        parts = re.split(f"({pattern})", words) if pattern else [words]
        return "".join(part if i % 2 else self._replace_all(part) for i, part in enumerate(parts))

    def _replace_all(self, words: str) -> str:
        """Return a text in which a description replaces each list of helpers."""
        parts: list[str] = []
        group: list[str] = []
        end = 0
        for match in self._name.finditer(words):
            gap, is_helper = words[end : match.start()], match[0] in self.cells
            # A name of another kind, or other words, end the list.
            if group and not (is_helper and gap in JOINTS):
                parts.append(self._describe(group))
                group = []
            if not group:
                parts.append(gap)
            if is_helper:
                group.append(match[0])
            else:
                parts.append(match[0])
            end = match.end()
        return "".join([*parts, self._describe(group) if group else "", words[end:]])

    def _describe(self, names: Collection[str]) -> str:
        """Return a text for helpers: their number, and the drawn variables that they depend on."""
        cells = list(dict.fromkeys(v for name in names for v in self.cells[name]))
        number = counted(len(names), "helper") if len(names) > 1 else "a helper"
        return f"{number} of {', '.join(cells)}" if 0 < len(cells) <= MAX_CELLS else number


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
    for constraint in model.constraints if cells else ():
        drawn = tuple(v for v in constraint.scope if v in visible)
        for v in constraint.scope if drawn else ():
            if v in cells and (not cells[v] or len(drawn) < len(cells[v])):
                cells[v] = drawn
    return Helpers(cells)
