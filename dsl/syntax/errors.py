"""Mistakes, reported as a compiler reports them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from csp import CspError
from csp import counted as counted

from .nodes import Place

MOST = 20
"""The most mistakes that a report shows."""

WIDTH = 120
"""The most characters of a line that a report shows."""

IMPLICATION = "if A = 1 then B = 2 is written A = 1 -> B = 2"


@dataclass
class Diagnostic(Exception):
    """One mistake, or what is likely to be one: what is wrong, where, and what may help.

    Attributes
    ----------
    message : str
    at : Place or None
        None where the mistake is not in a text, such as an unknown ``--set``.
    hint : str
        Empty when there is nothing helpful to say.
    grid : str
        The grid in whose own file the place is; empty for a place in the spec.
    code : str
        The name by which a warning can be silenced; empty for an error.
    once : bool
        Whether the same message elsewhere would tell nothing more.
    """

    message: str
    at: Place | None = None
    hint: str = ""
    grid: str = ""
    code: str = ""
    once: bool = False

    @property
    def text(self) -> str:
        """The text in which the place is: a grid, or a file that is included; empty for the spec itself."""
        return self.grid or (self.at.file if self.at else "")

    @property
    def severity(self) -> str:
        """``warning``, ``error`` for what makes a spec unreadable, or ``note``."""
        return "warning" if self.code else "error"

    @property
    def order(self) -> tuple[str, Place, str]:
        """What reports are sorted by: the text and the place, then the message."""
        return self.text, self.at or Place(0, 0), self.message

    def add_hint(self, hint: str) -> None:
        """Say one thing more."""
        self.hint = f"{self.hint}; {hint}" if self.hint else hint


class Note(Diagnostic):
    """No mistake, but a place that there is something to say of."""

    @property
    def severity(self) -> str:
        """Less than a warning."""
        return "note"


class Falsehood(Diagnostic):
    """Something that is said to hold and never does."""


class Undefined(Diagnostic):
    """An expression of known values that has no value."""


@dataclass
class Outside(Diagnostic):
    """A given that is outside the domain of its variable."""

    value: int | str = ""


class Diagnostics(list[Diagnostic]):
    """What is wrong so far."""

    @property
    def enough(self) -> bool:
        """Whether to look no further."""
        return len(self) >= 5 * MOST

    def append(self, diagnostic: Diagnostic) -> None:
        """Note a mistake, unless it is one that is told once and has been told."""
        if not (diagnostic.once and any(other.message == diagnostic.message for other in self)):
            super().append(diagnostic)

    @contextmanager
    def collecting(self, at: Place | None = None) -> Iterator[None]:
        """Note a mistake and go on after the block; ``at`` is where to look if the block is nested too deeply."""
        try:
            yield
        except Diagnostic as diagnostic:
            self.append(diagnostic.with_traceback(None))  # whose frames may hold a great deal
        except RecursionError:
            self.append(nested_too_deeply(at))


def nested_too_deeply(at: Place | None) -> Diagnostic:
    """The mistake of a clause that is nested too deeply."""
    return Diagnostic("this is nested too deeply", at, "split it into smaller clauses")


@dataclass(frozen=True)
class Source:
    """A text and the name it is reported under. Line ends become ``\\n``.

    Parameters
    ----------
    name : str
        ``-`` is standard input. Line ends and what is no text in the name of a file are written as Python writes them.
    text : str
    path : str
        Where it stands, or as if it stood: what it includes is found from there. Without one, in the working folder.
    """

    name: str
    text: str
    path: str = "-"

    def __post_init__(self) -> None:
        if "\r" in self.text:
            object.__setattr__(self, "text", self.text.replace("\r\n", "\n").replace("\r", "\n"))
        if self.name == "-":
            object.__setattr__(self, "name", "<standard input>")
        if not self.name.isprintable():
            object.__setattr__(self, "name", repr(self.name)[1:-1])

    def show(self, diagnostic: Diagnostic) -> str:
        """The mistake with file, line, column, the line itself and a caret."""
        said = f"{diagnostic.severity}: {diagnostic.message}" + (f" [{diagnostic.code}]" if diagnostic.code else "")
        hint = f"\n  hint: {diagnostic.hint}" if diagnostic.hint else ""
        if diagnostic.at is None:
            return f"{self.name}: {said}{hint}"
        number, column, width, _ = self.clipped(diagnostic.at)
        shown, before, width = _clip(self._line(number), column - 1, width)
        gutter = f"{number:5} | "
        return (
            f"{self.name}:{number}:{column}: {said}\n"
            f"{gutter}{shown}\n{' ' * (len(gutter) - 2)}| {before}{'^' * width}{hint}"
        )

    def clipped(self, at: Place) -> Place:
        """A place, as far as it is on its line."""
        return at._replace(width=max(1, min(at.width, len(self._line(at.line)) - at.column + 1)))

    def _line(self, number: int) -> str:
        return self._lines[number - 1].rstrip() if number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")


def _clip(line: str, start: int, width: int) -> tuple[str, str, int]:
    """The part of a line around a word, the blanks before the word, and how much of the word is shown."""
    left = 0 if len(line) <= WIDTH else max(0, min(start - WIDTH // 3, len(line) - WIDTH))
    right = left + WIDTH
    part = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line[left:right])
    before = "".join("\t" if c == "\t" else " " for c in part[: start - left].ljust(start - left))
    shown = ("..." if left else "") + part + ("..." if right < len(line) else "")
    return shown, ("   " if left else "") + before, min(width, WIDTH + 3 - (start - left))


class SpecError(CspError, ValueError):
    """A spec that cannot be read; ``str`` of it is the whole report.

    Attributes
    ----------
    mistakes : list of Mistake
        In the order of their places, each once.
    sources : dict of str to Source
        The text of the spec (under ``""``), those of the files that it includes, and those of its grids.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: dict[str, Source]) -> None:
        distinct = {diagnostic.order: diagnostic for diagnostic in diagnostics}
        self.diagnostics = [distinct[key] for key in sorted(distinct)]
        self.sources = sources
        reports = [sources[diagnostic.text].show(diagnostic) for diagnostic in self.diagnostics[:MOST]]
        if len(self.diagnostics) > MOST:
            reports.append(f"... and {len(self.diagnostics) - MOST} more")
        super().__init__("\n".join(reports))


def near(name: object, known: Iterable[object], ending: str = "") -> str:
    """A hint that names what was probably meant, or nothing; an ``ending`` that all names have is not compared.

    Examples
    --------
    >>> near("cel", ["cell", "clue"])
    'did you mean cell?'
    """
    from difflib import get_close_matches  # only mistakes need it

    others = sorted({str(other).removesuffix(ending) for other in known} - {str(name).removesuffix(ending)})
    close = get_close_matches(str(name).removesuffix(ending)[:80], others[:10_000], n=1, cutoff=0.6)
    return f"did you mean {close[0]}{ending}?" if close else ""
