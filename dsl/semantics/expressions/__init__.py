"""Compiles expressions, conditions and bodies from syntax to functions of an environment.

An environment holds the values of the logical variables that a body binds. Each body is compiled once and run for all
environments: running it finds the instances of a clause, and this is called grounding.

===============  ========================================================================
file             task
===============  ========================================================================
names.py         meanings of a spec's names; rows of relations
binding.py       the words that a body binds, and the order of its conditions
named.py         definitions of named constraints, which replace their uses
arithmetic.py    sums, products and functions of values and expressions
constraints.py   comparisons, memberships and logical combinations
lists.py         constraints on lists, and comparisons of lists
bodies.py        the query of a body, which finds its environments
compiler.py      the compiler of expressions, conditions, lists and domains
===============  ========================================================================
"""
