"""The language: specs to models and back.

>>> import csp, dsl
>>> model = dsl.loads("A, B in 1..2.  A < B.")
>>> csp.solve(model)
{'A': 1, 'B': 2}
"""

from importlib import import_module

TYPE_CHECKING = False  # what typing says, too, which takes longer to import than all else here
if TYPE_CHECKING:
    from .meaning.clauses.build import Program
    from .meaning.load import dumps, load, loads
    from .text.errors import Mistake, Source, SpecError
    from .text.printing.models import residual
    from .text.reading import read

LATE = {
    "Mistake": "text.errors",
    "Program": "meaning.clauses.build",
    "Source": "text.errors",
    "SpecError": "text.errors",
    "dumps": "meaning.load",
    "load": "meaning.load",
    "loads": "meaning.load",
    "read": "text.reading",
    "residual": "text.printing.models",
}
"""What is imported when it is asked for, and from where: the program can say goodbye before it is there."""

__all__ = ["Mistake", "Program", "Source", "SpecError", "dumps", "load", "loads", "read", "residual"]


def __getattr__(name: str) -> object:
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{LATE[name]}", __name__), name)
