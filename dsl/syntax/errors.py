"""Errors and warnings about a spec, and reports that show where they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from csp import CspError
from csp import counted as counted

from .codes import SEVERITIES
from .nodes import Place

MAX_DIAGNOSTICS = 20
"""Maximum number of diagnostics in a report; parsing stops at this number of errors, too."""

WIDTH = 120
"""Maximum number of characters of a source line in a report; a longer line is shortened around the place."""

IMPLICATION = "for if A = 1 then B = 2, write A = 1 -> B = 2"


class Edit(NamedTuple):
    """A replacement of a part of a line by another text.

    Attributes
    ----------
    at : Place
        The part to replace; with a width of 0, the text is inserted.
    text : str
    """

    at: Place
    text: str


class Hint(str):
    """A hint that proposes replacements.

    Parameters
    ----------
    words : str
        The text of the hint.
    *replacements : str or Edit
        Alternatives, the most likely first. A ``str`` replaces the part that the diagnostic marks.

    Examples
    --------
    >>> Diagnostic("foreign-syntax", "unexpected ==", Place(1, 3, 2), Hint("write =", "=")).replacements
    (Edit(at=Place(line=1, column=3, width=2, file=''), text='='),)
    """

    replacements: tuple[str | Edit, ...] = ()

    def __new__(cls, words: str, *replacements: str | Edit) -> Hint:
        """Return the words with their replacements."""
        hint = super().__new__(cls, words)
        hint.replacements = replacements
        return hint

    def on(self, at: Place) -> Hint:
        """Return the hint with each ``str`` bound to a place."""
        return Hint(self, *[Edit(at, new) if isinstance(new, str) else new for new in self.replacements])


@dataclass
class Diagnostic(Exception):
    """An error, a warning or a note about a spec: code, message, place and hint.

    Attributes
    ----------
    code : str
        A key of ``codes.SEVERITIES``. The code of a warning silences it.
    message : str
    at : Place or None
        None if the diagnostic belongs to no text, such as an unknown ``--set``.
    hint : str
        How to correct the spec; empty if no hint is known. A ``Hint`` proposes replacements, too.
    grid : str
        Name of the grid, if the place is in a file that replaces a grid; otherwise empty.
    once : bool
        Whether a report keeps only the first diagnostic with this message.
    """

    code: str
    message: str
    at: Place | None = None
    hint: str = ""
    grid: str = ""
    once: bool = False

    @property
    def text(self) -> str:
        """The name of the source text that contains the place.

        It is the name of a grid or of an included file, or empty for the spec itself.
        """
        return self.grid or (self.at.file if self.at else "")

    @property
    def severity(self) -> str:
        """The severity: ``error`` if the spec cannot be used, ``warning``, or ``note``."""
        return SEVERITIES[self.code]

    @property
    def replacements(self) -> tuple[Edit, ...]:
        """The edits that the hint proposes: alternatives, the most likely first."""
        if not isinstance(self.hint, Hint) or self.at is None:
            return ()
        return tuple([Edit(self.at, new) if isinstance(new, str) else new for new in self.hint.replacements])

    @property
    def order(self) -> tuple[str, Place, str]:
        """The key by which reports are sorted: text, place, message."""
        return self.text, self.at or Place(0, 0), self.message

    def add_hint(self, hint: str) -> None:
        """Append text to the hint, separated by a semicolon."""
        self.hint = Hint(f"{self.hint}; {hint}", *self.replacements) if self.hint else hint

    def move_into(self, text_at: Place) -> None:
        """Move the place and the replacements from a part of a text, at ``text_at``, into the text."""
        edits = [edit._replace(at=text_at.shifted(edit.at)) for edit in self.replacements]
        self.at, self.hint = text_at.shifted(self.at or Place(1, 1)), Hint(self.hint, *edits)


class Falsehood(Diagnostic):
    """The error for a clause that can never hold."""


class Undefined(Diagnostic):
    """The error for an undefined expression whose operands all have values."""


@dataclass
class Outside(Diagnostic):
    """The error for a given outside the domain of its variable."""

    value: int | str = ""


class Diagnostics(list[Diagnostic]):
    """A list of the diagnostics that were collected so far."""

    @property
    def is_full(self) -> bool:
        """Whether checking should stop, because there are enough diagnostics."""
        return len(self) >= 5 * MAX_DIAGNOSTICS

    def append(self, diagnostic: Diagnostic) -> None:
        """Append a diagnostic, unless its message is to be reported only once."""
        if not (diagnostic.once and any(earlier.message == diagnostic.message for earlier in self)):
            super().append(diagnostic)

    @contextmanager
    def collecting(self, at: Place | None = None) -> Iterator[None]:
        """Return a context that collects a diagnostic raised inside it, then continues.

        If the block exceeds Python's recursion limit, a diagnostic at ``at`` is collected.
        """
        try:
            yield
        except Diagnostic as diagnostic:
            self.append(diagnostic.with_traceback(None))  # the frames of a traceback may hold much memory
        except RecursionError:
            self.append(nested_too_deeply(at))


def nested_too_deeply(at: Place | None) -> Diagnostic:
    """Return the error for a clause that is nested too deeply."""
    return Diagnostic("too-large", "this is nested too deeply", at, "split it into smaller clauses")


@dataclass(frozen=True)
class Source:
    """The text of a spec, with its path and report name; line ends become ``\\n``.

    Parameters
    ----------
    name : str
        ``-`` is standard input. Characters that cannot be printed are escaped.
    text : str
    path : str
        The path of the text, from which relative includes are resolved. ``-`` resolves them in the working folder.
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
        """Format a diagnostic as a report with the source line and a caret."""
        code = f" [{diagnostic.code}]" if diagnostic.severity == "warning" else ""
        text = f"{diagnostic.severity}: {diagnostic.message}{code}"
        hint = f"\n  hint: {diagnostic.hint}" if diagnostic.hint else ""
        if diagnostic.at is None:
            return f"{self.name}: {text}{hint}"
        number, column, width, _ = self.clip_to_line(diagnostic.at)
        excerpt, blanks, width = _clip(self._line(number), column - 1, width)
        gutter = f"{number:5} | "
        return (
            f"{self.name}:{number}:{column}: {text}\n"
            f"{gutter}{excerpt}\n{' ' * (len(gutter) - 2)}| {blanks}{'^' * width}{hint}"
        )

    def clip_to_line(self, at: Place) -> Place:
        """Cut a place so that it ends at the end of its line."""
        return at._replace(width=max(1, min(at.width, len(self._line(at.line)) - at.column + 1)))

    def _line(self, number: int) -> str:
        return self._lines[number - 1].rstrip() if number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")


def _clip(line: str, start: int, width: int) -> tuple[str, str, int]:
    """Shorten a long line to the part around a place.

    Returns the part, the blanks before the piece, and how many characters of the piece the part contains.
    """
    # Of a long line, keep a window with a third of its characters before the piece.
    begin = 0 if len(line) <= WIDTH else max(0, min(start - WIDTH // 3, len(line) - WIDTH))
    end = begin + WIDTH
    part = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line[begin:end])
    # Keep tabs in the line of the caret, so that the caret is aligned at any tab width.
    blanks = "".join("\t" if c == "\t" else " " for c in part[: start - begin].ljust(start - begin))
    excerpt = ("..." if begin else "") + part + ("..." if end < len(line) else "")
    return excerpt, ("   " if begin else "") + blanks, min(width, WIDTH + 3 - (start - begin))


class SpecError(CspError, ValueError):
    """The exception for a spec with errors; it holds all diagnostics.

    ``str`` of it is the whole report.

    Attributes
    ----------
    diagnostics : list of Diagnostic
        In the order of their places, without duplicates.
    sources : dict of str to Source
        The text of the spec (key ``""``), of each included file and of each grid with a file of its own.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: dict[str, Source]) -> None:
        # Remove duplicates and sort by text and place.
        distinct = {diagnostic.order: diagnostic for diagnostic in diagnostics}
        self.diagnostics = [distinct[key] for key in sorted(distinct)]
        self.sources = sources
        reports = [sources[diagnostic.text].show(diagnostic) for diagnostic in self.diagnostics[:MAX_DIAGNOSTICS]]
        if len(self.diagnostics) > MAX_DIAGNOSTICS:
            reports.append(f"... and {len(self.diagnostics) - MAX_DIAGNOSTICS} more")
        super().__init__("\n".join(reports))


def suggest_name(name: object, known_names: Iterable[object], ending: str = "") -> str:
    """Return a hint with the known name most similar to an unknown name.

    The hint is empty if no name is similar. An ``ending`` that all names have is not compared.

    Examples
    --------
    >>> suggest_name("cel", ["cell", "clue"])
    'did you mean cell?'
    """
    from difflib import get_close_matches  # imported here, as only errors need it

    names = sorted(
        {str(known_name).removesuffix(ending) for known_name in known_names} - {str(name).removesuffix(ending)}
    )
    # Bound the length and the number of the texts, as comparing long texts is slow.
    close = get_close_matches(str(name).removesuffix(ending)[:80], names[:10_000], n=1, cutoff=0.6)
    return Hint(f"did you mean {close[0]}{ending}?", f"{close[0]}{ending}") if close else ""
