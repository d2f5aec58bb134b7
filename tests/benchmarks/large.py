"""What reading large specs costs: python tests/benchmarks/large.py [TEXT ...]

Each text is read in a process of its own, at the size that the bounds allow and at half of it: seconds of processor
time, the greatest memory, and the ratio of the two times.
"""

from __future__ import annotations

import contextlib
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.growth import TEXTS  # noqa: E402

SIZES = {"facts": 330_000, "declarations": 75_000, "constraints": 200_000, "instances": 1_000_000}
USUAL = 20_000


def read(name: str, size: int) -> None:
    """Read one text and tell what it has cost."""
    import dsl

    dsl.loads("A in 1..2.")
    text = TEXTS[name](size)
    before = time.process_time()
    with contextlib.suppress(dsl.SpecError):
        dsl.loads(text)
    print(time.process_time() - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def measured(name: str, size: int) -> tuple[float, int]:
    """Seconds and megabytes, of a process of its own."""
    command = [sys.executable, __file__, "--read", name, str(size)]
    seconds, memory = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
    return float(seconds), int(memory)


def main() -> None:
    if sys.argv[1:2] == ["--read"]:
        read(sys.argv[2], int(sys.argv[3]))
        return
    print(f"{'text':30} {'size':>9} {'seconds':>8} {'MB':>6} {'ratio':>6}")
    for name in sys.argv[1:] or TEXTS:
        size = SIZES.get(name, USUAL)
        half, _ = measured(name, size // 2)
        seconds, memory = measured(name, size)
        print(f"{name:30} {size:9,} {seconds:8.2f} {memory:6} {seconds / half:6.1f}", flush=True)


if __name__ == "__main__":
    main()
