"""What a page asks, checked: nothing of it is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from csp import LEVELS, CspError, Level, Value

LONGEST = 1_000_000
"""The most characters of a text."""

MOST_ACTS = 1_000
MOST_FILMS = 2
WITHOUT = "without acts"
KEPT = "kept spec"
PICTURE_ASKS = ("play", "candidates", "techniques", "hint", "compare", "set", "explain", "both")
"""What the engine of the picture is asked; all else is of the editor."""

ASKS = (
    *PICTURE_ASKS,
    *("complete", "hover", "define", "uses", "rename", "format", "enter", "give", "paste", "example"),
)
"""What can be asked."""


class Malformed(CspError):
    """A question that is none; the message says why."""


@dataclass(frozen=True)
class Question:
    """One question of a page.

    Attributes
    ----------
    seq : int
        Its number, which the answers carry; the newest question wins.
    ask : str
        One of ``ASKS``.
    text : str
    params : mapping from str to int or str
    grids : mapping from str to str
    level : str
    acts : tuple of str
    nodes : int
        The most decisions of the search to record.
    line, column : int
        A place in the text, counted from 1.
    name : str
        A new name, a grid, an example, a variable.
    row : int
    word : str
        What is entered, or pasted.
    against : tuple of str
        What else plays on the same clock: levels, ``without acts``, and ``kept spec``.
    kept : tuple of str
        That spec, and its acts.
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
    against: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @staticmethod
    def of(data: object) -> Question:
        """The question that plain data says.

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
        known = {name: kind for name, kind in KINDS.items() if name in data}
        if unknown := sorted(map(str, data.keys() - KINDS.keys())):
            raise Malformed(f"a question has no {unknown[0]:.40}")
        for name, kind in known.items():
            if type(data[name]) is not kind:
                raise Malformed(f"{name} is no {kind.__name__}")
        if type(data.get("seq")) is not int:
            raise Malformed("a question has a number")
        made = Question(**{**data, **{name: tuple(data.get(name, ())) for name in ("acts", "against", "kept")}})
        made.check()
        return made

    def check(self) -> None:
        """Whether its parts are of the right kind and size."""
        words = [
            self.text,
            self.name,
            self.word,
            *self.grids.values(),
            *self.acts,
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
        if len(self.against) > MOST_FILMS or not {*LEVELS, WITHOUT, KEPT}.issuperset(self.against):
            raise Malformed(f"what is against is a level, {WITHOUT}, or {KEPT}")
        if self.ask not in ASKS or self.level not in LEVELS:
            raise Malformed("nobody answers that")
        if (
            max(len(self.acts), len(self.kept)) > MOST_ACTS
            or not 0 <= self.nodes <= 10_000
            or min(self.line, self.column, self.row) < 1
        ):
            raise Malformed("its numbers are too small or too large")


KINDS = {
    "seq": int, "ask": str, "text": str, "params": dict, "grids": dict, "level": str, "acts": list, "nodes": int,
    "line": int, "column": int, "name": str, "row": int, "word": str,
    "against": list, "kept": list,
}  # fmt: skip
