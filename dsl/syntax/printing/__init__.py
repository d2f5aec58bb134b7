"""Syntax and models to text, and colours for it."""
