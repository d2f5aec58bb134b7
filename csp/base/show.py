"""Registry of notebook renderers, filled on import, imported on use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

painters: dict[str, Callable[[Any], str | None]] = {}
"""By the name of a class, what draws it."""


class ShowsSvg:
    """Is shown as a picture."""

    def _repr_svg_(self) -> str | None:
        return painters[type(self).__name__](self)


class ShowsText:
    """Is printed as the program prints it, where it is known how."""

    def __str__(self) -> str:
        return painters[f"{type(self).__name__} as text"](self) or repr(self)


class ShowsHtml:
    """Is shown as HTML."""

    def _repr_html_(self) -> str | None:
        return painters[type(self).__name__](self)
