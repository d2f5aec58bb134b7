"""Converts a parse error into a diagnostic with a hint."""

from __future__ import annotations

import re
from collections.abc import Collection

from ..errors import IMPLICATION, Diagnostic
from ..habits import (
    AND,
    CHARACTERS,
    GENERATORS,
    NEGATED,
    PAIRS,
    hash_hint,
)
from ..vocabulary import DECLARING, KEYWORDS, VARIABLE
from .guesses import BUILDER, RELATIONS, STARTS, WORD, Before, hint_at, look_back, modulo, place_of, unclosed_hint
from .lalr import UnexpectedToken
from .lexer import Token, Unexpected

OPERATORS = {"PLUS", "MINUS", "STAR", "DIVIDE", "MOD"}

# If the parser accepts all of the first kinds of tokens, the message says the words instead of all kinds of the second
# set; the most specific entries come first.
GROUPS = [
    ({"PARAM", "STRING", "INT"}, "a clause", {*map(str.upper, DECLARING), "STRING"} | STARTS),
    ({"STRING", "NAME"}, "a file in double quotes or a spec of the gallery", {"STRING", "NAME"}),
    ({"IN", "PARAM", "INT"}, "an argument", {*map(str.upper, KEYWORDS)} | STARTS),
    ({"LBRACE", "INT"}, "a domain such as 1..4 or {red, green}", {"LBRACE"} | STARTS),
    ({"NOT", "INT"}, "a condition", {"NOT"} | STARTS),
    ({"NAME", "INT"}, "an expression", STARTS),
    ({"NAME", "VAR"}, "a name", {"NAME", "VAR"}),
    ({"EQUAL", "ATMOST"}, "a comparison", RELATIONS),
]
TOKEN_WORDS = {
    "NAME": "a name in lowercase", "VAR": "a variable", "STRING": "a picture in double quotes", "EQUAL": "=",
    "IN": "in", "DOTS": "..", "UNION": "\\/", "COMMA": "a comma", "COLON": "a colon", "IF": ":-", "RPAR": ")",
    "RSQB": "]", "RBRACE": "}", "_END": "a full stop", "$END": "the end",
}  # fmt: skip


def explain_parse_error(
    error: Unexpected, text: str, start: int, ends: str = "the text ends"
) -> tuple[Diagnostic, int | None]:
    """Return the diagnostic for a parse error, and where to continue parsing.

    The second result is the offset, or None to stop. ``start`` is the offset where parsing began, and ``ends`` the
    words for an unexpected end of the text.
    """
    if not isinstance(error, UnexpectedToken):
        at = error.at
        return _explain_character(text, start, at), None if text[at] in "\"'" else _next_clause(text, at + 1)
    token, accepts = error.token, error.accepts
    at = len(text) if token.type == "$END" else error.at
    before = look_back(text, start, at)
    return _explain_token(token, accepts, text, at, before, ends)


def _explain_character(text: str, start: int, at: int) -> Diagnostic:
    """Return the diagnostic for a character that cannot begin a token."""
    place, letter = place_of(text, at, at + 1), text[at]
    if letter == '"':
        return Diagnostic("the text that opens here is not closed", place, 'close it with "')
    if letter == "'":
        return Diagnostic("the symbol that opens here is not closed on its line", place, "close it with '")
    if letter == ".":
        hint = "numbers are whole" if text[at - 1 : at] != "." else "a range is written with two dots, 1..4"
        return Diagnostic("this full stop cannot stand before a number or a dot", place, hint)
    if letter.isspace():
        message = f"the character {ascii(letter)[1:-1]} looks like a blank and is none of the language"
        return Diagnostic(message, place, "write a plain blank")
    if not letter.isprintable():
        return Diagnostic(f"the character {ascii(letter)[1:-1]} is not part of the language", place)
    if operator := _foreign_operator(text, at):
        sign, begin, hint = operator
        return Diagnostic(f"{sign} is not part of the language", place_of(text, begin, begin + len(sign)), hint)
    if letter == "|":
        hint = _bar(text, start, at)
    elif letter == "#":
        hint = hash_hint(text, at)
    else:
        pairs = {"/\\": AND, "\\+": NEGATED}
        hint = pairs.get(text[at : at + 2]) or CHARACTERS.get(letter, "")
    return Diagnostic(f"{letter} is not part of the language", place, hint)


def _foreign_operator(text: str, at: int) -> tuple[str, int, str] | None:
    """Find an operator of another programming language at an offset.

    Returns the operator, its offset and its hint, or None.
    """
    for sign, hint in PAIRS.items():
        for begin in range(max(0, at + 1 - len(sign)), at + 1):
            if text.startswith(sign, begin):
                return sign, begin, hint
    return None


def _bar(text: str, start: int, at: int) -> str:
    """Return the hint for a vertical bar, by what its use probably means."""
    open_ = look_back(text, start, at).open
    if text[at + 1 : at + 2] == "|":
        return "or is written ;"
    if open_ and text[open_[-1]] == "[":
        return GENERATORS
    if open_ and text[open_[-1]] == "{":
        return BUILDER
    if re.match(r"\|[^|.\n]{1,80}\|", text[at : at + 100]):
        return "the distance of A and B is written abs(A - B)"
    return "a union of domains is written \\/"


def _next_clause(text: str, start: int) -> int:
    """Return the offset after the next full stop, where parsing can continue."""
    for word in WORD.finditer(text, start):
        if word[0] == "." and (text[word.end() : word.end() + 1].strip() in ("", "%")):
            return word.end()
    return len(text)


def _explain_token(
    token: Token, accepts: Collection[str], text: str, at: int, before: Before, ends: str
) -> tuple[Diagnostic, int | None]:
    """Return the diagnostic for an unexpected token, and where to continue parsing.

    ``accepts`` are the kinds of tokens that the parser accepts instead.
    """
    place, last = place_of(text, at, at + len(token)), text[before.begin : before.end]
    after_last = place_of(text, before.end, before.end + 1)
    resume = _next_clause(text, at)
    if last.startswith('"') and "\n" in last and "COLON" in accepts:
        opened = place_of(text, before.begin, before.begin + 1)
        return Diagnostic("the label that opens here is not closed on its line", opened, 'close it with "'), None
    if token.type == "$END":
        hint = unclosed_hint(text, before) or modulo(text, before)
        if "_END" in accepts:
            return Diagnostic("a full stop is missing here, at the end", after_last, hint), None
        if not hint and last == ";":
            hint = "a clause ends with a full stop"
        return Diagnostic(f"{ends} where {_options(accepts)} is expected", after_last, hint), None
    new_line = "\n" in text[before.end : at]
    if new_line and "_END" in accepts and token.type in {"NAME", "VAR", "STRING", *map(str.upper, DECLARING)}:
        message = f"a full stop is missing here, before {_token_text(token)} of line {place.line}"
        return Diagnostic(message, after_last, modulo(text, before)), at
    if token == "in" and last in DECLARING:
        message = f"{last} is a word of the language and cannot name anything"
        return Diagnostic(message, place_of(text, *before[:2]), "give the variable another name"), resume
    if token in KEYWORDS and "NAME" in accepts:
        message = f"{token} is a word of the language and cannot name anything"
        return Diagnostic(message, place, f"a symbol is written '{token}'"), resume
    if "IN" in accepts and "EQUAL" not in accepts and "," in before.marks:
        comma = place_of(text, before.marks[","], before.marks[","] + 1)
        hint = "facts end with a full stop each; only the variables before in are a list"
        return Diagnostic("a comma stands where a full stop is expected", comma, hint), resume
    if token == "(" and re.fullmatch(VARIABLE, last) and (before.end == at or before.begin == before.clause):
        message = f"{last} begins in uppercase, so it is a variable and takes no arguments"
        name = re.sub("(?<=[a-z])(?=[A-Z])", "_", last).lower().lstrip("_")
        return Diagnostic(message, place_of(text, *before[:2]), f"write {name}(...)"), resume
    if token.type == "VAR" and "NAME" in accepts and "VAR" not in accepts:
        hint = f"write {token.lower()}" if token[0] != "_" else ""
        return Diagnostic(f"{token} is a variable, and a name in lowercase is expected", place, hint), resume
    if token.type not in ("IMPLIES", "EQUIVALENT") and (operator := _foreign_operator(text, at)):
        sign, begin, hint = operator
        if sign == "=>" and token == "=":
            hint = IMPLICATION
        return Diagnostic(f"{sign} is not part of the language", place_of(text, begin, begin + len(sign)), hint), resume
    message = f"{_token_text(token)} stands where {_options(accepts)} is expected"
    return Diagnostic(message, place, hint_at(token, accepts, text, at, before)), resume


def _token_text(token: Token) -> str:
    """Return the text by which a message names a token."""
    if token.type in ("_END", "STRING", "COMMA", "COLON"):
        return {**TOKEN_WORDS, "STRING": "a text"}[token.type]
    return str(token) if len(token) <= 40 else f"{token[:40]}..."


def _options(accepts: Collection[str]) -> str:
    """Describe in words which kinds of tokens the parser would accept."""
    remaining, options = set(accepts), []
    for needed, words, covered in GROUPS:
        if needed <= remaining:
            options.append(words)
            remaining -= covered
    options += [words for kind, words in TOKEN_WORDS.items() if kind in remaining]
    if not options:
        options = ["an operator" if remaining & OPERATORS else "something else"]
    return options[0] if len(options) == 1 else f"{', '.join(options[:-1])} or {options[-1]}"
