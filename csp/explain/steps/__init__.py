"""The human way: a board, the techniques on it, and walks, hints and ratings made of them."""
