"""What stands in the place of the parser's tables is data, and trusted only if it is what was written there."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the cache folder is named otherwise")


def solve(cache: Path) -> str:
    command = [sys.executable, "-m", "dsl", "solve", "examples/shidoku.csp"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """The file of the tables, in a cache of its own."""
    solve(tmp_path / "cache")
    (path,) = (tmp_path / "cache" / "alldifferent").iterdir()
    return path


def is_whole(tables: Path) -> bool:
    """Whether a file is text as it is written there."""
    checksum, _, data = tables.read_text(encoding="ascii").partition("\n")
    return len(checksum) == 8 and data.startswith("[{") and data.endswith("}]")


class Harm:
    def __init__(self, sign: Path) -> None:
        self.sign = sign

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.sign),)


def test_tables_are_text_and_used_again(tables: Path) -> None:
    written = tables.stat().st_mtime_ns
    assert is_whole(tables) and tables.stat().st_mode & 0o77 == 0
    assert solve(tables.parent.parent) == solve(tables.parent / "other")
    assert tables.stat().st_mtime_ns == written


def test_no_code_is_run(tables: Path) -> None:
    before, sign = tables.read_text(encoding="ascii"), tables.parent / "harm"
    for first in (b"", before.split("\n")[0].encode() + b"\n", b"wrong\n"):
        tables.write_bytes(first + pickle.dumps(Harm(sign)))
        solve(tables.parent.parent)
        assert not sign.exists() and is_whole(tables)


def test_a_changed_table_is_made_anew(tables: Path) -> None:
    before = tables.read_text(encoding="ascii")
    for wrong in ("", "\n", before[:-1], before.replace("VAR", "VAX", 1), before + " ", "\xff" * 100):
        tables.write_bytes(wrong.encode("latin-1"))
        solve(tables.parent.parent)
        assert is_whole(tables) and tables.read_bytes() != wrong.encode("latin-1")


def test_links_are_not_followed(tables: Path) -> None:
    precious, copy = tables.parent / "precious", tables.parent / "copy"
    precious.write_text("mine")
    copy.write_bytes(tables.read_bytes())
    for target in (precious, copy, tables.parent / "nowhere"):
        tables.unlink()
        tables.symlink_to(target)
        solve(tables.parent.parent)
        assert not tables.is_symlink() and tables.is_file()
    assert precious.read_text() == "mine" and not (tables.parent / "nowhere").exists()


def test_what_is_no_file_is_survived(tables: Path) -> None:
    tables.unlink()
    os.mkfifo(tables)
    solve(tables.parent.parent)
    assert tables.is_file()
    tables.unlink()
    tables.mkdir()
    solve(tables.parent.parent)
    assert tables.is_dir() and list(tables.parent.iterdir()) == [tables]
