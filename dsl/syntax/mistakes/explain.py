"""Explains syntax errors of lark, with hints guessed from the surrounding text."""

from __future__ import annotations

import re
from collections.abc import Collection

from lark import Token, UnexpectedInput, UnexpectedToken

from ..errors import IMPLICATION, Diagnostic, Edit, Suggestion
from ..habits import (
    ARROW,
    BODY,
    CHANGED,
    CHARACTERS,
    CHOICE,
    CUT,
    DECLARED,
    ENDED,
    GENERATORS,
    LISTED,
    NONE_OF,
    ONE_OF,
    OR,
    OVER,
    PAIRS,
    PARAM,
    RANGE,
    SET,
    SOME,
    WORDS,
    hash_hint,
)
from ..nodes import Place
from ..vocabulary import DECLARING, KEYWORDS, RESERVED, VARIABLE
from .before import BRACKETS, CONNECTIVES, Before, look_back, next_clause, place_of, point
from .rewriting import (
    RANGES,
    Cause,
    avoid_decimal,
    end_facts,
    forbid,
    make_range,
    move_for,
    parenthesise,
    quote_label,
    regroup,
    rewrite_beginning,
    separate,
    unchain,
)

CLOSED_BY = {opening: closing for closing, opening in BRACKETS.items()}
CLOSING = {"RPAR", "RSQB", "RBRACE"}
MISSING_STOP = "the clause has no full stop at its end"
STARTS = {"NAME", "VAR", "INT", "SYMBOL", "LPAR", "LSQB", "MINUS"}
RELATIONS = {"EQUAL", "DIFFERENT", "LESSTHAN", "ATMOST", "MORETHAN", "ATLEAST"}

BEGINNINGS = {
    "//": Suggestion("write a comment after %", "%"),
    "{": CHOICE,
}
BUILDER = "write the values of a relation after a colon, {X : p(X)}"
ONE_LIST = "a list has one colon; collect both parts in a relation: place(1, C) :- C in 1..4. place(R, 1) :- R in 1..4."


LABEL = re.compile(
    r"(?!(?:int|bool|float|var|set|param|show|grid|draw|include)\b)([a-zA-Z][\w ]*(?:\{\w+\}[\w ,.-]*)*?)\s*:(?!-)"
)
"""A label without its quotes: words, perhaps with variables in braces, and a colon."""

PICTURE = re.compile(
    r"(grid\s+\w+\s*(?:\([^()]*\)\s*)?=)\s*[.\w|*#?-](?:[.\w|*#?-]|[ \t])*"
    rf"(?:\n(?!\s*(?:{'|'.join(DECLARING)})\b)(?:[.\w|*#?-]|[ \t](?!in\b))*(?=\n|$))*"
)
"""The beginning of a grid, and the rows of a picture without quotes."""

INDEXED_LABEL = re.compile(r"([a-z]\w*)\(([A-Z]\w*(?:\s*,\s*[A-Z]\w*)*)\)\s*:\s*(?!-|[A-Z]\w*\s+in\b)")
"""A label written as a term with variables: ``row(R):``."""

PARITY = re.compile(r"\s*is\s+(even|odd)\b")
VALUES = re.compile(r"\w+(\([^()]*\))?\s*[:=]\s*-?\w+\s*\.\.")
"""A variable and a range without ``in``."""

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
    error: UnexpectedInput, text: str, start: int, clause: int, end: str = "the end of the text"
) -> tuple[Diagnostic, int | None]:
    """Return the diagnostic for a parse error, and the offset where parsing continues.

    The offset is None if parsing must stop. ``start`` is the offset where parsing began, ``clause`` the offset of the
    clause that lark has parsed, and ``end`` how the message names the end of the text.
    """
    at = clause + (error.pos_in_stream or 0)
    if not isinstance(error, UnexpectedToken):
        return _explain_character(text, start, at), None if text[at] in "\"'" else next_clause(text, at + 1)
    token, accepts = error.token, error.accepts
    at = len(text) if token.type == "$END" else at
    before = look_back(text, start, at)
    return _explain_token(token, accepts, text, at, before, end)


def _explain_character(text: str, start: int, at: int) -> Diagnostic:
    """Return the diagnostic for a character that cannot begin a token."""
    place, letter = place_of(text, at, at + 1), text[at]
    hint: str = CHARACTERS.get(letter, "")
    if letter == '"':
        return Diagnostic("unclosed-quote", "the text that opens here is not closed", place, _closing(text, at))
    if letter == "'":
        return Diagnostic(
            "unclosed-quote", "the symbol that opens here is not closed on its line", place, _closing(text, at)
        )
    if letter == ".":
        if text[at - 1 : at] == ".":
            third = make_range(text, at - 2, at + 1, "")
            return Diagnostic("misplaced-dot", 'unexpected "." in a range', place, third)
        return Diagnostic("misplaced-dot", 'unexpected "." in a number', place, avoid_decimal(text, at))
    if letter.isspace():
        message = f"the character {ascii(letter)[1:-1]} is not a plain blank"
        return Diagnostic("foreign-syntax", message, place, Suggestion("write a plain blank", " "))
    if not letter.isprintable():
        return Diagnostic("foreign-syntax", f"the character {ascii(letter)[1:-1]} is not part of the language", place)
    if operator := _foreign_operator(text, at):
        sign, begin, hint = operator
        return Diagnostic(
            "foreign-syntax", f"{sign} is not part of the language", place_of(text, begin, begin + len(sign)), hint
        )
    if letter == "|":
        hint = _bar(text, start, at)
    elif letter in "“”‘’":
        hint = _straighten(hint, text, at)
    elif letter == "#":
        end, hint = hash_hint(text, at)
        hint = hint.on(place_of(text, at, end)) if isinstance(hint, Suggestion) else hint
    return Diagnostic("foreign-syntax", f"{letter} is not part of the language", place, hint)


def _closing(text: str, start: int) -> Suggestion:
    """Return the hint to close the quote at the offset ``start``.

    It proposes a closing quote after the first word, before a colon, at the end of the line, or at the end of the text.
    """
    quote, line = text[start], text[start:].split("\n")[0]
    ends = [match.end() for match in (re.match(r"['\"]\w*", line), re.match(r"[^:]*(?=:)", line)) if match]
    edits = [Edit(point(text, start + end), quote) for end in (*ends, len(line.rstrip()))]
    return Suggestion(f"close it with {quote}", *edits, Edit(point(text, len(text)), f"{quote}."))


def _straighten(hint: str, text: str, at: int) -> str:
    """Return ``hint`` for a curly quote, with straight quotes as its replacement.

    It proposes to replace both quotes of the quoted text. Without a closing quote, ``hint`` is returned unchanged.
    """
    quoted = re.compile(r"[“”‘’]([^“”‘’'\"\n]*)[“”‘’'\"]").match(text, at)
    if not quoted or not isinstance(hint, Suggestion):
        return hint
    quote = hint.replacements[0]
    return Suggestion(hint, Edit(place_of(text, at, quoted.end()), f"{quote}{quoted[1]}{quote}"))


def _foreign_operator(text: str, at: int) -> tuple[str, int, str] | None:
    """Find an operator of another language that contains the character at an offset.

    Returns the operator, the offset where it starts, and its hint, or None.
    """
    for sign, hint in PAIRS.items():
        for begin in range(max(0, at + 1 - len(sign)), at + 1):
            if text.startswith(sign, begin):
                return sign, begin, hint
    return None


def _bar(text: str, start: int, at: int) -> str:
    """Return the hint for a vertical bar, by its context: a list, a set, or other."""
    open_ = look_back(text, start, at).open
    if open_ and text[open_[-1]] == "[":
        return GENERATORS
    if open_ and text[open_[-1]] == "{":
        return BUILDER
    if open_ and re.compile(rf"\|\s*{RANGES}").match(text, at):
        return Suggestion("write a colon before generators", ":")
    if re.match(r"\|[^|.\n]{1,80}\|", text[at : at + 100]):
        return "write the distance of A and B as abs(A - B)"
    return Suggestion("write \\/ for a union of domains, and ; for or", "\\/", ";")


def _explain_token(
    token: Token, accepts: Collection[str], text: str, at: int, before: Before, end: str
) -> tuple[Diagnostic, int | None]:
    """Return the diagnostic for an unexpected token, and the offset where parsing continues.

    The offset is None if parsing must stop. ``accepts`` are the kinds of tokens that the parser accepts instead.
    """
    place, last, hint = place_of(text, at, at + len(token)), text[before.begin : before.end], ""
    after_last = place_of(text, before.end, before.end + 1)
    resume = next_clause(text, at)
    if text.startswith("--", before.clause):
        dashes = place_of(text, before.clause, before.clause + 2)
        hint = Suggestion("write a comment after %", "%")
        return Diagnostic("foreign-syntax", "-- is not part of the language", dashes, hint), resume
    if last.startswith('"') and "\n" in last and "COLON" in accepts:
        opened = place_of(text, before.begin, before.begin + 1)
        hint = _closing(text, before.begin)
        return Diagnostic("unclosed-quote", "the label that opens here is not closed on its line", opened, hint), None
    if "STRING" in accepts and (picture := PICTURE.match(text, before.clause)) and picture.end(1) <= at:
        message = "the picture of a grid is not in double quotes"
        hint = 'write " before the first row and ". after the last row'
        return Diagnostic("picture-quotes", message, place, hint), picture.end()
    if token.type == "$END":
        if "_END" in accepts:
            hint = modulo(text, before) or Suggestion("write a full stop", Edit(after_last._replace(width=0), "."))
            return Diagnostic("missing-full-stop", MISSING_STOP, after_last, hint), None
        if before.open:
            return _unclosed(text, before, after_last), None
        hint = modulo(text, before)
        if not hint and last == ";":
            hint = Suggestion(ENDED, Edit(place_of(text, *before[:2]), "."))
        return Diagnostic("unexpected-end", f"expected {_options(accepts)}, found {end}", after_last, hint), None
    new_line = "\n" in text[before.end : at]
    if new_line and "_END" in accepts and token.type in {"NAME", "VAR", "STRING", *map(str.upper, DECLARING)}:
        hint = modulo(text, before) or Suggestion("write a full stop", Edit(after_last._replace(width=0), "."))
        return Diagnostic("missing-full-stop", MISSING_STOP, after_last, hint), at
    if token == "in" and last in DECLARING:
        message = f"{last} is a word of the language and cannot be a name"
        return Diagnostic(
            "reserved-word", message, place_of(text, *before[:2]), "choose another name for the variable"
        ), resume
    if token in KEYWORDS and "NAME" in accepts:
        message = f"{token} is a word of the language and cannot be a name"
        return Diagnostic(
            "reserved-word", message, place, Suggestion(f"write the symbol as '{token}'", f"'{token}'")
        ), resume
    if "IN" in accepts and "EQUAL" not in accepts and "," in before.marks:
        comma = place_of(text, before.marks[","], before.marks[","] + 1)
        hint = end_facts(text, before.clause)
        return Diagnostic("missing-full-stop", "expected a full stop, found a comma", comma, hint), resume
    if token == "(" and re.fullmatch(VARIABLE, last) and (before.end == at or before.begin == before.clause):
        message = f"{last} begins with a capital letter, so it is a variable and has no arguments"
        name = re.sub("(?<=[a-z])(?=[A-Z])", "_", last).lower().lstrip("_")
        return Diagnostic(
            "capital-name", message, place_of(text, *before[:2]), Suggestion(f"write {name}(...)", name)
        ), resume
    if token.type == "VAR" and "NAME" in accepts and "VAR" not in accepts:
        hint = Suggestion(f"write {token.lower()}", token.lower()) if token[0] != "_" else ""
        return Diagnostic("capital-name", f"expected a name in lowercase, found {token}", place, hint), resume
    if token.type not in ("IMPLIES", "EQUIVALENT") and (operator := _foreign_operator(text, at)):
        sign, begin, hint = operator
        if sign == "=>" and token == "=":
            hint = ARROW
        return Diagnostic(
            "foreign-syntax", f"{sign} is not part of the language", place_of(text, begin, begin + len(sign)), hint
        ), resume
    is_range = last == ".." and before.end == at
    opening = text[before.open[-1]] if before.open else ""
    if opening and not is_range and (token.type in {"_END", "IF"} or BRACKETS.get(token, opening) != opening):
        return _unclosed(text, before, place), resume
    hint = hint_at(token, accepts, text, at, before)
    hint = make_range(text, at, at + len(token)) if hint == RANGE else hint
    message = f"expected {_options(accepts)}, found {_token_text(token)}"
    message = f'unexpected "{token}"' if token in WORDS or token == "[" else message
    if isinstance(hint, Cause):
        message, place = hint.message, hint.at
    return Diagnostic("unexpected-token", message, place, hint), resume


def _unclosed(text: str, before: Before, at: Place) -> Diagnostic:
    """Return the diagnostic for the innermost bracket that is not closed before a place."""
    close = CLOSED_BY[text[before.open[-1]]]
    here = at._replace(width=0)
    hint = Suggestion(unclosed_hint(text, before), Edit(here, close), Edit(here, f"{close}."), close)
    return Diagnostic("unclosed-bracket", f"missing {close}", at, hint)


def _token_text(token: Token) -> str:
    """Return how a message names a token: by a fixed phrase, or its own text.

    A text of more than 40 characters is cut off.
    """
    if token.type in ("_END", "STRING", "COMMA", "COLON"):
        return {**TOKEN_WORDS, "STRING": "a text"}[token.type]
    return str(token) if len(token) <= 40 else f"{token[:40]}..."


def _options(accepts: Collection[str]) -> str:
    """Return a phrase such as "a name or a comma" for accepted tokens."""
    remaining, options = set(accepts), []
    for needed, words, covered in GROUPS:
        if needed <= remaining:
            options.append(words)
            remaining -= covered
    options += [words for kind, words in TOKEN_WORDS.items() if kind in remaining]
    if not options:
        options = ["an operator" if remaining & OPERATORS else "something else"]
    return options[0] if len(options) == 1 else f"{', '.join(options[:-1])} or {options[-1]}"


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
        return Suggestion(f"remove it: no {BRACKETS[token]} is open here", "")
    last, adjacent = text[before.begin : before.end], before.end == at
    if token.type == "_END" and accepts == {"EQUAL"}:
        return "give the param a value, such as param n = 9."
    if token.type == "_END" and last == ".." and adjacent:
        return Suggestion("write a range with two dots, 1..n", "")
    if token.type == "_END":
        return ""
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
        or (_foreign(text, *first.span()) if first else "")
        or _missing(token, accepts, text, at, before)
        or (unclosed_hint(text, before) if CLOSING & {*accepts} else "")
    )


def _habit(token: Token, accepts: Collection[str], text: str, at: int, before: Before) -> str:
    """Return the hint for a notation of another language, or an empty text.

    Some notations of this language in a wrong place have hints here, too.
    """
    last, adjacent = text[before.begin : before.end], before.end == at
    if "PARAM" in accepts:
        return forbid(text, at) if token == ":-" else BEGINNINGS.get(token, "")
    if f"{last}_{token}" in RESERVED:
        word = f"{last}_{token}"
        return Suggestion(f"did you mean {word}?", Edit(place_of(text, before.begin, at + len(token)), word))
    if token == "not" and "IN" in accepts:
        return NONE_OF
    if re.compile(r"\s*,\s*!").match(text, before.end):
        return CUT
    if token == "=" and last in ("+", "-", "*"):
        return CHANGED
    if token == ":" and last == "int" and re.compile(r"\s*:\s*\w+\s*=").match(text, before.end):
        return PARAM
    if token == ".." and re.compile(r"!=\s*\S+\s*$").search(text, max(before.clause, at - 200), at):
        return NONE_OF
    if token == ";" and re.compile(r";[ \t]*(%[^\n]*)?(\n|$)").match(text, at):
        return ENDED
    if token in CONNECTIVES and before.connected - ({token} - {"<->"}):
        hint = regroup(text, at, before)
        return Cause(hint, "mixing , ; -> and <-> needs parentheses", place_of(text, at, at + len(token)))
    if PARITY.match(text, before.end):
        return WORDS["odd"]
    if token == "for":
        return move_for(text, at, before)
    if token in ("if", "when") and "IF" in accepts:
        return Suggestion(f"{BODY}, or {IMPLICATION}", ":-")
    if hint := WORDS.get(token) or _foreign(text, before.begin, before.end):
        return hint
    if not before.open and VALUES.match(text, before.clause):
        return DECLARED
    if token == "{" and last == "=":
        return NONE_OF if text.endswith("!=", 0, before.end) else ONE_OF
    if not before.open and (label := LABEL.match(text, before.clause)):
        return quote_label(text, *label.span(1), label[1])
    if not before.open and (call := INDEXED_LABEL.match(text, before.clause)):
        words = ",".join(f"{{{word.strip()}}}" for word in call[2].split(","))
        return quote_label(text, call.start(), text.index(":", call.start()), f"{call[1]} {words}")
    if token == "{":
        return Cause(CHOICE, "a choice in braces is not part of the language", place_of(text, at, at + 1))
    if token.type == "UNION" and "_END" in accepts:
        return OR
    if token == ":" and "RPAR" in accepts:
        return ONE_LIST
    if token == ":" and "RSQB" in accepts:
        return GENERATORS
    if token == ":" and "IF" in accepts:
        return quote_label(text, *before[:2], last[1:-1]) if last.startswith("'") else BODY
    if token == "[" and adjacent and re.match(r"\w", last):
        return parenthesise(text, at, last)
    return ""


def _foreign(text: str, begin: int, end: int) -> str:
    """Return the hint if ``text[begin:end]`` is a word of another language, else an empty text."""
    word = text[begin:end]
    hint = rewrite_beginning(text, begin, word) if word in ("if", "for") else WORDS.get(word, "")
    # MiniZinc declares a variable as var 1..4: x;
    if word == "var" and (declared := re.compile(r"var\s+(-?\d\S*|\{[^}]*\})\s*:\s*(\w+)").match(text, begin)):
        hint = f"write {declared[2]} in {declared[1]}."
    if hint == PARAM and re.compile(r"\s+\w[^.=]*\sin\b").match(text, end):
        hint = DECLARED
    if word in KEYWORDS or not hint:
        return Suggestion(hint)
    is_rewritten = word in ("if", "for")  # other replacements are for the token
    return Cause(hint if is_rewritten else str(hint), f'unexpected "{word}"', place_of(text, begin, end))


def _domain(token: Token, text: str, at: int, before: Before) -> str:
    """Return the hint for an error in a domain, after ``in``, or an empty text."""
    domain = re.search(r"\bin\s+([^.,;\s]*)(\.\.)?[^.,;\s]*\s*$", text[max(before.clause, at - 200) : at])
    if not domain:
        return ""
    if token == ":" and domain[1].startswith("{"):
        return BUILDER
    if token == ":" and not domain[2]:
        return RANGE
    if token == ".." and domain[1].startswith(("[", "(")):
        return f"write a range without brackets, 1..9; {SET}"
    if token == "..":
        return f"a range has two ends and no step; {SET}"
    if token.type in ("INT", "NAME") and domain[1].startswith("{"):
        return Suggestion(LISTED, Edit(point(text, before.end), ","))
    if token == "," and not domain[2] and re.compile(r",\s*(-?\d+|[a-z]\w*)\s*[,.]").match(text, at):
        return SET
    return ""


def modulo(text: str, before: Before) -> str:
    """Return the hint for ``%`` used as an operator, or an empty text."""
    if re.compile(r"[ \t]*%[ \t]*[\w(][^\n]{0,80}[=<>]").match(text, before.end):
        return "% begins a comment; write the remainder of a division as A mod 2"
    return ""


def _missing(token: Token, accepts: Collection[str], text: str, at: int, before: Before) -> str:
    """Return the hint for a sign probably missing or wrong, or an empty text.

    Such signs are an operator, a comma, a full stop or ``:-``.
    """
    last, adjacent = text[before.begin : before.end], before.end == at
    gap, here = point(text, before.end), point(text, at)
    if token.type in {"NAME", "VAR", "LPAR"} and adjacent and last.isdigit():
        return Suggestion("write * for a product", Edit(here, "*"))
    if token.type in RELATIONS and "_END" in accepts:
        return unchain(token, text, at, before)
    if last.startswith('"') and "COLON" in accepts:
        return Suggestion("write a colon after the label", Edit(gap, ":"))
    if token == "(" and last == ")":
        return "write generators after a colon, sum(x(I) : I in 1..3)"
    if token == ".." and "RPAR" in accepts:
        return OVER
    if token.type == "VAR" and re.fullmatch(VARIABLE, last) and {"IN", "COMMA"} <= {*accepts} and not before.open:
        return Suggestion("separate variables by commas, A, B in 1..9.", Edit(gap, ","))
    if {"COMMA", "RPAR"} <= {*accepts} and token.type in STARTS and re.fullmatch("[ \\t]+", text[before.end : at]):
        return Suggestion(f"write a comma between them: {last}, {token}", Edit(gap, ","))
    if token.type == "COMMA" and {"IF", "_END"} <= set(accepts):
        return separate(text, at, before)
    if token.type == "STRING" and "_END" not in accepts:
        return Suggestion("write a symbol in single quotes", f"'{token[1:-1]}'")
    if "_END" in accepts and token.type in STARTS | {"NOT"}:
        mark = ":-" if "IF" in accepts else ","
        edits = (Edit(gap, "."), Edit(here, ":- ") if mark == ":-" else Edit(gap, ","))
        return Suggestion(f"is a full stop or {'a comma' if mark == ',' else mark} missing before it?", *edits)
    return ""
