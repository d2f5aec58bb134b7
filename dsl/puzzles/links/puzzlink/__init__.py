"""Reads and writes links to puzz.link, pzv and pzplus.

Each genre has one description of its body, for reading and for writing.
"""
