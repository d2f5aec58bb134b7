"""A reader who types the tutorial, the cookbook and the lessons, block by block, sees what they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli import main

from .conftest import ROOT

BLOCKS = re.compile(r"```(prolog|console)\n(.*?)```", re.S)

TEXTS = re.compile(r"`(\w+\.txt)`[^`]*```text\n(.*?)```", re.S)


def typed(block: str) -> None:
    """Write the file that the first line names, or add to it."""
    name, more = re.fullmatch(r"% (\S+?\.csp)(, more)?", block.partition("\n")[0]).groups()  # type: ignore[union-attr]
    with Path(name).open("a" if more else "w", encoding="utf-8") as file:
        file.write(block.partition("\n")[2] if more else block)


def session(block: str) -> str:
    """The commands of the block, each with what it prints now."""
    lines = []
    for line in re.findall(r"^\$ csp (.*)$", block, re.M):
        result = CliRunner().invoke(main, shlex.split(line), prog_name="csp")
        assert result.exception is None or isinstance(result.exception, SystemExit), line
        lines.append(f"$ csp {line}\n{result.output}")
    return "".join(lines)


@pytest.mark.parametrize("page", ["tutorial.md", "cookbook.md", "teaching.md"])
def test_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = ROOT / "docs" / page
    text = path.read_text(encoding="utf-8")
    for name, block in TEXTS.findall(text):
        Path(name).write_text(block, encoding="utf-8")

    def run(found: re.Match[str]) -> str:
        kind, block = found.groups()
        if kind == "prolog":
            typed(block)
            return found[0]
        return f"```console\n{session(block)}```"

    now = BLOCKS.sub(run, text)
    if pytestconfig.getoption("--rewrite"):
        path.write_text(now, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == now
