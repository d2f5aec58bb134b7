"""``compiled`` makes a program of a model, ``search`` propagates and branches, ``ask`` answers questions."""
