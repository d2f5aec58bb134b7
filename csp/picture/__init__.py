"""Compute pictures of models and moments as lists of shapes, for all output formats.

``shapes.py`` and ``style.py`` define shapes and their looks. ``plan.py`` has the common part of the pictures of a
model, ``scene.py`` the highlights of one moment, and ``picture.py`` combines both.
"""

from .lenses import LENSES

__all__ = ["LENSES"]
