"""Writes hints that correct the text of a syntax error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, Self

from lark import Token

from ..errors import IMPLICATION, Edit, Suggestion
from ..habits import BODY, CHAIN, EACH, GENERATORS, MIXED, RANGE
from ..nodes import Place
from .before import BRACKETS, CONNECTIVES, WORD, Before, next_clause, place_of

COMPARISON = r"<(?!-)=?|>=?|!=|="
"""The pattern of a sign that compares."""
OPERAND = r"(?:[^()<>=!,;:.\"\n-]|(?<!:)-(?!>)|\([^()]*\))+"
"""The pattern of a part of a comparison, with brackets in at most one level."""
COMPARED = re.compile(f"({OPERAND}?)({COMPARISON})({OPERAND})")
"""The pattern of one comparison."""
CHAINED = re.compile(f"{OPERAND}(?:(?:{COMPARISON}){OPERAND}){{2,}}")
"""The pattern of comparisons that share operands."""

CONDITION = re.compile(rf"{COMPARISON}|\bin\b|\w\(|\bnot\b")
"""The pattern of signs and words that only conditions have."""
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
RANGES = r"[A-Z]\w* in [^()\[\]\n:]+"
"""The pattern of generators without brackets."""
LONGEST = 100
"""Maximum number of characters that a hint repeats from the text."""


class Cause(Suggestion):
    """A hint that also replaces the message and the place of its diagnostic."""

    message: str
    at: Place

    def __new__(cls, hint: str, message: str, at: Place) -> Self:
        """Create a hint that keeps the replacements of ``hint``, with a message and a place."""
        cause = super().__new__(cls, hint, *(hint.replacements if isinstance(hint, Suggestion) else ()))
        cause.message, cause.at = message, at
        return cause


def quote_label(text: str, begin: int, end: int, label: str) -> Cause:
    """Return the hint to write ``label``, at ``text[begin:end]``, in double quotes."""
    place = place_of(text, begin, end)
    hint = Suggestion(f'write "{label}": ...', Edit(place, f'"{label}"'))
    return Cause(hint, "a label must be in double quotes", place)


def parenthesise(text: str, at: int, name: str) -> Suggestion:
    """Return the hint for an index of ``name`` in square brackets: write it in parentheses."""
    index = re.compile(r"(?:\[[^\[\]\n]*\])+").match(text, at)
    if not index:
        return Suggestion(f"write an index in parentheses, {name}(...)")
    indices = f"({index[0][1:-1].replace('][', ', ')})"
    return Suggestion(f"write an index in parentheses, {name}{indices}", Edit(place_of(text, *index.span()), indices))


def unchain(token: Token, text: str, at: int, before: Before) -> Cause:
    """Return the hint for chained comparisons such as ``A < B < C``.

    The token, at the offset ``at``, is the second sign.
    """
    hint = CHAIN
    for match in CHAINED.finditer(text, max(before.clause, at - 200), at + 200):
        first, *rest = [part.strip() for part in re.split(f"({COMPARISON})", match[0])]
        if match.start() < at < match.end() and not re.search(r"\b(not|in)\b", match[0]):
            # Each sign compares the operand before it with the operand after it.
            lefts = [first, *rest[1::2]]
            pairs = [f"{left} {sign} {right}" for left, sign, right in zip(lefts, rest[::2], rest[1::2], strict=False)]
            start, end = match.start(), match.start() + len(match[0].rstrip())
            start += len(match[0]) - len(match[0].lstrip())
            fixed = f"({', '.join(pairs)})"
            hint = Suggestion(f"write {fixed}", Edit(place_of(text, start, end), fixed))
            break
    return Cause(hint, "comparisons cannot be chained", place_of(text, at, at + len(token)))


def avoid_decimal(text: str, at: int) -> Suggestion:
    """Return the hint for a decimal point: a range after ``in``, and integers elsewhere."""
    low = re.search(r"\d*$", text[max(0, at - 20) : at])
    high = re.compile(r"\d+").match(text, at + 1)
    assert low and high
    if re.search(r"\bin\s+-?\d+$", text[max(0, at - 40) : at]):
        return Suggestion(f"numbers are integers; write a range with two dots, {low[0]}..{high[0]}", "..")
    number = int(low[0] or 0)
    integers = [str(number)] if not int(high[0]) else [str(number), str(number + 1)]
    place = place_of(text, at - len(low[0]), high.end())
    return Suggestion(f"numbers are integers: write {' or '.join(integers)}", *[Edit(place, new) for new in integers])


def make_range(text: str, begin: int, end: int, replacement: str = "..") -> Suggestion:
    """Return the hint to write a range with the ends around ``text[begin:end]``, which ``replacement`` replaces."""
    low = re.search(r"-?\b(?!in\b)\w+\s*$", text[max(0, begin - 40) : begin])
    high = re.compile(r"\s*(-?\w+)").match(text, end)
    if not low or not high:
        return Suggestion(RANGE, replacement)
    return Suggestion(f"write a range with two dots, {low[0].strip()}..{high[1]}", replacement)


def move_for(text: str, at: int, before: Before) -> Suggestion:
    """Return the hint for ``for``: a colon after an element, or ``:-`` after a constraint."""
    generators = re.compile(rf"for\s+({RANGES})").match(text, at)
    if not before.open:
        return Suggestion(f"write :- {generators[1].rstrip(' .')}", ":-") if generators else BODY
    element = text[before.open[-1] + 1 : at].strip()
    if not generators or len(element) > LONGEST or re.search(r"\bif\b", generators[1]):
        return GENERATORS
    return Suggestion(f"write a colon for it: {element} : {generators[1].strip()}", ":")


def rewrite_beginning(text: str, begin: int, word: str) -> str:
    """Return the hint for a clause that begins with ``if`` or ``for``."""
    clause = text[begin : next_clause(text, begin)].removesuffix(".")
    place = place_of(text, begin, begin + len(clause))
    if match := re.fullmatch(rf"for\s+({RANGES}):\s*([^\n]*)", clause):
        body = f":- {match[1].strip()}"
        return Suggestion(f"write the constraint first, then {body}", Edit(place, f"{match[2]} {body}"))
    if word == "for":
        return EACH
    match = re.fullmatch(rf"if\s+({COMPARED.pattern})\bthen\s+([^\n]*)", clause)
    if not match or re.search(r"\b(and|or|else)\b", clause):
        return IMPLICATION
    fixed = f"{match[1].strip()} -> {match[5]}"
    return Suggestion(f"write a condition with an arrow: {fixed}", Edit(place, fixed))


def forbid(text: str, at: int) -> Cause:
    """Return the hint for a clause that begins with ``:-``: it forbids its body."""
    end = next_clause(text, at)
    body = text[at + 2 : end].removesuffix(".").strip()
    parts = [COMPARED.fullmatch(part) for part in re.split(r",(?![^(]*\))", body)]
    hint: str = "write a constraint before :-, as in A != 1 :- p(A)."
    if len(body) <= LONGEST and "\n" not in body and all(parts):
        comparison = parts[0]
        assert comparison
        fixed = f"not ({body})"
        if len(parts) == 1:
            fixed = f"{comparison[1].strip()} {OPPOSITE[comparison[2]]} {comparison[3].strip()}"
        stop = at + len(text[at:end].removesuffix("."))
        hint = Suggestion(f"to forbid {body}, write {fixed}", Edit(place_of(text, at, stop), fixed))
    return Cause(hint, "a clause cannot begin with :-", place_of(text, at, at + 2))


def end_facts(text: str, begin: int) -> Suggestion:
    """Return the hint for facts with commas between them; the first is at ``begin``."""
    facts = re.compile(r"(\w+\([^()\n]*\))\s*,\s*(\w+\([^()\n]*\))").match(text, begin)
    example = f": {facts[1]}. {facts[2]}." if facts and facts.end() - begin <= LONGEST else ""
    return Suggestion(f"end each fact with a full stop{example}", ".")


class Conditions(NamedTuple):
    """Conditions with connectives between them, in a clause or a bracket.

    Attributes
    ----------
    parts : list of str
    connectives : list of str
    at : list of int
        The offset of each connective.
    begin, end : int
        The offsets of the conditions.
    needs_brackets : bool
        Whether a comma between the conditions is allowed in brackets only.
    """

    parts: list[str]
    connectives: list[str]
    at: list[int]
    begin: int
    end: int
    needs_brackets: bool

    @property
    def are_plain(self) -> bool:
        """Whether each part is a condition on one line, and all are short."""
        line_length = self.end - self.begin
        return line_length <= LONGEST and all("\n" not in part and CONDITION.search(part) for part in self.parts)

    def replace(self, text: str, texts: Iterable[str]) -> list[Edit]:
        """Return the edits that replace the conditions by other texts; none for conditions on several lines."""
        place = place_of(text, self.begin, self.end)
        return [] if "\n" in text[self.begin : self.end] else [Edit(place, new) for new in texts]


def conditions_around(text: str, at: int, before: Before) -> Conditions:
    """Return the conditions around the connective at an offset."""
    begin = before.open[-1] + 1 if before.open else before.clause
    depth, needs_brackets, ends = 0, not before.open, [begin]
    connectives: list[int] = []
    end = len(text)
    for word in WORD.finditer(text, begin):
        if word[0] in BRACKETS.values():
            depth += 1
        elif depth == 0 and (word[0] in (*BRACKETS, ".") or (word[0] in (":", ":-") and word.start() > at)):
            end = word.start()
            break
        elif word[0] in BRACKETS:
            depth -= 1
        elif depth == 0 and word[0] in (":", ":-"):
            # A label, or the head of a clause, is before the conditions.
            begin, ends = word.end(), [word.end()]
            connectives = []
            needs_brackets = needs_brackets and word[0] == ":"
        elif depth == 0 and word[0] in CONNECTIVES:
            ends += word.span()
            connectives.append(word.start())
    ends.append(end)
    parts = [text[start:stop].strip() for start, stop in zip(ends[::2], ends[1::2], strict=True)]
    signs = [text[start:stop] for start, stop in zip(ends[1:-1:2], ends[2::2], strict=True)]
    begin += len(text[begin:end]) - len(text[begin:end].lstrip())
    return Conditions(parts, signs, connectives, begin, begin + len(text[begin:end].rstrip()), needs_brackets)


def regroup(text: str, at: int, before: Before) -> str:
    """Return the hint for mixed connectives, with the two ways to write brackets."""
    conditions = conditions_around(text, at, before)
    if not conditions.are_plain or at not in conditions.at:
        return MIXED
    parts, signs, number = conditions.parts, conditions.connectives, conditions.at.index(at)
    first_sign, last_sign = signs[0], signs[number]
    if {*signs[:number]} != {first_sign} or {*signs[number:]} != {last_sign}:
        return MIXED
    if "-" in f"{first_sign}{last_sign}" and len(signs) > 2:
        return MIXED
    readings = [
        _join([f"({_join(parts[: number + 1], first_sign)})", *parts[number + 1 :]], last_sign),
        _join([*parts[:number], f"({_join(parts[number:], last_sign)})"], first_sign),
    ]
    if conditions.needs_brackets:
        readings = [
            f"({reading})" if sign == "," else reading
            for reading, sign in zip(readings, (last_sign, first_sign), strict=True)
        ]
    return Suggestion(f"write parentheses: {', or '.join(readings)}", *conditions.replace(text, readings))


def _join(parts: list[str], sign: str) -> str:
    return (", " if sign == "," else f" {sign} ").join(parts)


def separate(text: str, at: int, before: Before) -> str:
    """Return the hint for constraints with commas between them, the first comma at an offset."""
    conditions = conditions_around(text, at, before)
    both, edits = "(A = 1, B = 2)", []
    other = next(
        (start for start, sign in zip(conditions.at, conditions.connectives, strict=True) if sign != ","), None
    )
    if other is not None and (hint := regroup(text, other, before)) != MIXED:
        return hint
    are_constraints = conditions.are_plain and {*conditions.connectives} == {","}
    if are_constraints and all(re.fullmatch(RANGES, part) for part in conditions.parts[1:]):
        hint = f"write :- for the first comma: {conditions.parts[0]} :- {', '.join(conditions.parts[1:])}."
        return Suggestion(hint, ":-")
    if are_constraints:
        both = f"({', '.join(conditions.parts)})"
        edits = conditions.replace(text, [both])
    hint = Suggestion(f"end each constraint with a full stop, or write both in parentheses, {both}", ".", *edits)
    return Cause(hint, "two constraints in one clause", place_of(text, at, at + 1)) if are_constraints else hint
