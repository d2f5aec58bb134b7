"""Texts to syntax, and what is said of a text that is wrong."""
