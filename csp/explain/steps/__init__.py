"""Solve as people do, by techniques: solution paths, hints and ratings."""
