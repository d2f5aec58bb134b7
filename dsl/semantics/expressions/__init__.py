"""Compiles expressions, conditions and bodies from syntax to functions of an environment."""
