"""Tests of the formatter: it changes only blanks, and a second run changes nothing."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import dsl.syntax.format
from dsl.syntax import nodes
from dsl.syntax.errors import Source, SpecError
from dsl.syntax.format import WIDTH, format_spec
from dsl.syntax.parse import parse, tokens

from ..conftest import ROOT, TIMES
from .test_fuzz import TEXTS, mutant

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))


def format_text(text: str) -> str:
    return format_spec(Source("<text>", text))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("\n\n \n", ""),
        ("% a  b  \n", "% a  b\n"),
        ("A,B   in  1 .. 4 .", "A, B in 1..4.\n"),
        ("A in{red,'Big  Red'}\\/{3 .. 5}.", "A in {red, 'Big  Red'} \\/ {3..5}.\n"),
        ('"a  b":all_different( [ A,B ] ).', '"a  b": all_different([A, B]).\n'),
        ("p ( 1 , in ):-not q( _ ).", "p(1, in) :- not q(_).\n"),
        ("A!=B:-C<=1,D mod 2=0.", "A != B :- C <= 1, D mod 2 = 0.\n"),
        ("A = 2*B;B = 2*A.", "A = 2*B ; B = 2*A.\n"),
        ("sum(x(I):I in 1..3)=7.", "sum(x(I) : I in 1..3) = 7.\n"),
        ("A = B+1. A = B + 1.", "A = B+1. A = B + 1.\n"),
        ("A = B +1. A = B+ 1.", "A = B + 1. A = B + 1.\n"),
        ("A = 2 * B+1 - C. A = 2*B + 1.", "A = 2*B+1-C. A = 2*B + 1.\n"),
        ("A in 0..2 * n - 1. A in -1 .. - 1.", "A in 0..2*n-1. A in -1..-1.\n"),
        ("A = - - B - -1. A = (B+1) * 2.", "A = --B - -1. A = (B+1) * 2.\n"),
        ("% one\n\n\n\nA = 1.\n\nB = 2.", "% one\n\nA = 1.\n\nB = 2.\n"),
        ("A = 1. B = 2.\nC = 3. D = K :- K = 2. E = 5.", "A = 1. B = 2.\nC = 3.\nD = K :- K = 2.\nE = 5.\n"),
        ("A = 1. % one\n  % two\nB = 2.", "A = 1.  % one\n% two\nB = 2.\n"),
        ("A = 1.   % one\n         % two\nB = 2.     % b", "A = 1.  % one\n        % two\nB = 2.  % b\n"),
        ("A =\n1\n+ 2\n. B = 3.", "A =\n    1\n    + 2\n    .\nB = 3.\n"),
        ("A = 1 % of\n % it\n+ 2.", "A = 1  % of\n    % it\n    + 2.\n"),
        ('grid g = "\n 12  \n\n\n 34 % no\n".  A = 1.', 'grid g = "\n 12  \n\n\n 34 % no\n".\nA = 1.\n'),
        ("\tA\tin\t1..2.\f", "A in 1..2.\n"),
    ],
    ids=range(23),
)  # fmt: skip
def test_a_text_has_its_formatted_text(before: str, after: str) -> None:
    assert format_text(before) == after
    assert format_text(after) == after


def test_aligned_clauses_stay_aligned() -> None:
    text = """\
p(1,  a).   p(22,  b).  % x
p(333, c).  p(4444, d).    % y
"r":       all_different(A : q)   :- r.
"columns": all_different(A + 1 : q)
         :- s.
"c":       all_different(A     : q) :- t.
"""
    assert (
        format_text(text)
        == """\
p(1, a).   p(22, b).  % x
p(333, c). p(4444, d).  % y
"r":       all_different(A : q) :- r.
"columns": all_different(A + 1 : q)
    :- s.
"c":       all_different(A     : q) :- t.
"""
    )


def test_long_lines_are_broken() -> None:
    facts = " ".join(f"p({i}, {i})." for i in range(100, 140))
    body = '"label": ' + "A" * 70 + " = B :- " + "C" * 30 + " in 1..4, D in 1..4.  % and so on"
    sums = "A = " + " + ".join(f"{i}*B" for i in range(100, 160)) + " :- A < B."
    for text in (facts, body, sums, "A = " + "b" * 200 + "."):
        result = format_text(text)
        assert format_text(result) == result
        lines = [line.partition("  %")[0] for line in result.splitlines()]
        assert all(len(line) <= WIDTH or " " not in line.strip() for line in lines if "bbb" not in line)
        assert " ".join(line.strip() for line in result.splitlines()) == text
    assert format_text(body).splitlines()[1] == "    :- " + "C" * 30 + " in 1..4, D in 1..4.  % and so on"
    assert [line[:2] for line in format_text(facts).splitlines()] == ["p("] * 5
    assert all(line.startswith("    + ") for line in format_text(sums).splitlines()[1:-1])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text


def change_blanks(rng: random.Random, text: str) -> str:
    """Return the same tokens with random blanks between them."""
    parts = []
    for token in tokens(text):
        if token.type == "WHITESPACE":
            parts.append(rng.choice([token, token, token, " ", "  ", "   ", "\n", "\n\n\n", "\n  ", "\t"]))
        else:
            parts.append(token + ("\n" if token.type == "COMMENT" else rng.choice(["", "", "", "", " ", "\n"])))
    return "".join(parts)


def clauses_of(text: str) -> list[nodes.Clause]:
    """Return the clauses of a text, with the same place for each grid."""
    clauses, diagnostics = parse(text)
    assert not diagnostics
    place = nodes.Place(1, 1)
    return [replace(clause, text_at=place) if isinstance(clause, nodes.Grid) else clause for clause in clauses]


def test_formatting_is_idempotent_and_keeps_meaning_and_comments() -> None:
    formatted_count = 0
    for seed in range(80 * TIMES):
        rng = random.Random(seed)
        text = mutant(rng) if seed % 2 else change_blanks(rng, rng.choice(TEXTS))
        text = Source("", text).text
        if parse(text)[1]:
            with pytest.raises(SpecError):
                format_text(text)
            continue
        result = format_text(text)
        formatted_count += 1
        assert clauses_of(result) == clauses_of(text), (seed, text)
        assert format_text(result) == result, (seed, text)
        assert not result or (result.endswith("\n") and not result.endswith("\n\n")), (seed, text)
        comments = [token.rstrip() for token in tokens(text) if token.type == "COMMENT"]
        assert [token for token in tokens(result) if token.type == "COMMENT"] == comments, (seed, text)
        strings = [token for token in tokens(text) if token.type == "STRING"]
        assert [token for token in tokens(result) if token.type == "STRING"] == strings, (seed, text)
    assert formatted_count > 30


def test_the_formatter_refuses_a_result_with_another_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dsl.syntax.format, "write_row", lambda row: "A in 1..3.\n")
    with pytest.raises(SpecError, match="would mean something else"):
        format_text("A in 1..4.")


def run_format(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dsl", "format", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=ROOT)


def test_the_command_formats_or_checks_files(tmp_path: Path) -> None:
    tidy, untidy, invalid = (tmp_path / f"{name}.csp" for name in ("good", "bad", "wrong"))
    tidy.write_bytes(b"A in 1..4.\n")
    untidy.write_bytes("\ufeffA  in 1..4. % \u00e9\r\n".encode())
    invalid.write_bytes(b"A  in .\n")
    os.utime(tidy, (1, 1))
    untidy.chmod(0o600)
    link = tmp_path / "link.csp"
    link.symlink_to(untidy)

    result = run_format("--check", tidy, untidy)
    assert (result.returncode, result.stdout) == (1, f"{untidy}: would change\n".encode())
    assert untidy.read_bytes().startswith(b"\xef\xbb\xbf")
    result = run_format("--check", invalid, untidy)
    assert result.returncode == 2 and result.stderr.startswith(f"{invalid}:1:7: error: ".encode())

    result = run_format(tidy, invalid, link)
    assert result.returncode == 2 and not result.stdout and b"1:7: error: expected" in result.stderr
    assert tidy.stat().st_mtime == 1 and invalid.read_bytes() == b"A  in .\n"
    assert untidy.read_bytes() == "A in 1..4.  % \u00e9\n".encode() and link.is_symlink()
    assert stat.S_IMODE(untidy.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.csp", "good.csp", "link.csp", "wrong.csp"]

    assert run_format("--check", tidy, untidy).returncode == 0
    result = run_format("-", stdin=b"A  in 1..4.")
    assert (result.returncode, result.stdout) == (0, b"A in 1..4.\n")
    result = run_format("--check", "-", stdin=b"A  in 1..4.")
    assert (result.returncode, result.stdout) == (1, b"-: would change\n")
    assert run_format(tmp_path / "none.csp").returncode == 2 and run_format().returncode == 2
