"""Test that a new list constraint needs one line in the vocabulary."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dsl.syntax import vocabulary

from ..conftest import ROOT

CODE = """
import sys, dsl
from pygments.token import Name
from dsl.editor.highlight import SpecLexer
try:
    print(*dsl.loads(sys.argv[1]).constraints, sep="\\n")
except dsl.SpecError as error:
    print(error)
print([text for kind, text in SpecLexer().get_tokens(sys.argv[1]) if kind in Name.Builtin])
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the language with one more keyword in its vocabulary."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "dsl", folder / "dsl", ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "dsl" / "syntax" / "vocabulary.py"
    before = path.read_text(encoding="utf-8")
    after = before.replace("CONSTRAINTS = {\n", 'CONSTRAINTS = {\n    "apart": ListWord(AllDifferent),\n')
    assert len(after.splitlines()) == len(before.splitlines()) + 1
    path.write_text(after, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A, B in 1..3. apart([A, B + 1]).", "all_different([A, B + 1])"),
        ("x(I) in 1..3 :- I in 1..3. apart(x(I) : I in 1..3) ; x(1) = 2.", "all_different([x(1), x(2), x(3)]) ; x(1)"),
        ("A, B in 1..3. count(apart([A, B]), A > 1) = 1.", "count(all_different([A, B]), A > 1) = 1"),
        ("A, B in {red, blue}. apart([A, B]).", "arithmetic needs numbers, and A can be the symbol blue"),
        ("A in 1..3. apart([A, red]).", "red in apart is not a puzzle variable"),
        ("A in 1..3. A = apart([A]).", "apart is a constraint and has no value"),
        ("A in 1..3. A = 1 :- apart(x).", "apart is a constraint; write it before :-"),
        ("A, B in 1..3. apar([A, B]).", "did you mean apart?"),
        ("param apart = 3.", "apart is a word of the language and cannot name a param"),
    ],
)
def test_a_new_keyword_works_everywhere(package: Path, text: str, expected: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(package), str(ROOT)])}
    result = subprocess.run(
        [sys.executable, "-c", CODE, text], capture_output=True, text=True, cwd=package, env=environment, check=True
    )
    assert expected in result.stdout, result.stdout
    assert ("'apart'" in result.stdout.splitlines()[-1]) == ("apart" in text)


def test_every_keyword_has_one_meaning() -> None:
    words = [*vocabulary.KEYWORDS, *vocabulary.CONSTRAINTS, *vocabulary.FUNCTIONS]
    assert len(words) == len(set(words)) and all(map(vocabulary.is_name, words))
    assert set(vocabulary.SYNONYMS.values()) <= set(words) and not set(vocabulary.SYNONYMS) & set(words)
