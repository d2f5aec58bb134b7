"""Run the program ``csp``, which the package ``dsl`` defines, by ``python -m csp``."""

from runpy import run_module

run_module("dsl", run_name="__main__")
