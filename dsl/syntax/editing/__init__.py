"""A spec edited as text: clauses replaced, grids and facts filled in, pictures drawn anew."""
