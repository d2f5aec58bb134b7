"""The table of functions that draw objects for ``print`` and for notebooks.

The packages that render fill it when they are imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

painters: dict[str, Callable[[Any], str | None]] = {}
"""For the name of a class, the function that draws its instances; ``NAME as text`` prints them."""


class ShowsSvg:
    """A base class of objects that notebooks show as SVG."""

    def _repr_svg_(self) -> str | None:
        return painters[type(self).__name__](self)


class ShowsText:
    """A base class of objects that ``print`` shows as the commands do."""

    def __str__(self) -> str:
        return painters[f"{type(self).__name__} as text"](self) or repr(self)


class ShowsHtml:
    """A base class of objects that notebooks show as HTML."""

    def _repr_html_(self) -> str | None:
        return painters[type(self).__name__](self)
