"""What mends a mistake: its hint as an edit, tried before it is offered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..syntax.editing.edit import locate
from ..syntax.errors import Diagnostic
from ..syntax.nodes import Place
from ..syntax.parsing.parse import parse
from .diagnosing import Problem, diagnose
from .edits import Edit, applied, offset

SIGNS = {
    "<=>": "<->",
    "==>": "->",
    "iff": "<->",
    "<-": ":-",
    "&": ",",
    "&&": ",",
    "/\\": ",",
    "…": "..",
    "|": ";",
    "||": ";",
}
"""What is written for the signs of other languages, where the hint says it by an example."""

QUOTES = {"'": '"', '"': "'"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
NEEDLESS = (
    "always-true",
    "duplicate",
    "empty-clause",
    "needless-show",
    "unused-grid",
    "unused-param",
    "unused-relation",
)
"""How the warnings of what can be taken away begin."""


class Fix(NamedTuple):
    """What mends a mistake.

    Attributes
    ----------
    title : str
        What it does, in a few words.
    edits : tuple of Edit
    """

    title: str
    edits: tuple[Edit, ...]


def fix(text: str, found: Problem, path: str = "-") -> list[Fix]:
    """The edits that mend a mistake, likeliest first; each has been tried, and the mistake is gone.

    Parameters
    ----------
    text : str
    found : Diagnostic
        One of those that ``diagnose`` gives for the text.
    path : str
        Where the text stands.

    Returns
    -------
    list of Fix
        Of a warning, a comment that silences it is the last one.

    Examples
    --------
    >>> text = "A in 1..4. A == 3."
    >>> [mended] = fix(text, diagnose(text)[0])
    >>> mended.title, applied(text, mended.edits)
    ('replace == by =', 'A in 1..4. A = 3.')
    """
    if found.file:
        return []
    tried: list[Fix] = []
    for one in _candidates(text, found):
        if all(one.edits != other.edits for other in tried) and _mends(text, one, found, path):
            tried.append(one)
        if len(tried) == 3:
            break
    if found.code:
        tried.append(_silence(text, found))
    return tried


def _mends(text: str, one: Fix, found: Problem, path: str) -> bool:
    """Whether a mistake is gone, and none of its stage has come instead."""
    after = applied(text, one.edits)
    if after == text:
        return False
    before_syntax, after_syntax = (parse(each)[1] for each in (text, after))
    if before_syntax or after_syntax:
        same = len(before_syntax) == len(after_syntax)
        return len(after_syntax) < len(before_syntax) or (same and _first(after_syntax) > _first(before_syntax))
    old, new = diagnose(text, path=path), diagnose(after, path=path)
    if found.code:
        return _count(new) <= _count(old) and len(new) < len(old)
    return _count(new) < _count(old) or (found.message, found.at.line) not in {(m.message, m.at.line) for m in new}


def _first(diagnostics: list[Diagnostic]) -> Place:
    return diagnostics[0].at or Place(0, 0)


def _count(found: list[Problem]) -> int:
    return sum(not one.code for one in found)


def _silence(text: str, found: Problem) -> Fix:
    line = text.split("\n")[found.at.line - 1].rstrip()
    comment = f"{'  ' if line else ''}% lint: ignore {found.code}"
    if "%" in line:
        at, comment = Place(found.at.line, 1, 0), f"{comment.strip()}\n"
    else:
        at = Place(found.at.line, len(line) + 1, 0)
    return Fix(f"silence {found.code}", (Edit(at, comment),))


def _candidates(text: str, found: Problem) -> Iterator[Fix]:
    start = offset(text, found.at.line, found.at.column)
    word = text[start : start + found.at.width].split("\n")[0]
    hint, message = found.hint, found.message

    def put(new: str, old: str = word, shift: int = 0) -> Fix:
        at = found.at._replace(column=found.at.column + shift, width=len(old))
        said = (
            f"replace {old} by {new}"
            if old and new.strip()
            else f"insert {new.strip()}"
            if new.strip()
            else f"remove {old}"
        )
        return Fix(said, (Edit(at, new),))

    for meant in re.findall(r"did you mean ([^?]+)\?", hint) + re.findall(r"is it the same as ([^?]+)\?", hint):
        name = re.match(r"\w+", word)
        before = re.search(r"\w+\s+$", text[:start])
        if before and f"{before[0].strip()}_{word}" == meant:
            yield put(meant, before[0] + word, -len(before[0]))
        yield put(meant)
        if name:
            yield put(meant, name[0])
    if message.startswith("a full stop is missing"):
        yield put(".", "")
    if "text ends where" in message and "is not closed" not in hint:
        yield put(".", "")
    if opened := re.search(r"the ([(\[{]) of line", hint):
        yield put(CLOSING[opened[1]], "")
        yield put(f"{CLOSING[opened[1]]}.", "")
        if word in CLOSING.values():
            yield put(CLOSING[opened[1]])
            yield put(f"{CLOSING[opened[1]]}{word}")
    if hint.startswith("no ") and hint.endswith("is open here"):
        yield put("")
    if closed := re.fullmatch(r"close it with (.)", hint):
        yield from _closings(text, start, found.at, closed[1])
    if "without #" in hint:
        yield put("", "#")
    for written in re.findall(r"(?:is|are) written (?:with a single )?([^\w\s'\"(){}\[\]]+?|in|mod)(?=$|[,;\s])", hint):
        sign = re.match(r"[^\w\s]+", text[start:])
        if sign and sign[0].startswith("#"):
            yield put(written, sign[0])
        yield put(f" {written} " if written.isalpha() else written)
    longest = max((sign for sign in SIGNS if text.startswith(sign, start)), key=len, default="")
    if longest:
        yield put(SIGNS[longest], longest)
    for quoted in re.findall(r"symbol is written (.+)$", hint):
        for each in re.sub(r" in quotes$", "", quoted).split(", or "):
            yield put(each)
    for said in re.findall(r"\bwrite (_?\w+|=)(?:\(\.\.\.\))?(?=$|,| if |;)", hint):
        yield put(said)
    if hint == "write a plain blank":
        yield put(" ")
    if "two dots" in hint:
        yield put(re.sub(r"\s*(?:-|\.\.\.|:|\bto\b)\s*", "..", word))
        yield put("..", ".", 0)
        yield put("", ".", 0)
        spread = re.search(r"\s+$", text[:start])
        if word in ("to", "range") and spread:
            rest = re.match(r"\s*", text[start + len(word) :])
            yield put("..", spread[0] + word + (rest[0] if rest else ""), -len(spread[0]))
    if "two dots" in hint and (dots := re.search(r"\.\s*\.?\s*$", text[: start + 1])):
        yield put("..", dots[0], 1 - len(dots[0]))
    if message.startswith("a comma stands where a full stop") or "ends with a full stop" in hint:
        yield put(".", word) if word in (",", ";") else put(".", "")
    if "double quotes" in hint or "single quotes" in hint or "straight quotes" in hint:
        yield from _requoted(text, start, found.at)
    if hint == "a product is written with *":
        yield put("*", "")
    if expected := re.search(r"stands where ([)\]}]) is expected", message):
        yield put(expected[1])
    if "missing before it" in hint:
        blank = re.search(r"\s*$", text[:start])
        width = len(blank[0]) if blank else 0
        yield put(".", "", -width)
        yield put(":- ", "")
        yield put(",", "", -width)
    if "a body follows :-" in hint:
        yield put(":-")
    if "generators follow a colon" in hint:
        yield put(":")
    if "values are listed with commas" in hint or "with commas between them" in hint:
        blank = re.search(r"\s*$", text[:start])
        yield put(",", "", -len(blank[0]) if blank else 0)
    if declared := re.search(r"is declared[:,] (.+\.)$", hint):
        yield Fix(f"insert {declared[1]}", (Edit(Place(found.at.line, 1, 0), f"{declared[1]}\n"),))
    if found.code.startswith(NEEDLESS):
        yield from _without(text, found)


def _closings(text: str, start: int, at: Place, quote: str) -> Iterator[Fix]:
    """Where a quote that is opened may be closed."""
    line = text[start:].split("\n")[0]
    ends = [found.end() for found in (re.match(r"['\"]\w*", line), re.match(r"[^:]*(?=:)", line)) if found]
    for end in [*ends, len(line.rstrip())]:
        yield Fix(f"insert {quote}", (Edit(at._replace(column=at.column + end, width=0), quote),))
    yield Fix(f"insert {quote}.", (Edit(Place(text.count("\n") + 1, len(text) - text.rfind("\n"), 0), f"{quote}."),))


def _requoted(text: str, start: int, at: Place) -> Iterator[Fix]:
    """The other quotes around what stands at a place or just before it."""
    line_start = text.rfind("\n", 0, start) + 1
    line = text[line_start:].split("\n")[0]
    for found in re.finditer(r"(['\"“”‘’])([^'\"“”‘’]*)(['\"“”‘’])", line):
        if found.start() <= start - line_start <= found.end():
            straight = {"“": '"', "”": '"', "‘": "'", "’": "'"}
            quote = straight.get(found[1]) or QUOTES[found[1]]
            place = at._replace(column=found.start() + 1, width=len(found[0]))
            yield Fix(f"write {quote}{found[2]}{quote}", (Edit(place, f"{quote}{found[2]}{quote}"),))


def _without(text: str, found: Problem) -> Iterator[Fix]:
    """The text without the clause at a place, if it stands on one line."""
    try:
        located = locate(text)
    except Diagnostic:
        return
    start = offset(text, found.at.line, found.at.column)
    for _, begin, end in located:
        if begin <= start < end and "\n" not in text[begin:end]:
            line_start = text.rfind("\n", 0, begin) + 1
            blank = re.match(r"[ \t]*", text[end:])
            width = end - begin + (len(blank[0]) if blank else 0)
            yield Fix("remove the clause", (Edit(Place(found.at.line, begin - line_start + 1, width), ""),))
