"""Tests that hostile specs end soon, with a report, in little memory."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from csp.encoding.export import EXPORTS
from dsl.syntax.limits import LIMITS

from ..commands import run as command_line
from ..commands import spec
from ..conftest import TIMES

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

MEMORY = 1 << 29
HANGING = 120
"""Seconds after which a program counts as hanging, also on the slowest machine."""

A = "A in 1..3. "


def repeat_to_limit(clause: str) -> str:
    """Return the longest allowed text that repeats a clause."""
    return clause * (LIMITS.characters // len(clause))


def run(folder: Path, texts: list[str | bytes], command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command on the texts, written to ``0.csp``, ``1.csp``, ..."""
    files = [f"{number}.csp" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    limit: Callable[[], None] = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # noqa: E731
    arguments = [sys.executable, "-m", "dsl", command, *files]
    return subprocess.run(arguments, capture_output=True, cwd=folder, timeout=HANGING, preexec_fn=limit)


REFUSED: dict[str, tuple[str | bytes, str]] = {
    "a range of a billion": ("A in 1..1000000000.", "1..1000000000 has 1,000,000,000 values; the limit is 100,000"),
    "a domain of a million": ("A in 1..1000000.", "has 1,000,000 values; the limit is 100,000"),
    "a domain in pieces": ("A in 1..100000 \\/ 200000..200001.", "more than 100,000 values"),
    "four nested generators": (
        "x(A, B, C, D) in 1..2 :- " + ", ".join(f"{v} in 1..1000" for v in "ABCD") + ".",
        "more than 1,000,000 instances",
    ),
    "a nested relation": (
        "p(A, B, C, D) :- " + ", ".join(f"{v} in 1..1000" for v in "ABCD") + ".",
        "more than 1,000,000 instances",
    ),
    "sums of sums of sums": (
        "x(I) in 0..1 :- I in 1..100. sum(sum(sum(x(I)*x(J)*x(K) : K in 1..100) : J in 1..100) : I in 1..100) > 3.",
        "more than 1,000,000 instances",
    ),
    "many variables": (
        "x(I) in 1..100000 :- I in 1..100000.",
        "more than 10,000,000 values in all",
    ),
    "ten megabytes": (A.encode() * 1_000_000, "larger than 8,000,000 bytes"),
    "a million clauses": ("a.\n" * 1_000_000, "3,000,000 characters; the limit is 1,000,000"),
    "open parentheses": ("(" * 100_000, "missing )"),
    "open brackets": ("[" * 100_000, "missing ]"),
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
    "a long line of mistakes": (repeat_to_limit("A = ) ."), "expected an expression, found )"),
    "a mistake at the end": (f"{'p(1). ' * 20_000}A in .", ":1:120006: error: expected a domain"),
    "a label that is multiplied": (
        f'{A}"{"x" * 900_000} {{I}}": A != I :- I in 1..100000.',
        "all labels together have more than 20,000,000 characters",
    ),
    "a deep label": (f'{A}"{"{" * 100_001}": A != 1.', "this { has no partner"),
}


def test_hostile_specs_are_refused_with_a_message(tmp_path: Path) -> None:
    result = run(tmp_path, [text for text, _ in REFUSED.values()], "solve")
    assert result.returncode == 2 and b"".join(result.stdout.split()).count(b".csp:") == len(REFUSED)
    errors = result.stderr.decode()
    for number, (name, (_, message)) in enumerate(REFUSED.items()):
        assert re.search(rf"^(csp: )?{number}\.csp.*{re.escape(message)}", errors, re.M), name
    assert "Traceback" not in errors and len(errors) < 50_000


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


def test_large_specs_within_the_limits_are_solved(tmp_path: Path) -> None:
    result = run(tmp_path, [text for text, _ in ANSWERED.values()], "solve")
    assert (result.returncode, result.stderr) == (0, b"")
    answers = re.split(rb"^\n?\d+\.csp:\n", result.stdout, flags=re.M)
    for name, answer in zip(ANSWERED, answers[1:], strict=True):
        assert answer.rstrip() == ANSWERED[name][1].rstrip(), name


NESTED = {
    "A, B in 0..1. {(}A = 1{ <-> B = 1)}.": 49,
    "A, B in 0..1. {(B = 1 <-> }A = 1{)}.": 49,
    "A, B in 0..1. {(}A = 1{ -> B = 1)}.": 49,
    "A, B in 0..1. {(B = 0, (B = 1 ; }A = 1{))}.": 24,
    "A, B in 0..1. {count(B = 1, }A = 1{) = 1}.": 24,
    "A, B in 0..1. {not all_equal([B, count(}A = 1{)])}.": 24,
    "A, B in 0..1. {max(B, 1 + }A{)} = 2.": 49,
    "A, B in 0..1. {max(B : A != }A{)} = 2.": 24,
    "A, B in 0..1. {B*(1 + }A{)} = 1.": 49,
    "A, B in 1..2. {B // (1 + }A{)} = 1.": 49,
    "x(I) in 0..1 :- I in 0..1. {x(}0{)} = 0.": 50,
    "A, B in 0..1. minimize({max(B, 1 + }A{)}).": 50,
    "A, B in 0..1. show board({max(B, 1 + }A{)}) = B.": 50,
}
"""Texts with repeated parts in braces, and how many repetitions the commands accept."""

COMMANDS = [
    ("solve", "--limit", 1), ("check",), ("propagate",), ("explain",), ("trace",), ("rate",), ("candidates",),
    ("minimal",), ("graph",), ("compare",), ("solve", "--search", "learn"), ("solve", "--count"),
    *[("export", "--to", form) for form in EXPORTS],
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("number", "text"), [*enumerate(NESTED)], ids=NESTED)
def test_deeply_nested_specs_are_answered_or_refused_by_all_commands(number: int, text: str, tmp_path: Path) -> None:
    """Use every third command for each text; ``TIMES=2`` uses all."""
    commands = COMMANDS if TIMES > 1 else COMMANDS[number % 3 :: 3]

    def repeat_parts(times: int) -> str:
        return re.sub(r"\{(.*?)\}", lambda match: match[1] * times, text)

    path = spec(tmp_path, repeat_parts(NESTED[text]))
    for command, *options in commands:
        assert "nested too deeply" not in command_line(command, path, *options).output, command
    # All commands stop at the same place when they load a text; ``check`` has a loading of its own.
    for times, refusing in ((NESTED[text] + 1, commands), (300, COMMANDS[:2]), (3000, COMMANDS[:1])):
        path = spec(tmp_path, repeat_parts(times))
        for command, *options in refusing:
            result = command_line(command, path, *options)
            assert result.exit_code == 2 and re.search(r"spec\.csp:1:\d+: error: .*nested too deeply", result.output)


LARGE = [
    f"A = {'(' * 10_000}2{')' * 10_000}.",
    "a(1). " * 2500,
    "a(1).\n" * 2500,
    "\n" * 900_000 + "a(1).",
    f"A = {'x' * 900_000}. B = 1.",
]


def test_large_specs_are_formatted(tmp_path: Path) -> None:
    result = run(tmp_path, [*LARGE], "format")
    assert result.returncode == 0 and not result.stderr
    for number, text in enumerate(LARGE):
        assert (tmp_path / f"{number}.csp").read_text().split() == text.split()
