"""How long ``csp lsp`` takes to answer a keystroke, by a client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.editor.test_language_server import connect_editor  # noqa: E402

KEYS = 40


async def main() -> None:
    async with connect_editor() as made:
        for name in ("shidoku", "sudoku", "killer"):
            text = (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8")
            await made.open(text, ROOT / "examples" / f"{name}.csp")
            taken = []
            for key in range(KEYS):
                start = time.perf_counter()
                await made.change(text + "% x"[: 1 + key % 3])
                taken.append(time.perf_counter() - start)
            print(f"{name:10} {1000 * median(taken):5.1f} ms for half of {KEYS} keystrokes")


if __name__ == "__main__":
    asyncio.run(main())
