"""Explains syntax errors, with hints in the words of the text."""
