"""What an editor asks about a spec while it is written: text and place in, plain data out.

>>> [found.message for found in diagnose("A in 1..4. A == 3.")]
['== is not part of the language']
>>> [word.word for word in complete("param size = 4.  A in 1..si", 1, 28)]
['size']
"""

from __future__ import annotations

from .completing import Completion, complete
from .diagnosing import Problem, diagnose
from .edits import Edit, applied, format
from .hovering import Hover, hover
from .mending import Fix, fix
from .names import Occurrence
from .places import define, rename, uses

__all__ = [
    "Completion", "Edit", "Fix", "Hover", "Occurrence", "Problem", "applied", "complete", "define", "diagnose",
    "fix", "format", "hover", "rename", "uses",
]  # fmt: skip
