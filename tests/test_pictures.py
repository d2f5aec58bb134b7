"""The pictures in the docs are those that the documented commands draw."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli import main

from .conftest import ROOT

PAGE = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^csp (.*--out docs/pictures.*)$", PAGE, re.MULTILINE)


def shown(svg: str) -> Counter[str]:
    """What does not depend on the version of Graphviz: the words, and how many vertices and edges there are."""
    return Counter(re.findall(r">([^<>]+)</text>|class=\"(?:node|edge)\"", svg))


@pytest.mark.parametrize("command", COMMANDS)
def test_pictures_are_those_of_the_command(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.chdir(ROOT)
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    arguments = shlex.split(command)
    if pytestconfig.getoption("--rewrite"):
        CliRunner().invoke(main, arguments)
    arguments[-1] = str(tmp_path / arguments[-1])
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    drawn = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert drawn
    for path in drawn:
        kept = (ROOT / path.relative_to(tmp_path)).read_text(encoding="utf-8")
        if path.suffix == ".svg":
            assert shown(kept) == shown(path.read_text(encoding="utf-8")), path.name
        else:
            assert kept == path.read_text(encoding="utf-8"), path.name


def test_the_page_shows_every_picture_that_it_draws() -> None:
    assert len(COMMANDS) == 4
    targets = [ROOT / command.split()[-1] for command in COMMANDS]
    drawn = {path for target in targets for path in ([target] if target.suffix else target.glob("*.svg"))}
    assert {ROOT / "docs" / link for link in re.findall(r"\]\((pictures/[^)]*)\)", PAGE)} == drawn
