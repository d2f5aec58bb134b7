"""The specification language: read specs into models, and write models as specs.

>>> import csp, dsl
>>> model = dsl.loads("A, B in 1..2.  A < B.")
>>> csp.solve(model)
{'A': 1, 'B': 2}
"""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # equal to typing.TYPE_CHECKING; importing typing would cost more than the rest of this file
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
"""The module of each public name, imported on first use.

``csp`` can then handle signals before the slow imports run.
"""

__all__ = ["Diagnostic", "Program", "Source", "SpecError", "dumps", "load", "loads", "read", "residual"]


def __dir__() -> list[str]:
    return [*__all__, "__doc__"]


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(f".{_LATE[name]}", __name__), name)
