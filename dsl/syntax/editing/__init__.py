"""Edit the text of a spec: replace clauses, fill in puzzles, redraw pictures."""
