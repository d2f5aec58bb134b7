from __future__ import annotations

import gc
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from .browser import chromium

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"
TIMES = int(os.environ.get("TIMES", "1"))
"""How many times as many random cases as usual a test tries."""

SHARE = 16
"""Of so many cases a sampled test tries one."""
WHOLE = 3000
"""As many tests are no choice of a few files."""

sys.dont_write_bytecode = False  # else every process that a test starts would compile the whole program anew
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

gc.disable()  # until all is collected

collect_ignore = ["benchmarks/peer"]  # programs that other interpreters run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write the golden files anew instead of comparing")


Limits = Callable[..., None]


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Limits:
    """Other tuned constants of a module for one test: ``limits("csp.encoding.encoder", MAX_TRIED=0)``."""

    def put(name: str, **values: object) -> None:
        module = import_module(name)
        for constant, value in values.items():
            assert constant.isupper() and hasattr(module, constant), "what is patched is public, and is there"
            monkeypatch.setattr(module, constant, value)

    return put


@pytest.fixture
def golden(request: pytest.FixtureRequest):
    """Compare a text with a file in tests/golden, or write it there."""

    def compare(name: str, text: str) -> None:
        path = ROOT / "tests" / "golden" / name
        if request.config.getoption("--rewrite"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text

    return compare


def pytest_xdist_auto_num_workers() -> int:
    """One process more than processors: some tests wait for servers and browsers."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In a whole run, a sixteenth of the cases of a test that is marked as sampled, each test another one."""
    if TIMES > 1 or len(items) < WHOLE:
        return
    left_out = {one for one in items if one.get_closest_marker("sampled") and zlib.crc32(one.nodeid.encode()) % SHARE}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [one for one in items if one not in left_out]


def pytest_collection_finish() -> None:
    """What is imported and collected stays, so that nobody looks among it for what could go."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The Chromium of this machine."""
    with chromium() as found:
        yield found


@pytest.fixture
def shared():
    """The folder of real puzzles beside the project, which only some machines have."""
    if not SHARED.exists():
        pytest.skip("the puzzle collection is not beside the project")
    return SHARED
