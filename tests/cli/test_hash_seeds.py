"""Tests that outputs do not depend on the hash seed of Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ..conftest import ROOT
from ..hashing import COMMANDS


def run_all_commands(folder: Path, seed: str) -> tuple[list[str], dict[str, bytes]]:
    """Run all commands; return their outputs and the written files."""
    folder.mkdir()
    process = subprocess.run(
        [sys.executable, "-m", "tests.hashing", folder], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True, text=True,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return process.stdout.split("\n$ "), files


def test_outputs_and_files_are_equal_for_two_hash_seeds(tmp_path: Path) -> None:
    (outputs, files), (second_outputs, second_files) = (run_all_commands(tmp_path / seed, seed) for seed in ("1", "2"))
    for output, second_output in zip(outputs, second_outputs, strict=True):
        assert output == second_output
    assert len(outputs) == len(COMMANDS) and len(files) > 30
    assert files == second_files
