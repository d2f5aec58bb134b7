"""Solve sudokus by the method of Peter Norvig's essay "Solving Every Sudoku Puzzle", as a baseline.

    python tests/benchmarks/norvig.py FILE

FILE contains a 9x9 puzzle a line, with an optional note after a blank; '#' begins a comment line. The program is
written from the ideas of the essay and shares no code with the engine. The state is a dict from a square to its
possible digits. Removing a digit propagates to squares with a single digit and to digits with a single place in a unit.
The search branches on a square with the minimum number of digits.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

LATIN = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BLANKS = ".0"
EXTENDED = 0x100  # after 61 symbols: letters from the code block Latin Extended-A on

Values = dict[int, str]


def alphabet(size: int) -> str:
    """Return the characters of the values 1..size."""
    return LATIN[:size] + "".join(chr(EXTENDED + extra) for extra in range(size - len(LATIN)))


class Norvig:
    """A solver for sudokus with boxes of `rows` x `cols` cells.

    >>> Norvig(2, 2).solve("..4..2....1..3..")
    '3142423124131324'
    >>> Norvig(2, 2).solve("11..............") is None
    True
    """

    def __init__(self, rows: int, cols: int) -> None:
        size = rows * cols
        self.digits = alphabet(size)
        self.squares = range(size * size)
        unitlist = list(_list_units(rows, cols))
        self.units = {s: [unit for unit in unitlist if s in unit] for s in self.squares}
        self.peers = {s: sorted(set().union(*self.units[s]) - {s}) for s in self.squares}
        # Each nested pair of calls removes another candidate, so the depth is at most size**3 pairs.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 2 * size**3 + 1000))

    def solve(self, line: str) -> str | None:
        """Return the solution of a puzzle of size*size characters, or None."""
        values = self._parse(line)
        solved = values and self._search(values)
        return "".join(solved[s] for s in self.squares) if solved else None

    def _parse(self, line: str) -> Values | None:
        if len(line) != len(self.squares):
            raise ValueError(f"expected {len(self.squares)} characters, got {len(line)}")
        values = dict.fromkeys(self.squares, self.digits)
        for square, digit in enumerate(line):
            if digit not in BLANKS and not self._assign(values, square, digit):
                return None
        return values

    def _assign(self, values: Values, square: int, digit: str) -> bool:
        """Remove the other digits of `square`; return False after a contradiction."""
        if digit not in values[square]:
            return False
        for alternative in values[square].replace(digit, ""):  # noqa: SIM110 - all() of a generator is a third slower
            if not self._eliminate(values, square, alternative):
                return False
        return True

    def _eliminate(self, values: Values, square: int, digit: str) -> bool:
        """Remove `digit` from `square` and propagate; return False after a contradiction."""
        if digit not in values[square]:
            return True
        remaining = values[square] = values[square].replace(digit, "")
        if not remaining:
            return False
        # A single digit is removed from all peers.
        if len(remaining) == 1:
            for peer in self.peers[square]:
                if not self._eliminate(values, peer, remaining):
                    return False
        # A digit with a single place in a unit is assigned.
        for unit in self.units[square]:
            places = [s for s in unit if digit in values[s]]
            if not places or (len(places) == 1 and not self._assign(values, places[0], digit)):
                return False
        return True

    def _search(self, values: Values) -> Values | None:
        """Search depth first, branching on a square with the minimum number of digits."""
        unsolved = [(len(digits), square) for square, digits in values.items() if len(digits) > 1]
        if not unsolved:
            return values
        _, square = min(unsolved)
        for digit in values[square]:
            trial = values.copy()
            if self._assign(trial, square, digit) and (solved := self._search(trial)):
                return solved
        return None


def _list_units(rows: int, cols: int) -> Iterator[list[int]]:
    """Yield the squares of each row, column and box."""
    size = rows * cols
    for k in range(size):
        yield [k * size + c for c in range(size)]
        yield [r * size + k for r in range(size)]
        top, left = k // rows * rows, k % rows * cols
        yield [(top + r) * size + left + c for r in range(rows) for c in range(cols)]


def main(path: str) -> None:
    """Print the solution of each puzzle of a file, or "none"."""
    solver = Norvig(3, 3)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                print(solver.solve(line.split()[0]) or "none")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/benchmarks/norvig.py FILE")
    main(sys.argv[1])
