"""What a spec means: its expressions and clauses, includes, and the model they build."""
