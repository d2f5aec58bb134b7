"""Define the tools that turn a path of cells into facts.

The templates of the facts have letters:

- L: the number of the line, cage or group
- R, C: each cell of the path; K: its place in the path, from 1
- S, D: the next cell of the path, or T, U: the cell half a path further
- P, Q: the first cell, which is then no R, C
- A, B: the place beside the board before the first cell; I, J: the step from there
- V: the entered value; N: its place among several values
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from csp import CspError

from ..puzzles.links.variant import Square

LetterValues = dict[str, int | str]
"""The values of a template's letters."""

TEMPLATE = re.compile(r"(\w+)\(([^)]*)\)")
NUMBER = re.compile(r"-?[0-9]{1,9}")


class Tool(NamedTuple):
    """A kind of constraint that users draw.

    Attributes
    ----------
    name : str
    rules : dict of str to str
        Per spec of the gallery with the rules: the templates of its facts. Rules without facts hold for the whole
        board. Without a spec, the facts are the entries of a grid of the text.
    value : str
        A description of the value; empty for a tool without values.
    usual : str
        The value unless the user enters another one.
    """

    name: str
    rules: Mapping[str, str]
    value: str = ""
    usual: str = ""

    @property
    def templates(self) -> list[tuple[str, list[str], str]]:
        """The templates of the tool's facts: relation, argument letters, and gallery spec of rules."""
        return [
            (relation, letters.split(", "), rules)
            for rules, facts in self.rules.items()
            for relation, letters in TEMPLATE.findall(facts)
        ]

    @property
    def letters(self) -> set[str]:
        """The letters that occur in the templates of the tool's facts."""
        return {letter for _, letters, _ in self.templates for letter in letters}

    @property
    def kind(self) -> str:
        """The kind of shape that the user draws: line, area, copy, cells, edge or board."""
        if self.letters.isdisjoint("RPA"):
            return "board"
        if "A" in self.letters:
            return "edge"
        if "T" in self.letters:
            return "copy"
        if not self.letters.isdisjoint("KS"):
            return "line"
        return "cells" if self.letters.isdisjoint("LP") else "area"

    def check(self, path: Sequence[Square], values: Sequence[str]) -> None:
        """Raise an error if a path or its values do not fit this tool.

        Raises
        ------
        CspError
            If the path is too short or has another form, or a value is missing or is not a number.
        """
        letters, least = self.letters, {"line": 2, "edge": 2, "board": 0}.get(self.kind, 1)
        if len(path) < least:
            raise CspError(f"draw {self.name} over {least} cells or more")
        if "T" in letters and len(path) % 2:
            raise CspError(f"draw {self.name} over a shape, then over its copy")
        if "N" in letters and sorted(path) != [(r + i, c + j) for r, c in [min(path)] for i in (0, 1) for j in (0, 1)]:
            raise CspError(f"draw {self.name} over the four cells around a corner")
        # A value is optional if its fact contains no cell.
        is_needed = any("V" in template and len(template) > 2 for _, template, _ in self.templates)
        is_right = len(values) <= 1 or "N" in letters
        if not is_right or (is_needed and not values) or not all(map(NUMBER.fullmatch, values)):
            raise CspError(f"{self.name} needs {'numbers' if 'N' in letters else 'a number'}: {self.value}")

    def bind(self, template: Sequence[str], path: Sequence[Square], values: Sequence[str]) -> Iterator[LetterValues]:
        """Yield the values of a template's letters for each fact of a drawn path.

        The number L is missing; the caller adds it.
        """
        # Only lines, pairs, copies and edges depend on the order of the cells.
        cells = sorted(path) if self.letters.isdisjoint("KSTA") else [*path]
        others = cells[1:] if "P" in self.letters else cells
        half = len(cells) // 2
        places: list[LetterValues] = [{}]
        if "S" in template:
            places = [dict(zip("RCSD", first + second, strict=True)) for first, second in map(sorted, pairwise(cells))]
        elif "T" in template:
            copies = zip(cells[:half], cells[half:], strict=True)
            places = [dict(zip("RCTU", cell + copy, strict=True)) for cell, copy in copies]
        elif "R" in template:
            places = [{"K": k, "R": r, "C": c} for k, (r, c) in enumerate(others, 1)]
        elif "P" in template:
            places = [dict(zip("PQ", cells[0], strict=True))]
        elif "A" in template:
            (r, c), (s, d) = cells[:2]
            places = [{"A": 2 * r - s, "B": 2 * c - d, "I": s - r, "J": d - c}]
        for place in places:
            for n, value in enumerate(values if "V" in template else [""], 1):
                yield {**place, "N": n, "V": value}


TOOLS = {
    tool.name: tool
    for tool in (
        Tool("thermometer", {"thermometers": "thermometer(L, K, R, C)"}),
        Tool("slow thermometer", {"slow_thermometers": "slow_thermometer(L, K, R, C)"}),
        Tool("arrow", {"arrows": "circle(L, 1, P, Q) arrow(L, K, R, C)"}),
        Tool("double arrow", {"double_arrows": "double_arrow(L, K, R, C)"}),
        Tool("cage", {"cages": "cage(R, C, L)", "cage_totals": "total(L, V)"}, "sum"),
        Tool("white dot", {"dots": "dot(R, C, S, D, white, V)"}, "difference", "1"),
        Tool("black dot", {"dots": "dot(R, C, S, D, black, V)"}, "ratio", "2"),
        Tool("sum of two", {"sums": "pair_sum(R, C, S, D, V)"}, "sum: V is 5, X is 10", "10"),
        Tool("whisper", {"whispers": "whisper(L, K, R, C) whisper_distance(L, V)"}, "least difference", "5"),
        Tool("renban", {"renbans": "renban(L, K, R, C)"}),
        Tool("nabner", {"nabners": "nabner(L, K, R, C)"}),
        Tool("palindrome", {"palindromes": "palindrome(L, K, R, C)"}),
        Tool("between", {"between": "between(L, K, R, C)"}),
        Tool("region sum", {"region_sums": "region_sum(L, K, R, C)"}),
        Tool("zipper", {"zippers": "zipper(L, K, R, C)"}),
        Tool("entropic", {"entropic": "entropic(L, K, R, C)"}),
        Tool("modular", {"modular": "modular(L, K, R, C)"}),
        Tool("parity line", {"parity_lines": "parity_line(L, K, R, C)"}),
        Tool("region", {"": "region(R, C, L)"}),
        Tool("extra region", {"extra_regions": "extra_region(L, R, C)"}),
        Tool("clone", {"clones": "clone(L, R, C, T, U)"}),
        Tool("quadruple", {"quadruples": "quadruple(P, Q, N, V)"}, "numbers"),
        Tool("even", {"parity": "parity(R, C, 0)"}),
        Tool("odd", {"parity": "parity(R, C, 1)"}),
        Tool("minimum", {"extrema": "extremum(R, C, -1)"}),
        Tool("maximum", {"extrema": "extremum(R, C, 1)"}),
        Tool("row indexer", {"row_indexers": "row_indexer(R, C)"}),
        Tool("column indexer", {"column_indexers": "column_indexer(R, C)"}),
        Tool("box indexer", {"box_indexers": "box_indexer(R, C)"}),
        Tool("sandwich", {"sandwiches": "sandwich(A, B, V)"}, "sum"),
        Tool("x-sum", {"x_sums": "x_sum(A, B, V)"}, "sum"),
        Tool("skyscraper", {"towers": "skyscraper(A, B, V)"}, "number"),
        Tool("numbered room", {"numbered_rooms": "numbered_room(A, B, V)"}, "number"),
        Tool("little killer", {"little_killers": "little_killer(A, B, I, J, V)"}, "sum"),
        Tool("rising diagonal", {"rising_diagonal": ""}),
        Tool("falling diagonal", {"falling_diagonal": ""}),
        Tool("anti-knight", {"anti_knight": ""}),
        Tool("anti-king", {"anti_king": ""}),
        Tool("disjoint groups", {"disjoint_groups": ""}),
        Tool("nonconsecutive", {"nonconsecutive": ""}),
        Tool("all black dots given", {"no_ratios": ""}),
        Tool("all X and V given", {"no_sums": ""}),
    )
}
"""All tools by name."""
