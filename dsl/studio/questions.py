"""The questions that a browser page sends to the engines; every attribute is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from csp import LEVELS, CspError, Level, Value

LONGEST = 1_000_000
"""Maximum number of characters of all texts of a question together."""

MAX_ACTS = 1_000
"""Maximum number of acts of a question."""

MAX_FILMS = 2
"""Maximum number of films to compare with the film of a question."""

WITHOUT = "without acts"
"""The name of the film without acts."""

KEPT = "kept spec"
"""The name of the film of the spec that the page has kept."""

PICTURE_ASKS = ("play", "compare", "set", "explain", "both")
"""The questions for the engine of the picture; the engine of the editor answers all others."""

ASKS = (
    *PICTURE_ASKS,
    *("complete", "hover", "define", "rename", "format", "enter", "give", "paste", "example", "thumbnail"),
    *("draw", "erase", "board"),
)
"""All kinds of questions."""


class Malformed(CspError):
    """The error for data that is not a valid question; the message says why."""


@dataclass(frozen=True)
class Question:
    """A question from a page; attributes that a question does not use keep defaults.

    Attributes
    ----------
    seq : int
        The number of the question, repeated in its answers; only the newest question is answered.
    ask : str
        The kind of question, one of ``ASKS``.
    text : str
        The spec.
    params : mapping from str to int or str
        Values that replace params of the spec.
    grids : mapping from str to str
        Pictures that replace grids of the spec.
    level : str
        The consistency level.
    acts : tuple of str
    nodes : int
        Maximum number of decisions of the search to record.
    line, column : int
        A place in the text, counted from 1; ``column`` is also a column of a grid.
    name : str
        A new name, a grid, an example, a variable, a tool that draws, or the kind of an empty board.
    row : int
        A row of a grid, counted from 1, or the number of rows of a board.
    word : str
        The entry of a cell, the pasted text, or the values of a drawn constraint.
    cells : tuple of str
        The variables that a tool has been dragged over.
    against : tuple of str
        The films to compare with: levels, ``without acts``, and ``kept spec``.
    kept : tuple of str
        The kept spec, followed by its acts.
    """

    seq: int
    ask: str = "play"
    text: str = ""
    params: Mapping[str, Value] = field(default_factory=dict)
    grids: Mapping[str, str] = field(default_factory=dict)
    level: Level = "singles"
    acts: tuple[str, ...] = ()
    nodes: int = 150
    line: int = 1
    column: int = 1
    name: str = ""
    row: int = 1
    word: str = ""
    cells: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @staticmethod
    def of(data: object) -> Question:
        """Convert JSON data to a question, and check its attributes.

        Raises
        ------
        Malformed

        Examples
        --------
        >>> Question.of({"seq": 1, "text": "A in 1..2."}).ask
        'play'
        """
        if not isinstance(data, dict):
            raise Malformed("a question is an object")
        types = {name: kind for name, kind in KINDS.items() if name in data}
        if unknown := sorted(map(str, data.keys() - KINDS.keys())):
            raise Malformed(f"a question has no {unknown[0]:.40}")
        for name, kind in types.items():
            if type(data[name]) is not kind:
                raise Malformed(f"{name} is not of type {kind.__name__}")
        if type(data.get("seq")) is not int:
            raise Malformed("a question has a number")
        question = Question(**{**data, **{name: tuple(data.get(name, ())) for name in TUPLES}})
        question.check()
        return question

    def check(self) -> None:
        """Raise ``Malformed`` if the texts, numbers or names of the question are not allowed.

        Raises
        ------
        Malformed
        """
        words = [
            self.text,
            self.name,
            self.word,
            *self.grids.values(),
            *self.acts,
            *self.cells,
            *self.against,
            *self.kept,
            *self.params,
            *self.grids,
        ]
        if not all(isinstance(word, str) for word in words) or sum(map(len, words)) > LONGEST:
            raise Malformed(f"its texts have {LONGEST:,} characters at most")
        if not all(
            type(value) is str or (type(value) is int and abs(value) < 10**18) for value in self.params.values()
        ):
            raise Malformed("a param is a whole number or a symbol")
        if len(self.against) > MAX_FILMS or not {*LEVELS, WITHOUT, KEPT}.issuperset(self.against):
            raise Malformed(f"against must be a level, {WITHOUT}, or {KEPT}")
        if self.ask not in ASKS or self.level not in LEVELS:
            raise Malformed("unknown question")
        if (
            max(len(self.acts), len(self.kept)) > MAX_ACTS
            or not 0 <= self.nodes <= 10_000
            or min(self.line, self.column, self.row) < 1
        ):
            raise Malformed("its numbers are too small or too large")


KINDS = {
    "seq": int, "ask": str, "text": str, "params": dict, "grids": dict, "level": str, "acts": list, "nodes": int,
    "line": int, "column": int, "name": str, "row": int, "word": str,
    "cells": list, "against": list, "kept": list,
}  # fmt: skip
"""The type of each part of a question, as JSON has it."""

TUPLES = [name for name, kind in KINDS.items() if kind is list]
"""The parts of a question that are lists in JSON."""
