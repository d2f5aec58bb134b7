"""Write the page as a static folder, whose engine is Python in the browser.

``csp studio --out FOLDER`` calls it; the folder needs no server of its own.
"""

from __future__ import annotations

import base64
import hashlib
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from csp import CspError

from ..syntax.reading import gallery
from .page import files, index, worker

VERSION = "314.0.7"
"""The supported version of Pyodide, as in its npm package."""

SUMS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""The SHA-256 of each file of Pyodide that the page needs."""

PURE = ("csp", "dsl", "lark", "networkx")
"""The Python packages that the engine in a browser imports; they run without machine code."""


def write_folder(runtime: str, write: Callable[[str, bytes], None]) -> int:
    """Write the static page and its files by ``write``; return the number of bytes.

    Parameters
    ----------
    runtime : str
        The files of Pyodide's npm package: a folder, whose files are copied, or a URL, from which the page loads them.
    write : function
        Called with the name and the content of each file.

    Returns
    -------
    int
        The number of bytes written.

    Raises
    ------
    CspError
        If a file of the runtime is missing, or belongs to another version.
    """
    is_url = "://" in runtime
    contents = {name: file.text.encode() for name, file in files().items()}
    contents["index.html"] = index("worker").encode()
    contents["worker.js"] = worker(f"{runtime.rstrip('/')}/" if is_url else "runtime/").encode()
    contents["python.zip"] = _zip_packages()
    if not is_url:
        contents |= {f"runtime/{name}": _read_runtime_file(Path(runtime) / name) for name in SUMS}
    for name, content in contents.items():
        write(name, content)
    return sum(map(len, contents.values()))


def opening(text: str, level: str = "singles", acts: Sequence[str] = (), **mode: object) -> str:
    """Return the URL fragment with which the page opens a spec.

    The *link* button of the page makes the same fragment.

    Parameters
    ----------
    text : str
        The spec.
    level : str
    acts : sequence of str
    mode
        State of the page: ``mode``, and ``against`` for the mode ``compare``.

    Returns
    -------
    str
        The fragment, beginning with ``#``.

    Examples
    --------
    >>> opening("A in 1..2.")
    '#spec=q1YqSa0oUbJSclTIzFMw1NMz0lPSUcpJLUvNAQoWZ-al56QWA0USk0uKlayiY2sB'
    """
    from csp import render

    state = {"text": text, "level": level, "acts": [*acts], **mode}
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(render.compact(state).encode()) + packer.flush()
    return f"#spec={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def _read_runtime_file(path: Path) -> bytes:
    """Return the content of a file of Pyodide; refuse a missing file or another checksum."""
    try:
        content = path.read_bytes()
    except OSError:
        raise CspError(f"{path} is missing; get it by npm pack pyodide@{VERSION}") from None
    if hashlib.sha256(content).hexdigest() != SUMS[path.name]:
        raise CspError(f"{path} is not that of Pyodide {VERSION}")
    return content


def _zip_packages() -> bytes:
    """Return a reproducible zip archive of the packages in ``PURE`` and the gallery."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(_sources()):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _sources() -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive and the path of each file to pack."""
    for package in PURE:
        spec = find_spec(package)
        assert spec is not None and spec.origin is not None
        root = Path(spec.origin).parent
        for path in root.rglob("*"):
            inside = path.relative_to(root)
            is_source = path.suffix in (".py", ".json", ".lark", ".pickle", ".html", ".css", ".js")
            if is_source and not {"__pycache__", "tests", "gallery"} & {*inside.parts}:
                yield f"{package}/{inside.as_posix()}", path
    for path in gallery().rglob("*.csp"):
        yield f"dsl/gallery/{path.relative_to(gallery()).as_posix()}", path
