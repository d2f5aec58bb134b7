"""The edges of a picture: which vertices they join, their look and their curves."""
