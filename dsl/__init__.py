"""The language: specs to models and back.

>>> import csp, dsl
>>> model = dsl.loads("A, B in 1..2.  A < B.")
>>> csp.solve(model)
{'A': 1, 'B': 2}
"""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # what typing says, too, which takes longer to import than all else here
if TYPE_CHECKING:
    from .language.clauses.build import Program
    from .language.errors import Mistake, Source, SpecError
    from .language.load import dumps, load, loads
    from .language.reading import read
    from .language.text.models import residual

_LATE = {
    "Mistake": "language.errors",
    "Program": "language.clauses.build",
    "Source": "language.errors",
    "SpecError": "language.errors",
    "dumps": "language.load",
    "load": "language.load",
    "loads": "language.load",
    "read": "language.reading",
    "residual": "language.text.models",
}
"""What is imported when it is asked for, and from where: the program can say goodbye before it is there."""

__all__ = ["Mistake", "Program", "Source", "SpecError", "dumps", "load", "loads", "read", "residual"]


def __dir__() -> list[str]:
    return [*__all__, "__doc__"]


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(f".{_LATE[name]}", __name__), name)
