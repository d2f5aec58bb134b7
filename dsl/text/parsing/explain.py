"""What a text that is not of the language probably meant."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from ..errors import IMPLICATION, Mistake
from ..habits import (
    AND,
    CHAIN,
    CHANGED,
    CHOICE,
    CUT,
    GENERATORS,
    LETTERS,
    LISTED,
    MIXED,
    NONE_OF,
    OVER,
    PAIRS,
    PARAM,
    RANGE,
    SET,
    SOME,
    WORDS,
    hash_hint,
)
from ..syntax import Place
from ..vocabulary import COMMENT, DECLARING, KEYWORDS, RESERVED, STOP, SYMBOL, TEXT, VARIABLE
from .lalr import UnexpectedToken
from .lexer import Token, Unexpected

WORD = re.compile(rf"{TEXT}|{SYMBOL}|{COMMENT}|\s+|\.\.|:-|<?->|{STOP}|\w+|.", re.DOTALL)
MARKS = (",", ";", ":-")
CONNECTIVES = (",", ";", "->", "<->")
BRACKETS = {")": "(", "]": "[", "}": "{"}
STARTS = {"NAME", "VAR", "INT", "SYMBOL", "LPAR", "LSQB", "MINUS"}
RELATIONS = {"EQUAL", "DIFFERENT", "LESSTHAN", "ATMOST", "MORETHAN", "ATLEAST"}
OPERATORS = {"PLUS", "MINUS", "STAR", "DIVIDE", "MOD"}

GROUPS = [  # what may come next, most telling first: if all of these may, then say this, and not those as well
    ({"PARAM", "STRING", "INT"}, "a clause", {*map(str.upper, DECLARING), "STRING"} | STARTS),
    ({"STRING", "NAME"}, "a file in double quotes or a spec of the gallery", {"STRING", "NAME"}),
    ({"IN", "PARAM", "INT"}, "an argument", {*map(str.upper, KEYWORDS)} | STARTS),
    ({"LBRACE", "INT"}, "a domain such as 1..4 or {red, green}", {"LBRACE"} | STARTS),
    ({"NOT", "INT"}, "a condition", {"NOT"} | STARTS),
    ({"NAME", "INT"}, "an expression", STARTS),
    ({"NAME", "VAR"}, "a name", {"NAME", "VAR"}),
    ({"EQUAL", "ATMOST"}, "a comparison", RELATIONS),
]
SAID = {
    "NAME": "a name in lowercase", "VAR": "a variable", "STRING": "a picture in double quotes", "EQUAL": "=",
    "IN": "in", "DOTS": "..", "UNION": "\\/", "COMMA": "a comma", "COLON": "a colon", "IF": ":-", "RPAR": ")",
    "RSQB": "]", "RBRACE": "}", "_END": "a full stop", "$END": "the end",
}  # fmt: skip


BEGINNINGS = {
    "//": "a comment begins with %",
    ":-": "a clause begins with what it says; that A = 1 must not be is said by A != 1",
    "{": CHOICE,
}
BUILDER = "the values of a relation follow a colon, {X : p(X)}"
ONE_LIST = "a list has one colon; let a relation gather both: place(1, C) :- C in 1..4. place(R, 1) :- R in 1..4."


class _Before(NamedTuple):
    """What stands before a place: where the last word begins and ends, the brackets that are still open, where the
    clause first has a comma, ; and :- outside of brackets, where it begins, and what connects the conditions beside
    which the place is."""

    begin: int
    end: int
    open: list[int]
    marks: dict[str, int]
    clause: int
    connected: set[str]


def explain(error: Unexpected, text: str, start: int, ends: str = "the text ends") -> tuple[Mistake, int | None]:
    """The mistake behind a parse error, and the offset at which reading can go on, if there is one."""
    if not isinstance(error, UnexpectedToken):
        at = error.at
        return _letter(text, start, at), None if text[at] in "\"'" else _next_clause(text, at + 1)
    token, accepts = error.token, error.accepts
    at = len(text) if token.type == "$END" else error.at
    before = _look_back(text, start, at)
    return _token(token, accepts, text, at, before, ends)


def place_of(text: str, start: int, end: int) -> Place:
    """The place of a piece of a text."""
    return Place(text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start), max(1, end - start))


def _letter(text: str, start: int, at: int) -> Mistake:
    place, letter = place_of(text, at, at + 1), text[at]
    if letter == '"':
        return Mistake("the text that opens here is not closed", place, 'close it with "')
    if letter == "'":
        return Mistake("the symbol that opens here is not closed on its line", place, "close it with '")
    if letter == ".":
        hint = "numbers are whole" if text[at - 1 : at] != "." else "a range is written with two dots, 1..4"
        return Mistake("this full stop cannot stand before a number or a dot", place, hint)
    if letter.isspace():
        message = f"the character {ascii(letter)[1:-1]} looks like a blank and is none of the language"
        return Mistake(message, place, "write a plain blank")
    if not letter.isprintable():
        return Mistake(f"the character {ascii(letter)[1:-1]} is not part of the language", place)
    if letter == "|":
        hint = _bar(text, start, at)
    elif letter == "#":
        hint = hash_hint(text, at)
    else:
        pairs = {"/\\": AND, "\\+": "no condition is written not"}
        hint = pairs.get(text[at : at + 2]) or LETTERS.get(letter, "")
    return Mistake(f"{letter} is not part of the language", place, hint)


def _bar(text: str, start: int, at: int) -> str:
    """What a vertical bar was meant for."""
    open_ = _look_back(text, start, at).open
    if text[at + 1 : at + 2] == "|":
        return "or is written ;"
    if open_ and text[open_[-1]] == "[":
        return GENERATORS
    if open_ and text[open_[-1]] == "{":
        return BUILDER
    if re.match(r"\|[^|.\n]{1,80}\|", text[at : at + 100]):
        return "the distance of A and B is written abs(A - B)"
    return "a union of domains is written \\/"


def _look_back(text: str, start: int, at: int) -> _Before:
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
    return _Before(begin, end, stack, marks, at if clause is None else clause, connected[-1])


def _next_clause(text: str, start: int) -> int:
    """The offset behind the next full stop that ends a clause."""
    for word in WORD.finditer(text, start):
        if word[0] == "." and (text[word.end() : word.end() + 1].strip() in ("", "%")):
            return word.end()
    return len(text)


def _token(
    token: Token, accepts: Collection[str], text: str, at: int, before: _Before, ends: str
) -> tuple[Mistake, int | None]:
    """The mistake of a word that cannot stand where it stands."""
    place, last = place_of(text, at, at + len(token)), text[before.begin : before.end]
    behind = place_of(text, before.end, before.end + 1)
    resume = _next_clause(text, at)
    if last.startswith('"') and "\n" in last and "COLON" in accepts:
        opened = place_of(text, before.begin, before.begin + 1)
        return Mistake("the label that opens here is not closed on its line", opened, 'close it with "'), None
    if token.type == "$END":
        hint = _unclosed(text, before) or _modulo(text, before)
        if not hint and last == ";":
            hint = "a clause ends with a full stop"
        return Mistake(f"{ends} where {_options(accepts)} is expected", behind, hint), None
    new_line = "\n" in text[before.end : at]
    if new_line and "_END" in accepts and token.type in {"NAME", "VAR", "STRING", *map(str.upper, DECLARING)}:
        message = f"a full stop is missing here, before {_said(token)} of line {place.line}"
        return Mistake(message, behind, _modulo(text, before)), at
    if token == "in" and last in DECLARING:
        message = f"{last} is a word of the language and cannot name anything"
        return Mistake(message, place_of(text, *before[:2]), "give the variable another name"), resume
    if token in KEYWORDS and "NAME" in accepts:
        message = f"{token} is a word of the language and cannot name anything"
        return Mistake(message, place, f"a symbol is written '{token}'"), resume
    if "IN" in accepts and "EQUAL" not in accepts and "," in before.marks:
        comma = place_of(text, before.marks[","], before.marks[","] + 1)
        hint = "facts end with a full stop each; only the variables before in are a list"
        return Mistake("a comma stands where a full stop is expected", comma, hint), resume
    if token == "(" and re.fullmatch(VARIABLE, last) and before.end == at:
        message = f"{last} begins in uppercase, so it is a variable and takes no arguments"
        return Mistake(message, place_of(text, *before[:2]), f"write {last.lower().lstrip('_')}(...)"), resume
    if token.type == "VAR" and "NAME" in accepts and "VAR" not in accepts:
        hint = f"write {token.lower()}" if token[0] != "_" else ""
        return Mistake(f"{token} is a variable, and a name in lowercase is expected", place, hint), resume
    for pair, hint in () if token.type in ("IMPLIES", "EQUIVALENT") else PAIRS.items():
        for begin in range(max(0, at + 1 - len(pair)), at + 1):
            if text.startswith(pair, begin):
                if pair == "=>" and token == "=":
                    hint = IMPLICATION
                place = place_of(text, begin, begin + len(pair))
                return Mistake(f"{pair} is not part of the language", place, hint), resume
    message = f"{_said(token)} stands where {_options(accepts)} is expected"
    return Mistake(message, place, _hint(token, accepts, text, at, before)), resume


def _said(token: Token) -> str:
    if token.type in ("_END", "STRING", "COMMA", "COLON"):
        return {**SAID, "STRING": "a text"}[token.type]
    return str(token) if len(token) <= 40 else f"{token[:40]}..."


def _options(accepts: Collection[str]) -> str:
    """What may stand at a place, in words."""
    left, said = set(accepts), []
    for needed, words, covered in GROUPS:
        if needed <= left:
            said.append(words)
            left -= covered
    said += [words for name, words in SAID.items() if name in left]
    if not said:
        said = ["an operator" if left & OPERATORS else "something else"]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"


def _unclosed(text: str, before: _Before) -> str:
    if not before.open:
        return ""
    at = place_of(text, before.open[-1], before.open[-1] + 1)
    return f"the {text[before.open[-1]]} of line {at.line}, column {at.column} is not closed"


def _hint(token: Token, accepts: Collection[str], text: str, at: int, before: _Before) -> str:
    if token in BRACKETS and not before.open:
        return f"no {BRACKETS[token]} is open here"
    last, adjacent = text[before.begin : before.end], before.end == at
    if token.type == "_END" and accepts == {"EQUAL"}:
        return "a param has a value, such as param n = 9."
    if token.type == "_END" and last == ".." and adjacent:
        return "a range is written with two dots, 1..n"
    if token.type == "_END" or (token in BRACKETS and text[before.open[-1]] != BRACKETS[token]):
        return _unclosed(text, before)
    if last.startswith('"') and "\n" in last:
        line = place_of(text, before.begin, before.end).line
        return f"the picture that opens in line {line} ends just before; is its closing quote missing?"
    first = re.compile(r"\w*").match(text, before.clause)
    if first and first[0] == "show" and token in (":", ":-"):
        return SOME
    return (
        _domain(token, text, at, before)
        or _habit(token, accepts, text, before, adjacent)
        or _modulo(text, before)
        or WORDS.get(first[0] if first else "", "")
        or _missing(token, accepts, last, adjacent)
    )


def _habit(token: Token, accepts: Collection[str], text: str, before: _Before, adjacent: bool) -> str:
    """How the language writes what other languages write in this way."""
    last = text[before.begin : before.end]
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
    if token in CONNECTIVES and before.connected - ({token} - {"<->"}):
        return MIXED
    if last == "if" or token == "then":
        return IMPLICATION
    if token in WORDS or last in WORDS:
        return WORDS.get(token) or WORDS[last]
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


def _domain(token: Token, text: str, at: int, before: _Before) -> str:
    """How the values of a domain are written."""
    found = re.search(r"\bin\s+([^.,;\s]*)(\.\.)?[^.,;\s]*\s*$", text[max(before.clause, at - 200) : at])
    if not found:
        return ""
    if token == ":" and found[1].startswith("{"):
        return BUILDER
    if token == ":" and not found[2]:
        return RANGE
    if token == ".." and found[1].startswith("["):
        return f"a range stands without brackets, 1..9; {SET}"
    if token == "..":
        return f"a range has two ends and no step; {SET}"
    if token.type in ("INT", "NAME") and found[1].startswith("{"):
        return LISTED
    if token == "," and not found[2] and re.compile(r",\s*(-?\d+|[a-z]\w*)\s*[,.]").match(text, at):
        return SET
    return ""


def _modulo(text: str, before: _Before) -> str:
    """What a percent sign in the middle of a clause was meant for."""
    if re.compile(r"[ \t]*%[ \t]*[\w(][^\n]{0,80}[=<>]").match(text, before.end):
        return "% begins a comment; what is left by a division is written mod"
    return ""


def _missing(token: Token, accepts: Collection[str], last: str, adjacent: bool) -> str:
    """What may be missing before a word."""
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
