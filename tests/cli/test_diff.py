"""Tests of csp diff: the effect of a clue or of a stronger level."""

from __future__ import annotations

from pathlib import Path

import pytest

import csp
import dsl
from csp.render.text.differences import differences
from csp.trace import Reach, reach

from ..commands import run
from ..conftest import ROOT

SHIDOKU = ROOT / "examples" / "shidoku.csp"
CLUES = "C = 4. F = 2. K = 1. N = 3."


@pytest.fixture
def reduced_spec(tmp_path: Path) -> Path:
    """Write a copy of the 4x4 that lacks one clue."""
    path = tmp_path / "fewer.csp"
    text = SHIDOKU.read_text(encoding="utf-8")
    assert CLUES in text
    path.write_text(text.replace(CLUES, CLUES.replace("K = 1.", "")), encoding="utf-8")
    return path


def test_diff_shows_the_effect_of_a_clue(reduced_spec: Path) -> None:
    result = run("diff", reduced_spec, SHIDOKU)
    assert result.exit_code == 0
    assert (
        result.stdout
        == f"""\
--- {reduced_spec} · singles
+++ {SHIDOKU} · singles
@@ removed @@
+ K = 1 (line 20): 2, 3 from K
+ row 3 (line 7): 1 from I, L
+ column 3 (line 12): 1 from G, O
+ row 2 (line 6): 3 from H
+ row 4 (line 8): 2 from M
@@ left @@
- G in {{1, 3}}
+ G in {{3}}
- H in {{1, 3}}
+ H in {{1}}
- I in {{1, 2}}
+ I in {{2}}
- K in 1..3
+ K in {{1}}
- L in {{1, 3}}
+ L in {{3}}
- M in {{1, 2}}
+ M in {{1}}
- O in {{1, 2}}
+ O in {{2}}
@@ in all @@
- removed 40 · rounds 3 · propagators 0 · unfixed 7
+ removed 48 · rounds 3 · propagators 0 · unfixed 0
"""
    )


def test_reversed_arguments_swap_the_signs(reduced_spec: Path) -> None:
    lines, reversed_lines = (
        run("diff", *files).stdout.splitlines()[2:] for files in ((reduced_spec, SHIDOKU), (SHIDOKU, reduced_spec))
    )
    swapped = [line.translate(str.maketrans("+-", "-+", "")) if line[0] in "+-" else line for line in reversed_lines]
    assert sorted(lines) == sorted(swapped)


def test_diff_shows_the_effect_of_a_stronger_level(reduced_spec: Path) -> None:
    result = run("diff", reduced_spec, "--level", "arc", "--level", "domain")
    header, body = result.stdout.splitlines()[:2], result.stdout.splitlines()[2:]
    assert header == [f"--- {reduced_spec} · arc", f"+++ {reduced_spec} · domain"]
    model = dsl.load(reduced_spec)
    arc, domain = (csp.propagate(model, level).domains for level in ("arc", "domain"))  # type: ignore[arg-type]
    changed = [v for v in model.domains if arc[v] != domain[v]]
    assert changed and [line.split()[1] for line in body if line.startswith("+ ") and " in " in line] == changed
    assert not [line for line in body if line.startswith("-") and ": " in line]  # arc removes nothing that domain keeps


def test_equal_specs_have_only_totals() -> None:
    result = run("diff", SHIDOKU, SHIDOKU)
    assert result.stdout.splitlines()[2:] == ["@@ in all @@", "  removed 48 · rounds 3 · propagators 0 · unfixed 0"]


def reach_of(text: str) -> Reach:
    """Return the trace and the fixpoint of the model of a text."""
    return reach(csp.Solver(dsl.loads(text)))


def test_diff_shows_changed_variables_and_domains() -> None:
    old, new = reach_of("A in 1..3. B in 1..2. A != B."), reach_of("A in 1..4. C in 1..2. A = 2. A != C.")
    assert list(differences(old, new)) == [
        "@@ domains @@",
        "- A in 1..3",
        "+ A in 1..4",
        "- B in {1, 2}",
        "+ C in {1, 2}",
        "@@ removed @@",
        "+ A = 2 (line 1): 1, 3 from A",
        "@@ left @@",
        "- A in 1..3",
        "+ A in {2}",
        "- B in {1, 2}",
        "+ C in {1}",
        "@@ in all @@",
        "- removed 0 · rounds 0 · propagators 0 · unfixed 2",
        "+ removed 4 · rounds 2 · propagators 0 · unfixed 0",
    ]


def test_diff_shows_the_failure_of_an_additional_clue() -> None:
    old, new = reach_of("A, B in 1..2. A != B. A = 1."), reach_of("A, B in 1..2. A != B. A = 1. B = 1.")
    assert list(differences(old, new))[-2:] == [
        "- removed 2 · rounds 1 · propagators 0 · unfixed 0",
        "+ removed 2 · rounds 0 · propagators 0 · failure · "
        "A != B (line 1): 2 has no place left: A by A = 1 (line 1); B by B = 1 (line 1)",
    ]


def test_diff_refuses_other_numbers_of_specs_and_levels() -> None:
    assert "compare two specs, or one at two levels" in run("diff", SHIDOKU).stderr
    assert run("diff", SHIDOKU, "--level", "arc").exit_code == 2
    assert run("diff", SHIDOKU, *["--level", "arc"] * 3).exit_code == 2
    stdin_twice = run("diff", "-", "-", stdin="A in 1..2.")
    assert stdin_twice.exit_code == 2 and "standard input can be read only once" in stdin_twice.stderr


def test_diff_refuses_to_read_standard_input_twice(reduced_spec: Path) -> None:
    for arguments in (
        (reduced_spec, reduced_spec, "--grid", "clue=-"),
        ("-", "-"),
        (reduced_spec, "-", "--grid", "clue=-"),
    ):
        result = run("diff", *arguments)
        assert result.exit_code == 2 and "standard input can be read only once" in result.stderr
