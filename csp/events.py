"""What an observer of the engine is told. The engine reports states; whoever wants words asks ``Lines``."""

from __future__ import annotations

from typing import Protocol

from gmpy2 import mpz

from .constraints import Constraint


class Observer(Protocol):
    """Told of every step of propagation and search, in order; ``csp.recorder.Recorder`` is the one that ships."""

    def narrowed(self, before: mpz, after: mpz, constraint: Constraint | None) -> None:
        """A constraint's filter (or a given from outside the model: None) removed candidates."""

    def swept(self, singles: mpz) -> None:
        """A round begins: these guards are of lines with a single candidate, which will be fixed in turn."""

    def fixed(self, before: mpz, after: mpz, guard: int, bit: int) -> None:
        """The line of a guard had the single candidate of a bit, which was fixed."""

    def failed(self, state: mpz, guards: mpz) -> None:
        """The lines of these guards have no candidate left."""

    def rested(self, state: mpz) -> None:
        """Nothing is marked any more."""

    def decided(self, before: mpz, after: mpz, bit: int, depth: int) -> None:
        """Search fixes the candidate of a bit, from a state that so many decisions led to."""

    def solved(self, state: mpz) -> None:
        """Every variable is fixed and every constraint holds."""

    def turned(self) -> None:
        """Search turns to the next independent part, keeping what it has found for those before."""

    def restarted(self) -> None:
        """Search begins again from the root, with the failure weights that it has learnt."""
