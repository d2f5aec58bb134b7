"""Specs that mean harm end soon, with a report, in little memory, of which half a gigabyte is enough for each."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable

import pytest

from dsl.text.limits import LIMITS

from .conftest import ROOT

MEMORY = 1 << 29
HANGING = 120
"""Seconds after which a program hangs, on the slowest machine."""

A = "A in 1..3. "


def filled(clause: str) -> str:
    """The longest text that repeats a clause."""
    return clause * (LIMITS.characters // len(clause))


def run(text: str | bytes, *command: str) -> subprocess.CompletedProcess[bytes]:
    data = text if isinstance(text, bytes) else text.encode()
    limit: Callable[[], None] = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # noqa: E731
    arguments = [sys.executable, "-m", "dsl", *command, "-"]
    return subprocess.run(arguments, input=data, capture_output=True, cwd=ROOT, timeout=HANGING, preexec_fn=limit)


WRONG: dict[str, tuple[str | bytes, str]] = {
    "a range of a billion": ("A in 1..1000000000.", "1..1000000000 has 1,000,000,000 values, and 100,000 is the most"),
    "a domain of a million": ("A in 1..1000000.", "has 1,000,000 values, and 100,000 is the most"),
    "a domain in pieces": ("A in 1..100000 \\/ 200000..200001.", "more than 100,000 values"),
    "four nested generators": (
        "x(A, B, C, D) in 1..2 :- " + ", ".join(f"{v} in 1..1000" for v in "ABCD") + ".",
        "more than 1,000,000 instances",
    ),
    "a nested relation": (
        "p(A, B, C, D) :- " + ", ".join(f"{v} in 1..1000" for v in "ABCD") + ".",
        "more than 1,000,000 instances",
    ),
    "many variables": (
        "x(I) in 1..100000 :- I in 1..100000.",
        "more than 10,000,000 values in all",
    ),
    "ten megabytes": (A.encode() * 1_000_000, "larger than 8,000,000 bytes"),
    "a million clauses": ("a.\n" * 1_000_000, "3,000,000 characters, and 1,000,000 is the most"),
    "open parentheses": ("(" * 100_000, "the text ends where a condition is expected"),
    "open brackets": ("[" * 100_000, "the text ends where an argument or ] is expected"),
    "signs": (f"{A}A = {'- ' * 100_000}1.", "nested too deeply"),
    "calls": (f"{A}A = {'abs(' * 30_000}1{')' * 30_000}.", "nested too deeply"),
    "products": (f"{A}A = {' * '.join(['2'] * 30_000)}.", "nested too deeply"),
    "binary rubbish": (bytes(range(256)) * 1000, "this is not text in UTF-8"),
    "zeros": (b"\x00" * 100_000, "the character \\x00 is not part of the language"),
    "UTF-16": (A.encode("utf-16"), "this is not text in UTF-8"),
    "UTF-16 without its mark": (A.encode("utf-16-be"), "the character \\x00 is not part of the language"),
    "Latin-1": (b"% caf\xe9\n", ":1:6: error: this is not text in UTF-8"),
    "a lone quote": ('"', ":1:1: error: the text that opens here is not closed"),
    "odd quotes": ('"' * 100_001, "the text that opens here is not closed"),
    "a lone apostrophe": ("'", "the symbol that opens here is not closed"),
    "a long number": (f"A in 1..{'9' * 900_000}.", "more than 18 digits"),
    "a long line of mistakes": (filled("A = ) ."), ") stands where an expression is expected"),
    "a mistake at the end": (f"{'p(1). ' * 20_000}A in .", ":1:120006: error: a full stop stands where a domain"),
    "a deep label": (f'{A}"{"{" * 100_001}": A != 1.', "this { has no partner"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_what_is_refused(text: str | bytes, message: str) -> None:
    result = run(text, "solve")
    report = result.stderr.decode()
    assert result.returncode == 2 and not result.stdout
    assert message in report and "Traceback" not in report
    assert len(report) < 10_000


ANSWERED: dict[str, tuple[str | bytes, bytes]] = {
    "deep parentheses": (f"{A}A = {'(' * 100_000}2{')' * 100_000}.", b"A = 2\n"),
    "a long sum": (f"{A}{' + '.join(['A'] * 10_000)} = 20000.", b"A = 2\n"),
    "Windows line ends": (b"\xef\xbb\xbfA in 1..3.\r\nA = 2.\r\n", b"A = 2\n"),
    "a long name": (f"{'A' * 900_000} in 1..2.", b"A" * 900_000 + b" = 1\n"),
    "a long symbol": (f"A in {{'{'x' * 900_000}'}}.", b"A = " + b"x" * 900_000 + b"\n"),
    "a long label": (f'{A}"{"x" * 900_000}": A = 2.', b"A = 2\n"),
    "a long comment": (f"{A}%{'x' * 900_000}", b"A = 1\n"),
    "many clauses": ("A in 1..3.\n" * 8_000, b"A = 1\n"),
    "a chain of relations": (
        "p0(1). " + "".join(f"p{i + 1}(X) :- p{i}(X). " for i in range(3000)) + "A in X..3 :- p3000(X).",
        b"A = 1\n",
    ),
}


@pytest.mark.parametrize(("text", "answer"), ANSWERED.values(), ids=ANSWERED)
def test_what_is_merely_large(text: str | bytes, answer: bytes) -> None:
    result = run(text, "solve")
    assert (result.returncode, result.stdout, result.stderr) == (0, answer, b"")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"A = {'(' * 10_000}2{')' * 10_000}.", id="deep"),
        pytest.param("a(1). " * 2500, id="long line"),
        pytest.param("a(1).\n" * 2500, id="many lines"),
        pytest.param("\n" * 900_000 + "a(1).", id="blank lines"),
        pytest.param(f"A = {'x' * 900_000}. B = 1.", id="long word"),
    ],
)
def test_formatting(text: str) -> None:
    result = run(text, "format")
    assert result.returncode == 0 and not result.stderr
    assert result.stdout.split() == text.encode().split()
