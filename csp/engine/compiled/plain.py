"""Wide integers in Python for environments without gmpy2, with the operations that the kernel uses.

A browser uses it, because gmpy2 is not available there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _as_mpz(operation: Callable[[int, int], int]) -> Any:
    """Return an operation of integers whose result is converted to ``mpz``."""
    return lambda a, b: mpz(operation(a, b))


class mpz(int):
    """An immutable wide integer with the methods of ``gmpy2.mpz`` for single bits.

    Examples
    --------
    >>> number = mpz(0).bit_set(3) | 1
    >>> number.bit_scan1(1), number.bit_test(3), int(number.bit_clear(0)), mpz(0).bit_scan1()
    (3, True, 8, None)
    """

    __slots__ = ()

    __and__ = __rand__ = _as_mpz(int.__and__)
    __or__ = __ror__ = _as_mpz(int.__or__)
    __xor__ = __rxor__ = _as_mpz(int.__xor__)
    __add__ = __radd__ = _as_mpz(int.__add__)
    __mul__ = __rmul__ = _as_mpz(int.__mul__)
    __sub__, __rsub__ = _as_mpz(int.__sub__), _as_mpz(int.__rsub__)
    __lshift__, __rshift__ = _as_mpz(int.__lshift__), _as_mpz(int.__rshift__)

    def __invert__(self) -> mpz:
        return mpz(-1 - int(self))

    def __neg__(self) -> mpz:
        return mpz(-int(self))

    def bit_scan1(self, start: int = 0) -> int | None:
        """Return the lowest set bit at or above a start, or None."""
        rest = int(self) >> start
        return start + (rest & -rest).bit_length() - 1 if rest else None

    def bit_test(self, bit: int) -> bool:
        """Return whether a bit is set."""
        return bool(int(self) >> bit & 1)

    def bit_set(self, bit: int) -> mpz:
        """Return a copy of the integer with one bit set."""
        return mpz(int(self) | 1 << bit)

    def bit_clear(self, bit: int) -> mpz:
        """Return a copy of the integer with one bit cleared."""
        return mpz(int(self) & ~(1 << bit))


class xmpz:
    """A mutable wide integer, like ``gmpy2.xmpz``, that supports only assignment of bits and slices.

    Examples
    --------
    >>> number = xmpz(mpz(0b11111))
    >>> number[0:5:2] = 0
    >>> number[4:6] = 0b11
    >>> number[0] = 1
    >>> bin(mpz(number))
    '0b111011'
    """

    __slots__ = ("_bits",)

    def __init__(self, number: int) -> None:
        self._bits = int(number)

    def __int__(self) -> int:
        return self._bits

    def __setitem__(self, key: int | slice, value: int) -> None:
        if isinstance(key, slice):
            start, stop, step = key.indices(max(key.stop, 1))
            width = stop - start
            # Replace adjacent bits together; clear bits with gaps between them one by one.
            if step == 1:
                mask = ((1 << max(0, width)) - 1) << start
                self._bits = self._bits & ~mask | (value << start) & mask
                return
            if value:
                raise NotImplementedError("bits that are set lie side by side")
            for bit in range(start, stop, step):
                self._bits &= ~(1 << bit)
        elif value:
            self._bits |= 1 << key
        else:
            self._bits &= ~(1 << key)
