"""Import, export, edit and create puzzles, and solve files of puzzles."""
