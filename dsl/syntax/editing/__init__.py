"""Edit a spec as text: replace clauses, fill in params, grids and facts, and redraw pictures."""
