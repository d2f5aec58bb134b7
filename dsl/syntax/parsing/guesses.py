"""Hints for unexpected tokens, guessed from the surrounding text."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from ..errors import IMPLICATION
from ..habits import (
    CHAIN,
    CHANGED,
    CHOICE,
    CUT,
    DECLARED,
    ENDED,
    GENERATORS,
    LABELLED,
    LISTED,
    MIXED,
    NONE_OF,
    ONE_OF,
    OVER,
    PARAM,
    RANGE,
    SET,
    SOME,
    WORDS,
)
from ..nodes import Place
from ..vocabulary import COMMENT, RESERVED, STOP, SYMBOL, TEXT, VARIABLE
from .lexer import Token

WORD = re.compile(rf"{TEXT}|{SYMBOL}|{COMMENT}|\s+|\.\.|:-|<?->|{STOP}|\w+|.", re.DOTALL)
MARKS = (",", ";", ":-")
CONNECTIVES = (",", ";", "->", "<->")
BRACKETS = {")": "(", "]": "[", "}": "{"}
CLOSING = {"RPAR", "RSQB", "RBRACE"}
STARTS = {"NAME", "VAR", "INT", "SYMBOL", "LPAR", "LSQB", "MINUS"}
RELATIONS = {"EQUAL", "DIFFERENT", "LESSTHAN", "ATMOST", "MORETHAN", "ATLEAST"}

BEGINNINGS = {
    "//": "a comment begins with %",
    ":-": "a clause begins with what it says; that A = 1 must not be is said by A != 1",
    "{": CHOICE,
}
BUILDER = "the values of a relation follow a colon, {X : p(X)}"
ONE_LIST = "a list has one colon; let a relation gather both: place(1, C) :- C in 1..4. place(R, 1) :- R in 1..4."


LABEL = re.compile(
    r"(?!(?:int|bool|float|var|set|param|show|grid|draw|include)\b)([a-zA-Z][\w ]*(?:\{\w+\}[\w ,.-]*)*?)\s*:(?!-)"
)
"""A label without its quotes: words, perhaps with variables in braces, and a colon."""

INDEXED_LABEL = re.compile(r"([a-z]\w*)\(([A-Z]\w*(?:\s*,\s*[A-Z]\w*)*)\)\s*:\s*(?!-|[A-Z]\w*\s+in\b)")
"""A label written as a term with variables: ``row(R):``."""

PARITY = re.compile(r"\s*is\s+(even|odd)\b")
VALUES = re.compile(r"\w+(\([^()]*\))?\s*[:=]\s*-?\w+\s*\.\.")
"""A variable and a range without ``in``."""


class Before(NamedTuple):
    """A description of the text before a place, for hints; all places are offsets.

    Attributes
    ----------
    begin, end : int
        The last word.
    open : list of int
        The brackets that are still open.
    marks : dict of str to int
        The first ``,``, ``;`` and ``:-`` of the clause outside of brackets.
    clause : int
        The beginning of the clause.
    connected : set of str
        The connectives between the conditions at this depth of brackets.
    """

    begin: int
    end: int
    open: list[int]
    marks: dict[str, int]
    clause: int
    connected: set[str]


def place_of(text: str, start: int, end: int) -> Place:
    """Return the place of the text between two offsets."""
    return Place(text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start), max(1, end - start))


def look_back(text: str, start: int, at: int) -> Before:
    """Scan a text from ``start`` to ``at``; describe the clause and brackets before ``at``."""
    begin = end = start
    clause: int | None = None
    stack: list[int] = []
    marks: dict[str, int] = {}
    connected: list[set[str]] = [set()]
    for word in WORD.finditer(text, start, at):
        kind = word[0][0]
        if kind == "%" or kind.isspace():
            continue
        begin, end = word.span()
        clause = begin if clause is None else clause
        if word[0] in BRACKETS.values():
            stack.append(begin)
            connected.append(set())
        elif word[0] == ".":
            stack.clear()
            connected = [set()]
            marks.clear()
            clause = None
        elif stack and text[stack[-1]] == BRACKETS.get(word[0]):
            stack.pop()
            connected.pop()
        elif word[0] in MARKS and not stack:
            marks.setdefault(word[0], begin)
        if word[0] in (":", ":-"):
            connected[-1].clear()
        elif word[0] in CONNECTIVES:
            connected[-1].add(word[0])
    return Before(begin, end, stack, marks, at if clause is None else clause, connected[-1])


def unclosed_hint(text: str, before: Before) -> str:
    """Return a hint that names the innermost open bracket; empty if none is open."""
    if not before.open:
        return ""
    at = place_of(text, before.open[-1], before.open[-1] + 1)
    return f"the {text[before.open[-1]]} of line {at.line}, column {at.column} is not closed"


def hint_at(token: Token, accepts: Collection[str], text: str, at: int, before: Before) -> str:
    """Return a hint for an unexpected token; empty if no guess applies.

    ``accepts`` are the kinds of tokens that the parser accepts instead.
    """
    if token in BRACKETS and not before.open:
        return f"no {BRACKETS[token]} is open here"
    last, adjacent = text[before.begin : before.end], before.end == at
    if token.type == "_END" and accepts == {"EQUAL"}:
        return "a param has a value, such as param n = 9."
    if token.type == "_END" and last == ".." and adjacent:
        return "a range is written with two dots, 1..n"
    if token.type == "_END" or (token in BRACKETS and text[before.open[-1]] != BRACKETS[token]):
        return unclosed_hint(text, before)
    if last.startswith('"') and "\n" in last:
        line = place_of(text, before.begin, before.end).line
        return f"the picture that opens in line {line} ends just before; is its closing quote missing?"
    first = re.compile(r"\w*").match(text, before.clause)
    if first and first[0] == "show" and token in (":", ":-"):
        return SOME
    return (
        _domain(token, text, at, before)
        or _habit(token, accepts, text, at, before)
        or modulo(text, before)
        or WORDS.get(first[0] if first else "", "")
        or _missing(token, accepts, last, adjacent)
        or (unclosed_hint(text, before) if CLOSING & {*accepts} else "")
    )


def _habit(token: Token, accepts: Collection[str], text: str, at: int, before: Before) -> str:
    """Return the hint for a notation of another language, or an empty text."""
    last, adjacent = text[before.begin : before.end], before.end == at
    if "PARAM" in accepts:
        return BEGINNINGS.get(token, "")
    if f"{last}_{token}" in RESERVED:
        return f"did you mean {last}_{token}?"
    if token == "not" and "IN" in accepts:
        return NONE_OF
    if re.compile(r"\s*,\s*!").match(text, before.end):
        return CUT
    if token == "=" and last in ("+", "-", "*"):
        return CHANGED
    if token == ":" and last == "int" and re.compile(r"\s*:\s*\w+\s*=").match(text, before.end):
        return PARAM
    if token == ";" and re.compile(r";[ \t]*(%[^\n]*)?(\n|$)").match(text, at):
        return ENDED
    if token in CONNECTIVES and before.connected - ({token} - {"<->"}):
        return MIXED
    if last == "if" or token == "then":
        return IMPLICATION
    if PARITY.match(text, before.end):
        return WORDS["odd"]
    if token == "for" and "IF" in accepts:
        return WORDS["where"]
    if token in ("if", "when") and "IF" in accepts:
        return f"{WORDS['where']}; {IMPLICATION}"
    if token in WORDS or last in WORDS:
        return WORDS.get(token) or WORDS[last]
    if not before.open and VALUES.match(text, before.clause):
        return DECLARED
    if token == "{" and last == "=":
        return NONE_OF if text.endswith("!=", 0, before.end) else ONE_OF
    if not before.open and (label := LABEL.match(text, before.clause)):
        return LABELLED.format(label=label[1])
    if not before.open and (call := INDEXED_LABEL.match(text, before.clause)):
        words = ",".join(f"{{{word.strip()}}}" for word in call[2].split(","))
        return LABELLED.format(label=f"{call[1]} {words}")
    if token == "{":
        return CHOICE
    if token.type == "UNION" and "_END" in accepts:
        return WORDS["or"]
    if token == ":" and "RPAR" in accepts:
        return ONE_LIST
    if token == ":" and "RSQB" in accepts:
        return GENERATORS
    if token == ":" and "IF" in accepts:
        return "a label stands in double quotes" if last.startswith("'") else "a body follows :-"
    if token == "[" and adjacent and re.match(r"\w", last):
        return f"an index stands in parentheses, {last}(...)"
    return ""


def _domain(token: Token, text: str, at: int, before: Before) -> str:
    """Return the hint for an error in a domain, or an empty text."""
    domain = re.search(r"\bin\s+([^.,;\s]*)(\.\.)?[^.,;\s]*\s*$", text[max(before.clause, at - 200) : at])
    if not domain:
        return ""
    if token == ":" and domain[1].startswith("{"):
        return BUILDER
    if token == ":" and not domain[2]:
        return RANGE
    if token == ".." and domain[1].startswith(("[", "(")):
        return f"a range stands without brackets, 1..9; {SET}"
    if token == "..":
        return f"a range has two ends and no step; {SET}"
    if token.type in ("INT", "NAME") and domain[1].startswith("{"):
        return LISTED
    if token == "," and not domain[2] and re.compile(r",\s*(-?\d+|[a-z]\w*)\s*[,.]").match(text, at):
        return SET
    return ""


def modulo(text: str, before: Before) -> str:
    """Return the hint for ``%`` used as an operator, or an empty text."""
    if re.compile(r"[ \t]*%[ \t]*[\w(][^\n]{0,80}[=<>]").match(text, before.end):
        return "% begins a comment; what is left by a division is written mod"
    return ""


def _missing(token: Token, accepts: Collection[str], last: str, adjacent: bool) -> str:
    """Return the hint for the element that is probably missing before a token, or an empty text."""
    if token.type in {"NAME", "VAR", "LPAR"} and adjacent and last.isdigit():
        return "a product is written with *"
    if token.type in RELATIONS and "_END" in accepts:
        return CHAIN
    if token == "(" and last == ")":
        return "generators follow a colon, sum(x(I) : I in 1..3)"
    if token == ".." and "RPAR" in accepts:
        return OVER
    if token.type == "VAR" and re.fullmatch(VARIABLE, last) and {"IN", "COMMA"} <= set(accepts):
        return "variables are declared with commas between them, A, B in 1..9."
    if token.type == "COMMA" and {"IF", "_END"} <= set(accepts):
        return "a clause says one thing and ends with a full stop; conditions follow :-, or stand in (A = 1, B = 2)"
    if token.type == "STRING" and "_END" not in accepts:
        return "a symbol stands in single quotes"
    if "_END" in accepts and token.type in STARTS | {"NOT"}:
        return f"is a full stop{' or :-' if 'IF' in accepts else ' or a comma'} missing before it?"
    return ""
