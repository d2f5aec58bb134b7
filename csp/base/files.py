"""Writing of output files without partial results, and of standard output."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from os import PathLike


def write_whole(path: str | PathLike[str], content: bytes) -> None:
    """Write an output file completely or not at all.

    The target of a symbolic link is written, and the link stays. A device, a pipe or a socket is written directly. The
    content of a regular file is written to a temporary file beside it, which then gets its name, its mode and, if
    permitted, its owner. A new file gets the mode that the umask allows.

    ``path``: ``-`` is standard output; a file of that name is ``./-``.

    Raises
    ------
    OSError
        If the output cannot be written. An earlier regular file is then unchanged.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "picture.svg", b"<svg/>")
    ...     [path.name for path in Path(folder).iterdir()]
    ['picture.svg']
    """
    if is_standard_output(path):
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    old_status = _status(path)
    if old_status and not stat.S_ISREG(old_status.st_mode):
        _write_into(path, content)
    elif old_status and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    else:
        _replace(os.fspath(path), old_status, content)


def is_standard_output(path: str | PathLike[str]) -> bool:
    """Return whether a path means standard output: ``-`` or a name such as ``/dev/stdout``.

    Examples
    --------
    >>> is_standard_output("-"), is_standard_output("./-")
    (True, False)
    """
    if path == "-":
        return True
    try:
        status = _status(path)
        return status is not None and os.path.samestat(status, os.fstat(1))
    except OSError:
        return False


def _status(path: str | PathLike[str]) -> os.stat_result | None:
    """Return the status of a file, following symbolic links; None if it does not exist."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _write_into(path: str | PathLike[str], content: bytes) -> None:
    """Write ``content`` into an existing device, pipe or socket."""
    try:
        with open(path, "wb") as device:
            device.write(content)
    except OSError as error:
        error.filename = os.fspath(path)
        raise


def _replace(path: str, old_status: os.stat_result | None, content: bytes) -> None:
    """Write ``content`` to a temporary file, then atomically rename the file to ``path``."""
    target = os.path.realpath(path)  # a symbolic link stays
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{os.urandom(8).hex()}{os.path.splitext(name)[1]}")
    try:
        mode = 0o600 if old_status else 0o666
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            if old_status:
                _copy_owner_and_mode(temporary, old_status)
            file.write(content)
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):  # the first error is the one to report
            os.unlink(temporary)
        if isinstance(error, OSError) and error.errno:
            error.filename = path  # the name that the caller knows, not the temporary one
        raise


def _copy_owner_and_mode(path: str, status: os.stat_result) -> None:
    """Set the mode of a file to that in ``status``, and if permitted the owner."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(path, status.st_uid, status.st_gid)
    os.chmod(path, stat.S_IMODE(status.st_mode))
