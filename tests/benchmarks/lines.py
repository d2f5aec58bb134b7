"""Lines of each genre of puzz.link, ours beside noqx: python tests/benchmarks/lines.py CHECKOUT

Ours are lines of the spec that are neither blank nor comment nor data, nor say what is printed or drawn; theirs are
lines of ``solver/`` that are neither blank nor comment. What genres share is counted nowhere.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from docs.make_gallery import lines  # noqa: E402
from dsl.puzzles.convert.gallery import example  # noqa: E402
from dsl.puzzles.links.puzzlink.genres import GENRES  # noqa: E402

OTHERWISE = {"slither": "slitherlink", "yajilin-regions": "yajilin_regions"}


def theirs(path: Path) -> int:
    """Lines that are neither blank nor comment."""
    text = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return sum(bool(line) and not line.startswith("#") for line in text)


def main() -> None:
    print("| genre | ours | noqx |\n|---|---|---|")
    for name, genre in sorted(GENRES.items()):
        path = Path(sys.argv[1]) / "solver" / f"{OTHERWISE.get(name, name)}.py"
        print(f"| {name} | {lines(example(genre.spec))} | {theirs(path) if path.exists() else '–'} |")


if __name__ == "__main__":
    main()
