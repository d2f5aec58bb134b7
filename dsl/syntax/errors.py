"""Errors and warnings about a spec: their codes, and reports that show where they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

from csp import CspError
from csp import counted as counted

from .nodes import Place

MAX_DIAGNOSTICS = 20
"""Maximum number of diagnostics in a report; parsing stops at this number of errors, too."""

WIDTH = 120
"""Maximum number of characters of a source line in a report; a longer line is shortened around the place."""

IMPLICATION = "write a condition with an arrow: A = 1 -> B = 2"

ERRORS = {
    "bad-drawing": "`draw` has a value or an argument that it cannot draw",
    "bad-facts": "Python data is not a table of facts or a grid",
    "bad-include": "`include` names a file that is not beside the spec, or whose name is ambiguous",
    "bad-json": "a text is not JSON, or not a record of a puzzle",
    "bad-link": "a link holds no puzzle, or a damaged one",
    "bad-puzzle": "a line, a file or a record is not a puzzle of the format",
    "binds-variable": "a body or a generator would give values to a puzzle variable",
    "capital-name": "a name begins with a capital letter, as only variables do",
    "circular-definition": "a definition depends on itself",
    "circular-include": "a file includes itself",
    "constant-element": "an element of `all_different` is a number or a symbol",
    "constant-objective": "an objective contains no puzzle variable",
    "contradicting-givens": "two givens set one variable to different values",
    "defined-twice": "a name has two definitions",
    "empty-domain": "a variable has no value",
    "foreign-syntax": "a character or an operator does not belong to the language",
    "grid-entry": "a grid has an entry that fits no clause",
    "grid-shape": "rows of a grid differ in length, or the grid has another size than declared",
    "invalid-constraint": "a constraint has an operand that it cannot use",
    "label-braces": "a label has an empty or unmatched brace",
    "list-length": "two lists that belong together differ in length",
    "misplaced-blank": "`_` is used where a value is needed",
    "misplaced-dot": "a dot is inside of a number or a range",
    "misplaced-generators": "generators are not allowed here",
    "misplaced-label": "a label precedes something that is not a constraint",
    "misplaced-list": "a list is used where a value is needed, or a value where a list is needed",
    "missing-facts": "a relation whose facts are replaced has no facts",
    "missing-file": "a file or a spec of the gallery does not exist",
    "missing-full-stop": "a clause has no full stop at its end",
    "missing-grid": "a grid without a picture is not supplied",
    "never-holds": "a clause can never hold",
    "no-condition": "a body or a connective contains something that is not a condition",
    "no-constraint": "a clause is neither a constraint nor a definition",
    "no-domain": "`in` is followed by something that is not a domain",
    "no-value": "a name or a condition has no value",
    "no-variable": "`in` is preceded by something that is not a variable",
    "not-exportable": "a spec has no form in the format of another program",
    "not-formattable": "the formatted text would have another meaning",
    "nothing-declared": "a spec or a declaration declares no variable",
    "nothing-to-show": "`show` shows nothing",
    "outside-domain": "a given is not a value of its variable",
    "picture-quotes": "the picture of a grid is not between two double quotes",
    "read-later": "a param uses a relation or a grid",
    "repeated-element": "a list contains an element twice",
    "reserved-word": "a word of the language is used as a name",
    "said-twice": "`include`, `show` or an objective is repeated",
    "symbol-not-number": "a symbol is used where a number is needed",
    "too-large": "a text, a number or a set exceeds a limit",
    "unbound-variable": "a logical variable has no value",
    "unclosed-bracket": "a bracket is not closed",
    "unclosed-quote": "a quote is not closed",
    "undefined-value": "an expression has no value, such as a division by zero",
    "unexpected-end": "the text ends inside of a clause",
    "unexpected-token": "a word or a sign is not allowed here",
    "unknown-drawing": "`draw` names an unknown shape",
    "unknown-index": "an index of a variable was not declared",
    "unknown-input": "the caller sets a param or a grid that the spec does not have",
    "unknown-name": "nothing has this name",
    "unknown-relation": "a body uses a relation that has no facts or rules",
    "unreadable-file": "a file cannot be read, or is not text in UTF-8",
    "unsupported-link": "a link leads to an unknown site or kind of puzzle",
    "unused-input": "the caller sets a param or a grid that has no effect",
    "variable-in-body": "a body, a domain or an index depends on a puzzle variable",
    "wrong-arguments": "a name has another number or kind of arguments",
}
"""The meaning of each code of an error, in alphabetical order."""

WARNINGS = {
    "always-true": "every constraint of a clause holds for all values",
    "clashing-givens": "a group or a `!=` separates two equal givens",
    "contained-group": "all groups of a clause are contained in other groups",
    "duplicate-clause": "two clauses are equal",
    "duplicate-constraint": "all constraints of a clause exist already",
    "duplicate-fact": "a fact is stated twice",
    "duplicate-group": "all groups of a clause exist already, or a clause names a group twice",
    "empty-clause": "nothing satisfies the body of a clause, or a `draw` draws nothing",
    "line-end-or": "`;` at the end of a line continues a clause in a line that looks like the next clause",
    "lone-element": "`sum`, `min` or `max` of one variable, without a generator",
    "lowercase-index": "a symbol is used although the body binds its capital form",
    "minus-for-range": "a domain is a subtraction that looks like a range",
    "misspelt-symbol": "a symbol that occurs once resembles a param, relation or variable",
    "needless-show": "`show` names all variables",
    "never-true": "a constraint holds for no values",
    "one-value": "two declarations leave a variable one value",
    "param-or-symbol": "a param is used where a symbol of a grid is probably meant",
    "same-label": "constraints of one clause have the same label",
    "self-comparison": "both sides of a comparison are equal",
    "shadowed-variable": "a body binds the name of a puzzle variable",
    "similar-names": "two names differ only by case",
    "singleton": "a logical variable occurs once in its clause",
    "too-few-values": "some elements of a group have too few values together",
    "unknown-symbol": "a variable is compared with a symbol outside its domain",
    "unknown-warning": "a comment silences a warning that does not exist",
    "unmatched-value": "a clause looks up a grid value in facts that lack it, but have most others",
    "unseen-drawing": "`draw` has no effect: a place outside of the board, no board, or nothing to arrange",
    "unused-grid": "nothing uses a grid",
    "unused-param": "nothing uses a param",
    "unused-relation": "nothing uses a relation",
    "unused-variable": "no constraint uses a variable with several values",
}
"""The meaning of each code of a warning, in alphabetical order; a comment can silence a warning by its code."""

NOTES = {"evidence": "a constraint or a value that proves the verdict"}
"""The meaning of each code of a note."""

SEVERITIES = {
    **dict.fromkeys(ERRORS, "error"),
    **dict.fromkeys(WARNINGS, "warning"),
    **dict.fromkeys(NOTES, "note"),
}
"""The severity of each code."""


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


class Suggestion(str):
    """A hint text with replacements for the part of the spec that it is about.

    Parameters
    ----------
    words : str
        The text of the hint.
    *replacements : str or Edit
        Alternatives, the most likely first. A ``str`` replaces the part that the diagnostic marks.

    Examples
    --------
    >>> Diagnostic("foreign-syntax", "unexpected ==", Place(1, 3, 2), Suggestion("write =", "=")).replacements
    (Edit(at=Place(line=1, column=3, width=2, file=''), text='='),)
    """

    replacements: tuple[str | Edit, ...] = ()

    def __new__(cls, words: str, *replacements: str | Edit) -> Self:
        """Create a hint with the text ``words`` and its replacements."""
        hint = super().__new__(cls, words)
        hint.replacements = replacements
        return hint

    def on(self, at: Place) -> Suggestion:
        """Return the hint with each ``str`` replacement turned into an ``Edit`` at ``at``."""
        return Suggestion(self, *[Edit(at, new) if isinstance(new, str) else new for new in self.replacements])


@dataclass
class Diagnostic(Exception):
    """An error, a warning or a note about a spec: code, message, place and hint.

    Attributes
    ----------
    code : str
        A key of ``SEVERITIES``. The code of a warning silences it.
    message : str
    at : Place or None
        None if the diagnostic belongs to no text, such as an unknown ``--set``.
    hint : str
        How to correct the spec; empty if no hint is known. A ``Suggestion`` proposes replacements, too.
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
        if not isinstance(self.hint, Suggestion) or self.at is None:
            return ()
        return tuple([Edit(self.at, new) if isinstance(new, str) else new for new in self.hint.replacements])

    @property
    def order(self) -> tuple[str, Place, str]:
        """The sort key of reports: the name of the source text, place, message."""
        return self.text, self.at or Place(0, 0), self.message

    def add_hint(self, hint: str) -> None:
        """Append ``hint`` to the hint after a semicolon, or set it if it is empty."""
        self.hint = Suggestion(f"{self.hint}; {hint}", *self.replacements) if self.hint else hint

    def move_into(self, text_at: Place) -> None:
        """Convert the place and edits from a part of a text to the whole text.

        The part has one line and begins at ``text_at``. This changes ``at`` and ``hint``.
        """
        edits = [edit._replace(at=text_at.shifted(edit.at)) for edit in self.replacements]
        self.at, self.hint = text_at.shifted(self.at or Place(1, 1)), Suggestion(self.hint, *edits)


class Falsehood(Diagnostic):
    """The error for a constraint that can never hold, such as ``1 = 2``."""


class Undefined(Diagnostic):
    """The error for an expression like ``1 // 0``, undefined though its operands have values."""


@dataclass
class Outside(Diagnostic):
    """The error for a given value that is not in its variable's domain."""

    value: int | str = ""


class Diagnostics(list[Diagnostic]):
    """A list of diagnostics; it drops a ``once`` diagnostic with a message it already contains."""

    @property
    def is_full(self) -> bool:
        """Whether checking should stop: there are ``5 * MAX_DIAGNOSTICS`` diagnostics or more."""
        return len(self) >= 5 * MAX_DIAGNOSTICS

    def append(self, diagnostic: Diagnostic) -> None:
        """Append a diagnostic, unless it is ``once`` and an earlier one has the same message."""
        if not (diagnostic.once and any(earlier.message == diagnostic.message for earlier in self)):
            super().append(diagnostic)

    @contextmanager
    def collecting(self, at: Place | None = None) -> Iterator[None]:
        """Return a context manager that appends a ``Diagnostic`` raised inside it, and suppresses it.

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
    """An input text, such as a spec or a grid, with path and reported name.

    Line ends become ``\\n``.

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
        """Format a diagnostic as a report with the source line and carets under its place.

        Without a place, the report has neither.
        """
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
        """Return ``at`` with its width cut off at the end of its line.

        Its width is at least 1.
        """
        return at._replace(width=max(1, min(at.width, len(self._line(at.line)) - at.column + 1)))

    def _line(self, number: int) -> str:
        return self._lines[number - 1].rstrip() if number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")


def _clip(line: str, start: int, width: int) -> tuple[str, str, int]:
    """Shorten a line of more than ``WIDTH`` characters to the part around a place.

    Returns the part, the blanks before the place in it, and how many characters of the place the part contains.
    Unprintable characters are replaced.
    """
    # Of a long line, keep a window with a third of its characters before the place.
    begin = 0 if len(line) <= WIDTH else max(0, min(start - WIDTH // 3, len(line) - WIDTH))
    end = begin + WIDTH
    part = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line[begin:end])
    # Keep tabs in the line of the caret, so that the caret is aligned at any tab width.
    blanks = "".join("\t" if c == "\t" else " " for c in part[: start - begin].ljust(start - begin))
    excerpt = ("..." if begin else "") + part + ("..." if end < len(line) else "")
    return excerpt, ("   " if begin else "") + blanks, min(width, WIDTH + 3 - (start - begin))


class SpecError(CspError, ValueError):
    """The exception for a spec with errors; it contains all diagnostics.

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
    """Return a hint that suggests the known name most similar to an unknown name.

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
    return Suggestion(f"did you mean {close[0]}{ending}?", f"{close[0]}{ending}") if close else ""
