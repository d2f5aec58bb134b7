"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name, and only then give it its own.

    Parameters
    ----------
    path : Path
    content : bytes

    Raises
    ------
    OSError
        If it cannot be written; what was there before is still there then.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "picture.svg", b"<svg/>")
    ...     [path.name for path in Path(folder).iterdir()]
    ['picture.svg']
    """
    try:
        handle, name = tempfile.mkstemp(prefix=".", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # not the name that nobody gave
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)  # mkstemp lets nobody else read
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
