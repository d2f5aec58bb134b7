"""Links to f-puzzles: an empty board, and an entry of each kind."""

from __future__ import annotations

import json
from typing import Any

from dsl.puzzles.links.packing import compress
from dsl.syntax.nodes import Place

HERE = Place(1, 1)


def fpuzzle(size: int = 4, **fields: Any) -> str:
    """Return a link to f-puzzles with an empty board and some fields."""
    board = {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)]}
    return f"https://www.f-puzzles.com/?load={compress(json.dumps({**board, **fields}))}"


ENTRIES: dict[str, list[dict[str, Any]]] = {
    "extraregion": [{"cells": ["R1C1", "R2C2", "R3C3"]}],
    "odd": [{"cell": "R1C1"}],
    "even": [{"cell": "R1C2"}],
    "killercage": [{"cells": ["R1C1", "R1C2"], "value": "4"}, {"cells": ["R4C4", "R4C3"]}],
    "littlekillersum": [{"cell": "R0C1", "direction": "DR", "value": "8"}],
    "sandwichsum": [{"cell": "R1C0", "value": "5"}],
    "xsum": [{"cell": "R5C2", "value": 10}],
    "skyscraper": [{"cell": "R2C5", "value": "3"}],
    "numberedroom": [{"cell": "R0C3", "value": "2"}],
    "difference": [{"cells": ["R1C1", "R1C2"]}, {"cells": ["R2C1", "R2C2"], "value": "3"}],
    "ratio": [{"cells": ["R2C2", "R1C2"]}],
    "xv": [{"cells": ["R3C3", "R3C4"], "value": "V"}],
    "clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R3C3", "R3C4"]}],
    "arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R2C1", "R3C2"], ["R1C1", "R1C2"]]}],
    "minimum": [{"cell": "R2C2"}],
    "maximum": [{"cell": "R3C2"}],
    "quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 1]}],
    "whispers": [{"lines": [["R1C1", "R2C2"]]}, {"lines": [["R2C1", "R3C1"]], "value": "3"}],
    "rowindexer": [{"cells": ["R1C1", "R1C3"]}],
    "columnindexer": [{"cells": ["R2C1"]}],
    "boxindexer": [{"cells": ["R3C1"]}],
}
THREE = [{"lines": [["R1C1", "R2C1", "R3C2"]]}, {"lines": [["R1C4", "R2C4"]]}]
LINE = [*THREE, {"lines": [["R1C1", "R2C1", "R3C1", "R3C2", "R4C3"]]}]
