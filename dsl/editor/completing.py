"""Completes the word at the cursor of an editor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..syntax.reading import ENDING, gallery
from ..syntax.vocabulary import DECLARING, KEYWORDS, RESERVED
from .edits import offset
from .names import SpecNames
from .words import WORDS

PREFIX = re.compile(r"\w*$")
INCLUDED_NAME = re.compile(r"\binclude\s+\w*$")
COMMENT = re.compile(r"%[^\n]*$")


class Completion(NamedTuple):
    """A completion: a word that an editor may insert, with its description.

    Attributes
    ----------
    word : str
    kind : str
        A kind of ``Occurrence``, or ``spec`` for a spec of the gallery.
    says : str
        A short description.
    """

    word: str
    kind: str
    says: str = ""


def complete(text: str, line: int, column: int, path: str = "-") -> list[Completion]:
    """Return the completions of the word whose end is at a line and column.

    Parameters
    ----------
    text : str
    line, column : int
        The place, counted from 1; the word ends before this column.
    path : str
        The path of the text, from which its includes are resolved.

    Returns
    -------
    list of Completion
        The logical variables of the line first, then the names of the spec, words of the language, and symbols. Only
        names of gallery specs after ``include``; empty in a comment.

    Examples
    --------
    >>> [completion.word for completion in complete("x(Row) in 1..4 :- Ro", 1, 21)]
    ['Row']
    """
    at = offset(text, line, column)
    start = text.rfind("\n", 0, at) + 1
    match = PREFIX.search(text[start:at])
    prefix = match[0] if match else ""
    before = text[start : at - len(prefix)]
    if INCLUDED_NAME.search(text[start:at]):
        return list(
            _with_prefix(prefix, (Completion(p.stem, "spec", "") for p in sorted(gallery().glob(f"*{ENDING}"))))
        )
    if COMMENT.search(_without_quotes(before)):
        return []
    return list(_with_prefix(prefix, _completions(text, line, len(before) - len(before.lstrip()) == len(before), path)))


def _without_quotes(before: str) -> str:
    """Return a line without its quoted texts, which may contain percent signs."""
    return re.sub(r"\"[^\"]*\"|'[^']*'", "", before)


def _with_prefix(prefix: str, completions: Iterable[Completion]) -> Iterator[Completion]:
    """Yield the completions that begin with ``prefix``, each word once, except the prefix itself."""
    used_words = {prefix}
    for completion in completions:
        if completion.word.startswith(prefix) and completion.word not in used_words:
            used_words.add(completion.word)
            yield completion


def _completions(text: str, line: int, at_start: bool, path: str) -> Iterator[Completion]:
    """Yield the words that may be used in a line, the line's logical variables first.

    ``at_start`` is whether the word to complete is the first of its line.
    """
    spec_names = SpecNames(text, path)
    occurrences = spec_names.occurrences()
    # Logical variables of the line.
    bound = [occurrence for occurrence in occurrences if occurrence.kind == "bound" and occurrence.name != "_"]
    yield from (
        Completion(occurrence.name, "bound", "of this line") for occurrence in bound if occurrence.at.line == line
    )
    # Names of the spec.
    for name, kind in sorted(spec_names.kinds.items()):
        arity = spec_names.names.arities.get(name)
        yield Completion(name, kind, f"{kind} with {arity} arguments" if arity else kind)
    # Words of the language; those that begin a clause only at the start of a line.
    words = [*DECLARING, *sorted(RESERVED)] if at_start else sorted(RESERVED | {*KEYWORDS} - {*DECLARING})
    yield from (Completion(word, "word", f"{WORDS[word].form}: {WORDS[word].says}") for word in words)
    symbols = sorted({occurrence.name for occurrence in occurrences if occurrence.kind == "symbol"})
    yield from (Completion(name, "symbol", "symbol") for name in symbols)
