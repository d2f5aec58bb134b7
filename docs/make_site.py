"""Build the site: a landing page, the README, the pages of this folder and the API reference, with search.

Every link is checked.

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

import csp
import dsl
from csp.render import player
from dsl.studio.folder import opening, write_folder

DOCS = Path(__file__).resolve().parent
STUDIO = "try"
TYPED = ("gallery/*.md", "quickstart.md", "tutorial.md", "cookbook.md", "teaching.md")
"""The pages whose specs are complete, or are files that the reader writes step by step."""
SPEC = re.compile(r"```prolog\n(?:% (\S+\.csp)(, more)?\n)?(.*?)```\n", re.S)
LESSON = re.compile(r"<!-- studio (\{.*?\}) -->")
"""The comment that becomes the link of a lesson: its file and the other parts of the address."""
PAGES = (
    "*.md",
    "gallery/*.md",
    "decisions/*.md",
    *(f"pictures/**/*.{ending}" for ending in ("svg", "png", "gif")),
    "data/*",
    "editor/*",
    "tour.ipynb",
    "site/*.css",
    "site/*.js",
)
FENCE = re.compile(r"(^```.*?^```)", re.S | re.M)


def prepare(folder: Path, runtime: str = "") -> None:
    """Write the pages into a folder; links to the sources become links to copies.

    With a runtime, write the studio too, and links into it.
    """
    for pattern in PAGES:
        for path in DOCS.glob(pattern):
            target = folder / path.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    (folder / "readme.md").write_text(re.sub(r"(?<=\]\()docs/", "", readme), encoding="utf-8")
    shutil.copyfile(DOCS / "site" / "index.md", folder / "index.md")
    trace = csp.record(dsl.load(DOCS.parent / "examples" / "shidoku.csp"), level="arc")
    (folder / "live.html").write_text(player(trace, title="A 4x4 sudoku"), encoding="utf-8")
    for title, text in reference().items():
        (folder / "api").mkdir(exist_ok=True)
        (folder / "api" / f"{title}.md").write_text(text, encoding="utf-8")
    if runtime:
        (folder / STUDIO).mkdir()
        write_folder(runtime, lambda name, content: _put(folder / STUDIO / name, content))
        for page in (page for pattern in TYPED for page in folder.glob(pattern)):
            studio = "../" * len(page.relative_to(folder).parts[1:]) + STUDIO
            page.write_text(opened(page.read_text(encoding="utf-8"), studio), encoding="utf-8")
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        parts = FENCE.split(text)
        parts[::2] = [_linked(part, page.parent, folder) for part in parts[::2]]
        page.write_text("".join(parts), encoding="utf-8")


REFERENCE = {  # title of a page of the reference: the beginnings of the modules whose public names it documents
    "constraints": ("csp.model.constraints", "csp.model.algebra"),
    "models": ("csp.model", "csp.graph", "csp.base"),
    "solving": ("csp.engine", "csp.parallel"),
    "explaining": ("csp.explain", "csp.trace", "csp.board", "csp.picture", "csp.render"),
    "language": ("dsl",),
}


def reference() -> dict[str, str]:
    """Return the pages of the API reference by title: each public name of ``csp`` and ``dsl`` once.

    mkdocstrings reads the docstrings when the site is built.
    """
    introduction = "[From Python](../library.md) shows how to use these names."
    pages = {title: [f"# {title.capitalize()}", introduction] for title in REFERENCE}
    constants = []
    for package in (csp, dsl):
        for name in package.__all__:
            value = getattr(package, name)
            module = getattr(value, "__module__", None) or ""
            title = next((title for title, modules in REFERENCE.items() if module.startswith(modules)), None)
            if title:
                pages[title].append(f"::: {module}.{value.__qualname__}")
            else:
                constants.append(f"- `{package.__name__}.{name}`")
    pages["models"] += ["## Constants and types", "\n".join(constants)]
    return {title: "\n\n".join(blocks) + "\n" for title, blocks in pages.items()}


def opened(page: str, studio: str) -> str:
    """Return a page with links into the studio, whose folder is given.

    A link follows each spec, with the text of its file up to there; comments become the links of lessons.
    """
    files: dict[str, str] = {}

    def link(found: re.Match[str]) -> str:
        name, is_more, text = found.groups()
        whole = re.sub(r'^include "(.*?)"\.$', lambda one: files.get(one[1], one[0]), text, flags=re.M)
        if is_more:
            whole = files[name] + whole
        if name:
            files[name] = whole
        return f"{found[0]}\n[Open in the studio]({studio}/index.html{opening(whole)})\n"

    def lesson(found: re.Match[str]) -> str:
        says = json.loads(found[1])
        name = says.pop("file")
        text = files.get(name) or (DOCS.parent / name).read_text(encoding="utf-8")
        return f"[Open the lesson in the studio]({studio}/index.html{opening(text, **says)})"

    return LESSON.sub(lesson, SPEC.sub(link, page))


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _linked(text: str, beside: Path, folder: Path) -> str:
    """Return the text of a page, whose links to files outside of docs lead to copies of them."""

    def link(found: re.Match[str]) -> str:
        source = (DOCS / beside.relative_to(folder) / found[1]).resolve()
        if source == DOCS.parent / "README.md":
            return f"]({'../' * len(beside.relative_to(folder).parts)}readme.md"
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
