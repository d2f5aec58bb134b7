"""The table of the forty puzzles: lines before and now, verdict and time.

python tests/benchmarks/forty.py [SECONDS]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from make_gallery import lines  # noqa: E402

import csp  # noqa: E402
import dsl  # noqa: E402
from tests.forty import BEFORE, FOLDER, GALLERY  # noqa: E402


def verdict(path: Path, seconds: float) -> tuple[str, float]:
    """How many answers there are, and the time of this process until that was known."""
    start = time.process_time()
    answers = csp.Solver(dsl.load(path)).solutions(settings=csp.Settings(seconds=seconds))
    found = [one for _, one in zip(range(2), answers, strict=False)]
    known = "several" if len(found) == 2 else "not known" if answers.stopped else "one" if found else "none"
    return known, time.process_time() - start


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    print("| puzzle | lines before | lines | verdict | seconds |\n|---|---|---|---|---|")
    paths = {name: FOLDER / f"{name}.csp" for name in BEFORE}
    paths |= {name: ROOT / "examples" / f"{name}.csp" for name in GALLERY}
    for name, path in paths.items():
        known, spent = verdict(path, seconds)
        now = lines(path.read_text(encoding="utf-8"))
        print(
            f"| `{path.relative_to(ROOT)}` | {(BEFORE | GALLERY)[name]} | {now} | {known} | {spent:.2f} |", flush=True
        )


if __name__ == "__main__":
    main()
