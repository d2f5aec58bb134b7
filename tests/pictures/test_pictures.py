"""The pictures in the docs are current."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli import main

from ..conftest import ROOT

PAGE = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^csp (.*(?:--out|-o) docs/pictures.*)$", PAGE, re.MULTILINE)


def count_texts_and_elements(svg: str) -> Counter[str]:
    """Count the texts, vertices and edges, which do not depend on the Graphviz version."""
    return Counter(re.findall(r">([^<>]+)</text>|class=\"(?:node|edge)\"", svg))


@pytest.mark.parametrize("command", COMMANDS)
def test_documented_commands_draw_the_pictures_of_the_docs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.chdir(ROOT)
    (tmp_path / "docs" / "pictures" / "sudoku").mkdir(parents=True)
    arguments = shlex.split(command)
    if pytestconfig.getoption("--rewrite"):
        CliRunner().invoke(main, arguments)
    arguments[-1] = str(tmp_path / arguments[-1])
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    paths = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert paths
    for path in paths:
        expected = (ROOT / path.relative_to(tmp_path)).read_text(encoding="utf-8")
        if path.suffix == ".svg":
            assert count_texts_and_elements(expected) == count_texts_and_elements(path.read_text(encoding="utf-8")), (
                path.name
            )
        else:
            assert expected == path.read_text(encoding="utf-8"), path.name


def test_the_page_shows_every_picture_of_its_commands() -> None:
    assert len(COMMANDS) == 11
    targets = [ROOT / command.split()[-1] for command in COMMANDS]
    paths = {path for target in targets for path in ([target] if target.suffix else target.glob("0*.svg"))}
    assert {ROOT / "docs" / link for link in re.findall(r"\]\((pictures/[^)]*)\)", PAGE)} == paths
