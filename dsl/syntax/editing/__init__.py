"""Edit a spec as text: replace clauses, fill in puzzles, redraw pictures."""
