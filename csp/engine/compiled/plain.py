"""The integers of gmpy2 as far as the kernel needs them, for where there is no gmpy2: the same answers, more slowly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _kept(operation: Callable[[int, int], int]) -> Any:
    """An operation of integers whose result is one of ours."""
    return lambda one, other: mpz(operation(one, other))


class mpz(int):
    """A wide integer with its bits as gmpy2 counts them.

    Examples
    --------
    >>> number = mpz(0).bit_set(3) | 1
    >>> number.bit_scan1(1), number.bit_test(3), int(number.bit_clear(0)), mpz(0).bit_scan1()
    (3, True, 8, None)
    """

    __slots__ = ()

    __and__ = __rand__ = _kept(int.__and__)
    __or__ = __ror__ = _kept(int.__or__)
    __xor__ = __rxor__ = _kept(int.__xor__)
    __add__ = __radd__ = _kept(int.__add__)
    __mul__ = __rmul__ = _kept(int.__mul__)
    __sub__, __rsub__ = _kept(int.__sub__), _kept(int.__rsub__)
    __lshift__, __rshift__ = _kept(int.__lshift__), _kept(int.__rshift__)

    def __invert__(self) -> mpz:
        return mpz(-1 - int(self))

    def __neg__(self) -> mpz:
        return mpz(-int(self))

    def bit_scan1(self, start: int = 0) -> int | None:
        """The lowest bit that is set, from a start on."""
        rest = int(self) >> start
        return start + (rest & -rest).bit_length() - 1 if rest else None

    def bit_test(self, bit: int) -> bool:
        """Whether a bit is set."""
        return bool(int(self) >> bit & 1)

    def bit_set(self, bit: int) -> mpz:
        """The integer with a bit set."""
        return mpz(int(self) | 1 << bit)

    def bit_clear(self, bit: int) -> mpz:
        """The integer with a bit cleared."""
        return mpz(int(self) & ~(1 << bit))


class xmpz:
    """A wide integer whose bits are changed in place.

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
            wide = stop - start
            if step == 1:
                mask = ((1 << max(0, wide)) - 1) << start
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
