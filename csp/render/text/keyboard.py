"""Read single key presses from a terminal, with a timeout."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RIGHT, LEFT, HOME, END = "right", "left", "home", "end"
SEQUENCES = {"[C": RIGHT, "OC": RIGHT, "[D": LEFT, "OD": LEFT, "[H": HOME, "OH": HOME, "[1~": HOME, "[F": END,
             "OF": END, "[4~": END}  # fmt: skip
KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|.", re.DOTALL)
"""The bytes of one key: an escape sequence, or a single character."""
ReadKey = Callable[[float | None], str]
"""Waits for a key for some seconds, or without limit, and returns a letter, a name of a key, or an empty text."""

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def keyboard() -> Iterator[ReadKey]:
        """Provide a function that reads the next key from the Windows console."""
        names = {"M": RIGHT, "K": LEFT, "G": HOME, "O": END}

        def key(seconds: float | None) -> str:
            end = None if seconds is None else time.monotonic() + seconds
            while not msvcrt.kbhit():
                if end is not None and time.monotonic() > end:
                    return ""
                time.sleep(0.02)
            letter = msvcrt.getwch()
            if letter == "\x03":
                raise KeyboardInterrupt
            return names.get(msvcrt.getwch(), "?") if letter in "\x00\xe0" else letter

        yield key

else:
    import select
    import termios
    import tty

    @contextmanager
    def keyboard() -> Iterator[ReadKey]:
        """Provide a function that reads the next key, and restore the terminal afterwards."""
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        typed: deque[str] = deque()

        def key(seconds: float | None) -> str:
            if not typed:
                if not select.select([terminal], [], [], seconds)[0]:
                    return ""
                typed.extend(
                    KEY.findall(os.read(terminal, 64).decode(errors="replace")) or "q"
                )  # q: the terminal is closed
            pressed = typed.popleft()
            return SEQUENCES.get(pressed[1:], "?") if pressed[0] == "\x1b" else pressed

        tty.setcbreak(terminal)
        try:
            yield key
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
