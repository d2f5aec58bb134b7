"""Options, fixtures and hooks that all tests share."""

from __future__ import annotations

import gc
import os
import sys
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from .browser import chromium

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"
TIMES = int(os.environ.get("TIMES", "1"))
"""Factor for the number of random cases of a test."""

OMITTED = bool(os.environ.get("OMITTED"))
"""Whether to run the cases of sampled tests that a whole run omits, and no others of these tests."""

SHARE = 16
"""A whole run has one of this many cases of a test that is marked ``sampled`` without a number."""
WHOLE = 3000
"""Minimum number of collected tests of a whole run."""

sys.dont_write_bytecode = False  # otherwise every process of a test would compile the whole program again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

gc.disable()  # until all tests are collected

collect_ignore = ["benchmarks/peer"]  # programs that other interpreters run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write the golden files instead of comparing")


Limits = Callable[..., None]


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Limits:
    """Set tuned constants of a module for one test: ``limits("csp.encoding.encoder", MAX_TRIED=0)``."""

    def put(name: str, **values: object) -> None:
        module = import_module(name)
        for constant, value in values.items():
            assert constant.isupper() and hasattr(module, constant), "only existing constants are patched"
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
    """Use one process more than processors.

    Some tests wait for servers and browsers.
    """
    return (os.cpu_count() or 1) + 1


def select_cases(shares: Mapping[str, int], marked_files: Collection[str] = ()) -> set[str]:
    """Select a share of the cases of each test.

    The tests of a marked file, and those without cases, count as the cases of one test. The first case is always
    selected. The checksum of a case selects the same cases in every run, and in all tests, which can share what they
    make of it.
    """
    selected, started = set(), set()
    for name, share in shares.items():
        test, bracket, case = name.partition("[")
        file = test.partition("::")[0]
        group = test if bracket and file not in marked_files else file
        if group not in started or zlib.crc32((case or name).encode()) % share == 0:
            selected.add(name)
        started.add(group)
    return selected


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a share of the sampled tests in a whole run, or the other cases if ``OMITTED`` is set."""
    if TIMES > 1 or (len(items) < WHOLE and not OMITTED):
        return
    marks = {item.nodeid: item.get_closest_marker("sampled") for item in items}
    shares = {name: (*mark.args, SHARE)[0] for name, mark in marks.items() if mark}
    own_marks = {item.nodeid for item in items if any(mark.name == "sampled" for mark in item.own_markers)}
    selected = select_cases(shares, {name.partition("::")[0] for name in shares if name not in own_marks})
    skipped = {item for item in items if item.nodeid in shares and (item.nodeid in selected) == OMITTED}
    config.hook.pytest_deselected(items=[*skipped])
    items[:] = [item for item in items if item not in skipped]


def pytest_collection_finish() -> None:
    """Exclude all imported and collected objects from garbage collection."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Yield the Chromium of this machine."""
    with chromium() as driver:
        yield driver


@pytest.fixture
def shared():
    """Return the folder of real puzzles, or skip the test."""
    if not SHARED.exists():
        pytest.skip("the puzzle collection is not beside the project")
    return SHARED
