"""Which words a clause uses, which words look alike, and which pieces of syntax are the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from csp import Drawn

from ..semantics.clauses.labels import parse_label
from ..semantics.expressions.binding import binders
from ..syntax import nodes
from ..syntax.errors import Diagnostic

LONGEST = 40
"""The most letters of a word that may be a misspelt other one; the least are 4, as short words are often alike."""

CHOICE = 4
"""The most words that are compared with another one."""


def clause_syntax(clause: nodes.Clause) -> tuple[Any, ...]:
    """All syntax of a clause, with the expressions of its label; of what is shown, not the names."""
    if isinstance(clause, nodes.Show):
        return (*((nodes.arguments(one.term), one.value) for one in clause.items), clause.body)
    if isinstance(clause, nodes.Draw):
        value = clause.item.value
        is_colour = isinstance(value, nodes.Name) and value.name in Drawn.colours
        return (nodes.arguments(clause.item.term), None if is_colour else value, clause.body)
    if not isinstance(clause, nodes.Rule):
        return (clause,)
    try:
        label = parse_label(clause.label)
    except (Diagnostic, RecursionError):
        label = []
    return (*(part for part in label if not isinstance(part, str)), clause.head, clause.body)


def words(node: Any) -> Iterator[nodes.Name | nodes.Call]:
    """The lowercase words of a piece of syntax."""
    return (part for part in nodes.walk(node) if isinstance(part, nodes.Name | nodes.Call))


def bound_in(clause: nodes.Clause, families: Collection[str]) -> set[str]:
    """The uppercase words that the body of a clause, or a comprehension in it, binds."""
    body = clause.body or () if isinstance(clause, nodes.Rule | nodes.Show | nodes.Draw) else ()
    found = binders(body, (), families)
    for part in nodes.walk(clause_syntax(clause)):
        if isinstance(part, nodes.GENERATING):
            found |= binders(part.body, found, families)
    return found


def fingerprint(node: Any) -> tuple[Any, ...]:
    """What pieces of syntax have in common that differ in their places only; however deep, without recursion."""
    found: list[Any] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, nodes.Node):
            found.append(type(part).__name__)
            waiting += [inner for inner in nodes.parts(part) if not isinstance(inner, nodes.Place)]
        elif isinstance(part, tuple):
            found.append(len(part))
            waiting += part
        else:
            found += [type(part).__name__, part]
    return tuple(found)


def casefolded(word: str) -> str:
    """A word without the differences between ``Big_Red`` and ``bigRed``."""
    return word.replace("_", "").casefold()


class Alike:
    """Finds among some words those that differ from another one only by case or by one slip.

    Examples
    --------
    >>> known = Alike(["rows", "clue"])
    >>> [known.find(word) for word in ("row", "ROWS", "rwos", "clues", "rose")]
    ['rows', 'rows', 'rows', 'clue', '']
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self._of: dict[str, list[str]] = {}
        for word in sorted(self.known):
            for variant in _variants(word):
                of = self._of.setdefault(variant, [])
                if len(of) < CHOICE:
                    of.append(word)

    def find(self, word: str) -> str:
        """A word that was probably meant, or nothing."""
        found = (other for variant in _variants(word) for other in self._of.get(variant, ()))
        return next((other for other in found if other != word and _one_slip(casefolded(word), casefolded(other))), "")


def _variants(word: str) -> list[str]:
    """The word, and the word without any one of its letters: alike words have one of these in common."""
    plain = casefolded(word)
    if not 3 <= len(plain) <= LONGEST:
        return []
    return [plain, *(plain[:i] + plain[i + 1 :] for i in range(len(plain)) if len(plain) > 3)]


def _one_slip(one: str, other: str) -> bool:
    """Whether two words are equal but for one letter, or for two that changed places."""
    one, other = _without_start(*_without_start(one, other))
    return max(len(one), len(other)) < 2 or (len(one) == 2 and one == other[::-1])


def _without_start(one: str, other: str) -> tuple[str, str]:
    """What differs of two words from the front on, back to front."""
    same = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[same:][::-1], other[same:][::-1]
