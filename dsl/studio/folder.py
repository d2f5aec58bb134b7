"""The page as files that any web server can serve, with Python in the browser for an engine."""

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
"""The Pyodide whose files are known, as in its npm package."""

SUMS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""What of Pyodide is needed, and its SHA-256."""

PURE = ("csp", "dsl", "networkx")
"""The packages that the engine in a browser imports; none of them needs machine code."""


def write_folder(runtime: str, write: Callable[[str, bytes], None]) -> int:
    """Write the page with all that it loads, except for a runtime that is elsewhere.

    Parameters
    ----------
    runtime : str
        Where the files of Pyodide's npm package are: a folder, which is copied, or an address, which the page loads.
    write : function
        Takes the name of a file and its content.

    Returns
    -------
    int
        How many bytes have been written.

    Raises
    ------
    CspError
        If a file of the runtime is not there, or is of another version.
    """
    is_elsewhere = "://" in runtime
    found = {name: file.text.encode() for name, file in files().items()}
    found["index.html"] = index("worker").encode()
    found["worker.js"] = worker(f"{runtime.rstrip('/')}/" if is_elsewhere else "runtime/").encode()
    found["python.zip"] = _python()
    if not is_elsewhere:
        found |= {f"runtime/{name}": _checked(Path(runtime) / name) for name in SUMS}
    for name, content in found.items():
        write(name, content)
    return sum(map(len, found.values()))


def opening(text: str, level: str = "singles", acts: Sequence[str] = (), **mode: object) -> str:
    """What stands behind the address of the page to open a spec there, as its own *link* writes it.

    Parameters
    ----------
    text : str
        The spec.
    level : str
    acts : sequence of str
    mode
        As the page has them: ``mode``, and ``against`` of the mode ``compare``.

    Returns
    -------
    str

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


def _checked(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except OSError:
        raise CspError(f"{path} is not there; npm pack pyodide@{VERSION} has it") from None
    if hashlib.sha256(content).hexdigest() != SUMS[path.name]:
        raise CspError(f"{path} is not that of Pyodide {VERSION}")
    return content


def _python() -> bytes:
    """The packages, the same bytes for the same files."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(_sources()):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _sources() -> Iterator[tuple[str, Path]]:
    for package in PURE:
        spec = find_spec(package)
        assert spec is not None and spec.origin is not None
        root = Path(spec.origin).parent
        for path in root.rglob("*"):
            inside = path.relative_to(root)
            wanted = path.suffix in (".py", ".json", ".lark", ".html", ".css", ".js")
            if wanted and not {"__pycache__", "tests", "gallery"} & {*inside.parts}:
                yield f"{package}/{inside.as_posix()}", path
    for path in gallery().rglob("*.csp"):
        yield f"dsl/gallery/{path.relative_to(gallery()).as_posix()}", path
