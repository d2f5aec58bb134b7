"""Draw the techniques of docs/explain.md, each in its puzzle of tests/data/techniques.jsonl.

python docs/make_techniques.py         draw a technique of each family into docs/pictures/techniques
python docs/make_techniques.py DIR     draw all techniques into DIR, and write an index.html that shows them
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from math import isqrt
from pathlib import Path

import dsl
from csp import Model, Solver
from csp.explain import TECHNIQUES, Walker
from csp.render import StepPictures

DOCS = Path(__file__).resolve().parent
CORPUS = DOCS.parent / "tests" / "data" / "techniques.jsonl"
PICTURES = DOCS / "pictures" / "techniques"

FAMILIES = (
    "hidden single", "neighbours", "pointing", "naked pair", "shared counts", "direct exclusion", "finned X-wing",
    "simple colouring", "skyscraper", "XY-wing", "uniqueness test 1", "XY-chain", "ALS-XZ", "small reason",
    "contradiction", "Franken swordfish", "Siamese fish", "Sue de Coq", "death blossom", "template delete",
    "forcing net",
)  # fmt: skip
"""A technique of each file in csp/explain/steps/techniques."""


def draw_steps(names: Collection[str] = tuple(TECHNIQUES)) -> Iterator[tuple[str, str]]:
    """Yield the file name and the SVG text of the first step of each technique in its puzzle."""
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["technique"] in names:
            ladder = [TECHNIQUES[name] for name in TECHNIQUES if name in (record["technique"], *record["on"])]
            steps = StepPictures(Walker(Solver(load_puzzle(record)), ladder=ladder, is_unique=True))
            next(step for step in steps if step.technique == record["technique"])
            *_, last = steps.files().values()
            yield f"{record['technique'].lower().replace(' ', '-')}.svg", last


def load_puzzle(record: dict[str, str]) -> Model:
    """Return the model of a record of the corpus."""
    if "spec" in record:
        return dsl.loads(record["spec"])
    clues, n = record["grid"], isqrt(len(record["grid"]))
    grid = "\n".join(clues[i : i + n] for i in range(0, n * n, n))
    return dsl.load(DOCS.parent / "examples" / "sudoku.csp", {"rows": {6: 2, 9: 3}[n], "cols": 3}, {"clue": grid})


def write_sheet(names: Collection[str]) -> str:
    """Return an HTML page that shows the pictures."""
    figures = [f'<figure><img src="{name}" width="460"><figcaption>{name[:-4]}</figcaption></figure>' for name in names]
    return f'<!DOCTYPE html><meta charset="utf-8"><body style="display: flex; flex-wrap: wrap">{"".join(figures)}\n'


def main() -> None:
    """Write the pictures and print their number."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    files = dict(draw_steps() if len(sys.argv) > 1 else draw_steps(FAMILIES))
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if len(sys.argv) > 1:
        (folder / "index.html").write_text(write_sheet(files), encoding="utf-8")
    print(f"{len(files)} pictures in {folder}")


if __name__ == "__main__":
    main()
