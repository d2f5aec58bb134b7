"""Finds words in clauses, similar words, and equal syntax."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from csp import Drawn

from ..semantics.clauses.posting import parse_label
from ..semantics.expressions.binding import binders
from ..syntax import nodes
from ..syntax.errors import Diagnostic

LONGEST = 40
"""Maximum number of letters of a word that may be misspelt; longer words resemble no other word."""

CHOICE = 4
"""Maximum number of words that one variant of a word refers to."""


def clause_syntax(clause: nodes.Clause) -> tuple[Any, ...]:
    """Return the syntax nodes of a clause, including the expressions in its label.

    Names of layouts, drawings and colours are not part of it.
    """
    if isinstance(clause, nodes.Show):
        return (*((nodes.arguments(item.term), item.value) for item in clause.items), clause.body)
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
    """Return an iterator over the lowercase names and terms in a piece of syntax."""
    return (part for part in nodes.walk(node) if isinstance(part, nodes.Name | nodes.Call))


def find_bound_words(clause: nodes.Clause, families: Collection[str]) -> set[str]:
    """Return the logical variables that a clause's body or comprehensions bind."""
    body = clause.body or () if isinstance(clause, nodes.Rule | nodes.Show | nodes.Draw) else ()
    bound = binders(body, (), families)
    # A comprehension may use words of the body and of the comprehensions before it.
    for part in nodes.walk(clause_syntax(clause)):
        if isinstance(part, nodes.GENERATING):
            bound |= binders(part.body, bound, families)
    return bound


def fingerprint(node: Any) -> tuple[Any, ...]:
    """Return a key that is equal for syntax that differs only in places.

    The function does not recurse, so syntax may be deep.
    """
    key: list[Any] = []
    waiting = [node]
    # Visit the parts with a stack; types and lengths make the key unambiguous.
    while waiting:
        part = waiting.pop()
        if isinstance(part, nodes.Node):
            key.append(type(part).__name__)
            waiting += [inner for inner in nodes.parts(part) if not isinstance(inner, nodes.Place)]
        elif isinstance(part, tuple):
            key.append(len(part))
            waiting += part
        else:
            key += [type(part).__name__, part]
    return tuple(key)


def fold_case(word: str) -> str:
    """Return a word without underscores and case: ``bigred`` for ``Big_Red``."""
    return word.replace("_", "").casefold()


class Alike:
    """An index that finds the known word that differs by case or one typing slip.

    A slip is a missing, additional or wrong letter, or two letters that are exchanged.

    Examples
    --------
    >>> known = Alike(["rows", "clue"])
    >>> [known.find(word) for word in ("row", "ROWS", "rwos", "clues", "rose")]
    ['rows', 'rows', 'rows', 'clue', '']
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self._words_by_variant: dict[str, list[str]] = {}
        # Index each word by its variants.
        for word in sorted(self.known):
            for variant in _variants(word):
                words = self._words_by_variant.setdefault(variant, [])
                if len(words) < CHOICE:
                    words.append(word)

    def find(self, word: str) -> str:
        """Return the word that a misspelt word probably means, or an empty text."""
        candidates = (candidate for variant in _variants(word) for candidate in self._words_by_variant.get(variant, ()))
        return next(
            (
                candidate
                for candidate in candidates
                if candidate != word and _one_slip(fold_case(word), fold_case(candidate))
            ),
            "",
        )


def _variants(word: str) -> list[str]:
    """Return a word in folded case, and that word without each single letter.

    Words that differ by one slip have a variant in common. Words of fewer than 3 or more than ``LONGEST`` letters have
    none.
    """
    plain = fold_case(word)
    if not 3 <= len(plain) <= LONGEST:
        return []
    return [plain, *(plain[:i] + plain[i + 1 :] for i in range(len(plain)) if len(plain) > 3)]


def _one_slip(first: str, second: str) -> bool:
    """Return whether two words differ by at most one typing slip.

    A slip is one letter, or two letters that are exchanged.
    """
    first, second = _without_start(*_without_start(first, second))
    return max(len(first), len(second)) < 2 or (len(first) == 2 and first == second[::-1])


def _without_start(first: str, second: str) -> tuple[str, str]:
    """Return the reversed rests of two words after their common start.

    A second call removes the common end, too.
    """
    common_length = next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    return first[common_length:][::-1], second[common_length:][::-1]
