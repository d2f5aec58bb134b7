"""Build the site of this folder: the README and the pages as they stand, with search, all links checked.

pip install '.[site]' && python docs/make_site.py FOLDER [RUNTIME]

RUNTIME is the folder of Pyodide's npm package, or an address of it, as for ``csp studio --out``. With it the site has
the studio, and each spec of the gallery, the tutorial and the cookbook a link that opens it there, as have the lessons.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from dsl.studio.folder import opening, write_folder

DOCS = Path(__file__).resolve().parent
STUDIO = "try"
TYPED = ("gallery.md", "tutorial.md", "cookbook.md", "teaching.md")
"""The pages whose specs are whole, or are files that the reader types bit by bit."""
SPEC = re.compile(r"```prolog\n(?:% (\S+\.csp)(, more)?\n)?(.*?)```\n", re.S)
LESSON = re.compile(r"<!-- studio (\{.*?\}) -->")
"""Where a lesson has a link: its file, of the page or of the repository, and the rest as the address says it."""
PAGES = ("*.md", "pictures/**/*.svg", "data/*", "editor/*", "tour.ipynb")
FENCE = re.compile(r"(^```.*?^```)", re.S | re.M)


def prepare(folder: Path, runtime: str = "") -> None:
    """The pages in the folder, with the README as the first; links to the sources become links to copies.

    With a runtime also the studio, and links into it.
    """
    for pattern in PAGES:
        for path in DOCS.glob(pattern):
            target = folder / path.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    (folder / "index.md").write_text(re.sub(r"(?<=\]\()docs/", "", readme), encoding="utf-8")
    if runtime:
        (folder / STUDIO).mkdir()
        write_folder(runtime, lambda name, content: _put(folder / STUDIO / name, content))
        for name in TYPED:
            text = (folder / name).read_text(encoding="utf-8")
            (folder / name).write_text(opened(text), encoding="utf-8")
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        parts = FENCE.split(text)
        parts[::2] = [_linked(part, page.parent, folder) for part in parts[::2]]
        page.write_text("".join(parts), encoding="utf-8")


def opened(page: str) -> str:
    """The page with links into the studio: below each spec as far as it is written by then, and where a lesson is."""
    files: dict[str, str] = {}

    def link(found: re.Match[str]) -> str:
        name, is_more, text = found.groups()
        whole = re.sub(r'^include "(.*?)"\.$', lambda one: files.get(one[1], one[0]), text, flags=re.M)
        if is_more:
            whole = files[name] + whole
        if name:
            files[name] = whole
        return f"{found[0]}\n[Open in the studio]({STUDIO}/index.html{opening(whole)})\n"

    def lesson(found: re.Match[str]) -> str:
        says = json.loads(found[1])
        name = says.pop("file")
        text = files.get(name) or (DOCS.parent / name).read_text(encoding="utf-8")
        return f"[Open the lesson in the studio]({STUDIO}/index.html{opening(text, **says)})"

    return LESSON.sub(lesson, SPEC.sub(link, page))


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _linked(text: str, beside: Path, folder: Path) -> str:
    """The text with links to what lies outside of the pages leading to a copy of it."""

    def link(found: re.Match[str]) -> str:
        source = (DOCS / beside.relative_to(folder) / found[1]).resolve()
        if source == DOCS.parent / "README.md":
            return f"]({'../' * len(beside.relative_to(folder).parts)}index.md"
        if source.is_relative_to(DOCS) or not source.is_file():
            return found[0]
        copy = folder / "sources" / (source.name + ".txt" if source.suffix == ".py" else source.name)
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, copy)
        return f"]({'../' * len(beside.relative_to(folder).parts)}sources/{copy.name}"

    return re.sub(r"\]\(([^)#:]+)", link, text)


def main(out: str, runtime: str = "") -> None:
    if not runtime:
        print("the site is built without the studio: no RUNTIME is given", file=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copyfile(DOCS / "mkdocs.yml", folder / "mkdocs.yml")
        prepare(folder / "docs", runtime)
        command = [sys.executable, "-P", "-m", "mkdocs", "build", "--strict", "-f", str(folder / "mkdocs.yml")]
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        sys.exit(subprocess.run([*command, "-d", str(Path(out).resolve())], env=environment).returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
