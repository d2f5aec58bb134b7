"""The tables of the language are those that lark makes of its grammar; ``--rewrite`` makes them anew."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dsl.syntax.parsing import tables as kept
from dsl.syntax.parsing.grammar import make_tables

from .conftest import Limits

FOLDER = Path(kept.__file__).parent
GRAMMAR = (FOLDER / "grammar.lark").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_grammar(request: pytest.FixtureRequest) -> None:
    text = json.dumps([kept.checksum(GRAMMAR), make_tables(GRAMMAR)], separators=(",", ":")) + "\n"
    if request.config.getoption("--rewrite"):
        (FOLDER / "tables.json").write_text(text, encoding="ascii")
    assert (FOLDER / "tables.json").read_text(encoding="ascii") == text
    assert kept.tables() == kept.Tables(**json.loads(text)[1])


def test_another_grammar_is_not_parsed_by_old_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> None:
    (tmp_path / "tables.json").write_bytes((FOLDER / "tables.json").read_bytes())
    (tmp_path / "grammar.lark").write_text(GRAMMAR.replace('"<="', '"=<"'), encoding="utf-8")
    limits("dsl.syntax.parsing.tables", FOLDER=tmp_path)
    changed = kept.tables.__wrapped__()
    assert changed != kept.tables()
    assert changed == kept.Tables(**make_tables((tmp_path / "grammar.lark").read_text(encoding="utf-8")))
    monkeypatch.setitem(sys.modules, "dsl.syntax.parsing.grammar", None)
    with pytest.raises(ImportError):
        kept.tables.__wrapped__()
    (tmp_path / "grammar.lark").write_text(GRAMMAR, encoding="utf-8")
    assert kept.tables.__wrapped__() == kept.tables()
