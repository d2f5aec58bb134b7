"""Test that the stored tables agree with the grammar; ``--rewrite`` updates them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dsl.syntax.parsing import tables as stored
from dsl.syntax.parsing.grammar import make_tables

from .conftest import Limits

FOLDER = Path(stored.__file__).parent
GRAMMAR = (FOLDER / "grammar.lark").read_text(encoding="utf-8")


def test_the_stored_tables_are_those_of_the_grammar(request: pytest.FixtureRequest) -> None:
    text = json.dumps([stored.checksum(GRAMMAR), make_tables(GRAMMAR)], separators=(",", ":")) + "\n"
    if request.config.getoption("--rewrite"):
        (FOLDER / "tables.json").write_text(text, encoding="ascii")
    assert (FOLDER / "tables.json").read_text(encoding="ascii") == text
    assert stored.tables() == stored.Tables(**json.loads(text)[1])


def test_a_changed_grammar_is_not_parsed_with_the_old_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> None:
    (tmp_path / "tables.json").write_bytes((FOLDER / "tables.json").read_bytes())
    (tmp_path / "grammar.lark").write_text(GRAMMAR.replace('"<="', '"=<"'), encoding="utf-8")
    limits("dsl.syntax.parsing.tables", FOLDER=tmp_path)
    changed = stored.tables.__wrapped__()
    assert changed != stored.tables()
    assert changed == stored.Tables(**make_tables((tmp_path / "grammar.lark").read_text(encoding="utf-8")))
    monkeypatch.setitem(sys.modules, "dsl.syntax.parsing.grammar", None)
    with pytest.raises(ImportError):
        stored.tables.__wrapped__()
    (tmp_path / "grammar.lark").write_text(GRAMMAR, encoding="utf-8")
    assert stored.tables.__wrapped__() == stored.tables()
