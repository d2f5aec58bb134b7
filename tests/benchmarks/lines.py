"""Lines of our specs beside others: python tests/benchmarks/lines.py NOQX [HAKANK]

Both are checkouts: of noqx, which has the genres of puzz.link in ``solver/``, and of hakank/hakank, which has models by
Håkan Kjellerstrand in ``minizinc/``. Lines are those that are neither blank nor comment nor data, nor say what is
printed or drawn; in noqx, where data come from elsewhere, all that are neither blank nor comment. What genres share is
counted nowhere.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from docs.make_gallery import lines  # noqa: E402
from dsl.puzzles.convert.gallery import example  # noqa: E402
from dsl.puzzles.links.puzzlink.genres import GENRES  # noqa: E402

OTHERWISE = {"slither": "slitherlink", "yajilin-regions": "yajilin_regions"}

MINIZINC = {
    "abc_end_view": "abc_endview", "all_interval": "all_interval", "alphametic": "send_more_money",
    "battleships": "solitaire_battleship", "binairo": "binary_puzzle", "costas": "costas_array",
    "futoshiki": "futoshiki", "golfers": "social_golfers1", "hidoku": "hidato", "kakuro": "kakuro", "kenken": "kenken2",
    "killer": "killer_sudoku2", "langford": "langford2", "latin": "latin_square", "magic_square": "magic_square",
    "nonogram": "nonogram_regular", "numbrix": "numbrix", "qg": "quasiGroup3Idempotent",
    "quasigroup": "quasigroup_completion", "queens": "queens3", "salesman": "tsp_circuit", "skyscrapers": "skyscraper",
    "steiner": "steiner", "sudoku": "sudoku_alldifferent", "survo": "survo_puzzle", "tents": "tents_puzzle",
    "word_square": "word_square", "zebra": "zebra_inverse",
}  # fmt: skip


def in_minizinc(path: Path) -> int:
    """Lines of a model without output, and without arrays and numbers that are written out."""
    text = re.sub(r"/\*.*?\*/|%[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    items = [
        item
        for item in text.split(";")
        if not re.match(r"\s*(output\b|[^=]*=\s*(array\dd\([^\[]*)?\[[^a-zA-Z]*\]\)?\s*$)", item)
    ]
    return sum(bool(line.strip()) for item in items for line in item.splitlines())


def theirs(path: Path) -> int:
    """Lines that are neither blank nor comment."""
    text = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return sum(bool(line) and not line.startswith("#") for line in text)


def main() -> None:
    print("| genre | ours | noqx |\n|---|---|---|")
    for name, genre in sorted(GENRES.items()):
        path = Path(sys.argv[1]) / "solver" / f"{OTHERWISE.get(name, name)}.py"
        print(f"| {name} | {lines(example(genre.spec))} | {theirs(path) if path.exists() else '–'} |")
    if len(sys.argv) > 2:
        print("\n| spec | ours | MiniZinc |\n|---|---|---|")
        for name, model in MINIZINC.items():
            print(
                f"| {name} | {lines(example(name))} | {in_minizinc(Path(sys.argv[2]) / 'minizinc' / f'{model}.mzn')} |"
            )


if __name__ == "__main__":
    main()
