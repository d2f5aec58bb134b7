"""The same bytes whatever the seed of Python's hashes: all answers and files in two processes, compared."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .conftest import ROOT
from .hashing import COMMANDS


def told(folder: Path, seed: str) -> tuple[list[str], dict[str, bytes]]:
    """What is printed, a command at a time, and the files that are drawn."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.hashing", folder], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return done.stdout.split("\n$ "), files


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    (one, drawn), (other, drawn_again) = (told(tmp_path / seed, seed) for seed in ("1", "2"))
    for mine, yours in zip(one, other, strict=True):
        assert mine == yours
    assert len(one) == len(COMMANDS) and len(drawn) > 30
    assert drawn == drawn_again
