"""The language: specs to models and back.

>>> import csp, dsl
>>> model = dsl.loads("A, B in 1..2.  A < B.")
>>> csp.solve(model)
{'A': 1, 'B': 2}
"""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # what typing says, too, which takes longer to import than all else here
if TYPE_CHECKING:
    from .semantics.clauses.build import Program
    from .semantics.dumping import dumps, residual
    from .semantics.load import load, loads
    from .syntax.errors import Diagnostic, Source, SpecError
    from .syntax.reading import read

_LATE = {
    "Diagnostic": "syntax.errors",
    "Program": "semantics.clauses.build",
    "Source": "syntax.errors",
    "SpecError": "syntax.errors",
    "dumps": "semantics.dumping",
    "load": "semantics.load",
    "loads": "semantics.load",
    "read": "syntax.reading",
    "residual": "semantics.dumping",
}
"""What is imported when it is asked for, and from where: the program can say goodbye before it is there."""

__all__ = ["Diagnostic", "Program", "Source", "SpecError", "dumps", "load", "loads", "read", "residual"]


def __dir__() -> list[str]:
    return [*__all__, "__doc__"]


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(f".{_LATE[name]}", __name__), name)
