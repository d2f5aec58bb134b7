"""Editor services for specs: diagnostics, completions, hovers, renames and fixes.

Each service is a function from a text and a place to plain data.

>>> [problem.message for problem in diagnose("A in 1..4. A == 3.")]
['== is not part of the language']
>>> [completion.word for completion in complete("param size = 4.  A in 1..si", 1, 28)]
['size']
"""

from __future__ import annotations

from ..syntax.errors import Edit
from .completing import Completion, complete
from .diagnosing import Fix, Problem, diagnose, fix
from .edits import apply_edits, format
from .hovering import Hover, hover
from .names import Occurrence, define, rename, uses

__all__ = [
    "Completion", "Edit", "Fix", "Hover", "Occurrence", "Problem", "apply_edits", "complete", "define", "diagnose",
    "fix", "format", "hover", "rename", "uses",
]  # fmt: skip
