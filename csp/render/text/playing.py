"""Play a trace in a terminal: screens that the user controls by keys."""

from __future__ import annotations

from ...trace import Decision, Failure, Round, Trace
from .keyboard import END, HOME, LEFT, RIGHT, keyboard
from .terminal import Reel

FORWARD, BACK, FIRST, LAST = "forward", "back", "first", "last"
KEYS = {RIGHT: FORWARD, "n": FORWARD, LEFT: BACK, "b": BACK, HOME: FIRST, END: LAST}
JUMPS = {
    "r": (Round, 1),
    "R": (Round, -1),
    "d": (Decision, 1),
    "D": (Decision, -1),
    "f": (Failure, 1),
    "F": (Failure, -1),
}
"""For each key, the kind of record that it jumps to, and the direction: 1 forward, -1 back."""
PLAY_SECONDS, RESIZE_SECONDS = 0.5, 0.25
"""Seconds between steps while playing, and between two checks of the size of the terminal while paused."""


def play(trace: Trace) -> None:
    """Play a trace on the terminal until the user quits.

    Parameters
    ----------
    trace : csp.Trace
    """
    from rich.console import Console
    from rich.live import Live

    reel, console = Reel(trace), Console()
    at, last, playing = 0, len(reel.stops) - 1, False
    screen_key = None
    with keyboard() as key, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            if screen_key != (screen_key := (at, console.size)):
                live.update(reel.screen(at, console.width, console.height), refresh=True)
            pressed = key(PLAY_SECONDS if playing else RESIZE_SECONDS)
            if pressed == "q":
                return
            if pressed in JUMPS:
                at, playing = reel.jump(at, *JUMPS[pressed]), False
                continue
            if pressed == " ":
                playing = not playing
            move = KEYS.get(pressed, FORWARD if playing and not pressed else "")
            at = {FORWARD: min(at + 1, last), BACK: max(at - 1, 0), FIRST: 0, LAST: last}.get(move, at)
            playing = playing and at < last and (not pressed or pressed == " ")
