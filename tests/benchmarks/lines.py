"""Lines of our specs beside others: python tests/benchmarks/lines.py [--noqx NOQX] [--hakank HAKANK] [--iss ISS]

Each is a checkout: of noqx, which has the genres of puzz.link in ``solver/``; of hakank/hakank, which has models by
Håkan Kjellerstrand in ``minizinc/``; of the Interactive Sudoku Solver, of which a rule's class and the case that makes
handlers of it are counted, but no handler. Lines are those that are neither blank nor comment nor data, nor say what is
printed or drawn; in noqx, where data come from elsewhere, and in the Interactive Sudoku Solver all that are neither
blank nor comment. What genres share is counted nowhere.
"""

from __future__ import annotations

import argparse
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

ISS = {
    "anti_king": "AntiKing", "anti_knight": "AntiKnight", "arrows": "Arrow", "between": "Between", "cages": "Cage",
    "disjoint_groups": "DisjointSets", "double_arrows": "DoubleArrow", "entropic": "Entropic",
    "falling_diagonal": "Diagonal", "little_killers": "LittleKiller", "modular": "Modular",
    "nonconsecutive": "AntiConsecutive", "numbered_rooms": "NumberedRoom", "palindromes": "Palindrome",
    "quadruples": "Quad", "region_sums": "RegionSumLine", "renbans": "Renban", "sandwiches": "Sandwich",
    "thermometers": "Thermo", "towers": "Skyscraper", "whispers": "Whisper", "x_sums": "XSum", "zippers": "Zipper",
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


def in_iss(checkout: Path, name: str) -> int:
    """Lines of a rule of the sudoku: its class, and what is made of it for the search."""
    classes = (checkout / "js" / "sudoku_constraint.js").read_text(encoding="utf-8")
    cases = (checkout / "js" / "solver" / "sudoku_builder.js").read_text(encoding="utf-8")
    own = re.search(rf"^  static {name} = class .*?^  }}", classes, re.DOTALL | re.MULTILINE)
    case = re.search(rf"^        case '{name}':.*?^ +break;", cases, re.DOTALL | re.MULTILINE)
    assert own, name
    return commented(own[0], "//") + commented(case[0] if case else "", "//")


def commented(text: str, sign: str) -> int:
    """Lines that are neither blank nor comment."""
    stripped = [line.strip() for line in text.splitlines()]
    return sum(bool(line) and not line.startswith(sign) for line in stripped)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    for name in ("noqx", "hakank", "iss"):
        parser.add_argument(f"--{name}", type=Path)
    options = parser.parse_args()
    if options.noqx:
        print("| genre | ours | noqx |\n|---|---|---|")
        for name, genre in sorted(GENRES.items()):
            path = options.noqx / "solver" / f"{OTHERWISE.get(name, name)}.py"
            theirs = commented(path.read_text(encoding="utf-8"), "#") if path.exists() else "–"
            print(f"| {name} | {lines(example(genre.spec))} | {theirs} |")
    if options.hakank:
        print("\n| spec | ours | MiniZinc |\n|---|---|---|")
        for name, model in MINIZINC.items():
            print(f"| {name} | {lines(example(name))} | {in_minizinc(options.hakank / 'minizinc' / f'{model}.mzn')} |")
    if options.iss:
        print("\n| rule | ours | Interactive Sudoku Solver |\n|---|---|---|")
        for name, other in ISS.items():
            print(f"| {name} | {lines(example(f'rules/{name}'))} | {in_iss(options.iss, other)} |")


if __name__ == "__main__":
    main()
