"""The class of a diagnostic's test case, and beginnings of texts."""

from __future__ import annotations

from dataclasses import dataclass, field

from csp import Value

CELLS = "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. "
USUAL = "A, B, X, Y in 1..4. x(I) in 1..4 :- I in 1..4. p(1). "
STATES = "state(wa). state(nt). color(S) in {red, green} :- state(S). "


@dataclass(frozen=True)
class Case:
    """A text with « and » around the expected place, with the message."""

    text: str
    message: str
    hint: str = ""
    params: dict[str, Value] = field(default_factory=dict)
    grids: dict[str, str] = field(default_factory=dict)

    @property
    def spec(self) -> str:
        """The text without the two marks."""
        return self.text.replace("«", "").replace("»", "")

    @property
    def place(self) -> tuple[int, int, int]:
        """Line, column and length of the marked place."""
        before, _, after = self.text.partition("«")
        return before.count("\n") + 1, len(before) - before.rfind("\n"), max(1, after.index("»"))
