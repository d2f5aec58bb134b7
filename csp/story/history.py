"""A model and everything that happened to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..ground.show import ShowsHtml
from ..model import Model
from .captions import caption
from .records import Record, Waiting


@dataclass(frozen=True)
class Trace(ShowsHtml):
    """A model and everything that happened to it.

    Attributes
    ----------
    model : Model
        As it was solved: the constraints of the model that was asked keep their numbers, and those that follow from
        them come after; so do the variables that stand for expressions.
    records : tuple of Record
    origins : tuple of tuples of int
        For every constraint, the numbers of those of the model that it comes from.
    queue : tuple of Waiting
        Who waits before anything has happened: the filters, in their order.
    """

    model: Model
    records: tuple[Record, ...]
    origins: tuple[tuple[int, ...], ...] = ()
    queue: tuple[Waiting, ...] = ()

    def captions(self) -> Iterator[str]:
        """One line of text for every record."""
        return map(caption, self.records)
