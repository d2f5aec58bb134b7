"""Mistakes, told the way a compiler tells them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from .syntax import Place


@dataclass
class Mistake(Exception):
    """One mistake: what is wrong, where, and what may help.

    Attributes
    ----------
    message : str
    at : Place or None
        None where the mistake is not in a text, such as an unknown ``--set``.
    hint : str
        Empty when there is nothing helpful to say.
    grid : str
        The grid in whose text the place is; empty for the spec itself.
    """

    message: str
    at: Place | None = None
    hint: str = ""
    grid: str = ""


@dataclass(frozen=True)
class Source:
    """A text and the name it is reported under; ``first`` is the line it begins at within a larger file."""

    name: str
    text: str

    def show(self, mistake: Mistake) -> str:
        """The mistake with file, line, column, the line itself and a caret."""
        hint = f"\n  hint: {mistake.hint}" if mistake.hint else ""
        if mistake.at is None:
            return f"{self.name}: error: {mistake.message}{hint}"
        number, column, width = mistake.at
        lines = self.text.split("\n")
        line = lines[number - 1].rstrip("\r") if number <= len(lines) else ""
        before = "".join("\t" if letter == "\t" else " " for letter in line[: column - 1])
        shown = max(1, min(width, len(line) - column + 1))
        gutter = f"{number:5} | "
        return (
            f"{self.name}:{number}:{column}: error: {mistake.message}\n"
            f"{gutter}{line}\n{' ' * (len(gutter) - 2)}| {before}{'^' * shown}{hint}"
        )


class SpecError(ValueError):
    """A spec that cannot be read; ``str`` of it is the whole report.

    Attributes
    ----------
    mistakes : list of Mistake
        In the order of their places.
    """

    def __init__(self, mistakes: list[Mistake], sources: dict[str, Source]) -> None:
        self.mistakes = sorted(mistakes, key=lambda m: (m.grid, m.at or Place(0, 0)))
        super().__init__("\n".join(sources[mistake.grid].show(mistake) for mistake in self.mistakes))


def near(name: str, known: Iterable[str]) -> str:
    """A hint that names what was probably meant, or nothing.

    Examples
    --------
    >>> near("cel", ["cell", "clue"])
    'did you mean cell?'
    """
    close = get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else ""
