"""Write traces and the differences of two fixpoints as terminal text."""
