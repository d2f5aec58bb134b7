"""Which words may come where somebody writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..syntax.reading import ENDING, gallery
from ..syntax.vocabulary import DECLARING, KEYWORDS, RESERVED
from .edits import offset
from .names import Spelt
from .words import WORDS

BEGUN = re.compile(r"\w*$")
INCLUDING = re.compile(r"\binclude\s+\w*$")
QUIET = re.compile(r"%[^\n]*$")


class Completion(NamedTuple):
    """A word that may be meant.

    Attributes
    ----------
    word : str
    kind : str
        As of an ``Occurrence``, or ``spec`` for one of the gallery.
    says : str
        What it is, in a few words.
    """

    word: str
    kind: str
    says: str = ""


def complete(text: str, line: int, column: int, path: str = "-") -> list[Completion]:
    """The words that begin like the one before a place: those of the spec, then those of the language.

    Parameters
    ----------
    text : str
    line, column : int
        Counted from 1; the place is before that column.
    path : str
        Where the text stands: what it includes is found from there.

    Returns
    -------
    list of Completion
        Nearer names first: those of the clause, those of the spec, words. None in a comment.

    Examples
    --------
    >>> [one.word for one in complete("x(Row) in 1..4 :- Ro", 1, 21)]
    ['Row']
    """
    at = offset(text, line, column)
    start = text.rfind("\n", 0, at) + 1
    found = BEGUN.search(text[start:at])
    begun = found[0] if found else ""
    before = text[start : at - len(begun)]
    if INCLUDING.search(text[start:at]):
        return list(_starting(begun, (Completion(p.stem, "spec", "") for p in sorted(gallery().glob(f"*{ENDING}")))))
    if QUIET.search(_without_quotes(before)):
        return []
    return list(_starting(begun, _known(text, line, len(before) - len(before.lstrip()) == len(before), path)))


def _without_quotes(before: str) -> str:
    return re.sub(r"\"[^\"]*\"|'[^']*'", "", before)


def _starting(begun: str, words: Iterable[Completion]) -> Iterator[Completion]:
    told = {begun}
    for one in words:
        if one.word.startswith(begun) and one.word not in told:
            told.add(one.word)
            yield one


def _known(text: str, line: int, at_start: bool, path: str) -> Iterator[Completion]:
    spelt = Spelt(text, path)
    occurrences = spelt.occurrences()
    bound = [one for one in occurrences if one.kind == "bound" and one.name != "_"]
    yield from (Completion(one.name, "bound", "of this line") for one in bound if one.at.line == line)
    for name, kind in sorted(spelt.kinds.items()):
        arity = spelt.names.arities.get(name)
        yield Completion(name, kind, f"{kind} with {arity} arguments" if arity else kind)
    words = [*DECLARING, *sorted(RESERVED)] if at_start else sorted(RESERVED | {*KEYWORDS} - {*DECLARING})
    yield from (Completion(word, "word", f"{WORDS[word].form}: {WORDS[word].says}") for word in words)
    symbols = sorted({one.name for one in occurrences if one.kind == "symbol"})
    yield from (Completion(name, "symbol", "symbol") for name in symbols)
