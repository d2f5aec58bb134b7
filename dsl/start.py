"""The entry point of ``csp``: reacts to signals while slow imports run."""

import gc
import os
import signal
import sys
from types import FrameType

from .signals import REASONS

BUSY = {"asyncio", "multiprocessing.popen_spawn_posix", "multiprocessing.popen_spawn_win32"}
"""Modules that must clean up at exit, even when their threads have ended."""

OTHER = (
    "csp: another package called csp has replaced files of alldifferent; "
    "install alldifferent into an environment without that package"
)
"""The error message if an unrelated package of PyPI is installed into the same folder."""


def leave(number: int, frame: FrameType | None) -> None:
    """Exit at once when a signal arrives during start-up.

    No output has been started yet, so no file is left incomplete.
    """
    os.write(2, f"csp: stopped by {REASONS[signal.Signals(number)]}\n".encode())
    os._exit(128 + number)


def open_streams() -> None:
    """Open the null device in place of each closed standard stream.

    Otherwise an output file could get the file descriptor of a closed stream. Text printed to a closed output is
    lost, as the user intended; reading from a closed input is an error.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.open(os.devnull, os.O_WRONLY), mode)  # noqa: SIM115 - must stay open
            setattr(sys, name, stream)


def close(code: object) -> None:
    """Exit with a code at once, without the interpreter's cleanup, unless cleanup matters.

    Returns without exiting if the code is not an integer, if a thread or a module of ``BUSY`` may have work to do
    at exit, or if the printed text cannot be written.
    """
    if BUSY & sys.modules.keys() or not isinstance(code, int | None) or len(sys._current_frames()) > 1:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(code or 0)


def main() -> None:
    """Run the program ``csp``; the entry point of the command line."""
    open_streams()
    os.environ["PYTHONSAFEPATH"] = "1"  # processes that multiprocessing starts import nothing from the working folder
    for number in REASONS:
        signal.signal(number, leave)
    # Imported modules are never freed, so collecting garbage during the imports is wasted time.
    gc.disable()
    try:
        from .cli import main as commands
    except ImportError as error:
        if error.name != "csp":
            raise
        print(OTHER, file=sys.stderr)
        sys.exit(2)

    try:
        commands(prog_name="csp")
    except SystemExit as end:
        close(end.code)
        raise
