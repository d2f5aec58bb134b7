"""``python -m csp`` is the program ``csp``, which is the language's: the engine knows its name and nothing more."""

from runpy import run_module

run_module("dsl", run_name="__main__")
