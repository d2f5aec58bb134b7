"""Links: what they hold becomes a spec, and what is damaged is told."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import csp
import dsl
from dsl.cli import main
from dsl.puzzles.links import spec_of_link
from dsl.puzzles.links.kinds import KINDS
from dsl.puzzles.links.lz import Damaged, compress, decompress
from dsl.text.errors import Mistake
from dsl.text.syntax import Place

HERE = Place(1, 1)


def fpuzzle(size: int = 4, **fields: Any) -> str:
    """A link to f-puzzles with an empty board and these fields."""
    board = {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)]}
    return f"https://www.f-puzzles.com/?load={compress(json.dumps({**board, **fields}))}"


def run(*words: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], input=given)


def counted(link: str) -> int:
    return sum(1 for _ in csp.Solver(dsl.loads(spec_of_link(link, HERE))).solutions())


def test_compression_is_that_of_lz_string() -> None:
    """As lz-string 1.4.4 has it, also where codes end with a digit, widen, and stand for wide characters."""
    assert compress("aaaa") == "IY5A"
    assert decompress("IY5A") == "aaaa"
    rng = random.Random(7)
    for length in (1, 2, 3, 60, 700):
        for letters in ("a", "ab", "ab c\u20ac\u1234{}[]", "".join(map(chr, range(32, 127)))):
            text = "".join(rng.choice(letters) for _ in range(length))
            assert decompress(compress(text)) == text


def test_what_is_damaged_is_told_with_its_place() -> None:
    packed = compress('{"size": 4}')
    with pytest.raises(Damaged) as cut:
        decompress(packed.rstrip("=")[:-3])
    assert cut.value.at == len(packed.rstrip("=")) - 3
    with pytest.raises(Damaged) as wrong:
        decompress(packed[:5] + "}" + packed[6:])
    assert wrong.value.at == 5
    with pytest.raises(Damaged, match="more than"):
        decompress(compress("a" * 1_000_001))


@pytest.fixture
def published(shared: Path) -> list[dict[str, Any]]:
    lines = (shared / "measure" / "fpuzzles" / "fpuzzles_half_A.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if not line.startswith("#")]


def test_published_variants(published: list[dict[str, Any]]) -> None:
    """Each has the solution that its setter published and no other; the last but one takes ten seconds."""
    for one in published:
        model = dsl.loads(spec_of_link(one["link"], HERE))
        cells = [v for v in model.domains if v.family == "cell"]
        found = ["".join(str(answer[v]) for v in cells) for answer in csp.Solver(model).solutions()]
        assert found == [one["solution"]], one["title"]
