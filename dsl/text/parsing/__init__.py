"""Texts to syntax, and what a text that is wrong is told."""
