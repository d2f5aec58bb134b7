"""What one more clue or a stronger level changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import csp
import dsl
from csp.render.text.differences import differences
from csp.trace import Reach, reach

from .commands import run
from .conftest import ROOT

SHIDOKU = ROOT / "examples" / "shidoku.csp"
CLUES = "C = 4. F = 2. K = 1. N = 3."


@pytest.fixture
def fewer(tmp_path: Path) -> Path:
    """The 4x4 without one of its clues."""
    path = tmp_path / "fewer.csp"
    text = SHIDOKU.read_text(encoding="utf-8")
    assert CLUES in text
    path.write_text(text.replace(CLUES, CLUES.replace("K = 1.", "")), encoding="utf-8")
    return path


def test_one_more_clue(fewer: Path) -> None:
    result = run("diff", fewer, SHIDOKU)
    assert result.exit_code == 0
    assert (
        result.stdout
        == f"""\
--- {fewer} · singles
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
- removed 40 · rounds 3 · propagators 0 · open 7
+ removed 48 · rounds 3 · propagators 0 · open 0
"""
    )


def test_the_other_way_round_the_signs_change(fewer: Path) -> None:
    one, other = (run("diff", *files).stdout.splitlines()[2:] for files in ((fewer, SHIDOKU), (SHIDOKU, fewer)))
    swapped = [line.translate(str.maketrans("+-", "-+", "")) if line[0] in "+-" else line for line in other]
    assert sorted(one) == sorted(swapped)


def test_a_stronger_level(fewer: Path) -> None:
    result = run("diff", fewer, "--level", "arc", "--level", "domain")
    header, body = result.stdout.splitlines()[:2], result.stdout.splitlines()[2:]
    assert header == [f"--- {fewer} · arc", f"+++ {fewer} · domain"]
    model = dsl.load(fewer)
    arc, domain = (csp.propagate(model, level).domains for level in ("arc", "domain"))  # type: ignore[arg-type]
    changed = [v for v in model.domains if arc[v] != domain[v]]
    assert changed and [line.split()[1] for line in body if line.startswith("+ ") and " in " in line] == changed
    assert not [line for line in body if line.startswith("-") and ": " in line]  # arc removes nothing that domain keeps


def test_nothing_differs() -> None:
    result = run("diff", SHIDOKU, SHIDOKU)
    assert result.stdout.splitlines()[2:] == ["@@ in all @@", "  removed 48 · rounds 3 · propagators 0 · open 0"]


def reached(text: str) -> Reach:
    return reach(csp.Solver(dsl.loads(text)))


def test_other_variables_and_domains() -> None:
    one, other = reached("A in 1..3. B in 1..2. A != B."), reached("A in 1..4. C in 1..2. A = 2. A != C.")
    assert list(differences(one, other)) == [
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
        "- removed 0 · rounds 0 · propagators 0 · open 2",
        "+ removed 4 · rounds 2 · propagators 0 · open 0",
    ]


def test_a_clue_too_many_is_told_with_its_failure() -> None:
    one, other = reached("A, B in 1..2. A != B. A = 1."), reached("A, B in 1..2. A != B. A = 1. B = 1.")
    assert list(differences(one, other))[-2:] == [
        "- removed 2 · rounds 1 · propagators 0 · open 0",
        "+ removed 2 · rounds 0 · propagators 0 · failure · "
        "A != B (line 1): 2 has no place left: A by A = 1; B by B = 1",
    ]


def test_what_cannot_be_compared_is_refused() -> None:
    assert "compare two specs, or one at two levels" in run("diff", SHIDOKU).stderr
    assert run("diff", SHIDOKU, "--level", "arc").exit_code == 2
    assert run("diff", SHIDOKU, *["--level", "arc"] * 3).exit_code == 2
    twice = run("diff", "-", "-", stdin="A in 1..2.")
    assert twice.exit_code == 2 and "standard input can be read only once" in twice.stderr


def test_standard_input_is_read_once(fewer: Path) -> None:
    for arguments in ((fewer, fewer, "--grid", "clue=-"), ("-", "-"), (fewer, "-", "--grid", "clue=-")):
        result = run("diff", *arguments)
        assert result.exit_code == 2 and "standard input can be read only once" in result.stderr
