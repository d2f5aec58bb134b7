"""Test that the commands on the tutorial's pages print the output there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli import main

from ..conftest import ROOT

BLOCKS = re.compile(r"```(prolog|console)\n(.*?)```", re.S)

TEXTS = re.compile(r"`(\w+\.txt)`[^`]*```text\n(.*?)```", re.S)


def write_block(block: str) -> None:
    """Write the file that the first line names, or append to it."""
    name, is_continued = re.fullmatch(r"% (\S+?\.csp)(, more)?", block.partition("\n")[0]).groups()  # type: ignore[union-attr]
    with Path(name).open("a" if is_continued else "w", encoding="utf-8") as file:
        file.write(block.partition("\n")[2] if is_continued else block)


def run_block(block: str) -> str:
    """Run the commands of a block; return them with their current output."""
    lines = []
    for line in re.findall(r"^\$ csp (.*)$", block, re.M):
        result = CliRunner().invoke(main, shlex.split(line), prog_name="csp")
        assert result.exception is None or isinstance(result.exception, SystemExit), line
        lines.append(f"$ csp {line}\n{result.output}")
    return "".join(lines)


@pytest.mark.parametrize("page", ["quickstart.md", "tutorial.md", "cookbook.md", "teaching.md"])
def test_a_page_shows_the_current_output_of_its_commands(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = ROOT / "docs" / page
    text = path.read_text(encoding="utf-8")
    for name, block in TEXTS.findall(text):
        Path(name).write_text(block, encoding="utf-8")

    def run(match: re.Match[str]) -> str:
        kind, block = match.groups()
        if kind == "prolog":
            write_block(block)
            return match[0]
        return f"```console\n{run_block(block)}```"

    updated = BLOCKS.sub(run, text)
    if pytestconfig.getoption("--rewrite"):
        path.write_text(updated, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == updated
