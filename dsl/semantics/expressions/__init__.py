"""Compiles expressions, conditions and bodies from syntax to functions of an environment.

An environment holds the values of the logical variables that a body binds. Each body is compiled once and run for all
environments: running it finds the instances of a clause, and this is called grounding.
"""
