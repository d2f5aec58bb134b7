"""Import, export, edit, fill in and set puzzles, and solve files with a puzzle on each line."""
