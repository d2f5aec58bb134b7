"""The baseline of the benchmarks: Sudoku by the method of Peter Norvig's essay "Solving Every Sudoku Puzzle".

Written anew from the ideas of the essay: the state is a dict from square to the string of digits still
possible there; removing a digit removes more (a square with one digit left, a digit with one place left in a
unit), and search tries the digits of a square with the fewest. It shares no code with the engine it is
compared to.

    python norvig.py FILE      one 9x9 puzzle a line; after the first blank a note, '#' starts a comment line
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

LATIN = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BLANKS = ".0"
WIDER = 0x100  # past 61 digits: letters from the code block Latin Extended-A on

Values = dict[int, str]


def alphabet(size: int) -> str:
    """The characters that stand for the values 1..size."""
    return LATIN[:size] + "".join(chr(WIDER + extra) for extra in range(size - len(LATIN)))


class Norvig:
    """A solver for Sudoku with boxes of `rows` x `cols` cells.

    >>> Norvig(2, 2).solve("..4..2....1..3..")
    '3142423124131324'
    >>> Norvig(2, 2).solve("11..............") is None
    True
    """

    def __init__(self, rows: int, cols: int) -> None:
        size = rows * cols
        self.digits = alphabet(size)
        self.squares = range(size * size)
        unitlist = list(_units(rows, cols))
        self.units = {s: [unit for unit in unitlist if s in unit] for s in self.squares}
        self.peers = {s: sorted(set().union(*self.units[s]) - {s}) for s in self.squares}
        # Consequences nest, and each level removes a candidate of its own: at most size**3 pairs of calls.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 2 * size**3 + 1000))

    def solve(self, line: str) -> str | None:
        """The solution of a puzzle of size*size characters, or None where there is none."""
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
        """Leave only `digit` in `square`; False on a contradiction."""
        if digit not in values[square]:
            return False
        for other in values[square].replace(digit, ""):  # noqa: SIM110 - all() of a generator is a third slower
            if not self._eliminate(values, square, other):
                return False
        return True

    def _eliminate(self, values: Values, square: int, digit: str) -> bool:
        """Take `digit` out of `square`, and whatever follows from that; False on a contradiction."""
        if digit not in values[square]:
            return True
        left = values[square] = values[square].replace(digit, "")
        if not left:
            return False
        if len(left) == 1:
            for peer in self.peers[square]:
                if not self._eliminate(values, peer, left):
                    return False
        for unit in self.units[square]:
            places = [s for s in unit if digit in values[s]]
            if not places or (len(places) == 1 and not self._assign(values, places[0], digit)):
                return False
        return True

    def _search(self, values: Values) -> Values | None:
        """Depth first, on a square with the fewest digits left."""
        unsolved = [(len(digits), square) for square, digits in values.items() if len(digits) > 1]
        if not unsolved:
            return values
        _, square = min(unsolved)
        for digit in values[square]:
            trial = values.copy()
            if self._assign(trial, square, digit) and (solved := self._search(trial)):
                return solved
        return None


def _units(rows: int, cols: int) -> Iterator[list[int]]:
    """The squares of each row, column and box."""
    size = rows * cols
    for k in range(size):
        yield [k * size + c for c in range(size)]
        yield [r * size + k for r in range(size)]
        top, left = k // rows * rows, k % rows * cols
        yield [(top + r) * size + left + c for r in range(rows) for c in range(cols)]


def main(path: str) -> None:
    solver = Norvig(3, 3)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                print(solver.solve(line.split()[0]) or "none")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python norvig.py FILE")
    main(sys.argv[1])
