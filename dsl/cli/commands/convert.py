"""The command ``csp import``: converts puzzles in foreign formats to specs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from csp.base.notation import counted

from ...syntax.errors import Source
from ...syntax.reading import read
from ..options import INPUT, Whole, folder_option, written_out
from ..output import fail, put, say

if TYPE_CHECKING:
    from ...puzzles.convert import ForeignPuzzle


@click.command("import")
@click.argument("file", type=INPUT)
@folder_option("Write the specs to this folder.")
@click.option("--record", type=Whole(min=1), metavar="N", help="Print only the spec of puzzle N.")
@click.option("--family", metavar="NAME", help="Family of the puzzles, unless FILE names it.")
def import_(file: str, out: Path | None, record: int | None, family: str | None) -> None:
    """Convert the puzzles of FILE to specs.

    FILE holds sudokus as text (a line each, or .sdk, .sdm, .ss), a DIMACS graph (.col), JSON lines, or links to
    f-puzzles, SudokuPad, puzz.link or penpa. A link or a line of 81 characters may replace FILE. Several puzzles need
    --out or --record.

    Exit code: 0 converted, 2 malformed input.

    Example: csp import docs/data/nines.txt --record 1
    """
    from ...puzzles.convert import puzzles, specs
    from ...puzzles.links import puzzles_in_links

    if str(out) == "-":
        out = None
    if out and record:
        raise click.UsageError("--out writes every puzzle, --record prints one")
    if PurePath(file).suffix == ".csp":
        fail(f"csp: {file} is a spec already")
    argument = written_out(file)
    source = argument or Source(file, read(file))
    foreign_puzzles = puzzles_in_links(source) or puzzles(source, family)
    if not foreign_puzzles:
        fail(f"csp: no puzzle found in {source.name}")
    if out:
        new_count = write_all(
            out,
            dict(
                zip(
                    file_names(foreign_puzzles, argument.name if argument else Path(file).stem),
                    specs(source, foreign_puzzles),
                    strict=True,
                )
            ),
        )
        say(f"csp: {new_count:,} of {len(foreign_puzzles):,} specs are new in {out}", err=True)
        return
    number = record or 1
    if number > len(foreign_puzzles) or (record is None and len(foreign_puzzles) > 1):
        # A file without any well-formed puzzle is an error of its format.
        specs(source, foreign_puzzles[:1])
        holds = f"{source.name} holds {counted(len(foreign_puzzles), 'puzzle')}"
        fail(f"csp: {holds}" + ("" if record else "; --record N prints one, --out DIR writes all"))
    put(specs(source, [foreign_puzzles[number - 1]])[0])


def file_names(foreign_puzzles: Iterable[ForeignPuzzle], stem: str) -> list[str]:
    """Return a safe file name for each puzzle, unique even if case is ignored.

    A puzzle that has only a number is named by ``stem`` and the number.
    """
    names: list[str] = []
    used: set[str] = set()
    for number, puzzle in enumerate(foreign_puzzles, 1):
        name = f"{stem}-{number}" if puzzle.name == str(number) else puzzle.name
        safe = re.sub(r"[^A-Za-z0-9.+-]+", "_", name).strip("._-")[:100] or str(number)
        while safe.lower() in used:
            safe = f"{safe}-{number}"
        used.add(safe.lower())
        names.append(f"{safe}.csp")
    return names


def write_all(out: Path, texts: Mapping[str, str], done: int = 0, total: int = 0) -> int:
    """Write the texts to files that do not exist yet; return the number written.

    Each file is written completely or not at all. If a file exists with other contents, that is an error, and no file
    is written. ``done`` is the number of specs written before, and ``total`` the number of all specs, if there are more
    than these.
    """
    from csp.base.files import write_whole

    out.mkdir(parents=True, exist_ok=True)
    new = {}
    # Check all files first, so that nothing is written if one of them conflicts.
    for name, text in texts.items():
        path = out / name
        if not path.exists():
            new[path] = text
        elif path.read_bytes() != text.encode():
            written = f"{done:,} of {total:,} new specs were" if done else "nothing was"
            fail(f"csp: {path} exists with other content; {written} written")
    for number, (path, text) in enumerate(new.items(), done):
        try:
            write_whole(path, text.encode())
        except OSError as error:
            written = f"{number:,} of {total or len(new):,} new specs were written, each whole"
            fail(f"csp: {path}: {error.strerror}; {written}; repeat the command to continue")
    return len(new)
