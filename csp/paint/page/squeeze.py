"""Scripts and style sheets without what only their readers need: comments and spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

TIGHT = set("{}()[];,<>=+-*/%&|^!~?:.")
"""What needs no space beside it."""
OPEN, CLOSE = set("{([,;=+?:&|>"), set("})].,?:&|;")
"""What a line may end with, or begin with, that goes on in the one beside it."""
BEFORE_PATTERN = set("(,=:[!&|?{};+\n") | {""}
"""What stands before a slash that begins a regular expression."""


def script(text: str) -> str:
    """A script that does the same, in fewer letters. Strings, templates and regular expressions stay as they are.

    Parameters
    ----------
    text : str
        JavaScript whose statements end with a semicolon or a brace.

    Returns
    -------
    str
        O(letters).

    Examples
    --------
    >>> script("/* one */ const a = { b: 1 }; // two\\nlet c = `x ${ a.b + 1 } // y`;\\n")
    'const a={b:1};let c=`x ${a.b+1} // y`;'
    """
    made: list[str] = []
    for token in _tokens(text):
        if token.isspace():
            last = made[-1][-1:] if made else ""
            if last and not last.isspace():
                made.append("\n" if "\n" in token else " ")
            elif "\n" in token and last == " ":
                made[-1] = "\n"
            continue
        if made and made[-1] in (" ", "\n"):
            before, first = made[-2][-1], token[0]
            if (made[-1] == " " and (before in TIGHT or first in TIGHT) and not (before in "+-" and first in "+-")) or (
                made[-1] == "\n" and (before in OPEN or first in CLOSE)
            ):
                made.pop()
        made.append(token)
    return "".join(made).strip()


def _tokens(text: str) -> Iterator[str]:
    """Strings, pieces of templates, patterns, runs of spaces, and single letters of all else; no comments."""
    at, last = 0, ""
    depths: list[int] = []  # of braces within the templates that are open
    while at < len(text):
        two = text[at : at + 2]
        if two in ("//", "/*"):
            at = text.find("\n" if two == "//" else "*/", at)
            at = len(text) if at < 0 else at + (0 if two == "//" else 2)
            continue
        letter = text[at]
        if letter in "\"'":
            token = _until(text, at, letter)
        elif letter == "`" or (letter == "}" and depths and depths[-1] == 0):
            if letter == "}":
                depths.pop()
            token = _template(text, at)
            if token.endswith("${") and not token.endswith("\\${"):
                depths.append(0)
        elif letter == "/" and last in BEFORE_PATTERN:
            token = _pattern(text, at)
        else:
            found = re.compile(r"\s+|[\w$#]+|.", re.DOTALL).match(text, at)
            assert found
            token = found[0]
            if depths and token in "{}":
                depths[-1] += 1 if token == "{" else -1
        if not token.isspace():
            last = token[-1]
        yield token
        at += len(token)


def _until(text: str, at: int, end: str) -> str:
    found = re.compile(rf"(?:\\.|[^\\{end}])*{end}", re.DOTALL).match(text, at + 1)
    assert found, "a string ends"
    return text[at : found.end()]


def _template(text: str, at: int) -> str:
    """A template from a backtick, or from a brace within, to the next of these."""
    found = re.compile(r"(?:\\.|\$(?!\{)|[^\\`$])*(?:`|\$\{)", re.DOTALL).match(text, at + 1)
    assert found, "a template ends"
    return text[at : found.end()]


def _pattern(text: str, at: int) -> str:
    found = re.compile(r"(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\/\[])+/[a-z]*").match(text, at + 1)
    assert found, "a pattern ends"
    return text[at : found.end()]


def style(text: str) -> str:
    """A style sheet that says the same, in fewer letters.

    Examples
    --------
    >>> style("/* one */\\n.a > b, .c { margin: 0 auto; color: #fff }\\n")
    '.a > b,.c{margin:0 auto;color:#fff}'
    """
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" ?([{};,]) ?", r"\1", re.sub(r"(?<=[\w-]): (?=[^{}]*[;}])", ":", text)).replace(";}", "}").strip()
