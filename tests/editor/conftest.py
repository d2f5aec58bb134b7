"""The studio that the tests of its page share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def studio() -> Iterator[Any]:
    """Yield a running studio without a file."""
    from ..studios import served

    with served() as server:
        yield server
