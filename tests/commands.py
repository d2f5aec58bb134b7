"""Commands that tests run, and the puzzles that most of them use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from dsl.cli import main

from .conftest import ROOT

EXAMPLES = ROOT / "examples"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def run(*arguments: object, stdin: str | None = None) -> Result:
    """Run a command in this process and check that it raises nothing."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def process(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "dsl", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, cwd=ROOT)


def spec(folder: Path, text: str) -> Path:
    """Write a spec into a folder and return its path."""
    path = folder / "spec.csp"
    path.write_text(text, encoding="utf-8")
    return path
