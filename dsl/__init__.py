"""The language: specs to models and back.

>>> import csp, dsl
>>> model = dsl.loads("A, B in 1..2.  A < B.")
>>> csp.solve(model)
{'A': 1, 'B': 2}
"""

from .language.clauses.build import Program
from .language.errors import Mistake, Source, SpecError
from .language.load import load, loads, read
from .language.text.models import dumps, residual

__all__ = ["Mistake", "Program", "Source", "SpecError", "dumps", "load", "loads", "read", "residual"]
