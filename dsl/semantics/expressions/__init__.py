"""Expressions, bodies and conditions: from syntax to functions of the logical variables' values."""
