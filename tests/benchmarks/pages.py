"""How large the pages of the gallery are, in thousands of bytes: python tests/benchmarks/pages.py [MEASURED]

With the output of an earlier run as MEASURED, also how many times that is.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import csp  # noqa: E402
import dsl  # noqa: E402
from csp.render.page.player import player  # noqa: E402


def main() -> None:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if len(sys.argv) > 1 else []
    before = {line.split()[0]: float(line.split()[1]) for line in lines if line}
    times = []
    for path in sorted((ROOT / "examples").glob("*.csp")):
        source = path.read_text(encoding="utf-8")
        page = player(csp.record(dsl.load(path), nodes=150), source, path.stem)
        size = len(page.encode()) / 1000
        times += [size / before[path.stem]] if path.stem in before else []
        print(f"{path.stem:20} {size:7.0f}" + (f" {times[-1]:5.2f}" if path.stem in before else ""))
    if times:
        print(f"{'median':20} {'':7} {median(times):5.2f}")


if __name__ == "__main__":
    main()
